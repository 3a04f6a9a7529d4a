from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_pal.include_utils import include_launch_py_description
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    description = Command(['xacro ', PathJoinSubstitution([
        FindPackageShare('tiago_gazebo'), 'urdf', 'tiago.urdf.xacro'])])
    return LaunchDescription([
        DeclareLaunchArgument('gui', default_value='true'),
        include_launch_py_description(
            'gazebo_ros', ['launch', 'gazebo.launch.py'],
            launch_arguments={'gui': LaunchConfiguration('gui')}.items()),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str),
                          'use_sim_time': True}]),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-topic', 'robot_description', '-entity', 'tiago']),
    ])
