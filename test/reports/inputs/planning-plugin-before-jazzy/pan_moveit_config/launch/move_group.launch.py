from launch import LaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    moveit_config = (
        MoveItConfigsBuilder('pan', package_name='pan_moveit_config')
        .robot_description(file_path='config/pan.urdf.xacro')
        .robot_description_semantic(file_path='config/pan.srdf')
        .planning_pipelines(pipelines=['ompl'])
        .to_moveit_configs())
    controllers = PathJoinSubstitution([
        FindPackageShare('pan_moveit_config'), 'config', 'ros2_controllers.yaml'])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[moveit_config.robot_description]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[controllers],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'arm_controller',
                        '--param-file', controllers]),
        Node(package='moveit_ros_move_group', executable='move_group', output='screen',
             parameters=[moveit_config.to_dict()]),
    ])
