# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Rules about joints that mimic other joints."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
import re

import numpy as np

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import has_computed_type
from urdf_tools.check.indexed_description import joints_with
from urdf_tools.check.indexed_description import position_limits
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.mirror_images import mirrored_name
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import find_cycles
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import name_list
from urdf_tools.model.records import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('joints')

_FINGER = re.compile('(?i)finger|jaw|grip|claw|knuckle')

_DEGREES_OF_FREEDOM = {kind.value: kind.dof for kind in JointType}


def _is_controlled(description: Description, defect: Defect) -> bool:
    """Return whether ros2_control treats the joint of a <mimic> as a mimic joint."""
    joint = enclosing(defect.element, 'joint')
    return joint is not None and any(
        part.get('name') == joint.get('name') and part.get('mimic', '').strip().lower() != 'false'
        for system in description.ros2_control for part in system.iterfind('joint'))


_CONTROLLED = Condition('if <ros2_control> lists the joint', _is_controlled)
_ONE_DEGREE_OF_FREEDOM = on_element(
    'if the joint has one degree of freedom',
    lambda mimic: _DEGREES_OF_FREEDOM.get(mimic.parent.get('type')) == 1)
_ENDLESS = refuses('joint_state_publisher', how='exits with an error', when=_ONE_DEGREE_OF_FREEDOM)


def _followers(description: Description) -> Iterator[tuple[Element, Element, Element | None]]:
    """Yield each joint whose <mimic> names a joint, the <mimic>, and that joint if it exists."""
    for joint, mimic in joints_with(description, 'mimic'):
        name = mimic.get('joint')
        if name:
            yield joint, mimic, description.joint_names.get(name)


def _leaders(description: Description) -> dict[Element, Element]:
    """Return each joint that mimics an existing joint, to that joint."""
    return {joint: leader for joint, _, leader in _followers(description)
            if leader is not None and leader is not joint}


@rule('mimic-unknown-joint', ERROR,
      drops('robot_state_publisher', of='joint', how='never publishes the joint',
            when=_ONE_DEGREE_OF_FREEDOM), ignores('moveit', of='mimic'),
      refuses('ros2_control', when=_CONTROLLED), affects='any')
