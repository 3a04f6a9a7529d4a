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

from support.validation_cases import Case
from support.validation_cases import LINKS
from support.validation_cases import ROBOT
from support.validation_cases import ROS2_CONTROL
from support.validation_cases import TRANSMISSION

CASES = (
    Case(
        'transmission-no-type', TRANSMISSION,
        '<joint name="j"/><actuator name="a"/>',
        '<type>transmission_interface/SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        7, "Transmission 't' has no type"),
    Case(
        'transmission-unknown-type', TRANSMISSION,
        '<type>transmission_interface/Simple</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        '<type>transmission_interface/SimpleTransmission</type>\n'
        '<joint name="j"/><actuator name="a"/>',
        7, "Transmission 't' has the unknown type 'transmission_interface/Simple'"),
    Case(
        'transmission-no-joint', TRANSMISSION,
        '<type>SimpleTransmission</type><actuator name="a"/>',
        '<type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>',
        7, "Transmission 't' has no <joint>"),
    Case(
        'transmission-no-actuator', TRANSMISSION,
        '<type>SimpleTransmission</type><joint name="j"/>\n'
        '<actuator/>',
        '<type>SimpleTransmission</type><joint name="j"/>\n'
        '<actuator name="a"/>',
        9, "The <actuator> of transmission 't' has no name"),
    Case(
        'transmission-unknown-joint', TRANSMISSION,
        '<type>SimpleTransmission</type><joint name="k"/><actuator name="a"/>',
        '<type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' drives joint 'k', which does not exist"),
    Case(
        'transmission-on-fixed', TRANSMISSION,
        '<type>SimpleTransmission</type><joint name="rigid"/><actuator name="a"/>',
        '<type>SimpleTransmission</type><joint name="j"/><actuator name="a"/>',
        8, "Transmission 't' drives joint 'rigid', which is fixed"),
    Case(
        'transmission-reduction-zero', TRANSMISSION,
        '<actuator name="a"><mechanicalReduction>0</mechanicalReduction></actuator>',
        '<actuator name="a"><mechanicalReduction>50</mechanicalReduction></actuator>',
        8, "The mechanical reduction of actuator 'a' is zero"),
    Case(
        'transmission-reduction-ignored', TRANSMISSION,
        '<actuator name="a"><mechanicalReduction>50</mechanicalReduction></actuator>',
        '<actuator name="a"><mechanicalReduction>1</mechanicalReduction></actuator>',
        8, "The mechanical reduction of actuator 'a' is 50, which some programs ignore"),
    Case(
        'ros2control-malformed', ROS2_CONTROL,
        '<joint name="j"><command_interface nme="position"/></joint>',
        '<joint name="j"><command_interface name="position"/></joint>',
        8, "A <command_interface> of <ros2_control> 's' has no name"),
    Case(
        'ros2control-no-plugin', ROBOT,
        '<ros2_control name="s" type="system">\n'
        '  <hardware><param name="p"/></hardware>\n'
        '</ros2_control>',
        '<ros2_control name="s" type="system">\n'
        '  <hardware><plugin>mock_components/GenericSystem</plugin></hardware>\n'
        '</ros2_control>',
        3, "<ros2_control> 's' names no hardware plugin"),
    Case(
        'ros2control-unknown-joint', ROS2_CONTROL,
        '<joint name="k"/>',
        '<joint name="j"/>',
        8, "<ros2_control> 's' controls joint 'k', which does not exist"),
    Case(
        'ros2control-fixed-joint', ROS2_CONTROL,
        '<joint name="rigid"/>',
        '<joint name="j"/>',
        8, "<ros2_control> 's' controls joint 'rigid', which is fixed"),
    Case(
        'ros2control-duplicate-joint', ROS2_CONTROL,
        '<joint name="j"><command_interface name="effort"/></joint>\n'
        '<joint name="j"><command_interface name="effort"/></joint>',
        '<joint name="j"><command_interface name="effort"/></joint>\n'
        '<joint name="j"><command_interface name="position"/></joint>',
        9, "Command interface 'effort' of joint 'j' is already declared on line 8"),
    Case(
        'ros2control-mimic-command-interface', ROS2_CONTROL,
        '<joint name="j"/>\n'
        '<joint name="copy"><command_interface name="effort"/></joint>',
        '<joint name="j"/>\n'
        '<joint name="copy"/>',
        9, "Joint 'copy' mimics another joint, but has a command interface"),
    Case(
        'ros2control-mimic-broken', ROS2_CONTROL,
        '<joint name="copy"/>',
        '<joint name="copy"/>\n'
        '<joint name="j"/>',
        8, "Joint 'copy' mimics joint 'j', which is not in <ros2_control> 's'"),
    Case(
        'gazebo-unknown-reference', LINKS,
        '<gazebo reference="tp"/>',
        '<gazebo reference="tip"/>',
        4, "<gazebo> refers to 'tp', which is neither a link nor a joint"),
    Case(
        'gazebo-reference-lumped', LINKS,
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<gazebo reference="tip"/>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<gazebo reference="tip"/>\n'
        '<gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint></gazebo>',
        5, "Gazebo lumps link 'tip' into link 'base_link', because joint 'j' is fixed"),
    Case(
        'gazebo-ros1-plugin', LINKS,
        '<gazebo><plugin filename="libgazebo_ros_control.so" name="c"/></gazebo>',
        '<gazebo><plugin filename="gz_ros2_control-system" name="c"/></gazebo>',
        4, "'libgazebo_ros_control.so' is a plugin for Gazebo Classic"),
    Case(
        'sdf-dropped-link', ROBOT,
        '<link name="World"/>\n'
        '<link name="tip"/>\n'
        '<joint name="j" type="continuous"><parent link="World"/><child link="tip"/></joint>',
        '<link name="world"/>\n'
        '<link name="tip"/>\n'
        '<joint name="j" type="continuous"><parent link="world"/><child link="tip"/></joint>',
        2, "Gazebo drops link 'World' and its 1 descendant, because it has no mass"),
    Case(
        'frame-incomplete', LINKS,
        '<frame name="tcp" lnk="tip"/>',
        '<frame name="tcp" link="tip"/>',
        4, "Frame 'tcp' has no link"),
    Case(
        'loop-joint', LINKS,
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<loop_joint name="loop"/>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>',
        5, "<loop_joint> 'loop' is no longer supported"),
)
