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

from collections.abc import Iterable
from collections.abc import Iterator
import re

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.fixes import RemoveElement
from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.programs.gazebo.refusals import Fault
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.loaded_robot import in_gazebo
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

_GOOD_NAME = re.compile('[A-Za-z_.-][A-Za-z0-9_.-]*')
"""Names that are looked at no further."""

_BAD_CHARACTERS = (
    (re.compile(r'\s'), WARN, 'contains white space'),
    (re.compile('^/|//'), WARN, 'begins with "/" or contains "//", which tf2 does not accept'),
    (re.compile('/'), INFO, 'contains "/", which separates namespaces'),
    (re.compile('::'), WARN, 'contains "::", which separates scopes in SDF'),
    (re.compile(r'[<>"\'\\|;&$`\x00-\x1f\x7f]'), WARN, 'contains {}, which other formats reserve'),
    (re.compile(r'\A[0-9]'), INFO, 'starts with a digit, which USD does not accept'))


@rule('link-no-name', ERROR, hint='Write <link name="...">', consumers={
    'urdfdom': 'refuses the whole description, or in old releases takes an empty name',
    'drake': 'refuses the description', 'mujoco': 'refuses the description',
    'pybullet': 'refuses the description', 'isaac': 'refuses the description',
    'urdf_parser_py': 'refuses the whole description'})
def link_no_name(description: Description) -> Iterator[Defect]:
    """Check that every link has a name."""
    yield from _unnamed(description.links, 'link')


@rule('joint-no-name', ERROR, hint='Write <joint name="..." type="...">', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'isaac': 'refuses the description'})
def joint_no_name(description: Description) -> Iterator[Defect]:
    """Check that every joint has a name."""
    yield from _unnamed(description.joints, 'joint')


def _unnamed(elements: Iterable[Element], tag: str) -> Iterator[Defect]:
    for element in elements:
        if not element.get('name'):
            yield Defect(element, f'A {tag} has no name',
                         misspelling_hint(element, ROBOT.descendant(tag), 'name'))


@rule('duplicate-link-name', ERROR, hint='Rename one of them', consumers={
    'urdfdom': 'refuses the whole description', 'pybullet': 'refuses the description',
    'drake': 'refuses the description', 'mujoco': 'refuses the description',
    'isaac': 'refuses the description', 'urdf_parser_py': 'silently drops the first'})
def duplicate_link_name(description: Description) -> Iterator[Defect]:
    """Check that no two links have the same name."""
    yield from _duplicates(description.links)


@rule('duplicate-joint-name', ERROR, hint='Rename one of them', consumers={
    'urdfdom': 'refuses the whole description', 'drake': 'refuses the description',
    'pybullet': 'crashes', 'isaac': 'refuses the description',
    'urdf_parser_py': 'silently drops the first'})
def duplicate_joint_name(description: Description) -> Iterator[Defect]:
    """Check that no two joints have the same name."""
    yield from _duplicates(description.joints)


def _duplicates(elements: Iterable[Element]) -> Iterator[Defect]:
    first: dict[str, Element] = {}
    for element in elements:
        name = element.get('name')
        if name and first.setdefault(name, element) is not element:
            yield Defect(element, f'{element.tag.capitalize()} {name!r} is already defined '
                                  f'{first[name].position}')


@rule('duplicate-material-name', ERROR, hint='Remove one of them', consumers={
    'urdfdom': 'refuses the whole description, or shows the colour of either definition',
    'drake': 'refuses the description', 'isaac': 'refuses the description',
    'pybullet': 'warns'})
def duplicate_material_name(description: Description) -> Iterator[Defect]:
    """
    Check that each material is defined once below <robot>, and the same in every visual.

    A visual may repeat the definition of its material. If colour or texture differ, Drake
    refuses the description and other readers disagree about the colour, which is a warning.
    """
    defined = {material.get('name'): material for material in reversed(description.materials)}
    for defect in _duplicates(description.materials):
        material = defect.element
        first = defined[material.get('name')]
        is_same = _appearance(description, first) == _appearance(description, material)
        yield defect._replace(fix=(RemoveElement(material),) if is_same else ())
    for link in description.links:
        for visual in link.findall('visual'):
            repeated = child(visual, 'material')
            appearance = _appearance(description, repeated)
            if repeated is None or appearance is None or not repeated.get('name'):
                continue
            first = defined.setdefault(repeated.get('name'), repeated)
            if _appearance(description, first) != appearance:
                yield Defect(
                    repeated, f'{subject(repeated)} differs from its definition '
                              f'{first.position}', 'Rename one of them', WARN,
                    consumers=('urdfdom', 'drake'))


