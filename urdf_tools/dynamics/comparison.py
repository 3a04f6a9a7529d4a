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

"""Compare two robots by values, not text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields
from dataclasses import is_dataclass
from itertools import zip_longest
import math
from typing import Any

import numpy as np

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import log
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

_PRECISION = 1e-9
"""Tolerance for equality: in m and rad, or as a share of a number."""


@dataclass(frozen=True)
class Difference:
    """
    One difference of two robots.

    :param part: ``robot``, ``link``, ``joint``, ``frame`` (of a link at zero, in the root link's),
        ``material`` (of a visual of a link) or ``element`` (of other programs).
    :param name: of the link or joint in the second robot, or in the first if it is removed.
    :param what: ``added``, ``removed``, ``renamed``, ``moved``, or the path of a value such as
        ``limits.upper`` or ``visuals[0].geometry``.
    :param before: the value in the first robot; None without one. Of ``moved``, nothing.
    :param after: the value in the second robot; of ``moved``, how far, in m and in rad.
    """

    part: str
    name: str
    what: str
    before: Any = None
    after: Any = None

    @property
    def is_move(self) -> bool:
        """Whether a frame or a shape moved, not a value changed."""
        return self.what.rpartition('.')[2] == 'moved'


def compare(first: Robot, second: Robot) -> tuple[Difference, ...]:
    """
    Return the differences between two robots, regardless of how they are written.

    Frames are compared at zero, inertias in the frames of the links. A link or joint counts as
    renamed if it takes the place of another one in the tree.
    """
    links, joints = _counterparts(first, second)
    found = [Difference('robot', second.name, what, getattr(first, what), getattr(second, what))
             for what in ('name', 'version') if getattr(first, what) != getattr(second, what)]
    for part, names, before, after in (
            ('link', links, first.links, second.links),
            ('joint', joints, first.joints, second.joints)):
        found += [Difference(part, name, 'removed') for name in before if name not in names]
        found += [Difference(part, name, 'added') for name in after if name not in names.values()]
        found += [Difference(part, new, 'renamed', old, new)
                  for old, new in names.items() if old != new]
    for old, new in joints.items():
        found += _joint_differences(first.joints[old], second.joints[new], links, joints)
    for old, new in links.items():
        found += _link_differences(first.links[old], second.links[new])
    found += _moved_frames(first, second, links)
    found += _other_elements(first, second)
    return tuple(sorted(found, key=lambda each: each.part == 'material'))


def _counterparts(first: Robot, second: Robot) -> tuple[dict[str, str], dict[str, str]]:
    """Return the links and the joints of the first robot to those of the second."""
    links = {name: name for name in first.links if name in second.links}
    joints = {name: name for name in first.joints if name in second.joints}

    def match(names: dict[str, str], old: str, new: str) -> None:
        if old not in names and new not in names.values():
            names[old] = new
    match(links, first.root, second.root)
    pending = [first.root]
    while pending:
        link = pending.pop()
        if link in links:
            for joint in first.child_joints[link]:
                for other in (
                        second.child_joints[links[link]] if joint.name not in joints else ()):
                    if joint.type is other.type and not any(
                            _shift(joint.origin.matrix, other.origin.matrix)):
                        match(joints, joint.name, other.name)
                if joint.name in joints:
                    match(links, joint.child, second.joints[joints[joint.name]].child)
        pending += [joint.child for joint in first.child_joints[link]]
    return ({name: links[name] for name in first.links if name in links},
            {name: joints[name] for name in first.joints if name in joints})


def _joint_differences(old: Joint, new: Joint, links: Mapping[str, str],
                       joints: Mapping[str, str]) -> Iterator[Difference]:
    names = {'parent': links, 'child': links, 'mimic.joint': joints}
    for what, before, after in _values(old, new):
        if what != 'name' and not (what in names and names[what].get(str(before)) == after):
            yield Difference('joint', new.name, what, before, after)


def _link_differences(old: Link, new: Link) -> Iterator[Difference]:
    before, after = link_inertia(old), link_inertia(new)
    if before is None or after is None:
        if before is not after:
            yield Difference('link', new.name, 'inertial', old.inertial, new.inertial)
    else:
        for what, one, other in (
                ('mass', before.mass, after.mass), ('centre of mass', before.com, after.com),
                ('inertia', before.rotational, after.rotational)):
            if not _is_same(one, other, before.mass if what == 'inertia' else 1.0):
                yield Difference('link', new.name, what, one, other)
    for kind in ('visuals', 'collisions'):
        for index, (one, other) in enumerate(zip_longest(getattr(old, kind), getattr(new, kind))):
            path = f'{kind}[{index}]'
            if one is None or other is None:
                yield Difference('link', new.name, path, one and one.geometry,
                                 other and other.geometry)
                continue
            for what, value, value_after in _values(one, other, path):
                yield Difference('link', new.name, what, value, value_after)
            if isinstance(one, Visual) and _looks(one) != _looks(other):
                yield Difference('material', new.name, path, _looks(one), _looks(other))


def _looks(visual: Visual) -> tuple[object, ...] | None:
    """Return the appearance of a visual, without the name of its material."""
    material = visual.material
    return None if material is None else (material.rgba, material.texture)


def _values(old: object, new: object, path: str = '') -> Iterator[tuple[str, object, object]]:
    """Yield the path and both values of each difference of two records, except materials."""
    if isinstance(old, Pose) and isinstance(new, Pose):
        shift = _shift(old.matrix, new.matrix)
        if any(shift):
            yield (f'{path.removesuffix("origin")}moved', None, shift)
    elif is_dataclass(old) and is_dataclass(new) and type(old) is type(new):
        for each in fields(old):
            if each.compare and each.name != 'material':
                yield from _values(getattr(old, each.name), getattr(new, each.name),
                                   f'{path}.{each.name}' if path else each.name)
    elif not _is_same(old, new):
        yield (path, old, new)


def _moved_frames(first: Robot, second: Robot, links: Mapping[str, str]) -> Iterator[Difference]:
    poses = (ForwardKinematics(tree, names)(tree.neutral()) for tree, names in (
        (KinematicTree(first), links), (KinematicTree(second), links.values())))
    for (name, before, after) in zip(links.values(), *poses):
        shift = _shift(before, after)
        if any(shift):
            yield Difference('frame', name, 'moved', None, shift)


def _other_elements(first: Robot, second: Robot) -> Iterator[Difference]:
    """Yield the count of elements of other programs that only one robot has, by tag."""
    before, after = (Counter(
        (each.tag, _content(each)) for each in (
            *(one.element for one in robot.transmissions if one.element is not None),
            *robot.gazebo, *robot.extensions)) for robot in (first, second))
    for what, rest in (('removed', before - after), ('added', after - before)):
        for tag, number in Counter(tag for tag, _ in rest.elements()).items():
            yield Difference('element', tag, what, *(
                (number, None) if what == 'removed' else (None, number)))


def _content(element: Element) -> str:
    """Return the content of an element without its formatting."""
    return repr([(each.tag, sorted(each.attrib.items()), ' '.join((each.text or '').split()),
                  len(each)) for each in element.iter()])


def _shift(old: Array, new: Array) -> tuple[float, float]:
    """Return how far a pose is from another, in m and in rad; zero within rounding."""
    distance = math.dist(old[:3, 3], new[:3, 3])
    angle = float(np.linalg.norm(log(invert(old) @ new)[3:]))
    return (distance if distance > _PRECISION else 0.0, angle if angle > _PRECISION else 0.0)


def _is_same(old: object, new: object, scale: float = 1.0) -> bool:
    """Return whether values are equal within rounding."""
    if isinstance(old, (tuple, np.ndarray)) and isinstance(new, (tuple, np.ndarray)):
        return np.shape(old) == np.shape(new) and np.allclose(
            old, new, rtol=_PRECISION, atol=_PRECISION * abs(scale))
    if isinstance(old, float) and isinstance(new, float):
        return math.isclose(old, new, rel_tol=_PRECISION, abs_tol=_PRECISION * 1e-3)
    return old == new
