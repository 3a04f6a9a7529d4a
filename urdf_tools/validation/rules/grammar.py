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

"""Rules about the grammar of URDF: elements, attributes, numbers, versions."""

from __future__ import annotations

from collections.abc import Iterator
import math
import re

from urdf_tools.model.editing import attributes_of
from urdf_tools.model.element import Element
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import Fix
from urdf_tools.validation.fixes import format_numbers
from urdf_tools.validation.fixes import RemoveAttribute
from urdf_tools.validation.fixes import RemoveElement
from urdf_tools.validation.fixes import SetAttribute
from urdf_tools.validation.indexed_description import are_numbers
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import EXTENSIONS
from urdf_tools.validation.schema import is_foreign
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.schema import Tag
from urdf_tools.validation.schema import TEXT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import first_of_many
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('xml')

_REFUSES = {
    'urdfdom': 'refuses the whole description, or drops the rest of the link',
    'drake': 'refuses the description',
    'mujoco': 'refuses the description'}

_IGNORED = {'urdf_parser_py': 'prints a message for each'}

_FORMER = {
    ('joint', 'joint_properties'): 'Write <dynamics damping="..." friction="...">',
    ('joint', 'anchor'): 'Remove it; <origin> is the pose of the joint',
    ('inertial', 'com'): 'Write <origin xyz="...">',
    ('link', 'parent'): 'Name the parent link in the <joint>',
    ('link', 'joint'): 'Move the <joint> out of the <link>, directly below <robot>',
    ('link', 'origin'): 'Write the pose of the link in the <origin> of its joint',
    ('visual', 'map'): 'Remove it; <material> defines the colour and texture of the visual',
    ('robot', 'resource'): 'Remove it; write filename="package://NAME/PATH" in each <mesh>'}

_OTHER_SPACE = re.compile(rb'[\t\r\n]')

_PR2_ONLY = frozenset((
    'safety_controller', 'calibration', 'verbose', 'leftActuator', 'rightActuator', 'flexJoint',
    'rollJoint', 'gap_joint', 'passive_joint', 'use_simulated_gripper_joint'))

