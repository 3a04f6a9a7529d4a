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
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from urdf_tools.collision.contacts import PairCollider
from urdf_tools.collision.pairs import adjacent_pairs
from urdf_tools.collision.pairs import Scene
from urdf_tools.collision.pairs import touches_always
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
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


def colliding_pairs(robot: Robot, links: Sequence[str]) -> BoolArray:
    """
    Return which pairs of links MuJoCo lets collide, each once, shape (L, L).

    It leaves out links that do not move against each other, and bodies of which one is the parent
    of the other, unless the parent is fixed to the world.
    """
    body = welded(robot)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(
        (robot.root, *body.values())))}
    own = np.array([numbers[body[link]] for link in links])
    above = np.array([-1 if body[link] == robot.root else numbers[
        body[robot.parent_joint[body[link]].parent]] for link in links])
    is_parent = (own[:, None] == above) & (own[:, None] != 0)
    return np.triu(~(own[:, None] == own) & ~is_parent & ~is_parent.T, 1)


def boxes_that_meet(boxes: Array, poses: Array, margin: float = 0.0) -> BoolArray:
    """
    Return whether boxes around two links meet, shape (L, L).

    :param boxes: the lowest and the highest corner of each in the frame of its link, (L, 2, 3).
    :param poses: of the links, shape (L, 4, 4).
    :param margin: distance in m up to which they meet.
    """
    centres = (poses[:, :3, :3] @ boxes.mean(axis=1)[..., None])[..., 0] + poses[:, :3, 3]
    halves = (np.abs(poses[:, :3, :3]) @ (np.ptp(boxes, axis=1) / 2)[..., None])[..., 0]
    meet = np.ones((len(boxes), len(boxes)), bool)
    for centre, half in zip(centres.T, halves.T):  # One axis at a time, which saves memory.
        meet &= np.abs(centre[:, None] - centre) <= half[:, None] + half + margin
    return meet


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
        self._adjacent = adjacent_pairs(scene.tree.robot, self._names)
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
