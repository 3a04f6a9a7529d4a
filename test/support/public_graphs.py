# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""
Graphs modelled on public threads, half of them broken and half of them healthy.

They are made from what the threads say of nodes, topics, frames and times; nothing is copied.
Where a thread leaves the cause open, the likeliest one is built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import nanoseconds
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import IMU
from support.mobile_robots import late
from support.mobile_robots import MAP
from support.mobile_robots import Mobile
from support.mobile_robots import MODEL
from support.mobile_robots import ODOMETRY
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN
from support.mobile_robots import simulated

from urdf_tools.doctor.graph import TF_MESSAGE

# The second "wheel" is the second finger of a gripper.
GRIPPER = MODEL.replace(
    '<child link="wheel_right"/>', '<child link="wheel_right"/><mimic joint="wheel_left_joint"/>')

NAV2 = {'global_frame': 'map', 'robot_base_frame': 'base_link'}
AMCL = {'global_frame_id': 'map', 'odom_frame_id': 'odom', 'base_frame_id': 'base_footprint'}
SLAM = {'map_frame': 'map', 'odom_frame': 'odom', 'base_frame': 'base_footprint'}
EKF = {'map_frame': 'map', 'odom_frame': 'odom', 'base_link_frame': 'base_link',
       'world_frame': 'odom'}


class Thread(NamedTuple):
    """
    A graph as a thread tells it.

    :param thread: repository and number.
    :param said: codes of the findings, and a part of each message or hint; empty if it is healthy.
    """

    thread: str
    build: Callable[[], GraphRecords]
    said: dict[str, str] = {}

    @property
    def link(self) -> str:
        """The address of the thread."""
        repository, _, number = self.thread.partition('#')
        return f'https://github.com/{repository}/issues/{number}'


def robot(**options) -> Mobile:
    return Mobile(**options).odom()


def located(**options) -> Mobile:
    return robot(**options).map()


def amcl(records: Mobile, state: str = 'active') -> Mobile:
    """Add a localisation that has not published its frame, and a planner that waits for it."""
    records.publisher('/amcl', '/tf', TF_MESSAGE)
    return records.needs('amcl', state, **AMCL).needs('planner_server', 'active', **NAV2)


def in_simulation(records: Mobile, pace: float = 1.0) -> Mobile:
    """Add Gazebo's clock."""
    records.node('/gz_bridge', use_sim_time=False)
    return records.clock('/gz_bridge', lambda times: times * pace)


def simulation() -> Mobile:
    return in_simulation(located(stamps=simulated)).needs('planner', use_sim_time=True, **NAV2)


def recorded(times: np.ndarray) -> np.ndarray:
    return 9 * 10**17 + (times * 1e9).astype(np.int64)


def two_robots(prefixes: tuple[str, str]) -> Mobile:
    """Return two robots on one /tf."""
    records = Mobile('/r1', prefixes[0], tree='').odom().map()
    records.space, records.prefix = '/r2', prefixes[1]
    return records.described().odom().map()


