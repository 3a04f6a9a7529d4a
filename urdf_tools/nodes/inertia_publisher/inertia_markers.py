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
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_quaternion
from urdf_tools.ros.conversions import to_vector
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

SOLIDS = {
    'box': (Marker.CUBE, equivalent_box),
    'ellipsoid': (Marker.SPHERE, equivalent_ellipsoid)}
"""Name of an equivalent solid to its marker type and the function that computes it."""

LEAD = 11340.0
"""
Density in kg/m^3 of the spheres at the centres of mass.

A sphere is as large as the mass would be in lead, as in RViz's display of masses.
"""

THINNEST = 1e-3
"""Smallest extent of a marker in metres: RViz does not show flat markers."""


@dataclass(frozen=True)
class Style:
    """The colours of the markers of a body: red, green, blue and opacity."""

    com: tuple[float, float, float, float]
    solid: tuple[float, float, float, float]


LINK = Style((1.0, 0.8, 0.0, 1.0), (0.2, 0.5, 1.0, 0.4))
ROBOT = Style((0.0, 0.7, 0.3, 1.0), (0.0, 0.7, 0.3, 0.12))
INCONSISTENT = Style((1.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.6))
"""Style of a physically inconsistent inertia."""


def check_shape(name: str) -> None:
    """
    Check the name of an equivalent solid.

    :raises ValueError: it is not one of :data:`SOLIDS`.
    """
    if name not in SOLIDS:
        raise ValueError(f'shape is one of {", ".join(SOLIDS)}, not {name!r}')


class MarkerSet:
    """Puts all markers of a topic into each message, so that no earlier message is needed."""

    def __init__(self) -> None:
        self._shown: set[tuple[str, int]] = set()

    def message(self, markers: Iterable[Marker]) -> MarkerArray:
        """Return the message that shows some markers and deletes all others shown before."""
        present = {(marker.ns, marker.id): marker for marker in markers}
        gone = sorted(self._shown - present.keys())
        self._shown |= present.keys()
        return MarkerArray(markers=[
            *present.values(),
            *(Marker(ns=ns, id=number, action=Marker.DELETE) for ns, number in gone)])


def link_markers(
        inertias: Mapping[str, SpatialInertia], solid: str, prefix: str) -> list[Marker]:
    """
    Return the markers of links, each in the frame of its link so that tf moves it.

    :param inertias: name of a link to its inertia in its own frame; those that are massless or
        not finite get no markers.
    :param solid: one of :data:`SOLIDS`.
    :param prefix: prepended to every frame ID.
    """
    return [
        marker for number, (name, body) in enumerate(inertias.items())
        for marker in _markers(body, prefix + name, 'links', number, LINK, solid)]


def robot_markers(body: SpatialInertia, frame: str, solid: str) -> list[Marker]:
    """
    Return the markers of a robot as one rigid body.

    :param body: in the frame of the root link.
    :param frame: name of that frame.
    :param solid: one of :data:`SOLIDS`.
    """
    return _markers(body, frame, 'robot', 0, ROBOT, solid)


def _markers(
        body: SpatialInertia, frame: str, group: str, number: int, style: Style,
        solid: str) -> list[Marker]:
    verdict = body.consistency().verdict
    if verdict in (Verdict.MASSLESS, Verdict.NOT_FINITE):
        return []
    if verdict is not Verdict.CONSISTENT:
        style = INCONSISTENT
    kind, equivalent = SOLIDS[solid]
    shape = equivalent(body)
    diameter = np.cbrt(6 / np.pi * abs(body.mass) / LEAD)
    return [
        _marker(f'{group}/center_of_mass', number, frame, Marker.SPHERE, body.com, np.eye(3),
                np.full(3, diameter), style.com),
        _marker(f'{group}/inertia', number, frame, kind, body.com, shape.axes, shape.size,
                style.solid)]


def _marker(
        namespace: str, number: int, frame: str, kind: int, center: Iterable[float],
        axes: Array, size: Array,
        rgba: Sequence[float]) -> Marker:
    # With a zero stamp and frame_locked, RViz shows the marker at the current pose of its frame.
    marker = Marker(ns=namespace, id=number, type=kind, frame_locked=True)
    marker.header.frame_id = frame
    marker.pose.position = to_point(center)
    marker.pose.orientation = to_quaternion(matrix_to_quaternion(axes))
    marker.scale = to_vector(size.clip(min=THINNEST))
    red, green, blue, opacity = rgba
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
    return marker
