from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('duo_bringup')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'm6.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='left',
             parameters=[{'robot_description': description}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             namespace='left'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='right',
             parameters=[{'robot_description': description}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             namespace='right'),
        Node(package='rviz2', executable='rviz2'),
    ])
