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

"""Rules about visuals and collisions: shapes, references to meshes, and materials."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import re
from typing import Any

from urdf_tools.check.file_lookup import in_package
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.registry import all_of
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import IN_COLLISION
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.registry import without
from urdf_tools.check.schema import is_foreign
from urdf_tools.check.schema import misspelling
from urdf_tools.check.schema import SHAPES
from urdf_tools.check.schema import TEXT
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Fix
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('geometry')

_RESOLVED_SCHEMES = ('package', 'file', 'model')


def _shapes(description: Description, *tags: str) -> Iterator[Element]:
    """Yield every shape that URDF defines, or only those with one of the given tags."""
    return (shape for _, geometry in description.shapes for shape in geometry or ()
            if shape.tag in (tags or SHAPES))


@rule('geometry-unknown', ERROR, affects='shape visual collision', subject='geometry')
def geometry_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that every shape is one that URDF defines.

    An unknown element after the first shape is only a warning, because readers skip it, and so
    is one with a namespace prefix, such as <drake:ellipsoid>, which is meant for one program.

    Fails in a collision geometry: <cone radius="1" length="1"/>
    Passes: <cylinder radius="1" length="1"/>
    """
    for owner, geometry in description.shapes:
        for i, shape in enumerate(geometry or ()):
            if shape.tag not in SHAPES:
                is_skipped = i > 0 or is_foreign(shape.tag)
                yield Defect(shape, '<{tag}> of {owner} is not a shape of URDF', owner=owner,
                             suggestion=closest(shape.tag, SHAPES),
                             severity=WARN if is_skipped else None)


@rule('geometry-multiple', ERROR, affects='any')
def geometry_multiple(description: Description) -> Iterator[Defect]:
    """
    Check that no <geometry> contains more than one shape.

    Fails in a visual: <geometry><sphere radius="1"/><box size="1 1 1"/></geometry>
    Passes: <geometry><sphere radius="1"/></geometry>
    """
    for owner, geometry in description.shapes:
        shapes = [shape for shape in geometry or () if shape.tag in SHAPES]
        if len(shapes) > 1:
            yield Defect(shapes[1], '{owner} has {number} shapes ({shapes})', owner=owner,
                         number=len(shapes), shapes=[f'<{shape.tag}>' for shape in shapes])


@rule('size-missing', ERROR, affects='any')
def size_missing(description: Description) -> Iterator[Defect]:
    """
    Check that every box, cylinder, sphere and capsule has all its sizes.

    Fails in a collision geometry: <cylinder radius="1" lenght="1"/>
    Passes: <cylinder radius="1" length="1"/>
    """
    for shape in _shapes(description):
        for name in SHAPES[shape.tag].required:
            if name not in shape.attrib and SHAPES[shape.tag].attributes[name] != TEXT:
                yield Defect(shape, 'The {shape} has no {attribute}', shape=shape, attribute=name,
                             **misspelling(shape, name))


def _bad_sizes(description: Description, shape: Element) -> dict[str, float]:
    """Return the least number in each attribute of a shape that is not positive."""
    sizes = {name: description.vector(shape, name, n)
             for name, n in SHAPES[shape.tag].attributes.items()}
    return {name: min(size) for name, size in sizes.items() if size and min(size) <= 0}


_NEGATIVE = Condition('if a size is negative', lambda description, defect: (
    min(_bad_sizes(description, defect.element).values()) < 0))


@rule('size-not-positive', ERROR, refuses('moveit', when=all_of(IN_COLLISION, _NEGATIVE)),
      refuses('tesseract'), affects='any')
def size_not_positive(description: Description) -> Iterator[Defect]:
    """
    Check that every size of a shape is greater than zero.

    Before URDF 1.2, a visual of size zero, which some exporters write as a placeholder, is only a
    warning, and so is a collision sphere of radius zero, with which Drake marks a contact point.

    Fails in a collision geometry: <box size="1 1 0"/>
    Passes with size="1 1 0.1"
    """
    for shape in _shapes(description, 'box', 'cylinder', 'sphere', 'capsule'):
        bad = _bad_sizes(description, shape)
        if bad:
            is_tolerated = (min(bad.values()) == 0 and description.version < (1, 2)
                            and (enclosing(shape, 'visual') is not None or shape.tag == 'sphere'))
            values: dict[str, Any] = {name: FreeText(shape.get(name, '').strip()) for name in bad}
            yield Defect(
                shape, 'The {attributes} of the {shape} are not positive ({values})'
                if len(bad) > 1 else 'The {attributes} of the {shape} is not positive ({values})',
                attributes=' and '.join(bad), shape=shape, values=FreeText(', '.join(
                    values.values())), **values, severity=WARN if is_tolerated else None)


