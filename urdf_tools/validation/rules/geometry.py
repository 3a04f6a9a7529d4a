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

"""Rules about visuals and collisions: shapes, sizes, mesh references, materials."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.model.document import Element
from urdf_tools.model.messages import quote
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import format_numbers
from urdf_tools.validation.fixes import SetAttribute
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
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
    'urdfdom': 'drops the shape and what follows in the link',
    'drake': 'refuses the description'}

_SHAPE_NAMES = ', '.join(f'<{tag}>' for tag in SHAPES)
_SCHEME = re.compile(r'([A-Za-z][A-Za-z0-9+.-]+):')
_MATERIAL = ROBOT.children['material']


def _geometries(description: Description) -> Iterator[tuple[Element, Element]]:
    """Yield every <geometry> with the visual or collision that it belongs to."""
    for owner, geometry in description.shapes:
        if geometry is not None:
            yield owner, geometry


def _shapes(description: Description, *tags: str) -> Iterator[Element]:
    """Yield every shape that URDF knows, of these kinds only if there are any."""
    for _, geometry in _geometries(description):
        for shape in geometry:
            if shape.tag in (tags or SHAPES):
                yield shape


@rule('geometry-missing', ERROR, hint=f'Write <geometry> with one of {_SHAPE_NAMES}',
      consumers=_DROPS)
def geometry_missing(description: Description) -> Iterator[Defect]:
    """Check that every visual and collision has a geometry."""
    for owner, geometry in description.shapes:
        if geometry is None:
            tag = ROBOT.children['link'].children[owner.tag]
            yield Defect(owner, f'{subject(owner)} has no <geometry>',
                         misspelling_hint(owner, tag, 'geometry'))


@rule('geometry-empty', ERROR, hint=f'Write one of {_SHAPE_NAMES} in it', consumers=_DROPS)
def geometry_empty(description: Description) -> Iterator[Defect]:
    """Check that every <geometry> has a shape in it."""
    for owner, geometry in _geometries(description):
        if len(geometry) == 0:
            yield Defect(geometry, f'The <geometry> of {describe(owner)} is empty')


@rule('geometry-unknown', ERROR, hint=f'Write one of {_SHAPE_NAMES}', consumers=_DROPS)
def geometry_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that every shape is one that URDF has.

    What stands behind a shape is a warning, since it is passed over, and so is a shape in a
    namespace of its own, such as <drake:ellipsoid>, which is read by the program whose it is.
    """
    for owner, geometry in _geometries(description):
        for shape in geometry:
            if shape.tag not in SHAPES:
                is_less = shape is not geometry[0] or is_foreign(shape.tag)
                yield Defect(shape, f'<{shape.tag}> in {describe(owner)} is no shape of URDF',
                             severity=WARN if is_less else None)


@rule('geometry-multiple', ERROR, hint='Give each shape a visual or collision of its own',
      consumers={'urdfdom': 'takes the first and drops the others without a word'})
def geometry_multiple(description: Description) -> Iterator[Defect]:
    """Check that no <geometry> has more than one shape in it."""
    for owner, geometry in _geometries(description):
        shapes = [shape for shape in geometry if shape.tag in SHAPES]
        if len(shapes) > 1:
            yield Defect(shapes[1], f'{subject(owner)} has {len(shapes)} shapes')


@rule('size-missing', ERROR, hint='Write it', consumers=_DROPS)
def size_missing(description: Description) -> Iterator[Defect]:
    """Check that every box, cylinder, sphere and capsule has its sizes."""
    for shape in _shapes(description):
        for name in SHAPES[shape.tag].required:
            if name not in shape.attrib and SHAPES[shape.tag].attributes[name] != TEXT:
                yield Defect(shape, f'The {describe(shape)} has no {name}',
                             misspelling_hint(shape, SHAPES[shape.tag], name))


@rule('size-not-positive', ERROR, hint='Write the full extent, more than 0', consumers={
    'urdfdom': 'refuses it in version 1.2, accepts it before', 'moveit': 'may crash',
    'mujoco': 'refuses the description', 'gazebo': 'warns',
    'tesseract': 'refuses the description'})
def size_not_positive(description: Description) -> Iterator[Defect]:
    """Check that every size of a shape is more than zero."""
    for shape in _shapes(description, 'box', 'cylinder', 'sphere', 'capsule'):
        for name, n in SHAPES[shape.tag].attributes.items():
            sizes = description.vector(shape, name, n)
            if sizes and min(sizes) <= 0:
                yield Defect(shape, f'The {name} of the {describe(shape)} is not positive '
                                    f'({shape.get(name).strip()})')


@rule('mesh-no-filename', ERROR, hint='Write filename="package://PACKAGE/meshes/FILE"',
      consumers={**_DROPS, 'gazebo': 'drops the shape'})
