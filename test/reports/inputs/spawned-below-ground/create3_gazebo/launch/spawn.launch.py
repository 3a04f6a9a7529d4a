from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('create3_gazebo'))
    text = (share / 'urdf' / 'create3.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text, 'use_sim_time': True}]),
        Node(package='ros_gz_sim', executable='create', arguments=[
            '-topic', 'robot_description', '-x', '0', '-y', '0', '-z', '0.0']),
    ])
