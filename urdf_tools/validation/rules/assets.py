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
import os

import numpy as np

from urdf_tools.findings.finding import Severity
from urdf_tools.meshes.mesh_facts import FORMATS
from urdf_tools.meshes.mesh_facts import MeshFacts
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.model.element import Element
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.mesh_references import MeshReference
from urdf_tools.validation.mesh_references import MeshReferences
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('assets')

_NOT_LOADED = {
    'rviz': 'shows nothing', 'gazebo': 'refuses the shape',
    'moveit': 'plans paths through the shape', 'mujoco': 'refuses a collision',
    'drake': 'refuses the description', 'pybullet': 'refuses the description',
    'isaac': 'drops the shape'}

_FAILING_READERS = {
    '.dae': 'MuJoCo and Drake', '.obj': '', '.stl': 'Drake', '.gltf': 'MuJoCo and PyBullet',
    '.glb': 'MuJoCo, Drake and PyBullet'}

_MAX_COLLISION_FACES = 1000
_MAX_FACES = 200_000
_MIN_FACES = 4
_PLAUSIBLE_SIZES = (1e-4, 10.0)


def _meshes(description: Description) -> list[MeshReference]:
    return description.cached(MeshReferences).all


def _unresolved(description: Description, *kinds: str) -> Iterator[Defect]:
    for mesh in _meshes(description):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind in kinds:
            yield Defect(mesh.element, mesh.error.message, mesh.error.hint)


def _distinct(description: Description) -> Iterator[tuple[MeshReference, MeshFacts]]:
    """Yield every mesh that can be read, but each file with the same role and scale only once."""
    seen = set()
    for mesh in _meshes(description):
        key = mesh.path, mesh.owner.tag, mesh.element.get('scale')
        if mesh.facts is not None and key not in seen:
            seen.add(key)
            yield mesh, mesh.facts


def _distinct_collisions(description: Description) -> Iterator[tuple[MeshReference, MeshFacts]]:
    return ((mesh, facts) for mesh, facts in _distinct(description)
            if mesh.owner.tag == 'collision')


@rule('mesh-not-found', WARN, hint='Fix the path, or add the file', consumers=_NOT_LOADED)
def mesh_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file of every mesh exists.

    File names are case-sensitive.
    """
    yield from _unresolved(description, 'missing', 'malformed', 'limit')


@rule('package-not-found', WARN,
      hint='Source the workspace that contains it, or pass --package NAME=PATH',
      consumers=_NOT_LOADED)
def package_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the package of every mesh can be found.

    Packages are searched for in the ament index, in ROS_PACKAGE_PATH and around the description.
    """
    found: dict[str, list[Element]] = {}
    for mesh in _meshes(description):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind == 'package':
            found.setdefault(mesh.error.message, []).append(mesh.element)
    for message, elements in found.items():
        others = f' ({len(elements)} meshes refer to it)' if len(elements) > 1 else ''
        yield Defect(elements[0], message + others)


@rule('mesh-outside-package', WARN,
      hint='Move the mesh into a package, and write package://PACKAGE/meshes/FILE',
      consumers={'gazebo': 'finds the file on this machine only'})
