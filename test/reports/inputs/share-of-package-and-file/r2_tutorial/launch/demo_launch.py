from launch import LaunchDescription
from launch.substitutions import FileContent
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    urdf = FileContent(
        PathJoinSubstitution([FindPackageShare('r2_tutorial', 'r2.urdf.xml')]))
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': urdf}]),
    ])
