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

"""Rules about what is in a description for one program: transmissions, ros2_control, Gazebo."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.model.document import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.values import parse_number
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixed_joint_lumping import FixedJointLumping
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import is_foreign
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import first_of_many
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('extensions')

_REFUSES = {
    'drake': 'refuses the description', 'urdf_parser_py': 'refuses the whole description'}

_DIES = {'ros2_control': 'refuses the description, and no controller starts'}

_TYPES = frozenset((
    'SimpleTransmission', 'DifferentialTransmission', 'FourBarLinkageTransmission'))

_REDUCTIONS = ('mechanicalReduction', 'mechanical_reduction')

_ROS2_CONTROL_TYPES = ('system', 'actuator', 'sensor')

_ROS2_CONTROL_PARTS = (
    'hardware', 'joint', 'sensor', 'gpio', 'transmission', 'properties')


def _text(element: Element | None) -> str:
    return '' if element is None else (element.text or '').strip()


def _type(transmission):
    return (transmission.get('type') or _text(child(transmission, 'type'))).strip()


def _is_known(kind):
    return kind.rpartition('/')[2] in _TYPES


def _transmissions(description):
    """Yield every transmission but those of the PR2, which have forms of their own."""
    for transmission in description.transmissions:
        if not _type(transmission).startswith('pr2_mechanism_model/'):
            yield transmission


@rule('transmission-no-type', ERROR,
      hint='Write <type>transmission_interface/SimpleTransmission</type>', consumers=_REFUSES)
def transmission_no_type(description: Description) -> Iterator[Defect]:
    """Check that every transmission has a type."""
    for transmission in description.transmissions:
        if not _type(transmission):
            yield Defect(transmission, f'{subject(transmission)} has no type')


@rule('transmission-unknown-type', WARN,
      hint='Write transmission_interface/SimpleTransmission',
      consumers={'drake': 'ignores every transmission but SimpleTransmission'})
def transmission_unknown_type(description: Description) -> Iterator[Defect]:
    """Check that the type of every transmission is one that ROS has."""
    for transmission in _transmissions(description):
        kind = _type(transmission)
        if kind and not _is_known(kind) and not is_expression(kind):
            yield Defect(transmission, f'{subject(transmission)} has the unknown type '
                                       f'{quote(kind)}')


@rule('transmission-no-joint', ERROR, hint='Write <joint name="..."> in it', consumers=_REFUSES)
def transmission_no_joint(description: Description) -> Iterator[Defect]:
    """Check that every transmission names its joint."""
    yield from _without_part(description, 'joint')


@rule('transmission-no-actuator', ERROR, hint='Write <actuator name="..."> in it',
      consumers=_REFUSES)
def transmission_no_actuator(description: Description) -> Iterator[Defect]:
    """Check that every transmission names its actuator."""
    yield from _without_part(description, 'actuator')


def _without_part(description, tag):
    for transmission in _transmissions(description):
        parts = transmission.findall(tag)
        if not parts and _is_known(_type(transmission)):
            yield Defect(transmission, f'{subject(transmission)} has no <{tag}>')
        for part in parts:
            if not part.get('name'):
                yield Defect(part, f'<{tag}> of {describe(transmission)} has no name')


def _driven(description):
    """Yield every <joint> of a transmission with the joint that it names, if there is one."""
    for transmission in description.transmissions:
        for part in transmission.findall('joint'):
            if part.get('name'):
                yield transmission, part, description.joint_names.get(part.get('name'))


@rule('transmission-unknown-joint', ERROR, hint='Name a joint of this robot', consumers={
    'drake': 'refuses the description', 'gazebo': 'does not move the joint'})
def transmission_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that the joint of every transmission exists."""
    for transmission, part, joint in _driven(description):
        if joint is None and not description.is_template:
            yield Defect(part, f'{subject(transmission)} drives {_named(part)}, and '
                               f'there is no such joint', _joint_hint(description, part))


