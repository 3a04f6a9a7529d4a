from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription([
        Node(package='serial_bridge', executable='bridge', name='bridge', output='screen',
             parameters=[{
                 'usb_vendor': '0483',
                 'usb_product': '5741',
                 'baud': 115200,
             }]),
    ])
