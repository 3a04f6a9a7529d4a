import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = get_package_share_directory('mecanum')
    with open(os.path.join(share, 'urdf', 'mecanum.urdf')) as file:
        description = file.read()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[os.path.join(share, 'config', 'controllers.yaml')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_controller']),
        Node(package='controller_manager', executable='spawner', arguments=['wheel_controller']),
    ])
