import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    path = os.path.join(
        get_package_share_directory('dummy_robot_bringup'), 'resource', 'single_rrbot.urdf')
    with open(path) as file:
        description = file.read()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='rviz2', executable='rviz2'),
    ])
