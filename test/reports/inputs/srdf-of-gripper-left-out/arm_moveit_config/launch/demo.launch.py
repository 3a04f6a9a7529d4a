from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    share = Path(get_package_share_directory('arm_moveit_config'))
    configuration = (
        MoveItConfigsBuilder('arm', package_name='arm_moveit_config')
        .robot_description(file_path='urdf/arm.urdf.xacro', mappings={'use_gripper': 'false'})
        .robot_description_semantic(file_path='config/arm.srdf')
        .trajectory_execution(file_path='config/moveit_controllers.yaml')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[configuration.robot_description]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[str(share / 'config' / 'controllers.yaml')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['arm_controller']),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[configuration.to_dict()]),
    ])
