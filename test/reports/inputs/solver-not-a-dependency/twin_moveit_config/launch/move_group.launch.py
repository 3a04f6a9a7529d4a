from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = (
        MoveItConfigsBuilder('twin', package_name='twin_moveit_config')
        .robot_description(file_path='config/twin.urdf')
        .robot_description_semantic(file_path='config/twin.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
    ])
