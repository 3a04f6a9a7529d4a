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
"""What differs between two descriptions of a robot, each difference once, by its effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from itertools import islice
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.dynamics import MassMatrix
from urdf_tools.dynamics.shapes import shape_inertia
from urdf_tools.dynamics.shapes import ShapeError
from urdf_tools.dynamics.shapes import ShapeInertia
from urdf_tools.equivalence.bodies import Bodies
from urdf_tools.equivalence.bodies import KINDS as MOTIONS
from urdf_tools.equivalence.bodies import motion
from urdf_tools.equivalence.bodies import simplified
from urdf_tools.equivalence.comparison import Comparison
from urdf_tools.equivalence.comparison import Disparity
from urdf_tools.equivalence.comparison import KINDS
from urdf_tools.equivalence.matching import gap_of
from urdf_tools.equivalence.matching import match
from urdf_tools.equivalence.matching import Matching
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.joint_transforms import resolve_mimic
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import rotation_vector
from urdf_tools.model.loops import Loop
from urdf_tools.model.messages import count
from urdf_tools.model.messages import readable
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import FAR
from urdf_tools.model.records import Mimic
from urdf_tools.model.records import NO_LIMITS
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import UNLIMITED
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

MAX_DIFFERENCES = 300
"""Number of differences after which no more are looked for."""

_MAX_VARIABLES = 300
"""Most velocity variables of robots whose mass matrices are compared."""

_MAX_POSES = 100_000
"""Most poses of links that are computed, at up to 100 configurations."""

_MAX_POINTS = 64
"""Most links below a joint at which an effect is measured."""

_MAX_CAPSULES = 200
"""Most shapes of a body of which some may be the parts of a capsule."""

_ORDER = ('first', 'second')
_ATTRIBUTES = {
    'effort': 'limit', 'velocity': 'limit', 'damping': 'dynamics', 'friction': 'dynamics'}
"""Kinds of differences to the elements with their values."""

_GRAVITY = np.array([0.0, 0.0, -9.81])
_NEGLIGIBLE = 1e-9

_MIN_LEVER = 1e-3
"""
Lever of the weight of a robot, as a part of its reach, of the smallest torques that are compared.

