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


"""The rule about transforms that tf ignores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from urdf_tools.findings.finding import Severity
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.monitoring.graph_rules import Disorder
from urdf_tools.monitoring.graph_rules import in_category
from urdf_tools.monitoring.observation import FrameTrack
from urdf_tools.monitoring.observation import Observation

rule = in_category('frames')

TOLERANCE = 0.01
"""How far the squared length of a quaternion may be from 1: ``BufferCore`` of tf2."""


@rule('frame-ignored', Severity.ERROR,
      hint='Correct it in the node that publishes it; the rotation that turns nothing is 0 0 0 1',
      example='A driver leaves the rotation of a transform at 0 0 0 0.')
def frame_ignored(seen: Observation) -> Iterator[Disorder]:
    """
    Check that transforms are numbers, with a unit quaternion, between two frames with names.

    tf ignores others, with an error in the log of each node that listens.
    """
    found: dict[tuple[str, str, str], list[str]] = {}
    for track in seen.frames:
        for frame, reason in (*_misnamed(track), *_not_usable(track)):
            found.setdefault((track.topic, track.publisher, reason), []).append(frame)
    for (topic, publisher, reason), frames in found.items():
        frames = list(dict.fromkeys(frames))
        yield Disorder(
            topic, f'tf ignores {count(len(frames), "frame")} from {publisher}, because {reason}: '
            f'{name_list(frames)}', (publisher,))


def _misnamed(track: FrameTrack) -> Iterator[tuple[str, str]]:
    for parent, child in zip(track.parents, track.children):
        if not child:
            yield f'below {parent!r}', 'a frame has no name'
        elif not parent:
            yield child, 'a parent has no name'
        elif parent == child:
            yield child, 'a frame is its own parent'


def _not_usable(track: FrameTrack) -> Iterator[tuple[str, str]]:
    rotations = track.transforms[:, :, 3:]
    lengths = np.einsum('knc,knc->kn', rotations, rotations)
    unit = np.abs(lengths - 1.0) < TOLERANCE
    if np.isfinite(track.transforms).all() and unit.all():
        return
    for column, frame in enumerate(track.children):
        if not np.isfinite(track.transforms[:, column]).all():
            yield frame, 'a number is not finite'
        elif not unit[:, column].all():
            worst = lengths[np.argmax(np.abs(lengths[:, column] - 1.0)), column]
            yield frame, f'a quaternion has the length {np.sqrt(worst):.3g}'
