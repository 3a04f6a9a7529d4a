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

"""Parts of real robots and of the cases of rules, spliced and changed at random."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from xml.etree import ElementTree

from support.corpus import CORPUS
from support.rule_cases import CASES

from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import SHAPES
from urdf_tools.check.schema import Tag
from urdf_tools.check.schema import TEXT
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import read_document

Element = ElementTree.Element

_MAX_BYTES = 60_000
_MAX_GRAFT = 40
"""Most elements of a subtree that is inserted."""

_NUMBERS = (
    '0', '-0', '1', '-1', '1e-320', '-1e-320', '2.3e-308', '1e-200', '1e15', '1e154', '-1e155',
    '1e200', '1.7976931348623157e308', '-1e308', '1e309', '9' * 400, '0.' + '0' * 400 + '1', 'nan',
    '-inf', '1e', '.', '+.5', '1.', '1e+2', '0x1p3', '1_0', '1,5', '', ' 1 ', '\u0661', '3.15')

_PREFIXES = ('x', 'drake', 'xacro', 'a.b', 'gazebo', 'sensor', 'xmlns', 'xml')

_TEXTS = ('', ' ', 'x', '/', 'world', '${x}', '$(arg a)', 'a' * 300, '\u202e', 'é', '__a__', '1.1')


@cache
def _sources() -> tuple[tuple[Element, ...], ...]:
    """Return the robots of the corpus, its bad files, and the cases; what there is of them."""
    folders = [[path.read_bytes() for path in sorted(CORPUS.glob(pattern))
                if path.stat().st_size < _MAX_BYTES]
               for pattern in ('robots/**/*.urdf', 'bad/**/*.urdf')]
    cases = [case.template.format(text) for case in CASES for text in (case.bad, case.good)]
    return tuple(filter(None, (tuple(_trees(texts)) for texts in (*folders, cases))))


def _trees(texts: Iterable[str | bytes]) -> Iterator[Element]:
    for text in texts:
        try:
            yield _plain(read_document(text).root)
        except DescriptionError:
            continue  # Splicing needs a tree; the kind of random bytes has what is none.


def _robot(random: Random) -> Element:
    sources = _sources()
    return random.choice(random.choices(sources, (4, 1, 1)[-len(sources):])[0])


def _plain(element: Element) -> Element:
    """Return a copy that can be changed."""
    copy = Element(element.tag, element.attrib)
    copy.text = element.text
    copy.extend(map(_plain, element))
    return copy


def _part(robot: Element, random: Random) -> Element:
    """Return a copy of a part of a robot: some links around one, and what is between them."""
    maximum = random.choice((1, 2, 3, 5, 9))
    near: dict[str, list[str]] = {link.get('name', ''): [] for link in robot.findall('link')}
    ends = [(joint, _end(joint, 'parent'), _end(joint, 'child'))
            for joint in robot.findall('joint')]
    for _, parent, child in ends:
        near.setdefault(parent, []).append(child)
        near.setdefault(child, []).append(parent)
    kept = [random.choice(sorted(near))] if near else []
    for name in kept:
        kept += [other for other in near[name] if other not in kept][:maximum - len(kept)]
    between = {id(joint) for joint, *both in ends if set(both) <= set(kept)}
    copy = Element(robot.tag, robot.attrib)
    for child in robot:
        if (child.get('name') in kept if child.tag == 'link' else
                id(child) in between if child.tag == 'joint' else random.random() < 0.1):
            copy.append(deepcopy(child))
    return copy


def _end(joint: Element, tag: str) -> str:
    found = joint.find(tag)
    return '' if found is None else found.get('link', '')


def spliced_robot(random: Random) -> bytes:
    """Return the text of a part of a robot after some changes."""
    robot = _part(_robot(random), random)
    for _ in range(random.choice((0, 1, 1, 2, 3, 6))):
        random.choice(_CHANGES)(robot, random)
    text: str = ElementTree.tostring(robot, encoding='unicode')
    if random.random() < 0.5:
        declared = {part for element in robot.iter() for name in (element.tag, *element.attrib)
                    for part in [name.partition(':')[0]] if ':' in name} - {'xml', 'xmlns'}
        robot.attrib.update((f'xmlns:{prefix}', 'u') for prefix in sorted(declared))
        text = ElementTree.tostring(robot, encoding='unicode')
    return text.encode('utf-8', 'surrogatepass')


def _any(robot: Element, random: Random) -> Element:
    """Return any element, seldom the outermost one."""
    return random.choice(list(robot.iter())[random.random() > 0.02 and len(robot) > 0:])


def _parent_and_child(robot: Element, random: Random) -> tuple[Element, int] | None:
    """Return an element with the index of one of its children."""
    found = [(parent, index) for parent in robot.iter() for index in range(len(parent))]
    return random.choice(found) if found else None


def _attribute(
        robot: Element, random: Random, numeric: bool = False) -> tuple[Element, str] | None:
    """Return an element with the name of one of its attributes."""
    elements = list(robot.iter())[random.random() > 0.05:]
    found = [(element, name) for element in elements for name, value in element.attrib.items()
             if not numeric or value.strip()[:1] in set('-+.0123456789')]
    return random.choice(found) if found else None


def _splice(robot: Element, random: Random) -> None:
    """Insert a subtree of any robot, mostly into an element such as it comes from."""
    donor = _robot(random)
    found = _parent_and_child(donor, random)
    if found is None or sum(1 for _ in found[0][found[1]].iter()) > _MAX_GRAFT:
        return
    graft = deepcopy(found[0][found[1]])
    alike = [element for element in robot.iter() if element.tag == found[0].tag]
    home = random.choice(alike) if alike and random.random() < 0.7 else _any(robot, random)
    index = random.randrange(len(home) + 1)
    if index < len(home) and random.random() < 0.5:
        home[index] = graft
    else:
        home.insert(index, graft)


def _prefix_tag(robot: Element, random: Random) -> None:
    element = _any(robot, random)
    element.tag = f'{random.choice(_PREFIXES)}:{element.tag}'


def _prefix_attribute(robot: Element, random: Random) -> None:
    if (found := _attribute(robot, random)) is not None:
        element, name = found
        element.set(f'{random.choice(_PREFIXES)}:{name}', element.attrib.pop(name))


def _declare(robot: Element, random: Random) -> None:
    _any(robot, random).set('xmlns', 'u')


def _change_number(robot: Element, random: Random) -> None:
    if (found := _attribute(robot, random, numeric=True)) is not None:
        element, name = found
        words = element.attrib[name].split()
        words[random.randrange(len(words))] = random.choice(_NUMBERS)
        element.set(name, ' '.join(words))


def _change_value(robot: Element, random: Random) -> None:
    found, other = _attribute(robot, random), _attribute(robot, random)
    if found is not None and other is not None:
        value = random.choice((other[0].attrib[other[1]], random.choice(_TEXTS)))
        found[0].set(found[1], value)


def _rename_tag(robot: Element, random: Random) -> None:
    _any(robot, random).tag = random.choice((
        _any(robot, random).tag, _any(_robot(random), random).tag))


def _rename_attribute(robot: Element, random: Random) -> None:
    found = _attribute(robot, random)
    other = _attribute(_robot(random), random)
    if found is not None and other is not None:
        found[0].set(other[1], found[0].attrib.pop(found[1]))


def _drop(robot: Element, random: Random) -> None:
    """Remove an element, or only its tags."""
    if (found := _parent_and_child(robot, random)) is not None:
        parent, index = found
        parent[index:index + 1] = random.choice(([], list(parent[index])))


def _drop_attribute(robot: Element, random: Random) -> None:
    if (found := _attribute(robot, random)) is not None:
        del found[0].attrib[found[1]]


def _double(robot: Element, random: Random) -> None:
    """Repeat an element after itself, or in another one."""
    if (found := _parent_and_child(robot, random)) is not None:
        copy = deepcopy(found[0][found[1]])
        home = random.choice((found[0], _any(robot, random)))
        home.insert(random.choice((found[1] + 1, 0, len(home))), copy)


def _swap(robot: Element, random: Random) -> None:
    """Exchange two elements that do not have one another inside."""
    one, other = _parent_and_child(robot, random), _parent_and_child(robot, random)
    if one is not None and other is not None:
        first, second = one[0][one[1]], other[0][other[1]]
        if second not in list(first.iter()) and first not in list(second.iter()):
            one[0][one[1]], other[0][other[1]] = second, first


def _write_text(robot: Element, random: Random) -> None:
    _any(robot, random).text = random.choice((*_TEXTS, *_NUMBERS))


def complete_robot() -> Element:
    """Return a valid robot with each element and attribute of the grammar but quat_xyzw."""
    robot = Element('robot', name='r', version='1.2')
    for number, (shape, kind) in enumerate(zip(SHAPES, (
            'fixed', 'revolute', 'continuous', 'prismatic', 'floating'))):
        link = _complete('link', ROBOT.children['link'], name=f'link{number}', shape=shape)
        joint = _complete('joint', ROBOT.children['joint'], name=f'j{number}', type=kind)
        ends = joint.find('parent'), joint.find('child')
        for end, index in zip(ends, (max(number - 1, 0), number)):
            assert end is not None, 'the grammar has both'
            end.set('link', f'link{index}')
        mimic = joint.find('mimic')
        if mimic is not None and kind == 'prismatic':
            mimic.set('joint', 'j1')
        elif mimic is not None:
            joint.remove(mimic)
        robot.extend([link, joint] if number else [link])
    robot.append(_complete('material', ROBOT.children['material'], name='red'))
    robot.append(ElementTree.fromstring('<gazebo reference="link1"/>'))
    return robot


def _complete(kind: str, tag: Tag, shape: str = 'box', **given: str) -> Element:
    element = Element(kind)
    for attribute, numbers in tag.attributes.items():
        if attribute not in ('quat_xyzw', *(['type'] if kind == 'link' else [])):
            off_diagonal = attribute in ('ixy', 'ixz', 'iyz')
            element.set(attribute, given.get(attribute, 'red') if numbers == TEXT else ' '.join(
                [_START.get(attribute, '0' if off_diagonal else '1')] * numbers))
    for child, inner in tag.children.items():
        if inner is not None and (kind != 'geometry' or child == shape):
            element.append(_complete(child, inner, shape))
    return element


_START = {'lower': '-1', 'soft_lower_limit': '-1', 'scale': '0.5'}

_CHANGES = (
    _splice, _splice, _splice, _prefix_tag, _prefix_attribute, _declare, _change_number,
    _change_number, _change_number, _change_value, _rename_tag, _rename_attribute, _drop,
    _drop_attribute, _double, _swap, _write_text)
