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

from collections.abc import Callable
from collections.abc import Iterator
import math

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import format_number
from urdf_tools.findings.fixes import RemoveElement
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.joints import joints_of_type
from urdf_tools.validation.joints import joints_with
from urdf_tools.validation.joints import LIMITED_TYPES
from urdf_tools.validation.joints import position_limits
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('joints')

_LIMIT = ROBOT.descendant('joint', 'limit')
_REFUSES = {'urdfdom': 'refuses the whole description'}
_NO_LIMIT = {**_REFUSES, 'pybullet': 'refuses the description', 'isaac': 'refuses the description'}
_REFUSES_IN_1_2 = 'refuses it in URDF 1.2, accepts it in earlier versions'


@rule('limit-on-fixed', INFO, hint='Remove it')
def limit_on_fixed(description: Description) -> Iterator[Defect]:
    """
    Check that no fixed joint has limits.

    A fixed joint does not move, so its limits have no effect.
    """
    for joint, limit in joints_with(description, 'limit', ('fixed',)):
        is_empty = not any(description.number(limit, name) != 0 for name in limit.attrib)
        yield Defect(limit, f'{subject(joint)} is fixed but has a <limit>',
                     fix=(RemoveElement(limit),) if is_empty and not len(limit) else ())


@rule('limit-missing', ERROR,
      hint='Write <limit lower="..." upper="..." effort="..." velocity="..."/>, '
           'or make a revolute joint continuous',
      consumers={**_NO_LIMIT, 'joint_state_publisher': 'exits with an error',
                 'idyntree': 'warns'})
def limit_missing(description: Description) -> Iterator[Defect]:
    """Check that revolute and prismatic joints have limits."""
    for joint in joints_of_type(description, LIMITED_TYPES):
        if child(joint, 'limit') is None:
            yield Defect(joint, f'{subject(joint)} is {joint.get("type")} but has no '
                                f'<limit>')


@rule('limit-no-effort', ERROR, hint='Write effort= with the maximum force or torque',
      consumers={**_REFUSES, 'urdf_parser_py': 'refuses the whole description'})
def limit_no_effort(description: Description) -> Iterator[Defect]:
    """Check that every <limit> has an effort, which URDF requires before version 1.2."""
    yield from _without_bound(description, 'effort')


@rule('limit-no-velocity', ERROR, hint='Write velocity= with the maximum speed',
      consumers={**_REFUSES, 'urdf_parser_py': 'refuses the whole description'})
def limit_no_velocity(description: Description) -> Iterator[Defect]:
    """Check that every <limit> has a velocity, which URDF requires before version 1.2."""
    yield from _without_bound(description, 'velocity')


def _without_bound(description: Description, attribute: str) -> Iterator[Defect]:
    for joint, limit in joints_with(description, 'limit'):
        hint = misspelling_hint(limit, _LIMIT, attribute)
        if attribute not in limit.attrib and (hint or description.version < (1, 2)):
            yield Defect(limit, f'The <limit> of {describe(joint)} has no {attribute}', hint)


@rule('limit-inverted', ERROR, hint='Swap lower and upper', consumers={
    'urdfdom': _REFUSES_IN_1_2, 'gazebo': 'swaps them', 'mujoco': 'drops the limits',
    'drake': 'ends with an assertion'})
def limit_inverted(description: Description) -> Iterator[Defect]:
    """Check that the lower limit is not above the upper limit."""
    for joint, limit, lower, upper in position_limits(description):
        if lower > upper:
            yield Defect(limit, f'The lower limit of {describe(joint)}, {lower:g}, is above its '
                                f'upper limit, {upper:g}')


@rule('limit-degenerate', WARN, hint='Write lower below upper, or make the joint fixed',
      consumers={
          'joint_state_publisher': 'shows no slider for it',
          'mujoco': 'treats 0 and 0 as no limits', 'tesseract': 'warns'})
