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

"""Bodies of MJCF with their joints, geoms and sites as links and joints of URDF."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.formats.mjcf.bodies import Body
from urdf_tools.formats.mjcf.geoms import ends_pose
from urdf_tools.formats.mjcf.geoms import FLAT
from urdf_tools.formats.mjcf.geoms import geom_inertia
from urdf_tools.formats.mjcf.geoms import Meshes
from urdf_tools.formats.mjcf.geoms import primitive
from urdf_tools.formats.mjcf.geoms import Shape
from urdf_tools.formats.mjcf.geoms import shape_of
from urdf_tools.formats.mjcf.models import Part
from urdf_tools.formats.mjcf.models import turn
from urdf_tools.formats.urdf_tree import add_origin
from urdf_tools.formats.urdf_tree import Node
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import normalized
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import UNLIMITED
from urdf_tools.types import Array

WORLD = 'world'

_GREY = (0.5, 0.5, 0.5, 1.0)
_SHOWN = 2
"""The last group of geoms that MuJoCo shows by default."""

_FREEDOM = {'free': 6, 'ball': 3, 'hinge': 1, 'slide': 1}
_BALL = {'x': (1.0, 0.0, 0.0), 'y': (0.0, 1.0, 0.0), 'z': (0.0, 0.0, 1.0)}


class Names:
    """Names that are each used once."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def take(self, name: str) -> str:
        """Return a name that is not taken yet, with a number at its end if it has to be."""
        found, number = name, self._taken.get(name, 0)
        while found in self._taken:
            number += 1
            found = f'{name}_{number}'
        self._taken[name], self._taken[found] = number, 1
        return found


class _Step(NamedTuple):
    """
    A joint of URDF.

    :ivar pose: its pose in the link above, at position zero, shape (4, 4).
    :ivar part: the joint of MJCF that it stands for, or one of those.
    """

    name: str
    type: str
    pose: Array
    part: Part | None
    axis: tuple[float, ...] = ()


