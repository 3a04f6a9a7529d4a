from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    description = Command([
        FindExecutable(name='xacro'), ' ',
        PathJoinSubstitution([FindPackageShare('uf_description'), 'urdf', 'device.urdf.xacro']),
        ' attach_to:=', LaunchConfiguration('attach_to'),
        ' attach_xyz:=', LaunchConfiguration('attach_xyz')])
    return LaunchDescription([
        DeclareLaunchArgument('attach_to', default_value='world'),
        DeclareLaunchArgument('attach_xyz', default_value='0 0 0'),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': ParameterValue(description, value_type=str)}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
    ])
