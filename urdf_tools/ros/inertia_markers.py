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

"""Centres of mass and equivalent solids as markers for RViz."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from std_msgs.msg import ColorRGBA

from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia import Verdict
from urdf_tools.inertia.equivalents import equivalent_box
from urdf_tools.inertia.equivalents import equivalent_ellipsoid
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_quaternion
from urdf_tools.ros.conversions import to_vector
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

SOLIDS = {
    'box': (Marker.CUBE, equivalent_box),
    'ellipsoid': (Marker.SPHERE, equivalent_ellipsoid)}
"""Name of an equivalent solid to the type of its markers and what computes it."""

LEAD = 11340.0
"""
Density in kg/m^3 of the balls at the centres of mass.

They are as large as the mass would be in lead, as in RViz's own view of masses.
"""

THINNEST = 1e-3
"""Least extent of a marker in metres: RViz shows nothing that is flat."""


@dataclass(frozen=True)
class Style:
    """The colours of a body's markers: red, green, blue and opacity."""

    ball: tuple[float, float, float, float]
    solid: tuple[float, float, float, float]


LINK = Style((1.0, 0.8, 0.0, 1.0), (0.2, 0.5, 1.0, 0.4))
ROBOT = Style((0.0, 0.7, 0.3, 1.0), (0.0, 0.7, 0.3, 0.12))
IMPOSSIBLE = Style((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.6))
"""Of an inertia that no body can have."""


def check_solid(name: str) -> None:
    """
    Check the name of an equivalent solid.

    :raises ValueError: it is none of :data:`SOLIDS`.
    """
    if name not in SOLIDS:
        raise ValueError(f'{name!r} is none of {", ".join(SOLIDS)}')


class MarkerPicture:
    """All markers of a topic in each message, so that nobody needs the messages before."""

    def __init__(self):
        self._shown: set[tuple[str, int]] = set()

    def message(self, markers: Iterable[Marker]) -> MarkerArray:
        """Return the message that shows some markers and deletes all others ever shown."""
        present = {(marker.ns, marker.id): marker for marker in markers}
        gone = sorted(self._shown - present.keys())
        self._shown |= present.keys()
        return MarkerArray(markers=[
            *present.values(),
            *(Marker(ns=ns, id=number, action=Marker.DELETE) for ns, number in gone)])


def link_markers(
        inertias: Mapping[str, SpatialInertia], solid: str, prefix: str) -> list[Marker]:
    """
    Return the markers of links, each in the frame of its link, with which tf moves it.

    :param inertias: name of a link to its inertia in its own frame; what is massless or not
        finite is left out.
    :param solid: one of :data:`SOLIDS`.
    :param prefix: put before the names of all frames as it is.
    """
    return [
        marker for number, (name, body) in enumerate(inertias.items())
        for marker in _markers(body, prefix + name, 'links', number, LINK, solid)]


def robot_markers(body: SpatialInertia, frame: str, solid: str) -> list[Marker]:
    """
    Return the markers of a robot as one body.

    :param body: in the frame of the root link.
    :param frame: name of that frame.
    :param solid: one of :data:`SOLIDS`.
    """
    return _markers(body, frame, 'robot', 0, ROBOT, solid)


def _markers(body, frame, group, number, style, solid):
    verdict = body.consistency().verdict
    if verdict in (Verdict.MASSLESS, Verdict.NOT_FINITE):
        return []
    if verdict is not Verdict.CONSISTENT:
        style = IMPOSSIBLE
    kind, equivalent = SOLIDS[solid]
    shape = equivalent(body)
    diameter = np.cbrt(6 / np.pi * abs(body.mass) / LEAD)
    return [
        _marker(f'{group}/center_of_mass', number, frame, Marker.SPHERE, body.com, np.eye(3),
                np.full(3, diameter), style.ball),
        _marker(f'{group}/inertia', number, frame, kind, body.com, shape.axes, shape.size,
                style.solid)]


def _marker(
        namespace: str, number: int, frame: str, kind: int, center: Sequence[float],
        axes: np.ndarray, size: np.ndarray, rgba: Sequence[float]) -> Marker:
    # With a zero stamp and locked to its frame, RViz shows it where the frame is now.
    marker = Marker(ns=namespace, id=number, type=kind, frame_locked=True)
    marker.header.frame_id = frame
    marker.pose.position = to_point(center)
    marker.pose.orientation = to_quaternion(matrix_to_quaternion(axes))
    marker.scale = to_vector(size.clip(min=THINNEST))
    red, green, blue, opacity = rgba
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
    return marker
