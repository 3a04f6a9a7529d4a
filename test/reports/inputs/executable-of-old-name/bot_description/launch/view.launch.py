from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('bot_description'))
    description = (share / 'urdf' / 'bot.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='state_publisher',
             parameters=[{'robot_description': description}]),
    ])
