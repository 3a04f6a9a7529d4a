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

"""Cases of the rules about what <ros2_control> leaves out, and about its transmissions."""

from support.validation_cases import Case
from support.validation_cases import ROBOT
from support.validation_cases import ROS2_CONTROL

from urdf_tools.findings.finding import Severity


def _transmission(joint, reduction=2):
    return (
        '<joint name="j"/>\n<transmission name="t">\n'
        '  <plugin>transmission_interface/SimpleTransmission</plugin>\n'
        '  <actuator name="a" role="actuator1"/>\n'
        f'  <joint {joint}>\n'
        f'    <mechanical_reduction>{reduction}</mechanical_reduction>\n  </joint>\n'
        '</transmission>')


CASES = (
    Case(
        'ros2control-unknown-element', ROS2_CONTROL,
        '<joint name="j">\n  <command_interfaces name="position"/>\n</joint>',
        '<joint name="j">\n  <command_interface name="position"/>\n</joint>',
        9, '<ros2_control> does not read <command_interfaces> in <joint>'),
    Case(
        'ros2control-interface-misspelt', ROS2_CONTROL,
        '<joint name="j">\n  <state_interface name="velocty"/>\n</joint>',
        '<joint name="j">\n  <state_interface name="velocity"/>\n'
        '  <state_interface name="temperature"/>\n</joint>',
        9, "Joint 'j' has a <state_interface> called 'velocty'"),
    Case(
        'ros2control-two-plugins', ROBOT,
        '<ros2_control name="s" type="system"><hardware>\n'
        '  <plugin>gz_ros2_control/GazeboSimSystem</plugin>\n'
        '  <plugin>mock_components/GenericSystem</plugin>\n'
        '</hardware></ros2_control>',
        '<ros2_control name="s" type="system"><hardware>\n'
        '  <plugin>mock_components/GenericSystem</plugin>\n'
        '</hardware></ros2_control>',
        4, "<ros2_control> 's' has 2 <plugin>, of which the first counts"),
    Case(
        'ros2control-limits-inverted', ROS2_CONTROL,
        '<joint name="j"><command_interface name="position">\n'
        '  <param name="min">1</param><param name="max">-1</param>\n'
        '</command_interface></joint>',
        '<joint name="j"><command_interface name="position">\n'
        '  <param name="min">-1</param><param name="max">1</param>\n'
        '</command_interface></joint>',
        9, "The min of <command_interface> 'position' of joint 'j' is 1, above its max, -1"),
    Case(
        'ros2control-transmission', ROS2_CONTROL,
        _transmission('name="joint_1" role="joint1"'), _transmission('name="j" role="joint1"'),
        12, "Transmission 't' drives joint 'joint_1', which is not in <ros2_control> 's'"),
    Case(
        'ros2control-transmission', ROS2_CONTROL,
        _transmission('name="j"'), _transmission('name="j" role="joint1"'),
        12, "Joint 'j' of transmission 't' has no role"),
    Case(
        'ros2control-transmission', ROS2_CONTROL,
        _transmission('name="j" role="joint1"', 0), _transmission('name="j" role="joint1"'),
        13, "The mechanical reduction of joint 'j' is zero", Severity.WARN,
        effects={'ros2_control': 'cannot load it'}),
)
