from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('ware_localization')
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
        Node(package='slam_toolbox', executable='localization_slam_toolbox_node',
             name='slam_toolbox',
             parameters=[PathJoinSubstitution([share, 'config', 'localization.yaml'])]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_localization',
             parameters=[{'autostart': True, 'node_names': ['slam_toolbox']}]),
    ])
