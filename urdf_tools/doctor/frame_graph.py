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

"""The frames on ``tf`` and ``tf_static`` as one graph, with their publishers."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import lru_cache
import re
from typing import NamedTuple

import numpy as np

from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import TABLES
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.model.spelling import closest
from urdf_tools.types import Array


class Edge(NamedTuple):
    """A frame from one publisher: a column of its track."""

    parent: str
    track: FrameTrack
    column: int


Edges = Mapping[str, list[Edge]]
"""Name of a child frame to its edges, the latest of each publisher, parent and topic."""


@lru_cache(maxsize=1)
def trees(observation: Observation) -> dict[str, Edges]:
    """Return the edges in each namespace of ``tf``."""
    latest: dict[str, dict[str, dict[tuple[str, bytes, str], Edge]]] = {}
    for track in observation.frames:
        children = latest.setdefault(parent_of(track.topic), {})
        for column, (parent, child) in enumerate(zip(track.parents, track.children)):
            edges = children.setdefault(child, {})
            # A publisher that publishes a static transform again replaces it.
            key = '' if track.static else parent, track.source, track.topic
            if key not in edges or track.received[-1] >= edges[key].track.received[-1]:
                edges[key] = Edge(parent, track, column)
    return {space: {child: list(edges.values()) for child, edges in children.items()}
            for space, children in latest.items()}


def names_of(edges: Edges) -> set[str]:
    """Return the names of frames and of their parents."""
    return {*edges, *(edge.parent for of_child in edges.values() for edge in of_child)}


def publishers_of(children: Iterable[str], edges: Edges) -> list[str]:
    """Return the nodes that publish some frames, in alphabetical order."""
    return sorted({edge.track.publisher for child in children for edge in edges.get(child, ())})


def components(edges: Edges) -> list[set[str]]:
    """Return the connected components of the frames, the largest first."""
    group: dict[str, set[str]] = {}
    for child, of_child in edges.items():
        for parent in {edge.parent for edge in of_child}:
            ours, others = (group.setdefault(frame, {frame}) for frame in (parent, child))
            if ours is not others:
                if len(ours) < len(others):
                    ours, others = others, ours
                ours |= others
                group.update(dict.fromkeys(others, ours))
    return sorted({id(piece): piece for piece in group.values()}.values(), key=len, reverse=True)


def root_of(piece: Iterable[str], edges: Edges) -> str:
    """Return the root frame of a component, or any frame if all have a parent."""
    frames = sorted(piece)
    return next((frame for frame in frames if frame not in edges), frames[0])


def rotation_in_root(frame: str, edges: Edges,
                     roots: Collection[str] = ()) -> tuple[Array, bool]:
    """
    Return the rotation of a frame in its topmost ancestor.

    :param roots: ancestors that count as topmost.
    :return: the latest rotation, shape (3, 3), and whether all transforms are static.
    """
    pose, is_fixed = pose_in_root(frame, edges, roots)
    return pose[:3, :3], is_fixed


def pose_in_root(frame: str, edges: Edges, roots: Collection[str] = ()) -> tuple[Array, bool]:
    """Return the pose of a frame, shape (4, 4), as :func:`rotation_in_root` does its rotation."""
    pose, is_fixed = np.eye(4), True
    for edge in _upwards(frame, edges, roots):
        pose = pose_of(edge.track.transforms[-1, edge.column]) @ pose
        is_fixed = is_fixed and edge.track.static
    return pose, is_fixed


def _upwards(frame: str, edges: Edges, roots: Collection[str] = ()) -> Iterator[Edge]:
    """Yield the latest edges from a frame to its topmost ancestor, each once in a loop."""
    passed = set(roots)
    while frame in edges and frame not in passed:
        passed.add(frame)
        edge = edges[frame][-1]
        yield edge
        frame = edge.parent


def frames_above(observation: Observation, edges: Edges, space: str) -> set[str]:
    """
    Return the child frames above robots, such as ``odom``, and the roots of robots.

    Without their transforms, the pose of the robot is unknown.
    """
    roots = {robot.frame(robot.robot.root) for robot in observation.robots if robot.tree == space}
    parents = {edge.parent for child, of_child in edges.items() for edge in of_child
               if edge.parent != child}
    links = {robot.frame(link) for robot in observation.robots if robot.tree == space
             for link in robot.robot.links}
    return {child for child in edges if child in roots or child in parents and child not in links}


def is_above(frame: str, child: str, edges: Edges) -> bool:
    """Return whether a frame is an ancestor of another one."""
    return any(edge.parent == frame for edge in _upwards(child, edges))


_SIMILAR = 0.7
"""Minimum similarity of a suggested name."""

_MINIMUM_PART = 4
"""Minimum length of a name that is suggested because it is part of another one."""


_OF_KIND: Mapping[str, str] = TABLES['words of frames by sensor']
"""Type of a sensor's data to parts of the names of its frames, the better ones first."""


def sensor_frames(frame: str, topic: str, kind: str, known: Collection[str],
                  mounts: Collection[str]) -> list[str]:
    """
    Return the frames that a sensor may mean by one that does not exist, the best first.

    They are those named after sensors of its kind or, if there are none, those at which one may be
    mounted and that are not named after another kind. The best have the most parts in common with
    the names of the frame and the topic, such as ``front``. If one is best, it is the only one.

    :param kind: full name of the type of its data.
    :param mounts: frames at which such a sensor may be mounted.
    """
    words = _OF_KIND.get(kind.rpartition('/')[2], '').split()
    every = '|'.join(_OF_KIND.values()).replace(' ', '|')
    found = next(filter(None, (
        [name for name in known if re.search(word, name, re.IGNORECASE)] for word in words)), [
            name for name in mounts if not re.search(every, name, re.IGNORECASE)])
    rank = {name: (len(_parts(name) & (_parts(frame) | _parts(topic))), name in mounts)
            for name in found}
    best = sorted(found, key=lambda name: (*(-number for number in rank[name]), name))
    return best[:1] if len(best) > 1 and rank[best[0]] > rank[best[1]] else best


def _parts(name: str) -> set[str]:
    return {*filter(None, re.split('[^a-z]+', name.lower()))}


def suggested_frame(frame: str, known: Collection[str]) -> str | None:
    """
    Return the frame most similar to one that does not exist.

    It may have a prefix too many, such as the path ``model/link/sensor`` of Gazebo, which names
    the link that the sensor is fixed to, or lack one.
    """
    parts = frame.split('/')
    for part in (*reversed(parts[1:]), parts[0]):
        if len(parts) > 1 and part in known:
            same = parts[-1] if part != parts[-1] else ''
            return _of_sensor(same, known) or part
    last = parts[-1]
    prefixed = [name for name in known if name.endswith(f'/{last}')]
    if len(prefixed) == 1:
        return prefixed[0]
    ending = [name for name in known if len(last) >= _MINIMUM_PART and (
        name.endswith(f'_{last}') or len(name) >= _MINIMUM_PART and last.endswith(f'_{name}'))]
    if len(ending) == 1:
        return ending[0]
    return _of_sensor(last, known) if len(parts) > 2 else closest(frame, known, _SIMILAR)


def _of_sensor(name: str, known: Collection[str]) -> str | None:
    """Return the frame named after a sensor, such as ``lidar_link`` of ``lidar``."""
    named = [frame for frame in known if name and frame.startswith(f'{name}_')]
    return min(named, key=len, default=None)
