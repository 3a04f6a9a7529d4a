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

"""Rules about <ros2_control> elements, and what ros2_control silently ignores in them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import named_joints
from urdf_tools.check.moveit_files import entries_in
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.known_mistakes import listed
from urdf_tools.check.rules.mirror_images import mirrored_name
from urdf_tools.check.schema import TABLES
from urdf_tools.check.topology import attached_link
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_SIMULATED = tuple(TABLES['simulated hardware'])
"""Packages of hardware plugins without hardware."""

_OTHERS = re.compile('(?i)cast[eo]r|passive|susp|spring|shock|rocker|grip|finger|knuckle|jaw|claw')
"""What joints, and the links they move, are called that nothing drives, or other hardware."""


@rule('ros2control-missing-joint', WARN)
def ros2control_missing_joint(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> has joints, and lacks no single one of those that belong together.

    They are a left and a right one, four or more whose names differ by numbers only, or three or
    more in a group of the SRDF file. Joints that mimic another, that the SRDF file calls passive
    or that a broadcaster has as extra_joints are left out, as are casters, suspensions and
    grippers, by their names; so are those of controllers in YAML files, of which
    controller-interface-missing speaks. Three or more are taken to be left out on purpose.

    Fails in the joints of a ros2_control system of two wheels: <joint name="left_wheel"/>
    Passes: <joint name="left_wheel"/><joint name="right_wheel"/>
    """
    yield from listed(description, 'ros2control-missing-joint')
    systems = {name: system for system, _, name, _ in named_joints(
        description, description.ros2_control)}
    files = moveit_files(description)
    elsewhere = {each.get('name') for each in files.elements('passive_joint')} | {
        each.text for _, entry in files.likely for each in entries_in(entry, 'joints')} | {
        each.text for entries in files.parameters for entry in entries
        for each in entries_in(entry, 'extra_joints')}
    joints = {name: joint for name, joint in description.joint_names.items() if (
        name in systems or name in description.moving_joints and name not in elsewhere
        and not _OTHERS.search(f'{name} {attached_link(joint, "child")}'))}
    found: dict[str, list[str]] = {}
    for minimum, names in _groups(description, joints) if not description.is_template else ():
        group = joints.keys() & {*names}
        others = sorted(group & systems.keys())
        if len(others) == len(group) - 1 >= minimum:
            found.setdefault(group.difference(others).pop(), others)
    for name, others in found.items() if len(found) < 3 else ():  # More are not an oversight.
        system = systems[others[0]]
        yield Defect(system, '{system} controls {others}, but not {joint}', system=system,
                     others=tuple(map(Name, others)), joint=joints[name], name=Name(name))


@rule('ros2control-group-unreported', WARN)
def ros2control_group_unreported(description: Description) -> Iterator[Defect]:
    """
    Check that something reports the positions of the joints that MoveIt plans with.

    They are those in groups of the SRDF file. It is noted where not all of <ros2_control> is
    simulated, as the driver of a gripper may report them. Joints that mimic another, that the SRDF
    file calls passive, or that ros2control-missing-joint names, are left out.

    Fails in arm.srdf: <group name="all"><joint name="wrist"/></group>
    Passes: <group name="all"><joint name="shoulder"/></group>
    """
    systems = {name for _, _, name, _ in named_joints(description, description.ros2_control)}
    files = moveit_files(description)
    others = {each.get('name') for each in files.elements('passive_joint')} | {
        each.text for entries in files.parameters for entry in entries
        for each in entries_in(entry, 'extra_joints')} | {
        name for defect in ros2control_missing_joint(description)
        if isinstance(name := defect.arguments.get('name'), str)}
    is_merged = any('source_list' in text for text in package_files(description).launch.values())
    is_simulated = all((system.findtext('hardware/plugin') or '').strip().startswith(_SIMULATED)
                       for system in description.ros2_control)
    for name, group in files.groups.items() if systems and not is_merged else ():
        lacking = sorted(description.moving_joints.keys()
                         & files.parts(name)[1] - systems - others)
        others.update(lacking)
        if lacking:
            yield Defect(group, 'No <ros2_control> has {joints} of {group}, and nothing else '
                         'reports their positions', group=group, joints=[*map(Name, lacking)],
                         severity=None if is_simulated else INFO)


def _groups(description: Description, joints: Mapping[str, Element]
            ) -> list[tuple[int, Iterable[str]]]:
    """Return names that belong together, and how many others there are if one joint is missing."""
    files = moveit_files(description)
    rows = grouped(((re.sub('[0-9]+', '#', name), joint.get('type') == 'prismatic'), name)
                   for name, joint in joints.items())
    return [*((1, (name, mirrored_name(name))) for name in joints),
            *((3, row) for row in rows.values()),
            *((2, files.parts(group)[1]) for group in files.groups)]
