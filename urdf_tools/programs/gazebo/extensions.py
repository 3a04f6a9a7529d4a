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

"""Extensions: what libsdformat reads from ``<gazebo>`` elements, and moves when it lumps links."""

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
from typing import NamedTuple

from urdf_tools.findings.losses import Loss
from urdf_tools.findings.losses import refusal
from urdf_tools.findings.message import Name
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.grouping import grouped
from urdf_tools.model.pose import Pose
from urdf_tools.model.values import parse_vector
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import compose
from urdf_tools.programs.gazebo.document import copied
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import number_text
from urdf_tools.programs.gazebo.document import Release
from urdf_tools.programs.gazebo.document import short_numbers_text
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import lenient_vector
from urdf_tools.programs.urdfdom.bodies import urdfdom_rpy

NUMBER = re.compile(
    r'\s*[+-]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?[0-9]+)?'
    r'|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)', re.IGNORECASE)
"""What std::stod reads at the start of a text."""

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

MAX_STEPS = 300_000
"""Maximum number of steps of a conversion; of a hundred robots none took more than 411."""

CHARACTERS_OF_STEP = 100

_SAME_SETTING = {'cfmDamping': 'implicitSpringDamper'}

_LINKS_IN = {'plugin': ('bodyName', 'frameName'), 'joint': ('parent', 'child')}
"""Elements to their children that name links, and follow a link that is lumped."""


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


class Extensions:
    """
    What libsdformat reads from all ``<gazebo>`` elements of a robot.

    :ivar by_reference: the extensions of each link and joint, and of the model under ''.
    :ivar kept_joints: the fixed joints that are not lumped, to their types: ``fixed``, or
        ``revolute`` without a range.
    :ivar unreadable: the settings at which libsdformat ends with an exception.
    :ivar misplaced: settings that libsdformat writes into an element that it has deleted, with
        the ``<surface>`` that replaced it; known once the document is written.
    """

    def __init__(self, elements: Iterable[Element]):
        self.by_reference: dict[str, list[Extension]] = {}
        self.kept_joints: dict[str, str] = {}
        self.unreadable: list[Loss] = []
        self.misplaced: dict[Element, Element] = {}
        self._steps = 0
        for element in elements:
            reference = element.get('reference', '')
            # libsdformat notes the reference with the first child.
            extension = Extension(reference if len(element) else '', element)
            self.by_reference.setdefault(reference, []).append(extension)
            for child in element:
                if child.tag in OPTIONS:
                    self._read_option(child, extension)

    def _read_option(self, option: Element, extension: Extension) -> None:
        try:
            text = setting_text(option)
        except ValueError as error:
            self.unreadable.append(refusal(option, '<{tag}> is {value}, which is {reason}, and '
                                           'libsdformat ends with an exception',
                                           value=Name(value_of(option)), reason=str(error)))
            return
        extension.settings[_SAME_SETTING.get(option.tag, option.tag)] = Setting(text, option)
        if option.tag == KEEP_JOINT[0] and text == 'true':
            self.kept_joints[extension.written_for] = 'fixed'
        elif option.tag == KEEP_JOINT[1] and text == 'true':
            self.kept_joints.setdefault(extension.written_for, 'revolute')

    @cached_property
    def _by_link(self) -> dict[str, list[tuple[Extension, Node]]]:
        """The copies that refer to links, by the name of the link, each with its extension."""
        return grouped(
            (name, (extension, copy)) for extensions in self.by_reference.values()
            for extension in extensions for copy in extension.copies for name in _links_in(copy))

    def spend(self, steps: int) -> None:
        """
        Count what libsdformat repeats, which can grow with the square of a description.

        :param steps: those for a shape of a link, or for a lumped link.
        :raises DescriptionError: there are too many.
        """
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise DescriptionError(
                f'The conversion to SDFormat takes more than {MAX_STEPS} steps, because it '
                'repeats names and <gazebo> elements for each shape and each lumped link',
                ErrorKind.TOO_LARGE,
                hint='Shorten the names, or use fewer <gazebo> elements')

    def move(self, body: Body, parent: str, release: Release) -> None:
        """
        Move the extensions of a lumped body to its parent, and replace its name by the parent's.

        :param parent: name of the parent.
        """
        moved = self.by_reference.pop(body.name, [])
        for extension in moved:
            self.spend(1)
            extension.reduction = (
                compose(body.origin, extension.reduction) if release.is_12_3 else body.origin)
            for copy in extension.copies:
                if copy.tag in ('projector', 'sensor') or (
                        copy.tag == 'light' and not release.is_12_3):
                    _move_pose(copy, extension, release)
        if moved:
            self.by_reference.setdefault(parent, []).extend(moved)
        mentions = self._by_link.pop(body.name, [])
        self.spend(4 * len(mentions))
        for extension, copy in mentions:
            _rename(copy, extension.reduction, body, parent, release)
        if mentions:
            self._by_link.setdefault(parent, []).extend(mentions)


