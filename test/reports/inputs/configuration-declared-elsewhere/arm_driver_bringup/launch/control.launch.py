from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('arm_driver_bringup')
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([share, 'launch', 'rsp.launch.py'])),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[PathJoinSubstitution([share, 'config', 'controllers.yaml'])],
             remappings=[('~/robot_description', '/robot_description')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'arm_controller']),
    ])
