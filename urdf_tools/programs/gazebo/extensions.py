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
import math
import re
import sys

from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.programs.gazebo.rotation_angles import number_text
from urdf_tools.programs.gazebo.traced_xml import copied
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.gazebo.traced_xml import value_of
from urdf_tools.programs.gazebo.work_limit import WorkLimit

NUMBER = re.compile(
    r'\s*[+-]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[+-]?[0-9]+)?'
    r'|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)', re.IGNORECASE)
"""What std::stod reads at the start of a text."""

_NOT_ZERO = re.compile(r'[\s+-]*(?:0x[0.]*[1-9a-f]|[0.]*[1-9])', re.IGNORECASE)
"""The beginning of a number with a digit other than zero before its exponent."""

INTEGER = re.compile(r'\s*[+-]?[0-9]+')
"""What std::stoi reads at the start of a text."""


class Kind(Enum):
    """What the value of an option is."""

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


@dataclass(frozen=True)
class Option:
    """
    An element below ``<gazebo>`` that libsdformat converts.

    :param path: where its value goes, below the element of its scope.
    """

    scope: Scope
    kind: Kind
    path: str = ''


OPTIONS: Mapping[str, Option] = {
    'static': Option(Scope.MODEL, Kind.IS_TRUE, 'static'),
    'turnGravityOff': Option(Scope.LINK, Kind.IS_NOT_FALSE, 'gravity, inverted'),
    'dampingFactor': Option(
        Scope.LINK, Kind.NUMBER, 'velocity_decay/linear and velocity_decay/angular'),
    'selfCollide': Option(Scope.LINK, Kind.IS_TRUE, 'self_collide'),
    'mu1': Option(Scope.COLLISION, Kind.NUMBER, 'surface/friction/ode/mu'),
    'mu2': Option(Scope.COLLISION, Kind.NUMBER, 'surface/friction/ode/mu2'),
    'fdir1': Option(Scope.COLLISION, Kind.TEXT, 'surface/friction/ode/fdir1'),
    'kp': Option(Scope.COLLISION, Kind.NUMBER, 'surface/contact/ode/kp'),
    'kd': Option(Scope.COLLISION, Kind.NUMBER, 'surface/contact/ode/kd'),
    'maxVel': Option(Scope.COLLISION, Kind.NUMBER, 'surface/contact/ode/max_vel'),
    'minDepth': Option(Scope.COLLISION, Kind.NUMBER, 'surface/contact/ode/min_depth'),
    'laserRetro': Option(Scope.COLLISION, Kind.NUMBER, 'laser_retro'),
    'maxContacts': Option(Scope.COLLISION, Kind.INTEGER, 'max_contacts'),
    'material': Option(Scope.VISUAL, Kind.TEXT, 'material/script/name'),
    'stopCfm': Option(Scope.JOINT, Kind.NUMBER, 'physics/ode/limit/cfm'),
    'stopErp': Option(Scope.JOINT, Kind.NUMBER, 'physics/ode/limit/erp'),
    'springReference': Option(Scope.JOINT, Kind.NUMBER, 'axis/dynamics/spring_reference'),
    'springStiffness': Option(Scope.JOINT, Kind.NUMBER, 'axis/dynamics/spring_stiffness'),
    'provideFeedback': Option(
        Scope.JOINT, Kind.IS_TRUE, 'physics/provide_feedback and physics/ode/provide_feedback'),
    'implicitSpringDamper': Option(
        Scope.JOINT, Kind.IS_TRUE, 'physics/ode/implicit_spring_damper and cfm_damping'),
    'cfmDamping': Option(
        Scope.JOINT, Kind.IS_TRUE, 'physics/ode/implicit_spring_damper and cfm_damping'),
    'fudgeFactor': Option(Scope.JOINT, Kind.NUMBER, 'physics/ode/fudge_factor'),
    'preserveFixedJoint': Option(Scope.LUMPING, Kind.IS_TRUE),
    'disableFixedJointLumping': Option(Scope.LUMPING, Kind.IS_TRUE),
    'canonicalBody': Option(Scope.NOTHING, Kind.TEXT),
}
"""The options by their tags; all other elements are copied as they are."""

KEEP_JOINT = ('preserveFixedJoint', 'disableFixedJointLumping')
"""Options that keep a fixed joint: as it is, or as a revolute joint without a range."""

_LINKS_IN = {'plugin': ('bodyName', 'frameName'), 'joint': ('parent', 'child')}

_SAME_SETTING = {'cfmDamping': 'implicitSpringDamper'}


class ConversionStops(Exception):
    """
    An element at which libsdformat stops.

    :param element: the element that it cannot read.
    :param reason: why, one sentence.
    """

    def __init__(self, element: Element, reason: str):
        super().__init__(reason)
        self.element = element
        self.reason = reason


@dataclass(frozen=True)
class Setting:
    """The value of an option as SDFormat writes it, and the element that gives it."""

    text: str
    element: Element


