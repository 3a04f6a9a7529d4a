from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('quad_gazebo')
    model = PathJoinSubstitution([share, 'urdf', 'quad.urdf.xacro'])
    actions = [
        IncludeLaunchDescription(
            PathJoinSubstitution([FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={
                'gz_args': ['-r ', PathJoinSubstitution([share, 'worlds', 'room.sdf'])]}.items()),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
                        '/camera@sensor_msgs/msg/Image[gz.msgs.Image']),
    ]
    for name, place in ('quad_1', '0'), ('quad_2', '2'):
        description = Command(['xacro ', model, ' name:=', name])
        actions += [
            Node(package='robot_state_publisher', executable='robot_state_publisher',
                 namespace=name,
                 parameters=[{
                     'robot_description': ParameterValue(description, value_type=str),
                     'frame_prefix': name + '/', 'use_sim_time': True}]),
            Node(package='ros_gz_sim', executable='create',
                 arguments=['-topic', '/' + name + '/robot_description', '-name', name,
                            '-x', place, '-z', '0.5']),
        ]
    return LaunchDescription(actions)
