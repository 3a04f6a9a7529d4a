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

"""Rules about visuals and collisions: shapes, sizes and references to meshes."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import math
import re

from urdf_tools.findings.finding import Severity
from urdf_tools.model.element import Element
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.bounding_boxes import LinkBoxes
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.joints import rigid_bodies
from urdf_tools.validation.loaded_robot import readable_links
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import is_foreign
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.schema import SHAPES
from urdf_tools.validation.schema import TEXT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('geometry')

_DROPS = {
    'urdfdom': 'drops the shape and the rest of the link',
    'drake': 'refuses the description', 'pybullet': 'refuses the description',
    'mujoco': 'refuses a collision', 'urdf_parser_py': 'refuses the whole description'}

_SHAPE_NAMES = ', '.join(f'<{tag}>' for tag in SHAPES)
_PLACEHOLDER_SIZE = 0.01
"""Diagonal in m of shapes that only give a link some."""

_SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+):')


def _geometries(description: Description) -> Iterator[tuple[Element, Element]]:
    """Yield every <geometry> with its visual or collision."""
    for owner, geometry in description.shapes:
        if geometry is not None:
            yield owner, geometry


def _shapes(description: Description, *tags: str) -> Iterator[Element]:
    """Yield every shape that URDF defines, or only those with one of the given tags."""
    for _, geometry in _geometries(description):
        for shape in geometry:
            if shape.tag in (tags or SHAPES):
                yield shape


def _owner(shape: Element) -> Element:
    """Return the visual or collision of a shape."""
    geometry = shape.parent
    return shape if geometry is None or geometry.parent is None else geometry.parent


def _affected(owner: Element, consumers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the programs that read a visual or collision; MuJoCo skips visuals."""
    return tuple(name for name in consumers if name != 'mujoco' or owner.tag == 'collision')


@rule('geometry-missing', ERROR, hint=f'Write <geometry> with one of {_SHAPE_NAMES}',
      consumers=_DROPS)
def geometry_missing(description: Description) -> Iterator[Defect]:
    """Check that every visual and collision has a geometry."""
    for owner, geometry in description.shapes:
        if geometry is None:
            tag = ROBOT.descendant('link', owner.tag)
            yield Defect(owner, f'{subject(owner)} has no <geometry>',
                         misspelling_hint(owner, tag, 'geometry'),
                         consumers=_affected(owner, _DROPS))


@rule('geometry-empty', ERROR, hint=f'Write one of {_SHAPE_NAMES}', consumers=_DROPS)
def geometry_empty(description: Description) -> Iterator[Defect]:
    """Check that every <geometry> contains a shape."""
    for owner, geometry in _geometries(description):
        if len(geometry) == 0:
            yield Defect(geometry, f'The <geometry> of {describe(owner)} is empty',
                         consumers=_affected(owner, _DROPS))