class LinkWriter:
    """
    Writes bodies as links, with the joints above them.

    :param robot: the ``<robot>`` that gets them.
    :ivar efforts: name of a joint to the largest effort of its actuators, to be filled in.
    :ivar commands: name of a joint to what its actuators control, to be filled in.
    :ivar paired: names of geoms in contact pairs, which collide whatever their ``contype`` is.
    :ivar links: each body to the name of its link.
    :ivar joints: name of each joint of MJCF to the joint, hinges and slides only.
    """

    def __init__(self, robot: Node, meshes: Meshes, losses: Losses):
        self._robot = robot
        self._meshes = meshes
        self._losses = losses
        self._link_names = Names()
        self._joint_names = Names()
        self.efforts: dict[str, float] = {}
        self.commands: dict[str, dict[str, None]] = {}
        self.paired: set[str] = set()
        self.links: dict[Body, str] = {}
        self.joints: dict[str, tuple[Part, Node]] = {}

    def write(self, world: Body) -> None:
        """
        Write all bodies.

        :raises DescriptionError: a value in one of them cannot be read.
        """
        bodies = list(world.walk())
        for body in bodies:
            _check_joints(body)
        shapes = {body: self._shapes(body) for body in bodies}
        root = self._root(world, shapes)
        for number, body in enumerate(bodies):
            self.links[body] = self._link_names.take(body.name or f'body{number}')
        inertias = {body: self._inertia(body, shapes[body]) for body in bodies[1:]}
        total = world.instance.model.part(world.element)
        total.values = world.instance.model.settings
        wanted = total.number('settotalmass', -1.0)
        mass = sum(inertia.mass for inertia in inertias.values())
        if wanted > 0 and mass > 0:
            inertias = {body: inertia.scaled(wanted / mass) for body, inertia in inertias.items()}
        self._note_masks(body for body in bodies if body is not world or root is world)
        for body in bodies:
            if body is world and root is not world:
                self._drop_world(world, shapes[world])
                continue
            if body is not root:
                self._add_joints(body)
            node = self._robot.add('link', body.element, name=self.links[body])
            self._add_inertial(node, body, inertias.get(body))
            for geom, shape in shapes[body]:
                self._add_shape(node, geom, shape, self.links[body])
            for site in body.sites:
                self._add_site(body, site)

    @staticmethod
    def _root(world: Body, shapes: dict[Body, list[tuple[Part, Shape]]]) -> Body:
        """Return the body that is the root: the world, unless it only holds one robot."""
        if len(world.bodies) != 1:
            return world
        base = world.bodies[0]
        if base.is_free:
            return base
        is_empty = not world.sites and all(shape.type in FLAT for _, shape in shapes[world])
        is_same = not base.joints and np.allclose(base.pose, np.eye(4), atol=1e-12)
        return base if is_empty and is_same else world

    def _drop_world(self, world: Body, shapes: list[tuple[Part, Shape]]) -> None:
        for part in (*(geom for geom, _ in shapes), *world.sites):
            self._losses.note('element', Impact.DROPS, part.element, '{element} of the world is '
                              'left out: it is not part of the robot', is_harmless=True)
        base = world.bodies[0]
        if base.joints and not np.allclose(base.pose, np.eye(4), atol=1e-12):
            self._losses.note('base', Impact.IGNORES, base.element, 'Where {element} starts in '
                              'the world is left out: its pose is free', is_harmless=True)

    def _shapes(self, body: Body) -> list[tuple[Part, Shape]]:
        found = []
        for geom in body.geoms:
            try:
                found.append((geom, shape_of(geom, self._meshes)))
            except DescriptionError:
                raise
            except ValueError as error:
                self._losses.note('shape', Impact.DROPS, geom.element, '{element} is left out: '
                                  '{reason}', reason=FreeText(str(error)))
        return found

    def _note_masks(self, bodies: Iterable[Body]) -> None:
        """Note geoms that collide in URDF with others with which they do not in MuJoCo."""
        found = [(geom, body) for body in bodies for geom in body.geoms if any(_mask(geom))]
        masks = grouped((_mask(geom), body) for geom, body in found)
        if any(not (first[0] & second[1] or second[0] & first[1])
               and len({*masks[first], *masks[second]}) > 1
               for first, second in product(masks, repeat=2)):
            self._losses.note(
                'collision', Impact.CHANGES, [geom.element for geom, _ in found],
                'contype and conaffinity of {n:geom} are left out: in URDF all collide with each '
                'other', value=' '.join(f'{geom.name}{_mask(geom)}' for geom, _ in found))

    def _inertia(self, body: Body, shapes: list[tuple[Part, Shape]]) -> SpatialInertia:
        """Return the inertia of a body in its frame, with what the compiler changes of it."""
        settings = Part(body.element, body.instance.model.settings, body.instance.model)
        which = settings.values.get('inertiafromgeom', 'auto')
        inertia = SpatialInertia.zero()
        if body.inertial is not None:
            inertia = _written(body.inertial)
        if which == 'true' or which == 'auto' and body.inertial is None:
            low, high = settings.numbers('inertiagrouprange', (0.0, 5.0), 2)
            found = SpatialInertia.zero()
            for geom, shape in shapes:
                if low <= geom.number('group', 0.0) <= high:
                    found += self._geom_inertia(geom, shape)
            inertia = found if found.mass else inertia
        return _corrected(inertia, settings)

    def _geom_inertia(self, geom: Part, shape: Shape) -> SpatialInertia:
        try:
            return geom_inertia(geom, shape)
        except DescriptionError:
            raise
        except ValueError as error:
            self._losses.note('inertia', Impact.DROPS, geom.element, 'The inertia of {element} '
                              'cannot be computed: {reason}', reason=FreeText(str(error)))
            return SpatialInertia.zero()

    def _add_inertial(self, node: Node, body: Body, inertia: SpatialInertia | None) -> None:
        if inertia is None or not (inertia.mass or inertia.rotational.any()):
            return
        part = body.inertial
        written = node.add('inertial', None if part is None else part.element)
        add_origin(written, homogeneous(np.eye(3), inertia.com))
        written.add('mass', value=inertia.mass)
        written.add('inertia', **dict(zip(
            INERTIA, inertia.rotational[np.triu_indices(3)].tolist())))
        if 'gravcomp' in body.element.attrib:
            self._losses.note('dynamics', Impact.IGNORES, body.element, 'gravcomp of {element} is '
                              'left out: gravity acts on all of a robot in URDF',
                              attribute='gravcomp')

    def _add_joints(self, body: Body) -> None:
        """Add the joints above a body, with links without mass between them."""
        if body.element.get('mocap') == 'true':
            self._losses.note('joint', Impact.CHANGES, body.element, '{element} is fixed to the '
                              'world: URDF has no mocap bodies')
        steps = self._steps(body)
        above = self.links[body.parent] if body.parent is not None else ''
        for index, step in enumerate(steps):
            is_last = index == len(steps) - 1
            below = self.links[body] if is_last else self._link_names.take(f'{step.name}_link')
            source = body.element if step.part is None else step.part.element
            if not is_last:
                self._robot.add('link', source, name=below)
            node = self._robot.add('joint', source, name=step.name, type=step.type)
            node.add('parent', body.element, link=above)
            node.add('child', body.element, link=below)
            add_origin(node, step.pose)
            if step.axis:
                node.add('axis', xyz=step.axis)
                assert step.part is not None, 'only joints have an axis'
                self._add_motion(node, step.part)
            above = below

    def _steps(self, body: Body) -> list[_Step]:
        """Return the joints of URDF between the parent of a body and its frame."""
        base = self.links[body]
        pose, steps = body.pose, []
        for index, joint in enumerate(body.joints):
            kind = joint.values.get('type', 'hinge')
            name = joint.name or (f'{base}_joint' if not index else f'{base}_joint{index + 1}')
            if kind == 'free':
                return [_Step(self._joint_names.take(name), 'floating', pose, joint)]
            if kind not in _FREEDOM:
                raise joint.element.error(f'Joint type {quote(kind)} does not exist')
            offset = joint.frame[:3, :3] @ joint.numbers('pos', (0.0, 0.0, 0.0), 3)
            offset = np.zeros(3) if kind == 'slide' else offset + joint.frame[:3, 3]
            at, back = (homogeneous(np.eye(3), each) for each in (offset, -offset))
            if kind == 'ball':
                self._losses.note(
                    'joint', Impact.CHANGES, joint.element, '{element} is a ball joint, which '
                    'URDF does not have, and becomes three joints with links without mass between '
                    'them')
                pose = pose @ at
                for letter, unit in _BALL.items():
                    steps.append(_Step(self._joint_names.take(f'{name}_{letter}'), 'continuous',
                                       pose, joint, unit))
                    pose = np.eye(4)
            else:
                axis, moved = self._axis(joint), np.eye(4)
                reference = self._reference(joint)
                if kind == 'slide':
                    moved[:3, 3] = -reference * axis
                else:
                    moved[:3, :3] = turn(axis, -reference)
                steps.append(_Step(
                    self._joint_names.take(name), self._type(joint), pose @ at @ moved, joint,
                    tuple(axis.tolist())))
                pose = np.eye(4)
            pose = pose @ back
        if not steps or not np.array_equal(pose, np.eye(4)):
            name = f'{base}_fixed' if not steps else f'{base}_offset'
            steps.append(_Step(self._joint_names.take(name), 'fixed', pose, None))
        return steps

    @staticmethod
    def _axis(joint: Part) -> Array:
        x, y, z = joint.numbers('axis', (0.0, 0.0, 1.0), 3)
        if not (x or y or z):
            raise joint.element.error('The axis is zero')
        turned: Array = joint.frame[:3, :3] @ normalized((x, y, z))
        return turned

    def _reference(self, joint: Part) -> float:
        reference = reference_of(joint)
        if reference:
            self._losses.note(
                'joint', Impact.IGNORES, joint.element, '{element} starts at its ref in MuJoCo, '
                'and at zero in URDF; positions are the same', is_harmless=True)
        return reference

    @staticmethod
    def _type(joint: Part) -> str:
        if joint.values.get('type', 'hinge') == 'slide':
            return 'prismatic'
        return 'revolute' if joint.is_limited('limited', 'range') else 'continuous'

    def _add_motion(self, node: Node, joint: Part) -> None:
        """Add limits and dynamics to a joint of URDF, and note what it cannot have."""
        kind = joint.values.get('type', 'hinge')
        limited = joint.is_limited('limited', 'range')
        if kind != 'ball':
            lower, upper = joint.numbers('range', (0.0, 0.0), 2) if limited else (
                -UNLIMITED, UNLIMITED)
            if limited and kind == 'hinge':
                lower, upper = lower * joint.model.angle, upper * joint.model.angle
            effort = self.efforts.get(joint.name, UNLIMITED)
            if joint.is_limited('actuatorfrclimited', 'actuatorfrcrange'):
                effort = min(effort, max(map(abs, joint.numbers('actuatorfrcrange', (), 2))))
            if node.get('type') != 'continuous':
                node.add('limit', lower=lower, upper=upper, effort=effort, velocity=UNLIMITED)
            elif effort < UNLIMITED:
                node.add('limit', effort=effort, velocity=UNLIMITED)
            if joint.name:
                self.joints[joint.name] = (joint, node)
        dynamics = {name: joint.number(mjcf, 0.0) for name, mjcf in (
            ('damping', 'damping'), ('friction', 'frictionloss'))}
        if any(dynamics.values()):
            node.add('dynamics', None, **dynamics)
        if kind == 'ball' and node.get('name', '').endswith(('_y', '_z')):
            return
        if kind == 'ball' and limited:
            self._losses.note('limit', Impact.DROPS, joint.element, 'The range of {element} is '
                              'left out: the three joints turn without bound')
        for name in ('armature', 'stiffness'):
            if joint.number(name, 0.0):
                what = 'rotor inertia' if name == 'armature' else 'springs'
                self._losses.note('dynamics', Impact.IGNORES, joint.element, '{attribute} of '
                                  '{element} is left out: URDF has no {what}', what=what,
                                  attribute=name, value=joint.number(name, 0.0))

    def _add_site(self, body: Body, site: Part) -> None:
        """Add a site as a link without mass on a fixed joint."""
        if not site.name:
            self._losses.note('element', Impact.DROPS, site.element, 'A site without a name is '
                              'left out', is_harmless=True)
            return
        name = self._link_names.take(site.name)
        self._robot.add('link', site.element, name=name)
        node = self._robot.add('joint', site.element, type='fixed',
                               name=self._joint_names.take(f'{site.name}_site'))
        node.add('parent', body.element, link=self.links[body])
        node.add('child', link=name)
        add_origin(node, ends_pose(site)[0])

    def _add_shape(self, node: Node, geom: Part, shape: Shape, link: str) -> None:
        """Add a geom as visual, collision or both, unless URDF has no such shape."""
        parts = _as_urdf(shape)
        if not parts:
            kind = shape.type if shape.mesh is None else (
                'sheared mesh' if shape.mesh.uri else 'mesh without a file')
            self._losses.note('shape', Impact.DROPS, geom.element, '{element} is left out: URDF '
                              'has no {kind}', kind=kind, is_harmless=shape.type in FLAT)
            return
        collides = any(_mask(geom)) or geom.name in self.paired
        tags = [tag for tag, used in (
            ('visual', not collides or geom.number('group', 0.0) <= _SHOWN),
            ('collision', collides)) if used]
        for tag in tags:
            for index, (pose, kind, values) in enumerate(parts):
                name = geom.name and geom.name + (f'_{index + 1}' if index else '')
                written = node.add(tag, geom.element, **({'name': name} if name else {}))
                add_origin(written, pose)
                written.add('geometry').add(kind, None, **values)
                if tag == 'visual':
                    self._add_material(written, geom, link)

    @staticmethod
    def _add_material(written: Node, geom: Part, link: str) -> None:
        material = geom.model.asset('material', geom.values.get('material', ''))
        colour = geom.numbers('rgba', _GREY)
        source, name = geom.element, f'{link}_{geom.name or "geom"}_colour'
        if material is not None and colour == _GREY:
            colour = material.numbers('rgba', (1.0, 1.0, 1.0, 1.0))
            source, name = material.element, material.values.get('name', name)
        elif colour == _GREY:
            return
        written.add('material', source, name=name).add('color', rgba=colour)


