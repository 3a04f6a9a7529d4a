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
from typing import Any

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.joints import named_joints
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import is_foreign
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_REFUSES = refuses('ros2_control', how='refuses the description, so that no controller starts')

_TYPES = ('system', 'actuator', 'sensor')
_PARTS = ('hardware', 'joint', 'sensor', 'gpio', 'transmission', 'properties')

_NAMED = ('joint', 'sensor', 'gpio', 'transmission', 'command_interface', 'state_interface',
          'param', 'actuator')


_INTERFACES = ('command_interface', 'state_interface')

_NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?(inf|nan)', re.I)


@rule('ros2control-malformed', ERROR, _REFUSES)
def ros2control_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> contains only what its parser accepts.

    It needs a name and a type, names for its parts, interfaces and parameters, and whole numbers
    for sizes and rates. Limits of an interface that are no numbers are a warning: ros2_control
    skips them.

    Fix: Write the parts, names and numbers that ros2_control defines

    Fails in a ros2_control system::

        <joint name="j"><command_interface nme="position"/></joint>

    Passes::

        <joint name="j"><command_interface name="position"/></joint>
    """
    for system in description.ros2_control:
        for name in ('name', 'type'):
            if name not in system.attrib:
                yield Defect(system, 'A <ros2_control> has no {missing}', missing=name,
                             hint='Write {missing}="..."')
        kind = system.get('type')
        if kind is not None and kind.strip() not in _TYPES:
            yield Defect(system, '{system} has the unknown type {type:40}', system=system,
                         type=Name(kind), **_meant(kind, _TYPES, ', '.join(_TYPES)))
        for part in system:
            yield from _malformed_part(system, part)


def _malformed_part(system: Element, part: Element) -> Iterator[Defect]:
    if is_foreign(part.tag):
        return
    if part.tag not in _PARTS:
        yield Defect(part, '<{tag}> is not a part of <ros2_control>',
                     **_meant(part.tag, _PARTS, ', '.join(f'<{tag}>' for tag in _PARTS)))
        return
    for element in part.iter():
        if element.tag in _NAMED and not element.get('name'):
            yield Defect(element, 'A <{tag}> of {system} has no name', system=system,
                         hint='Write <{tag} name="...">')
    for interface in part:
        for parameter in interface.findall('param'):
            name, text = parameter.get('name'), (parameter.text or '').strip()
            if (interface.tag in _INTERFACES and name in ('min', 'max')
                    and not _NUMBER.fullmatch(text) and not is_expression(text)):
                yield Defect(
                    parameter, 'The {limit} of {interface} is not a number ({text:40})',
                    limit=name, interface=interface, text=Name(text), severity=WARN,
                    consequences=changes(
                        'ros2_control', of='limit', how='ignores the limits of the interface'),
                    hint='Write a number, such as -3.14; an expression of xacro begins with ${{')


def _meant(word: str, known: tuple[str, ...], listed: str) -> dict[str, Any]:
    """Return the options of a defect that suggest the probable known word, or list them all."""
    near = closest(word, known)
    return {'suggestion': near} if near else {'hint': f'Write one of {listed}'}


@rule('ros2control-no-plugin', ERROR, _REFUSES)
def ros2control_no_plugin(description: Description) -> Iterator[Defect]:
    """
    Check that every <ros2_control> names its hardware plugin.

    Fix: Write <hardware><plugin>mock_components/GenericSystem</plugin></hardware>

    Fails in a robot::

        <ros2_control name="s" type="system">
          <hardware><param name="p"/></hardware>
        </ros2_control>

    Passes::

        <ros2_control name="s" type="system">
          <hardware><plugin>mock_components/GenericSystem</plugin></hardware>
        </ros2_control>
    """
    for system in description.ros2_control:
        hardware = child(system, 'hardware')
        plugin = '' if hardware is None else hardware.findtext('plugin', '')
        if not plugin.strip():
            yield Defect(system if hardware is None else hardware,
                         '{system} names no hardware plugin', system=system)


@rule('ros2control-unknown-joint', ERROR, _REFUSES)
def ros2control_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that every joint in <ros2_control> exists.

    Fix: Name a joint of this robot

    Fails in a ros2_control system::

        <joint name="k"/>

    Passes::

        <joint name="j"/>
    """
    for system, part, name, joint in named_joints(description, description.ros2_control):
        if joint is None and not description.is_template:
            yield Defect(part, '{system} controls {joint}, which does not exist', system=system,
                         suggestion=description.joint_spelling.near(name))