@rule('geometry-unknown', ERROR, hint=f'Write one of {_SHAPE_NAMES}', consumers=_DROPS)
def geometry_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that every shape is one that URDF defines.

    An unknown element after the first shape is only a warning, because readers skip it, and so
    is one with a namespace prefix, such as <drake:ellipsoid>, which is meant for one program.
    """
    for owner, geometry in _geometries(description):
        for shape in geometry:
            if shape.tag not in SHAPES:
                is_skipped = shape is not geometry[0] or is_foreign(shape.tag)
                yield Defect(shape, f'<{shape.tag}> of {describe(owner)} is not a shape of URDF',
                             did_you_mean(shape.tag, SHAPES),
                             severity=WARN if is_skipped else None,
                             consumers=_affected(owner, _DROPS))


@rule('geometry-multiple', ERROR, hint='Give each shape its own visual or collision',
      consumers={'urdfdom': 'uses the first and silently drops the others',
                 'urdf_parser_py': 'fails'})
def geometry_multiple(description: Description) -> Iterator[Defect]:
    """Check that no <geometry> contains more than one shape."""
    for owner, geometry in _geometries(description):
        shapes = [shape for shape in geometry if shape.tag in SHAPES]
        if len(shapes) > 1:
            names = name_list([f'<{shape.tag}>' for shape in shapes])
            yield Defect(shapes[1], f'{subject(owner)} has {len(shapes)} shapes ({names})')


@rule('size-missing', ERROR, hint='Write the missing size, in metres', consumers=_DROPS)
def size_missing(description: Description) -> Iterator[Defect]:
    """Check that every box, cylinder, sphere and capsule has all its sizes."""
    for shape in _shapes(description):
        for name in SHAPES[shape.tag].required:
            if name not in shape.attrib and SHAPES[shape.tag].attributes[name] != TEXT:
                yield Defect(shape, f'The {describe(shape)} has no {name}',
                             misspelling_hint(shape, SHAPES[shape.tag], name),
                             consumers=_affected(_owner(shape), _DROPS))


@rule('size-not-positive', ERROR, hint='Write sizes greater than 0, in metres', consumers={
    'urdfdom': 'refuses it in URDF 1.2 and accepts it in earlier versions',
    'mujoco': 'refuses a collision',
    'drake': 'ends with an exception',
    'gazebo': 'puts a shape of 1 m in its place (sdformat 15 and later)',
    'moveit': 'refuses a negative size', 'tesseract': 'refuses the description'})
def size_not_positive(description: Description) -> Iterator[Defect]:
    """
    Check that every size of a shape is greater than zero.

    Before URDF 1.2, a visual of size zero, which some exporters write as a placeholder, is only a
    warning, and so is a collision sphere of radius zero, with which Drake marks a contact point.
    """
    for shape in _shapes(description, 'box', 'cylinder', 'sphere', 'capsule'):
        sizes = {name: description.vector(shape, name, n)
                 for name, n in SHAPES[shape.tag].attributes.items()}
        bad = {name: min(size) for name, size in sizes.items() if size and min(size) <= 0}
        if bad:
            values = ', '.join(shape.get(name, '').strip() for name in bad)
            severity, consumers = _effect_of_size(shape, min(bad.values()), description.version)
            yield Defect(
                shape, f'The {" and ".join(bad)} of the {describe(shape)} '
                       f'{"are" if len(bad) > 1 else "is"} not positive ({values})',
                severity=severity, consumers=consumers)


def _effect_of_size(
        shape: Element, least: float,
        version: tuple[int, int]) -> tuple[Severity, tuple[str, ...]]:
    """Return how severe the least size of a shape is if it is not positive, and for whom."""
    is_visual = _owner(shape).tag == 'visual'
    is_sphere = shape.tag == 'sphere'
    affected = {
        'urdfdom': version >= (1, 2), 'mujoco': not is_visual,
        'drake': least < 0 or not is_sphere, 'gazebo': True, 'moveit': least < 0,
        'tesseract': True}
    is_tolerated = least == 0 and not affected['urdfdom'] and (is_visual or is_sphere)
    return (WARN if is_tolerated else ERROR,
            tuple(name for name, is_affected in affected.items() if is_affected))


@rule('mesh-no-filename', ERROR, hint='Write filename="package://PACKAGE/meshes/FILE"',
      consumers={**_DROPS, 'gazebo': 'drops the shape'})
def mesh_no_filename(description: Description) -> Iterator[Defect]:
    """Check that every mesh names its file."""
    for mesh in _shapes(description, 'mesh'):
        if not mesh.get('filename', '').strip():
            yield Defect(mesh, f'The {describe(mesh)} has no filename',
                         misspelling_hint(mesh, SHAPES['mesh'], 'filename'))


@rule('mesh-scale-zero', ERROR, hint='Write scale="1 1 1", or omit it', consumers={
    'mujoco': 'refuses a collision', 'drake': 'refuses the description',
    'tesseract': 'refuses the description'})
def mesh_scale_zero(description: Description) -> Iterator[Defect]:
    """Check that no mesh is flattened by a scale with a zero."""
    for mesh in _shapes(description, 'mesh'):
        scale = description.vector(mesh, 'scale', 3)
        if scale is not None and 0 in scale:
            yield Defect(mesh, f'The scale of the {describe(mesh)} contains a zero '
                               f'({mesh.get("scale")})')


@rule('mesh-scale-negative', INFO, hint='Mirror the mesh in its file, and write a positive scale',
      consumers={'tesseract': 'refuses the description'})
def mesh_scale_negative(description: Description) -> Iterator[Defect]:
    """
    Check that no mesh is mirrored by a negative scale.

    Right arms are often left arms with such a scale, and most programs load them.
    """
    for mesh in _shapes(description, 'mesh'):
        scale = description.vector(mesh, 'scale', 3)
        if scale is not None and min(scale) < 0:
            yield Defect(mesh, f'The scale of the {describe(mesh)} is negative '
                               f'({mesh.get("scale")})')


@rule('mesh-scheme-unsupported', WARN, hint='Write package://PACKAGE/meshes/FILE', consumers={
    'rviz': 'cannot load a plain path, and blocks while it downloads a URL',
    'moveit': 'cannot load a plain path', 'pybullet': 'refuses a URL',
    'mujoco': 'refuses a collision with a URL, file:// included', 'isaac': 'warns of a URL'})
def mesh_scheme_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh filename can be resolved by other programs and on other machines.

    A package:// URI works everywhere in ROS. A path relative to the description works only in
    programs that are given its file, and is only noted; so is a file:// URI, as mesh-not-found
    warns if its file does not exist.
    """
    for mesh in _shapes(description, 'mesh'):
        filename = mesh.get('filename', '').strip()
        if not filename or is_expression(filename):
            continue
        scheme = _SCHEME.match(filename)
        if scheme and scheme[1] not in ('package', 'file', 'model'):
            yield Defect(mesh, f'{quote(filename, 80)} has a scheme that few programs support')
        elif re.match(r'[A-Za-z]:|\\|.*\\', filename):
            yield Defect(mesh, f'{quote(filename, 80)} is a Windows path, and does not exist on '
                               'other systems')
        elif filename.startswith(('/', 'file:')):
            yield _absolute_path(description, mesh, filename)
        elif not scheme:
            yield Defect(mesh, f'{quote(filename, 80)} is a path relative to the description',
                         severity=INFO)


