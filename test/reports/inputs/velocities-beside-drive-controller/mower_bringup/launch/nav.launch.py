from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('mower_bringup')
    description = Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'amr.urdf'])])
    params = PathJoinSubstitution([share, 'config', 'nav2.yaml'])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{
                 'robot_description': ParameterValue(description, value_type=str)}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[PathJoinSubstitution([share, 'config', 'controllers.yaml'])],
             remappings=[('~/robot_description', '/robot_description'),
                         ('/base_controller/cmd_vel', '/cmd_vel_out')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'base_controller']),
        Node(package='sllidar_ros2', executable='sllidar_node',
             parameters=[{'frame_id': 'lidar_link'}]),
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('slam_toolbox'), 'launch',
                                  'online_async_launch.py']),
            launch_arguments={'use_sim_time': 'false'}.items()),
        Node(package='nav2_controller', executable='controller_server', parameters=[params],
             remappings=[('cmd_vel', 'cmd_vel_nav')]),
        Node(package='nav2_planner', executable='planner_server', name='planner_server',
             parameters=[params]),
        Node(package='nav2_velocity_smoother', executable='velocity_smoother',
             name='velocity_smoother', parameters=[params],
             remappings=[('cmd_vel', 'cmd_vel_nav')]),
        Node(package='nav2_collision_monitor', executable='collision_monitor',
             name='collision_monitor', parameters=[params]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_navigation',
             parameters=[{'autostart': True,
                          'node_names': ['controller_server', 'planner_server',
                                         'velocity_smoother', 'collision_monitor']}]),
    ])
