from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import yaml


def generate_launch_description():
    share = Path(get_package_share_directory('arm_bringup'))
    text = (share / 'urdf' / 'arm.urdf').read_text()
    semantic = (share / 'urdf' / 'arm.srdf').read_text()
    servo = yaml.safe_load((share / 'config' / 'servo.yaml').read_text())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='moveit_servo', executable='servo_node',
             parameters=[servo, {'robot_description': text,
                                 'robot_description_semantic': semantic}]),
    ])
