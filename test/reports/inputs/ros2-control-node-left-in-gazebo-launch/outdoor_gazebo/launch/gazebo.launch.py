from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('outdoor_gazebo')
    description = {'robot_description': ParameterValue(Command([
        FindExecutable(name='xacro'), ' ',
        PathJoinSubstitution([share, 'urdf', 'outdoor.urdf.xacro'])]), value_type=str)}
    control = PathJoinSubstitution([share, 'config', 'control.yaml'])
    return LaunchDescription([
        IncludeLaunchDescription(PythonLaunchDescriptionSource(PathJoinSubstitution([
            FindPackageShare('gazebo_ros'), 'launch', 'gazebo.launch.py']))),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description, {'use_sim_time': True}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[description, control, {'use_sim_time': True}]),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-entity', 'outdoor', '-topic', 'robot_description', '-z', '0.05']),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['outdoor_velocity_controller']),
    ])
