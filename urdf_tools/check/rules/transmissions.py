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

"""Rules about <transmission> elements."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import named_joints
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import lacking
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import repeated
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.ros2_control import number_in
from urdf_tools.check.schema import misspelling
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_TYPES = ('SimpleTransmission', 'DifferentialTransmission', 'FourBarLinkageTransmission')
_PACKAGE = 'transmission_interface'

_INTERFACES = tuple(
    f'{kind}Interface' for kind in (
        'EffortJoint', 'PositionJoint', 'VelocityJoint', 'PosVelJoint', 'PosVelAccJoint',
        'JointState', 'JointMode', 'EffortActuator', 'PositionActuator', 'VelocityActuator',
        'ActuatorState', 'ImuSensor', 'ForceTorqueSensor'))
"""The hardware interfaces of ros_control."""

_ALIKE = 0.85
"""Similarity of names that differ by a slip; FrankaStateInterface has 0.77 to the nearest."""

_REDUCTIONS = ('mechanicalReduction', 'mechanical_reduction')


_NO_TYPE = on_element('if it is missing', lambda transmission: (
    transmission.find('type') is None and not transmission.get('type')))


def _type(transmission: Element) -> str:
    """Return the type of a transmission, given as an attribute or a child, or an empty string."""
    return (transmission.get('type') or transmission.findtext('type') or '').strip()


def _class_name(transmission: Element) -> str:
    return _type(transmission).replace('::', '/').rpartition('/')[2]


def _is_simple(transmission: Element) -> bool:
    return _class_name(transmission) == 'SimpleTransmission'


def _transmissions(description: Description) -> Iterator[Element]:
    """Yield every transmission except those of the PR2, which have other formats."""
    return (transmission for transmission in description.transmissions
            if not _type(transmission).startswith('pr2_mechanism_model/'))


@rule('transmission-no-name', WARN)
def transmission_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission has a name.

    Fails in a robot with joints:
        <transmission nmae="t"><type>SimpleTransmission</type></transmission>
    Passes: <transmission name="t"><type>SimpleTransmission</type></transmission>
    """
    yield from lacking(description.transmissions, 'name', 'A transmission has no name')


@rule('transmission-no-type', ERROR, refuses('urdf_parser_py', when=_NO_TYPE),
      affects='transmission', subject='type')
