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

"""What gravity asks of the joints of a robot over their ranges, and what its arms can carry."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from urdf_tools.dynamics.dynamics import GRAVITY
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.recursions import body_inertias
from urdf_tools.kinematics.jacobian import Jacobian
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import FLOATING
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.moving_frames import TURNING
from urdf_tools.model.messages import readable
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Indices

SAMPLES = 64
"""Random configurations besides the one at zero and the one in the middle of the ranges."""

_STARTS = 4
"""Configurations from which the largest effort of a joint is searched for."""

_STEPS = 9
"""Values of a variable that are tried at a time."""

_BLOCK = 8192
"""Configurations that are evaluated at a time, unless one variable asks for more."""

_SHARES = 1.0, 1.0, 0.3, 0.1
"""How wide the steps are, one after the other, as shares of the ranges."""

_MOST = 64**3
"""Most joints that are searched for, times the square of the frames: what the search takes."""

_ALIKE = 0.01
"""Share of an effort that is given up for a configuration with more variables at zero."""

_MAX_SHOWN = 6
"""Most positions of a configuration in a text."""

_MIN_ARM = 3
"""Fewest joints of an arm that turn."""


@dataclass(frozen=True)
class Holding:
    """
    The efforts that hold a robot against gravity, with its root link fixed and level.

    Joints without an effort limit are at zero.

    :ivar tree: the kinematic tree, with the names of the velocity variables.
    :ivar at_zero: efforts at zero, within the limits, in N m and N, shape (nv,).
    :ivar largest: the largest absolute effort that was found for each, shape (nv,).
    :ivar evaluated: some configurations, in radians and metres, shape (B, n).
    :ivar chosen: at which of them it was found, shape (nv,).
    :ivar samples: number of configurations that were evaluated.
    """

    tree: KinematicTree
    at_zero: Array
    largest: Array
    evaluated: Array
    chosen: Indices
    samples: int

    @property
    def configurations(self) -> Array:
        """Where the largest efforts were found, shape (nv, n)."""
        return self.evaluated[self.chosen]

    @cached_property
    def bounds(self) -> Array:
        """
        What no configuration within the ranges exceeds, shape (nv,).

        The first moment of what a joint carries is at most the sum of the moments of its bodies in
        their own frames and of their masses times the lengths of the offsets and the ways between.
        """
        tree, frames, bodies = self.tree, self.tree.frames, body_inertias(self.tree)[:, 3]
        masses, reaches = bodies[:, 3].copy(), np.linalg.norm(bodies[:, :3], axis=1)
        below = np.zeros(frames.count)
        lower, upper = tree.ranges()
        for frame in range(frames.count - 1, 0, -1):
            reaches[frame] += below[frame]
            length = np.linalg.norm(frames.offsets[frame, :3, 3])
            if frames.kinds[frame] == SLIDING:
                variable = frames.variables[frame]
                length += max(abs(frames.multipliers[frame] * end + frames.shifts[frame])
                              for end in (lower[variable], upper[variable]))
            parent = frames.parents[frame]
            below[parent] += reaches[frame] + masses[frame] * length
            masses[parent] += masses[frame]
        bounds, fall = np.zeros(len(tree.velocity_names)), float(np.linalg.norm(GRAVITY))
        for frame in range(1, frames.count):
            row, factor = frames.velocities[frame], abs(frames.multipliers[frame])
            if frames.kinds[frame] == FLOATING:
                bounds[row:row + 6] = np.repeat([masses[frame], reaches[frame]], 3) * fall
            else:
                moment = reaches if frames.kinds[frame] == TURNING else masses
                bounds[row] += factor * fall * moment[frame]
        return bounds


def _driven(tree: KinematicTree, moving: Collection[str] | None = None) -> Indices:
    """Return the indices of the variables of joints, by default of those with an effort limit."""
    if moving is not None:
        return np.array([tree.variable_index[name] for name in moving], np.intp)
    limits = tree.effort_limit[tree.plain_velocities]
    return tree.plain_variables[(limits > 0) & (limits < np.inf)]


def postures(tree: KinematicTree, seed: int = 0, moving: Collection[str] | None = None) -> Array:
    """
    Return zero, the middle of the ranges and random configurations, shape (B, n).

    :param seed: of the random configurations.
    :param moving: the variables that are not at zero; by default those of joints with an effort
        limit, which joints of a base that moves do not have.
    """
    (lower, upper), driven = tree.ranges(), _driven(tree, moving)
    configurations = np.tile(np.clip(tree.neutral(), lower, upper), (SAMPLES + 2, 1))
    configurations[1, driven] = ((lower + upper) / 2)[driven]
    configurations[2:, driven] = tree.random_configuration(
        np.random.default_rng(seed), SAMPLES)[:, driven]
    return configurations


class _Search:
    """The efforts against gravity at configurations within the ranges of a tree."""

    def __init__(self, tree: KinematicTree, moving: Collection[str] | None):
        self.tree, self._efforts, self.samples = tree, InverseDynamics(tree), 0
        self.lower, self.upper = tree.ranges()
        self._driven = _driven(tree, moving)

    def efforts(self, configurations: Array) -> Array:
        """Return the efforts, shape (B, nv)."""
        self.samples += len(configurations)
        return self._efforts(configurations)

    def refine(self, rows: Indices, configurations: Array) -> None:
        """
        Move configurations to where the efforts of joints are larger, one variable after another.

        :param rows: indices of the velocity variables.
        :param configurations: one for each of them, shape (len(rows), n); is changed.
        """
        moving = self._moving(rows)
        size = max(1, _BLOCK // (_STEPS * len(rows)))
        blocks = [moving[start:start + size] for start in range(0, len(moving), size)]
        for share in _SHARES:
            for block in blocks:
                widths = share * (self.upper - self.lower)[block, None]
                self._move(rows, configurations, block, configurations[:, block, None]
                           + widths * np.linspace(-1, 1, _STEPS), np.inf)
        # What hardly matters is at zero, so that a reader sees the variables that do.
        efforts = np.abs(np.diagonal(self.efforts(configurations)[:, rows]))
        for block in blocks:
            self._move(rows, configurations, block, np.zeros((len(rows), len(block), 1)),
                       (1 - _ALIKE) * efforts)

    def _moving(self, rows: Indices) -> Indices:
        """Return the variables on which the efforts of joints depend: above and below them."""
        frames = self.tree.frames
        above = np.isin(frames.velocities, rows) & (np.arange(frames.count) > 0)
        below = above.copy()
        for frame in range(1, frames.count):
            below[frame] |= below[frames.parents[frame]]
        for frame in range(frames.count - 1, 0, -1):
            above[frames.parents[frame]] |= above[frame]
        above[0] = False
        return np.intersect1d(self._driven, frames.variables[above | below])

    def _move(self, rows: Indices, configurations: Array, block: Indices, values: Array,
              enough: Array | float) -> None:
        """
        Give variables the best of some values, as many of them as makes the efforts larger.

        :param block: the K variables.
        :param values: to try for each alone, shape (len(rows), K, S).
        :param enough: efforts that are as good as larger ones, if more variables have moved.
        """
        count, each = len(rows), np.arange(len(rows))
        values = np.clip(values, self.lower[block, None], self.upper[block, None])
        tried = np.repeat(configurations[:, None], values[0].size, axis=1).reshape(
            *values.shape, -1)
        for number, variable in enumerate(block):
            tried[:, number, :, variable] = values[:, number]
        sizes = self._sizes(rows, tried.reshape(count, -1, tried.shape[-1])).reshape(values.shape)
        best = np.take_along_axis(values, sizes.argmax(axis=2)[..., None], axis=2)[..., 0]
        order = np.argsort(-sizes.max(axis=2), axis=1)
        moved = np.repeat(configurations[:, None], 1 + len(block), axis=1)
        for number in range(len(block)):
            column = order[:, number]
            moved[each, number + 1:, block[column]] = best[each, column][:, None]
        sizes = self._sizes(rows, moved)
        good = sizes >= np.minimum(sizes.max(axis=1), enough)[:, None]
        configurations[:] = moved[each, len(block) - good[:, ::-1].argmax(axis=1)]

    def _sizes(self, rows: Indices, configurations: Array) -> Array:
        """Return the absolute efforts, of each row at its own configurations (len(rows), B, n)."""
        efforts = self.efforts(configurations.reshape(-1, configurations.shape[2]))
        return np.abs(efforts.reshape(*configurations.shape[:2], -1)[
            np.arange(len(rows)), :, rows])


def holding(robot: Robot | KinematicTree, seed: int = 0, only_near: float | None = None,
            moving: Collection[str] | None = None) -> Holding:
    """
    Return the efforts that hold a robot, at zero and the largest within its ranges.

    Of more than 64 joints, those are searched for that need the most of their limits; of more
    than 512, none.

    :param seed: of the random configurations.
    :param moving: see :func:`postures`.
    :param only_near: search further than the random configurations only for joints whose largest
        effort so far is above this share of their limit, and not above the limit at zero; for all
        by default.
    """
    tree = KinematicTree.of(robot)
    search, configurations = _Search(tree, moving), postures(tree, seed, moving)
    signed = search.efforts(configurations)
    efforts = np.abs(signed)
    chosen, largest = efforts.argmax(axis=0), efforts.max(axis=0)
    limits = tree.effort_limit
    rows = np.arange(len(limits))
    if only_near is not None:
        is_over_at_zero = efforts[0] > limits
        rows = np.flatnonzero(
            ~is_over_at_zero & (limits > 0) & (largest > only_near * limits) & (
                Holding(tree, signed[0], limits, configurations, chosen, 0).bounds > limits))
        chosen[is_over_at_zero] = 0
        largest[is_over_at_zero] = efforts[0, is_over_at_zero]
    used = largest / np.maximum(limits, 1e-9)
    rows = np.sort(rows[np.argsort(-used[rows])[:_MOST // tree.frames.count**2]])
    if len(rows):
        starts = np.argsort(-efforts[:, rows], axis=0)[:1 if only_near else _STARTS]
        refined = configurations[starts.ravel()]
        search.refine(np.tile(rows, len(starts)), refined)
        refined = refined.reshape(*starts.shape, -1)
        sizes = np.abs([search.efforts(each)[range(len(rows)), rows] for each in refined])
        chosen[rows] = len(configurations) + np.arange(len(rows))
        largest[rows] = sizes.max(axis=0)
        configurations = np.vstack((
            configurations, refined[sizes.argmax(axis=0), range(len(rows))]))
    return Holding(tree, signed[0], largest, configurations, chosen, search.samples)


@dataclass(frozen=True)
class Payload:
    """
    The point mass that an arm can hold at its tool within its effort limits.

    :ivar tool: the link at whose origin it is.
    :ivar everywhere: the largest one at all configurations that were evaluated, in kg; negative
        if the arm cannot hold itself.
    :ivar joint: the joint that limits it there.
    :ivar configuration: where, in radians and metres, shape (n,).
    :ivar at_reach: the largest one where the tool is farthest from a joint of the arm across
        gravity, in kg.
    :ivar reach: that distance in metres.
    """

    tool: str
    everywhere: float
    joint: str
    configuration: Array
    at_reach: float
    reach: float


def payloads(robot: Robot | KinematicTree, seed: int = 0) -> Iterator[Payload]:
    """
    Yield the payload of each arm: a chain of three or more joints that turn, with efforts.

    :param seed: of the random configurations.
    """
    tree = KinematicTree.of(robot)
    configurations = postures(tree, seed)
    efforts = InverseDynamics(tree)(configurations)
    fall = float(np.linalg.norm(GRAVITY))
    turns = _turning(tree)
    for tool, rows in arms(tree):
        jacobians = Jacobian(tree, tool, 'local_world_aligned')(configurations)
        loads = fall * jacobians[:, 2, rows]
        room = tree.effort_limit[rows] - np.sign(loads) * efforts[:, rows]
        levers = np.abs(loads)
        held = np.divide(room, levers, out=np.full_like(room, np.inf), where=levers > 1e-6)
        if not np.isfinite(held.min()):
            continue
        number, column = divmod(int(held.argmin()), len(rows))
        turning = [column for column, row in enumerate(rows) if row in turns]
        farthest = int(levers[:, turning].max(axis=1).argmax())
        yield Payload(
            tool, float(held[number, column]), tree.velocity_names[rows[column]],
            configurations[number], float(held[farthest].min()),
            float(levers[farthest, turning].max() / fall))


def _turning(tree: KinematicTree) -> set[int]:
    """Return the velocity variables of joints that turn."""
    return {*tree.frames.velocities[tree.frames.kinds == TURNING].tolist()}


def arms(tree: KinematicTree) -> Iterator[tuple[str, list[int]]]:
    """
    Yield the tool of each arm, and the velocity variables of joints with efforts that move it.

    An arm is a chain of moving frames without a branch. Its tool is the farthest link of the last
    frame that has neither mass nor shapes, of equally far ones the last, or else the first one.
    """
    frames, robot, turning = tree.frames, tree.robot, _turning(tree)
    parents = frames.parents.tolist()
    branches = np.bincount(parents[1:], minlength=frames.count)
    turns = np.zeros(frames.count, int)
    for frame in range(1, frames.count):
        is_on = branches[parents[frame]] == 1
        turns[frame] = turns[parents[frame]] * is_on + (frames.kinds[frame] == TURNING)
    for last in np.flatnonzero((branches != 1) & (turns >= _MIN_ARM)).tolist():
        links = [robot.links[tree.link_names[each]]
                 for each in np.flatnonzero(tree.link_frames == last)]
        ends = [link for link in links if not (link.inertial or link.visuals or link.collisions)]
        tool = max(reversed(ends), default=links[0], key=lambda link: float(np.linalg.norm(
            tree.link_placements[tree.link_index[link.name], :3, 3])))
        rows, frame = set(), last
        while frame:
            rows.add(int(frames.velocities[frame]))
            frame = parents[frame]
        limited = [row for row in sorted(rows) if 0 < tree.effort_limit[row] < np.inf]
        if not turning.isdisjoint(limited):
            yield tool.name, limited


def margins(points: Array, centres: Array) -> Array:
    """
    Return how far in m points are inside the convex hull of others, negative if outside.

    :param points: at least three that are not on one line, shape (n, 2).
    :param centres: shape (B, 2).
    :return: shape (B,).
    """
    sides = (points[:, None] - points).reshape(-1, 2)
    normals = np.broadcast_to(sides[:, ::-1] * [1, -1], (len(centres), len(sides), 2))
    directions = np.concatenate((normals, centres[:, None] - points), axis=1)
    sizes = np.linalg.norm(directions, axis=2, keepdims=True)
    directions = np.divide(directions, sizes, where=sizes > 1e-9, out=np.full_like(
        directions, np.nan))
    reaches = (points @ directions.swapaxes(1, 2)).max(axis=1)
    return np.asarray(np.nanmin(reaches - (directions @ centres[..., None])[..., 0], axis=1))


def posture(tree: KinematicTree, configuration: Array) -> str:
    """Return a configuration as text: the variables that are not zero."""
    moved = np.flatnonzero(np.abs(configuration) > 5e-4)
    values = [f'{tree.variable_names[each]} {readable(float(configuration[each]), ".3g")}'
              for each in moved[:_MAX_SHOWN]]
    more = len(moved) - _MAX_SHOWN
    return (', '.join(values) + (f' and {more} more' if more > 0 else '')) or 'zero'
