from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('rover_bringup'))
    return LaunchDescription([
        Node(package='robot_localization', executable='ekf_node', name='ekf_filter_node',
             parameters=[str(share / 'config' / 'ekf.yaml')]),
    ])
