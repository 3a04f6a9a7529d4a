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

"""A robot with a lidar and an IMU that rests and then drives through a room, simulated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import ODOMETRY
from urdf_tools.doctor.graph import SCAN

RADIUS, SEPARATION = 0.05, 0.3

SECONDS = 5.0

MODEL = """<robot name="amr"><link name="base_link"/><link name="imu_link"/><link name="laser"/>
  <joint name="imu_joint" type="fixed"><parent link="base_link"/><child link="imu_link"/></joint>
  <joint name="laser_joint" type="fixed"><parent link="base_link"/><child link="laser"/>
    <origin xyz="0.1 0 0.2"/></joint>
""" + ''.join(f"""<link name="{side}"><collision><geometry>
    <cylinder radius="{RADIUS}" length="0.02"/></geometry></collision></link>
  <joint name="{side}_wheel" type="continuous"><parent link="base_link"/><child link="{side}"/>
    <origin xyz="0 {factor * SEPARATION / 2} 0"/><axis xyz="0 1 0"/></joint>
""" for side, factor in (('left', 1), ('right', -1))) + '</robot>'

WALLS = np.array([
    (-3.0, -2.0, 5.0, -2.0), (5.0, -2.0, 5.0, 3.0), (5.0, 3.0, -3.0, 3.0), (-3.0, 3.0, -3.0, -2.0),
    (1.5, 1.4, 2.3, 1.4), (2.3, 1.4, 2.3, 2.1), (2.3, 2.1, 1.5, 2.1), (1.5, 2.1, 1.5, 1.4),
    (-1.4, -1.5, -1.4, -0.9), (-1.4, -0.9, -2.0, -1.2), (-2.0, -1.2, -1.4, -1.5)])
"""Both ends of each wall of a room of 8 m by 5 m with a cupboard and a corner, x y x y in m."""


def scanned(place: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """
    Return the ranges in m in some directions, shape (k,).

    :param place: of the lidar, shape (2,).
    """
    start, along = WALLS[:, :2] - place, WALLS[:, 2:] - WALLS[:, :2]
    x, y = np.cos(angles)[:, None], np.sin(angles)[:, None]
    across = x * along[:, 1] - y * along[:, 0]
    with np.errstate(divide='ignore', invalid='ignore'):
        distance = (start[:, 0] * along[:, 1] - start[:, 1] * along[:, 0]) / across
        share = (start[:, 0] * y - start[:, 1] * x) / across
    return np.where((distance > 0) & (share >= 0) & (share <= 1), distance, np.inf).min(axis=1)


def robot_in_a_room(
        seed: int = 1, *, seconds: float = SECONDS, rests: float = 0.0, yaw: float = 0.0,
        sign: int = 1, radius: float = RADIUS, separation: float = SEPARATION, speed: float = 0.4,
        turns: float = 0.6, imu: Callable[[np.ndarray], np.ndarray] = np.array,
        slip: float = 0.01, model: str = MODEL) -> GraphRecords:
    """
    Return a robot that rests for some seconds and then drives on a winding path.

    :param yaw: in rad, by which its lidar is turned against the model.
    :param sign: -1 if it is upside down.
    :param radius: of its wheels in m, while the odometry computes with that of the model.
    :param separation: likewise.
    :param imu: returns what its IMU says of angular velocity and acceleration, shape (k, 6).
    :param slip: standard deviation of each wheel's share of its motion that is lost.
    """
    noise = np.random.default_rng(seed)
    times = np.arange(1, round(50 * seconds) + 1) / 50
    moves = np.clip((times - rests) / 0.5, 0.0, 1.0)
    rate = moves * turns * np.sin(0.9 * (times - rests) + noise.uniform(0, 1))
    driven = moves * speed * (1 + 0.2 * np.cos(1.3 * times))
    left, right = driven - rate * separation / 2, driven + rate * separation / 2
    wheels = [np.cumsum(each) / 50 / radius for each in (left, right)]
    pose, by_odometry = np.zeros(3), np.zeros(3)
    poses, odometry = [], []
    for one, other in zip(np.diff(wheels[0], prepend=0.0), np.diff(wheels[1], prepend=0.0)):
        grip = 1 - np.abs(slip * noise.standard_normal(2))
        for state, lengths, apart in (
                (pose, (grip[0] * one * radius, grip[1] * other * radius), separation),
                (by_odometry, (one * RADIUS, other * RADIUS), SEPARATION)):
            turn, along = (lengths[1] - lengths[0]) / apart, sum(lengths) / 2
            state += (along * np.cos(state[2] + turn / 2), along * np.sin(state[2] + turn / 2),
                      turn)
        poses.append(pose.copy())
        odometry.append(by_odometry.copy())
    true, zero = np.array(poses), np.zeros(len(times))
    x, y, heading = np.array(odometry).T
    bearings = np.radians(np.arange(180) * 2.0 - 179.0)
    rows = np.arange(4, len(times), 5)
    ranges = np.array([scanned(
        true[row, :2] + 0.1 * np.array([np.cos(true[row, 2]), np.sin(true[row, 2])]),
        true[row, 2] + yaw + sign * bearings) for row in rows])
    ranges = ranges + 0.01 * noise.standard_normal(ranges.shape)
    ranges[noise.uniform(size=ranges.shape) < 0.03] = np.nan
    inertial = np.column_stack([
        0.002 * noise.standard_normal((len(times), 2)),
        rate + 0.002 * noise.standard_normal(len(times)),
        np.gradient(driven, times), driven * rate, zero + 9.81])
    inertial[:, 3:] += (0.02 + 0.2 * moves[:, None]) * noise.standard_normal((len(times), 3))

    records = GraphRecords().description('/state_publisher', model)
    records.subscriber('/state_publisher', '/joint_states', JOINT_STATE)
    straight = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    records.frames('/state_publisher', {'imu_link': 'base_link', 'laser': 'base_link'}, np.array([
        [straight, (0.1, 0.0, 0.2, 0.0, 0.0, 0.0, 1.0)]]), topic='/tf_static', times=times[:1])
    turned = np.array([[(0, side * SEPARATION / 2, 0, 0, np.sin(angle / 2), 0, np.cos(angle / 2))
                        for side, angle in zip((1, -1), angles)] for angles in zip(*wheels)])
    records.frames('/state_publisher', {'left': 'base_link', 'right': 'base_link'}, turned,
                   times=times)
    values = np.column_stack(
        [x, y, zero, zero, zero, np.sin(heading / 2), np.cos(heading / 2)])
    records.frames('/drive', {'base_link': 'odom'}, values[:, None], times=times)
    records.joint_states(
        '/driver', lambda _: dict(zip(('left_wheel', 'right_wheel'), wheels)),
        names=('left_wheel', 'right_wheel'), times=times, stamps=nanoseconds)
    records.stamped('/drive', '/odom', ODOMETRY, 'odom', child='base_link', times=times,
                    values=lambda _: values)
    records.stamped('/imu', '/imu', IMU, 'imu_link', times=times, values=lambda _: imu(inertial))
    return records.stamped('/lidar', '/scan', SCAN, 'laser', times=times[rows],
                           values=lambda _: ranges)