BROKEN = (
    Thread('ros-navigation/navigation2#1194', lambda: amcl(robot()),
           {'frame-awaited': 'See what /amcl waits for: an initial pose'}),
    Thread('ros-navigation/navigation2#4528', lambda: amcl(robot(), 'inactive'),
           {'frame-awaited': '/amcl should, but is inactive'}),
    Thread('ROBOTIS-GIT/turtlebot3#988', lambda: amcl(robot(), 'unconfigured'),
           {'frame-awaited': '/amcl should, but is unconfigured'}),
    Thread('XRobots/ReallyUsefulRobot#18',
           lambda: robot().needs('planner_server', 'active', **NAV2),
           {'frame-awaited': 'Start a localisation'}),
    Thread('ros-navigation/navigation2#2768',
           lambda: Mobile().needs('slam_toolbox', **SLAM).publisher(
               '/slam_toolbox', '/tf', TF_MESSAGE),
           {'frame-awaited': 'Let the odometry publish odom'}),
    Thread('introlab/rtabmap_ros#266',
           lambda: located(prefix='firefly/').sensor('scan', SCAN, 'firefly/firefly/laser'),
           {'data-frame-unknown': "Did you mean 'firefly/laser'?"}),
    Thread('macc-n/ros_unitree#1',
           lambda: located().sensor('scan', SCAN, 'go1_gazebo/laser'),
           {'data-frame-unknown': "Did you mean 'laser'?"}),
    Thread('turtlebot/turtlebot4#597',
           lambda: simulation().sensor('scan', SCAN, 'turtlebot4/laser/rplidar'),
           {'data-frame-unknown': "Did you mean 'laser'? Set it as <gz_frame_id>"}),
    Thread('Ekumen-OS/andino_gz#43',
           lambda: simulation().sensor('scan', SCAN, 'andino/base_footprint/laser'),
           {'data-frame-unknown': "Did you mean 'laser'?"}),
    Thread('osrf/vrx#876',
           lambda: located(prefix='wamv/').sensor('points', POINTS, 'wamv/wamv/base_link/laser'),
           {'data-frame-unknown': "Did you mean 'wamv/laser'?"}),
    Thread('luxonis/depthai-ros#162',
           lambda: located().sensor('image', IMAGE, 'dai_rgb_camera_optical', node='oak'),
           {'data-frame-unknown': "Did you mean 'camera_optical'?"}),
    Thread('ros-drivers/usb_cam#172',
           lambda: located().sensor('image', IMAGE, 'default_cam', users=('rviz',)),
           {'data-frame-unknown': "the frame 'default_cam', which no node publishes"}),
    Thread('realsenseai/realsense-ros#2400',
           lambda: located().sensor('imu', IMU, 'camera_imu_optical_frame', users=('ekf',)),
           {'data-frame-unknown': '/ekf cannot transform them'}),
    Thread('realsenseai/realsense-ros#1743',
           lambda: located().fixed('optical', 'd435_link', 'camera').sensor(
               'image', IMAGE, 'optical'),
           {'frame-tree-in-pieces': 'so that data on /image cannot be transformed'}),
    Thread('husarion/rosbot_ros#14',
           lambda: Mobile(prefix='rosbot1/').moves('base_footprint', 'odom').needs(
               'move_base', global_frame='odom', robot_base_frame='rosbot1/base_link'),
           {'frame-tree-in-pieces': "Did you mean 'rosbot1/base_footprint'"}),
    Thread('SteveMacenski/slam_toolbox#814',
           lambda: robot().map().sensor('scan', SCAN, 'laser', stamps=late(0.7)),
           {'data-stamps-old': '0.7 s old'}),
    Thread('SteveMacenski/slam_toolbox#229',
           lambda: located().sensor('scan', SCAN, 'laser', stamps=simulated),
           {'data-stamps-old': 'stamp with the time of the computer'}),
    Thread('mrpt-ros-pkg/mvsim_nav2_demos#2',
           lambda: located().sensor('scan', SCAN, 'laser', stamps=late(17.0)),
           {'data-stamps-old': '17 s old'}),
    Thread('turtlebot/turtlebot4#318',
           lambda: Mobile().odom(delay=1.7).map().sensor('scan', SCAN, 'laser'),
           {'frame-stamps-old': 'are 1.7 s old'}),
    Thread('ouster-lidar/ouster-ros#67',
           lambda: located().sensor('points', POINTS, 'laser', stamps=late(-2.5)),
           {'data-stamps-future': '2.5 s in the future'}),
    Thread('ANYbotics/elevation_mapping#122',
           lambda: simulation().sensor(
               'points', POINTS, 'camera_optical', users=('planner',), stamps=nanoseconds),
           {'clock-of-stamps': 'Set use_sim_time to true for /sensor'}),
    Thread('cra-ros-pkg/robot_localization#622',
           lambda: in_simulation(Mobile(stamps=simulated)).odom(
               node='ekf', stamps=nanoseconds).map().needs('planner', use_sim_time=True, **NAV2),
           {'clock-of-stamps': '/ekf stamps /tf with the time of the system'}),
    Thread('iRobotEducation/create3_sim#203',
           lambda: in_simulation(located(stamps=simulated)).wheels(
               'joint_state_publisher', stamps=nanoseconds).needs(
                   'planner', use_sim_time=True, **NAV2),
           {'clock-of-stamps': '/joint_state_publisher', 'joint-two-publishers': '/driver'}),
    Thread('clearpathrobotics/clearpath_simulator#61',
           lambda: robot(space='/a200').viewer(''),
           {'frame-other-namespace': '-r /tf:=/a200/tf'}),
    Thread('turtlebot/turtlebot4_simulator#48',
           lambda: located(space='/robot1').listens('/view_frames', ''),
           {'frame-other-namespace': 'for /view_frames'}),
    Thread('MoffKalast/vizanti#122',
           lambda: located(space='/robot0').listens('/vizanti_tf_handler', ''),
           {'frame-other-namespace': 'No frames arrive on /tf for /vizanti_tf_handler'}),
    Thread('clearpathrobotics/clearpath_robot#102',
           lambda: located(space='/a200').sensor(
               'points', POINTS, 'velodyne').frames(
                   '/velodyne', {'velodyne': 'mount'}, topic='/tf_static', times=TIMES[:1]),
           {'data-frame-unknown': 'is only published on /tf'}),
    Thread('DoosanRobotics/doosan-robot2#389', lambda: two_robots(('', '')),
           {'frame-two-publishers': '/odometry publish the same 1 frame: base_footprint Give each '
                                    'robot a frame_prefix'}),
    Thread('clearpathrobotics/clearpath_simulator#34',
           lambda: robot().odom(node='ekf'), {'frame-two-publishers': '/ekf and /odometry'}),
    Thread('ROBOTIS-GIT/turtlebot3_simulations#153',
           lambda: robot().moves('wheel_right', 'base_link', 'gazebo'),
           {'frame-two-publishers': '/gazebo and /robot_state_publisher'}),
    # A lidar on a mast, whose frame comes too rarely.
    Thread('SteveMacenski/slam_toolbox#775',
           lambda: Mobile(times=TIMES[4::5]).odom(times=TIMES).map(times=TIMES),
           {'joint-states-slow': 'at 2 Hz'}),
    Thread('Slamtec/sllidar_ros2#17',
           lambda: located().sensor('scan', SCAN, 'laser', times=TIMES[:15]),
           {'data-stopped': '3.5 s ago'}),
    Thread('introlab/rtabmap_ros#840',
           lambda: Mobile().odom(times=TIMES[:20]).map(),
           {'frame-stopped': '/odometry stopped publishing'}),
    Thread('ros-controls/ros_controllers#499',
           lambda: robot().moves('base_footprint', 'origin_link', 'ekf').fixed(
               'origin_link', 'odom'),
           {'frame-two-parents': "'odom' and 'origin_link'"}),
    Thread('ANYbotics/elevation_mapping#104',
           lambda: located().sensor('points', POINTS, 'laser', stamps=lambda times: (
               (614 + times) * 1e9).astype(np.int64)),
           {'data-stamps-old': 'with the time of the computer'}),
    Thread('ros/robot_state_publisher#198',
           lambda: GraphRecords().description(
               '/robot_state_publisher', '/opt/ws/share/arm/urdf/arm.urdf'),
           {'description-unreadable': "publishes the path '/opt/ws/share/arm/urdf/arm.urdf'"}),
    Thread('xArm-Developer/xarm_ros2#78',
           lambda: robot().wheels('joint_state_publisher'),
           {'joint-two-publishers': '/driver and /joint_state_publisher'}),
    Thread('philwall3/UR5-with-Robotiq-Gripper-and-Kinect#4',
           lambda: robot(model=GRIPPER, right=-0.8),
           {'joint-mimic-contradicts': "/driver reports joint 'wheel_right_joint' at -0.8 rad"}),
)


