from launch import LaunchDescription
from launch.actions import GroupAction
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.actions import PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('robot1_slam')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'robot1.urdf'])]), value_type=str)
    return LaunchDescription([
        GroupAction([
            PushRosNamespace(namespace='robot1'),
            Node(package='robot_state_publisher', executable='robot_state_publisher',
                 parameters=[{'robot_description': description, 'use_sim_time': True}]),
            IncludeLaunchDescription(PathJoinSubstitution([
                share, 'launch', 'slam_toolbox.launch.py'])),
        ]),
    ])
