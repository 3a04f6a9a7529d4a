import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    share = get_package_share_directory('forge_moveit_config')
    description = get_package_share_directory('forge_description')
    moveit_config = (
        MoveItConfigsBuilder('fr210_r3100', package_name='forge_moveit_config')
        .robot_description(os.path.join(description, 'urdf', 'fr210_r3100.urdf.xacro'))
        .robot_description_semantic(os.path.join(share, 'urdf', 'fr210_r3100_arm.srdf'))
        .robot_description_kinematics(os.path.join(share, 'config', 'kinematics.yaml'))
        .joint_limits(os.path.join(share, 'config', 'joint_limits.yaml'))
        .trajectory_execution(os.path.join(share, 'config', 'moveit_controllers.yaml'))
        .to_moveit_configs()
    )
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group', output='screen',
             parameters=[moveit_config.to_dict()]),
    ])
