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

"""The rules about how a package launches, controls, simulates and installs its robot."""

import pytest

from urdf_tools.check.validator import validate
from urdf_tools.findings.finding import Severity

URDF = """\
<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <joint name="{prefix}shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/></joint>
  {more}
</robot>
"""

LAUNCH = """\
def generate_launch_description():
    text = Command(['xacro ', 'arm.urdf'])
    return LaunchDescription([Node(
        package='robot_state_publisher', executable='robot_state_publisher',
        parameters=[{'robot_description': text}])])
"""

CONTROLLERS = """\
controller_manager:
  ros__parameters:
    arm: {type: joint_trajectory_controller/JointTrajectoryController}
arm:
  ros__parameters:
    joints: [shoulder]
"""

MESH = ('<link name="shown"><visual><geometry><mesh filename="package://arm/meshes/a.stl"/>'
        '</geometry></visual></link>')

GZ_LAUNCH = "LaunchDescription([Node(package='ros_gz_sim', executable='create')])"

SENSOR = '<gazebo reference="upper"><sensor name="s" type="{}">{}</sensor></gazebo>'

BRIDGE = """\
- ros_topic_name: data
  gz_topic_name: {}
  gz_type_name: gz.msgs.{}
  direction: GZ_TO_ROS
"""


def found(folder, code, more='', prefix='', **files):
    """Return the findings of a rule about a package: its file, line, severity and texts."""
    texts = {
        'urdf/arm.urdf': URDF.format(more=more, prefix=prefix),
        'package.xml': '<package><name>arm</name></package>', **{
            name.replace('__', '/').replace('_yaml', '.yaml').replace('_py', '.py').replace(
                '_txt', '.txt').replace('_xml', '.xml'): text for name, text in files.items()}}
    for name, text in texts.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return [(each.file('').rpartition('/')[2] or 'arm.urdf', each.line, each.severity,
             f'{each.message}. {each.hint}')
            for each in validate(folder / 'urdf' / 'arm.urdf').findings if each.code == code]


@pytest.mark.parametrize(('comment', 'severity'), [
    ('<!-- Motors: three -->', Severity.ERROR), ('<!-- no #1 here -->', Severity.ERROR),
    ('<!-- 12:30 -->', Severity.INFO), ('', Severity.INFO)])
def test_launch_reads_yaml(tmp_path, comment, severity):
    (one,) = found(tmp_path, 'launch-description-as-yaml', comment, launch__show_py=LAUNCH)
    assert one[:3] == ('show.py', 5, severity)
    assert 'ParameterValue' in one[3]
    assert (severity is Severity.ERROR) == ('arm.urdf:6' in one[3])


@pytest.mark.parametrize(('command', 'more', 'severity'), [
    ('xacro ', '\t<link name="a"/>\n\t', Severity.INFO),  # xacro indents with blanks.
    ('cat ', '\t<link name="a"/>\n\t', Severity.ERROR),
    ('xacro ', '<!-- a\n\tb -->', Severity.ERROR)])
def test_launch_reads_tabs(tmp_path, command, more, severity):
    (one,) = found(tmp_path, 'launch-description-as-yaml', f'\n{more}',
                   launch__show_py=LAUNCH.replace('xacro ', command))
    assert one[2] is severity


@pytest.mark.parametrize('text', [
    LAUNCH.replace("Command(['xacro ', 'arm.urdf'])",
                   "ParameterValue(Command(['xacro ', 'arm.urdf']), value_type=str)"),
    LAUNCH.replace('arm.urdf', 'other.urdf'),
    LAUNCH.replace('Command([', 'broken(('),
    '<launch><node><param name="robot_description" type="str" '
    'value="$(command \'xacro arm.urdf\')"/></node></launch>'])
def test_launch_reads_text(tmp_path, text):
    assert not found(tmp_path, 'launch-description-as-yaml', '<!-- a: b -->',
                     launch__show_py=text)


