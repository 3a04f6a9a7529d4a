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

from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.joints import joints_with
from urdf_tools.check.joints import LIMITED_TYPES
from urdf_tools.check.joints import position_limits
from urdf_tools.check.missing_attributes import lacking
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import refuses
from urdf_tools.model.xml.editing import RemoveElement

rule = RULES.in_category('joints')

_SOFT = ('soft_lower_limit', 'soft_upper_limit')


def _without_both(description: Description, tag: str, first: str, second: str) -> Iterator[Defect]:
    """Yield the elements of joints that have neither of two attributes."""
    for joint, element in joints_with(description, tag):
        if not {first, second} & element.attrib.keys():
            yield Defect(element, 'The <{tag}> of {joint} has neither {first} nor {second}',
                         first=first, second=second,
                         fix=() if element.attrib or len(element) else (RemoveElement(element),))


@rule('dynamics-empty', ERROR, refuses('tesseract'), affects='any',
      fix='Write damping= or friction=, or remove the <dynamics>')
def dynamics_empty(description: Description) -> Iterator[Defect]:
    """
    Check that every <dynamics> has damping or friction.

    Fails in a revolute joint::

        <dynamics/>

    Passes::

        <dynamics friction="0"/>
    """
    yield from _without_both(description, 'dynamics', 'damping', 'friction')


@rule('calibration-empty', INFO, refuses('tesseract'),
      fix='Write rising= or falling=, or remove the <calibration>')
def calibration_empty(description: Description) -> Iterator[Defect]:
    """
    Check that every <calibration> has a rising or a falling edge.

    Fails in a revolute joint::

        <calibration/>

    Passes::

        <calibration rising="0"/>
    """
    yield from _without_both(description, 'calibration', 'rising', 'falling')


@rule('dynamics-negative', WARN, affects='any', fix='Write a value of zero or more')
def dynamics_negative(description: Description) -> Iterator[Defect]:
    """
    Check that neither damping nor friction is negative.

    Fails in a revolute joint::

        <dynamics damping="-0.1"/>

    Passes::

        <dynamics damping="0"/>
    """
    yield from negative(description, 'dynamics', ('damping', 'friction'),
                        'The {attribute} of {joint} is negative ({value:g})')


def negative(description: Description, tag: str, attributes: Iterable[str],
             template: str) -> Iterator[Defect]:
    """Yield the numbers below zero in elements of joints."""
    for joint, element in joints_with(description, tag):
        for attribute, value in description.numbers(element, *attributes).items():
            if value < 0:
                yield Defect(element, template, attribute=attribute, joint=joint, value=value)


@rule('safety-no-k-velocity', ERROR, refuses('tesseract', 'urdf_parser_py'), affects='any',
      fix='Write k_velocity=, such as k_velocity="10"',
      source='run; tesseract `safety_controller.cpp:43`')
def safety_no_k_velocity(description: Description) -> Iterator[Defect]:
    """
    Check that every <safety_controller> has its velocity gain, k_velocity.

    Fails in a revolute joint::

        <safety_controller k_position="1"/>

    Passes::

        <safety_controller k_velocity="1"/>
    """
    controllers = (safety for _, safety in joints_with(description, 'safety_controller'))
    yield from lacking(controllers, 'k_velocity',
                       'The <safety_controller> of {parent} has no k_velocity')


@rule('soft-limits-outside-hard', INFO, fix='Keep the soft limits inside the hard limits',
      source='moveit, ros2_control and joint_state_publisher take the range that both have')
def soft_limits_outside_hard(description: Description) -> Iterator[Defect]:
    """
    Check that the soft limits lie inside the hard limits.

    Outside of them a soft limit has no effect. Soft limits that are all outside of the hard limits
    leave no position, which is a warning.

    Fails in a revolute joint::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
        <safety_controller k_velocity="1" soft_lower_limit="-2" soft_upper_limit="1"/>

    Passes::

        <limit lower="-1" upper="1" effort="1" velocity="1"/>
        <safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="1"/>
    """
    for joint, _, lower, upper in position_limits(description):
        safety = child(joint, 'safety_controller')
        low, high = (description.number(safety, name) for name in _SOFT)
        if safety is None:
            continue
        if low is not None and high is not None and lower <= upper and low <= high and (
                low > upper or high < lower):
            yield Defect(safety, 'The soft limits of {joint}, {low:g} and {high:g}, leave no '
                         'position between its hard limits, {lower:g} and {upper:g}', low=low,
                         high=high, lower=lower, upper=upper, severity=WARN,
                         attribute='soft_lower_limit' if low > upper else 'soft_upper_limit')
            continue
        for soft, hard, end, side, sign in (
                (low, lower, 'lower', 'below', -1), (high, upper, 'upper', 'above', 1)):
            if soft is not None and sign * (soft - hard) > 0:
                yield Defect(safety, 'The soft {end} limit of {joint}, {soft:g}, is {side} its '
                             'hard limit, {hard:g}', soft=soft, hard=hard, end=end, side=side,
                             attribute=f'soft_{end}_limit')


@rule('soft-limits-inverted', WARN, changes('moveit', of='joint', how='finds no valid position'),
      changes('ros2_control', 'joint_state_publisher', of='limit', how='uses the soft limits'),
      fix='Swap soft_lower_limit and soft_upper_limit')
def soft_limits_inverted(description: Description) -> Iterator[Defect]:
    """
    Check that the soft lower limit is not above the soft upper limit.

    Fails in a revolute joint::

        <safety_controller k_velocity="1" soft_lower_limit="1" soft_upper_limit="-1"/>

    Passes::

        <safety_controller k_velocity="1" soft_lower_limit="-1" soft_upper_limit="1"/>
    """
    for joint, safety in joints_with(description, 'safety_controller'):
        lower, upper = (description.number(safety, name) for name in _SOFT)
        if lower is not None and upper is not None and lower > upper:
            yield Defect(safety, 'The soft lower limit of {joint}, {soft_lower_limit:g}, is above '
                         'its soft upper limit, {soft_upper_limit:g}', soft_lower_limit=lower,
                         soft_upper_limit=upper)


@rule('soft-limits-zero', WARN,
      changes('moveit', 'ros2_control', of='limit', how='uses the soft limits'),
      fix='Write soft_lower_limit= and soft_upper_limit=; a soft limit that is missing is 0',
      source='moveit `robot_model.cpp:898`; ros2_control `component_parser.cpp:1095`, '
             '`joint_limits_urdf.hpp:72`')
def soft_limits_zero(description: Description) -> Iterator[Defect]:
    """
    Check that the soft limits of a <safety_controller> leave the joint a range.

    A missing soft limit is 0. If both are 0, MoveIt and ros2_control hold the joint at 0.

    Fails in a revolute joint::

        <safety_controller k_velocity="10"/>

    Passes::

        <safety_controller k_velocity="10" soft_lower_limit="-1" soft_upper_limit="1"/>
    """
    for joint, safety in joints_with(description, 'safety_controller', LIMITED_TYPES):
        given = {name: description.number(safety, name) for name in _SOFT if name in safety.attrib}
        if all(value == 0 for value in given.values()):
            yield Defect(safety, 'The soft limits of {joint} are both 0'
                         + ('' if given else ', because none is given'),
                         attribute=next(iter(given), ''))
        elif missing := [name for name in _SOFT if name not in given]:
            yield Defect(
                safety, 'The <safety_controller> of {joint} has no {missing}, which defaults to 0',
                missing=missing[0])
