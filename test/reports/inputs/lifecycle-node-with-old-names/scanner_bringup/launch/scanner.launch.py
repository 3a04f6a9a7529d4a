from launch import LaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import LifecycleNode
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    parameters = PathJoinSubstitution([
        FindPackageShare('scanner_bringup'), 'config', 'scanner.yaml'])
    return LaunchDescription([
        LifecycleNode(package='scanner_bringup', node_executable='scanner',
                      node_name='scanner', node_namespace='/', output='screen',
                      parameters=[parameters]),
        Node(package='tf2_ros', executable='static_transform_publisher',
             arguments=['--z', '0.1', '--frame-id', 'base_link',
                        '--child-frame-id', 'laser_frame']),
    ])
