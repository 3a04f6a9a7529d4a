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

"""The record of a mesh that has been read: small, whatever the size of the file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import fields

import numpy as np

from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.moments import Moments
from urdf_tools.meshes.moments import NUMBERS
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.meshes.moments import pyramids
from urdf_tools.meshes.triangles import convex_hull
from urdf_tools.sandbox.answers import COUNT
from urdf_tools.types import Array
from urdf_tools.types import Indices


TURNED = 'neighbouring triangles of the mesh face opposite sides'
"""Why a mesh encloses no volume though no triangle is missing."""


@dataclass(frozen=True)
class MeshRecord:
    """
    The results of reading a mesh file, unscaled, in numbers and texts only.

    :ivar faces: number of triangles, without those that have two equal corners.
    :ivar low: smallest x, y and z in metres.
    :ivar high: largest x, y and z in metres.
    :ivar openness: why it encloses no volume; empty if it encloses one.
    :ivar volume: in m^3, negative if the triangles face inward; NaN if it encloses none, and 0 if
        other moments than those of the solid were requested.
    :ivar body: the numbers of the requested moments; empty if it has none.
    :ivar remark: why ``body`` is the convex hull.
    :ivar fault: why there is no ``body``.
    :ivar is_text: whether it is an STL file in text format.
    :ivar repeated_ids: number of sources in a COLLADA file that have the ID of another one.
    :ivar is_y_up: whether a COLLADA file has the y axis up, which is its default.
    :ivar unused: what the faces of an OBJ file leave out, if the task is ``parts``.
    """

    faces: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    openness: str
    volume: float
    body: tuple[float, ...] = ()
    remark: str = ''
    fault: str = ''
    is_text: bool = False
    repeated_ids: int = 0
    is_y_up: bool = False
    unused: str = ''

    @property
    def size(self) -> Array:
        """Size along x, y and z in metres, shape (3,)."""
        return np.subtract(self.high, self.low)

    def moments(self) -> Moments:
        """
        Return the requested moments.

        :raises MeshError: it has none.
        """
        if not self.body:
            raise MeshError(self.fault)
        return Moments.from_numbers(self.body)


_KINDS = {'int': COUNT, 'float': float, 'str': str, 'bool': bool}

RECORD = {
    **{each.name: _KINDS.get(str(each.type)) for each in fields(MeshRecord)},
    'low': [float] * 3, 'high': [float] * 3, 'body': ([float] * NUMBERS, [])}
"""The shape of a record as a JSON value; see :mod:`urdf_tools.sandbox.answers`."""


def record_mesh(vertices: Array, faces: Indices, task: str = 'solid',
                scale: tuple[float, ...] = (1.0, 1.0, 1.0),
                hull: Callable[[Array], Array] = convex_hull) -> MeshRecord:
    """
    Return the record of triangles.

    :param vertices: shape (V, 3), distinct ones.
    :param faces: shape (F, 3).
    :param task: the moments to compute: ``solid``, of the convex hull if the mesh is open,
        ``hull``, ``pyramids`` or none, for ``parts``.
    :param scale: factors on x, y and z, for pyramids only.
    :param hull: returns the triangles of the convex hull of points.
    :raises MeshError: all triangles have two equal corners.
    """
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    if not len(faces):
        raise MeshError('it has no triangles but some with two equal corners')
    openness = _openness(faces, len(vertices))
    is_used = np.zeros(len(vertices), bool)
    is_used[faces] = True
    used = vertices[is_used]
    corners = vertices[faces]
    low, high = used.min(axis=0), used.max(axis=0)
    volume = float('nan') if openness else 0.0
    numbers: tuple[float, ...] = ()
    remark, fault = '', ''
    try:
        if task == 'parts':
            raise MeshError('no moments were requested')
        if task == 'pyramids':
            body = pyramids(corners * np.array(scale))
        elif openness or task == 'hull':
            remark = openness if task == 'solid' else 'the convex hull was requested'
            body = polyhedron(hull(used))
        else:
            body = polyhedron(corners)
            volume = body.measure
        numbers = (body if body.measure > 0 else -body).numbers()
    except MeshError as error:
        fault = str(error)
    return MeshRecord(len(faces), tuple(low.tolist()), tuple(high.tolist()), openness, volume,
                      numbers, remark, fault)


def _openness(faces: Indices, vertices: int) -> str:
    """
    Return why triangles enclose no volume, or an empty string.

    They enclose one if each edge belongs to as many triangles in one direction as in the other.
    An edge is one number with its direction in the lowest bit, so that one sort does.
    """
    following = np.roll(faces, -1, axis=1)
    forward = faces < following
    low, high = np.minimum(faces, following), np.maximum(faces, following)
    edges = ((low * vertices + high) * 2 + forward).ravel()
    edges.sort()
    starts = np.flatnonzero(np.diff(edges >> 1, prepend=-1))
    counts = np.diff(starts, append=len(edges))
    ahead = np.add.reduceat(edges & 1, starts)
    if (2 * ahead == counts).all():
        return ''
    if (counts % 2).any():
        return 'the mesh is not closed'
    return TURNED
