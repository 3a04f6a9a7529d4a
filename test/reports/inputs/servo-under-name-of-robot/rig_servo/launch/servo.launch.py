from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder
import yaml


def generate_launch_description():
    share = Path(get_package_share_directory('rig_servo'))
    config = (
        MoveItConfigsBuilder('rig', package_name='rig_servo')
        .robot_description(file_path='config/rig.urdf')
        .robot_description_semantic(file_path='config/rig.srdf')
        .to_moveit_configs())
    servo = {'rig_config': yaml.safe_load((share / 'config' / 'servo.yaml').read_text())}
    return LaunchDescription([
        Node(package='moveit_servo', executable='servo_node_main',
             parameters=[servo, config.robot_description, config.robot_description_semantic,
                         config.robot_description_kinematics]),
    ])
