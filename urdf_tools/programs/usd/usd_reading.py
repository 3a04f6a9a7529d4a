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
What urdf-usd-converter reads of a description (``_impl/urdf_parser/parser.py``).

Of equal elements it takes the last. Elements that it does not know, or not where they are, become
custom attributes with all that is in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from urdf_tools.findings.message import Name
from urdf_tools.model.element import Element
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader

_KNOWN: Mapping[str, tuple[str, ...]] = {
    'robot': ('link', 'joint', 'material'), 'link': ('inertial', 'visual', 'collision'),
    'inertial': ('origin', 'mass', 'inertia'), 'visual': ('origin', 'geometry', 'material'),
    'collision': ('origin', 'geometry', 'verbose'), 'material': ('color', 'texture'),
    'geometry': ('box', 'sphere', 'cylinder', 'mesh'), 'joint': (
        'origin', 'parent', 'child', 'axis', 'calibration', 'dynamics', 'limit',
        'safety_controller', 'mimic')}
"""The elements that it knows, by the tags of their parents."""

_NUMBERS: Mapping[str, tuple[str, ...]] = {
    'mass': ('value',), 'inertia': ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz'),
    'limit': ('lower', 'upper', 'effort', 'velocity'), 'mimic': ('multiplier', 'offset'),
    'dynamics': ('damping', 'friction'), 'calibration': (
        'reference_position', 'rising', 'falling'),
    'safety_controller': ('soft_lower_limit', 'soft_upper_limit', 'k_position', 'k_velocity')}
"""Attributes that have to be numbers, by the tags of their elements."""

_SIZES = {'radius': 1, 'length': 1, 'size': 3, 'xyz': 3, 'rpy': 3}
"""Attributes that have to be so many numbers in each element, known or not."""

_VECTORS = {('mesh', 'scale'): 3, ('color', 'rgba'): 4}

_TYPES = ('revolute', 'continuous', 'prismatic', 'planar', 'floating', 'fixed')


@dataclass(frozen=True)
class UsdJoint:
    """A joint, with the names of its links and of the joint that it mimics."""

    element: Element
    name: str
    type: str
    parent: str
    child: str
    leader: str

    @property
    def is_moving(self) -> bool:
        """Return whether it is a joint in the stage that moves."""
        return self.type not in ('fixed', 'floating')


