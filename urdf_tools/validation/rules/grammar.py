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

"""Rules about what URDF's grammar says of every element: children, attributes, numbers."""

from __future__ import annotations

from collections.abc import Iterator
import math
import re

from urdf_tools.model.document import Element
from urdf_tools.model.editing import attributes_of
from urdf_tools.validation.finding import Severity
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

_IGNORED = {'urdf_parser_py': 'prints a line for each'}

_FORMER = {
    ('joint', 'joint_properties'): 'Write <dynamics damping="..." friction="...">',
    ('joint', 'anchor'): 'Remove it; <origin> places the joint',
    ('inertial', 'com'): 'Write <origin xyz="...">',
    ('link', 'parent'): 'Name the parent in the joint',
    ('link', 'joint'): 'Joints stand beside the links, below <robot>',
    ('link', 'origin'): 'Place the link with the <origin> of its joint',
    ('visual', 'map'): 'Remove it; <material> colours the visual',
    ('robot', 'resource'): 'Remove it; meshes are found by package:// in their filename'}

_OTHER_SPACE = re.compile(rb'[\t\r\n]')

_RELICS = frozenset((
    'safety_controller', 'calibration', 'verbose', 'leftActuator', 'rightActuator', 'flexJoint',
    'rollJoint', 'gap_joint', 'passive_joint', 'use_simulated_gripper_joint'))

