from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('dog_bringup')
    description = Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'dog.urdf'])])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{
                 'robot_description': ParameterValue(description, value_type=str)}]),
        Node(package='dog_driver', executable='legs',
             parameters=[{'publish_tf': False, 'imu_frame': 'imu_link'}]),
        Node(package='robot_localization', executable='ekf_node', name='base_to_footprint_ekf',
             parameters=[PathJoinSubstitution([share, 'config', 'base_to_footprint.yaml'])]),
    ])
