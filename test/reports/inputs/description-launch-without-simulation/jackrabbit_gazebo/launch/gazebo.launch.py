from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('gazebo_ros'), 'launch', 'gazebo.launch.py'])),
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('jackrabbit_description'), 'launch', 'description.launch.py'])),
        Node(package='gazebo_ros', executable='spawn_entity.py',
             arguments=['-entity', 'jackrabbit', '-topic', 'robot_description', '-z', '0.1']),
        Node(package='slam_toolbox', executable='async_slam_toolbox_node', name='slam_toolbox',
             parameters=[{'use_sim_time': True, 'odom_frame': 'odom', 'map_frame': 'map',
                          'base_frame': 'base_footprint', 'scan_topic': '/scan'}]),
    ])
