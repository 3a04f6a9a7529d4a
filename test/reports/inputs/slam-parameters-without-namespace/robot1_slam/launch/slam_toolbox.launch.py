from launch import LaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    return LaunchDescription([
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             parameters=[PathJoinSubstitution([
                 FindPackageShare('robot1_slam'), 'config', 'slam.yaml'])],
             remappings=[('/map', 'map'), ('/map_metadata', 'map_metadata')],
             output='screen'),
    ])
