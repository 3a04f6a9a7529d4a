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
from typing import Any

import numpy as np

from urdf_tools.doctor.graph_rules import defect_of
from urdf_tools.doctor.graph_rules import GRAPH_RULES
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import together
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.findings.finding import Severity

rule = GRAPH_RULES.in_category('frames')

TOLERANCE = 0.01
"""How far the squared length of a quaternion may be from 1: ``BufferCore`` of tf2."""

_Reason = tuple[str, float | None]
"""Why tf ignores a transform, and the length of its quaternion if that is why."""


@rule('frame-ignored', Severity.ERROR,
      fix='Correct it in the node that publishes it; the identity rotation is 0 0 0 1',
      example='A driver leaves the rotation of a transform at 0 0 0 0.')
def frame_ignored(seen: Observation) -> Iterator[GraphDefect]:
    """
    Check that transforms are finite, with a unit quaternion, between two frames with names.

    tf ignores others, and each node that listens logs an error.
    """
    for track, (reason, length), frames in together(
            (track, why, frame) for track in seen.frames
            for frame, why in (*_misnamed(track), *_not_usable(track))):
        details: dict[str, Any] = {} if length is None else {'length': length}
        yield defect_of(
            track, 'tf ignores {frames:frame} from {nodes}, because of {reason}'
            + (' {length:g}: {frames}' if details else ': {frames}'), reason=reason,
            frames=frames, **details)


def _misnamed(track: FrameTrack) -> Iterator[tuple[str, _Reason]]:
    for parent, child in zip(track.parents, track.children):
        if not child:
            yield parent, ('an empty child_frame_id under the parent', None)
        elif not parent:
            yield child, ('an empty frame_id', None)
        elif parent == child:
            yield child, ('a frame that is its own parent', None)


def _not_usable(track: FrameTrack) -> Iterator[tuple[str, _Reason]]:
    rotations = track.transforms[:, :, 3:]
    lengths = np.einsum('knc,knc->kn', rotations, rotations)
    unit = np.abs(lengths - 1.0) < TOLERANCE
    if np.isfinite(track.transforms).all() and unit.all():
        return
    for column, frame in enumerate(track.children):
        if not np.isfinite(track.transforms[:, column]).all():
            yield frame, ('a number that is not finite', None)
        elif not unit[:, column].all():
            worst = lengths[np.argmax(np.abs(lengths[:, column] - 1.0)), column]
            yield frame, ('a quaternion of length', float(f'{np.sqrt(worst):.3g}'))
