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
"""Mobile robots as records: wheels, sensors, odometry, localisation and planners."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support.graph_records import BEST_EFFORT
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import nanoseconds
from support.graph_records import STRAIGHT
from support.graph_records import TIMES

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE

LINKS = {'base_link': 'base_footprint', 'laser': 'base_link', 'imu_link': 'base_link',
         'camera_link': 'base_link', 'camera_optical': 'camera_link'}
WHEELS = ('wheel_left', 'wheel_right')

MODEL = '<robot name="{name}"><link name="base_footprint"/>' + ''.join(
    f'<link name="{child}"/><joint name="{child}_joint" type="fixed"><parent link="{parent}"/>'
    f'<child link="{child}"/></joint>' for child, parent in LINKS.items()) + ''.join(
    f'<link name="{wheel}"/><joint name="{wheel}_joint" type="continuous">'
    f'<parent link="base_link"/><child link="{wheel}"/><axis xyz="0 1 0"/></joint>'
    for wheel in WHEELS) + '</robot>'

IMAGE, SCAN = 'sensor_msgs/msg/Image', 'sensor_msgs/msg/LaserScan'
IMU, ODOMETRY = 'sensor_msgs/msg/Imu', 'nav_msgs/msg/Odometry'
POINTS, MAP = 'sensor_msgs/msg/PointCloud2', 'nav_msgs/msg/OccupancyGrid'

Stamps = Callable[[np.ndarray], np.ndarray]


def simulated(times: np.ndarray) -> np.ndarray:
    """Return stamps of a simulation that began with the observation."""
    return (times * 1e9).astype(np.int64)


def late(seconds: float) -> Stamps:
    """Return what stamps messages with a time before that of their arrival."""
    return lambda times: nanoseconds(times - seconds)


class Mobile(GraphRecords):
    """
    A mobile robot in a namespace, whose nodes are added by methods.

    :param stamps: returns the stamps of what arrives at some times.
    :param right: reported position of the right wheel.
    :param times: when joint states and frames arrive.
    """

    def __init__(self, space: str = '', prefix: str = '', stamps: Stamps = nanoseconds,
                 tree: str | None = None, model: str = MODEL, right: float = 0.0,
                 times: np.ndarray = TIMES):
        super().__init__()
        self.space, self.prefix, self.stamps = space, prefix, stamps
        self.tree = space if tree is None else tree
        self.right, self.times = right, times
        self.described(model)

    def described(self, model: str = MODEL) -> Mobile:
        """Add the state publisher and the driver of a robot."""
        publisher = f'{self.space}/robot_state_publisher'
        self.description(publisher, model.format(name='amr'), f'{self.space}/robot_description')
        self.subscriber(publisher, f'{self.space}/joint_states', JOINT_STATE, BEST_EFFORT)
        self.frames(publisher, {
            self.prefix + child: self.prefix + parent for child, parent in LINKS.items()},
            topic=f'{self.tree}/tf_static', times=TIMES[:1])
        self.frames(publisher, {
            self.prefix + wheel: f'{self.prefix}base_link' for wheel in WHEELS},
            topic=f'{self.tree}/tf', stamps=self.stamps, times=self.times)
        return self.wheels()

    def wheels(self, node: str = 'driver', **options) -> Mobile:
        """Add a node that reports the joints, which stand still."""
        self.joint_states(f'{self.space}/{node}', lambda times: dict(zip(
            (f'{wheel}_joint' for wheel in WHEELS), (0.0, self.right))), names=tuple(
            f'{wheel}_joint' for wheel in WHEELS), topic=f'{self.space}/joint_states',
            **{'stamps': self.stamps, 'times': self.times, **options})
        return self

    def moves(self, child: str, parent: str, node: str = 'odometry', **options) -> Mobile:
        """Add a node that publishes a moving frame."""
        self.frames(f'{self.space}/{node}', {child: parent}, STRAIGHT, topic=f'{self.tree}/tf',
                    **{'times': self.times} | (
                        {} if 'delay' in options else {'stamps': self.stamps}) | options)
        return self

    def odom(self, **options) -> Mobile:
        """Add the odometry."""
        return self.moves(f'{self.prefix}base_footprint', f'{self.prefix}odom', **options)

    def map(self, node: str = 'slam', **options) -> Mobile:  # noqa: A003
        """Add a localisation."""
        return self.moves(f'{self.prefix}odom', f'{self.prefix}map', node, **options)

    def fixed(self, child: str, parent: str, node: str = 'static', **options) -> Mobile:
        """Add a static transform."""
        self.frames(f'{self.space}/{node}', {child: parent}, topic=f'{self.tree}/tf_static',
                    times=TIMES[:1], **options)
        return self

    def sensor(self, topic: str, kind: str, frame: str, users=('costmap',), node: str = 'sensor',
               **options) -> Mobile:
        """Add a sensor, and nodes that listen to it and to frames."""
        self.stamped(f'{self.space}/{node}', f'{self.space}/{topic}', kind, frame,
                     **{'stamps': self.stamps, **options})
        for user in users:
            self.subscriber(f'{self.space}/{user}', f'{self.space}/{topic}', kind, BEST_EFFORT)
            self.listens(f'{self.space}/{user}')
        return self

    def listens(self, node: str, space: str | None = None) -> Mobile:
        """Let a node listen to frames."""
        for name in 'tf', 'tf_static':
            self.subscriber(
                node, f'{self.tree if space is None else space}/{name}', TF_MESSAGE)
        return self

    def needs(self, node: str, state: str = '', use_sim_time: bool | None = None,
              **frames: str) -> Mobile:
        """Add a node whose parameters name frames, and the state of one with a life cycle."""
        self.node(f'{self.space}/{node}', frames=frames, use_sim_time=use_sim_time)
        self.listens(f'{self.space}/{node}')
        if state:
            self.observed(states={
                **self._others.get('states', {}), f'{self.space}/{node}': state})
        return self

    def viewer(self, space: str | None = None, use_sim_time: bool | None = None) -> Mobile:
        """Add RViz with the model of the robot."""
        self.node('/rviz', use_sim_time=use_sim_time)
        self.subscriber('/rviz', f'{self.space}/robot_description', STRING, LATCHED)
        return self.listens('/rviz', space)
