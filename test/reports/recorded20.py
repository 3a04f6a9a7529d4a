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
"""Recordings and running graphs of ``drawn20.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import WithoutQos
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import late
from support.mobile_robots import Mobile
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN

TF = 'tf2_msgs/msg/TFMessage'

DRIVE = """<robot name="drive">
  <link name="base_link"/><link name="left_wheel"/><link name="right_wheel"/>
  <link name="caster"/>
  <joint name="left_wheel_joint" type="continuous">
    <parent link="base_link"/><child link="left_wheel"/><origin xyz="0 0.15 0"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="right_wheel_joint" type="continuous">
    <parent link="base_link"/><child link="right_wheel"/><origin xyz="0 -0.15 0"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="caster_joint" type="fixed">
    <parent link="base_link"/><child link="caster"/><origin xyz="-0.15 0 -0.03"/></joint>
</robot>
"""

OVERRIDES = """/scan:
  history: keep_last
  depth: 10
  reliability: reliable
  durability: volatile
  deadline:
    sec: 0
    nsec: 0
  lifespan:
    sec: 0
    nsec: 0
  liveliness: system_default
  liveliness_lease_duration:
    sec: 0
    nsec: 0
  avoid_ros_namespace_conventions: false
"""
"""A file of overrides, where the profiles of a topic are expected."""


def placed(*positions: tuple[float, float, float]) -> np.ndarray:
    """Return transforms without rotations."""
    transforms = np.zeros((1, len(positions), 7))
    transforms[0, :, :3], transforms[0, :, 6] = positions, 1
    return transforms


@made
def viewer_asks_for_reliable_scans() -> GraphRecords:
    records = Mobile().odom().sensor(
        'scan', SCAN, 'laser', users=(), node='ydlidar_node', qos=BEST_EFFORT).viewer()
    records.subscriber('/rviz', '/scan', SCAN)
    return latched(records.subscriber('/ydlidar_client', '/scan', SCAN))


@made
def depth_camera_beside_drive() -> GraphRecords:
    records = GraphRecords().description('/robot_state_publisher', DRIVE)
    wheels = 'left_wheel_joint', 'right_wheel_joint'
    records.joint_states('/drive', lambda times: dict.fromkeys(wheels, times), names=wheels)
    records.subscriber(
        '/robot_state_publisher', '/joint_states', 'sensor_msgs/msg/JointState', BEST_EFFORT)
    records.frames('/robot_state_publisher', {'caster': 'base_link'}, placed((-0.15, 0, -0.03)),
                   topic='/tf_static', times=TIMES[:1])
    turned = np.zeros((len(TIMES), 2, 7))
    turned[:, 0, 1], turned[:, 1, 1] = 0.15, -0.15
    turned[:, :, 4], turned[:, :, 6] = np.sin(TIMES / 2)[:, None], np.cos(TIMES / 2)[:, None]
    records.frames('/robot_state_publisher', {
        'left_wheel': 'base_link', 'right_wheel': 'base_link'}, turned)
    records.frames('/realsense', {
        'camera_depth_frame': 'camera_link', 'camera_depth_optical_frame': 'camera_depth_frame'},
        [(0, 0, 0, 0, 0, 0, 1), (0, 0, 0, -0.5, 0.5, -0.5, 0.5)], topic='/tf_static',
        times=TIMES[:1])
    return latched(records.stamped(
        '/realsense', '/camera/depth/points', POINTS, 'camera_depth_optical_frame',
        users=('/rviz',)).subscriber('/rviz', '/tf_static', TF))


@made
def ground_truth_beside_navsat() -> GraphRecords:
    records = Mobile().odom().moves('odom', 'utm', node='ground_truth_publisher')
    return latched(records.fixed('utm', 'odom', node='navsat_transform_node').needs(
        'move_base', global_frame='odom', robot_base_frame='base_footprint'))


@made
def ouster_scans_without_odometry() -> GraphRecords:
    records = GraphRecords().frames('/ouster_driver', {
        'laser_data_frame': 'laser_sensor_frame', 'laser_imu_frame': 'laser_sensor_frame'},
        placed((0, 0, 0.036), (0.006, -0.012, 0.008)), topic='/tf_static', times=TIMES[:1])
    records.node('/slam_toolbox', frames={
        'odom_frame': 'odom', 'map_frame': 'map', 'base_frame': 'laser_sensor_frame'})
    records.subscriber('/slam_toolbox', '/tf_static', TF)
    return latched(records.stamped(
        '/ouster_driver', '/scan', SCAN, 'laser_data_frame', users=('/slam_toolbox',)))


@made
def images_of_no_frame() -> GraphRecords:
    records = Mobile().odom().sensor(
        'image_rect', IMAGE, '', users=('apriltag',), node='usb_camera')
    return latched(records.moves('tag36h11:56', '', node='apriltag').viewer())


@made
def overrides_as_offered_profiles() -> WithoutQos:
    return WithoutQos(latched(Mobile().odom().sensor('scan', SCAN, 'laser', users=())), OVERRIDES)


@made
def recorded_thirty_seconds_after_stamps() -> GraphRecords:
    return latched(Mobile(stamps=late(30.0)).odom().sensor(
        'scan', SCAN, 'laser', users=(), node='lidar'))


@made
def camera_recorded_without_frames() -> GraphRecords:
    records = GraphRecords()
    for name in 'color', 'aligned_depth_to_color':
        records.stamped('/camera/realsense2_camera', f'/camera/{name}/image_raw', IMAGE,
                        'camera_color_optical_frame')
    return records