def _named(part):
    return quote(part.get('name'), 80)


def _joint_hint(description, part):
    return did_you_mean(part.get('name'), description.joint_spelling)


@rule('transmission-on-fixed', WARN, hint='Remove it, or let the joint move', consumers={
    'drake': 'ignores the transmission'})
def transmission_on_fixed(description: Description) -> Iterator[Defect]:
    """Check that no transmission drives a fixed joint."""
    for transmission, part, joint in _driven(description):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, f'{subject(transmission)} drives {describe(joint)}, which '
                               f'is fixed')


def _reductions(description):
    """Yield every mechanical reduction that is given, with its value or why there is none."""
    for transmission in description.transmissions:
        for element in transmission.iter():
            text = _text(element)
            if element.tag in _REDUCTIONS and text and not is_expression(text):
                try:
                    yield element, parse_number(text), ''
                except ValueError as error:
                    yield element, None, str(error)


@rule('transmission-reduction-zero', WARN, hint='Write the gear ratio, such as 50', consumers={
    'gazebo': 'divides by zero', 'ros2_control': 'refuses the transmission'})
def transmission_reduction_zero(description: Description) -> Iterator[Defect]:
    """Check that every mechanical reduction is a number other than zero."""
    for element, value, reason in _reductions(description):
        if not value:
            yield Defect(element, f'The reduction of {describe(element.parent)} ' + (
                f'cannot be read: {reason}' if value is None else 'is zero'))


@rule('transmission-reduction-ignored', WARN, hint='For Drake, write <drake:gear_ratio> as well',
      consumers={'drake': 'ignores it'})
def transmission_reduction_ignored(description: Description) -> Iterator[Defect]:
    """Check that no mechanical reduction differs from 1, which not every program minds."""
    found = [(element, value) for element, value, _ in _reductions(description)
             if value not in (None, 0, 1)]
    if found:
        element, value = found[0]
        yield Defect(element, f'A reduction other than 1 ({value:g}) has no effect in some '
                              f'programs{first_of_many(found)}')


def _components(description, *tags):
    """Yield every <ros2_control> with each of its parts of these kinds."""
    for system in description.ros2_control:
        for part in system:
            if part.tag in tags:
                yield system, part


@rule('ros2control-malformed', ERROR, hint='See the manual of ros2_control', consumers=_DIES)
def ros2control_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> holds what its reader takes.

    A name and a type for the whole, names for parts, interfaces and parameters, whole numbers
    for sizes and rates, and nothing else.
    """
    for system in description.ros2_control:
        for name in ('name', 'type'):
            if name not in system.attrib:
                yield Defect(system, f'A <ros2_control> has no {name}', f'Write {name}="..."')
        kind = system.get('type')
        if kind is not None and kind.strip() not in _ROS2_CONTROL_TYPES:
            yield Defect(system, f'{subject(system)} has the unknown type {quote(kind)}',
                         f'Write one of {", ".join(_ROS2_CONTROL_TYPES)}')
        if not re.fullmatch(r'\s*[0-9]+\s*', system.get('rw_rate', '0')):
            yield Defect(system, f'rw_rate of {describe(system)} is no whole number')
        for part in system:
            yield from _malformed_part(system, part)


def _malformed_part(system, part):
    if is_foreign(part.tag):
        return
    if part.tag not in _ROS2_CONTROL_PARTS:
        yield Defect(part, f'<{part.tag}> has no meaning in {describe(system)}',
                     'Write one of ' + ', '.join(f'<{tag}>' for tag in _ROS2_CONTROL_PARTS))
        return
    named = ('joint', 'sensor', 'gpio', 'transmission', 'command_interface', 'state_interface',
             'param', 'actuator')
    for element in part.iter():
        if element.tag in named and not element.get('name'):
            yield Defect(element, f'<{element.tag}> of {describe(system)} has no name',
                         'Write name="..."')
        if not re.fullmatch(r'\s*[1-9][0-9]*\s*', element.get('size', '1')):
            yield Defect(element, f'The size of {describe(element)} is no whole number above zero')


@rule('ros2control-no-plugin', ERROR,
      hint='Write <hardware><plugin>mock_components/GenericSystem</plugin></hardware>',
      consumers=_DIES)
def ros2control_no_plugin(description: Description) -> Iterator[Defect]:
    """Check that every <ros2_control> names the plugin of its hardware."""
    for system in description.ros2_control:
        hardware = child(system, 'hardware')
        if not _text(child(hardware, 'plugin')):
            yield Defect(system if hardware is None else hardware,
                         f'{subject(system)} names no plugin for its hardware')


@rule('ros2control-unknown-joint', ERROR, hint='Name a joint of this robot', consumers=_DIES)
def ros2control_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that every joint in <ros2_control> exists."""
    for system, part in _components(description, 'joint'):
        if (part.get('name') and part.get('name') not in description.joint_names
                and not description.is_template):
            yield Defect(part, f'{subject(system)} controls {_named(part)}, and there is '
                               f'no such joint', _joint_hint(description, part))


