from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = (
        MoveItConfigsBuilder('zu', package_name='zu_moveit_config')
        .robot_description(file_path='config/zu.urdf')
        .robot_description_semantic(file_path='config/zu.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[str(config.package_path / 'config' / 'ros2_controllers.yaml')],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['arm_controller']),
    ])
