import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    positions = os.path.join(
        get_package_share_directory('pendulum_test_nodes'), 'config', 'positions.yaml')
    return LaunchDescription([
        Node(package='pendulum_test_nodes', executable='position_publisher',
             name='position_publisher', parameters=[positions], output='screen'),
    ])
