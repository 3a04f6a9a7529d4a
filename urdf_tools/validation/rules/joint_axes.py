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

"""Rules about the type and the axis of joints."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.findings.fixes import RemoveElement
from urdf_tools.findings.fixes import SetAttribute
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.spelling import Spelling
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.joints import AXIS_TYPES
from urdf_tools.validation.joints import JOINT_TYPES
from urdf_tools.validation.joints import joints_of_type
from urdf_tools.validation.joints import joints_with
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('joints')

_JOINT = ROBOT.descendant('joint')
_TYPE_NAMES = ', '.join(JOINT_TYPES)
_TYPE_SPELLING = Spelling(JOINT_TYPES)
_NOT_SPHERICAL = 'refuses the description, unless the type is spherical'


@rule('joint-no-type', ERROR, hint=f'Write type= with one of {_TYPE_NAMES}', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'isaac': 'refuses the description'})
def joint_no_type(description: Description) -> Iterator[Defect]:
    """Check that every joint has a type."""
    for joint in description.joints:
        if not joint.get('type'):
            yield Defect(joint, f'{subject(joint)} has no type',
                         misspelling_hint(joint, _JOINT, 'type'))


@rule('joint-unknown-type', ERROR, hint=f'Write one of {_TYPE_NAMES}', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'mujoco': _NOT_SPHERICAL, 'pybullet': _NOT_SPHERICAL, 'isaac': 'refuses the description',
    'urdf_parser_py': 'refuses the whole description'})
def joint_unknown_type(description: Description) -> Iterator[Defect]:
    """Check that the type of every joint is one of the six that URDF defines."""
    for joint in description.joints:
        kind = joint.get('type')
        if kind and kind not in JOINT_TYPES and not is_expression(kind):
            near = _TYPE_SPELLING.near(kind.strip())
            yield Defect(joint, f'{subject(joint)} has the unknown type {quote(kind)}',
                         did_you_mean(kind.strip(), _TYPE_SPELLING),
                         fix=(SetAttribute(joint, 'type', near),)
                         if near and kind.strip().lower() == near else ())


@rule('type-poor-support', WARN,
      hint='Replace it with joints of one degree of freedom, or make it fixed', consumers={
          'kdl': 'treats it as a fixed joint', 'pybullet': 'treats a floating joint as fixed',
          'robot_state_publisher': 'skips floating joints, publishes planar ones as fixed',
          'gazebo': 'refuses the model', 'idyntree': 'refuses planar and floating joints',
          'drake': 'leaves the child of a floating joint free'})
def type_poor_support(description: Description) -> Iterator[Defect]:
    """Check that no joint is planar or floating, types that many programs do not support."""
    for joint in joints_of_type(description, ('planar', 'floating')):
        yield Defect(joint, f'{subject(joint)} is {joint.get("type")}, '
                            f'which many programs do not support')


@rule('axis-zero', ERROR, hint='Write the direction, such as <axis xyz="0 0 1"/>', consumers={
    'urdfdom': 'accepts it, and the joint cannot move', 'drake': 'refuses the description',
    'mujoco': 'refuses the description', 'isaac': 'refuses the description',
    'pinocchio': 'accepts it, and the joint cannot move'})
def axis_zero(description: Description) -> Iterator[Defect]:
    """
    Check that the axis of a joint that moves is not zero.

    Fixed and floating joints do not use an axis, and some programs write "0 0 0" for them.
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        xyz = description.vector(axis, 'xyz', 3)
        if xyz is not None and math.hypot(*xyz) < 1e-9:
            yield Defect(axis, f'The axis of {describe(joint)} is zero')


@rule('axis-no-xyz', ERROR, hint='Write the direction, such as <axis xyz="0 0 1"/>', consumers={
    'urdfdom': 'reads the axis as zero, and the joint cannot move',
    'mujoco': 'refuses the description',
    'urdf_parser_py': 'raises an exception'})
def axis_no_xyz(description: Description) -> Iterator[Defect]:
    """
    Check that the <axis> of a joint that moves has the attribute xyz.

    The axis defaults to x only if there is no <axis> at all.
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        if axis.get('xyz') is None:
            yield Defect(axis, f'The axis of {describe(joint)} has no xyz',
                         misspelling_hint(axis, _JOINT.descendant('axis'), 'xyz'))


@rule('axis-not-unit', WARN, hint='Divide it by its length', consumers={
    'urdfdom': 'keeps it as it is, so some programs scale positions and limits by its length '
               'and others do not'})
def axis_not_unit(description: Description) -> Iterator[Defect]:
    """
    Check that every axis has length 1.

    An error in length below 0.001, typical of the rounding in CAD exports, is only a note.
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        xyz = description.vector(axis, 'xyz', 3)
        length = 1.0 if xyz is None else math.hypot(*xyz)
        if xyz is not None and abs(length - 1) > 1e-5 and length >= 1e-9:
            unit = format_numbers(tuple(value / length for value in xyz))
            yield Defect(
                axis, f'The axis of {describe(joint)} has length {length:.6g}, not 1',
                f'Write xyz="{unit}"', INFO if abs(length - 1) < 1e-3 else None,
                fix=(SetAttribute(axis, 'xyz', unit),))


@rule('axis-missing', INFO, hint='Write <axis xyz="1 0 0"/>, or the axis you want', consumers={
    'pybullet': 'warns'})
def axis_missing(description: Description) -> Iterator[Defect]:
    """
    Check that a joint that moves has an <axis>.

    The default is x, which is seldom what was intended.
    """
    for joint in joints_of_type(description, AXIS_TYPES):
        if child(joint, 'axis') is None:
            yield Defect(joint, f'{subject(joint)} has no <axis>, so its axis is x')


@rule('axis-nearly-aligned', INFO, hint='Write the exact axis, such as "0 0 1"')
def axis_nearly_aligned(description: Description) -> Iterator[Defect]:
    """
    Check that an axis close to a coordinate axis is exactly that axis.

    A deviation below 0.6 degrees is usually numerical noise from a CAD export.
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        xyz = sorted(map(abs, description.vector(axis, 'xyz', 3) or (0.0,)))
        if len(xyz) == 3 and 1e-6 < math.hypot(*xyz[:2]) / (xyz[2] or math.inf) < 0.01:
            yield Defect(axis, f'The axis of {describe(joint)}, "{axis.get("xyz")}", is nearly a '
                               f'coordinate axis')


@rule('axis-on-fixed', INFO, hint='Remove it')
def axis_on_fixed(description: Description) -> Iterator[Defect]:
    """
    Check that no fixed joint has an axis.

    A fixed joint does not move, so its axis has no effect.
    """
    for joint, axis in joints_with(description, 'axis', ('fixed',)):
        is_empty = not any(description.vector(axis, 'xyz', 3) or (1.0,))
        yield Defect(axis, f'{subject(joint)} is fixed but has an <axis>',
                     fix=(RemoveElement(axis),) if is_empty and not len(axis) else ())
