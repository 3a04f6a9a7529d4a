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

"""Recordings and running graphs of ``drawn10.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import ANGLES
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import scan
from reports.recorded import Scanned
from support.driven_robots import driven
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import TIMES
from support.mobile_robots import Mobile
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.recordings import Written

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.observation import Observation

TWIST = 'geometry_msgs/msg/Twist'

GRIPPER = """<robot name="{name}">
  <link name="base_link"/><link name="palm"/><link name="finger"/>
  <joint name="wrist_joint" type="revolute">
    <parent link="base_link"/><child link="palm"/><origin xyz="0 0 0.3"/>
    <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="5" velocity="2"/>
  </joint>
  <joint name="finger_joint" type="prismatic">
    <parent link="palm"/><child link="finger"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 1 0"/><limit lower="0" upper="0.04" effort="20" velocity="0.2"/>
  </joint>
</robot>
"""


class Unmoved(Scanned):
    """A robot that drives, and whose lidar says one metre in all directions all the time."""

    def written(self, seen: Observation) -> list[Written]:
        odometry, = (track for track in seen.stamped if track.kind == ODOMETRY)
        return [Written('/scan', time, scan(time, np.full(len(ANGLES), 1.0)))
                for time in odometry.stamps[::5].tolist()]


@made
def scan_in_frame_of_gazebo() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/bridge', lambda times: times).odom(
        node='bridge').sensor(
            'lidar', SCAN, 'amr/laser/gpu_lidar', users=('rviz',), node='bridge'))


@made
def velocities_nobody_receives() -> GraphRecords:
    return latched(
        Mobile().odom(node='diff_cont').publisher('/teleop_twist_keyboard', '/cmd_vel', TWIST)
        .subscriber('/diff_cont', '/diff_cont/cmd_vel_unstamped', TWIST))


@made
def source_of_fingers_renamed() -> GraphRecords:
    records = GraphRecords()
    records.description('/robot_state_publisher', GRIPPER.format(name='arm'))
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE)
    records.subscriber('/joint_state_publisher', '/robot_description', STRING, LATCHED)
    records.joint_states('/arm_driver', lambda times: {'wrist_joint': 0.2 * np.sin(times)},
                         names=('wrist_joint',), topic='/arm/joint_states')
    records.joint_states('/left_gripper', lambda times: {'finger_joint': 0.02 + 0.01 * np.sin(
        times)}, names=('finger_joint',), topic='/left_gripper/joint_states')
    for topic in '/arm/joint_states', '/hand_gripper/joint_states':
        records.subscriber('/joint_state_publisher', topic, JOINT_STATE)
    records.joint_states('/joint_state_publisher', lambda times: {
        'wrist_joint': 0.2 * np.sin(times), 'finger_joint': 0.0},
        names=('wrist_joint', 'finger_joint'))
    half = 0.1 * np.sin(TIMES)
    transforms = np.zeros((len(TIMES), 2, 7))
    transforms[:, :, 2] = 0.3, 0.1
    transforms[:, 0, 5], transforms[:, 0, 6] = np.sin(half), np.cos(half)
    transforms[:, 1, 6] = 1
    return records.frames('/robot_state_publisher', {
        'palm': 'base_link', 'finger': 'palm'}, transforms)


@made
def listener_outside_namespace() -> GraphRecords:
    return Mobile(space='/robot1').odom().listens('/view_frames', '')


@made
def ranges_all_one_metre() -> Scanned:
    return Unmoved(latched(driven()), lambda angles: angles)
