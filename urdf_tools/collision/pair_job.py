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

"""The worker side of comparing pairs of links in many configurations."""

from __future__ import annotations

from functools import lru_cache
import pickle
from typing import Any

import numpy as np

from urdf_tools.collision import ALWAYS
from urdf_tools.collision import CHUNK
from urdf_tools.collision.pair_search import Nearest
from urdf_tools.collision.pair_search import PairSearch
from urdf_tools.collision.pair_search import placed
from urdf_tools.collision.pair_search import relative
from urdf_tools.collision.pair_search import Scene
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.sandbox.worker import ask
from urdf_tools.types import Array

FEW = 100
"""Samples after which a pair that touches only in some of them is decided."""

FIRST = 1000
"""Maximum number of samples of the first test of a pair; fewer for few variables."""


def compare(request: Any, _data: bytes) -> tuple[object, bytes]:
    """
    Answer a request of :func:`~urdf_tools.collision.pair_reasons.compare_pairs`.

    The scene is asked for once: it is a pickle that the parent has made.
    """
    return _TASKS[request['task']](_scene(request['scene']), request), b''


@lru_cache(maxsize=1)
def _scene(name: str) -> Scene:
    _, data = ask({'scene': name})
    return Scene(*pickle.loads(data))


def rest(tree: KinematicTree) -> Array:
    """Return the configuration at zero, or in the middle where zero is outside of the limits."""
    configuration = tree.neutral()
    is_outside = (configuration < tree.position_lower) | (configuration > tree.position_upper)
    lower, upper = tree.ranges()
    configuration[is_outside] = (lower + upper)[is_outside] / 2
    return configuration


def _decide(scene: Scene, request: Any) -> list[dict[str, Any]]:
    """Return the results for each pair after a few samples, and the proved bounds."""
    configurations, of_link = _first(scene, request['seed'])
    return [_decided(PairSearch(scene, first, second), configurations,
                     relative(of_link[first], of_link[second]),
                     np.random.default_rng([request['seed'], 1, number]), is_adjacent)
            for number, first, second, is_adjacent in request['pairs']]


@lru_cache(maxsize=1)
def _first(scene: Scene, seed: int) -> tuple[Array, dict[str, Array]]:
    """Return the first configurations, and the poses of the links in them, shape (3, 4, B)."""
    configurations = scene.random(np.random.default_rng([seed, 0]), FIRST)
    configurations[0] = scene.closed(rest(scene.tree)[None])[0]
    poses = ForwardKinematics(scene.tree, scene.links)(configurations)
    return configurations, dict(zip(scene.links, np.moveaxis(poses, 0, -1)[:, :3]))


def _decided(pair: PairSearch, configurations: Array, poses: Array, rng: np.random.Generator,
             is_adjacent: bool) -> dict[str, Any]:
    number = FEW * (1 if is_adjacent else len(pair.variables)) if len(pair.variables) else 1
    configurations, poses = configurations[:number], poses[:number]
    bounds = pair.bounds(poses[:FEW])
    hits = [bool(bounds[i] <= 0 and pair.collider.touch(poses[i])) for i in range(len(bounds))]
    found: dict[str, Any] = {'at_zero': hits[0], 'samples': len(hits), 'bound': 0.0}
    if all(hits[1:]) and hits[0] or sum(hits) >= ALWAYS * len(hits):
        hits += [pair.collider.touch(pose) for pose in poses[len(hits):]]
    found.update(samples=len(hits), contacts=sum(hits))
    if any(hits):
        return {**found, **_found_at(pair, Nearest(0.0, configurations[hits.index(True)]))}
    bounds = pair.bounds(poses)
    distance, index = pair.nearest(poses, np.inf, bounds)
    nearest = Nearest(distance, configurations[index])
    found['samples'] = len(poses)
    if not len(pair.variables):
        return {**found, 'bound': distance, **_found_at(pair, nearest)}
    if nearest.distance > 0 and not is_adjacent:
        nearest = pair.descend(nearest, rng)
    if nearest.distance > 0 and not is_adjacent:
        found['bound'], nearest = pair.prove(nearest)
        if nearest.distance > 0 and not found['bound']:
            nearest = pair.explore(nearest, configurations, bounds, rng)
    found['contacts'] = int(nearest.distance <= 0)
    return {**found, **_found_at(pair, nearest)}


def _sample(scene: Scene, request: Any) -> list[dict[str, Any] | None]:
    """
    Return for each pair the smallest distance below its limit in some chunks of samples.

    The result of a pair is None if there is none; it ends with the first contact.
    """
    pairs = [_pair(scene, first, second) for first, second, _ in request['pairs']]
    limits = [limit for _, _, limit in request['pairs']]
    found: list[dict[str, Any] | None] = [None] * len(pairs)
    links = sorted({name for pair in pairs for name in pair.names})
    kinematics = ForwardKinematics(scene.tree, links)
    poses = np.empty((len(links), 4, 4, CHUNK))
    for chunk in request['chunks']:
        configurations = scene.random(np.random.default_rng([request['seed'], 2, chunk]), CHUNK)
        kinematics(configurations, poses.transpose(3, 0, 1, 2))
        of_link = dict(zip(links, poses))
        centres = {name: placed(scene.wholes[name], of_link[name]) for name in links}
        for number, pair in enumerate(pairs):
            if limits[number] <= 0:
                continue
            first, second = pair.names
            reach = limits[number] + sum(scene.wholes[name].radii[0] for name in pair.names)
            gaps = centres[second] - centres[first]
            near = np.flatnonzero(np.einsum('ib,ib->b', gaps, gaps) < reach ** 2)
            if not len(near):
                continue
            distance, index = pair.nearest(relative(
                of_link[first][:3, :, near], of_link[second][:3, :, near]), limits[number])
            if index >= 0:
                limits[number] = distance
                found[number] = _found_at(pair, Nearest(distance, configurations[near[index]]))
    return found


def _refine(scene: Scene, request: Any) -> list[dict[str, Any]]:
    """Return the nearest configurations after a search around those found so far."""
    found = []
    for number, first, second, distance, positions in request['pairs']:
        pair = _pair(scene, first, second)
        configuration = scene.tree.neutral()
        configuration[pair.variables] = positions
        found.append(_found_at(pair, pair.descend(
            Nearest(distance, configuration),
            np.random.default_rng([request['seed'], 3, number]))))
    return found


_pair = lru_cache(maxsize=None)(PairSearch)


def _found_at(pair: PairSearch, nearest: Nearest) -> dict[str, Any]:
    """Return a distance with the relevant variables."""
    return {'distance': nearest.distance, 'variables': pair.variables.tolist(),
            'positions': nearest.configuration[pair.variables].tolist()}


_TASKS = {'decide': _decide, 'sample': _sample, 'refine': _refine}
