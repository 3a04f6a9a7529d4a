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

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import math
from operator import attrgetter
import os
from pathlib import Path
import re
from typing import Any
from urllib.parse import unquote

import numpy as np

from urdf_tools.check.bodies import box_around
from urdf_tools.check.bodies import Corners
from urdf_tools.check.bodies import is_gltf
from urdf_tools.check.bodies import is_y_up
from urdf_tools.check.bodies import link_boxes
from urdf_tools.check.bodies import mesh_references
from urdf_tools.check.bodies import MeshReference
from urdf_tools.check.bodies import shape_element
from urdf_tools.check.file_lookup import in_package
from urdf_tools.check.file_lookup import texts_of
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import IN_COLLISION
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.meshes.formats import mesh_formats
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.meshes.record import TURNED
from urdf_tools.model.grouping import grouped
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Link
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.mujoco.model import MeshNames
from urdf_tools.programs.robot_parts import suffix_of

rule = RULES.in_category('assets')

_READ_BY_ROS = ('.dae', '.fbx', '.obj', '.stl', '.gltf', '.glb')
_MAX_FACES = 200_000


def _defect(mesh: MeshReference, template: str, **options: Any) -> Defect:
    """Return a defect of a mesh, whose message begins with its file."""
    return Defect(mesh.element, '{filename:120} ' + template, filename=Name(mesh.filename),
                  **options)


def _not_found(element: Element, filename: str, error: ResourceError,
               suggestion: str | None = None) -> Defect:
    return Defect(element, '{error}', error=FreeText(error.message), kind=error.kind,
                  filename=Name(filename), advice=FreeText(error.hint), suggestion=suggestion,
                  hint='{advice}' if error.hint and not suggestion else '',
                  fix=(SetAttribute(element, 'filename', suggestion),) if suggestion else ())


def _unresolved(
        description: Description, *kinds: str) -> Iterator[tuple[MeshReference, ResourceError]]:
    """Yield the meshes whose files are not found, with errors of some kinds."""
    for mesh in mesh_references(description).all:
        if isinstance(mesh.facts, ResourceError) and mesh.facts.kind in kinds:
            yield mesh, mesh.facts


def _distinct(description: Description, role: str = ''
              ) -> Iterator[tuple[MeshReference, MeshRecord]]:
    """Yield every readable mesh, of a role, each file with the same role and scale only once."""
    seen = set()
    for mesh in mesh_references(description).all:
        key = mesh.path, mesh.owner.tag, mesh.element.get('scale')
        if isinstance(mesh.facts, MeshRecord) and key not in seen and role in (
                '', mesh.owner.tag):
            seen.add(key)
            yield mesh, mesh.facts


_NOT_SHOWN = changes('rviz', of='shape', how='shows nothing')
_NOT_LOADED = (*_NOT_SHOWN, *changes(
    'moveit', of='shape', how='plans paths through the shape', when=IN_COLLISION))


@rule('mesh-not-found', WARN, _NOT_LOADED, affects='any')
def mesh_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file of every mesh exists.

    File names are case-sensitive.

    Fails in a collision geometry: <mesh filename="Cube.stl"/>
    Passes with filename="cube.stl"
    """
    found = _beside(description)
    for mesh, error in _unresolved(description, 'missing', 'malformed', 'limit'):
        # A path of Windows is a finding of mesh-scheme-unsupported.
        if mesh.filename not in found and '\\' not in mesh.filename:
            yield _not_found(mesh.element, mesh.filename, error,
                             in_package(description, mesh.filename))


@rule('package-not-found', WARN, _NOT_LOADED, affects='any')
def package_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the package of every mesh can be found.

    Packages are searched for in the ament index, in ROS_PACKAGE_PATH and around the description.

    Fails in a collision geometry: <mesh filename="package://nowhere/cube.stl"/>
    Passes with filename="package://parts/cube.stl"
    """
    for mesh, error in _unresolved(description, 'package'):
        package = mesh.filename.split('/')[2]
        if mesh.filename not in _beside(description):
            yield Defect(mesh.element, '{error}', error=FreeText(error.message),
                         package=Name(package), suggestion=_packages(description).near(package))