def _scheme(mesh: Element) -> str:
    """Return the scheme of the file of a mesh, empty for a path."""
    match = re.match(r'([A-Za-z][A-Za-z0-9+.-]+):', mesh.get('filename', '').strip())
    return '' if match is None else match[1]


_NOT_OF_ROS = on_element(
    'if it is a path or a model:// URI', lambda mesh: _scheme(mesh) in ('', 'model'))
_URL = on_element('if it is a URL', lambda mesh: _scheme(mesh) not in ('', *_RESOLVED_SCHEMES))


@rule('mesh-scheme-unsupported', WARN, drops('rviz', of='shape', when=_NOT_OF_ROS),
      changes('rviz', of='shape', how='blocks while it downloads the mesh', when=_URL),
      drops('moveit', of='shape', when=all_of(IN_COLLISION, _NOT_OF_ROS)), affects='mesh')
def mesh_scheme_unsupported(description: Description) -> Iterator[Defect]:
    """
    Check that every mesh filename can be resolved by other programs and on other machines.

    A package:// URI works everywhere in ROS. A path relative to the description works only in
    programs that are given its file, and is only noted; so are a file:// URI, as mesh-not-found
    warns if its file does not exist, and a model:// URI, which Gazebo resolves, but not RViz.

    Fails in a collision geometry: <mesh filename="https://example.org/part.stl"/>
    Passes with filename="package://parts/part.stl"
    """
    for mesh in _shapes(description, 'mesh'):
        filename = mesh.get('filename', '').strip()
        if not filename or is_expression(filename):
            continue
        scheme, severity = _scheme(mesh), WARN
        if scheme and scheme not in _RESOLVED_SCHEMES:
            fault = ('is fetched from the network by Gazebo and RViz alone' if scheme in (
                'http', 'https') else 'has a scheme that few programs support')
        elif '\\' in filename or re.match('[A-Za-z]:', filename):
            fault = 'is a Windows path, and does not exist on other systems'
        elif filename.startswith(('/', 'file:')):
            fault = _fault_of_absolute_path(description, mesh, filename)
            severity = INFO if scheme else WARN
        elif not scheme:
            fault, severity = 'is a path relative to the description', INFO
        elif scheme == 'model':
            fault = 'has the scheme of Gazebo, which RViz does not know'
            severity = WARN if in_package(description, filename) else INFO
        elif '//' in filename.partition('://')[2]:
            fault = 'has two slashes in a row, which not all programs take for one'
        else:
            continue
        uri = in_package(description, filename.replace('\\', '/'))
        source = None if mesh.origin is None else mesh.origin.attribute('filename')
        fix = uri and (source is None or source.is_literal) and SetAttribute(mesh, 'filename', uri)
        yield Defect(mesh, '{filename:80} {fault}', filename=Name(filename), fault=fault,
                     severity=severity, suggestion=uri, fix=(fix,) if fix else ())


def _fault_of_absolute_path(description: Description, mesh: Element, filename: str) -> str:
    source = None if mesh.origin is None else mesh.origin.attribute('filename')
    if source is not None and source.is_expression:
        return 'is a path that xacro found on this machine, and differs on others'
    try:
        description.resolve(filename)
    except ResourceError as error:
        if error.kind == 'missing':
            return 'is a path that exists on one machine only, and does not exist on this one'
    return 'is a path that exists on one machine only'


def _materials(description: Description) -> Iterator[tuple[Element, bool]]:
    """Yield every material, and whether it is a child of <robot>, which all links share."""
    yield from ((material, True) for material in description.materials)
    for visual in description.robot.iterfind('link/visual'):
        yield from ((material, False) for material in visual.findall('material')[:1])