def mesh_outside_package(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in the package of the description or in another package.

    Other files are not read.
    """
    yield from _unresolved(description, 'outside')


@rule('mesh-format-unsupported', WARN, hint='Convert the mesh to .stl, .obj or .dae', consumers={
    'rviz': 'shows nothing', 'gazebo': 'refuses the shape',
    'mujoco': 'reads collisions from .stl and .obj only',
    'drake': 'reads collisions from .obj, .gltf and .vtk only'})
def mesh_format_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in a format that ROS programs read.

    A format that only some simulators cannot read is noted once.
    """
    noted: dict[str, MeshReference] = {}
    for mesh in _meshes(description):
        suffix = os.path.splitext(mesh.filename.lower())[1]
        if suffix not in _FAILING_READERS:
            fault = (f'has the unsupported format {quote(suffix)}' if suffix
                     else 'has no file extension')
            yield Defect(mesh.element, f'{mesh} {fault}')
        elif _FAILING_READERS[suffix]:
            noted.setdefault(suffix, mesh)
    for suffix, mesh in noted.items():
        yield Defect(
            mesh.element,
            f'{mesh} is a {suffix} file, which {_FAILING_READERS[suffix]} cannot read',
            'Convert the mesh to .obj if the robot is to be used there', INFO)


@rule('mesh-stl-text', INFO, hint='Save the mesh as binary STL', consumers={
    'mujoco': 'refuses a collision', 'pybullet': 'shows nothing', 'rviz': 'loads it slowly'})
def mesh_stl_text(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh is an ASCII STL file.

    ASCII STL files are large, and not every program reads them.
    """
    for mesh, facts in _distinct(description):
        if facts.is_text:
            yield Defect(mesh.element, f'{mesh} is an ASCII STL file')


@rule('mesh-unreadable', WARN, hint='Export the mesh again', consumers=_NOT_LOADED)
def mesh_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh file can be read and contains triangles.

    Materials and images do not matter, and a skinned mesh is read without its skeleton.
    """
    for mesh, error in _unread(description):
        if not error.limit:
            yield Defect(mesh.element, f'{mesh} cannot be used as a mesh: {error}',
                         'Run "git lfs pull"' if 'Git LFS pointer' in str(error) else '')


@rule('mesh-over-limit', WARN,
      hint='Simplify the mesh, or raise the limit with --mesh-limits')
def mesh_over_limit(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh takes more time or memory to read than the limits allow.

    A mesh can come from anybody, and a small file can describe a huge one. What exceeds a limit
    is not read further, and no other rule about meshes applies to it.
    """
    for mesh, error in _unread(description):
        if error.limit:
            yield Defect(mesh.element, f'{mesh} was not read: {error}')


def _unread(description: Description) -> Iterator[tuple[MeshReference, MeshError]]:
    for mesh in _meshes(description):
        if (isinstance(mesh.error, MeshError) and mesh.path is not None
                and mesh.path.suffix.lower() in FORMATS):
            yield mesh, mesh.error


@rule('mesh-not-watertight', INFO, hint='Close the mesh, or use its convex hull for collision',
      consumers={'gazebo': 'cannot compute an inertia from it'})
def mesh_not_watertight(description: Description) -> Iterator[Defect]:
    """Check that every collision mesh is watertight."""
    for mesh, facts in _distinct_collisions(description):
        if facts.openness:
            yield Defect(mesh.element, f'{mesh} is not watertight: {facts.openness}')


@rule('mesh-inside-out', WARN, hint='Flip the normals of the mesh', consumers={
    'rviz': 'shades it inside out'})
def mesh_inside_out(description: Description) -> Iterator[Defect]:
    """Check that the triangles of every closed mesh face outward."""
    for mesh, facts in _distinct(description):
        if facts.volume < 0:
            yield Defect(mesh.element, f'The triangles of {mesh} face inward')


@rule('mesh-degenerate', WARN, hint='Export the mesh again', consumers={
    'mujoco': 'refuses a flat collision and one of fewer than four vertices'})
def mesh_degenerate(description: Description) -> Iterator[Defect]:
    """Check that no collision mesh is flat or has fewer than four triangles."""
    for mesh, facts in _distinct_collisions(description):
        size = facts.high - facts.low
        is_flat = np.any(size <= 1e-9 * size.max())
        if is_flat or facts.faces < _MIN_FACES:
            fault = 'is flat' if is_flat else f'has only {count(facts.faces, "triangle")}'
            yield Defect(mesh.element, f'{mesh} {fault}')


@rule('mesh-too-many-faces', WARN, hint='Simplify the mesh to at most 200,000 triangles',
      consumers={'mujoco': 'refuses a mesh of more than 200,000 faces', 'rviz': 'becomes slow'})
def mesh_too_many_faces(description: Description) -> Iterator[Defect]:
    """Check that no mesh has more than 200,000 triangles."""
    for mesh, facts in _distinct(description):
        if facts.faces > _MAX_FACES:
            yield Defect(mesh.element, f'{mesh} has {facts.faces:,} triangles')


@rule('collision-mesh-heavy', INFO,
      hint='Use simple shapes, or simplify the mesh to at most 1,000 triangles', consumers={
          'moveit': 'plans slowly', 'gazebo': 'simulates slowly'})
def collision_mesh_heavy(description: Description) -> Iterator[Defect]:
    """Check that no collision mesh has more than 1,000 triangles, as URDF recommends."""
    for mesh, facts in _distinct_collisions(description):
        if _MAX_COLLISION_FACES < facts.faces <= _MAX_FACES:
            yield Defect(mesh.element, f'Collision mesh {mesh} has {facts.faces:,} triangles')


@rule('mesh-units-suspect', WARN,
      hint='For a mesh in millimetres, write scale="0.001 0.001 0.001"', consumers={
          'rviz': 'shows a huge or tiny mesh', 'moveit': 'reports everything as in collision'})
def mesh_units_suspect(description: Description) -> Iterator[Defect]:
    """Check that the size of every mesh is between 0.1 mm and 10 m."""
    least, most = _PLAUSIBLE_SIZES
    for mesh, facts in _distinct(description):
        scale = description.vector(mesh.element, 'scale', 3) or (1.0, 1.0, 1.0)
        size = ((facts.high - facts.low) * np.abs(scale)).max()
        if size and not least <= size <= most:
            yield Defect(mesh.element, f'The size of {mesh} is {size:.4g} m after scaling')


@rule('texture-not-found', WARN, hint='Fix the path, or add the file', consumers={
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
