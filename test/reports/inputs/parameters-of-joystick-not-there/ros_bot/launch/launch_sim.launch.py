import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    parameters = os.path.join(
        get_package_share_directory('ros_bot'), 'config', 'joystick.yaml')
    return LaunchDescription([
        Node(package='joy', executable='joy_node', parameters=[parameters]),
        Node(package='controller_manager', executable='spawner', arguments=['diff_cont']),
    ])
