from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    actions = []
    for name in ['tb1', 'tb2']:
        actions.append(Node(
            package='joint_state_publisher', executable='joint_state_publisher', namespace=name))
    return LaunchDescription(actions)
