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
"""Recordings and running graphs of ``drawn11.yaml``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import Scanned
from support.driven_robots import driven
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import robot
from support.graph_records import TIMES
from support.mobile_robots import late
from support.mobile_robots import Mobile
from support.mobile_robots import POINTS
from support.mobile_robots import simulated
from support.recordings import Written

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import Observation

MONTH = 30 * 24 * 3600.0
"""Seconds of a month."""


class Rangeless(Scanned):
    """A robot in a room, whose lidar says that it sees 0 m far."""

    def written(self, seen: Observation) -> list[Written]:
        usual, none = (np.array((0.05, far), '<f4').tobytes() for far in (12, 0))
        messages = super().written(seen)
        if not all(usual in message.data for message in messages):
            raise ValueError('no message says how far the lidar sees')
        return [message._replace(data=message.data.replace(usual, none, 1))
                for message in messages]


@made
def frame_of_autopilot_and_of_estimator() -> GraphRecords:
    records = Mobile().odom(node='estimator').fixed('odom_ned', 'odom', node='mavros')
    return latched(records.fixed('world_ned', 'odom', node='estimator').moves(
        'odom_ned', 'world_ned', node='estimator').viewer())


@made
def recording_played_without_clock() -> GraphRecords:
    records = Mobile(stamps=late(MONTH)).odom(node='rosbag2_player').sensor(
        'points', POINTS, 'camera_optical', users=('stereo_pattern',), node='rosbag2_player')
    return latched(records.needs('stereo_pattern', use_sim_time=True, global_frame='odom'))


@made
def costmap_on_system_clock() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/gazebo', lambda times: times).odom().map(
        'slam_toolbox').needs('global_costmap', use_sim_time=False, global_frame='map',
                              robot_base_frame='base_link'))


@made
def odom_is_child_of_body() -> GraphRecords:
    return latched(Mobile().moves('odom', 'base_footprint', node='spot_driver').map(
        'slam_toolbox').needs('slam_toolbox', map_frame='map', odom_frame='odom',
                              base_frame='base_footprint'))


@made
def odometry_from_frame_of_camera() -> GraphRecords:
    return latched(Mobile().moves('base_footprint', 'camera_optical', node='rgbd_odometry').needs(
        'rtabmap', map_frame='map', odom_frame='camera_optical', base_frame='base_footprint'))


@made
def map_beside_odometry_of_drone() -> GraphRecords:
    return latched(Mobile(prefix='x500/').odom(node='ros_gz_bridge').moves(
        'odom', 'map', node='rtabmap').needs('rtabmap', map_frame='map', odom_frame='odom',
                                             base_frame='x500/base_footprint'))


@made
def points_best_effort_and_viewer_reliable() -> GraphRecords:
    records = Mobile().odom().sensor(
        'oak/points', POINTS, 'camera_optical', users=(), node='point_cloud_xyzrgb_node',
        qos=BEST_EFFORT)
    return latched(records.viewer().subscriber('/rviz', '/oak/points', POINTS))


@made
def scan_of_no_range() -> Rangeless:
    return Rangeless(latched(driven()), lambda angles: angles)


@made
def vehicle_without_base_link() -> GraphRecords:
    records = GraphRecords().node('/scan_matcher', frames={
        'global_frame_id': 'map', 'robot_frame_id': 'base_link', 'odom_frame_id': 'odom'})
    for topic in '/tf', '/tf_static':
        records.subscriber('/scan_matcher', topic, TF_MESSAGE)
    records.frames('/carla_ros_bridge', {'ego_vehicle': 'map'})
    records.frames('/static_lidar', {'ego_vehicle/lidar': 'ego_vehicle'}, topic='/tf_static',
                   times=TIMES[:1])
    return latched(records.stamped(
        '/carla_ros_bridge', '/carla/ego_vehicle/lidar', POINTS, 'ego_vehicle/lidar',
        users=('/scan_matcher',)))


@made
def recorded_points_in_frame_with_slash() -> GraphRecords:
    return latched(Mobile().odom().fixed('rslidar', 'base_link').sensor(
        'rslidar_points', POINTS, '/rslidar', users=(), node='rslidar_sdk_node'))


@made
def joint_states_without_names() -> GraphRecords:
    records = robot()
    track, = records._joints
    records._joints = [replace(track, names=())]
    records._frames = [frames for frames in records._frames if frames.static]
    return latched(records.subscriber('/plotjuggler', '/joint_states', JOINT_STATE))
