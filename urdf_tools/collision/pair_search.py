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

from urdf_tools.collision.link_colliders import LinkCollider
from urdf_tools.collision.link_colliders import PairCollider
from urdf_tools.collision.motion_bounds import MotionBounds
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.sphere_cover import Cover
from urdf_tools.collision.sphere_cover import covers
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.types import Array
from urdf_tools.types import Indices

_ROUNDING = 1e-6
"""Error in m of distances that are computed from squares."""

_COARSE, _FINE = 6, 16
"""Numbers of spheres of a link; the fine ones are used where the coarse ones overlap."""

_FEW = 3
"""Number of variables up to which cells are subdivided to the end."""

_CELLS = 100_000, 20_000
"""Maximum number of cells for a bound, for few and for more variables."""

_TESTS = 10_000, 500
"""Maximum number of shape comparisons for a bound."""

_PROBE = 5
"""Cells that are compared first; the others of their size are not if few of these are apart."""

_WIDE = 1.5
"""Cells that bring links nearer by more than this many minimum distances are skipped."""

_MANY = 1000
_HOPELESS = 0.8
"""Share of many cells left undecided from which the search is given up."""

_SOME = 64
_ALMOST_ALL = 0.9
"""Share of some cells left undecided from which their number will grow as they shrink."""

_SHARE = 0.1
"""The bound that is tried, compared with the smallest distance that was found."""

_BATCH = 250
"""Number of poses that are computed together."""

_AT_ONCE = 20
"""Number of poses up to which coarse spheres save nothing."""

_PRECISION = 0.99
"""A distance is only the smallest if it is smaller than this share of the one before."""

_ROUNDS = 20
_STEPS = 12
_STARTS = 24
_FOLLOWED = 4
_NARROW = 0.015
"""Step width as a share of the ranges below which the descent ends."""


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
    """
    A robot whose links are compared.

    :ivar mechanism: closes its loops, if it has any.
    """

    def __init__(self, tree: KinematicTree, shapes: Mapping[str, tuple[Solid, ...]]):
        self.tree = tree
        self.mechanism = Mechanism(tree) if tree.robot.loops else None
        self.links = {name: LinkCollider(some) for name, some in shapes.items()}
        self.covers, self.fine = {}, {}
        for name, some in shapes.items():
            self.covers[name], self.fine[name] = covers(some, (_COARSE, _FINE))
        self.wholes = {name: each.whole for name, each in self.covers.items()}

    def closed(self, configurations: Array) -> Array:
        """Return the nearest configurations in which loops are closed, shape (B, n)."""
        return configurations if self.mechanism is None else (
            self.mechanism.close(configurations).positions)

    def random(self, rng: np.random.Generator, number: int) -> Array:
        """Return random configurations in which loops are closed, shape (B, n)."""
        return self.closed(self.tree.random_configuration(rng, number))

    def moving(self, variables: Indices) -> Indices:
        """Return variables with those of the loops that they are in."""
        if self.mechanism is None:
            return variables
        membership = self.mechanism.membership
        is_moved = membership @ membership[variables].any(axis=0) > 0
        is_moved[variables] = True
        return np.flatnonzero(is_moved)