def limit_degenerate(description: Description) -> Iterator[Defect]:
    """
    Check that the lower and the upper limit of a joint differ.

    Both are 0 if neither is given. Two equal numbers are only noted: some models have such a joint
    in place of a fixed one, which Gazebo would lump.
    """
    for joint, limit, lower, upper in position_limits(description):
        if lower == upper:
            yield Defect(limit, f'{subject(joint)} cannot move: both limits are '
                                f'{lower:g}', severity=INFO)
    for joint, limit in joints_with(description, 'limit', LIMITED_TYPES):
        if not {'lower', 'upper'} & limit.attrib.keys():
            yield Defect(limit, f'{subject(joint)} cannot move: it has neither lower nor '
                                f'upper, so both are 0')


@rule('limit-one-sided', WARN, hint='Write both lower and upper', consumers={
    'urdfdom': 'uses 0 for the missing one', 'mujoco': 'drops the limits'})
def limit_one_sided(description: Description) -> Iterator[Defect]:
    """
    Check that lower and upper are both given, because a missing one is 0.

    This is an error if it puts the lower limit above the upper limit.
    """
    for joint, limit in joints_with(description, 'limit', LIMITED_TYPES):
        given, other = ('lower', 'upper') if 'lower' in limit.attrib else ('upper', 'lower')
        if given in limit.attrib and other not in limit.attrib:
            value = description.number(limit, given) or 0.0
            inverted = value > 0 if given == 'lower' else value < 0
            yield Defect(
                limit, f'The <limit> of {describe(joint)} has {given} but no {other}, which '
                       f'defaults to 0', severity=ERROR if inverted else None)


@rule('limit-negative-effort', ERROR, hint='Write a positive value', consumers={
    'urdfdom': _REFUSES_IN_1_2, 'pinocchio': 'refuses the description',
    'drake': 'refuses the description if a transmission drives the joint',
    'mujoco': 'uses the magnitude', 'ros2_control': 'uses the magnitude'})
def limit_negative_effort(description: Description) -> Iterator[Defect]:
    """
    Check that no effort limit is negative.

    If the velocity limit of the joint is negative, too, both are reported as one.
    """
    yield from _bounds(description, lambda value: value < 0, 'negative', 'effort')


@rule('limit-negative-velocity', ERROR, hint='Write a positive value', consumers={
    'urdfdom': _REFUSES_IN_1_2, 'drake': 'ends with an assertion',
    'pinocchio': 'refuses the description', 'moveit': 'uses the magnitude',
    'ros2_control': 'uses the magnitude'})
def limit_negative_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that no velocity limit is negative.

    If the effort limit of the joint is negative, too, limit-negative-effort reports both.
    """
    yield from _bounds(description, lambda value: value < 0, 'negative', 'velocity')


@rule('limit-zero-effort', WARN, hint='Write the maximum force or torque of the joint', consumers={
    'mujoco': 'takes it for no limit', 'drake': 'skips its transmission'})
def limit_zero_effort(description: Description) -> Iterator[Defect]:
    """
    Check that the effort limit of a joint that moves is not zero.

    If the velocity limit of the joint is zero, too, both are reported as one. A joint whose
    position limits are equal does not move, and one with a <springStiffness> in its <gazebo> is
    passive.
    """
    yield from _bounds(description, lambda value: value == 0, 'zero', 'effort')


@rule('limit-zero-velocity', WARN, hint='Write the maximum speed of the joint', consumers={
    'moveit': 'cannot time-parameterize a trajectory'})
def limit_zero_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that the velocity limit of a joint that moves is not zero.

    If the effort limit of the joint is zero, too, limit-zero-effort reports both. A joint whose
    position limits are equal does not move, and one with a <springStiffness> in its <gazebo> is
    passive.
    """
    yield from _bounds(description, lambda value: value == 0, 'zero', 'velocity')


