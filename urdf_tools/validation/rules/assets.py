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
from collections.abc import Mapping
from collections.abc import Sequence
import os
from typing import Any

import numpy as np

from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.consequences import warns
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Words
from urdf_tools.meshes.mesh_facts import FORMATS
from urdf_tools.meshes.mesh_facts import MeshFacts
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.model.element import Element
from urdf_tools.model.resources import ResourceError
from urdf_tools.validation.conditions import all_of
from urdf_tools.validation.conditions import IN_COLLISION
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.mesh_references import MeshReference
from urdf_tools.validation.mesh_references import MeshReferences
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = RULES.in_category('assets')

_FAILING_READERS = {
    '.dae': 'MuJoCo and Drake', '.obj': '', '.stl': 'Drake', '.gltf': 'MuJoCo and PyBullet',
    '.glb': 'MuJoCo, Drake and PyBullet'}

_MAX_COLLISION_FACES = 1000
_MAX_FACES = 200_000
_MIN_FACES = 4
_PLAUSIBLE_SIZES = (1e-4, 10.0)


def _meshes(description: Description) -> list[MeshReference]:
    return description.cached(MeshReferences).all


def _defect(mesh: MeshReference, fault: str, **options: Any) -> Defect:
    """Return a defect of a mesh, whose message begins with its file."""
    return Defect(
        mesh.element, f'{{filename:120}} {fault}', filename=Name(mesh.filename), **options)


def _not_found(element: Element, filename: str, error: ResourceError) -> Defect:
    advice: dict[str, Any] = (
        {'hint': '{advice}', 'advice': Words(error.hint)} if error.hint else {})
    return Defect(element, '{error}', error=Words(error.message), kind=error.kind,
                  filename=Name(filename), **advice)


def _unresolved(description: Description, *kinds: str) -> Iterator[Defect]:
    for mesh in _meshes(description):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind in kinds:
            yield _not_found(mesh.element, mesh.filename, mesh.error)


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


def _not_loaded(in_collision: Condition) -> Consequences:
    """Return what becomes of a mesh that cannot be loaded, in all programs but two."""
    return (
        *changes('rviz', of='shape', how='shows nothing'), *drops('gazebo', 'isaac', of='shape'),
        *changes('moveit', of='shape', how='plans paths through the shape', when=in_collision),
        *refuses('mujoco', when=in_collision))


@rule('mesh-not-found', WARN, _not_loaded(IN_COLLISION), refuses('drake', 'pybullet'),
      hint='Fix the path, or add the file', evidence='run; bullet `UrdfFindMeshFile.h`')
def mesh_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file of every mesh exists.

    File names are case-sensitive.
    """
    yield from _unresolved(description, 'missing', 'malformed', 'limit')


def _of_unknown_packages(description: Description) -> Mapping[str, list[MeshReference]]:
    """Return the error about each package that cannot be found to the meshes in it."""
    found: dict[str, list[MeshReference]] = {}
    for mesh in _meshes(description):
        if isinstance(mesh.error, ResourceError) and mesh.error.kind == 'package':
            found.setdefault(mesh.error.message, []).append(mesh)
    return found


@rule('package-not-found', WARN, _not_loaded(Condition(
          'if a collision needs it', lambda description, defect: any(
              mesh.owner.tag == 'collision' for mesh in description.cached(
                  _of_unknown_packages)[defect.arguments['error']]))),
      refuses('drake', 'pybullet'),
      hint='Source the workspace that contains it, or pass --package NAME=PATH', evidence='run')
def package_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the package of every mesh can be found.

    Packages are searched for in the ament index, in ROS_PACKAGE_PATH and around the description.
    """
    for message, meshes in description.cached(_of_unknown_packages).items():
        others = ' ({meshes} meshes refer to it)' if len(meshes) > 1 else ''
        yield Defect(
            meshes[0].element, f'{{error}}{others}', error=Words(message), meshes=len(meshes),
            package=Name(meshes[0].filename.split('/')[2]))


@rule('mesh-outside-package', WARN,
      changes('gazebo', of='shape', how='finds the file on this machine only'),
      hint='Move the mesh into a package, and write package://PACKAGE/meshes/FILE')