def test_xml_launch_reads_yaml(tmp_path):
    text = ('<launch>\n<node><param name="robot_description" '
            'value="$(command \'xacro arm.urdf\')"/></node></launch>')
    (one,) = found(tmp_path, 'launch-description-as-yaml', '<!-- a: b -->', **{
        'launch__show.launch_xml': text})
    assert one[:3] == ('show.launch.xml', 2, Severity.ERROR)


def test_prefix_is_missing(tmp_path):
    (one,) = found(tmp_path, 'moveit-controller-unknown-joint', prefix='left_',
                   config__any_yaml=CONTROLLERS)
    assert one[:3] == ('any.yaml', 6, Severity.WARN)
    assert "'shoulder'" in one[3] and "'left_shoulder'" in one[3]


def test_launched_controllers_are_certain(tmp_path):
    launch = "LaunchDescription(['arm.urdf', 'any.yaml'])"
    (one,) = found(tmp_path, 'moveit-controller-unknown-joint',
                   config__any_yaml=CONTROLLERS.replace('shoulder]', 'shoulder, other, a/b]'),
                   launch__show_py=launch)
    assert one[:3] == ('any.yaml', 6, Severity.ERROR)
    assert "joint 'other'" in one[3]


@pytest.mark.parametrize('launch', [
    "LaunchDescription(['arm.urdf', 'many.yaml'])",
    "LaunchDescription(['arm.urdf', 'robot_namespace:=', 'any.yaml'])"])
def test_launched_controllers_of_others(tmp_path, launch):
    assert not found(tmp_path, 'moveit-controller-unknown-joint',
                     config__any_yaml=CONTROLLERS.replace('shoulder', 'other'),
                     launch__show_py=launch)


def test_prefix_of_another_joint_is_not_missing(tmp_path):
    other = ('<link name="hand"/><joint name="mimic_shoulder" type="fixed"><parent link="upper"/>'
             '<child link="hand"/></joint>')
    assert not found(tmp_path, 'moveit-controller-unknown-joint', other,
                     config__any_yaml=CONTROLLERS)


