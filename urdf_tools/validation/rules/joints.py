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

"""Rules about joints: type, axis, limits, mimic, dynamics, safety controller, calibration."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.model.cycles import find_cycles
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import JointType
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.spelling import Spelling
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import AppendChild
from urdf_tools.validation.fixes import format_numbers
from urdf_tools.validation.fixes import RemoveAttribute
from urdf_tools.validation.fixes import RemoveElement
from urdf_tools.validation.fixes import SetAttribute
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import degrees_of_freedom
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('joints')

_REFUSES = {'urdfdom': 'refuses the whole description'}

_LIMITED = ('revolute', 'prismatic')
_WITH_AXIS = ('revolute', 'continuous', 'prismatic', 'planar')
_TAG = ROBOT.children['joint']
_TYPES = tuple(kind.value for kind in JointType)
_TYPE_LIST = ', '.join(_TYPES)
_TYPE_SPELLING = Spelling(_TYPES)


def _joints(description, types):
    return (joint for joint in description.joints if joint.get('type') in types)


def _with(description, tag, types=_TYPES):
    """Yield each joint of these types that has a child with this tag, and that child."""
    for joint in _joints(description, types):
        element = child(joint, tag)
        if element is not None:
            yield joint, element


@rule('joint-no-type', ERROR, hint=f'Write type= with one of {_TYPE_LIST}', consumers=_REFUSES)
def joint_no_type(description: Description) -> Iterator[Defect]:
    """Check that every joint has a type."""
    for joint in description.joints:
        if not joint.get('type'):
            yield Defect(joint, f'{subject(joint)} has no type',
                         misspelling_hint(joint, _TAG, 'type'))


@rule('joint-unknown-type', ERROR, hint=f'Write one of {_TYPE_LIST}', consumers=_REFUSES)
def joint_unknown_type(description: Description) -> Iterator[Defect]:
    """Check that the type of every joint is one of the six that URDF has."""
    for joint in description.joints:
        kind = joint.get('type')
        if kind and kind not in _TYPES and not is_expression(kind):
            near = _TYPE_SPELLING.near(kind.strip())
            is_sure = kind.strip().lower() == near
            yield Defect(joint, f'{subject(joint)} has the unknown type {quote(kind)}',
                         did_you_mean(kind.strip(), _TYPE_SPELLING),
                         fix=(SetAttribute(joint, 'type', near),) if is_sure else ())


@rule('type-poor-support', WARN, hint='Use several joints of one degree of freedom, or none',
      consumers={
          'kdl': 'takes it for a fixed joint', 'pybullet': 'takes it for a fixed joint',
          'robot_state_publisher': 'skips floating joints, publishes planar ones as fixed',
          'gazebo': 'drops the joint', 'idyntree': 'refuses planar and floating joints',
          'drake': 'leaves the child of a floating joint free'})
def type_poor_support(description: Description) -> Iterator[Defect]:
    """Check that no joint is planar or floating, which few programs can use."""
    for joint in _joints(description, ('planar', 'floating')):
        yield Defect(joint, f'{subject(joint)} is {joint.get("type")}, '
                            f'which few programs support')


@rule('axis-zero', ERROR, hint='Write the direction, such as <axis xyz="0 0 1"/>', consumers={
    'urdfdom': 'accepts it, and the joint cannot move', 'drake': 'refuses the description',
    'mujoco': 'refuses the description', 'isaac': 'refuses the description'})
def axis_zero(description: Description) -> Iterator[Defect]:
    """
    Check that the axis of a joint that moves has a direction.

    Fixed and floating joints have no use for an axis, and some programs write "0 0 0" there.
    """
    for joint, axis in _with(description, 'axis', _WITH_AXIS):
        xyz = description.vector(axis, 'xyz', 3)
        if xyz is not None and math.hypot(*xyz) < 1e-9:
            yield Defect(axis, f'The axis of {describe(joint)} is zero')


@rule('axis-no-xyz', ERROR, hint='Write the direction, such as <axis xyz="0 0 1"/>', consumers={
    'urdfdom': 'takes it for zero, and the joint cannot move',
    'urdf_parser_py': 'fails'})
def axis_no_xyz(description: Description) -> Iterator[Defect]:
    """
    Check that an <axis> of a joint that moves has its attribute xyz.

    Only a joint without any <axis> turns about x.
    """
    for joint, axis in _with(description, 'axis', _WITH_AXIS):
        if axis.get('xyz') is None:
            yield Defect(axis, f'The axis of {describe(joint)} has no xyz',
                         misspelling_hint(axis, _TAG.children['axis'], 'xyz'))


@rule('axis-not-unit', WARN, hint='Divide it by its length', consumers={
    'urdfdom': 'keeps it as it is, so positions and limits are scaled by its length in some '
               'programs and not in others'})
def axis_not_unit(description: Description) -> Iterator[Defect]:
    """
    Check that every axis is of length 1.

    A few digits too few, as CAD programs print them, are only noted.
    """
    for joint, axis in _with(description, 'axis', _WITH_AXIS):
        xyz = description.vector(axis, 'xyz', 3)
        length = 1.0 if xyz is None else math.hypot(*xyz)
        if abs(length - 1) > 1e-5 and length >= 1e-9:
            yield Defect(
                axis, f'The axis of {describe(joint)} has the length {length:.6g}, not 1',
                severity=INFO if abs(length - 1) < 1e-3 else None,
                fix=(SetAttribute(
                    axis, 'xyz', format_numbers(tuple(value / length for value in xyz))),))


@rule('axis-missing', INFO, hint='Write <axis xyz="1 0 0"/>', consumers={
    'pybullet': 'warns'})
def axis_missing(description: Description) -> Iterator[Defect]:
    """
    Check that a joint that moves says about what axis.

    Without it the axis is x, which is seldom what was wanted.
    """
    for joint in _joints(description, _WITH_AXIS):
        if child(joint, 'axis') is None:
            yield Defect(joint, f'{subject(joint)} has no <axis>, so it moves about x',
                         fix=(AppendChild(joint, '<axis xyz="1 0 0"/>'),) if len(joint) else ())


@rule('axis-nearly-aligned', INFO, hint='Write the exact axis, such as "0 0 1"')
def axis_nearly_aligned(description: Description) -> Iterator[Defect]:
    """
    Check that an axis that all but is a coordinate axis is exactly one.

    Less than 0.6 degrees are usually noise of a CAD program.
    """
    for joint, axis in _with(description, 'axis', _WITH_AXIS):
        xyz = sorted(map(abs, description.vector(axis, 'xyz', 3) or (0.0,)))
        if len(xyz) == 3 and 1e-6 < math.hypot(*xyz[:2]) / (xyz[2] or math.inf) < 0.01:
            yield Defect(axis, f'The axis of {describe(joint)}, "{axis.get("xyz")}", is nearly a '
                               f'coordinate axis')


@rule('axis-on-fixed', INFO, hint='Remove it')
def axis_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no fixed joint has an axis."""
    for joint, axis in _with(description, 'axis', ('fixed',)):
        yield Defect(axis, f'{subject(joint)} is fixed and has an <axis>',
                     fix=(RemoveElement(axis),))


