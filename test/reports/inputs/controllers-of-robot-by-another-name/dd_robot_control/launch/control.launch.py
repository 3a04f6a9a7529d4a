from launch import LaunchDescription
from launch.actions import GroupAction
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.actions import PushRosNamespace
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('dd_robot_control')
    text = Command([FindExecutable(name='xacro'), ' ',
                    PathJoinSubstitution([share, 'urdf', 'dd_robot.urdf.xacro'])])
    description = {'robot_description': ParameterValue(text, value_type=str)}
    return LaunchDescription([GroupAction([
        PushRosNamespace('dd_robot'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description]),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[PathJoinSubstitution([share, 'config', 'dd_robot_control.yaml'])]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'drive_controller']),
    ])])
