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

from urdf_tools.collision_shapes.convex_contacts import Convex
from urdf_tools.collision_shapes.convex_contacts import overlap
from urdf_tools.collision_shapes.eye_contacts import cropped
from urdf_tools.collision_shapes.eye_contacts import touch_for_the_eye
from urdf_tools.collision_shapes.solid_shapes import Shell
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.kinematics.transforms import invert
from urdf_tools.meshes.mesh_record import merge_corners
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot

DEPTH = 1e-4
"""Depth in m from which on shapes collide, so that those that share a face do not."""

_FROM_CORNER = 3 ** -0.5
"""How far a point of a triangle is from the nearest corner at most, in longest sides."""

_BLOCK = 4096
"""Pairs of triangles that are compared at the same time."""


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
        boxes = {name: [Convex.of(solid).box for solid in some] for name, some in placed.items()}
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


def _overlap(first: Array, second: Array) -> bool:
    return bool((first[0] < second[1]).all() and (second[0] < first[1]).all())


def collide(first: Solid, second: Solid) -> bool:
    """Return whether two shapes overlap; of a :class:`Shell`, whether its triangles do."""
    one, other = _parts(first.inset(DEPTH), second), _parts(second, first)
    rows, columns = _near(one, other)
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        poses = np.broadcast_to(np.eye(4), (len(rows[block]), 4, 4))
        if overlap(one.some(rows[block]), other.some(columns[block]), poses).any():
            return True
    return False


def _near(one: Convex, other: Convex) -> tuple[Indices, Indices]:
    """Return the triangles of two links, or the convex shapes, whose boxes overlap."""
    (low, high), (other_low, other_high) = (
        (each.points.min(axis=1), each.points.max(axis=1)) if each.points.ndim == 3
        else (np.full((1, 3), -np.inf), np.full((1, 3), np.inf)) for each in (one, other))
    near = np.ones((len(low), len(other_low)), bool)
    for i in range(3):
        near &= low[:, i, None] <= other_high[:, i]
        near &= other_low[:, i] <= high[:, i, None]
    rows, columns = np.nonzero(near)
    return rows, columns


def _parts(solid: Solid, other: Solid) -> Convex:
    """Return a convex shape, or the triangles of another one that may touch a shape."""
    if not isinstance(solid.shape, Shell):
        return Convex.of(solid)
    triangles = cropped(solid.shape.surface.triangles @ solid.rotation.T + solid.centre,
                        Convex.of(other).box)
    if not len(triangles) or isinstance(other.shape, Shell):
        return Convex(triangles)
    points, faces = merge_corners(triangles)
    clearances = other.clearances(points)[faces].min(axis=1)
    if clearances.min() < -DEPTH:  # A corner is inside.
        return Convex(triangles[[np.argmin(clearances)]])
    sides = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
    return Convex(triangles[clearances <= sides.max(axis=1) * _FROM_CORNER])
