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

"""Rules about what ros2_control silently ignores, and about its transmissions."""

from __future__ import annotations

from collections.abc import Iterator
import math

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.joints import INTERFACES
from urdf_tools.check.joints import named_joints
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import is_foreign
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_INTERFACE = ('param', 'limits')
_COMPONENT = ('command_interface', 'state_interface', 'param', 'limits', 'properties')
_CHILDREN = {
    'hardware': ('plugin', 'param', 'group', 'properties'),
    'joint': _COMPONENT, 'sensor': _COMPONENT, 'gpio': _COMPONENT,
    'command_interface': _INTERFACE, 'state_interface': _INTERFACE,
    'transmission': ('plugin', 'joint', 'actuator', 'param')}
"""The elements of <ros2_control> to what its parser looks for in them."""

_PARAMETERS = {
    'hardware': ('calculate_dynamics', 'custom_interface_with_following_offset',
                 'disable_commands', 'fake_sensor_commands', 'mock_gpio_commands',
                 'mock_sensor_commands', 'position_state_following_offset',
                 'state_following_offset'),
    'joint': ('initial_position', 'mimic', 'multiplier'),
    'command_interface': ('initial_value', 'max', 'min'),
    'state_interface': ('initial_value', 'max', 'min')}
"""The elements of <ros2_control> to the parameters that are read in them."""

_STANDARD = ('position', 'velocity', 'acceleration', 'effort')
_NEAR_STANDARD = Spelling(_STANDARD)

_PLUGINS = Spelling((
    'gazebo_ros2_control/GazeboSystem', 'gz_ros2_control/GazeboSimSystem',
    'ign_ros2_control/IgnitionSystem', 'mock_components/GenericSystem',
    'topic_based_ros2_control/TopicBasedSystem', 'transmission_interface/SimpleTransmission',
    'transmission_interface/DifferentialTransmission'))


@rule('ros2control-unknown-element', WARN, ignores('ros2_control', of='element'),
      fix='Remove it, or give it a prefix together with its xmlns',
      source='ros2_control `component_parser.cpp`')
