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

"""Links that are inside each other, and the nearest configuration where none are."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from urdf_tools.collision.candidates import boxes_that_meet
from urdf_tools.collision.contacts import PairCollider
from urdf_tools.collision.pairs import adjacent_pairs
from urdf_tools.collision.pairs import Scene
from urdf_tools.collision.pairs import touches_always
from urdf_tools.kinematics.transforms import invert
from urdf_tools.types import Array
from urdf_tools.types import BoolArray

DEEP = 1e-4
"""Depth in m from which shapes overlap, so that shared faces do not count."""

_FAR = 1e6
"""Largest coordinate in m of shapes that are compared."""

_CLEAR = 1e-3
"""Distance in m that links get which overlapped."""

_WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Widths of the search for a configuration without overlaps, as shares of the ranges."""

_TRIALS = 40
"""Configurations that are tried at each width."""

_WAY = np.linspace(0, 1, 33)[1:]
"""Shares of the way to what was found, of which the smallest without overlaps is taken."""

_Pair = frozenset[str]


class Overlap(NamedTuple):
    """
    Two links that are inside each other.

    :ivar depth: the depth of the deepest shapes in metres.
    :ivar is_adjacent: whether joints join them, with only links without shapes between them.
    """

    first: str
    second: str
    depth: float
    is_adjacent: bool

    @property
    def names(self) -> _Pair:
        """The names of the links."""
        return frozenset((self.first, self.second))


class Overlaps:
    """
    Finds the links of a robot that are inside each other.

    :param pairs: which pairs of the links of the scene are compared, shape (L, L).
    """

    def __init__(self, scene: Scene, pairs: BoolArray):
        self._scene, self._pairs = scene, pairs.copy()
        self._names = tuple(scene.links)
        self._boxes = np.array([link.box for link in scene.links.values()]).reshape(-1, 2, 3)
        is_known = (np.abs(self._boxes) < _FAR).all(axis=(1, 2))
        self._pairs &= is_known[:, None] & is_known
        links = scene.tree.robot.links
        self._adjacent = adjacent_pairs(
            scene.tree.robot, (name for name, link in links.items() if link.collisions))
        self._colliders: dict[tuple[int, int], PairCollider] = {}

    def leave_out(self, overlaps: Iterable[Overlap]) -> None:
        """Compare some pairs no longer."""
        for each in overlaps:
            first, second = sorted(map(self._names.index, each[:2]))
            self._pairs[first, second] = False

    def at(self, configuration: Array) -> list[Overlap]:
        """Return the overlaps at a configuration, the deepest first."""
        poses = np.array([*self._scene.poses(configuration[None]).values()])[:, 0]
        found = [Overlap(self._names[first], self._names[second], self._depth(
            first, second, poses), frozenset((self._names[first], self._names[second]))
            in self._adjacent) for first, second in self._near(poses)]
        return sorted((each for each in found if each.depth > DEEP),
                      key=lambda each: (-each.depth, each[:2]))

    def always(self, overlaps: Iterable[Overlap]) -> set[_Pair]:
        """Return the pairs that :func:`~urdf_tools.collision.pairs.touches_always` finds."""
        return touches_always(self._scene, [each[:2] for each in overlaps])

    def nearest_free(self, start: Array, overlaps: Collection[Overlap]) -> Array | None:
        """
        Return a configuration near to another one without overlaps, or None if none is found.

        :param overlaps: those at the other one.
        """
        tree, rng = self._scene.tree, np.random.default_rng(0)
        lower, upper = tree.ranges()
        moved = np.unique(np.concatenate([
            self._scene.variables(each[:2]) for each in overlaps]))
        apart = {each.names for each in overlaps}
        for width in _WIDTHS if len(moved) else ():
            trials = np.repeat(start[None], _TRIALS, axis=0)
            steps = rng.uniform(-width, width, (_TRIALS, len(moved))) * (upper - lower)[moved]
            steps *= rng.random(steps.shape) < 0.6
            trials[:, moved] = np.clip(start[moved] + steps, lower[moved], upper[moved])
            free = [each for each in self._scene.closed(trials) if self._is_free(each, apart)]
            if free:
                nearest = min(free, key=lambda each: float(np.abs(each - start).sum()))
                way = self._scene.closed(start + _WAY[:, None] * (nearest - start))
                return np.asarray(next(
                    each for each in (*way, nearest) if self._is_free(each, apart)))
        return None

    def _is_free(self, configuration: Array, apart: Collection[_Pair]) -> bool:
        poses = np.array([*self._scene.poses(configuration[None]).values()])[:, 0]
        return all(
            self._depth(first, second, poses) <= (
                -_CLEAR if {self._names[first], self._names[second]} in apart else DEEP)
            for first, second in self._near(poses))

    def _near(self, poses: Array) -> list[tuple[int, int]]:
        return [(first, second) for first, second in np.argwhere(
            boxes_that_meet(self._boxes, poses, _CLEAR) & self._pairs).tolist()]

    def _depth(self, first: int, second: int, poses: Array) -> float:
        key = first, second
        if key not in self._colliders:
            self._colliders[key] = PairCollider(*(
                self._scene.links[self._names[each]] for each in key))
        return self._colliders[key].depth(invert(poses[first]) @ poses[second])
