from launch import LaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    builder = MoveItConfigsBuilder('painter', package_name='painter_moveit_config')
    config = builder.to_moveit_configs()
    controllers = PathJoinSubstitution([
        FindPackageShare('painter_moveit_config'), 'config', 'ros2_controllers.yaml'])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[controllers]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['position_trajectory_controller']),
    ])
