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

"""
What urdf-usd-converter 0.3.4 makes of a robot, which importers of Newton and Isaac read.

Read in ``_impl/urdf_parser/parser.py`` (what it refuses), ``_impl/link_hierarchy.py`` (which links
become rigid bodies), ``_impl/link.py`` (masses and joints) and ``_impl/ros_package.py`` (files).
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.composite import link_inertia
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Capsule
from urdf_tools.model.robot import Collision
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Mesh
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import Visual
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.accounts import Option
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of

VERSION = '0.3.4'

SUFFIXES = ('.dae', '.obj', '.stl')
"""The formats of meshes that it reads."""

_NUMBERS: Mapping[str, tuple[str, ...]] = {
    'mass': ('value',), 'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'limit': ('lower', 'upper', 'effort', 'velocity'), 'mimic': ('multiplier', 'offset'),
    'dynamics': ('damping', 'friction'), 'calibration': (
        'reference_position', 'rising', 'falling'),
    'safety_controller': ('soft_lower_limit', 'soft_upper_limit', 'k_position', 'k_velocity')}
"""Attributes that have to be numbers, by the tags of their elements."""

_VECTORS = {'size': 3, 'xyz': 3, 'rpy': 3}
"""Attributes that have to be vectors in each element, also of other languages."""

_VECTORS_IN = {('mesh', 'scale'): 3, ('color', 'rgba'): 4}
_UNREAD = {'transmission': 'transmission', 'ros2_control': 'interface', 'gazebo': 'element'}


def account(robot: Robot, context: Context) -> Account:
    """Return what becomes of a robot in USD, as the converter writes it."""
    model = UsdModel(robot, context)
    return Account(
        'usd', VERSION, parts_of(robot), model.parts, tuple(refusals(robot)),
        'fixed' if model.is_fixed else 'free', len(robot.links) - len(model.bodies),
        tuple(model.losses()), (
            Option('--package NAME=PATH', 'says where the files of a package are'),))


class UsdModel:
    """
    The rigid bodies and the joints that the converter writes.

    :ivar bodies: the links that are rigid bodies; the others are frames in them.
    :ivar merged: name of each link that has only mass to that of its parent, which gets the mass.
    :ivar lost: the links below these, of which nothing is written.
    """

    def __init__(self, robot: Robot, context: Context):
        self.robot = robot
        self.files = _Files(robot, context)
        # The child of a joint that another one mimics is kept, also if that joint is fixed.
        mimics = () if robot.element is None else robot.element.iterfind('joint/mimic')
        self._led = {joint.child for element in mimics
                     if (joint := robot.joints.get(element.get('joint', '')))}
        self.merged = self._merged_links()
        self.lost: set[str] = set()
        for joint in robot.tree:
            if joint.parent in self.merged or joint.parent in self.lost:
                self.lost.add(joint.child)
        self.bodies = [link for link in robot.links.values() if not (
            self._is_frame(link) or link.name in self.merged or link.name in self.lost)]
        self._names = {link.name for link in self.bodies}
        self.joints = [joint for joint in robot.joints.values()
                       if joint.child in self._names and joint.type is not JointType.FLOATING]

    def _merged_links(self) -> dict[str, str]:
        """Return the first link below each shape without mass that is fixed and has only mass."""
        merged: dict[str, str] = {}
        for joint in self.robot.joints.values():
            parent, child = self.robot.links[joint.parent], self.robot.links[joint.child]
            if (joint.type is JointType.FIXED and joint.child not in self._led
                    and joint.parent not in merged.values()
                    and _is_massless(parent) and _has_shapes(parent)
                    and not _is_massless(child) and not _has_shapes(child)):
                merged[joint.child] = joint.parent
        return merged

    @property
    def is_fixed(self) -> bool:
        """Return whether a joint holds the robot to the world."""
        return self.robot.root in self._names or any(
            self._body_above(joint) is None for joint in self.joints)

    def _body_above(self, joint: Joint) -> str | None:
        """Return the closest rigid body above a joint; None for the world."""
        name: str | None = joint.parent
        while name is not None and name not in self._names:
            above = self.robot.parent_joint.get(name)
            name = None if above is None else above.parent
        return name

    def _is_frame(self, link: Link) -> bool:
        joint = self.robot.parent_joint.get(link.name)
        if _has_shapes(link) or not _is_massless(link):
            return False
        return joint is None or joint.type is JointType.FIXED and link.name not in self._led

    @cached_property
    def moving(self) -> list[Joint]:
        """The joints that move."""
        return [joint for joint in self.joints if joint.type.dof]

    @property
    def parts(self) -> Parts:
        """What is in the stage."""
        known = {joint.name for joint in self.joints}
        limited = [joint for joint in self.moving if joint.type in (
            JointType.REVOLUTE, JointType.PRISMATIC)]
        counts: dict[str, Any] = joint_parts(self.moving)
        return replace(
            Parts(**counts), links=len(self.bodies),
            moving_joints=len(self.moving), fixed_joints=len(self.joints) - len(self.moving),
            mimic=sum(joint.mimic is not None and joint.mimic.joint in known
                      for joint in self.moving),
            body=body_at_zero(self.robot, {
                name: inertia for name in (*self._names, *self.merged)
                if (inertia := link_inertia(self.robot.links[name]))}),
            position_limits=len(limited), effort_limits=0,
            velocity_limits=sum(
                joint.limits is not None and joint.type is not JointType.PLANAR
                for joint in self.moving),
            visuals=self._formats('visuals'), collisions=self._formats('collisions'))

    def _formats(self, name: str) -> Mapping[str, int]:
        return formats(
            shape.geometry for link in self.robot.links.values() if link.name not in self.lost
            for shape in getattr(link, name) if self.files.has(shape))

    def _shapes(self, name: str) -> Iterator[Visual | Collision]:
        for link in self.robot.links.values():
            yield from getattr(link, name)

    def losses(self) -> Iterator[Loss]:
        """Yield what is lost or changed."""
        if self.robot.root in {link.name for link in self.bodies}:
            root = self.robot.links[self.robot.root]
            yield loss('base', Impact.CHANGES, root.element, 'Fixes {link} to the world',
                       hint='For a mobile robot, remove the joint root_joint from the stage',
                       link=root.element)
        yield from self._losses_of_links()
        yield from self._losses_of_joints()
        for name, of in (('visuals', 'visual'), ('collisions', 'collision')):
            for shape in self._shapes(name):
                reason = self.files.why_lost(shape)
                if reason:
                    yield loss(of, Impact.DROPS, shape.element, f'Drops a {of}: {reason[0]}',
                               hint=reason[1], **self.files.arguments(shape))
                elif name == 'collisions' and isinstance(shape.geometry, Mesh):
                    yield loss(of, Impact.CHANGES, shape.element,
                               'Replaces the mesh of a collision by its convex hull',
                               hint='Set physics:approximation in the stage for another shape')
        for element in self.robot.element if self.robot.element is not None else ():
            if element.tag in _UNREAD:
                yield loss(_UNREAD[element.tag], Impact.IGNORES, element,
                           'Keeps <{tag}> as custom attributes, which nothing reads',
                           tag=element.tag)

    def _losses_of_links(self) -> Iterator[Loss]:
        for name in sorted(self.lost):
            link = self.robot.links[name]
            yield loss(
                'link', Impact.DROPS, link.element, 'Drops {link}, which is below a link with '
                'only an <inertial>', hint='Write the <inertial> into the link with the shapes',
                mass=link.inertial.mass if link.inertial else 0.0, link=link.element)
        for link in self.bodies:
            inertia = link_inertia(link)
            if link.name in self.merged.values():
                continue
            if inertia is None or inertia.mass <= 0:
                yield loss(
                    'mass', Impact.CHANGES, link.element,
                    '{link} has no mass, and a simulator computes one from its collision shapes',
                    hint='Write an <inertial> with a mass', link=link.element)
            elif link.collisions and link.inertial and link.inertial.element is not None and (
                    link.inertial.element.find('origin') is None):
                yield loss(
                    'inertia', Impact.CHANGES, link.inertial.element,
                    'Writes no centre of mass for {link}, and a simulator computes it from its '
                    'collision shapes', hint='Write <origin xyz="0 0 0"/> into the <inertial>',
                    link=link.element)

    def _losses_of_joints(self) -> Iterator[Loss]:
        kept = {joint.name for joint in self.joints}
        for joint in self.robot.joints.values():
            if joint.type is JointType.FLOATING:
                yield loss('joint', Impact.CHANGES, joint.element,
                           '{joint} is floating, for which it writes no joint: its child moves '
                           'freely', joint=joint.element)
            if joint.name not in kept or not joint.type.dof:
                continue
            if joint.mimic is not None and joint.mimic.joint not in kept:
                yield loss('mimic', Impact.DROPS, joint.element, '{joint} follows no joint, since '
                           '{leader} is none in the stage', joint=joint.element,
                           leader=Name(joint.mimic.joint))
            limits = joint.limits
            if limits is None and joint.type in (JointType.REVOLUTE, JointType.PRISMATIC):
                yield loss('limit', Impact.CHANGES, joint.element,
                           'Locks {joint}, which has no <limit>, at zero',
                           hint='Write a <limit>', joint=joint.element)
            elif limits is not None and limits.velocity is None:
                yield loss('limit', Impact.CHANGES, joint.element,
                           'Limits the velocity of {joint} to zero, since <limit> has none',
                           hint='Write velocity="..."', joint=joint.element)
            if limits is not None and limits.effort:
                yield loss('limit', Impact.IGNORES, joint.element,
                           'Keeps the effort limit of {joint} as a custom attribute, which '
                           'simulators do not read', hint='Set the maximum force of the drive in '
                           'the stage', joint=joint.element)


def _has_shapes(link: Link) -> bool:
    return link.element is not None and (
        link.element.find('visual') is not None or link.element.find('collision') is not None)


def _is_massless(link: Link) -> bool:
    """Return whether a link has neither mass nor moments of inertia."""
    inertial = link.inertial
    return inertial is None or inertial.mass <= 0 and not (
        inertial.ixx or inertial.iyy or inertial.izz)


class _Files:
    """The files of meshes, where the converter looks for them."""

    def __init__(self, robot: Robot, context: Context):
        self._folder = None if context.file is None else context.file.absolute().parent
        self._packages: dict[str, Path] = {}
        shapes: list[Visual | Collision] = []
        for link in robot.links.values():
            shapes += (*link.visuals, *link.collisions)
        names = [shape.geometry.filename for shape in shapes if isinstance(shape.geometry, Mesh)]
        for name in names if self._folder is not None else ():
            package, path = _in_package(name)
            folder = next((each for each in (self._folder, *self._folder.parents)
                           if path and (each / path).exists()), None) if self._folder else None
            if package not in self._packages and folder is not None:
                self._packages[package] = folder

    def has(self, shape: Visual | Collision) -> bool:
        """Return whether a shape is in the stage."""
        return not self.why_lost(shape)

    def arguments(self, shape: Visual | Collision) -> dict[str, Any]:
        """Return what the message about a shape is filled in with."""
        return {'file': Name(shape.geometry.filename)} if isinstance(shape.geometry, Mesh) else {}

    def why_lost(self, shape: Visual | Collision) -> tuple[str, str] | None:
        """Return templates that say why a shape is lost, and what to do, or None."""
        if isinstance(shape.geometry, Capsule):
            return 'it does not know <capsule>', 'Use a cylinder and two spheres'
        if not isinstance(shape.geometry, Mesh):
            return None
        name = shape.geometry.filename
        scheme = urlsplit(name).scheme if '://' in name else ''
        if scheme not in ('', 'file', 'package'):
            return '{file} is a URI of another kind', 'Write package://PACKAGE/PATH'
        path = self._path(name)
        if path is not None and not path.is_file():
            return '{file} is not found', (
                'Name the package with --package, or put the file below a folder of the '
                'description' if scheme == 'package' else 'Give the file')
        if PurePosixPath(name).suffix.lower() not in SUFFIXES:
            return '{file} is no .dae, .obj or .stl file', 'Convert it to .obj or .dae'
        return None

    def _path(self, name: str) -> Path | None:
        """Return where it looks for a file, or None if that is not known."""
        if self._folder is None:
            return None
        if name.startswith('package://'):
            package, path = _in_package(name)
            return self._packages.get(package, self._folder) / path
        if name.startswith('file:///'):
            return Path('/', name.removeprefix('file:///'))
        return self._folder / name.removeprefix('file://')


def _in_package(name: str) -> tuple[str, str]:
    """Return the package of a file and its path in it; empty if it is in none."""
    package, _, path = name.removeprefix('package://').partition('/')
    return (package, path.lstrip('/')) if name.startswith('package://') else ('', '')


def refusals(robot: Robot) -> Iterator[Loss]:
    """Yield why the converter refuses a description."""
    root = robot.element
    assert root is not None, 'robots of a description have elements'
    for element in root.iter():
        yield from _unreadable(element)
    for element in (root, *root.iterfind('material')):
        if not element.get('name'):
            yield refusal(element, 'A <{tag}> of the robot has no name', tag=element.tag,
                          hint='Write name="..."')
    for tag in ('link', 'joint', 'material'):
        seen = set()
        for element in root.iterfind(tag):
            if element.get('name') in seen:
                yield refusal(element, 'Another {tag} has the name {name}', tag=tag,
                              name=Name(element.get('name', '')), hint='Rename one of them')
            seen.add(element.get('name'))
    for joint in root.iterfind('joint'):
        axis, mimic = joint.find('axis'), joint.find('mimic')
        if joint.get('type') != 'fixed' and axis is not None and axis.get('xyz') and (
                set(_floats(axis.get('xyz', ''))) == {0.0}):
            yield refusal(axis, 'The axis of {joint} is zero', joint=joint,
                          hint='Write a unit vector')
        if mimic is not None and mimic.get('joint') not in robot.joints:
            yield refusal(mimic, '{joint} mimics {leader}, which does not exist', joint=joint,
                          leader=Name(mimic.get('joint', '')), hint='Name a joint of this robot')


def _unreadable(element: Element) -> Iterator[Loss]:
    """Yield the attributes that are no numbers; those of other languages are read, too."""
    is_shape = element.parent is not None and element.parent.tag == 'geometry'
    if is_shape and element.tag in ('sphere', 'cylinder'):
        for attribute in ('radius', 'length')[:1 + (element.tag == 'cylinder')]:
            if attribute not in element.attrib:
                yield refusal(element, 'A {tag} has no {attribute}', tag=element.tag,
                              attribute=attribute, hint='Write {attribute}="..."')
    vectors = {**_VECTORS, **{
        name: size for (tag, name), size in _VECTORS_IN.items() if tag == element.tag}}
    names = ('radius', 'length', *vectors, *_NUMBERS.get(element.tag, ()))
    for name in names:
        text = element.get(name)
        if text is not None and len(_floats(text)) != vectors.get(name, 1):
            yield refusal(
                element, 'It reads {attribute}={text} of each element as {n:number}',
                attribute=name, text=Name(text), n=vectors.get(name, 1),
                hint='Write numbers with a decimal point, separated by spaces')


def _floats(text: str) -> list[float]:
    """Return the numbers of a text; none if one of them is no number in Python."""
    read: Callable[[str], float] = float
    try:
        return [read(part) for part in text.split()]
    except ValueError:
        return []
