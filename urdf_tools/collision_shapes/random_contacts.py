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

"""Which links touch at random configurations by their shapes, but not by what they look like."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from urdf_tools.collision_shapes.convex_contacts import Convex
from urdf_tools.collision_shapes.convex_contacts import gaps
from urdf_tools.collision_shapes.convex_contacts import overlap
from urdf_tools.collision_shapes.eye_contacts import touch_for_the_eye
from urdf_tools.collision_shapes.solid_shapes import Shell
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.collision_shapes.zero_contacts import collide
from urdf_tools.collision_shapes.zero_contacts import DEPTH
from urdf_tools.collision_shapes.zero_contacts import separate_pairs
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Robot

_FIRST, _GROWTH = 4, 4
"""Configurations of a pair that are compared first, and how many times more are next."""

_MOST_LOOKS = 20
"""Configurations of a pair at which it is looked whether the links touch."""


@dataclass(frozen=True)
class NewContact:
    """
    A pair of links whose shapes touch at some random configurations, but which do not look so.

    :ivar number: of configurations at which the shapes touch.
    """

    links: tuple[str, str]
    number: int


_Shape = tuple[Solid, Convex]
_Shapes = Sequence[_Shape]


def new_contacts(
        robot: Robot, solids: Mapping[str, Sequence[Solid]], surfaces: Mapping[str, Surface],
        number: int, seed: int = 0) -> Iterator[NewContact]:
    """
    Yield the pairs whose shapes touch at random configurations, but which do not look so at any.

    Pairs that are joined are left out. It is looked at a few configurations, at which the shapes
    are the deepest in each other, or seem so.

    :param solids: the shapes of each link in its frame.
    :param surfaces: what is seen of each link in its frame.
    :param number: of configurations.
    """
    tree = KinematicTree(robot)
    positions = tree.random_configuration(np.random.default_rng(seed), number)
    poses = dict(zip(tree.link_names, np.ascontiguousarray(
        ForwardKinematics(tree)(positions).swapaxes(0, 1))))
    convex = {name: [(solid, Convex.of(solid.inset(DEPTH / 2))) for solid in some]
              for name, some in solids.items() if some and name in surfaces}
    for first, second in separate_pairs(robot):
        if not convex.keys() >= {first, second}:
            continue
        there = invert(poses[second]) @ poses[first]
        contacts = _count(convex[first], convex[second], there, lambda pose: touch_for_the_eye(
            surfaces[first], surfaces[second], pose))
        if contacts:
            yield NewContact((first, second), contacts)


def _count(first: _Shapes, second: _Shapes, poses: Array, touch: Callable[[Array], bool]) -> int:
    """Return at how many poses of the first some shapes overlap; 0 if the links touch, too."""
    pairs = list(product(first, second))
    apart = np.array([gaps(one, other, poses) for (_, one), (_, other) in pairs])
    least = apart.min(axis=0)
    order = np.flatnonzero(least <= 0)
    order = order[np.argsort(least[order], kind='stable')]
    found = looks = start = 0
    size = _FIRST
    while start < len(order):
        block = order[start:start + size]
        is_hit = np.zeros(len(block), bool)
        for index in np.argsort(apart[:, block].min(axis=1), kind='stable').tolist():
            one, other = pairs[index]
            left = np.flatnonzero(~is_hit & (apart[index, block] <= 0))
            is_hit[left] = _overlap(one, other, poses[block[left]])
        for pose in poses[block[is_hit]][:_MOST_LOOKS - looks]:
            looks += 1
            if touch(pose):
                return 0
        found += int(is_hit.sum())
        start, size = start + size, size * _GROWTH
    return found


def _overlap(first: _Shape, second: _Shape, poses: Array) -> npt.NDArray[np.bool_]:
    """Return at which poses two shapes overlap."""
    found = overlap(first[1], second[1], poses)
    if any(isinstance(solid.shape, Shell) for solid, _ in (first, second)):
        found[found] = [collide(first[0].moved(pose), second[0]) for pose in poses[found]]
    return found
