import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description():
    share = get_package_share_directory('arm_bringup')
    folder = LaunchConfiguration('config_folder')
    controllers = os.path.join(folder, 'controllers.yaml')
    with open(os.path.join(share, 'urdf', 'arm.urdf')) as file:
        text = file.read()
    return LaunchDescription([
        DeclareLaunchArgument('config_folder', default_value=os.path.join(share, 'config')),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[controllers]),
    ])