@rule('limit-on-fixed', INFO, hint='Remove it')
def limit_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no fixed joint has limits."""
    for joint, limit in _with(description, 'limit', ('fixed',)):
        yield Defect(limit, f'{subject(joint)} is fixed and has a <limit>',
                     fix=(RemoveElement(limit),))


@rule('limit-missing', ERROR,
      hint='Write <limit lower="..." upper="..." effort="..." velocity="..."/>, '
           'or make a revolute joint continuous',
      consumers={**_REFUSES, 'joint_state_publisher': 'fails', 'idyntree': 'warns'})
def limit_missing(description: Description) -> Iterator[Defect]:
    """Check that revolute and prismatic joints have limits."""
    for joint in _joints(description, _LIMITED):
        if child(joint, 'limit') is None:
            yield Defect(joint, f'{subject(joint)} is {joint.get("type")} and has no '
                                f'<limit>')


@rule('limit-no-effort', ERROR, hint='Write effort= with the largest force or torque',
      consumers=_REFUSES)
def limit_no_effort(description: Description) -> Iterator[Defect]:
    """Check that every <limit> has an effort, as URDF wants before version 1.2."""
    yield from _without_bound(description, 'effort')


@rule('limit-no-velocity', ERROR, hint='Write velocity= with the largest speed',
      consumers=_REFUSES)
def limit_no_velocity(description: Description) -> Iterator[Defect]:
    """Check that every <limit> has a velocity, as URDF wants before version 1.2."""
    yield from _without_bound(description, 'velocity')


def _without_bound(description, attribute):
    for joint, limit in _with(description, 'limit'):
        hint = misspelling_hint(limit, _TAG.children['limit'], attribute)
        if attribute not in limit.attrib and (hint or description.version < (1, 2)):
            yield Defect(limit, f'The <limit> of {describe(joint)} has no {attribute}', hint)


def _ranges(description):
    """Yield each joint with both limits, its <limit>, and them."""
    for joint, limit in _with(description, 'limit', _LIMITED):
        lower = description.number(limit, 'lower')
        upper = description.number(limit, 'upper')
        if lower is not None and upper is not None:
            yield joint, limit, lower, upper


@rule('limit-inverted', ERROR, hint='Swap lower and upper', consumers={
    'urdfdom': 'refuses it in version 1.2, accepts it before', 'gazebo': 'swaps them',
    'mujoco': 'drops the limits', 'drake': 'refuses the description'})
def limit_inverted(description: Description) -> Iterator[Defect]:
    """Check that the lower limit is not above the upper one."""
    for joint, limit, lower, upper in _ranges(description):
        if lower > upper:
            yield Defect(limit, f'The lower limit of {describe(joint)}, {lower:g}, is above the '
                                f'upper one, {upper:g}')


@rule('limit-degenerate', WARN, hint='Give it a range, or make it fixed', consumers={
    'joint_state_publisher': 'has no slider for it', 'mujoco': 'takes 0 and 0 for no limits',
    'tesseract': 'warns'})
def limit_degenerate(description: Description) -> Iterator[Defect]:
    """
    Check that a joint with limits can move.

    Where neither lower nor upper is given, both are 0.
    """
    for joint, limit, lower, upper in _ranges(description):
        if lower == upper:
            yield Defect(limit, f'{subject(joint)} cannot move: both limits are '
                                f'{lower:g}')
    for joint, limit in _with(description, 'limit', _LIMITED):
        if not {'lower', 'upper'} & limit.attrib.keys():
            yield Defect(limit, f'{subject(joint)} cannot move: without lower and upper '
                                f'both limits are 0')


@rule('limit-one-sided', WARN, hint='Write both lower and upper', consumers={
    'urdfdom': 'takes 0 for the other', 'mujoco': 'drops the limits'})
def limit_one_sided(description: Description) -> Iterator[Defect]:
    """
    Check that limits are given on both sides; the one left out is 0.

    Where that puts the lower limit above the upper one it is an error.
    """
    for joint, limit in _with(description, 'limit', _LIMITED):
        given, other = ('lower', 'upper') if 'lower' in limit.attrib else ('upper', 'lower')
        if given in limit.attrib and other not in limit.attrib:
            value = description.number(limit, given) or 0.0
            inverted = value > 0 if given == 'lower' else value < 0
            yield Defect(
                limit, f'The <limit> of {describe(joint)} has {given} but no {other}, which is '
                       f'then 0', severity=ERROR if inverted else None,
                fix=() if inverted or not value else (SetAttribute(limit, other, '0'),))


@rule('limit-negative-effort', ERROR, hint='Write the magnitude', consumers={
    'urdfdom': 'refuses it in version 1.2, accepts it before', 'drake': 'refuses the description'})
def limit_negative_effort(description: Description) -> Iterator[Defect]:
    """Check that no effort limit is negative."""
    yield from _bounds(description, 'effort', lambda value: value < 0, 'negative')


@rule('limit-negative-velocity', ERROR, hint='Write the magnitude', consumers={
    'urdfdom': 'refuses it in version 1.2, accepts it before', 'drake': 'refuses the description'})
def limit_negative_velocity(description: Description) -> Iterator[Defect]:
    """Check that no velocity limit is negative."""
    yield from _bounds(description, 'velocity', lambda value: value < 0, 'negative')


@rule('limit-zero-effort', WARN, hint='Write the largest force or torque of the motor', consumers={
    'gazebo': 'cannot drive the joint', 'drake': 'skips its transmission'})
def limit_zero_effort(description: Description) -> Iterator[Defect]:
    """Check that a joint that moves can bring up a force."""
    yield from _bounds(description, 'effort', lambda value: value == 0, 'zero')


@rule('limit-zero-velocity', WARN, hint='Write the largest speed of the joint', consumers={
    'moveit': 'cannot plan a motion in time for the joint', 'gazebo': 'holds the joint still'})
def limit_zero_velocity(description: Description) -> Iterator[Defect]:
    """Check that a joint that moves can have a speed."""
    yield from _bounds(description, 'velocity', lambda value: value == 0, 'zero')


def _bounds(description, attribute, is_bad, what):
    for joint, limit in _with(description, 'limit', (*_LIMITED, 'continuous')):
        value = description.number(limit, attribute)
        if value is not None and is_bad(value):
            shown = f' ({value:g})' if value else ''
            yield Defect(limit, f'The {attribute} limit of {describe(joint)} is {what}{shown}')


@rule('limit-on-continuous', INFO, hint='Remove lower and upper, or make the joint revolute',
      consumers={'urdfdom': 'reads them, and most programs ignore them'})
def limit_on_continuous(description: Description) -> Iterator[Defect]:
    """Check that no continuous joint has limits of its position."""
    for joint, limit in _with(description, 'limit', ('continuous',)):
        lower = description.number(limit, 'lower')
        upper = description.number(limit, 'upper')
        if lower or upper:
            yield Defect(
                limit, f'{subject(joint)} is continuous and has limits of its position',
                fix=tuple(RemoveAttribute(limit, name) for name in ('lower', 'upper')
                          if name in limit.attrib))


@rule('range-over-2pi', INFO, hint='Make it continuous, if it can turn for ever')
def range_over_2pi(description: Description) -> Iterator[Defect]:
    """Check that no revolute joint has a range of more than two turns."""
    for joint, limit, lower, upper in _ranges(description):
        turns = (upper - lower) / (2 * math.pi)
        if joint.get('type') == 'revolute' and turns > 2.01 and not _in_degrees(lower, upper):
            yield Defect(limit, f'{subject(joint)} has a range of {turns:.3g} turns')


@rule('limit-in-degrees', WARN, hint='Write radians: degrees times 0.0174533')
def limit_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the limits of a revolute joint are not written in degrees.

    Whole numbers that would be more than two turns in radians and no more than one in degrees.
    """
    for joint, limit, lower, upper in _ranges(description):
        if joint.get('type') == 'revolute' and _in_degrees(lower, upper):
            yield Defect(limit, f'The limits of {describe(joint)}, {lower:g} and {upper:g}, look '
                                f'like degrees')


