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

"""Recordings and running graphs of the log of reports, each made by a function of its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.driven_robots import driven
from support.driven_robots import RADIUS
from support.driven_robots import standing
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import MODEL
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.graph_records import swinging
from support.graph_records import TIMES
from support.mobile_robots import IMAGE
from support.mobile_robots import IMU
from support.mobile_robots import late
from support.mobile_robots import LINKS
from support.mobile_robots import MAP
from support.mobile_robots import Mobile
from support.mobile_robots import MODEL as MOBILE
from support.mobile_robots import SCAN
from support.mobile_robots import simulated
from support.mobile_robots import WHEELS
from support.recordings import messages_of
from support.recordings import record
from support.recordings import start
from support.recordings import write_mcap
from support.recordings import Written

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.observation import Observation
import urdf_tools.doctor.rules  # noqa: F401
from urdf_tools.findings.formats.terminal import render
from urdf_tools.messages.cdr import pad

ROOM = 3.0, 2.0
"""Half the length and the width of the room of scans, in metres."""

ANGLES = np.linspace(-np.pi, np.pi, 360, endpoint=False) + np.pi / 360


class Scanned(NamedTuple):
    """
    A robot that drives in a room, and a lidar on it.

    :ivar beams: returns the directions of beams in base_link from those that messages have.
    """

    records: GraphRecords
    beams: Callable[[np.ndarray], np.ndarray]

    def written(self, seen: Observation) -> list[Written]:
        """Return the messages of the lidar."""
        odometry, = (track for track in seen.stamped if track.kind == ODOMETRY)
        messages = []
        for time, pose in zip(odometry.stamps[::5].tolist(), odometry.values[::5]):
            directions = self.beams(ANGLES) + 2 * np.arctan2(pose[5], pose[6])
            ranges = np.min([np.abs((np.copysign(size, cosines) - start) / cosines)
                             for size, start, cosines in zip(
                                 ROOM, pose, (np.cos(directions), np.sin(directions)))], axis=0)
            # A lidar that looks nowhere sees what is nearer than its least range.
            messages.append(Written('/scan', time, scan(time, np.nan_to_num(ranges, nan=-np.inf))))
        return messages


class WithoutQos(NamedTuple):
    """
    A robot whose recording does not say what quality of service topics had.

    :ivar words: what it has in place of that.
    """

    records: GraphRecords
    words: str = ''


def scan(stamp: int, ranges: np.ndarray) -> bytes:
    """Return a serialized ``sensor_msgs/LaserScan`` in base_link."""
    data = start(stamp, 'base_link')
    pad(data, 4)
    step = ANGLES[1] - ANGLES[0]
    return bytes(data) + np.array(
        [ANGLES[0], ANGLES[-1], step, 0, 0.1, 0.05, 12], '<f4').tobytes() + np.uint32(
            len(ranges)).tobytes() + ranges.astype('<f4').tobytes() + np.uint32(0).tobytes()


Making = Callable[[], GraphRecords | Scanned | WithoutQos]

MADE: dict[str, Making] = {}
"""Name of each input to the function that makes it."""


def made(function: Making) -> Making:
    """Make a function known by its name, with dashes."""
    MADE[function.__name__.replace('_', '-')] = function
    return function


def write(path: Path, case: GraphRecords | Scanned | WithoutQos) -> None:
    """Write a recording."""
    if isinstance(case, WithoutQos):
        record(path, case.records.observation(), words=case.words)
        return
    if isinstance(case, GraphRecords):
        record(path, case.observation())
        return
    seen = case.records.observation()
    kinds = {topic: kind for topic, kind in seen.graph.kinds.items()
             if seen.graph.publishers.get(topic)}
    offered = {topic: [end.qos for end in seen.graph.publishers[topic]] for topic in kinds}
    write_mcap(path, sorted(
        messages_of(seen) + case.written(seen), key=lambda message: message.received),
        {**kinds, '/scan': SCAN}, {**offered, '/scan': [BEST_EFFORT]})


def said_of(records: GraphRecords) -> str:
    """Return what the doctor says about a running graph."""
    return render(evaluate(records.observation(), 'graph'))


def offered(records: GraphRecords, topic: str, qos: Qos) -> GraphRecords:
    """Let the publishers of a topic offer a quality of service."""
    ends = records._publishers[topic]
    records._publishers[topic] = [replace(end, qos=qos) for end in ends]
    return records


def latched(records: GraphRecords) -> GraphRecords:
    """Return a graph whose static transforms are latched, as they have to be."""
    return offered(records, '/tf_static', LATCHED)


@made
def prefix_without_slash() -> GraphRecords:
    return latched(robot(MODEL.format(name='arm'), prefix='robot0'))


@made
def nobody_reports_joints() -> GraphRecords:
    records = GraphRecords().description('/state_publisher', MODEL.format(name='arm'))
    records.subscriber('/state_publisher', '/joint_states', JOINT_STATE, BEST_EFFORT)
    return latched(records.frames(
        '/state_publisher', {'mount': 'base'}, [(0, 0, 0.5, 0, 0, 0, 1)], topic='/tf_static',
        times=TIMES[:1]))


@made
def odometry_without_transform() -> GraphRecords:
    return latched(Mobile().map().needs(
        'controller_server', global_frame='odom', robot_base_frame='base_footprint'))


@made
def odom_does_not_exist() -> GraphRecords:
    return latched(Mobile().needs('controller_server', global_frame='odom'))


@made
def transform_sent_twice() -> GraphRecords:
    times = np.sort(np.concatenate((TIMES, TIMES + 0.03)))
    return latched(Mobile().moves(
        'base_footprint', 'odom', times=times,
        stamps=lambda times: nanoseconds(np.floor(times * 10 + 1e-6) / 10)))


@made
def scan_in_unknown_frame() -> GraphRecords:
    return latched(Mobile().odom().sensor('/scan', SCAN, 'sensor_base'))


@made
def static_recorded_volatile() -> GraphRecords:
    return offered(robot(), '/tf_static', Qos())


@made
def static_published_volatile() -> GraphRecords:
    return offered(robot(), '/tf_static', Qos())


@made
def recording_without_static() -> GraphRecords:
    records = robot()
    del records._publishers['/tf_static']
    records._frames = [track for track in records._frames if not track.static]
    return records


@made
def odometry_turns_other_way() -> GraphRecords:
    return latched(driven(imu=-1.0, swapped=True))


@made
def left_encoder_reversed() -> GraphRecords:
    return latched(driven(left=-RADIUS))


@made
def radius_a_fifth() -> GraphRecords:
    return latched(driven(left=RADIUS / 5, right=RADIUS / 5))


@made
def manager_without_description() -> GraphRecords:
    records = GraphRecords().node('/controller_manager').node('/spawner')
    return records.subscriber('/controller_manager', '/robot_description', STRING, LATCHED)


@made
def imu_frame_has_two_parents() -> GraphRecords:
    return latched(standing()).frames('/filter', {'imu_link': 'odom'}, times=TIMES)


@made
def imu_upside_down() -> GraphRecords:
    return latched(standing((0.0, 0.0, -9.81)))


@made
def imu_on_its_side() -> GraphRecords:
    return latched(standing((0.0, -9.81, 0.0)))


@made
def lidar_turned_by_180() -> Scanned:
    return Scanned(latched(driven()), lambda angles: angles + np.pi)


@made
def lidar_upside_down() -> Scanned:
    return Scanned(latched(driven()), lambda angles: -angles)


@made
def images_in_camera_frame() -> GraphRecords:
    return latched(Mobile().odom().sensor('image', IMAGE, 'camera_link'))


@made
def odometry_without_prefix() -> GraphRecords:
    return latched(Mobile(prefix='r1/').moves('base_footprint', 'odom').viewer())


@made
def tf_in_namespace() -> GraphRecords:
    return offered(Mobile('/r1').odom().viewer(''), '/r1/tf_static', LATCHED)


@made
def driver_and_joint_state_publisher() -> GraphRecords:
    return latched(robot()).joint_states('/joint_state_publisher', lambda times: {
        'turn': 0.0 * times, 'slide': 0.0 * times})


@made
def odometry_and_filter() -> GraphRecords:
    return latched(Mobile().odom(node='drive').odom(node='ekf'))


@made
def base_has_two_parents() -> GraphRecords:
    return latched(Mobile().moves('base_link', 'odom', node='drive'))


@made
def scans_stamped_late() -> GraphRecords:
    return latched(Mobile().odom().sensor('scan', SCAN, 'laser', stamps=late(12.0)))


@made
def move_group_on_system_clock() -> GraphRecords:
    return latched(Mobile(stamps=simulated).odom().clock('/gazebo', lambda times: times).needs(
        'move_group', use_sim_time=False))


@made
def scans_best_effort() -> GraphRecords:
    records = Mobile().odom().sensor('scan', SCAN, 'laser', users=(), qos=BEST_EFFORT)
    return latched(records.subscriber('/costmap', '/scan', SCAN).listens('/costmap'))


@made
def clock_set_back() -> GraphRecords:
    return latched(robot()).clock('/player', lambda times: np.where(times < 3, times, times - 3))


@made
def joint_states_without_stamp() -> GraphRecords:
    return latched(robot(stamps=lambda times: np.zeros(len(times), np.int64)))


@made
def joint_states_old() -> GraphRecords:
    return latched(robot(stamps=late(40.0)))


@made
def frames_slower_than_joints() -> GraphRecords:
    return latched(robot(times=np.arange(1, 501) / 100))


@made
def frame_stamps_frozen() -> GraphRecords:
    records = robot()
    frozen = int(nanoseconds(np.array(0.1)))
    records._frames = [track if track.static else replace(
        track, stamps=np.full_like(track.stamps, frozen)) for track in records._frames]
    return latched(records)


@made
def joints_of_another_robot() -> GraphRecords:
    return latched(robot(names=('turn', 'slide', 'elbow')))


@made
def joint_left_out() -> GraphRecords:
    return latched(robot(names=('turn',), left_out=('slide',)))


@made
def frame_is_its_own_parent() -> GraphRecords:
    return latched(Mobile().odom().fixed('laser', 'laser', node='lidar'))


@made
def camera_tree_apart() -> GraphRecords:
    return latched(Mobile().odom().fixed('amr/base_link/camera_0', 'camera_0_link'))


@made
def driver_and_model_publish_camera() -> GraphRecords:
    return latched(Mobile().odom().fixed(
        'camera_link', 'base_link', node='camera', transforms=(0.0106, 0.0175, 0, 0, 0, 0, 1)))


@made
def map_does_not_exist() -> GraphRecords:
    return latched(Mobile().odom().needs(
        'global_costmap', global_frame='map', robot_base_frame='base_link'))


@made
def odometry_of_other_clock() -> GraphRecords:
    return latched(Mobile().odom(stamps=late(3.0)).sensor('scan', SCAN, 'laser'))


@made
def pose_stamped_late() -> GraphRecords:
    return latched(Mobile().odom().map('amcl', stamps=late(45.0)))


@made
def costmap_on_simulated_clock() -> GraphRecords:
    return latched(Mobile().odom().clock('/gazebo', lambda times: times + 60).needs(
        'costmap', use_sim_time=True, global_frame='odom', robot_base_frame='base_link'))


@made
def localisation_on_system_clock() -> GraphRecords:
    records = Mobile(stamps=simulated).odom().map('amcl', stamps=nanoseconds)
    return latched(records.clock('/player', lambda times: times).viewer(use_sim_time=True))


@made
def imu_turns_other_way() -> GraphRecords:
    return latched(driven(imu=-1.0))


@made
def transforms_in_a_loop() -> GraphRecords:
    return latched(Mobile().moves(
        'base_footprint', 'odom', node='player',
        stamps=lambda times: nanoseconds(times % 1.25 - 100)))


@made
def recording_beside_robot() -> GraphRecords:
    return latched(Mobile().odom().moves(
        'wheel_left', 'base_link', node='rosbag2_player', stamps=late(20.0)))


@made
def state_publisher_of_each_component() -> GraphRecords:
    records = Mobile().odom()
    for part in 'base', 'torso', 'head':
        records.frames(f'/{part}/robot_state_publisher', dict.fromkeys(WHEELS, 'base_link'),
                       stamps=late(0.2))
    return latched(records)


@made
def base_of_namespace_apart() -> GraphRecords:
    return latched(Mobile().moves('r1/base_link', 'odom', node='gazebo').viewer())


@made
def joint_far_beyond_limit() -> GraphRecords:
    def positions(times: np.ndarray) -> dict[str, np.ndarray]:
        return {'turn': np.where(times < 2, 0.9, 4.1), 'slide': 0.0 * times}
    return latched(robot(positions=positions, tf_positions=positions, velocities=still))


@made
def joint_states_sometimes_zero() -> GraphRecords:
    def positions(times: np.ndarray) -> dict[str, np.ndarray]:
        wrong = np.isin(np.arange(len(times)), (17, 33))
        return {'turn': np.where(wrong, 0.0, 0.9 + 0.02 * np.sin(times)),
                'slide': np.where(wrong, 0.0, 0.4)}
    return latched(robot(positions=positions, tf_positions=positions, velocities=still))


def still(times: np.ndarray) -> dict[str, np.ndarray]:
    """Return no velocities."""
    return {}


@made
def recording_between_two_clocks() -> GraphRecords:
    return latched(Mobile().odom(node='player', stamps=simulated).map('slam').sensor(
        'points', 'sensor_msgs/msg/PointCloud2', 'laser').viewer())


@made
def odometry_missing_for_slam() -> GraphRecords:
    return latched(Mobile().sensor('scan', SCAN, 'laser', users=('slam_toolbox',)).needs(
        'slam_toolbox', odom_frame='odom', base_frame='base_footprint', map_frame='map'))


@made
def odom_frame_is_that_of_base() -> GraphRecords:
    return latched(Mobile().sensor('scan', SCAN, 'laser', users=('slam_toolbox',)).needs(
        'slam_toolbox', odom_frame='base_link', base_frame='base_link', map_frame='map').moves(
            'base_footprint', 'map', node='slam_toolbox'))


@made
def odometry_moves_sideways() -> GraphRecords:
    records = latched(driven(turns=0.0, drives=0.5))
    odometry, imu = records._stamped
    values = odometry.values.copy()
    values[:, 1] = 0.5 * values[:, 0]
    records._stamped = [replace(odometry, values=values), imu]
    return records


@made
def scans_without_static() -> GraphRecords:
    records = Mobile().odom().sensor('scan', SCAN, 'laser', users=())
    del records._publishers['/tf_static']
    records._frames = [track for track in records._frames if not track.static]
    return records


@made
def transforms_in_namespace_of_base() -> GraphRecords:
    records = Mobile('/robot_1').odom().node('/bt_navigator', frames={
        'global_frame': 'odom', 'robot_base_frame': 'base_link'}).listens('/bt_navigator', '')
    return offered(records, '/robot_1/tf_static', LATCHED)


@made
def map_frame_with_slash() -> GraphRecords:
    return latched(Mobile().odom().map('amcl').sensor(
        'map', MAP, '/map', users=('amcl', 'costmap'), node='map_server'))


@made
def scans_in_frame_of_launch_file() -> GraphRecords:
    return latched(Mobile().odom().sensor('scan', SCAN, 'my_laser', node='sick_tim'))


@made
def imu_in_frame_of_driver() -> GraphRecords:
    return latched(Mobile().odom().sensor(
        'imu_mobile_base', IMU, 'imu_mobile_base', users=('ekf',), node='stretch_driver'))


@made
def source_of_joints_renamed() -> GraphRecords:
    def zeros(times: np.ndarray) -> dict[str, np.ndarray]:
        return {'turn': 0.0 * times, 'slide': 0.0 * times}
    records = robot(drives=False, tf_positions=zeros).joint_states(
        '/joint_state_publisher', zeros)
    records.subscriber('/joint_state_publisher', '/open_manipulator/joint_states', JOINT_STATE)
    return latched(records.joint_states(
        '/driver', swinging, topic='/om_with_tb3/joint_states'))


@made
def images_in_frame_without_model() -> GraphRecords:
    return latched(Mobile().odom().sensor(
        'oak/rgb/image', IMAGE, 'oak_rgb_camera_optical_frame', node='oak'))


@made
def odometry_without_time_step() -> GraphRecords:
    records = latched(driven())
    odometry, imu = records._stamped
    values = odometry.values.copy()
    values[:, :2] *= 50
    records._stamped = [replace(odometry, values=values), imu]
    return records


@made
def two_vehicles_of_one_frame() -> GraphRecords:
    return latched(Mobile().moves('base_footprint', 'map', node='uav1/mavros').moves(
        'base_footprint', 'map', node='uav2/mavros'))


@made
def transforms_both_ways() -> GraphRecords:
    return latched(Mobile().odom().moves('odom_ned', 'odom', node='mavros').moves(
        'odom', 'odom_ned', node='mavros'))


@made
def probe_sent_again() -> GraphRecords:
    times = np.sort(np.concatenate((TIMES, TIMES + 0.02, TIMES + 0.05)))
    return latched(Mobile().odom().fixed('tracker', 'base_link').moves(
        'probe', 'tracker', node='tracker', times=times,
        stamps=lambda times: nanoseconds(np.floor(times * 10 + 1e-6) / 10)))


@made
def static_recorded_too_late() -> GraphRecords:
    records = latched(robot())
    records._frames = [track for track in records._frames if not track.static]
    return records


@made
def static_recorded_without_qos() -> WithoutQos:
    return WithoutQos(latched(robot()))


@made
def odometry_missing_in_simulation() -> GraphRecords:
    return latched(Mobile(stamps=simulated).clock('/webots', lambda times: times).needs(
        'controller_server', use_sim_time=True, global_frame='odom',
        robot_base_frame='base_link'))


@made
def imu_in_absent_optical_frame() -> GraphRecords:
    return latched(Mobile().odom(node='ekf').sensor(
        'imu', IMU, 'camera_imu_optical_frame', users=('ekf',), node='realsense'))


@made
def images_stamped_by_other_clock() -> GraphRecords:
    return latched(Mobile().odom().sensor(
        'image', IMAGE, 'camera_optical', stamps=late(111.7)).sensor(
            'scan', SCAN, 'laser', node='lidar', stamps=late(111.7)))


@made
def wheel_drop_without_states() -> GraphRecords:
    drops = ''.join(
        f'<link name="wheel_drop_{side}"/><joint name="wheel_drop_{side}_joint" type="prismatic">'
        f'<parent link="base_link"/><child link="wheel_drop_{side}"/><axis xyz="0 0 1"/>'
        f'<limit lower="0" upper="0.03" effort="10" velocity="1"/></joint>'
        for side in ('left', 'right'))
    return latched(Mobile(model=MOBILE.replace('</robot>', f'{drops}</robot>')).odom().viewer())


@made
def ranges_all_infinite() -> Scanned:
    return Scanned(latched(driven()), lambda angles: np.full(len(angles), np.nan))


@made
def real_robot_on_simulated_clock() -> GraphRecords:
    return latched(Mobile().odom().needs(
        'controller_server', use_sim_time=True, global_frame='odom', robot_base_frame='base_link'))


@made
def neither_map_nor_robot() -> GraphRecords:
    records = GraphRecords().node('/global_costmap', frames={
        'global_frame': 'map', 'robot_base_frame': 'base_link'})
    for topic in '/tf', '/tf_static':
        records.subscriber('/global_costmap', topic, TF_MESSAGE)
    return records


@made
def lidar_turned_by_90_clockwise() -> Scanned:
    return Scanned(latched(driven()), lambda angles: angles - np.pi / 2)


@made
def odometry_of_legs_without_transform() -> GraphRecords:
    return latched(Mobile().viewer().stamped(
        '/gazebo', '/odom', ODOMETRY, 'odom', child='base_footprint', users=('/rviz',)))


@made
def wheels_without_joint_states() -> GraphRecords:
    records = GraphRecords().description(
        '/robot_state_publisher', MOBILE.format(name='turtle')).frames(
            '/robot_state_publisher', LINKS, topic='/tf_static', times=TIMES[:1]).frames(
                '/create3', {'base_footprint': 'odom'})
    records.subscriber('/robot_state_publisher', '/joint_states', JOINT_STATE, BEST_EFFORT)
    records.subscriber('/rviz', '/robot_description', STRING, LATCHED)
    for topic in '/tf', '/tf_static':
        records.subscriber('/rviz', topic, TF_MESSAGE)
    return latched(records)


@made
def husky_in_its_namespace() -> GraphRecords:
    records = Mobile('/a200_1005').odom().viewer('')
    return offered(records, '/a200_1005/tf_static', LATCHED)


@made
def camera_without_state_publisher() -> GraphRecords:
    return GraphRecords().frames('/gazebo', {'base_footprint': 'odom'}).stamped(
        '/gazebo', '/camera/rgb/image_raw', IMAGE, 'camera_rgb_optical_frame', users=('/rtabmap',))


@made
def tool_of_driver_and_of_model() -> GraphRecords:
    return latched(robot().frames('/ur_driver', {'tool': 'base'}, (0.3, 0, 0.5, 0, 0, 0, 1)))


@made
def tool_of_driver_not_a_number() -> GraphRecords:
    return latched(robot().frames('/ur_driver', {'tool0_controller': 'base'}, [np.nan] * 7))


# They are made with what is above.
import reports.recorded6  # noqa: E402, F401, I100
import reports.recorded9  # noqa: E402, F401, I100
import reports.recorded10  # noqa: E402, F401, I100
import reports.recorded11  # noqa: E402, F401, I100
import reports.recorded13  # noqa: E402, F401, I100
import reports.recorded15  # noqa: E402, F401, I100
import reports.recorded17  # noqa: E402, F401, I100
import reports.recorded19  # noqa: E402, F401, I100
import reports.recorded20  # noqa: E402, F401, I100
import reports.recorded21  # noqa: E402, F401, I100
import reports.recorded22  # noqa: E402, F401, I100
import reports.recorded24  # noqa: E402, F401, I100
import reports.recorded25  # noqa: E402, F401, I100
import reports.recorded26  # noqa: E402, F401, I100
import reports.recorded28  # noqa: E402, F401, I100
import reports.recorded29  # noqa: E402, F401, I100
import reports.recorded30  # noqa: E402, F401, I100
