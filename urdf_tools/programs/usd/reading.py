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
from collections.abc import Sequence
from collections.abc import Set
from functools import lru_cache

from urdf_tools.findings.message import Name
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.pose import Pose
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader
from urdf_tools.programs.importers import ReadJoint
from urdf_tools.programs.tables import TABLES

_KNOWN: Mapping[str, tuple[str, ...]] = TABLES['elements of usd']
"""The elements that it knows, by the tags of their parents."""

_NUMBERS: Mapping[str, Sequence[str]] = TABLES['numbers of usd']
"""Attributes that must be numbers, by the tags of their elements."""

_SIZES = {'radius': 1, 'length': 1, 'size': 3, 'xyz': 3, 'rpy': 3}
"""Attributes that must have this many numbers in any element, known or not."""

_VECTORS = {('mesh', 'scale'): 3, ('color', 'rgba'): 4}

_REQUIRED = {'mimic': ('joint',), 'sphere': ('radius',), 'cylinder': ('radius', 'length')}
"""Elements to the attributes without which they are refused."""

_TYPES = ('revolute', 'continuous', 'prismatic', 'planar', 'floating', 'fixed')


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
        # It skips a declaration on separate lines anywhere.
        if malformed is not None and not (
                'declaration' in malformed.message and malformed.line != root.line):
            self.refuse(root, 'Line {line} is not well-formed XML', line=malformed.line or 1)
        if not root.get('name'):
            self.refuse(root, '{element} has no name', 'Write name="..."', of='name')
        if root.get('xmlns'):
            self.refuse(root, 'The default namespace {name} makes it no <robot>',
                        attribute='xmlns')
        self.known: set[Element | None] = {root}
        declared = {'xml', 'xmlns', *(
            name.removeprefix('xmlns:') for each in root.iter() for name in each.attrib
            if name.startswith('xmlns:'))}
        for element in root.iter():
            parent = element.parent
            if parent is not None and parent in self.known and (
                    element.tag in _KNOWN.get(parent.tag, ())):
                self.known.add(element)
                self._check_known(element)
            self._check_names(element, declared)
            self._check_numbers(element)
        self._check_materials(self.named(every(root, 'material')))
        self.links = self.named(every(root, 'link'))
        self.joints = {name: self._joint(name, element)
                       for name, element in self.named(every(root, 'joint')).items()}
        self.check_robot(root)
        for joint in self.joints.values():
            mimic = last(joint.element, 'mimic')
            if mimic is not None and joint.leader and joint.leader not in self.joints:
                self.refuse(mimic, '{joint} mimics {leader}, which does not exist',
                            attribute='joint', leader=Name(joint.leader))

    def _check_materials(self, known: dict[str, Element]) -> None:
        """Check the opacity of the materials that the robot and the visuals define."""
        written = [*known.values(), *(
            material for link in every(self.root, 'link') for visual in every(link, 'visual')
            for material in every(visual, 'material')[-1:])]
        for material in written:
            name, color = material.get('name'), last(material, 'color')
            opacity = _numbers(color, 'rgba', 4)[3]
            # It becomes a number of single precision.
            if (not name or known.setdefault(name, material) is material) and color is not None \
                    and (opacity < 0 or opacity > 1 + 2**-24):
                self.refuse(color, 'The opacity in {attribute}={text} of {element} is not between '
                            '0 and 1', attribute='rgba')

    def _joint(self, name: str, element: Element) -> ReadJoint:
        mimic = last(element, 'mimic')
        parent, child = self.ends(element, self.links, last)
        return ReadJoint(name, element.get('type', ''), element, parent=parent, child=child,
                         leader='' if mimic is None else mimic.get('joint', ''))

    def _check_names(self, element: Element, declared: Set[str]) -> None:
        for name in (element.tag, *element.attrib):
            prefix, colon, _ = name.partition(':')
            if colon and prefix not in declared:
                self.refuse(element, 'The prefix {prefix} of {name} is not declared',
                            prefix=Name(prefix), name=Name(name))
            elif name in element.attrib and not name.isidentifier() and prefix != 'xmlns':
                self.refuse(element, 'USD cannot store attribute {name} of {element}',
                            attribute=name, name=Name(name))

    def _check_numbers(self, element: Element) -> None:
        """Check attributes that must be numbers, even those of unknown elements."""
        tag = element.tag if element in self.known else ''
        for name, text in element.attrib.items():
            n = _SIZES.get(name) or _VECTORS.get((tag, name)) or name in _NUMBERS.get(tag, ())
            if n and len(_floats(text)) != n:
                self.refuse(element, 'It reads {attribute}={text} of each element as {n:number}',
                            attribute=name, n=int(n))

    def _check_known(self, element: Element) -> None:
        tag, parent = element.tag, element.parent
        self.has_all(element, _REQUIRED.get(tag, ()), 'mimic' if tag == 'mimic' else 'shape')
        if tag == 'joint' and element.get('type') not in _TYPES:
            self.refuse(element, '{element} is not of a type in {types}',
                        attribute='type' if 'type' in element.attrib else None, types=_TYPES)
        if tag == 'axis' and parent is not None and parent.get('type') != 'fixed' and (
                set(_floats(element.get('xyz', ''))) == {0.0}):
            self.refuse(element, 'The axis of {joint} is zero', of='axis',
                        attribute='xyz', hint='Write a unit vector')


def every(parent: Element | None, tag: str) -> list[Element]:
    """Return the children with a tag."""
    return [] if parent is None else parent.findall_tag(tag)


def last(parent: Element | None, tag: str) -> Element | None:
    """Return the child with a tag that the converter uses."""
    return next(reversed(every(parent, tag)), None)


def shape_of(owner: Element) -> Element | None:
    """Return the shape of a ``<visual>`` or ``<collision>`` that the converter uses."""
    geometry = last(owner, 'geometry')
    return None if geometry is None else next((
        each for each in reversed(list(geometry)) if each.tag in _KNOWN['geometry']), None)


def number(element: Element | None, name: str) -> float:
    """Return an attribute; 0 if it is missing or not a number, which is refused."""
    return _numbers(element, name, 1)[0]


def pose(parent: Element | None) -> Pose:
    """Return the ``<origin>`` of an element."""
    origin = last(parent, 'origin')
    return pose_from(_numbers(origin, 'xyz', 3), _numbers(origin, 'rpy', 3))


def _numbers(element: Element | None, name: str, n: int) -> tuple[float, ...]:
    values = () if element is None else _floats(element.get(name, ''))
    return values if len(values) == n else (0.0,) * n


@lru_cache(maxsize=4096)
def _floats(text: str) -> tuple[float, ...]:
    """Return the numbers in a text; none if one of them is not a number in Python."""
    try:
        return tuple(float(part) for part in text.split())
    except ValueError:
        return ()
