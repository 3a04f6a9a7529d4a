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

"""The read-only view of a description's tree that all rules share."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
import math
from pathlib import Path
import re
from typing import NamedTuple
from typing import TypeVar

from urdf_tools.model.document import Document
from urdf_tools.model.document import Element
from urdf_tools.model.elements import ElementReader
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Link
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector
from urdf_tools.model.values import parse_version
from urdf_tools.validation.schema import is_foreign
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.schema import Tag
from urdf_tools.validation.schema import TEXT
from urdf_tools.validation.topology import Topology

Result = TypeVar('Result')

_NOT_FINITE = re.compile(r'[+-]?(?:nan|inf|infinity)', re.IGNORECASE)


class BadNumber(NamedTuple):
    """
    An attribute that holds no such numbers as URDF wants there.

    :param n: how many numbers it should hold.
    :param fault: ``comma``, ``count``, ``not-finite`` or ``not-a-number``.
    :param reason: the same in words for a person.
    """

    element: Element
    attribute: str
    n: int
    fault: str
    reason: str


class Description:
    """
    A description as its rules see it: indexed, with every number read once.

    Only well-formed parts are in the index: links and joints that have a name (the first of
    several of the same name), numbers that are numbers. What is not is found by one rule each;
    every other rule passes over it.

    :param document: the parsed description.
    :param resolve: returns the file that a URI means, and raises
        :class:`~urdf_tools.model.resources.ResourceError` where there is none or files are not
        to be looked at.
    """

    def __init__(self, document: Document, resolve: Callable[[str], Path]):
        self.document = document
        self.resolve = resolve
        self.robot = document.root
        self.links = self._children('link')
        self.joints = self._children('joint')
        self.materials = self._children('material')
        self.transmissions = self._children('transmission')
        self.gazebo = self._children('gazebo')
        self.ros2_control = self._children('ros2_control')
        self.link_names = _by_name(self.links)
        self.joint_names = _by_name(self.joints)
        self._numbers = {}
        self._cache = {}

    def _children(self, tag):
        return tuple(self.robot.findall(tag))

    @cached_property
    def grammar(self) -> tuple[tuple[Element, Tag], ...]:
        """Every element that URDF defines with what URDF says of it, in order of the text."""
        return tuple(_walk(self.robot, ROBOT))

    @cached_property
    def version(self) -> tuple[int, int]:
        """The version of URDF that the description declares; 1.0 where it is malformed."""
        return parse_version(self.robot.get('version', '1.0')) or (1, 0)

    @cached_property
    def topology(self) -> Topology:
        """How the joints join the links."""
        return Topology(self.link_names, self.robot)

    @cached_property
    def link_spelling(self) -> Spelling:
        """What finds the link that a wrong name probably means."""
        return Spelling(self.link_names)

    @cached_property
    def joint_spelling(self) -> Spelling:
        """What finds the joint that a wrong name probably means."""
        return Spelling(self.joint_names)

    @cached_property
    def records(self) -> Mapping[str, Link]:
        """Name of each link to what can be read of it."""
        reader = ElementReader(self.version)
        return {name: reader.link(link) for name, link in self.link_names.items()}

    @cached_property
    def inertials(self) -> Mapping[str, Inertial]:
        """Name of each link with an inertial that can be read to that inertial."""
        return {name: link.inertial for name, link in self.records.items()
                if link.inertial is not None}

    def cached(self, function: Callable[[Description], Result]) -> Result:
        """Return the result of a function of this description, computed on the first call."""
        if function not in self._cache:
            self._cache[function] = function(self)
        return self._cache[function]

    @cached_property
    def is_template(self) -> bool:
        """Whether xacro still has to make links and joints out of macros and includes."""
        return any(element.tag.startswith('xacro:')
                   and element.tag not in ('xacro:property', 'xacro:arg')
                   for element in self.robot)

    @cached_property
    def bad_numbers(self) -> tuple[BadNumber, ...]:
        """Every attribute that holds no such numbers as URDF wants there."""
        return tuple(
            BadNumber(element, attribute, n, _fault(text, n), _reason(text, n))
            for element, tag in self.grammar
            for attribute, text in element.attrib.items()
            if (n := tag.attributes.get(attribute, TEXT)) != TEXT
            and self.vector(element, attribute, n) is None and not is_expression(text))

    @cached_property
    def shapes(self) -> tuple[tuple[Element, Element | None], ...]:
        """Every visual and collision with its <geometry>, if it has one."""
        return tuple(
            (owner, child(owner, 'geometry'))
            for link in self.links for owner in link if owner.tag in ('visual', 'collision'))

    def number(self, element: Element | None, attribute: str) -> float | None:
        """Return a number, or None where it is missing or malformed."""
        numbers = self.vector(element, attribute, 1)
        return numbers[0] if numbers else None

    def vector(
            self, element: Element | None, attribute: str, n: int) -> tuple[float, ...] | None:
        """Return ``n`` numbers, or None where they are missing or malformed."""
        text = None if element is None else element.get(attribute)
        if text is None:
            return None
        key = (element, attribute)
        if key not in self._numbers:
            try:
                self._numbers[key] = _parse(text, n)
            except ValueError:
                self._numbers[key] = None
        return self._numbers[key]


def child(element: Element | None, tag: str) -> Element | None:
    """Return the first child with this tag, or None."""
    return None if element is None else element.find(tag)


def degrees_of_freedom(joint: Element) -> int | None:
    """Return the degrees of freedom of a joint, or None where its type is unknown."""
    try:
        return JointType(joint.get('type')).dof
    except ValueError:
        return None


def is_expression(text: str) -> bool:
    """Tell whether a text holds an expression that xacro should have replaced."""
    return '$' in text and ('${' in text or '$(' in text)


def are_numbers(text: str, n: int) -> bool:
    """Tell whether a text is ``n`` numbers."""
    return not _reason(text, n)


def _parse(text, n):
    return (parse_number(text),) if n == 1 else parse_vector(text, n)


def _reason(text, n):
    """Return why a text is not ``n`` numbers; empty where it is."""
    try:
        _parse(text, n)
        return ''
    except ValueError as error:
        return str(error)


def _fault(text, n):
    words = text.split()
    if ',' in text:
        return 'comma'
    if len(words) != n and (words or n > 1):
        return 'count'
    if any(_NOT_FINITE.fullmatch(word) for word in words) or _overflows(words):
        return 'not-finite'
    return 'not-a-number'


def _overflows(words):
    try:
        return any(math.isinf(float(word)) for word in words)
    except ValueError:
        return False


def _walk(element: Element, tag: Tag) -> Iterator[tuple[Element, Tag]]:
    yield element, tag
    for child in element:
        inner = tag.children.get(child.tag)
        if inner is not None and not is_foreign(child.tag):
            yield from _walk(child, inner)


def _by_name(elements) -> Mapping[str, Element]:
    names = {}
    for element in elements:
        names.setdefault(element.get('name') or None, element)
    names.pop(None, None)
    return names
