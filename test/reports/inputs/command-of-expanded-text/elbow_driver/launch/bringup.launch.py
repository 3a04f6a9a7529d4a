import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.substitutions import Command
from launch_ros.actions import Node
import xacro


def generate_launch_description():
    share = get_package_share_directory('elbow_driver')
    path = os.path.join(share, 'urdf', 'elbow.urdf.xacro')
    robot_description_xacro = xacro.process_file(path).toxml()

    start_robot_state_publisher_cmd = Node(
        package='robot_state_publisher',
        executable='robot_state_publisher',
        name='robot_state_publisher',
        output='screen',
        parameters=[{'robot_description': Command([
            'xacro', ' ', robot_description_xacro])}]
    )
    return LaunchDescription([start_robot_state_publisher_cmd])
