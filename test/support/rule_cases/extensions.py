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

"""Cases of the rules about transmissions, ros2_control and Gazebo."""

import re

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINKS
from support.validation_cases import ROS2_CONTROL
from support.validation_cases import TRANSMISSION

from urdf_tools.findings.finding import Severity

WARN, INFO = Severity.WARN, Severity.INFO


CASES = (
    example('transmission-no-name', 7, 'A transmission has no name'),
    example(
        'transmission-duplicate-actuator', 10,
        "The actuator 'motor' of transmission 'u' is already defined on line 8"),
    example(
        'transmission-duplicate-joint', 10,
        "Transmission 'u' drives joint 'j', as does one on line 8"),
    example(
        'transmission-no-type', 7,
        "Transmission 't' has no type", effects={'urdf_parser_py': 'refuses the description'}),
    Case(
        'transmission-no-type', TRANSMISSION,
        '<type/><joint name="j"/><actuator name="a"/>',
        '<type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>',
        7, "Transmission 't' has no type", effects={}, unaffected=('urdf_parser_py',)),
    example(
        'transmission-unknown-type', 8,
        "Transmission 't' has the unknown type 'transmission_interface/Simple'"),
    Case(
        'transmission-unknown-type', TRANSMISSION,
        '<type>SimpleTransmissionWithBrake</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        '<type>SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' has the unknown type 'SimpleTransmissionWithBrake'"),
    Case(
        'transmission-unknown-type', TRANSMISSION,
        '<type>my_robot/DifferentialWaist</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        '<type>transmission_interface/SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' has the unknown type 'my_robot/DifferentialWaist'", INFO),
    Case(
        'transmission-unknown-type', TRANSMISSION,
        '<type>transmission_inteerface/SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        '<type>transmission_interface/SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' has the unknown type 'transmission_inteerface/SimpleTransmission'"),
    example(
        'transmission-unknown-interface', 8,
        "The hardware interface 'EfforJointInterface' of joint 'j' is unknown"),
    Case(
        'transmission-unknown-interface', TRANSMISSION,
        '<joint name="j"/>\n'
        '<actuator name="a"><hardwareInterface>EffortJointInterface</hardwareInterface>'
        '</actuator>',
        '<joint name="j"><hardwareInterface>EffortJointInterface</hardwareInterface></joint>\n'
        '<actuator name="a"><hardwareInterface>EffortJointInterface</hardwareInterface>'
        '</actuator>',
        8, "Joint 'j' has no hardware interface, which ros_control requires beside that of the "
        'actuator'),
    example('transmission-no-joint', 7, "Transmission 't' has no <joint>"),
    Case(
        'transmission-no-joint', TRANSMISSION,
        '<type>DifferentialTransmission</type><actuator name="a"/>',
        '<type>DifferentialTransmission</type><joint name="j"/><actuator name="a"/>',
        7, "Transmission 't' has no <joint>",
        effects={'urdf_parser_py': 'refuses the description'}),
    example('transmission-no-actuator', 9, "The <actuator> of transmission 't' has no name"),
    Case(
        'transmission-no-actuator', TRANSMISSION,
        '<type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>\n'
        '<actuator/>',
        '<type>SimpleTransmission</type><joint name="j"/>\n'
        '<actuator name="a"/>',
        9, "The <actuator> of transmission 't' has no name"),
    example(
        'transmission-unknown-joint', 8,
        "Transmission 't' drives joint 'k', which does not exist"),
    Case(
        'transmission-unknown-joint', TRANSMISSION,
        '<type>DifferentialTransmission</type><joint name="k"/><actuator name="a"/>',
        '<type>DifferentialTransmission</type><joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' drives joint 'k', which does not exist", None, ()),
    example('transmission-on-fixed', 8, "Transmission 't' drives joint 'rigid', which is fixed"),
    example('transmission-reduction-zero', 8, "The mechanical reduction of actuator 'a' is zero"),
    example('ros2control-malformed', 8, "A <command_interface> of <ros2_control> 's' has no name"),
    Case(
        'ros2control-malformed', LINKS,
        '<ros2_control name="s" type="system"><hardware>\n<plugin>\na/B </plugin>\n'
        '</hardware></ros2_control>',
        '<ros2_control name="s" type="system"><hardware>\n<plugin>a/B</plugin>\n'
        '</hardware></ros2_control>',
        5, "Spaces or line breaks around 'a/B' belong to the name of the plugin"),
    Case(
        'ros2control-malformed', LINKS,
        '<ros2_control name="s" type="system"/>\n<ros2_control name="s" type="actuator"/>',
        '<ros2_control name="s" type="system"/>\n<ros2_control name="t" type="actuator"/>',
        5, "<ros2_control> 's' has the name of the one on line 4", Severity.WARN),
    Case(
        'ros2control-malformed', ROS2_CONTROL,
        '<joint name="j">\n'
        '  <command_interface name="position">\n'
        '    <param name="min">{-pi}</param>\n'
        '  </command_interface>\n'
        '</joint>',
        '<joint name="j">\n'
        '  <command_interface name="position">\n'
        '    <param name="min">-3.1416</param>\n'
        '  </command_interface>\n'
        '</joint>',
        10, "The min of <command_interface> 'position' of joint 'j' is not a number ('{-pi}')",
        WARN, effects={'ros2_control': 'ignores the limits of the interface'}),
    example('ros2control-no-plugin', 7, "<ros2_control> 's' names no hardware plugin"),
    example(
        'ros2control-unknown-joint', 8,
        "<ros2_control> 's' controls joint 'k', which does not exist"),
    example(
        'ros2control-fixed-joint', 8,
        "<ros2_control> 's' controls joint 'rigid', which is fixed"),
    example(
        'ros2control-missing-joint', 4,
        "<ros2_control> 's' controls 'left_wheel', but not joint 'right_wheel'"),
    example(
        'ros2control-duplicate-joint', 9,
        "Command interface 'effort' of joint 'j' is already declared on line 8"),
    Case(
        'ros2control-duplicate-joint', ROS2_CONTROL,
        '<joint name="j">\n<state_interface name="effort"/></joint>\n'
        '<joint name="j">\n<state_interface name="effort"/></joint>',
        '<joint name="j">\n<state_interface name="effort"/></joint>',
        10, "State interface 'effort' of joint 'j' is already declared on line 9"),
    example(
        'ros2control-mimic-command-interface', 8,
        "Joint 'copy' mimics another joint, but has a command interface"),
    Case(
        'ros2control-mimic-command-interface', re.sub(
            '<plugin>.*</plugin>', '<plugin>fake_components/GenericSystem</plugin>', ROS2_CONTROL),
        '<joint name="copy">\n<command_interface name="effort"/></joint>',
        '<joint name="copy"/>',
        9, "Joint 'copy' mimics another joint, but has a command interface", Severity.WARN),
    example(
        'ros2control-mimic-broken', 8,
        "Joint 'copy' mimics joint 'j', which is not in <ros2_control> 's'"),
    example(
        'gazebo-unknown-reference', 4,
        "<gazebo> refers to 'tp', which is neither a link nor a joint"),
    example(
        'gazebo-reference-lumped', 9,
        "Gazebo lumps link 'tip' into link 'base_link', because joint 'j' is fixed"),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo><plugin name="p"/></gazebo>', '<gazebo><plugin name="p" filename="f"/></gazebo>',
        4, "Plugin 'p' has no filename"),
    example('gazebo-value-malformed', 4, "<mu1> in <gazebo> is not a number: 'abc'"),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo reference="tip"><kp value="">1e6</kp></gazebo>',
        '<gazebo reference="tip"><kp>1e6</kp></gazebo>',
        4, '<kp> in <gazebo> is empty'),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo reference="tip"><kd>1e999</kd></gazebo>',
        '<gazebo reference="tip"><kd>inf</kd></gazebo>',
        4, "<kd> in <gazebo> is too large for a number: '1e999'"),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo reference="tip"><maxContacts>99999999999</maxContacts></gazebo>',
        '<gazebo reference="tip"><maxContacts>10</maxContacts></gazebo>',
        4, "<maxContacts> in <gazebo> is too large for an integer: '99999999999'"),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo reference="tip"><mu2>0,5</mu2></gazebo>',
        '<gazebo reference="tip"><mu2>0.5</mu2></gazebo>',
        4, "Gazebo reads only '0' of the number '0,5' in <mu2>", WARN),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo reference="tip"><turnGravityOff>off</turnGravityOff></gazebo>',
        '<gazebo reference="tip"><turnGravityOff>False</turnGravityOff></gazebo>',
        4, "'off' in <turnGravityOff> is neither true nor false, and Gazebo takes it for true",
        WARN),
    Case(
        'gazebo-value-malformed', LINKS,
        '<gazebo><selfCollide>on</selfCollide></gazebo>',
        '<gazebo><selfCollide>yes</selfCollide></gazebo>',
        4, "'on' in <selfCollide> is neither true nor false, and Gazebo takes it for false",
        WARN),
    example('gazebo-ros1-plugin', 4, "'libgazebo_ros_control.so' is a plugin for Gazebo Classic"),
    Case(
        'gazebo-ros1-plugin', LINKS,
        '<gazebo><plugin filename="libgazebo_ros_contrlo.so" name="c"/></gazebo>',
        '<gazebo><plugin filename="gz_ros2_control-system" '
        'name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>',
        4, "'libgazebo_ros_contrlo.so' is not known to Gazebo Classic", Severity.WARN),
    example(
        'gazebo-plugin-class', 4,
        "The library 'gz-sim-imu-system' has no class 'imu', and Gazebo does not load it"),
    Case(
        'gazebo-plugin-class', LINKS,
        '<gazebo><plugin filename="libgz_ros2_control-system.so" name="control"/></gazebo>',
        '<gazebo><plugin filename="libgz_ros2_control-system.so" '
        'name="ign_ros2_control::IgnitionROS2ControlPlugin"/>'
        '<plugin filename="gz-sim-yarp-imu-system" name="gzyarp::Imu"/></gazebo>',
        4, "The library 'libgz_ros2_control-system.so' has no class 'control', and Gazebo does "
        'not load it'),
    example(
        'gazebo-parameter-unknown', 5, 'The system DiffDrive does not read <wheel_diameter>'),
    example(
        'gazebo-surface-incomplete', 11,
        'The <surface> has no <contact>, and Gazebo writes <kp> into the deleted one of an '
        'earlier <gazebo>'),
)
