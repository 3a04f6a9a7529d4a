from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import yaml


def generate_launch_description():
    share = Path(get_package_share_directory('arm_moveit_config'))
    config = share / 'config'
    description = {'robot_description': (config / 'arm.urdf').read_text()}
    semantic = {'robot_description_semantic': (config / 'arm.srdf').read_text()}
    kinematics = {'robot_description_kinematics': yaml.safe_load(
        (config / 'kinematics.yaml').read_text())}
    limits = {'robot_description_planning': yaml.safe_load(
        (config / 'joint_limits.yaml').read_text())}
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[description, semantic, kinematics, limits]),
        Node(package='my_robot', executable='go', parameters=[description, semantic]),
    ])
