from launch import LaunchDescription
from launch.actions import ExecuteProcess
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('twin_pendulum_gazebo')
    return LaunchDescription([
        ExecuteProcess(cmd=['ign', 'gazebo', '-r', PathJoinSubstitution([
            share, 'worlds', 'twin_pendulum.sdf'])], output='screen'),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
                        '/model/twin_pendulum/pose@tf2_msgs/msg/TFMessage[gz.msgs.Pose_V'],
             remappings=[('/model/twin_pendulum/pose', '/tf')]),
        Node(package='rviz2', executable='rviz2', parameters=[{'use_sim_time': True}],
             arguments=['-d', PathJoinSubstitution([share, 'rviz', 'view.rviz'])]),
    ])
