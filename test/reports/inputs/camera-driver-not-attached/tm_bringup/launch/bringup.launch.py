from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('tm_bringup'))
    text = (share / 'urdf' / 'tm.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('realsense2_camera')) / 'launch'
                / 'rs_launch.py')),
            launch_arguments={'camera_name': 'camera', 'pointcloud.enable': 'true'}.items()),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', str(share / 'rviz' / 'tm.rviz')]),
    ])
