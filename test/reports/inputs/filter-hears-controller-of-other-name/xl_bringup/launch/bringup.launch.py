from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('xl_bringup')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'xl.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[PathJoinSubstitution([share, 'config', 'controllers.yaml'])],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['xl_base_controller']),
        Node(package='robot_localization', executable='ekf_node', name='ekf_node',
             parameters=[PathJoinSubstitution([share, 'config', 'ekf.yaml'])]),
    ])
