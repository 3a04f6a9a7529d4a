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

"""What the HTML report shows of a recording: publishers over time, joints, frames, robots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import astuple
from functools import partial
from itertools import islice
import json
import time
from typing import Any

import numpy as np

from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.recordings.evaluated_recording import EvaluatedRecording
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.robots import effort_unit_of
from urdf_tools.doctor.stamped_sources import frame_sources
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.model.grouping import grouped
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Box
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Times

BINS, POINTS = 600, 1200
"""Most parts of the time line of messages, and of that of joints."""

MAX_SERIES, MAX_JOINTS = 2000, 300
"""Most sources and joints that are shown; further ones are left out."""

MAX_FRAMES = 5000

MAX_DRAWN = 2000
"""Most joints and shapes of a robot that are drawn, from the root on."""

_GREY = 0.7, 0.7, 0.7

_MAX_NAME = 200

Series = tuple[str, ...]

_JOINS = {
    'counts': (np.add, 0.0), 'gaps': (np.maximum, 0.0), 'lows': (np.minimum, np.inf),
    'highs': (np.maximum, -np.inf)}
"""How numbers in the same part of a time line become one, and that of no number."""


class _TimeLine:
    """
    Numbers over time, in parts that double their width when the time line is full.

    :param width: of a part at the beginning, in nanoseconds.
    """

    def __init__(self, parts: int, width: int, *kinds: str):
        self._parts = parts
        self.width = width
        self.tables = {kind: defaultdict[Series, Array](partial(
            np.full, parts, _JOINS[kind][1])) for kind in kinds}

    def add(self, series: Series, times: Times, **numbers: Array) -> None:
        """Add numbers at times since the beginning, shape (k,) with k > 0."""
        while int(times.max()) // self.width >= self._parts:
            self.width *= 2
            for kind, table in self.tables.items():
                join, nothing = _JOINS[kind]
                for name, values in table.items():
                    table[name] = np.full(self._parts, nothing)
                    table[name][:self._parts // 2] = join(values[::2], values[1::2])
        for kind, values in numbers.items():
            _JOINS[kind][0].at(
                self.tables[kind][series], np.maximum(times // self.width, 0), values)


class ReportData:
    """
    Collects the data of the page while the recording is read.

    That is, for each part of the time line, how many messages there were, and what joints did.
    """

    def __init__(self) -> None:
        self._begin: int | None = None
        self._messages = _TimeLine(BINS, SECOND // 4, 'counts', 'gaps')
        self._motion = _TimeLine(POINTS, SECOND // 100, 'lows', 'highs')
        self._last: dict[Series, int] = {}
        self._publishers: dict[Series, str] = {}
        self._joints: dict[str, Joint | None] = {}
        self._robots: dict[str, Robot] = {}
        self._parents: dict[str, list[tuple[int, str, bool]]] = {}

    def add(self, observation: Observation, begin: int) -> None:
        """Add the new messages of an observation, which begin at a time."""
        if self._begin is None:
            self._begin = begin
        for group, track, name in _sources(observation):
            series = group, track.topic, track.source.hex(), name
            # A recording tells only later how many publishers there are.
            self._publishers[series] = track.publisher
            if series in self._last or len(self._last) < MAX_SERIES:
                gaps = np.diff(track.received, prepend=self._last.get(series, track.received[0]))
                self._last[series] = int(track.received[-1])
                self._messages.add(series, track.received - self._begin,
                                   counts=np.ones(len(gaps)), gaps=gaps / SECOND)
        for robot in observation.robots:
            self._robots[robot.topic] = robot.robot
            self._joints |= {joint.name: joint for joint in moving_joints(robot.robot)}
        for joints in observation.joints:
            for quantity, column in _COLUMNS.items():
                for name, values in joints.of_joints(getattr(joints, column)).items():
                    self._add_motion((name, quantity), joints.received - self._begin, values)
        self._add_parents(observation)

    def _add_motion(self, series: Series, times: Times, values: Array) -> None:
        finite, known = np.isfinite(values), self._motion.tables['lows']
        if finite.any() and (series in known or len(known) < 3 * MAX_JOINTS):
            self._motion.add(series, times[finite], lows=values[finite], highs=values[finite])

    def _add_parents(self, observation: Observation) -> None:
        for track in sorted(observation.frames, key=lambda track: int(track.received[0])):
            for parent, child in zip(track.parents, track.children):
                if child not in self._parents and len(self._parents) >= MAX_FRAMES:
                    continue
                changes = self._parents.setdefault(child, [])
                if len(changes) < BINS and (not changes or changes[-1][1] != parent):
                    changes.append((int(track.received[0]), parent, track.static))

    def text(self, found: EvaluatedRecording) -> str:
        """Return all that the page shows of the recording as JSON."""
        return json.dumps({
            **found.as_data(), **self.as_data(found.begin),
            'date': time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(found.begin // 10**9))},
            allow_nan=False)

    def as_data(self, begin: int) -> dict[str, Any]:
        """
        Return all this as data for JSON.

        :param begin: the time that counts as zero, in nanoseconds.
        """
        counts, gaps = (self._messages.tables[kind] for kind in ('counts', 'gaps'))
        # Those that came in the same messages are shown together.
        together = grouped(
            ((*series[:3], numbers.tobytes()), series) for series, numbers in counts.items())
        names = dict.fromkeys((*self._joints, *(name for name, _ in self._motion.tables['lows'])))
        joints = [(name, [*self._plots(name)]) for name in names]
        return {
            'offset': ((self._begin or begin) - begin) / SECOND,
            'width': self._messages.width / SECOND, 'step': self._motion.width / SECOND,
            'sources': [
                {'names': [series[3][:_MAX_NAME] for series in alike],
                 'group': alike[0][0], 'topic': alike[0][1][:_MAX_NAME],
                 'publisher': self._publishers[alike[0]][:_MAX_NAME],
                 'counts': _plain(counts[alike[0]]), 'gaps': _plain(gaps[alike[0]])}
                for alike in together.values()],
            'joints': [{'name': name[:_MAX_NAME], 'plots': plots}
                       for name, plots in joints if plots],
            'drawings': [_drawing(robot) for robot in self._robots.values()],
            'frames': [
                {'name': child[:_MAX_NAME], 'parents': [
                    [(time - begin) / SECOND, parent[:_MAX_NAME], static]
                    for time, parent, static in changes]}
                for child, changes in self._parents.items()]}

    def _plots(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield what is known of the position, velocity and effort of a joint."""
        lows, highs = (self._motion.tables[kind] for kind in ('lows', 'highs'))
        joint = self._joints.get(name)
        for quantity in _COLUMNS:
            if (name, quantity) in lows:
                rows = np.flatnonzero(np.isfinite(lows[name, quantity]))
                lower, upper = _limits(joint, quantity)
                yield {'quantity': quantity, 'unit': _unit(joint, quantity), 'lower': lower,
                       'upper': upper, 'bins': rows.tolist(),
                       'lows': _plain(lows[name, quantity][rows]),
                       'highs': _plain(highs[name, quantity][rows])}


