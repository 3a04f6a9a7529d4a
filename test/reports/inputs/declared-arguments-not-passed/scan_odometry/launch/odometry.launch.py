from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument('topic', description='the point clouds'),
        DeclareLaunchArgument('odom_frame', default_value='odom'),
        DeclareLaunchArgument('child_frame', default_value='base_link'),
        DeclareLaunchArgument('publish_odom_tf', default_value='true'),
        DeclareLaunchArgument('publish_alias_tf', default_value='true'),
        DeclareLaunchArgument('max_range', default_value='100.0'),
        DeclareLaunchArgument('deskew', default_value='false'),
        Node(package='scan_odometry', executable='odometry_node', name='odometry_node',
             output='screen',
             remappings=[('pointcloud_topic', LaunchConfiguration('topic'))],
             parameters=[{
                 'odom_frame': LaunchConfiguration('odom_frame'),
                 'child_frame': LaunchConfiguration('child_frame'),
                 'max_range': LaunchConfiguration('max_range'),
                 'deskew': LaunchConfiguration('deskew'),
             }]),
    ])
