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

"""Known mistakes in packages of ROS 1."""

import pytest

from urdf_tools.check.validator import validate

URDF = """\
<robot name="arm">
  <link name="base"/><link name="upper"/><link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/></joint>
  <joint name="wrist" type="revolute"><parent link="upper"/><child link="hand"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/>{}</joint>
</robot>
"""

MANIFEST = ''.join((
    '<package><name>arm</name><buildtool_depend>catkin</buildtool_depend>', *(
        f'<exec_depend>{name}</exec_depend>' for name in (
            'any', 'arbotix_python', 'controller_manager', 'joint_state_publisher',
            'robot_state_publisher', 'tf', 'xacro')), '<!-- optional --></package>'))

CONTROLLERS = """\
arm_controller:
  type: position_controllers/JointTrajectoryController
  joints: [shoulder]
"""

DRIVER = 'joints: {\n  shoulder: {id: 1},\n  other: {id: 2}\n}\n'

MIMIC = """\
<mimic joint="shoulder" multiplier="-1"/></joint><gazebo><plugin name="m"
filename="libroboticsgroup_upatras_gazebo_mimic_joint_plugin.so"><joint>shoulder</joint>
<mimicJoint>wrist</mimicJoint>{}</plugin></gazebo><joint name="rigid" type="fixed">
<parent link="hand"/><child link="tip"/></joint><link name="tip"/><joint name="last" type="fixed">
<parent link="tip"/><child link="end"/></joint><link name="end"/><joint name="z" type="fixed">
<parent link="end"/><child link="zero"/></joint><link name="zero"/><joint name="y" type="fixed">
<parent link="zero"/><child link="one"/>"""

SPACE = """\
</joint><gazebo><plugin name="c" filename="libgazebo_ros_control.so">
<robotNamespace>/{}</robotNamespace>
<legacyModeNS>false</legacyModeNS></plugin></gazebo><link name="tip"/>
<joint name="rigid" type="fixed"><parent link="hand"/><child link="tip"/>"""

SPAWNER = '<node pkg="any" type="any" name="n"/><node name="s" pkg="controller_manager" {}/>'


def said(folder, launch, urdf='', files=(), manifest=MANIFEST):
    """Return what is said about a package, in one text."""
    texts = {'package.xml': manifest, 'CMakeLists.txt': '', 'urdf/arm.urdf': URDF.format(urdf),
             'launch/arm.launch': f'<launch><!-- arm.urdf -->{launch}</launch>', **dict(files)}
    for name, text in texts.items():
        (folder / 'arm' / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / 'arm' / name).write_text(text)
    return ' '.join(f'{each.file("").rpartition("/")[2]}:{each.line} {each.message}. {each.hint}'
                    for each in validate(folder / 'arm' / 'urdf' / 'arm.urdf').findings
                    if each.code == 'known-mistake')


@pytest.mark.parametrize(('launch', 'message'), [
    ('<param name="a" command="$(find xacro)/xacro.py $(find arm)/urdf/arm.urdf"/>',
     "'xacro.py' does not exist since Noetic"),
    ('<param name="a" command="$(find xacro)/xacro $(find arm)/urdf/arm.urdf"/>', ''),
    ('<node pkg="robot_state_publisher" type="state_publisher" name="a"/>',
     "'robot_state_publisher/state_publisher' does not exist since Noetic"),
    ('<node pkg="any" type="state_publisher" name="a"/>', ''),
    ('<param name="a" textfile="$(find arm)/config/arm.srdf"/>',
     "'config/arm.srdf' does not exist in arm"),
    ('<param name="a" textfile="$(find arm)/urdf/arm.urdf"/>', ''),
    ('<param name="a" textfile="$(find arm)/$(env X)/arm.srdf"/>', ''),
    ('<param name="a" textfile="$(find any)/config/arm.srdf"/>', ''),
    ('<node pkg="other" type="a" name="a"/><node pkg="third" type="a" name="b"/>',
     "'other' is used by launch files, and package.xml does not depend on it, nor on third"),
    ('<param name="a" value="$(find other)/a"/>', "'other' is used by launch files"),
    ('<param name="a" value="$(find optional)/a"/>', ''),
    ('<node pkg="tf" type="static_transform_publisher" name="a" args="0 0 0 0 0 0 map odom"/>',
     "'odom' is the last argument"),
    ('<node pkg="tf" type="static_transform_publisher" name="a" '
     'args="0 0 0 0 0 0 map odom 100"/>', ''),
    ('<include file="$(find arm)/launch/b.launch"><arg name="modl" value="1"/></include>',
     "'modl' is no argument of the launch file that is included, with which roslaunch ends: "
     "b.launch. Did you mean 'model'?"),
    ('<include file="$(find arm)/launch/b.launch"/>',
     "'model' has no default, and has to be given to b.launch"),
    ('<include file="$(find arm)/launch/b.launch"><arg name="model" value="1"/></include>', ''),
    ('<include file="$(find arm)/launch/b.launch" pass_all_args="true"/>', ''),
    ('<arg name="model"/><param name="a" value="$(arg mdel)"/>',
     "'mdel' is no argument of this launch file, with which roslaunch ends. "
     "Did you mean 'model'?"),
    ('<arg name="model"/><param name="a" value="$(arg model)"/>', ''),
    ('<param name="moveit_controller_manager" '
     'value="moveit_simple_controller_manager/MoveItSimpleControllerManager"/>',
     "'moveit_simple_controller_manager' has the plugin that is named here"),
    ('<node>', 'cannot be read'),
])
def test_launch_file(tmp_path, launch, message):
    files = {'launch/b.launch': '<launch><arg name="model"/><arg name="r" default=""/></launch>'}
    found = said(tmp_path, launch, files=files)
    assert message in found if message else not found


