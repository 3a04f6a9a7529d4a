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

"""The rule about mistakes that a table lists, and the table."""

import pytest

from urdf_tools.check.launch_files import LaunchFile
from urdf_tools.check.rules.known_mistakes import mistakes
from urdf_tools.check.rules.known_mistakes import rows
from urdf_tools.check.validator import validate
from urdf_tools.findings.finding import Severity

URDF = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/>
    <dynamics damping="1"/></joint>
  {}
</robot>
"""

MANIFEST = """\
<package><name>arm</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>controller_manager</exec_depend><exec_depend>robot_state_publisher</exec_depend>
<exec_depend>any</exec_depend><exec_depend>ros2_controllers</exec_depend></package>
"""

LAUNCH = """\
def generate_launch_description():
    share = get_package_share_directory('arm')
    return LaunchDescription([{}])
"""

PUBLISHER = "Node(package='robot_state_publisher', executable='robot_state_publisher'{})"


def found(folder, more='', launch='', codes=('known-mistake', 'parameter-type'), **files):
    """Return what the rule finds in a package: file, line, severity and texts."""
    files = {'urdf/arm.urdf': URDF.format(more), 'package.xml': MANIFEST, **files}
    if launch:
        files['launch/a.launch.py'] = LAUNCH.format(launch)
    for name, text in files.items():
        (folder / 'arm' / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / 'arm' / name).write_text(text)
    return [(each.file('').rpartition('/')[2] or 'arm.urdf', each.line, each.severity,
             f'{each.message}. {each.hint}') for each in validate(
                 folder / 'arm' / 'urdf' / 'arm.urdf').findings if each.code in codes]


def test_mistakes_are_xpath_and_sentences():
    for row in rows():
        rules = row.get('rule', 'known-mistake').split()
        assert all(row in [each.row for each in mistakes(rule)] for rule in rules)
        is_listed = {'known-mistake', 'ros-1'} & {*rules}
        assert {'at', *(('says', 'write') if is_listed else ('template',))} <= (
            row.keys()) <= {
            'at', 'if', 'name', 'more', 'near', 'place', 'says', 'write', 'since', 'error', 'info',
            'program', 'meets', 'of', 'report', 'rule', 'template', 'values', 'free', 'hint',
            'warn', 'first', 'consequences'}
        assert ('program' in row) == ('meets' in row)
        assert row.get('since', 'humble') in ('humble', 'jazzy', 'kilted', 'lyrical')


@pytest.mark.parametrize(('launch', 'said'), [
    (PUBLISHER.format(''), 'gets no robot_description'),
    (PUBLISHER.format(", parameters=[{'use_sim_time': True}]"), 'gets no robot_description'),
    (PUBLISHER.format(", parameters=[{'robot_description': text}]"), None),
    (PUBLISHER.format(', parameters=given'), None), (PUBLISHER.format(', **given'), None),
    (PUBLISHER.format(", arguments=['a.urdf']"), None),  # It is another description.
    (PUBLISHER.format(", arguments=['arm.urdf']"), None),  # Nothing asks for the parameter.
    (PUBLISHER.format(", parameters=[{'robot_description': share + '/urdf/arm.urdf'}]"),
     'is the path of a file'),
    ("WebotsController(parameters=[{'robot_description': share + '/urdf/arm.urdf'}])", None),
    (PUBLISHER.format(", parameters=[{'robot_description': open(share + '/a.urdf').read()}]"),
     None),
    ("Node(package='robot_state_publisher', executable='state_publisher')",
     'Write executable robot_state_publisher'),
    ("Node(package='controller_manager', executable='ros2_control_node', "
     "parameters=[{'robot_description': text}])", 'From Jazzy on'),
    ("Node(package='other', executable='a')", 'package.xml does not depend on it'),
    ("FindPackageShare('any')", None),
    ("os.path.join(share, 'launch', 'a.launch.py')", None),
    ("os.path.join(share, 'launch', 'b.launch.py')", "Did you mean 'launch/a.launch.py'?"),
    ("Path(share) / 'config' / name", None), ("f'{share}/config/{name}.yaml'", None),
    ("f'{share}/config/b.yaml'", "'config/b.yaml' does not exist in arm"),
    ("f'{share}/config/arm_user_params.yaml'", None),  # Which users write if they want to.
    ("'config/' + name + '.yaml'", None),
    ("DeclareLaunchArgument('c'), PathJoinSubstitution([LaunchConfiguration('a'), 'b'])",
     "'a' is no argument that a launch"),
    ("LaunchConfiguration('a')", None),  # Another file, which includes this one, may give it.
    ("{'a': LaunchConfiguration('a', default='b')}", None),
    ("DeclareLaunchArgument('c'), {'a': LaunchConfiguration(variable_name='a')}",
     "'a' is no argument that a launch"),
    ("SetLaunchConfiguration('a', b), LaunchConfiguration('a')", None),
    ("argument('a'), LaunchConfiguration('a')", None),
    ("IncludeLaunchDescription(a), LaunchConfiguration('a')", None),
    ("DeclareLaunchArgument(name), LaunchConfiguration('a')", None),
    ("'/home/me/ws/src/arm/a.rviz'", 'is a path of one machine'),
    ("MoveItConfigsBuilder('arm', package_name='arm')", "'config/arm.srdf' does not exist"),
    ("MoveItConfigsBuilder('arm', package_name='arm').robot_description_semantic("
     "file_path='urdf/arm.urdf')", None),
    ("MoveItConfigsBuilder('arm', package_name='arm').robot_description_semantic("
     "file_path='urdf/b.srdf')", "'urdf/b.srdf' does not exist"),
    ("Node(package='any', executable='move_group', parameters=[load('kinematics.yaml')])", None),
    (PUBLISHER.format(", parameters=[{'robot_description': text, 'tf_prefix': 'a'}]"),
     "'tf_prefix' is no parameter"),
    (PUBLISHER.format(", parameters=[{'robot_description': process_file(a, mappings={"
                      "'tf_prefix': 'a'}).toxml()}]"), None),
    ("DeclareLaunchArgument('a', default_value='0 0 0'), Command([b, ' a:=', "
     "LaunchConfiguration('a')])", 'quotation marks'),
    ("DeclareLaunchArgument('a', default_value='0 0 0'), Command([b, ' a:=\"', "
     "LaunchConfiguration('a'), '\"'])", None),
    ("DeclareLaunchArgument('a', default_value='0'), Command([b, ' a:=', "
     "LaunchConfiguration('a')])", None)])
def test_launch_file(tmp_path, launch, said):
    told = found(tmp_path, launch=launch)
    assert len(told) == (said is not None)
    assert all(each[:2] == ('a.launch.py', 3) and said in each[3] for each in told)


@pytest.mark.parametrize(('name', 'text', 'line'), [
    ('a.launch.py', 'def generate(:\n    LaunchDescription()', 1),
    ('a.launch.xml', '<launch>\n  <arg name="a default="b"/>\n</launch>', 2),
    ('a.launch.yaml', 'launch:\n- node: {pkg: [}', 2),
    ('a.launch.xml', '<launch>\n  <node pkg="any" exec="a"/>\n</launch>', None),
    ('a.launch.xml', '<launch>\n  <node pkg="any" exec="a" type="a"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <let name="a" value="$(find any)/b"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <node pkg="any" exec="a" nam="a"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <node pkg="any"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <node pkg="any" exec="a" if="$(var b)"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <include file="a"><arg name="b"/></include>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <arg name="a" value="b"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <executable name="a"/>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <group><param name="a" value="b"/></group>\n</launch>', 2),
    ('a.launch.xml', '<launch>\n  <group scoped="false">\n  <set_remap from="a" to="b"/>'
     '<push_ros_namespace namespace="c"/><timer period="2"/></group>\n</launch>', None),
    ('a.launch.py', 'from launch import LaunchDescription\n\nLaunchDescription([])\n', 1),
    ('a.launch.py', 'def generate_launch_description():\n    LaunchDescription([])\n', 1),
    ('a.launch.xml', '<launch>\n  <arg name="b"/><let name="a" value="$(var b)"/>\n</launch>',
     None),
    ('a.launch.xml', '<launch>\n  <include file="b"/><let name="a" value="$(var b)"/>\n</launch>',
     None),
    ('a.launch.xml', '<launch>\n  <let name="a" value="$(command \'xacro.py b\')"/>\n</launch>',
     2),
    ('a.launch.xml', '<launch>\n  <node pkg="xacro" exec="xacro.py"/>\n</launch>', 2),
    ('a.launch.yaml', 'launch:\n- node:\n    pkg: rviz2\n    exec: rviz\n', 2)])
def test_languages(tmp_path, name, text, line):
    manifest = MANIFEST.replace('any', 'any</exec_depend><exec_depend>xacro</exec_depend>'
                                '<exec_depend>rviz2')
    told = found(tmp_path, **{f'launch/{name}': text, 'package.xml': manifest})
    assert [each[:2] for each in told] == ([] if line is None else [(name, line)])


@pytest.mark.parametrize(('folder', 'marker', 'number'), [
    ('src', '.git', 0), ('src/robots', '.git', 0), ('src', 'other', 1)])
@pytest.mark.parametrize('text', ['ROS 2 Humble', 'Robots for\nHumble'])
def test_release_of_a_checkout(tmp_path, folder, marker, number, text):
    (tmp_path / marker).mkdir()
    (tmp_path / 'README.md').write_text(text)
    told = found(tmp_path / folder, codes=['parameter-unknown'], **{
        'config/a.yaml': CONTROLLERS.format('', TRAJECTORY, 'start_with_holding: true')})
    assert len(told) == number


@pytest.mark.parametrize('name', ['Dockerfile', '.github/workflows/ci.yaml'])
def test_release_of_the_tools_of_a_checkout(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / '.git').mkdir()
    file.write_text('ROS_DISTRO: humble')
    broken = {'config/a.yaml': CONTROLLERS.format('', TRAJECTORY, 'start_with_holding: true')}
    assert not found(tmp_path / 'robots', codes=['parameter-unknown'], **broken)
    file.rename(file.with_name('other'))
    assert found(tmp_path / 'robots', codes=['parameter-unknown'], **broken)


@pytest.mark.parametrize(('since', 'readme', 'number'), [
    ('humble', '', 1), ('jazzy', '', 0), ('jazzy', 'ROS 2 Humble', 0),
    ('jazzy', 'Humble and Jazzy', 1), ('lyrical', 'Jazzy', 0)])
def test_releases(tmp_path, since, readme, number):
    use = {'humble': 'joint_state_controller', 'jazzy': 'ros_ign_bridge'}.get(since)
    text = MANIFEST.replace('any', use) if use else MANIFEST
    first, _, second = readme.partition(' and ')
    told = found(tmp_path, **{'package.xml': text, 'README.md': first, 'SETUP.md': second,
                              'config/a.yaml': CONTROLLERS.format(
                                  '', 'position_controllers/JointGroupPositionController', '')})
    assert len([each for each in told if since.title() in each[3]]) == number


CONTROLLERS = """\
controller_manager:
  ros__parameters:
    update_rate: 100
    arm:
      {}type: {}
