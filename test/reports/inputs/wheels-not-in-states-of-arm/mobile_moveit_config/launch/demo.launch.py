from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import xacro


def generate_launch_description():
    share = Path(get_package_share_directory('mobile_moveit_config'))
    text = xacro.process_file(str(share / 'urdf' / 'mobile.urdf.xacro')).toxml()
    semantic = (share / 'config' / 'mobile.srdf').read_text()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[str(share / 'config' / 'controllers.yaml')],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster']),
        Node(package='controller_manager', executable='spawner',
             arguments=['arm_controller']),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[{'robot_description': text, 'robot_description_semantic': semantic}]),
    ])