def mimic_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that the joint that a <mimic> names exists.

    Fails in the joint that follows another: <mimic joint="laeder"/>
    Passes with joint="leader"
    """
    for joint, mimic, leader in _followers(description):
        if leader is None and not description.is_template:
            name = mimic.get('joint', '')
            near = description.joint_spelling.near(name)
            meant = description.joint_spelling.only(name)
            yield Defect(
                mimic, '{follower} mimics joint {leader}, which does not exist', follower=joint,
                leader=Name(name), suggestion=near if near != joint.get('name') else None,
                fix=(SetAttribute(mimic, 'joint', meant),) if (
                    meant and meant != joint.get('name')) else ())


@rule('mimic-self', ERROR, _ENDLESS, ignores('moveit', of='mimic'), affects='any')
def mimic_self(description: Description) -> Iterator[Defect]:
    """
    Check that no joint mimics itself.

    Fails in the joint that follows another: <mimic joint="follower"/>
    Passes with joint="leader"
    """
    for joint, mimic, leader in _followers(description):
        if leader is joint:
            yield Defect(mimic, '{follower} mimics itself', follower=joint, attribute='joint')


@rule('mimic-cycle', ERROR, _ENDLESS, ignores('moveit', of='mimic'), affects='any')
def mimic_cycle(description: Description) -> Iterator[Defect]:
    """
    Check that joints do not mimic each other in a cycle.

    Fails in the joint that another follows: <mimic joint="follower"/>
    Passes: <axis xyz="0 0 1"/>
    """
    for cycle in find_cycles(_leaders(description)):
        names = [joint.get('name', '') for joint in (*cycle, cycle[0])]
        yield Defect(cycle[0].child('mimic'), 'Joints mimic each other in a cycle: {joints}',
                     joints=name_list(names, ' -> '), attribute='joint')


@rule('mimic-on-fixed', WARN, refuses('ros2_control', when=_CONTROLLED), affects='any')
def mimic_on_fixed(description: Description) -> Iterator[Defect]:
    """
    Check that no fixed joint mimics another.

    This is only noted if a xacro expression computes the type, as it may vary.

    Fails in a fixed joint: <mimic joint="k"/>
    Passes: <origin xyz="0 0 0"/>
    """
    for joint, mimic in joints_with(description, 'mimic', ('fixed',)):
        if mimic.get('joint'):
            yield Defect(mimic, '{follower} is fixed and cannot mimic another joint',
                         follower=joint, severity=INFO if has_computed_type(joint) else None)


@rule('mimic-range-exceeds-limits', WARN)
def mimic_range_exceeds_limits(description: Description) -> Iterator[Defect]:
    """
    Check that following its leader does not take a joint beyond its own limits.

    Up to 1 % of the range is tolerated.

    Fails in the joint that follows another:
        <limit lower="-1" upper="1" effort="1" velocity="1"/>
        <mimic joint="leader" multiplier="2"/>
    Passes with multiplier="-1"
    """
    for joint, leader, reach, (lower, upper) in _reaches(description):
        slack = 0.01 * (upper - lower)
        if reach[0] < lower - slack or reach[1] > upper + slack:
            yield Defect(joint.child('mimic'), '{follower} follows {leader} from {minimum:.4g} to '
                         '{maximum:.4g}, but its limits are {lower:.4g} and {upper:.4g}',
                         leader=leader, follower=joint, minimum=reach[0], maximum=reach[1],
                         lower=lower, upper=upper)


@rule('mimic-units-suspect', INFO)
def mimic_units_suspect(description: Description) -> Iterator[Defect]:
    """
    Check that following its leader moves a joint over more than a tenth of its own range.

    It is a warning where one turns and the other slides: the multiplier is then in rad/m or m/rad.
    Where both turn or both slide, a range that is not used may be meant.

    Fails in the joint that follows another:
        <limit lower="-1" upper="1" effort="1" velocity="1"/>
        <mimic joint="leader" multiplier="0.01"/>
    Passes with multiplier="0.5"
    """
    for joint, leader, (minimum, maximum), (lower, upper) in _reaches(description):
        own, other = joint.get('type'), leader.get('type')
        if 0 < maximum - minimum < 0.1 * (upper - lower):
            yield Defect(
                joint.child('mimic'), '{follower} is {own} and follows {leader}, which is '
                '{other}, from {minimum:.4g} to {maximum:.4g} only, with the limits {lower:.4g} '
                'and {upper:.4g}', follower=joint, leader=leader, own=own, other=other,
                minimum=minimum, maximum=maximum, lower=lower, upper=upper,
                severity=WARN if (own == 'prismatic') != (other == 'prismatic') else None)


def _reaches(description: Description) -> Iterator[
        tuple[Element, Element, tuple[float, float], tuple[float, float]]]:
    """Yield each follower and leader, how far it moves the follower, and the limits of that."""
    ranges = {joint: (lower, upper) for joint, _, lower, upper in position_limits(description)
              if lower < upper}
    for joint, leader in _leaders(description).items():
        if joint in ranges and leader in ranges:
            given = {'multiplier': 1.0, 'offset': 0.0, **description.numbers(
                joint.child('mimic'), 'multiplier', 'offset')}
            ends = [given['multiplier'] * end + given['offset'] for end in ranges[leader]]
            yield joint, leader, (min(ends), max(ends)), ranges[joint]


@rule('mimic-same-direction', WARN)
def mimic_same_direction(description: Description) -> Iterator[Defect]:
    """
    Check that of two fingers, one of which mimics the other, each moves against the other.

    They have the same parent and type, and names such as finger, jaw or gripper. Of several that
    follow one joint, only a left and a right one are compared, as others are parts of linkages.

    Fails in the right finger of a gripper: <axis xyz="0 1 0"/>
    Passes: <axis xyz="0 -1 0"/>
    """
    for first, second in _fingers(description):
        one, other = (joint.origin.matrix[:3, :3] @ joint.axis * (
            joint.mimic.multiplier if joint.mimic else 1.0) for joint in (first, second))
        apart = np.subtract(second.origin.xyz, first.origin.xyz)
        if one @ other > 0.99 and (second.type.value == 'prismatic' or float(
                np.linalg.norm(np.cross(apart, one))) > 1e-3):
            yield Defect(description.joint_names[second.name].child('mimic'), '{joint} moves to '
                         'the same side as joint {other}', other=Name(first.name))


def _fingers(description: Description) -> Iterator[tuple[Joint, Joint]]:
    """Yield two fingers of one parent that move together; the second one mimics a joint."""
    of_robot = robot(description)
    joints = () if of_robot is None else of_robot.joints.values()
    groups = grouped((joint.mimic.joint if joint.mimic else joint.name, joint) for joint in joints)
    for group in groups.values():
        for first, second in combinations(sorted(group, key=lambda each: bool(each.mimic)), 2):
            is_pair = len(group) == 2 or mirrored_name(first.name) == second.name or (
                mirrored_name(second.name) == first.name)
            if (is_pair and second.mimic and first.type is second.type
                    and first.parent == second.parent
                    and _FINGER.search(f'{second.name} {second.child}')):
                yield first, second
