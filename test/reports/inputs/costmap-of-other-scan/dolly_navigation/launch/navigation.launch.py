from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('dolly_navigation'))
    text = (share / 'urdf' / 'dolly.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='urg_node', executable='urg_node_driver', namespace='laser_1',
             parameters=[{'ip_address': '192.168.0.10', 'laser_frame_id': 'laser_1_link'}]),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             parameters=[{'odom_frame': 'odom', 'map_frame': 'map', 'base_frame': 'base_link',
                          'scan_topic': '/laser_1/scan', 'mode': 'mapping'}]),
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
