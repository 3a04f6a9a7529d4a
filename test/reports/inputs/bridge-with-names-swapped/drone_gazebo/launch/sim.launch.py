from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('drone_gazebo'))
    text = (share / 'urdf' / 'drone.urdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(
                Path(get_package_share_directory('ros_gz_sim')) / 'launch' / 'gz_sim.launch.py')),
            launch_arguments={'gz_args': ['-r ', str(share / 'worlds' / 'hall.sdf')]}.items()),
        Node(package='ros_gz_sim', executable='create',
             arguments=['-topic', 'robot_description', '-name', 'drone0']),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=[
                 '/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
                 '/world/hall/model/drone0/link/base_link/sensor/gpu_lidar/scan'
                 '@sensor_msgs/msg/LaserScan[gz.msgs.LaserScan'],
             remappings=[('/world/hall/model/drone0/link/base_link/sensor/gpu_lidar/scan',
                          '/scan')]),
    ])