class UsdReading(Reader):
    """
    The elements that the converter keeps.

    :ivar known: those that do not become custom attributes.
    :ivar links: name of each link to its first element.
    :ivar joints: name of each joint to what is read of the first one.
    """

    def __init__(self, root: Element, malformed: DescriptionError | None):
        super().__init__()
        self.root = root
        # It skips a declaration on lines of its own, wherever they are.
        if malformed is not None and not (
                'declaration' in malformed.message and malformed.line != root.line):
            self.refuse(root, 'Line {line} is not well-formed XML', of='xml',
                        line=malformed.line or 1, hint='Mend what urdf-tools check reports')
        if root.tag != 'robot':
            self.refuse(root, 'The outermost element is {element}', of='element',
                        brief='root is not <robot>', hint='Write <robot>')
        if root.get('xmlns'):
            self.refuse(root, 'The default namespace {name} makes it no <robot>', of='xml',
                        attribute='xmlns', name=Name(root.attrib['xmlns']), hint='Remove xmlns')
        self.known: set[Element | None] = {root}
        for element in root.iter():
            parent = element.parent
            if parent is not None and parent in self.known and (
                    element.tag in _KNOWN.get(parent.tag, ()) and not element.get('xmlns')):
                self.known.add(element)
            self._check_prefixes(element)
            self._check_numbers(element)
            if element in self.known:
                self._check_known(element)
        self._named('material')
        self.links = self._named('link')
        self.joints = {name: self._joint(name, element)
                       for name, element in self._named('joint').items()}
        if not every(root, 'link'):
            self.refuse(root, 'The robot has no link', of='link', hint='Write a <link>')
        for joint in self.joints.values():
            mimic = last(joint.element, 'mimic')
            if mimic is not None and joint.leader and joint.leader not in self.joints:
                self.refuse(mimic, '{joint} mimics {leader}, which does not exist', of='mimic',
                            attribute='joint', joint=joint.element, leader=Name(joint.leader),
                            hint='Name a joint of this robot')

    def _named(self, tag: str) -> dict[str, Element]:
        """Return the first element of each name."""
        found: dict[str, Element] = {}
        for element in every(self.root, tag):
            name = element.get('name', '')
            if not name:
                continue
            if name in found:
                self.refuse(element, 'Another {tag} has the name {name}', of='name', tag=tag,
                            attribute='name', name=Name(name), hint='Rename one of them')
            found.setdefault(name, element)
        return found

    def _joint(self, name: str, element: Element) -> UsdJoint:
        mimic = last(element, 'mimic')
        return UsdJoint(
            element, name, element.get('type', ''), self._end(element, 'parent'),
            self._end(element, 'child'), '' if mimic is None else mimic.get('joint', ''))

    def _end(self, joint: Element, role: str) -> str:
        """Return the name of the parent or child link of a joint."""
        element = last(joint, role)
        name = '' if element is None else element.get('link', '')
        if name not in self.links and (element is None or 'link' in element.attrib):
            self.refuse(
                joint if element is None else element, 'The {role} link {name} of {joint} does '
                'not exist' if name else '{joint} names no {role} link', of='structure',
                joint=joint, role=role, name=Name(name), attribute='link' if name else None,
                brief=f'missing {role} link',
                hint='Write <{role} link="..."/> with the name of a link')
        return name

    def _check_prefixes(self, element: Element) -> None:
        for name in (element.tag, *element.attrib):
            prefix, colon, _ = name.partition(':')
            if colon and prefix not in ('xml', 'xmlns') and not _declares(
                    element, f'xmlns:{prefix}'):
                self.refuse(element, 'The prefix {prefix} of {name} is not declared', of='xml',
                            brief='undeclared prefix', prefix=Name(prefix), name=Name(name),
                            hint='Declare it in <robot>')

    def _check_numbers(self, element: Element) -> None:
        """Check what has to be numbers, which it does also where it does not know the element."""
        tag = element.tag if element in self.known else ''
        for name, text in element.attrib.items():
            n = _SIZES.get(name) or _VECTORS.get((tag, name)) or name in _NUMBERS.get(tag, ())
            if n and len(_floats(text)) != n:
                self.refuse(
                    element, 'It reads {attribute}={text} of each element as {n:number}',
                    of='attribute', attribute=name, text=Name(text), n=int(n),
                    hint='Write numbers with a decimal point, separated by spaces')

    def _check_known(self, element: Element) -> None:
        tag, parent = element.tag, element.parent
        required = {'parent': 'link', 'child': 'link', 'mimic': 'joint'}.get(tag)
        if not element.get('name') and (
                tag in ('robot', 'link', 'joint') or tag == 'material' and parent is self.root):
            self.refuse(element, '{element} has no name', of='name', hint='Write name="..."')
        if tag == 'joint' and element.get('type') not in _TYPES:
            self.refuse(element, '{element} has none of the types {types}', of='type',
                        attribute='type' if 'type' in element.attrib else None, types=_TYPES,
                        hint='Write type="fixed", or another type')
        if required and required not in element.attrib:
            self.refuse(element, '{element} names no {required}',
                        of='mimic' if tag == 'mimic' else 'structure', required=required,
                        brief=f'missing {tag} {required}')
        if tag == 'axis' and parent is not None and parent.get('type') != 'fixed' and (
                set(_floats(element.get('xyz', ''))) == {0.0}):
            self.refuse(element, 'The axis of {joint} is zero', of='axis', joint=parent,
                        attribute='xyz', hint='Write a unit vector')


def every(parent: Element | None, tag: str) -> list[Element]:
    """Return the children with a tag that have no namespace of their own."""
    return [] if parent is None else [
        child for child in parent if child.tag == tag and not child.get('xmlns')]


def last(parent: Element | None, tag: str) -> Element | None:
    """Return the child with a tag that the converter takes."""
    return next(reversed(every(parent, tag)), None)


def shape_of(owner: Element) -> Element | None:
    """Return the shape of a ``<visual>`` or ``<collision>`` that the converter takes."""
    geometry = last(owner, 'geometry')
    return None if geometry is None else next((
        each for each in reversed(list(geometry))
        if each.tag in _KNOWN['geometry'] and not each.get('xmlns')), None)


def number(element: Element | None, name: str) -> float:
    """Return an attribute; 0 without one, or if it is no number, for which it is refused."""
    values = () if element is None else _floats(element.get(name, '0'))
    return values[0] if len(values) == 1 else 0.0


def pose(parent: Element | None) -> Pose:
    """Return the ``<origin>`` of an element."""
    origin = last(parent, 'origin')
    return pose_from(_vector(origin, 'xyz'), _vector(origin, 'rpy'))


def _vector(element: Element | None, name: str) -> Vector3:
    values = () if element is None else _floats(element.get(name, ''))
    return (values[0], values[1], values[2]) if len(values) == 3 else (0.0, 0.0, 0.0)


def _declares(element: Element, name: str) -> bool:
    """Return whether an element, or one around it, has an attribute."""
    at: Element | None = element
    while at is not None and name not in at.attrib:
        at = at.parent
    return at is not None


@lru_cache(maxsize=4096)
def _floats(text: str) -> tuple[float, ...]:
    """Return the numbers of a text; none if one of them is no number in Python."""
    try:
        return tuple(float(part) for part in text.split())
    except ValueError:
        return ()
