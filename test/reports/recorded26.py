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
"""Recordings and running graphs of ``drawn26.yaml``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from support.driven_robots import standing
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import robot
from support.mobile_robots import Mobile
from support.mobile_robots import ODOMETRY
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN


@made
def imu_of_board_with_negative_gravity() -> GraphRecords:
    return latched(standing((-0.31, -0.02, -9.91)))


@made
def camera_of_map_and_of_description() -> GraphRecords:
    return latched(Mobile().odom().moves('camera_link', 'map', node='vloc_node').viewer())


@made
def sensor_frames_at_time_zero() -> GraphRecords:
    def never(times: np.ndarray) -> np.ndarray:
        return np.zeros(len(times), np.int64)
    records = GraphRecords().frames('/fsds/bridge', {'fsds/FSCar': 'fsds/map'})
    records.frames('/fsds/bridge', {'fsds/Lidar': 'fsds/FSCar'}, stamps=never)
    records.stamped('/fsds/bridge', '/lidar/points', POINTS, 'fsds/Lidar', users=('/mapping',))
    return records.stamped('/fsds/bridge', '/odom', ODOMETRY, 'fsds/map', child='fsds/FSCar')


@made
def joint_names_blank() -> GraphRecords:
    return latched(robot(names=('', '')))


@made
def velocities_of_one_wheel_only() -> GraphRecords:
    records = Mobile().odom()
    track = records._joints[-1]
    records._joints[-1] = replace(track, velocities=np.zeros((len(track.stamps), 1)))
    return latched(records)


@made
def viewer_wants_latched_scan() -> GraphRecords:
    records = Mobile().odom().sensor('scan', SCAN, 'laser', users=(), node='scan_merger')
    return latched(records.viewer().subscriber('/rviz', '/scan', SCAN, LATCHED))


@made
def points_of_depth_camera_best_effort() -> GraphRecords:
    records = Mobile().odom().sensor(
        'camera/depth_registered/points', POINTS, 'camera_optical', users=(),
        node='camera/points_xyzrgb', qos=BEST_EFFORT)
    records.subscriber('/rviz', '/camera/depth_registered/points', POINTS)
    return latched(records.viewer())
