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

"""Rules about the files that a description refers to: meshes and textures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
import os
from pathlib import Path

import numpy as np

from urdf_tools.inertia.meshes import FORMATS
from urdf_tools.inertia.meshes import mesh_facts
from urdf_tools.inertia.meshes import MeshError
from urdf_tools.inertia.meshes import MeshFacts
from urdf_tools.model.document import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('assets')

_SHOWS_NOTHING = {
    'rviz': 'shows nothing in its place', 'gazebo': 'refuses the shape',
    'moveit': 'plans through the shape', 'mujoco': 'refuses the description',
    'isaac': 'drops the shape'}

_FAILING_READERS = {
    '.dae': 'MuJoCo and Drake', '.obj': '', '.stl': 'Drake', '.gltf': 'MuJoCo and PyBullet',
    '.glb': 'MuJoCo, Drake and PyBullet'}

_LARGEST_COLLISION = 1000
_LARGEST_MESH = 200_000
_FEWEST_FACES = 4
_EXTENTS = (1e-4, 10.0)


@dataclass(frozen=True)
class _Mesh:
    """A mesh of a visual or collision, with its file and what is in that, or why there is none."""

    element: Element
    owner: Element
    path: Path | None
    facts: MeshFacts | None
    error: ResourceError | MeshError | None

    @property
    def name(self) -> str:
        return quote(self.element.get('filename').strip(), 120)


def _meshes(description: Description) -> list[_Mesh]:
    meshes = []
    for owner, geometry in description.shapes:
        element = child(geometry, 'mesh')
        filename = '' if element is None else element.get('filename', '').strip()
        if filename and not is_expression(filename):
            meshes.append(_mesh(description, owner, element, filename))
    return meshes


def _mesh(description, owner, element, filename):
    path = None
    try:
        path = description.resolve(filename)
        return _Mesh(element, owner, path, mesh_facts(path), None)
    except (ResourceError, MeshError) as error:
        return _Mesh(element, owner, path, None, error)


def _resource_errors(description, *kinds):
    for mesh in description.cached(_meshes):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind in kinds:
            yield Defect(mesh.element, mesh.error.message, mesh.error.hint)


def _first_of_each_file(description):
    """Yield every mesh that could be read, but each file in one role only once."""
    seen = set()
    for mesh in description.cached(_meshes):
        key = mesh.path, mesh.owner.tag, mesh.element.get('scale')
        if mesh.facts is not None and key not in seen:
            seen.add(key)
            yield mesh


@rule('mesh-not-found', WARN, hint='Mend the path, or add the file', consumers=_SHOWS_NOTHING)
def mesh_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file of every mesh exists.

    Upper and lower case count, also for those who work where they do not.
    """
    yield from _resource_errors(description, 'missing', 'malformed')


@rule('package-not-found', WARN,
      hint='Source the workspace that has it, or give --package NAME=PATH',
      consumers=_SHOWS_NOTHING)
def package_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the package of every mesh can be found.

    Packages are sought in the ament index, in ROS_PACKAGE_PATH and around the description.
    """
    found = {}
    for mesh in description.cached(_meshes):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind == 'package':
            found.setdefault(mesh.error.message, []).append(mesh.element)
    for message, elements in found.items():
        often = f' ({len(elements)} meshes are in it)' if len(elements) > 1 else ''
        yield Defect(elements[0], message + often)


@rule('mesh-outside-package', WARN, hint='Keep meshes in the package, and write package://',
      consumers={'gazebo': 'finds the file on this machine only'})
def mesh_outside_package(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh lies outside the package of the description and the other packages.

    Such a file is not looked at.
    """
    yield from _resource_errors(description, 'outside')


@rule('mesh-format-unsupported', WARN, hint='Convert the mesh to .stl, .obj or .dae', consumers={
    'rviz': 'shows nothing in its place', 'gazebo': 'refuses the shape',
    'mujoco': 'reads .stl and .obj only', 'drake': 'reads .obj, .gltf and .vtk only'})
