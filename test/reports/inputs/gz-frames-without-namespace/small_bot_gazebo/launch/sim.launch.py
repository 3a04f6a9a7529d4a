from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.substitutions import Command
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('small_bot_gazebo')
    description = ParameterValue(Command([
        'xacro ', PathJoinSubstitution([share, 'urdf', 'small_bot.urdf.xacro']),
        ' namespace:=robot1']), value_type=str)
    return LaunchDescription([
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={'gz_args': '-r sensors.sdf'}.items()),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             namespace='robot1',
             parameters=[{'robot_description': description, 'frame_prefix': 'robot1/',
                          'use_sim_time': True}]),
        Node(package='ros_gz_sim', executable='create', namespace='robot1',
             arguments=['-topic', 'robot_description', '-name', 'robot1']),
        Node(package='ros_gz_bridge', executable='parameter_bridge',
             arguments=['/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
                        '/robot1/scan@sensor_msgs/msg/LaserScan[gz.msgs.LaserScan',
                        '/robot1/cmd_vel@geometry_msgs/msg/Twist]gz.msgs.Twist',
                        '/robot1/odom@nav_msgs/msg/Odometry[gz.msgs.Odometry',
                        '/robot1/tf@tf2_msgs/msg/TFMessage[gz.msgs.Pose_V'],
             remappings=[('/robot1/tf', '/tf')]),
    ])
