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

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.findings.fixes import RemoveElement
from urdf_tools.findings.fixes import SetAttribute
from urdf_tools.model.editing import attributes_of
from urdf_tools.model.element import Element
from urdf_tools.validation.indexed_description import are_numbers
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import is_robot_origin
from urdf_tools.validation.schema import TEXT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('xml')

_REFUSES = {
    'urdfdom': 'refuses the whole description, or drops the rest of the link',
    'gazebo': 'refuses the description, or drops the rest of the link, but takes 0 0 0 for an '
              '<origin> in <robot>',
    'drake': 'refuses the description',
    'mujoco': 'refuses the description', 'pybullet': 'reads another number without a word',
    'urdf_parser_py': 'refuses the whole description'}

_NOT_FINITE = {
    **{name: effect for name, effect in _REFUSES.items() if name != 'urdf_parser_py'},
    'mujoco': 'refuses it in a mass or an inertia'}

_THOUSANDS = re.compile(r'\s*[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\s*')

_OTHER_SPACE = re.compile(rb'[\t\r\n]')

_TAB_OR_NEWLINE = re.compile(r'[\t\r\n]')
"""XML parsers leave them in a value only where they are written as &#9; or similar."""


@rule('number-not-parsable', ERROR, hint='Write a number such as 0.5 or 1e-3',
      consumers=_REFUSES)
def number_not_parsable(description: Description) -> Iterator[Defect]:
    """Check that every number can be parsed."""
    yield from _bad_numbers(description, 'not-a-number')


@rule('vector-wrong-length', ERROR,
      hint='Write as many numbers as URDF expects, separated by spaces', consumers=_REFUSES)
def vector_wrong_length(description: Description) -> Iterator[Defect]:
    """Check that every attribute has as many numbers as URDF expects."""
    yield from _bad_numbers(description, 'count')


@rule('number-not-finite', ERROR, hint='Write a finite number, or remove the attribute',
      consumers=_NOT_FINITE)
def number_not_finite(description: Description) -> Iterator[Defect]:
    """Check that no number is NaN, infinite or too large for a double."""
    yield from _bad_numbers(description, 'not-finite')


@rule('number-locale-comma', ERROR, hint='Write a decimal point, and separate numbers with spaces',
      consumers=_REFUSES)
def number_locale_comma(description: Description) -> Iterator[Defect]:
    """Check that there is no comma within or between numbers."""
    for bad in description.bad_numbers:
        if bad.fault == 'comma':
            text = bad.element.get(bad.attribute, '')
            meant = text.replace(',', '.' if bad.n == 1 else ' ')
            yield Defect(
                bad.element, f'{bad.attribute} of {describe(bad.element)}: {bad.reason}',
                fix=(SetAttribute(bad.element, bad.attribute, meant),)
                if are_numbers(meant, bad.n) and not _THOUSANDS.fullmatch(text) else (),
                consumers=_readers(bad.element))


def _bad_numbers(description: Description, fault: str) -> Iterator[Defect]:
    for bad in description.bad_numbers:
        if bad.fault == fault and _is_read(bad.element):
            yield Defect(bad.element, f'{bad.attribute} of {describe(bad.element)}: {bad.reason}',
                         consumers=_readers(bad.element))


def _is_read(element: Element) -> bool:
    """Tell whether an element is not a further shape, of which geometry-multiple tells."""
    parent = element.parent
    return parent is None or parent.tag != 'geometry' or next(iter(parent)) is element


def _readers(element: Element) -> tuple[str, ...] | None:
    """Return the only programs that read the numbers of an element; None if all do."""
    return ('gazebo',) if is_robot_origin(element) else None


@rule('number-spacing', ERROR,
      hint='Separate numbers with single spaces, and write none after the last', consumers={
          'urdfdom': 'refuses the whole description, or drops the rest of the link'})