@rule('ros2control-fixed-joint', ERROR, hint='Remove it', consumers=_DIES)
def ros2control_fixed_joint(description: Description) -> Iterator[Defect]:
    """Check that no joint in <ros2_control> is fixed."""
    for system, part in _components(description, 'joint'):
        joint = description.joint_names.get(part.get('name'))
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, f'{subject(system)} controls {describe(joint)}, which is '
                               f'fixed')


@rule('ros2control-duplicate-joint', WARN, hint='Remove one of them', consumers={
    'ros2_control': 'refuses the second if both offer the same interface'})
def ros2control_duplicate_joint(description: Description) -> Iterator[Defect]:
    """Check that no interface to command a joint is offered twice."""
    first = {}
    for _, part in _components(description, 'joint'):
        for interface in part.findall('command_interface'):
            offer = part.get('name'), interface.get('name')
            if None not in offer and first.setdefault(offer, interface) is not interface:
                yield Defect(
                    interface, f'Command interface {offer[1]!r} of {describe(part)} is offered '
                               f'before, in line {first[offer].line}')


@rule('ros2control-mimic-command-interface', ERROR,
      hint='Write mimic="false" for this joint, or remove its command interfaces',
      consumers=_DIES)
def ros2control_mimic_command_interface(description: Description) -> Iterator[Defect]:
    """Check that a joint that mimics another has no interface to command it."""
    for _, part in _components(description, 'joint'):
        joint = description.joint_names.get(part.get('name'))
        command = child(part, 'command_interface')
        if (child(joint, 'mimic') is not None and command is not None
                and part.get('mimic', '').strip().lower() != 'false'):
            yield Defect(command, f'{subject(joint)} mimics another and cannot be '
                                  f'commanded')


@rule('ros2control-mimic-broken', ERROR,
      hint='Let the joint have a <mimic>, whose joint stands in the same <ros2_control>',
      consumers=_DIES)
def ros2control_mimic_broken(description: Description) -> Iterator[Defect]:
    """Check that a joint that <ros2_control> takes for mimicking does, and its leader is there."""
    for system, part in _components(description, 'joint'):
        joint = description.joint_names.get(part.get('name'))
        wanted = part.get('mimic', '').strip().lower()
        if joint is None or wanted == 'false':
            continue
        mimic = child(joint, 'mimic')
        names = {other.get('name') for other in system.findall('joint')}
        if mimic is None and wanted == 'true':
            yield Defect(part, f'{subject(joint)} has no <mimic>')
        elif mimic is not None and mimic.get('joint') and mimic.get('joint') not in names:
            yield Defect(part, f'{subject(joint)} mimics {mimic.get("joint")!r}, which '
                               f'is not in {describe(system)}')


def _references(description):
    for element in description.gazebo:
        reference = element.get('reference')
        if reference and not is_expression(reference):
            yield element, reference


