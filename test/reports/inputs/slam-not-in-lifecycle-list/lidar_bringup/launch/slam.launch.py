from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import LifecycleNode
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('lidar_bringup'))
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': (share / 'urdf' / 'amr.urdf').read_text()}]),
        LifecycleNode(package='lidar_driver', executable='lidar_node', name='lidar_node',
                      namespace=''),
        LifecycleNode(package='slam_toolbox', executable='async_slam_toolbox_node',
                      name='slam_toolbox', namespace=''),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager', parameters=[str(share / 'config' / 'lifecycle.yaml')]),
    ])
