from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('truck_scan'))
    text = (share / 'urdf' / 'truck.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='velodyne_driver', executable='velodyne_driver_node',
             parameters=[{'device_ip': '192.168.1.201', 'frame_id': 'velodyne',
                          'model': 'VLP16', 'rpm': 600.0, 'port': 2368}]),
        Node(package='velodyne_pointcloud', executable='velodyne_transform_node',
             parameters=[{'model': 'VLP16', 'fixed_frame': '', 'target_frame': ''}]),
        Node(package='pointcloud_to_laserscan', executable='pointcloud_to_laserscan_node',
             parameters=[{'target_frame': 'camera_link', 'transform_tolerance': 0.01,
                          'min_height': 0.0, 'max_height': 3.0}],
             remappings=[('cloud_in', 'velodyne_points')]),
    ])
