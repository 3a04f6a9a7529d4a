from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.actions import SetEnvironmentVariable
from launch.substitutions import PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare('moon_rover_gz')
    return LaunchDescription([
        SetEnvironmentVariable('GZ_SIM_RESOURCE_PATH', PathJoinSubstitution([share, 'models'])),
        IncludeLaunchDescription(PathJoinSubstitution([
            FindPackageShare('ros_gz_sim'), 'launch', 'gz_sim.launch.py']),
            launch_arguments={'gz_args': [
                '-r ', PathJoinSubstitution([share, 'worlds', 'pole.sdf'])]}.items()),
        Node(package='ros_gz_bridge', executable='parameter_bridge', arguments=[
            '/clock@rosgraph_msgs/msg/Clock[gz.msgs.Clock',
            '/nav_cam_left/camera_info@sensor_msgs/msg/CameraInfo@gz.msgs.CameraInfo',
            '/nav_cam_right/camera_info@sensor_msgs/msg/CameraInfo@gz.msgs.CameraInfo',
            '/aft_cam_left/camera_info@sensor_msgs/msg/CameraInfo@gz.msgs.CameraInfo',
            '/aft_cam_right/camera_info@sensor_msgs/msg/CameraInfo@gz.msgs.CameraInfo']),
        Node(package='ros_gz_image', executable='image_bridge', arguments=[
            '/navcam_left/image_raw', '/navcam_right/image_raw', '/aftcam_left/image_raw',
            '/aftcam_right/image_raw']),
    ])
