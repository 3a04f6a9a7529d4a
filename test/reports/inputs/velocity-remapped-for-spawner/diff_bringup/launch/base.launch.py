from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('diff_bringup'))
    description = {'robot_description': (share / 'urdf' / 'base.urdf').read_text()}
    return LaunchDescription([
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[description, str(share / 'config' / 'controllers.yaml')]),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description]),
        Node(package='controller_manager', executable='spawner.py',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner.py',
             arguments=['diff_drive_controller'],
             remappings={
                 ('/diff_drive_controller/cmd_vel_unstamped', '/cmd_vel')}),
    ])
