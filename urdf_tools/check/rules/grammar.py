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

"""Rules about the grammar of URDF: elements and attributes, former ones, calls of macros."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import joints_with
from urdf_tools.check.indexed_description import once
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import repeated
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import definition
from urdf_tools.check.schema import is_foreign
from urdf_tools.check.schema import READERS
from urdf_tools.check.schema import renamed
from urdf_tools.check.schema import respelled
from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import TABLES
from urdf_tools.check.schema import Tag
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import RenameElement
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('xml')

_OF_GAZEBO = frozenset(TABLES['elements of gazebo'])

_CUSTOM = frozenset(('collision_checking', 'self_collision_checking', 'verbose'))
"""Elements in <link> that the documentation of URDF names as examples of a program's own."""

_UNDEFINED = 'URDF does not define <{tag}> in <{parent}>'

_LABELS = frozenset(('author', 'comment', 'description', 'id', 'label', 'name'))
"""Attributes that are only for human readers."""


def _parents(tag: Tag, name: str, found: dict[str, dict[str, None]]) -> dict[str, dict[str, None]]:
    for child, inner in tag.children.items():
        found.setdefault(child, {})[name] = None
        if inner is not None:
            _parents(inner, child, found)
    return found


_PARENTS = _parents(ROBOT, 'robot', {})
"""Each tag that URDF defines to the tags of the elements where it defines it."""


@once
def _undefined(description: Description) -> list[tuple[Element, Tag, Element]]:
    """Return each parent, its definition, and an element that URDF does not define in it."""
    return [(parent, tag, element) for parent, tag in description.grammar for element in parent
            if element.tag not in tag.children and not is_foreign(element.tag)]


def _is_reported_as_missing(
        description: Description, parent: Element, tag: Tag, word: str) -> bool:
    """Return whether a word misspells a required name of its parent; another rule reports it."""
    meant = tag.closest(word)
    return (meant in tag.required and meant not in parent.attrib
            and parent.find_tag(meant) is None)


@rule('unknown-element', WARN)
def unknown_element(description: Description) -> Iterator[Defect]:
    """
    Check that every element is defined by URDF or by a known extension of it.

    Most readers silently ignore unknown elements, so a misspelled one has no effect, and neither
    has one that belongs into <gazebo>. Any other unknown element can be meant for a program of
    the robot, and is only noted, as is one that a single known program reads.

    Fails in a link: <friction/>
    Passes: <gazebo:friction/>
    """
    for parent, tag, element in _undefined(description):
        if (element.tag in _PARENTS or (parent.tag, element.tag) in FORMER
                or parent.tag == 'geometry' or element in missed_calls(description)
                or parent.tag == 'link' and element.tag in _CUSTOM
                or _is_reported_as_missing(description, parent, tag, element.tag)):
            continue
        reader = READERS.get((parent.tag, element.tag))
        meant = tag.closest(element.tag)
        if reader is not None:
            if element.tag not in (reader.lower(), 'loop_joint'):
                yield Defect(element, 'Only {reader} reads <{tag}> in <{parent}>', reader=reader,
                             parent=parent.tag, severity=INFO)
        elif meant and meant in tag.children and not element.tag.startswith(f'{meant}_') and (
                meant in tag.many or parent.find_tag(meant) is None):
            yield Defect(element, _UNDEFINED, parent=parent.tag,
                         hint='Did you mean <{meant}>?', meant=FreeText(meant), suggestion=meant,
                         fix=renamed(element, meant))
        elif element.tag in _OF_GAZEBO and parent.tag != 'robot':
            yield Defect(element, _UNDEFINED, parent=parent.tag,
                         hint='Move it into <gazebo>, if it is meant for Gazebo')
        else:
            yield Defect(element, _UNDEFINED, parent=parent.tag, severity=INFO)
    yield from _misspelled_in_transmissions(description)


def _misspelled_in_transmissions(description: Description) -> Iterator[Defect]:
    """Yield misspelled elements of transmissions; unknown ones may belong to other programs."""
    for part, tag in _transmission_parts(description):
        for element in part:
            meant = tag.closest(element.tag)
            if (element.tag not in tag.children and meant in tag.children
                    and not is_foreign(element.tag)
                    and not _is_reported_as_missing(description, part, tag, element.tag)):
                yield Defect(element, '<{tag}> of {part} is unknown', part=part, suggestion=meant,
                             meant=FreeText(meant))


def _transmission_parts(description: Description) -> Iterator[tuple[Element, Tag]]:
    """Yield every transmission and its joints and actuators, each with its definition."""
    for transmission in description.transmissions:
        yield transmission, definition(transmission)
        yield from ((part, definition(part)) for part in transmission
                    if part.tag in ('joint', 'actuator'))