Those of balanced links, such as wheels, are only what is left of rounded centres of mass.
"""

_MIN_SCALE = 1e-3
"""Root of the mass or inertia that a joint moves below which all is the same, in SI units."""


def compare_robots(
        first: Robot, second: Robot, resolvers: Sequence[Callable[[str], Path]],
        given: Mapping[str, str] = {}, tolerances: Mapping[str, float] = {},
        ignored: Sequence[str] = ()) -> Comparison:
    """
    Compare two robots as they move, whatever they are written in.

    :param resolvers: for each robot, what takes the URI of a mesh to its file.
    :param given: names of links and joints of the first robot to those of the second.
    :param tolerances: kind of a difference to the largest effect that is none.
    :param ignored: kinds that are not compared.
    :raises KeyError: a given name is not one of theirs.
    """
    first, second = simplified(first), simplified(second)
    with np.errstate(all='ignore'):
        comparer = _Comparer(first, second, resolvers, match(first, second, given), tolerances)
        found = [*islice(comparer.differences(), MAX_DIFFERENCES)]
        measured, furthest = comparer.measured()
        found += comparer.unexplained(measured, found)
    if len(found) == MAX_DIFFERENCES:
        comparer.unknown.append(Message(
            'Only the first {n} differences were looked for', n=MAX_DIFFERENCES))
    shown = (each for each in found if each.kind not in ignored)
    return Comparison(
        tuple(sorted(shown, key=lambda each: (-each.size, each.kind, each.names))),
        comparer.matching, measured, furthest, tuple(comparer.unknown))


class _Pair(NamedTuple):
    """
    A joint in both robots.

    :ivar sign: -1 if they move in opposite directions.
    :ivar zero: position of the first where that of the second is zero.
    """

    one: Joint
    other: Joint
    sign: float = 1.0
    zero: float = 0.0

    @property
    def names(self) -> tuple[str, str]:
        return self.one.name, self.other.name

    def elements(self, tag: str) -> tuple[Element | None, Element | None]:
        """Return where the joints, or what they have of a tag, are written."""
        one, other = (_part(joint.element, tag) for joint in (self.one, self.other))
        return one, other


def _part(element: Element | None, tag: str) -> Element | None:
    part = None if element is None else element.find(tag)
    return element if part is None else part


@dataclass
class _Comparer:
    """Compares two robots that are matched; for the parameters see :func:`compare_robots`."""

    first: Robot
    second: Robot
    resolvers: Sequence[Callable[[str], Path]]
    matching: Matching
    tolerances: Mapping[str, float]
    unknown: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        tree = self.matching.first.tree
        count = max(2, min(100, _MAX_POSES // len(tree.link_names)))
        self._positions = tree.random_configuration(np.random.default_rng(0), count)
        self._poses = np.ascontiguousarray(ForwardKinematics(tree)(self._positions))
        self._size = 2 * float(np.linalg.norm(self._poses[..., :3, 3], axis=-1).max())
        one, other = self.matching.first, self.matching.second
        self._pairs = {name: _Pair(one.joints[name], other.joints[new])
                       for name, new in self.matching.joints.items()}
        self._formats = [getattr(robot.document, 'format', 'URDF')
                         for robot in (self.first, self.second)]

    def differences(self) -> Iterator[Disparity]:
        """Yield the differences beyond the tolerances."""
        for each in self._all():
            if each is not None and each.effect > each.tolerance:
                yield each

    def _all(self) -> Iterator[Disparity | None]:
        yield from self._lonely_joints()
        for name in list(self._pairs):
            yield from self._joint(name)
        yield from self._mimics()
        yield from self._loops()
        for head in self.matching.bodies:
            yield from self._body(head)
            yield from self._frames(head)
            yield self._collisions(head)
        yield from self._unsaid()
        if 'MJCF' in self._formats:
            self.unknown.append(Message('Velocity limits: MJCF has none'))

    def _disparity(self, kind: str, effect: float, names: tuple[str, str],
                   elements: tuple[Element | None, Element | None], template: str, /,
                   **values: object) -> Disparity:
        message = Message(template, effect=effect, **values)
        return Disparity(kind, message, effect, self._tolerance(kind), names, elements)

    def _tolerance(self, kind: str) -> float:
        return self.tolerances.get(kind, KINDS[kind].tolerance)

    def _unsaid(self) -> Iterator[Disparity]:
        """Yield what of two files of a format only one says beyond URDF, or note that it is so."""
        found = [{(each.template, repr(each.message.arguments)): each for each in losses_of(robot)
                  if not each.is_harmless or each.of == 'actuator'}
                 for robot in (self.first, self.second)]
        for side, losses in enumerate(found):
            if self._formats[0] == self._formats[1]:
                for each in (losses[key] for key in losses if key not in found[1 - side]):
                    yield self._alone(
                        'simulation', side, '', each.element, 'The {order} robot alone has this: '
                        '{lost} ({value})', lost=each.message,
                        value=FreeText(str(each.arguments.get('value', each.of))))
            elif kinds := Counter(each.of for each in losses.values() if not each.is_harmless):
                self.unknown.append(Message(
                    'What URDF cannot say of the {order} robot: {kinds}', order=_ORDER[side],
                    kinds=', '.join(count(number, kind) for kind, number in kinds.items())))

    def _lonely_joints(self) -> Iterator[Disparity]:
        for side, joints in enumerate(self.matching.alone):
            for joint in joints:
                robot = (self.first, self.second)[side]
                below = [robot.links[name] for name in robot.subtree(joint.child)]
                is_kept = self._formats[1 - side] != 'SDF' or any(each.inertial for each in below)
                yield self._alone(
                    'joint', side, joint.name, joint.element, 'Joint {name} with {links:link} '
                    'below it moves only in the {order} robot{reason}', links=len(below),
                    reason='' if is_kept else ', as Gazebo drops links without mass')

    def _alone(self, kind: str, side: int, name: str, element: Element | None, template: str, /,
               **values: object) -> Disparity:
        """Return the difference of what only one robot has."""
        return self._disparity(
            kind, math.inf, (name, '') if side == 0 else ('', name),
            (element, None) if side == 0 else (None, element), template, name=Name(name),
            order=_ORDER[side], **values)

    def _joint(self, name: str) -> Iterator[Disparity | None]:
        """Yield the differences of a joint, and note how its positions differ."""
        pair, found = self._pairs[name], self.matching
        one, other = pair.one, pair.other
        if MOTIONS[one.type] != MOTIONS[other.type]:
            yield self._disparity(
                'joint', math.inf, pair.names, pair.elements('origin'),
                'Joint {joint} is {first} in the first robot and {second} in the second',
                joint=Name(name), first=str(one.type.value), second=str(other.type.value))
            return
        placement = found.placements[one.child]
        above = found.placements[found.first.heads[one.parent]]
        moved = np.asarray(invert(found.first.joint_pose(one)) @ above
                           @ found.second.joint_pose(other) @ invert(placement))
        axis, zero = placement[:3, :3] @ other.axis, _along(one, moved)
        pair = self._pairs[name] = pair._replace(
            sign=-1.0 if axis @ one.axis < 0 else 1.0, zero=zero)
        amounts = {'zero at {:.4g}': zero, 'axis turned by {:.4g} rad': math.atan2(
            np.linalg.norm(np.cross(axis, one.axis)), axis @ one.axis)}
        rest = moved @ invert(motion(one, np.array([zero]))[0])
        lower, upper = np.clip(_range(one), -math.pi, math.pi)
        positions = np.linspace(lower, upper, 9)
        ours = motion(one, positions)
        theirs = moved @ placement @ motion(other, positions) @ invert(placement)
        amounts |= {'{:.4g} mm away': 1000 * float(np.linalg.norm(rest[:3, 3])),
                    'turned by {:.4g} rad': float(np.linalg.norm(_turned(rest)))}
        shown = [form.format(value) for form, value in amounts.items() if abs(value) > 1e-6]
        yield self._effect('pose', pair, theirs - ours, 'Joint {joint} differs, {amounts}',
                           amounts=', '.join(shown) or 'axis beside the other one')
        yield from self._limits(pair)

    def _effect(self, kind: str, pair: _Pair, shifts: Array, template: str, /,
                tag: str = 'origin', **values: object) -> Disparity | None:
        """
        Return the difference that moves what is below a joint, unless it is within tolerance.

        :param shifts: differences of the transforms of what is below it, shape (n, 4, 4).
        """
        bound = np.linalg.norm(shifts[:, :3, 3], axis=-1) + self._size * np.linalg.norm(
            shifts[:, :3, :3], axis=(1, 2))
        if 1000 * bound.max() <= self._tolerance(kind):
            return None
        points, names = self._points(pair.one)
        distance, link = max(_furthest(points @ each[:3, :3].T + each[:3, 3], names)
                             for each in shifts)
        return self._disparity(
            kind, 1000 * distance, pair.names, pair.elements(tag),
            template + ': {effect:.3g} mm at {link}', link=Name(link),
            joint=Name(pair.one.name), **values)

    def _shift(self, pair: _Pair, change: float) -> Array:
        """Return the differences of transforms when a joint is somewhere else."""
        return motion(pair.one, np.array([min(change, math.pi)])) - np.eye(4)

    def _limits(self, pair: _Pair) -> Iterator[Disparity | None]:
        """Yield the differences of the range, the limits and the dynamics of a joint."""
        ours = _range(pair.one)
        # Either the positions or what is written are the same, where zero is another one.
        change, theirs = min((_change(ours, each), each) for each in (
            sorted(pair.sign * each + zero for each in _range(pair.other))
            for zero in (pair.zero, 0.0)))
        widths = sorted((ours[1] - ours[0], theirs[1] - theirs[0]))
        is_turn = pair.one.type.unit == 'rad' and 6.2 < widths[0] < widths[1] == math.inf
        yield self._effect(
            'limit', pair, self._shift(pair, change), 'Range of joint {joint} is {first} and '
            '{second} {unit}{why}', tag='limit', first=_shown(*ours), second=_shown(*theirs),
            unit=pair.one.type.unit, why=FreeText(
                '; both have all angles, but only one turns on beyond them' * is_turn))
        values = [_dynamics(joint) for joint in (pair.one, pair.other)]
        for kind, tag in _ATTRIBUTES.items():
            if kind != 'velocity' or 'MJCF' not in self._formats:
                first, second = (each[kind] for each in values)
                yield self._disparity(
                    kind, _share(first, second), pair.names, pair.elements(tag),
                    '{quantity} of joint {joint} is {first} and {second}: {effect:.3g} %',
                    quantity=kind.capitalize(), joint=Name(pair.one.name),
                    first=_shown(first), second=_shown(second))

    def _points(self, joint: Joint) -> tuple[Array, list[str]]:
        """
        Return the points at which an effect is measured.

        :return: in the frame below the joint at all configurations, shape (c, k, 3); the link of
            each.
        """
        bodies = self.matching.first
        below = bodies.below(joint)
        chosen = {below[int(index)] for index in np.linspace(
            0, len(below) - 1, min(len(below), _MAX_POINTS))}
        names = sorted(chosen)
        rows = [bodies.tree.link_index[name] for name in names]
        frames = invert(self._poses[:, bodies.tree.link_index[joint.child]])
        points = np.einsum('cij,ckj->cki', frames[:, :3, :3], self._poses[..., :3, 3][:, rows]
                           ) + frames[:, None, :3, 3]
        body = bodies.inertia(joint.child)
        if body.mass > 0:
            # The body itself is about this large.
            radius = math.sqrt(max(np.trace(body.rotational), 0.0) / 2 / body.mass)
            own = body.com + radius * np.concatenate([np.eye(3), -np.eye(3)])
            points = np.concatenate(
                [points, np.broadcast_to(own, (len(points), 6, 3))], axis=1)
            names += [joint.child] * 6
        return points, names

    def _mimics(self) -> Iterator[Disparity | None]:
        """Yield the joints that follow others in another way; either of two may follow."""
        ours, theirs = (resolve_mimic(robot) for robot in (self.first, self.second))
        back = {new: self._pairs[old] for old, new in self.matching.joints.items()}
        converted = {}
        for name, mimic in theirs.items():
            if name in back and mimic.joint in back:
                pair, leader = back[name], back[mimic.joint]
                multiplier = pair.sign * mimic.multiplier * leader.sign
                converted[pair.one.name] = Mimic(
                    leader.one.name, multiplier,
                    pair.zero + pair.sign * mimic.offset - multiplier * leader.zero)
        seen: set[frozenset[str]] = set()
        for name, mimic in (*ours.items(), *converted.items()):
            names = frozenset((name, mimic.joint))
            if names in seen or not names <= self._pairs.keys():
                continue
            seen.add(names)
            pair, reach = self._pairs[name], _range(self._pairs[mimic.joint].one)
            first, second = (_relation(each, name, mimic.joint) for each in (ours, converted))
            # Where only one robot has the relation, the joint may be anywhere in the other.
            change = math.pi if first is None or second is None else max(
                abs((first.multiplier - second.multiplier) * each + first.offset - second.offset)
                for each in np.clip(reach, -math.pi, math.pi))
            yield self._effect(
                'mimic', pair, self._shift(pair, change), 'Joint {joint} follows {leader} by '
                '{first} and {second}', tag='mimic', leader=Name(mimic.joint), **{
                    order: 'not at all' if each is None else _shown(each.multiplier)
                    for order, each in zip(_ORDER, (first, second))})

    def _loops(self) -> Iterator[Disparity | None]:
        """Yield the loops that only one robot has, or that are closed elsewhere."""
        there: dict[tuple[object, ...], tuple[list[_Closure], list[_Closure]]] = {}
        back = {new: old for old, new in self.matching.bodies.items()}
        for side, (robot, bodies) in enumerate((
                (self.first, self.matching.first), (self.second, self.matching.second))):
            for loop in robot.loops:
                points = {}
                for link, origin in ((loop.parent, loop.parent_origin),
                                     (loop.child, loop.child_origin)):
                    head = bodies.heads.get(link, '')
                    pose = bodies.pose(link) @ origin.matrix if head else np.eye(4)
                    head = back.get(head, '') if side else head
                    if side and head:
                        pose = self.matching.placements[head] @ pose
                    points[head] = pose[:3, 3]
                there.setdefault((loop.type.held > 1, *sorted(points)), ([], []))[side].append(
                    _Closure(loop, points))
        for one, other in there.values():
            if not one or not other:
                side = int(not one)
                for loop, _ in one or other:
                    yield self._alone('loop', side, loop.name, loop.element,
                                      'Loop {name} is only in the {order} robot')
                continue
            # Two points are a hinge, for example.
            held = [each[0].loop.type.held if len(each) == 1 else min(
                5, sum(closure.loop.type.held for closure in each)) for each in (one, other)]
            distance = max(min(_apart(points, each.points) for each in other) for _, points in one)
            yield self._disparity(
                'loop', math.inf if held[0] != held[1] else distance if held[0] > 1 else 0.0,
                (one[0].loop.name, other[0].loop.name),
                (one[0].loop.element, other[0].loop.element), 'Loop {loop} holds {first} and '
                '{second} degrees of freedom, {distance:.3g} mm away', loop=Name(one[0].loop.name),
                first=held[0], second=held[1], distance=distance)

    def _body(self, head: str) -> Iterator[Disparity | None]:
        """Yield the differences of the mass and inertia of a body."""
        found, names = self.matching, (head, self.matching.bodies[head])
        ours = found.first.inertia(head)
        theirs = found.second.inertia(names[1]).transformed(found.placements[head])
        elements = self._inertials(names)
        title = {'body': self._titled(head)}
        yield self._disparity(
            'mass', _share(ours.mass, theirs.mass), names, elements,
            'Mass of {body} is {first:.6g} and {second:.6g} kg: {effect:.3g} %',
            first=ours.mass, second=theirs.mass, **title)
        if not (ours.mass > _NEGLIGIBLE and theirs.mass > _NEGLIGIBLE):
            return
        distance = _mm(ours.com - theirs.com)
        yield self._disparity(
            'com', distance, names, elements, 'Centre of mass of {body} is {effect:.3g} mm away: '
            'up to {torque:.3g} N m', torque=9.81e-3 * distance * ours.mass, **title)
        # With another mass, either the inertia or the density is the same.
        difference = min(float(np.abs(ours.rotational - factor * theirs.rotational).max())
                         for factor in (1.0, ours.mass / theirs.mass))
        largest = max(np.abs([ours.rotational, theirs.rotational]).max(), _NEGLIGIBLE)
        reason = next((
            Message(', as MuJoCo refuses that of {refused}: {verdict}', refused=Name(link),
                    verdict=own.consistency().verdict.value)
            for side, bodies in enumerate((found.first, found.second))
            if self._formats[1 - side] == 'MJCF' for link in bodies.links[names[side]]
            if (own := link_inertia(bodies.robot.links[link])) and own.mass > 0
            and not own.consistency()), '')
        yield self._disparity(
            'inertia', 100 * difference / float(largest), names, elements,
            'Inertia of {body} differs by {difference:.3g} kg m^2: {effect:.3g} %{reason}',
            difference=difference, reason=reason, **title)

    def _titled(self, head: str) -> Message:
        others = len(self.matching.first.links[head]) - 1
        if others:
            return Message('link {link} with {n:other} fixed to it', link=Name(head), n=others)
        return Message('link {link}', link=Name(head))

    def _inertials(self, names: tuple[str, str]) -> tuple[Element | None, Element | None]:
        """Return where the inertia of the heaviest links of a body is written."""
        found: list[Element | None] = []
        for bodies, head in zip((self.matching.first, self.matching.second), names):
            link = max((bodies.robot.links[name] for name in bodies.links[head]),
                       key=lambda each: each.inertial.mass if each.inertial else 0.0)
            found.append(link.inertial.element if link.inertial else link.element)
        return found[0], found[1]

    def _frames(self, head: str) -> Iterator[Disparity]:
        """Yield the links of a body whose frames differ in it."""
        found = self.matching
        for name in found.first.links[head]:
            other = found.links.get(name, '')
            # Where a robot stands is not a part of it.
            if found.second.heads.get(other) == found.bodies[head] and name != 'world':
                ours = found.first.pose(name)
                theirs = found.placements[head] @ found.second.pose(other)
                yield self._disparity(
                    'frame', 1000 * gap_of(ours, theirs), (name, other),
                    (self.first.links[name].element, self.second.links[other].element),
                    'Frame of link {link} is {distance:.4g} mm and {angle:.4g} rad away in its '
                    'body', link=Name(name), distance=_mm(ours[:3, 3] - theirs[:3, 3]),
                    angle=round(float(np.linalg.norm(_turned(invert(ours) @ theirs))), 9))

    def _collisions(self, head: str) -> Disparity | None:
        """Return how the collision shapes of a body differ, or None if that is unknown."""
        found, names = self.matching, (head, self.matching.bodies[head])
        shapes = [_shapes(found.first, head), _shapes(found.second, names[1])]
        body = self._titled(head)
        solids: list[ShapeInertia] = []
        for each, resolve in zip(shapes, self.resolvers):
            try:
                solids += [shape_inertia(each, resolve)] if each else []
            except ShapeError as error:
                self.unknown.append(Message('Collision shapes of {body}: {reason}', body=body,
                                            reason=FreeText(str(error))))
                return None
        if len(solids) < 2:
            side = int(bool(shapes[1]))
            return self._alone(
                'collision', side, names[side], shapes[side][0].element,
                'Collision shapes of {body} are only in the {order} robot', body=body
                ) if solids else None
        ours, theirs = solids[0].inertia, solids[1].inertia.transformed(found.placements[head])
        shift = math.dist(ours.com, theirs.com)
        seconds = [np.trace(each.rotational) / 2 * np.eye(3) - each.rotational
                   for each in (ours, theirs)]
        spread = [each / volume for each, volume in zip(seconds, (ours.mass, theirs.mass))]
        # A box of these moments has this length, and its change is that of a side.
        length = math.sqrt(12 * float(np.abs(spread[0]).max()))
        growth = 6 * float(np.abs(spread[0] - spread[1]).max()) / max(length, _NEGLIGIBLE)
        volume = _share(ours.mass, theirs.mass)
        effect = 1000 * max(shift, growth, volume / 100 * length / 3)
        return self._disparity(
            'collision', effect, names, (shapes[0][0].element, shapes[1][0].element),
            'Collision shapes of {body} are {shift:.3g} mm away, {growth:.3g} mm larger or '
            'smaller, and have {first:.4g} and {second:.4g} l', shift=1000 * shift,
            growth=1000 * growth, body=body, first=1000 * ours.mass, second=1000 * theirs.mass)

    def measured(self) -> tuple[dict[str, float], str]:
        """Return what differs at the same positions of the joints, and which link is furthest."""
        found = self.matching
        trees = found.first.tree, found.second.tree
        base = found.placements[found.first.robot.root]
        positions = [self._positions, np.tile(trees[1].neutral(), (len(self._positions), 1))]
        columns: tuple[list[int], list[int]] = ([], [])
        for pair in self._pairs.values():
            positions[1][:, trees[1].variable_index[pair.other.name]] = (
                self._positions[:, trees[0].variable_index[pair.one.name]])
            for side, name in enumerate(pair.names):
                columns[side].append(trees[side].velocity_index[name])
        heads, others = zip(*found.bodies.items())
        points = np.array([[*found.first.inertia(head).com, 1.0] for head in heads])
        back = np.array([invert(found.placements[head]) for head in heads])
        ours = self._poses[:, [trees[0].link_index[head] for head in heads]]
        theirs = base @ ForwardKinematics(trees[1], others)(positions[1]) @ back
        distance, furthest = _furthest(((theirs - ours) @ points[..., None])[..., :3, 0], heads)
        result = {'distance': round(distance, 9)}
        if len(columns[0]) > _MAX_VARIABLES:
            self.unknown.append(Message('Mass matrices: the robots have more than {n} variables',
                                        n=_MAX_VARIABLES))
        elif columns[0]:
            matrices = np.array([MassMatrix(tree)(q)[:, index][:, :, index]
                                 for tree, q, index in zip(trees, positions, columns)])
            scale = np.sqrt(np.einsum('rbii->rbi', matrices).max(axis=(0, 1))).clip(_MIN_SCALE)
            result['mass matrix'] = float((
                np.abs(matrices[0] - matrices[1]) / np.outer(scale, scale)).max())
            efforts = np.array([
                InverseDynamics(tree)(q, gravity=gravity)[:, index] for tree, q, gravity, index
                in zip(trees, positions, (_GRAVITY, base[:3, :3].T @ _GRAVITY), columns)])
            reach = np.linalg.norm((ours @ points[..., None])[..., :3, 0], axis=-1).max()
            weight = 9.81 * sum(found.first.inertia(head).mass for head in heads)
            result['gravity torque'] = float(np.abs(efforts[0] - efforts[1]).max() / max(
                np.abs(efforts).max(), _MIN_LEVER * reach * weight, _NEGLIGIBLE))
        return result, furthest

    def unexplained(self, measured: Mapping[str, float], found: Sequence[Disparity]
                    ) -> Iterator[Disparity]:
        """Yield what differs over all configurations, though no difference explains it."""
        explaining = {each.kind for each in found} & {
            'joint', 'pose', 'frame', 'mass', 'com', 'inertia'}
        # Bodies that may differ by more make the whole differ by as much.
        least = max(self._tolerance(kind) for kind in ('motion', 'mass', 'inertia'))
        for what, share in measured.items():
            kind, factor, tolerance = ('motion', 100, least) if what != 'distance' else (
                'pose', 1000, self._tolerance('pose'))
            if share * factor > tolerance and not explaining:
                yield self._disparity(
                    kind, share * factor, ('', ''), (None, None),
                    'Small differences add up to {effect:.3g} {unit} of the {what}',
                    unit=KINDS[kind].unit, what=what)


class _Closure(NamedTuple):
    """A loop, and the point that it holds in each of its bodies of the first robot."""

    loop: Loop
    points: Mapping[str, Array]


def _apart(first: Mapping[str, Array], second: Mapping[str, Array]) -> float:
    return max(_mm(point - second[head]) for head, point in first.items())


def _along(joint: Joint, moved: Array) -> float:
    """Return how far a transform moves along or about the axis of a joint, in m or rad."""
    if joint.type is JointType.PRISMATIC:
        return float(moved[:3, 3] @ joint.axis)
    x, y, z, w = matrix_to_quaternion(moved[:3, :3])
    angle = 2 * math.atan2(float(np.array([x, y, z]) @ joint.axis), float(w))
    return math.remainder(angle, 2 * math.pi)


def _turned(moved: Array) -> Array:
    return rotation_vector(moved[:3, :3])


def _mm(shift: Array) -> float:
    """Return the length of a shift in mm, without what is rounding only."""
    return round(1000 * float(np.linalg.norm(shift)), 6)


def _furthest(shifts: Array, names: Sequence[str]) -> tuple[float, str]:
    """Return the length of the longest of shifts of shape (c, k, 3), and its name."""
    lengths = np.linalg.norm(shifts, axis=-1).max(axis=0)
    index = int(lengths.argmax())
    return float(lengths[index]), names[index]


def _range(joint: Joint) -> tuple[float, float]:
    """Return the limits of a joint; infinite where there are none."""
    limits = joint.limits or NO_LIMITS
    return (limits.lower if limits.lower > -FAR else -math.inf,
            limits.upper if limits.upper < FAR else math.inf)


def _change(first: Sequence[float], second: Sequence[float]) -> float:
    return max(0.0 if one == other else abs(one - other) for one, other in zip(first, second))


def _dynamics(joint: Joint) -> dict[str, float]:
    """Return limits and dynamics of a joint by the kind of difference; 0 and none is no limit."""
    limits = [joint.limits and getattr(joint.limits, name) for name in ('effort', 'velocity')]
    effort, velocity = (
        math.inf if not each or each >= UNLIMITED else float(each) for each in limits)
    return {'effort': effort, 'velocity': velocity,
            'damping': joint.dynamics.damping if joint.dynamics else 0.0,
            'friction': joint.dynamics.friction if joint.dynamics else 0.0}


def _share(first: float, second: float) -> float:
    """Return the difference of numbers in % of the larger one; 100 if one is infinite."""
    if math.isinf(first) or math.isinf(second):
        return 0.0 if first == second else 100.0
    largest = max(abs(first), abs(second))
    return 100 * abs(first - second) / largest if largest > _NEGLIGIBLE else 0.0


def _shown(*values: float) -> str:
    return ' to '.join(dict.fromkeys(
        readable(each, '.5g') if math.isfinite(each) else 'unlimited' for each in values))


def _relation(mimics: Mapping[str, Mimic], name: str, leader: str) -> Mimic | None:
    """Return how a joint follows another one that it leads, or with which it follows a third."""
    mimic, other = mimics.get(name, Mimic(name)), mimics.get(leader, Mimic(leader))
    if mimic.joint != other.joint or not other.multiplier:
        return None
    ratio = mimic.multiplier / other.multiplier
    return Mimic(leader, ratio, mimic.offset - ratio * other.offset)


def _shapes(bodies: Bodies, head: str) -> list[Collision]:
    """Return the collision shapes of a body in its frame; parts of a capsule are one."""
    shapes = []
    for name in bodies.links[head]:
        for each in bodies.robot.links[name].collisions:
            pose = bodies.pose(name) @ each.origin.matrix
            x, y, z, w = matrix_to_quaternion(pose[:3, :3]).tolist()
            a, b, c = pose[:3, 3].tolist()
            shapes.append(replace(each, origin=Pose((a, b, c), (x, y, z, w))))
    spheres = [each for each in shapes if isinstance(each.geometry, Sphere)]
    for index, each in enumerate(shapes):
        shape = each.geometry
        if isinstance(shape, Cylinder) and len(shapes) <= _MAX_CAPSULES:
            ends = [each.origin.matrix @ (0.0, 0.0, z, 1.0)
                    for z in (-shape.length / 2, shape.length / 2)]
            parts = [ball for end in ends for ball in spheres if isinstance(ball.geometry, Sphere)
                     and math.isclose(ball.geometry.radius, shape.radius, rel_tol=1e-6)
                     and math.dist(ball.origin.xyz, end[:3]) < 1e-6]
            if len(parts) == 2:
                shapes[index] = replace(each, geometry=Capsule(shape.radius, shape.length))
                spheres = [ball for ball in spheres if ball not in parts]
    return [each for each in shapes if not isinstance(each.geometry, Sphere) or each in spheres]
