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
from difflib import get_close_matches
from itertools import islice

from urdf_tools.model.elements import ElementReader
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Material
from urdf_tools.model.robot import Visual
from urdf_tools.model.values import quote

_MOST_COMPARED = 2000
_LONGEST_COMPARED = 100
_MOST_LISTED = 10


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question for the name that was probably meant, or an empty string."""
    comparable = (other for other in names if len(other) <= _LONGEST_COMPARED)
    near = get_close_matches(
        name[:_LONGEST_COMPARED], islice(comparable, _MOST_COMPARED), 1)
    return f'Is {quote(near[0])} meant?' if near else ''


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
            f'The robot has {len(roots)} root links: {_listed(roots, ", ")}',
            'Make every link but one the child of a joint')
    return roots[0]


def _check_ends(joint, links):
    for role, name in (('parent', joint.parent), ('child', joint.child)):
        if name not in links:
            raise joint.element.find(role).error(
                f'The {role} of joint {quote(joint.name)} is {quote(name)}, '
                'and there is no such link', suggestion(name, links))
    if joint.parent == joint.child:
        raise joint.element.error(
            f'Joint {quote(joint.name)} joins link {quote(joint.child)} to itself')


def _check_acyclic(links, carriers):
    checked = set()
    for link in links:
        path = {}
        while link in carriers and link not in checked:
            if link in path:
                cycle = _from(link, path)
                raise carriers[link].element.error(
                    'Links carry each other in a circle: '
                    + _listed([link, *reversed(cycle)], ' -> '))
            path[link] = None
            link = carriers[link].parent
        checked.update(path)


def _from(name, path):
    names = list(path)
    return names[names.index(name):]


def _listed(names, separator):
    listed = separator.join(quote(name) for name in names[:_MOST_LISTED])
    more = len(names) - _MOST_LISTED
    return f'{listed} and {more} more' if more > 0 else listed


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
    for name in _circular(sound):
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


def _circular(joints):
    visited = set()
    for name in joints:
        path = {}
        while joints[name].mimic is not None and name not in visited and name not in path:
            path[name] = None
            name = joints[name].mimic.joint
        if name in path:
            yield from _from(name, path)
        visited.update(path)
