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

"""The HTML report on a recording, one file: publishers over time, joint positions, frames."""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
import hashlib
import html
import json
from pathlib import Path
import time
from typing import Any

import numpy as np

from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import StampedTrack
from urdf_tools.doctor.observation import Times
from urdf_tools.doctor.recordings.evaluated_recording import EvaluatedRecording
from urdf_tools.doctor.recordings.recorded_windows import SECOND
from urdf_tools.doctor.stamped_sources import frame_sources
from urdf_tools.kinematics.joint_transforms import moving_joints
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.robot import JointType

BINS = 600
"""Most parts of the time line; each begins with :data:`WIDTH` and doubles when it is full."""

WIDTH = SECOND // 4

MAX_SERIES = 2000
"""Most sources and joints that are shown; further ones are left out."""

MAX_FRAMES = 5000

_MAX_NAME = 200

Series = tuple[str, ...]


_TEMPLATE = Path(__file__).with_name('report_page.html')


class ReportPage:
    """
    Collects the data of the page while the recording is read.

    That is, for each part of the time line, how many messages there were, and positions.
    """

    def __init__(self) -> None:
        self._begin: int | None = None
        self._width = WIDTH
        self._counts, self._gaps, self._lows, self._highs = (
            defaultdict[Series, Array](partial(np.full, BINS, nothing))
            for nothing in (0.0, 0.0, np.inf, -np.inf))
        self._last: dict[Series, int] = {}
        self._publishers: dict[Series, str] = {}
        self._limits: dict[str, dict[str, object]] = {}
        self._parents: dict[str, list[tuple[int, str, bool]]] = {}

    def add(self, seen: Observation, begin: int) -> None:
        """Add the new messages of an observation, which begin at a time."""
        if self._begin is None:
            self._begin = begin
        for group, track, name in _sources(seen):
            series = group, track.topic, track.source.hex(), name
            # A recording tells only later how many publishers there are.
            self._publishers[series] = track.publisher
            self._add_times(series, track.received)
        for robot in seen.robots:
            for joint in moving_joints(robot.robot):
                limits = joint.limits if joint.type is not JointType.CONTINUOUS else None
                if len(self._limits) < MAX_SERIES:
                    self._limits[joint.name] = {
                        'unit': joint.type.unit, 'lower': limits and _finite(limits.lower),
                        'upper': limits and _finite(limits.upper)}
        for joints in seen.joints:
            for name, positions in joints.of_joints(joints.positions).items():
                finite = np.isfinite(positions)
                if name in self._limits and finite.any():
                    bins = self._bins(joints.received[finite])
                    np.minimum.at(self._lows[name,], bins, positions[finite])
                    np.maximum.at(self._highs[name,], bins, positions[finite])
        self._add_parents(seen)

    def render(self, found: EvaluatedRecording) -> str:
        """Return the page; the contents of the recording are only data in it."""
        data = json.dumps({
            **found.as_data(), **self.as_data(found.begin),
            'date': time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime(found.begin // 10**9))},
            allow_nan=False)
        template = _TEMPLATE.read_text(encoding='utf-8')
        script = template.partition('<script>')[2].partition('</script>')[0]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        title = html.escape(Path(found.source).name)
        # In this order, as the data may contain anything, the names of places, too.
        return template.replace('{hash}', digest, 1).replace('{title}', title, 1).replace(
            '{data}', data.replace('<', r'\u003c'), 1)

    def as_data(self, begin: int) -> dict[str, Any]:
        """
        Return all this as data for JSON.

        :param begin: the time that counts as zero, in nanoseconds.
        """
        together: dict[tuple[Any, ...], list[Series]] = {}
        for series, counts in self._counts.items():
            # Those that came in the same messages are shown together.
            together.setdefault((*series[:3], counts.tobytes()), []).append(series)
        return {
            'offset': ((self._begin or begin) - begin) / SECOND, 'width': self._width / SECOND,
            'sources': [
                {'names': [series[3][:_MAX_NAME] for series in alike],
                 'group': alike[0][0], 'topic': alike[0][1][:_MAX_NAME],
                 'publisher': self._publishers[alike[0]][:_MAX_NAME],
                 'counts': _plain(self._counts[alike[0]]),
                 'gaps': _plain(self._gaps[alike[0]])} for alike in together.values()],
            'joints': [
                {'name': name[:_MAX_NAME], **self._limits[name], 'lows': _plain(lows),
                 'highs': _plain(self._highs[name,])}
                for (name,), lows in self._lows.items()],
            'frames': [
                {'name': child[:_MAX_NAME], 'parents': [
                    [(time - begin) / SECOND, parent[:_MAX_NAME], static]
                    for time, parent, static in changes]}
                for child, changes in self._parents.items()]}

    def _bins(self, times: Times) -> Any:
        """Return the bins of the time line that times are in."""
        assert self._begin is not None
        last = int(times.max()) - self._begin
        while last // self._width >= BINS:
            self._width *= 2
            for table, join in ((self._counts, np.add), (self._gaps, np.maximum),
                                (self._lows, np.minimum), (self._highs, np.maximum)):
                for series, values in [*table.items()]:
                    del table[series]
                    table[series][:BINS // 2] = join(values[::2], values[1::2])
        return np.clip((times - self._begin) // self._width, 0, BINS - 1)

    def _add_times(self, series: Series, times: Times) -> None:
        if series not in self._counts and len(self._counts) >= MAX_SERIES:
            return
        bins = self._bins(times)
        self._counts[series] += np.bincount(bins, minlength=BINS)
        before = self._last.get(series, int(times[0]))
        gaps = np.diff(np.concatenate(([before], times))) / SECOND
        np.maximum.at(self._gaps[series], bins, gaps)
        self._last[series] = int(times[-1])

    def _add_parents(self, seen: Observation) -> None:
        for track in sorted(seen.frames, key=lambda track: int(track.received[0])):
            for parent, child in zip(track.parents, track.children):
                if child not in self._parents and len(self._parents) >= MAX_FRAMES:
                    continue
                changes = self._parents.setdefault(child, [])
                if len(changes) < BINS and (not changes or changes[-1][1] != parent):
                    changes.append((int(track.received[0]), parent, track.static))


def _sources(seen: Observation) -> Iterator[tuple[str, JointTrack | StampedTrack, str]]:
    """Yield the sources of joint states, moving frames and data, with their subjects."""
    yield from (('joints', track, '') for track in seen.joints)
    yield from (('frames', track, track.frame) for track in frame_sources(seen.frames))
    yield from (('sensors', track, track.frame) for track in seen.stamped)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _plain(values: Array) -> list[float | None]:
    last = np.flatnonzero(np.isfinite(values) & (values != 0))
    return [round(value, 5) if np.isfinite(value) else None
            for value in values[:last[-1] + 1 if len(last) else 0].tolist()]
