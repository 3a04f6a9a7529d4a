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

"""Rules about loops: closure, actuation, and imitation by mimic joints."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import INTERFACES
from urdf_tools.check.indexed_description import named_joints
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import loop_elements
from urdf_tools.model.loops import LoopType
from urdf_tools.model.loops import MAX_LOOPS
from urdf_tools.model.records import Mimic
from urdf_tools.model.xml.element import Element

if TYPE_CHECKING:  # The solver is imported only for descriptions with loops.
    from urdf_tools.kinematics import Mechanism
    from urdf_tools.kinematics.loops.mechanism import LoopGroup

rule = RULES.in_category('joints')

_ROUNDING = 1e-4
"""Opening in m and rad that comes from rounded numbers."""
_SAMPLES = 41

_Opening = tuple[float, float]
"""A distance in m and an angle in rad."""


@once
def _mechanism(description: Description) -> Mechanism | None:
    """
    Return the mechanism of a description, without mimic relations.

    :return: None if there are no loops or their numbers are invalid.
    """
    found = robot(description)
    if found is None or not 0 < len(found.loops) <= MAX_LOOPS:
        return None
    from urdf_tools.kinematics import Mechanism
    try:
        return Mechanism(replace(found, joints={
            name: replace(joint, mimic=None) for name, joint in found.joints.items()}))
    except (np.linalg.LinAlgError, ValueError):
        return None


def _groups(description: Description) -> Sequence[LoopGroup]:
    """Return the coupled loops; nothing if there are no loops to solve."""
    mechanism = _mechanism(description)
    return () if mechanism is None else mechanism.groups


@once
def _openings(description: Description) -> list[tuple[Loop, _Opening, _Opening]]:
    """Return each loop, and its opening at and near the zero configuration."""
    mechanism = _mechanism(description)
    if mechanism is None:
        return []
    zero, near = (zip(*mechanism.errors(positions)) for positions in (
        mechanism.tree.neutral(), mechanism.start))
    return list(zip(mechanism.loops, zero, near))


def _defect(loop: Loop, template: str, **options: Any) -> Defect:
    """Return a defect of the element that closes a loop."""
    assert loop.element is not None
    return Defect(loop.element, template, loop=Name(loop.name), **options)


@rule('loop-unreadable', ERROR)
def loop_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that every element that closes a loop can be read.

    Its links exist, its type is known, and its axes are not zero. What cannot be read stays open.

    Fails in a four-bar linkage:
        <constraint name="pin" type="revolute">
        <parent link="cuopler"/><child link="rocker"/>
        <parent_origin xyz="0.3 0 0"/><child_origin xyz="0.1 0 0"/>
        <parent_axis xyz="0 0 1"/><child_axis xyz="0 0 1"/></constraint>
    Passes with link="coupler"
    """
    found = robot(description)
    if found is None:
        return
    problems = [each for each in found.problems if each.kind is ErrorKind.LOOP]
    read = {loop.element for loop in found.loops}
    unread = (each for each in loop_elements(description.robot) if each not in read)
    for problem, element in zip(problems, unread):
        yield Defect(element, '{problem}', problem=FreeText(problem.message),
                     hint='Write two links that exist, and a type and axes that are known')


@rule('loop-open', WARN)
def loop_open(description: Description) -> Iterator[Defect]:
    """
    Check that loops are closed where all positions are zero.

    Programs that do not solve loops show this gap, and programs that do may close them
    in another way than is meant.

    Fails in a hinge between the coupler and the rocker:
        <parent_origin xyz="0.28 0 0"/><child_axis xyz="0 0 1"/>
    Passes with xyz="0.3 0 0"
    """
    for loop, (distance, angle), near in _openings(description):
        if max(distance, angle) > _ROUNDING:
            end = '' if max(near) <= _ROUNDING else ', and cannot be closed anywhere near'
            yield _defect(loop, 'Loop {loop} is open by {distance:.3g} mm and {angle:.3g} mrad '
                          'where all positions are zero' + end, distance=1e3 * distance,
                          angle=1e3 * angle)


@rule('loop-axes-not-parallel', WARN)
def loop_axes_not_parallel(description: Description) -> Iterator[Defect]:
    """
    Check that the joints of a loop can bring the two axes of a hinge together.

    In a plane mechanism they are parallel everywhere or nowhere.

    Fails in a hinge between the coupler and the rocker:
        <parent_origin xyz="0.3 0 0"/><child_axis xyz="0 0.02 1"/>
    Passes with <child_axis xyz="0 0 1"/>
    """
    for loop, _, (_, angle) in _openings(description):
        if loop.type is LoopType.HINGE and angle > _ROUNDING:
            yield _defect(loop, 'The axes of hinge {loop} are {angle:.3g} degrees apart wherever '
                          'its joints are', angle=np.degrees(angle))


