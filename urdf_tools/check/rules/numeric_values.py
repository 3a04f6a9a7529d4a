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

"""Rules about numbers and about the rotations and versions that they need."""

from __future__ import annotations

from collections.abc import Iterator
import math
import re

from urdf_tools.check.indexed_description import BadNumber
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import reason_against
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import is_robot_origin
from urdf_tools.check.schema import TEXT
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Fix
from urdf_tools.findings.finding import format_numbers
from urdf_tools.findings.message import FreeText
from urdf_tools.model.xml.editing import attributes_of
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('xml')

_THOUSANDS = re.compile(r'\s*[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\s*')

_OTHER_SPACE = re.compile(rb'[\t\r\n]')


def _bad_numbers(description: Description, fault: str) -> Iterator[Defect]:
    """Yield the attributes whose numbers have a fault."""
    for bad in description.bad_numbers:
        if bad.fault == fault and _is_read(bad.element):
            few_read = bad.attribute == 'reference_position' or is_robot_origin(bad.element)
            yield Defect(bad.element, '{attribute} of {owner}: {reason}', attribute=bad.attribute,
                         owner=bad.element, reason=FreeText(bad.reason), fix=_without_comma(bad),
                         consequences=() if few_read else None)


def _without_comma(bad: BadNumber) -> Fix:
    text = bad.element.get(bad.attribute, '')
    meant = text.replace(',', '.' if bad.n == 1 else ' ')
    is_clear = not reason_against(meant, bad.n) and not _THOUSANDS.fullmatch(text)
    return (SetAttribute(bad.element, bad.attribute, meant),) if is_clear else ()


def _is_read(element: Element) -> bool:
    """Return whether an element is read; geometry-multiple reports any further shape."""
    parent = element.parent
    return parent is None or parent.tag != 'geometry' or next(iter(parent)) is element


rows('numeric_values', {'bad number': _bad_numbers})


@rule('number-spacing', ERROR, affects='any')
def number_spacing(description: Description) -> Iterator[Defect]:
    """
    Check that numbers have only the white space that urdfdom accepts.

    urdfdom accepts neither a space after a single number nor a tab or line break between
    several; every other reader does.

    Fails in a revolute joint: <dynamics damping="0.5 "/>
    Passes with damping=" 0.5"
    """
    for element, tag in description.grammar:
        for attribute, text in element.attrib.items():
            n = tag.attributes.get(attribute, TEXT)
            has_space = n == 1 and text != text.rstrip() or n > 1 and (
                re.search(r'[\t\r\n]', text)
                or _has_tab_or_newline(description, element, attribute))
            if has_space and description.vector(element, attribute, n) is not None and (
                    not is_robot_origin(element)):
                yield Defect(
                    element, '{attribute} of {owner} has white space that urdfdom does not accept',
                    attribute=attribute, owner=element,
                    fix=(SetAttribute(element, attribute, ' '.join(text.split())),))


def _has_tab_or_newline(description: Description, element: Element, attribute: str) -> bool:
    """Return whether a value contains a tab or line break, which XML parsers turn into spaces."""
    data = description.document.data
    if not _OTHER_SPACE.search(data, element.start, data.find(b'>', element.start)):
        return False
    found = attributes_of(data, element).get(attribute)
    return found is not None and _OTHER_SPACE.search(found[2]) is not None


_IS_CAPSULE = on_element('if it is a <capsule>', lambda part: part.tag == 'geometry')


@rule('feature-needs-version', WARN, refuses('urdf_parser_py', when=_IS_CAPSULE),
      ignores('urdf_parser_py', of='attribute'), affects='any')
def feature_needs_version(description: Description) -> Iterator[Defect]:
    """
    Check that all features in use exist in the declared version of URDF.

    Version 1.1 added quat_xyzw and <capsule>; version 1.2 acceleration, deceleration and jerk.

    Fails in a revolute joint: <origin quat_xyzw="0 0 0 1"/>
    Passes: <origin rpy="0 0 0"/>
    """
    for element, tag in description.grammar:
        if not tag.added_in:
            continue
        for name in (*element.attrib, *(child.tag for child in element)):
            needed = tag.added_in.get(name)
            if needed and description.version < needed:
                version, declared = map('{0[0]}.{0[1]}'.format, (needed, description.version))
                yield Defect(element, '{feature} in {owner} needs URDF {version}, not {declared}',
                             feature=name if name in element.attrib else f'<{name}>',
                             owner=element, version=version, declared=declared)


@rule('origin-empty', INFO)
def origin_empty(description: Description) -> Iterator[Defect]:
    """
    Check that every <origin> has an attribute.

    Without one it is the same as no <origin>.

    Fails in a revolute joint: <origin/>
    Passes: <origin xyz="0 0 0"/>
    """
    for element, _ in description.grammar:
        if element.tag == 'origin' and not element.attrib:
            yield Defect(element, '{origin} is empty',
                         fix=() if len(element) else (RemoveElement(element),))


@rule('rpy-in-degrees', WARN)
def rpy_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the angles of every <origin> are not in degrees.

    More than one turn says nothing that less does not, so that an angle of 6.3 to 720 is one in
    degrees, unless it is a multiple of a quarter turn, or exactly of a 24th, in radians. If all
    three are whole numbers, all are converted in the hint, else those above one turn.

    Fails in a fixed joint: <origin xyz="0 0 1" rpy="-90 0 45"/>
    Passes with rpy="-1.5708 9.4248 7.0685834705770345"
    """
    for element, tag in description.grammar:
        angles = description.vector(element, 'rpy', 3) if 'rpy' in tag.attributes else None
        if angles is None or not any(map(_is_in_degrees, angles)):
            continue
        are_whole = all(map(float.is_integer, angles))
        meant = format_numbers(tuple(
            round(math.radians(angle), 6) if are_whole or _is_in_degrees(angle) else angle
            for angle in angles))
        yield Defect(element, 'The rpy of {origin}, {written}, looks like degrees',
                     written=FreeText(' '.join(element.get('rpy', '').split())), attribute='rpy',
                     meant=FreeText(meant))


def _is_in_degrees(angle: float) -> bool:
    is_in_radians = any(abs(math.remainder(angle, turn)) <= maximum for turn, maximum in (
        (math.pi / 2, 1e-3), (math.pi / 12, 1e-6)))
    return 2 * math.pi + 0.01 < abs(angle) <= 720 and not is_in_radians


@rule('quat-not-normalised', WARN, affects='any')
def quat_not_normalised(description: Description) -> Iterator[Defect]:
    """
    Check that every quat_xyzw has length 1.

    Length 0 is an error, because it does not define a rotation.

    Fails in a revolute joint: <origin quat_xyzw="0 0 1 1"/>
    Passes with quat_xyzw="0 0 0.707107 0.707107"
    """
    for element, _ in description.grammar:
        quaternion = description.vector(element, 'quat_xyzw', 4)
        if quaternion is None or element.tag != 'origin':
            continue
        length = math.hypot(*quaternion)
        if length < 1e-9:
            yield Defect(element, 'quat_xyzw of {origin} is zero', severity=ERROR,
                         attribute='quat_xyzw')
        elif abs(length - 1) > 1e-3:
            unit = format_numbers(tuple(value / length for value in quaternion))
            yield Defect(element, 'quat_xyzw of {origin} has length {length:.6g}, not 1',
                         length=length, unit=FreeText(unit),
                         fix=(SetAttribute(element, 'quat_xyzw', unit),))