arm:
  ros__parameters:
    joints: [shoulder]
    command_interfaces: [position]
    state_interfaces: [position]
    {}
"""

TRAJECTORY = 'joint_trajectory_controller/JointTrajectoryController'


@pytest.mark.parametrize(('above', 'below', 'said'), [
    ('', 'constraints: {goal_time: 0}', 'integer'), ('', 'constraints: {goal_time: 0.0}', None),
    ('', 'interface_name: position', 'command_interfaces'),
    ('joints: [shoulder]\n      ', '', 'below controller_manager')])
def test_parameters(tmp_path, above, below, said):
    told = found(tmp_path, **{'config/a.yaml': CONTROLLERS.format(above, TRAJECTORY, below)})
    assert len(told) == (said is not None)
    assert all(each[0] == 'a.yaml' and said in each[3] for each in told)


@pytest.mark.parametrize(('kind', 'lines', 'said'), [
    (TRAJECTORY, 'joints: [shoulder]\n    command_interfaces: [position]',
     'has joints, but no state_interfaces'),
    (TRAJECTORY, 'command_interfaces: [position]', None),
    ('diff_drive_controller/DiffDriveController', 'left_wheel_name: [shoulder]\n    '
     'right_wheel_names: [shoulder]\n    wheel_separation: 1.0\n    wheel_radius: 0.1',
     'has no left_wheel_names'),
    ('diff_drive_controller/DiffDriveController', 'left_wheel_names: [shoulder]\n    '
     'right_wheel_name: [shoulder]\n    wheel_separation: 1.0\n    wheel_radius: 0.1',
     'has no right_wheel_names'),
    ('position_controllers/GripperActionController', 'joints: [shoulder]', 'but no joint'),
    ('position_controllers/GripperActionController', 'joint: shoulder', None)])
def test_parameters_that_are_needed(tmp_path, kind, lines, said):
    told = found(tmp_path, **{'README.md': 'Humble', 'config/a.yaml': CONTROLLERS.replace(
        CONTROLLERS[CONTROLLERS.index('joints'):], lines).format('', kind)})
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('name', 'text', 'number'), [
    ('include', 'filename="b.xacro" prefix="a"', 1), ('include', 'filename="b.xacro" ns="a"', 0),
    ('property', 'name="a" value="1" units="m"', 1), ('property', 'name="a" value="1"', 0),
    ('macro', 'name="a" params="b:=$(arg c)"', 1), ('macro', 'name="a" params="b c:=1"', 0)])
def test_attributes_of_xacro(tmp_path, name, text, number):
    (tmp_path / 'b.xacro').write_text('<robot/>')
    path = tmp_path / 'arm.urdf.xacro'
    path.write_text(f'<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="l"/>'
                    f'<xacro:{name} {text}/></robot>')
    assert [each.code for each in validate(path).findings].count('known-mistake') == number


@pytest.mark.parametrize(('line', 'number'), [('{}', 1), ('<!-- {} -->', 0)])
def test_dependencies_in_comments(tmp_path, line, number):
    line = line.format('<exec_depend>gazebo_ros_control</exec_depend>')
    told = found(tmp_path, **{'package.xml': MANIFEST.replace('</package>', f'{line}</package>')})
    assert len(told) == number


def test_states(tmp_path):
    part = CONTROL.format('a/B').replace('<state_interface name="position"/>', '')
    assert ['<state_interface>' in each[3] for each in found(tmp_path, part)] == [True]


def test_a_class_that_is_not_exported(tmp_path):
    (one,) = found(tmp_path, CONTROL.format('arm/Arm'), **{
        'plugins.xml': PLUGINS, 'CMakeLists.txt': 'install(TARGETS arm_hardware)'})
    assert 'pluginlib_export_plugin_description_file' in one[3]


@pytest.mark.parametrize(('arguments', 'number'), [
    ("['arm']", 0), ("['amr']", 1), ("['amr', '-p', file]", 0), ('names', 0)])
def test_spawned_controllers(tmp_path, arguments, number):
    told = found(
        tmp_path, launch="Node(package='controller_manager', executable='spawner', "
        f'arguments={arguments})', **{'config/a.yaml': CONTROLLERS.format('', TRAJECTORY, '')})
    assert [each[3] for each in told] == [
        "'amr' has no type in the files of the packages, so that it cannot be spawned. "
        "Did you mean 'arm'?"] * number


@pytest.mark.parametrize(('file', 'node', 'said'), [
    ('a: {b: 1.0}', '', 'no ros__parameters'), ('/**: {ros__parameters: {b: 1}}', '', None),
    ('n: {ros__parameters: {b: 1}}', "name='n', ", None),
    ('n: {ros__parameters: {b: 1}}', "name='m', ", 'has no parameters of the node m'),
    ('r: {n: {ros__parameters: {b: 1}}}', "name='n', namespace='r', ", None),
    ('r:\n  n:\n    ros__parameters: {b: 1}', "name='n', namespace='r', ", None),
    ('/r/n:\n  ros__parameters: {b: 1}', "name='n', ", None)])
def test_files_of_parameters(tmp_path, file, node, said):
    told = found(tmp_path, launch=f"Node(package='any', executable='a', {node}"
                 "parameters=[os.path.join(share, 'config', 'p.yaml')])",
                 **{'config/p.yaml': file})
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('cmake', 'number'), [
    ('add_executable(driver a.cpp)', 1), ('add_executable(a a.cpp)', 0),
    ('file(GLOB all *.cpp)', 0), ('install(PROGRAMS scripts/a.py DESTINATION lib/arm)', 0),
    ('add_executable(${PROJECT_NAME} b.cpp)', 1)])
def test_executables_of_the_package(tmp_path, cmake, number):
    told = found(tmp_path, launch="Node(package='arm', executable='a')",
                 **{'CMakeLists.txt': cmake})
    assert len(told) == number


CONTROL = ('<ros2_control name="c" type="system"><hardware><plugin>{}</plugin></hardware>'
           '<joint name="shoulder"><state_interface name="position"/></joint></ros2_control>')

EXPORT = '\npluginlib_export_plugin_description_file(hardware_interface plugins.xml)'

PLUGINS = '<library path="arm_hardware"><class name="arm/Arm" type="a"/></library>'


@pytest.mark.parametrize(('plugin', 'cmake', 'said'), [
    ('arm/Arm', 'add_library(arm_hardware SHARED a.cpp)\ninstall(TARGETS arm_hardware)', None),
    ('arm/Arm', 'add_library(arm_hardware SHARED a.cpp)', 'does not install it'),
    ('arm/Amr', '', "Did you mean 'arm/Arm'?"), ('old/Arm', '', "Did you mean 'arm/Arm'?"),
    ('other/Hardware', '', None)])
def test_hardware(tmp_path, plugin, cmake, said):
    told = found(tmp_path, CONTROL.format(plugin), **{
        'plugins.xml': PLUGINS, 'CMakeLists.txt': cmake + EXPORT})
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('folders', 'more', 'number'), [
    ('urdf', '', 0), ('urdf launch', '', 1), ('${all}', '', 0), ('launch', ' OPTIONAL', 0),
    ('launch', ' FILES_MATCHING PATTERN "*.py"', 0), ('launch', ' PATTERN "*.md" EXCLUDE', 1)])
def test_absent_folder(tmp_path, folders, more, number):
    told = found(tmp_path, **{
        'CMakeLists.txt': f'install(DIRECTORY {folders} DESTINATION share/arm{more})'})
    assert [each[:3] for each in told] == [('CMakeLists.txt', 1, Severity.ERROR)] * number


def test_control_inside_another_element(tmp_path):
    (one,) = found(tmp_path, f'<gazebo>{CONTROL.format("a/B")}</gazebo>')
    assert 'below <robot>' in one[3]


@pytest.mark.parametrize(('joints', 'beside', 'number'), [
    ('[shoulder]', '[]', 0), ('[other]', '[]', 1), ('[other]', '[shoulder]', 0)])
def test_group_without_a_controller(tmp_path, joints, beside, number):
    told = found(tmp_path, **{
        'config/gripper_moveit_controllers.yaml': f'a: {{joints: {beside}}}',
        'urdf/arm.srdf': '<robot name="arm"><group name="all"><joint name="shoulder"/></group>'
                         '</robot>',
        'urdf/moveit_controllers.yaml': 'moveit_simple_controller_manager:\n'
                                        f'  all: {{action_ns: a, joints: {joints}}}\n'})
    assert ["'shoulder' is in no controller" in each[3] for each in told] == [True] * number


@pytest.mark.parametrize('text', [
    'a = a + "x"\nb = Path(a, a)', 'x = [x]\nNode(parameters=[*x])', '\0', 'Node(' * 200])
def test_strange_files(tmp_path, text):
    told = found(tmp_path, **{'launch/a.launch.py': f'LaunchDescription()\n{text}'})
    assert isinstance(told, list)


@pytest.mark.parametrize('name, text', [
    ('a.launch.py', f'a = b{".c" * 5000}'), ('a.launch.py', 'a = 1\0'),
    ('a.launch.py', f'a = {"(" * 5000}'), ('a.launch.xml', '<launch>'),
    ('a.launch.yaml', f'launch: {"[" * 5000}')])
def test_launch_files_that_cannot_be_read(name, text):
    assert LaunchFile(name, text).error is not None


@pytest.mark.parametrize(('node', 'text', 'said'), [
    ('planner_server', 'a: {plugin: nav2_navfn_planner/NavfnPlanner}', 'two colons'),
    ('planner_server', 'a: {plugin: nav2_navfn_planner::NavfnPlanner}', None),
    ('bt_navigator', 'plugin_lib_names: [nav2_compute_path_to_pose_action_bt_node]', 'twice'),
    ('bt_navigator', 'plugin_lib_names: [own_action_bt_node]', None),
    ('amcl', 'robot_model_type: differential', 'DifferentialMotionModel'),
    ('local_costmap', 'footprint: [[0.1, 0.1], [0.1, -0.1]]', 'a text in quotes'),
    ('local_costmap', "footprint: '[[0.1, 0.1], [0.1, -0.1]]'", None),
    ('local_costmap', 'robot_radius: 1', 'decimal point'),
    ('local_costmap', 'robot_radius: 1.0', None),
    ('any', 'values: [1.0, 0, 2.5]', 'of the same type'), ('any', 'values: [1, 0, 2]', None),
    ('any', 'values: [-1.0, 1e-3, .5]', None), ('any', 'values: [v1.0, 1]', None),
    ('any', 'values: [[1], [2]]', 'list of lists'), ('any', 'values: [{a: [1]}]', None),
    ('ekf', f'odom0_config: {["true"] * 12}'.replace("'", ''), '15 values'),
    ('ekf', f'odom0_config: {["true"] * 15}'.replace("'", ''), None),
    ('ekf', f'imu0_config: {["true"] * 15}'.replace("'", ''), 'measures none'),
    ('ekf', 'odom0: odom', 'no input has a configuration'),
    ('amcl', 'max_beams: 60.0', 'its type is an integer'), ('amcl', 'max_beams: 60', None),
    ('docking_server', 'controller_frequency: 50', 'with a decimal point'),
    ('controller_server', 'a: {plugin: "nav2_mppi_controller::MPPIController", temperature: 1}',
     'is an integer'),
    ('controller_server', 'a: {plugin: "own::Controller", temperature: 1}', None),
    ('planner_server', 'a: {plugin: "nav2_smac_planner::SmacPlannerHybrid", max_iterations: 1.0}',
     'its type is an integer'),
    ('ekf', 'frequency: 30', 'decimal point'), ('ekf', 'frequency: 30.0', None)])
def test_parameters_of_navigation(tmp_path, node, text, said):
    told = found(tmp_path, **{
        'config/a.yaml': f'{node}:\n  ros__parameters:\n    two_d_mode: true\n    {text}\n'})
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


def test_description_as_an_argument(tmp_path):
    (one,) = found(tmp_path, '<gazebo><plugin name="a" filename="b"/></gazebo>',
                   PUBLISHER.format(", arguments=['arm.urdf']"))
    assert 'as an argument' in one[3]


def test_lists_of_other_programs(tmp_path):
    assert found(tmp_path, **{'maps/a.yaml': 'image: a.pgm\norigin: [-2.06, -6.84, 0]\n',
                              'config/calibration.yaml': 'matrix: [[1, 0], [0, 1]]\n',
                              'config/simulation.yaml': 'frequency: 1000\n',
                              'config/driver.yaml': 'driver: {ros__parameters: {frequency: 9}}\n'
                              }) == []


def test_parameters_beside_their_table(tmp_path):
    (one,) = found(tmp_path, **{'config/a.yaml': 'ekf:\n  ros__parameters:\n  frequency: 30.0\n'})
    assert one[:3] == ('a.yaml', 2, Severity.ERROR) and 'Indent' in one[3]


@pytest.mark.parametrize(('node', 'said'), [
    ("package='rviz2', executable='rviz2'", 'without -d'),
    ("package='rviz2', executable='rviz2', arguments=['-d', path]", None),
    ("package='slam_toolbox', executable='a', parameters=[{'b': 1}]", 'base_footprint'),
    ("package='slam_toolbox', executable='a', parameters=[{'base_frame': 'base'}]", None),
    ("package='slam_toolbox', executable='a', parameters=['a.yaml']", None),
    *((f"package='tf2_ros', executable='static_transform_publisher', arguments={arguments}", said)
      for arguments, said in (
          (['--x', '1', '-- yaw', '0', '--frame-id', 'a', '--child-frame-id', 'b'], 'a space'),
          (['--x', '-1', '--frame-id', 'a', '--child-frame-id', 'b'], None),
          (['0 0 0 0 0 0 a b'], 'one text'), ([*'000000', 'a', 'b', '100'], 'period'),
          ([*'000000', 'a', 'b'], 'without names'), ([*'0000001', 'a', 'b'], 'without names')))])
def test_started_nodes(tmp_path, node, said):
    told = found(tmp_path, launch=f'Node({node})', **{'package.xml': MANIFEST.replace(
        'any', 'rviz2</exec_depend><exec_depend>slam_toolbox</exec_depend><exec_depend>tf2_ros')})
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('more', 'nodes', 'number'), [
    ('', ('rviz2',), 1), ('', ('rviz2', 'joint_state_publisher'), 0), ('', ('rviz2', 'other'), 0),
    ('<gazebo/>', ('rviz2',), 0), ('', (), 0)])
def test_joints_that_nothing_reports(tmp_path, more, nodes, number):
    launch = ', '.join((PUBLISHER.format(", parameters=[{'robot_description': text}]"), *(
        f"Node(package='any', executable='{each}', arguments=['-d', path])" for each in nodes)))
    assert sum('joint states' in each[3] for each in found(
        tmp_path, more, launch=launch)) == number


@pytest.mark.parametrize(('line', 'said'), [
    ('Fixed Frame: Base', "Did you mean 'base'?"), ('Fixed Frame: base', None),
    ('Fixed Frame: map', None), ('- Class: rviz/RobotModel', 'ROS 1'),
    ('- Class: rviz_default_plugins/RobotModel', None)])
def test_configuration_of_rviz(tmp_path, line, said):
    told = found(tmp_path, **{'rviz/a.rviz': f'Visualization Manager:\n  {line}\n'})
    assert [each[1] for each in told] == [2] * (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('other', 'number'), [('Base', 0), ('other', 1)])
def test_view_of_another_robot_of_the_package(tmp_path, other, number):
    told = found(tmp_path, **{
        'rviz/a.rviz': 'Visualization Manager:\n  Fixed Frame: Base\n',
        'urdf/z.urdf': f'<robot name="z"><link name="{other}"/></robot>'})
    assert len(told) == number


@pytest.mark.parametrize(('frame', 'node', 'number'), [
    ('map', 'joint_state_publisher', 1), ('base', 'joint_state_publisher', 0),
    ('map', 'driver', 0), ('map', 'rviz2', 0), ('odom', 'joint_state_publisher', 1),
    ('map', "joint_state_publisher'), IncludeLaunchDescription('a", 0),
    ('map', "joint_state_publisher'), Node(executable='driver", 0),
    ('map', "joint_state_publisher', arguments=['--frame-id', 'map'], name='a", 0),
    ('map', "joint_state_publisher', parameters=['b.urdf'], name='a", 0)])
def test_fixed_frame_that_nothing_publishes(tmp_path, frame, node, number):
    launch = (f"open('arm.urdf'), Node(executable='robot_state_publisher'), Node(executable='"
              f"{node}'), Node(executable='rviz2', arguments=['-d', share + '/a.rviz'])")
    said = [each[3] for each in found(tmp_path, launch=launch, **{
        'rviz/a.rviz': f'Visualization Manager:\n  Fixed Frame: {frame}\n'})]
    assert sum('publishes it; the root of the robot is base' in each for each in said) == number


@pytest.mark.parametrize(('source', 'value', 'enabled', 'number'), [
    ('Topic', '""', 'true', 1), ('Topic', '/robot_description', 'true', 0),
    ('File', '""', 'true', 0), ('Topic', '""', 'false', 0)])
def test_robot_model_without_description(tmp_path, source, value, enabled, number):
    told = found(tmp_path, **{'rviz/a.rviz': f"""\
