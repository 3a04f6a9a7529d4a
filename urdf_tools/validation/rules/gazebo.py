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

"""Rules about <gazebo> elements, and about what Gazebo drops from a description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
import re

from urdf_tools.findings.finding import Severity
from urdf_tools.model.element import Element
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import JointType
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.programs.gazebo.extensions import INTEGER
from urdf_tools.programs.gazebo.extensions import Kind
from urdf_tools.programs.gazebo.extensions import NUMBER
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import setting_text
from urdf_tools.programs.gazebo.traced_xml import value_of
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.wording import describe

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('extensions')


_NUMBERS = frozenset(
    tag for tag, option in OPTIONS.items() if option.kind in (Kind.NUMBER, Kind.INTEGER))
"""The children of <gazebo> that sdformat reads with std::stod, maxContacts with std::stoi."""

_SWITCHES = frozenset(
    tag for tag, option in OPTIONS.items() if option.kind in (Kind.IS_TRUE, Kind.IS_NOT_FALSE))
"""The children of <gazebo> that sdformat compares with words for true and false."""

_TRUE, _FALSE = ('true', 'yes', '1'), ('false', 'no', '0')


def _references(description: Description) -> Iterator[tuple[Element, str]]:
    """Yield every <gazebo> that refers to a link or joint, with the name of that."""
    for element in description.gazebo:
        reference = element.get('reference')
        if reference and not is_expression(reference):
            yield element, reference


@rule('gazebo-unknown-reference', WARN, hint='Name a link or joint of this robot', consumers={
    'gazebo': 'silently ignores the content of the element'})
def gazebo_unknown_reference(description: Description) -> Iterator[Defect]:
    """Check that every <gazebo reference> names a link or joint."""
    for element, reference in _references(description):
        if (reference not in description.link_names and reference not in description.joint_names
                and not description.is_template):
            yield Defect(
                element,
                f'<gazebo> refers to {quote(reference, 80)}, which is neither a link nor a joint',
                did_you_mean(reference, description.link_spelling)
                or did_you_mean(reference, description.joint_spelling))


@rule('gazebo-reference-lumped', INFO,
      hint='To keep the link, add <gazebo reference="JOINT"><preserveFixedJoint>true'
           '</preserveFixedJoint></gazebo>', consumers={
               'gazebo': 'applies the element to the parent link'})
def gazebo_reference_lumped(description: Description) -> Iterator[Defect]:
    """Check that no <gazebo reference> names a link that is lumped into another link."""
    conversion = in_gazebo(description)
    if conversion is None:
        return
    for element, reference in _references(description):
        if reference not in description.link_names or reference in description.joint_names:
            continue
        body = conversion.model.bodies[reference]
        if body.lumped_into is not None and body.parent is not None:
            yield Defect(element, f'Gazebo lumps link {quote(reference, 80)} into link '
                                  f'{quote(body.parent.name, 80)}, because '
                                  f'{describe(body.joint_element)} is fixed')


@rule('gazebo-value-malformed', ERROR, hint='Write a number, or true or false', consumers={
    'gazebo': 'ends with an exception, or uses another value than the one that was meant'})
def gazebo_value_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that numbers and switches directly in <gazebo> can be read.

    A number that cannot be read ends Gazebo with an exception. It is a warning where only the
    beginning is read, as 0 of 0,5, and where a switch is none of true, yes, 1, false, no and 0.
    """
    for extension in description.gazebo:
        for element in extension:
            text = value_of(element)
            if is_expression(text):
                continue
            if element.tag in _NUMBERS:
                yield from _malformed_number(element, text)
            elif element.tag in _SWITCHES and text.lower() not in (*_TRUE, *_FALSE):
                result = 'true' if element.tag == 'turnGravityOff' else 'false'
                yield Defect(
                    element, f'{quote(text, 80)} in <{element.tag}> is neither true nor false, '
                             f'and Gazebo takes it for {result}', 'Write true or false', WARN)


def _malformed_number(element: Element, text: str) -> Iterator[Defect]:
    try:
        setting_text(element)
    except ValueError as reason:
        what = f'{reason}: {quote(text, 80)}' if text else 'empty'
        yield Defect(element, f'<{element.tag}> in <gazebo> is {what}', 'Write a number')
        return
    match = (INTEGER if element.tag == 'maxContacts' else NUMBER).match(text)
    if match is not None and match.end() < len(text):
        yield Defect(
            element, f'Gazebo reads only {match[0].strip()!r} of the number {quote(text, 80)} in '
                     f'<{element.tag}>', 'Write one number, with a decimal point', WARN)


@rule('gazebo-ros1-plugin', INFO,
      hint='Use gz_ros2_control, or a gz-sim system with a ros_gz bridge', consumers={
          'gazebo': 'cannot load the plugin (Gazebo Classic reached its end of life in January '
                    '2025)'})
def gazebo_ros1_plugin(description: Description) -> Iterator[Defect]:
    """Check that no plugin is made for Gazebo Classic."""
    for element in description.gazebo:
        for plugin in element.iter('plugin'):
            filename = plugin.get('filename', '')
            if re.match(r'(?:lib)?(?:gazebo_ros|gazebo_plugins|gazebo_mimic)', filename):
                yield Defect(plugin, f'{quote(filename, 80)} is a plugin for Gazebo Classic')


@rule('sdf-dropped-link', WARN,
      hint='Give the link a mass, or attach it to one that has a mass with a fixed joint',
      consumers={'gazebo': 'drops the link, its joint and all its descendants'})
def sdf_dropped_link(description: Description) -> Iterator[Defect]:
    """
    Check that Gazebo keeps every plain frame.

    Gazebo drops a link without mass unless a fixed joint lumps it into another link. A link
    without mass that has a shape or is moved by a joint is reported by inertial-missing, a mass
    that is not positive by mass-zero or mass-negative, and a robot of which no link is left by
    gazebo-model-refused.
    """
    conversion = in_gazebo(description)
    inertials = [child(link, 'inertial') for link in description.links]
    has_inertials = any(inertial is not None for inertial in inertials)
    if conversion is None or (
            not conversion.model.links if has_inertials else description.shapes):
        return
    for body, lost in Counter(conversion.model.lost.values()).items():
        if (body.joint is not None and body.joint.type is not JointType.FIXED
                or any(part.tag in ('visual', 'collision', 'inertial') for part in body.element)):
            continue
        descendants = f' and its {count(lost - 1, "descendant")}' if lost > 1 else ''
        yield Defect(body.element, f'Gazebo drops {describe(body.element)}{descendants}, because '
                                   'it has no mass')


@rule('gazebo-model-incomplete', INFO,
      hint='Run urdf-tools sdf, which tells what is lost, and why', consumers={
          'gazebo': 'drops parts of the robot, and logs it to a file at best'})
def gazebo_model_incomplete(description: Description) -> Iterator[Defect]:
    """
    Check that all links and moving joints reach Gazebo.

    Links without mass are dropped with all below them, and SDFormat has no planar and floating
    joints. A link that is lumped into another one reaches Gazebo, too.
    """
    conversion = in_gazebo(description)
    if (conversion is not None and not conversion.summary.is_complete
            and not description.is_template):
        yield Defect(description.robot, conversion.summary.headline)
