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

"""Rules about the names of links, joints, materials and shapes."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixes import RemoveElement
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('names')

_CONVENTIONAL_ROOTS = frozenset((
    'world', 'map', 'odom', 'base_footprint', 'base_link', 'base', 'torso', 'pelvis', 'trunk'))

_BAD_CHARACTERS = (
    (re.compile(r'\s'), WARN, 'white space'),
    (re.compile('/'), WARN, '"/", which separates namespaces'),
    (re.compile('::'), WARN, '"::", which separates scopes in SDF'),
    (re.compile(r'[<>"\'\\|;&$`\x00-\x1f\x7f]'), WARN, 'a character that other formats reserve'),
    (re.compile(r'\A[0-9]'), INFO, 'a digit in front, which USD does not take'))


@rule('link-no-name', ERROR, hint='Write <link name="...">', consumers={
    'urdfdom': 'takes it for a link whose name is empty', 'drake': 'refuses the description'})
def link_no_name(description: Description) -> Iterator[Defect]:
    """Check that every link has a name."""
    yield from _unnamed(description.links, 'link')


@rule('joint-no-name', ERROR, hint='Write <joint name="..." type="...">', consumers={
    'urdfdom': 'refuses the whole description'})
def joint_no_name(description: Description) -> Iterator[Defect]:
    """Check that every joint has a name."""
    yield from _unnamed(description.joints, 'joint')


def _unnamed(elements, tag):
    for element in elements:
        if not element.get('name'):
            yield Defect(element, f'A {tag} has no name',
                         misspelling_hint(element, ROBOT.children[tag], 'name'))


@rule('duplicate-link-name', ERROR, hint='Rename one of them', consumers={
    'urdfdom': 'refuses the whole description',
    'urdf_parser_py': 'forgets the first without a word'})
def duplicate_link_name(description: Description) -> Iterator[Defect]:
    """Check that no two links have the same name."""
    yield from _duplicates(description.links)


@rule('duplicate-joint-name', ERROR, hint='Rename one of them', consumers={
    'urdfdom': 'refuses the whole description',
    'urdf_parser_py': 'forgets the first without a word'})
def duplicate_joint_name(description: Description) -> Iterator[Defect]:
    """Check that no two joints have the same name."""
    yield from _duplicates(description.joints)


def _duplicates(elements):
    first = {}
    for element in elements:
        name = element.get('name')
        if name and first.setdefault(name, element) is not element:
            yield Defect(element, f'A second {element.tag} has the name {name!r}; '
                                  f'the first is in line {first[name].line}')


@rule('duplicate-material-name', ERROR, hint='Keep one of them', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'pybullet': 'warns'})
def duplicate_material_name(description: Description) -> Iterator[Defect]:
    """
    Check that each material is defined once below <robot>, and the same wherever it is.

    A visual may define its material again, with the same colour and texture. Where they differ,
    it depends on the reader which of them it gets, and that is a warning.
    """
    defined = {material.get('name'): material for material in reversed(description.materials)}
    for defect in _duplicates(description.materials):
        material = defect.element
        first = defined[material.get('name')]
        is_same = _look(description, first) == _look(description, material)
        yield defect._replace(fix=(RemoveElement(material),) if is_same else ())
    for link in description.links:
        for visual in link.findall('visual'):
            material = child(visual, 'material')
            look = _look(description, material)
            if not look or not material.get('name'):
                continue
            first = defined.setdefault(material.get('name'), material)
            if _look(description, first) != look:
                yield Defect(
                    material, f'{subject(material)} looks different in line {first.line}',
                    'Give one of them another name', WARN)


def _look(description, material):
    rgba = description.vector(child(material, 'color'), 'rgba', 4)
    texture = child(material, 'texture')
    texture = None if texture is None else texture.get('filename')
    return (rgba, texture) if rgba or texture else None


@rule('duplicate-geometry-name', WARN, hint='Rename one of them, or leave the names out',
      consumers={'drake': 'renames the second', 'mujoco': 'warns and drops the second name'})
def duplicate_geometry_name(description: Description) -> Iterator[Defect]:
    """Check that no two visuals, and no two collisions, of a link have the same name."""
    for link in description.links:
        yield from _duplicates(link.findall('visual'))
        yield from _duplicates(link.findall('collision'))


@rule('reserved-name', WARN, hint='Choose another name', consumers={
    'gazebo': 'takes "world" for the world itself and refuses names such as __model__',
    'drake': 'joins a link "world" to the world'})
def reserved_name(description: Description) -> Iterator[Defect]:
    """
    Check that no name is one that simulators keep for themselves.

    A root link called world is the convention for a robot that is fixed in place.
    """
    for element in (*description.links, *description.joints):
        name = element.get('name', '')
        if len(name) > 4 and name.startswith('__') and name.endswith('__'):
            yield Defect(element, f'The name {name!r} is of the kind that Gazebo reserves')
    world = description.link_names.get('world')
    if world is not None and description.topology.parent_joints['world']:
        yield Defect(world, "Link 'world' is carried by a joint, but simulators take this name "
                            'for the world itself')


@rule('name-bad-characters', WARN, hint='Use letters, digits, "_", "-" and "."', consumers={
    'rviz': 'cannot use a frame whose name begins with "/"',
    'gazebo': 'takes "::" apart', 'mujoco': 'takes "/" for a namespace'})
def name_bad_characters(description: Description) -> Iterator[Defect]:
    """Check that the names of links and joints survive as names of frames and elsewhere."""
    for element in (*description.links, *description.joints):
        name = element.get('name', '')
        for pattern, severity, what in _BAD_CHARACTERS:
            if pattern.search(name) and not is_expression(name):
                yield Defect(element, f'The name of {describe(element)} has {what}',
                             severity=severity)
                break


@rule('link-joint-same-name', INFO, hint='Call the joint ..._joint', consumers={
    'gazebo': 'warns that names of siblings are to be unique'})
def link_joint_same_name(description: Description) -> Iterator[Defect]:
    """Check that no joint has the name of a link."""
    for name, joint in description.joint_names.items():
        if name in description.link_names:
            yield Defect(joint, f'{subject(joint)} has the name of a link')


@rule('no-conventional-root', INFO, hint='Call it base_link', consumers={
    'moveit': 'needs the name in its planning configuration',
    'rviz': 'needs the name as its fixed frame'})
def no_conventional_root(description: Description) -> Iterator[Defect]:
    """
    Check that the root link has a name that others expect.

    REP 105 names base_link, odom and map; REP 120 base_footprint; world is usual for a robot
    that is fixed in place.
    """
    roots = description.topology.roots
    if len(roots) == 1 and not any(
            roots[0] == name or roots[0].endswith('_' + name) for name in _CONVENTIONAL_ROOTS):
        yield Defect(description.link_names[roots[0]],
                     f'The root link {roots[0]!r} has no conventional name')
