from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import ExecuteProcess
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('create_gazebo'))
    text = (share / 'urdf' / 'create.urdf').read_text()
    return LaunchDescription([
        ExecuteProcess(cmd=['gazebo', '--verbose', '-s', 'libgazebo_ros_init.so',
                            '-s', 'libgazebo_ros_factory.so']),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text, 'use_sim_time': True}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-entity', 'create', '-topic', 'robot_description']),
    ])
