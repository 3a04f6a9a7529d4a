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
from collections.abc import Mapping
import math
import re

from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import Fix
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.findings.message import Words
from urdf_tools.model.editing import attributes_of
from urdf_tools.model.editing import RemoveElement
from urdf_tools.model.editing import SetAttribute
from urdf_tools.model.element import Element
from urdf_tools.validation.conditions import all_of
from urdf_tools.validation.conditions import FROM_URDF_1_1
from urdf_tools.validation.conditions import IN_JOINT
from urdf_tools.validation.conditions import IN_LINK
from urdf_tools.validation.conditions import IN_URDF_1_0
from urdf_tools.validation.conditions import inside
from urdf_tools.validation.conditions import MOVING_LINK
from urdf_tools.validation.conditions import READ_BY_MUJOCO
from urdf_tools.validation.indexed_description import are_numbers
from urdf_tools.validation.indexed_description import BadNumber
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES
from urdf_tools.validation.schema import is_robot_origin
from urdf_tools.validation.schema import TEXT

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = RULES.in_category('xml')

_NUMBER = re.compile(r'\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?')

_RIGID = ('fixed', 'floating')
"""The types of joints of which urdfdom and Drake read no axis."""


def _type(defect: Defect) -> str:
    parent = defect.element.parent
    return '' if parent is None else parent.get('type', '')


def _is_used_in_joint(description: Description, defect: Defect) -> bool:
    return IN_JOINT.holds(description, defect) and not (
        defect.element.tag == 'axis' and _type(defect) in _RIGID)


def _is_read_by_drake(defect: Defect) -> bool:
    tag, kind = defect.element.tag, _type(defect)
    return not (
        tag in ('calibration', 'safety_controller') or kind in _RIGID and tag in (
            'axis', 'limit', 'dynamics') or kind == 'planar' and tag == 'limit')


def _numbers_at_start(defect: Defect) -> int:
    """Return the number of numbers before the first text that is none."""
    text, end, count = defect.element.get(defect.attribute, ''), 0, 0
    while (match := _NUMBER.match(text, end)) and math.isfinite(float(match[0])):
        end, count = match.end(), count + 1
    return count


def _expected_numbers(description: Description) -> Mapping[tuple[Element, str], int]:
    return {(bad.element, bad.attribute): bad.n for bad in description.bad_numbers}


def _begins_well(description: Description, defect: Defect) -> bool:
    expected = description.cached(_expected_numbers)[defect.element, defect.attribute]
    return _numbers_at_start(defect) == expected


def _is_weight_or_size(description: Description, defect: Defect) -> bool:
    """Return whether MuJoCo refuses a value that is not a number."""
    tag = defect.element.tag
    return (tag in ('mass', 'inertia') and MOVING_LINK.holds(description, defect)
            or tag in ('box', 'cylinder', 'sphere') and _IN_COLLISION.holds(description, defect))


_IN_COLLISION = inside('collision')
_IN_COLOUR = inside('color')
_IN_REST_OF_LINK = Condition('elsewhere in a <link>', lambda description, defect: (
    IN_LINK.holds(description, defect) and not _IN_COLOUR.holds(description, defect)))
_OF_ROBOT = Condition('in the <origin> of <robot>', lambda description, defect: (
    is_robot_origin(defect.element)))
_BEGINS_WELL = Condition('if it begins with as many numbers as expected', (
    lambda description, defect: (
        _is_read_by_drake(defect) and _begins_well(description, defect))))
_BEGINS_BADLY = Condition('unless it begins with as many numbers as expected', (
    lambda description, defect: (
        _is_read_by_drake(defect) and not _begins_well(description, defect))))
_NOT_OF_CONTROLLERS = Condition('unless it ignores the element', lambda description, defect: (
    defect.element.tag not in ('calibration', 'safety_controller')))
_TOO_LARGE = Condition('if it is too large for a number', lambda description, defect: (
    READ_BY_MUJOCO.holds(description, defect) and all(
        map(_NUMBER.fullmatch, defect.element.get(defect.attribute, '').split()))))

_BY_URDFDOM = (
    *refuses('urdfdom', when=Condition('in a <joint>', _is_used_in_joint)),
    *ignores('urdfdom', of='colour', when=_IN_COLOUR),
    *drops('urdfdom', of='link', how='drops the rest of the link', when=_IN_REST_OF_LINK))
_BY_OTHERS = (
    *changes('gazebo', of='model', how='takes 0 0 0', when=_OF_ROBOT),
    *refuses('drake', when=_BEGINS_BADLY),
    *changes('drake', of='attribute', how='reads only the beginning', when=_BEGINS_WELL),
    *changes('pybullet', of='attribute', how='reads another number without a word',
             when=_NOT_OF_CONTROLLERS))