def _in_degrees(lower, upper):
    largest = max(abs(lower), abs(upper))
    return 4 * math.pi < largest <= 360 and lower == round(lower) and upper == round(upper)


@rule('zero-outside-limits', INFO, consumers={
    'joint_state_publisher': 'starts in the middle of the range',
    'moveit': 'cannot use the zero position as a start'})
def zero_outside_limits(description: Description) -> Iterator[Defect]:
    """Check that a joint may stand at zero."""
    for joint, limit, lower, upper in _ranges(description):
        if lower <= upper and not lower <= 0 <= upper:
            yield Defect(limit, f'{subject(joint)} cannot stand at 0: its limits are '
                                f'{lower:g} and {upper:g}')


@rule('acceleration-jerk-negative', ERROR, hint='Write the magnitude', consumers={
    'urdfdom': 'refuses the description from release 6.0 on'})
def acceleration_jerk_negative(description: Description) -> Iterator[Defect]:
    """Check that no limit of acceleration, deceleration or jerk is negative."""
    for joint, limit in _with(description, 'limit'):
        for attribute in ('acceleration', 'deceleration', 'jerk'):
            value = description.number(limit, attribute)
            if value is not None and value < 0:
                yield Defect(limit, f'The {attribute} limit of {describe(joint)} is negative '
                                    f'({value:g})')


