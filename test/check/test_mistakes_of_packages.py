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

"""Known mistakes that several files of a package make together, and each without one word."""

from typing import NamedTuple

import pytest

from urdf_tools.check.validator import validate

URDF = """\
<robot name="arm">
  <link name="base"/><link name="upper"/><link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="1"/></joint>
  <joint name="wrist" type="fixed"><parent link="upper"/><child link="hand"/></joint>
  {}
</robot>
"""

SRDF = """\
<robot name="arm">
  <group name="left"><chain base_link="base" tip_link="upper"/></group>
  <group name="right"><chain base_link="base" tip_link="hand"/></group>
  <group name="both"><group name="left"/><group name="right"/></group>
  <group name="grip"><link name="upper"/></group>
  <group_state name="home" group="left"><joint name="shoulder" value="0"/></group_state>
  {}
</robot>
"""

MANIFEST = """\
<package><name>arm</name><buildtool_depend>ament_cmake</buildtool_depend>
<exec_depend>any</exec_depend></package>
"""

LAUNCH = """\
def generate_launch_description():
    share = get_package_share_directory('arm')
    open(share + '/config/arm.urdf')
    return LaunchDescription([{}])
"""

PUBLISHER = "Node(package='robot_state_publisher', executable='robot_state_publisher'{}), "

LIDAR = "Node(package='urg_node', executable='urg_node_driver', namespace='front')"

CAMERA = "PythonLaunchDescriptionSource(share + '/launch/rs_launch.py'), {}"

TELEOP = "Node(package='teleop_twist_joy', executable='teleop_node'), "

CONTROL = '<ros2_control name="a" type="system"><hardware>{}</hardware>{}</ros2_control>'

MANAGER = """\
controller_manager:
  ros__parameters:
    states: {type: joint_state_broadcaster/JointStateBroadcaster}
    drive: {type: diff_drive_controller/DiffDriveController}
    grip: {type: position_controllers/GripperActionController}
"""

TOPICS = ('<plugin>topic_based_ros2_control/TopicBasedSystem</plugin>'
          '<param name="{}">{}</param><param name="joint_states_topic">/states</param>')

JOINT = ('<joint name="shoulder"><command_interface name="{}"/>'
         '<state_interface name="position"/></joint>')

WORLD = """\
IncludeLaunchDescription(FindPackageShare('ros_gz_sim') + '/launch/gz_sim.launch.py',
    launch_arguments={{'gz_args': '{}empty.sdf'}}.items()),
Node(package='controller_manager', executable='spawner', arguments=['states'])"""

IMU = ('<link name="imu"/><joint name="imu" type="fixed"><parent link="hand"/>'
       '<child link="imu"/></joint>')

WHEEL = IMU.replace('imu', 'wheel').replace('fixed', 'continuous').replace(
    '/><joint', '><collision><geometry><mesh filename="a.stl"/></geometry></collision></link>'
    '<joint', 1) + '<gazebo><plugin name="a" filename="gz-sim-diff-drive-system"/></gazebo>'

STATES = ("Node(package='robot_state_publisher', executable='robot_state_publisher', "
          "namespace='{}', parameters=[{{'robot_description': text{}}}]), ")

VIEW = """\
Visualization Manager:
  Displays:
    - Class: rviz_default_plugins/RobotModel
      TF Prefix: ""
  Global Options:
    Fixed Frame: left/base
"""

NODE = "Node(package='controller_manager', executable='ros2_control_node'), "

SOLVER = 'fixed:\n  kinematics_solver: kdl_kinematics_plugin/KDLKinematicsPlugin\n'

SPAWNER = "Node(package='controller_manager', executable='spawner', arguments=['grip'])"


class Mistake(NamedTuple):
    """
    A mistake of a package.

    :ivar said: what is said about it.
    :ivar correct: a text in its files, and that with which they are right.
    :ivar file: name of the file of parameters.
    """

    said: str
    correct: tuple[str, str]
    launch: str = ''
    yaml: str = ''
    urdf: str = ''
    srdf: str = ''
    view: str = ''
    file: str = 'a'


def parameters(node: str, *lines: str) -> str:
    """Return parameters of a node."""
    return '\n    '.join((f'{node}:\n  ros__parameters:', *lines)) + '\n'


