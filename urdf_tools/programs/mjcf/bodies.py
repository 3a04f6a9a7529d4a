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

"""The bodies of an MJCF model: links with their inertias, joints and shapes."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from math import isfinite
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import Name
from urdf_tools.kinematics.joint_transforms import in_tree
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Box
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import NO_LIMITS
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Dynamics
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mjcf.assets import Assets
from urdf_tools.programs.mjcf.settings import MjcfSettings
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.programs.mjcf.xml import Attributes
from urdf_tools.programs.mjcf.xml import pose
from urdf_tools.programs.mjcf.xml import rounded
from urdf_tools.programs.mjcf.xml import unique
from urdf_tools.types import Array

_SET = ('armature', 'damping', 'frictionloss')
"""Settings of joints; the others are those of actuators."""

_MAX_LEVELS = 490
"""Links one below another, of which MuJoCo's parser takes no more than 500 elements."""

FREE_BASE = '\0world'
"""The name of the link that is the world of a robot with a free base."""

_LOCKED = 1e-10
"""The range in rad or m of a joint whose limits are equal."""

_UNLIMITED = 1e10
"""The largest number of MuJoCo, for a limit that is infinite where the other one is not."""


class Bodies:
    """
    The bodies of a robot, decided before they are written.

    :ivar robot: the robot; one with a free base has a floating joint to the world.
    :ivar settings: what the robot cannot say.
    :ivar levels: how far links are below the root, from 1.
    :ivar welded: see :func:`~urdf_tools.model.robot.welded`.
    :ivar names: name of each link to that of its body.
    :ivar changed: the links that get another inertia than that of the description.
    :ivar inertias: what links get, of those that get any.
    :ivar kept: the visual and collision shapes that are written, once they are.
    :ivar colliding: the collision shapes of each link that are written, once they are.
    :ivar nodes: the body of each link, once it is written.
    """

    def __init__(self, robot: Robot, losses: Losses, driven: Collection[str],
                 settings: MjcfSettings):
        """
        Decide what links get.

        :param driven: the joints with actuators, which limit their efforts themselves.
        """
        self.robot, self._losses, self._driven = robot, losses, driven
        self.settings = settings
        self.levels, self.welded = {robot.root: 1}, welded(robot)
        for joint in robot.tree:
            self.levels[joint.child] = self.levels[joint.parent] + 1
        self.names = {name: name for name in robot.links} | {FREE_BASE: WORLD}
        self._rename_world()
        self.changed: set[str] = set()
        self.inertias = dict(self._inertias())
        self.kept: dict[str, list[Geometry]] = {'visual': [], 'collision': []}
        self.colliding: dict[str, list[Collision]] = {}
        self.nodes: dict[str, Node] = {}
        self._geoms: set[str] = set()
        for joint in robot.joints.values():
            if not in_tree(robot, joint):
                losses.note('joint', Impact.DROPS, joint.element,
                            '{joint} is a second parent of its child, and left out')
            elif joint.element is not None:
                losses += _joint_losses(joint, joint.element)

    def _rename_world(self) -> None:
        """Give a link ``world`` another name, unless it can be the world itself."""
        link = self.robot.links.get(WORLD)
        if link is not None and (link.name != self.robot.root or link.inertial is not None):
            self.names[WORLD] = unique('world_link', self.names)
            self._losses.note('name', Impact.CHANGES, link.element, '{link} is called {new}, as '
                              'the world of MuJoCo has that name', attribute='name',
                              new=Name(self.names[WORLD]), is_harmless=True)

    def _inertias(self) -> Iterator[tuple[str, Inertial]]:
        """Yield what links get; of those that move as one, one has to have mass and inertia."""
        given = {name: link.inertial for name, link in self.robot.links.items() if link.inertial}
        carrying = {name for name, each in given.items() if each.mass > 0}
        massive = {self.welded[name] for name in carrying if given[name].mass > MINIMUM and (
            np.linalg.eigvalsh(given[name].matrix) > MINIMUM).all()}
        for joint in reversed(self.robot.tree):
            if joint.child in carrying:
                carrying.add(joint.parent)
        for name, link in self.robot.links.items():
            moves = name != self.robot.root and self.welded[name] == name
            found = body_inertia(
                link, moves and name not in massive, name in carrying, self._losses)
            if found is not None:
                self.changed |= {name} if found[1] else set()
                yield name, found[0]

    def causes(self) -> Iterator[Loss]:
        """Yield why there is no model of the robot."""
        deepest = max(self.levels, key=lambda name: self.levels[name])
        if self.levels[deepest] > _MAX_LEVELS:
            yield refusal(self.robot.links[deepest].element, '{link} is {levels} links below the '
                          'root, and MuJoCo takes no more than {maximum}',
                          levels=self.levels[deepest], maximum=_MAX_LEVELS)
        taken: set[str] = set()
        for joint in self.robot.tree:
            if joint.type.dof in (1, 3) and not any(joint.axis):
                yield refusal(joint.element, '{joint} has a zero axis', of='axis',
                              hint='Write the direction of the axis')
            names = {str(given['name']) for _, given in self.joints_of(joint)}
            if names & taken:
                yield refusal(joint.element, 'A joint of MuJoCo that {joint} becomes has the name '
                              '{taken} of another one', taken=Name(min(names & taken)))
            taken |= names
        for link in self.robot.links.values():
            given = link.inertial
            if given is not None and not (np.abs([
                    given.mass, *given.origin.xyz, *given.matrix.ravel()]) < _UNLIMITED).all():
                yield refusal(link.element, 'The mass or inertia of {link} is larger than MuJoCo '
                              'takes')

    def joints_of(self, joint: Joint) -> list[tuple[str, Attributes]]:
        """Return tag and attributes of the joints of MuJoCo that a joint becomes."""
        names, dynamics, limits = variable_names(joint), _dynamics(joint), ranges(joint)
        if joint.type is JointType.PLANAR:
            axes = rotation_from_z(joint.axis).T
            return [('joint', {'name': name, 'type': kind, 'axis': axis, **dynamics})
                    for name, kind, axis in zip(names, ('slide', 'slide', 'hinge'), axes)]
        if joint.type is JointType.FLOATING:
            if self.names[joint.parent] == WORLD:
                return [('freejoint', {'name': joint.name})]
            return [*(('joint', {'name': name, 'type': 'slide', 'axis': axis})
                      for name, axis in zip(names, np.eye(3))),
                    ('joint', {'name': f'{joint.name}/rot', 'type': 'ball'})]
        return [] if joint.type is JointType.FIXED else [('joint', {
            'name': joint.name, 'type': 'slide' if joint.type is JointType.PRISMATIC else None,
            'axis': None if joint.axis == (0.0, 0.0, 1.0) else joint.axis,
            'range': limits['position'], **dynamics,
            **{name: [value] for name, value in self.settings.joints.get(joint.name, {}).items()
               if name in _SET},
            'actuatorfrcrange': None if joint.name in self._driven else limits['effort']})]

    def write(self, world: Node, assets: Assets, model: str) -> None:
        """
        Append the bodies to the world.

        :param model: the class of defaults.
        """
        for name in self.robot.subtree(self.robot.root):
            joint, link = self.robot.parent_joint.get(name), self.robot.links[name]
            parent = world if joint is None else self.nodes[joint.parent]
            self.nodes[name] = body = world if joint is None and self.names[name] == WORLD else (
                add(parent, 'body', {
                    'name': self.names[name], 'childclass': model if parent is world else None,
                    **pose(Pose() if joint is None else joint.origin)}))
            if inertia := self.inertias.get(name):
                add(body, 'inertial', {
                    'mass': [inertia.mass], **pose(inertia.origin), 'pos': inertia.origin.xyz,
                    'diaginertia': np.diag(inertia.matrix)})
            for tag, attributes in () if joint is None else self.joints_of(joint):
                add(body, tag, attributes)
            for visual in link.visuals:
                self._write_shape(body, name, visual, assets, assets.material(visual))
            for collision in link.collisions:
                self._write_shape(body, name, collision, assets)

    def _write_shape(self, body: Node, link: str, shape: Visual | Collision, assets: Assets,
                     material: str | None = None) -> None:
        kind = 'visual' if isinstance(shape, Visual) else 'collision'
        given: Attributes = {'mesh': assets.mesh(shape, shape.geometry)} if isinstance(
            shape.geometry, Mesh) else _size(shape.geometry)
        if not all(each > 0 for each in given.get('size', ())):
            self._losses.note('shape', Impact.DROPS, shape.element, 'A {tag} of {link} is left '
                              'out, as its size is not positive')
        elif given.get('mesh', '') is not None:
            name = unique(shape.name, self._geoms) if shape.name else None
            self._geoms |= {name} if name else set()
            self.kept[kind].append(shape.geometry)
            if isinstance(shape, Collision):
                self.colliding.setdefault(link, []).append(shape)
            friction = self.settings.friction.get(link) if kind == 'collision' else None
            add(body, 'geom', {'name': name, 'class': kind, **given, **pose(shape.origin),
                               'material': material, 'friction': friction})