Visualization Manager:
  Displays:
    - Description Source: {source}
      Description Topic:
        Depth: 5
        Value: {value}
      Enabled: {enabled}
"""})
    assert [each[1] for each in told if 'Description Topic is empty' in each[3]] == [3] * number


@pytest.mark.parametrize(('names', 'more', 'node', 'number'), [
    ('<joint_name>a</joint_name>', '', 'create', 1), ('', '', 'create', 0),
    ('<joint_name>shoulder</joint_name>', '', 'create', 0),
    ('<joint_name>a</joint_name>', '', 'driver', 0),
    ('<joint_name>a</joint_name>', '{}</plugin>', 'create', 0),
    ('<joint_name>a</joint_name>', '<joint_name>shoulder</joint_name></plugin>', 'create', 0)])
def test_joint_states_of_some_joints(tmp_path, names, more, node, number):
    begin = ('<plugin filename="gz-sim-joint-state-publisher-system" '
             'name="gz::sim::systems::JointStatePublisher">')
    more = more and begin + more.format('')
    told = found(tmp_path, f'<gazebo>{begin}{names}</plugin>{more}</gazebo>', launch=', '.join(
        f"Node(executable='{each}')" for each in (node, 'robot_state_publisher')))
    assert sum('no transforms: shoulder' in each[3] for each in told) == number


@pytest.mark.parametrize(('value', 'other', 'number'), [
    ('False', 'rviz2', 1), ('True', 'rviz2', 0), ('False', 'ekf_node', 0),
    ('False', 'rtabmap', 0)])
def test_mapper_without_transform(tmp_path, value, other, number):
    launch = ("Node(package='rtabmap_slam', executable='rtabmap', parameters=[{'publish_tf': "
              f"{value}}}]), Node(package='any', executable='{other}')")
    assert sum('transform of map' in each[3] for each in found(
        tmp_path, launch=launch)) == number


@pytest.mark.parametrize(('frames', 'other', 'number'), [
    (['--frame-id', 'odom', '--child-frame-id', 'base_link'], 'rplidar_node', 1),
    ([*'0000000', 'odom', 'base_footprint'], 'rplidar_node', 1),
    (['--frame-id', 'odom', '--child-frame-id', 'base_link'], 'driver', 1),
    (['--frame-id', 'map', '--child-frame-id', 'odom'], 'rplidar_node', 0)])
def test_static_odometry(tmp_path, frames, other, number):
    launch = (f"Node(package='tf2_ros', executable='static_transform_publisher', arguments="
              f"{frames}), Node(executable='async_slam_toolbox_node'), Node(executable='{other}')")
    assert sum('odom as a static' in each[3] for each in found(
        tmp_path, launch=launch)) == number


@pytest.mark.parametrize(('node', 'number'), [
    ("'joint_state_publisher', parameters=[{'use_sim_time': True}]", 0),
    ("'joint_state_publisher'", 1), ("'robot_state_publisher', parameters=given", 0)])
def test_nodes_beside_gazebo(tmp_path, node, number):
    package = node.split("'")[1]
    launch = (f"Node(package='{package}', executable={node}), "
              "Node(package='ros_gz_sim', executable='create')")
    assert sum('another clock' in each[3] for each in found(tmp_path, launch=launch)) == number


@pytest.mark.parametrize(('nodes', 'number'), [
    ("'joint_state_broadcaster', Node(package='joint_state_publisher', executable='a')", 1),
    ("Node(package='joint_state_publisher', executable='a')", 0)])
def test_two_sources_of_joint_states(tmp_path, nodes, number):
    assert sum('two positions' in each[3] for each in found(tmp_path, launch=nodes)) == number


@pytest.mark.parametrize(('plugin', 'said'), [
    ('filename="libgazebo_ros_diff_drive.so"><publish_wheel_tf>false</publish_wheel_tf>',
     'publish_wheel_tf is false'),
    ('filename="libgazebo_ros_diff_drive.so"><publish_wheel_tf>true</publish_wheel_tf>', None),
    ('filename="gz-sim-diff-drive-system">', 'no joint states'),
    ('filename="gz-sim-diff-drive-system"></plugin>'
     '<plugin name="b" filename="gz-sim-joint-state-publisher-system">', None)])
def test_wheels_of_gazebo(tmp_path, plugin, said):
    told = found(tmp_path, f'<gazebo><plugin name="a" {plugin}</plugin></gazebo>')
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('frame', 'number'), [
    ('', 1), ('<frame_name>upper</frame_name>', 1), ('<frame_name>base</frame_name>', 0)])
def test_depth_camera_in_its_body(tmp_path, frame, number):
    told = found(tmp_path, '<gazebo reference="upper"><sensor name="s" type="depth"><plugin '
                 f'name="a" filename="libgazebo_ros_camera.so">{frame}</plugin></sensor></gazebo>')
    assert ['optical' in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('depend', 'number'), [('any', 1), ('xacro', 0)])
def test_launch_file_that_runs_xacro(tmp_path, depend, number):
    told = found(tmp_path, launch="Command(['xacro ', path])", **{
        'package.xml': MANIFEST.replace('any', depend).replace('controller_manager', 'rviz2')})
    assert ['depend' in each[3] for each in told] == [True] * number


FILTER = """\
ekf:
  ros__parameters:
    two_d_mode: true
    publish_tf: {}
    world_frame: {}
    odom0: odom
    odom0_config: [{}]
