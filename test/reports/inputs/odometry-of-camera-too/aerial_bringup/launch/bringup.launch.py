from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('aerial_bringup'))
    text = (share / 'urdf' / 'aerial.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('zed_wrapper')) / 'launch'
                / 'zed_camera.launch.py')),
            launch_arguments={'camera_name': 'zed', 'camera_model': 'zed2i',
                              'publish_urdf': 'false'}.items()),
        Node(package='robot_localization', executable='ekf_node', name='ekf_filter_node',
             parameters=[str(share / 'config' / 'ekf.yaml')]),
    ])
