from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import LaunchConfiguration
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    path = PathJoinSubstitution([
        FindPackageShare('arm_driver_bringup'), 'urdf', 'arm.urdf.xacro'])
    description = ParameterValue(Command([
        'xacro ', path, ' tf_prefix:=', LaunchConfiguration('tf_prefix')]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
    ])