@rule('mesh-without-package', WARN, _NOT_LOADED, affects='any')
def mesh_without_package(description: Description) -> Iterator[Defect]:
    """
    Check that the URI of every mesh names a package, not only a path in it.

    Exporters of CAD programs write package:///part.stl, package://part.stl or
    package://meshes/part.stl for a file beside the description. All such meshes are one finding.

    Fails in a collision geometry: <mesh filename="package:///cube.stl"/>
    Passes with filename="cube.stl"
    """
    found = _beside(description)
    elements = [mesh.element for mesh in mesh_references(description).all
                if mesh.filename in found]
    if elements:
        filename = elements[0].get('filename', '').strip()
        yield first_of(
            elements, '{filename:120} names no package that exists, but is a file beside the '
            'description', filename=Name(filename), path=Name(found[filename]),
            hint='Write filename={path:120}', fix=tuple(
                SetAttribute(element, 'filename', found[element.get('filename', '').strip()])
                for element in elements))


@once
def _beside(description: Description) -> Mapping[str, str]:
    """Return each URI that names no package but a file beside the description, to what does."""
    found = {}
    for mesh, _ in _unresolved(description, 'malformed', 'package'):
        if path := description.context.resolver.beside(mesh.filename):
            found[mesh.filename] = in_package(description, path) or path
    return found


@once
def _packages(description: Description) -> Spelling:
    return Spelling(description.context.resolver.lookup.names())


