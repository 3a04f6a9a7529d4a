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

"""Rules about materials: names, colours and textures."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence

from urdf_tools.check.conditions import without
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import misspelling
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.fixes import Fix
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('geometry')


def _materials(description: Description) -> Iterator[tuple[Element, bool]]:
    """Yield every material, and whether it is a child of <robot>, which all links share."""
    yield from ((material, True) for material in description.materials)
    for owner, _ in description.shapes:
        own = child(owner, 'material')
        if own is not None and owner.tag == 'visual':
            yield own, False


@rule('material-no-name', ERROR, refuses('urdf_parser_py', when=without('name')), affects='any',
      fix='Write <material name="...">', source='run')
def material_no_name(description: Description) -> Iterator[Defect]:
    """
    Check that every material has a name.

    An empty name, which some exporters write, is a warning below <robot>, where Drake refuses it,
    and only noted in a visual.

    Fails in a robot: <material><color rgba="1 0 0 1"/></material>
    Passes: <material name="red"><color rgba="1 0 0 1"/></material>
    """
    for material, is_shared in _materials(description):
        if not material.get('name'):
            is_empty = 'name' in material.attrib
            yield Defect(material, 'The {material} has an empty name' if is_empty else
                         'The {material} has no name',
                         severity=None if not is_empty else WARN if is_shared else INFO,
                         **misspelling(material, 'name'))


@rule('material-undefined', WARN, refuses('tesseract'), affects='any',
      fix='Define it in <robot> with a <color> or <texture>', source='tesseract `material.cpp:93`')
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
                         where=FreeText(defined[name].position),
                         hint='Define it in <robot>, or in the first visual that names it')


def _has_appearance(material: Element) -> bool:
    return child(material, 'color') is not None or child(material, 'texture') is not None


_NO_RGBA = Condition(
    'if a <color> has no rgba', lambda description, defect: defect.element.tag == 'color')


@rule('material-no-color-or-texture', ERROR, refuses('urdf_parser_py', when=_NO_RGBA),
      affects='any', fix='Write <color rgba="r g b a"/> in it', source='run')
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


@rule('texture-no-filename', WARN, affects='texture material', subject='material',
      fix='Write <texture filename="package://PACKAGE/FILE"/>')
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


@rule('rgba-out-of-range', WARN, refuses('tesseract'), affects='any',
      fix='Write numbers from 0 to 1; divide 8-bit values by 255', source='run')
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


@rule('alpha-zero', WARN, fix='Write an alpha of 1, or remove the visual')
def alpha_zero(description: Description) -> Iterator[Defect]:
    """
    Check that no colour is fully transparent.

    Fails in a robot: <material name="red"><color rgba="1 0 0 0"/></material>
    Passes with rgba="1 0 0 1"
    """
    for material, color, rgba in _colors(description):
        if rgba[3] == 0:
            yield Defect(color, '{material} is fully transparent (alpha is 0)')


def _colors(description: Description) -> Iterator[tuple[Element, Element, tuple[float, ...]]]:
    """Yield every material with its <color> and its rgba."""
    for material, _ in _materials(description):
        color = child(material, 'color')
        rgba = description.vector(color, 'rgba', 4)
        if color is not None and rgba is not None:
            yield material, color, rgba