drive:
  ros__parameters:
    enable_odom_tf: {}
"""


@pytest.mark.parametrize(('publishes', 'world', 'drives', 'number'), [
    ('true', 'odom', 'true', 1), ('false', 'odom', 'true', 0), ('true', 'odom', 'false', 0),
    ('true', 'map', 'true', 0)])
def test_odometry_that_is_published_twice(tmp_path, publishes, world, drives, number):
    told = found(tmp_path, **{'config/a.yaml': FILTER.format(
        publishes, world, ', '.join(['true'] * 15), drives)})
    assert ['enable_odom_tf' in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('launch', 'said'), [
    ("Node(package='slam_toolbox', executable='sync_slam_toolbox_node', parameters=given)",
     'a life cycle and waits'),
    ("LifecycleNode(package='slam_toolbox', executable='sync_slam_toolbox_node', name='slam', "
     "namespace='', parameters=given)", None),
    ("Node(package='nav2_map_server', executable='map_server', name='map_server')",
     'no lifecycle_manager'),
    ("Node(package='nav2_map_server', executable='map_server'), "
     "Node(package='nav2_lifecycle_manager', executable='lifecycle_manager')", None)])
def test_nodes_that_are_never_activated(tmp_path, launch, said):
    told = [each for each in found(tmp_path, launch=launch) if 'depend' not in each[3]]
    assert len(told) == (said is not None)
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('name', 'number'), [('a.posegraph', 1), ('maps/a', 0)])
def test_name_of_a_saved_map(tmp_path, name, number):
    told = found(tmp_path, **{
        'config/a.yaml': f'slam_toolbox:\n  ros__parameters:\n    map_file_name: {name}\n'})
    assert ['extension' in each[3] for each in told] == [True] * number


MANAGER = ("Node(package='controller_manager', executable='ros2_control_node'{}, "
           "parameters=[{{'robot_description': text}}]), "
           "Node(package='controller_manager', executable='spawner', arguments=['a', '-c', '{}'])")


@pytest.mark.parametrize(('namespace', 'name', 'number'), [
    ('', '/simulated_manager', 1), ('', '/controller_manager', 0), ('', 'controller_manager', 0),
    ('', '/cell/controller_manager', 1), (", namespace='cell'", '/cell/controller_manager', 0),
    (', namespace=given', '/cell/controller_manager', 0),
    (", arguments=['driver.launch.py']", '/cell/controller_manager', 0)])
def test_spawner_of_another_manager(tmp_path, namespace, name, number):
    told = found(tmp_path, launch=MANAGER.format(namespace, name))
    assert ['is awaited' in each[3] for each in told if 'From Jazzy' not in each[3]
            and 'depend' not in each[3]] == [True] * number


_ACKERMANN = 'ackermann_steering_controller/AckermannSteeringController'

CAR = """\
controller_manager:
  ros__parameters:
    drive: {{type: {}}}