def _links_in(copy: Node) -> Iterator[str]:
    """Yield the names of links in a copied element that follow lumped links."""
    if copy.tag == 'projector':
        yield value_of(copy).partition('/')[0]
    yield from (value_of(child) for child in copy if child.tag in _LINKS_IN.get(copy.tag, ()))


def _move_pose(copy: Node, extension: Extension, release: Release) -> None:
    old = copy.first('pose')
    if old is not None and 'relative_to' in old.attrib:
        return
    text = old is not None and (old.text or '').strip() or '0 0 0 0 0 0'
    if release.is_12_3:
        text = extension.original_poses.setdefault(copy, text)
    try:
        numbers = parse_vector(' '.join(text.split()[:6]), 6)
    except ValueError:
        if not release.is_12_3:
            copy.drop('pose')
            return
        numbers = (0.0,) * 6
    pose = compose(extension.reduction, pose_from(numbers[:3], numbers[3:]))
    copy.put('pose', short_numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion))),
             () if old is None else old.sources)


def _rename(copy: Node, reduction: Pose, body: Body, parent: str, release: Release) -> None:
    """Replace the name of a lumped body in a copied element."""
    if copy.tag == 'projector':
        link, slash, projector = value_of(copy).partition('/')
        if slash and link == body.name:
            copy.clear()
            copy.text = f'{parent}/{projector}'
    for tag in _LINKS_IN.get(copy.tag, ()) if copy.tag == 'plugin' or not release.is_12_3 else ():
        child = copy.first(tag)
        if child is not None and value_of(child) == body.name:
            copy.put(tag, parent, child.sources)
            if copy.tag == 'plugin':
                mark = f'{"ignition" if release.is_12_3 else "gz"}::corrected_offsets'
                pose = compose(body.origin, _offset_of(copy, reduction))
                for name, text in (('xyzOffset', short_numbers_text(pose.xyz)),
                                   ('rpyOffset', short_numbers_text(urdfdom_rpy(pose.quaternion))),
                                   (mark, '1')):
                    old = copy.first(name)
                    copy.put(name, text, () if old is None else old.sources)


def _offset_of(plugin: Node, reduction: Pose) -> Pose:
    """Return the offset of a plugin in its link, which is that of the link if it has none."""
    position, rotation = plugin.first('xyzOffset'), plugin.first('rpyOffset')
    xyz = reduction.xyz if position is None else lenient_vector(value_of(position))
    turned = reduction if rotation is None else pose_from(
        (0.0, 0.0, 0.0), lenient_vector(value_of(rotation)))
    return Pose(xyz, turned.quaternion)


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
        return number_text(number)
    if kind is Kind.INTEGER:
        digits = _leading(INTEGER, text).lstrip()
        if len(digits) > 11 or not -2**31 <= int(digits) < 2**31:
            raise ValueError('too large for an integer')
        return str(int(digits))
    if kind is Kind.IS_TRUE:
        return 'true' if text.lower() in ('true', 'yes') or text == '1' else 'false'
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
