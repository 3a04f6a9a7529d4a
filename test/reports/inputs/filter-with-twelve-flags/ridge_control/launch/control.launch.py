from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('ridge_control')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'ridge.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='robot_localization', executable='ekf_node', name='ekf_localization',
             parameters=[PathJoinSubstitution([share, 'config', 'ekf.yaml'])]),
    ])
