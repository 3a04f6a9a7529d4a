from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('two_arms_gz')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'arm.urdf.xacro'])]), value_type=str)
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={'gz_args': '-r empty.sdf'}.items()),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='uf850',
             parameters=[{'robot_description': description, 'use_sim_time': True}]),
        Node(package='ros_gz_sim', executable='create', namespace='uf850',
             arguments=['-topic', 'robot_description', '-name', 'uf850']),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock']),
        Node(package='controller_manager', executable='spawner', namespace='uf850',
             arguments=['joint_state_broadcaster', '--controller-manager',
                        '/uf850/controller_manager']),
        Node(package='controller_manager', executable='spawner', namespace='uf850',
             arguments=['uf850_traj_controller', '--controller-manager',
                        '/uf850/controller_manager']),
    ])
