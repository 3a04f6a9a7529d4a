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

"""Recordings and running graphs of ``drawn15.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import Scanned
from support.driven_robots import driven
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import Mobile
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.recordings import Written

from urdf_tools.doctor.observation import Observation

MAPPING_ROBOT = """<robot name="{name}">
  <link name="base_footprint"/><link name="base_link"/><link name="base_camera"/>
  <joint name="base_link_joint" type="fixed">
    <parent link="base_footprint"/><child link="base_link"/><origin xyz="0 0 0.05"/></joint>
  <joint name="base_camera_joint" type="fixed">
    <parent link="base_link"/><child link="base_camera"/><origin xyz="0.1 0 0.2"/></joint>
</robot>
"""

TF = 'tf2_msgs/msg/TFMessage'


class BeforeTheClock(Scanned):
    """A drive whose first scans were received at the time zero, before there was a clock."""

    ZERO = 1000
    """When they were received, one microsecond after they were published, in nanoseconds."""

    def written(self, seen: Observation) -> list[Written]:
        scans = super().written(seen)
        return [Written(scan.topic, self.ZERO, scan.data) for scan in scans[:2]] + scans[2:]


@made
def first_scans_recorded_at_zero() -> Scanned:
    return BeforeTheClock(latched(driven()), lambda angles: angles)


@made
def simulation_recorded_in_system_time() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/bridge', lambda times: times).odom(
        node='bridge').sensor('scan', SCAN, 'laser', users=(), node='bridge'))


@made
def images_in_frame_of_nobody() -> GraphRecords:
    records = GraphRecords()
    records.description('/robot_state_publisher', MAPPING_ROBOT.format(name='mapper'))
    fixed = np.zeros((1, 2, 7))
    fixed[:, :, :3] = (0, 0, 0.05), (0.1, 0, 0.2)
    fixed[:, :, 6] = 1
    records.frames('/robot_state_publisher', {
        'base_link': 'base_footprint', 'base_camera': 'base_link'}, fixed, topic='/tf_static',
        times=TIMES[:1])
    drive = np.zeros((len(TIMES), 1, 7))
    drive[:, 0, 0], drive[:, 0, 6] = 0.2 * TIMES, 1
    records.frames('/odometry', {'base_footprint': 'odom'}, drive)
    records.subscriber('/orb_slam2', '/tf_static', TF, LATCHED)
    return latched(records.stamped(
        '/raspicam', '/image_raw', IMAGE, 'camera_optical', users=('/orb_slam2',)))


@made
def scans_without_odometry() -> GraphRecords:
    return latched(Mobile().sensor(
        'scan', SCAN, 'base_link', users=('slam_toolbox',), node='pointcloud_to_laserscan').needs(
            'slam_toolbox', odom_frame='odom', map_frame='map', base_frame='base_link'))
