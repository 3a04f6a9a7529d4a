from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('robot_description_command', default_value=[
            'xacro ', PathJoinSubstitution([
                FindPackageShare('jackrabbit_description'), 'urdf', 'jackrabbit.urdf.xacro'])]),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(
                 Command(LaunchConfiguration('robot_description_command')), value_type=str)}]),
    ])
