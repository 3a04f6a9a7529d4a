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

"""Recordings and running graphs of ``drawn6.yaml``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reports.recorded import ANGLES
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import scan
from reports.recorded import Scanned
from reports.recorded import WithoutQos
from support.driven_robots import driven
from support.graph_records import GraphRecords
from support.graph_records import TIMES
from support.mobile_robots import IMU
from support.mobile_robots import late
from support.mobile_robots import Mobile
from support.mobile_robots import MODEL as MOBILE
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.recordings import Written

from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import Observation

ABOVE = (0.0, 0.0, 0.0, 1.0)
"""The rotation of a frame that is parallel to its parent, as a quaternion."""


class Blinded(Scanned):
    """A robot whose lidar sees what is at its least range, in all directions."""

    def written(self, seen: Observation) -> list[Written]:
        odometry, = (track for track in seen.stamped if track.kind == ODOMETRY)
        return [Written('/scan', time, scan(time, np.full(len(ANGLES), 0.05)))
                for time in odometry.stamps[::5].tolist()]


def with_link(name: str, parent: str, xyz: tuple[float, float, float]) -> str:
    """Return the model of a mobile robot with another link, which is fixed."""
    return MOBILE.replace('</robot>', (
        f'<link name="{name}"/><joint name="{name}_joint" type="fixed"><parent link="{parent}"/>'
        f'<child link="{name}"/><origin xyz="{" ".join(map(str, xyz))}"/></joint></robot>'))


@made
def map_awaited_in_simulation() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/gazebo', lambda times: times).odom().needs(
        'global_costmap', use_sim_time=True, global_frame='map', robot_base_frame='base_link'))


@made
def odom_awaited_by_local_costmap() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/gazebo', lambda times: times).needs(
        'local_costmap', use_sim_time=True, global_frame='odom', robot_base_frame='base_link'))


@made
def odometry_of_late_clock() -> GraphRecords:
    return latched(Mobile().odom(node='go2_driver', stamps=late(22.0)).map('slam_toolbox').needs(
        'planner_server', global_frame='map', robot_base_frame='base_link'))


@made
def map_apart_from_odom() -> GraphRecords:
    records = GraphRecords().node('/ukf_node', frames={
        'map_frame': 'map', 'odom_frame': 'odom', 'base_link_frame': 'base_link',
        'world_frame': 'odom'})
    for topic in '/tf', '/tf_static':
        records.subscriber('/ukf_node', topic, TF_MESSAGE).subscriber('/rviz', topic, TF_MESSAGE)
    records.node('/rviz', frames={'fixed_frame': 'map'})
    records.frames('/ukf_node', {'base_link': 'odom'})
    records.frames('/navsat_transform', {'utm': 'odom'}, topic='/tf_static', times=TIMES[:1])
    return latched(records.frames(
        '/mavros', {'map_ned': 'map', 'odom_ned': 'odom', 'base_link_frd': 'base_link'},
        topic='/tf_static', times=TIMES[:1]))


@made
def map_stamped_in_1970() -> GraphRecords:
    return latched(Mobile().odom().map(
        'slam_toolbox', stamps=lambda times: np.full(len(times), 200_000_000)).needs(
            'planner_server', global_frame='map', robot_base_frame='base_link'))


@made
def lidar_fixed_to_odom() -> GraphRecords:
    records = GraphRecords().node('/slam_toolbox', frames={
        'odom_frame': 'odom', 'map_frame': 'map', 'base_frame': 'base_scan'})
    records.subscriber('/slam_toolbox', '/tf_static', TF_MESSAGE)
    records.frames('/tf2_ros_odom_lidar', {'base_scan': 'odom'}, topic='/tf_static',
                   times=TIMES[:1])
    records.frames('/slam_toolbox', {'odom': 'map'})
    return latched(records.stamped(
        '/lidar', '/scan', SCAN, 'base_scan', users=('/slam_toolbox',)))


@made
def imu_rolled_while_driving() -> GraphRecords:
    records = latched(driven())
    odometry, imu = records._stamped
    records._stamped = [
        odometry, replace(imu, values=imu.values * np.array([1, -1, -1, 1, -1, -1]))]
    return records


@made
def ranges_all_at_minimum() -> Scanned:
    return Blinded(latched(driven()), lambda angles: angles)


@made
def camera_frames_mirrored() -> GraphRecords:
    records = Mobile(model=with_link('camera_color_frame', 'camera_link', (0.0, 0.015, 0.0)))
    for node, side in ('robot_state_publisher', 0.015), ('camera', -0.015):
        records.fixed('camera_color_frame', 'camera_link', node, transforms=(0, side, 0, *ABOVE))
    return latched(records.odom())


@made
def imu_in_frame_of_two_sensors() -> GraphRecords:
    records = Mobile().odom().sensor(
        'camera/gyro_accel/sample', IMU, 'camera_accel_gyro_optical_frame', users=('vio',),
        node='camera')
    return latched(records.frames('/camera', dict.fromkeys(
        ('camera_gyro_optical_frame', 'camera_accel_optical_frame'), 'camera_link'),
        topic='/tf_static', times=TIMES[:1]))


@made
def static_transform_not_a_number() -> GraphRecords:
    return latched(Mobile().odom().fixed(
        'camera_color_frame', 'camera_link', 'camera', transforms=(np.nan,) * 7))


@made
def frames_of_lidar_apart() -> GraphRecords:
    records = Mobile().odom().sensor(
        'points', POINTS, 'os_sensor', users=('octomap',), node='os_cloud_node')
    return latched(records.frames(
        '/os_cloud_node', dict.fromkeys(('os_lidar', 'os_imu'), 'os_sensor'),
        topic='/tf_static', times=TIMES[:1]))


@made
def points_in_absent_frame() -> GraphRecords:
    return latched(Mobile().odom().sensor(
        'velodyne_points', POINTS, 'velodyne', users=('perception',), node='gazebo'))


@made
def points_in_frame_with_slash() -> GraphRecords:
    return latched(Mobile(model=with_link('camera_optical_face', 'camera_link', (0, 0, 0))).fixed(
        'camera_optical_face', 'camera_link', 'robot_state_publisher').odom().sensor(
            'cam1/point_cloud_face', POINTS, '/camera_optical_face', users=('rviz',),
            node='gazebo'))


@made
def static_transforms_unlike_model() -> GraphRecords:
    records = Mobile(model=with_link('ir_intensity_side_left', 'base_link', (0.12, 0.1, 0.05)))
    records.fixed('ir_intensity_side_left', 'base_link', 'robot_state_publisher',
                  transforms=(0.12, 0.1, 0.05, *ABOVE))
    return latched(records.odom().fixed(
        'ir_intensity_side_left', 'base_link', 'motion_control',
        transforms=(0.095, 0.142, 0.05, *ABOVE)))


@made
def frames_of_camera_lost_in_replay() -> WithoutQos:
    return WithoutQos(latched(Mobile().odom(node='zed').map('zed')))


@made
def base_below_odom_and_map() -> GraphRecords:
    return latched(Mobile().odom().moves('base_footprint', 'map', node='lidarslam'))


@made
def odometry_of_absent_child() -> GraphRecords:
    records = latched(driven())
    odometry, imu = records._stamped
    records._stamped = [replace(odometry, child='base_footprint'), imu]
    for topic, kind in ('/odom', ODOMETRY), ('/tf', TF_MESSAGE), ('/tf_static', TF_MESSAGE):
        records.subscriber('/cartographer_node', topic, kind)
    return records