@rule('mimic-no-joint', ERROR, hint='Write <mimic joint="..."/>', consumers={
    **_REFUSES, 'drake': 'refuses the description'})
def mimic_no_joint(description: Description) -> Iterator[Defect]:
    """Check that every <mimic> names the joint to follow."""
    for joint, mimic in _with(description, 'mimic'):
        if not mimic.get('joint'):
            yield Defect(mimic, f'The <mimic> of {describe(joint)} names no joint',
                         misspelling_hint(mimic, _TAG.children['mimic'], 'joint'))


def _followers(description):
    """Yield each joint with a <mimic>, that element, and the joint that it names, if any."""
    for joint, mimic in _with(description, 'mimic'):
        if mimic.get('joint'):
            yield joint, mimic, description.joint_names.get(mimic.get('joint'))


@rule('mimic-unknown-joint', ERROR, hint='Name a joint of this robot', consumers={
    'urdfdom': 'accepts it', 'robot_state_publisher': 'never publishes the joint',
    'moveit': 'ignores the mimic', 'drake': 'refuses the description',
    'ros2_control': 'refuses the description'})
def mimic_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that the joint that a <mimic> names exists."""
    for joint, mimic, leader in _followers(description):
        if leader is None and not description.is_template:
            name = mimic.get('joint')
            hint = did_you_mean(name, description.joint_spelling)
            yield Defect(
                mimic, f'{subject(joint)} mimics {name!r}, and there is no such joint',
                hint if quote(joint.get('name', '')) not in hint else '')


@rule('mimic-self', ERROR, hint='Name another joint, or remove the <mimic>', consumers={
    'joint_state_publisher': 'ends', 'drake': 'refuses the description',
    'moveit': 'ignores the mimic'})
def mimic_self(description: Description) -> Iterator[Defect]:
    """Check that no joint mimics itself."""
    for joint, mimic, leader in _followers(description):
        if leader is joint:
            yield Defect(mimic, f'{subject(joint)} mimics itself')


@rule('mimic-cycle', ERROR, hint='Let one of them stand by itself', consumers={
    'joint_state_publisher': 'ends', 'moveit': 'ignores the mimics'})
def mimic_cycle(description: Description) -> Iterator[Defect]:
    """Check that joints do not mimic each other in a circle."""
    leaders = {joint: leader for joint, _, leader in _followers(description)
               if leader is not None and leader is not joint}
    for cycle in find_cycles(leaders):
        names = [joint.get('name') for joint in (*cycle, cycle[0])]
        yield Defect(child(cycle[0], 'mimic'),
                     f'Joints mimic each other in a circle: {name_list(names, " -> ")}')


@rule('mimic-dof-mismatch', ERROR, hint='Mimic a revolute, continuous or prismatic joint',
      consumers={'drake': 'refuses the description', 'moveit': 'ignores the mimic'})
def mimic_dof_mismatch(description: Description) -> Iterator[Defect]:
    """
    Check that a joint that mimics, and the one that it follows, have one position each.

    A planar or floating joint that mimics is a warning: readers leave the <mimic> out.
    """
    for joint, mimic, leader in _followers(description):
        own = degrees_of_freedom(joint)
        other = None if leader is None else degrees_of_freedom(leader)
        if own == 1 and other not in (None, 1):
            yield Defect(mimic, f'{subject(joint)} mimics {describe(leader)}, which is '
                                f'{leader.get("type")} and has no single position')
        elif own in (3, 6):
            yield Defect(mimic, f'{subject(joint)} is {joint.get("type")} and cannot '
                                f'mimic', severity=WARN)


@rule('mimic-on-fixed', WARN, hint='Remove it', consumers={
    'ros2_control': 'refuses a fixed joint', 'drake': 'ignores it'})
def mimic_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no fixed joint mimics another."""
    for joint, mimic in _with(description, 'mimic', ('fixed',)):
        if mimic.get('joint'):
            yield Defect(mimic, f'{subject(joint)} is fixed and cannot mimic',
                         fix=(RemoveElement(mimic),))