def mesh_no_filename(description: Description) -> Iterator[Defect]:
    """Check that every mesh names its file."""
    for mesh in _shapes(description, 'mesh'):
        if not mesh.get('filename', '').strip():
            yield Defect(mesh, f'The {describe(mesh)} has no filename',
                         misspelling_hint(mesh, SHAPES['mesh'], 'filename'))


@rule('mesh-scale-zero', ERROR, hint='Write scale="1 1 1", or leave it out', consumers={
    'mujoco': 'refuses the mesh', 'moveit': 'may crash', 'tesseract': 'refuses the description'})
def mesh_scale_zero(description: Description) -> Iterator[Defect]:
    """Check that no scale flattens its mesh."""
    for mesh in _shapes(description, 'mesh'):
        scale = description.vector(mesh, 'scale', 3)
        if scale is not None and 0 in scale:
            yield Defect(mesh, f'The scale of the {describe(mesh)} has a zero '
                               f'({mesh.get("scale")})')


@rule('mesh-scale-negative', WARN, hint='Mirror the mesh itself', consumers={
    'tesseract': 'refuses the description', 'rviz': 'shades the mesh from inside',
    'gazebo': 'sees the mesh inside out', 'isaac': 'sees the mesh inside out'})
def mesh_scale_negative(description: Description) -> Iterator[Defect]:
    """Check that no scale mirrors its mesh, which turns it inside out."""
    for mesh in _shapes(description, 'mesh'):
        scale = description.vector(mesh, 'scale', 3)
        if scale is not None and min(scale) < 0:
            yield Defect(mesh, f'The scale of the {describe(mesh)} mirrors it '
                               f'({mesh.get("scale")})')


@rule('mesh-scheme-unsupported', WARN, hint='Write package://PACKAGE/meshes/FILE', consumers={
    'rviz': 'finds no file by a path, and waits for one from the network',
    'isaac': 'drops the mesh',
    'moveit': 'finds no file by a path', 'pybullet': 'drops the mesh'})
def mesh_scheme_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh can be found from where other programs run.

    package:// works everywhere in ROS. A path beside the description works where a program was
    given the file, and is only noted.
    """
    for mesh in _shapes(description, 'mesh'):
        filename = mesh.get('filename', '').strip()
        if not filename or is_expression(filename):
            continue
        scheme = _SCHEME.match(filename)
        if scheme and scheme[1] not in ('package', 'file', 'model'):
            yield Defect(mesh, f'{quote(filename, 80)} has a scheme that few programs support')
        elif re.match(r'[A-Za-z]:|\\|.*\\', filename):
            yield Defect(mesh, f'{quote(filename, 80)} is a path of Windows')
        elif filename.startswith(('/', 'file:')):
            yield Defect(mesh, f'{quote(filename, 80)} is a path of one machine')
        elif not scheme:
            yield Defect(mesh, f'{quote(filename, 80)} is a path beside the description',
                         severity=INFO)


@rule('visual-without-collision', WARN, hint='Write a <collision> with a simple shape', consumers={
    'moveit': 'plans through the link', 'gazebo': 'lets things pass through the link'})
def visual_without_collision(description: Description) -> Iterator[Defect]:
    """Check that what can be seen can be bumped into."""
    for link in description.links:
        if child(link, 'visual') is not None and child(link, 'collision') is None:
            yield Defect(link, f'{subject(link)} has a visual but no collision')


@rule('collision-without-visual', INFO, hint='Write a <visual>', consumers={
    'rviz': 'does not show the link'})
def collision_without_visual(description: Description) -> Iterator[Defect]:
    """Check that what can be bumped into can be seen."""
    for link in description.links:
        if child(link, 'collision') is not None and child(link, 'visual') is None:
            yield Defect(link, f'{subject(link)} has a collision but no visual')


@rule('no-geometry-at-all', INFO, consumers={
    'moveit': 'sees nothing to collide with', 'rviz': 'shows frames only'})
def no_geometry_at_all(description: Description) -> Iterator[Defect]:
    """Check that the robot has a shape anywhere."""
    if description.links and not description.shapes and not description.is_template:
        yield Defect(description.robot, 'No link has a visual or a collision')


@rule('collision-is-visual-mesh', INFO, hint='Collide with a simple shape or a convex hull',
      consumers={'moveit': 'plans slowly', 'gazebo': 'simulates slowly'})
def collision_is_visual_mesh(description: Description) -> Iterator[Defect]:
    """Check that no link collides with the mesh that is made to be looked at."""
    for link in description.links:
        seen = {mesh.get('filename') for mesh in _meshes(link, 'visual')}
        for mesh in _meshes(link, 'collision'):
            if mesh.get('filename') in seen:
                yield Defect(
                    mesh, f'{subject(link)} collides with the mesh that it shows')


def _meshes(link, tag):
    for owner in link.findall(tag):
        mesh = child(child(owner, 'geometry'), 'mesh')
        if mesh is not None and mesh.get('filename'):
            yield mesh


def _materials(description):
    """Yield every material with whether it stands below <robot>."""
    for material in description.materials:
        yield material, True
    for link in description.links:
        for visual in link.findall('visual'):
            material = child(visual, 'material')
            if material is not None:
                yield material, False


@rule('material-no-name', ERROR, hint='Write <material name="...">', consumers={
    'urdfdom': 'drops the visual and what follows in the link',
    'isaac': 'refuses the description'})
def material_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that every material has a name.

    Inside a visual it is a warning: some programs do without. An empty name, as some exporters
    write it, matters less.
    """
    for material, is_shared in _materials(description):
        if not material.get('name'):
            is_empty = 'name' in material.attrib
            yield Defect(
                material, 'The name of a material is empty' if is_empty else
                          'A material has no name', misspelling_hint(material, _MATERIAL, 'name'),
                _less(ERROR if is_shared else WARN, is_empty))


