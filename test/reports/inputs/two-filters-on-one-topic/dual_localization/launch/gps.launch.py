from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('dual_localization'))
    text = (share / 'urdf' / 'dual.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='robot_localization', executable='ekf_node', name='ekf_odom',
             parameters=[str(share / 'config' / 'ekf.yaml')]),
        Node(package='robot_localization', executable='ekf_node', name='ekf_map',
             parameters=[str(share / 'config' / 'ekf.yaml')]),
        Node(package='robot_localization', executable='navsat_transform_node',
             name='navsat_transform', parameters=[str(share / 'config' / 'ekf.yaml')]),
    ])
