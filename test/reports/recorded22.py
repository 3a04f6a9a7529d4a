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

"""Recordings and running graphs of ``drawn22.yaml``."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reports.recorded import latched
from reports.recorded import made
from reports.recorded import offered
from reports.recorded import Scanned
from support.driven_robots import driven
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import robot
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import IMU
from support.mobile_robots import LINKS
from support.mobile_robots import Mobile
from support.mobile_robots import MODEL
from support.mobile_robots import ODOMETRY
from support.mobile_robots import POINTS
from support.mobile_robots import SCAN
from support.recordings import start
from support.recordings import Written

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.observation import Observation
from urdf_tools.messages.cdr import pad
from urdf_tools.messages.cdr import write_string

BASE_JOINTS = tuple(
    f'{kind}_{side}_joint' for kind in ('steering', 'wheel') for side in ('fl', 'fr', 'rl', 'rr'))


class VelocitiesInOdom(Scanned):
    """A drive whose odometry gives velocities in its frame, not in that of the robot."""

    def written(self, seen: Observation) -> list[Written]:
        odometry = winding()._stamped[0]
        scans = super().written(replace(seen, stamped=(*seen.stamped, odometry)))
        seconds = (odometry.stamps - odometry.stamps[0]) / 1e9
        headings = np.unwrap(2 * np.arctan2(odometry.values[:, 5], odometry.values[:, 6]))
        velocities = np.column_stack([np.gradient(numbers, seconds) for numbers in (
            odometry.values[:, 0], odometry.values[:, 1], headings)])
        messages = []
        for time, pose, velocity in zip(odometry.stamps.tolist(), odometry.values, velocities):
            data = start(time, odometry.frame)
            write_string(data, odometry.child)
            pad(data, 8)
            # A pose and a twist, each with its covariance.
            body = np.zeros(85)
            body[:7], body[43:45], body[48] = pose, velocity[:2], velocity[2]
            messages.append(Written(odometry.topic, time, bytes(data) + body.tobytes()))
        return messages + scans


def winding() -> GraphRecords:
    """Return a drive along a winding way."""
    return latched(driven(turns=2.0))


@made
def velocities_given_in_odom() -> Scanned:
    records = winding()
    assert records._stamped[0].kind == ODOMETRY
    # Only its messages are made elsewhere.
    del records._stamped[0]
    return VelocitiesInOdom(records, lambda angles: angles)


@made
def statics_of_namespace_unheard() -> GraphRecords:
    records = Mobile('/big').odom().map()
    for frame in 'camera_static', 'marker_42':
        records.fixed(frame, 'map', 'static_broadcaster')
    records.sensor('camera/image', IMAGE, 'camera_optical', users=())
    records.subscriber('/robot_detection', '/big/camera/image', IMAGE, BEST_EFFORT)
    return offered(records.listens('/robot_detection', ''), '/big/tf_static', LATCHED)


@made
def head_camera_without_static() -> GraphRecords:
    records = Mobile().odom().sensor(
        'camera/depth_registered/points', POINTS, 'camera_optical', users=(), node='camera')
    del records._publishers['/tf_static']
    records._frames = [track for track in records._frames if not track.static]
    return records


@made
def wheels_unreported_on_real_robot() -> GraphRecords:
    records = GraphRecords().description('/robot_state_publisher', MODEL.format(name='orange'))
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE, BEST_EFFORT)
    records.frames('/robot_state_publisher', LINKS, topic='/tf_static', times=TIMES[:1])
    records.frames('/ekf_filter_node', {'base_footprint': 'odom'})
    records.stamped('/motor_driver_node', '/odom', ODOMETRY, 'odom', child='base_footprint',
                    users=('/ekf_filter_node',))
    records.stamped('/urg_node2', '/hokuyo_scan', SCAN, 'laser', users=('/slam_toolbox',))
    records.subscriber('/rviz2', '/robot_description', STRING, LATCHED)
    for topic in '/tf', '/tf_static':
        records.subscriber('/rviz2', topic, TF_MESSAGE)
    return latched(records)


@made
def joints_of_base_beside_arm() -> GraphRecords:
    records = robot()
    records.subscriber('/move_group', '/joint_states', JOINT_STATE, BEST_EFFORT)
    records.subscriber('/move_group', '/robot_description', STRING, LATCHED)
    return latched(records.joint_states(
        '/base_driver', lambda times: {name: 0.0 * times for name in BASE_JOINTS},
        names=BASE_JOINTS))


@made
def imu_and_images_without_transforms() -> GraphRecords:
    records = GraphRecords().stamped(
        '/camera/camera', '/camera/camera/color/image_raw/compressed',
        'sensor_msgs/msg/CompressedImage', 'camera_color_optical_frame')
    still = np.array([0.0, 0.0, 0.0, 0.1, -9.8, 0.1])
    return records.stamped(
        '/imu_filter', '/rtabmap/imu', IMU, 'camera_imu_optical_frame',
        values=lambda times: np.tile(still, (len(times), 1)))


@made
def static_transforms_volatile_for_viewer() -> GraphRecords:
    records = Mobile().odom().sensor('scan', SCAN, 'laser', users=('foxglove_bridge',))
    records.subscriber('/foxglove_bridge', '/robot_description', STRING, LATCHED)
    return offered(records, '/tf_static', Qos())


@made
def costmap_listens_below_itself() -> GraphRecords:
    records = Mobile('/panther').odom().map('slam_toolbox').sensor(
        'scan', SCAN, 'laser', users=('slam_toolbox',), node='lidar')
    costmap = '/panther/local_costmap/local_costmap'
    records.subscriber(costmap, '/panther/local_costmap/scan', SCAN, BEST_EFFORT)
    records.listens(costmap)
    return offered(records, '/panther/tf_static', LATCHED)
