from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def cart(name, description):
    return [
        Node(package='robot_state_publisher', executable='robot_state_publisher', namespace=name,
             parameters=[{'robot_description': description}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher',
             namespace=name),
    ]


def generate_launch_description():
    description = ParameterValue(Command([
        FindExecutable(name='xacro'), ' ',
        PathJoinSubstitution([
            FindPackageShare('fleet_bringup'), 'urdf', 'cart.urdf.xacro'])]),
        value_type=str)
    return LaunchDescription([
        *cart('alpha', description),
        *cart('beta', description),
    ])
