from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('prius_gazebo'))
    text = (share / 'urdf' / 'prius.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('ros_gz_sim')) / 'launch' / 'gz_sim.launch.py')),
            launch_arguments={'gz_args': ['-r ', str(share / 'worlds' / 'hall.sdf')]}.items()),
        Node(package='ros_gz_sim', executable='create', arguments=['-topic', 'robot_description']),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
                        '/lidar/points@sensor_msgs/msg/PointCloud2[gz.msgs.PointCloudPacked']),
        Node(package='pointcloud_to_laserscan', executable='pointcloud_to_laserscan_node',
             parameters=[{'target_frame': 'laser_link', 'min_height': -0.1, 'max_height': 0.1,
                          'range_min': 0.12, 'range_max': 10.0}],
             remappings=[('cloud_in', '/lidar/cloud'), ('scan', '/scan')]),
    ])
