from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('arm_bringup'))
    urdf = str(share / 'urdf' / 'arm.urdf')
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'use_sim_time': True}], arguments=[urdf]),
        Node(package='ros_gz_sim', executable='create', arguments=['-topic', 'robot_description']),
    ])