MISTAKES = (
    Mistake("'a' is no argument that a launch file", ("('b')", "('a')"),
            "DeclareLaunchArgument('b'), LaunchConfiguration('a')"),
    Mistake('from odom to the frame of the IMU', ("'stateless'", "'publish_tf'"),
            "Node(package='imu_filter_madgwick', executable='imu_filter_madgwick_node', "
            "parameters=[{'stateless': False}])", urdf=IMU),
    Mistake('from odom to the frame of the IMU', ('publish_tf: true', 'publish_tf: false'),
            "Node(package='imu_filter_madgwick', executable='imu_filter_madgwick_node', "
            "parameters=[share + '/config/a.yaml'])",
            parameters('imu_filter', 'publish_tf: true', 'use_mag: false'), IMU),
    Mistake('gives all frames the prefix left/', ('>hand<', '>left/hand<'),
            PUBLISHER.format(", parameters=[{'frame_prefix': 'left/'}]"),
            urdf='<gazebo reference="hand"><sensor name="a" type="gpu_lidar">'
            '<gz_frame_id>hand</gz_frame_id></sensor></gazebo>'),
    Mistake('is the root of an arm', ("'create'", "'other'"),
            "Node(package='ros_gz_sim', executable='create')",
            urdf=IMU.replace('fixed', 'revolute')),
    Mistake('is the root of an arm', ('pedestal', 'torso'),
            "Node(package='ros_gz_sim', executable='create')",
            urdf=IMU.replace('fixed', 'revolute').replace('"hand"', '"base"')
            + IMU.replace('imu', 'pedestal').replace('hand', 'base')),
    Mistake('is a wheel that collides as a mesh', ('"wheel"', '"caster_wheel"'),
            "Node(package='ros_gz_sim', executable='create')", urdf=WHEEL),
    Mistake('is a package of former releases', ('diffbot', 'ros2_control_demo'),
            "FindPackageShare('diffbot_description')"),
    Mistake('takes and sends TwistStamped', ("x='a'", "x='use_stamped'"),
            TELEOP + "Node(package='twist_mux', executable='twist_mux', x='a')"),
    Mistake('begins with a slash', ('/odom', 'odom'),
            yaml=parameters('drive', 'odom_frame_id: /odom')),
    Mistake('all frames begin with a slash', ("/'", "'"), PUBLISHER.format(
        ", parameters=[{'frame_prefix': PythonExpression([\"'\", prefix, \"/'\"])}]")
        + "DeclareLaunchArgument('prefix', default_value='')"),
    Mistake('is called publish_limited_velocity', ('publish_cmd', 'publish_limited_velocity'),
            yaml=MANAGER + parameters('drive', 'publish_cmd: true')),
    Mistake('is a parameter of ROS 1', ('publish_wheel_data', 'publish_rate'),
            yaml=MANAGER + parameters('drive', 'publish_wheel_data: true')),
    Mistake('call backup', ('back_up', 'backup'),
            yaml=parameters('behavior_server', 'behavior_plugins: [spin, back_up]')),
    Mistake('below the name of a layer', ('observation_sources', 'layer.observation_sources'),
            yaml=parameters('local_costmap', 'observation_sources: scan')),
    Mistake('no parameter yaml_filename', ('free: 1', 'yaml_filename: a'),
            "Node(package='nav2_map_server', executable='map_server', name='map_server', "
            "parameters=[share + '/config/a.yaml'])", parameters('map_server', 'free: 1')),
    Mistake('publishes odometry/filtered, as a does', ("('odom', 'a')",
                                                       "('odometry/filtered', 'a')"),
            "Node(package='robot_localization', executable='ekf_node', name='a'), "
            "Node(package='robot_localization', executable='ekf_node', name='b', "
            "remappings=[('odom', 'a')])"),
    Mistake('which reads imu', ("('imu/data'", "('imu'"),
            "Node(package='robot_localization', executable='navsat_transform_node', "
            "remappings=[('imu/data', 'a')])"),
    Mistake('remapped to tf', ("('a', 'b')", "('/tf', 'tf')"), PUBLISHER.format(
        ", namespace='a', remappings=[('/tf', 'tf')]") + "Node(package='nav2_planner', "
        "executable='planner_server', namespace='a', remappings=[('a', 'b')])"),
    Mistake('is no topic of the lidars that are started: /front/scan', (' /scan', ' /front/scan'),
            LIDAR, parameters('slam_toolbox', 'scan_topic: /scan')),
    Mistake('as the cloud is on /points', ("'/cloud'", "'/points'"),
            "Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=["
            "'/points@sensor_msgs/msg/PointCloud2[gz.msgs.PointCloudPacked']), "
            "Node(package='pointcloud_to_laserscan', executable='pointcloud_to_laserscan_node', "
            "remappings=[('cloud_in', '/cloud')])"),
    Mistake('as the drive publishes /demo/odom', ('<namespace>demo</namespace>', ''),
            yaml=parameters('bt_navigator', 'odom_topic: /odom'),
            urdf='<gazebo><plugin name="a" filename="libgazebo_ros_diff_drive.so">'
            '<ros><namespace>demo</namespace></ros></plugin></gazebo>'),
    Mistake('too: camera_color_frame and others', ("'b'", "'publish_tf'"), CAMERA.format(
        "dict({'b': 'false'})"), urdf='<link name="camera_color_frame"/><joint name="a" '
        'type="fixed"><parent link="base"/><child link="camera_color_frame"/></joint>'),
    Mistake('below left_link, which nothing connects', ("'left'", "'base'"), PUBLISHER.format('')
            + CAMERA.format("dict({'camera_name': 'left'})"), urdf='<link name="base_link"/>'
            '<joint name="a" type="fixed"><parent link="base"/><child link="base_link"/></joint>'),
    Mistake('is that of another camera', ("'b'}", "'c'}"), CAMERA.format(
        "{'camera_name': 'b'}, ") + CAMERA.format("{'camera_name': 'b', 'serial_no': 'b'}")),
    Mistake('the transform of odom to zed_camera_link', ("'b'", "'publish_tf'"),
            "PythonLaunchDescriptionSource(share + '/launch/zed_camera.launch.py'), "
            "{'b': 'false'}",
            urdf='<link name="zed_camera_link"/><joint name="a" type="fixed"><parent link="base"/>'
            '<child link="zed_camera_link"/></joint>'),
    Mistake('has the class of the controller that is named here', ('>any<', '>ros2_controllers<'),
            "Node(package='controller_manager', executable='spawner', arguments=['states']), "
            "Node(package='controller_manager', executable='spawner', arguments=['drive'])",
            MANAGER),
    Mistake('has no TF Prefix', ('Prefix: ""', 'Prefix: left'), PUBLISHER.format(
        ", parameters=[{'frame_prefix': 'left/'}]"), view=VIEW),
    Mistake('as in left/odom', ("executable='robot_state_publisher', namespace='left'",
                                "executable='robot_state_publisher', namespace='a'"),
            PUBLISHER.format(", namespace='left'") + "Node(package='controller_manager', "
            "executable='spawner', namespace='left', arguments=['drive'])", MANAGER),
    Mistake('so that nothing receives the goals', ('name: drives', 'name: drive'),
            yaml=MANAGER + parameters('publisher_drive_controller', 'controller_name: drives')),
    Mistake('reads its own states', ('>/joint_states<', '>/states<'), yaml=MANAGER,
            urdf=CONTROL.format('<plugin>topic_based_ros2_control/TopicBasedSystem</plugin>'
                                '<param name="joint_states_topic">/joint_states</param>', '')),
    Mistake('is no plugin that', ('SystemInterface', 'System'), urdf=CONTROL.format(
        '<plugin>gz_ros2_control/GazeboSimSystemInterface</plugin>', '')),
    Mistake('has the parent_link hand', ('tip_link="upper"', 'tip_link="hand"'), srdf=(
        '<robot name="arm"><group name="arm"><chain base_link="base" tip_link="upper"/></group>'
        '<group name="grip"><link name="upper"/></group><end_effector name="a" '
        'parent_link="hand" group="grip"/></robot>')),
    Mistake('is no <end_effector> of the SRDF file: there is a', ('eef_name: b', 'eef_name: a'),
            yaml=parameters('pick', 'eef_name: b'), srdf=SRDF.format(
                '<end_effector name="a" parent_link="upper" group="grip"/>')),
    Mistake('is no <group_state>', ('pose: hom', 'pose: home'), yaml=parameters(
        'pick', 'eef_name: a', 'arm_home_pose: hom'), srdf=SRDF),
    Mistake('is a list of mappings', ('- class: a', '- a'),
            yaml='generator:\n  - class: a\n  - b\n', file='stomp_planning'),
    Mistake('follows the folder of arm without a slash', ("'config/", "'/config/"),
            "Command(['xacro ', FindPackageShare('arm'), 'config/arm.urdf'])"),
    Mistake("no link of the robot; its root is base. Did you mean 'base'?", ("'bas'", "'base'"),
            "Node(package='pointcloud_to_laserscan', executable='pointcloud_to_laserscan_node', "
            "parameters=[{'target_frame': 'bas'}])"),
    Mistake('publishes sensor/a/scan', ('sensor/gpu_lidar/', 'sensor/a/'),
            "Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=["
            "'/model/m/link/upper/sensor/gpu_lidar/scan@sensor_msgs/msg/LaserScan[b'])",
            urdf='<gazebo reference="upper"><sensor name="a" type="gpu_lidar"/></gazebo>'),
    Mistake('in no <ros2_control> of the description that is started',
            ('joint name="a"', 'joint name="shoulder"'), PUBLISHER.format('')
            + "Node(package='controller_manager', executable='spawner', "
            "arguments=['grip'])", MANAGER + parameters('grip', 'joint: shoulder'),
            urdf=CONTROL.format('<plugin>mock_components/GenericSystem</plugin>',
                                '<joint name="a"><state_interface name="position"/></joint>')),
    Mistake('is a parameter of joint_state_publisher,', ("'source_list'", "'a'"),
            PUBLISHER.format(", parameters=[{'robot_description': '', 'source_list': ['/a']}]")),
    Mistake('/tf and /tf_static are outside of them', ("('tf', 'tf')", "('/tf', 'tf')"),
            '])\n\n\ndef cart(name):\n    return [' + PUBLISHER.format(
                ", namespace=name, parameters=[{'robot_description': ''}], "
                "remappings=[('tf', 'tf')]") + "]\n\n\nCARTS = ([*cart('a'), *cart('b')"),
    Mistake('is a list, which set_parameter does not take', ("'[1.0, 2.0]'", "'1.0'"),
            file='../launch/b.launch', yaml=(
                "launch:\n  - set_parameter: {name: datum, value: '[1.0, 2.0]'}\n")),
    Mistake('is started by no launch file', ("['drive']", "['drive', 'states', 'broadcaster']"),
            "share + '/config/a.yaml', Node(package='controller_manager', executable='spawner', "
            "arguments=['drive'])", MANAGER),
    Mistake('there is no command ign', ("'ign', 'gazebo'", "'gz', 'sim'"),
            "ExecuteProcess(cmd=['ign', 'gazebo', '-r'])"),
    Mistake("'ros_gz_interfaces/msg/Contacts'", ('ros_ign', 'ros_gz'), "Node(package='ros_gz_"
            "bridge', executable='parameter_bridge', arguments=["
            "'/a@ros_ign_interfaces/msg/Contacts[gz.msgs.Contacts'])"),
    Mistake('does not begin with that of the link: tyre', ('"tyre"', '"upper_tyre"'),
            urdf='<gazebo reference="upper"><mu1>1</mu1><mu2>1</mu2></gazebo><link name="wheel">'
            '<collision name="tyre"><geometry><sphere radius="1"/></geometry></collision></link>'
            '<joint name="a" type="continuous"><parent link="hand"/><child link="wheel"/></joint>'
            '<gazebo reference="wheel"><mu1>1</mu1></gazebo>'),
    Mistake('gets no limits of joint_limits.yaml', ('kinematics]', 'kinematics, joint_limits]'),
            "Node(package='moveit_ros_move_group', executable='move_group', "
            "parameters=[config.to_dict()]), Node(package='rviz2', executable='rviz2', "
            'parameters=[config.robot_description_kinematics])',
            'joint_limits:\n  shoulder: {max_position: 0.5}\n', file='joint_limits'),
    Mistake("'`' is a stray text in <visual>", ('>`<', '><'),
            urdf='<link name="a"><visual>`<geometry><sphere radius="1"/></geometry></visual>'
            '</link>'
            '<joint name="a" type="fixed"><parent link="hand"/><child link="a"/></joint>'),
    Mistake('is not a controller of its package', ('Drivecontroller', 'DriveController'),
            yaml=MANAGER.replace('DiffDriveC', 'DiffDrivec')),
    Mistake('is not a controller of its package', ('::', '/'),
            yaml=MANAGER.replace('diff_drive_controller/', 'diff_drive_controller::')),
    Mistake('is not in ur_controllers any more', ('StateBroad', 'Broad'), yaml=MANAGER.replace(
        'joint_state_broadcaster/JointState', 'ur_controllers/ForceTorqueState')),
    Mistake('has an interface, but no joints', ('free: 1', 'joints: [shoulder]'),
            yaml=MANAGER.replace('GripperAction', 'JointGroupPosition') + parameters(
                'grip', 'interface_name: position', 'free: 1')),
    Mistake('is the topic of commands and of states', ('>states<', '>commands<'),
            urdf=CONTROL.format(TOPICS.format('joint_commands_topic', 'states'),
                                JOINT.format('position'))),
    Mistake('is 0, with which', ('>0.0<', '>-1<'), urdf=CONTROL.format(TOPICS.format(
        'trigger_joint_command_threshold', '0.0'), JOINT.format('position'))),
    Mistake('no command interface for positions', ('>1e-5<', '>-1<'), urdf=CONTROL.format(
        TOPICS.format('trigger_joint_command_threshold', '1e-5'), JOINT.format('velocity'))),
    Mistake('is not a parameter of the hardware', ('joint_command_topic', 'joint_commands_topic'),
            urdf=CONTROL.format(TOPICS.format('joint_command_topic', 'c'),
                                JOINT.format('position'))),
    Mistake('is not a parameter of the hardware', ('calculate_dynamic"', 'calculate_dynamics"'),
            urdf=CONTROL.format('<plugin>mock_components/GenericSystem</plugin><param '
                                'name="calculate_dynamic">true</param>', JOINT.format(
                                    'position'))),
    Mistake('cannot load the hardware of a simulator', ('webots_ros2_control::Ros2Control', 'my/'),
            "Node(package='controller_manager', executable='ros2_control_node')",
            urdf=CONTROL.format('<plugin>webots_ros2_control::Ros2ControlSystem</plugin>',
                                JOINT.format('position'))),
    Mistake('starts nothing that has one', ("'any_node'", "'ros2_control_node'"),
            "Node(package='any', executable='any_node'), "
            "Node(package='controller_manager', executable='spawner', arguments=['states'])"),
    Mistake('has no -r, so that the simulation', ("'empty", "'-r empty"), WORLD.format('')),
    Mistake('is true, so that the simulation', ("'true'", "'false'"), WORLD.format('').replace(
        'ros_gz_sim', 'gazebo_ros').replace('gz_sim.', 'gazebo.').replace(
            "'gz_args': 'empty.sdf'", "'pause': 'true'")),
    Mistake('publishes the same frames as another one', ('text}', "text, 'frame_prefix': 'b/'}"),
            STATES.format('a', '') + STATES.format('b', '')),
    Mistake('which Gazebo Classic cannot do', ('mimic joint', 'a joint'), urdf=CONTROL.format(
        '<plugin>gazebo_ros2_control/GazeboSystem</plugin>', JOINT.format('position'))
        + '<link name="a"/><joint name="a" type="revolute"><parent link="hand"/><child link="a"/>'
        '<limit lower="0" upper="1" effort="1" velocity="1"/><mimic joint="shoulder"/></joint>'
        '<gazebo><plugin filename="libgazebo_ros2_control.so" name="a"/></gazebo>'),
    Mistake('whereas rplidar_ros is of a real sensor', ('True', 'False'),
            "Node(package='rplidar_ros', executable='rplidar_node'), " + PUBLISHER.format(
                ", parameters=[{'robot_description': '', 'use_sim_time': True}]")))