@rule('mesh-outside-package', WARN)
def mesh_outside_package(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in the package of the description or in another package.

    Other files are not read, and may be missing on other machines. Those of a folder are one
    finding.

    Fails in a collision geometry: <mesh filename="package://parts/../outside.stl"/>
    Passes with filename="package://parts/cube.stl"
    """
    for meshes in grouped((os.path.dirname(mesh.filename), (mesh, error)) for mesh, error in
                          _unresolved(description, 'outside')).values():
        first, error = meshes[0]
        yield first_of([mesh.element for mesh, _ in meshes], '{error}',
                       error=FreeText(error.message), filename=Name(first.filename),
                       advice=FreeText(error.hint), hint='{advice}')


@rule('mesh-format-unsupported', WARN, affects='any')
def mesh_format_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh is in a format that ROS programs read.

    Fails in a collision geometry: <mesh filename="cube.step"/>
    Passes with filename="cube.obj"
    """
    for mesh in mesh_references(description).all:
        if (suffix := os.path.splitext(mesh.filename.lower())[1]) not in _READ_BY_ROS:
            yield _defect(mesh, 'has the unsupported format {format:40}' if suffix else
                          'has no file extension', format=Name(suffix))


@rule('mesh-unreadable', WARN, _NOT_LOADED, affects='any')
def mesh_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh file can be read and contains triangles.

    Materials and images do not matter, and a skinned mesh is read without its skeleton.

    Fails in a collision geometry: <mesh filename="empty.obj"/>
    Passes with filename="cube.obj"
    """
    for mesh, error in _unread(description):
        if not error.limit:
            yield _defect(mesh, 'cannot be used as a mesh: {error}', error=FreeText(error),
                          hint='Run "git lfs pull"' if 'Git LFS pointer' in str(error) else '')


@rule('mesh-over-limit', WARN)
def mesh_over_limit(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh takes more time or memory to read than the limits allow.

    A mesh can come from anybody, and a small file can describe a huge one. What exceeds a limit
    is not read further, and no other rule about meshes applies to it.

    Fails in a collision geometry: <mesh filename="nested.dae"/>
    Passes with filename="cube.obj"
    """
    for mesh, error in _unread(description):
        if error.limit:
            yield _defect(mesh, 'was not read: {error}', error=FreeText(error), limit=error.limit)


def _unread(description: Description) -> Iterator[tuple[MeshReference, MeshError]]:
    for mesh in mesh_references(description).all:
        if (isinstance(mesh.facts, MeshError) and isinstance(mesh.path, Path)
                and mesh.path.suffix.lower() in mesh_formats()):
            yield mesh, mesh.facts


def _meshes(description: Description, bad: str, template: str, role: str = '', **facts: str
            ) -> Iterator[Defect]:
    """
    Yield the meshes of a role about which a fact is bad.

    :param facts: the fields of the template, to the facts that fill them in.
    """
    for mesh, record in _distinct(description, role):
        if _BAD[bad](record):
            values: dict[str, Any] = {name: getattr(record, fact) for name, fact in facts.items()}
            yield Defect(mesh.element, template, filename=Name(mesh.filename), **values)


_BAD: Mapping[str, Callable[[MeshRecord], object]] = {
    'a text': attrgetter('is_text'), 'repeated IDs': attrgetter('repeated_ids'),
    'open': lambda mesh: mesh.openness not in ('', TURNED),
    'turned': lambda mesh: mesh.openness == TURNED, 'inside out': lambda mesh: mesh.volume < 0,
    'many faces': lambda mesh: mesh.faces > _MAX_FACES,
    'heavy': lambda mesh: 1000 < mesh.faces <= _MAX_FACES}


def _turned_meshes(description: Description) -> Iterator[Defect]:
    """Yield the meshes whose triangles face inward, and those of which some do."""
    yield from _meshes(description, 'inside out', 'The triangles of {filename:120} face inward, '
                       'as their volume is {volume:.3g}', volume='volume')
    yield from _meshes(description, 'turned',
                       'Neighbouring triangles of {filename:120} face opposite sides')


rows('assets', {'mesh': _meshes, 'turned mesh': _turned_meshes})


@rule('mesh-degenerate', WARN, affects='mesh')
def mesh_degenerate(description: Description) -> Iterator[Defect]:
    """
    Check that no collision mesh is flat or has fewer than four triangles.

    Fails in a collision geometry: <mesh filename="flat.stl"/>
    Passes with filename="cube.stl"
    """
    for mesh, facts in _distinct(description, 'collision'):
        size = facts.size
        if np.any(size <= 1e-9 * size.max()):
            yield _defect(mesh, 'is flat')
        elif facts.faces < 4:
            yield _defect(mesh, 'has only {triangles:triangle}', triangles=facts.faces)


@rule('mesh-units-suspect', WARN)
def mesh_units_suspect(description: Description) -> Iterator[Defect]:
    """
    Check that the size of every mesh is between 0.1 mm and 10 m.

    Fails in a collision geometry: <mesh filename="cube.stl" scale="1000 1000 1000"/>
    Passes with scale="10 10 10"
    """
    minimum, maximum = 1e-4, 10.0
    for mesh, facts in _distinct(description):
        scale = description.vector(mesh.element, 'scale', 3) or (1.0, 1.0, 1.0)
        size = (facts.size * np.abs(scale)).max()
        if size and not minimum <= size <= maximum:
            yield Defect(mesh.element, 'The size of {filename:120} is {size:.4g} m after '
                         'scaling, not between {minimum:g} and {maximum:g} m', size=float(size),
                         filename=Name(mesh.filename), minimum=minimum, maximum=maximum,
                         hint='' if size > maximum else 'For a mesh in metres, remove the scale')


@rule('texture-not-found', WARN, affects='any')
def texture_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file of every texture exists, also those of meshes in visuals.

    What counts of a mesh are images of COLLADA that are used, beside it or in
    ../materials/textures, and the materials of OBJ with their images.

    Fails in a robot: <material name="m"><texture filename="wood.png"/></material>
    Passes with filename="steel.png"
    """
    for element, _ in description.grammar:
        filename = element.get('filename', '').strip()
        if element.tag == 'texture' and filename and not is_expression(filename):
            try:
                description.resolve(filename)
            except ResourceError as error:
                yield _not_found(element, filename, error)
    for mesh, _ in _distinct(description, 'visual'):
        for image in dict.fromkeys(
                _missing_images(description, description.resolve(mesh.filename))):
            yield _defect(mesh, 'refers to the texture {image}, which does not exist', image=image)


_IMAGE = re.compile(r"""(?xm)<image\b [^>]*? \bid="([^"]+)" [^>]*> \s* <init_from> \s* (?:<ref>)?
    ((?![^<]*(?:[Nn]ormal|[Bb]ump))[^<]*?\.\w+) \s* <
    | ^[ \t]* (map_K[ad]|mtllib) [ \t]+ (\S+\.\w+) [ \t\r]* $""")
"""An image of COLLADA, but no bump map, with its ID, or what OBJ or its materials refer to."""


def _missing_images(description: Description, path: Path) -> Iterator[Name]:
    """Yield the images, and the files of materials, of a mesh that do not exist."""
    for text in texts_of(description, [path]).values():
        for image, of_collada, tag, of_obj in _IMAGE.findall(text):
            is_used = tag or re.search(
                rf'(<init_from>|url="\#|texture=")\s*{re.escape(image)}\b', text)
            written = of_collada or of_obj
            name = unquote(written).replace('\\', '/').removeprefix('file:').lstrip('/')
            found = path.parent / name, path.parent.parent / 'materials' / 'textures' / name
            if is_used and not any(os.path.lexists(each) for each in found):
                yield Name(written)
            elif tag == 'mtllib':
                yield from _missing_images(description, found[0])


@rule('parameters-not-found', WARN)
def parameters_not_found(description: Description) -> Iterator[Defect]:
    """
    Check that the file that a plugin of Gazebo names as its <parameters> exists.

    This is not checked if its folder does not exist: it may be on the computer of the robot.
    """
    for element in description.parameter_files:
        filename = value_of(element)
        try:
            description.resolve(filename)
        except ResourceError as error:
            if error.kind == 'missing' and os.path.isdir(os.path.dirname(filename)):
                yield _not_found(element, filename, error)


@rule('mesh-name-repeated', WARN, affects='any')
def mesh_name_repeated(description: Description) -> Iterator[Defect]:
    """
    Check that MuJoCo before 4.0 takes each mesh for what it is.

    It knows a mesh by its file name, without folder and suffix. Of two files with one name it
    takes the first, and of one file with several scales the first as soon as another one is used
    again. Only STL and OBJ files with paths from the description are reported, as MuJoCo resolves
    no packages; what is only noted is a visual, which it discards unless <mujoco> says otherwise.

    Fails in a link:
        <collision><geometry><mesh filename="left/hip.stl"/></geometry></collision>
        <collision><geometry><mesh filename="right/hip.stl"/></geometry></collision>
    Passes:
        <collision><geometry><mesh filename="left/hip.stl"/></geometry></collision>
        <collision><geometry><mesh filename="right/hip_r.stl"/></geometry></collision>
    """
    options = description.robot.find('mujoco/compiler')
    meshes = [mesh for mesh in mesh_references(description).all
              if '://' not in mesh.filename and suffix_of(mesh.filename) in ('.stl', '.obj')]
    kept = meshes if options is not None and options.get('discardvisual') == 'false' else [
        mesh for mesh in meshes if mesh.owner.tag == 'collision']
    for severity, shown in ((None, kept), (INFO, meshes)):
        mistaken = list(_mistaken(description, shown))
        if mistaken:
            mesh, scale, uri, taken_scale = mistaken[0]
            yield Defect(
                mesh.element, 'MuJoCo before 4.0 takes {uri:80} with the scale "{taken}" for '
                '{filename:80} with the scale "{scale}", because it knows meshes by their file '
                'names only' + ('; so it does for {number:mesh file} in all' if len(mistaken) > 1
                                else ''), uri=Name(uri), taken=FreeText(taken_scale),
                filename=Name(mesh.filename), scale=FreeText(scale), number=len(mistaken),
                severity=severity)
            break


def _mistaken(description: Description, meshes: Iterable[MeshReference]
              ) -> Iterator[tuple[MeshReference, str, str, str]]:
    """Yield the meshes for which MuJoCo takes others, with both scales and the other's URI."""
    names = MeshNames()
    for mesh in meshes:
        x, y, z = description.vector(mesh.element, 'scale', 3) or (1.0, 1.0, 1.0)
        uri, scale = names.take(mesh.filename, (x, y, z))
        if (uri, scale) != (mesh.filename, (x, y, z)):
            yield mesh, format_numbers((x, y, z)), uri, format_numbers(scale)