def transmission_no_type(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission has a type.

    Fails in a transmission: <joint name="j"/>
    Passes: <type>SimpleTransmission</type><joint name="j"/>
    """
    for transmission in description.transmissions:
        if not _type(transmission):
            yield Defect(transmission, '{transmission} has no type',
                         **misspelling(transmission, 'type'))


@rule('transmission-unknown-type', WARN)
def transmission_unknown_type(description: Description) -> Iterator[Defect]:
    """
    Check that the type of every transmission is one that ROS defines.

    A type of another package than transmission_interface can be a plugin of the robot, and is
    only noted, unless its name is almost the same.

    Fails in a transmission: <type>transmission_interface/Simple</type>
    Passes: <type>transmission_interface/SimpleTransmission</type>
    """
    for transmission in _transmissions(description):
        kind, name = _type(transmission), _class_name(transmission)
        package = kind[:-len(name)].rstrip('/:')
        is_misspelt = package != _PACKAGE and closest(package, (_PACKAGE,), _ALIKE) is not None
        if kind and (name not in _TYPES or is_misspelt) and not is_expression(kind):
            near = closest(name, _TYPES)
            element = child(transmission, 'type')
            yield Defect(
                transmission if element is None or 'type' in transmission.attrib else element,
                '{transmission} has the unknown type {type:60}', type=Name(kind),
                suggestion=f'{_PACKAGE}/{near}' if is_misspelt and near else near,
                severity=None if package in ('', _PACKAGE) or is_misspelt else INFO)


@rule('transmission-unknown-interface', WARN)
def transmission_unknown_interface(description: Description) -> Iterator[Defect]:
    """
    Check that no hardware interface of a transmission is misspelt, or only that of the actuator.

    A name that is not similar to one of ros_control may belong to another package.

    Fails in a transmission:
        <joint name="j"><hardwareInterface>EfforJointInterface</hardwareInterface></joint>
    Passes:
        <joint name="j"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>
        <joint name="k"><hardwareInterface>my_robot/CableInterface</hardwareInterface></joint>
    """
    for transmission in _transmissions(description):
        for element in transmission.iter('hardwareInterface'):
            name = (element.text or '').strip()
            package, slash, last = name.rpartition('/')
            near = (closest(package, ('hardware_interface',), _ALIKE) if slash else package,
                    last if last in _INTERFACES else closest(last, _INTERFACES, _ALIKE))
            if (package, last) != near and all(each is not None for each in near):
                yield Defect(element, 'The hardware interface {interface:60} of {part} is unknown',
                             interface=Name(name), part=element.parent,
                             suggestion=f'{near[0]}{slash}{near[1]}')
        is_given = transmission.find('actuator/hardwareInterface') is not None
        for joint in transmission.findall_tag('joint') if is_given else ():
            if joint.find('hardwareInterface') is None:
                yield Defect(joint, '{part} has no hardware interface, which ros_control requires '
                             'beside that of the actuator', part=joint)


@rule('transmission-no-joint', ERROR, affects='transmission')
def transmission_no_joint(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission names its joint.

    Fails in a transmission: <type>SimpleTransmission</type><actuator name="a"/>
    Passes: <type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>
    """
    yield from _without_part(description, 'joint')


@rule('transmission-no-actuator', ERROR, affects='transmission')
def transmission_no_actuator(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission names its actuator.

    Fails in a transmission:
        <type>SimpleTransmission</type><joint name="j"/>
        <actuator/>
    Passes with <actuator name="a"/>
    """
    yield from _without_part(description, 'actuator')


def _without_part(description: Description, tag: str) -> Iterator[Defect]:
    for transmission in _transmissions(description):
        parts = transmission.findall(tag)
        if not parts and _class_name(transmission) in _TYPES:
            yield Defect(transmission, '{transmission} has no <{tag}>', tag=tag,
                         **misspelling(transmission, tag))
        yield from lacking(parts, 'name', 'The <{tag}> of {parent} has no name')


@rule('transmission-duplicate-actuator', WARN, affects='any')
def transmission_duplicate_actuator(description: Description) -> Iterator[Defect]:
    """
    Check that no two transmissions have an actuator of the same name.

    Fails in a transmission beside another: <joint name="copy"/><actuator name="motor"/>
    Passes with <actuator name="motor_2"/>
    """
    for actuator, first in repeated(
            (actuator.get('name'), actuator) for transmission in _transmissions(description)
            if _is_simple(transmission) for actuator in transmission.findall('actuator')[:1]):
        yield Defect(actuator, 'The {actuator} of {transmission} is already defined {position}',
                     position=FreeText(first.position_beside(actuator)), attribute='name')


@rule('transmission-duplicate-joint', WARN)
def transmission_duplicate_joint(description: Description) -> Iterator[Defect]:
    """
    Check that no two simple transmissions drive the same joint with different actuators.

    Fails in a transmission beside another: <joint name="j"/><actuator name="b"/>
    Passes with <joint name="copy"/>
    """
    driving = [(name, part, transmission) for transmission, part, name, joint in named_joints(
        description, filter(_is_simple, description.transmissions)) if joint is not None]
    motors = {part: [each.get('name') for each in transmission.findall('actuator')[:1]]
              for _, part, transmission in driving}
    for part, first in repeated((name, part) for name, part, _ in driving):
        if motors[first] != motors[part]:
            yield Defect(part, '{transmission} drives {joint}, as does one {position}',
                         attribute='name', position=FreeText(first.position_beside(part)))


@rule('transmission-unknown-joint', WARN, affects='any')
def transmission_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that the joint of every transmission exists.

    Fails in a transmission: <type>SimpleTransmission</type><joint name="k"/><actuator name="a"/>
    Passes with name="j"
    """
    for _, part, name, joint in named_joints(description, description.transmissions):
        if joint is None and not description.is_template:
            yield Defect(part, '{transmission} drives {joint}, which does not exist',
                         suggestion=description.joint_spelling.near(name))


@rule('transmission-on-fixed', WARN)
def transmission_on_fixed(description: Description) -> Iterator[Defect]:
    """
    Check that no transmission drives a fixed joint.

    Fails in a transmission:
        <type>SimpleTransmission</type><joint name="rigid"/><actuator name="a"/>
    Passes with name="j"
    """
    for _, part, _, joint in named_joints(description, description.transmissions):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, '{transmission} drives {joint}, which is fixed')


@rule('transmission-reduction-zero', WARN)
def transmission_reduction_zero(description: Description) -> Iterator[Defect]:
    """
    Check that no mechanical reduction is zero.

    Fails in a transmission:
        <actuator name="a"><mechanicalReduction>0</mechanicalReduction></actuator>
    Passes: <actuator name="a"><mechanicalReduction>50</mechanicalReduction></actuator>
    """
    for transmission in description.transmissions:
        for element in transmission.iter():
            if element.tag in _REDUCTIONS and number_in(element) == 0:
                yield Defect(element, 'The mechanical reduction of {part} is zero',
                             part=element.parent)