@rule('gazebo-unknown-reference', WARN, hint='Name a link or joint of this robot', consumers={
    'gazebo': 'ignores what is in it, without a word'})
def gazebo_unknown_reference(description: Description) -> Iterator[Defect]:
    """Check that every <gazebo reference> names a link or a joint."""
    for element, reference in _references(description):
        if (reference not in description.link_names and reference not in description.joint_names
                and not description.is_template):
            yield Defect(element, f'There is neither a link nor a joint {quote(reference, 80)}')


@rule('gazebo-reference-lumped', INFO,
      hint='To keep the link, write <preserveFixedJoint>true</preserveFixedJoint> in a '
           '<gazebo reference="JOINT">', consumers={'gazebo': 'applies it to the parent link'})
def gazebo_reference_lumped(description: Description) -> Iterator[Defect]:
    """Check that no <gazebo reference> names a link that becomes part of another."""
    lumping = description.cached(FixedJointLumping)
    for element, reference in _references(description):
        if reference not in description.link_names or reference in description.joint_names:
            continue
        joint = description.topology.parent_joint(reference)
        if joint is not None and lumping.is_lumped(joint):
            parent = attached_link(joint, 'parent')
            yield Defect(
                element, f'Link {reference!r} becomes part of {parent!r}, by {describe(joint)}')


@rule('gazebo-ros1-plugin', INFO,
      hint='Use gz_ros2_control, or a system of gz-sim with a bridge of ros_gz', consumers={
          'gazebo': 'does not find the plugin; Gazebo Classic ended in January 2025'})
def gazebo_ros1_plugin(description: Description) -> Iterator[Defect]:
    """Check that no plugin is one for Gazebo Classic."""
    for element in description.gazebo:
        for plugin in element.iter('plugin'):
            filename = plugin.get('filename', '')
            if re.match(r'(?:lib)?(?:gazebo_ros|gazebo_plugins|gazebo_mimic)', filename):
                yield Defect(plugin, f'{quote(filename, 80)} is a plugin for Gazebo Classic')


@rule('sdf-dropped-link', WARN, hint='Give it a mass, or fix it to a link that has one',
      consumers={'gazebo': 'drops the link, its joint and all that it carries'})
def sdf_dropped_link(description: Description) -> Iterator[Defect]:
    """
    Check that no mere frame without mass stands where Gazebo needs a body.

    A link that has a shape or is moved by a joint is found by inertial-missing, one with a mass
    that is not positive by mass-zero or mass-negative.
    """
    masses = [child(link, 'inertial') for link in description.links]
    if description.shapes and not any(inertial is not None for inertial in masses):
        return
    for name in description.cached(FixedJointLumping).dropped_links():
        link = description.link_names[name]
        joint = description.topology.parent_joint(name)
        if (any(child(link, tag) is not None for tag in ('visual', 'collision', 'inertial'))
                or joint is not None and joint.get('type') != 'fixed'):
            continue
        carried = sum(1 for _ in description.topology.descendants(name))
        more = f' with all that it carries ({carried} more)' if carried else ''
        yield Defect(link, f'Gazebo drops {describe(link)}{more}, since it has no mass')


@rule('frame-incomplete', ERROR, hint='Write <frame name="..." link="..."/>', consumers={
    'drake': 'refuses the description'})
def frame_incomplete(description: Description) -> Iterator[Defect]:
    """Check that every <frame> of Drake has a name and a link."""
    for element in description.robot.findall('frame'):
        for name in ('name', 'link'):
            if not element.get(name):
                yield Defect(element, f'{subject(element)} has no {name}')


@rule('loop-joint', ERROR, hint='Remove it: URDF describes trees', consumers={
    'drake': 'refuses the description'})
def loop_joint(description: Description) -> Iterator[Defect]:
    """Check that there is no <loop_joint>, which Drake used to read."""
    for element in description.robot.findall('loop_joint'):
        yield Defect(element, f'{subject(element)} is not read any more')
