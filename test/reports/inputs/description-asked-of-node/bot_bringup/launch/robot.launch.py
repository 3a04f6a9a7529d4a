from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.substitutions import Command
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue


def generate_launch_description():
    share = Path(get_package_share_directory('bot_bringup'))
    description = ParameterValue(Command(
        ['ros2 param get --hide-type /robot_state_publisher robot_description']), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': (share / 'urdf' / 'bot.urdf').read_text()}]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[{'robot_description': description},
                         str(share / 'config' / 'controllers.yaml')]),
        Node(package='controller_manager', executable='spawner', arguments=['diff_cont']),
    ])
