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

"""Mistakes of packages for MoveIt, and of how launch files get the description."""

import pytest

from urdf_tools.check.validator import validate

URDF = """\
<robot name="arm">
  <link name="{root}"/><link name="base"/><link name="upper"/>
  <joint name="foot" type="fixed"><parent link="{root}"/><child link="base"/></joint>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/></joint>
  <ros2_control name="a" type="system"><hardware><plugin>{plugin}</plugin></hardware>
    <joint name="shoulder"><command_interface name="position"/>
      <state_interface name="position"/></joint></ros2_control>
</robot>
"""

SRDF = """\
<robot name="arm"><group name="all"><chain base_link="base" tip_link="upper"/></group>
<virtual_joint name="v" type="fixed" parent_frame="{frame}" child_link="base"/>
<disable_collisions link1="base" link2="upper" reason="Adjacent"/></robot>
"""

CONTROLLERS = """\
moveit_controller_manager: {manager}
moveit_simple_controller_manager:
  controller_names: [arm_controller, {other}]
  arm_controller: {{type: FollowJointTrajectory, action_ns: a, joints: [shoulder]}}
  {other}: {{type: FollowJointTrajectory, action_ns: a, joints: [shoulder]}}
"""

MANIFEST = """\
<package><name>arm</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>controller_manager</exec_depend><exec_depend>{}</exec_depend></package>
"""

DEMO = """\
def generate_launch_description():
    config = MoveItConfigsBuilder('arm', package_name='arm').to_moveit_configs(){}
    return generate_demo_launch(config)
"""

LAUNCH = """\
def generate_launch_description():
    path = get_package_share_directory('arm') + '/config/arm.urdf'
    {}
    return LaunchDescription([{}])
"""

SPAWNED = "Node(package='controller_manager', executable='spawner', arguments=['{}'])"

SIMPLE = 'moveit_simple_controller_manager/MoveItSimpleControllerManager'
GAZEBO, MOCK = 'gz_ros2_control/GazeboSimSystem', 'mock_components/GenericSystem'


def said(folder, launch='', *, plugin=MOCK, root='world', frame='world', manager=SIMPLE,
         other='arm_controller', package='moveit_simple_controller_manager', **files):
    """Return what is said about a package, in one text."""
    texts = {
        'package.xml': MANIFEST.format(package), 'config/arm.srdf': SRDF.format(frame=frame),
        'config/arm.urdf': URDF.format(root=root, plugin=plugin), 'launch/demo.launch.py': launch,
        'config/moveit_controllers.yaml': CONTROLLERS.format(manager=manager, other=other),
        'CMakeLists.txt': 'install(DIRECTORY config launch DESTINATION share/arm)', **files}
    for name, text in texts.items():
        (folder / 'arm' / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / 'arm' / name).write_text(text)
    return ' '.join(f'{each.message}. {each.hint}' for each in validate(
        folder / 'arm' / 'config' / 'arm.urdf').findings)


@pytest.mark.parametrize(('before', 'given', 'is_wrong'), [
    ('text = xacro.process_file(path).toxml()', "['xacro', ' ', text]", True),
    ("text = xacro.process_file(path).toprettyxml(indent='  ')", "['xacro ', text]", True),
    ('text = xacro.process_file(path)', "['xacro ', text]", True),
    ('text = xacro.process_file(path).toxml()', "['xacro ', path]", False),
    ('text = path', "['xacro ', text]", False),
])
def test_command_of_a_text(tmp_path, before, given, is_wrong):
    found = said(tmp_path, LAUNCH.format(before, f'Command({given})'))
    assert ("'text' is the text that xacro made" in found) == is_wrong


@pytest.mark.parametrize(('more', 'plugin', 'is_wrong'), [
    ('', GAZEBO, True), ('', MOCK, False),
    (".robot_description(mappings={'a': 'b'})", GAZEBO, False)])
def test_demo_of_a_simulated_robot(tmp_path, more, plugin, is_wrong):
    found = said(tmp_path, DEMO.format(more), plugin=plugin)
    assert (f"of the demo cannot load '{GAZEBO}'" in found) == is_wrong


