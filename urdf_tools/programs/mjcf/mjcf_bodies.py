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

from collections import defaultdict
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from math import isfinite
from typing import Any
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.geometry.shapes.solid_shapes import Hull
from urdf_tools.geometry.shapes.solid_shapes import Shell
from urdf_tools.geometry.shapes.solid_shapes import Solid
from urdf_tools.kinematics.joint_transforms import in_tree
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import element_of
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Geometry
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Sphere
from urdf_tools.model.shape_records import Visual
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mjcf.mjcf_assets import Assets
from urdf_tools.programs.mjcf.mjcf_inertia import body_inertia
from urdf_tools.programs.mjcf.mjcf_inertia import BodyInertia
from urdf_tools.programs.mjcf.mjcf_inertia import LEAST
from urdf_tools.programs.mjcf.mjcf_xml import add
from urdf_tools.programs.mjcf.mjcf_xml import pose
from urdf_tools.programs.mjcf.mjcf_xml import unique

_MOST_LEVELS = 490
"""Links one below another, of which MuJoCo's parser takes no more than 500 elements."""

_LOCKED = 1e-10
"""The range in rad or m of a joint whose limits are equal."""

_UNLIMITED = 1e10
"""The largest number of MuJoCo, for a limit that is infinite where the other one is not."""