def _bounds(
        description: Description, is_bad: Callable[[float], bool], what: str,
        attribute: str) -> Iterator[Defect]:
    """Yield each limit whose first bad bound of effort and velocity is ``attribute``."""
    still = {limit for _, limit, lower, upper in position_limits(description) if lower == upper}
    passive = {extension.get('reference') for extension in description.gazebo
               if extension.find('springStiffness') is not None}
    for joint, limit in joints_with(description, 'limit', (*LIMITED_TYPES, 'continuous')):
        bad = {name: value for name in ('effort', 'velocity')
               if (value := description.number(limit, name)) is not None and is_bad(value)}
        if attribute != next(iter(bad), None) or what == 'zero' and (
                limit in still or joint.get('name') in passive):
            continue
        values = ', '.join(f'{value:g}' for value in bad.values() if value)
        shown = f' ({values})' if values else ''
        yield Defect(
            limit, f'The {" and ".join(bad)} {"limits" if len(bad) > 1 else "limit"} of '
                   f'{describe(joint)} {"are" if len(bad) > 1 else "is"} {what}{shown}')


@rule('limit-on-continuous', INFO, hint='Remove lower and upper, or make the joint revolute',
      consumers={'mujoco': 'limits the joint before release 4',
                 'pybullet': 'reports them as the limits of the joint'})
def limit_on_continuous(description: Description) -> Iterator[Defect]:
    """Check that no continuous joint has position limits."""
    for joint, limit in joints_with(description, 'limit', ('continuous',)):
        limits = {name: description.number(limit, name) for name in ('lower', 'upper')}
        if any(limits.values()):
            given = ', '.join(
                f'{name} {value:g}' for name, value in limits.items() if value is not None)
            yield Defect(limit, f'{subject(joint)} is continuous but has position limits: {given}')


@rule('range-over-2pi', INFO, hint='Make it continuous if it can turn without limit')
def range_over_2pi(description: Description) -> Iterator[Defect]:
    """
    Check that no revolute joint has a range of more than two turns.

    Such a joint can probably turn without limit, as a continuous joint does.
    """
    for joint, limit, lower, upper in position_limits(description):
        turns = (upper - lower) / (2 * math.pi)
        if joint.get('type') == 'revolute' and turns > 2.01 and not _in_degrees(lower, upper):
            yield Defect(limit, f'{subject(joint)} has a range of {turns:.3g} turns')


@rule('limit-in-degrees', WARN, hint='Write radians: degrees times 0.0174533')
def limit_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the limits of a revolute joint are not in degrees.

    Whole numbers that exceed two turns as radians, but not one turn as degrees, are reported.
    """
    for joint, limit, lower, upper in position_limits(description):
        if joint.get('type') == 'revolute' and _in_degrees(lower, upper):
            low, high = (format_number(round(math.radians(value), 6)) for value in (lower, upper))
            yield Defect(limit, f'The limits of {describe(joint)}, {lower:g} and {upper:g}, look '
                                f'like degrees', f'Write radians: lower="{low}" upper="{high}"')


def _in_degrees(lower: float, upper: float) -> bool:
    largest = max(abs(lower), abs(upper))
    return 4 * math.pi < largest <= 360 and lower == round(lower) and upper == round(upper)


@rule('zero-outside-limits', INFO, consumers={
    'joint_state_publisher': 'starts in the middle of the range',
    'moveit': 'cannot use the zero position as a start state'})
def zero_outside_limits(description: Description) -> Iterator[Defect]:
    """Check that zero is within the limits of every joint."""
    for joint, limit, lower, upper in position_limits(description):
        if lower <= upper and not lower <= 0 <= upper:
            yield Defect(limit, f'Zero is outside the limits of {describe(joint)}, {lower:g} and '
                                f'{upper:g}')


@rule('acceleration-jerk-negative', ERROR, hint='Write a positive value', consumers={
    'urdfdom': 'refuses the description from release 6.0 on'})
def acceleration_jerk_negative(description: Description) -> Iterator[Defect]:
    """Check that no limit of acceleration, deceleration or jerk is negative."""
    for joint, limit in joints_with(description, 'limit'):
        for attribute in ('acceleration', 'deceleration', 'jerk'):
            value = description.number(limit, attribute)
            if value is not None and value < 0:
                yield Defect(limit, f'The {attribute} limit of {describe(joint)} is negative '
                                    f'({value:g})')