def looping(records: Mobile) -> Mobile:
    """Let a player publish a recording of another day, with its clock."""
    start = 9 * 10**17
    return records.clock('/rosbag2_player', lambda times: start / 1e9 + times)


FLOATING = MODEL.replace(
    '<link name="base_footprint"/>', '<link name="world"/><link name="base_footprint"/>'
    '<joint name="floats" type="floating"><parent link="world"/><child link="base_footprint"/>'
    '</joint>', 1)

HEALTHY = (
    # Localisation stamps its frame ahead, and may then be slow.
    Thread('cra-ros-pkg/robot_localization#153',
           lambda: robot().map(times=TIMES[9::10], delay=-1.0).needs('planner', **NAV2)),
    # Frames with a prefix, and data that have it, too.
    Thread('ros/robot_state_publisher#192',
           lambda: located(prefix='tb3_1/').sensor('scan', SCAN, 'tb3_1/laser')),
    Thread('clearpathrobotics/clearpath_common#51', lambda: two_robots(('r1/', 'r2/'))),
    # A namespace with its own tf, and all who listen in it.
    Thread('turtlebot/turtlebot4#588',
           lambda: located(space='/robot0').sensor('scan', SCAN, 'laser').viewer('/robot0')),
    Thread('ros-navigation/navigation2#1147',
           lambda: located(space='/robot1').needs('planner_server', 'active', **NAV2)),
    # A scan is stamped at its first ray.
    Thread('ros-drivers/ros2_ouster_drivers#127',
           lambda: located().sensor('points', POINTS, 'laser', stamps=late(0.1))),
    Thread('PepperlFuchs/pf_lidar_ros_driver#23',
           lambda: located().sensor('scan', SCAN, 'laser', stamps=late(-0.02))),
    # Odometry 18 ms behind the scan.
    Thread('rsasaki0109/lidar_slam_ros2#64',
           lambda: in_simulation(located(stamps=simulated)).sensor('scan', SCAN, 'laser')),
    # A camera in the hand, without a robot.
    Thread('introlab/rtabmap_ros#993',
           lambda: GraphRecords().description('/rsp', '<robot name="d435"><link name='
                                              '"camera_link"/></robot>').frames(
               '/rtabmap', {'odom': 'map'}).frames('/vo', {'camera_link': 'odom'}).stamped(
                   '/camera', '/image', IMAGE, 'camera_link', users=('/rtabmap',))),
    # Frames of tags come and go.
    Thread('christianrauch/apriltag_ros#15',
           lambda: located().moves('tag36h11:0', 'camera_optical', 'apriltag', times=TIMES[:12])),
    Thread('christianrauch/apriltag_ros#43',
           lambda: located().moves('tag36h11:586', 'camera_optical', 'apriltag', delay=0.8)),
    # Foxglove's bridge and the joystick have no use for the time of the simulation.
    Thread('foxglove/ros-foxglove-bridge#114',
           lambda: simulation().node('/foxglove_bridge', use_sim_time=False).subscriber(
               '/foxglove_bridge', '/tf', TF_MESSAGE).node(
                   '/joy_node', use_sim_time=False).publisher(
                       '/joy_node', '/joy', 'sensor_msgs/msg/Joy')),
    # A recording that is played with its clock.
    Thread('ros2/rosbag2#99',
           lambda: looping(located(stamps=recorded)).viewer(use_sim_time=True)),
    Thread('beltransen/velo2cam_calibration#8',
           lambda: looping(located(stamps=recorded)).viewer(use_sim_time=True).sensor(
               'points', POINTS, 'laser', users=())),
    # move_group publishes the description that it has from the same file.
    Thread('UniversalRobots/Universal_Robots_ROS2_Driver#658',
           lambda: robot().description('/move_group', MODEL.format(name='amr'))),
    # A state publisher leaves a floating joint to the odometry.
    Thread('ros/robot_state_publisher#19',
           lambda: Mobile(model=FLOATING).odom().moves('odom', 'world', 'localisation')),
    # A second node reports only the efforts or velocities of the joints.
    Thread('ros/robot_state_publisher#243',
           lambda: robot().joint_states(
               '/torque_sensors', lambda times: {}, efforts=lambda times: {
                   'wheel_left_joint': 1.0}, names=('wheel_left_joint', 'wheel_right_joint'))),
    # A slow simulation.
    Thread('qiayuanl/legged_control#4',
           lambda: in_simulation(
               Mobile(stamps=lambda times: simulated(0.05 * times), times=TIMES[::4]),
               0.05).odom().needs(
                   'planner', use_sim_time=True, global_frame='odom')),
    Thread('usnistgov/ARIAC#97',
           lambda: in_simulation(Mobile(stamps=lambda times: simulated(0.03 * times)), 0.03).odom(
               times=TIMES[4::5]).needs('planner', use_sim_time=True, global_frame='odom')),
    # An image that nobody transforms.
    Thread('roboception/rc_genicam_camera#1',
           lambda: located().stamped('/usb_cam', '/image', IMAGE, 'default_cam').subscriber(
               '/image_view', '/image', IMAGE)),
    # The same static transform as in the description.
    Thread('realsenseai/realsense-ros#2560',
           lambda: located().fixed('camera_link', 'base_link', 'static_transform_publisher')),
    # robot_localization has a parameter for a map that it does not use.
    Thread('ros-navigation/navigation2_tutorials#130',
           lambda: robot().needs('ekf_filter_node_odom', **EKF).sensor(
               'odom', ODOMETRY, 'odom', users=('ekf_filter_node_odom',))),
    # A map is stamped when it is loaded.
    Thread('ros-navigation/navigation2#1199',
           lambda: located().sensor('map', MAP, 'map', node='map_server', times=TIMES[:1],
                                    stamps=late(3600.0), qos=LATCHED)),
    # The position of a gripper's second finger, with play.
    Thread('DFKI-NI/mobipick#16', lambda: robot(model=GRIPPER, right=0.005)),
    # Odometry without a frame of its own, for those who fuse it.
    Thread('ros-controls/ros_controllers#118',
           lambda: Mobile().odom(node='ekf').sensor('odom', ODOMETRY, 'odom', users=('ekf',))),
    # Somebody else listens to frames through a node of tf2, but not who shows the image.
    Thread('autowarefoundation/autoware_launch#932',
           lambda: located().stamped('/usb_cam', '/image', IMAGE, 'default_cam').subscriber(
               '/image_view', '/image', IMAGE).listens('/transform_listener_impl_5bf01a')),
    # A drive controller looks up no frames: it only puts their names into messages.
    Thread('ros-navigation/navigation2_tutorials#46',
           lambda: located().listens('/transform_listener_impl_5bf01a').node(
               '/diff_drive', frames={
                   'odom_frame_id': 'odom_wheels', 'base_frame_id': 'base_link'})),
    # A filter that is off needs no frame.
    Thread('OctoMap/octomap_mapping#82',
           lambda: located().needs('octomap_server', base_frame_id='base_stabilized').sensor(
               'points', POINTS, 'laser', users=('octomap_server',))),
    # Static transforms need no stamps.
    Thread('ros2/ros2#989',
           lambda: located().fixed('tool', 'base_link', stamps=np.zeros_like)),
)