_COLUMNS = {'position': 'positions', 'velocity': 'velocities', 'effort': 'efforts'}
"""What joints have, and what a track of them calls it."""


def _unit(joint: Joint | None, quantity: str) -> str:
    return '' if joint is None else effort_unit_of(joint) if quantity == 'effort' else (
        joint.type.unit + '/s' * (quantity == 'velocity'))


def _limits(joint: Joint | None, quantity: str) -> list[float | None]:
    """Return the lower and the upper limit, None where there is none."""
    if joint is None or joint.limits is None:
        return [None, None]
    if quantity == 'position':
        pair: tuple[float, ...] = joint.limits.lower, joint.limits.upper
    else:
        bound = getattr(joint.limits, quantity)
        pair = (np.inf, np.inf) if bound is None else (-bound, bound)
    return [float(value) if np.isfinite(value) else None for value in pair]


def _sources(observation: Observation) -> Iterator[tuple[str, JointTrack | StampedTrack, str]]:
    """Yield the sources of joint states, moving frames and data, with their subjects."""
    yield from (('joints', track, '') for track in observation.joints)
    yield from (('frames', track, track.frame) for track in frame_sources(observation.frames))
    yield from (('sensors', track, track.frame) for track in observation.stamped)


def _plain(values: Array) -> list[float]:
    """Return numbers with five digits."""
    return [float(f'{value:.5g}') for value in values.tolist()]


def _drawing(robot: Robot) -> dict[str, Any]:
    """Return what the page draws of a robot; a mesh has no size here."""
    mimics = resolve_mimic(robot)
    shapes = ((link, shape) for link in robot.links.values()
              for shape in link.visuals or link.collisions)
    return {
        'name': robot.name[:_MAX_NAME], 'root': robot.root, 'joints': [{
            'name': joint.name[:_MAX_NAME], 'parent': joint.parent, 'child': joint.child,
            'type': joint.type.value, 'axis': joint.axis, 'origin': _rows(joint.origin),
            'mimic': astuple(mimics[joint.name]) if joint.name in mimics else None}
            for joint in robot.tree[:MAX_DRAWN]],
        'shapes': [{
            'link': link.name, 'origin': _rows(shape.origin), 'colour': _colour(shape),
            'kind': type(shape.geometry).__name__.lower(), 'size': _size(shape.geometry)}
            for link, shape in islice(shapes, MAX_DRAWN)]}


def _rows(pose: Pose) -> list[float]:
    return _plain(pose.matrix[:3].ravel())


def _size(shape: Geometry) -> list[float] | None:
    """Return the sides, or the radius and the length, of a shape, None of a mesh."""
    if isinstance(shape, Box | Mesh):
        return [*shape.size] if isinstance(shape, Box) else None
    return [shape.radius, 0.0 if isinstance(shape, Sphere) else shape.length]


def _colour(shape: Visual | Collision) -> list[float]:
    rgba = shape.material.rgba if isinstance(shape, Visual) and shape.material else None
    return [*(rgba or _GREY)[:3]]
