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

"""The worker side of reading recordings, which isolates hostile ones."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import io
from itertools import islice
import math
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.doctor.graph_rules import in_format
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.file_formats import write_mcap
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recorded_windows import RecordedWindows
from urdf_tools.doctor.recordings.recorded_windows import STEP
from urdf_tools.doctor.recordings.recorded_windows import Window
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.report_page import ReportData
from urdf_tools.doctor.recordings.republished_frames import FrameOptions
from urdf_tools.doctor.recordings.republished_frames import RepublishedFrames
from urdf_tools.doctor.rules.joints import posture_at_rest
from urdf_tools.doctor.topic_rates import Policy
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.static_efforts import identify_payload
from urdf_tools.dynamics.static_efforts import Payload
from urdf_tools.findings.finding import Severity
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import InputError
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.sandbox.worker import ask
from urdf_tools.types import Array


SAME = 0.01
"""Radians or metres by which a posture may differ from the one before to be the same."""

MAX_POSTURES = 10_000


def still_postures(windows: Iterable[Window]
                   ) -> tuple[InverseDynamics, list[str], Array, Array]:
    """
    Return the postures of the first robot that reports efforts at rest.

    :return: its dynamics, the joints that report efforts in all postures, positions in rad and m,
        shape (B, n), and the efforts of these joints in N m and N, shape (B, k).
    :raises RecordingError: there is none.
    """
    found: list[tuple[Array, list[Mapping[str, float]]]] = []
    inverse = None
    for inverse, positions, held in islice(_postures(windows), MAX_POSTURES):
        if not found or np.abs(positions - found[-1][0]).max() > SAME:
            found.append((positions, []))
        found[-1][1].append(held)
    # A joint without a sensor reports zero.
    every = [efforts for _, several in found for efforts in several]
    names = [name for name in (inverse.tree.velocity_names if inverse else ()) if all(
        name in efforts for efforts in every) and any(efforts[name] for efforts in every)]
    if inverse is None or not names:
        raise RecordingError(
            'No robot stands still for 2.5 s and reports efforts in this recording; record '
            '/joint_states with efforts, and /robot_description or give --model')
    efforts = np.array([[np.mean([each[name] for each in several]) for name in names]
                        for _, several in found])
    return inverse, names, np.array([each for each, _ in found]), efforts


def _postures(windows: Iterable[Window]) -> Iterator[
        tuple[InverseDynamics, Array, Mapping[str, float]]]:
    """Yield the dynamics of the first robot, and its configuration and efforts at rest."""
    text = ''
    for window in windows:
        for begin in range(window.begin, window.end - STEP + 1, STEP // 2):
            observation = window.part(begin, begin + STEP)
            for robot in observation.robots:
                if text in ('', robot.text):
                    found = posture_at_rest(robot, observation.joints_of(robot))
                    if found is not None:
                        text = robot.text
                        yield found


Answer = tuple[dict[str, Any], bytes]

_PIECE = 2**20


def run(request: Any, _data: bytes) -> Answer:
    """Answer a request of :func:`~urdf_tools.doctor.recordings.confined_reading.read`."""
    try:
        recording = Recording(Path(request['path']), RecordingLimits(**request['limits']))
        return _JOBS[request['job']](recording, *request['arguments'])
    except InputError as error:
        return {'error': str(error)}, b''


def _evaluated(recording: Recording, model: str, ignore: list[str], policy: Policy,
               minimum: int = Severity.INFO, has_page: bool = False,
               shown: dict[str, Any] | None = None) -> Answer:
    """
    Return what is found, as it is shown, and what a page shows of it.

    :param minimum: faults of a lower severity are only counted.
    """
    data = ReportData() if has_page else None
    found = evaluate_recording(
        recording, model, ignore, data.add if data else lambda observation, since: None, policy)
    answer = found.as_data(minimum)
    if shown is not None:
        answer['shown'] = in_format(found.report(), **shown)
    return answer, data.text(found).encode() if data else b''


def _with_frames(recording: Recording, text: str, *options: Any) -> Answer:
    """Send a recording with the frames of a model to the parent, and return what it has."""
    frames = RepublishedFrames(loads(text), text, FrameOptions(*options))
    output = io.BufferedWriter(_Output(), _PIECE)
    write_mcap(output, frames.records(recording.records()))
    output.flush()
    if not frames.messages:
        recording.refuse_unread()
    if frames.counts['unreadable joint states'] and not frames.counts[f'written on {options[3]}']:
        raise RecordingError('None of its joint states can be read, so that no frames follow')
    return {'messages': frames.messages, 'counts': frames.counts,
            'damages': recording.damages}, b''


def _payload(recording: Recording, model: str, link: str) -> Answer:
    """Return the payload that explains the efforts at rest, at a link or where it does best."""
    inverse, names, positions, efforts = still_postures(RecordedWindows(model).read(recording))
    robot = inverse.tree.robot
    moved = {robot.joints[name].child for name in names}
    if link and link not in robot.links:
        raise RecordingError(does_not_exist(link, robot.links, 'link'))
    tried = [identify_payload(inverse, each, names, positions, efforts)
             for each in ([link] if link else [each for each in robot.links if each in moved])]
    # What explains no more than one nearer to the root, as one finger of two, is not better.
    best = min(map(_unexplained, tried))
    found = next(each for each in tried if _unexplained(each) <= _AS_GOOD * best + _NOTHING)
    return {**found._asdict(), 'centre': found.centre.tolist(),
            'centre_errors': found.centre_errors.tolist(), 'robot': robot.name,
            'postures': len(positions)}, b''


_AS_GOOD, _NOTHING = 1.001, 1e-6
"""Ratio of unexplained efforts, and some in N m, up to which payloads explain them alike."""


def _unexplained(payload: Payload) -> float:
    """Return the root mean square of the efforts that a payload leaves over."""
    return math.sqrt(sum(rest * rest for rest in payload.rest.values()) / len(payload.rest))


class _Output(io.RawIOBase):
    """Sends to the parent what is written."""

    _size = 0

    def tell(self) -> int:
        """Return the number of bytes until now."""
        return self._size

    def writable(self) -> bool:
        """Return that it can be written."""
        return True

    def write(self, data: Any) -> int:
        """Send a piece, and return its size."""
        piece = bytes(data[:_PIECE])
        ask({}, piece)
        self._size += len(piece)
        return len(piece)


_JOBS: dict[str, Callable[..., Answer]] = {
    'evaluate': _evaluated, 'frames': _with_frames, 'payload': _payload}
