from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('scan_bringup')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'scan_bot.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='rplidar_ros', node_executable='rplidar_node', node_name='rplidar_node',
             parameters=[{'serial_port': '/dev/ttyUSB0', 'frame_id': 'laser'}],
             output='screen'),
    ])
