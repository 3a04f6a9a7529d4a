from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    share = Path(get_package_share_directory('arm_bringup'))
    text = Command(['xacro ', str(share / 'urdf'), '/', LaunchConfiguration('description_file')])
    return LaunchDescription([
        DeclareLaunchArgument('description_file', description='The file of the robot.'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(text, value_type=str)}]),
    ])
