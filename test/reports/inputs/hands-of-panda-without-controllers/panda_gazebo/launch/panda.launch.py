from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('panda_gazebo')
    text = Command(['xacro ', PathJoinSubstitution([share, 'urdf', 'panda.urdf.xacro'])])
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('gazebo_ros'), 'launch', 'gazebo.launch.py'])),
        Node(package='robot_state_publisher', executable='robot_state_publisher', parameters=[
            {'robot_description': ParameterValue(text, value_type=str), 'use_sim_time': True}]),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-topic', 'robot_description', '-entity', 'panda']),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', '-c', '/controller_manager']),
        Node(package='controller_manager', executable='spawner',
             arguments=['panda_arm_controller', '-c', '/controller_manager']),
        Node(package='controller_manager', executable='spawner',
             arguments=['panda_handleft_controller', '-c', '/controller_manager']),
    ])
