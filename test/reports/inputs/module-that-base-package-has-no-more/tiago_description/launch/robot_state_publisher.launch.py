from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare
from tiago_description.tiago_launch_utils import get_tiago_arguments


def generate_launch_description():
    description = Command(['xacro ', PathJoinSubstitution([
        FindPackageShare('tiago_description'), 'robots', 'tiago.urdf.xacro'])])
    return LaunchDescription([
        *get_tiago_arguments(),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str)}]),
    ])
