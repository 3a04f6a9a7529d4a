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

"""Rules about the limits of joints."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.joints import has_computed_type
from urdf_tools.check.joints import joints_of_type
from urdf_tools.check.joints import joints_with
from urdf_tools.check.joints import LIMITED_TYPES
from urdf_tools.check.joints import named_joints
from urdf_tools.check.joints import position_limits
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.joint_dynamics import negative
from urdf_tools.check.schema import misspelling
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.consequences import warns
from urdf_tools.model.xml.editing import RemoveElement

rule = RULES.in_category('joints')

_MIN_DEGREES = 30.0
"""The least limit of a revolute joint that is taken for degrees, though it is no whole number."""

_MIN_GAP, _ALIKE = 10, 1.5
"""Ratios of velocity limits: of one in degrees to others, and most between those alike."""


@rule('limit-on-fixed', INFO, fix='Remove it')
def limit_on_fixed(description: Description) -> Iterator[Defect]:
    """
    Check that no fixed joint has limits.

    They have no effect. Where an expression of xacro makes the type, they may be for another one.

    Fails in a fixed joint::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>

    Passes::

        <origin xyz="0 0 0"/>
    """
    for joint, limit in joints_with(description, 'limit', ('fixed',)):
        if has_computed_type(joint):
            continue
        is_empty = not any(description.number(limit, name) != 0 for name in limit.attrib)
        yield Defect(limit, '{joint} is fixed but has a <limit>',
                     fix=(RemoveElement(limit),) if is_empty and not len(limit) else ())


@rule('limit-missing', ERROR, refuses('joint_state_publisher'), warns('idyntree'), affects='limit',
      fix='Write <limit lower="..." upper="..." effort="..." velocity="..."/>, or make a '
          'revolute joint continuous')
def limit_missing(description: Description) -> Iterator[Defect]:
    """
    Check that revolute and prismatic joints have limits.

    Fails in a revolute joint::

        <axis xyz="0 0 1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    for joint in joints_of_type(description, LIMITED_TYPES):
        if child(joint, 'limit') is None:
            yield Defect(joint, '{joint} is {type} but has no <limit>', type=joint.get('type'))


@rule('limit-no-effort', ERROR, refuses('urdf_parser_py'), affects='any',
      fix='Write effort= with the maximum force or torque')
def limit_no_effort(description: Description) -> Iterator[Defect]:
    """
    Check that every <limit> has an effort, which URDF requires before version 1.2.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" velocity="1" efort="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _without_bound(description, 'effort')


@rule('limit-no-velocity', ERROR, refuses('urdf_parser_py'), affects='any',
      fix='Write velocity= with the maximum speed')
def limit_no_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that every <limit> has a velocity, which URDF requires before version 1.2.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _without_bound(description, 'velocity')


def _without_bound(description: Description, attribute: str) -> Iterator[Defect]:
    for joint, limit in joints_with(description, 'limit'):
        misspelt = misspelling(limit, attribute)
        if attribute not in limit.attrib and (misspelt or description.version < (1, 2)):
            yield Defect(limit, 'The <limit> of {joint} has no {attribute}', attribute=attribute,
                         **misspelt)


@rule('limit-inverted', ERROR, affects='any', fix='Swap lower and upper')
def limit_inverted(description: Description) -> Iterator[Defect]:
    """
    Check that the lower limit is not above the upper limit.

    Fails in a revolute joint::

        <limit lower="1" upper="-1" effort="1" velocity="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        if lower > upper:
            yield Defect(limit, 'The lower limit of {joint}, {lower:g}, is above its upper limit, '
                         '{upper:g}', lower=lower, upper=upper)


@rule('limit-degenerate', WARN,
      changes('joint_state_publisher', of='joint', how='shows no slider for it'),
      warns('tesseract'), affects='any', fix='Write lower below upper, or make the joint fixed')
def limit_degenerate(description: Description) -> Iterator[Defect]:
    """
    Check that the lower and the upper limit of a joint differ.

    Both are 0 if neither is given. Two zeros are only noted if no transmission or <ros2_control>
    drives the joint and its effort or velocity is 0, too: some models have such a joint in place
    of a fixed one, which Gazebo would lump.

    Fails in a revolute joint::

        <limit effort="1" velocity="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    driven = {name for _, _, name, _ in named_joints(
        description, (*description.transmissions, *description.ros2_control))}
    for joint, limit, lower, upper in position_limits(description):
        if lower == upper:
            yield Defect(limit, '{joint} cannot move: both limits are {lower:g}', lower=lower,
                         severity=None if lower or joint.get('name') in driven or all(
                             (description.number(limit, name) or 0) > 0
                             for name in ('effort', 'velocity')) else INFO)
    for joint, limit in joints_with(description, 'limit', LIMITED_TYPES):
        if not {'lower', 'upper'} & limit.attrib.keys():
            yield Defect(limit,
                         '{joint} cannot move: it has neither lower nor upper, so both are 0',
                         hint='Write lower and upper; a joint that turns without end is '
                         'continuous' if joint.get('type') == 'revolute' else '')


@rule('limit-one-sided', WARN, affects='any', fix='Write both lower and upper')
def limit_one_sided(description: Description) -> Iterator[Defect]:
    """
    Check that lower and upper are both given, because a missing one is 0.

    This is an error if it puts the lower limit above the upper limit.

    Fails in a revolute joint::

        <limit lower="-1" effort="1" velocity="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    for joint, limit in joints_with(description, 'limit', LIMITED_TYPES):
        given, other = ('lower', 'upper') if 'lower' in limit.attrib else ('upper', 'lower')
        if given in limit.attrib and other not in limit.attrib:
            value = description.number(limit, given) or 0.0
            inverted = value > 0 if given == 'lower' else value < 0
            yield Defect(limit,
                         'The <limit> of {joint} has {given} but no {other}, which defaults to 0',
                         given=given, other=other, severity=ERROR if inverted else None)