def _less(severity, is_less):
    return Severity(severity - is_less)


@rule('material-undefined', WARN, hint='Define it below <robot> with a color or texture',
      consumers={'urdfdom': 'warns, and the visual has no colour', 'isaac': 'warns',
                 'tesseract': 'refuses the description'})
def material_undefined(description: Description) -> Iterator[Defect]:
    """Check that every material that a visual names is defined somewhere."""
    defined = {material.get('name') for material, _ in _materials(description)
               if _has_look(material)}
    shared = {material.get('name') for material in description.materials}
    for material, is_shared in _materials(description):
        name = material.get('name')
        if name and name not in defined | shared and not is_shared and not _has_look(material):
            yield Defect(material, f'{subject(material)} is not defined')


def _has_look(material):
    return child(material, 'color') is not None or child(material, 'texture') is not None


@rule('material-no-color-or-texture', ERROR, hint='Write <color rgba="r g b a"/> in it',
      consumers={'drake': 'refuses the description', 'urdfdom': 'says that it is not defined'})
def material_no_color_or_texture(description: Description) -> Iterator[Defect]:
    """
    Check that every material below <robot> has a colour or a texture.

    The same inside a visual is a warning.
    """
    for material, is_shared in _materials(description):
        color = child(material, 'color')
        severity = None if is_shared else WARN
        if not _has_look(material) and (is_shared or not material.get('name')):
            yield Defect(material, f'{subject(material)} has no color and no texture',
                         severity=severity)
        elif color is not None and not {'rgba', 'rgb', 'alpha'} & color.attrib.keys():
            yield Defect(color, f'The {describe(color)} has no rgba',
                         misspelling_hint(color, _MATERIAL.children['color'], 'rgba'), severity)


@rule('texture-no-filename', WARN, hint='Write <texture filename="package://PACKAGE/FILE"/>',
      consumers={'urdfdom': 'ignores the texture'})
def texture_no_filename(description: Description) -> Iterator[Defect]:
    """Check that every texture names its file."""
    for material, _ in _materials(description):
        texture = child(material, 'texture')
        if texture is not None and not texture.get('filename', '').strip():
            yield Defect(texture, f'The {describe(texture)} has no filename',
                         misspelling_hint(texture, _MATERIAL.children['texture'], 'filename'),
                         _less(WARN, 'filename' in texture.attrib))


@rule('rgba-out-of-range', WARN, hint='Write numbers from 0 to 1: divide 255 by 255', consumers={
    'rviz': 'shows white or nothing', 'pybullet': 'shows white',
    'tesseract': 'refuses the description'})
def rgba_out_of_range(description: Description) -> Iterator[Defect]:
    """Check that colours are made of numbers from 0 to 1."""
    for color, rgba in _colors(description):
        if min(rgba) < 0 or max(rgba) > 1:
            yield Defect(
                color,
                f'rgba of {describe(color)} is not from 0 to 1 ({color.get("rgba").strip()})',
                fix=(SetAttribute(color, 'rgba', format_numbers(_in_range(rgba))),))


_DARK = 8
"""Parts of 255 below which nobody means a colour."""


def _in_range(rgba):
    """
    Return a colour with numbers from 0 to 1.

    Whole numbers are taken for parts of 255, unless that colour would be as good as black.
    """
    if all(value == round(value) and 0 <= value <= 255 for value in rgba):
        color, alpha = rgba[:3], rgba[3:]
        rgba = tuple(value / 255 if max(part) >= _DARK else value
                     for part in (color, alpha) for value in part)
    return tuple(min(max(value, 0.0), 1.0) for value in rgba)


@rule('alpha-zero', WARN, hint='Write 1 as the last number, or remove the visual', consumers={
    'rviz': 'shows nothing', 'gazebo': 'shows nothing'})
def alpha_zero(description: Description) -> Iterator[Defect]:
    """Check that no colour is fully transparent."""
    for color, rgba in _colors(description):
        if rgba[3] == 0:
            yield Defect(color, f'The {describe(color)} is fully transparent')


def _colors(description):
    for material, _ in _materials(description):
        color = child(material, 'color')
        rgba = description.vector(color, 'rgba', 4)
        if rgba is not None:
            yield color, rgba
