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

"""Recordings and running graphs of ``drawn19.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import robot
from support.graph_records import TIMES
from support.mobile_robots import IMU
from support.mobile_robots import Mobile
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN

from urdf_tools.doctor.graph import JOINT_STATE

CAMERA = """<robot name="oak">
  <link name="oak"/><link name="oak_rgb_camera_frame"/>
  <joint name="oak_rgb_joint" type="fixed">
    <parent link="oak"/><child link="oak_rgb_camera_frame"/><origin xyz="0.01 0 0"/></joint>
</robot>
"""

DEPTH_CAMERA = """<robot name="azure_kinect">
  <link name="camera_base"/><link name="depth_camera_link"/>
  <joint name="depth_camera_joint" type="fixed">
    <parent link="camera_base"/><child link="depth_camera_link"/>
    <origin xyz="0 0 0.002"/></joint>
</robot>
"""

ATLAS = """<robot name="atlas">
  <link name="utorso"/><link name="head"/>
  <joint name="neck_ry" type="revolute">
    <parent link="utorso"/><child link="head"/><origin xyz="0.2 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-0.6" upper="1.1" effort="25" velocity="6"/></joint>
</robot>
"""

SPINDLE = """<robot name="multisense_sl">
  <link name="head"/><link name="hokuyo_link"/><link name="head_hokuyo_frame"/>
  <joint name="hokuyo_joint" type="continuous">
    <parent link="head"/><child link="hokuyo_link"/><origin xyz="-0.04 0 0.05"/>
    <axis xyz="1 0 0"/></joint>
  <joint name="head_hokuyo_fixed_joint" type="fixed">
    <parent link="hokuyo_link"/><child link="head_hokuyo_frame"/><origin xyz="0.03 0 0.03"/>
  </joint>
</robot>
"""

TWIST = 'geometry_msgs/msg/Twist'


def placed(*offsets: tuple[float, float, float]) -> list[tuple[float, ...]]:
    """Return transforms that do not turn."""
    return [(*offset, 0, 0, 0, 1) for offset in offsets]


def camera(records: GraphRecords, name: str, text: str, topic: str, child: str,
           parent: str) -> GraphRecords:
    """Add the state publisher of a camera without moving joints."""
    records.description(name, text, topic)
    records.subscriber(name, '/joint_states', JOINT_STATE, BEST_EFFORT)
    return records.frames(name, {child: parent}, placed((0.01, 0, 0.002)), topic='/tf_static',
                          times=TIMES[:1])


@made
def camera_publisher_hears_arm() -> GraphRecords:
    records = camera(
        robot(), '/oak_state_publisher', CAMERA, '/oak/robot_description', 'oak_rgb_camera_frame',
        'oak')
    return latched(records.frames(
        '/oak_mount', {'oak': 'tool'}, placed((0, 0, 0.05)), topic='/tf_static',
        times=TIMES[:1]))


@made
def empty_joint_states_of_camera() -> GraphRecords:
    records = camera(
        robot(), '/azure_state_publisher', DEPTH_CAMERA, '/azure/robot_description',
        'depth_camera_link', 'camera_base')
    records.frames('/camera_mount', {'camera_base': 'tool'}, placed((0, 0, 0.04)),
                   topic='/tf_static', times=TIMES[:1])
    return latched(records.joint_states('/joint_state_publisher', lambda times: {}, names=()))


@made
def spindle_states_on_other_topic() -> GraphRecords:
    records = GraphRecords().description('/robot_state_publisher', ATLAS)
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE, BEST_EFFORT)
    nod = 0.2 * np.sin(TIMES)
    nods = np.zeros((len(TIMES), 1, 7))
    nods[:, 0, :3] = 0.2, 0, 0.5
    nods[:, 0, 4], nods[:, 0, 6] = np.sin(nod / 2), np.cos(nod / 2)
    records.frames('/robot_state_publisher', {'head': 'utorso'}, nods)
    spindle = '/multisense_sl/robot_state_publisher'
    records.description(spindle, SPINDLE, '/multisense_sl/robot_description')
    records.subscriber(spindle, '/multisense_sl/joint_states', JOINT_STATE, BEST_EFFORT)
    records.frames(spindle, {'head_hokuyo_frame': 'hokuyo_link'}, placed((0.03, 0, 0.03)),
                   topic='/tf_static', times=TIMES[:1])
    records.joint_states('/gazebo', lambda times: {
        'neck_ry': 0.2 * np.sin(times)}, names=('neck_ry',))
    records.joint_states('/multisense_sl/driver', lambda times: {
        'hokuyo_joint': 2 * times}, names=('hokuyo_joint',))
    return latched(records.stamped(
        '/multisense_sl/driver', '/multisense_sl/lidar_scan', SCAN, 'head_hokuyo_frame',
        users=('/laser_assembler',)))


@made
def camera_odometry_beside_wheels() -> GraphRecords:
    return latched(Mobile().odom(node='turtlebot3_node').moves(
        'base_link', 'odom', 'zed_node').sensor('scan', SCAN, 'laser', users=('slam_toolbox',)))


@made
def velocities_of_multiplexer_unheard() -> GraphRecords:
    records = Mobile().odom(node='mobile_base').listens('/move_base')
    records.publisher('/move_base', '/cmd_vel_mux/input/navi', TWIST)
    records.publisher('/joystick', '/cmd_vel_mux/input/teleop', TWIST)
    for name in 'navi', 'teleop':
        records.subscriber('/cmd_vel_mux', f'/cmd_vel_mux/input/{name}', TWIST)
    records.publisher('/cmd_vel_mux', '/cmd_vel_mux/output', TWIST)
    records.subscriber('/mobile_base', '/mobile_base/commands/velocity', TWIST)
    return latched(records)


@made
def lidar_stamped_since_its_start() -> GraphRecords:
    return latched(Mobile().odom().sensor('imu/data', IMU, 'imu_link', node='imu').sensor(
        'os_cloud_node/points', POINTS, 'laser', node='os_cloud_node',
        stamps=lambda times: ((times + 412.5) * 1e9).astype(np.int64)))
