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

"""Known mistakes of a package that launches a robot: what is wrong in one file, and correct."""

import pytest

from urdf_tools.check.validator import validate

MANIFEST = """\
<package format="3"><name>arm</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>robot_state_publisher</exec_depend><exec_depend>xacro</exec_depend>
<exec_depend>base</exec_depend><exec_depend>{}</exec_depend></package>
"""

LAUNCH = """\
import os
from launch import LaunchDescription
{}
def generate_launch_description():
    share = get_package_share_directory('arm')
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[
            {{'robot_description': Command(['xacro ', share + '/urdf/arm.xacro'])}}]{}), {}])
"""

LIMIT = '<limit lower="-1" upper="1" effort="{}" velocity="{}"/>'

ROBOT = ('<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="base"/>{}'
         '<gazebo><plugin filename="{}" name="a"/></gazebo></robot>')

ARM = ''.join(
    f'<link name="{name}"/><joint name="{name}" type="revolute"><parent link="base"/>'
    f'<child link="{name}"/><axis xyz="0 1 0"/>{{}}</joint>' for name in 'abcd')

SENSOR = ('<link name="i"/><joint name="i" type="fixed"><parent link="base"/><child link="i"/>'
          '<origin rpy="0 0 {}"/></joint><gazebo reference="i"><sensor name="imu" type="imu">'
          '<gz_frame_id>i</gz_frame_id>{}</sensor></gazebo>')

WEBOTS = ('<webots><device reference="eye" type="Camera"/></webots>'
          '<gazebo><sensor name="{}" type="camera"/></gazebo>')

MESH = ('<link name="a"><visual><geometry><mesh filename="package://base/meshes/a.stl"/>'
        '</geometry></visual></link>')

CONTROLLERS = 'moveit_simple_controller_manager:\n  controller_names: [arm]\n  arm:\n    ' \
    'type: FollowJointTrajectory\n    joints: [{}]\n'

SENT = {'arm/urdf/arm.xacro': ROBOT.format(ARM.format(*4 * [LIMIT.format(9, 9)]), ''),
        'arm/urdf/arm.srdf': '<robot name="arm"><group name="arm"><link name="base"/></group>'
        '</robot>',
        'arm/config/b.yaml': 'arm:\n  ros__parameters:\n    joints: [a, b]\n'}


def launched(imports='', more='', remap=''):
    """Return a launch file, as the only one that differs."""
    return {'arm/launch/a.launch.py': LAUNCH.format(imports, remap, more)}


def of_robot(robot, plugin='libgz_ros2_control-system.so', **launch):
    """Return a description and its launch file."""
    return {'arm/urdf/arm.xacro': ROBOT.format(robot, plugin), **launched(**launch)}


def told(folder, files):
    """Return what is said about a package beside another one."""
    given = {'arm/package.xml': MANIFEST.format('ros_gz_sim'), **of_robot(''),
             'base/package.xml': '<package><name>base</name></package>',
             'base/base/__init__.py': '', 'base/base/there.py': '', 'arm/CMakeLists.txt':
             'ament_package()\ninstall(DIRECTORY launch urdf rviz config DESTINATION '
             'share/${PROJECT_NAME})', 'base/meshes/a.stl': '', 'arm/rviz/a.rviz': 'a: 1', **files}
    for name, text in given.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)
    return [f'{each.message} {each.hint}' for each in validate(
        folder / 'arm' / 'urdf' / 'arm.xacro').findings if each.code == 'known-mistake']


