from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('go_description'))
    text = (share / 'urdf' / 'go.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             parameters=[{'zeros': {f'{leg}_{part}_joint': angle
                                    for leg in ('FL', 'FR', 'RL', 'RR')
                                    for part, angle in (('thigh', 0.8), ('calf', -1.5))}}]),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['--z', '0.32', '--frame-id', 'odom', '--child-frame-id', 'base_link']),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', str(share / 'rviz' / 'go.rviz')]),
    ])
