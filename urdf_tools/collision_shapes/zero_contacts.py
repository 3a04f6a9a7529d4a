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

"""Which links touch at zero: by their shapes, and by what they look like."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from urdf_tools.collision_shapes.shape_errors import probes
from urdf_tools.collision_shapes.solid_shapes import Hull
from urdf_tools.collision_shapes.solid_shapes import Shell
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot

_DEPTH = 1e-4
"""Depth in m from which on shapes collide, so that those that share a face do not."""

_NEAR = 1e-3
"""Distance in m within which links touch for the eye."""

_MOST_STEPS = 60

_FACE = np.array([[0, 1, 2]])


class ZeroContacts:
    """
    The pairs of links that can collide, at zero.

    :param poses: pose of each link in one frame, 4x4 matrices.
    :param surfaces: what is seen of each link, in its frame.
    """

    def __init__(
            self, robot: Robot, poses: Mapping[str, Array], surfaces: Mapping[str, Surface]):
        self._poses = poses
        self._surfaces = surfaces
        self._looks: dict[tuple[str, str], bool] = {}
        self._pairs = separate_pairs(robot)

    def new(self, solids: Mapping[str, Sequence[Solid]],
            link: str | None = None) -> Iterator[tuple[str, str]]:
        """
        Yield the pairs whose shapes collide although the links do not touch for the eye.

        :param solids: the shapes of each link in its frame.
        :param link: the only link whose pairs are asked for.
        """
        placed = {name: [solid.moved(self._poses[name]) for solid in some]
                  for name, some in solids.items()}
        boxes = {name: [solid.extents() for solid in some] for name, some in placed.items()}
        for pair in self._pairs:
            if link is not None and link not in pair or not placed.keys() >= set(pair):
                continue
            if any(_overlap(boxes[pair[0]][i], boxes[pair[1]][j]) and collide(a, b)
                   for i, a in enumerate(placed[pair[0]])
                   for j, b in enumerate(placed[pair[1]])) and not self._touch(pair):
                yield pair

    def _touch(self, pair: tuple[str, str]) -> bool:
        """Return whether two links touch for the eye, or one is inside the other."""
        if pair not in self._looks:
            first, second = (self._surfaces.get(name) for name in pair)
            if first is None or second is None:
                return True
            there = invert(self._poses[pair[1]]) @ self._poses[pair[0]]
            self._looks[pair] = touch_for_the_eye(first, second, there)
        return self._looks[pair]


def separate_pairs(robot: Robot) -> list[tuple[str, str]]:
    """Return the pairs of links that move against each other and are not joined."""
    body = {robot.root: robot.root}
    joined = set()
    for joint in robot.tree:
        is_fixed = joint.type is JointType.FIXED
        body[joint.child] = body[joint.parent] if is_fixed else joint.child
        joined |= {(joint.parent, joint.child), (joint.child, joint.parent)}
    return [pair for pair in combinations(robot.links, 2)
            if pair not in joined and body[pair[0]] != body[pair[1]]]


def touch_for_the_eye(first: Surface, second: Surface, pose: Array) -> bool:
    """
    Return whether two links touch for the eye, or one is inside the other.

    :param pose: pose of the first in the frame of the second, a 4x4 matrix.
    """
    triangles = first.triangles @ pose[:3, :3].T + pose[:3, 3]
    # Only what is in the box around the other one can touch, and gets all samples.
    near = _cropped(triangles, second.points)
    others = _cropped(second.triangles, triangles.reshape(-1, 3))
    if not len(near) or not len(others):
        return False
    near_surface, other_surface = Surface(near), Surface(others)
    return bool(
        other_surface.distances(probes(near_surface)).min() <= _NEAR
        or near_surface.distances(probes(other_surface)).min() <= _NEAR
        or second.is_inside(near[:1, 0]).any()
        or Surface(triangles).is_inside(others[:1, 0]).any())


def _cropped(triangles: Array, points: Array) -> Array:
    """Return the triangles that reach into the box around points, or nearly."""
    low, high = points.min(axis=0) - _NEAR, points.max(axis=0) + _NEAR
    reach = (triangles.min(axis=1) <= high) & (triangles.max(axis=1) >= low)
    cropped: Array = triangles[reach.all(axis=1)]
    return cropped


def _overlap(first: tuple[Array, Array], second: tuple[Array, Array]) -> bool:
    return bool((first[0] < second[1]).all() and (second[0] < first[1]).all())


def collide(first: Solid, second: Solid) -> bool:
    """
    Return whether two shapes overlap; of a :class:`Shell`, whether its triangles do.

    The point of their difference nearest to the origin is found among ever nearer simplices
    (Gilbert, Johnson and Keerthi).
    """
    return any(_meet(one.inset(_DEPTH), other)
               for one in _convex_parts(first, second) for other in _convex_parts(second, first))


def _convex_parts(solid: Solid, near: Solid) -> Sequence[Solid]:
    """Return a convex shape, or the triangles of another one that are near a shape."""
    if not isinstance(solid.shape, Shell):
        return [solid]
    triangles = _cropped(
        solid.shape.surface.triangles @ solid.rotation.T + solid.centre, np.array(near.extents()))
    return [Solid(Hull(triangle, _FACE), np.eye(3), np.zeros(3)) for triangle in triangles]


def _meet(first: Solid, second: Solid) -> bool:
    nearest = np.array([1.0, 0.0, 0.0])
    simplex = np.empty((0, 3))
    for _ in range(_MOST_STEPS):
        point = first.support(-nearest) - second.support(nearest)
        if nearest @ point > 0:
            return False
        simplex, nearest = _reduced(np.vstack([simplex, point]))
        if nearest @ nearest <= 1e-16:
            return True
    return False


def _reduced(points: Array) -> tuple[Array, Array]:
    """Return the corner, edge, triangle or tetrahedron nearest to the origin, and the point."""
    best: tuple[float, Array, Array] = (np.inf, points[-1:], points[-1])
    for number in range(1, len(points) + 1):
        for chosen in combinations(range(len(points)), number):
            some = points[list(chosen)]
            edges = some[1:] - some[0]
            shares = np.linalg.lstsq(edges.T, -some[0], rcond=None)[0] if number > 1 else (
                np.empty(0))
            if (shares >= -1e-12).all() and shares.sum() <= 1 + 1e-12:
                point = some[0] + shares @ edges
                if point @ point < best[0]:
                    best = (float(point @ point), some, point)
    return best[1:]