@dataclass(eq=False)
class Extension:
    """
    One ``<gazebo>`` element.

    :param written_for: the link or joint that it names; lumping moves it to another link.
    :param blobs: the elements that are copied to the link, the joint or the model.
    :param reduction: pose of the lumped link, in the link that has its extensions now.
    """

    written_for: str
    element: Element | None = None
    settings: dict[str, Setting] = field(default_factory=dict)
    blobs: list[Node] = field(default_factory=list)
    collision_blobs: list[Node] = field(default_factory=list)
    visual_blobs: list[Node] = field(default_factory=list)
    reduction: Pose = Pose()
    original_poses: dict[Node, str] = field(default_factory=dict)


@dataclass(eq=False)
class Extensions:
    """
    All ``<gazebo>`` elements of a robot.

    :param by_reference: the extensions of each link and joint, and of the model under ''.
    :param preserved: fixed joints that stay fixed joints.
    :param revolute: fixed joints that become revolute joints without a range.
    :param work: counts what the conversion repeats.
    """

    by_reference: dict[str, list[Extension]]
    preserved: frozenset[str]
    revolute: frozenset[str]
    work: WorkLimit = field(default_factory=WorkLimit)

    @cached_property
    def by_mention(self) -> dict[str, list[tuple[Extension, Node]]]:
        """The copied elements that name links, by these names, each with its extension."""
        mentions: dict[str, list[tuple[Extension, Node]]] = {}
        for extensions in self.by_reference.values():
            for extension in extensions:
                for blob in extension.blobs:
                    for name in _names_in(blob):
                        mentions.setdefault(name, []).append((extension, blob))
        return mentions

    def of(self, reference: str) -> list[Extension]:
        """Return the extensions of a link or joint."""
        return self.by_reference.get(reference, [])


def _names_in(blob: Node) -> Iterator[str]:
    """Yield the names of links in a copied element that follow lumped links."""
    if blob.tag == 'projector':
        yield value_of(blob).partition('/')[0]
    for child in blob:
        if child.tag in _LINKS_IN.get(blob.tag, ()):
            yield value_of(child)


def read_extensions(elements: Iterable[Element]) -> Extensions:
    """
    Read ``<gazebo>`` elements.

    :raises ConversionStops: an option is not a number.
    """
    by_reference: dict[str, list[Extension]] = {}
    kept: dict[str, set[str]] = {option: set() for option in KEEP_JOINT}
    for element in elements:
        reference = element.get('reference', '')
        extension = _read(element, reference)
        by_reference.setdefault(reference, []).append(extension)
        for option, joints in kept.items():
            if any(child.tag == option and is_true(value_of(child)) for child in element):
                joints.add(reference)
    preserved, revolute = (frozenset(kept[option]) for option in KEEP_JOINT)
    return Extensions(by_reference, preserved, revolute - preserved)


def is_true(text: str) -> bool:
    """Tell whether libsdformat takes the value of an option for true."""
    return text.lower() in ('true', 'yes') or text == '1'


def _read(element: Element, reference: str) -> Extension:
    # libsdformat notes the reference with the first child.
    extension = Extension(reference if len(element) else '', element)
    for child in element:
        if child.tag in OPTIONS:
            name = _SAME_SETTING.get(child.tag, child.tag)
            extension.settings[name] = Setting(_setting_text(child), child)
        elif child.tag in ('collision', 'visual'):
            blobs = (extension.collision_blobs if child.tag == 'collision'
                     else extension.visual_blobs)
            blobs.extend(map(copied, child))
        else:
            extension.blobs.append(copied(child))
    return extension


def _setting_text(element: Element) -> str:
    text = value_of(element)
    kind = OPTIONS[element.tag].kind
    if kind is Kind.NUMBER:
        written = _leading(NUMBER, text, element)
        is_hexadecimal = 'x' in written.lower()
        number = float.fromhex(written) if is_hexadecimal else float(written)
        if math.isinf(number) and 'inf' not in text.lower():
            raise _stop(element, 'too large for a number')
        if abs(number) < sys.float_info.min and _NOT_ZERO.match(written):
            raise _stop(element, 'too close to zero for a number')
        return number_text(number)
    if kind is Kind.INTEGER:
        digits = _leading(INTEGER, text, element).lstrip()
        if len(digits) > 11 or not -2**31 <= int(digits) < 2**31:
            raise _stop(element, 'too large for an integer')
        return str(int(digits))
    if kind is Kind.IS_TRUE:
        return 'true' if is_true(text) else 'false'
    if kind is Kind.IS_NOT_FALSE:
        # The one such option, turnGravityOff, is inverted.
        return 'true' if text.lower() in ('false', 'no') or text == '0' else 'false'
    return text


def _leading(pattern: re.Pattern[str], text: str, element: Element) -> str:
    """Return the number at the start of a text; C++ ignores what follows it."""
    match = pattern.match(text)
    if match is None:
        raise _stop(element, 'not a number')
    return match[0]


def _stop(element: Element, fault: str) -> ConversionStops:
    return ConversionStops(
        element, f'<{element.tag}> is {quote(value_of(element))}, which is {fault}, '
                 'and libsdformat ends with an exception')
