from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = (
        MoveItConfigsBuilder('crane', package_name='crane_moveit_config')
        .robot_description(file_path='config/crane.urdf')
        .robot_description_semantic(file_path='config/crane.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
    ])
