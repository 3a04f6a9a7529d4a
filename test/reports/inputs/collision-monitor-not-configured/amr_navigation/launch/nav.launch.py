from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('amr_navigation'))
    text = (share / 'urdf' / 'amr.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        IncludeLaunchDescription(
            str(Path(get_package_share_directory('nav2_bringup'))
                / 'launch' / 'navigation_launch.py'),
            launch_arguments={'params_file': str(share / 'config' / 'nav2_params.yaml')}.items()),
    ])
