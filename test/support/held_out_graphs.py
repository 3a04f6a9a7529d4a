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
Broken graphs of public threads, written down before the rules had seen them.

What is to be said of each was written from the answers in its thread, also before.
"""

from __future__ import annotations

import numpy as np
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import MODEL as ARM
from support.graph_records import nanoseconds
from support.graph_records import robot as arm
from support.graph_records import swinging
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import Mobile
from support.mobile_robots import MODEL
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.public_graphs import in_simulation
from support.public_graphs import located
from support.public_graphs import NAV2
from support.public_graphs import robot
from support.public_graphs import simulation
from support.public_graphs import Thread

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import TF_MESSAGE

RANGE = 'sensor_msgs/msg/Range'

ROCKER = MODEL.replace(
    '</robot>', '<link name="rocker"/><joint name="rocker_joint" type="revolute">'
    '<parent link="base_link"/><child link="rocker"/><axis xyz="0 1 0"/>'
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>')

FINGER = ARM.replace(
    '</robot>', '<link name="finger"/><joint name="finger_joint" type="prismatic">'
    '<parent link="arm"/><child link="finger"/><axis xyz="1 0 0"/><mimic joint="slide"/>'
    '<limit lower="-0.5" upper="0.5" effort="5" velocity="2"/></joint></robot>')


def without_broadcaster() -> GraphRecords:
    """Return an arm whose joint_state_broadcaster was never started."""
    records = GraphRecords().description('/robot_state_publisher', ARM.format(name='rrbot'))
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE)
    records.publisher('/robot_state_publisher', '/tf', TF_MESSAGE)
    records.frames('/robot_state_publisher', {'mount': 'base'}, [(0, 0, 0.5, 0, 0, 0, 1)],
                   topic='/tf_static', times=TIMES[:1])
    return records.subscriber('/rviz', '/tf', TF_MESSAGE)


def with_mimic_suffix() -> GraphRecords:
    """Return an arm whose simulator reports the finger as a joint of another name."""
    records = arm(FINGER.format(name='arm'), names=('turn', 'slide', 'finger_joint_mimic'),
                  positions=lambda times: {
                      **swinging(times), 'finger_joint_mimic': swinging(times)['slide']})
    return records.frames('/state_publisher', {'finger': 'arm'}, [
        [(0.3 * np.cos(time), 0, 0, 0, 0, 0, 1)] for time in TIMES])


def of_another_topic() -> GraphRecords:
    """Return an arm with a gripper that reports its joint in a namespace of its own."""
    return arm(names=('turn',), left_out=('slide',)).joint_states(
        '/gripper/driver', swinging, names=('slide',), topic='/gripper/joint_states')


def twice(times: np.ndarray) -> np.ndarray:
    """Return stamps of which each occurs twice."""
    return nanoseconds(np.floor(times * 5) / 5)


HELD_OUT = (
    Thread('ros-controls/ros2_control_demos#107', without_broadcaster,
           {'joint-states-silent': ''}),
    Thread('LeoRover/leo_simulator#6',
           lambda: Mobile(model=ROCKER).odom(), {'joint-not-reported': 'rocker_joint'}),
    Thread('automaticaddison/yahboom_rosmaster#4',
           lambda: in_simulation(located(stamps=simulated, right=0.4)).needs(
               'planner', use_sim_time=True, **NAV2).joint_states(
                   '/joint_state_publisher', lambda times: {
                       'wheel_left_joint': 0.0, 'wheel_right_joint': 0.0},
                   names=('wheel_left_joint', 'wheel_right_joint'), stamps=simulated),
           {'joint-two-publishers': '/driver and /joint_state_publisher'}),
    Thread('ros-navigation/navigation2#3746',
           lambda: simulation().needs(
               'controller_server', 'active', use_sim_time=False, global_frame='odom',
               robot_base_frame='base_link').needs(
                   'bt_navigator', 'active', use_sim_time=True, **NAV2),
           {'clock-mixed': '/controller_server'}),
    Thread('ros-navigation/navigation2#3101',
           lambda: Mobile().moves('base_footprint', 'odom_combined', 'ekf').moves(
               'odom_combined', 'map', 'amcl').needs(
                   'controller_server', 'active', global_frame='odom',
                   robot_base_frame='base_footprint'),
           {'frame-awaited': "'odom_combined'"}),
    Thread('ros-navigation/navigation2#5482',
           lambda: robot().map(node='amcl', times=TIMES[:20]).needs(
               'planner_server', 'active', **NAV2),
           {'frame-stopped': '/amcl stopped publishing'}),
    Thread('luxonis/depthai-ros#566',
           lambda: arm().frames('/oak_state_publisher', {
               'oak_model_origin': 'oak', 'oak_rgb_camera_optical_frame': 'oak'},
               topic='/tf_static', times=TIMES[:1]).stamped(
                   '/oak', '/oak/rgb/image_raw', IMAGE, 'oak_rgb_camera_optical_frame',
                   users=('/yolo',)),
           {'frame-tree-in-pieces': 'oak'}),
    Thread('ptrmu/fiducial_vlam#2',
           lambda: Mobile().moves('camera_link', 'map', 'vloc_node'),
           {'frame-two-parents': "'base_link' and 'map'"}),
    Thread('TixiaoShan/LIO-SAM#482',
           lambda: Mobile().moves('lidar_link', 'odom', 'lio_sam_mapOptimization').sensor(
               'points', POINTS, 'lidar_link', users=('lio_sam_imuPreintegration',)),
           {'frame-tree-in-pieces': "below 'odom'"}),
    Thread('ros-controls/gazebo_ros2_control#173', with_mimic_suffix,
           {'joint-unknown': 'finger_joint_mimic'}),
    Thread('UniversalRobots/Universal_Robots_ROS2_Driver#1228',
           lambda: arm().frames('/tcp_pose_broadcaster', {'tool0_controller': 'base'},
                                [np.nan] * 7),
           {'frame-ignored': 'tool0_controller'}),
    Thread('ros2/rviz#1122',
           lambda: located().sensor('scan', SCAN, 'laser', qos=Qos(reliable=False)).subscriber(
               '/rviz', '/scan', SCAN),
           {'qos-mismatch': '/rviz'}),
    Thread('UbiquityRobotics/magni_robot#232',
           lambda: robot().fixed('sonar_3', 'base_link').sensor(
               'pi_sonar/sonar_3', RANGE, 'sonar_3', users=(), node='pi_sonar',
               stamps=lambda times: np.zeros(len(times), np.int64)).subscriber(
                   '/rviz', '/pi_sonar/sonar_3', RANGE, LATCHED),
           {'qos-mismatch': '/rviz'}),
    Thread('RobotWebTools/rosbridge_suite#1022',
           lambda: located().subscriber('/rosbridge_websocket', '/tf', TF_MESSAGE, LATCHED),
           {'qos-mismatch': '/rosbridge_websocket'}),
    Thread('RoboSense-LiDAR/rslidar_sdk#91',
           lambda: located().fixed('rslidar', 'base_link').sensor(
               'rslidar_points', POINTS, '/rslidar', node='rslidar_sdk'),
           {'data-frame-unknown': "'rslidar'"}),
    Thread('ros-drivers/flir_ptu#51',
           lambda: arm(positions=lambda times: {'turn': 0.3, 'slide': 0.1},
                       velocities=lambda times: {'turn': 1.0, 'slide': 1.0},
                       tf_positions=lambda times: {'turn': 0.3, 'slide': 0.1}),
           {'joint-frozen': 'turn'}),
    Thread('HebiRobotics/hebi_cpp_api_ros_examples#35', of_another_topic,
           {'joint-not-reported': 'slide'}),
    Thread('ros-drivers/ros2_ouster_drivers#110',
           lambda: Mobile().odom(node='ekf', times=TIMES[:20]).map(node='ndt').sensor(
               'points', POINTS, 'laser'),
           {'frame-stopped': '/ekf stopped publishing'}),
    Thread('JAKARobotics/jaka_ros2#12',
           lambda: in_simulation(Mobile(stamps=simulated)).odom().node(
               '/robot_state_publisher', use_sim_time=False).needs(
                   'move_group', use_sim_time=True).viewer(use_sim_time=False),
           {'clock-mixed': '/rviz'}),
    Thread('LORD-MicroStrain/microstrain_inertial#248',
           lambda: robot().moves('sensor', 'odom', 'microstrain', stamps=twice),
           {'frame-stamps-jump': 'sensor'}),
)
"""Graphs whose causes were to be named; the names of their nodes are those of the threads."""

NOT_NAMED = ('LORD-MicroStrain/microstrain_inertial#248',)
"""Stamps that repeat: tf ignores the second, which only matters if it has another transform."""
