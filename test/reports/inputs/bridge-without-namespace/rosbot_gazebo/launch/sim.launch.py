from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('rosbot_gazebo'))
    return LaunchDescription([
        Node(package='ros_gz_sim', executable='create', arguments=['-topic', 'robot_description']),
        Node(package='ros_gz_bridge', executable='parameter_bridge', namespace='robot1',
             parameters=[{'config_file': str(share / 'config' / 'bridge.yaml')}]),
    ])
