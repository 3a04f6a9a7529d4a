from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('amr_navigation')
    description = Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'amr.urdf'])])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{
                 'robot_description': ParameterValue(description, value_type=str)}]),
        Node(package='amr_driver', executable='driver',
             parameters=[{'odom_frame': 'odom', 'base_frame': 'base_footprint'}]),
        Node(package='sllidar_ros2', executable='sllidar_node',
             parameters=[{'frame_id': 'lidar_link'}]),
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('slam_toolbox'), 'launch',
                                  'online_async_launch.py']),
            launch_arguments={'use_sim_time': 'false'}.items()),
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('nav2_bringup'), 'launch',
                                  'navigation_launch.py']),
            launch_arguments={
                'use_sim_time': 'false',
                'params_file': PathJoinSubstitution([share, 'config', 'nav2.yaml'])}.items()),
    ])
