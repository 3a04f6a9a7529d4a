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

"""Faults in generated descriptions: of structure, of elements, of attributes and values."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from xml.etree.ElementTree import Element
from xml.etree.ElementTree import SubElement

_VALUES = (
    '', ' ', '0', '1', '-1', '1 2', '1 2 3', '0 0 0', '1 2 3 4', 'nan', 'inf', '-inf', '1,5',
    'abc', '1e999', '1e-320', '0x10', '1.5m', '${x}', '$(find robot)', '1 2 x', '1;2;3', '1, 2, 3',
    'true', 'l0', 'l1', 'j1', 'world', 'fixed', 'absent', '1e308', '--1', '1e', '.', '+.5',
    '1_000', '١')

_TAGS = ('link', 'joint', 'inertial', 'visual', 'collision', 'origin', 'mass', 'inertia',
         'geometry', 'box', 'sphere', 'mesh', 'material', 'color', 'axis', 'limit', 'parent',
         'child', 'mimic', 'dynamics', 'Link', 'x', 'safety_controller', 'capsule', 'texture')


def add_fault(random: Random, robot: Element) -> None:
    """Change something in a description that makes it invalid, or at least unusual."""
    weights, faults = zip(*_FAULTS)
    random.choices(faults, weights)[0](random, robot)


def _parents(robot: Element) -> list[tuple[Element, Element]]:
    return [(parent, child) for parent in robot.iter() for child in parent]


def _pick(random: Random, robot: Element) -> tuple[Element, Element]:
    """Return a parent and its child, each tag being as likely as each other."""
    pairs = _parents(robot)
    tag = random.choice(sorted({child.tag for _, child in pairs}))
    return random.choice([pair for pair in pairs if pair[1].tag == tag])


def _attribute(random: Random, robot: Element) -> tuple[Element, str] | None:
    places = [(each, name) for each in robot.iter() for name in each.attrib]
    kinds = sorted({(each.tag, name) for each, name in places})
    if not kinds:
        return None
    kind = random.choice(kinds)
    return random.choice([each for each in places if (each[0].tag, each[1]) == kind])


def _drop_element(random: Random, robot: Element) -> None:
    parent, child = _pick(random, robot)
    parent.remove(child)
    if not len(robot):
        SubElement(robot, 'link', {'name': 'l0'})


def _drop_attribute(random: Random, robot: Element) -> None:
    found = _attribute(random, robot)
    if found:
        del found[0].attrib[found[1]]


def _change_value(random: Random, robot: Element) -> None:
    found = _attribute(random, robot)
    if found:
        element, name = found
        words = element.get(name, '').split()
        if len(words) > 1 and random.random() < 0.5:
            words[random.randrange(len(words))] = random.choice(_VALUES)
            element.set(name, ' '.join(words))
        else:
            element.set(name, random.choice(_VALUES))


def _repeat_element(random: Random, robot: Element) -> None:
    parent, child = _pick(random, robot)
    twin = deepcopy(child)
    if random.random() < 0.5:
        _change_value(random, twin)
    parent.insert(random.randrange(len(parent) + 1), twin)


def _move_element(random: Random, robot: Element) -> None:
    _, child = _pick(random, robot)
    _, other = _pick(random, robot)
    other.append(deepcopy(child))


def _rename_element(random: Random, robot: Element) -> None:
    _, child = _pick(random, robot)
    child.tag = random.choice(_TAGS)


def _rename_attribute(random: Random, robot: Element) -> None:
    found = _attribute(random, robot)
    if found:
        element, name = found
        element.set(random.choice((name.upper(), name + 's', 'value', 'name', 'xyz', f'a:{name}')),
                    element.attrib.pop(name))


def _copy_name(random: Random, robot: Element) -> None:
    tag = random.choice(('link', 'joint', 'material'))
    found = [each for each in robot if each.tag == tag and each.get('name')]
    if len(found) > 1:
        one, other = random.sample(found, 2)
        one.set('name', other.get('name', ''))


def _relink(random: Random, robot: Element) -> None:
    """Make cycles, second parents, joints to itself and to links that do not exist."""
    ends = [end for joint in robot.findall('joint') for end in joint
            if end.tag in ('parent', 'child')]
    names = [each.get('name', '') for each in robot.findall('link')]
    if ends:
        random.choice(ends).set('link', random.choice([*names, 'absent']))


def _second_joint(random: Random, robot: Element) -> None:
    names = [each.get('name', '') for each in robot.findall('link')] or ['l0']
    joint = SubElement(robot, 'joint', {'name': 'second', 'type': random.choice((
        'fixed', 'continuous'))})
    SubElement(joint, 'parent', {'link': random.choice(names)})
    SubElement(joint, 'child', {'link': random.choice(names)})


def _second_root(random: Random, robot: Element) -> None:
    SubElement(robot, 'link', {'name': random.choice(('alone', 'world'))})


def _text(random: Random, robot: Element) -> None:
    _, child = _pick(random, robot)
    child.text = random.choice(('text', '1', ' ', '\n', 'a<b'))


def _change_root(random: Random, robot: Element) -> None:
    robot.tag = random.choice(('Robot', 'model', 'sdf', 'urdf', 'robots', 'ROBOT'))


_FAULTS: tuple[tuple[int, Callable[[Random, Element], None]], ...] = (
    (14, _drop_element), (12, _drop_attribute), (26, _change_value), (9, _repeat_element),
    (6, _move_element), (6, _rename_element), (5, _rename_attribute), (4, _copy_name),
    (7, _relink), (3, _second_joint), (3, _second_root), (2, _text), (1, _change_root))
