from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('sam_navigation')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'sam.urdf'])]), value_type=str)
    parameters = PathJoinSubstitution([share, 'config', 'localization.yaml'])
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='nav2_map_server', executable='map_server', name='map_server',
             parameters=[parameters, {
                 'yaml_filename': PathJoinSubstitution([share, 'maps', 'room.yaml'])}]),
        Node(package='nav2_amcl', executable='amcl', name='amcl', parameters=[parameters]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_localization',
             parameters=[{'autostart': True, 'node_names': ['map_server', 'amcl']}]),
        Node(package='rviz2', executable='rviz2', arguments=[
            '-d', PathJoinSubstitution([share, 'rviz', 'sam.rviz'])]),
    ])
