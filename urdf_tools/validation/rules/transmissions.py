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

"""Rules about <transmission> elements."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.values import parse_number
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import TRANSMISSION
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import first_of_many
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('extensions')

_REJECTS = {
    'drake': 'refuses the description', 'urdf_parser_py': 'refuses the whole description'}

_TYPES = ('SimpleTransmission', 'DifferentialTransmission', 'FourBarLinkageTransmission')

_REDUCTIONS = ('mechanicalReduction', 'mechanical_reduction')


def _type(transmission: Element) -> str:
    """Return the type of a transmission, given as an attribute or a child, or an empty string."""
    kind = transmission.get('type') or transmission.findtext('type') or ''
    return kind.strip()


def _class_name(kind: str) -> str:
    return kind.replace('::', '/').rpartition('/')[2]


def _transmissions(description: Description) -> Iterator[Element]:
    """Yield every transmission except those of the PR2, which have formats of their own."""
    for transmission in description.transmissions:
        if not _type(transmission).startswith('pr2_mechanism_model/'):
            yield transmission


@rule('transmission-no-name', WARN, hint='Write <transmission name="...">', consumers={
    'urdf_parser_py': 'refuses the whole description'})
def transmission_no_name(description: Description) -> Iterator[Defect]:
    """Check that every transmission has a name."""
    for transmission in description.transmissions:
        if not transmission.get('name'):
            yield Defect(transmission, 'A transmission has no name',
                         misspelling_hint(transmission, TRANSMISSION, 'name'))


@rule('transmission-no-type', ERROR,
      hint='Write <type>transmission_interface/SimpleTransmission</type>', consumers=_REJECTS)
def transmission_no_type(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission has a type.

    An empty <type/> even ends Drake with a segmentation fault.
    """
    for transmission in description.transmissions:
        if not _type(transmission):
            yield Defect(transmission, f'{subject(transmission)} has no type',
                         misspelling_hint(transmission, TRANSMISSION, 'type'))


@rule('transmission-unknown-type', WARN,
      hint='Write transmission_interface/SimpleTransmission',
      consumers={'drake': 'ignores every transmission but SimpleTransmission'})
def transmission_unknown_type(description: Description) -> Iterator[Defect]:
    """
    Check that the type of every transmission is one that ROS defines.

    A type of another package than transmission_interface can be a plugin of the robot, and is
    only noted.
    """
    for transmission in _transmissions(description):
        kind = _type(transmission)
        if kind and _class_name(kind) not in _TYPES and not is_expression(kind):
            yield Defect(
                transmission, f'{subject(transmission)} has the unknown type {quote(kind)}',
                did_you_mean(_class_name(kind), _TYPES),
                INFO if kind[:-len(_class_name(kind))].rstrip('/:') not in (
                    '', 'transmission_interface') else None)


@rule('transmission-no-joint', ERROR, hint='Write <joint name="..."> in the transmission',
      consumers=_REJECTS)
def transmission_no_joint(description: Description) -> Iterator[Defect]:
    """Check that every transmission names its joint."""
    yield from _without_part(description, 'joint')


@rule('transmission-no-actuator', ERROR, hint='Write <actuator name="..."> in the transmission',
      consumers=_REJECTS)
def transmission_no_actuator(description: Description) -> Iterator[Defect]:
    """Check that every transmission names its actuator."""
    yield from _without_part(description, 'actuator')


def _without_part(description: Description, tag: str) -> Iterator[Defect]:
    for transmission in _transmissions(description):
        parts = transmission.findall(tag)
        if not parts and _class_name(_type(transmission)) in _TYPES:
            yield Defect(transmission, f'{subject(transmission)} has no <{tag}>',
                         misspelling_hint(transmission, TRANSMISSION, tag))
        for part in parts:
            if not part.get('name'):
                yield Defect(part, f'The <{tag}> of {describe(transmission)} has no name',
                             misspelling_hint(part, TRANSMISSION.descendant(tag), 'name'))


@rule('transmission-duplicate-actuator', WARN, hint='Rename one of them', consumers={
    'drake': 'refuses the description'})
def transmission_duplicate_actuator(description: Description) -> Iterator[Defect]:
    """Check that no two transmissions have an actuator of the same name."""
    first: dict[str, Element] = {}
    for transmission in _transmissions(description):
        if _class_name(_type(transmission)) != 'SimpleTransmission':
            continue
        for actuator in transmission.findall('actuator')[:1]:
            name = actuator.get('name')
            if name and first.setdefault(name, actuator) is not actuator:
                yield Defect(actuator, f'The {describe(actuator)} of {describe(transmission)} is '
                                       f'already defined {first[name].position}')


def _driven_joints(
        description: Description) -> Iterator[tuple[Element, Element, str, Element | None]]:
    """Yield every transmission with each of its joints: the element, its name, the robot's."""
    for transmission in description.transmissions:
        for part in transmission.findall('joint'):
            name = part.get('name')
            if name:
                yield transmission, part, name, description.joint_names.get(name)


@rule('transmission-unknown-joint', WARN, hint='Name a joint of this robot', consumers={
    'drake': 'refuses the description'})
def transmission_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that the joint of every transmission exists."""
    for transmission, part, name, joint in _driven_joints(description):
        if joint is None and not description.is_template:
            yield Defect(
                part, f'{subject(transmission)} drives {describe(part)}, which does not exist',
                did_you_mean(name, description.joint_spelling))


@rule('transmission-on-fixed', WARN, hint='Remove the transmission, or make the joint movable',
      consumers={'drake': 'ignores the transmission'})
def transmission_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no transmission drives a fixed joint."""
    for transmission, part, _, joint in _driven_joints(description):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, f'{subject(transmission)} drives {describe(joint)}, which is fixed')


def _reductions(description: Description) -> Iterator[tuple[Element, float | None, str]]:
    """Yield every mechanical reduction with its value, or None and why it cannot be read."""
    for transmission in description.transmissions:
        for element in transmission.iter():
            text = (element.text or '').strip()
            if element.tag in _REDUCTIONS and text and not is_expression(text):
                try:
                    yield element, parse_number(text), ''
                except ValueError as error:
                    yield element, None, str(error)


def _owner(reduction: Element) -> str:
    return '' if reduction.parent is None else f' of {describe(reduction.parent)}'


@rule('transmission-reduction-zero', WARN, hint='Write the gear ratio, such as 50')
def transmission_reduction_zero(description: Description) -> Iterator[Defect]:
    """Check that every mechanical reduction is a number other than zero."""
    for element, value, reason in _reductions(description):
        if not value:
            fault = f'cannot be read: {reason}' if value is None else 'is zero'
            yield Defect(element, f'The mechanical reduction{_owner(element)} {fault}')


@rule('transmission-reduction-ignored', INFO, hint='For Drake, add <drake:gear_ratio>',
      consumers={'drake': 'ignores the reduction'})
def transmission_reduction_ignored(description: Description) -> Iterator[Defect]:
    """
    Check that every mechanical reduction is 1.

    Drake ignores any other value.
    """
    found = [(element, value) for element, value, _ in _reductions(description)
             if value not in (None, 0, 1)]
    if found:
        element, value = found[0]
        yield Defect(element, f'The mechanical reduction{_owner(element)} is {value:g}, which '
                              f'Drake ignores{first_of_many(found)}')
