from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('osprey_bringup')
    text = Command([FindExecutable(name='xacro'), ' ',
                    PathJoinSubstitution([share, 'urdf', 'osprey.urdf.xacro']), ' sim:=true'])
    description = {'robot_description': ParameterValue(text, value_type=str)}
    controllers = PathJoinSubstitution([share, 'config', 'controllers.yaml'])
    return LaunchDescription([
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={'gz_args': '-r empty.sdf'}.items()),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock']),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[description, {'use_sim_time': True}]),
        Node(package='ros_gz_sim', executable='create',
             arguments=['-topic', 'robot_description', '-name', 'osprey', '-z', '0.11']),
        Node(package='controller_manager', executable='ros2_control_node',
             parameters=[controllers, {'use_sim_time': True}]),
        Node(package='controller_manager', executable='spawner',
             arguments=['joint_state_broadcaster', 'drive_controller']),
    ])
