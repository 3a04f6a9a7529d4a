from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('watch_bringup'))
    text = (share / 'urdf' / 'watch.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('realsense2_camera')) / 'launch'
                / 'rs_launch.py')),
            launch_arguments={'camera_namespace': 'left', 'camera_name': 'camera',
                              'serial_no': "'12345'"}.items()),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('realsense2_camera')) / 'launch'
                / 'rs_launch.py')),
            launch_arguments={'camera_namespace': 'right', 'camera_name': 'camera',
                              'serial_no': "'67890'"}.items()),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['--y', '0.2', '--z', '1.0', '--frame-id', 'base_link',
                        '--child-frame-id', 'left_link']),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['--y', '-0.2', '--z', '1.0', '--frame-id', 'base_link',
                        '--child-frame-id', 'right_link']),
    ])
