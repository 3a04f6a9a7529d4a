from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = (
        MoveItConfigsBuilder('panda_like', package_name='panda_like_moveit_config')
        .robot_description(file_path='config/panda_like.urdf')
        .robot_description_semantic(file_path='config/panda_like.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
    ])
