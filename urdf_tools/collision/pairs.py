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

"""Pairs of links that need no collision checks, with reasons and evidence."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from itertools import combinations
import math
from pathlib import Path

import numpy as np

from urdf_tools.collision.contacts import LinkCollider
from urdf_tools.collision.contacts import PairCollider
from urdf_tools.collision.solids import LinkSurfaces
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.solids import SurfaceError
from urdf_tools.collision.srdf_matrix import Pair
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.errors import InputError
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Indices

ALWAYS = 0.95
"""Share of samples in contact from which links count as always touching, as in MoveIt."""

CHUNK = 5000
"""Number of samples that are computed together; totals are multiples of it."""

CLOSE = 0.001
"""Distance in m below which links are left to be checked: the samples may have missed a contact
beside the nearest one."""

_FEW, _MANY = 100, 1000
"""Samples at which contacts are counted; the larger number if the links nearly always touch."""

_PRECISION = 0.99
"""A distance counts as smaller only if it is below this share of the smallest one so far."""

_SHARE, _NEAR = 0.5, 0.002
"""After the first chunk, what is not below this share of the smallest distance so far, or not
below this distance in m, is not measured."""

_STARTS = 6
"""Number of near samples from which nearer ones are searched."""

_STEPS, _ROUNDS = 13, 40
"""Configurations of a round of the search, and the maximum number of rounds."""

_WIDEST, _NARROWEST = 0.2, 0.002
"""Step width of the search as a share of the ranges, at the start and at the end."""

Report = Callable[[str], object]


class PairsError(InputError):
    """Pairs that cannot be compared; the text says why."""


def compare_pairs(robot: Robot, resolve: Callable[[str], Path], samples: int, seed: int,
                  report: Report = str) -> tuple[Pair, ...]:
    """
    Return all pairs of links that have collision shapes, in the order of the description.

    The result depends on the robot, the samples and the seed alone.

    :param resolve: takes the URI of a mesh to its file.
    :param samples: number of random configurations, rounded up to a multiple of :data:`CHUNK`.
    :param report: is called with the progress.
    :raises PairsError: there is no pair, a mesh cannot be read, or the loops of the robot cannot
        be closed.
    """
    shapes = collision_solids(robot, resolve)
    if len(shapes) < 2:
        some = f'Only link {quote(next(iter(shapes)))}' if shapes else 'No link'
        raise PairsError(f'{some} has collision geometry, so there are no pairs; collide without '
                         '--matrix proposes shapes')
    scene = Scene(KinematicTree(robot), shapes)
    adjacent = adjacent_pairs(robot, shapes)
    pairs = [PairSearch(scene, names, frozenset(names) in adjacent)
             for names in combinations(shapes, 2)]
    total = max(1, math.ceil(samples / CHUNK)) * CHUNK
    for start in range(0, total, CHUNK):
        rng = np.random.default_rng([seed, 0, start])
        configurations = scene.closed(scene.tree.random_configuration(rng, CHUNK))
        if not start:
            configurations[0] = scene.closed(rest(scene.tree)[None])[0]
        poses = scene.poses(configurations)
        for number, pair in enumerate(pairs, 1):
            report(f'samples {start:,} to {start + CHUNK:,} of {total:,}, '
                   f'pair {number} of {len(pairs)}')
            if not start:
                pair.count(configurations, poses)
            if pair.is_open:
                pair.add(configurations, poses)
    for number, pair in enumerate(pairs, 1):
        report(f'nearest sample, pair {number} of {len(pairs)}')
        if pair.is_open:
            pair.refine(np.random.default_rng([seed, 1, number]))
    return tuple(pair.result() for pair in pairs)


def touches_always(scene: Scene, pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """Return those of some pairs that touch in nearly all random configurations."""
    configurations = scene.closed(scene.tree.random_configuration(
        np.random.default_rng([0, 0, 0]), _MANY))
    poses, found = scene.poses(configurations), set()
    for names in pairs:
        search = PairSearch(scene, names, is_adjacent=False)
        search.count(configurations, poses)
        if search.result().reason == 'Always':
            found.add(frozenset(names))
    return found


def collision_solids(
        robot: Robot, resolve: Callable[[str], Path]) -> Mapping[str, tuple[Solid, ...]]:
    """
    Return the collision shapes of each link that has some, in the order of the description.

    :param resolve: takes the URI of a mesh to its file.
    :raises PairsError: a mesh cannot be read.
    """
    links = {name: link.collisions for name, link in robot.links.items() if link.collisions}
    surfaces = LinkSurfaces([shape for shapes in links.values() for shape in shapes], resolve)
    solids = {}
    for name, shapes in links.items():
        try:
            solids[name] = surfaces.solids(shapes)
        except SurfaceError as error:
            raise PairsError(f'Link {quote(name)}: {error}') from error
    return solids


def adjacent_pairs(robot: Robot, links: Iterable[str]) -> frozenset[frozenset[str]]:
    """
    Return the pairs of links that a joint joins, or joints with only other links between them.

    What holds two links together in a loop joins them, too.

    :param links: the links that have collision shapes.
    """
    known = frozenset(links)

    def upwards(link: str | None) -> str | None:
        while link is not None and link not in known:
            joint = robot.parent_joint.get(link)
            link = None if joint is None else joint.parent
        return link
    joined = [(link, joint.parent) for link, joint in robot.parent_joint.items() if link in known]
    joined += [(loop.parent, loop.child) for loop in robot.loops if loop.type.held > 1]
    pairs = (frozenset(map(upwards, each)) for each in joined)
    return frozenset(frozenset(filter(None, pair)) for pair in pairs if len(pair - {None}) == 2)


class Scene:
    """
    A robot whose links are compared.

    :ivar links: the shapes of each link that has some.
    :raises PairsError: its loops cannot be closed.
    """

    def __init__(self, tree: KinematicTree, shapes: Mapping[str, tuple[Solid, ...]]):
        self.tree = tree
        self.links = {name: LinkCollider(solids) for name, solids in shapes.items()}
        self._mechanism = Mechanism(tree) if tree.robot.loops else None
        self._kinematics = ForwardKinematics(tree, shapes)
        for group in self._mechanism.groups if self._mechanism else ():
            if not group.is_closed:
                raise PairsError(f'Loop {quote(group.loops[0].name)} cannot be closed')

    def closed(self, configurations: Array) -> Array:
        """Return the nearest configurations in which loops are closed, shape (B, n)."""
        return configurations if self._mechanism is None else (
            self._mechanism.close(configurations).positions)

    def poses(self, configurations: Array) -> Mapping[str, Array]:
        """Return the poses of each link in the frame of the root link, shape (B, 4, 4)."""
        return dict(zip(self.links, self._kinematics(configurations).swapaxes(0, 1)))

    def variables(self, names: tuple[str, str]) -> Indices:
        """Return the variables that move links against each other, with those in their loops."""
        tree = self.tree
        movers = {tree.mimic.get(joint.name, Mimic(joint.name)).joint
                  for joint in tree.robot.path(*names)}
        variables = np.array([index for index, name in enumerate(tree.variable_names)
                              if name.partition('/')[0] in movers], np.intp)
        if self._mechanism is None:
            return variables
        membership = self._mechanism.membership
        is_moved = membership @ membership[variables].any(axis=0) > 0
        is_moved[variables] = True
        return np.flatnonzero(is_moved)


class PairSearch:
    """The search for a contact of two links, or else for their smallest distance."""

    def __init__(self, scene: Scene, names: tuple[str, str], is_adjacent: bool):
        self._names = names
        self._scene = scene
        self._is_adjacent = is_adjacent
        self._first, self._second = (scene.links[name] for name in names)
        self._collider = PairCollider(self._first, self._second)
        self._kinematics = ForwardKinematics(scene.tree, names)
        self._variables = scene.variables(names)
        self._touches_at_rest = False
        self._samples = self._contacts = 0
        self._distance, self._nearest = math.inf, scene.tree.neutral()
        self._starts = np.empty((0, len(self._nearest)))

    @property
    def is_open(self) -> bool:
        """Whether more samples can decide that they need no check."""
        return bool(len(self._variables)) and self._distance > 0 and not self._is_adjacent

    def count(self, configurations: Array, poses: Mapping[str, Array]) -> None:
        """
        Count the contacts at some configurations, the first of which is at rest.

        Adjacent links, and those that do not move against each other, are compared at that alone.
        """
        number = _MANY if len(self._variables) and not self._is_adjacent else 1
        relative = self._relative(poses, number)
        gaps = self._first.gaps(self._second, relative, 0.0)
        hits: list[bool] = []
        for end in (_FEW, number):
            if sum(hits) >= ALWAYS * len(hits):
                hits += [gap <= 0 and self._collider.touch(pose) for gap, pose in zip(
                    gaps[len(hits):end], relative[len(hits):end])]
        self._touches_at_rest = hits[0]
        self._samples, self._contacts = len(hits), sum(hits)
        if any(hits):
            self._distance, self._nearest = 0.0, configurations[hits.index(True)]
        else:
            self._measure(configurations[:1], relative[:1])

    def add(self, configurations: Array, poses: Mapping[str, Array]) -> None:
        """Compare the links at a chunk of configurations, up to the first contact."""
        relative = self._relative(poses, len(configurations))
        if len(self._starts):
            self._measure(configurations, relative, _SHARE, _NEAR)
            self._samples += len(configurations)
            return
        gaps = self._measure(configurations, relative)
        self._starts = configurations[np.argsort(gaps, kind='stable')[:_STARTS]]
        self._samples = len(configurations)

    def _relative(self, poses: Mapping[str, Array], number: int) -> Array:
        """Return poses of the second link in the frame of the first, shape (number, 4, 4)."""
        first, second = (poses[name][:number] for name in self._names)
        return np.asarray(invert(first) @ second)

    def _measure(self, configurations: Array, relative: Array, share: float = _PRECISION,
                 limit: float = math.inf) -> Array:
        """
        Keep the nearest of some configurations, until the links touch.

        :param relative: poses of the second link in the frame of the first, shape (B, 4, 4).
        :param share: of the smallest distance so far, which a smaller one has to be below.
        :param limit: likewise in metres.
        :return: lower bounds on the distances.
        """
        limit = min(share * self._distance, limit)
        gaps = self._first.gaps(self._second, relative, limit)
        for i in np.argsort(gaps, kind='stable').tolist():
            if gaps[i] >= limit:
                break
            distance = self._collider.nearer(relative[i], limit)
            if distance < limit:
                self._distance, self._nearest = distance, configurations[i]
                limit = share * distance
        return gaps

    def refine(self, rng: np.random.Generator) -> None:
        """Search for a nearer configuration around the nearest ones, up to the first contact."""
        best = self._distance, self._nearest
        for start in (self._nearest, *self._starts):
            if best[0] > 0:
                best = min(best, self._descended(start, rng), key=lambda each: each[0])
        self._distance, self._nearest = best

    def _descended(self, start: Array, rng: np.random.Generator) -> tuple[float, Array]:
        """Return the smallest distance that is found with ever smaller random steps."""
        self._distance, self._nearest, width = math.inf, start, _WIDEST
        for _ in range(_ROUNDS):
            before = self._distance
            trial = self._around(self._nearest, width, rng)
            self._measure(trial, self._at(trial))
            if self._distance <= 0 or width < _NARROWEST:
                break
            if self._distance == before:
                width *= 0.6
        return self._distance, self._nearest

    def _at(self, configurations: Array) -> Array:
        poses = self._kinematics(configurations).swapaxes(0, 1)
        return self._relative(dict(zip(self._names, poses)), len(configurations))

    def _around(self, centre: Array, width: float, rng: np.random.Generator) -> Array:
        """Return random configurations around one."""
        lower, upper = (end[self._variables] for end in self._scene.tree.ranges())
        trial = np.repeat(centre[None], _STEPS, axis=0)
        steps = rng.standard_normal((len(trial), len(lower))) * (upper - lower) * width
        steps *= rng.random(steps.shape) < 0.7
        trial[:, self._variables] = np.clip(trial[:, self._variables] + steps, lower, upper)
        return self._scene.closed(trial)

    def result(self) -> Pair:
        """Return what was found."""
        reason = (
            'Adjacent' if self._is_adjacent else
            'Never' if self._distance >= CLOSE else
            'Always' if self._contacts >= ALWAYS * self._samples else
            'Default' if self._touches_at_rest else '')
        names = self._scene.tree.variable_names
        positions = {names[i]: float(self._nearest[i]) for i in self._variables}
        return Pair(*self._names, reason, self._distance, positions, self._samples,
                    self._contacts)


def rest(tree: KinematicTree) -> Array:
    """Return the configuration at zero, or in the middle where zero is outside of the limits."""
    configuration = tree.neutral()
    is_outside = (configuration < tree.position_lower) | (configuration > tree.position_upper)
    lower, upper = tree.ranges()
    configuration[is_outside] = (lower + upper)[is_outside] / 2
    return configuration