def _check_joints(body: Body) -> None:
    """
    Check that a body has joints that MuJoCo compiles.

    :raises DescriptionError: it has not.
    """
    kinds = [joint.values.get('type', 'hinge') for joint in body.joints]
    turning = [kind for kind in kinds if kind != 'slide']
    if kinds and (body.parent is None or sum(_FREEDOM.get(kind, 0) for kind in kinds) > 6
                  or 'ball' in turning[:-1] or 'free' in kinds and body.parent.parent):
        raise body.joints[-1].element.error(
            'MuJoCo does not compile these joints', 'A body has at most 6 degrees of freedom, no '
            'joint that turns after a ball joint, and a free one at the top level only; the world '
            'has none')


def _mask(geom: Part) -> tuple[int, int]:
    return int(geom.number('contype', 1.0)), int(geom.number('conaffinity', 1.0))


def reference_of(joint: Part) -> float:
    """Return the position at which a joint starts, in rad or m."""
    scale = joint.model.angle if joint.values.get('type', 'hinge') == 'hinge' else 1.0
    return scale * joint.number('ref', 0.0)


def _written(part: Part) -> SpatialInertia:
    """Return the inertia of an ``<inertial>`` in the frame of its body."""
    mass = part.number('mass', 0.0)
    matrix = np.diag(part.numbers('diaginertia', (0.0, 0.0, 0.0), 3))
    if 'fullinertia' in part.values:
        xx, yy, zz, xy, xz, yz = part.numbers('fullinertia', (), 6)
        matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return SpatialInertia(mass, np.zeros(3), matrix).transformed(part.pose())


