from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('arm_description'))
    text = (share / 'urdf' / 'arm.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher_gui', executable='joint_state_publisher_gui'),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['--x', '0', '--z', '0.1', '-- yaw', '0', '--frame-id', 'link_2',
                        '--child-frame-id', 'imu']),
    ])
