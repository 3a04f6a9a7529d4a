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

from math import radians
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.records import INERTIA
from urdf_tools.model.robot import Inertial
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.importers import formats_written
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.programs.usd.reading import every
from urdf_tools.programs.usd.reading import last
from urdf_tools.programs.usd.reading import number
from urdf_tools.programs.usd.reading import pose
from urdf_tools.programs.usd.reading import shape_of
from urdf_tools.programs.usd.reading import UsdReading
from urdf_tools.types import Array

_SINGLE = float(np.finfo(np.float32).max)
_LARGEST = {'prismatic': _SINGLE, 'revolute': radians(_SINGLE)}
"""Types of joints to the largest limit in m or rad that the stage holds, in single precision."""


class Copy(NamedTuple):
    """
    A link in the stage, where it appears once below each of its parents.

    :param joint: the joint above it; None for the root.
    :param above: the position of its parent among the copies.
    """

    name: str
    joint: ReadJoint | None = None
    above: int = 0


class UsdModel(UsdReading):
    """
    The rigid bodies and the joints that the converter writes.

    :ivar top: the name of the link where traversal starts; None if there is none.
    :ivar merged: each link that has only mass to the joint to its parent, which gets the mass.
    :ivar copies: the links in the stage, each after its parent.
    :ivar apart: the links that no joint connects to the root, or that are below merged ones.
    :ivar bodies: the names of the links that are rigid bodies.
    :ivar kept: name of each joint in the stage to the joint.
    :ivar moving: those of them that move.
    """

    def __init__(self, source: Source, context: Context):
        super().__init__(source.root, source.malformed)
        self.files = UsdFiles(context)
        joints = self.joints.values()
        self._below = grouped((joint.parent, joint) for joint in joints)
        self._above = {joint.child: joint.parent for joint in joints}
        self._fixed = {(joint.parent, joint.child) for joint in joints if joint.type == 'fixed'}
        leaders = {joint.leader for joint in joints}
        # The child of a fixed joint that another one mimics is kept.
        self._led = {joint.child for joint in joints
                     if joint.name in leaders and joint.type == 'fixed'}
        self.top = self._find_root()
        self.merged = self._merged_links()
        self.copies = [] if self.top is None else [Copy(self.top)]
        self._place()
        placed = dict.fromkeys(copy.name for copy in self.copies)
        self.apart = [link for name, link in self.links.items() if self.top is not None and (
            name not in placed and name not in self.merged)]
        self.bodies = {name: None for name in placed if not self._is_frame(name)}
        self.kept = {joint.name: joint for joint in joints
                     if joint.child in self.bodies and joint.type != 'floating'}
        self.moving = [joint for joint in self.kept.values() if joint.is_moving]

    def _find_root(self) -> str | None:
        """Return the first parent that is not a child, or the first link if there is no joint."""
        if {'structure', 'element', 'link', 'name'} & {each.of for each in self.refusals}:
            return None
        root = next((name for name in self._below or self.links if name not in self._above), None)
        if root is None:
            self.refuse([joint.element for joint in self.joints.values()],
                        'Each parent link is the child of a joint, so that none is the root')
        return root

    def _merged_links(self) -> dict[str, ReadJoint]:
        """Return the first link below each shape without mass that is fixed and has only mass."""
        merged = {}
        for name, joints in self._below.items():
            link = self.links.get(name)
            if _has_shapes(link) and _is_massless(link):
                dummies = [joint for joint in joints if joint.type == 'fixed' and not (
                    joint.child in self._led or _has_shapes(self.links.get(joint.child))
                    or _is_massless(self.links.get(joint.child)))]
                merged.update({joint.child: joint for joint in dummies[:1]})
        return merged

    def _place(self) -> None:
        """Traverse from the root; a link with two parents is written below both."""
        seen = set()
        for here, copy in enumerate(self.copies):
            cycle = self._cycle(copy) if copy.name in seen else []
            if cycle:
                self.refuse(cycle, 'Recurses endlessly, as joints below the root form a cycle')
            # With many parents it takes too long.
            if cycle or here > 1000 + 10 * len(self.links):
                return
            seen.add(copy.name)
            self.copies += [Copy(joint.child, joint, here)
                            for joint in self._below.get(copy.name, ())
                            if joint.child not in self.merged]

    def _cycle(self, copy: Copy) -> list[Element]:
        """Return the joints between a link and the same link above it; none without one."""
        joints = []
        above = copy
        while above.joint is not None:
            joints.append(above.joint.element)
            above = self.copies[above.above]
            if above.name == copy.name:
                return joints
        return []

    def shapes(self, name: str) -> list[Element]:
        """Return the ``<visual>`` and ``<collision>`` elements of a link."""
        return [*every(self.links[name], 'visual'), *every(self.links[name], 'collision')]

    @property
    def is_fixed(self) -> bool:
        """Return whether a joint holds the robot to the world."""
        return self.top in self.bodies or any(
            self._body_above(joint) is None for joint in self.kept.values())

    def _body_above(self, joint: ReadJoint) -> str | None:
        """Return the closest rigid body above a joint; None for the world."""
        name: str | None = joint.parent
        for _ in self.links:
            if name is None or name in self.bodies or name == self.top:
                break
            name = self._above.get(name)
        return name if name in self.bodies else None

    def _is_frame(self, name: str) -> bool:
        link = self.links[name]
        return not _has_shapes(link) and _is_massless(link) and (name == self.top or (
            name not in self._led and (self._above[name], name) in self._fixed))

    @property
    def parts(self) -> Parts:
        """The parts of the stage."""
        return Parts(
            links=sum(copy.name in self.bodies for copy in self.copies),
            moving_joints=len(self.moving), fixed_joints=len(self.kept) - len(self.moving),
            mimic=sum(joint.leader in self.kept for joint in self.moving), body=self._body(),
            position_limits=sum(
                joint.type in _LARGEST and all(
                    abs(number(last(joint.element, 'limit'), name)) <= _LARGEST[joint.type]
                    for name in ('lower', 'upper')) for joint in self.moving),
            velocity_limits=sum(joint.type in ONE_DOF and limit is not None and abs(
                number(limit, 'velocity')) <= _LARGEST.get(joint.type, _LARGEST['revolute'])
                for joint in self.moving for limit in [last(joint.element, 'limit')]),
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
        return formats_written(
            shape for copy in self.copies for owner in every(self.links[copy.name], tag)
            if (shape := shape_of(owner)) is not None and not self.files.why_lost(shape))


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
    entries: dict[str, Any] = {name: number(last(inertial, 'inertia'), name) for name in INERTIA}
    return SpatialInertia.from_inertial(Inertial(
        number(last(inertial, 'mass'), 'value'), **entries, origin=pose(inertial)))


Reason = tuple[Message, str]
"""Why a file is lost, and what to do."""


class UsdFiles:
    """The files of meshes and textures, as ``_impl/ros_package.py`` finds them."""

    def __init__(self, context: Context):
        self._context = context
        self._reasons: dict[str, Reason | None] = {}

    def why_lost(self, shape: Element) -> Reason | None:
        """Return why a shape is lost; None if it is not."""
        name = shape.get('filename', '')
        if shape.tag == 'mesh' and name not in self._reasons:
            self._reasons[name] = self.why_not_found(name) or self._why_not_read(name)
        return self._reasons[name] if shape.tag == 'mesh' else None

    def why_not_found(self, name: str) -> Reason | None:
        """Return why a file is not found; None if it is, or if the description is not a file."""
        if not name:
            return Message('it names no file'), 'Write filename="..."'
        scheme, _, _ = name.rpartition('://')
        if scheme.lower() not in ('', 'file', 'package'):
            return (Message('{file} is a URI of another kind', file=Name(name)),
                    'Write package://PACKAGE/PATH')
        if self._context.file is None or self._find(name, self._context.file):
            return None
        return Message('{file} is not found', file=Name(name)), (
            'Name the package with --package, or put the file below a folder of the description'
            if scheme == 'package' else 'Give the file')

    def _find(self, name: str, description: Path) -> Path | None:
        folders = [description.absolute().parent]
        scheme, _, path = name.rpartition('://')
        if scheme == 'package':
            # The name of the package is ignored.
            path = path.partition('/')[2].lstrip('/')
            folders += folders[0].parents
        return next((folder / path for folder in folders if self._context.finds(folder / path)),
                    None)

    def _why_not_read(self, name: str) -> Reason | None:
        """Return why a file that is found is not converted (``_impl/mesh.py``)."""
        suffix, file = suffix_of(name), self._context.file
        if suffix not in ('.dae', '.obj', '.stl'):
            return (Message('{file} is not a .dae, .obj or .stl file', file=Name(name)),
                    'Convert it to .obj or .dae')
        path = None if file is None or not self._context.reads_files else self._find(name, file)
        if path is None:
            return None
        try:
            facts = mesh_facts(path, 'parts')
        except MeshError as error:
            return None if error.limit else (
                Message('{file} cannot be read', file=Name(name)), 'Export it again')
        if suffix == '.stl' and facts.faces == 1:
            return Message('{file} is a single triangle', file=Name(name)), 'Export it again'
        return (Message('{file} cannot be converted: {problem}', file=Name(name),
                        problem=facts.unused), 'Export it again') if facts.unused else None
