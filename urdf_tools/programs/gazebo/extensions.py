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

"""Extensions: what libsdformat reads from ``<gazebo>`` elements."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from enum import Enum
from functools import cached_property
import json
import math
from pathlib import Path
import re
import sys
from typing import NamedTuple

from urdf_tools.findings.message import Name
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.grouping import grouped
from urdf_tools.model.pose import Pose
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.sdf_values import number_text
from urdf_tools.programs.gazebo.traced_xml import copied
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.gazebo.traced_xml import value_of

NUMBER = re.compile(
    r'\s*[+-]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?[0-9]+)?'
    r'|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)', re.IGNORECASE)
"""What std::stod reads at the start of a text."""

_NOT_ZERO = re.compile(r'[\s+-]*(?:0x[0.]*[1-9a-f]|[0.]*[1-9])', re.IGNORECASE)
"""The beginning of a number with a digit other than zero before its exponent."""

INTEGER = re.compile(r'\s*[+-]?[0-9]+')
"""What std::stoi reads at the start of a text."""


DRIVES = re.compile(
    r'control|drive|steer|thruster|rotor|planar_?move|joint(?!.?state)', re.IGNORECASE)
"""What is in the file name of a plugin that moves joints or the robot."""


class Kind(Enum):
    """The type of the value of an option."""

    NUMBER = 'a number'
    INTEGER = 'an integer'
    TEXT = 'text'
    IS_TRUE = 'true, yes or 1; anything else is false'
    IS_NOT_FALSE = 'false, no or 0; anything else is true'


class Scope(Enum):
    """What an option applies to."""

    MODEL = 'the model'
    LINK = 'the link'
    COLLISION = 'each collision of the link'
    VISUAL = 'each visual of the link'
    JOINT = 'the joint'
    LUMPING = 'fixed-joint lumping'
    NOTHING = 'nothing'


class Option(NamedTuple):
    """
    An element below ``<gazebo>`` that libsdformat converts.

    :param path: where its value goes, below the element of its scope.
    """

    scope: Scope
    kind: Kind
    path: str = ''


OPTIONS: Mapping[str, Option] = {
    tag: Option(Scope[scope], Kind[kind], *path) for tag, (scope, kind, *path) in json.loads(
        Path(__file__).with_name('extensions.json').read_bytes()).items()}
"""The options by their tags; all other elements are copied as they are."""

KEEP_JOINT = ('preserveFixedJoint', 'disableFixedJointLumping')
"""Options that keep a fixed joint: as fixed, or as a revolute joint without a range."""

LUMP_PREFIX = '_fixed_joint_lump__'
"""What stands between the names of the new link and of the old one in the name of a shape."""

_LINKS_IN = {'plugin': ('bodyName', 'frameName'), 'joint': ('parent', 'child')}

_SAME_SETTING = {'cfmDamping': 'implicitSpringDamper'}


MAX_STEPS = 300_000
"""Most steps of a conversion; of a hundred robots none took more than 411."""

CHARACTERS_OF_STEP = 100


class Setting(NamedTuple):
    """The value of an option as written in SDFormat, and the element that sets it."""

    text: str
    element: Element


@dataclass(eq=False)
class Extension:
    """
    One ``<gazebo>`` element.

    :param written_for: the link or joint that it names; lumping moves it to another link.
    :param reduction: pose of the lumped link, in the link that has its extensions now.
    """

    written_for: str
    element: Element
    settings: dict[str, Setting] = field(default_factory=dict)
    reduction: Pose = Pose()
    original_poses: dict[Node, str] = field(default_factory=dict)

    @cached_property
    def copied_elements(self) -> list[Element]:
        """The elements that are copied to the link, the joint or the model."""
        return [child for child in self.element
                if child.tag not in OPTIONS and child.tag not in ('collision', 'visual')]

    @cached_property
    def copies(self) -> list[Node]:
        """Their copies in the document; lumping changes them."""
        return list(map(copied, self.copied_elements))

    def shape_elements(self, tag: str) -> list[Element]:
        """Return the elements that are copied to shapes, which are ``visual`` or ``collision``."""
        return [inner for child in self.element if child.tag == tag for inner in child]


@dataclass(eq=False)
class Extensions:
    """
    All ``<gazebo>`` elements of a robot.

    :param by_reference: the extensions of each link and joint, and of the model under ''.
    :param preserved: fixed joints that stay fixed joints.
    :param revolute: fixed joints that become revolute joints without a range.
    :param unreadable: the settings at which libsdformat ends with an exception.
    :param steps: counts what libsdformat repeats, which can grow with the square of a description.
    :param misplaced: settings that libsdformat writes into an element that it has deleted, with
        the ``<surface>`` that replaced it; known once the document is written.
    """

    by_reference: dict[str, list[Extension]]
    preserved: frozenset[str]
    revolute: frozenset[str]
    unreadable: tuple[Loss, ...]
    steps: int = 0
    misplaced: dict[Element, Element] = field(default_factory=dict)

    @cached_property
    def by_link_name(self) -> dict[str, list[tuple[Extension, Node]]]:
        """The copies that refer to links, by link name, each with its extension."""
        return grouped(
            (name, (extension, copy)) for extensions in self.by_reference.values()
            for extension in extensions for copy in extension.copies for name in _names_in(copy))

    def spend(self, steps: int) -> None:
        """
        Count steps: for each shape of a link, or at each lumping.

        :raises DescriptionError: there are too many.
        """
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise DescriptionError(
                f'The conversion to SDFormat takes more than {MAX_STEPS} steps, because it '
                'repeats names and <gazebo> elements for each shape and each lumped link',
                ErrorKind.TOO_LARGE,
                hint='Shorten the names, or use fewer <gazebo> elements')

    def of(self, reference: str) -> list[Extension]:
        """Return the extensions of a link or joint."""
        return self.by_reference.get(reference, [])


def _names_in(copy: Node) -> Iterator[str]:
    """Yield the names of links in a copied element that follow lumped links."""
    if copy.tag == 'projector':
        yield value_of(copy).partition('/')[0]
    yield from (value_of(child) for child in copy if child.tag in _LINKS_IN.get(copy.tag, ()))


def read_extensions(elements: Iterable[Element]) -> Extensions:
    """Read ``<gazebo>`` elements."""
    by_reference: dict[str, list[Extension]] = {}
    kept: dict[str, set[str]] = {option: set() for option in KEEP_JOINT}
    unreadable = []
    for element in elements:
        reference = element.get('reference', '')
        # libsdformat notes the reference with the first child.
        extension = Extension(reference if len(element) else '', element)
        by_reference.setdefault(reference, []).append(extension)
        for child in element:
            if child.tag not in OPTIONS:
                continue
            try:
                text = setting_text(child)
            except ValueError as error:
                unreadable.append(refusal(
                    child, '<{tag}> is {value}, which is {reason}, and libsdformat ends with an '
                    'exception', value=Name(value_of(child)), reason=str(error), of='attribute',
                    hint='Write a number'))
                continue
            extension.settings[_SAME_SETTING.get(child.tag, child.tag)] = Setting(text, child)
            if child.tag in kept and is_true(value_of(child)):
                kept[child.tag].add(reference)
    preserved, revolute = (frozenset(kept[option]) for option in KEEP_JOINT)
    return Extensions(by_reference, preserved, revolute - preserved, tuple(unreadable))


def is_true(text: str) -> bool:
    """Return whether libsdformat reads the value of an option as true."""
    return text.lower() in ('true', 'yes') or text == '1'


def setting_text(element: Element) -> str:
    """
    Return the value of an option as SDFormat writes it.

    :raises ValueError: libsdformat cannot read it; the message is the reason.
    """
    text = value_of(element)
    kind = OPTIONS[element.tag].kind
    if kind is Kind.NUMBER:
        written = _leading(NUMBER, text)
        try:
            number = float.fromhex(written) if 'x' in written.lower() else float(written)
        except OverflowError:
            number = math.inf
        if math.isinf(number) and 'inf' not in text.lower():
            raise ValueError('too large for a number')
        if abs(number) < sys.float_info.min and _NOT_ZERO.match(written):
            raise ValueError('too close to zero for a number')
        return number_text(number)
    if kind is Kind.INTEGER:
        digits = _leading(INTEGER, text).lstrip()
        if len(digits) > 11 or not -2**31 <= int(digits) < 2**31:
            raise ValueError('too large for an integer')
        return str(int(digits))
    if kind is Kind.IS_TRUE:
        return 'true' if is_true(text) else 'false'
    if kind is Kind.IS_NOT_FALSE:
        # The one such option, turnGravityOff, is inverted.
        return 'true' if text.lower() in ('false', 'no') or text == '0' else 'false'
    return text


def _leading(pattern: re.Pattern[str], text: str) -> str:
    """Return the number at the start of a text; C++ ignores what follows it."""
    match = pattern.match(text)
    if match is None:
        raise ValueError('not a number')
    return match[0]
