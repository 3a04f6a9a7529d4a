from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import FindExecutable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('nano_bringup')
    description = Command([
        FindExecutable(name='xacro'), ' ',
        PathJoinSubstitution([share, 'urdf', 'cart.urdf'])])
    text = ParameterValue(description, value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='sick_safetyscanners2', executable='sick_safetyscanners2_node',
             name='sick_safetyscanners2_node',
             parameters=[{'frame_id': 'scan', 'sensor_ip': '192.168.1.11',
                          'host_ip': '192.168.1.9'}],
             remappings=[('/sick_safetyscanners2/scan', '/scan')]),
        Node(package='rf2o_laser_odometry', executable='rf2o_laser_odometry_node',
             parameters=[{'laser_scan_topic': '/scan', 'odom_topic': '/odom',
                          'publish_tf': True, 'base_frame_id': 'base_link',
                          'odom_frame_id': 'odom', 'freq': 20.0}]),
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('slam_toolbox'), 'launch',
                                  'online_async_launch.py']),
            launch_arguments={
                'use_sim_time': 'true',
                'slam_params_file': PathJoinSubstitution([share, 'config', 'slam.yaml']),
            }.items()),
    ])
