from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    text = Command(['xacro ', PathJoinSubstitution([
        FindPackageShare('pan_tilt_description'), 'urdf', 'pan_tilt.urdf.xacro']),
        ' prefix:=', LaunchConfiguration('prefix')])
    return LaunchDescription([
        DeclareLaunchArgument('prefix', default_value='head_'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(text, value_type=str)}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
    ])