@rule('mimic-chain', INFO, hint='Name the joint at the end of the chain', consumers={
    'robot_state_publisher': 'follows one step only'})
def mimic_chain(description: Description) -> Iterator[Defect]:
    """Check that no joint mimics one that mimics itself."""
    followed = {joint: leader for joint, _, leader in _followers(description)}
    for joint, leader in followed.items():
        if leader is not joint and followed.get(leader) not in (None, leader, joint):
            yield Defect(child(joint, 'mimic'),
                         f'{subject(joint)} mimics {describe(leader)}, which mimics '
                         f'{describe(followed[leader])}')


@rule('mimic-range-exceeds-limits', WARN, hint='Widen its limits, or mend multiplier and offset',
      consumers={'moveit': 'finds states of the leader invalid',
                 'joint_state_publisher': 'publishes positions beyond the limits'})
def mimic_range_exceeds_limits(description: Description) -> Iterator[Defect]:
    """
    Check that following its leader does not take a joint beyond its own limits.

    A hundredth of the range is tolerated.
    """
    ranges = {joint: (lower, upper) for joint, _, lower, upper in _ranges(description)
              if lower < upper}
    for joint, mimic, leader in _followers(description):
        if joint not in ranges or leader not in ranges or leader is joint:
            continue
        multiplier = _or_default(description.number(mimic, 'multiplier'), 1.0)
        offset = _or_default(description.number(mimic, 'offset'), 0.0)
        reach = sorted(multiplier * end + offset for end in ranges[leader])
        lower, upper = ranges[joint]
        slack = 0.01 * (upper - lower)
        if reach[0] < lower - slack or reach[1] > upper + slack:
            yield Defect(
                mimic, f'{subject(joint)} is to follow {describe(leader)} from '
                       f'{reach[0]:.4g} to {reach[1]:.4g}, but its limits are {lower:.4g} and '
                       f'{upper:.4g}')


