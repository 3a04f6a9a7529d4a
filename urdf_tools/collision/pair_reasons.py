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
from collections.abc import Iterator
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from dataclasses import replace
from itertools import combinations
import math
from pathlib import Path
import pickle
from typing import Any

from urdf_tools.collision import ALWAYS
from urdf_tools.collision import CHUNK
from urdf_tools.collision.link_surfaces import LinkSurfaces
from urdf_tools.collision.link_surfaces import SurfaceError
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.model.errors import InputError
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.sandbox.pool import WorkerPool

ENOUGH = {1: 5000, 2: 5000, 3: 100_000}
"""Sufficient samples by number of variables of a pair: 46 or more along each."""

NEAR = 0.002
"""Samples are measured below this distance in m, and below half of the known minimum."""

CLOSE = 0.001
"""Distance in m below which links without a proof are left to be checked: the search may have
missed a contact beside it."""

_CHUNKS_OF_JOB = 5
_PAIRS_OF_JOB = 10
_SHARES_OF_FIRST = 8
"""Jobs that share the pairs of the first chunk: those that it is enough for take the longest."""

_JOBS_OF_WAVE = (2, 2, 4, 4, 8)
"""Jobs between which smaller distances are shared; the last number goes on."""

_LIMITS = Limits(2048, 3600, 7200)

_pool = WorkerPool(
    'urdf_tools.collision.pair_job:compare', min(2, PROCESSORS), is_confined=True)

Report = Callable[[str], object]


class PairsError(InputError):
    """Pairs that cannot be compared; the text says why."""


@dataclass(frozen=True)
class Pair:
    """
    Two links that have collision shapes.

    :ivar reason: why they can be left out, as in SRDF: Adjacent, Default, Always or Never; empty
        if they are to be checked.
    :ivar distance: the smallest that was found, in metres; zero if they touch.
    :ivar positions: variables that move one relative to the other, where that was found.
    :ivar samples: number of configurations at which they were compared.
    :ivar contacts: number of those in which they touch, where all of them were counted.
    :ivar bound: a distance in metres below which they never are, as was proved; 0 if none was.
    """

    first: str
    second: str
    reason: str
    distance: float
    positions: Mapping[str, float]
    samples: int
    contacts: int
    bound: float

    @property
    def names(self) -> frozenset[str]:
        """The names of the links."""
        return frozenset((self.first, self.second))


def compare_pairs(robot: Robot, resolve: Callable[[str], Path], samples: int, seed: int,
                  report: Report = str) -> tuple[Pair, ...]:
    """
    Return all pairs of links that have collision shapes, in the order of the description.

    The result depends on the robot, the samples and the seed alone.

    :param resolve: takes the URI of a mesh to its file.
    :param samples: number of random configurations, rounded up to a multiple of :data:`CHUNK`.
    :param report: is called with the progress.
    :raises PairsError: there is no pair, a mesh cannot be read, a worker fails, or the loops of
        the robot cannot be closed.
    """
    shapes = collision_solids(robot, resolve)
    if len(shapes) < 2:
        some = f'Only link {quote(next(iter(shapes)))}' if shapes else 'No link'
        raise PairsError(f'{some} has collision geometry, so there are no pairs; collide without '
                         '--matrix proposes shapes')
    tree = KinematicTree(replace(
        robot, document=None, element=None, gazebo=(), extensions=(), transmissions=(),
        loops=tuple(replace(loop, element=None) for loop in robot.loops)))
    if robot.loops:
        _check_loops(tree)
    try:
        return _Comparison(tree, shapes, seed, report).run(samples)
    except SandboxError as error:
        raise PairsError(f'The pairs cannot be compared: {error}') from error
    finally:
        _pool.end()


def collision_solids(
        robot: Robot, resolve: Callable[[str], Path]) -> Mapping[str, tuple[Solid, ...]]:
    """
    Return the collision shapes of each link that has some, in the order of the description.

    :param resolve: takes the URI of a mesh to its file.
    :raises PairsError: a mesh cannot be read.
    """
    links = {name: link.collisions for name, link in robot.links.items() if link.collisions}
    surfaces = LinkSurfaces([shape for shapes in links.values() for shape in shapes], resolve)
    found = {}
    for name, shapes in links.items():
        try:
            found[name] = surfaces.solids(shapes)
        except SurfaceError as error:
            raise PairsError(f'Link {quote(name)}: {error}') from error
    return found


def _check_loops(tree: KinematicTree) -> None:
    from urdf_tools.kinematics.loops.mechanism import Mechanism
    for group in Mechanism(tree).groups:
        if not group.is_closed:
            raise PairsError(f'Loop {quote(group.loops[0].name)} cannot be closed')


