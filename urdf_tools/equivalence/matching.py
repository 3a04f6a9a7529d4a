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
"""Which joints and bodies of two robots are the same, and where one robot's are in the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from itertools import islice
import math
import os
import re
from typing import NamedTuple

import numpy as np

from urdf_tools.equivalence.bodies import Bodies
from urdf_tools.equivalence.bodies import bodies_of
from urdf_tools.equivalence.bodies import KINDS
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import rotation_vector
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import NamedMapping
from urdf_tools.types import Array

LEVER = 0.1
"""Metres from a frame at which an angle is counted as a distance."""

_FAR = 0.05
"""Distance in m beyond which parts of bodies are not the same; farther ones are no worse."""

_MAX_CANDIDATES = 12
"""Most links, and pairs of joints, by which bodies are laid onto each other."""

_MAX_LINES = 100
"""Most joints by which the bases of robots are laid onto each other."""

_MAX_SIBLINGS = 30
"""Most joints of a body that are matched by where they are, not by their names."""

_REVERSED = 0.02
"""What an opposite direction counts as, in m."""

_ROUNDING = 1e-6
_MAX_ROUNDS = 5


@dataclass(eq=False)
class Matching:
    """
    The counterparts of two robots.

    :ivar first: the bodies of the first robot that are compared.
    :ivar second: those of the second one.
    :ivar joints: name of a joint of the first robot to that of the second.
    :ivar links: likewise, of all links that both have.
    :ivar bodies: head of a body of the first robot to its counterpart.
    :ivar placements: head of a body of the first robot to the transform that takes coordinates in
        its counterpart to those in the body, shape (4, 4).
    :ivar proposed: pairs of joints that are not matched by their names.
    :ivar alone: for each robot, the joints that only it has, the highest of each branch.
    """

    first: Bodies
    second: Bodies
    joints: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=dict)
    placements: dict[str, Array] = field(default_factory=dict)
    proposed: dict[str, str] = field(default_factory=dict)
    alone: tuple[list[Joint], list[Joint]] = field(default_factory=lambda: ([], []))


def match(first: Robot, second: Robot, given: Mapping[str, str]) -> Matching:
    """
    Match joints and links of two robots by their names, and the other joints by where they are.

    Joints that only one robot has are fixed if what they move is part of a body of the other
    robot, or else left out with all that they move.

    :param given: names of links and joints of the first robot to those of the second.
    :raises KeyError: a name is not one of theirs.
    """
    robots = (first, second)
    known = [NamedMapping({**robot.joints, **robot.links}, 'link or joint') for robot in robots]
    for pair in given.items():
        for name, names in zip(pair, known):
            names[name]
    alone: tuple[list[Joint], list[Joint]] = ([], [])
    fixed: tuple[set[str], set[str]] = (set(), set())
    gone: tuple[set[str], set[str]] = (set(), set())
    for _ in range(_MAX_ROUNDS):
        bodies = [bodies_of(*each) for each in zip(robots, fixed, gone)]
        found = _Matcher(bodies[0], bodies[1], given).found()
        rest = _unmatched(found)
        if not any(rest):
            break
        for side, joints in enumerate(rest):
            is_part = _parts_of(found, side)
            for joint in joints:
                alone[side].append(joint)
                (fixed if is_part(joint) else gone)[side].add(joint.name)
    found.alone = alone
    return found


def _unmatched(found: Matching) -> tuple[list[Joint], list[Joint]]:
    """Return the joints of each robot without a counterpart, below bodies that have one."""
    first = [joint for head in found.bodies for joint in found.first.children[head]
             if joint.name not in found.joints]
    taken = set(found.joints.values())
    return first, [joint for head in found.bodies.values()
                   for joint in found.second.children[head] if joint.name not in taken]


def _parts_of(found: Matching, side: int) -> Callable[[Joint], bool]:
    """Return whether what only one robot moves is part of a body of the other, as a function."""
    shared = {pair[side] for pair in found.links.items()}
    bodies = {pair[side]: pair[1 - side] for pair in found.bodies.items()}
    one, other = ((found.first, found.second), (found.second, found.first))[side]

    def is_part(joint: Joint) -> bool:
        below, head = one.below(joint), one.heads[joint.parent]
        missing = other.inertia(bodies[head]).mass - one.inertia(head).mass
        moved = sum(one.inertia(each).mass for each in below if each in one.links)
        return not shared.isdisjoint(below) or abs(missing - moved) < abs(missing)
    return is_part


class _Matcher:
    """
    Walks down two robots at the same time.

    :param given: as of :func:`match`.
    """

    def __init__(self, first: Bodies, second: Bodies, given: Mapping[str, str]):
        self._first, self._second = first, second
        self._found = found = Matching(first, second)
        found.links = _same_names(first.robot.links, second.robot.links, given)
        self._names = _same_names(first.joints, second.joints, given)
        for old, new in given.items():
            if old in first.heads and new in second.heads:
                above = [each.robot.parent_joint.get(each.heads[link])
                         for each, link in ((first, old), (second, new))]
                if above[0] is not None and above[1] is not None:
                    self._names.setdefault(above[0].name, above[1].name)

    def found(self) -> Matching:
        """Return the counterparts, without what is not matched."""
        found, pending = self._found, [(
            self._first.robot.root, self._second.robot.root, np.eye(4))]
        while pending:
            old, new, at_zero = pending.pop()
            theirs = {joint.name: joint for joint in self._second.children[new]}
            named = {joint.name: theirs[self._names[joint.name]]
                     for joint in self._first.children[old]
                     if self._names.get(joint.name) in theirs}
            placement = self._placement(old, new, at_zero, named)
            found.bodies[old], found.placements[old] = new, placement
            near = self._near(old, new, placement, named)
            found.proposed |= {name: other.name for name, other in near.items()}
            for joint in self._first.children[old]:
                other = named.get(joint.name) or near.get(joint.name)
                if other is not None:
                    found.joints[joint.name] = other.name
                    pending.append((joint.child, other.child, np.asarray(
                        invert(self._first.joint_pose(joint)) @ placement
                        @ self._second.joint_pose(other))))
        return found

    def _near(self, old: str, new: str, placement: Array, named: Mapping[str, Joint]
              ) -> dict[str, Joint]:
        """Return the joints of a body, by name, to those of its counterpart that are there."""
        taken = {joint.name for joint in named.values()}
        ours = [each for each in self._first.children[old] if each.name not in named]
        theirs = [each for each in self._second.children[new] if each.name not in taken]
        if not ours or not theirs or max(len(ours), len(theirs)) > _MAX_SIBLINGS:
            return {}
        is_only = len(ours) == len(theirs) == 1 and not taken
        lines = [[_Line.of(bodies, joint, head) for joint in joints] for bodies, joints, head in (
            (self._first, ours, old), (self._second, theirs, new))]
        gaps = sorted((one.gap(other, placement), i, k) for i, one in enumerate(lines[0])
                      for k, other in enumerate(lines[1]) if one.kind == other.kind)
        found: dict[str, Joint] = {}
        for gap, i, k in gaps:
            if (gap < _FAR or is_only) and ours[i].name not in found and (
                    theirs[k] not in found.values()):
                found[ours[i].name] = theirs[k]
        return found

    def _placement(self, old: str, new: str, at_zero: Array, named: Mapping[str, Joint]) -> Array:
        """
        Return the transform between counterparts under which most of them is at the same place.

        :param at_zero: the one under which they are as the robots are at zero.
        """
        first, second, names = self._first, self._second, self._found.links
        links = [(first.pose(name), second.pose(names[name])) for name in first.links[old]
                 if second.heads.get(names.get(name, '')) == new][:_MAX_CANDIDATES]
        lines: list[tuple[_Line, list[_Line]]] = []
        if old == first.robot.root and new == second.robot.root:
            # A base alone seldom tells how it is turned; all joints at zero do.
            lines += ((_Line.of(first, first.joints[one], old),
                       [_Line.of(second, second.joints[other], new)])
                      for one, other in islice(self._names.items(), _MAX_LINES))
        else:
            lines.append((_Line.of(first, first.robot.parent_joint[old], old),
                          [_Line.of(second, second.robot.parent_joint[new], new)]))
        if not lines or old != first.robot.root:
            lines += ((_Line.of(first, joint, old), [_Line.of(second, other, new) for other in (
                [named[joint.name]] if joint.name in named else
                second.children[new][:_MAX_CANDIDATES])])
                for joint in first.children[old][:_MAX_CANDIDATES])
        masses = first.inertia(old), second.inertia(new)

        def misfit(placement: Array) -> float:
            gaps = [min((one.gap(other, placement) for other in others), default=0.0)
                    for one, others in lines]
            if masses[0].mass and masses[1].mass:
                gaps.append(math.dist(
                    masses[0].com, placement[:3, :3] @ masses[1].com + placement[:3, 3]))
            # One difference above is as likely as one below.
            gaps.append(gap_of(at_zero, placement))
            return sum(min(gap, _FAR) for gap in gaps) + sum(
                min(gap_of(one, placement @ other), _FAR) for one, other in links
                ) / max(len(links), 1)
        candidates = [at_zero, *(one @ invert(other) for one, other in links), *(
            one.pose @ invert(other.pose) for one, others in lines[:_MAX_CANDIDATES]
            for other in others), *_fitted([(one, others[0]) for one, others in lines
                                            if len(others) == 1])]
        misfits: list[float] = []
        for candidate in candidates:
            misfits.append(misfit(candidate))
            if misfits[-1] < _ROUNDING:
                break
        best = min(misfits)
        return np.asarray(next(
            candidate for candidate, each in zip(candidates, misfits) if each <= best + _ROUNDING))


class _Line(NamedTuple):
    """
    Where a joint is, and along or about what it moves.

    :ivar pose: its pose in a body at zero, shape (4, 4).
    :ivar axis: its axis in the frame of the body.
    """

    kind: str
    pose: Array
    axis: Array

    @classmethod
    def of(cls, bodies: Bodies, joint: Joint, head: str) -> _Line:
        """Return the line of a joint in a body."""
        pose = bodies.pose(joint.child, head)
        return cls(KINDS[joint.type], pose, pose[:3, :3] @ joint.axis)

    def gap(self, other: _Line, placement: Array) -> float:
        """Return how far another joint is from moving the same way, in m."""
        pose = placement @ other.pose
        if self.kind != other.kind:
            return math.inf
        axis, between = placement[:3, :3] @ other.axis, pose[:3, 3] - self.pose[:3, 3]
        angle = math.atan2(np.linalg.norm(np.cross(axis, self.axis)), axis @ self.axis)
        aside = 0.0 if self.kind == 'slide' else float(np.linalg.norm(np.cross(axis, between)))
        return aside + LEVER * min(angle, math.pi - angle) + _REVERSED * (angle > math.pi / 2)


def _fitted(pairs: Sequence[tuple[_Line, _Line]]) -> list[Array]:
    """Return transforms that take lines to others well, all together and each exactly."""
    turns, _, back = np.linalg.svd(sum(
        (np.outer(one.axis, other.axis) for one, other in pairs), np.zeros((3, 3))))
    rotation = turns @ np.diag([1, 1, np.linalg.det(turns @ back)]) @ back
    lines = [(np.eye(3) - np.outer(one.axis, one.axis),
              one.pose[:3, 3] - rotation @ other.pose[:3, 3])
             for one, other in pairs if one.kind == 'turn']
    if not lines:
        return [homogeneous(rotation)]
    shift = np.linalg.lstsq(sum(across for across, _ in lines), sum(
        across @ apart for across, apart in lines), rcond=1e-9)[0]
    return [homogeneous(rotation, each) for each in (shift, *(
        shift + across @ (apart - shift) for across, apart in lines[:_MAX_CANDIDATES]))]


def gap_of(one: Array, other: Array) -> float:
    """Return how far a frame is from another one, with its angle at a lever, in m."""
    turned = rotation_vector(one[:3, :3].T @ other[:3, :3])
    return float(np.linalg.norm(one[:3, 3] - other[:3, 3]) + LEVER * np.linalg.norm(turned))


def _same_names(first: Iterable[str], second: Iterable[str], given: Mapping[str, str]
                ) -> dict[str, str]:
    """Return pairs of names that are given, equal, or equal but for what all names share."""
    left, right = list(first), list(second)
    there, taken = set(right), set(given.values())
    found = {name: given[name] for name in left if given.get(name) in there}
    for keys in (lambda names: {name: name for name in names}, _plain, _distinct):
        names, others = (
            {key: name for name, key in keys(each).items()} for each in (left, right))
        for key, name in names.items():
            if key in others and name not in found and others[key] not in taken and (
                    name not in given):
                found[name] = others[key]
                taken.add(others[key])
    return found


def _plain(names: Collection[str]) -> dict[str, str]:
    """Return names without case and punctuation, where these are different ones."""
    return dict(_unique({name: re.sub(r'[\W_]', '', name.lower()) for name in names}))


def _distinct(names: Collection[str]) -> dict[str, str]:
    """Return names without what all begin or end with, such as a prefix or ``joint``."""
    keys = _plain(names)
    if len(keys) < 2:
        return {}
    start = len(os.path.commonprefix(list(keys.values())))
    keys = {name: key[start:] for name, key in keys.items()}
    end = len(os.path.commonprefix([key[::-1] for key in keys.values()]))
    return dict(_unique({name: key[:len(key) - end] for name, key in keys.items()}))


def _unique(keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    counts = Counter(keys.values())
    return ((name, key) for name, key in keys.items() if key and counts[key] == 1)