@pytest.mark.parametrize(('spawned', 'other', 'is_wrong'), [
    ('arm_controller', 'hand_controller', True), ('arm_controller', 'arm_controller', False),
    ('third_controller', 'hand_controller', False)])
def test_controllers_that_nothing_starts(tmp_path, spawned, other, is_wrong):
    found = said(tmp_path, LAUNCH.format('', SPAWNED.format(spawned)), other=other)
    assert ("No launch file starts controller 'hand_controller' of MoveIt, only 'arm_controller'"
            in found) == is_wrong


@pytest.mark.parametrize(('manager', 'package', 'name'), [
    ('moveit_ros_control_interface/Ros2ControlManager', 'any', 'moveit_ros_control_interface'),
    (SIMPLE, 'any', 'moveit_simple_controller_manager'), (SIMPLE, 'moveit_plugins', None),
    ('own_manager/Manager', 'any', None)])
def test_package_of_the_manager(tmp_path, manager, package, name):
    found = said(tmp_path, manager=manager, package=package)
    assert (f"'{name}' has the plugin that is named here" in found) == (name is not None)


@pytest.mark.parametrize(('frame', 'root', 'is_wrong'), [
    ('odom', 'world', True), ('world', 'world', False), ('world', 'table', True)])
def test_virtual_joint(tmp_path, frame, root, is_wrong):
    found = said(tmp_path, frame=frame, root=root)
    assert ('which is not the root of the robot' in found) == is_wrong


@pytest.mark.parametrize(('more', 'files', 'is_missing'), [
    ('', {'config/cell.urdf.xacro': '<robot/>'}, True),
    ('', {'config/cell.urdf': '<robot/>'}, False),
    ('', {'config/cell.urdf.xacro': '<robot/>', 'CMakeLists.txt': 'xacro_add_files(a)'}, False),
    ("open('cell.urdf', 'w')", {'config/cell.urdf.xacro': '<robot/>'}, False)])
def test_description_before_xacro(tmp_path, more, files, is_missing):
    launch = LAUNCH.format(more, "get_package_share_directory('arm') + '/config/cell.urdf'")
    found = said(tmp_path, launch, **files)
    assert ("'config/cell.urdf' does not exist in arm. Did you mean 'config/cell.urdf.xacro'?"
            in found) == is_missing


def test_brace_that_is_not_closed(tmp_path):
    (tmp_path / 'a.xacro').write_text(
        '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="${a"/></robot>')
    finding, = validate(tmp_path / 'a.xacro').findings
    assert finding.message.endswith('invalid expression: ${a')
    assert finding.hint.startswith('Close the brace')


@pytest.mark.parametrize('is_wrong', [True, False])
def test_controllers_beside_the_manager(tmp_path, is_wrong):
    text = CONTROLLERS.format(manager=SIMPLE, other='b')
    found = said(tmp_path, **{'config/moveit_controllers.yaml': text if not is_wrong else ''.join(
        line.removeprefix('  ') + '\n' for line in text.splitlines()
        if line != 'moveit_simple_controller_manager:')})
    assert ("'controller_names' is not below moveit_simple_controller_manager" in found
            ) == is_wrong


@pytest.mark.parametrize('is_wrong', [True, False])
def test_limits_of_accelerations(tmp_path, is_wrong):
    node = ("Node(package='moveit_ros_move_group', executable='move_group', parameters=["
            "{'robot_description': a, 'robot_description_semantic': b}])")
    found = said(tmp_path, LAUNCH.format('', node), **{} if is_wrong else {
        'config/joint_limits.yaml': 'joint_limits: {}\n'})
    assert ("'move_group' gets no joint_limits.yaml" in found) == is_wrong


def test_eval_of_roslaunch(tmp_path):
    (tmp_path / 'a.xacro').write_text(
        '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="a" '
        'value="$(eval find(arg(\'b\') + \'c\'))"/><link name="${a}"/></robot>')
    finding, = validate(tmp_path / 'a.xacro').findings
    assert '$(eval ...) of roslaunch' in finding.hint
