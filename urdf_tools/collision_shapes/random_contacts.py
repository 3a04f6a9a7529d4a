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

"""Which links touch at random configurations by their shapes, but not by what they look like."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.collision_shapes.zero_contacts import collide
from urdf_tools.collision_shapes.zero_contacts import separate_pairs
from urdf_tools.collision_shapes.zero_contacts import touch_for_the_eye
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.meshes.shape_triangles import shape_triangles
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere

_MOST_STEPS = 24
_MOST_LOOKS = 20
"""Configurations of a pair at which it is looked whether the links touch."""


@dataclass(frozen=True)
class NewContact:
    """
    A pair of links whose shapes touch at some random configurations, but which do not look so.

    :ivar number: of configurations at which the shapes touch.
    """

    links: tuple[str, str]
    number: int


@dataclass(frozen=True, eq=False)
class _Rounded:
    """The hull of some points, shape (N, 3), and everything within a radius of it."""

    points: Array
    radius: float

    @classmethod
    def of(cls, solid: Solid) -> _Rounded:
        shape = solid.shape
        radius = 0.0
        if isinstance(shape, (Sphere, Capsule)):
            half = shape.length / 2 if isinstance(shape, Capsule) else 0.0
            points, radius = np.array([[0, 0, -half], [0, 0, half]]), shape.radius
        elif isinstance(shape, (Box, Cylinder)):
            points = np.unique(shape_triangles(shape).vertices.astype(float), axis=0)
        else:
            points = shape.surface.points
        return cls(points @ solid.rotation.T + solid.centre, radius)

    def supports(self, directions: Array) -> Array:
        """Return the farthest points in directions, shape (N, 3)."""
        farthest: Array = self.points[np.argmax(directions @ self.points.T, axis=1)]
        return farthest


def new_contacts(
        robot: Robot, solids: Mapping[str, Sequence[Solid]], surfaces: Mapping[str, Surface],
        number: int, seed: int = 0) -> Iterator[NewContact]:
    """
    Yield the pairs whose shapes touch at random configurations, but which do not look so at any.

    Pairs that are joined are left out. It is looked at a few configurations, at which the middles
    of shapes are the nearest.

    :param solids: the shapes of each link in its frame.
    :param surfaces: what is seen of each link in its frame.
    :param number: of configurations.
    """
    tree = KinematicTree(robot)
    positions = tree.random_configuration(np.random.default_rng(seed), number)
    poses = dict(zip(tree.link_names, ForwardKinematics(tree)(positions).swapaxes(0, 1)))
    for first, second in separate_pairs(robot):
        if not (surfaces.keys() >= {first, second} and solids.get(first) and solids.get(second)):
            continue
        there = np.linalg.inv(poses[second]) @ poses[first]
        contacts = _count(solids[first], solids[second], there, lambda pose: touch_for_the_eye(
            surfaces[first], surfaces[second], pose))
        if contacts:
            yield NewContact((first, second), contacts)


def _count(first: Sequence[Solid], second: Sequence[Solid], poses: Array,
           touch: Callable[[Array], bool]) -> int:
    """Return at how many poses of the first some shapes overlap; 0 if the links touch, too."""
    near: dict[int, list[tuple[float, Solid, Solid]]] = {}
    for one in first:
        for other in second:
            for index in _near(_Rounded.of(one), _Rounded.of(other), poses).tolist():
                centre = poses[index, :3, :3] @ one.centre + poses[index, :3, 3]
                near.setdefault(index, []).append(
                    (float(np.linalg.norm(centre - other.centre)), one, other))
    found = 0
    for index in sorted(near, key=lambda index: min(each[0] for each in near[index])):
        if any(collide(one.moved(poses[index]), other) for _, one, other in near[index]):
            found += 1
            if found <= _MOST_LOOKS and touch(poses[index]):
                return 0
    return found


def _near(first: _Rounded, second: _Rounded, poses: Array) -> Indices:
    """
    Return at which poses no plane was found that separates two shapes.

    A point of their difference walks towards the origin (Gilbert), at all poses at once.
    """
    left = np.arange(len(poses))
    rotations, offsets = poses[:, :3, :3], poses[:, :3, 3]
    radius = first.radius + second.radius
    points = rotations @ first.points.mean(axis=0) + offsets - second.points.mean(axis=0)
    for _ in range(_MOST_STEPS):
        supports = _difference(first, second, rotations[left], offsets[left], points)
        lengths = np.linalg.norm(points, axis=1)
        heights = np.einsum('ij,ij->i', points, supports)
        kept = heights <= radius * lengths
        left, points, supports = left[kept], points[kept], supports[kept]
        steps = supports - points
        squared = np.einsum('ij,ij->i', steps, steps)
        shares = -np.einsum('ij,ij->i', points, steps) / np.where(squared > 0, squared, 1)
        points = points + shares.clip(0, 1)[:, None] * steps
    return left


def _difference(
        first: _Rounded, second: _Rounded, rotations: Array, offsets: Array, points: Array
        ) -> Array:
    """Return the points of the difference that are the farthest towards the origin."""
    inner = np.einsum('nji,nj->ni', rotations, -points)
    ahead = np.einsum('nij,nj->ni', rotations, first.supports(inner)) + offsets
    farthest: Array = ahead - second.supports(points)
    return farthest
