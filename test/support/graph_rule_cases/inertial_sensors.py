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
"""Cases of the rules about IMUs."""

from functools import partial

import numpy as np
from pytest import approx
from support.driven_robots import driven
from support.driven_robots import standing
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.rooms import robot_in_a_room

from urdf_tools.findings.finding import Severity

case = partial(Case, nodes=('/imu',), topic='/imu', subject='imu_link')


def measured(acceleration: float) -> dict[str, object]:
    return {'acceleration': approx(acceleration, abs=0.01), 'error': approx(0, abs=1e-3)}


def mounted(axis: str, tilt: float, roll: float, pitch: float) -> dict[str, object]:
    return {'frame': 'imu_link', 'parent': 'base_link', 'joint': 'imu_joint', 'axis': axis,
            'tilt': approx(tilt, abs=0.1), 'roll': approx(roll, abs=0.01),
            'pitch': approx(pitch, abs=0.01), 'yaw': approx(0, abs=0.01),
            'error': approx(0, abs=1e-3)}


def write(rpy: str) -> str:
    return (f'Write rpy="{rpy}" (± 6.5e-05 rad) into joint \'imu_joint\'; gravity does not tell '
            'the turn about the vertical. Or correct the sign or the axes in the driver')


def turned(ratio: float, **others) -> dict[str, object]:
    return {'ratio': approx(ratio, rel=1e-3), 'error': approx(0, abs=0.01), 'odometry': '/odom',
            **others}


POINTS = "At rest, the acceleration that /imu measures in 'imu_link' points along "
TURNED = 'According to /imu, the robot turned '


def rested(factors) -> GraphRecords:
    """Return a robot that drives off after a rest, with an IMU that has some units or signs."""
    return robot_in_a_room(4, rests=2.5, imu=lambda values: values * factors)


CASES = (
    case(
        # It rests only at the beginning.
        'imu-acceleration', lambda: rested([1, 1, 1, 0.102, 0.102, 0.102]),
        lambda: rested(np.ones(6)), 'At rest, /imu measures 1 ± 0.00018 m/s2 instead of 9.81',
        measured(1.0), hint='It looks like g: let the driver multiply it by 9.80665'),
    case(
        'imu-mounting', lambda: rested([1, -1, -1, 1, -1, -1]), lambda: rested(np.ones(6)),
        f'{POINTS}-z, 180 degrees from where up is by the frames of the robot',
        {**mounted('-z', 180, 3.1416, 0), 'roll': approx(3.1416, abs=0.01)},
        hint=write('3.1415 0.0001 0.0000').replace('6.5e-05', '0.00028')),
    case(
        'imu-acceleration', lambda: standing((0, 0, 1.0)), standing,
        'At rest, /imu measures 1 ± 0.00045 m/s2 instead of 9.81', measured(1.0),
        hint='It looks like g: let the driver multiply it by 9.80665'),
    case(
        'imu-acceleration', lambda: standing((0, 0, 10.6)), lambda: standing((0, 0, 10.2)),
        'At rest, /imu measures 10.6 ± 0.00045 m/s2 instead of 9.81', measured(10.6)),
    case(
        'imu-acceleration', lambda: standing((0.02, 0, 0)), lambda: standing((0, 0, 0), noise=0),
        'At rest, /imu measures 0.02001 ± 0.00045 m/s2 instead of 9.81', measured(0.02),
        severity=Severity.INFO, hint='Gravity seems to be removed: let the driver publish it '
        '(REP 145), or do not let the localisation remove it once more'),
    case(
        'imu-mounting', lambda: standing((0, 0, -9.81)), lambda: standing((0.85, 0, 9.77)),
        f'{POINTS}-z, 180 degrees from where up is by the frames of the robot',
        mounted('-z', 180, 3.1416, 0), hint=write('3.1416 0.0000 0.0000')),
    case(
        'imu-mounting', lambda: standing((0, 9.81, 0)), lambda: standing((0, 9.81, 0), moves=0.1),
        f'{POINTS}y, 90 degrees from where up is by the frames of the robot',
        mounted('y', 90, 1.5708, 0), hint=write('1.5708 0.0000 0.0000')),
    case(
        # The odometry is not how an IMU is mounted.
        'imu-mounting', lambda: standing((0, 0, -9.81), frame='base_link'), standing,
        "At rest, the acceleration that /imu measures in 'base_link' points along -z, 180 degrees "
        'from where up is by the frames of the robot',
        {'frame': 'base_link', 'axis': '-z', 'tilt': approx(180, abs=0.1)}, subject='base_link',
        hint='Name a frame that is turned as the IMU is mounted'),
    case(
        'imu-turn-rate', lambda: standing(drift=0.5), lambda: standing(drift=0.04),
        'At rest, /imu measures a turn rate of 0.5 rad/s', {'drift': approx(0.5)},
        hint='Calibrate the gyroscope at rest; if this is its drift in degrees per second, '
        'correct the unit in the driver'),
    case(
        'imu-turn-rate', lambda: driven(imu=57.2958), lambda: driven(imu=0.9),
        f'{TURNED}57.29 ± 0.0034 times as far as according to /odom', turned(57.2958),
        hint='It looks like degrees per second: let the driver convert it to rad/s'),
    case(
        'imu-turn-rate', lambda: driven(imu=-1.0), lambda: driven(imu=0.0, turns=0.0),
        f'{TURNED}-1 ± 6e-05 times as far as according to /odom', turned(-1.0),
        hint='Correct the sign in the driver, or the mounting in the model: an IMU that is upside '
        'down turns the other way'),
    case(
        'imu-turn-rate', lambda: driven(imu=1.4), lambda: driven(imu=1.15),
        f'{TURNED}1.4 ± 8.3e-05 times as far as according to /odom', turned(1.4),
        hint='If the wheels do not slip, multiply wheel_separation of the odometry by 0.7143; '
        'otherwise correct the scale of the gyroscope'))
