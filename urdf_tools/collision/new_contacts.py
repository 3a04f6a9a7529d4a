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

"""Pairs of links that touch by their shapes, but not by their visual geometry."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from urdf_tools.collision.link_colliders import LinkCollider
from urdf_tools.collision.link_colliders import PairCollider
from urdf_tools.collision.solid_shapes import shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.types import Array

_DEPTH = 1e-4
"""Depth in m from which shapes collide, so that shared faces do not count."""

_NEAR = 1e-3
"""Distance in m within which links touch by their visual geometry."""

_MAX_CHECKS = 20
"""Number of configurations at which the visual contact of a pair is checked."""

Solids = Mapping[str, Sequence[Solid]]
"""The shapes of each link in its frame."""


class NewContacts:
    """
    Finds the pairs of links whose shapes touch, but whose visual geometry does not.

    Pairs that are joined, or do not move against each other, are left out.

    :param surfaces: the visual geometry of each link in its frame; links without do not count.
    """

    def __init__(self, robot: Robot, surfaces: Mapping[str, Surface]):
        self._tree = KinematicTree(robot)
        self._pairs = _separate_pairs(robot)
        self._surfaces = surfaces
        self._shells = {name: (shell(each.triangles),) for name, each in surfaces.items()}
        self._zero = self._poses(self._tree.neutral()[None])
        self._colliders: dict[tuple[Solid, ...], LinkCollider] = {}
        self._contacts: dict[tuple[str, str, bytes], bool] = {}

    def at_zero(self, solids: Solids, link: str | None = None) -> Iterator[tuple[str, str]]:
        """
        Yield the pairs at zero.

        :param link: the only link whose pairs are asked for.
        """
        return (pair for pair, _ in self._new(solids, self._zero, link))

    def at_random(self, solids: Solids, number: int) -> Mapping[tuple[str, str], int]:
        """
        Return at how many random configurations pairs touch that never touch visually.

        It is looked at a few of them, at which the shapes seem to be the deepest in each other.

        :param number: of configurations.
        """
        return dict(self._new(solids, self._poses(
            self._tree.random_configuration(np.random.default_rng(0), number))))

    def _poses(self, configurations: Array) -> Mapping[str, Array]:
        """Return the poses of each link, shape (N, 4, 4)."""
        poses = ForwardKinematics(self._tree)(configurations).swapaxes(0, 1)
        return dict(zip(self._tree.link_names, np.ascontiguousarray(poses)))

    def _new(self, solids: Solids, poses: Mapping[str, Array], link: str | None = None
             ) -> Iterator[tuple[tuple[str, str], int]]:
        for pair in self._pairs:
            first, second = pair
            if link in (None, *pair) and all(solids.get(name) and name in self._surfaces
                                             for name in pair):
                number = self._count(pair, [self._collider(solids[name]) for name in pair],
                                     invert(poses[first]) @ poses[second])
                if number:
                    yield pair, number

    def _count(self, pair: tuple[str, str], links: Sequence[LinkCollider], poses: Array) -> int:
        """
        Return at how many poses some shapes overlap; 0 if the visuals touch, too.

        :param poses: of the second link in the frame of the first, shape (N, 4, 4).
        """
        gaps = links[0].gaps(links[1], poses)
        near = np.flatnonzero(gaps <= 0)
        if not len(near):
            return 0
        found = 0
        shapes = PairCollider(*links)
        for pose in poses[near[np.argsort(gaps[near], kind='stable')]]:
            if shapes.touch(pose):
                if found < _MAX_CHECKS and self._touch_visually(pair, pose):
                    return 0
                found += 1
        return found

    def _collider(self, solids: Sequence[Solid]) -> LinkCollider:
        key = tuple(solids)
        if key not in self._colliders:
            self._colliders[key] = LinkCollider(solid.inset(_DEPTH / 2) for solid in solids)
        return self._colliders[key]

    def _touch_visually(self, pair: tuple[str, str], pose: Array) -> bool:
        """Return whether links touch by their visual geometry, or one is inside the other."""
        key = *pair, pose.tobytes()
        if key not in self._contacts:
            first, second = (self._surfaces[name] for name in pair)
            visuals = PairCollider(*(self._collider(self._shells[name]) for name in pair))
            self._contacts[key] = (
                visuals.touch(pose) or visuals.nearer(pose, _NEAR) < _NEAR
                or _is_inside(second, first, pose) or _is_inside(first, second, invert(pose)))
        return self._contacts[key]


def _is_inside(inner: Surface, outer: Surface, pose: Array) -> bool:
    """Return whether a point of a link, at a pose in the frame of another, is inside it."""
    point = pose[:3, :3] @ inner.points[0] + pose[:3, 3]
    is_in_box = (outer.box[0] <= point).all() and (point <= outer.box[1]).all()
    return bool(is_in_box and outer.is_inside(point[None])[0])


def _separate_pairs(robot: Robot) -> list[tuple[str, str]]:
    """Return the pairs of links that move against each other and are not joined."""
    body = welded(robot)
    joined = {pair for joint in robot.tree for pair in (
        (joint.parent, joint.child), (joint.child, joint.parent))}
    return [pair for pair in combinations(robot.links, 2)
            if pair not in joined and body[pair[0]] != body[pair[1]]]