def mesh_outside_package(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in the package of the description or in another package.

    Other files are not read.
    """
    yield from _unresolved(description, 'outside')


def _suffix(mesh: MeshReference) -> str:
    return os.path.splitext(mesh.filename.lower())[1]


def _suffixes_of_collisions(description: Description) -> frozenset[str]:
    return frozenset(
        _suffix(mesh) for mesh in _meshes(description) if mesh.owner.tag == 'collision')


def _listed(suffixes: Sequence[str]) -> str:
    return f'{", ".join(suffixes[:-1])} or {suffixes[-1]}'


def _other_than(*suffixes: str) -> Condition:
    """Return the condition that a mesh has none of these formats."""
    return Condition(f'if it is no {_listed(suffixes)} file', lambda description, defect: (
        defect.arguments['format'] not in suffixes))


def _collision_other_than(*suffixes: str) -> Condition:
    """Return the condition that a collision has a mesh of the same format, which is another."""
    other = _other_than(*suffixes)
    return Condition(
        f'if a collision is no {_listed(suffixes)} file', lambda description, defect: (
            other.holds(description, defect)
            and defect.arguments['format'] in description.cached(_suffixes_of_collisions)))


@rule('mesh-format-unsupported', WARN,
      changes('rviz', of='shape', how='shows nothing', when=_other_than(*_FAILING_READERS)),
      drops('gazebo', of='shape', when=_other_than(*_FAILING_READERS)),
      refuses('mujoco', when=_collision_other_than('.stl', '.obj', '.msh')),
      refuses('drake', when=_collision_other_than('.obj', '.gltf', '.vtk')),
      refuses('pybullet', when=_other_than('.stl', '.obj', '.dae', '.cdf', '.vtk')),
      hint='Convert the mesh to .stl, .obj or .dae',
      evidence='run; bullet `UrdfFindMeshFile.h`')
def mesh_format_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in a format that ROS programs read.

    A format that only some simulators cannot read is noted once.
    """
    noted: dict[str, MeshReference] = {}
    for mesh in _meshes(description):
        suffix = _suffix(mesh)
        if not suffix:
            yield _defect(mesh, 'has no file extension', format=Name())
        elif suffix not in _FAILING_READERS:
            yield _defect(mesh, 'has the unsupported format {format:40}', format=Name(suffix))
        elif _FAILING_READERS[suffix]:
            noted.setdefault(suffix, mesh)
    for suffix, mesh in noted.items():
        yield _defect(
            mesh, 'is a {format} file, which {readers} cannot read', format=suffix,
            readers=_FAILING_READERS[suffix], severity=INFO,
            hint='Convert the mesh to .obj if the robot is to be used there')


@rule('mesh-stl-text', INFO, refuses('mujoco', when=IN_COLLISION),
      changes('pybullet', of='shape', how='shows nothing'),
      changes('rviz', of='shape', how='loads it slowly'),
      hint='Save the mesh as binary STL', evidence='run')
def mesh_stl_text(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh is an ASCII STL file.

    ASCII STL files are large, and not every program reads them.
    """
    for mesh, facts in _distinct(description):
        if facts.is_text:
            yield _defect(mesh, 'is an ASCII STL file')


@rule('mesh-repeated-ids', WARN,
      changes('gazebo', of='shape', how='shows every part with the vertices of the first'),
      hint='Export the mesh again, or give each <source> an ID of its own',
      evidence='gz-common `ColladaLoader.cc` takes the first; Assimp and pycollada look inside of '
               'each <geometry>')
def mesh_repeated_ids(description: Description) -> Iterator[Defect]:
    """Check that no two sources of a COLLADA file have the same ID."""
    for mesh, facts in _distinct(description):
        if facts.repeated_ids:
            yield _defect(mesh, 'has {repeated:source} of numbers with the ID of another one',
                          repeated=facts.repeated_ids)


@rule('mesh-unreadable', WARN, _not_loaded(IN_COLLISION), refuses('drake', when=IN_COLLISION),
      drops('pybullet', of='shape'), hint='Export the mesh again',
      evidence='run; bullet `BulletUrdfImporter.cpp:846`')
def mesh_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh file can be read and contains triangles.

    Materials and images do not matter, and a skinned mesh is read without its skeleton.
    """
    for mesh, error in _unread(description):
        if not error.limit:
            yield _defect(mesh, 'cannot be used as a mesh: {error}', error=Words(error),
                          hint='Run "git lfs pull"' if 'Git LFS pointer' in str(error) else '')


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
            yield _defect(mesh, 'was not read: {error}', error=Words(error), limit=error.limit)


def _unread(description: Description) -> Iterator[tuple[MeshReference, MeshError]]:
    for mesh in _meshes(description):
        if (isinstance(mesh.error, MeshError) and mesh.path is not None
                and mesh.path.suffix.lower() in FORMATS):
            yield mesh, mesh.error


@rule('mesh-not-watertight', INFO,
      changes('gazebo', of='inertia', how='cannot compute an inertia from it'),
      hint='Close the mesh, or use its convex hull for collision')
def mesh_not_watertight(description: Description) -> Iterator[Defect]:
    """Check that every collision mesh is watertight."""
    for mesh, facts in _distinct_collisions(description):
        if facts.openness:
            yield _defect(mesh, 'is not watertight: {reason}', reason=facts.openness)


@rule('mesh-inside-out', WARN, changes('rviz', of='shape', how='shades it inside out'),
      hint='Flip the normals of the mesh')
def mesh_inside_out(description: Description) -> Iterator[Defect]:
    """Check that the triangles of every closed mesh face outward."""
    for mesh, facts in _distinct(description):
        if facts.volume < 0:
            yield Defect(mesh.element, 'The triangles of {filename:120} face inward',
                         filename=Name(mesh.filename))


@rule('mesh-degenerate', WARN, refuses('mujoco', when=Condition(
          'if it is flat or a single triangle',
          lambda description, defect: defect.arguments.get('triangles', 1) == 1)),
      hint='Export the mesh again', evidence='run')
def mesh_degenerate(description: Description) -> Iterator[Defect]:
    """Check that no collision mesh is flat or has fewer than four triangles."""
    for mesh, facts in _distinct_collisions(description):
        size = facts.high - facts.low
        is_flat = np.any(size <= 1e-9 * size.max())
        if is_flat:
            yield _defect(mesh, 'is flat')
        elif facts.faces < _MIN_FACES:
            noun = 'triangle' if facts.faces == 1 else 'triangles'
            yield _defect(mesh, f'has only {{triangles}} {noun}', triangles=facts.faces)


@rule('mesh-too-many-faces', WARN,
      refuses('mujoco', when=all_of(IN_COLLISION, Condition(
          'if it is an .stl file',
          lambda description, defect: defect.arguments['filename'].lower().endswith('.stl')))),
      changes('rviz', of='shape', how='becomes slow'),
      hint='Simplify the mesh to at most 200,000 triangles', evidence='run')
def mesh_too_many_faces(description: Description) -> Iterator[Defect]:
    """Check that no mesh has more than 200,000 triangles."""
    for mesh, facts in _distinct(description):
        if facts.faces > _MAX_FACES:
            yield _defect(mesh, 'has {triangles:,} triangles', triangles=facts.faces)


@rule('collision-mesh-heavy', INFO, changes('moveit', of='collision', how='plans slowly'),
      changes('gazebo', of='collision', how='simulates slowly'),
      hint='Use simple shapes, or simplify the mesh to at most 1,000 triangles')
def collision_mesh_heavy(description: Description) -> Iterator[Defect]:
    """Check that no collision mesh has more than 1,000 triangles, as URDF recommends."""
    for mesh, facts in _distinct_collisions(description):
        if _MAX_COLLISION_FACES < facts.faces <= _MAX_FACES:
            yield Defect(
                mesh.element, 'Collision mesh {filename:120} has {triangles:,} triangles',
                filename=Name(mesh.filename), triangles=facts.faces)


_HUGE = Condition('if it is more than 10 m long', lambda description, defect: (
    defect.arguments['size'] > _PLAUSIBLE_SIZES[1]))
_TINY = Condition('if it is less than 0.1 mm long', lambda description, defect: (
    defect.arguments['size'] < _PLAUSIBLE_SIZES[0]))


@rule('mesh-units-suspect', WARN,
      changes('rviz', of='shape', how='shows a huge mesh', when=_HUGE),
      changes('rviz', of='shape', how='shows a tiny mesh', when=_TINY),
      changes('moveit', of='collision', how='reports everything as in collision',
              when=all_of(IN_COLLISION, _HUGE)),
      hint='For a mesh in millimetres, write scale="0.001 0.001 0.001"')
def mesh_units_suspect(description: Description) -> Iterator[Defect]:
    """Check that the size of every mesh is between 0.1 mm and 10 m."""
    least, most = _PLAUSIBLE_SIZES
    for mesh, facts in _distinct(description):
        scale = description.vector(mesh.element, 'scale', 3) or (1.0, 1.0, 1.0)
        size = ((facts.high - facts.low) * np.abs(scale)).max()
        if size and not least <= size <= most:
            yield Defect(
                mesh.element, 'The size of {filename:120} is {size:.4g} m after scaling',
                filename=Name(mesh.filename), size=float(size))


@rule('texture-not-found', WARN, changes('rviz', of='texture', how='shows no texture'),
      refuses('drake'), warns('isaac'), hint='Fix the path, or add the file', evidence='run')
def texture_not_found(description: Description) -> Iterator[Defect]:
    """Check that the file of every texture exists."""
    for element, _ in description.grammar:
        filename = element.get('filename', '').strip()
        if element.tag == 'texture' and filename and not is_expression(filename):
            try:
                description.resolve(filename)
            except ResourceError as error:
                yield _not_found(element, filename, error)