@pytest.mark.parametrize(('attributes', 'message'), [
    ('type="spawner" args=""', 'is given no controllers'),
    ('type="spawner"', 'is given no controllers'),
    ('type="spawner" args="--timeout 20 arm_controller"', ''),
    ('type="spawner" args="$(arg a)"', ''),
    ('type="spawner" args="arm_controler"', "Did you mean 'arm_controller'?"),
    ('type="spawner" args="arm_controller"', ''),
    ('type="spawner" args="something_else"', ''),
])
def test_spawner(tmp_path, attributes, message):
    launch = '<arg name="a" default="arm_controller"/>' + SPAWNER.format(attributes)
    found = said(tmp_path, launch, files={'config/a.yaml': CONTROLLERS})
    assert message in found if message else not found


@pytest.mark.parametrize(('launch', 'urdf', 'message'), [
    (SPAWNER.format('type="spawner" args="a"'), SPACE.format('left'),
     "'/left' is the namespace of the controller manager in Gazebo"),
    (SPAWNER.format('type="spawner" args="a" ns="left"'), SPACE.format('left'), ''),
    (SPAWNER.format('type="spawner" args="a"'), SPACE.format(''), ''),
    ('', SPACE.format('left'), ''),
    ('', SPACE.format('left').replace('legacyModeNS', 'other'), "'<legacyModeNS>' is missing"),
    ('', SPACE.format('').replace('legacyModeNS', 'other'), ''),
    ('<node pkg="joint_state_publisher" type="joint_state_publisher" name="j"/>'
     '<param name="use_gui" value="true"/>', '', "'use_gui' has no effect since Noetic"),
    ('<node pkg="joint_state_publisher" type="joint_state_publisher" name="j"/>'
     '<param name="use_gui" value="false"/>', '', ''),
    ('', MIMIC.format(''), "'wrist' is moved by the plugin with a multiplier of 1, as none is "
     'written, but -1 in its <mimic>'),
    ('', MIMIC.format('<multiplier>2</multiplier>'), 'multiplier of 2, but -1'),
    ('', MIMIC.format('<multiplier>-1.0</multiplier>'), ''),
    ('<node pkg="arbotix_python" type="arbotix_driver" name="a"/>', '',
     "'wrist' is no joint of the arbotix_driver"),
    ('<node pkg="arbotix_python" type="arbotix_driver" name="a"/>'
     '<node pkg="joint_state_publisher" type="joint_state_publisher" name="j"/>', '', ''),
])
def test_robot(tmp_path, launch, urdf, message):
    found = said(tmp_path, launch, urdf, {'config/driver.yaml': DRIVER})
    assert message in found if message else not found


@pytest.mark.parametrize('catkin', (True, False))
@pytest.mark.parametrize(('robot', 'semantic', 'message'), [
    ('arm.urdf', 'arm.srdf', ''),
    ('arm.xacro', 'arm.srdf', "arm: 'urdf/arm.xacro' is read by the Setup Assistant"),
    ('arm.urdf', 'a.srdf', "'config/a.srdf' does not exist, and the Setup Assistant"),
])
def test_setup_assistant(tmp_path, robot, semantic, message, catkin):
    text = ('moveit_setup_assistant_config:\n  URDF:\n    package: arm\n    relative_path: urdf/'
            f'{robot}\n  srdf:\n    relative_path: config/{semantic}\n')
    files = {'.setup_assistant': text, 'config/arm.srdf': '<robot name="arm"/>'}
    found = said(tmp_path, '', files=files, manifest=MANIFEST if catkin else MANIFEST.replace(
        'catkin', 'ament_cmake'))
    assert message.removeprefix('arm: ') in found if message else 'Assistant' not in found
