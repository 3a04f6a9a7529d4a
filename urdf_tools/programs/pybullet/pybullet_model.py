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

"""What PyBullet reads of a description: ``UrdfParser.cpp`` and ``BulletUrdfImporter.cpp``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import mesh_suffix
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.pybullet.pybullet_meshes import find_mesh
from urdf_tools.programs.pybullet.pybullet_meshes import is_empty
from urdf_tools.programs.pybullet.pybullet_meshes import is_mesh
from urdf_tools.programs.pybullet.pybullet_meshes import SUFFIXES
from urdf_tools.programs.pybullet.pybullet_shapes import moments_of
from urdf_tools.programs.pybullet.pybullet_values import number
from urdf_tools.programs.pybullet.pybullet_values import pose
from urdf_tools.programs.pybullet.pybullet_values import vector
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of

_BOUNDED = ('revolute', 'prismatic')

_ATTRIBUTES = {
    'box': ('size',), 'sphere': ('radius',), 'cylinder': ('length', 'radius'),
    'capsule': ('length', 'radius'), 'plane': ('normal',), 'mesh': ('filename',),
    'cdf': ('filename',)}
"""Each shape to the attributes without which it is refused."""


_CONTACT = ('inertia_scaling', 'lateral_friction', 'rolling_friction', 'restitution',
            'spinning_friction', 'stiffness', 'damping')
"""The elements in ``<contact>`` that are refused without a value."""

_TYPES = ('revolute', 'continuous', 'prismatic', 'planar', 'spherical', 'floating', 'fixed')

_MAX_DEPTH = 98


@dataclass
class BulletJoint(ReadJoint):
    """A joint, and what PyBullet has of its ``<limit>`` and ``<dynamics>``."""

    parent: str = ''
    child: str = ''
    lower: float = 0.0
    upper: float = -1.0
    velocity: float = 0.0
    effort: float = 0.0

    @property
    def is_moving(self) -> bool:
        """Return whether PyBullet lets it move; it has no floating joints."""
        return self.type not in ('fixed', 'floating')

    @property
    def is_bounded(self) -> bool:
        """Return whether something stops it."""
        return self.type in _BOUNDED and self.lower <= self.upper


class BulletModel(Reader):
    """
    The body that PyBullet makes of a description, also of one that it refuses.

    :ivar links: name of each link to its first element.
    :ivar joints: name of each joint to what is read of the first one.
    :ivar root: the name of the only link without a parent; None if there is none, or several.
    :ivar below: name of each link that joints connect to the root to the one that does; None for
        the root, which comes first.
    :ivar empty: the ``<visual>`` and ``<collision>`` elements of whose meshes nothing is read.
    """

    def __init__(self, element: Element, context: Context):
        super().__init__()
        self.element = element
        self.context = context
        self.empty: dict[Element, None] = {}
        self._files: dict[str, str | None] = {}
        self._check_robot()
        self.links = self._named('link')
        for link in element.findall_tag('link'):
            self._check_link(link)
        self.joints = {name: self._joint(name, joint)
                       for name, joint in self._named('joint').items()}
        self.root: str | None = None
        self.below: dict[str, BulletJoint | None] = {}
        self._connect()

    @cached_property
    def masses(self) -> dict[str, float]:
        """Name of each link to its mass in kg."""
        return {name: self._mass(name, link) for name, link in self.links.items()}

    @property
    def apart(self) -> list[Element]:
        """The links that no joint connects to the root, which are left out."""
        return [link for name, link in self.links.items() if name not in self.below]

    @property
    def parts(self) -> Parts:
        """What the body consists of."""
        joints = self.joints.values()
        moving = [joint for joint in joints if joint.is_moving]
        # Links that have only collision shapes are shown with these.
        visuals = [shape for link in self.links.values()
                   for shape in shapes(link, 'visual') or shapes(link, 'collision')]
        return Parts(
            links=len(self.links), moving_joints=len(moving),
            fixed_joints=len(joints) - len(moving), body=self._body(),
            position_limits=sum(joint.is_bounded for joint in joints),
            velocity_limits=sum(joint.velocity != 0 for joint in moving),
            effort_limits=sum(joint.effort != 0 for joint in moving),
            damping=sum(joint.damping != 0 for joint in moving),
            friction=sum(joint.friction != 0 for joint in moving),
            actuators=sum(joint.type in ONE_DOF for joint in joints),
            visuals=_formats(visuals),
            collisions=_formats(
                shape for link in self.links.values() for shape in self.collisions(link)))

    @cached_property
    def frames(self) -> dict[str, Array]:
        """Homogeneous matrix of each link in the root's frame, with joints at zero."""
        frames: dict[str, Array] = {}
        for name, joint in self.below.items():
            matrix = np.eye(4) if joint is None else (
                frames[joint.parent] @ pose(joint.element).matrix)
            if joint is not None and joint.type == 'planar':
                # The joint moves the centre of mass, which is taken to be in the joint.
                matrix[:3, 3] -= matrix[:3, :3] @ self.inertial_frame(name)[:3, 3]
            frames[name] = matrix
        return frames

    def inertial_frame(self, name: str) -> Array:
        """Return the homogeneous matrix of the inertial frame of a link in its frame."""
        inertial = self.links[name].find_tag('inertial')
        return np.eye(4) if inertial is None else pose(inertial).matrix

    def collisions(self, link: Element) -> list[Element]:
        """Return the collision shapes that a link has in PyBullet."""
        # Of an .obj file without faces, it has a shape that consists of none.
        return [each for each in shapes(link, 'collision')
                if each not in self.empty or mesh_suffix(each) == '.obj']

    @cached_property
    def inertias(self) -> dict[str, SpatialInertia]:
        """The inertia of each link with a mass in its frame; not a number where meshes make it."""
        return {name: self._inertia(name, mass) for name, mass in self.masses.items() if mass}

    def _inertia(self, name: str, mass: float) -> SpatialInertia:
        frame = self.inertial_frame(name)
        moments = moments_of(mass, frame, self.collisions(self.links[name]))
        scale = self.links[name].find('contact/inertia_scaling')
        if scale is not None:
            moments = number(scale.get('value', '')) * moments
        return SpatialInertia(
            mass, frame[:3, 3], frame[:3, :3] @ np.diag(moments) @ frame[:3, :3].T)

    def _body(self) -> SpatialInertia:
        return body_at_zero({name: inertia for name, inertia in self.inertias.items()
                             if name in self.frames}, self.frames)

    def _mass(self, name: str, link: Element) -> float:
        inertial = link.find_tag('inertial')
        if inertial is None:
            return 0.0 if name == 'world' else 1.0
        mass = inertial.find_tag('mass')
        return 0.0 if mass is None else number(mass.get('value', ''))

    def _crash(self, elements: Sequence[Element], reason: str, /, **arguments: Any) -> None:
        reason = f'{reason[0].lower()}{reason[1:]}'
        self._refuse_all(elements, f'PyBullet crashes, because {reason}', **arguments)
        self.refusals[-1] = replace(self.refusals[-1], impact=Impact.CRASHES)

    def _refuse_all(self, elements: Sequence[Element], template: str, /, **arguments: Any) -> None:
        self.refuse(elements[0], template, **arguments)
        self.refusals[-1] = replace(self.refusals[-1], others=tuple(elements[1:]))

    def _check_robot(self) -> None:
        root = self.element
        if root.tag != 'robot':
            self.refuse(root, 'The outermost element is {element}', of='element',
                        brief='root is not <robot>', hint='Write <robot>')
        if 'name' not in root.attrib:
            self.refuse(root, '{element} has no name', of='name', hint='Write <robot name="...">')
        for deformable in root:
            if deformable.tag in ('deformable', 'reduced_deformable'):
                self.refuse(deformable, 'PyBullet loads {element} only into a world of deformable '
                            'bodies', of='element', brief='deformable body',
                            hint='Call resetSimulation(RESET_USE_DEFORMABLE_WORLD) before')
        if not root.findall_tag('link'):
            self.refuse(root, 'The robot has no link', of='link', hint='Write a <link>')
        self._check_user_data(root)
        depths: dict[Element | None, int] = {None: 0}
        for element in root.iter():
            depths[element] = depths[element.parent] + 1
            if depths[element] > _MAX_DEPTH:
                self.refuse(element, '{element} is nested deeper than {most} elements', of='xml',
                            brief='nested too deep', most=_MAX_DEPTH)
                break

    def _check_user_data(self, owner: Element) -> None:
        for each in owner.iterfind('bullet/user-data'):
            if 'key' not in each.attrib:
                self._crash([each], '{element} has no key', of='attribute',
                            brief='<user-data> without key')

    def _named(self, tag: str) -> dict[str, Element]:
        """Return the first element of each name."""
        found: dict[str, Element] = {}
        for element in self.element.findall_tag(tag):
            name = element.get('name')
            if name is None:
                self.refuse(element, '{element} has no name', of='name', hint='Write name="..."')
            elif not name:
                self._crash([element], 'the name of {element} is empty', of='name',
                            attribute='name', hint='Write name="..."')
            elif name in found:
                (self._refuse_all if tag == 'link' else self._crash)(
                    [element], 'Another {tag} has the name {name}', of='name', attribute='name',
                    tag=tag, name=Name(name), hint='Rename one of them')
            found.setdefault(name or '', element)
        return found

    def _check_link(self, link: Element) -> None:
        self._check_user_data(link)
        inertial = link.find_tag('inertial')
        if inertial is not None:
            self._check_inertial(inertial)
        for tag in _CONTACT:
            child = link.find(f'contact/{tag}')
            if child is not None:
                self._require(child, ('value',), 'attribute', 'contact without value')
        for tag in ('visual', 'collision'):
            for shape in link.findall_tag(tag):
                self._check_shape(shape)
        for visual in link.findall_tag('visual'):
            self._check_user_data(visual)
            material = visual.find_tag('material')
            if material is not None and 'name' not in material.attrib:
                self.refuse(material, '{element} has no name', 'Write <material name="">',
                            of='material', brief='material without name')

    def _check_inertial(self, inertial: Element) -> None:
        for tag, names in (('mass', ('value',)), ('inertia', ('ixx', 'iyy', 'izz'))):
            child = inertial.find_tag(tag)
            if child is None:
                self.refuse(inertial, '{element} has no <{child}>', child=tag, of=tag,
                            brief=f'<inertial> without <{tag}>')
            else:
                self._require(child, names, tag, f'<{tag}> without {names[0]}')

    def _check_shape(self, owner: Element) -> None:
        geometry = owner.find_tag('geometry')
        if geometry is None or not len(geometry):
            self.refuse(owner if geometry is None else geometry, '{owner} has no shape',
                        owner=owner, of='shape', brief=f'{owner.tag} without shape')
            return
        shape = geometry[0]
        if shape.tag not in _ATTRIBUTES:
            self.refuse(shape, 'PyBullet knows no shape {name}', name=Name(shape.tag), of='shape',
                        brief='unknown shape')
        elif 'filename' not in _ATTRIBUTES[shape.tag]:
            self._require(shape, _ATTRIBUTES[shape.tag], 'shape', 'shape without size')
        elif self._require(shape, ('filename',), 'mesh', 'mesh without filename'):
            self._check_mesh(owner, shape, shape.attrib['filename'])

    def _check_mesh(self, owner: Element, mesh: Element, uri: str) -> None:
        if uri not in self._files:
            self._files[uri] = find_mesh(uri, self.context)
        path = self._files[uri]
        if not is_mesh(uri):
            self.refuse(mesh, 'PyBullet reads no mesh file such as {uri}', (
                f'Convert it to one of {", ".join(SUFFIXES[:3])}'), uri=Name(uri), of='mesh',
                attribute='filename', brief=f'mesh format {suffix_of(uri)[:9] or "unknown"}')
        elif path is None:
            hint = '' if '://' not in uri else (
                'PyBullet looks for package://a/b as a/b in the folders above the description, '
                'not in packages; write a path relative to the description')
            self.refuse(
                mesh, 'PyBullet does not find {uri}', hint, uri=Name(uri), of='mesh',
                attribute='filename', brief='package:// mesh not found' if uri.startswith(
                    'package://') else 'mesh not found')
        elif is_empty(path, self.context):
            self.empty[owner] = None

    def _require(self, element: Element, names: Iterable[str], of: str, brief: str) -> bool:
        missing = [name for name in names if not element.get(name) and (
            name == 'filename' or name not in element.attrib)]
        if missing:
            self.refuse(element, '{element} has no {missing}', missing=tuple(missing), of=of,
                        brief=brief)
        return not missing

    def _joint(self, name: str, element: Element) -> BulletJoint:
        joint_type = element.get('type')
        limit, dynamics = element.find_tag('limit'), element.find_tag('dynamics')
        axis = element.find_tag('axis')
        if joint_type is None:
            self._crash([element], '{element} has no type', of='type',
                        hint='Write type="fixed", or another type')
        elif joint_type not in _TYPES:
            self.refuse(element, 'PyBullet knows no type {type} of {element}', of='type',
                        attribute='type', type=Name(joint_type),
                        hint=f'Write one of {", ".join(_TYPES)}')
        elif limit is None and joint_type in _BOUNDED:
            self.refuse(element, '{element} is {type} and has no <limit>', type=joint_type,
                        of='limit', brief='joint without <limit>')
        elif axis is not None and joint_type not in ('fixed', 'floating') and (
                'xyz' in axis.attrib and vector(axis.attrib['xyz']) is None):
            self.refuse(axis, 'The axis of {joint} has not three numbers', of='axis',
                        attribute='xyz', joint=element, hint='Separate them by spaces')
        if dynamics is not None and not any(
                name in dynamics.attrib for name in ('damping', 'friction')):
            self.refuse(dynamics, '{element} has neither damping nor friction', of='dynamics')
        return BulletJoint(
            name, joint_type or '', element, parent=self._end(element, 'parent'),
            child=self._end(element, 'child'), **{
                name: number(written.attrib[name]) for written, names in (
                    (limit, ('lower', 'upper', 'effort', 'velocity')),
                    (dynamics, ('damping', 'friction')))
                if written is not None for name in names if name in written.attrib})

    def _end(self, joint: Element, role: str) -> str:
        """Return the name of the parent or child link of a joint."""
        element = joint.find_tag(role)
        name = '' if element is None else element.get('link', '')
        if not name or name not in self.links:
            self.refuse(
                joint if element is None else element, 'The {role} link {name} of {element} does '
                'not exist' if name else '{element} names no {role} link', of='structure',
                element=joint, role=role, name=Name(name), attribute='link' if name else None,
                brief=f'missing {role} link',
                hint='Write <{role} link="..."/> with the name of a link')
        return name

    def _connect(self) -> None:
        """Find the root and the links below it."""
        below: dict[str, list[BulletJoint]] = {name: [] for name in self.links}
        for joint in self.joints.values():
            below.get(joint.parent, []).append(joint)
        children = Counter(joint.child for joint in self.joints.values())
        roots = [name for name in self.links if name not in children]
        is_read = not {'name', 'structure'} & {each.of for each in self.refusals}
        if not is_read or not self.links:
            return
        if not roots:
            self._refuse_all(
                [joint.element for joint in self.joints.values()], 'Every link is the child of a '
                'joint, so that none is the root', of='structure', brief='no root link',
                hint='Remove a joint of the cycle')
            return
        if len(roots) > 1:
            self._crash([self.links[name] for name in roots], 'links {links:and} are the child '
                        'of no joint', of='structure', brief='several root links',
                        links=tuple(map(Name, roots)), hint='Connect them with joints')
            return
        self.root = roots[0]
        waiting: list[tuple[str, BulletJoint | None]] = [(self.root, None)]
        again = {}
        while waiting:
            name, above = waiting.pop()
            if name in self.below:
                again[name] = children[name]
                continue
            self.below[name] = above
            waiting += [(joint.child, joint) for joint in reversed(below[name])]
        last = {joint.child: joint.element for joint in self.joints.values()}
        for name, n in again.items():
            self._crash([last[name].child('child'), last[name]], 'link {link} is the child of '
                        '{n} joints', of='structure', brief='link with two parents',
                        link=Name(name), n=n)
        if any(name in self.below for name in list(self.links)[len(self.below):]):
            self._crash(self.apart, '{element} is not connected to the root, and written before '
                        'other links', of='structure', brief='links apart from the root',
                        hint='Connect it with a joint')


def shapes(link: Element, tag: str) -> list[Element]:
    """Return the ``<visual>`` or ``<collision>`` elements that have a shape."""
    return [each for each in link.findall_tag(tag)
            if (geometry := each.find_tag('geometry')) is not None and len(geometry)]


def shape_name(owner: Element) -> str:
    """Return the suffix of a mesh file in lower case, such as ``.dae``, or else ``box``."""
    shape = owner.child('geometry')[0]
    if shape.tag != 'mesh':
        return shape.tag
    return suffix_of(shape.get('filename', ''))


def _formats(owners: Iterable[Element]) -> dict[str, int]:
    return dict(sorted(Counter(map(shape_name, owners)).items()))
