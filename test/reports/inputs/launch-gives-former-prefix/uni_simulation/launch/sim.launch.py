from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    description = Command([
        'xacro ', PathJoinSubstitution([
            FindPackageShare('uni_simulation'), 'urdf', 'uni.urdf.xacro']),
        ' prefix:=', LaunchConfiguration('prefix')])
    return LaunchDescription([
        DeclareLaunchArgument('prefix', default_value='left_'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str)}]),
    ])
