import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node
from moveit_configs_utils import MoveItConfigsBuilder


def generate_launch_description():
    description = get_package_share_directory('er_simulation')
    moveit_config = (
        MoveItConfigsBuilder('er', package_name='er_moveit_config')
        .robot_description(os.path.join(description, 'urdf', 'er.urdf.xacro'))
        .robot_description_semantic('config/er.srdf')
        .robot_description_kinematics('config/kinematics.yaml')
        .joint_limits('config/joint_limits.yaml')
        .trajectory_execution('config/moveit_controllers.yaml')
        .to_moveit_configs()
    )
    return LaunchDescription([
        Node(package='moveit_ros_move_group', executable='move_group', output='screen',
             parameters=[moveit_config.to_dict(), {'use_sim_time': True}]),
    ])
