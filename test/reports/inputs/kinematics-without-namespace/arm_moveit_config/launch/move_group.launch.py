from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from yaml import safe_load


def generate_launch_description():
    share = Path(get_package_share_directory('arm_moveit_config'))
    text = (share / 'config' / 'arm.urdf').read_text()
    semantic = (share / 'config' / 'arm.srdf').read_text()
    kinematics = safe_load((share / 'config' / 'kinematics.yaml').read_text())
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[{'robot_description': text, 'robot_description_semantic': semantic},
                         kinematics, {'use_sim_time': False}]),
    ])