_FORMER_ATTRIBUTES = {
    ('color', 'rgb'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('color', 'alpha'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('mesh', 'size'): 'It was the size of the whole mesh; write its factor as scale="x y z"'}


def _tags(tag: Tag):
    for name, inner in tag.children.items():
        yield name
        if inner is not None:
            yield from _tags(inner)


_EVERY_TAG = frozenset(_tags(ROBOT))


def _strangers(description: Description) -> list[tuple[Element, Tag]]:
    """Return every element that URDF does not define where it stands, with its parent's tag."""
    return [(element, tag) for parent, tag in description.grammar for element in parent
            if element.tag not in tag.children and not is_foreign(element.tag)]


def _is_reported_as_missing(parent, tag, word):
    """Tell whether a misspelt word is all that its parent lacks, which another rule says."""
    meant = tag.closest(word)
    return (meant in tag.required and meant not in parent.attrib
            and not any(child.tag == meant for child in parent))


@rule('unknown-element', WARN, hint='Remove it, or put it into <gazebo> or a namespace of its own',
      consumers=_IGNORED)
def unknown_element(description: Description) -> Iterator[Defect]:
    """
    Check that every element is one that URDF or a known extension of it defines.

    Readers pass over what they do not know, so a misspelt element has no effect and no message.
    Below <robot> URDF leaves room for elements of one's own; there it is only noted.
    """
    for element, tag in description.cached(_strangers):
        parent = element.parent
        if (element.tag in _EVERY_TAG or (parent.tag, element.tag) in _FORMER
                or element.tag in EXTENSIONS.get(parent.tag, ())
                or parent.tag == 'geometry'
                or _is_reported_as_missing(parent, tag, element.tag)):
            continue
        meant = tag.closest(element.tag)
        yield Defect(
            element, f'URDF has no <{element.tag}> in <{parent.tag}>',
            f'Did you mean <{meant}>?' if meant in tag.children else '',
            INFO if parent.tag == 'robot' and meant is None else None)


@rule('unknown-attribute', WARN, hint='Remove it, or give it a namespace prefix of its own',
      consumers={**_IGNORED, 'mujoco': 'ignores it without a word'})
def unknown_attribute(description: Description) -> Iterator[Defect]:
    """
    Check that every attribute is one that URDF defines.

    Readers pass over what they do not know, so a misspelt attribute leaves its value at the
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
            yield Defect(element, f'URDF has no attribute {name} in <{element.tag}>',
                         f'Did you mean {meant}?' if likely else '')


@rule('reserved-tag-misplaced', WARN, hint='Move it to where URDF has it', consumers=_IGNORED)
def reserved_tag_misplaced(description: Description) -> Iterator[Defect]:
    """
    Check that the elements of URDF stand where URDF has them.

    In another place they have no effect.
    """
    for element, _ in description.cached(_strangers):
        place = (element.parent.tag, element.tag)
        if element.tag in _EVERY_TAG and place not in _FORMER and place[0] != 'geometry':
            yield Defect(element, f'<{element.tag}> has no meaning in <{element.parent.tag}>')


@rule('dialect-2009', WARN, hint='Write it as URDF has it now', consumers={
    'urdfdom': 'ignores it'})
def dialect_2009(description: Description) -> Iterator[Defect]:
    """
    Check that nothing is written as URDF had it in 2009.

    No reader of today takes the elements and attributes of that time: <resource>, <com>,
    <anchor>, <joint_properties>, <map>, a <parent> or <joint> inside a <link>, rgb and alpha of
    <color>, size of <mesh>.
    """
    for element, _ in description.cached(_strangers):
        hint = _FORMER.get((element.parent.tag, element.tag))
        if hint:
            yield Defect(
                element, f'<{element.tag}> in <{element.parent.tag}> is not read any more', hint)
    for element, tag in description.grammar:
        for name in element.attrib:
            hint = _FORMER_ATTRIBUTES.get((element.tag, name))
            if hint and name not in tag.attributes and not (
                    name == 'alpha' and 'rgb' in element.attrib):
                yield Defect(element, f'{name} of <{element.tag}> is not read any more', hint,
                             fix=_in_form_of_today(description, element, name))


def _in_form_of_today(description, element, name):
    """Return what makes rgba of rgb and alpha, where they are in range."""
    rgb = description.vector(element, 'rgb', 3)
    alpha = description.vector(element, 'alpha', 1) if 'alpha' in element.attrib else (1.0,)
    if (name != 'rgb' or rgb is None or alpha is None or 'rgba' in element.attrib
            or min(rgb) < 0 or max(rgb) > 255):
        return ()
    scale = 255 if max(rgb) > 1 else 1
    rgba = format_numbers((*(value / scale for value in rgb), *alpha))
    dropped = [RemoveAttribute(element, 'alpha')] if 'alpha' in element.attrib else []
    return (SetAttribute(element, 'rgba', rgba, instead_of='rgb'), *dropped)


@rule('deprecated-tag', WARN, hint='Remove it where nothing of yours reads it', consumers={
    'drake': 'ignores it', 'gazebo': 'drops it'})
def deprecated_tag(description: Description) -> Iterator[Defect]:
    """
    Check that what only the PR2's programs ever used is gone.

    That is <safety_controller>, <calibration>, <verbose>, the type of a link and the
    transmissions of pr2_mechanism_model. Each is named once.
    """
    found = {}
    for element, _ in description.grammar:
        if element.tag in _RELICS:
            found.setdefault(f'<{element.tag}>', []).append(element)
        elif element.tag == 'link' and 'type' in element.attrib:
            found.setdefault('The type of a link', []).append(element)
    for transmission in description.transmissions:
        for element in (transmission, *transmission):
            if element.tag in _RELICS:
                found.setdefault(f'<{element.tag}>', []).append(element)
            elif element.get('type', '').startswith('pr2_mechanism_model/'):
                found.setdefault('The form of this transmission', []).append(element)
    for what, elements in found.items():
        yield Defect(elements[0], f'{what} is a relic of the PR2{first_of_many(elements)}')


@rule('duplicate-element', WARN, hint='Keep one of them', consumers={
    'urdfdom': 'takes the first', 'urdf_parser_py': 'takes the first, and says so',
    'drake': 'takes the first', 'mujoco': 'refuses the description'})
def duplicate_element(description: Description) -> Iterator[Defect]:
    """
    Check that what an element can have only once is there only once.

    Most readers take the first and pass over the second without a word.
    """
    for parent, tag in description.grammar:
        seen = {}
        for element in parent:
            if element.tag in tag.children and element.tag not in tag.many:
                first = seen.setdefault(element.tag, element)
                if first is not element:
                    is_same = first.attrib == element.attrib and not len(first) + len(element)
                    yield Defect(
                        element, f'{subject(parent)} has a second <{element.tag}>; '
                                 f'the first is in line {first.line}',
                        fix=(RemoveElement(element),) if is_same else ())


@rule('number-not-parsable', ERROR, hint='Write a number such as 0.5 or 1e-3',
      consumers=_REFUSES)
def number_not_parsable(description: Description) -> Iterator[Defect]:
    """Check that every number is one."""
    yield from _bad_numbers(description, 'not-a-number')


@rule('vector-wrong-length', ERROR,
      hint='Write as many numbers as URDF wants, with spaces between', consumers=_REFUSES)
def vector_wrong_length(description: Description) -> Iterator[Defect]:
    """Check that every attribute holds as many numbers as URDF wants there."""
    yield from _bad_numbers(description, 'count')


@rule('number-not-finite', ERROR, hint='Write a finite number, or leave the attribute out',
      consumers=_REFUSES)
def number_not_finite(description: Description) -> Iterator[Defect]:
    """Check that no number is NaN, infinite or beyond what a double can hold."""
    yield from _bad_numbers(description, 'not-finite')


@rule('number-locale-comma', ERROR, hint='Write a decimal point, and spaces between numbers',
      consumers=_REFUSES)
def number_locale_comma(description: Description) -> Iterator[Defect]:
    """Check that there is no comma in a number or between numbers."""
    for bad in description.bad_numbers:
        if bad.fault == 'comma':
            text = bad.element.get(bad.attribute)
            meant = text.replace(',', '.' if bad.n == 1 else ' ')
            yield Defect(
                bad.element, f'{bad.attribute} of {describe(bad.element)}: {bad.reason}',
                fix=(SetAttribute(bad.element, bad.attribute, meant),)
                if are_numbers(meant, bad.n) else ())


def _bad_numbers(description, fault):
    for bad in description.bad_numbers:
        if bad.fault == fault:
            yield Defect(bad.element, f'{bad.attribute} of {describe(bad.element)}: {bad.reason}')


@rule('number-spacing', ERROR, hint='Write single spaces between numbers, none behind the last',
      consumers={'urdfdom': 'refuses the whole description, or drops the rest of the link'})
def number_spacing(description: Description) -> Iterator[Defect]:
    """
    Check that numbers are spaced as urdfdom wants it.

    It takes neither a space behind a single number nor a tab or a line break among several,
    which every other reader does.
    """
    for element, tag in description.grammar:
        for attribute, n in tag.attributes.items():
            if n == TEXT or description.vector(element, attribute, n) is None:
                continue
            text = element.get(attribute)
            if text != text.rstrip() if n == 1 else _is_spread(description, element, attribute):
                yield Defect(
                    element, f'{attribute} of {describe(element)} has white space that urdfdom '
                             f'does not take',
                    fix=(SetAttribute(element, attribute, ' '.join(text.split())),))


def _is_spread(description, element, attribute):
    """Tell whether a value has a tab or a line break in it, which the parser makes spaces."""
    data = description.document.data
    tag = data[element.start:data.find(b'>', element.start)]
    if not _OTHER_SPACE.search(tag):
        return False
    place = attributes_of(data, element).get(attribute)
    return place is not None and _OTHER_SPACE.search(data[place.value:place.end]) is not None


@rule('feature-needs-version', WARN, consumers={
    'urdfdom': 'ignores the attribute, drops a link with the shape',
    'urdf_parser_py': 'ignores it'})
def feature_needs_version(description: Description) -> Iterator[Defect]:
    """
    Check that what is newer than URDF 1.0 stands in a description of that version.

    quat_xyzw and <capsule> came with version 1.1; acceleration, deceleration and jerk with 1.2.
    """
    for element, tag in description.grammar:
        for name in (*element.attrib, *(child.tag for child in element)):
            needed = tag.added_in.get(name)
            if needed and description.version < needed:
                what = name if name in element.attrib else f'<{name}>'
                version = '{}.{}'.format(*needed)
                yield Defect(
                    element, f'{what} in {describe(element)} needs version {version} of URDF',
                    f'Write <robot version="{version}">')


@rule('origin-empty', INFO, hint='Remove it; without it there is no offset either')
def origin_empty(description: Description) -> Iterator[Defect]:
    """Check that every <origin> says something."""
    for element, _ in description.grammar:
        if element.tag == 'origin' and not element.attrib:
            yield Defect(element, f'{subject(element)} is empty',
                         fix=() if len(element) else (RemoveElement(element),))


@rule('rpy-and-quat', ERROR, hint='Keep one of them', consumers={
    'urdfdom': 'refuses the element from release 5.1 on, takes rpy before'})
def rpy_and_quat(description: Description) -> Iterator[Defect]:
    """Check that an <origin> gives its rotation only once."""
    for element, _ in description.grammar:
        if element.tag == 'origin' and {'rpy', 'quat_xyzw'} <= element.attrib.keys():
            yield Defect(element, f'{subject(element)} has both rpy and quat_xyzw')


@rule('quat-not-normalised', WARN, hint='Divide it by its length', consumers={
    'urdfdom': 'normalises it or refuses it, by release'})
def quat_not_normalised(description: Description) -> Iterator[Defect]:
    """Check that quat_xyzw is of length 1; of length 0 it is no rotation at all."""
    for element, _ in description.grammar:
        quaternion = description.vector(element, 'quat_xyzw', 4)
        if quaternion is None or element.tag != 'origin':
            continue
        length = math.hypot(*quaternion)
        if length < 1e-9:
            yield Defect(element, f'quat_xyzw of {describe(element)} is zero',
                         'Write "0 0 0 1" for no rotation', ERROR)
        elif abs(length - 1) > 1e-3:
            yield Defect(
                element, f'quat_xyzw of {describe(element)} has the length {length:.6g}, not 1',
                fix=(SetAttribute(element, 'quat_xyzw', format_numbers(
                    tuple(value / length for value in quaternion))),))