drive:
  ros__parameters:
    enable_odom_tf: {}
"""


@pytest.mark.parametrize(('remaps', 'spawns', 'kind', 'odom', 'said'), [
    ('', '', _ACKERMANN, 'true', 'nothing remaps'),
    ('', '', _ACKERMANN, 'false', None),
    ('', '', 'diff_drive_controller/DiffDriveController', 'true', None),
    (", remappings=[('~/tf_odometry', '/tf')]", '', _ACKERMANN, 'true', None),
    ('', ", remappings=[('/drive/tf_odometry', '/tf')]", _ACKERMANN, 'true', 'has no effect')])
def test_odometry_on_a_topic_of_its_own(tmp_path, remaps, spawns, kind, odom, said):
    told = [each[3] for each in found(
        tmp_path, launch=PUBLISHER.format(", parameters=[{'robot_description': text}]") + ', '
        f"Node(package='controller_manager', executable='ros2_control_node'{remaps}), "
        f"Node(package='controller_manager', executable='spawner', arguments=['drive']{spawns})",
        **{'config/a.yaml': CAR.format(kind, odom)}) if 'tf_odometry' in each[3]]
    assert len(told) == (said is not None)
    assert all(said in each for each in told)


@pytest.mark.parametrize(('remapping', 'number'), [('/tf', 0), ('~/tf', 1)])
def test_odometry_of_gazebo(tmp_path, remapping, number):
    told = found(
        tmp_path, '<gazebo><plugin filename="gz_ros2_control-system" name="a"><ros><remapping>'
        f'{"~/tf_odometry" if remapping == "/tf" else "~/a"}:={remapping}</remapping></ros>'
        '</plugin></gazebo>', **{
            'config/a.yaml': CAR.format(
                'mecanum_drive_controller/MecanumDriveController', 'true')})
    assert ['~/tf_odometry' in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('joint', 'said'), [
    ('shoulder', None), ('left_shoulder', "Did you mean 'shoulder'?"), ('<arm>shoulder', None)])
def test_constraints_of_a_joint(tmp_path, joint, said):
    told = [each for each in found(tmp_path, **{'config/a.yaml': (
        'arm:\n  ros__parameters:\n    joints: [shoulder]\n    constraints:\n'
        f'      goal_time: 1.0\n      {joint}: {{{{goal: 0.1}}}}\n').format()})
        if 'no joint of the controller' in each[3]]
    assert len(told) == (said is not None)
    assert all(said in each[3] and each[1] == 6 for each in told)


@pytest.mark.parametrize(('topic', 'number'), [('/tf', 1), ('/poses', 0)])
def test_poses_of_a_world(tmp_path, topic, number):
    told = found(tmp_path, launch=(
        "Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=["
        "'/world/w/pose/info@tf2_msgs/msg/TFMessage[gz.msgs.Pose_V'], "
        f"remappings=[('/world/w/pose/info', '{topic}')])"))
    assert ['pose/info' in each[3] for each in told if 'depend' not in each[3]] == [True] * number


@pytest.mark.parametrize(('mappings', 'number'), [('', 1), (", mappings={'prefix': 'a_'}", 0)])
def test_prefix_of_two_descriptions(tmp_path, mappings, number):
    told = found(tmp_path, launch=(
        "Node(package='moveit_ros_move_group', executable='move_group', parameters=[c]), "
        "open('arm.urdf'), Command(['xacro ', share, '/urdf/arm.urdf.xacro', ' prefix:=a_']), "
        f"b.robot_description(file_path='urdf/arm.urdf.xacro'{mappings})"),
        **{'urdf/arm.urdf.xacro': URDF.format('')})
    assert ['without the prefix' in each[3] for each in told
            if 'depend' not in each[3]] == [True] * number


@pytest.mark.parametrize(('adapter', 'said'), [
    ('AddTimeParameterization', 'AddTimeOptimalParameterization'),
    ('AddTimeOptimalParameterization', 'is a list')])
def test_adapter_that_adds_times(tmp_path, adapter, said):
    told, = found(tmp_path, **{'config/ompl_planning.yaml': (
        f'request_adapters: >-\n  default_planner_request_adapters/{adapter}\n'
        '  default_planner_request_adapters/FixWorkspaceBounds\n')})
    assert said in told[3]


@pytest.mark.parametrize('publishes', ['true', 'false'])
def test_odometry_of_gazebo_and_of_a_filter(tmp_path, publishes):
    told = found(tmp_path, '<gazebo><plugin name="a" filename="libgazebo_ros_diff_drive.so">'
                 f'<publish_odom_tf>{publishes}</publish_odom_tf></plugin></gazebo>', **{
                     'config/a.yaml': FILTER.format('true', 'odom', ', '.join(['true'] * 15), 0)})
    assert ['publish_odom_tf' in each[3] for each in told] == [True] * (publishes == 'true')


SPAWNERS = ', '.join("Node(package='controller_manager', executable='spawner', "
                     f"arguments=['{name}'])" for name in ('arm', 'leg'))

TWO = CONTROLLERS + """\
leg:
  ros__parameters: {{joints: [{}], command_interfaces: [{}]}}
