from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('jackal_slam'))
    text = (share / 'urdf' / 'jackal.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='j100',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             namespace='j100'),
        Node(package='urg_node', executable='urg_node_driver',
             namespace='j100/sensors/lidar2d_0',
             parameters=[{'ip_address': '192.168.131.20', 'laser_frame_id': 'lidar2d_0_link'}]),
        Node(package='slam_toolbox', executable='sync_slam_toolbox_node', name='slam_toolbox',
             namespace='j100', parameters=[str(share / 'config' / 'slam.yaml')]),
    ])
