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
The model that MuJoCo compiles, and the mesh files that it reads.

Read in ``src/user/user_objects.cc``, ``src/user/user_model.cc`` and ``src/user/user_mesh.cc``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from math import nan
import os
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.dynamics.shapes import mesh_pyramids
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import Mesh
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import ONE_DOF
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.mujoco.reading import Compiler
from urdf_tools.programs.mujoco.reading import DRIVEN
from urdf_tools.programs.mujoco.reading import Geom
from urdf_tools.programs.mujoco.reading import Release
from urdf_tools.programs.mujoco.reading import UrdfBody
from urdf_tools.programs.mujoco.reading import UrdfJoint
from urdf_tools.programs.mujoco.reading import UrdfModel
from urdf_tools.programs.robot_parts import body_at_zero
from urdf_tools.programs.robot_parts import formats
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import suffix_of
from urdf_tools.types import Array

_MAX_FACES = 200_000
_MIN_VOLUME = 1e-15

UNKNOWN = SpatialInertia(nan, np.full(3, nan), np.full((3, 3), nan))
"""The inertia of what cannot be read."""


class MeshNames:
    """The meshes that MuJoCo before 4.0 knows by file names without folders and suffixes."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[str, Vector3]]] = {}

    def take(self, uri: str, scale: Vector3) -> tuple[str, Vector3]:
        """
        Return the path and the scale of the mesh that it takes.

        It is the first one of a name where the scale was used before, whatever that one's is.
        """
        known = self._known.setdefault(uri.rpartition('/')[2].rpartition('.')[0], [])
        if any(scale == other for _, other in known):
            return known[0]
        known.append((uri, scale))
        return uri, scale


class Meshes(Reader):
    """The mesh files of a description."""

    def __init__(self, compiler: Compiler, context: Context):
        super().__init__()
        self._compiler = compiler
        self._context = context
        self._names = MeshNames()
        self._files: dict[str, Path | Loss | None] = {}
        self._elements: dict[str, list[Element]] = {}

    def add(self, element: Element, mesh: Mesh) -> tuple[str, Vector3]:
        """Read the mesh of a shape, and return the path that MuJoCo opens, and the scale."""
        uri, scale = mesh.filename.replace('\\', '/'), mesh.scale
        if self._compiler.strippath:
            uri = uri.rpartition('/')[2]
        if not self._compiler.release.is_4:
            taken, taken_scale = self._names.take(uri, scale)
            if taken_scale != scale:
                self.losses.note('collision', Impact.CHANGES, element,
                                 'The mesh is that of {uri:120} with the scale "{scale}"',
                                 uri=Name(taken), scale=FreeText(format_numbers(taken_scale)))
            elif taken != uri:
                self.losses.note('collision', Impact.CHANGES, element,
                                 'The mesh is that of {uri:120}, which has the same name',
                                 uri=Name(taken))
            uri, scale = taken, taken_scale
        if uri not in self._files:
            self._files[uri] = self._find(uri, mesh.filename)
        self._elements.setdefault(uri, []).append(element)
        if not all(scale):
            self.refuse(element, 'The scale of {element} has a zero', attribute='scale')
        elif self.inertia(uri, scale).mass < _MIN_VOLUME:
            self.refuse(element, 'The volume of {element} is less than {minimum} m^3',
                        minimum=_MIN_VOLUME)
        return uri, scale

    def inertia(self, uri: str, scale: Vector3) -> SpatialInertia:
        """Return the inertia of a file at a density of 1 kg/m^3; NaN if it is unknown."""
        path = self._files[uri]
        if not isinstance(path, Path):
            return UNKNOWN
        try:
            has_volume = not mesh_facts(path, 'pyramids', scale).fault
            return mesh_pyramids(path, scale) if has_volume else SpatialInertia.zero()
        except MeshError:
            return UNKNOWN

    @property
    def causes(self) -> Iterator[Loss]:
        """Why MuJoCo does not compile the description, once for each file."""
        yield from self.refusals
        for uri, file in self._files.items():
            if isinstance(file, Loss):
                first, *others = self._elements[uri]
                yield replace(file, element=first, others=tuple(others))

    def _find(self, uri: str, written: str) -> Path | Loss | None:
        """Return the path of a file, why MuJoCo refuses it, or None if that cannot be known."""
        suffixes = ('.stl', '.STL', '.obj', '.OBJ', '.msh')
        if '://' in uri:
            return _refused(
                uri, 'Mesh {uri:120} is a URI, which MuJoCo does not resolve',
                f'mesh with a {uri[:uri.index("://") + 3]:.20} URI',
                'Write the path from the folder of the description, or from the meshdir of '
                '<mujoco><compiler meshdir="..."/></mujoco>')
        if not uri.endswith(suffixes) and not (
                self._compiler.release.strips_paths and uri.lower().endswith(suffixes)):
            suffix = suffix_of(uri)[:12]
            return _refused(uri, 'Mesh {uri:120} has a format that MuJoCo does not read',
                            f'mesh format {suffix}' if suffix else 'mesh without format',
                            'Convert it to binary STL or to OBJ')
        if not self._context.reads_files:
            return None
        try:
            path = self._context.resolver.resolve(
                os.path.join('.', self._compiler.meshdir, uri))  # It is never a URI.
        except ResourceError as error:
            return None if error.kind != 'missing' else _refused(
                uri, 'Mesh {uri:120}' + (', which is {written:120} without its folders,' if (
                    written != uri) else '') + ' does not exist beside the description',
                'mesh not found',
                'Write <mujoco><compiler strippath="false"/></mujoco>'
                if self._compiler.strippath else 'MuJoCo puts the meshdir before the path'
                if self._compiler.meshdir else '', written=Name(written))
        return _why_refused(path, uri) or path


def _why_refused(path: Path, uri: str) -> Loss | None:
    """Return why MuJoCo refuses an existing file; None if it reads it."""
    facts = None
    try:
        facts = mesh_facts(path, 'pyramids')
    except MeshError as error:
        if error.limit or path.suffix == '.msh':
            return None
    if path.suffix.lower() == '.stl' and (
            facts is None or facts.is_text or facts.faces > _MAX_FACES):
        return _refused(uri, 'Mesh {uri:120} cannot be read as binary STL with 1 to {maximum} '
                        'triangles', 'mesh not binary STL', 'Convert it to binary STL or to OBJ',
                        maximum=_MAX_FACES)
    if facts is None:
        return _refused(uri, 'Mesh {uri:120} cannot be read', 'unreadable mesh', 'Export it again')
    if facts.faces < 2 or not (facts.size > 1e-9 * facts.size.max()).all():
        return _refused(uri, 'Mesh {uri:120} is flat', 'flat mesh', 'Write a thin box instead')
    return None


def _refused(uri: str, template: str, brief: str, hint: str, **arguments: Any) -> Loss:
    return refusal(None, template, of='mesh', attribute='filename', uri=Name(uri), brief=brief,
                   hint=hint, **arguments)


DENSITY = 1000.0
"""The density of shapes in kg/m^3."""

_MIN = 1e-15
_EPS = 1e-14


class MujocoModel(Reader):
    """
    The model that MuJoCo compiles from a description, even from one that it refuses.

    :ivar inertias: the inertia of each link in its own frame, before bodies are fused; not of a
        link ``world``.
    :ivar invented: the links whose inertia comes from their shapes.
    :ivar balanced: the links whose inertia ``balanceinertia`` or ``boundinertia`` changes.
    :ivar owners: name of each link to the link whose body it is part of, or ``world``.
    """

    def __init__(self, robot: Element, release: Release, context: Context):
        super().__init__()
        self.urdf = UrdfModel(robot, release)
        self.compiler = self.urdf.compiler
        self.meshes = Meshes(self.compiler, context)
        self.invented: dict[str, None] = {}
        self.balanced: list[str] = []
        self._unknown: set[str] = set()
        self.names = self.urdf.names
        self._files = {geom.element: self.meshes.add(geom.element, geom.shape)
                       for name in self.names for geom in self.urdf.bodies[name].geoms
                       if isinstance(geom.shape, Mesh) and 'filename' in geom.element.attrib}
        self.inertias = {name: self._compiled(self.urdf.bodies[name]) for name in self.names}
        self.inertias.pop(WORLD, None)
        self.owners: dict[str, str] = {}
        for name in self.names:
            joint = self.urdf.parents.get(name)
            fused = self.owners[joint.parent] if joint and name != WORLD else WORLD
            self.owners[name] = name if joint and joint.moves else fused

    @property
    def joints(self) -> list[UrdfJoint]:
        """The joints that move."""
        parents = self.urdf.parents
        return [parents[name] for name in self.names if name in parents and parents[name].moves]

    @cached_property
    def bodies(self) -> dict[str, SpatialInertia]:
        """The name of each body to its inertia in its own frame."""
        if not self.compiler.fusestatic:
            return self.inertias
        bodies: dict[str, SpatialInertia] = {}
        for name, owner in self.owners.items():
            inertia = self.inertias.get(name)
            if owner == WORLD or inertia is None:
                continue
            if name == owner:
                bodies[owner] = inertia
            elif not inertia.mass < _MIN:
                bodies[owner] += inertia.transformed(
                    np.linalg.inv(self.frames[owner]) @ self.frames[name])
        return bodies

    @cached_property
    def frames(self) -> dict[str, Array]:
        """The pose of each link in the world, with each joint at zero."""
        frames: dict[str, Array] = {}
        for name in self.names:
            joint = self.urdf.parents.get(name)
            frames[name] = np.eye(4) if joint is None or name == WORLD else (
                frames[joint.parent] @ joint.pose)
        return frames

    @cached_property
    def body_at_zero(self) -> SpatialInertia:
        """The inertia of all bodies as one, in the frame of the world; where unknown, NaN."""
        total = body_at_zero(self.bodies, self.frames)
        if self.compiler.settotalmass > 0 and total.mass:
            total = total.with_mass(self.compiler.settotalmass)
        is_misplaced = self.misplaced and not self.compiler.release.is_4
        return replace(UNKNOWN, mass=total.mass) if is_misplaced else total

    @cached_property
    def misplaced(self) -> frozenset[str]:
        """The links whose inertia releases before 4.0 misplace in the one that they fuse it to."""
        return frozenset() if not self.compiler.fusestatic else frozenset(
            name for name, owner in self.owners.items()
            if owner not in (WORLD, name) and not self.inertias[name].mass < _MIN
            and not np.allclose(self.frames[owner], self.frames[name]))

    @cached_property
    def followers(self) -> frozenset[str]:
        """The names of the joints that follow another one."""
        joints = {joint.name: joint for joint in self.joints if joint.type in ONE_DOF}
        return frozenset(name for name, joint in joints.items() if joint.leader in joints)

    @property
    def parts(self) -> Parts:
        """The parts of the model."""
        joints, fuses = self.joints, self.compiler.fusestatic
        geoms = [geom for name in self.names for geom in self.urdf.bodies[name].geoms]
        return Parts(
            links=len(self.bodies), moving_joints=len(joints),
            fixed_joints=0 if fuses else sum(
                not joint.moves and joint.parent != WORLD for joint in self.urdf.parents.values()),
            mimic=len(self.followers), body=self.body_at_zero,
            position_limits=sum(joint.is_limited for joint in joints),
            effort_limits=sum(joint.effort > 0 for joint in joints),
            damping=sum(joint.damping != 0 for joint in joints),
            friction=sum(joint.friction != 0 for joint in joints),
            visuals=self._formats([geom for geom in geoms if geom.is_visual]),
            collisions=self._formats([geom for geom in geoms if not geom.is_visual]))

    def _formats(self, geoms: list[Geom]) -> dict[str, int]:
        return formats(
            Mesh(*self._files.get(geom.element, ('',))) if isinstance(geom.shape, Mesh) else (
                geom.shape)
            for geom in geoms)

    @cached_property
    def causes(self) -> tuple[Loss, ...]:
        """Why MuJoCo does not compile the description."""
        return tuple((*self.urdf.refusals, *self.meshes.causes, *self.refusals,
                      *self._refused_joints(), *self._refused_masses()))

    def _refused_joints(self) -> Iterator[Loss]:
        for joint in self.joints:
            element = joint.element
            if np.dot(joint.axis, joint.axis) < _EPS and joint.type in DRIVEN:
                yield refusal(element.child('axis'), '{joint} has a zero axis', of='axis',
                              attribute='xyz')
            if joint.type == 'spherical' and joint.is_limited and joint.lower:
                yield refusal(element.child('limit'), 'The lower limit of {joint} is {text}, not '
                              'zero', attribute='lower')
            if not self.compiler.autolimits and (joint.effort or joint.lower <= joint.upper and (
                    joint.lower or joint.upper) and joint.moves and joint.type != 'floating'):
                yield refusal(element.child('limit'), '{joint} has a limit, but autolimits is '
                              'false')
            if joint.child == WORLD:
                yield refusal(self.urdf.bodies[WORLD].element, '{joint} moves the world',
                              attribute='name', joint=element)
            fused = self.owners[joint.parent] if self.compiler.fusestatic else joint.parent
            if joint.type == 'floating' and fused != WORLD:
                yield refusal(element, '{joint} floats, but its parent is not fixed to the world',
                              attribute='type')

    def _refused_masses(self) -> Iterator[Loss]:
        for joint in self.joints:
            name, inertia = joint.child, self.bodies.get(joint.child)
            if inertia is None or name in self._with_mass:
                continue
            body, of = self.urdf.bodies[name], 'mass' if not inertia.mass >= _MIN else 'inertia'
            yield refusal(body.written(of), 'Link {link}, which {joint} moves, has no mass'
                          if of == 'mass' else 'Link {link}, which {joint} moves, has no inertia',
                          of=of, brief=f'moving link without {of}',
                          hint='Write its mass and inertia, or <mujoco><compiler '
                               'boundmass="1e-6" boundinertia="1e-9"/></mujoco>', link=Name(name),
                          joint=joint.element)

    @cached_property
    def _with_mass(self) -> frozenset[str]:
        """The links whose body has mass and inertia, or may have them if that is unknown."""
        found = set(self._unknown)
        for name in reversed(self.names):
            body, joint = self.bodies.get(name), self.urdf.parents.get(name)
            if body is not None and body.mass >= _MIN and (
                    _moments(body.rotational) >= _MIN).all():
                found.add(name)
            if name in found and joint is not None and not joint.moves:
                found.add(joint.parent)
        return frozenset(found)

    def _compiled(self, body: UrdfBody) -> SpatialInertia:
        """Return the inertia of a link as MuJoCo corrects it, and note what it refuses."""
        compiler, inertia, frame = self.compiler, body.inertia, body.inertial_frame
        if not body.is_read:
            self._unknown.add(body.name)
            return SpatialInertia.zero()
        for geom in body.geoms:
            if not isinstance(geom.shape, Mesh) and not all(
                    np.ravel(list(vars(geom.shape).values())) > 0):
                self.refuse(geom.element, 'The size of {element} is not positive')
        if inertia is not None and inertia.rotational.any():
            minimum = -_EPS if (compiler.boundinertia and compiler.release.is_4
                                and body.name != WORLD) else _EPS
            if _moments(inertia.rotational)[0] < minimum:
                self.refuse(body.written('inertia'), 'A principal moment of inertia of {link} is '
                            'not positive')
        solids = self._solids(body) if (
            compiler.inertiafromgeom in ('true', 'auto' if inertia is None else 'true')) else []
        if solids:
            self.invented[body.name] = None
            inertia, frame = sum(solids[1:], solids[0]), np.eye(4)
        elif inertia is None:
            # The pose of the body is used as that of its inertia.
            joint = self.urdf.parents.get(body.name)
            inertia, frame = SpatialInertia.zero(), np.eye(4) if joint is None else joint.pose
        if body.name == WORLD:
            return inertia
        moments = _moments(inertia.rotational)
        if (moments < compiler.boundinertia).any():
            values, axes = np.linalg.eigh(inertia.rotational)
            moments = np.maximum(values, compiler.boundinertia)
            inertia = replace(inertia, rotational=axes @ np.diag(moments) @ axes.T)
            self.balanced.append(body.name)
        if moments[0] + moments[1] < moments[2]:
            if not compiler.balanceinertia:
                self.refuse(body.written('inertia'), 'The inertia of {link} violates the triangle '
                            'inequality')
            else:
                self.balanced.append(body.name)
                inertia = replace(inertia, rotational=moments.mean() * np.eye(3))
        return replace(inertia, mass=max(inertia.mass, compiler.boundmass)).transformed(frame)

    def _solids(self, body: UrdfBody) -> list[SpatialInertia]:
        """Return the inertias of the shapes of a link in its frame."""
        solids = [self._geom_inertia(geom) for geom in body.geoms if not geom.is_visual]
        if any(np.isnan(each.mass) for each in solids):
            self._unknown.add(body.name)
        return [each for each in solids if not each.mass <= _EPS]

    def _geom_inertia(self, geom: Geom) -> SpatialInertia:
        """Return the inertia of a shape in the frame of its link; NaN if it is unknown."""
        try:
            inertia = self.meshes.inertia(*self._files[geom.element]) if (
                isinstance(geom.shape, Mesh)) else solid(geom.shape)
        except ValueError:  # Its size is refused.
            inertia = UNKNOWN
        return inertia.scaled(DENSITY).transformed(geom.pose)


def _moments(rotational: Array) -> Array:
    """Return the principal moments, ascending; NaN if an entry is not finite."""
    if not rotational.any():
        return np.zeros(3)
    if not np.isfinite(rotational).all():
        return np.full(3, np.nan)
    return np.array(np.linalg.eigvalsh(rotational))