@pytest.mark.parametrize(('argument', 'is_found'), [('arg', False), ('property', True)])
def test_arguments_give_prefixes(tmp_path, argument, is_found):
    """A prefix that the controllers have may be that of an argument, if there is one."""
    found(tmp_path, '', config__any_yaml=CONTROLLERS.replace('shoulder', 'left_shoulder'),
          launch__show_py="LaunchDescription(['arm.urdf.xacro', 'any.yaml'])")
    path = tmp_path / 'urdf' / 'arm.urdf.xacro'
    path.write_text(URDF.format(prefix='', more=f'<xacro:{argument} name="side" {{}}="x"/>'.format(
        'default' if argument == 'arg' else 'value')).replace(
            '<robot', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'))
    codes = [each.code for each in validate(path).findings]
    assert ('moveit-controller-unknown-joint' in codes) is is_found


def test_controllers_in_a_namespace_are_of_another_robot(tmp_path):
    of_other = ''.join(f'  {line}\n' for line in CONTROLLERS.replace(
        'shoulder', 'other').splitlines())
    for namespace, is_found in (('/second', False), ('/**', True)):
        assert is_found == bool(found(
            tmp_path, 'moveit-controller-unknown-joint',
            config__any_yaml=f'{namespace}:\n{of_other}',
            launch__show_py="LaunchDescription(['arm.urdf', 'any.yaml'])"))


@pytest.mark.parametrize(('prefix', 'joints'), [
    ('', '[shoulder]'), ('left', '[shoulder]'), ('left_', '[other]')])
def test_no_prefix_is_missing(tmp_path, prefix, joints):
    assert not found(tmp_path, 'moveit-controller-unknown-joint', prefix=prefix,
                     config__any_yaml=CONTROLLERS.replace('[shoulder]', joints))


def test_controllers_of_another_description(tmp_path):
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'urdf' / 'single.urdf').write_text(URDF.format(more='', prefix=''))
    assert not found(tmp_path, 'moveit-controller-unknown-joint', prefix='left_',
                     config__any_yaml=CONTROLLERS)


@pytest.mark.parametrize(('cmake', 'number'), [
    ('ament_package()\ninstall(DIRECTORY urdf launch DESTINATION share/${PROJECT_NAME})', 1),
    ('ament_package()\ninstall(DIRECTORY urdf # meshes\nDESTINATION share)', 1),
    ('ament_package()\ninstall(DIRECTORY urdf meshes/ DESTINATION share)', 0),
    ('ament_package()\ninstall(DIRECTORY ${DIRS} DESTINATION share)', 0),
    ('ament_auto_package(INSTALL_TO_SHARE urdf meshes)', 0), ('catkin_package()', 0)])
def test_installed_by_cmake(tmp_path, cmake, number):
    (tmp_path / 'meshes').mkdir()
    assert len(found(tmp_path, 'package-files-not-installed', MESH, CMakeLists_txt=cmake)) == (
        number)


@pytest.mark.parametrize(('setup', 'number'), [
    ("setup(data_files=[('share/arm/urdf', glob('urdf/*'))])", 1),
    ("setup(data_files=[('share/arm/meshes', glob('meshes/*'))])", 0),
    ("setup(data_files=[*found(os.walk('.'))])", 0)])
def test_installed_by_setup(tmp_path, setup, number):
    (tmp_path / 'meshes').mkdir()
    assert len(found(tmp_path, 'package-files-not-installed', MESH, setup_py=setup)) == number


@pytest.mark.parametrize(('more', 'files', 'number'), [
    (MESH, {}, 1), ('', {}, 0),
    (MESH, {'package_xml': '<package><name>arm</name><export><gazebo_ros '
                           'gazebo_model_path="${prefix}/.."/></export></package>'}, 0),
    (MESH, {'hooks__arm.dsv.in': 'prepend-non-duplicate;GZ_SIM_RESOURCE_PATH;share'}, 0),
    (MESH, {'launch__other_py': 'LaunchDescription(["GZ_SIM_RESOURCE_PATH"])'}, 0)])
def test_gazebo_finds_meshes(tmp_path, more, files, number):
    assert len(found(tmp_path, 'gazebo-resource-path', more, launch__sim_py=GZ_LAUNCH,
                     **files)) == number


@pytest.mark.parametrize(('kind', 'inside', 'launch', 'severity'), [
    ('gpu_lidar', '', '', Severity.WARN), ('imu', '', '', Severity.INFO),
    ('imu', '', GZ_LAUNCH, Severity.WARN), ('contact', '', GZ_LAUNCH, None),
    ('imu', '<gz_frame_id>upper</gz_frame_id>', GZ_LAUNCH, None),
    ('imu', '<plugin filename="libgazebo_ros_imu_sensor.so" name="p"/>', '', None),
    ('imu', '', GZ_LAUNCH + '  # static_transform_publisher upper arm/upper/s', None)])
def test_frame_of_sensor(tmp_path, kind, inside, launch, severity):
    told = found(tmp_path, 'sensor-frame-missing', SENSOR.format(kind, inside),
                 launch__sim_py=launch)
    assert [each[2] for each in told] == [severity] * (severity is not None)
    assert all('<gz_frame_id>upper</gz_frame_id>' in each[3] for each in told)


@pytest.mark.parametrize(('topic', 'bridge', 'kind', 'file'), [
    ('', 'data', 'IMU', 'arm.urdf'), ('<topic>other</topic>', 'data', 'IMU', 'bridge.yaml'),
    ('<topic>/data</topic>', 'data', 'IMU', None), ('', 'data', 'NavSat', None),
    ('', '/world/w/model/arm/link/upper/sensor/s/imu', 'IMU', None),
    ('', '<robot>/data', 'IMU', None)])
def test_topic_of_bridge(tmp_path, topic, bridge, kind, file):
    told = found(tmp_path, 'bridge-topic-unpublished', SENSOR.format('imu', topic),
                 config__bridge_yaml=BRIDGE.format(bridge, kind))
    assert [each[0] for each in told] == ([] if file is None else [file])


@pytest.mark.parametrize(('topic', 'bridge', 'text'), [
    ('', 'rgbd/image', '<topic>rgbd</topic>'), ('<topic>rgbd</topic>', 'rgbd/image', None),
    ('<topic>rgbd</topic>', 'other/image', "'other', and sensor 's' publishes on 'rgbd'"),
    ('', '/world/w/model/arm/link/upper/sensor/s/image', None)])
def test_topic_of_rgbd_camera(tmp_path, topic, bridge, text):
    told = found(tmp_path, 'bridge-topic-unpublished', SENSOR.format('rgbd_camera', topic),
                 config__bridge_yaml=BRIDGE.format(bridge, 'Image'))
    assert [text in each[3] for each in told] == [True] * (text is not None)


def test_topic_of_bridge_in_launch_file(tmp_path):
    (one,) = found(
        tmp_path, 'bridge-topic-unpublished', SENSOR.format('imu', ''),
        launch__sim_py="LaunchDescription(['/data@sensor_msgs/msg/Imu[gz.msgs.IMU'])")
    assert "'data', which sim.py bridges" in one[3]


ENTRY = """\
- ros_topic_name: {}
  gz_topic_name: data
  ros_type_name: {}
  gz_type_name: {}
  direction: {}
"""


@pytest.mark.parametrize(('values', 'line', 'text'), [
    (('data', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', 'GZ_TO_ROS'), 0, ''),
    (('data', 'std_msgs/msg/Bool', 'ignition.msgs.Boolean', 'BIDIRECTIONAL'), 0, ''),
    (('data', 'mine/msg/Own', 'mine.Own', 'ROS_TO_GZ'), 0, ''),
    (('/${name}/0', 'std_msgs/msg/bool', 'gz.msgs.Boolean', 'GZ_TO_ROS'), 0, ''),
    (('data', 'std_msgs/msg/bool', 'gz.msgs.Boolean', 'GZ_TO_ROS'), 3, 'std_msgs/msg/Bool'),
    (('data', 'std_msgs/msg/JointState', 'gz.msgs.Model', 'GZ_TO_ROS'), 3,
     'sensor_msgs/msg/JointState'),
    (('data', 'std_msgs/msg/Bool', 'gz.msgs.boolean', 'GZ_TO_ROS'), 4, 'gz.msgs.Boolean'),
    (('data', 'std_msgs/msg/Bool', 'ign_msgs.Boolean', 'GZ_TO_ROS'), 4, 'gz.msgs.Boolean'),
    (('data', 'std_msgs/msg/Bool', 'gz.msgs.Image', 'GZ_TO_ROS'), 4, 'gz.msgs.Boolean'),
    (('data', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', 'gz_to_ros'), 5, 'GZ_TO_ROS'),
    (('a/0/b', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', 'GZ_TO_ROS'), 3, 'begins with a digit')])
def test_bridge_is_refused(tmp_path, values, line, text):
    told = found(tmp_path, 'bridge-refused', config__bridge_yaml=ENTRY.format(*values))
    assert [each[:2] for each in told] == [('bridge.yaml', line)] * bool(line)
    assert all(text in each[3] for each in told)


def test_bridges_are_no_list(tmp_path):
    table = ENTRY.format('data', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', 'GZ_TO_ROS')
    (one,) = found(tmp_path, 'bridge-refused', config__bridge_yaml=table.replace('- ', '  '))
    assert one[:2] == ('bridge.yaml', 1)
    assert 'reads a list' in one[3]


@pytest.mark.parametrize(('argument', 'number'), [
    ('/a/0/b@std_msgs/msg/Bool[gz.msgs.Boolean', 1), ('/a/b@std_msgs/msg/Bool]gz.msgs.Bolean', 0),
    ('/a-b@std_msgs/msg/Bool@gz.msgs.Boolean', 1), ('/a/b@std_msgs/msg/Bool]gz.msgs.Boolean', 0)])
def test_bridge_in_launch_file_is_refused(tmp_path, argument, number):
    launch = f"LaunchDescription([Node(arguments=['{argument}'])])"
    assert len(found(tmp_path, 'bridge-refused', launch__sim_py=launch)) == number


@pytest.mark.parametrize(('launch', 'more', 'number'), [
    ("{'use_sim_time': True}", {}, 1), ('use_sim_time:=true', {}, 1),
    ("{'use_sim_time': False}", {}, 0), ('', {}, 0),
    ("{'use_sim_time': True}, '/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock'", {}, 0),
    ("{'use_sim_time': True}", {'config__clock_yaml': 'topic_name: clock'}, 0)])
def test_clock_is_not_bridged(tmp_path, launch, more, number):
    bridge = ENTRY.format('data', 'std_msgs/msg/Bool', 'gz.msgs.Boolean', 'GZ_TO_ROS')
    assert len(found(tmp_path, 'bridge-clock-missing', config__bridge_yaml=bridge,
                     launch__sim_py=f'LaunchDescription([{launch}])', **more)) == number


@pytest.mark.parametrize(('kind', 'launch', 'number'), [
    ('lidar', GZ_LAUNCH, 1), ('ray', GZ_LAUNCH, 1), ('gpu_lidar', GZ_LAUNCH, 0), ('ray', '', 0)])
def test_type_of_sensor_without_data(tmp_path, kind, launch, number):
    told = found(tmp_path, 'sensor-without-system', SENSOR.format(kind, ''), launch__sim_py=launch)
    assert ['gpu_lidar' in each[3] for each in told] == [True] * number


@pytest.mark.parametrize(('plugin', 'number'), [
    ('', 1), ('<gazebo><plugin filename="ignition-gazebo-imu-system"/></gazebo>', 0)])
def test_frame_of_ignition(tmp_path, plugin, number):
    sensor = SENSOR.format('imu', '<ignition_frame_id>upper</ignition_frame_id>')
    told = found(tmp_path, 'sensor-frame-missing', sensor + plugin, launch__sim_py=GZ_LAUNCH)
    assert ["'gz_frame_id'" in each[3] for each in told] == [True] * number


NAVIGATION = 'costmap:\n  ros__parameters: {{robot_base_frame: {}}}\n'


@pytest.mark.parametrize(('base', 'launch', 'number'), [
    ('base', '', 0), ('base_link', '', 1), ('$(var base)', '', 0), ('r1/base', '', 0),
    ('base_link', "LaunchDescription([Node(arguments=['base_link', 'base'])])", 0)])
def test_base_of_navigation(tmp_path, base, launch, number):
    told = found(tmp_path, 'parameter-frame-unknown', launch__sim_py=launch,
                 config__nav2_yaml=NAVIGATION.format(base))
    assert [each[:2] for each in told] == [('nav2.yaml', 2)] * number
    assert all("whose root is 'base'" in each[3] for each in told)


PLUGIN = '<gazebo><plugin filename="{}" name="{}">{}</plugin></gazebo>'


@pytest.mark.parametrize(('library', 'name', 'severity', 'text'), [
    ('gz-sim-imu-system', 'gz::sim::systems::Imu', None, ''),
    ('ignition-gazebo-imu-system', 'ignition::gazebo::systems::Imu', None, ''),
    ('ignition-gazebo-imu-system', 'gz::sim::systems::Imu', Severity.WARN, 'before Garden'),
    ('libros_gz_sim_diff_drive-system.so', 'd', Severity.ERROR, "'gz-sim-diff-drive-system'"),
    ('libmine-system.so', 'd', None, ''),
    ('ign_ros2_control-system', 'ign_ros2_control::IgnitionROS2ControlPlugin', Severity.WARN,
     "'gz_ros2_control-system'"),
    ('gz_ros2_control-system', 'ign_ros2_control::IgnitionROS2ControlPlugin', None, '')])
def test_names_of_libraries(tmp_path, library, name, severity, text):
    told = found(tmp_path, 'gazebo-plugin-class', PLUGIN.format(library, name, ''), package_xml=(
        '<package><name>arm</name><depend>gz_ros2_control</depend></package>'))
    assert [each[2] for each in told] == [severity] * (severity is not None)
    assert all(text in each[3] for each in told)


@pytest.mark.parametrize(('inside', 'text'), [
    ('<wheel_diameter>0.2</wheel_diameter>', 'half of the diameter'),
    ('<wheel_diameter>0.2</wheel_diameter><wheel_radius>0.1</wheel_radius>', ''),
    ('<odometry_frame>odom</odometry_frame>', 'Write <frame_id>'),
    ('<wheel_seperation>0.2</wheel_seperation>', 'Write <wheel_separation>'),
    ('<mine>1</mine>', '')])
def test_parameters_of_systems(tmp_path, inside, text):
    told = found(tmp_path, 'gazebo-parameter-unknown', PLUGIN.format(
        'gz-sim-diff-drive-system', 'gz::sim::systems::DiffDrive', inside))
    assert [text in each[3] for each in told] == [True] * bool(text)


@pytest.mark.parametrize(('manifest', 'severity'), [
    ('ament_cmake', Severity.WARN), ('ament_python', Severity.WARN), ('catkin', Severity.INFO)])
def test_plugin_of_another_gazebo(tmp_path, manifest, severity):
    (one,) = found(
        tmp_path, 'gazebo-ros1-plugin',
        '<gazebo><plugin filename="libgazebo_ros_camera.so" name="c"/></gazebo>',
        package_xml=f'<package><name>arm</name><buildtool_depend>{manifest}'
        '</buildtool_depend></package>')
    assert one[2] is severity
    assert 'gz-sim-sensors-system' in one[3]


CONTROL = ('<ros2_control name="c" type="system"><hardware><plugin>{}</plugin></hardware>'
           '<joint name="shoulder"/></ros2_control>')


@pytest.mark.parametrize(('system', 'launch', 'number'), [
    ('gz_ros2_control/GazeboSimSystem', "['arm.urdf', 'ros2_control_node']", 1),
    ('gz_ros2_control/GazeboSimSystem', "['arm.urdf', 'ros2_control_node'] UnlessCondition", 0),
    ('gz_ros2_control/GazeboSimSystem', "['arm.urdf is_sim:=false', 'ros2_control_node']", 0),
    ('gz_ros2_control/GazeboSimSystem', "['arm.urdf']", 0),
    ('a/B', "['arm.urdf', 'ros2_control_node']", 0)])
def test_control_node_of_simulated_robot(tmp_path, system, launch, number):
    told = found(tmp_path, 'launch-simulated-control-node', CONTROL.format(system),
                 launch__sim_py=f'LaunchDescription({launch})')
    assert [each[:3] for each in told] == [('sim.py', 1, Severity.WARN)] * number


@pytest.mark.parametrize(('system', 'plugin', 'number'), [
    ('mock_components/GenericSystem', 'gz_ros2_control-system', 1),
    ('mock_components/GenericSystem', 'gz-sim-imu-system', 0),
    ('gazebo_ros2_control/GazeboSystem', 'gz_ros2_control-system', 1),
    ('gz_ros2_control/GazeboSimSystem', 'libgazebo_ros2_control.so', 1),
    ('ign_ros2_control/IgnitionSystem', 'gz_ros2_control-system', 0),
    ('a/B', 'gz_ros2_control-system', 1), ('a/SimSystem', 'gz_ros2_control-system', 0)])
def test_system_of_another_simulator(tmp_path, system, plugin, number):
    more = f'{CONTROL.format(system)}<gazebo><plugin filename="{plugin}" name="p"/></gazebo>'
    assert len(found(tmp_path, 'ros2control-other-simulator', more)) == number


CAMERA = (SENSOR.format('{}', '<camera>{}</camera><gz_frame_id>upper</gz_frame_id>')
          + '<link name="{}"/><joint name="lens" type="fixed"><parent link="upper"/>'
          '<child link="{}"/></joint>')


@pytest.mark.parametrize(('kind', 'inside', 'link', 'number'), [
    ('rgbd_camera', '', 'optical', 1), ('camera', '', 'optical', 1), ('camera', '', 'lens', 0),
    ('imu', '', 'optical', 0),
    ('camera', '<optical_frame_id>optical</optical_frame_id>', 'optical', 0)])
def test_frame_of_images(tmp_path, kind, inside, link, number):
    told = found(tmp_path, 'sensor-frame-not-optical', CAMERA.format(kind, inside, link, link))
    assert len(told) == number
    assert all('<optical_frame_id>optical</optical_frame_id>' in each[3] for each in told)


CLASSIC = ('<gazebo reference="upper"><sensor name="s" type="depth"><plugin name="p" filename='
           '"libgazebo_ros_{}.so"><frame_name>{}</frame_name></plugin></sensor></gazebo>')


@pytest.mark.parametrize(('plugin', 'frame', 'number'), [
    ('camera', 'upper', 1), ('camera', 'upper_optical', 0), ('imu_sensor', 'upper', 0)])
def test_frame_of_images_in_gazebo_classic(tmp_path, plugin, frame, number):
    told = found(tmp_path, 'sensor-frame-not-optical', CLASSIC.format(plugin, frame))
    assert len(told) == number


NODES = """\
def generate_launch_description():
    text = open('arm.urdf').read()
    model = {{'robot_description': text, 'robot_description_semantic': 'arm.srdf'}}
    more = {}
    return LaunchDescription([Node(package='any', executable='{}', parameters=[model, more])])
"""

MOVEIT = {
    'urdf__arm.srdf': '<robot name="arm"><group name="all"><joint name="shoulder"/></group>'
                      '</robot>',
    'urdf__kinematics_yaml': 'all: {kinematics_solver: kdl_kinematics_plugin/'
                             'KDLKinematicsPlugin}',
    'urdf__joint_limits_yaml': 'joint_limits: {shoulder: {max_velocity: 1.0}}'}


@pytest.mark.parametrize(('more', 'node', 'files'), [
    ('{}', 'pick', ['kinematics.yaml']),
    ('{}', 'move_group', ['kinematics.yaml', 'joint_limits.yaml']), ('{}', 'servo_node', []),
    ("{'robot_description_kinematics': {}}", 'move_group', ['joint_limits.yaml']),
    ('config.robot_description_kinematics', 'pick', []), ('config.to_dict()', 'move_group', []),
    ("'pick.yaml'", 'pick', []), ('imported', 'pick', []),
    ('[config.joint_limits, config.robot_description_kinematics]', 'move_group', [])])
def test_files_of_moveit_are_passed(tmp_path, more, node, files):
    told = found(tmp_path, 'launch-moveit-file-missing', **MOVEIT,
                 launch__pick_py=NODES.format(more, node))
    assert [each[:3] for each in told] == [('pick.py', 5, Severity.WARN)] * len(files)
    assert all(any(name in each[3] for each in told) for name in files)


@pytest.mark.parametrize(('newline', 'line'), [('\n', 7), ('\r\n', 7), ('\r', 7)])
def test_a_launch_file_whose_parameters_contain_themselves(tmp_path, newline, line):
    text = 'more = {**more}\nname = "ü"\n' + NODES.format('{**more}', 'pick')
    told = found(tmp_path, 'launch-moveit-file-missing', **MOVEIT,
                 launch__pick_py=text.replace('\n', newline))
    assert [each[:2] for each in told] == [('pick.py', line)]


MANAGER = "LaunchDescription([Node('arm.urdf', executable='{}', {}, parameters=['any.yaml'])])"


@pytest.mark.parametrize(('node', 'space', 'name', 'number'), [
    ('ros2_control_node', "namespace='r1'", 'controller_manager', 1),
    ('ros2_control_node', "namespace='r1'", '/controller_manager', 1),
    ('ros2_control_node', "namespace='r1'", '/**/controller_manager', 0),
    ('ros2_control_node', "namespace=''", 'controller_manager', 0),
    ('ros2_control_node', 'namespace=given', 'controller_manager', 0),
    ('spawner', "namespace='r1'", 'controller_manager', 0)])
def test_parameters_of_manager_in_namespace(tmp_path, node, space, name, number):
    told = found(tmp_path, 'launch-parameters-namespace', launch__any_py=MANAGER.format(
        node, space), config__any_yaml=CONTROLLERS.replace('controller_manager', name))
    assert [each[:3] for each in told] == [('any.yaml', 1, Severity.WARN)] * number
    assert all('/r1/controller_manager' in each[3] for each in told)


def test_parameters_of_manager_in_gazebo(tmp_path):
    (one,) = found(tmp_path, 'launch-parameters-namespace', '<gazebo><plugin '
                   'filename="gz_ros2_control-system"><parameters>../config/any.yaml</parameters>'
                   '<ros><namespace>/r1</namespace></ros></plugin></gazebo>',
                   config__any_yaml=CONTROLLERS)
    assert one[:2] == ('any.yaml', 1)
    assert 'which Gazebo starts' in one[3]


@pytest.mark.parametrize(('file', 'line'), [
    (CONTROLLERS.replace('[shoulder]', '[]'), 6),
    (CONTROLLERS + '    state_interfaces: []\n', 7), (CONTROLLERS, None),
    (CONTROLLERS + '    gains:\n    more: {}\n    other: []\n', None)])
def test_empty_list(tmp_path, file, line):
    told = found(tmp_path, 'controller-list-empty', config__any_yaml=file + (
        'arm2: {ros__parameters: {joints: [shoulder]}}\n'))
    assert [each[:2] for each in told] == ([] if line is None else [('any.yaml', line)])


def test_renamed_controller(tmp_path):
    (one,) = found(tmp_path, 'known-mistake', config__any_yaml=CONTROLLERS.replace(
        'joint_trajectory_controller/JointTrajectoryController',
        'joint_state_controller/JointStateController'))
    assert one[:2] == ('any.yaml', 3)
    assert 'joint_state_broadcaster/JointStateBroadcaster' in one[3]


@pytest.mark.parametrize('path', [
    'file:///home/me/share/arm/meshes/a.stl', '/src/arm/meshes/a.stl'])
def test_package_of_a_path(tmp_path, path):
    (one,) = found(tmp_path, 'mesh-not-found', MESH.replace('package://arm/meshes/a.stl', path),
                   **{'meshes__a.stl': 'solid'})
    assert "Did you mean 'package://arm/meshes/a.stl'?" in one[3]


@pytest.mark.parametrize(('name', 'hint'), [
    ('upper.stl', "'upper.stl' exists"), ('upper_2.stl', ''), ('up.stl', ''), ('upper.dae', ''),
    ('lower_link.stl', ''), ('other_link.stl', '')])
def test_mesh_of_similar_name(tmp_path, name, hint):
    (one,) = found(tmp_path, 'mesh-not-found', MESH.replace('a.stl', 'upper_link.stl'),
                   **{f'meshes__{name}': 'solid'})
    assert (hint or 'Fix the path') in one[3]


@pytest.mark.parametrize('library', ['gazebo_ros2_control', 'ign_ros2_control-system'])
@pytest.mark.parametrize(('text', 'number'), [
    ("open('arm.urdf').read()", 1), ("re.sub('<!--.*?-->', '', open('arm.urdf').read())", 0)])
def test_comments_that_a_launch_file_takes_out(tmp_path, text, number, library):
    plugin = f'<!-- a: b --><gazebo><plugin name="c" filename="lib{library}.so"/></gazebo>'
    launch = f'def generate_launch_description():\n    text = {text}\n'
    assert len(found(tmp_path, 'launch-description-as-yaml', plugin,
                     launch__show_py=launch)) == number


def test_collisions_of_sdf_keep_their_names(tmp_path):
    """The names that Gazebo makes of those of a URDF are not those of an SDF file."""
    (tmp_path / 'a.sdf').write_text(
        '<sdf version="1.9"><model name="m"><link name="a"><collision name="pad"><geometry><box>'
        '<size>1 1 1</size></box></geometry></collision><sensor name="s" type="contact"><contact>'
        '<collision>pad</collision></contact></sensor></link></model></sdf>')
    assert 'contact-unknown-collision' not in {
        each.code for each in validate(tmp_path / 'a.sdf').findings}