_BY_STRICT = (*refuses('mujoco', when=READ_BY_MUJOCO), *refuses('urdf_parser_py'))
_EVIDENCE = 'run; sdformat `parser_urdf.cc:288`'

_THOUSANDS = re.compile(r'\s*[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+\s*')

_OTHER_SPACE = re.compile(rb'[\t\r\n]')

_TAB_OR_NEWLINE = re.compile(r'[\t\r\n]')
"""XML parsers leave them in a value only where they are written as &#9; or similar."""


@rule('number-not-parsable', ERROR, _BY_URDFDOM, _BY_OTHERS, _BY_STRICT,
      hint='Write a number such as 0.5 or 1e-3', evidence=_EVIDENCE)
def number_not_parsable(description: Description) -> Iterator[Defect]:
    """Check that every number can be parsed."""
    yield from _bad_numbers(description, 'not-a-number')


@rule('vector-wrong-length', ERROR, _BY_URDFDOM, _BY_OTHERS, _BY_STRICT,
      hint='Write as many numbers as URDF expects, separated by spaces', evidence=_EVIDENCE)
def vector_wrong_length(description: Description) -> Iterator[Defect]:
    """Check that every attribute has as many numbers as URDF expects."""
    yield from _bad_numbers(description, 'count')


@rule('number-not-finite', ERROR, _BY_URDFDOM, _BY_OTHERS,
      refuses('mujoco', when=Condition(
          'in the mass or inertia of a moving link or the size of a collision',
          _is_weight_or_size)),
      refuses('mujoco', when=_TOO_LARGE), hint='Write a finite number, or remove the attribute',
      evidence='run: MuJoCo and urdf_parser_py accept nan elsewhere')
def number_not_finite(description: Description) -> Iterator[Defect]:
    """Check that no number is NaN, infinite or too large for a double."""
    yield from _bad_numbers(description, 'not-finite')


@rule('number-locale-comma', ERROR, _BY_URDFDOM, _BY_OTHERS, _BY_STRICT,
      hint='Write a decimal point, and separate numbers with spaces', evidence=_EVIDENCE)
def number_locale_comma(description: Description) -> Iterator[Defect]:
    """Check that there is no comma within or between numbers."""
    for bad in description.bad_numbers:
        if bad.fault == 'comma':
            text = bad.element.get(bad.attribute, '')
            meant = text.replace(',', '.' if bad.n == 1 else ' ')
            yield _defect(
                bad, (SetAttribute(bad.element, bad.attribute, meant),)
                if are_numbers(meant, bad.n) and not _THOUSANDS.fullmatch(text) else ())


def _bad_numbers(description: Description, fault: str) -> Iterator[Defect]:
    for bad in description.bad_numbers:
        if bad.fault == fault and _is_read(bad.element):
            yield _defect(bad)


def _defect(bad: BadNumber, fix: Fix = ()) -> Defect:
    return Defect(
        bad.element, '{attribute} of {owner}: {reason}', attribute=bad.attribute,
        owner=bad.element, reason=Words(bad.reason), fix=fix,
        programs=_readers(bad.element, bad.attribute))


def _is_read(element: Element) -> bool:
    """Return whether an element is not a further shape, of which geometry-multiple tells."""
    parent = element.parent
    return parent is None or parent.tag != 'geometry' or next(iter(parent)) is element


def _readers(element: Element, attribute: str) -> tuple[str, ...] | None:
    """Return the only programs that read the numbers of an attribute; None if all do."""
    if attribute == 'reference_position':
        return ()
    return ('gazebo',) if is_robot_origin(element) else None


@rule('number-spacing', ERROR, _BY_URDFDOM,
      hint='Separate numbers with single spaces, and write none after the last', evidence='run')
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
                    element, '{attribute} of {owner} has white space that urdfdom does not accept',
                    attribute=attribute, owner=element, programs=_readers(element, attribute),
                    fix=(SetAttribute(element, attribute, ' '.join(text.split())),))


def _has_tab_or_newline(description: Description, element: Element, attribute: str) -> bool:
    """Return whether a value contains a tab or line break, which XML parsers turn into spaces."""
    data = description.document.data
    tag = data[element.start:data.find(b'>', element.start)]
    if not _OTHER_SPACE.search(tag):
        return False
    found = attributes_of(data, element).get(attribute)
    return found is not None and _OTHER_SPACE.search(data[found.value:found.end]) is not None


_IS_CAPSULE = Condition('if it is a <capsule>', lambda description, defect: (
    defect.element.tag == 'geometry'))