CLASSIC = """\
<gazebo reference="upper"><sensor name="eye" type="{}">
  <plugin name="p" filename="libgazebo_ros_{}.so">{}</plugin></sensor></gazebo>
"""

COSTMAP = """\
local_costmap:
  local_costmap:
    ros__parameters:
      layer:
        plugin: "nav2_costmap_2d::ObstacleLayer"
        observation_sources: {}
        {}: {{topic: {}, {}max_obstacle_height: 2.0}}
"""

MOVE_GROUP = "Node(package='moveit_ros_move_group', executable='move_group'), "

FOLLOW_UP = (
    Mistake('is a parameter of ROS 1, and the plugin', ('frameName', 'frame_name'),
            urdf=CLASSIC.format('imu', 'imu_sensor', '<frameName>a</frameName>')),
    Mistake('the topic of the plugin is ~/out', ('>out:=', '>~/out:='), urdf=CLASSIC.format(
        'ray', 'ray_sensor', '<ros><remapping>out:=scan</remapping></ros>')),
    Mistake('the topic of the plugin is odom', ('>~/odom', '>odom'), urdf=CLASSIC.format(
        'ray', 'diff_drive', '<ros><remapping>~/odom:=a</remapping></ros>')),
    Mistake('ROS 2 reads each word as one', ('argument>', 'remapping>'), urdf=CLASSIC.format(
        'ray', 'ray_sensor', '<ros><argument>--ros-args -r ~/out:=scan</argument></ros>')),
    Mistake("Did you mean 'eye/image_raw'?", ('>image_raw', '>eye/image_raw'),
            urdf=CLASSIC.format(
                'camera', 'camera', '<ros><remapping>image_raw:=a</remapping></ros>')),
    Mistake('publishes the transforms of the wheels', ('>true<', '>false<'), PUBLISHER.format('')
            + "Node(package='gazebo_ros', executable='spawn_entity.py'), "
            "Node(package='joint_state_publisher', executable='joint_state_publisher')",
            urdf=CLASSIC.format(
                'ray', 'diff_drive', '<publish_wheel_tf>true</publish_wheel_tf>')),
    Mistake('is not found by Gazebo Classic', ("'x'", "'GAZEBO_MODEL_PATH'"),
            "Node(package='gazebo_ros', executable='spawn_entity.py', name='x')",
            urdf='<link name="a"><visual><geometry><mesh filename="package://arm/a.stl"/>'
            '</geometry></visual></link><joint name="a" type="fixed"><parent link="hand"/>'
            '<child link="a"/></joint>'),
    Mistake('has an effect on topics of a config_file alone', ("'x'", "'config_file'"),
            "Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=['/a@b[c'], "
            "parameters=[{'expand_gz_topic_names': True, 'x': 1}])"),
    Mistake('has no point_cloud_topic', ('image_topic', 'point_cloud_topic'), yaml="""\
eye:
  sensor_plugin: occupancy_map_monitor/PointCloudOctomapUpdater
  image_topic: /image
"""),
    Mistake('has no image_topic', ('point_cloud_topic', 'image_topic'), yaml="""\
eye:
  sensor_plugin: occupancy_map_monitor/DepthImageOctomapUpdater
  point_cloud_topic: /points
"""),
    Mistake('is no plugin of MoveIt', ('OctomapUpdater2', 'OctomapUpdater'), yaml="""\
eye:
  sensor_plugin: occupancy_map_monitor/PointCloudOctomapUpdater2
  point_cloud_topic: /points
"""),
    Mistake('asks a service for inverse kinematics', ('solver_other', 'solver_service_name'),
            MOVE_GROUP, """\
left:
  kinematics_solver: srv_kinematics_plugin/SrvKinematicsPlugin
  kinematics_solver_other: ik
""", file='kinematics'),
    Mistake("'trac_ik_kinematics_plugin' has the solver", (
        '>any<', '>trac_ik_kinematics_plugin<'), yaml="""\
left:
  kinematics_solver: trac_ik_kinematics_plugin/TRAC_IKKinematicsPlugin
""", file='kinematics'),
    Mistake("'moveit_kinematics' has the solver", ('>any<', '>moveit_kinematics<'), yaml="""\
left:
  kinematics_solver: kdl_kinematics_plugin/KDLKinematicsPlugin
""", file='kinematics'),
    Mistake("'moveit_planners_ompl' has the planner", ('>any<', '>moveit_planners_ompl<'),
            yaml='planning_plugins: [ompl_interface/OMPLPlanner]\n', file='ompl_planning'),
    Mistake("'gz_ros2_control' has the hardware", ('>any<', '>gz_ros2_control<'),
            "Node(package='ros_gz_sim', executable='create')", urdf=CONTROL.format(
                '<plugin>gz_ros2_control/GazeboSimSystem</plugin>', '')),
    Mistake("'config/b.yaml' does not exist in arm", ('b.yaml', 'a.yaml'),
            "load_yaml('arm', 'config/b.yaml')", yaml='a: 1\n'),
    Mistake('is the fixed frame of RViz, but', (': map', ': base'), PUBLISHER.format('')
            + "Node(package='gazebo_ros', executable='spawn_entity.py'), "
            "Node(package='rviz2', executable='rviz2', arguments=['-d', share + '/rviz/a.rviz'])",
            view='Visualization Manager:\n  Global Options:\n    Fixed Frame: map\n'),
    Mistake('so that the file is not loaded', ('speed:', 'speed: ""'),
            yaml=parameters('drive', 'speed:')),
    Mistake('a parameter of the value None', ('speed:', 'speed: 1'),
            "yaml.safe_load(open(share + '/config/a.yaml'))", 'speed:\n'),
    Mistake('is not the name of the node', ('local_costmap:', 'local_costmap:\n local_costmap:'),
            "Node(package='nav2_controller', executable='controller_server')",
            parameters('local_costmap', 'resolution: 0.05')),
    Mistake('has no max_obstacle_height', ('least', 'max_obstacle_height'),
            yaml=COSTMAP.format('a', 'a', '/scan', 'least: 1, ').replace(
                'max_obstacle_height: 2.0', '')),
    Mistake('is no observation source of its layer', ('sources: b', 'sources: a b'),
            yaml=COSTMAP.format('b', 'a', '/scan', '')),
    Mistake('has no entry below its layer', ('sources: a b', 'sources: a'),
            yaml=COSTMAP.format('a b', 'a', '/scan', '')),
    Mistake('is a text with spaces between the names', ('[a]', 'a'),
            yaml=COSTMAP.format('[a]', 'a', '/scan', '')),
    Mistake('has points, and its data_type is LaserScan', ('other', 'data_type'),
            yaml=COSTMAP.format('a', 'a', '/camera/points', 'other: PointCloud2, ')),
    Mistake('has scans, and its data_type is PointCloud2', ('data_type', 'other'),
            yaml=COSTMAP.format('a', 'a', '/scan', 'data_type: PointCloud2, ')),
    Mistake('is read by velocity_smoother', ("'b')", "'a')"),
            "Node(package='nav2_controller', executable='controller_server', "
            "remappings=[('cmd_vel', 'a')]), Node(package='nav2_velocity_smoother', "
            "executable='velocity_smoother', remappings=[('cmd_vel', 'b')])"),
    Mistake('from which the controller takes velocities', ("'b')", "'cmd_vel')"),
            "Node(package='controller_manager', executable='ros2_control_node', "
            "remappings=[('/drive/cmd_vel', 'b')]), Node(package='nav2_velocity_smoother', "
            "executable='velocity_smoother')"),
    Mistake('fuses accelerations, and gravity is not removed', (
        'other', 'imu0_remove_gravitational_acceleration'), yaml=parameters(
            'ekf', f'imu0_config: [{"false, " * 14}true]', 'other: true')),
    Mistake('odom becomes its second one, as the controller', ('_id: upper', '_id: base'),
            "Node(package='controller_manager', executable='ros2_control_node', "
            "parameters=[share + '/config/a.yaml'])",
            MANAGER + parameters('drive', 'base_frame_id: upper')),
    Mistake('no bridge that is started brings it to ROS', ("'/b@", "'/points@"),
            "Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=["
            "'/b@sensor_msgs/msg/PointCloud2[gz.msgs.PointCloudPacked']), ", urdf=(
                '<gazebo reference="hand"><sensor name="a" type="gpu_lidar"><topic>points</topic>'
                '</sensor></gazebo>')),
    Mistake('the description that is started has no <ros2_control>', (
        "'ros2_control_node'", "'hardware_spawner'"), PUBLISHER.format('') + NODE + SPAWNER),
    Mistake('is started beside Gazebo', (NODE, ''), WORLD.format('-r ') + ', ' + NODE, urdf=(
        '<gazebo><plugin filename="libgz_ros2_control-system.so"/></gazebo>'
        + CONTROL.format('<plugin>mock_components/GenericSystem</plugin>', ''))),
    Mistake("'gripper_controllers' has the class", ('>any', '>ros2_controllers'),
            PUBLISHER.format('') + SPAWNER, MANAGER,
            CONTROL.format('<plugin>mock_components/GenericSystem</plugin>', '')),
    Mistake("'fixed' is a group whose joints are no single chain", ('fixed', 'left'), yaml=SOLVER,
            srdf=SRDF.format('<group name="fixed"><joint name="wrist"/></group>'),
            file='kinematics'),
    Mistake("'fixed' is a group whose joints are no single chain", ('"base"/><child link="other',
                                                                    '"hand"/><child link="other'),
            yaml=SOLVER, urdf='<link name="other"/><joint name="b" type="prismatic">'
            '<parent link="base"/><child link="other"/></joint>', srdf=SRDF.format(
                '<group name="fixed"><joint name="shoulder"/><joint name="b"/></group>'),
            file='kinematics'),
    Mistake("'/drive/cmd_vel' is remapped without effect, as it is no topic of", (
        '/drive/cmd_vel', '/left/joint_states'), PUBLISHER.format(
            ", remappings=[('/drive/cmd_vel', '/cmd_vel')]")),
    Mistake("'/drive/cmd_vel' is remapped without effect, as the controller", (
        ", remappings=[('/drive/cmd_vel', '/cmd_vel')]", ''), "Node(package='controller_manager', "
        "executable='spawner', arguments=['a'], remappings=[('/drive/cmd_vel', '/cmd_vel')])"),
    Mistake("'b.urdf.xacro' is read as a text", ('load_file', 'process_file'),
            "Node(package='robot_state_publisher', executable='robot_state_publisher', "
            "parameters=[{'robot_description': load_file('arm', 'urdf/b.urdf.xacro')}])"))