@rule('limit-negative-effort', ERROR,
      changes('ros2_control', of='limit', how='uses the magnitude'), affects='any',
      fix='Write a positive value', source='ros2_control `joint_limits_urdf.hpp`')
def limit_negative_effort(description: Description) -> Iterator[Defect]:
    """
    Check that no effort limit is negative.

    If the velocity limit of the joint is negative, too, both are reported as one.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="-1" velocity="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _bounds(description, 'negative', 'effort')


@rule('limit-negative-velocity', ERROR,
      changes('moveit', 'ros2_control', of='limit', how='uses the magnitude'), affects='any',
      fix='Write a positive value',
      source='ros2_control `joint_limits_urdf.hpp`; moveit `robot_model.cpp`')
def limit_negative_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that no velocity limit is negative.

    If the effort limit of the joint is negative, too, limit-negative-effort reports both.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="1" velocity="-1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _bounds(description, 'negative', 'velocity')


@rule('limit-zero-effort', WARN, affects='any',
      fix='Write the maximum force or torque of the joint')
def limit_zero_effort(description: Description) -> Iterator[Defect]:
    """
    Check that the effort limit of a joint that moves is not zero.

    If the velocity limit of the joint is zero, too, both are reported as one. A joint whose
    position limits are equal does not move, one with a <springStiffness> in <gazebo> is passive.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="0" velocity="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _bounds(description, 'zero', 'effort')


@rule('limit-zero-velocity', WARN,
      changes('moveit', of='joint', how='cannot time-parameterize a trajectory'),
      fix='Write the maximum speed of the joint')
def limit_zero_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that the velocity limit of a joint that moves is not zero.

    If the effort limit of the joint is zero, too, limit-zero-effort reports both. A joint whose
    position limits are equal does not move, one with a <springStiffness> in <gazebo> is passive.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="1" velocity="0"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
    """
    yield from _bounds(description, 'zero', 'velocity')


def _bounds(description: Description, what: str, attribute: str) -> Iterator[Defect]:
    """Yield each limit whose first bad bound of effort and velocity is ``attribute``."""
    still = {limit for _, limit, lower, upper in position_limits(description) if lower == upper}
    passive = {extension.get('reference') for extension in description.gazebo
               if extension.find('springStiffness') is not None}
    for joint, limit in joints_with(description, 'limit', (*LIMITED_TYPES, 'continuous')):
        bad = {name: value
               for name, value in description.numbers(limit, 'effort', 'velocity').items()
               if (value < 0 if what == 'negative' else value == 0)}
        if attribute != next(iter(bad), None) or what == 'zero' and (
                limit in still or joint.get('name') in passive):
            continue
        values = ''.join(f', {{{name}:g}}' for name, value in bad.items() if value)
        template = ('The {bounds} limits of {joint} are {what}' if len(bad) > 1 else
                    'The {bounds} limit of {joint} is {what}')
        yield Defect(limit, template + (f' ({values[2:]})' if values else ''),
                     bounds=' and '.join(bad), joint=joint, what=what, **bad)


@rule('limit-on-continuous', INFO, fix='Remove lower and upper, or make the joint revolute')
def limit_on_continuous(description: Description) -> Iterator[Defect]:
    """
    Check that no continuous joint has position limits.

    Fails in a continuous joint::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>

    Passes::

        <limit effort="1" velocity="1"/>
    """
    for joint, limit in joints_with(description, 'limit', ('continuous',)):
        given = description.numbers(limit, 'lower', 'upper')
        if any(given.values()):
            shown = ', '.join(f'{name} {{{name}:g}}' for name in given)
            yield Defect(limit, f'{{joint}} is continuous but has position limits: {shown}',
                         **given)


@rule('range-over-2pi', INFO, fix='Make it continuous if it can turn without limit')
def range_over_2pi(description: Description) -> Iterator[Defect]:
    """
    Check that no revolute joint has a range of more than two turns.

    Such a joint can probably turn without limit, as a continuous joint does.

    Fails in a revolute joint::

        <limit lower="-10" upper="10" effort="1" velocity="1"/>

    Passes::

        <limit lower="-6.2832" upper="6.2832" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        turns = upper / (2 * math.pi) - lower / (2 * math.pi)
        if joint.get('type') == 'revolute' and turns > 2.01 and not _in_degrees(lower, upper):
            yield Defect(limit, '{joint} has a range of {turns:.3g} turns', turns=turns)