_NO_CAPSULE = Condition('unless it is a <capsule>', lambda description, defect: (
    defect.element.tag != 'geometry'))


@rule('feature-needs-version', WARN,
      ignores('urdfdom', 'urdf_parser_py', of='attribute', when=_NO_CAPSULE),
      drops('urdfdom', of='link', how='drops the rest of the link', when=_IS_CAPSULE),
      refuses('urdf_parser_py', when=_IS_CAPSULE), hint='Declare the version that added it',
      evidence='run')
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
                version, declared = map('{0[0]}.{0[1]}'.format, (needed, description.version))
                yield Defect(
                    element, '{feature} in {owner} needs URDF {version}, not {declared}',
                    feature=name if name in element.attrib else f'<{name}>', owner=element,
                    version=version, declared=declared, hint='Write <robot version="{version}">')


@rule('origin-empty', INFO, refuses('tesseract'),
      hint='Remove it; the default is no translation and no rotation',
      evidence='tesseract `origin.cpp:46`')
def origin_empty(description: Description) -> Iterator[Defect]:
    """
    Check that every <origin> has an attribute.

    Without one it is the same as no <origin>.
    """
    for element, _ in description.grammar:
        if element.tag == 'origin' and not element.attrib:
            yield Defect(element, '{origin} is empty', origin=element,
                         fix=() if len(element) else (RemoveElement(element),))


_TURN = 2 * math.pi


@rule('rpy-in-degrees', WARN, hint='Write radians: degrees times 0.0174533')
def rpy_in_degrees(description: Description) -> Iterator[Defect]:
    """
    Check that the angles of every <origin> are not in degrees.

    More than one turn says nothing that less does not, so that an angle of 6.3 to 720 is one in
    degrees, unless it is a multiple of a quarter turn in radians. If all three are whole numbers,
    all are converted in the hint, else those above one turn.
    """
    for element, tag in description.grammar:
        angles = description.vector(element, 'rpy', 3) if 'rpy' in tag.attributes else None
        if angles is None or not any(map(_is_in_degrees, angles)):
            continue
        are_whole = all(angle == round(angle) for angle in angles)
        meant = format_numbers(tuple(
            round(math.radians(angle), 6) if are_whole or _is_in_degrees(angle) else angle
            for angle in angles))
        yield Defect(
            element, 'The rpy of {origin}, {written}, looks like degrees', origin=element,
            written=Words(' '.join(element.get('rpy', '').split())), attribute='rpy',
            hint='Write radians: rpy="{meant}"', meant=Words(meant))


def _is_in_degrees(angle: float) -> bool:
    quarters = angle / (math.pi / 2)
    return _TURN + 0.01 < abs(angle) <= 720 and abs(quarters - round(quarters)) > 1e-3


@rule('rpy-and-quat', ERROR,
      refuses('urdfdom', when=all_of(IN_JOINT, FROM_URDF_1_1)),
      drops('urdfdom', of='link', how='drops the rest of the link',
            when=all_of(IN_LINK, FROM_URDF_1_1)),
      ignores('urdfdom', of='attribute', how='uses rpy', when=IN_URDF_1_0),
      hint='Keep one of them', evidence='run')
def rpy_and_quat(description: Description) -> Iterator[Defect]:
    """Check that no <origin> has both rpy and quat_xyzw."""
    for element, _ in description.grammar:
        if element.tag == 'origin' and {'rpy', 'quat_xyzw'} <= element.attrib.keys():
            yield Defect(element, '{origin} has both rpy and quat_xyzw', origin=element)


@rule('quat-not-normalised', WARN,
      changes('urdfdom', of='attribute', how='normalises it', when=FROM_URDF_1_1),
      refuses('urdfdom', when=all_of(IN_JOINT, FROM_URDF_1_1), setting='in some releases'),
      drops('urdfdom', of='link', how='drops the rest of the link',
            when=all_of(IN_LINK, FROM_URDF_1_1), setting='in some releases'),
      hint='Divide it by its length', evidence='run (urdfdom 6.0.0)')
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
            yield Defect(element, 'quat_xyzw of {origin} is zero', origin=element,
                         hint='Write "0 0 0 1" for no rotation', severity=ERROR,
                         attribute='quat_xyzw')
        elif abs(length - 1) > 1e-3:
            unit = format_numbers(tuple(value / length for value in quaternion))
            yield Defect(
                element, 'quat_xyzw of {origin} has length {length:.6g}, not 1',
                origin=element, length=length, hint='Write quat_xyzw="{unit}"', unit=Words(unit),
                fix=(SetAttribute(element, 'quat_xyzw', unit),))