@rule('loop-undecided', WARN)
def loop_undecided(description: Description) -> Iterator[Defect]:
    """
    Check that the zero configuration determines how loops are assembled.

    In a flat parallelogram, or with all links of a four-bar on a line, they can go on in several
    ways. Frames are not published then before a passive joint is measured.

    Fails in the pivot of a flat four-bar linkage: <origin xyz="0.3 0 0"/>
    Passes with xyz="0.34 0.15 0"
    """
    for group in _groups(description):
        if not group.is_decided and group.is_closed:
            yield _defect(
                group.loops[0], 'Loop {loop} can be assembled in several ways near position zero')


@rule('loop-immovable', WARN)
def loop_immovable(description: Description) -> Iterator[Defect]:
    """
    Check that loops leave their joints some mobility.

    Fails in a four-bar linkage:
        <constraint name="pin" type="fixed">
        <parent link="coupler"/><child link="rocker"/>
        <parent_origin xyz="0.3 0 0"/><child_origin xyz="0.1 0 0"/></constraint>
    Passes with type="ball"
    """
    for group in _groups(description):
        if not group.mobility and group.variables:
            yield _defect(group.loops[0], 'The loops of {loop} leave joints {joints} no mobility',
                          joints=tuple(map(Name, group.variables)))


@rule('loop-passive-driven', WARN)
def loop_passive_driven(description: Description) -> Iterator[Defect]:
    """
    Check that no more joints of loops have a command interface than can move freely.

    Fails in a closed four-bar linkage:
        <ros2_control name="s" type="system">
        <joint name="motor"><command_interface name="position"/></joint>
        <joint name="pivot"><command_interface name="position"/></joint>
        </ros2_control>
    Passes with <joint name="pivot"/>
    """
    for driven, mobility, names in _driven(description, 'command_interface'):
        if len(driven) > mobility:
            yield Defect(driven[-1], 'Joints {joints} have command interfaces, but loop {loop} '
                         'leaves them a mobility of {mobility}', mobility=mobility, **names)


@rule('loop-underdetermined', WARN)
def loop_underdetermined(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> has as many joints of loops as these need to be determined.

    Frames of the others are not published before enough positions are measured.

    Fails in a closed five-bar linkage:
        <ros2_control name="s" type="system">
        <joint name="motor"><state_interface name="position"/></joint>
        </ros2_control>
    Passes:
        <ros2_control name="s" type="system">
        <joint name="motor"><state_interface name="position"/></joint>
        <joint name="pivot"><state_interface name="position"/></joint>
        </ros2_control>
    """
    for measured, mobility, names in _driven(description, *INTERFACES):
        if 0 < len(measured) < mobility:
            yield Defect(measured[0], 'Loop {loop} has a mobility of {mobility}, but only '
                         '{joints} of its joints are in <ros2_control>', mobility=mobility,
                         **names)


def _driven(description: Description, *tags: str
            ) -> Iterator[tuple[list[Element], int, dict[str, Any]]]:
    """Yield the joints of coupled loops with certain interfaces, the mobility, and names."""
    for group in _groups(description) if description.ros2_control else ():
        joints = [joint for _, joint, name, _ in named_joints(
            description, description.ros2_control) if name in group.variables and any(
                joint.find(tag) is not None for tag in tags)]
        yield joints, group.mobility, {
            'loop': Name(group.loops[0].name),
            'joints': tuple(Name(joint.get('name', '')) for joint in joints)}


@rule('loop-faked-by-mimic', WARN)
def loop_faked_by_mimic(description: Description) -> Iterator[Defect]:
    """
    Check that no joint of a loop mimics another of its joints, unless they do move that way.

    A constant multiplier is correct only for parallelograms. Otherwise it opens the loop.

    Fails in the elbow of a closed four-bar linkage: <mimic joint="motor" multiplier="2"/>
    Passes with multiplier="-1"
    """
    found, mechanism = robot(description), _mechanism(description)
    if found is None or mechanism is None:
        return
    for follower, mimic, group in (
            (name, joint.mimic, group) for name, joint in found.joints.items() if joint.mimic
            for group in mechanism.groups
            if group.mobility == 1 and {name, joint.mimic.joint} <= {*group.variables}):
        opening = _opening(mechanism, follower, mimic)
        element = description.joint_names[follower].child('mimic')
        if opening > _ROUNDING:
            yield Defect(element, '{joint} mimics {leader}, which opens loop {loop} by up '
                         'to {opening:.3g} mm over its range', leader=Name(mimic.joint),
                         loop=Name(group.loops[0].name), opening=1e3 * opening)


def _opening(mechanism: Mechanism, follower: str, mimic: Mimic) -> float:
    """Return the largest opening of loops over the range of a mimicked joint."""
    tree = mechanism.tree
    row = tree.variable_index[mimic.joint]
    low, high = (ends[row] for ends in tree.ranges())
    positions = np.tile(mechanism.start, (_SAMPLES, 1))
    positions[:, row] = np.linspace(low, high, _SAMPLES)
    closure = mechanism.close(positions, [mimic.joint])
    positions = closure.positions[closure.closed]
    positions[:, tree.variable_index[follower]] = (
        mimic.multiplier * positions[:, row] + mimic.offset)
    nearest, _ = mechanism.nearest(
        positions, mechanism.measured([mimic.joint, follower]).following)
    return float(np.max(mechanism.errors(nearest)[0], initial=0.0))
