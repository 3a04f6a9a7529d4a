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

"""Cases of the rules about what Gazebo, its sensors and plugins are told."""

from support.validation_cases import Case
from support.validation_cases import example
from support.validation_cases import LINKS
from support.validation_cases import ROBOT

from urdf_tools.findings.finding import Severity

INFO = Severity.INFO


def _cart(rear='rear_left', separation='0.5'):
    """Return a robot with two pairs of wheels, and what a plugin is told of the second one."""
    joints = ''.join(
        f'<link name="{name}"/>\n<joint name="{name}" type="continuous"><parent link="base_link"/>'
        f'<child link="{name}"/><origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/></joint>\n'
        for x, end in ((1, 'front'), (-1, 'rear')) for y, side in ((0.2, 'left'), (-0.2, 'right'))
        for name in (f'{end}_{side}',))
    other = rear.replace('left', 'Right').replace('right', 'left').lower()
    return (
        f'<link name="base_link"/>\n{joints}<gazebo><plugin filename="drive" name="drive">\n'
        '<left_joint>front_left</left_joint><right_joint>front_right</right_joint>\n'
        '<wheel_separation>0.6</wheel_separation>\n'
        f'<left_joint>{rear}</left_joint><right_joint>{other}</right_joint>\n'
        + (f'<wheel_separation>{separation}</wheel_separation>\n' if separation else '')
        + '</plugin></gazebo>')


CASES = (
    example(
        'gazebo-option-misplaced', 9,
        '<mu1> applies to a link, but its <gazebo> refers to a joint'),
    Case(
        'gazebo-option-misplaced', LINKS,
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<gazebo reference="j"><sensor name="s" type="imu"/></gazebo>',
        '<joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>\n'
        '<gazebo reference="j"><sensor name="s" type="force_torque"/></gazebo>',
        5, '<sensor> applies to a link, but its <gazebo> refers to a joint'),
    example('gazebo-misspelt-element', 4, 'Gazebo knows no <maxvel> in <gazebo>'),
    Case(
        'gazebo-misspelt-element', LINKS,
        '<gazebo reference="tip"><sensor name="s" type="imu">\n'
        '  <updateRate>10</updateRate>\n</sensor></gazebo>',
        '<gazebo reference="tip"><sensor name="s" type="imu">\n'
        '  <update_rate>10</update_rate>\n</sensor></gazebo>',
        5, 'Gazebo knows no <updateRate> in <sensor>'),
    example(
        'contact-unknown-collision', 10,
        "A contact sensor refers to collision 'base_link' of link 'base_link', which "
        'does not exist'),
    example(
        'plugin-unknown-name', 10,
        "Plugin 'truth' names link 'bsae_link' in <body_name>, which does not exist"),
    Case(
        'plugin-unknown-name', LINKS,
        '<gazebo reference="tip"><plugin filename="camera" name="eye">\n'
        '  <frame_name>optical</frame_name>\n'
        '</plugin></gazebo>',
        '<gazebo reference="tip"><plugin filename="camera" name="eye">\n'
        '  <frame_name>/tip</frame_name>\n'
        '</plugin></gazebo>',
        5, "Plugin 'eye' names frame 'optical' in <frame_name>, which does not exist", INFO),
    Case(
        'plugin-unknown-name', LINKS,
        '<gazebo reference="tip"><sensor name="eye" type="camera">\n'
        '  <gz_frame_id>tpi</gz_frame_id>\n'
        '</sensor></gazebo>',
        '<gazebo reference="tip"><sensor name="eye" type="camera">\n'
        '  <gz_frame_id>tip</gz_frame_id>\n'
        '</sensor></gazebo>',
        5, "Sensor 'eye' names frame 'tpi' in <gz_frame_id>, which does not exist"),
    Case(
        'plugin-unknown-name', LINKS,
        '<gazebo><plugin filename="states" name="s">\n'
        '  <link_name>base_link, tp</link_name>\n'
        '</plugin></gazebo>',
        '<gazebo><plugin filename="states" name="s">\n'
        '  <link_name>base_link, tip</link_name>\n'
        '</plugin></gazebo>',
        5, "Plugin 's' names link 'tp' in <link_name>, which does not exist"),
    Case(
        'plugin-unknown-name', LINKS,
        '<link name="/eye"/><gazebo><plugin filename="states" name="s">\n'
        '  <link_name>/eey</link_name>\n'
        '</plugin></gazebo>',
        '<link name="/eye"/><gazebo><plugin filename="states" name="s">\n'
        '  <link_name>/eye</link_name>\n'
        '</plugin></gazebo>',
        5, "Plugin 's' names link 'eey' in <link_name>, which does not exist"),
    example(
        'plugin-lost-name', 10, "Plugin 'truth' names link 'tip', which Gazebo does not keep, "
        "because joint 'j' is fixed"),
    example(
        'diff-drive-axes-differ', 5, "The axes of joints 'left', 'right', the wheels of plugin "
        "'drive', point in opposite directions (180 degrees)"),
    example(
        'diff-drive-sides', 8, "The left joint 'right' of plugin 'drive' moves the wheel on the "
        'right, by the axes of the wheels'),
    example(
        'diff-drive-wheels', 9, "<wheel_separation> of plugin 'drive' is '0.8', but joints "
        "'left', 'right' move wheels that are 0.4 m apart"),
    Case(
        'diff-drive-sides', ROBOT, _cart('rear_right'), _cart(),
        14, "The left joint 'rear_right' of plugin 'drive' moves the wheel on the right, by the "
        'axes of the wheels'),
    Case(
        'diff-drive-sides', ROBOT, _cart().replace('_right</right', '_left</right', 1).replace(
            'rear_left</left', 'front_right</left'), _cart(),
        14, "The left joint 'front_right' of plugin 'drive' moves the wheel on the right, by the "
        'axes of the wheels'),
    Case(
        'diff-drive-wheels', ROBOT, _cart(separation='').replace('0.6', '0.9'),
        _cart(separation='').replace('0.6', '0.75'),
        13, "<wheel_separation> of plugin 'drive' is '0.9', but joints 'front_left', "
        "'front_right' move wheels that are 0.4 m apart"),
    Case(
        'diff-drive-wheels', ROBOT, _cart(separation='2'), _cart(),
        15, "<wheel_separation> of plugin 'drive' is '2', but joints 'rear_left', 'rear_right' "
        'move wheels that are 0.4 m apart'),
    example(
        'gazebo-joints-undriven', 7,
        "No plugin in <gazebo> drives what <ros2_control> 's' describes"),
)
