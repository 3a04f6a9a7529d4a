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

"""The model of a robot in Gazebo: which links and joints remain, before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.constraints import LoopConstraints
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import compose
from urdf_tools.programs.gazebo.document import Release
from urdf_tools.programs.gazebo.extensions import CHARACTERS_OF_STEP
from urdf_tools.programs.gazebo.extensions import DRIVES
from urdf_tools.programs.gazebo.extensions import Extension
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.extensions import LUMP_PREFIX
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import driven_joints
from urdf_tools.programs.robot_parts import opened
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import MassProperties
from urdf_tools.programs.urdfdom.bodies import read_bodies
from urdf_tools.programs.urdfdom.bodies import urdfdom_rotation
from urdf_tools.types import Array

SDF_TYPES = {
    JointType.REVOLUTE: 'revolute', JointType.CONTINUOUS: 'revolute',
    JointType.PRISMATIC: 'prismatic', JointType.FIXED: 'fixed'}
"""Joint types to those of SDFormat; planar and floating joints have none."""

INSTEAD_OF = {
    JointType.PLANAR: 'Use two prismatic joints and a revolute one instead',
    JointType.FLOATING: 'Make its child the root link, which moves freely in Gazebo'}
"""What to write instead of the types that SDFormat does not have."""

_CLOSED = 1e-4
"""Opening in m and rad that comes from rounded numbers."""


class LossReason(NamedTuple):
    """
    Why something is lost.

    :param reason: why, without a full stop.
    :param hint: what to do about it; empty if nothing.
    :param cause: the link without mass that it is lost with; None if there is another cause.
    :param is_harmless: the robot looks and moves the same without it.
    """

    reason: str
    hint: str = ''
    cause: Element | None = None
    is_harmless: bool = False


class GazeboModel:
    """
    What remains of a robot after lumping, without the links that have no mass.

    It also exists of a robot that Gazebo refuses.

    :ivar element: the outermost element of the description.
    :ivar bodies: the body of each link.
    :ivar lumped: the bodies that are lumped into their parents, in this order.
    :ivar links: the bodies that become links, in the order of the document.
    :ivar link_names: their names.
    :ivar loop_joints: the loops that become joints and are not joints of Gazebo already, by the
        name of the joint, which no link or other joint has.
    :ivar open_loops: the elements of loops that SDFormat cannot represent, and why.
    :ivar applied: the extensions of the model under '', and of each link and joint that remains.
    """

    def __init__(self, robot: Robot, release: Release, lumps: bool, keeps_loops: bool = False):
        """
        Lump and drop links.

        :param lumps: lump fixed joints.
        :param keeps_loops: turn loops into joints, which libsdformat does not.
        :raises DescriptionError: the names of shapes are too long.
        """
        assert robot.element is not None, 'robots of a description have elements'
        self.robot = robot
        self.element = robot.element
        self.release = release
        self.extensions = Extensions(robot.gazebo)
        self._lumps = lumps
        root = read_bodies(robot)
        self.lumped = tuple(self._lump(root))
        self.bodies: Mapping[str, Body] = {body.name: body for body in root.walk()}
        self.links, self._massless = self._links_and_massless(root)
        self.link_names = frozenset(body.name for body in self.links)
        self.loop_joints: dict[str, Loop] = {}
        self.open_loops: dict[Element | None, LossReason] = {}
        if keeps_loops and robot.loops:
            self._add_loops()
        self.applied = self._applied()
        for body in self.links:
            self._name_shapes(body)

    def _lump(self, root: Body) -> Iterator[Body]:
        """
        Lump bodies into their parents, the lowest first, as ``ReduceFixedJoints`` does.

        :return: the lumped bodies in this order; ``parent`` is what each is lumped into first.
        """
        for body in self._in_lumping_order(root):
            parent = body.parent
            if parent is not None and parent.name != WORLD and self._is_reducible(body):
                _lump_masses(body, parent)
                body.lumped_into = parent
                yield body
        _move_to_ends(root)

    def _is_reducible(self, body: Body) -> bool:
        """Return whether the parent joint of a body is fixed and nothing keeps it."""
        joint = body.joint
        return (self._lumps and joint is not None and joint.type is JointType.FIXED
                and joint.name not in self.extensions.kept_joints)

    def _in_lumping_order(self, root: Body) -> Iterator[Body]:
        """Yield bodies on fixed joints before their parents, and others after them."""
        pending = [(root, False)]
        while pending:
            body, is_entered = pending.pop()
            if is_entered:
                yield body
            else:
                pending.append((body, True))
            # First those on fixed joints; the others once the body is done.
            pending.extend((child, False) for child in reversed(body.children)
                           if self._is_reducible(child) is not is_entered)

    def _links_and_massless(self, root: Body) -> tuple[tuple[Body, ...], tuple[Body, ...]]:
        links, massless = [], []
        pending = list(reversed(root.children)) if root.name == WORLD else [root]
        while pending:
            body = pending.pop()
            is_fixed = self._is_reducible(body)
            if self.is_massless(body):
                if body.name != WORLD and (not is_fixed or self.release.is_12_3):
                    massless.append(body)
                    continue
            elif not is_fixed or body.parent is not None and body.parent.name == WORLD:
                links.append(body)
            pending.extend(reversed(body.children))
        return tuple(links), tuple(massless)

    def _applied(self) -> Mapping[str, Sequence[Extension]]:
        extensions: dict[str, list[Extension]] = {}
        for reference, referring in self.extensions.by_reference.items():
            end = self.end_name(reference)
            if not end or end in self.link_names or end in self.joints:
                extensions.setdefault(end, []).extend(referring)
        return extensions

    def _name_shapes(self, body: Body) -> None:
        for tag, shapes in body.shapes.items():
            for index, shape in enumerate(shapes):
                name = f'{shape.name or body.name}_{tag}{f"_{index}" if index else ""}'
                is_own = name.startswith(body.name)
                shape.name = name if is_own else f'{body.name}{LUMP_PREFIX}{name}'
                self.extensions.spend(len(shape.name) // CHARACTERS_OF_STEP)

    def _add_loops(self) -> None:
        """Turn loops into joints where SDFormat can represent them."""
        names = {*self.robot.links, *self.robot.joints, *(
            child.get('name', '') for gazebo in self.robot.gazebo for child in gazebo)}
        for loop, distance, angle in _openings(self.robot):
            if loop.element is None or loop.element.tag != 'joint':
                reason = self._why_open(loop, distance, angle)
                if reason is not None:
                    self.open_loops[loop.element] = reason
                    continue
                name = loop.name or 'loop'
                while name in names:
                    name += '_loop'
                names.add(name)
                self.loop_joints[name] = loop

    def _why_open(self, loop: Loop, distance: float, angle: float) -> LossReason | None:
        """Return why SDFormat cannot represent a loop with this opening at position zero."""
        parent, child = self.end_name(loop.parent), self.end_name(loop.child)
        lost = [name for name in (parent, child) if name not in self.link_names | {WORLD}]
        if loop.type is LoopType.ROD:
            return LossReason('SDFormat has no joint that holds a distance',
                              'Write the rod as a link, with a ball at each end')
        if loop.type is LoopType.GEAR:
            return LossReason('a gear is not a joint between two links',
                              'Write <mimic> in one of the joints')
        if lost:
            return LossReason(Message('Gazebo drops its link {link}', link=Name(lost[0])),
                              'Give the link a mass')
        if parent == child:
            return LossReason(
                Message('both of its links are parts of {link}', link=Name(parent)),
                'Preserve the fixed joint between them')
        if max(distance, angle) > _CLOSED:
            return LossReason(
                Message('it is open by {distance:.3g} mm and {angle:.3g} mrad where all positions '
                        'are zero, and joints of SDFormat are closed there',
                        distance=1e3 * distance, angle=1e3 * angle),
                'Move the origins of its joints so that it is closed there, too')
        return None

    def copied(self, reference: str) -> list[Element]:
        """Return the elements that are copied to a link or joint, or to the model for ''."""
        return [element for extension in self.applied.get(reference, ())
                for element in extension.copied_elements]

    def is_massless(self, body: Body) -> bool:
        """Return whether a body has no mass after lumping; NaN counts as a mass."""
        return abs(body.mass) <= 1e-6 if self.release.is_12_3 else body.mass <= 0

    @property
    def is_static(self) -> bool:
        """Whether an extension makes the model part of the world; it then needs no link."""
        return any('static' in extension.settings and extension.settings['static'].text == 'true'
                   for extension in self.applied.get('', ()))

    @cached_property
    def joints(self) -> Mapping[str, Body]:
        """The joints by name, each as the body below it."""
        return {body.joint.name: body for body in self.links
                if body.joint is not None and body.joint.type in SDF_TYPES}

    @cached_property
    def driven_joints(self) -> frozenset[str]:
        """The joints with an actuator; none without a plugin that moves joints."""
        is_driven = any(
            DRIVES.search(plugin.get('filename', '')) for extensions in self.applied.values()
            for extension in extensions for plugin in extension.element.iter('plugin'))
        return driven_joints(self.robot) & self.joints.keys() if is_driven else frozenset()

    @cached_property
    def lost(self) -> Mapping[str, Body]:
        """Each dropped link to the massless body that causes it."""
        causes = {body: massless for massless in reversed(self._massless)
                  for body in massless.walk()}
        return {name: causes.get(body.end, body.end) for name, body in self.bodies.items()
                if body.end.name not in self.link_names and not is_world(body)}

    def end_name(self, name: str) -> str:
        """Return the name of the link that a link is lumped into, or else its own name."""
        body = self.bodies.get(name)
        return name if body is None else body.end.name


def is_world(body: Body) -> bool:
    """Return whether a body is a root link ``world``, which represents the world."""
    return body.parent is None and body.name == WORLD


def _lump_masses(body: Body, parent: Body) -> None:
    if body.inertial is None:
        return
    if parent.inertial is None:
        parent.inertial = MassProperties(0.0, Pose(), np.zeros((3, 3)), [])
    into = parent.inertial
    whole, own = into.in_link_frame, body.inertial.in_link_frame
    mass = whole.mass + own.mass
    undefined_by = into.undefined_by or body.inertial.undefined_by or (body if mass == 0 else None)
    rotation, offset = urdfdom_rotation(body.origin.quaternion), np.array(body.origin.xyz)
    # In the steps of libsdformat: their rounding decides whether Gazebo accepts point masses.
    # It divides by a mass of zero, and masses that overflow give no number there, either.
    with np.errstate(all='ignore'):
        at = rotation @ own.com
        turned = rotation @ (own.rotational + own.mass * _of_point(own.com)) @ rotation.T
        added = turned + own.mass * (_of_point(at + offset) - _of_point(at))
        com = (whole.com * whole.mass + (at + offset) * own.mass) * np.divide(1.0, mass)
        total = whole.rotational + whole.mass * _of_point(whole.com) + added
        to_frame = urdfdom_rotation(into.origin.quaternion)
        matrix = to_frame.T @ (total - mass * _of_point(com)) @ to_frame
    x, y, z = map(float, com)
    parent.inertial = MassProperties(mass, Pose((x, y, z), into.origin.quaternion), matrix,
                                     _joined(into.sources, body.inertial.sources), undefined_by)


def _of_point(position: Array) -> Array:
    """Return the inertia about the origin of 1 kg at a position."""
    x, y, z = position
    return np.array([[z * z + y * y, -(x * y), -(z * x)],
                     [-(x * y), z * z + x * x, -(z * y)],
                     [-(z * x), -(z * y), y * y + x * x]])


def _joined(left: list[Item], right: list[Item]) -> list[Item]:
    """Return the longer list extended by the other, so that long chains take linear time."""
    shorter, longer = sorted((left, right), key=len)
    longer.extend(shorter)
    return longer


def _move_to_ends(root: Body) -> None:
    """Move the shapes and child joints of lumped bodies to the bodies that they end in."""
    ends: dict[Body, tuple[Body, Pose]] = {}
    for body in list(root.walk()):
        if body.lumped_into is None:
            continue
        into, pose = ends.get(body.lumped_into, (body.lumped_into, Pose()))
        pose = compose(pose, body.origin)
        ends[body] = into, pose
        body.lumped_into = into
        for tag, shapes in body.shapes.items():
            for shape in shapes:
                shape.name = shape.name or body.name
                shape.origin = compose(pose, shape.origin)
                into.shapes[tag].append(shape)
        for child in body.children:
            if child.lumped_into is None:
                child.origin = compose(pose, child.origin)
                child.parent = into


def _openings(robot: Robot) -> Iterator[tuple[Loop, float, float]]:
    """Yield each loop, and how far it is open where all positions are zero, in m and rad."""
    tree = KinematicTree(opened(robot))
    with np.errstate(all='ignore'):
        distances, angles = LoopConstraints(tree, robot.loops).errors(tree.neutral()[None])
    yield from zip(robot.loops, distances[0].tolist(), angles[0].tolist())