@pytest.mark.parametrize('mistake', (*MISTAKES, *FOLLOW_UP), ids=lambda mistake: mistake.said)
@pytest.mark.parametrize('is_correct', [False, True], ids=['wrong', 'right'])
def test_mistake_of_several_files(tmp_path, mistake, is_correct):
    files = {
        'config/arm.urdf': URDF.format(mistake.urdf), 'package.xml': MANIFEST,
        'launch/a.launch.py': LAUNCH.format(mistake.launch),
        f'config/{mistake.file}.yaml': mistake.yaml,
        'config/arm.srdf': mistake.srdf.format('') if '{}' in mistake.srdf else mistake.srdf,
        'rviz/a.rviz': mistake.view}
    for path, text in files.items():
        if is_correct:
            text = text.replace(*mistake.correct)
        if text:
            (tmp_path / 'arm' / path).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / 'arm' / path).write_text(text)
    told = [f'{each.message}. {each.hint}' for each in validate(
        tmp_path / 'arm' / 'config' / 'arm.urdf').findings if each.code == 'known-mistake']
    assert any(mistake.said in each for each in told) == (not is_correct), told


def test_frames_of_rviz_may_have_the_prefix(tmp_path):
    test_mistake_of_several_files(tmp_path, next(
        each for each in MISTAKES if each.view)._replace(said='and the fixed frame of RViz'), True)


