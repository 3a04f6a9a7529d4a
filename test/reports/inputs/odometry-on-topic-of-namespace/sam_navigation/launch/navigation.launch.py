from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('sam_navigation'))
    text = (share / 'urdf' / 'sam.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('gazebo_ros')) / 'launch' / 'gazebo.launch.py'))),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-topic', 'robot_description', '-entity', 'sam']),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             parameters=[{'odom_frame': 'odom', 'map_frame': 'map', 'base_frame': 'base_link',
                          'scan_topic': '/scan', 'mode': 'mapping'}]),
        Node(package='nav2_behaviors', executable='behavior_server', name='behavior_server',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_bt_navigator', executable='bt_navigator', name='bt_navigator',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_planner', executable='planner_server', name='planner_server',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_controller', executable='controller_server', name='controller_server',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_navigation',
             parameters=[{'autostart': True, 'node_names': [
                 'controller_server', 'planner_server', 'behavior_server', 'bt_navigator']}]),
    ])
