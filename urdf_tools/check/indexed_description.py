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
"""The read-only, indexed view of a description that the rules share."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
from functools import wraps
import math
from pathlib import Path
from typing import Any
from typing import NamedTuple
from typing import TypeVar

from urdf_tools.check.schema import is_foreign
from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import Tag
from urdf_tools.check.schema import TEXT
from urdf_tools.check.topology import attached_link
from urdf_tools.check.topology import Topology
from urdf_tools.model.robot import JointType
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.values import parse_number
from urdf_tools.model.values import parse_vector
from urdf_tools.model.values import parse_version
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context

Result = TypeVar('Result')

Same = tuple[str, Mapping[str, float]]


class BadNumber(NamedTuple):
    """
    An attribute that does not hold the numbers that URDF requires.

    :param n: the required number of numbers.
    :param fault: ``comma``, ``count``, ``not-finite`` or ``not-a-number``.
    :param reason: the fault in words, for a message.
    """

    element: Element
    attribute: str
    n: int
    fault: str
    reason: str


class Description:
    """
    A description with an index of its elements and every number parsed once.

    The index holds only valid elements: links and joints with a name (the first of those with
    the same name) and well-formed numbers. One rule reports each kind of invalid element; all
    others skip it.

    :param document: the parsed description.
    :param resolve: returns the file of a URI, and raises
        :class:`~urdf_tools.model.resources.ResourceError` where it does not exist or files are
        not to be read.
    :param context: what models of programs need besides the description.
    :param loops_file: YAML file of loops beside it, or None.
    :param srdf: its SRDF file, if that is in another folder.
    :param arguments: the xacro arguments of the SRDF file; by default those of the description.
    :param same: a file that has to be the same robot, and tolerances by kind of difference.
    """

    def __init__(self, document: Document, resolve: Callable[[str], Path], context: Context,
                 loops_file: str | None = None, srdf: str | None = None,
                 arguments: Mapping[str, str] = {}, same: Same | None = None):
        self.document = document
        self.resolve = resolve
        self.context = context
        self.loops_file = loops_file
        self.srdf = srdf
        self.same = same
        self.arguments = arguments or (document.xacro.arguments if document.xacro else {})
        self.robot = document.root
        self.links = tuple(self.robot.findall('link'))
        self.joints = tuple(self.robot.findall('joint'))
        self.materials = tuple(self.robot.findall('material'))
        self.transmissions = tuple(self.robot.findall('transmission'))
        self.gazebo = tuple(self.robot.findall('gazebo'))
        self.ros2_control = tuple(self.robot.findall('ros2_control'))
        self.link_names = by_name(self.links)
        self.joint_names = by_name(self.joints)
        self._numbers: dict[tuple[Element, str], tuple[float, ...] | None] = {}
        self.results: dict[Callable[[Description], Any], Any] = {}
        """The results of the functions that :func:`once` wraps."""

    def may_read(self, path: str | Path) -> bool:
        """Return whether a file of a project may be read; a link must not lead out."""
        return self.context.resolver.lookup.may_read(str(path))

    @cached_property
    def grammar(self) -> tuple[tuple[Element, Tag], ...]:
        """Every element that URDF defines, with its definition, in file order."""
        return tuple(_defined(self.robot, ROBOT))

    @cached_property
    def tags(self) -> frozenset[str]:
        """The tags of the children of the root."""
        return frozenset(element.tag for element in self.robot)

    @cached_property
    def version(self) -> tuple[int, int]:
        """The version of URDF that the description declares; 1.0 if it is malformed."""
        return parse_version(self.robot.get('version', '1.0')) or (1, 0)

    @cached_property
    def topology(self) -> Topology:
        """The graph of links and joints."""
        return Topology(self.link_names, self.joints)

    @cached_property
    def moving_joints(self) -> dict[str, Element]:
        """The joints that have an axis, and mimic no other, in file order."""
        return {name: joint for name, joint in self.joint_names.items() if joint is not None
                and joint.get('type') in AXIS_TYPES and child(joint, 'mimic') is None}

    @cached_property
    def link_spelling(self) -> Spelling:
        """The index that finds the link that a misspelled name probably means."""
        return Spelling(self.link_names, alike=20)

    @cached_property
    def joint_spelling(self) -> Spelling:
        """The index that finds the joint that a misspelled name probably means."""
        return Spelling(self.joint_names, alike=20)

    @cached_property
    def is_template(self) -> bool:
        """Whether macros and includes of xacro may still add links and joints."""
        definitions = {'xacro:property', 'xacro:arg'}
        if self.links or self.joints:  # Otherwise other files may call the macros.
            definitions.add('xacro:macro')
        return any(element.tag.startswith('xacro:') and element.tag not in definitions
                   for element in self.robot)

    @property
    def is_part(self) -> bool:
        """Whether this is a xacro file that defines no link, so it is meant to be included."""
        return '.xacro' in self.document.source and not self.links and not self.joints

    @cached_property
    def bad_numbers(self) -> tuple[BadNumber, ...]:
        """Every attribute that does not hold the numbers that URDF requires."""
        return tuple(BadNumber(element, attribute, n, _fault(text, n), reason_against(text, n))
                     for element, tag in self.grammar for attribute, text in element.attrib.items()
                     if (n := tag.attributes.get(attribute, TEXT)) != TEXT
                     and self.vector(element, attribute, n) is None and not is_expression(text))

    @cached_property
    def plugins(self) -> list[Element]:
        """Every ``<plugin>`` in ``<gazebo>``."""
        return [plugin for extension in self.gazebo for plugin in extension.iter('plugin')]

    @cached_property
    def parameter_files(self) -> list[Element]:
        """Every ``<parameters>`` of a plugin in ``<gazebo>``: a YAML file for nodes."""
        return [element for extension in self.gazebo
                for element in extension.iterfind('plugin/parameters')]

    @cached_property
    def inertials(self) -> list[Element]:
        """The first ``<inertial>`` of each link that has one."""
        return [inertial for link in self.links for inertial in link.findall('inertial')[:1]]

    @cached_property
    def shapes(self) -> tuple[tuple[Element, Element | None], ...]:
        """Every visual and collision with its ``<geometry>``, or None."""
        return tuple(
            (owner, child(owner, 'geometry'))
            for link in self.links for owner in link if owner.tag in ('visual', 'collision'))

    def number(self, element: Element | None, attribute: str) -> float | None:
        """Return the number in an attribute, or None if it is missing or malformed."""
        numbers = self.vector(element, attribute, 1)
        return numbers[0] if numbers else None

    def numbers(self, element: Element | None, *names: str) -> dict[str, Any]:
        """Return the numbers in attributes by name, without those missing or malformed."""
        return {name: value for name in names if (value := self.number(element, name)) is not None}

    def vector(self, element: Element | None, attribute: str, n: int) -> tuple[float, ...] | None:
        """Return ``n`` numbers in an attribute, or None if they are missing or malformed."""
        if element is None or (text := element.get(attribute)) is None:
            return None
        key = (element, attribute)
        if key not in self._numbers:
            try:
                self._numbers[key] = _parse(text, n)
            except ValueError:
                self._numbers[key] = None
        return self._numbers[key]


def once(function: Callable[[Description], Result]) -> Callable[[Description], Result]:
    """Make a function compute its result for a description on the first call only."""
    @wraps(function)
    def cached(description: Description) -> Result:
        if function not in description.results:
            description.results[function] = function(description)
        result: Result = description.results[function]
        return result
    return cached


def child(element: Element | None, tag: str) -> Element | None:
    """Return the first child with this tag, or None."""
    return None if element is None else element.find(tag)


def is_expression(text: str) -> bool:
    """Return whether a text holds an expression that xacro should have replaced."""
    return '$' in text and ('${' in text or '$(' in text)


def _parse(text: str, n: int) -> tuple[float, ...]:
    return (parse_number(text),) if n == 1 else parse_vector(text, n)


def reason_against(text: str, n: int) -> str:
    """Return why a text does not hold ``n`` numbers; empty if it does."""
    try:
        _parse(text, n)
        return ''
    except ValueError as error:
        return str(error)


def _fault(text: str, n: int) -> str:
    words = text.split()
    if ',' in text:
        return 'comma'
    if len(words) != n and (words or n > 1):
        return 'count'
    try:
        are_finite = all(math.isfinite(float(word)) for word in words)
    except ValueError:
        are_finite = True
    return 'not-a-number' if are_finite else 'not-finite'


def _defined(element: Element, tag: Tag) -> Iterator[tuple[Element, Tag]]:
    yield element, tag
    for inner in element:
        definition = tag.children.get(inner.tag)
        if definition is not None and not is_foreign(inner.tag):
            yield from _defined(inner, definition)


def by_name(elements: Iterable[Element]) -> Mapping[str, Element]:
    """Return name to element, the first of those with the same name."""
    names: dict[str, Element] = {}
    for element in elements:
        if name := element.get('name'):
            names.setdefault(name, element)
    return names


INTERFACES = ('command_interface', 'state_interface')
"""The interfaces of a ``<joint>`` in ``<ros2_control>``."""

JOINT_TYPES = tuple(kind.value for kind in JointType)

LIMITED_TYPES = ('revolute', 'prismatic')
"""The joint types that need position limits."""

AXIS_TYPES = ('revolute', 'continuous', 'prismatic', 'planar')
"""The joint types that have an axis."""


def joints_of_type(description: Description, types: Collection[str]) -> Iterator[Element]:
    """Yield each joint of one of these types."""
    return (joint for joint in description.joints if joint.get('type') in types)


def joints_with(description: Description, tag: str,
                types: Collection[str] = JOINT_TYPES) -> Iterator[tuple[Element, Element]]:
    """Yield each joint of one of these types that has a child with this tag, and that child."""
    for joint in joints_of_type(description, types):
        if (element := joint.find(tag)) is not None:
            yield joint, element


def named_joints(description: Description, owners: Iterable[Element]
                 ) -> Iterator[tuple[Element, Element, str, Element | None]]:
    """Yield each ``<joint>`` in elements: parent element, joint, name, joint of the robot."""
    for owner in owners:
        for part in owner.findall('joint'):
            if name := part.get('name'):
                yield owner, part, name, description.joint_names.get(name)


def has_computed_type(joint: Element) -> bool:
    """Return whether a xacro expression computes the type, so that it may vary."""
    kind = None if joint.origin is None else joint.origin.attribute('type')
    return kind is not None and kind.is_expression


@once
def rigid_bodies(description: Description) -> Mapping[str, str]:
    """Return each link to the first link of its rigid body, which fixed joints form."""
    bodies: dict[str, str] = {}
    for link in description.topology.order:
        joint = description.topology.parent_joint(link)
        is_fixed = joint is not None and joint.get('type') == 'fixed'
        parent = attached_link(joint, 'parent') if joint is not None and is_fixed else None
        bodies[link] = link if parent is None else bodies.get(parent, parent)
    return bodies


@once
def position_ranges(description: Description) -> Mapping[Element | None, tuple[float, float]]:
    """Return each joint with both position limits, to these limits."""
    return {joint: (lower, upper) for joint, _, lower, upper in position_limits(description)}


def position_limits(description: Description) -> list[tuple[Element, Element, float, float]]:
    """Return each joint with both position limits, its ``<limit>``, lower and upper."""
    found = ((joint, limit, description.number(limit, 'lower'), description.number(limit, 'upper'))
             for joint, limit in joints_with(description, 'limit', LIMITED_TYPES))
    return [(joint, limit, lower, upper) for joint, limit, lower, upper in found
            if lower is not None and upper is not None]