_MIN_OVERLAP = 0.4
"""Overlap of the boxes around visuals and collisions that fit; the least seen is 0.47."""

_MAX_RATIO = 0.6
"""Overlap of the file as it is over that of the file turned; the largest seen is 0.56."""


@rule('mesh-y-up', WARN)
def mesh_y_up(description: Description) -> Iterator[Defect]:
    """
    Check that the meshes with the y axis up fit the collisions as they are.

    The y axis of glTF is up. Drake and RViz since June 2025 turn it to z; Gazebo, older RViz and
    urdf-tools view do not, so that a robot that was made for Drake falls apart there. That of
    COLLADA is up if <up_axis> is Y_UP or missing; RViz, MoveIt and Gazebo ignore it. The boxes
    around the visuals and the collisions of each link are compared; the first link that fits only
    turned is reported, unless as many fit only as they are.

    Fails in a link:
        <visual><geometry><mesh filename="bar.gltf"/></geometry></visual>
        <collision><origin xyz="0.05 -0.05 0.5"/>
        <geometry><box size="0.1 0.1 1"/></geometry></collision>
    Passes with
        <collision><origin xyz="0.05 0.5 0.05"/>
        <geometry><box size="0.1 1 0.1"/></geometry></collision>
    """
    turned, as_they_are = [], 0
    for link in readable_links(description):
        as_is, upright = _overlaps(description, link)
        if upright >= _MIN_OVERLAP and as_is <= _MAX_RATIO * upright:
            turned.append((link, upright, as_is))
        as_they_are += as_is >= _MIN_OVERLAP and upright <= _MAX_RATIO * as_is
    if len(turned) > as_they_are:
        meshes = [next(shape_element(each) for each in link.visuals
                       if is_y_up(description, each.geometry)) for link, *_ in turned]
        link, upright, as_is = turned[0]
        is_collada = not any(is_gltf(each.geometry) for each in link.visuals)
        yield first_of(
            meshes, '{filename:120}' + (' (Y_UP)' if is_collada else '')
            + ' fits the collisions of link {link} only with its y axis '
            'turned up: their boxes then overlap by {upright:.0%}, as written by {as_is:.0%}',
            filename=Name(meshes[0].get('filename')), link=Name(link.name), upright=upright,
            as_is=as_is, hint='Export the meshes with z up and Z_UP: RViz, MoveIt and Gazebo '
            'ignore <up_axis> and show them on their side, while Blender and Rerun since April '
            '2026 turn them' if is_collada else '')


def _overlaps(description: Description, link: Link) -> tuple[float, float]:
    """Return the overlap of the collisions with y-up visuals as they are, and turned."""
    visuals = [shape for shape in link.visuals if is_y_up(description, shape.geometry)]
    has_others = not any(is_y_up(description, shape.geometry) for shape in link.collisions)
    collisions = (*link_boxes(description)[link.name], None)[0] if (
        link.collisions and has_others) else None
    as_is, turned = (_overlap(box_around(description, visuals, which), collisions)
                     for which in (0, -1))
    return as_is, turned


def _overlap(one: Corners | None, other: Corners | None) -> float:
    """Return the volume of the intersection of two boxes over that of their union."""
    if one is None or other is None:
        return 0.0
    common = math.prod(max(min(high, end) - max(low, start), 0.0)
                       for low, high, start, end in zip(*one, *other))
    whole = sum(math.prod(high - low for low, high in zip(*box)) for box in (one, other))
    return common / (whole - common) if whole > common else 0.0
