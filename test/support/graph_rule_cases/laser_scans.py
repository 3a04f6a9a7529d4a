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
"""Cases of the rules about laser scans and odometry."""

from dataclasses import replace
from functools import partial
from math import pi

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.rooms import robot_in_a_room

case = partial(Case, topic='/scan', nodes=('/lidar',), subject='laser')

TURNED = ('As the robot drives, the scans of /lidar turn against /odom: they agree with it if '
          "'laser' is ")


def mounted(angle: float, roll: float, yaw: float) -> dict[str, object]:
    return {'angle': approx(angle, abs=1.0), 'roll': roll, 'pitch': 0.0,
            'yaw': approx(yaw, abs=0.02), 'error': approx(0.01, abs=0.01), 'odometry': '/odom',
            'frame': 'laser', 'joint': 'laser_joint'}


def blinded(distance: float = np.nan):
    """Return a robot whose lidar sees nothing, or the same distance everywhere."""
    records = robot_in_a_room()
    records._stamped = [replace(track, values=np.full_like(track.values, distance))
                        if track.topic == '/scan' else track for track in records._stamped]
    return records


CASES = (
    case('scan-empty', blinded, robot_in_a_room, 'No range of /lidar is between range_min and '
         'range_max, in 50 scans', {'number': 50}),
    case('scan-empty', lambda: blinded(0.25), robot_in_a_room,
         'All ranges of /lidar are 0.25 m, in 50 scans', {'number': 50, 'same': 0.25}),
    case('scan-empty', lambda: blinded(-1), robot_in_a_room,
         'The range_max of /lidar is 0 m or less, in 50 scans', {'number': 50},
         hint='Set range_max in the driver'),
    case(
        'lidar-mounting', lambda: robot_in_a_room(2, yaw=pi / 2),
        lambda: robot_in_a_room(2, yaw=0.1), f'{TURNED}turned by 90 degrees',
        mounted(90, 0.0, pi / 2), hint='Write rpy="0.0000 0.0000 1.5708" (± 0.0087 rad) into '
        "joint 'laser_joint'"),
    case(
        'lidar-mounting', lambda: robot_in_a_room(2, sign=-1),
        lambda: robot_in_a_room(2, speed=0.0, turns=1.5), f'{TURNED}upside down',
        mounted(0, 3.1416, 0), hint='Write rpy="3.1416 0.0000 0.0000" (± 0.0087 rad) into '
        "joint 'laser_joint'; or else /odom turns the wrong way"),
    case(
        'scan-odometry', lambda: robot_in_a_room(1, radius=0.045), robot_in_a_room,
        'According to the scans of /lidar, the robot drives 0.9 times as far as according to '
        '/drive', {'scanner': '/lidar', 'verb': 'drives', 'ratio': approx(0.9, abs=0.011),
                   'factor': approx(0.9, abs=0.011), 'what': 'the radius of the wheels'},
        nodes=('/drive',), topic='/odom', subject='drives',
        hint='If the wheels do not slip, multiply the radius of the wheels in the parameters of '
        '/drive by 0.9'))
