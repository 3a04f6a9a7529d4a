from launch import LaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('rover_bringup')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'rover.urdf'])]), value_type=str)
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description}]),
        Node(package='imu_filter_madgwick', executable='imu_filter_madgwick_node',
             name='imu_filter_madgwick',
             parameters=[{'use_mag': False, 'world_frame': 'enu'}],
             remappings=[('imu/data_raw', 'imu/raw')]),
        Node(package='robot_localization', executable='ekf_node', name='ekf_filter_node',
             parameters=[PathJoinSubstitution([share, 'config', 'ekf.yaml'])],
             remappings=[('odometry/filtered', 'odom')]),
    ])
