from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('lino_navigation')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'lino.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='nav2_amcl', executable='amcl', name='amcl',
             parameters=[PathJoinSubstitution([share, 'config', 'navigation.yaml'])]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             parameters=[{'autostart': True, 'node_names': ['amcl']}]),
    ])