class Bodies:
    """
    The bodies of a robot, decided before they are written.

    :ivar names: name of each link to that of its body.
    :ivar inertias: what links get, of those that get any.
    :ivar static: the links that no joint moves.
    :ivar kept: the shapes that are written, once they are.
    :ivar nodes: the body of each link, once it is written.
    """

    def __init__(self, robot: Robot, is_free: bool, losses: list[Loss]):
        self.robot, self.is_free, self._losses = robot, is_free, losses
        self.children: defaultdict[str, list[Joint]] = defaultdict(list)
        self.levels = {robot.root: 1}
        self.static = set() if is_free else {robot.root}
        for joint in robot.tree:
            self.children[joint.parent].append(joint)
            self.levels[joint.child] = self.levels[joint.parent] + 1
            if joint.type is JointType.FIXED and joint.parent in self.static:
                self.static.add(joint.child)
        self.names = {name: name for name in robot.links}
        self._rename_world()
        self.inertias = dict(self._inertias())
        self.kept: list[Visual | Collision | Solid] = []
        self.nodes: dict[str, Node] = {}
        self._geoms: set[str] = set()
        losses += self._noted()

    @property
    def is_world(self) -> bool:
        """Whether the root link is MuJoCo's world body."""
        return self.names[self.robot.root] == WORLD

    def _rename_world(self) -> None:
        """Give a link ``world`` another name, unless it can be the world itself."""
        link = self.robot.links.get(WORLD)
        if link is None or link.name == self.robot.root and (
                link.inertial is None and not self.is_free):
            return
        self.names[WORLD] = unique('world_link', self.names)
        self._losses.append(loss(
            'name', Impact.CHANGES, link.element, '{link} is called {new}, as the world of MuJoCo '
            'has that name', attribute='name', new=Name(self.names[WORLD]), is_harmless=True))

    def _inertias(self) -> Iterator[tuple[str, BodyInertia]]:
        joints = self.robot.parent_joint
        carrying = {name for name, link in self.robot.links.items()
                    if link.inertial is not None and link.inertial.mass > 0}
        for joint in reversed(self.robot.tree):
            if joint.child in carrying:
                carrying.add(joint.parent)
        massive = self._with_own_mass()
        for name, link in self.robot.links.items():
            moves = joints[name].type.dof > 0 if name in joints else self.is_free
            found = body_inertia(link, moves and name not in massive, name in carrying,
                                 self._losses)
            if found is not None:
                yield name, found

    def _with_own_mass(self) -> set[str]:
        """Return links that move as one with a link of enough mass, themselves or fixed to it."""
        found = {name for name, link in self.robot.links.items() if (
            link.inertial is not None and link.inertial.mass > LEAST
            and (np.linalg.eigvalsh(link.inertial.matrix) > LEAST).all())}
        for joint in reversed(self.robot.tree):
            if joint.child in found and joint.type is JointType.FIXED:
                found.add(joint.parent)
        return found

    def moving_as_one(self, link: str) -> list[str]:
        """Return a link and those that are fixed to it, below it."""
        found = [link]
        for each in found:
            found += [joint.child for joint in self.children[each]
                      if joint.type is JointType.FIXED]
        return found

    def causes(self) -> Iterator[Loss]:
        """Yield why there is no model of the robot."""
        deepest = max(self.levels, key=lambda name: self.levels[name])
        if self.levels[deepest] > _MOST_LEVELS:
            yield refusal(self.robot.links[deepest].element, '{link} is {levels} links below the '
                          'root, and MuJoCo takes no more than {most}', of='structure',
                          levels=self.levels[deepest], most=_MOST_LEVELS)
        for joint in self.robot.tree:
            if joint.type.dof in (1, 3) and not any(joint.axis):
                yield refusal(element_of(joint), '{joint} has a zero axis', of='axis',
                              hint='Write the direction of the axis')
        taken: set[str] = set()
        for joint in self.robot.tree:
            names = {str(given['name']) for _, given in self.joints_of(joint.child)}
            if names & taken:
                yield refusal(element_of(joint), 'A joint of MuJoCo that {joint} becomes has the '
                              'name {taken} of another one', of='name',
                              hint='Rename it', taken=Name(min(names & taken)))
            taken |= names
        for link in self.robot.links.values():
            if link.inertial is not None and not (
                    np.abs([link.inertial.mass, *link.inertial.origin.xyz,
                            *link.inertial.matrix.ravel()]) < _UNLIMITED).all():
                yield refusal(link.element, 'The mass or inertia of {link} is larger than MuJoCo '
                              'takes', of='inertia', hint='Correct it')

    def _noted(self) -> Iterator[Loss]:
        for joint in self.robot.joints.values():
            if not in_tree(self.robot, joint):
                yield loss('joint', Impact.DROPS, joint.element, '{joint} is a second parent of '
                           'its child, and left out', hint='Write a loop')
        for joint in self.robot.tree:
            yield from _joint_losses(joint)

    def write(self, world: Node, assets: Assets, model: str,
              solids: Mapping[str, Sequence[Solid]] | None) -> None:
        """
        Append the bodies to the world.

        :param model: the class of defaults.
        :param solids: the collision shapes of links instead of those that they have.
        """
        root = self.robot.root
        if self.is_world:
            self.nodes[root] = world
        else:
            self.nodes[root] = add(world, 'body', {
                'name': self.names[root], 'childclass': model})
        pending = [self.robot.links[root]]
        while pending:
            link = pending.pop()
            self._write_link(link, assets, solids)
            for joint in self.children[link.name]:
                parent = self.nodes[link.name]
                self.nodes[joint.child] = add(parent, 'body', {
                    'name': self.names[joint.child],
                    'childclass': model if parent is world else None, **pose(joint.origin)})
            pending += [self.robot.links[joint.child]
                        for joint in reversed(self.children[link.name])]

    def joints_of(self, link: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield tag and attributes of the joints of MuJoCo that move a link."""
        if link != self.robot.root:
            joint = self.robot.parent_joint[link]
            yield from _mjcf_joints(joint, self.is_world and joint.parent == self.robot.root)
        elif self.is_free:
            yield 'freejoint', {'name': self.free_joint}

    @property
    def free_joint(self) -> str:
        """The name of the joint of a free base."""
        return unique('free', [name for joint in self.robot.tree
                               for name in (joint.name, *variable_names(joint))])

    def _write_link(self, link: Link, assets: Assets,
                    solids: Mapping[str, Sequence[Solid]] | None) -> None:
        body, inertia = self.nodes[link.name], self.inertias.get(link.name)
        if inertia is not None:
            add(body, 'inertial', {
                'mass': [inertia.mass], **pose(inertia.frame), 'pos': inertia.frame.xyz,
                'diaginertia': inertia.moments})
        for tag, attributes in self.joints_of(link.name):
            add(body, tag, attributes)
        for visual in link.visuals:
            self._write_shape(body, visual, visual.origin, assets, assets.material(visual))
        if solids is None or link.name not in solids:
            for collision in link.collisions:
                self._write_shape(body, collision, collision.origin, assets, None)
            return
        self._losses.append(loss(
            'collision', Impact.CHANGES, link.element, 'The {before} collision shapes of {link} '
            'become {after}, fitted to its visual shapes', before=len(link.collisions),
            after=len(solids[link.name]), is_harmless=True))
        for solid in solids[link.name]:
            self._write_solid(body, link, solid, assets)

    def _write_shape(self, body: Node, shape: Visual | Collision, origin: Pose, assets: Assets,
                     material: str | None) -> None:
        attributes: dict[str, Any] = {
            'class': 'visual' if isinstance(shape, Visual) else 'collision'}
        if isinstance(shape.geometry, Mesh):
            attributes['mesh'] = assets.mesh(shape)
            if attributes['mesh'] is None:
                return
        else:
            attributes |= _size(shape.geometry)
            if not all(each > 0 for each in attributes['size']):
                self._losses.append(loss(
                    'shape', Impact.DROPS, shape.element, 'A {tag} of {link} is left out, as its '
                    'size is not positive'))
                return
        self.kept.append(shape)
        name = unique(shape.name, self._geoms) if shape.name else None
        self._geoms |= {name} if name else set()
        add(body, 'geom', {'name': name, **attributes, **pose(origin), 'material': material})

    def _write_solid(self, body: Node, link: Link, solid: Solid, assets: Assets) -> None:
        self.kept.append(solid)
        if isinstance(solid.shape, (Hull, Shell)):
            name = assets.file(f'{link.name}_{solid.kind}', solid.shape.surface.triangles)
            add(body, 'geom', {'class': 'collision', 'mesh': name})
            return
        quaternion = tuple(matrix_to_quaternion(solid.rotation).tolist())
        origin = Pose(tuple(solid.centre.tolist()), quaternion)
        add(body, 'geom', {'class': 'collision', **_size(solid.shape), **pose(origin)})


def _size(shape: Geometry) -> dict[str, Any]:
    """Return type and size of a shape that is no mesh."""
    assert not isinstance(shape, Mesh)
    size = [each / 2 for each in shape.size] if isinstance(shape, Box) else [shape.radius]
    if not isinstance(shape, (Box, Sphere)):
        size.append(shape.length / 2)
    return {'type': type(shape).__name__.lower(), 'size': size}


def _mjcf_joints(joint: Joint, is_top: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """
    Yield tag and attributes of the joints of MuJoCo that a joint becomes.

    :param is_top: whether its parent is the world, so that it can be a free joint.
    """
    names = variable_names(joint)
    if joint.type is JointType.PLANAR:
        x, y, z = rotation_from_z(joint.axis).T
        for name, kind, axis in zip(names, ('slide', 'slide', 'hinge'), (x, y, z)):
            yield 'joint', {'name': name, 'type': kind, 'axis': axis, **_dynamics(joint)}
    elif joint.type is JointType.FLOATING and is_top:
        yield 'freejoint', {'name': joint.name}
    elif joint.type is JointType.FLOATING:
        for name, axis in zip(names, np.eye(3)):
            yield 'joint', {'name': name, 'type': 'slide', 'axis': axis, **_dynamics(joint)}
        yield 'joint', {'name': f'{joint.name}/rot', 'type': 'ball', **_dynamics(joint)}
    elif joint.type is not JointType.FIXED:
        is_slide = joint.type is JointType.PRISMATIC
        yield 'joint', {'name': joint.name, 'type': 'slide' if is_slide else None,
                        'axis': None if joint.axis == (0.0, 0.0, 1.0) else joint.axis,
                        'range': position_range(joint), **_dynamics(joint)}


def position_range(joint: Joint) -> tuple[float, float] | None:
    """Return the limits of a joint as MuJoCo takes them, or None if there are none."""
    if joint.limits is None or not (isfinite(joint.limits.lower) or isfinite(joint.limits.upper)):
        return None
    lower, upper = (float(np.clip(each, -_UNLIMITED, _UNLIMITED))
                    for each in (joint.limits.lower, joint.limits.upper))
    return (lower, upper) if lower < upper else (lower, lower + _LOCKED)


def effort_range(joint: Joint) -> tuple[float, float] | None:
    """Return the efforts between which a joint is limited, or None."""
    effort = joint.limits.effort if joint.limits is not None else None
    return (-effort, effort) if effort and 0 < effort < inf else None


def _dynamics(joint: Joint) -> dict[str, Any]:
    """Return the attributes of damping and friction; what is negative, MuJoCo does not take."""
    given = joint.dynamics
    return {} if given is None else {
        name: [value] if value > 0 else None
        for name, value in (('damping', given.damping), ('frictionloss', given.friction))}


def _joint_losses(joint: Joint) -> Iterator[Loss]:
    element = element_of(joint)
    dynamics, limits = joint.dynamics, joint.limits
    if dynamics is not None and min(dynamics.damping, dynamics.friction) < 0:
        yield loss('dynamics', Impact.CHANGES, element.find_tag('dynamics'),
                   'Negative damping or friction of {joint} is left out')
    if joint.type is JointType.FLOATING and dynamics is not None and (
            dynamics.damping or dynamics.friction):
        yield loss('dynamics', Impact.CHANGES, element.find_tag('dynamics'),
                   'Damping and friction of {joint} are not those of one axis')
    where = element.find_tag('limit')
    if joint.type.dof > 1 and where is not None:
        yield loss('limit', Impact.IGNORES, where, 'The limits of {joint} are left out, as it has '
                   'several degrees of freedom')
    if joint.type.dof != 1 or limits is None:
        return
    where = element if where is None else where
    if limits.lower == limits.upper:
        yield loss('limit', Impact.CHANGES, where, 'The limits of {joint} are equal, and become '
                   '{range:g} apart, as MuJoCo would not limit it', range=_LOCKED,
                   is_harmless=True)
    if limits.effort is not None and effort_range(joint) is None and joint.mimic is None:
        yield loss('limit', Impact.IGNORES, where, 'The effort of {joint} is not limited, because '
                   'its limit is {effort:g}', effort=limits.effort)


def with_changes(robot: Robot, inertias: Mapping[str, BodyInertia]) -> Robot:
    """Return a robot with the inertias that had to be changed."""
    changed = {name: each for name, each in inertias.items() if each.is_changed}
    return robot if not changed else replace(robot, links={
        name: replace(link, inertial=changed[name].record) if name in changed else link
        for name, link in robot.links.items()})


def adjacent(bodies: Bodies, solid: Collection[str]) -> Iterator[tuple[str, str, Joint]]:
    """
    Yield the pairs of links at a joint of the base that collide in MuJoCo, with the joint.

    It leaves out a body and its parent, but not if the parent is fixed to the world.

    :param solid: the links that have collision shapes.
    """
    for joint in bodies.robot.tree:
        still: str | None = joint.parent
        if joint.child in bodies.static or joint.parent not in bodies.static:
            continue
        while still is not None and still not in solid:
            above = bodies.robot.parent_joint.get(still) if still != bodies.robot.root else None
            still = None if above is None else above.parent
        for moved in bodies.moving_as_one(joint.child):
            if still is not None and moved in solid:
                yield still, moved, joint
