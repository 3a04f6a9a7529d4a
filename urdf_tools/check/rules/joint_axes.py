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

from urdf_tools.check.conditions import of_joint_type
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.joints import AXIS_TYPES
from urdf_tools.check.joints import JOINT_TYPES
from urdf_tools.check.joints import joints_of_type
from urdf_tools.check.joints import joints_with
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import SetAttribute

rule = RULES.in_category('joints')

_FLOATING, _PLANAR = of_joint_type('floating'), of_joint_type('planar')
_TYPE_SPELLING = Spelling(JOINT_TYPES)


@rule('joint-unknown-type', ERROR, refuses('urdf_parser_py'), affects='type joint',
      fix='Write one of revolute, continuous, prismatic, fixed, floating, planar', source='run')
def joint_unknown_type(description: Description) -> Iterator[Defect]:
    """
    Check that the type of every joint is one of the six that URDF defines.

    Fails in a robot with two links:
        <joint name="j" type="continous"><parent link="base_link"/><child link="tip"/></joint>
    Passes with type="continuous"
    """
    for joint in description.joints:
        kind = joint.get('type')
        if kind and kind not in JOINT_TYPES and not is_expression(kind):
            near = _TYPE_SPELLING.near(kind.strip())
            yield Defect(joint, '{joint} has the unknown type {type:40}', type=Name(kind),
                         suggestion=near, fix=(SetAttribute(joint, 'type', near),)
                         if near and kind.strip().lower() == near else ())


@rule('type-poor-support', WARN, changes('kdl', of='joint', how='treats it as a fixed joint'),
      drops('robot_state_publisher', of='joint', how='does not publish the joint', when=_FLOATING),
      changes('robot_state_publisher', of='joint', how='publishes the joint as fixed',
              when=_PLANAR), refuses('idyntree'), affects='type joint',
      fix='Replace it with joints of one degree of freedom, or make it fixed', source='run')
def type_poor_support(description: Description) -> Iterator[Defect]:
    """
    Check that no joint is planar or floating, types that many programs do not support.

    Fails in a robot with two links:
        <joint name="j" type="floating"><parent link="base_link"/><child link="tip"/></joint>
    Passes with type="fixed"
    """
    for joint in joints_of_type(description, ('planar', 'floating')):
        yield Defect(joint, '{joint} is {type}, which many programs do not support',
                     type=joint.get('type'))


@rule('axis-not-unit', WARN, fix='Divide it by its length')
def axis_not_unit(description: Description) -> Iterator[Defect]:
    """
    Check that every axis has length 1.

    Some programs scale positions and limits by its length, and others do not. An error in length
    below 0.001, typical of the rounding in CAD exports, is only a note.

    Fails in a revolute joint: <axis xyz="0 0 2"/>
    Passes with xyz="0 0.707107 0.707107"
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        xyz = description.vector(axis, 'xyz', 3)
        length = 1.0 if xyz is None else math.hypot(*xyz)
        if xyz is not None and abs(length - 1) > 1e-5 and length >= 1e-9:
            unit = format_numbers(tuple(value / length for value in xyz))
            yield Defect(axis, 'The axis of {joint} has length {length:.6g}, not 1', length=length,
                         hint='Write xyz="{unit}"', unit=FreeText(unit),
                         severity=INFO if abs(length - 1) < 1e-3 else None,
                         fix=(SetAttribute(axis, 'xyz', unit),))


@rule('axis-missing', INFO, fix='Write <axis xyz="1 0 0"/>, or the axis you want')
def axis_missing(description: Description) -> Iterator[Defect]:
    """
    Check that a joint that moves has an <axis>.

    The default is x, which is seldom what was intended.

    Fails in a revolute joint: <limit lower="-1" upper="1" effort="1" velocity="1"/>
    Passes: <limit lower="-1" upper="1" effort="1" velocity="1"/><axis xyz="1 0 0"/>
    """
    for joint in joints_of_type(description, AXIS_TYPES):
        if child(joint, 'axis') is None:
            yield Defect(joint, '{joint} has no <axis>, so its axis is x')


@rule('axis-nearly-aligned', INFO, fix='Write the exact axis, such as "0 0 1"')
def axis_nearly_aligned(description: Description) -> Iterator[Defect]:
    """
    Check that an axis close to a coordinate axis is exactly that axis.

    A deviation below 0.6 degrees is usually numerical noise from a CAD export.

    Fails in a revolute joint: <axis xyz="0.005 0 0.9999875"/>
    Passes with xyz="0.05 0 0.998749"
    """
    for joint, axis in joints_with(description, 'axis', AXIS_TYPES):
        vector = description.vector(axis, 'xyz', 3) or (0.0,)
        xyz = sorted(map(abs, vector))
        if len(xyz) == 3 and 1e-6 < math.hypot(*xyz[:2]) / (xyz[2] or math.inf) < 0.01:
            exact = ' '.join(f'{math.copysign(1, x):g}' if abs(x) == xyz[2] else '0'
                             for x in vector)
            yield Defect(axis, 'The axis of {joint}, "{xyz}", is {angle:.2g} degrees away '
                         'from a coordinate axis', xyz=FreeText(axis.get('xyz')),
                         exact=FreeText(exact), angle=math.degrees(math.hypot(*xyz[:2]) / xyz[2]),
                         hint='Write the exact axis, "{exact}"')