class _Comparison:
    """The comparison of all pairs of links, by workers."""

    def __init__(self, tree: KinematicTree, shapes: Mapping[str, tuple[Solid, ...]], seed: int,
                 report: Report):
        self._tree = tree
        self._seed = seed
        self._report = report
        self._scene = pickle.dumps((tree, dict(shapes)))
        self._pairs = list(combinations(shapes, 2))
        self._adjacent = adjacent_pairs(tree.robot, shapes)
        self._found: list[dict[str, Any]] = []

    def run(self, samples: int) -> tuple[Pair, ...]:
        """Return all pairs."""
        threads = ThreadPoolExecutor(_pool.most)
        try:
            numbered = [(number, *pair, frozenset(pair) in self._adjacent)
                        for number, pair in enumerate(self._pairs)]
            # Neighbours in the description take alike long, so that they are in different jobs.
            count = math.ceil(len(numbered) / _PAIRS_OF_JOB)
            jobs = [{'task': 'decide', 'pairs': numbered[job::count]} for job in range(count)]
            self._found = [{}] * len(numbered)
            done = 0
            for job, answer in enumerate(threads.map(self._ask, jobs)):
                self._found[job::count] = answer
                done += len(answer)
                self._report(f'pair {done} of {len(numbered)}')
            self._sample(threads, math.ceil(samples / CHUNK))
            self._refine(threads)
        except BaseException:  # Such as Ctrl-C, which is not to wait for the samples.
            threads.shutdown(wait=False, cancel_futures=True)
            _pool.interrupt()
            raise
        threads.shutdown()
        return tuple(self._pair(*each) for each in zip(self._pairs, self._found))

    def _ask(self, request: dict[str, Any]) -> Any:
        def respond(_question: object, _data: bytes) -> tuple[object, bytes]:
            return None, self._scene
        return _pool.run({**request, 'seed': self._seed, 'scene': str(hash(self._scene))},
                         _LIMITS, respond=respond)[0]

    def _open(self) -> Iterator[int]:
        """Yield the pairs that are undecided because they were not close so far."""
        for number, (pair, found) in enumerate(zip(self._pairs, self._found)):
            is_enough = found['samples'] >= ENOUGH.get(len(found['variables']), math.inf)
            if found['distance'] >= CLOSE and not found['bound'] and not is_enough and (
                    frozenset(pair) not in self._adjacent):
                yield number

    def _sample(self, threads: ThreadPoolExecutor, chunks: int) -> None:
        """Compare undecided pairs at many more configurations."""
        done = wave = 0
        while done < chunks and (numbers := [*self._open()]):
            size = _JOBS_OF_WAVE[min(wave, len(_JOBS_OF_WAVE) - 1)] * _CHUNKS_OF_JOB
            # After the first chunk the pairs end for which that is enough.
            end = min(done + size if done else 1, chunks)
            shares = 1 if done else _SHARES_OF_FIRST
            work = [(numbers[first::shares], [*range(start, min(start + _CHUNKS_OF_JOB, end))])
                    for start in range(done, end, _CHUNKS_OF_JOB) for first in range(shares)]
            jobs: list[dict[str, Any]] = [{'task': 'sample', 'chunks': some, 'pairs': [
                (*self._pairs[i], min(self._found[i]['distance'] / 2, NEAR)) for i in share]}
                for share, some in work]
            for (share, some), answer in zip(work, threads.map(self._ask, jobs)):
                for i, better in zip(share, answer):
                    if better is not None and better['distance'] < self._found[i]['distance']:
                        self._found[i] = {**self._found[i], **better}
                self._report(f'{len(numbers)} pairs, sample {(some[-1] + 1) * CHUNK:,} '
                             f'of {chunks * CHUNK:,}')
            done, wave = end, wave + 1
            for i in numbers:
                self._found[i]['samples'] = done * CHUNK

    def _refine(self, threads: ThreadPoolExecutor) -> None:
        """Search around the nearest configurations of unproved pairs."""
        numbers = [i for i, (pair, found) in enumerate(zip(self._pairs, self._found))
                   if found['distance'] > 0 and not found['bound']
                   and frozenset(pair) not in self._adjacent]
        jobs: list[dict[str, Any]] = [{'task': 'refine', 'pairs': [
            (i, *self._pairs[i], self._found[i]['distance'], self._found[i]['positions'])
            for i in numbers[start:start + _PAIRS_OF_JOB]]}
            for start in range(0, len(numbers), _PAIRS_OF_JOB)]
        for job, answer in zip(jobs, threads.map(self._ask, jobs)):
            for (i, *_), better in zip(job['pairs'], answer):
                self._found[i].update(better)

    def _pair(self, names: tuple[str, str], found: Mapping[str, Any]) -> Pair:
        reason = ''
        if frozenset(names) in self._adjacent:
            reason = 'Adjacent'
        elif found['bound'] or found['distance'] >= CLOSE:
            reason = 'Never'
        elif found['contacts'] >= ALWAYS * found['samples']:
            reason = 'Always'
        elif found['at_zero']:
            reason = 'Default'
        positions = {self._tree.variable_names[i]: value
                     for i, value in zip(found['variables'], found['positions'])}
        return Pair(*names, reason, found['distance'], positions, found['samples'],
                    found['contacts'], found['bound'])


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