def ros2control_unknown_element(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> reads every element inside of it.

    It looks for the elements that it knows, and says nothing about others.

    Fails in a ros2_control system:
        <joint name="j">
          <command_interfaces name="position"/>
        </joint>
    Passes:
        <joint name="j">
          <command_interface name="position"/>
        </joint>
    """
    for part in (each for system in description.ros2_control for each in system):
        for parent in (part,) if part.tag == 'transmission' else part.iter():
            known = _CHILDREN.get(parent.tag, ()) if part.tag in _CHILDREN else ()
            for element in parent if known else ():
                if element.tag not in known and not is_foreign(element.tag):
                    near = closest(element.tag, known, 0.75)
                    yield Defect(element, '<ros2_control> does not read <{tag}> in <{parent}>',
                                 parent=parent.tag, suggestion=near,
                                 severity=None if near else INFO,
                                 hint='' if near else 'Remove it unless the plugin reads it')


@rule('ros2control-interface-misspelt', WARN,
      changes('ros2_control', of='interface',
              how='offers an interface that no controller ' 'of ros2_controllers asks for'),
      fix='The interfaces of joints are position, velocity, acceleration, effort; other names '
          'are for controllers of your own', source='hardware_interface_type_values.hpp')
def ros2control_interface_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no interface of a joint has almost the name of a standard interface.

    Fails in a ros2_control system:
        <joint name="j">
          <state_interface name="velocty"/>
        </joint>
    Passes:
        <joint name="j">
          <state_interface name="velocity"/>
          <state_interface name="temperature"/>
        </joint>
    """
    for _, joint, *_ in named_joints(description, description.ros2_control):
        for interface in joint:
            name = interface.get('name', '')
            near = None if name in _STANDARD else _NEAR_STANDARD.near(name)
            if interface.tag in INTERFACES and near:
                yield Defect(interface, '{joint} has a <{tag}> called {name:40}',
                             name=Name(name), attribute='name', suggestion=near)


@rule('ros2control-plugin-misspelt', WARN, refuses('ros2_control', how='finds no such plugin'),
      fix='Write the name as the plugin description of its package has it',
      source='pluginlib `class_loader_imp.hpp`')
def ros2control_plugin_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no plugin in <ros2_control> has almost the name of a common one.

    Fails in a robot with joints:
        <ros2_control name="s" type="system">
          <hardware><plugin>mock_components/GenericSytsem</plugin></hardware>
        </ros2_control>
    Passes with <plugin>mock_components/GenericSystem</plugin>
    """
    for plugin in (each for system in description.ros2_control for each in system.iter('plugin')):
        name = (plugin.text or '').strip()
        near = _PLUGINS.near(name)
        if near not in (None, name):
            yield Defect(plugin, 'Plugin {name} is not known', name=Name(name), suggestion=near)


@rule('ros2control-param-misspelt', WARN, ignores('ros2_control', of='element'),
      fix='Correct the name',
      source='ros2_control `component_parser.cpp`, `generic_system.cpp`; gz_ros2_control '
             '`gz_system.cpp`')
def ros2control_param_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no <param> has almost the name of one that ros2_control or its simulators read.

    Others are for hardware components of your own.

    Fails in a ros2_control system:
        <joint name="j"><state_interface name="position">
          <param name="inital_value">1</param>
        </state_interface></joint>
    Passes with <param name="initial_value">1</param>
    """
    for system in description.ros2_control:
        for parameter in system.iter('param'):
            parent = '' if parameter.parent is None else parameter.parent.tag
            name, known = parameter.get('name', ''), _PARAMETERS.get(parent, ())
            near = None if name in known else Spelling(known).near(name)
            if near:
                yield Defect(parameter, '{parent} has a <param> called {name:40}', name=Name(name),
                             parent=parameter.parent, attribute='name', suggestion=near)


@rule('ros2control-two-plugins', WARN, ignores('ros2_control', of='element'),
      fix='Remove all but one; in xacro, check that only one condition holds',
      source='ros2_control `component_parser.cpp`')
def ros2control_two_plugins(description: Description) -> Iterator[Defect]:
    """
    Check that every <ros2_control> has one <hardware> and one <plugin>, as the first counts.

    Fails in a robot:
        <ros2_control name="s" type="system"><hardware>
          <plugin>gz_ros2_control/GazeboSimSystem</plugin>
          <plugin>mock_components/GenericSystem</plugin>
        </hardware></ros2_control>
    Passes:
        <ros2_control name="s" type="system"><hardware>
          <plugin>mock_components/GenericSystem</plugin>
        </hardware></ros2_control>
    """
    for system in description.ros2_control:
        for parts in (system.findall('hardware'), [
                plugin for hardware in system.findall('hardware')[:1]
                for plugin in hardware.findall('plugin')]):
            for part in parts[1:]:
                yield Defect(part, '{system} has {count} <{tag}>, of which the first counts',
                             system=system, count=len(parts))


@rule('ros2control-limits-inverted', WARN,
      changes('ros2_control', of='limit', how='has no value within the limits'),
      fix='Swap min and max')
def ros2control_limits_inverted(description: Description) -> Iterator[Defect]:
    """
    Check that the min of no interface is above its max.

    Fails in a ros2_control system:
        <joint name="j"><command_interface name="position">
          <param name="min">1</param><param name="max">-1</param>
        </command_interface></joint>
    Passes:
        <joint name="j"><command_interface name="position">
          <param name="min">-1</param><param name="max">1</param>
        </command_interface></joint>
    """
    for system in description.ros2_control:
        for interface in system.iter('command_interface'):
            limits = {param.get('name'): param for param in interface.findall('param')}
            low, high = (number_in(limits.get(name)) for name in ('min', 'max'))
            if low > high:
                yield Defect(
                    limits['min'], 'The min of {interface} is {low:g}, above its max, {high:g}',
                    interface=interface, low=low, high=high)


def number_in(element: Element | None) -> float:
    """Return the number in an element, or NaN."""
    try:
        return math.nan if element is None else float(element.text or '')
    except ValueError:
        return math.nan


@rule('ros2control-transmission', ERROR,
      refuses('ros2_control', how='refuses the description, so that no controller starts'),
      fix='Write the joints of the same <ros2_control>, and a role for each part',
      source='ros2_control `component_parser.cpp`')
def ros2control_transmission(description: Description) -> Iterator[Defect]:
    """
    Check that the transmissions in <ros2_control> are complete, and about joints beside them.

    Each part needs a role, such as joint1 and actuator1. A mechanical reduction of zero is a
    warning: the transmission is not loaded, and the hardware component decides what follows.

    Fails in a ros2_control system:
        <joint name="j"/>
        <transmission name="t">
          <plugin>transmission_interface/SimpleTransmission</plugin>
          <actuator name="a" role="actuator1"/>
          <joint name="joint_1" role="joint1">
            <mechanical_reduction>2</mechanical_reduction>
          </joint>
        </transmission>
    Passes with
        <transmission name="t">
          <plugin>transmission_interface/SimpleTransmission</plugin>
          <actuator name="a" role="actuator1"/>
          <joint name="j" role="joint1">
            <mechanical_reduction>2</mechanical_reduction>
          </joint>
        </transmission>
    """
    for system in description.ros2_control:
        names = {joint.get('name', '') for joint in system.findall('joint')}
        spelling = Spelling(names)
        for transmission in system.findall('transmission'):
            if not transmission.findtext('plugin', '').strip():
                yield Defect(
                    transmission, '{transmission} names no plugin',
                    hint='Write <plugin>transmission_interface/SimpleTransmission</plugin>')
            for joint in transmission.findall('joint'):
                name = joint.get('name')
                if name and name not in names:
                    yield Defect(joint, '{transmission} drives {joint}, which is not in {system}',
                                 system=system, suggestion=spelling.near(name), attribute='name')
            for part in (*transmission.findall('joint'), *transmission.findall('actuator')):
                yield from _part(transmission, part)


def _part(transmission: Element, part: Element) -> Iterator[Defect]:
    if 'role' not in part.attrib:
        yield Defect(part, '{part} of {transmission} has no role', part=part,
                     hint='Write role="joint1", "actuator1" and so on')
    reduction = part.find('mechanical_reduction')
    if number_in(reduction) == 0 and reduction is not None:
        yield Defect(
            reduction, 'The mechanical reduction of {part} is zero', part=part, severity=WARN,
            consequences=drops('ros2_control', of='transmission', how='cannot load it'),
            hint='Write the gear ratio, such as 50')
