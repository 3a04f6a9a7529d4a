from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('team_bringup'))
    text = (share / 'urdf' / 'amr.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='nav2_map_server', executable='map_server', name='map_server',
             parameters=[str(share / 'config' / 'localization.yaml')]),
        Node(package='nav2_amcl', executable='amcl', name='amcl',
             parameters=[str(share / 'config' / 'localization.yaml')]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_localization',
             parameters=[{'autostart': True, 'node_names': ['map_server', 'amcl']}]),
    ])
