from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('ui_rover'))
    text = (share / 'urdf' / 'rover.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='controller_manager', executable='ros2_control_node', namespace='control',
             parameters=[str(share / 'config' / 'controllers.yaml')],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner', namespace='control',
             arguments=['joint_state_broadcaster', '-c', 'controller_manager']),
        Node(package='controller_manager', executable='spawner', namespace='control',
             arguments=['diff_drive_controller', '-c', 'controller_manager']),
    ])
