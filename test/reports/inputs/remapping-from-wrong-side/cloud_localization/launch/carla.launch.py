from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription([
        Node(package='carla_ros_bridge', executable='bridge', name='carla_ros_bridge',
             parameters=[{'use_sim_time': True, 'host': 'localhost', 'port': 2000,
                          'synchronous_mode': True, 'town': 'Town03'}]),
        Node(package='cloud_localization', executable='localization', name='localization',
             parameters=[{'use_sim_time': True}],
             remappings=[('/carla/ego_vehicle/lidar', '/velodyne_points'),
                         ('/carla/ego_vehicle/imu', '/gpsimu_driver/imu_data')]),
    ])
