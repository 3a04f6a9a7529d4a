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

"""A minute of a robot with one fault after another, as observed and as a recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from support.graph_records import Endpoint
from support.graph_records import GraphRecords
from support.graph_records import loads
from support.graph_records import MODEL
from support.graph_records import nanoseconds
from support.graph_records import swinging
from support.joint_motions import joint_motions
from support.recordings import record
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.kinematics.joint_transforms import moving_joints

TIMES = np.arange(1, 601) / 10
"""Seconds at which messages arrive."""

FAULTS = {
    'data-frame-unknown': (0.0, 60.0), 'joint-position-limit': (20.0, 26.0),
    'joint-states-silent': (32.9, 36.5), 'frame-two-parents': (45.0, 60.0),
    'data-stopped': (49.9, 60.0)}
"""Code of each fault to its beginning and end in seconds."""


def moving(seconds):
    """Return the positions of a robot of which one joint is beyond its limit for a while."""
    positions = swinging(seconds)
    share = np.clip(np.minimum(seconds - 19.2, 26.8 - seconds), 0, 1)
    return {**positions, 'turn': (1 - share) * positions['turn'] + share * 1.5}


def broken_robot():
    """Return what is observed of the robot."""
    model = loads(MODEL.format(name='arm'))
    joints = moving_joints(model)
    # The driver pauses for 3.6 s.
    times = TIMES[(TIMES < 32.95) | (TIMES > 36.45)]
    angles = moving(times)
    records = GraphRecords().description('/state_publisher', MODEL.format(name='arm'))
    records.frames('/state_publisher', {'mount': 'base'}, [(0, 0, 0.5, 0, 0, 0, 1)],
                   topic='/tf_static', times=TIMES[:1])
    records.frames('/state_publisher', {joint.child: joint.parent for joint in joints}, np.array([
        joint_motions(joints, row)
        for row in zip(angles['turn'], angles['slide'])]), times=times)
    records.joint_states('/driver', moving, times=times)
    records.frames('/odometry', {'base': 'odom'}, times=TIMES)
    records.frames('/localisation', {'base': 'map'}, times=TIMES[TIMES > 45])
    seen = records.observation()
    sensors = {'/scan': ('sensor_msgs/msg/LaserScan', 'laser', TIMES),
               '/camera/image_raw': ('sensor_msgs/msg/Image', 'tool', TIMES[TIMES < 50])}
    graph = replace(
        seen.graph, kinds={**seen.graph.kinds, **{
            topic: kind for topic, (kind, _, _) in sensors.items()}},
        publishers={**seen.graph.publishers, **{
            topic: (Endpoint('/sensor', Qos(), topic.encode()),) for topic in sensors}})
    return replace(seen, graph=graph, seconds=60.0, now=int(nanoseconds(60.0)), stamped=tuple(
        StampedTrack(topic, kind, topic.encode(), '/sensor', frame, nanoseconds(times),
                     nanoseconds(times)) for topic, (kind, frame, times) in sensors.items()))


def write_broken(path: Path, **options) -> Path:
    """Write the recording."""
    return record(path, broken_robot(), **options)
