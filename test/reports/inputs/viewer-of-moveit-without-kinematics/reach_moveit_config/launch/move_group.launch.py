from launch import LaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    config = (
        MoveItConfigsBuilder('reach', package_name='reach_moveit_config')
        .robot_description(file_path='config/reach.urdf')
        .robot_description_semantic(file_path='config/reach.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[config.robot_description]),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[config.to_dict()]),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', PathJoinSubstitution([
                 FindPackageShare('reach_moveit_config'), 'rviz', 'moveit.rviz'])],
             parameters=[config.robot_description, config.robot_description_semantic]),
    ])