def _size(shape: Geometry) -> Attributes:
    """Return type and size of a shape that is not a mesh."""
    assert not isinstance(shape, Mesh)
    size = [each / 2 for each in shape.size] if isinstance(shape, Box) else [shape.radius]
    if not isinstance(shape, (Box, Sphere)):
        size.append(shape.length / 2)
    return {'type': type(shape).__name__.lower(), 'size': size}


def ranges(joint: Joint) -> dict[str, tuple[float, float] | None]:
    """Return what limits a joint as MuJoCo takes it, or None, by what actuators control."""
    limits = joint.limits or NO_LIMITS
    lower, upper = np.clip([limits.lower, limits.upper], -_UNLIMITED, _UNLIMITED).tolist()
    is_bounded = isfinite(limits.lower) or isfinite(limits.upper)
    return {
        'position': (lower, upper if lower < upper else lower + _LOCKED) if is_bounded else None,
        **{name: (-value, value) if value and 0 < value < inf else None for name, value in (
            ('velocity', limits.velocity), ('effort', limits.effort))}}


def _dynamics(joint: Joint) -> Attributes:
    """Return the attributes of damping and friction; what is negative, MuJoCo does not take."""
    given = joint.dynamics or Dynamics()
    return {name: [value] if value > 0 else None
            for name, value in (('damping', given.damping), ('frictionloss', given.friction))}


