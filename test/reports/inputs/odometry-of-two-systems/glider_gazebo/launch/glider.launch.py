from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('glider_gazebo')
    text = Command([FindExecutable(name='xacro'), ' ',
                    PathJoinSubstitution([share, 'urdf', 'glider.urdf'])])
    description = {'robot_description': ParameterValue(text, value_type=str)}
    return LaunchDescription([
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={'gz_args': '-r empty.sdf'}.items()),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description, {'use_sim_time': True}]),
        Node(package='ros_gz_sim', executable='create',
             arguments=['-topic', 'robot_description', '-name', 'glider', '-z', '0.1']),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             parameters=[{'config_file': PathJoinSubstitution([share, 'config', 'bridge.yaml']),
                          'use_sim_time': True}]),
    ])
