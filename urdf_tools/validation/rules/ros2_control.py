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

"""Rules about <ros2_control> elements."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.findings.finding import Severity
from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import is_foreign
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN = Severity.ERROR, Severity.WARN
rule = in_category('extensions')

_REJECTS = {'ros2_control': 'refuses the description, so that no controller starts'}

_TYPES = ('system', 'actuator', 'sensor')

_PARTS = ('hardware', 'joint', 'sensor', 'gpio', 'transmission', 'properties')

_NAMED = ('joint', 'sensor', 'gpio', 'transmission', 'command_interface', 'state_interface',
          'param', 'actuator')


@rule('ros2control-malformed', ERROR,
      hint='Write the parts, names and numbers that ros2_control defines', consumers=_REJECTS)
def ros2control_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> contains only what its parser accepts.

    It needs a name and a type, names for its parts, interfaces and parameters, and whole numbers
    for sizes and rates.
    """
    for system in description.ros2_control:
        for name in ('name', 'type'):
            if name not in system.attrib:
                yield Defect(system, f'A <ros2_control> has no {name}', f'Write {name}="..."')
        kind = system.get('type')
        if kind is not None and kind.strip() not in _TYPES:
            yield Defect(system, f'{subject(system)} has the unknown type {quote(kind)}',
                         did_you_mean(kind, _TYPES) or f'Write one of {", ".join(_TYPES)}')
        rate = system.get('rw_rate', '0')
        if not re.fullmatch(r'\s*[0-9]+\s*', rate):
            yield Defect(system, f'The rw_rate of {describe(system)} is not a whole number '
                                 f'({quote(rate)})', 'Write rw_rate="100" for 100 Hz')
        for part in system:
            yield from _malformed_part(system, part)


def _malformed_part(system: Element, part: Element) -> Iterator[Defect]:
    if is_foreign(part.tag):
        return
    if part.tag not in _PARTS:
        yield Defect(part, f'<{part.tag}> is not a part of <ros2_control>',
                     did_you_mean(part.tag, _PARTS)
                     or f'Write one of {", ".join(f"<{tag}>" for tag in _PARTS)}')
        return
    for element in part.iter():
        if element.tag in _NAMED and not element.get('name'):
            yield Defect(element, f'A <{element.tag}> of {describe(system)} has no name',
                         f'Write <{element.tag} name="...">')
        size = element.get('size', '1')
        if not re.fullmatch(r'\s*[1-9][0-9]*\s*', size):
            yield Defect(element, f'The size of {describe(element)} is not a whole number above '
                                  f'zero ({quote(size)})', 'Write size="1", or omit it')


@rule('ros2control-no-plugin', ERROR,
      hint='Write <hardware><plugin>mock_components/GenericSystem</plugin></hardware>',
      consumers=_REJECTS)
def ros2control_no_plugin(description: Description) -> Iterator[Defect]:
    """Check that every <ros2_control> names its hardware plugin."""
    for system in description.ros2_control:
        hardware = child(system, 'hardware')
        plugin = '' if hardware is None else hardware.findtext('plugin', '')
        if not plugin.strip():
            yield Defect(system if hardware is None else hardware,
                         f'{subject(system)} names no hardware plugin')


def _joints(description: Description) -> Iterator[tuple[Element, Element, Element | None]]:
    """Yield each <joint> of each <ros2_control> with the joint of the robot that it names."""
    for system in description.ros2_control:
        for part in system.findall('joint'):
            yield system, part, description.joint_names.get(part.get('name') or '')


@rule('ros2control-unknown-joint', ERROR, hint='Name a joint of this robot', consumers=_REJECTS)
def ros2control_unknown_joint(description: Description) -> Iterator[Defect]:
    """Check that every joint in <ros2_control> exists."""
    for system, part, joint in _joints(description):
        name = part.get('name')
        if name and joint is None and not description.is_template:
            yield Defect(
                part, f'{subject(system)} controls {describe(part)}, which does not exist',
                did_you_mean(name, description.joint_spelling))


@rule('ros2control-fixed-joint', ERROR, hint='Remove the joint from <ros2_control>',
      consumers=_REJECTS)
def ros2control_fixed_joint(description: Description) -> Iterator[Defect]:
    """Check that no joint in <ros2_control> is fixed."""
    for system, part, joint in _joints(description):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, f'{subject(system)} controls {describe(joint)}, which is fixed')


@rule('ros2control-duplicate-joint', WARN, hint='Remove one of the two interfaces', consumers={
    'ros2_control': 'refuses the second of two identical command interfaces'})
def ros2control_duplicate_joint(description: Description) -> Iterator[Defect]:
    """Check that no command interface of a joint is declared twice."""
    first: dict[tuple[str, str], Element] = {}
    for _, part, _ in _joints(description):
        for interface in part.findall('command_interface'):
            joint, name = part.get('name'), interface.get('name')
            if joint is None or name is None:
                continue
            declared = first.setdefault((joint, name), interface)
            if declared is not interface:
                yield Defect(interface, f'Command interface {quote(name)} of {describe(part)} is '
                                        f'already declared {declared.position}')


@rule('ros2control-mimic-command-interface', ERROR,
      hint='Remove its command interfaces, or write mimic="false" for the joint',
      consumers=_REJECTS)
def ros2control_mimic_command_interface(description: Description) -> Iterator[Defect]:
    """Check that no mimic joint has a command interface."""
    for _, part, joint in _joints(description):
        command = child(part, 'command_interface')
        if (joint is not None and child(joint, 'mimic') is not None and command is not None
                and _mimic(part) != 'false'):
            yield Defect(
                command, f'{subject(joint)} mimics another joint, but has a command interface')


def _mimic(part: Element) -> str:
    """Return whether <ros2_control> treats a joint as a mimic joint: true, false or neither."""
    return part.get('mimic', '').strip().lower()


@rule('ros2control-mimic-broken', ERROR,
      hint='Write a <mimic> in the joint, and the mimicked joint in the same <ros2_control>',
      consumers=_REJECTS)
def ros2control_mimic_broken(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> includes the joint that each of its mimic joints mimics.

    A joint marked mimic="true" also needs a <mimic>.
    """
    names = {system: {part.get('name') for part in system.findall('joint')}
             for system in description.ros2_control}
    for system, part, joint in _joints(description):
        if joint is None or _mimic(part) == 'false':
            continue
        mimic = child(joint, 'mimic')
        leader = None if mimic is None else mimic.get('joint')
        if mimic is None and _mimic(part) == 'true':
            yield Defect(part, f'{subject(joint)} is marked mimic="true", but has no <mimic>',
                         'Remove mimic="true", or write a <mimic> in the joint')
        elif leader and leader not in names[system]:
            yield Defect(
                part,
                f'{subject(joint)} mimics joint {quote(leader, 80)}, which is not in '
                f'{describe(system)}',
                f'Write <joint name="{leader}"> in the same <ros2_control>')
