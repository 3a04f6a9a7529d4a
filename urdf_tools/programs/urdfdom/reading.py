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

"""
What urdfdom refuses in a description, where it stops reading a link, and how it connects links.

Read in ``urdf_parser/src/model.cpp``, ``joint.cpp``, ``link.cpp`` and ``pose.cpp`` of release 4.0;
the checks of URDF 1.1 and 1.2 are those of release 6.0, asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from itertools import chain
from itertools import islice
import re

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.records import INERTIA
from urdf_tools.model.robot import JointType
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import BOUNDED
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import summed
from urdf_tools.programs.robot_parts import cached_for_latest
from urdf_tools.programs.tables import TABLES


class Tree(Reader):
    """
    The links and joints of a description.

    :ivar root: the link without a parent; None if there is none, or several.
    :ivar joints: each child to its parent joint and link in the end, by the last of its joints.
    :ivar order: the root and the links below it, to when each is first met.
    :ivar several_parents: the joints of each link that is the child of several.
    """

    def __init__(self, element: Element):
        super().__init__()
        self.check_robot(element)
        links = {link.get('name', ''): link for link in element.findall_tag('link')}
        # urdfdom keeps joints in a map.
        self._joints = [(joint, *self.ends(joint, links)) for joint in sorted(
            element.findall_tag('joint') if links else (), key=lambda joint: (
                joint.get('name', '').encode(errors='replace')))]
        self.joints = {child: (joint, parent) for joint, parent, child in self._joints}
        self.order: dict[str, int] = {}
        self.root: str | None = None
        self.several_parents: list[list[Element]] = []
        if not self.refusals:
            self.several_parents = [joints for joints in grouped(
                (child, joint) for joint, _, child in self._joints).values() if len(joints) > 1]
            self.root = self.only_root(
                links, {child: joint for child, (joint, _) in self.joints.items()})
        if self.root is not None:
            self._walk(element, self.root)
            apart = [joint for joint, _, child in self._joints if child not in self.order]
            self.losses += summed('structure', Impact.DROPS, apart, 'Drops {links:link} that no '
                                  'joint connects to the root', hint='Connect them with a joint',
                                  links=len(links) - len(self.order))
            for joints in self.several_parents:
                self.losses.note('structure', Impact.CHANGES,
                                 [joint.find_tag('child') for joint in reversed(joints)], 'Takes '
                                 '{joint} for the parent joint of a link that is the child of '
                                 '{n:joint}')

    def _walk(self, robot: Element, root: str) -> None:
        """Find the order of the links below the root, and refuse a cycle."""
        below = grouped((parent, (joint, child)) for joint, parent, child in self._joints)
        self.order[root] = 0
        path = {root: robot}
        waiting = [(root, iter(below.get(root, ())))]
        while waiting:
            name, children = waiting[-1]
            for joint, child in children:
                if child in path and not self.refusals:
                    at = list(path).index(child) + 1
                    self.refuse((joint, *list(path.values())[at:]),
                                'Recurses endlessly, as joints below the root form a cycle',
                                impact=Impact.CRASHES)
                if child not in self.order:
                    self.order[child] = len(self.order)
                    path[child] = joint
                    waiting.append((child, iter(below.get(child, ()))))
                    break
            else:
                del path[name]
                waiting.pop()


Stops = dict[Element, tuple[Element, Loss]]
"""The links that a program does not read to the end, each with the part at fault, and why."""

_INTEGER = re.compile(r'[ \t]*\+?[0-9]{1,99}|[ \t]*-0{1,99}')

UNMOVED = ('fixed', 'floating')
_TYPES = frozenset(each.value for each in JointType)

_UNSIGNED = ('effort', 'velocity', 'acceleration', 'deceleration', 'jerk')

_PARTS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = TABLES['numbers of urdfdom']
"""Parts of a joint: their required and their optional numbers."""

_SHAPES: Mapping[str, Mapping[str, int]] = TABLES['shapes of urdfdom']
"""Shapes that are not meshes, and how many numbers each of their attributes is."""


def refusals(root: Element, newest: int = 0) -> Iterator[Loss]:
    """
    Yield why urdfdom refuses a description.

    :param newest: the minor number of the newest version of URDF that the release reads.
    """
    if root.tag != 'robot':
        yield refusal(root, 'The outermost element is {element}', of='element',
                      brief='no <robot>', hint='Write <robot name="...">')
        return
    if 'name' not in root.attrib:
        yield refusal(root, 'The robot has no name', of='name', hint='Write <robot name="...">')
    minor = declared_minor(root)
    if minor is None or minor > newest:
        yield refusal(root, 'The description is URDF {version}, and URDF 1.0{range} is read',
                      attribute='version', version=Name(root.get('version', '')),
                      range=f' to 1.{newest}' if newest else '')
    yield from _refusals_inside(root, min(minor or 0, newest))


@cached_for_latest
def _refusals_inside(root: Element, minor: int) -> tuple[Loss, ...]:
    """Return why urdfdom refuses what a robot contains, read as a version of URDF."""
    names = Reader()
    for tag in ('material', 'link', 'joint'):
        names.refuse_repeated(root.findall_tag(tag))
    joints = (_joint_refusals(joint, minor) for joint in root.findall_tag('joint'))
    return tuple(chain(names.refusals, *joints, Tree(root).refusals))


def declared_minor(root: Element) -> int | None:
    """Return the minor number of the version of URDF; None if it is not 1.x."""
    major, *minor = root.get('version', '1.0').removesuffix('.').split('.')
    is_read = len(minor) == 1 and all(map(_INTEGER.fullmatch, (major, minor[0])))
    return int(minor[0]) if is_read and int(major) == 1 else None


def _joint_refusals(joint: Element, minor: int) -> Iterator[Loss]:
    kind = joint.get('type')
    if 'name' not in joint.attrib:
        yield refusal(joint, 'A joint has no name')
    if kind not in _TYPES:
        yield refusal(joint, 'The type of {joint} is {text}' if kind else '{joint} has no type',
                      of='type', attribute='type', hint='Write one of the types of URDF')
        kind = 'fixed'
    yield from _origin_errors(joint, minor)
    axis = joint.find_tag('axis')
    if axis is not None and kind not in UNMOVED:
        yield from _errors(axis, optional={'xyz': 3})
    if kind in BOUNDED and joint.find_tag('limit') is None:
        yield refusal(joint, '{joint} is {type} and has no <limit>', type=kind)
    for tag, (required, optional) in _PARTS.items():
        part = joint.find_tag(tag)
        if part is None:
            continue
        if tag == 'limit' and minor >= 2:
            required, optional = optional if kind in BOUNDED else (), (*optional, *_UNSIGNED)
        errors = list(_errors(part, dict.fromkeys(required, 1), dict.fromkeys(optional, 1)))
        yield from errors
        if tag == 'mimic' and 'joint' not in part.attrib:
            yield refusal(part, '{element} names no joint')
        if tag == 'dynamics' and not part.attrib.keys() & {'damping', 'friction'}:
            yield refusal(part, '{element} has neither damping nor friction', of='dynamics',
                          hint='Remove it, or write damping')
        if tag == 'limit' and minor >= 2 and not errors:
            yield from _limit_refusals(part)


def _limit_refusals(limit: Element) -> Iterator[Loss]:
    """Yield what URDF 1.2 forbids."""
    for name in _UNSIGNED:
        if parse_number(limit.get(name, '0')) < 0:
            yield refusal(limit, '{attribute} of {element} is negative', of='limit',
                          attribute=name)
    if limit.attrib.keys() >= {'lower', 'upper'} and (
            parse_number(limit.attrib['upper']) < parse_number(limit.attrib['lower'])):
        yield refusal(limit, 'upper of {element} is less than lower', attribute='upper')


def _origin_errors(owner: Element, minor: int) -> Iterator[Loss]:
    """Yield the parts of the ``<origin>`` of an element that cannot be read."""
    origin = owner.find_tag('origin')
    if origin is None:
        return
    yield from _errors(origin, optional={
        'xyz': 3, 'rpy': 3, **({'quat_xyzw': 4} if minor else {})})
    if minor and {'rpy', 'quat_xyzw'} <= origin.attrib.keys():
        yield refusal(origin, '{element} has rpy and quat_xyzw', attribute='quat_xyzw')


def _errors(element: Element, required: Mapping[str, int] = {},
            optional: Mapping[str, int] = {}) -> Iterator[Loss]:
    """Yield which of some attributes, with this many numbers each, are missing or unreadable."""
    for name, n in (*required.items(), *optional.items()):
        text = element.get(name)
        if text is None:
            if name in required:
                yield refusal(element, '{element} has no {attribute}', attribute=name,
                              hint='Write {attribute}="..."',
                              of='limit' if element.tag == 'limit' else 'attribute')
            continue
        try:
            numbers(text, n)
        except ValueError as reason:
            yield refusal(
                element, '{attribute} of {element} cannot be read: {reason}', of='attribute',
                attribute=name, reason=FreeText(str(reason)),
                hint='Write {n:number} with a single space between them' if n > 1 else
                'Write a number', n=n)


def numbers(text: str, n: int) -> tuple[float, ...]:
    """
    Return the numbers of an attribute.

    :raises ValueError: it is not ``n`` numbers, or has white space that urdfdom does not accept.
    """
    values = parse_vector(text, n) if n > 1 else (parse_number(text),)
    for word in text.split(' ') if n > 1 else (text,):
        if word and (len(word.split()) != 1 or word[-1].isspace()):
            raise ValueError('it has white space that urdfdom does not accept')
    return values


@cached_for_latest
def stops(root: Element, minor: int) -> Stops:
    """
    Return where urdfdom stops reading links.

    :param minor: the minor number of the version of URDF.
    """
    return {link: stop for link in root.findall_tag('link') for stop in islice(
        _stops_in(link, minor), 1)}


def _stops_in(link: Element, minor: int) -> Iterator[tuple[Element, Loss]]:
    if 'name' not in link.attrib:
        yield link, refusal(link, 'it has no name')
    inertial = link.find_tag('inertial')
    if inertial is not None:
        yield from ((inertial, error) for error in _inertial_errors(inertial, minor))
    for tag in ('visual', 'collision'):
        for part in link.findall_tag(tag):
            for error in chain(_origin_errors(part, minor), _shape_errors(part, minor)):
                yield part, error
            material = part.find_tag('material')
            if tag == 'visual' and material is not None and 'name' not in material.attrib:
                yield part, refusal(material, '{element} has no name', hint='Write name="..."')


def _inertial_errors(inertial: Element, minor: int) -> Iterator[Loss]:
    yield from _origin_errors(inertial, minor)
    for tag, names in (('mass', ('value',)), ('inertia', INERTIA)):
        part = inertial.find_tag(tag)
        if part is None:
            yield refusal(inertial, '{element} has no <{tag}>', tag=tag)
        else:
            yield from _errors(part, dict.fromkeys(names, 1))


def _shape_errors(part: Element, minor: int) -> Iterator[Loss]:
    geometry = part.find_tag('geometry')
    shape = None if geometry is None or not len(geometry) else geometry[0]
    if shape is None:
        yield refusal(part if geometry is None else geometry, '{element} has no {what}',
                      element=part, what='<geometry>' if geometry is None else 'shape')
    elif shape.tag == 'mesh':
        yield from _errors(shape, optional={'scale': 3})
        if 'filename' not in shape.attrib:
            yield refusal(shape, '{element} has no filename')
    elif shape.tag not in _SHAPES or shape.tag == 'capsule' and not minor:
        yield refusal(shape, 'it knows no {element}')
    else:
        sizes = _SHAPES[shape.tag]
        errors = list(_errors(shape, sizes))
        yield from errors
        if minor >= 2 and not errors and any(
                min(numbers(shape.attrib[name], n)) <= 0 for name, n in sizes.items()):
            yield refusal(shape, 'a size of {element} is not positive')
