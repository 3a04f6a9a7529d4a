from launch import LaunchDescription
from launch_ros.actions import Node

TAGS = 120


def tag(number):
    row, column = divmod(number, 12)
    return Node(
        package='tf2_ros', executable='static_transform_publisher',
        name=f'tag_{number}_publisher',
        arguments=['--x', str(2.5 * column), '--y', str(3.0 * row), '--z', '1.2',
                   '--yaw', '1.5708', '--frame-id', 'site',
                   '--child-frame-id', f'tag_{number}'])


def generate_launch_description():
    return LaunchDescription([tag(number) for number in range(TAGS)])
