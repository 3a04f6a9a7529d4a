from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('panda_demo')
    description = Command([
        FindExecutable(name='xacro'), ' ',
        PathJoinSubstitution([share, 'urdf', 'panda.urdf.xacro'])])
    text = ParameterValue(description, value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='tf2_ros', executable='static_transform_publisher', name='world2robot',
             arguments=['--frame-id', 'world', '--child-frame-id', 'panda_link0']),
        Node(package='tf2_ros', executable='static_transform_publisher', name='hand2camera',
             arguments=['0.04', '0.0', '0.04', '0.0', '0.0', '0.0', 'panda_hand', 'sim_camera']),
        Node(package='rviz2', executable='rviz2'),
    ])
