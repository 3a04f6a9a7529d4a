from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('tri_demo')
    description = Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'cell.urdf.xacro'])])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{
                 'robot_description': ParameterValue(description, value_type=str)}]),

    ])
