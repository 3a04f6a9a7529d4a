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

"""What urdf-usd-converter writes (``_impl/link_hierarchy.py``, ``_impl/link.py``)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.composite import link_inertia
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.model.element import Element
from urdf_tools.model.element_reader import ElementReader
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual
from urdf_tools.model.values import URDF_VERSIONS
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import loss
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.robot_parts import joint_parts
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.usd.usd_files import MeshFiles

_UNREAD = {'transmission': 'transmission', 'ros2_control': 'interface', 'gazebo': 'element'}


class UsdModel:
    """
    The rigid bodies and the joints that the converter writes.

    :ivar bodies: the links that are rigid bodies; the others are frames in them.
    :ivar merged: name of each link that has only mass to that of its parent, which gets the mass.
    :ivar lost: the links below these, of which nothing is written.
    """

    def __init__(self, robot: Robot, context: Context):
        self.robot = robot
        self.files = MeshFiles(robot, context)
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
            mimic=sum(_leader(joint) in known for joint in self.moving),
            body=body_at_zero({
                name: inertia for name in (*self._names, *self.merged)
                if (inertia := inertia_of(self.robot.links[name]))}, link_frames(self.robot)),
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
            inertia = inertia_of(link)
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
            leader = _leader(joint)
            if leader and leader not in kept:
                yield loss('mimic', Impact.DROPS, joint.element, '{joint} follows no joint, since '
                           '{leader} is none in the stage', joint=joint.element,
                           leader=Name(leader))
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


def _leader(joint: Joint) -> str:
    """Return the joint that a joint mimics, also if it cannot follow it; or an empty string."""
    mimic = None if joint.element is None else joint.element.find('mimic')
    return '' if mimic is None else mimic.get('joint', '')


def _has_shapes(link: Link) -> bool:
    return link.element is not None and (
        link.element.find('visual') is not None or link.element.find('collision') is not None)


def _is_massless(link: Link) -> bool:
    """Return whether a link has neither mass nor moments of inertia."""
    inertia = inertia_of(link)
    return inertia is None or inertia.mass <= 0 and not inertia.rotational.any()


def inertia_of(link: Link) -> SpatialInertia | None:
    """Return the inertia of a link, in which missing attributes are zero; None without a mass."""
    element = None if link.element is None else link.element.find('inertial')
    if link.inertial is not None or element is None or element.find('mass') is None:
        return link_inertia(link)
    try:
        origin = ElementReader(URDF_VERSIONS[0]).origin(element)
        mass = _number(element.find('mass'), 'value')
        ixx, iyy, izz, ixy, ixz, iyz = (
            _number(element.find('inertia'), name)
            for name in ('ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'))
    except (DescriptionError, ValueError):
        # The converter refuses the description.
        return None
    return SpatialInertia.from_inertial(
        Inertial(mass, ixx, ixy, ixz, iyy, iyz, izz, origin, element))


def _number(element: Element | None, name: str) -> float:
    return 0.0 if element is None else float(element.get(name, '0'))
