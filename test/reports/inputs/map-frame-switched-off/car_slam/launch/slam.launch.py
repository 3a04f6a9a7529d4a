from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    share = Path(get_package_share_directory('car_slam'))
    text = (share / 'urdf' / 'car.urdf').read_text()
    frames = {'frame_id': 'base_link', 'approx_sync': True}
    topics = [('rgb/image', '/camera/color/image_raw'),
              ('rgb/camera_info', '/camera/color/camera_info'),
              ('depth/image', '/camera/aligned_depth_to_color/image_raw')]
    return LaunchDescription([
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': text}]),
        Node(package='joint_state_publisher', executable='joint_state_publisher'),
        Node(package='rtabmap_odom', executable='rgbd_odometry',
             parameters=[{**frames, 'odom_frame_id': 'odom'}], remappings=topics),
        Node(package='rtabmap_slam', executable='rtabmap',
             parameters=[{
                 'frame_id': 'base_link',
                 'map_frame_id': 'map',
                 'publish_tf': False,
                 'subscribe_depth': True,
                 'approx_sync': True,
             }], remappings=topics),
        Node(package='rviz2', executable='rviz2',
             arguments=['-d', str(share / 'rviz' / 'map.rviz')]),
    ])
