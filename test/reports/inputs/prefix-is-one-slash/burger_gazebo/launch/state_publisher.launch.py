from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PythonExpression
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('burger_gazebo'))
    text = (share / 'urdf' / 'burger.urdf').read_text()
    prefix = LaunchConfiguration('frame_prefix')
    return LaunchDescription([
        DeclareLaunchArgument('frame_prefix', default_value=''),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text,
                          'frame_prefix': PythonExpression(["'", prefix, "/'"])}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
    ])
