from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.substitutions import Command
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    share = Path(get_package_share_directory('rover_description'))
    text = Command(['xacro ', str(share / 'urdf' / 'rover.urdf.xacro')])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(text, value_type=str)}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
    ])
