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

from urdf_tools.findings.finding import Severity
from urdf_tools.model.cycles import find_cycles
from urdf_tools.model.element import Element
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.indexed_description import degrees_of_freedom
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.joints import joints_with
from urdf_tools.validation.joints import position_limits
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.topology import Topology
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('joints')

_MIMIC = ROBOT.descendant('joint', 'mimic')


@rule('mimic-no-joint', ERROR, hint='Write <mimic joint="..."/>', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'mujoco': 'refuses the description', 'isaac': 'refuses the description',
    'urdf_parser_py': 'refuses the whole description'})
def mimic_no_joint(description: Description) -> Iterator[Defect]:
    """Check that every <mimic> names the joint to follow."""
    for joint, mimic in joints_with(description, 'mimic'):
        if not mimic.get('joint'):
            yield Defect(mimic, f'The <mimic> of {describe(joint)} names no joint',
                         misspelling_hint(mimic, _MIMIC, 'joint'))


def _followers(description: Description) -> Iterator[tuple[Element, Element, Element | None]]:
    """Yield each joint whose <mimic> names a joint, the <mimic>, and that joint if it exists."""
    for joint, mimic in joints_with(description, 'mimic'):
        name = mimic.get('joint')
        if name:
            yield joint, mimic, description.joint_names.get(name)


@rule('mimic-unknown-joint', ERROR, hint='Name a joint of this robot', consumers={
    'robot_state_publisher': 'never publishes the joint',
    'moveit': 'ignores the mimic', 'drake': 'refuses the description',
    'isaac': 'refuses the description', 'mujoco': 'warns, and ignores the mimic',
    'pinocchio': 'refuses the description if it is to model mimic joints',
    'ros2_control': 'refuses the description if <ros2_control> lists the joint'})
def mimic_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that the joint that a <mimic> names exists."""
    for joint, mimic, leader in _followers(description):
        if leader is None and not description.is_template:
            name = mimic.get('joint', '')
            hint = did_you_mean(name, description.joint_spelling)
            yield Defect(
                mimic, f'{subject(joint)} mimics joint {name!r}, which does not exist',
                hint if quote(joint.get('name', '')) not in hint else '')


@rule('mimic-self', ERROR, hint='Name another joint, or remove the <mimic>', consumers={
    'joint_state_publisher': 'exits with an error', 'drake': 'refuses the description',
    'mujoco': 'refuses the description',
    'pinocchio': 'refuses the description if it is to model mimic joints',
    'moveit': 'ignores the mimic'})
def mimic_self(description: Description) -> Iterator[Defect]:
    """Check that no joint mimics itself."""
    for joint, mimic, leader in _followers(description):
        if leader is joint:
            yield Defect(mimic, f'{subject(joint)} mimics itself')


@rule('mimic-cycle', ERROR, hint='Remove the <mimic> of one of them', consumers={
    'joint_state_publisher': 'exits with an error', 'moveit': 'ignores the mimics',
    'pinocchio': 'refuses the description if it is to model mimic joints'})
def mimic_cycle(description: Description) -> Iterator[Defect]:
    """Check that joints do not mimic each other in a cycle."""
    mimics = {joint: mimic for joint, mimic in joints_with(description, 'mimic')}
    leaders = {joint: leader for joint, _, leader in _followers(description)
               if leader is not None and leader is not joint}
    for cycle in find_cycles(leaders):
        names = [joint.get('name', '') for joint in (*cycle, cycle[0])]
        yield Defect(mimics[cycle[0]],
                     f'Joints mimic each other in a cycle: {name_list(names, " -> ")}')


@rule('mimic-dof-mismatch', ERROR, hint='Mimic a revolute, continuous or prismatic joint',
      consumers={'drake': 'refuses the description', 'moveit': 'ignores the mimic'})
def mimic_dof_mismatch(description: Description) -> Iterator[Defect]:
    """
    Check that a mimic joint and the joint that it follows have one degree of freedom each.

    A <mimic> in a planar or floating joint is only a warning, because readers ignore it.
    """
    for joint, mimic, leader in _followers(description):
        own = degrees_of_freedom(joint)
        other = None if leader is None else degrees_of_freedom(leader)
        if leader is not None and own == 1 and other not in (None, 1):
            yield Defect(mimic, f'{subject(joint)} mimics {describe(leader)}, which is '
                                f'{leader.get("type")} and has {other} degrees of freedom, not 1')
        elif own in (3, 6):
            yield Defect(mimic, f'{subject(joint)} is {joint.get("type")} and cannot '
                                f'mimic another joint', 'Remove the <mimic>', WARN)


@rule('mimic-on-fixed', WARN, hint='Remove it, or make the joint movable', consumers={
    'ros2_control': 'refuses a fixed joint', 'drake': 'refuses the description'})
def mimic_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no fixed joint mimics another."""
    for joint, mimic in joints_with(description, 'mimic', ('fixed',)):
        if mimic.get('joint'):
            yield Defect(mimic, f'{subject(joint)} is fixed and cannot mimic another joint')


