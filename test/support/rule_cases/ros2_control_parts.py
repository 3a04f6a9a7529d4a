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
from support.validation_cases import example
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
    example(
        'ros2control-unknown-element', 8,
        '<ros2_control> does not read <command_interfaces> in <joint>'),
    Case(
        'ros2control-unknown-element', ROS2_CONTROL,
        '<joint name="j">\n<ec_module/></joint>', '<joint name="j"/>',
        9, '<ros2_control> does not read <ec_module> in <joint>', Severity.INFO),
    example(
        'ros2control-interface-misspelt', 8,
        "Joint 'j' has a <state_interface> called 'velocty'"),
    example(
        'ros2control-plugin-misspelt', 8,
        "Plugin 'mock_components/GenericSytsem' is not known"),
    example(
        'ros2control-param-misspelt', 9,
        "<command_interface> 'position' of joint 'j' has a <param> called 'inital_value'"),
    *(Case(
        'ros2control-param-misspelt', ROS2_CONTROL,
        f'<joint name="copy">\n<param name="{bad}">j</param></joint>',
        f'<joint name="copy">\n<param name="{good}">j</param></joint>',
        9, f"Joint 'copy' has a <param> called '{bad}'")
        for bad, good in (('mimc', 'mimic'), ('Multiplier', 'multiplier'))),
    example(
        'ros2control-unread-value', 8,
        'ros2_control does not read initial_value as an attribute of <state_interface>'),
    example(
        'ros2control-mimic-parameter', 8,
        "From Jazzy on, nothing reads the <param> mimic of joint 'j', which has no <mimic>"),
    example(
        'ros2control-other-simulator', 8,
        "'gazebo_ros2_control/GazeboSystem' is a system of another Gazebo than the plugin in "
        '<gazebo> or the package is for'),
    example(
        'ros2control-two-plugins', 8,
        "<ros2_control> 's' has 2 <plugin>, of which the first counts"),
    example(
        'ros2control-limits-inverted', 9,
        "The min of <command_interface> 'position' of joint 'j' is 1, above its max, -1"),
    example(
        'ros2control-transmission', 12,
        "Transmission 't' drives joint 'joint_1', which is not in <ros2_control> 's'"),
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
