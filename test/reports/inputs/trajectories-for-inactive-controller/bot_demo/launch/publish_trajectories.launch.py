from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('bot_demo'))
    return LaunchDescription([
        Node(package='ros2_controllers_test_nodes',
             executable='publisher_joint_trajectory_controller',
             parameters=[str(share / 'config' / 'trajectories.yaml')]),
    ])