@rule('mimic-chain', INFO, hint='Name the last joint of the chain, and combine the multipliers '
      'and offsets', consumers={
          'robot_state_publisher': 'follows only one step',
          'pinocchio': 'refuses the description if it is to model mimic joints'})
def mimic_chain(description: Description) -> Iterator[Defect]:
    """Check that no joint mimics one that is a mimic joint itself."""
    followed = {joint: (mimic, leader) for joint, mimic, leader in _followers(description)
                if leader is not None}
    for joint, (mimic, leader) in followed.items():
        _, last = followed.get(leader, (None, None))
        if leader is not joint and last is not None and last is not leader and last is not joint:
            yield Defect(mimic, f'{subject(joint)} mimics {describe(leader)}, which mimics '
                                f'{describe(last)}')


@rule('mimic-before-leader', INFO,
      hint='Rename the joints, or mimic the other way round with the inverse multiplier',
      consumers={'pinocchio': 'refuses the description if it is to model mimic joints'})
def mimic_before_leader(description: Description) -> Iterator[Defect]:
    """
    Check that no joint mimics one that Pinocchio reads later.

    Pinocchio reads a joint, then all those below it, and the children of a link in the
    alphabetical order of their joints.
    """
    read: set[Element] = set()
    mimics = {joint: (mimic, leader) for joint, mimic, leader in _followers(description)
              if leader is not None and leader is not joint}
    topology = description.topology
    pending = _by_name(topology, *topology.roots[:1])
    while pending:
        joint, link = pending.pop()
        if joint in read:
            continue
        read.add(joint)
        pending += _by_name(topology, link)
        mimic, leader = mimics.get(joint, (None, None))
        if mimic is not None and leader is not None and leader not in read:
            yield Defect(mimic, f'{subject(joint)} mimics {describe(leader)}, which Pinocchio '
                                f'reads later')


def _by_name(topology: Topology, *links: str) -> list[tuple[Element, str]]:
    """Return the joints below links and their child links, the first by name at the end."""
    return sorted((edge for link in links for edge in topology.child_joints[link]),
                  key=lambda edge: edge[0].get('name', ''), reverse=True)


@rule('mimic-range-exceeds-limits', WARN,
      hint='Widen the limits, or change multiplier and offset', consumers={
          'moveit': 'treats such states as invalid',
          'joint_state_publisher': 'publishes positions beyond the limits'})
def mimic_range_exceeds_limits(description: Description) -> Iterator[Defect]:
    """
    Check that following its leader does not take a joint beyond its own limits.

    Up to 1 % of the range is tolerated.
    """
    ranges = {joint: (lower, upper) for joint, _, lower, upper in position_limits(description)
              if lower < upper}
    for joint, mimic, leader in _followers(description):
        if leader is None or leader is joint or joint not in ranges or leader not in ranges:
            continue
        multiplier = _or_default(description.number(mimic, 'multiplier'), 1.0)
        offset = _or_default(description.number(mimic, 'offset'), 0.0)
        reach = sorted(multiplier * end + offset for end in ranges[leader])
        lower, upper = ranges[joint]
        slack = 0.01 * (upper - lower)
        if reach[0] < lower - slack or reach[1] > upper + slack:
            yield Defect(
                mimic, f'{subject(joint)} follows {describe(leader)} from '
                       f'{reach[0]:.4g} to {reach[1]:.4g}, but its limits are {lower:.4g} and '
                       f'{upper:.4g}')


def _or_default(value: float | None, default: float) -> float:
    return default if value is None else value


@rule('mimic-zero-multiplier', INFO, hint='Make the joint fixed')
def mimic_zero_multiplier(description: Description) -> Iterator[Defect]:
    """
    Check that no mimic joint has multiplier 0.

    It keeps a constant position, as a fixed joint does.
    """
    for joint, mimic in joints_with(description, 'mimic'):
        if description.number(mimic, 'multiplier') == 0:
            yield Defect(mimic, f'{subject(joint)} mimics with multiplier 0, so it '
                                f'never moves')
