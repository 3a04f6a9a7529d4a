from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('husky_navigation'))
    text = (share / 'urdf' / 'husky.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='a200',
             parameters=[{'robot_description': text}],
             remappings=[('/tf', 'tf'), ('/tf_static', 'tf_static')]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             namespace='a200'),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             namespace='a200',
             parameters=[{'odom_frame': 'odom', 'map_frame': 'map', 'base_frame': 'base_link',
                          'scan_topic': '/a200/scan', 'mode': 'mapping'}],
             remappings=[('/tf', 'tf'), ('/tf_static', 'tf_static')]),
        Node(package='nav2_behaviors', executable='behavior_server', name='behavior_server',
             namespace='a200',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_bt_navigator', executable='bt_navigator', name='bt_navigator',
             namespace='a200',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_planner', executable='planner_server', name='planner_server',
             namespace='a200',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_controller', executable='controller_server', name='controller_server',
             namespace='a200',
             parameters=[str(share / 'config' / 'nav2_params.yaml')]),
        Node(package='nav2_lifecycle_manager', executable='lifecycle_manager',
             name='lifecycle_manager_navigation', namespace='a200',
             parameters=[{'autostart': True, 'node_names': [
                 'controller_server', 'planner_server', 'behavior_server', 'bt_navigator']}]),
    ])
