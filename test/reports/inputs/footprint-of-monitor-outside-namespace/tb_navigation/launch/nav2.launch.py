from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

TF = [('/tf', 'tf'), ('/tf_static', 'tf_static')]


def generate_launch_description():
    share = FindPackageShare('tb_navigation')
    params = PathJoinSubstitution([share, 'config', 'nav2.yaml'])
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'tb.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='robot1', remappings=TF,
             parameters=[{'robot_description': description, 'use_sim_time': True}]),
        Node(package='nav2_controller', executable='controller_server', namespace='robot1',
             parameters=[params], remappings=[*TF, ('cmd_vel', 'cmd_vel_smoothed')]),
        Node(package='nav2_collision_monitor', executable='collision_monitor',
             namespace='robot1', parameters=[params], remappings=TF),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_navigation', namespace='robot1',
             parameters=[{'autostart': True, 'use_sim_time': True,
                          'node_names': ['controller_server', 'collision_monitor']}]),
    ])