@rule('ros2control-fixed-joint', ERROR, _REFUSES)
def ros2control_fixed_joint(description: Description) -> Iterator[Defect]:
    """
    Check that no joint in <ros2_control> is fixed.

    Fix: Remove the joint from <ros2_control>

    Fails in a ros2_control system::

        <joint name="rigid"/>

    Passes::

        <joint name="j"/>
    """
    for system, part, _, joint in named_joints(description, description.ros2_control):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, '{system} controls {joint}, which is fixed', system=system)


@rule('ros2control-duplicate-joint', WARN,
      drops('ros2_control', of='interface', how='refuses the second of the interfaces'))
def ros2control_duplicate_joint(description: Description) -> Iterator[Defect]:
    """
    Check that no command interface of a joint is declared twice.

    Fix: Remove one of the two interfaces

    Fails in a ros2_control system::

        <joint name="j"><command_interface name="effort"/></joint>
        <joint name="j"><command_interface name="effort"/></joint>

    Passes::

        <joint name="j"><command_interface name="effort"/></joint>
        <joint name="j"><command_interface name="position"/></joint>
    """
    first: dict[tuple[str, str], Element] = {}
    for _, part, joint, _ in named_joints(description, description.ros2_control):
        for interface in part.findall('command_interface'):
            name = interface.get('name')
            declared = first.setdefault((joint, name or ''), interface)
            if name is not None and declared is not interface:
                yield Defect(interface, 'Command interface {interface:40} of {joint} is already '
                             'declared {position}', interface=Name(name),
                             position=FreeText(declared.position_beside(interface)))


@rule('ros2control-mimic-command-interface', ERROR, _REFUSES)
def ros2control_mimic_command_interface(description: Description) -> Iterator[Defect]:
    """
    Check that no mimic joint has a command interface.

    Fix: Remove its command interfaces, or write mimic="false" for the joint

    Fails in a ros2_control system::

        <joint name="j"/>
        <joint name="copy"><command_interface name="effort"/></joint>

    Passes::

        <joint name="j"/>
        <joint name="copy"/>
    """
    for _, part, _, joint in named_joints(description, description.ros2_control):
        command = child(part, 'command_interface')
        if (joint is not None and child(joint, 'mimic') is not None and command is not None
                and _mimic(part) != 'false'):
            yield Defect(command, '{joint} mimics another joint, but has a command interface')


def _mimic(part: Element) -> str:
    """Return whether <ros2_control> treats a joint as a mimic joint: true, false or neither."""
    return part.get('mimic', '').strip().lower()


@rule('ros2control-mimic-broken', ERROR, _REFUSES)
def ros2control_mimic_broken(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> includes the joint that each of its mimic joints mimics.

    A joint marked mimic="true" also needs a <mimic>.

    Fix: Write a <mimic> in the joint, and the mimicked joint in the same <ros2_control>

    Fails in a ros2_control system::

        <joint name="copy"/>

    Passes::

        <joint name="copy"/>
        <joint name="j"/>
    """
    names = {system: {part.get('name') for part in system.findall('joint')}
             for system in description.ros2_control}
    for system, part, _, joint in named_joints(description, description.ros2_control):
        if joint is None or _mimic(part) == 'false':
            continue
        mimic = child(joint, 'mimic')
        leader = None if mimic is None else mimic.get('joint')
        if mimic is None and _mimic(part) == 'true':
            yield Defect(part, '{joint} is marked mimic="true", but has no <mimic>',
                         hint='Remove mimic="true", or write a <mimic> in the joint')
        elif leader and leader not in names[system]:
            yield Defect(part, '{joint} mimics joint {leader}, which is not in {system}',
                         leader=Name(leader), system=system, name=FreeText(leader),
                         hint='Write <joint name="{name}"> in the same <ros2_control>')
