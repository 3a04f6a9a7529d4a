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

from collections import Counter
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.model.robot import Inertial
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.source import Source
from urdf_tools.programs.usd.usd_files import UsdFiles
from urdf_tools.programs.usd.usd_reading import every
from urdf_tools.programs.usd.usd_reading import last
from urdf_tools.programs.usd.usd_reading import number
from urdf_tools.programs.usd.usd_reading import pose
from urdf_tools.programs.usd.usd_reading import shape_of
from urdf_tools.programs.usd.usd_reading import UsdJoint
from urdf_tools.programs.usd.usd_reading import UsdReading

_SIZES = {'sphere': ('radius',), 'cylinder': ('radius', 'length')}

MAX_DEPTH = 989
"""The longest chain of links for which Python recurses, give or take a few."""


@dataclass(frozen=True)
class Copy:
    """
    A link in the stage, where it is once below each of its parents.

    :param joint: the joint above it; None for the root.
    :param above: the position of its parent among the copies.
    :param depth: the number of links above it.
    """

    name: str
    joint: UsdJoint | None = None
    above: int = 0
    depth: int = 0


class UsdModel:
    """
    The rigid bodies and the joints that the converter writes.

    :ivar links: name of each link to its element.
    :ivar root: the name of the link from which it goes down; None if there is none.
    :ivar merged: each link that has only mass to the joint to its parent, which gets the mass.
    :ivar copies: the links in the stage, each after its parent.
    :ivar lost: the links below merged ones, of which nothing is written.
    :ivar apart: the links that no joint connects to the root.
    :ivar bodies: the names of the links that are rigid bodies.
    :ivar joints: those in the stage.
    """

    def __init__(self, source: Source, context: Context):
        self.reading = UsdReading(source.root, source.malformed)
        self.refusals: list[Loss] = self.reading.refusals
        self.links = self.reading.links
        self.files = UsdFiles(source.root, context)
        joints = self.reading.joints.values()
        self._below: dict[str, list[UsdJoint]] = {}
        for joint in joints:
            self._below.setdefault(joint.parent, []).append(joint)
        self._above = {joint.child: joint.parent for joint in joints}
        leaders = {joint.leader for joint in joints}
        # The child of a fixed joint that another one mimics is kept.
        self._led = {joint.child for joint in joints
                     if joint.name in leaders and joint.type == 'fixed'}
        self.root = self._find_root()
        self.merged = self._merged_links()
        self.copies: list[Copy] = []
        self._place()
        placed = dict.fromkeys(copy.name for copy in self.copies)
        self._check_sizes(placed)
        self.lost: set[str] = set()
        waiting = list(self.merged)
        while waiting:
            below = {joint.child for joint in self._below.get(waiting.pop(), ())}
            waiting += below - self.lost - placed.keys()
            self.lost |= below - placed.keys()
        self.apart = [link for name, link in self.links.items() if self.root is not None and not (
            name in placed or name in self.merged or name in self.lost)]
        self.bodies = {name: None for name in placed if not self._is_frame(name)}
        self.joints = [joint for joint in joints
                       if joint.child in self.bodies and joint.type != 'floating']
        self.moving = [joint for joint in self.joints if joint.is_moving]
        self._check_custom_attributes(placed)

    def _find_root(self) -> str | None:
        """Return the first parent that is no child, or the first link if there is no joint."""
        if {'structure', 'element', 'link', 'name'} & {each.of for each in self.refusals}:
            return None
        root = next((name for name in self._below or self.links if name not in self._above), None)
        if root is None:
            self._refuse([joint.element for joint in self.reading.joints.values()], 'Each parent '
                         'link is the child of a joint, so that none is the root', 'no root link')
        return root

    def _refuse(self, elements: Sequence[Element], template: str, brief: str) -> None:
        self.refusals.append(Loss(
            'structure', Impact.REFUSES, template, 'Remove one of these joints', {}, elements[0],
            others=tuple(elements[1:]), brief=brief))

    def _merged_links(self) -> dict[str, UsdJoint]:
        """Return the first link below each shape without mass that is fixed and has only mass."""
        dummies = {}
        for parent, joints in self._below.items():
            if not _has_shapes(self.links.get(parent)) or not _is_massless(self.links.get(parent)):
                continue
            for joint in joints:
                child = self.links.get(joint.child)
                if joint.type == 'fixed' and joint.child not in self._led and not (
                        _has_shapes(child) or _is_massless(child)):
                    dummies[joint.child] = joint
                    break
        return dummies

    def _place(self) -> None:
        """Go down from the root; a link with two parents is written below both."""
        waiting = [] if self.root is None else [Copy(self.root)]
        # With many parents it takes too long, and for a cycle it never ends.
        while waiting and len(self.copies) < 1000 + 10 * len(self.links):
            copy = waiting.pop()
            here = len(self.copies)
            self.copies.append(copy)
            if copy.depth >= MAX_DEPTH:
                break
            waiting += [Copy(joint.child, joint, here, copy.depth + 1)
                        for joint in reversed(self._below.get(copy.name, ()))
                        if joint.child not in self.merged]
        else:
            if not waiting:
                return
        self._refuse_path(self.copies[-1])

    def _refuse_path(self, copy: Copy) -> None:
        path: list[UsdJoint] = []
        seen: dict[str, int] = {}
        end = copy
        while copy.joint is not None and copy.name not in seen:
            seen[copy.name] = len(path)
            path.append(copy.joint)
            copy = self.copies[copy.above]
        if copy.name in seen:
            self._refuse([joint.element for joint in path[seen[copy.name]:]],
                         'Recurses endlessly, as joints below the root form a cycle',
                         'cycle of joints')
        elif end.depth >= MAX_DEPTH:
            self._refuse([path[0].element], f'More than {MAX_DEPTH} links are in one chain',
                         'too long chain of links')

    def _check_sizes(self, names: Iterable[str]) -> None:
        """Refuse shapes without a size, of the links in the stage."""
        for shape in (shape_of(owner) for name in names for owner in self.shapes(name)):
            missing = () if shape is None else tuple(
                name for name in _SIZES.get(shape.tag, ()) if name not in shape.attrib)
            if shape is not None and missing:
                self.reading.refuse(shape, '{element} has no {missing}', of='shape',
                                    missing=missing, brief='shape without size')

    def _check_custom_attributes(self, names: Iterable[str]) -> None:
        """Refuse attributes that USD cannot store under their names."""
        root = self.reading.root
        stored = {root, *every(root, 'material'), *(joint.element for joint in self.joints)}
        for name in names:
            stored |= {self.links[name], *(
                each for each in self.shapes(name) if self.files.is_written(shape_of(each)))}
        for element in root.iter():
            if element.parent in stored and element not in self.reading.known:
                stored.add(element)
            for name in element.attrib if element in stored else ():
                if not name.isidentifier() and not name.startswith('xmlns:'):
                    self.reading.refuse(
                        element, 'USD cannot store attribute {name} of {element}', of='attribute',
                        attribute=name, brief='name of an attribute', name=Name(name),
                        hint='Use letters, digits and underscores, and no prefix')

    def shapes(self, name: str) -> list[Element]:
        """Return the ``<visual>`` and ``<collision>`` elements of a link."""
        return [*every(self.links[name], 'visual'), *every(self.links[name], 'collision')]

    @property
    def is_fixed(self) -> bool:
        """Return whether a joint holds the robot to the world."""
        return self.root in self.bodies or any(
            self._body_above(joint) is None for joint in self.joints)

    def _body_above(self, joint: UsdJoint) -> str | None:
        """Return the closest rigid body above a joint; None for the world."""
        name: str | None = joint.parent
        for _ in self.links:
            if name is None or name in self.bodies or name == self.root:
                break
            name = self._above.get(name)
        return name if name in self.bodies else None

    def _is_frame(self, name: str) -> bool:
        link = self.links[name]
        if _has_shapes(link) or not _is_massless(link):
            return False
        return name == self.root or name not in self._led and any(
            joint.type == 'fixed' for joint in self._below[self._above[name]]
            if joint.child == name)

    @property
    def parts(self) -> Parts:
        """What is in the stage."""
        names = {joint.name for joint in self.joints}
        return Parts(
            links=sum(copy.name in self.bodies for copy in self.copies),
            moving_joints=len(self.moving), fixed_joints=len(self.joints) - len(self.moving),
            mimic=sum(joint.leader in names for joint in self.moving), body=self._body(),
            position_limits=sum(
                joint.type in ('revolute', 'prismatic') and all(
                    isfinite(number(last(joint.element, 'limit'), name))
                    for name in ('lower', 'upper')) for joint in self.moving),
            velocity_limits=sum(joint.type in ONE_DOF and last(joint.element, 'limit') is not None
                                for joint in self.moving),
            damping=self._count('damping'), friction=self._count('friction'),
            visuals=self._formats('visual'), collisions=self._formats('collision'))

    def _count(self, name: str) -> int:
        return sum(number(last(joint.element, 'dynamics'), name) != 0 for joint in self.moving)

    def _body(self) -> SpatialInertia:
        frames: list[Array] = []
        inertias: dict[str, SpatialInertia] = {}
        dummies = {joint.parent: joint for joint in self.merged.values()}
        for at, copy in enumerate(self.copies):
            frames.append(np.eye(4) if copy.joint is None else (
                frames[copy.above] @ pose(copy.joint.element).matrix))
            dummy = dummies.get(copy.name)
            inertia = inertia_of(self.links[copy.name] if dummy is None else (
                self.links[dummy.child]))
            if inertia is not None and copy.name in self.bodies:
                inertias[str(at)] = inertia if dummy is None else (
                    inertia.transformed(pose(dummy.element).matrix))
        return body_at_zero(inertias, {str(at): frame for at, frame in enumerate(frames)})

    def _formats(self, tag: str) -> dict[str, int]:
        found = Counter(
            suffix_of(shape.get('filename', '')) if shape.tag == 'mesh' else shape.tag
            for copy in self.copies for owner in every(self.links[copy.name], tag)
            if (shape := shape_of(owner)) is not None and not self.files.why_lost(shape))
        return dict(sorted(found.items()))


def _has_shapes(link: Element | None) -> bool:
    return bool(every(link, 'visual') or every(link, 'collision'))


def _is_massless(link: Element | None) -> bool:
    """Return whether a link has neither mass nor moments of inertia."""
    inertial = last(link, 'inertial')
    mass, inertia = last(inertial, 'mass'), last(inertial, 'inertia')
    return mass is None or not number(mass, 'value') > 0 and all(
        number(inertia, name) == 0 for name in ('ixx', 'iyy', 'izz'))


def inertia_of(link: Element) -> SpatialInertia | None:
    """Return the inertia of a link in its frame; None without one."""
    inertial = last(link, 'inertial')
    if inertial is None:
        return None
    ixx, ixy, ixz, iyy, iyz, izz = (number(last(inertial, 'inertia'), name) for name in (
        'ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'))
    return SpatialInertia.from_inertial(Inertial(
        number(last(inertial, 'mass'), 'value'), ixx, ixy, ixz, iyy, iyz, izz, pose(inertial)))
