from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('bigdog_gazebo')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'bigdog.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('gazebo_ros'), 'launch', 'gazebo.launch.py'])),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description, 'use_sim_time': True}]),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-entity', 'bigdog', '-topic', 'robot_description', '-z', '0.1']),
        Node(package='robot_localization', executable='ekf_node', name='ekf_node',
             parameters=[PathJoinSubstitution([share, 'config', 'localization.yaml'])]),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             parameters=[{'use_sim_time': True, 'odom_frame': 'odom', 'map_frame': 'map',
                          'base_frame': 'base_footprint', 'scan_topic': '/scan'}]),
    ])