def number_spacing(description: Description) -> Iterator[Defect]:
    """
    Check that numbers have only the white space that urdfdom accepts.

    urdfdom accepts neither a space after a single number nor a tab or line break between
    several; every other reader does.
    """
    for element, tag in description.grammar:
        for attribute, text in element.attrib.items():
            n = tag.attributes.get(attribute, TEXT)
            if n == TEXT or n == 1 and text == text.rstrip():
                continue
            if ((n == 1 or _TAB_OR_NEWLINE.search(text)
                 or _has_tab_or_newline(description, element, attribute))
                    and description.vector(element, attribute, n) is not None
                    and not is_robot_origin(element)):
                yield Defect(
                    element, f'{attribute} of {describe(element)} has white space that urdfdom '
                             f'does not accept',
                    fix=(SetAttribute(element, attribute, ' '.join(text.split())),))


def _has_tab_or_newline(description: Description, element: Element, attribute: str) -> bool:
    """Tell whether a value contains a tab or line break, which XML parsers turn into spaces."""
    data = description.document.data
    tag = data[element.start:data.find(b'>', element.start)]
    if not _OTHER_SPACE.search(tag):
        return False
    found = attributes_of(data, element).get(attribute)
    return found is not None and _OTHER_SPACE.search(data[found.value:found.end]) is not None


@rule('feature-needs-version', WARN, hint='Declare the version that added it', consumers={
    'urdfdom': 'ignores the attribute, drops a link with a <capsule>',
    'urdf_parser_py': 'ignores the attribute, refuses a <capsule>'})
def feature_needs_version(description: Description) -> Iterator[Defect]:
    """
    Check that all features in use exist in the declared version of URDF.

    Version 1.1 added quat_xyzw and <capsule>; version 1.2 acceleration, deceleration and jerk.
    """
    for element, tag in description.grammar:
        if not tag.added_in:
            continue
        for name in (*element.attrib, *(child.tag for child in element)):
            needed = tag.added_in.get(name)
            if needed and description.version < needed:
                what = name if name in element.attrib else f'<{name}>'
                version, declared = map('{0[0]}.{0[1]}'.format, (needed, description.version))
                yield Defect(
                    element, f'{what} in {describe(element)} needs URDF {version}, not {declared}',
                    f'Write <robot version="{version}">')


@rule('origin-empty', INFO, hint='Remove it; the default is no translation and no rotation',
      consumers={'tesseract': 'refuses the description'})
def origin_empty(description: Description) -> Iterator[Defect]:
    """
    Check that every <origin> has an attribute.

    Without one it is the same as no <origin>.
    """
    for element, _ in description.grammar:
        if element.tag == 'origin' and not element.attrib:
            yield Defect(element, f'{subject(element)} is empty',
                         fix=() if len(element) else (RemoveElement(element),))


@rule('rpy-and-quat', ERROR, hint='Keep one of them', consumers={
    'urdfdom': 'refuses the element from release 5.1 on, uses rpy before'})
def rpy_and_quat(description: Description) -> Iterator[Defect]:
    """Check that no <origin> has both rpy and quat_xyzw."""
    for element, _ in description.grammar:
        if element.tag == 'origin' and {'rpy', 'quat_xyzw'} <= element.attrib.keys():
            yield Defect(element, f'{subject(element)} has both rpy and quat_xyzw')


@rule('quat-not-normalised', WARN, hint='Divide it by its length', consumers={
    'urdfdom': 'normalises it or refuses it, depending on the release'})
def quat_not_normalised(description: Description) -> Iterator[Defect]:
    """
    Check that every quat_xyzw has length 1.

    Length 0 is an error, because it does not define a rotation.
    """
    for element, _ in description.grammar:
        quaternion = description.vector(element, 'quat_xyzw', 4)
        if quaternion is None or element.tag != 'origin':
            continue
        length = math.hypot(*quaternion)
        if length < 1e-9:
            yield Defect(element, f'quat_xyzw of {describe(element)} is zero',
                         'Write "0 0 0 1" for no rotation', ERROR)
        elif abs(length - 1) > 1e-3:
            unit = format_numbers(tuple(value / length for value in quaternion))
            yield Defect(
                element, f'quat_xyzw of {describe(element)} has length {length:.6g}, not 1',
                f'Write quat_xyzw="{unit}"', fix=(SetAttribute(element, 'quat_xyzw', unit),))