"""

PAIR = '<group name="all"><joint name="shoulder"/></group>'


@pytest.mark.parametrize(('launch', 'files', 'said'), [
    *(("IncludeLaunchDescription(PythonLaunchDescriptionSource(share + '/launch/b.launch.py')"
       f'{given})', {'launch/b.launch.py': LAUNCH.format(f"DeclareLaunchArgument('b'{default})")},
       said)
      for given, default, said in (
          ('', '', "'b' has no default, and is not given to b.launch.py"),
          ('', ", default_value='1'", None),
          (", launch_arguments={'b': '1'}.items()", '', None),
          (", launch_arguments={'b': '1', 'c': '1'}.items()", '', "'c' is given, and not decl"))),
    *((SPAWNERS, {'config/a.yaml': TWO.format('', TRAJECTORY, '', joint, kind)}, said)
      for joint, kind, said in (
          ('shoulder', 'position', "'arm' is started, and commands the same joints as leg"),
          ('shoulder', 'effort', None), ('elbow', 'position', None))),
    ("Node(package='rtabmap_odom', executable='rgbd_odometry', parameters=[{'frame_id': "
     "'upper'}])", {}, 'odom becomes its second parent'),
    ("Node(package='rtabmap_odom', executable='rgbd_odometry', parameters=[{'frame_id': 'base'}])",
     {}, None),
    ("Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=["
     "{'robot_description': text, 'tf_prefix': 'a'}])", {}, 'is no parameter of robot_state_pub'),
    ("Node(package='any', executable='a')", {
        'config/a.yaml': 'pick: {ros__parameters: {group_name: arm}}\n',
        'urdf/arm.srdf': f'<robot name="arm">{PAIR}</robot>'}, 'which has all'),
    ("Node(package='any', executable='a')", {
        'config/a.yaml': 'pick: {ros__parameters: {group_name: all}}\n',
        'urdf/arm.srdf': f'<robot name="arm">{PAIR}</robot>'}, None)])
def test_what_several_files_say_together(tmp_path, launch, files, said):
    told = [each for each in found(tmp_path, launch=launch, **files)
            if 'depend' not in each[3] and 'has no type' not in each[3]]
    assert len(told) == (said is not None), told
    assert all(said in each[3] for each in told)


@pytest.mark.parametrize(('step', 'number'), [('0.02', 1), ('0.01', 0)])
def test_manager_that_is_faster_than_the_world(tmp_path, step, number):
    told = found(tmp_path, '<gazebo><plugin filename="gz_ros2_control-system" name="a"/></gazebo>',
                 **{'config/a.yaml': CONTROLLERS.format('', TRAJECTORY, ''), 'worlds/a.sdf': (
                     f'<sdf><world><physics><max_step_size>{step}</max_step_size></physics>'
                     '</world></sdf>')})
    assert ["'update_rate: 100' is above" in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('parameters', 'number'), [
    ("[{'moveit_servo': load(a)}, {'robot_description': text}]", 1),
    ("[{'moveit_servo': load(a)}, {'robot_description': text}, semantic]", 0)])
def test_servo_without_groups(tmp_path, parameters, number):
    told = found(tmp_path, launch=(
        f"Node(package='moveit_servo', executable='servo_node', parameters={parameters})"), **{
            'urdf/arm.srdf': '<robot name="arm"><group name="a"><joint name="shoulder"/></group>'
                             '</robot>'})
    assert ['no planning group' in each[3] for each in told
            if 'depend' not in each[3]] == [True] * number


SPAWNER = "Node(package='controller_manager', executable='spawner', arguments=['{}'])"


LAYERS = """\
local_costmap:
  local_costmap:
    ros__parameters:
      plugins: [a]
      a:
        plugin: nav2_costmap_2d::ObstacleLayer
        observation_sources: scan
        {}
        scan:
          topic: /scan