@rule('unknown-attribute', WARN)
def unknown_attribute(description: Description) -> Iterator[Defect]:
    """
    Check that every attribute is defined by URDF or by a known extension of it.

    Most readers silently ignore unknown attributes, so a misspelled one leaves its value at the
    default. A label such as the name of a <geometry>, and an attribute that a single known
    program reads, are only noted.

    Fails in a revolute joint: <limit lower="-1" upper="1" effort="1" velocity="1" stiffness="1"/>
    Passes: <limit lower="-1" upper="1" effort="1" velocity="1" my:stiffness="1"/>
    """
    for element, tag in (*description.grammar, *_transmission_parts(description)):
        for name in element.attrib:
            if (name in tag.attributes or is_foreign(name)
                    or (element.tag, name) in FORMER_ATTRIBUTES
                    or _is_reported_as_missing(description, element, tag, name)):
                continue
            reader = READERS.get((element.tag, name))
            if reader is not None:
                yield Defect(element, "Only {reader} reads attribute '{attribute}' of <{tag}>",
                             reader=reader, attribute=name, severity=INFO)
                continue
            meant = tag.closest(name)
            likely = meant in tag.attributes and meant not in element.attrib
            yield Defect(element, "URDF does not define attribute '{attribute}' of <{tag}>",
                         attribute=name, suggestion=meant if likely else None,
                         fix=respelled(element, name, meant) if likely else (),
                         consequences=() if element.tag == 'axis' else None,
                         severity=INFO if name in _LABELS and not likely else None)


@rule('reserved-tag-misplaced', WARN)
def reserved_tag_misplaced(description: Description) -> Iterator[Defect]:
    """
    Check that every element is in a parent where URDF defines it.

    In any other parent it has no effect. A <material> in a <collision> is only noted: a collision
    is not shown.

    Fails in a link: <geometry><sphere radius="1"/></geometry>
    Passes: <collision><geometry><sphere radius="1"/></geometry></collision>
    """
    for parent, _, element in _undefined(description):
        if (element.tag in _PARENTS and (parent.tag, element.tag) not in FORMER
                and parent.tag != 'geometry'):
            homes = '<gazebo reference="...">' if element.tag == 'sensor' and element.get(
                'type') else ' or '.join(f'<{tag}>' for tag in _PARENTS[element.tag]
                                         if (tag, element.tag) != ('robot', 'origin'))
            is_harmless = (parent.tag, element.tag) == ('collision', 'material')
            yield Defect(element, '<{tag}> has no effect in <{parent}>', parent=parent.tag,
                         homes=FreeText(homes), severity=INFO if is_harmless else None)


@rule('duplicate-element', WARN, affects='xml element')
def duplicate_element(description: Description) -> Iterator[Defect]:
    """
    Check that no element is repeated where URDF allows only one.

    Most readers use the first and silently ignore the others.

    Fails in a revolute joint:
        <origin xyz="0 0 1"/>
        <origin xyz="0 0 2"/>
    Passes: <origin xyz="0 0 1"/>
    """
    for parent, tag in description.grammar:
        for element, first in repeated((each.tag, each) for each in parent if (
                each.tag in tag.children and each.tag not in tag.many)):
            is_same = first.attrib == element.attrib and not len(first) + len(element)
            yield Defect(element, '{owner} has a second <{tag}>; the first is {position}',
                         owner=parent, position=FreeText(first.position),
                         fix=(RemoveElement(element),) if is_same else ())


@rule('stray-text', INFO)
def stray_text(description: Description) -> Iterator[Defect]:
    """
    Check that there is no text between the elements of URDF.

    Nothing reads it; it is often left over from a comment or from an element.

    Fails in a visual: --><geometry><sphere radius="1"/></geometry>
    Passes: <geometry><sphere radius="1"/></geometry>
    """
    for parent, _ in description.grammar:
        for element, text, where in ((parent, parent.text, 'in'), *(
                (inner, inner.tail, 'after') for inner in parent)):
            if text and text.strip() and not is_expression(text):
                yield Defect(element, 'The text {text:40} {where} {neighbour} has no effect',
                             text=Name(text.strip()), where=where, neighbour=element)
                break


@once
def missed_calls(description: Description) -> Mapping[Element, str]:
    """Return elements that URDF does not define but a macro is named like, to its location."""
    macros = _macros(description)
    return {element: macros[element.tag] for parent, tag in description.grammar
            for element in parent
            if element.tag in macros and element.tag not in (*tag.children, 'robot')
            and (element.tag != 'include' or element.get('filename'))}


