from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('roller_bringup')
    text = Command([FindExecutable(name='xacro'), ' ',
                    PathJoinSubstitution([share, 'urdf', 'roller.urdf.xacro'])])
    description = {'robot_description': ParameterValue(text, value_type=str)}
    controllers = PathJoinSubstitution([share, 'config', 'controllers.yaml'])
    return LaunchDescription([
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[controllers], output='both'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description], output='both',
             remappings=[('/diff_drive_controller/cmd_vel', '/cmd_vel')]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'roller_base_controller',
                        '--param-file', controllers]),
        Node(package='teleop_twist_joy', executable='teleop_node',
             parameters=[{'publish_stamped_twist': True}]),
        Node(package='joy', executable='joy_node'),
    ])