def _or_default(value, default):
    return default if value is None else value


@rule('mimic-zero-multiplier', INFO, hint='Make the joint fixed')
def mimic_zero_multiplier(description: Description) -> Iterator[Defect]:
    """Check that a joint that mimics moves when its leader does."""
    for joint, mimic in _with(description, 'mimic'):
        if description.number(mimic, 'multiplier') == 0:
            yield Defect(mimic, f'{subject(joint)} mimics with the multiplier 0, and so '
                                f'never moves')


@rule('dynamics-empty', ERROR, hint='Write damping= or friction=, or remove the <dynamics>',
      consumers={**_REFUSES, 'tesseract': 'refuses the description'})
def dynamics_empty(description: Description) -> Iterator[Defect]:
    """Check that a <dynamics> has damping or friction."""
    for joint, dynamics in _with(description, 'dynamics'):
        if not {'damping', 'friction'} & dynamics.attrib.keys():
            yield Defect(
                dynamics, f'The <dynamics> of {describe(joint)} has neither damping nor friction',
                fix=() if dynamics.attrib or len(dynamics) else (RemoveElement(dynamics),))


@rule('dynamics-negative', WARN, hint='Write the magnitude', consumers={
    'drake': 'refuses the description', 'mujoco': 'refuses the description',
    'gazebo': 'gains energy and gets unstable'})
