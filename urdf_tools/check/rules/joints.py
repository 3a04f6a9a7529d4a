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

"""Rules about the type, the axis and the limits of joints."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.check.indexed_description import AXIS_TYPES
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import JOINT_TYPES
from urdf_tools.check.indexed_description import joints_of_type
from urdf_tools.check.indexed_description import joints_with
from urdf_tools.check.indexed_description import position_limits
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import of_joint_type
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import SetAttribute

rule = RULES.in_category('joints')

_FLOATING, _PLANAR = of_joint_type('floating'), of_joint_type('planar')
_TYPE_SPELLING = Spelling(JOINT_TYPES)


@rule('joint-unknown-type', ERROR, affects='type joint')
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
                         suggestion=near, fix=(SetAttribute(joint, 'type', near),) if near else ())


@rule('type-poor-support', WARN, changes('kdl', of='joint', how='treats it as a fixed joint'),
      drops('robot_state_publisher', of='joint', how='does not publish the joint', when=_FLOATING),
      changes('robot_state_publisher', of='joint', how='publishes the joint as fixed',
              when=_PLANAR), refuses('idyntree'), affects='type joint')
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


@rule('axis-not-unit', WARN)
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
                         unit=FreeText(unit), severity=INFO if abs(length - 1) < 1e-3 else None,
                         fix=(SetAttribute(axis, 'xyz', unit),))


@rule('axis-nearly-aligned', INFO)
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
            yield Defect(axis, 'The axis of {joint}, "{xyz}", is {angle:.2g} degrees away from a '
                         'coordinate axis', xyz=FreeText(axis.get('xyz')), exact=FreeText(exact),
                         angle=math.degrees(math.hypot(*xyz[:2]) / xyz[2]))


_MIN_GAP, _ALIKE = 10, 1.5
"""Ratios of velocity limits: of one in degrees to others, and most between those alike."""


@rule('range-over-2pi', INFO)
def range_over_2pi(description: Description) -> Iterator[Defect]:
    """
    Check that no revolute joint has a range of more than two turns.

    Such a joint can probably turn without limit, as a continuous joint does.

    Fails in a revolute joint: <limit lower="-10" upper="10" effort="1" velocity="1"/>
    Passes: <limit lower="-6.2832" upper="6.2832" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        turns = upper / (2 * math.pi) - lower / (2 * math.pi)
        if joint.get('type') == 'revolute' and turns > 2.01 and not _in_degrees(lower, upper):
            yield Defect(limit, '{joint} has a range of {turns:.3g} turns', turns=turns)


@rule('limit-in-degrees', WARN)
def limit_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the limits of a revolute joint are not in degrees.

    Whole numbers that exceed two turns as radians, but not one turn as degrees, are reported, and
    other numbers from 30 on but for multiples of pi.

    Fails in a revolute joint: <limit lower="-90" upper="90" effort="1" velocity="1"/>
    Passes: <limit lower="-1.5708" upper="1.5708" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        if joint.get('type') == 'revolute' and _in_degrees(lower, upper):
            # Beside a bound in degrees, one with decimals within a turn may be right.
            low, high = (value if abs(value) <= 2 * math.pi and value != round(value) else round(
                math.radians(value), 6) for value in (lower, upper))
            yield Defect(limit, 'The limits of {joint}, {lower:g} and {upper:g}, look like '
                         'degrees', lower=lower, upper=upper, low=low, high=high)


def _in_degrees(lower: float, upper: float) -> bool:
    largest = max(abs(lower), abs(upper))
    are_whole = lower == round(lower) and upper == round(upper)
    return (4 * math.pi if are_whole else 30.0) < largest <= 360 and not any(
        abs(math.remainder(value, math.pi / 2)) < 1e-4 * abs(value) for value in (lower, upper))


@rule('limit-digits-swapped', WARN)
def limit_digits_swapped(description: Description) -> Iterator[Defect]:
    """
    Check that limits are not symmetric but for two digits that changed places.

    They have opposite signs and the same number of digits, four at least, of which two
    neighbours are swapped.

    Fails in a revolute joint: <limit lower="-2.618" upper="2.168" effort="1" velocity="1"/>
    Passes with upper="2.618"
    """
    for joint, limit, lower, upper in position_limits(description):
        low, high = (limit.get(name, '').strip().lstrip('+-') for name in ('lower', 'upper'))
        places = [i for i, (one, other) in enumerate(zip(low, high)) if one != other]
        if (lower < 0 < upper and len(low) == len(high) and len(places) == 2
                and places[1] - places[0] <= 1 + (low[places[0] + 1] == '.')
                and [low[i] for i in places] == [high[i] for i in places[::-1]]
                and sum(map(str.isdigit, low)) >= 4):
            yield Defect(limit, 'The limits of {joint}, {lower:.9g} and {upper:.9g}, would be '
                         'symmetric but for two swapped digits', lower=lower, upper=upper,
                         mirrored_upper=-lower, mirrored_lower=-upper)


@rule('velocity-in-degrees', WARN)
def velocity_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the velocity limit of a revolute joint is not in degrees per second.

    A joint is reported if its limit is at least ten times those of the others, which are three
    times as many, and like theirs once converted. A power of ten is a placeholder.

    Fails in the first joint of an arm: <limit lower="-1" upper="1" effort="1" velocity="150"/>
    Passes with velocity="2.62"
    """
    speeds = {limit: speed for _, limit in joints_with(description, 'limit', ('revolute',))
              if (speed := description.number(limit, 'velocity')) and speed > 0}
    maximum = max(speeds.values(), default=0.0)
    others = sorted(speed for speed in speeds.values() if speed * _MIN_GAP <= maximum)
    if not others or 3 * (len(speeds) - len(others)) > len(others):
        return
    for limit, speed in speeds.items():
        if (speed >= _MIN_GAP * others[-1] and not math.log10(speed).is_integer()
                and others[0] / _ALIKE < math.radians(speed) < _ALIKE * others[-1]):
            yield Defect(limit, 'The velocity limit of {joint}, {speed:g}, looks like degrees per '
                         'second: other joints have {minimum:g} to {largest:g} rad/s', speed=speed,
                         minimum=others[0], largest=others[-1], converted=math.radians(speed))
