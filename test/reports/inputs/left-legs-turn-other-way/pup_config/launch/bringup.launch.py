import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    config = os.path.join(get_package_share_directory('pup_config'), 'config')
    path = os.path.join(get_package_share_directory('pup_description'), 'urdf', 'pup.urdf')
    with open(path) as file:
        description = file.read()
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='champ_base', executable='quadruped_controller_node',
             parameters=[
                 {'gazebo': False, 'publish_joint_states': True, 'publish_joint_control': True,
                  'joint_controller_topic': 'joint_group_effort_controller/joint_trajectory',
                  'urdf': description},
                 os.path.join(config, 'joints', 'joints.yaml'),
                 os.path.join(config, 'links', 'links.yaml'),
                 os.path.join(config, 'gait', 'gait.yaml'),
             ]),
    ])
