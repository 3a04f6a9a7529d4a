from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('car_mapping'))
    text = (share / 'urdf' / 'car.urdf').read_text()
    camera = Path(get_package_share_directory('realsense2_camera'))
    rtabmap = Path(get_package_share_directory('rtabmap_launch'))
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(camera / 'launch' / 'rs_launch.py')),
            launch_arguments={'camera_namespace': '', 'align_depth.enable': 'true'}.items()),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(rtabmap / 'launch' / 'rtabmap.launch.py')),
            launch_arguments={
                'frame_id': 'camera_link',
                'rgb_topic': '/camera/color/image_raw',
                'depth_topic': '/camera/aligned_depth_to_color/image_raw',
                'camera_info_topic': '/camera/color/camera_info',
                'approx_sync': 'true',
            }.items()),
    ])
