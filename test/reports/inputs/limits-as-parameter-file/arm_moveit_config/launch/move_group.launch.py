from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('arm_moveit_config'))
    text = (share / 'config' / 'arm.urdf').read_text()
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[{'robot_description': text},
                         str(share / 'config' / 'joint_limits.yaml')]),
    ])