def _appearance(
        description: Description,
        material: Element | None) -> tuple[tuple[float, ...] | None, str | None] | None:
    rgba = description.vector(child(material, 'color'), 'rgba', 4)
    texture = child(material, 'texture')
    filename = None if texture is None else texture.get('filename')
    return (rgba, filename) if rgba or filename else None


@rule('duplicate-geometry-name', WARN, hint='Rename one of them, or remove the names',
      consumers={'drake': 'renames the second', 'mujoco': 'warns and drops the second name'})
def duplicate_geometry_name(description: Description) -> Iterator[Defect]:
    """Check that no two visuals, and no two collisions, of a link have the same name."""
    for link in description.links:
        yield from _duplicates(link.findall('visual'))
        yield from _duplicates(link.findall('collision'))


@rule('reserved-name', WARN, hint='Choose another name', consumers={
    'gazebo': 'treats "world" as the world itself and refuses names such as __model__',
    'drake': 'attaches a link "world" to the world and drops its inertia',
    'mujoco': 'refuses a joint that moves a link "world"'})
def reserved_name(description: Description) -> Iterator[Defect]:
    """
    Check that no link or joint has a name that simulators reserve.

    A root link named world is the convention for a robot that is fixed in place.
    """
    for element in (*description.links, *description.joints):
        name = element.get('name', '')
        if len(name) > 4 and name.startswith('__') and name.endswith('__'):
            yield Defect(element, f'The name of {describe(element)} begins and ends with "__", '
                                  f'which Gazebo reserves')
    world = description.link_names.get('world')
    if world is not None and description.topology.parent_joints['world']:
        yield Defect(world, "Link 'world' is the child of a joint, but simulators treat this name "
                            'as the world itself')


@rule('name-bad-characters', WARN, hint='Use letters, digits, "_", "-" and "."', consumers={
    'rviz': 'cannot use a frame whose name begins with "/"',
    'gazebo': 'refuses a name with "::"',
    'mujoco': 'treats "/" as a namespace where models are attached'})
def name_bad_characters(description: Description) -> Iterator[Defect]:
    """
    Check that the names of links and joints are valid frame names and work in other formats.

    A "/" inside a name, as in left/wheel, is only noted, as is a digit at the start.
    """
    for element in (*description.links, *description.joints):
        name = element.get('name', '')
        if _GOOD_NAME.fullmatch(name):
            continue
        for pattern, severity, what in _BAD_CHARACTERS:
            match = pattern.search(name)
            if match and not is_expression(name):
                fault = what.format(quote(match.group()))
                yield Defect(element, f'The name of {describe(element)} {fault}',
                             severity=severity)
                break


@rule('link-joint-same-name', ERROR, hint='Rename the joint to ..._joint', consumers={
    'gazebo': 'refuses the model, because sibling names must be unique'})
def link_joint_same_name(description: Description) -> Iterator[Defect]:
    """
    Check that no joint has the name of a link.

    This includes fixed joints, as a frame has the name of each that is lumped; sdformat before
    12.7 has no such frames. It is only noted where the link or the joint does not reach Gazebo: it
    drops planar and floating joints, and links without mass. All other programs keep the names
    apart.
    """
    clashing = [joint for name, joint in description.joint_names.items()
                if name in description.link_names]
    conversion = in_gazebo(description) if clashing else None
    seen = set(clashing) if conversion is None else {
        error.element for error in conversion.load_errors if error.fault is Fault.NAME}
    for joint in clashing:
        yield Defect(joint, f'{subject(joint)} has the same name as a link',
                     f'Rename the joint, for example to {joint.get("name", "") + "_joint"!r}',
                     None if joint in seen else INFO)


@rule('no-conventional-root', INFO, hint='Name it base_link', consumers={
    'moveit': 'needs the name in its planning configuration',
    'rviz': 'needs the name as its fixed frame'})
def no_conventional_root(description: Description) -> Iterator[Defect]:
    """
    Check that the root link has a conventional name.

    REP 105 defines base_link, odom and map, REP 120 base_footprint; world is usual for a robot
    that is fixed in place.
    """
    roots = description.topology.roots
    if len(roots) == 1 and not any(
            roots[0] == name or roots[0].endswith('_' + name) for name in _CONVENTIONAL_ROOTS):
        yield Defect(description.link_names[roots[0]],
                     f'The name of the root link, {roots[0]!r}, is not conventional')