class PairSearch:
    """A pair of links of a scene."""

    def __init__(self, scene: Scene, first: str, second: str):
        self._tree = scene.tree
        self._scene = scene
        self.names = first, second
        self.collider = PairCollider(scene.links[first], scene.links[second])
        self._coarse = _Gaps(scene.covers[first], scene.covers[second])
        self._fine = _Gaps(scene.fine[first], scene.fine[second])
        self._motion = MotionBounds(
            scene.tree, first, second, (scene.covers[first], scene.covers[second]))
        self.variables = scene.moving(self._motion.variables)
        self._kinematics = ForwardKinematics(scene.tree, self.names)

    def poses(self, configurations: Array) -> Array:
        """Return the poses of the second link in the frame of the first, shape (B, 3, 4)."""
        poses = np.moveaxis(self._kinematics(np.atleast_2d(configurations)), 0, -1)
        return relative(poses[0, :3], poses[1, :3])

    def bounds(self, poses: Array, limit: float | Array = np.inf) -> Array:
        """
        Return lower bounds on the distances of the links in metres, shape (B,).

        :param limit: above which a better bound is of no use; a number, or shape (B,).
        """
        limits = np.broadcast_to(limit, len(poses))
        least = np.full(len(poses), -np.inf)
        if len(poses) > _AT_ONCE and np.isfinite(limits).any():
            for start in range(0, len(poses), _BATCH):
                rows = slice(start, start + _BATCH)
                least[rows] = self._coarse(poses[rows])
        near = np.flatnonzero(least < limits)
        for start in range(0, len(near), _BATCH):
            indices = near[start:start + _BATCH]
            least[indices] = self._fine(poses[indices])
        return least

    def nearest(
            self, poses: Array, limit: float, bounds: Array | None = None) -> tuple[float, int]:
        """
        Return the smallest distance below a limit, and its position; the limit and -1 if none.

        The distance is the smallest one but for 1 %, which saves much time. It ends with the first
        contact that it meets.

        :param poses: of the second link in the frame of the first, shape (B, 3, 4).
        :param bounds: on the distances, if they are known, shape (B,).
        """
        best = -1
        found, limit = limit, limit * _PRECISION
        bounds = self.bounds(poses, limit) if bounds is None else bounds
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
        best, width = start, 0.2
        for _ in range(_ROUNDS):
            if best.distance <= 0 or width < _NARROW:
                break
            trial = self._around(best.configuration[None], width, rng)
            distance, index = self.nearest(self.poses(trial), best.distance)
            if index < 0:
                width *= 0.6
            else:
                best = Nearest(distance, trial[index])
        return best

    def explore(self, start: Nearest, configurations: Array, values: Array,
                rng: np.random.Generator) -> Nearest:
        """
        Return a configuration that is at least as near as one, after descents from many.

        Spheres around the links are followed first, which costs little, then the links.

        :param values: bounds on the distances in the configurations.
        """
        best = np.argsort(values, kind='stable')[:_STARTS]
        many, values, width = configurations[best], values[best], 0.2
        for _ in range(_ROUNDS):
            trial = self._around(many, width, rng)
            found = self.bounds(self.poses(trial)).reshape(len(many), _STEPS)
            rows, steps = np.arange(len(many)), found.argmin(axis=1)
            is_nearer = found[rows, steps] < values
            many = np.where(is_nearer[:, None], trial[rows * _STEPS + steps], many)
            values = np.minimum(values, found[rows, steps])
            width *= 0.85
        for index in np.argsort(values, kind='stable')[:_FOLLOWED].tolist():
            if start.distance <= 0:
                break
            distance = self.collider.nearer(self.poses(many[index])[0], np.inf)
            nearer = self.descend(Nearest(distance, many[index]), rng)
            start = min(start, nearer, key=lambda each: each.distance)
        return start

    def _around(self, centres: Array, width: float, rng: np.random.Generator) -> Array:
        """Return random configurations around each of some, one after the other."""
        lower, upper = (end[self.variables] for end in self._tree.ranges())
        trial = np.repeat(centres, _STEPS, axis=0)
        steps = rng.standard_normal((len(trial), len(lower))) * (upper - lower) * width
        steps *= rng.random(steps.shape) < 0.7
        trial[:, self.variables] = np.clip(trial[:, self.variables] + steps, lower, upper)
        return self._scene.closed(trial)

    def prove(self, start: Nearest) -> tuple[float, Nearest]:
        """
        Return a bound on the distance over all configurations, and the nearest that was found.

        The ranges of the variables are cut into cells. At the middle of one the links are
        farther from each other than they can approach within it, or it is cut again. The bound
        is zero if that takes too many cells. Loops are not closed: what holds for the tree does
        for them.
        """
        bound = start.distance * _SHARE
        if not self._motion.is_bounded:
            return 0.0, start
        variables = self._motion.variables
        lower, upper = (end[variables] for end in self._tree.ranges())
        middles, halves = ((lower + upper) / 2)[None], ((upper - lower) / 2)[None]
        is_few = len(variables) <= _FEW
        cells, tests = (pair[not is_few] for pair in (_CELLS, _TESTS))
        while len(middles):
            cells -= len(middles)
            if cells < 0:
                return 0.0, start
            configurations = np.tile(self._tree.neutral(), (len(middles), 1))
            configurations[:, variables] = middles
            approach = self._motion.approach(halves)
            poses = self.poses(configurations)
            margins = approach.sum(axis=1) + bound
            is_open = self.bounds(poses, margins) < margins
            unsure = np.flatnonzero(is_open)
            if len(middles) >= _SOME and len(unsure) > _ALMOST_ALL * len(middles) and (
                    2 * len(middles) * np.median(margins) ** 2 > cells * start.distance ** 2):
                return 0.0, start
            if not is_few and len(middles) >= _MANY and len(unsure) > _HOPELESS * len(middles):
                return 0.0, start
            if len(unsure) > tests or margins.min() > _WIDE * start.distance or (
                    not self._are_often_apart(poses, margins, unsure)):
                unsure = unsure[:0]
            tests -= len(unsure)
            for index in unsure.tolist():
                is_open[index] = self.collider.are_nearer(poses[index], float(margins[index]))
                if is_open[index] and self.collider.touch(poses[index]):
                    is_tree = self._scene.mechanism is None
                    return 0.0, Nearest(0.0, configurations[index]) if is_tree else start
            middles, halves = _cut(middles[is_open], halves[is_open], approach[is_open])
        return bound, start

    def _are_often_apart(self, poses: Array, margins: Array, indices: Indices) -> bool:
        """Return whether the links are apart by a margin at some of several poses."""
        probe = indices[::-(-len(indices) // _PROBE) or 1]
        apart = sum(not self.collider.are_nearer(poses[i], float(margins[i])) for i in probe)
        return bool(apart * 4 >= len(probe))


class _Gaps:
    """Computes the distances of the spheres around two links."""

    def __init__(self, first: Cover, second: Cover):
        # Squares of distances are products of rows and columns of five numbers each.
        self._rows = np.column_stack([-2 * first.centres, np.ones(len(first.radii)),
                                      np.einsum('si,si->s', first.centres, first.centres)])
        self._centres = np.vstack([second.centres.T, np.ones(len(second.radii))])
        self._radii = first.radii[:, None], second.radii

    def __call__(self, poses: Array) -> Array:
        """Return the smallest at each of some poses of the second link, shape (B,)."""
        columns = np.empty((5, len(poses) * len(self._radii[1])))
        columns[:3] = (poses.swapaxes(0, 1).reshape(-1, 4) @ self._centres).reshape(3, -1)
        np.einsum('in,in->n', columns[:3], columns[:3], out=columns[3])
        columns[4] = 1
        gaps = self._rows @ columns
        np.sqrt(np.maximum(gaps, 0, out=gaps), out=gaps)
        gaps -= self._radii[0]
        nearest = gaps.min(axis=0).reshape(len(poses), -1) - self._radii[1]
        return np.asarray(nearest.min(axis=1) - _ROUNDING)


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
    return np.asarray(np.einsum('ijb,j->ib', poses[:3, :3], sphere.centres[0]) + poses[:3, 3])
