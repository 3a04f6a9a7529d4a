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

"""Rules about the dynamics, safety controller and calibration of joints."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import RemoveElement
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.joints import joints_with
from urdf_tools.validation.joints import LIMITED_TYPES
from urdf_tools.validation.joints import position_limits
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import first_of_many

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('joints')

_SAFETY = ROBOT.descendant('joint', 'safety_controller')


@rule('dynamics-empty', ERROR, hint='Write damping= or friction=, or remove the <dynamics>',
      consumers={'urdfdom': 'refuses the whole description',
                 'pybullet': 'refuses the description', 'tesseract': 'refuses the description'})
def dynamics_empty(description: Description) -> Iterator[Defect]:
    """Check that every <dynamics> has damping or friction."""
    for joint, dynamics in joints_with(description, 'dynamics'):
        if not {'damping', 'friction'} & dynamics.attrib.keys():
            yield Defect(
                dynamics, f'The <dynamics> of {describe(joint)} has neither damping nor friction',
                fix=() if dynamics.attrib or len(dynamics) else (RemoveElement(dynamics),))


@rule('dynamics-negative', WARN, hint='Write a value of zero or more', consumers={
    'drake': 'refuses negative damping', 'pinocchio': 'refuses negative friction'})
def dynamics_negative(description: Description) -> Iterator[Defect]:
    """Check that neither damping nor friction is negative."""
    for joint, dynamics in joints_with(description, 'dynamics'):
        for attribute in ('damping', 'friction'):
            value = description.number(dynamics, attribute)
            if value is not None and value < 0:
                yield Defect(
                    dynamics, f'The {attribute} of {describe(joint)} is negative ({value:g})',
                    consumers=('drake',) if attribute == 'damping' else ('pinocchio',))


@rule('dynamics-friction-ignored', INFO, hint='For Drake, model the friction in your own code',
      consumers={'drake': 'warns, and ignores the friction'})
def dynamics_friction_ignored(description: Description) -> Iterator[Defect]:
    """
    Check that no joint has friction, which Drake ignores.

    It is reported once.
    """
    found = [(joint, dynamics) for joint, dynamics in joints_with(description, 'dynamics')
             if (description.number(dynamics, 'friction') or 0) > 0]
    if found:
        joint, dynamics = found[0]
        yield Defect(dynamics, f'Drake ignores the friction of '
                               f'{describe(joint)}{first_of_many(found)}')


@rule('safety-no-k-velocity', ERROR, hint='Write k_velocity=, such as k_velocity="10"',
      consumers={'urdfdom': 'refuses the whole description',
                 'tesseract': 'refuses the description',
                 'urdf_parser_py': 'refuses the whole description'})
def safety_no_k_velocity(description: Description) -> Iterator[Defect]:
    """Check that every <safety_controller> has its velocity gain, k_velocity."""
    for joint, safety in joints_with(description, 'safety_controller'):
        if 'k_velocity' not in safety.attrib:
            yield Defect(safety, f'The <safety_controller> of {describe(joint)} has no k_velocity',
                         misspelling_hint(safety, _SAFETY, 'k_velocity'))


@rule('soft-limits-outside-hard', WARN, hint='Keep the soft limits inside the hard limits',
      consumers={'joint_state_publisher': 'uses the soft limits',
                 'ros2_control': 'uses the soft limits'})
def soft_limits_outside_hard(description: Description) -> Iterator[Defect]:
    """Check that the soft limits lie inside the hard limits."""
    for joint, _, lower, upper in position_limits(description):
        safety = child(joint, 'safety_controller')
        if safety is None:
            continue
        soft_lower = description.number(safety, 'soft_lower_limit')
        soft_upper = description.number(safety, 'soft_upper_limit')
        if soft_lower is not None and soft_lower < lower:
            yield Defect(safety, f'The soft lower limit of {describe(joint)}, {soft_lower:g}, is '
                                 f'below its hard limit, {lower:g}')
        if soft_upper is not None and soft_upper > upper:
            yield Defect(safety, f'The soft upper limit of {describe(joint)}, {soft_upper:g}, is '
                                 f'above its hard limit, {upper:g}')


@rule('soft-limits-inverted', WARN, hint='Swap soft_lower_limit and soft_upper_limit', consumers={
    'moveit': 'finds no valid position', 'ros2_control': 'uses the soft limits',
    'joint_state_publisher': 'uses the soft limits'})
def soft_limits_inverted(description: Description) -> Iterator[Defect]:
    """Check that the soft lower limit is not above the soft upper limit."""
    for joint, safety in joints_with(description, 'safety_controller'):
        lower = description.number(safety, 'soft_lower_limit')
        upper = description.number(safety, 'soft_upper_limit')
        if lower is not None and upper is not None and lower > upper:
            yield Defect(safety, f'The soft lower limit of {describe(joint)}, {lower:g}, is above '
                                 f'its soft upper limit, {upper:g}')


@rule('soft-limits-zero', WARN,
      hint='Write soft_lower_limit= and soft_upper_limit=; a soft limit that is missing is 0',
      consumers={
          'moveit': 'takes them for the limits of the joint',
          'ros2_control': 'takes them for the limits of the joint'})
def soft_limits_zero(description: Description) -> Iterator[Defect]:
    """
    Check that the soft limits of a <safety_controller> leave the joint a range.

    A missing soft limit is 0. If both are 0, MoveIt and ros2_control hold the joint at 0.
    """
    for joint, safety in joints_with(description, 'safety_controller', LIMITED_TYPES):
        soft = {name: description.number(safety, name) if name in safety.attrib else 0.0
                for name in ('soft_lower_limit', 'soft_upper_limit')}
        if any(soft.values()) or None in soft.values():
            missing = [name for name in soft if name not in safety.attrib]
            if missing:
                yield Defect(
                    safety, f'The <safety_controller> of {describe(joint)} has no {missing[0]}, '
                            f'which defaults to 0')
        else:
            reason = '' if soft.keys() & safety.attrib.keys() else ', because none is given'
            yield Defect(safety, f'The soft limits of {describe(joint)} are both 0{reason}')


@rule('calibration-empty', INFO, hint='Write rising= or falling=, or remove the <calibration>',
      consumers={'tesseract': 'refuses the description'})
def calibration_empty(description: Description) -> Iterator[Defect]:
    """Check that every <calibration> has a rising or a falling edge."""
    for joint, calibration in joints_with(description, 'calibration'):
        if not {'rising', 'falling'} & calibration.attrib.keys():
            yield Defect(
                calibration,
                f'The <calibration> of {describe(joint)} has neither rising nor falling',
                fix=() if calibration.attrib or len(calibration) else (
                    RemoveElement(calibration),))