def _joint_losses(joint: Joint, element: Element) -> Iterator[Loss]:
    dynamics, limits = joint.dynamics or Dynamics(), joint.limits or NO_LIMITS
    is_floating, limit = joint.type is JointType.FLOATING, element.find_tag('limit')
    where = element if limit is None else limit
    if min(dynamics.damping, dynamics.friction) < 0 or is_floating and dynamics != Dynamics():
        yield loss('dynamics', Impact.CHANGES, element.find_tag('dynamics'),
                   'Damping or friction of {joint} that is negative, or of no axis, is left out')
    if joint.type.dof > 1 and limit is not None:
        yield loss('limit', Impact.IGNORES, limit, 'The limits of {joint} are left out, as it has '
                   'several degrees of freedom')
    if joint.type.dof == 1 and limits.lower == limits.upper:
        yield loss('limit', Impact.CHANGES, where, 'The limits of {joint} are equal, and become '
                   '{range:g} apart, as MuJoCo would not limit it', range=_LOCKED,
                   is_harmless=True)
    if joint.type.dof == 1 and not joint.mimic and limits.effort is not None and (
            ranges(joint)['effort'] is None):
        yield loss('limit', Impact.IGNORES, where, 'The effort of {joint} is not limited, because '
                   'its limit is {effort:g}', effort=limits.effort)


def with_mimic(tree: KinematicTree, names: Sequence[str], values: Array, offset: float = 1.0
               ) -> dict[str, float]:
    """
    Return positions or velocities by the name of the variable, also of mimic joints.

    :param names: of the variables of the tree.
    :param offset: 0 for velocities.
    """
    found = dict(zip(names, values.tolist()))
    for name, mimic in tree.mimic.items():
        found[name] = mimic.multiplier * found.get(mimic.joint, 0.0) + offset * mimic.offset
    return found


def joint_pose(bodies: Bodies, joint: Joint, positions: Mapping[str, float]) -> Array:
    """Return the pose that a floating joint has in the variables of MuJoCo, shape (4, 4)."""
    motion = pose_of(np.array([positions[name] for name in variable_names(joint)]))
    is_free = len(bodies.joints_of(joint)) == 1
    return np.asarray(joint.origin.matrix @ motion if is_free else motion)


def joint_positions(bodies: Bodies, joint: Joint, positions: Mapping[str, float]) -> list[float]:
    """Return the variables of MuJoCo of a joint."""
    if joint.type is not JointType.FLOATING:
        return [positions[name] for name in variable_names(joint)]
    pose = joint_pose(bodies, joint, positions)
    x, y, z, w = matrix_to_quaternion(pose[:3, :3]).tolist()
    return [*pose[:3, 3].tolist(), w, x, y, z]


