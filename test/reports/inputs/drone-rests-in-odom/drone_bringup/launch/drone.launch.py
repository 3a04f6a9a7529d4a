from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('drone_bringup')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'drone.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='drone_mavsdk', executable='drone_node', name='drone_node'),
        Node(package='tf2_ros', executable='static_transform_publisher', name='static_odom',
             arguments=['--frame-id', 'odom', '--child-frame-id', 'base_link']),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node',
             parameters=[{'base_frame': 'base_link', 'odom_frame': 'odom'}]),
    ])