@pytest.mark.parametrize(('wrong', 'right', 'said'), [
    ('<xacro:include filename="b.xacro"><xacro:arg name="a" value="1"/></xacro:include>',
     '<xacro:include filename="b.xacro"/>', 'is given inside of <xacro:include>'),
    ('<xacro:property name="a" value="1"/>', '<xacro:arg name="a" default="1"/>',
     'is a property of xacro, which := does not set')])
def test_value_that_xacro_does_not_take(tmp_path, wrong, right, said):
    for name, part in (('wrong', wrong), ('right', right)):
        folder = tmp_path / name
        (folder / 'launch').mkdir(parents=True)
        (folder / 'package.xml').write_text(MANIFEST)
        (folder / 'b.xacro').write_text('<robot><link name="base"/></robot>')
        (folder / 'arm.xacro').write_text(
            '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>'
            f'{part}</robot>')
        (folder / 'launch' / 'a.launch.py').write_text(LAUNCH.format(
            "Command(['xacro ', share, '/arm.xacro', ' a:=', '2'])"))
        told = [each.message for each in validate(folder / 'arm.xacro').findings
                if each.code == 'known-mistake']
        assert any(said in each for each in told) == (name == 'wrong'), told


@pytest.mark.parametrize('system', ['scene-broadcaster', 'physics', 'user-commands'])
def test_world_that_loads_systems_loads_all(tmp_path, system):
    launch = LAUNCH.format("Node(package='ros_gz_sim', executable='create'), share + '/a.sdf'")
    files = {'arm.urdf': URDF.format(''), 'package.xml': MANIFEST, 'launch/a.launch.py': launch}
    systems = ''.join(f'<plugin filename="gz-sim-{each}-system"/>' for each in (
        'scene-broadcaster', 'physics', 'user-commands', 'contact'))
    for name, loaded in (('wrong', systems.replace(system, 'imu')), ('right', systems)):
        for path, text in {**files, 'worlds/a.sdf': (
                f'<sdf version="1.9"><world name="a">{loaded}</world></sdf>')}.items():
            (tmp_path / name / path).parent.mkdir(exist_ok=True, parents=True)
            (tmp_path / name / path).write_text(text)
        told = [f'{each.message}. {each.hint}' for each in validate(
            tmp_path / name / 'arm.urdf').findings if each.code == 'known-mistake']
        assert any(f'gz-sim-{system}-system' in each for each in told) == (name == 'wrong'), told


