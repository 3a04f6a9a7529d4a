from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('bot_demo'))
    text = (share / 'urdf' / 'bot.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[str(share / 'config' / 'controllers.yaml')],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['forward_position_controller']),
    ])