def mesh_format_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in a format that the programs of ROS read.

    A format that some simulator does not read is only noted, once.
    """
    noted = {}
    for mesh in description.cached(_meshes):
        suffix = os.path.splitext(mesh.element.get('filename').strip().lower())[1]
        if suffix not in _FAILING_READERS:
            what = f'in the format {quote(suffix)}' if suffix else 'without a known format'
            yield Defect(mesh.element, f'{mesh.name} is {what}')
        elif _FAILING_READERS[suffix]:
            noted.setdefault(suffix, mesh)
    for suffix, mesh in noted.items():
        yield Defect(
            mesh.element,
            f'{mesh.name} is in a format that {_FAILING_READERS[suffix]} cannot read',
            'Convert it where the robot is to be used there', INFO)


@rule('mesh-stl-text', INFO, hint='Save it as binary STL', consumers={
    'mujoco': 'refuses the description', 'rviz': 'loads it slowly'})
def mesh_stl_text(description: Description) -> Iterator[Defect]:
    """Check that no STL file is in its text form, which is large and which few programs want."""
    for mesh in _first_of_each_file(description):
        if mesh.path.suffix.lower() == '.stl' and _is_text_stl(mesh.path):
            yield Defect(mesh.element, f'{mesh.name} is an STL file in text form')


def _is_text_stl(path):
    with open(path, 'rb') as file:
        start = file.read(1024)
    return start.lstrip().startswith(b'solid') and b'facet' in start and b'\0' not in start


@rule('mesh-unreadable', WARN, hint='Export the mesh again', consumers=_SHOWS_NOTHING)
def mesh_unreadable(description: Description) -> Iterator[Defect]:
    """Check that every mesh file holds triangles that can be read."""
    for mesh in description.cached(_meshes):
        if isinstance(mesh.error, MeshError) and mesh.path.suffix.lower() in FORMATS:
            yield Defect(mesh.element, f'{mesh.name} is no mesh: {mesh.error}')


@rule('mesh-not-watertight', INFO, hint='Close the mesh, or collide with its convex hull',
      consumers={'mujoco': 'refuses a mesh whose volume is too small',
                 'gazebo': 'computes no inertia from it'})
def mesh_not_watertight(description: Description) -> Iterator[Defect]:
    """Check that meshes to collide with have an inside."""
    for mesh in _first_of_each_file(description):
        if mesh.owner.tag == 'collision' and mesh.facts.openness:
            yield Defect(mesh.element, f'{mesh.name} has no inside: {mesh.facts.openness}')


@rule('mesh-inside-out', WARN, hint='Turn its triangles around', consumers={
    'mujoco': 'refuses a mesh of negative volume', 'rviz': 'shades it from inside'})
def mesh_inside_out(description: Description) -> Iterator[Defect]:
    """Check that the triangles of closed meshes face outside."""
    for mesh in _first_of_each_file(description):
        if mesh.facts.volume < 0:
            yield Defect(mesh.element, f'The triangles of {mesh.name} face inside')


@rule('mesh-degenerate', WARN, hint='Export the mesh again', consumers={
    'mujoco': 'refuses a mesh of fewer than four vertices', 'moveit': 'may crash'})
def mesh_degenerate(description: Description) -> Iterator[Defect]:
    """Check that meshes to collide with are not flat and have more than three triangles."""
    for mesh in _first_of_each_file(description):
        size = mesh.facts.high - mesh.facts.low
        is_flat = np.any(size <= 1e-9 * size.max())
        if mesh.owner.tag == 'collision' and (is_flat or mesh.facts.faces < _FEWEST_FACES):
            what = 'is flat' if is_flat else f'has only {mesh.facts.faces} triangles'
            yield Defect(mesh.element, f'{mesh.name} {what}')


@rule('mesh-too-many-faces', WARN, hint='Reduce the mesh', consumers={
    'mujoco': 'refuses a mesh of more than 200,000 faces', 'rviz': 'gets slow'})
def mesh_too_many_faces(description: Description) -> Iterator[Defect]:
    """Check that no mesh has more than 200,000 triangles."""
    for mesh in _first_of_each_file(description):
        if mesh.facts.faces > _LARGEST_MESH:
            yield Defect(mesh.element, f'{mesh.name} has {mesh.facts.faces} triangles')


@rule('collision-mesh-heavy', INFO,
      hint='Collide with simple shapes, or a mesh of fewer than 1,000 triangles', consumers={
          'moveit': 'plans slowly', 'gazebo': 'simulates slowly'})
def collision_mesh_heavy(description: Description) -> Iterator[Defect]:
    """Check that no mesh to collide with has more than 1,000 triangles, as URDF advises."""
    for mesh in _first_of_each_file(description):
        faces = mesh.facts.faces
        if mesh.owner.tag == 'collision' and _LARGEST_COLLISION < faces <= _LARGEST_MESH:
            yield Defect(mesh.element, f'{mesh.name} has {faces} triangles to collide with')


@rule('mesh-units-suspect', WARN, hint='For a mesh in millimetres write scale="0.001 0.001 0.001"',
      consumers={'rviz': 'shows a giant or a dot', 'moveit': 'finds everything in collision'})
def mesh_units_suspect(description: Description) -> Iterator[Defect]:
    """Check that no mesh is larger than ten metres or smaller than a tenth of a millimetre."""
    for mesh in _first_of_each_file(description):
        scale = description.vector(mesh.element, 'scale', 3) or (1.0, 1.0, 1.0)
        size = ((mesh.facts.high - mesh.facts.low) * np.abs(scale)).max()
        if size and not _EXTENTS[0] <= size <= _EXTENTS[1]:
            yield Defect(mesh.element, f'{mesh.name} is {size:.4g} m in size')


@rule('texture-not-found', WARN, hint='Mend the path, or add the file', consumers={
    'rviz': 'shows no texture', 'isaac': 'warns'})
def texture_not_found(description: Description) -> Iterator[Defect]:
    """Check that the file of every texture exists."""
    for element, _ in description.grammar:
        filename = element.get('filename', '').strip()
        if element.tag == 'texture' and filename and not is_expression(filename):
            try:
                description.resolve(filename)
            except ResourceError as error:
                yield Defect(element, error.message, error.hint)
