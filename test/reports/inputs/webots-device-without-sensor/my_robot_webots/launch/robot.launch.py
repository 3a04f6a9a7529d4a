import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import EmitEvent
from launch.actions import RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch_ros.actions import Node
from webots_ros2_driver.urdf_spawner import URDFSpawner
from webots_ros2_driver.webots_controller import WebotsController
from webots_ros2_driver.webots_launcher import WebotsLauncher


def generate_launch_description():
    share = get_package_share_directory('my_robot_webots')
    path = os.path.join(share, 'resource', 'my_robot.urdf')
    with open(path) as file:
        description = file.read()
    webots = WebotsLauncher(
        world=os.path.join(share, 'worlds', 'empty.wbt'), ros2_supervisor=True)
    return LaunchDescription([
        webots,
        webots._supervisor,
        URDFSpawner(name='my_robot', urdf_path=path, translation='0 0 0', rotation='0 0 1 0'),
        WebotsController(
            robot_name='my_robot', parameters=[{'robot_description': path}], respawn=True),
        Node(package='robot_state_publisher', executable='robot_state_publisher',
             parameters=[{'robot_description': description, 'use_sim_time': True}]),
        RegisterEventHandler(OnProcessExit(
            target_action=webots, on_exit=[EmitEvent(event=Shutdown())])),
    ])