@pytest.mark.parametrize(('wrong', 'right', 'said'), [
    (launched('import other_utils'), launched('import xacro, yaml, launch_ros, std_msgs.msg'),
     "'other_utils' is imported by a launch file, and package.xml does not depend on it"),
    (launched('from base.absent import a'), launched('from base.there import a'),
     "'base.absent' is imported, and the package of this name has no such module"),
    (launched(more="os.path.join(share, 'a.rviz')"),
     launched(more="os.path.join(share, 'rviz', 'a.rviz')"),
     "'a.rviz' does not exist in arm Did you mean 'rviz/a.rviz'?"),
    (launched(more="FindPackageShare('rviz')"), launched(more="FindPackageShare('base')"),
     "'rviz' is a folder of this package, and not a package"),
    (launched(more="Node(package='ros_gz_sim', executable='create', arguments=['-topic', 'arm'])"),
     launched(more="Node(package='ros_gz_sim', executable='create', arguments=['-topic', 'arm'])",
              remap=", remappings=[('robot_description', '/arm')]"),
     "'arm' is the topic from which the robot is spawned, and no node"),
    (launched(more='"<robot></robot>"'), launched(more='"<robot><link/></robot>"'), 'has no link'),
    ({'arm/launch/a.launch.py': 'def generate_launch_description():\n    a = open(os.path.join('
      "get_package_share_directory('arm'), 'urdf', 'arm.xacro')).read()\n    return a\n",
      'arm/urdf/arm.xacro': ROBOT.format('<xacro:property name="a" value="1"/>', 'a')},
     {'arm/launch/a.launch.py': "def generate_launch_description():\n    open('a').read()\n    "
      "return get_xacro_content(join(get_package_share_directory('arm'), 'urdf', 'arm.xacro'))\n",
      'arm/urdf/arm.xacro': ROBOT.format('<xacro:property name="a" value="1"/>', 'a')},
     "'arm.xacro' is read as a text, without xacro"),
    (of_robot(ARM.format(LIMIT.format(1, 9), *3 * [LIMIT.format(9, 1)])),
     of_robot(ARM.format(*2 * [LIMIT.format(1, 9)], *2 * [LIMIT.format(9, 1)])),
     "'a' has effort and velocity swapped"),
    (of_robot(ARM.format(LIMIT.format(80, 98), *3 * [LIMIT.format(90, 100)])),
     of_robot(ARM.format(*4 * [LIMIT.format(90, 100)])), '98 deg/s are 1.71 rad/s'),
    (of_robot(SENSOR.format('1e-41', '')), of_robot(SENSOR.format('1e-31', '')),
     "'1e-41' is too small for single precision"),
    (of_robot(SENSOR.format('1.57', '')), of_robot(SENSOR.format(
        '1.57', '<imu><orientation_reference_frame/></imu>')),
     "'imu' is turned against its parent"),
    (of_robot(WEBOTS.format('other'), more='URDFSpawner(name=a)'),
     of_robot(WEBOTS.format('eye'), more='URDFSpawner(name=a)'),
     "'eye' is a device that Webots does not make"),
    (of_robot(MESH, more="Node(package='gazebo_ros', executable='spawn_entity.py')"),
     {**of_robot(MESH, more="Node(package='gazebo_ros', executable='spawn_entity.py')"),
      'base/package.xml': '<package><name>base</name><export><gazebo_ros gazebo_model_path='
      '"${prefix}/.."/></export></package>'}, 'is not found by Gazebo Classic'),
    ({**SENT, 'arm/urdf/moveit_controllers.yaml': CONTROLLERS.format('a')},
     {**SENT, 'arm/urdf/moveit_controllers.yaml': CONTROLLERS.format('b, a')},
     "'b' is a joint of the controller in ros2_control, and is missing in that of MoveIt"),
    ({'arm/config/joint_limits.yaml': 'joint_limits:\n  a:\n    max_velocity:1\n    b:true\n'},
     {'arm/config/joint_limits.yaml': 'joint_limits:\n  a: "http://b:80"\n  b: from:=to\n'},
     "'max_velocity:1' has no space after its colon")])
def test_package_that_launches_a_robot(tmp_path, wrong, right, said):
    assert any(said in each for each in told(tmp_path / 'wrong', wrong))
    assert not any(said in each for each in told(tmp_path / 'right', right))


@pytest.mark.parametrize(('pose', 'is_wrong'), [('0 0 1 0 0 0', True), ('0 0 0 0 0 0', False)])
def test_model_that_the_state_publisher_refuses(tmp_path, pose, is_wrong):
    for name, text in {'package.xml': MANIFEST.format('a'), 'launch/a.launch.py': LAUNCH.replace(
            'arm.xacro', 'a.sdf').format('', '', ''), 'models/a.sdf':
            f'<sdf version="1.9"><model name="a"><pose>{pose}</pose></model></sdf>'}.items():
        (tmp_path / 'arm' / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / 'arm' / name).write_text(text)
    found = [each.message for each in validate(tmp_path / 'arm' / 'package.xml').findings]
    assert any('refused by sdformat_urdf' in each for each in found) == is_wrong, found
