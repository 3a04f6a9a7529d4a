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

"""The search for configurations in which two links touch, or are closest to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from urdf_tools.collision_pairs.collision_geometry import Shape
from urdf_tools.collision_pairs.link_colliders import LinkCollider
from urdf_tools.collision_pairs.link_colliders import PairCollider
from urdf_tools.collision_pairs.motion_bounds import MotionBounds
from urdf_tools.collision_pairs.sphere_cover import Cover
from urdf_tools.collision_pairs.sphere_cover import cover
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices

_ROUNDING = 1e-6
"""Error in m of distances that are computed from squares."""

_MOST_CELLS = (6000, 3000, 2000)
"""Configurations at which a bound is tried, by the number of variables; for more, the next."""

_FEW_CELLS = 150

_SHARE = 0.15
"""The bound that is tried, compared with the smallest distance that was found."""

_PRECISION = 0.99
"""A distance is only the smallest if it is smaller than this share of the one before."""

_ROUNDS = 20
_STEPS = 12
_NARROW = 0.015
"""Width of the steps, in shares of the ranges, below which they are not worth it."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """
    The smallest distance of a pair that was found.

    :ivar distance: in metres; zero if they touch.
    :ivar configuration: shape (n,).
    """

    distance: float
    configuration: Array


class Scene:
    """A robot whose links are compared."""

    def __init__(self, tree: KinematicTree, shapes: Mapping[str, tuple[Shape, ...]]):
        self.tree = tree
        self.links = {name: LinkCollider(some) for name, some in shapes.items()}
        self.covers = {name: cover(some) for name, some in shapes.items()}
        self.wholes = {name: each.whole for name, each in self.covers.items()}


class PairSearch:
    """A pair of links of a scene."""

    def __init__(self, scene: Scene, first: str, second: str):
        self._tree = scene.tree
        self.names = first, second
        self.collider = PairCollider(scene.links[first], scene.links[second])
        self._covers = scene.covers[first], scene.covers[second]
        self._motion = MotionBounds(scene.tree, first, second, self._covers)
        self.variables = self._motion.variables
        self._kinematics = ForwardKinematics(scene.tree, self.names)

    def poses(self, configurations: Array) -> Array:
        """Return the poses of the second link in the frame of the first, shape (B, 3, 4)."""
        poses = np.moveaxis(self._kinematics(np.atleast_2d(configurations)), 0, -1)
        return relative(poses[0, :3], poses[1, :3])

    def bounds(self, poses: Array) -> Array:
        """Return distances in metres that the links have at least, shape (B,)."""
        first, second = self._covers
        centres = second.centres @ poses[:, :, :3].swapaxes(1, 2) + poses[:, None, :, 3]
        squares = np.einsum('bsi,bsi->bs', centres, centres)[:, :, None] - (
            2 * centres @ first.centres.T) + np.einsum('si,si->s', first.centres, first.centres)
        gaps = np.sqrt(np.maximum(squares, 0)) - (second.radii[:, None] + first.radii)
        least: Array = gaps.min(axis=(1, 2)) - _ROUNDING
        return least

    def nearest(self, poses: Array, limit: float) -> tuple[float, int]:
        """
        Return the smallest distance below a limit, and its position; the limit and -1 if none.

        The distance is the smallest one but for 1 %, which saves much time. It ends with the first
        contact that it meets.

        :param poses: of the second link in the frame of the first, shape (B, 3, 4).
        """
        best = -1
        found, limit = limit, limit * _PRECISION
        bounds = np.concatenate([self.bounds(poses[start:start + 1000])
                                 for start in range(0, len(poses), 1000)])
        for index in np.argsort(bounds, kind='stable').tolist():
            if bounds[index] >= limit:
                break
            distance = self.collider.nearer(poses[index], limit)
            if distance <= 0:
                return 0.0, index
            if distance < limit:
                limit, best, found = distance * _PRECISION, index, distance
        return found, best

    def descend(self, start: Nearest, rng: np.random.Generator) -> Nearest:
        """Return a configuration that is at least as near as one, after small random steps."""
        lower, upper = (end[self.variables] for end in self._tree.ranges())
        best, width = start, 0.2
        for _ in range(_ROUNDS):
            trial = np.tile(best.configuration, (_STEPS, 1))
            steps = rng.standard_normal((_STEPS, len(lower))) * (upper - lower) * width
            steps *= rng.random(steps.shape) < 0.7
            trial[:, self.variables] = np.clip(trial[:, self.variables] + steps, lower, upper)
            distance, index = self.nearest(self.poses(trial), best.distance)
            if index < 0:
                width *= 0.6
                if width < _NARROW:
                    break
                continue
            best = Nearest(distance, trial[index])
            if distance <= 0:
                break
        return best

    def prove(self, start: Nearest) -> tuple[float, Nearest]:
        """
        Return a bound on the distance over all configurations, and the nearest that was found.

        The ranges of the variables are cut into cells. At the middle of one the links are
        farther from each other than they can approach within it, or it is cut again. The bound
        is zero if that takes too many cells.
        """
        bound = start.distance * _SHARE
        if not self._motion.is_bounded:
            return 0.0, start
        lower, upper = (end[self.variables] for end in self._tree.ranges())
        middles, halves = ((lower + upper) / 2)[None], ((upper - lower) / 2)[None]
        left = _MOST_CELLS[len(lower) - 1] if len(lower) <= len(_MOST_CELLS) else _FEW_CELLS
        while len(middles):
            left -= len(middles)
            if left < 0:
                return 0.0, start
            configurations = np.tile(self._tree.neutral(), (len(middles), 1))
            configurations[:, self.variables] = middles
            approach = self._motion.approach(halves)
            poses = self.poses(configurations)
            margins = approach.sum(axis=1) + bound
            is_open = self.bounds(poses) < margins
            for index in np.flatnonzero(is_open).tolist():
                is_open[index] = self.collider.are_nearer(poses[index], float(margins[index]))
                if is_open[index] and self.collider.touch(poses[index]):
                    return 0.0, Nearest(0.0, configurations[index])
            middles, halves = _cut(middles[is_open], halves[is_open], approach[is_open])
        return bound, start


def _cut(middles: Array, halves: Array, approach: Array) -> tuple[Array, Array]:
    """Return both halves of cells, cut along the variable that brings the links nearest."""
    rows: Indices = np.arange(len(middles))
    column = approach.argmax(axis=1) if len(rows) else rows
    halves = halves.copy()
    halves[rows, column] /= 2
    step = np.zeros_like(middles)
    step[rows, column] = halves[rows, column]
    return np.concatenate([middles - step, middles + step]), np.concatenate([halves, halves])


def relative(first: Array, second: Array) -> Array:
    """
    Return the poses of links in the frames of others, shape (B, 3, 4).

    :param first: poses of the others in the frame of the root link, shape (3, 4, B).
    :param second: poses of the links, likewise.
    """
    offset = second[:, 3] - first[:, 3]
    found = np.empty((first.shape[2], 3, 4))
    found[:, :, :3] = np.einsum('kib,kjb->bij', first[:, :3], second[:, :3])
    found[:, :, 3] = np.einsum('kib,kb->bi', first[:, :3], offset)
    return found


def placed(sphere: Cover, poses: Array) -> Array:
    """Return the centres of one sphere in the frame of the root link, shape (3, B)."""
    centres: Array = np.einsum('ijb,j->ib', poses[:3, :3], sphere.centres[0]) + poses[:3, 3]
    return centres
