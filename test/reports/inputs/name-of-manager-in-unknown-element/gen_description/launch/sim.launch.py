from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('gen_description')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'gen.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='ros_gz_sim', executable='create',
             arguments=['-topic', 'robot_description']),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', '-c', '/left_controller_manager']),
        Node(package='controller_manager', executable='spawner',
             arguments=['arm_controller', '-c', '/left_controller_manager']),
    ])