def _corrected(inertia: SpatialInertia, settings: Part) -> SpatialInertia:
    """Return an inertia with the bounds of the compiler, and balanced if it says so."""
    mass = max(inertia.mass, settings.number('boundmass', 0.0))
    bound = settings.number('boundinertia', 0.0)
    balances = settings.values.get('balanceinertia') == 'true'
    if mass == inertia.mass and not bound and not balances:
        return inertia
    moments, axes = np.linalg.eigh(inertia.rotational)
    moments = np.maximum(moments, bound)
    if balances and moments[0] + moments[1] < moments[2]:
        moments[:] = moments.mean()
    return SpatialInertia(mass, inertia.com, axes @ np.diag(moments) @ axes.T)


_Written = tuple[Array, str, dict[str, object]]


def _as_urdf(shape: Shape) -> list[_Written]:
    """Return poses, tags and attributes of the shapes of URDF that together are a shape."""
    if shape.type in ('mesh', 'sdf'):
        mesh = shape.mesh
        placed = None if mesh is None else mesh.placement
        if mesh is None or placed is None or not mesh.uri:
            return []
        values: dict[str, object] = {'filename': mesh.uri}
        if (mesh.scale != 1).any():
            values['scale'] = mesh.scale
        return [(shape.pose @ placed, 'mesh', values)]
    size = shape.size
    if shape.type in FLAT or shape.type == 'ellipsoid' and len(set(size)) > 1:
        return []
    found = primitive('sphere' if shape.type == 'ellipsoid' else shape.type, size)
    if isinstance(found, Box):
        return [(shape.pose, 'box', {'size': found.size})]
    if isinstance(found, Sphere):
        return [(shape.pose, 'sphere', {'radius': found.radius})]
    parts: list[_Written] = []
    if found.length or not isinstance(found, Capsule):
        parts.append((shape.pose, 'cylinder', {'radius': found.radius, 'length': found.length}))
    if isinstance(found, Capsule):
        # Not every reader of URDF knows capsules.
        for z in dict.fromkeys((found.length / 2, -found.length / 2)):
            end = shape.pose @ homogeneous(np.eye(3), (0.0, 0.0, z))
            parts.append((end, 'sphere', {'radius': found.radius}))
    return parts