"""


@pytest.mark.parametrize(('line', 'number'), [('marking: true', 1), ('enabled: true', 0)])
def test_parameters_of_a_source_beside_it(tmp_path, line, number):
    told = found(tmp_path, **{'config/nav.yaml': LAYERS.format(line)})
    assert sum('is a parameter of an observation source' in each[3] for each in told) == number


@pytest.mark.parametrize(('spawned', 'number'), [('other', 1), ('follow', 0)])
def test_goals_for_a_controller_that_is_not_started(tmp_path, spawned, number):
    told = found(tmp_path, launch=(
        "Node(package='ros2_controllers_test_nodes', executable='publisher'), "
        + SPAWNER.format(spawned)), **{
            'config/goals.yaml': 'publisher:\n  ros__parameters:\n    controller_name: follow\n',
            'config/a.yaml': 'controller_manager:\n  ros__parameters:\n' + ''.join(
                f'    {name}:\n      type: position_controllers/JointGroupPositionController\n'
                for name in ('follow', 'other'))})
    assert sum('no launch file of the package starts' in each[3] for each in told) == number


CONTROLLED = (
    '<link name="tip"/><joint name="{}" type="{}"><parent link="upper"/><child link="tip"/>{}'
    '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/>'
    '<dynamics damping="1"/></joint>'
    '<ros2_control name="a" type="system"><hardware><plugin>{}</plugin></hardware>'
    '<joint name="shoulder"><command_interface name="position"/>'
    '<state_interface name="position"/></joint></ros2_control>')


OTHER = ('<link name="nail"/><joint name="other" type="continuous"><parent link="tip"/>'
         '<child link="nail"/><axis xyz="0 1 0"/><limit effort="9" velocity="1"/></joint>')


@pytest.mark.parametrize(('kind', 'robot', 'more', 'number'), [
    ('revolute', OTHER, '', 2), ('fixed', OTHER, '', 0), ('revolute', '', '', 0),
    ('revolute', OTHER, ", Node(package='any', executable='gripper_driver')", 0),
    ('revolute', OTHER, ", Node(package='any', executable='joint_state_publisher')", 0)])
def test_joints_in_no_hardware(tmp_path, kind, robot, more, number):
    told = found(tmp_path, CONTROLLED.format('wrist', kind, '', 'any/Arm') + robot, launch=(
        PUBLISHER.format(", parameters=[{'robot_description': text}], output='log'") + ', '
        + SPAWNER.format('joint_state_broadcaster') + more), **{
            'config/a.yaml': 'controller_manager:\n  ros__parameters:\n    '
                             'joint_state_broadcaster:\n      type: '
                             'joint_state_broadcaster/JointStateBroadcaster\n'})
    assert ['is in no <ros2_control>' in each[3] for each in told
            if 'depend' not in each[3]] == [True] * number


@pytest.mark.parametrize(('plugin', 'world', 'number'), [
    ('gz_ros2_control/GazeboSimSystem', 'empty.sdf', 1),
    ('gz_ros2_control/GazeboSimSystem', 'empty.sdf --physics-engine bullet', 0),
    ('any/Arm', 'empty.sdf', 0)])
def test_mimic_joint_in_gazebo(tmp_path, plugin, world, number):
    told = found(tmp_path, CONTROLLED.format(
        'finger', 'revolute', '<mimic joint="shoulder"/>', plugin) + '<gazebo><plugin '
        'filename="gz_ros2_control-system" name="gz_ros2_control::GazeboSimROS2ControlPlugin">'
        '<parameters>a.yaml</parameters></plugin></gazebo>', launch=f"gz(['{world}'])")
    assert ['which DART' in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('x', 'number'), [('0.1', 1), ('0', 0)])
def test_frame_of_the_odometry_is_between_the_wheels(tmp_path, x, number):
    wheels = ''.join(
        f'<link name="{side}"/><joint name="{side}" type="continuous"><parent link="base"/>'
        f'<child link="{side}"/><origin xyz="{x} {y} 0"/><axis xyz="0 1 0"/></joint>'
        for side, y in (('left', 1), ('right', -1)))
    told = found(tmp_path, wheels, **{
        'config/a.yaml': 'controller_manager:\n  ros__parameters:\n    drive:\n      type: '
                         'diff_drive_controller/DiffDriveController\ndrive:\n  ros__parameters:\n'
                         '    left_wheel_names: [left]\n    right_wheel_names: [right]\n'
                         '    base_frame_id: base\n'})
    assert sum('is the frame of the odometry' in each[3] for each in told) == number