def with_free_base(robot: Robot) -> Robot:
    """Return a robot whose root link a floating joint connects to the world."""
    name = unique('free', [each for joint in robot.joints.values()
                           for each in (joint.name, *variable_names(joint))])
    return replace(
        robot, root=FREE_BASE, links={FREE_BASE: Link(FREE_BASE), **robot.links},
        joints={name: Joint(name, JointType.FLOATING, FREE_BASE, robot.root), **robot.joints})


def moves_with_base(robot: Robot) -> bool:
    """Return whether the base has mass, or nothing of a robot: else its own joints move it."""
    above = welded(robot)
    massive = {above[name] for name, link in robot.links.items()
               if link.inertial is not None and link.inertial.mass > 0}
    return not massive or robot.root in massive


def with_changes(robot: Robot, bodies: Bodies) -> Robot:
    """Return a robot with the inertias that had to be changed."""
    return replace(robot, links={**robot.links, **{
        name: replace(robot.links[name], inertial=bodies.inertias[name])
        for name in bodies.changed}})


MINIMUM = 2e-15
"""Mass in kg and moments in kg m^2 of moving links without; MuJoCo refuses less than 1e-15."""

_NEGLIGIBLE = 1e-10
"""A change of moments, as a share of the largest, that the proof does not see."""


def body_inertia(link: Link, moves: bool, carries: bool, losses: Losses
                 ) -> tuple[Inertial, bool] | None:
    """
    Return the inertia that a link gets, along its principal axes, or None if it gets none.

    The moments obey the triangle inequality as MuJoCo checks it.

    :param moves: whether a joint moves the link.
    :param carries: whether there is mass in the link or below it.
    :param losses: gets what is changed.
    :return: with it, whether it is another one than that of the description, beyond rounding.
    """
    given, minimum = link.inertial or Inertial(0.0), MINIMUM if moves else 0.0
    moments, origin = np.diag(given.matrix), given.origin
    if given.ixy or given.ixz or given.iyz:
        found = SpatialInertia(0.0, np.zeros(3), given.matrix).principal()
        moments = found.moments
        origin = Pose(origin.xyz, tuple(
            matrix_to_quaternion(origin.rotation @ found.axes).tolist()))
    mass, allowed = max(given.mass, minimum), _allowed(moments, minimum)
    noise = _NEGLIGIBLE * float(np.abs(moments).max())
    change = float(np.abs(allowed - moments).max())
    where = link.element if given.element is None else given.element
    if mass != given.mass:
        is_needed = carries and given.mass >= 0
        losses.note('mass', Impact.CHANGES, where,
                    'The mass of {link} is {given:g} kg, and becomes {minimum:g} kg'
                    if given.mass < 0 else
                    '{link} gets {minimum:g} kg, as MuJoCo takes no moving body without mass'
                    if carries else
                    '{link} gets {minimum:g} kg, as nothing that its joint moves has mass',
                    hint='' if is_needed else 'Give it its mass and inertia', minimum=mass,
                    given=given.mass, is_harmless=is_needed)
    if change > noise and (given.mass > 0 or noise):
        is_little = change <= MINIMUM
        losses.note('inertia', Impact.CHANGES, where, 'The principal moments of {link}, {before}, '
                    'get {minimum:g} kg m^2, as MuJoCo takes no moving body with less'
                    if is_little else 'The principal moments of {link}, {before}, are not those '
                    'of a body, and become {after}', hint='' if is_little else
                    'Correct the inertia', is_harmless=is_little, minimum=MINIMUM,
                    before=_shown(moments), after=_shown(allowed))
    if not mass and not allowed.any():
        return None
    a, b, c = allowed.tolist()
    return (Inertial(mass, a, 0.0, 0.0, b, 0.0, c, origin),
            given.mass < 0 or change > max(noise, MINIMUM))


def _allowed(moments: Array, minimum: float) -> Array:
    """Return the nearest moments of at least so much that obey the triangle inequality."""
    order = np.argsort(moments)
    a, b, c = (rounded(max(each, minimum)) for each in moments[order].tolist())
    if c - a - b > _NEGLIGIBLE * c:
        excess = (c - a - b) / 3
        a, b = rounded(a + excess), rounded(b + excess)
    if c > a + b:
        c = rounded((a + b) * (1 - 1e-11))  # Rounding must not raise it above the sum.
    allowed = np.empty(3)
    allowed[order] = a, b, max(c, b)
    return allowed


def _shown(moments: Array) -> str:
    return ' '.join(f'{each:.4g}' for each in moments.tolist())