@rule('limit-in-degrees', WARN, fix='Write radians: degrees times 0.0174533')
def limit_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the limits of a revolute joint are not in degrees.

    Whole numbers that exceed two turns as radians, but not one turn as degrees, are reported, and
    other numbers from 30 on but for multiples of pi.

    Fails in a revolute joint::

        <limit lower="-90" upper="90" effort="1" velocity="1"/>

    Passes::

        <limit lower="-1.5708" upper="1.5708" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        if joint.get('type') == 'revolute' and _in_degrees(lower, upper):
            low, high = (round(math.radians(value), 6) for value in (lower, upper))
            yield Defect(
                limit, 'The limits of {joint}, {lower:g} and {upper:g}, look like degrees',
                lower=lower, upper=upper,
                hint='Write radians: lower="{low:.12g}" upper="{high:.12g}"', low=low, high=high)


def _in_degrees(lower: float, upper: float) -> bool:
    largest = max(abs(lower), abs(upper))
    are_whole = lower == round(lower) and upper == round(upper)
    return (4 * math.pi if are_whole else _MIN_DEGREES) < largest <= 360 and not any(
        abs(math.remainder(value, math.pi / 2)) < 1e-4 * abs(value) for value in (lower, upper))


@rule('velocity-in-degrees', WARN,
      fix='Write radians per second: degrees per second times 0.0174533')
def velocity_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the velocity limit of a revolute joint is not in degrees per second.

    A joint is reported if its limit is at least ten times those of the others, which are three
    times as many, and like theirs once converted. A power of ten is a placeholder.

    Fails in a robot::

        <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
        <limit lower="-1" upper="1" effort="1" velocity="150"/></joint>
        <joint name="k" type="revolute"><parent link="b"/><child link="c"/>
        <limit lower="-1" upper="1" effort="1" velocity="2"/></joint>
        <joint name="l" type="revolute"><parent link="c"/><child link="d"/>
        <limit lower="-1" upper="1" effort="1" velocity="2"/></joint>
        <joint name="m" type="revolute"><parent link="d"/><child link="e"/>
        <limit lower="-1" upper="1" effort="1" velocity="3"/></joint>

    Passes::

        <link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/>
        <limit lower="-1" upper="1" effort="1" velocity="2.62"/></joint>
        <joint name="k" type="revolute"><parent link="b"/><child link="c"/>
        <limit lower="-1" upper="1" effort="1" velocity="2"/></joint>
        <joint name="l" type="revolute"><parent link="c"/><child link="d"/>
        <limit lower="-1" upper="1" effort="1" velocity="2"/></joint>
        <joint name="m" type="revolute"><parent link="d"/><child link="e"/>
        <limit lower="-1" upper="1" effort="1" velocity="3"/></joint>
    """
    speeds = {limit: speed for _, limit in joints_with(description, 'limit', ('revolute',))
              if (speed := description.number(limit, 'velocity')) and speed > 0}
    most = max(speeds.values(), default=0.0)
    others = sorted(speed for speed in speeds.values() if speed * _MIN_GAP <= most)
    if not others or 3 * (len(speeds) - len(others)) > len(others):
        return
    for limit, speed in speeds.items():
        if (speed >= _MIN_GAP * others[-1] and not math.log10(speed).is_integer()
                and others[0] / _ALIKE < math.radians(speed) < _ALIKE * others[-1]):
            yield Defect(limit, 'The velocity limit of {joint}, {speed:g}, looks like degrees per '
                         'second: other joints have {least:g} to {largest:g} rad/s', speed=speed,
                         least=others[0], largest=others[-1], converted=math.radians(speed),
                         hint='Write velocity="{converted:.4g}"')


@rule('zero-outside-limits', INFO,
      changes('joint_state_publisher', of='joint', how='starts in the middle of the range'),
      changes('moveit', of='joint', how='cannot use the zero position as a start state'))
def zero_outside_limits(description: Description) -> Iterator[Defect]:
    """
    Check that zero is within the limits of every joint.

    Fails in a revolute joint::

        <limit lower="0.1" upper="1" effort="1" velocity="1"/>

    Passes::

        <limit lower="0" upper="1" effort="1" velocity="1"/>
    """
    for joint, limit, lower, upper in position_limits(description):
        if lower <= upper and not lower <= 0 <= upper:
            yield Defect(limit, 'Zero is outside the limits of {joint}, {lower:g} and {upper:g}',
                         lower=lower, upper=upper)


@rule('acceleration-jerk-negative', ERROR, fix='Write a positive value')
def acceleration_jerk_negative(description: Description) -> Iterator[Defect]:
    """
    Check that no limit of acceleration, deceleration or jerk is negative.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="1" velocity="1" jerk="-1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1" jerk="1"/>
    """
    yield from negative(description, 'limit', ('acceleration', 'deceleration', 'jerk'),
                        'The {attribute} limit of {joint} is negative ({value:g})')