@once
def _macros(description: Description) -> Mapping[str, str]:
    """Return the name of each macro to its location, as the end of a sentence; and include."""
    sources = description.document.xacro
    found = {element.get('name', ''): element.position for element in description.robot
             if element.tag == 'xacro:macro'}
    for file in sources.files if sources is not None else ():
        found.update((tag.raw.get('name', ''), f'at {tag.location}') for tag in file.tags
                     if tag.name == 'xacro:macro')
    macros = {name.removeprefix('xacro:'): position for name, position in found.items()}
    return macros if sources is None else {**macros, 'include': ''}


@rule('macro-call-without-prefix', WARN)
def macro_call_without_prefix(description: Description) -> Iterator[Defect]:
    """
    Check that every call of a macro, and every inclusion of a file, has the prefix xacro:.

    Without it, xacro leaves the element as it is, and programs ignore it, so that what the macro
    makes is missing.

    Fails in a robot:
        <xacro:macro name="arm"><link name="arm"/></xacro:macro>
        <arm/>
    Passes:
        <xacro:macro name="arm"><link name="arm"/></xacro:macro>
        <xacro:arm/>
    """
    for element, position in missed_calls(description).items():
        yield Defect(element, 'xacro leaves <{tag}> as it is, because it has no prefix',
                     hint='Write <xacro:{tag} ...>' + (
                         position and ', which is defined {position}'),
                     position=FreeText(position))


FORMER = {(tag, name): advice for tag, names in TABLES['former elements'].items()
          for name, advice in names.items()}
"""An element of 2009 in its parent to what to write today."""

FORMER_ATTRIBUTES = {(tag, name): advice for tag, names in TABLES['former attributes'].items()
                     for name, advice in names.items()}
"""An element and its attribute of 2009 to what to write today."""


@rule('dialect-2009', WARN)
def dialect_2009(description: Description) -> Iterator[Defect]:
    """
    Check that the description does not use obsolete URDF from 2009.

    No current reader supports the elements and attributes of that time: <resource>, <com>,
    <anchor>, <joint_properties>, <map>, <parent> or <joint> inside <link>, rgb and alpha of
    <color>, size of <mesh>.

    Fails in a visual:
        <geometry><sphere radius="1"/></geometry>
        <material name="m"><color rgb="255 0 0" alpha="0.5"/></material>
    Passes with <color rgba="1 0 0 0.5"/>
    """
    for element, tag in description.grammar:
        for inner in element:
            if (element.tag, inner.tag) in FORMER and inner.tag not in tag.children:
                is_dynamics = inner.tag == 'joint_properties' and element.find('dynamics') is None
                yield Defect(inner, '<{tag}> in <{parent}> is obsolete', parent=element.tag,
                             hint=FORMER[element.tag, inner.tag],
                             fix=(RenameElement(inner, 'dynamics'),) if is_dynamics else ())
        for name in element.attrib:
            if (element.tag, name) in FORMER_ATTRIBUTES and not (
                    name == 'alpha' and 'rgb' in element.attrib):
                yield Defect(element, "Attribute '{attribute}' of <{tag}> is obsolete",
                             attribute=name, hint=FORMER_ATTRIBUTES[element.tag, name])


@rule('deprecated-tag', INFO)
def deprecated_tag(description: Description) -> Iterator[Defect]:
    """
    Check that the description contains nothing that only few programs use.

    Only the software of the PR2 uses <calibration>, <verbose>, the type of a link and the
    transmissions of pr2_mechanism_model. A <safety_controller> is to be kept: its soft limits are
    those of the joint for ros2_control, MoveIt, joint_state_publisher and Tesseract, and only
    simulators ignore it. Each is reported once.

    Fails in a revolute joint: <calibration rising="0.1"/>
    Passes: <dynamics damping="1"/>
    """
    found = grouped((_pr2_feature(element), element) for element in (
        *(element for element, _ in description.grammar),
        *(part for each in description.transmissions for part in (each, *each))))
    found.pop('', None)
    for feature, elements in found.items():
        yield first_of(elements, 'Only the software of the PR2 uses {feature}', feature=feature,
                       attribute='type' if elements[0].tag == 'link' else '')
    safety = [element for _, element in joints_with(description, 'safety_controller')]
    if safety:
        yield first_of(
            safety, 'ros2_control, MoveIt and joint_state_publisher read <safety_controller>, '
                    'simulators ignore it', hint='Keep it if you use one of these programs')


def _pr2_feature(element: Element) -> str:
    """Return what only the software of the PR2 uses, or an empty string."""
    if element.tag in TABLES['elements of the pr2']:
        return f'<{element.tag}>'
    if element.tag == 'link' and 'type' in element.attrib:
        return "attribute 'type' of <link>"
    is_of_pr2 = element.get('type', '').startswith('pr2_mechanism_model/')
    return 'a pr2_mechanism_model transmission' if is_of_pr2 else ''
