from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('warthog_nav')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'warthog.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[PathJoinSubstitution([share, 'config', 'controllers.yaml'])],
             remappings=[('~/robot_description', '/robot_description'),
                         ('/base_controller/cmd_vel', '/platform/cmd_vel')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'base_controller']),
        Node(package='twist_mux', executable='twist_mux',
             parameters=[PathJoinSubstitution([share, 'config', 'twist_mux.yaml'])],
             remappings=[('cmd_vel_out', 'platform/cmd_vel')]),
        Node(package='nav2_controller', executable='controller_server',
             parameters=[PathJoinSubstitution([share, 'config', 'nav2.yaml'])],
             remappings=[('cmd_vel', 'cmd_vel_nav')]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_navigation',
             parameters=[{'autostart': True, 'node_names': ['controller_server']}]),
    ])