def _absolute_path(description: Description, mesh: Element, filename: str) -> Defect:
    source = None if mesh.origin is None else mesh.origin.attribute('filename')
    if source is not None and source.is_expression:
        path = 'is the path that xacro found on this machine'
    else:
        path = 'is a path that exists on one machine only'
    try:
        description.resolve(filename)
    except ResourceError as error:
        if error.kind == 'missing':
            path += ', and does not exist on this one'
    return Defect(mesh, f'{quote(filename, 80)} {path}',
                  severity=INFO if filename.startswith('file:') else None)


@rule('visual-without-collision', WARN, hint='Write a <collision> with a simple shape', consumers={
    'moveit': 'plans paths through the link', 'gazebo': 'lets objects pass through the link'})
def visual_without_collision(description: Description) -> Iterator[Defect]:
    """
    Check that every link with a visual has collision geometry.

    Links that are connected by fixed joints count as one body. If one of them has a collision, or
    is reported, the others are only noted, such as a cover or a sensor.
    """
    body = description.cached(rigid_bodies)
    covered = {body[name] for name, link in description.link_names.items()
               if child(link, 'collision') is not None}
    for link in description.links:
        if child(link, 'visual') is not None and child(link, 'collision') is None:
            name = link.get('name', '')
            is_covered = body.get(name, name) in covered
            covered.add(body.get(name, name))
            yield Defect(link, f'{subject(link)} has a <visual> but no <collision>',
                         severity=INFO if is_covered else None)


@rule('collision-without-visual', INFO, hint='Write a <visual>', consumers={
    'rviz': 'does not show the link'})
def collision_without_visual(description: Description) -> Iterator[Defect]:
    """Check that every link with collision geometry has a visual."""
    for link in description.links:
        if child(link, 'collision') is not None and child(link, 'visual') is None:
            yield Defect(link, f'{subject(link)} has a <collision> but no <visual>')


@rule('collision-far-from-visual', WARN, hint='Correct the <origin> of one of them', consumers={
    'gazebo': 'computes contacts where nothing is seen',
    'moveit': 'plans around a shape where nothing is seen'})
def collision_far_from_visual(description: Description) -> Iterator[Defect]:
    """
    Check that the collisions of a link are where its visuals are.

    The boxes around them may not be farther apart than either of them is long. Shapes of less
    than 1 cm are placeholders, and links that have a shape that cannot be read are skipped.
    Meshes are included only when the rules about assets are checked.
    """
    for link in readable_links(description):
        element = link.element
        if element is None or not {'collision', 'visual'} <= description.child_tags(element):
            continue
        boxes = description.cached(LinkBoxes).of_sets(link)
        if len(boxes) < 2 or boxes[0] is None or boxes[1] is None:
            continue
        (low, high), (visual_low, visual_high) = boxes[0], boxes[1]
        sizes = [math.dist(low, high), math.dist(visual_low, visual_high)]
        gap = math.hypot(*(max(a - d, c - b, 0.0) for a, b, c, d in zip(
            low, high, visual_low, visual_high)))
        if min(sizes) > _PLACEHOLDER_SIZE and gap > max(sizes):
            collision = child(element, 'collision')
            yield Defect(
                element if collision is None else collision,
                f'The collisions of {describe(element)} are {gap:.3g} m away from its visuals, '
                f'but both are smaller than that')


@rule('no-geometry-at-all', INFO, hint='Write a <visual> and a <collision> in each link',
      consumers={'moveit': 'finds no collision geometry', 'rviz': 'shows only frames'})
def no_geometry_at_all(description: Description) -> Iterator[Defect]:
    """Check that at least one link has a visual or collision."""
    if description.links and not description.shapes and not description.is_template:
        yield Defect(description.robot, 'No link has a <visual> or a <collision>')


@rule('collision-is-visual-mesh', INFO,
      hint='Use a simple shape or the convex hull of the mesh for collision', consumers={
          'moveit': 'plans slowly', 'gazebo': 'simulates slowly'})
def collision_is_visual_mesh(description: Description) -> Iterator[Defect]:
    """Check that no link uses the same mesh for its visual and its collision."""
    for link in description.links:
        visual = {mesh.get('filename') for mesh in _meshes(link, 'visual')}
        for mesh in _meshes(link, 'collision'):
            filename = mesh.get('filename', '')
            if filename in visual:
                yield Defect(
                    mesh, f'{subject(link)} has the visual mesh {quote(filename, 80)} as its '
                          f'collision mesh')


def _meshes(link: Element, tag: str) -> Iterator[Element]:
    """Yield every <mesh> with a filename of the visuals or collisions of a link."""
    for owner in link.findall(tag):
        mesh = child(child(owner, 'geometry'), 'mesh')
        if mesh is not None and mesh.get('filename'):
            yield mesh