_FORMER_ATTRIBUTES = {
    ('color', 'rgb'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('color', 'alpha'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('mesh', 'size'): 'Write scale="x y z" with scale factors; size was that of the whole mesh'}


def _parents(tag: Tag, name: str, found: dict[str, list[str]]) -> dict[str, list[str]]:
    for child, inner in tag.children.items():
        parents = found.setdefault(child, [])
        if name not in parents:
            parents.append(name)
        if inner is not None:
            _parents(inner, child, found)
    return found


_PARENTS = _parents(ROBOT, 'robot', {})
"""Each tag that URDF defines to the tags of the elements where it defines it."""


def _undefined(description: Description) -> list[tuple[Element, Tag, Element]]:
    """Return each parent, its definition, and an element that URDF does not define in it."""
    return [(parent, tag, element) for parent, tag in description.grammar for element in parent
            if element.tag not in tag.children and not is_foreign(element.tag)]


def _is_reported_as_missing(parent: Element, tag: Tag, word: str) -> bool:
    """Tell whether a word misspells what its parent requires, which another rule reports."""
    meant = tag.closest(word)
    return (meant in tag.required and meant not in parent.attrib
            and not any(child.tag == meant for child in parent))


@rule('unknown-element', WARN,
      hint='Remove it, move it into <gazebo>, or give it a namespace prefix',
      consumers=_IGNORED)
def unknown_element(description: Description) -> Iterator[Defect]:
    """
    Check that every element is defined by URDF or by a known extension of it.

    Most readers silently ignore unknown elements, so a misspelled one has no effect. Directly
    below <robot> URDF allows custom elements; there it is only a note.
    """
    for parent, tag, element in description.cached(_undefined):
        if (element.tag in _PARENTS or (parent.tag, element.tag) in _FORMER
                or element.tag in EXTENSIONS.get(parent.tag, ())
                or parent.tag == 'geometry'
                or _is_reported_as_missing(parent, tag, element.tag)):
            continue
        meant = tag.closest(element.tag)
        yield Defect(
            element, f'URDF does not define <{element.tag}> in <{parent.tag}>',
            f'Did you mean <{meant}>?' if meant in tag.children else '',
            INFO if parent.tag == 'robot' and meant is None else None)


@rule('unknown-attribute', WARN, hint='Remove it, or give it a namespace prefix',
      consumers={**_IGNORED, 'mujoco': 'silently ignores it'})
def unknown_attribute(description: Description) -> Iterator[Defect]:
    """
    Check that every attribute is defined by URDF.

    Most readers silently ignore unknown attributes, so a misspelled one leaves its value at the
    default.
    """
    for element, tag in description.grammar:
        for name in element.attrib:
            if (name in tag.attributes or is_foreign(name)
                    or (element.tag, name) in _FORMER_ATTRIBUTES
                    or _is_reported_as_missing(element, tag, name)):
                continue
            meant = tag.closest(name)
            likely = meant in tag.attributes and meant not in element.attrib
            yield Defect(element, f'URDF does not define attribute {name!r} of <{element.tag}>',
                         f'Did you mean {meant!r}?' if likely else '')


@rule('reserved-tag-misplaced', WARN, hint='Move it into an element where URDF defines it',
      consumers=_IGNORED)
def reserved_tag_misplaced(description: Description) -> Iterator[Defect]:
    """
    Check that every element is in a parent where URDF defines it.

    In any other parent it has no effect.
    """
    for parent, _, element in description.cached(_undefined):
        if (element.tag in _PARENTS and (parent.tag, element.tag) not in _FORMER
                and parent.tag != 'geometry'):
            homes = ' or '.join(f'<{tag}>' for tag in _PARENTS[element.tag])
            yield Defect(element, f'<{element.tag}> has no effect in <{parent.tag}>',
                         f'Move it into {homes}')


@rule('dialect-2009', WARN, hint='Write it in current URDF', consumers={
    'urdfdom': 'ignores it'})
def dialect_2009(description: Description) -> Iterator[Defect]:
    """
    Check that the description does not use obsolete URDF from 2009.

    No current reader supports the elements and attributes of that time: <resource>, <com>,
    <anchor>, <joint_properties>, <map>, <parent> or <joint> inside <link>, rgb and alpha of
    <color>, size of <mesh>.
    """
    for parent, _, element in description.cached(_undefined):
        hint = _FORMER.get((parent.tag, element.tag))
        if hint:
            yield Defect(element, f'<{element.tag}> in <{parent.tag}> is obsolete', hint)
    for element, tag in description.grammar:
        for name in element.attrib:
            hint = _FORMER_ATTRIBUTES.get((element.tag, name))
            if hint and name not in tag.attributes and not (
                    name == 'alpha' and 'rgb' in element.attrib):
                yield Defect(element, f'Attribute {name!r} of <{element.tag}> is obsolete', hint,
                             fix=_as_rgba(description, element, name))


def _as_rgba(description: Description, element: Element, name: str) -> Fix:
    """Return the fix that turns rgb and alpha into rgba, if they are in range."""
    rgb = description.vector(element, 'rgb', 3)
    alpha = description.vector(element, 'alpha', 1) if 'alpha' in element.attrib else (1.0,)
    if (name != 'rgb' or rgb is None or alpha is None or 'rgba' in element.attrib
            or min(rgb) < 0 or max(rgb) > 255):
        return ()
    scale = 255 if max(rgb) > 1 else 1
    rgba = format_numbers((*(value / scale for value in rgb), *alpha))
    dropped = [RemoveAttribute(element, 'alpha')] if 'alpha' in element.attrib else []
    return (SetAttribute(element, 'rgba', rgba, instead_of='rgb'), *dropped)


@rule('deprecated-tag', WARN, hint='Remove it unless your own software reads it', consumers={
    'drake': 'ignores it', 'gazebo': 'drops it'})
def deprecated_tag(description: Description) -> Iterator[Defect]:
    """
    Check that the description contains nothing that only the software of the PR2 reads.

    These are <safety_controller>, <calibration>, <verbose>, the type of a link and the
    transmissions of pr2_mechanism_model. Each is reported once.
    """
    found: dict[str, list[Element]] = {}
    for element, _ in description.grammar:
        if element.tag in _PR2_ONLY:
            found.setdefault(f'<{element.tag}>', []).append(element)
        elif element.tag == 'link' and 'type' in element.attrib:
            found.setdefault("attribute 'type' of <link>", []).append(element)
    for transmission in description.transmissions:
        for element in (transmission, *transmission):
            if element.tag in _PR2_ONLY:
                found.setdefault(f'<{element.tag}>', []).append(element)
            elif element.get('type', '').startswith('pr2_mechanism_model/'):
                found.setdefault('a pr2_mechanism_model transmission', []).append(element)
    for what, elements in found.items():
        yield Defect(elements[0],
                     f'Only the software of the PR2 reads {what}{first_of_many(elements)}')


@rule('duplicate-element', WARN, hint='Keep one of them', consumers={
    'urdfdom': 'uses the first', 'urdf_parser_py': 'uses the first and prints a message',
    'drake': 'uses the first', 'mujoco': 'refuses the description'})
def duplicate_element(description: Description) -> Iterator[Defect]:
    """
    Check that no element is repeated where URDF allows only one.

    Most readers use the first and silently ignore the others.
    """
    for parent, tag in description.grammar:
        seen: dict[str, Element] = {}
        for element in parent:
            if element.tag in tag.children and element.tag not in tag.many:
                first = seen.setdefault(element.tag, element)
                if first is not element:
                    is_same = first.attrib == element.attrib and not len(first) + len(element)
                    yield Defect(
                        element, f'{subject(parent)} has a second <{element.tag}>; '
                                 f'the first is {first.position}',
                        fix=(RemoveElement(element),) if is_same else ())


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
      consumers=_REFUSES)
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
                if are_numbers(meant, bad.n) else ())


def _bad_numbers(description: Description, fault: str) -> Iterator[Defect]:
    for bad in description.bad_numbers:
        if bad.fault == fault:
            yield Defect(bad.element, f'{bad.attribute} of {describe(bad.element)}: {bad.reason}')


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
        for attribute, n in tag.attributes.items():
            if n == TEXT or description.vector(element, attribute, n) is None:
                continue
            text = element.get(attribute, '')
            if (text != text.rstrip() if n == 1
                    else _has_tab_or_newline(description, element, attribute)):
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
    'urdf_parser_py': 'ignores it'})
def feature_needs_version(description: Description) -> Iterator[Defect]:
    """
    Check that all features in use exist in the declared version of URDF.

    Version 1.1 added quat_xyzw and <capsule>; version 1.2 acceleration, deceleration and jerk.
    """
    for element, tag in description.grammar:
        for name in (*element.attrib, *(child.tag for child in element)):
            needed = tag.added_in.get(name)
            if needed and description.version < needed:
                what = name if name in element.attrib else f'<{name}>'
                version = '{}.{}'.format(*needed)
                yield Defect(
                    element, f'{what} in {describe(element)} needs URDF {version}, not '
                             '{}.{}'.format(*description.version),
                    f'Write <robot version="{version}">')


@rule('origin-empty', INFO, hint='Remove it; the default is no translation and no rotation')
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
