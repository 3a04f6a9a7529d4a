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
"""Mobile robots with an IMU that drive or stand, as records."""

from __future__ import annotations

import numpy as np
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from support.graph_records import STRAIGHT
from urdf_tools.doctor.graph import IMU
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import ODOMETRY

RADIUS, SEPARATION = 0.05, 0.3

MODEL = """<robot name="amr"><link name="base_link"/><link name="imu_link"/>
  <joint name="imu_joint" type="fixed"><parent link="base_link"/><child link="imu_link"/></joint>
""" + ''.join(f"""<link name="{side}"><collision><geometry>
    <cylinder radius="{RADIUS}" length="0.02"/></geometry></collision></link>
  <joint name="{side}_wheel" type="continuous"><parent link="base_link"/><child link="{side}"/>
    <origin xyz="0 {factor * SEPARATION / 2} 0"/><axis xyz="0 1 0"/></joint>
""" for side, factor in (('left', 1), ('right', -1))) + '</robot>'

TIMES = np.arange(1, 251) / 50

WHEELS = ('left_wheel', 'right_wheel')


def mean(values: np.ndarray) -> np.ndarray:
    """Return the integral of values over time from zero."""
    return np.append(0.0, np.cumsum((values[1:] + values[:-1]) / 2 * np.diff(TIMES)))


def driven(left: float = RADIUS, right: float = RADIUS, separation: float = SEPARATION,
           turns: float = 1.0, drives: float = 1.0, imu: float = 1.0, swapped: bool = False,
           model: str = MODEL, frame: str = 'imu_link', **parameters) -> GraphRecords:
    """
    Return a robot whose odometry is that of wheels with some radii and separation.

    :param turns: greatest turn rate in rad/s.
    :param drives: greatest speed in m/s.
    :param imu: how many times as fast it turns according to its IMU.
    :param swapped: whether the wheels are reported as each other's.
    :param parameters: numbers among the parameters of its controller.
    """
    rate, speed = turns * np.sin(2 * TIMES), drives * np.cos(TIMES)
    heading = mean(rate)
    x, y = mean(speed * np.cos(heading)), mean(speed * np.sin(heading))
    wheels = [mean(speed - rate * separation / 2) / left,
              mean(speed + rate * separation / 2) / right]
    if swapped:
        wheels.reverse()
    zero = np.zeros(len(TIMES))
    records = base(model, dict(zip(WHEELS, wheels)))
    if parameters:
        records.node('/drive', numbers=parameters)
    records.stamped('/drive', '/odom', ODOMETRY, 'odom', child='base_link', times=TIMES,
                    values=lambda times: np.column_stack([
                        x, y, zero, zero, zero, np.sin(heading / 2), np.cos(heading / 2)]))
    return records.stamped('/imu', '/imu', IMU, frame, times=TIMES, values=lambda times: (
        np.column_stack([
            zero, zero, imu * (rate + 0.01 * np.sin(61 * TIMES)), zero, zero, zero + 9.81])))


def standing(acceleration=(0.0, 0.0, 9.81), drift: float = 0.0, moves: float = 0.0,
             noise: float = 0.01, frame: str = 'imu_link') -> GraphRecords:
    """Return a robot that stands still, and what its IMU measures."""
    wobble = noise * np.column_stack([np.sin((7 + row) * 5 * TIMES) for row in range(6)])
    values = wobble + [0, 0, drift, *acceleration]
    values[:, :3] -= wobble[:, :3]
    return base(MODEL, dict.fromkeys(WHEELS, moves * TIMES)).stamped(
        '/imu', '/imu', IMU, frame, times=TIMES, values=lambda times: values)


def base(model: str, positions: dict[str, np.ndarray]) -> GraphRecords:
    """Return a robot with its frames and wheels."""
    records = GraphRecords().description('/state_publisher', model)
    records.subscriber('/state_publisher', '/joint_states', JOINT_STATE)
    records.frames('/state_publisher', {'imu_link': 'base_link'}, topic='/tf_static',
                   times=TIMES[:1])
    turned = np.array([[(0, side * SEPARATION / 2, 0, 0, np.sin(angle / 2), 0, np.cos(angle / 2))
                        for side, angle in zip((1, -1), angles)]
                       for angles in zip(*positions.values())])
    records.frames('/state_publisher', {'left': 'base_link', 'right': 'base_link'}, turned,
                   times=TIMES)
    records.frames('/drive', {'base_link': 'odom'}, STRAIGHT, times=TIMES)
    return records.joint_states(
        '/driver', lambda times: positions, names=WHEELS, times=TIMES, stamps=nanoseconds)
