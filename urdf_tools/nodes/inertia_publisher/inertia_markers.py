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

import numpy as np
from std_msgs.msg import ColorRGBA

from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics.depiction import depict
from urdf_tools.dynamics.depiction import LINK
from urdf_tools.dynamics.depiction import ROBOT
from urdf_tools.dynamics.depiction import Style
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.ros.conversions import to_point
from urdf_tools.ros.conversions import to_quaternion
from urdf_tools.ros.conversions import to_vector
from urdf_tools.types import Array
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

KINDS = {'box': Marker.CUBE, 'ellipsoid': Marker.SPHERE}
"""Name of an equivalent solid to its marker type."""


class MarkerSet:
    """Sends all markers of a topic in each message, so that no earlier message is needed."""

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


def link_markers(inertias: Mapping[str, SpatialInertia], solid: str, prefix: str) -> list[Marker]:
    """
    Return the markers of links, each in the frame of its link so that tf moves it.

    :param inertias: name of a link to its inertia in its own frame; those that are massless or
        not finite get no markers.
    :param solid: one of :data:`KINDS`.
    :param prefix: prepended to every frame ID.
    """
    return [
        marker for number, (name, body) in enumerate(inertias.items())
        for marker in body_markers(body, prefix + name, solid, LINK, 'links', number)]


def body_markers(body: SpatialInertia, frame: str, solid: str, style: Style = ROBOT,
                 group: str = 'robot', number: int = 0) -> list[Marker]:
    """
    Return the markers of a rigid body, by default of a whole robot.

    :param body: in a frame.
    :param frame: name of that frame.
    :param solid: one of :data:`KINDS`.
    :param style: colours and sizes.
    :param group: first part of the namespaces of the markers.
    :param number: of the body in the group.
    """
    drawn = depict(body, style, solid)
    if drawn is None:
        return []
    return [
        _marker(f'{group}/center_of_mass', number, frame, Marker.SPHERE, drawn.com, np.eye(3),
                np.full(3, drawn.diameter), drawn.style.com),
        _marker(f'{group}/inertia', number, frame, KINDS[solid], drawn.com, drawn.axes,
                drawn.size, drawn.style.solid)]


def _marker(
        namespace: str, number: int, frame: str, kind: int, center: Iterable[float],
        axes: Array, size: Array, rgba: Sequence[float]) -> Marker:
    # With a zero stamp and frame_locked, RViz shows the marker at the current pose of its frame.
    marker = Marker(ns=namespace, id=number, type=kind, frame_locked=True)
    marker.header.frame_id = frame
    marker.pose.position = to_point(center)
    marker.pose.orientation = to_quaternion(matrix_to_quaternion(axes))
    marker.scale = to_vector(size)
    red, green, blue, opacity = rgba
    marker.color = ColorRGBA(r=red, g=green, b=blue, a=opacity)
    return marker