@rule('material-no-name', ERROR, refuses('urdf_parser_py', when=without('name')), affects='any')
def material_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that every material has a name.

    An empty name, which some exporters write, is a warning below <robot>, where Drake refuses it,
    and only noted in a visual.

    Fails in a robot: <material><color rgba="1 0 0 1"/></material>
    Passes: <material name="red"><color rgba="1 0 0 1"/></material>
    """
    for material, is_shared in _materials(description):
        if 'name' not in material.attrib:
            yield Defect(material, 'The {material} has no name', **misspelling(material, 'name'))
        elif not material.get('name'):
            yield Defect(material, 'The {material} has an empty name',
                         severity=WARN if is_shared else INFO)


@rule('material-undefined', WARN, affects='any')
def material_undefined(description: Description) -> Iterator[Defect]:
    """
    Check that every material that a visual refers to is defined, below <robot> or before it.

    A material below <robot> may be anywhere in the file. One that a visual defines counts only
    from there on, because urdfdom, Drake and Tesseract read link by link.

    Fails in a visual: <material name="red"/>
    Passes: <material name="red"><color rgba="1 0 0 1"/></material>
    """
    defined = {material.get('name', ''): material
               for material, is_shared in reversed([*_materials(description)])
               if is_shared or _has_appearance(material)}
    spelling = Spelling(defined)
    seen = {material.get('name') for material in description.materials}
    for material, _ in _materials(description):
        name = material.get('name')
        if not name or name in seen:
            continue
        if name not in defined:
            yield Defect(material, '{material} is not defined', suggestion=spelling.near(name))
        elif defined[name] is material:
            seen.add(name)
        else:
            yield Defect(material, '{material} is defined only later, {where}',
                         where=FreeText(defined[name].position))


def _has_appearance(material: Element) -> bool:
    return any(part.tag in ('color', 'texture') for part in material)


_NO_RGBA = on_element('if a <color> has no rgba', lambda part: part.tag == 'color')


@rule('material-no-color-or-texture', ERROR, refuses('urdf_parser_py', when=_NO_RGBA),
      affects='any')
def material_no_color_or_texture(description: Description) -> Iterator[Defect]:
    """
    Check that every material in <robot> has a color or texture.

    In a visual it is a warning, and only for a material without a name, since a name may refer
    to another material.

    Fails in a robot: <material name="red"/>
    Passes: <material name="red"><color rgba="1 0 0 1"/></material>
    """
    for material, is_shared in _materials(description):
        color = child(material, 'color')
        severity = None if is_shared else WARN
        if not _has_appearance(material) and (is_shared or not material.get('name')):
            yield Defect(material, '{material} has neither a <color> nor a <texture>',
                         severity=severity)
        elif color is not None and not {'rgba', 'rgb', 'alpha'} & color.attrib.keys():
            yield Defect(color, 'The <color> of {material} has no rgba', severity=severity,
                         **misspelling(color, 'rgba'))


@rule('texture-no-filename', WARN, affects='texture material', subject='material')
def texture_no_filename(description: Description) -> Iterator[Defect]:
    """
    Check that every texture names its file.

    Fails in a robot: <material name="red"><texture/></material>
    Passes: <material name="red"><texture filename="package://parts/red.png"/></material>
    """
    for material, _ in _materials(description):
        texture = child(material, 'texture')
        if texture is not None and not texture.get('filename', '').strip():
            yield Defect(texture, 'The <texture> of {material} has no filename',
                         severity=INFO if 'filename' in texture.attrib else None,
                         **misspelling(texture, 'filename'))


@rule('rgba-out-of-range', WARN, affects='any')
def rgba_out_of_range(description: Description) -> Iterator[Defect]:
    """
    Check that every component of a colour is between 0 and 1.

    Fails in a robot: <material name="red"><color rgba="255 0 0 1"/></material>
    Passes with rgba="1 0 0 1"
    """
    for material, color, rgba in _colors(description):
        if min(rgba) < 0 or max(rgba) > 1:
            yield Defect(color, 'The rgba of {material} is not between 0 and 1 ({rgba})',
                         rgba=FreeText(color.get('rgba', '').strip()),
                         fix=_from_8_bit(color, rgba))


_MIN_8_BIT = 8
"""The largest of the 8-bit components of a colour is at least this; below it would be black."""


def _from_8_bit(color: Element, rgba: Sequence[float]) -> Fix:
    """Return the fix if it must be in whole numbers from 0 to 255; an alpha of 0 or 1 is kept."""
    *rgb, alpha = rgba
    is_8_bit = all(value == round(value) and 0 <= value <= 255 for value in rgba) and (
        max(rgb) >= _MIN_8_BIT and (alpha <= 1 or alpha >= _MIN_8_BIT))
    scaled = (*(value / 255 for value in rgb), alpha / 255 if alpha > 1 else alpha)
    return (SetAttribute(color, 'rgba', format_numbers(scaled)),) if is_8_bit else ()


def _colors(description: Description) -> Iterator[tuple[Element, Element, tuple[float, ...]]]:
    """Yield every material with its <color> and its rgba."""
    for material, _ in _materials(description):
        color = child(material, 'color')
        rgba = description.vector(color, 'rgba', 4)
        if color is not None and rgba is not None:
            yield material, color, rgba
