from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
import xacro
import yaml


def generate_launch_description():
    share = Path(get_package_share_directory('panda_like_config'))
    text = xacro.process_file(str(share / 'urdf' / 'panda_like.urdf.xacro')).toxml()
    semantic = (share / 'config' / 'panda_like.srdf').read_text()
    kinematics = yaml.safe_load((share / 'config' / 'kinematics.yaml').read_text())
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='moveit_ros_move_group', executable='move_group',
             parameters=[{'robot_description': text, 'robot_description_semantic': semantic,
                          'robot_description_kinematics': kinematics}]),
    ])
