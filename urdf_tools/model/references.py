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

"""What elements say of each other by name: the tree of links, materials and mimic joints."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import replace

from urdf_tools.model.cycles import find_cycles
from urdf_tools.model.elements import ElementReader
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Material
from urdf_tools.model.robot import Visual
from urdf_tools.model.spelling import did_you_mean


def find_root(
        links: Mapping[str, Link], joints: Mapping[str, Joint], reader: ElementReader) -> str:
    """
    Return the name of the link that carries all others.

    A link with several parents stays with the last of them, which is noted.

    :raises DescriptionError: a joint names no link, or the links are no tree.
    """
    carriers = {}
    for joint in joints.values():
        _check_ends(joint, links)
        if joint.child in carriers:
            reader.note(joint.element, (
                f'Link {quote(joint.child)} is the child of two joints, '
                f'{quote(carriers[joint.child].name)} and {quote(joint.name)}; '
                'the latter carries it'))
        carriers[joint.child] = joint
    _check_acyclic(links, carriers)
    roots = [name for name in links if name not in carriers]
    if len(roots) > 1:
        raise links[roots[1]].element.error(
            f'The robot has {len(roots)} root links: {_quoted(roots)}',
            'Make every link but one the child of a joint')
    return roots[0]


def _check_ends(joint, links):
    for role, name in (('parent', joint.parent), ('child', joint.child)):
        if name not in links:
            raise joint.element.find(role).error(
                f'The {role} of joint {quote(joint.name)} is {quote(name)}, '
                'and there is no such link', did_you_mean(name, links))
    if joint.parent == joint.child:
        raise joint.element.error(
            f'Joint {quote(joint.name)} joins link {quote(joint.child)} to itself')


def _check_acyclic(links, carriers):
    parents = {link: carriers[link].parent for link in links if link in carriers}
    for first, *others in find_cycles(parents):
        raise carriers[first].element.error(
            'Links carry each other in a circle: '
            + _quoted([first, *reversed(others), first], ' -> '))


def _quoted(names, separator=', '):
    return name_list([quote(name) for name in names], separator)


def name_materials(
        defined: Iterable[Material], links: Iterable[Link], reader: ElementReader,
) -> dict[str, Material]:
    """
    Return every material with a name, once.

    As in urdfdom, those of the robot come before what the visuals define, and the first of
    several wins.
    """
    materials = {}
    for material in defined:
        if material.name in materials:
            reader.note(
                material.element, f'Material {quote(material.name)} is defined before; '
                                  'this definition is left out')
        materials.setdefault(material.name, material)
    for material in (visual.material for link in links for visual in link.visuals):
        if material is not None and material.name and _has_content(material):
            materials.setdefault(material.name, material)
    return materials


def apply_materials(
        link: Link, materials: Mapping[str, Material], reader: ElementReader) -> Link:
    """Return a link whose visuals have the materials that they name."""
    visuals = tuple(_apply_material(visual, materials, reader) for visual in link.visuals)
    return link if visuals == link.visuals else replace(link, visuals=visuals)


def _apply_material(visual: Visual, materials, reader):
    material = visual.material
    if material is None or not material.name:
        return visual
    if material.name not in materials:
        reader.note(material.element, f'Material {quote(material.name)} is not defined')
        return visual
    return replace(visual, material=materials[material.name])


def _has_content(material):
    return material.rgba is not None or material.texture is not None


def drop_impossible_mimics(
        joints: Mapping[str, Joint], reader: ElementReader) -> dict[str, Joint]:
    """Return the joints with only such mimics as determine a position."""
    sound = dict(joints)
    for joint in joints.values():
        if joint.mimic is not None:
            obstacle = _obstacle(joint, joints)
            if obstacle:
                _drop_mimic(sound, joint, obstacle, reader)
    leaders = {name: joint.mimic.joint for name, joint in sound.items() if joint.mimic}
    for cycle in find_cycles(leaders):
        for name in cycle:
            _drop_mimic(sound, sound[name], 'would follow itself in the end', reader)
    return sound


def _drop_mimic(joints, joint, obstacle, reader):
    reader.note(
        joint.element.find('mimic'),
        f'Joint {quote(joint.name)} mimics no other, as it {obstacle}')
    joints[joint.name] = replace(joint, mimic=None)


def _obstacle(joint, joints):
    leader = joint.mimic.joint
    if joint.type.dof != 1:
        return f'is {joint.type.value} and has no single position'
    if leader not in joints:
        return f'names {quote(leader)}, and there is no such joint'
    if joints[leader].type.dof != 1:
        return f'names {quote(leader)}, a {joints[leader].type.value} joint'
    return ''