@pytest.mark.parametrize(('name', 'text', 'numbers'), [
    ('CMakeLists.txt', 'ament_package()\ninstall(DIRECTORY launch DESTINATION share/arm)', (0, 1)),
    ('CMakeLists.txt', 'ament_package()\ninstall(DIRECTORY ${A} DESTINATION share/arm)', (0, 0)),
    ('CMakeLists.txt', 'ament_auto_package(INSTALL_TO_SHARE config)', (1, 0)),
    ('setup.py', "P = 'arm'\nsetup(data_files=[('share/' + P, glob('config/*.yaml'))])", (1, 1)),
    ('setup.py', "setup(data_files=[(os.path.join('share', 'arm', 'launch'), "
     "glob(os.path.join('launch', '*launch.[pxy][yma]*'))), "
     "('share/arm/config', ['config/a.yaml'])])", (0, 0)),
    ('setup.py', "setup(data_files=[*others, (f'share/{P}/launch', glob('launch/*'))])", (0, 0))])
def test_installed_files(tmp_path, name, text, numbers):
    for path, content in {
            'package.xml': MANIFEST, 'config/arm.urdf': URDF.format(''), name: text,
            'config/a.yaml': 'a:\n  ros__parameters:\n    b: 1\n',
            'launch/a.launch.py': LAUNCH.replace('arm.urdf', 'a.yaml').format('')}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    told = [each.message for each in validate(tmp_path / 'config' / 'arm.urdf').findings]
    assert tuple(sum(said in each for each in told) for said in (
        'so that ros2 launch does not find it', 'is not installed to this path')) == numbers


@pytest.mark.parametrize(('expression', 'parameters', 'said'), [
    ('$(arg side)', 'side', 'Write ${side}, the parameter of the macro'),
    ('${arm_side}', 'y', 'Write $(arg arm_side)'), ('${other}', 'y', '')])
def test_argument_and_parameter_of_xacro(tmp_path, expression, parameters, said):
    path = tmp_path / 'arm.xacro'
    path.write_text(
        '<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="arm_side" default="left"/>'
        f'<xacro:macro name="m" params="{parameters}"><link name="{expression}"/></xacro:macro>'
        f'<xacro:m {parameters}="a"/></robot>')
    hints = [each.hint for each in validate(path).findings if each.code == 'xacro-failed']
    assert len(hints) == 1 and ('Write' in hints[0]) == bool(said) and said in hints[0]
