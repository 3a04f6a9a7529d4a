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

"""Whether two links touch by what they look like."""

from __future__ import annotations

import numpy as np

from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import invert

_NEAR = 1e-3
"""Distance in m within which links touch for the eye."""

_FINEST = 1e-4
"""Radius in m below which pieces of triangles are points."""

_MOST_PIECES = 256
"""Pieces that are measured of each size, the nearest ones."""

_WEIGHTS = np.array([
    [[2, 0, 0], [1, 1, 0], [1, 0, 1]], [[1, 1, 0], [0, 2, 0], [0, 1, 1]],
    [[1, 0, 1], [0, 1, 1], [0, 0, 2]], [[1, 1, 0], [0, 1, 1], [1, 0, 1]]]) / 2
"""The corners of the quarters of a triangle, in those of the triangle."""


def touch_for_the_eye(first: Surface, second: Surface, pose: Array) -> bool:
    """
    Return whether two links touch for the eye, or one is inside the other.

    The triangles of one are cut into ever smaller pieces, of which those go on that can touch:
    their middle is no farther from the other link than they reach.

    :param pose: pose of the first in the frame of the second, a 4x4 matrix.
    """
    if len(first.triangles) > len(second.triangles):
        first, second, pose = second, first, invert(pose)
    triangles = first.triangles @ pose[:3, :3].T + pose[:3, 3]
    pieces = cropped(triangles, second.box)
    is_around = len(pieces) == len(triangles)
    while len(pieces):
        middles = pieces.mean(axis=1)
        radii = np.linalg.norm(pieces - middles[:, None], axis=2).max(axis=1)
        if len(pieces) > _MOST_PIECES:
            nearest = np.argpartition(second.reaches(middles) - radii, _MOST_PIECES)
            some = nearest[:_MOST_PIECES]
            pieces, middles, radii = pieces[some], middles[some], radii[some]
        distances = second.distances(middles)
        if distances.min() <= _NEAR:
            return True
        pieces = pieces[(distances <= radii + _NEAR) & (radii > _FINEST)]
        pieces = np.einsum('qcd,tdi->tqci', _WEIGHTS, pieces).reshape(-1, 3, 3)
    if is_around:
        return bool(second.is_inside(triangles[:1, 0])[0])
    low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
    is_in_box = (low <= second.box[0]).all() and (second.box[1] <= high).all()
    return bool(is_in_box and Surface(triangles).is_inside(second.points[:1])[0])


def cropped(triangles: Array, box: Array) -> Array:
    """Return the triangles that reach into a box, or nearly."""
    reach = (triangles.min(axis=1) <= box[1] + _NEAR) & (
        triangles.max(axis=1) >= box[0] - _NEAR)
    found: Array = triangles[reach.all(axis=1)]
    return found
