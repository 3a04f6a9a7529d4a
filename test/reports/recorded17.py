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

"""Recordings and running graphs of ``drawn17.yaml``."""

from __future__ import annotations

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import Scanned
from support.driven_robots import driven
from support.driven_robots import standing
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import late
from support.mobile_robots import Mobile
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.mobile_robots import WHEELS
from support.recordings import Written

from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import ClockTrack
from urdf_tools.doctor.observation import Observation

WEEK = 7 * 24 * 3600.0
"""Seconds of a week."""


class ScanBeforeTheClock(Scanned):
    """A drive whose first scan was received at the time zero, before there was a clock."""

    def written(self, seen: Observation) -> list[Written]:
        scans = super().written(seen)
        return [scans[0]._replace(received=1000), *scans[1:]]


def slowly(times: np.ndarray) -> np.ndarray:
    """Return stamps of a simulation whose clock ticks twice a second."""
    return simulated(np.floor(2 * times) / 2)


@made
def images_without_any_transform() -> GraphRecords:
    records = GraphRecords().stamped(
        '/usb_camera_driver', '/image', IMAGE, 'camera', users=('/rviz',))
    return records.subscriber('/rviz', '/tf_static', TF_MESSAGE)


@made
def images_in_numbered_frames() -> GraphRecords:
    records = GraphRecords()
    for number, time in enumerate(TIMES, 6840):
        records.stamped('/cam2image', '/image', IMAGE, str(number), times=np.array([time]),
                        stamps=lambda times: np.zeros(len(times), np.int64))
    return records.subscriber('/rviz', '/image', IMAGE).subscriber('/rviz', '/tf', TF_MESSAGE)


@made
def images_in_frame_of_other_driver() -> GraphRecords:
    return latched(Mobile().odom().fixed('oak_rgb_camera_frame', 'base_link', node='oak').fixed(
        'oak_rgb_camera_optical_frame', 'oak_rgb_camera_frame', node='oak2').sensor(
            'color/image', IMAGE, 'dai_rgb_camera_optical_frame', users=('stereo_odometry',),
            node='rgb_stereo_publisher'))


@made
def camera_alone_with_slam() -> GraphRecords:
    records = GraphRecords().node('/slam_toolbox', frames={
        'map_frame': 'map', 'odom_frame': 'odom', 'base_frame': 'base_footprint'})
    records.frames('/camera', {'camera_depth_frame': 'camera_link'}, topic='/tf_static',
                   times=TIMES[:1]).subscriber('/slam_toolbox', '/tf_static', TF_MESSAGE)
    return latched(records.stamped(
        '/depthimage_to_laserscan', '/scan', SCAN, 'camera_depth_frame',
        users=('/slam_toolbox',)))


@made
def lidar_apart_from_robot() -> GraphRecords:
    return latched(Mobile().odom().sensor(
        'scan', SCAN, 'laser_frame', users=('slam_toolbox',), node='lidar_driver').needs(
            'slam_toolbox', map_frame='map', odom_frame='odom', base_frame='base_footprint'))


@made
def wheels_also_by_gazebo() -> GraphRecords:
    records = Mobile(stamps=simulated).clock('/gazebo', lambda times: times).odom(node='gazebo')
    return latched(records.frames(
        '/gazebo', dict.fromkeys(WHEELS, 'base_link'), stamps=simulated).viewer())


@made
def map_frame_faster_than_clock() -> GraphRecords:
    records = Mobile(stamps=simulated).clock('/gazebo', lambda times: np.floor(2 * times) / 2)
    return latched(records.odom().map('cartographer_node', stamps=slowly))


@made
def first_scan_received_at_zero() -> Scanned:
    return ScanBeforeTheClock(latched(driven()), lambda angles: angles)


@made
def week_old_recording_for_nav2() -> GraphRecords:
    records = Mobile(stamps=late(WEEK)).odom(node='rosbag2_player').map('rosbag2_player')
    return latched(records.sensor(
        'scan', SCAN, 'laser', users=('controller_server',), node='rosbag2_player').needs(
            'controller_server', use_sim_time=False, global_frame='odom',
            robot_base_frame='base_link'))


@made
def points_stamped_anew_in_replay() -> GraphRecords:
    records = Mobile(stamps=simulated).clock('/rosbag2_player', lambda times: times).odom(
        node='rosbag2_player')
    return latched(records.sensor(
        'ouster/points', POINTS, 'laser', users=('lidar_odometry',), node='os_cloud',
        stamps=nanoseconds).needs('lidar_odometry', use_sim_time=True, global_frame='odom'))


@made
def pose_of_amcl_not_a_number() -> GraphRecords:
    return latched(Mobile().odom().map('amcl', delay=0.0).frames(
        '/amcl', {'odom': 'map'}, [np.nan] * 7, times=TIMES + 0.05))


@made
def imu_without_orientation() -> GraphRecords:
    return latched(standing())


@made
def clocks_of_two_simulations() -> GraphRecords:
    times = np.sort(np.concatenate((TIMES, TIMES + 0.02)))
    records = Mobile(stamps=simulated).odom().viewer(use_sim_time=True)
    records.clock('/gazebo', lambda times: times).publisher(
        '/gazebo_2', '/clock', 'rosgraph_msgs/msg/Clock')
    other = np.arange(len(times)) % 2 * 14800
    records._others['clock'] = ClockTrack(
        nanoseconds(times), ((times + other) * 1e9).astype(np.int64))
    return latched(records)
