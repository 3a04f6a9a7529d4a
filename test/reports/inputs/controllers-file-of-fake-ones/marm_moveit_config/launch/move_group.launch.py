from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    configuration = (
        MoveItConfigsBuilder('marm', package_name='marm_moveit_config')
        .robot_description(file_path='config/marm.urdf')
        .robot_description_semantic(file_path='config/marm.srdf')
        .trajectory_execution(file_path='config/controllers.yaml')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[configuration.to_dict()]),
    ])
