from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    share = Path(get_package_share_directory('px_pick'))
    config = (
        MoveItConfigsBuilder('px', package_name='px_pick')
        .robot_description(file_path='config/px.urdf')
        .robot_description_semantic(file_path='config/px.srdf')
        .to_moveit_configs())
    return LaunchDescription([
        Node(package='moveit_task_constructor_demo', executable='pick_place_demo',
             name='mtc_tutorial',
             parameters=[config.to_dict(), str(share / 'config' / 'pick.yaml')]),
    ])