def dynamics_negative(description: Description) -> Iterator[Defect]:
    """Check that neither damping nor friction is negative."""
    for joint, dynamics in _with(description, 'dynamics'):
        for attribute in ('damping', 'friction'):
            value = description.number(dynamics, attribute)
            if value is not None and value < 0:
                yield Defect(dynamics, f'The {attribute} of {describe(joint)} is negative '
                                       f'({value:g})')


@rule('safety-no-k-velocity', ERROR, hint='Write k_velocity=, or remove the <safety_controller>',
      consumers=_REFUSES)
def safety_no_k_velocity(description: Description) -> Iterator[Defect]:
    """Check that a <safety_controller> has its gain of the velocity."""
    for joint, safety in _with(description, 'safety_controller'):
        if 'k_velocity' not in safety.attrib:
            yield Defect(safety, f'The <safety_controller> of {describe(joint)} has no k_velocity',
                         misspelling_hint(safety, _TAG.children[safety.tag], 'k_velocity'))


@rule('soft-limits-outside-hard', WARN, hint='Keep the soft limits inside the hard ones',
      consumers={'joint_state_publisher': 'takes the soft limits'})
def soft_limits_outside_hard(description: Description) -> Iterator[Defect]:
    """Check that soft limits lie inside the hard ones."""
    for joint, _, lower, upper in _ranges(description):
        safety = child(joint, 'safety_controller')
        soft_lower = description.number(safety, 'soft_lower_limit')
        soft_upper = description.number(safety, 'soft_upper_limit')
        if soft_lower is not None and soft_lower < lower:
            yield Defect(safety, f'The soft lower limit of {describe(joint)}, {soft_lower:g}, is '
                                 f'below the hard one, {lower:g}')
        if soft_upper is not None and soft_upper > upper:
            yield Defect(safety, f'The soft upper limit of {describe(joint)}, {soft_upper:g}, is '
                                 f'above the hard one, {upper:g}')


@rule('soft-limits-inverted', WARN, hint='Swap them', consumers={
    'joint_state_publisher': 'takes the soft limits'})
def soft_limits_inverted(description: Description) -> Iterator[Defect]:
    """Check that the soft lower limit is not above the soft upper one."""
    for joint, safety in _with(description, 'safety_controller'):
        lower = description.number(safety, 'soft_lower_limit')
        upper = description.number(safety, 'soft_upper_limit')
        if lower is not None and upper is not None and lower > upper:
            yield Defect(safety, f'The soft lower limit of {describe(joint)}, {lower:g}, is above '
                                 f'the soft upper one, {upper:g}')


@rule('calibration-empty', INFO, hint='Write rising= or falling=, or remove the <calibration>',
      consumers={'tesseract': 'refuses the description'})
def calibration_empty(description: Description) -> Iterator[Defect]:
    """Check that a <calibration> has a rising or a falling edge."""
    for joint, calibration in _with(description, 'calibration'):
        if not {'rising', 'falling'} & calibration.attrib.keys():
            yield Defect(
                calibration,
                f'The <calibration> of {describe(joint)} has neither rising nor falling',
                fix=() if calibration.attrib or len(calibration) else (
                    RemoveElement(calibration),))
