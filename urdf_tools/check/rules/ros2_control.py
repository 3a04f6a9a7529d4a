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

"""Rules about <ros2_control> elements, and what ros2_control silently ignores in them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import math
import re
from typing import Any

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import INTERFACES
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import named_joints
from urdf_tools.check.moveit_files import entries_in
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import repeated
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.mirror_images import mirrored_name
from urdf_tools.check.schema import is_foreign
from urdf_tools.check.schema import TABLES
from urdf_tools.check.topology import attached_link
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_OF_HUMBLE = ('gazebo_ros2_control/', 'ign_ros2_control/', 'fake_components/')
"""Packages of hardware plugins without a release for Jazzy, from which on mimic joints count."""

_SIMULATED = (*_OF_HUMBLE, 'gz_ros2_control/', 'mock_components/', 'topic_based_ros2_control/')
"""Packages of hardware plugins without hardware."""

_TYPES = ('system', 'actuator', 'sensor')
_PARTS = ('hardware', 'joint', 'sensor', 'gpio', 'transmission', 'properties')

_NAMED = ('joint', 'sensor', 'gpio', 'transmission', 'command_interface', 'state_interface',
          'param', 'actuator')


_NUMBER = re.compile(r'[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?(inf|nan)', re.I)

_DIGITS = re.compile('[0-9]+')

_OTHERS = re.compile('(?i)cast[eo]r|passive|susp|spring|shock|rocker|grip|finger|knuckle|jaw|claw')
"""What joints, and the links they move, are called that nothing drives, or other hardware."""


@rule('ros2control-malformed', ERROR)
def ros2control_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> contains only what its parser accepts.

    It needs a name of its own and a type, names for its parts, interfaces and parameters, and
    whole numbers for sizes and rates. Two of one name are a warning, as controllers of several
    robots may read one each, and so are limits that are not numbers, which ros2_control skips.

    Fails in a ros2_control system: <joint name="j"><command_interface nme="position"/></joint>
    Passes: <joint name="j"><command_interface name="position"/></joint>
    """
    for system, first in repeated((name, system) for system in description.ros2_control
                                  if not is_expression(name := system.get('name', ''))):
        yield Defect(system, '{system} has the name of the one {position}', attribute='name',
                     position=FreeText(first.position_beside(system)), system=system,
                     severity=WARN)
    for system in description.ros2_control:
        for name in ('name', 'type'):
            if name not in system.attrib:
                yield Defect(system, 'A <ros2_control> has no {missing}', missing=name)
        kind = system.get('type', 'system')
        if kind.strip() not in _TYPES:
            yield Defect(system, '{system} has the unknown type {type:40}', system=system,
                         type=Name(kind), **_meant(kind, _TYPES, ', '.join(_TYPES)))
        for part in (each for each in system if not is_foreign(each.tag)):
            if part.tag not in _PARTS:
                yield Defect(part, '<{tag}> is not a part of <ros2_control>',
                             **_meant(part.tag, _PARTS, ', '.join(f'<{tag}>' for tag in _PARTS)))
                continue
            for element in part.iter():
                if element.tag in _NAMED and not element.get('name'):
                    yield Defect(element, 'A <{tag}> of {system} has no name', system=system)
            for parameter in part.iterfind('*/param'):
                limit, text = parameter.get('name'), (parameter.text or '').strip()
                of_interface = parameter.parent is not None and parameter.parent.tag in INTERFACES
                if of_interface and limit in ('min', 'max') and not (
                        _NUMBER.fullmatch(text) or is_expression(text)):
                    yield Defect(
                        parameter, 'The {limit} of {interface} is not a number ({text:40})',
                        limit=limit, interface=parameter.parent, text=Name(text), severity=WARN,
                        consequences=changes(
                            'ros2_control', of='limit', how='ignores the limits of the interface'),
                        hint='Write a number, such as -3.14; an expression of xacro begins with '
                        '${{')


def _meant(word: str, known: tuple[str, ...], listed: str) -> dict[str, Any]:
    """Return the options of a defect that suggest the probable known word, or list them all."""
    near = closest(word, known)
    return {'suggestion': near} if near else {'hint': f'Write one of {listed}'}


@rule('ros2control-no-plugin', ERROR)
def ros2control_no_plugin(description: Description) -> Iterator[Defect]:
    """
    Check that every <ros2_control> names its hardware plugin.

    Fails in the hardware of a ros2_control system: <param name="p"/>
    Passes: <plugin>mock_components/GenericSystem</plugin>
    """
    is_simulated = any('gz_ros2_control' in each.get('filename', '')
                       for each in description.plugins)
    for system in description.ros2_control:
        if not system.findtext('hardware[1]/plugin', '').strip():
            yield Defect((*system.findall('hardware'), system)[0],
                         '{system} names no hardware plugin', system=system,
                         hint='Write <hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin>'
                         '</hardware>' if is_simulated else '')


@rule('ros2control-unknown-joint', ERROR)
def ros2control_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that every joint in <ros2_control> exists.

    Fails in a ros2_control system: <joint name="k"/>
    Passes with name="j"
    """
    for system, part, name, joint in named_joints(description, description.ros2_control):
        if joint is None and not description.is_template:
            yield Defect(part, '{system} controls {joint}, which does not exist', system=system,
                         suggestion=description.joint_spelling.near(name))


@rule('ros2control-fixed-joint', ERROR)
def ros2control_fixed_joint(description: Description) -> Iterator[Defect]:
    """
    Check that no joint in <ros2_control> is fixed.

    Fails in a ros2_control system: <joint name="rigid"/>
    Passes with name="j"
    """
    for system, part, _, joint in named_joints(description, description.ros2_control):
        if joint is not None and joint.get('type') == 'fixed':
            yield Defect(part, '{system} controls {joint}, which is fixed', system=system)


@rule('ros2control-missing-joint', WARN)
def ros2control_missing_joint(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> has joints, and lacks no single one of those that belong together.

    They are a left and a right one, four or more whose names differ by numbers only, or three or
    more in a group of the SRDF file. Joints that mimic another, that the SRDF file calls passive
    or that a broadcaster has as extra_joints are left out, as are casters, suspensions and
    grippers, by their names; so are those of controllers in YAML files, of which
    controller-interface-missing speaks. Three or more are taken to be left out on purpose.

    Fails in the joints of a ros2_control system of two wheels: <joint name="left_wheel"/>
    Passes: <joint name="left_wheel"/><joint name="right_wheel"/>
    """
    for system in description.ros2_control:
        if not description.is_template and not any(part.tag in _PARTS[1:] for part in system):
            yield Defect(system, '{system} has no joint, sensor or gpio', system=system)
    systems = {name: system for system, _, name, _ in named_joints(
        description, description.ros2_control)}
    files = moveit_files(description)
    elsewhere = {each.get('name') for each in files.elements('passive_joint')} | {
        each.text for _, entry in files.likely for each in entries_in(entry, 'joints')} | {
        each.text for entries in files.parameters for entry in entries
        for each in entries_in(entry, 'extra_joints')}
    joints = {name: joint for name, joint in description.joint_names.items() if (
        name in systems or name in description.moving_joints and name not in elsewhere
        and not _OTHERS.search(f'{name} {attached_link(joint, "child")}'))}
    found: dict[str, list[str]] = {}
    for minimum, names in _groups(description, joints) if not description.is_template else ():
        group = joints.keys() & {*names}
        others = sorted(group & systems.keys())
        if len(others) == len(group) - 1 >= minimum:
            found.setdefault(group.difference(others).pop(), others)
    for name, others in found.items() if len(found) < 3 else ():  # More are not an oversight.
        system = systems[others[0]]
        yield Defect(system, '{system} controls {others}, but not {joint}', system=system,
                     others=tuple(map(Name, others)), joint=joints[name], name=Name(name))


@rule('ros2control-group-unreported', WARN)
def ros2control_group_unreported(description: Description) -> Iterator[Defect]:
    """
    Check that something reports the positions of the joints that MoveIt plans with.

    They are those in groups of the SRDF file. It is noted where not all of <ros2_control> is
    simulated, as the driver of a gripper may report them. Joints that mimic another, that the SRDF
    file calls passive, or that ros2control-missing-joint names, are left out.

    Fails in arm.srdf: <group name="all"><joint name="wrist"/></group>
    Passes: <group name="all"><joint name="shoulder"/></group>
    """
    systems = {name for _, _, name, _ in named_joints(description, description.ros2_control)}
    files = moveit_files(description)
    others = {each.get('name') for each in files.elements('passive_joint')} | {
        each.text for entries in files.parameters for entry in entries
        for each in entries_in(entry, 'extra_joints')} | {
        name for defect in ros2control_missing_joint(description)
        if isinstance(name := defect.arguments.get('name'), str)}
    is_merged = any('source_list' in text for text in package_files(description).launch.values())
    is_simulated = all((system.findtext('hardware/plugin') or '').strip().startswith(_SIMULATED)
                       for system in description.ros2_control)
    for name, group in files.groups.items() if systems and not is_merged else ():
        lacking = sorted(description.moving_joints.keys()
                         & files.parts(name)[1] - systems - others)
        others.update(lacking)
        if lacking:
            yield Defect(group, 'No <ros2_control> has {joints} of {group}, and nothing else '
                         'reports their positions', group=group, joints=[*map(Name, lacking)],
                         severity=None if is_simulated else INFO)


def _groups(description: Description, joints: Mapping[str, Element]
            ) -> list[tuple[int, Iterable[str]]]:
    """Return names that belong together, and how many others there are if one joint is missing."""
    files = moveit_files(description)
    rows = grouped(((_DIGITS.sub('#', name), joint.get('type') == 'prismatic'), name)
                   for name, joint in joints.items())
    return [*((1, (name, mirrored_name(name))) for name in joints),
            *((3, row) for row in rows.values()),
            *((2, files.parts(group)[1]) for group in files.groups)]


@rule('ros2control-duplicate-joint', WARN)
def ros2control_duplicate_joint(description: Description) -> Iterator[Defect]:
    """
    Check that no interface of a joint is declared twice.

    State interfaces are compared within one <ros2_control>: of two, one may only measure.

    Fails in a ros2_control system:
        <joint name="j"><command_interface name="effort"/></joint>
        <joint name="j"><command_interface name="effort"/></joint>
    Passes:
        <joint name="j"><command_interface name="effort"/></joint>
        <joint name="j"><command_interface name="position"/></joint>
    """
    first: dict[tuple[object, ...], Element] = {}
    for system, part, joint, _ in named_joints(description, description.ros2_control):
        for interface in part:
            name, is_state = interface.get('name'), interface.tag == 'state_interface'
            if name is None or interface.tag not in INTERFACES:
                continue
            declared = first.setdefault((joint, name, is_state and system), interface)
            if declared is not interface:
                yield Defect(
                    interface if declared.parent is part else part, '{kind} interface '
                    '{interface:40} of {joint} is already declared {position}',
                    kind='State' if is_state else 'Command', interface=Name(name),
                    position=FreeText(declared.position_beside(interface)))
                break


@rule('ros2control-mimic-command-interface', ERROR)
def ros2control_mimic_command_interface(description: Description) -> Iterator[Defect]:
    """
    Check that no mimic joint has a command interface.

    Fails in a ros2_control system:
        <joint name="j"/><joint name="copy"><command_interface name="effort"/></joint>
    Passes: <joint name="j"/><joint name="copy"/>
    """
    for system, part, _, joint in named_joints(description, description.ros2_control):
        command = child(part, 'command_interface')
        if (joint is not None and child(joint, 'mimic') is not None and command is not None
                and _mimic(part) != 'false'):
            plugin = system.findtext('hardware/plugin', '').strip()
            yield Defect(command, '{joint} mimics another joint, but has a command interface',
                         severity=WARN if plugin.startswith(_OF_HUMBLE) else None)


def _mimic(part: Element) -> str:
    """Return whether <ros2_control> treats a joint as a mimic joint: true, false or neither."""
    return part.get('mimic', '').strip().lower()


@rule('ros2control-mimic-broken', ERROR)
def ros2control_mimic_broken(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> includes the joint that each of its mimic joints mimics.

    A joint marked mimic="true" also needs a <mimic>.

    Fails in a ros2_control system: <joint name="copy"/>
    Passes:
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
            yield Defect(part, '{joint} is marked mimic="true", but has no <mimic>')
        elif leader and leader not in names[system]:
            yield Defect(part, '{joint} mimics joint {leader}, which is not in {system}',
                         leader=Name(leader), system=system, name=FreeText(leader))


_CHILDREN = TABLES['children in ros2_control']
"""The elements of <ros2_control> to what its parser looks for in them."""

_PARAMETERS = TABLES['parameters in ros2_control']
"""The elements of <ros2_control> to the parameters that are read in them."""

_STANDARD = ('position', 'velocity', 'acceleration', 'effort')
_NEAR_STANDARD = Spelling(_STANDARD)

_PLUGINS = Spelling((
    'gazebo_ros2_control/GazeboSystem', 'gz_ros2_control/GazeboSimSystem',
    'ign_ros2_control/IgnitionSystem', 'mock_components/GenericSystem',
    'topic_based_ros2_control/TopicBasedSystem', 'transmission_interface/SimpleTransmission',
    'transmission_interface/DifferentialTransmission'))


@rule('ros2control-unknown-element', WARN)
def ros2control_unknown_element(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> reads every element inside of it.

    It looks for the elements that it knows, and says nothing about others.

    Fails in a ros2_control system: <joint name="j"><command_interfaces name="position"/></joint>
    Passes: <joint name="j"><command_interface name="position"/></joint>
    """
    for part in description.robot.iterfind('ros2_control/*'):
        for parent in (part,) if part.tag == 'transmission' else part.iter():
            known = _CHILDREN.get(parent.tag, ()) if part.tag in _CHILDREN else ()
            for element in parent if known else ():
                if element.tag not in known and not is_foreign(element.tag):
                    near = closest(element.tag, known, 0.75)
                    yield Defect(element, '<ros2_control> does not read <{tag}> in <{parent}>',
                                 parent=parent.tag, suggestion=near,
                                 severity=None if near else INFO,
                                 hint='' if near else 'Remove it unless the plugin reads it')


@rule('ros2control-interface-misspelt', WARN)
def ros2control_interface_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no interface of a joint has almost the name of a standard interface.

    Fails in a ros2_control system: <joint name="j"><state_interface name="velocty"/></joint>
    Passes:
        <joint name="j"><state_interface name="velocity"/><state_interface name="heat"/></joint>
    """
    for _, joint, *_ in named_joints(description, description.ros2_control):
        for interface in joint:
            name = interface.get('name', '')
            near = None if name in _STANDARD else _NEAR_STANDARD.near(name)
            if interface.tag in INTERFACES and near:
                yield Defect(interface, '{joint} has a <{tag}> called {name:40}',
                             name=Name(name), attribute='name', suggestion=near)


@rule('ros2control-plugin-misspelt', WARN)
def ros2control_plugin_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no plugin in <ros2_control> has almost the name of a common one, or an old one.

    Fails in the hardware of a ros2_control system: <plugin>mock_components/GenericSytsem</plugin>
    Passes: <plugin>mock_components/GenericSystem</plugin>
    """
    for plugin in description.robot.iterfind('ros2_control//plugin'):
        name = (plugin.text or '').strip()
        near = _PLUGINS.near(name)
        if near not in (None, name):
            yield Defect(plugin, 'Plugin {name} is not known', name=Name(name), suggestion=near)
        elif name.startswith('fake_components/'):
            yield Defect(plugin, 'Releases after Humble have no {name}', name=Name(name),
                         suggestion=name.replace('fake_', 'mock_'))


@rule('ros2control-param-misspelt', WARN)
def ros2control_param_misspelt(description: Description) -> Iterator[Defect]:
    """
    Check that no <param> has almost the name of one that ros2_control or its simulators read.

    Others are for hardware components of your own.

    Fails in a command interface: <param name="inital_value">1</param>
    Passes: <param name="initial_value">1</param>
    """
    for parent, known in ((parent, known) for tag, known in _PARAMETERS.items()
                          for parent in description.robot.iterfind(f'ros2_control//{tag}')):
        for parameter in parent.findall('param'):
            near = Spelling(known).near(name := parameter.get('name', ''))
            if near and name not in known:
                yield Defect(parameter, '{parent} has a <param> called {name:40}', name=Name(name),
                             parent=parent, attribute='name', suggestion=near)


_ATTRIBUTES = {
    'joint': ('name', 'mimic'), 'sensor': ('name',), 'gpio': ('name',), 'param': ('name',),
    **dict.fromkeys(INTERFACES, ('name', 'data_type', 'size'))}


@rule('ros2control-unread-value', WARN)
def ros2control_unread_value(description: Description) -> Iterator[Defect]:
    """
    Check that initial values and other settings are where ros2_control reads them.

    An initial_value is a <param> of a <state_interface>. Below a <joint> it is noted for hardware
    of your own, which may read it there. Attributes that do not exist are not read.

    Fails in a ros2_control system:
        <joint name="j"><state_interface name="position" initial_value="0.7"/></joint>
    Passes:
        <joint name="j"><state_interface name="position"><param name="initial_value">0.7</param>
        </state_interface></joint>
    """
    for system in description.ros2_control:
        plugin = (system.findtext('hardware/plugin') or '').strip()
        for part in (each for joint in system if joint.tag in _ATTRIBUTES
                     for each in joint.iter()):
            known = _ATTRIBUTES.get(part.tag, part.attrib)
            for name in (each for each in part.attrib if each not in known
                         and ':' not in each and part.get('name') and part.get(each)):
                is_value = part.tag in INTERFACES and name in _PARAMETERS[part.tag]
                yield Defect(
                    part, 'ros2_control does not read {name} as an attribute of <{tag}>',
                    name=FreeText(name), attribute=name, value=FreeText(part.get(name, '')),
                    suggestion=None if is_value else closest(name, known, 0.75),
                    hint='Write <param name="{name}">{value}</param> into the <{tag}>'
                    if is_value else '')
        for joint in system.findall('joint'):
            for parameter in joint.findall('param'):
                if parameter.get('name') == 'initial_value':
                    yield Defect(
                        parameter, 'ros2_control does not read initial_value below {joint}, only '
                        'in its <state_interface>', joint=joint,
                        severity=None if plugin.startswith(_SIMULATED) else INFO)


@rule('ros2control-mimic-parameter', WARN)
def ros2control_mimic_parameter(description: Description) -> Iterator[Defect]:
    """
    Check that no joint mimics another one only in a <param> of <ros2_control>.

    Since Jazzy only the <mimic> of the joint counts. Systems for simulators of Humble are left
    out.

    Fails in a ros2_control system:
        <joint name="j"><param name="mimic">copy</param></joint>
    Passes:
        <joint name="j"/><joint name="copy"><param name="mimic">j</param></joint>
    """
    for system, part, _, joint in named_joints(description, description.ros2_control):
        parameters = {each.get('name'): each for each in part.findall('param')}
        if 'mimic' in parameters and joint is not None and child(joint, 'mimic') is None and not (
                (system.findtext('hardware/plugin') or '').strip().startswith(_OF_HUMBLE)):
            leader = (parameters['mimic'].text or '').strip()
            multiplier = parameters.get('multiplier')
            factor = '1' if multiplier is None else (multiplier.text or '').strip()
            yield Defect(parameters['mimic'], 'From Jazzy on, nothing reads the <param> mimic of '
                         '{joint}, which has no <mimic>', joint=joint, leader=FreeText(leader),
                         factor=FreeText(factor))


_OF_SIMULATORS = re.compile('(?i)gz|ign|gazebo|sim')
_CLASSIC, _NEW = 'gazebo_ros2_control', re.compile('(?:gz|ign)_ros2_control')


@rule('ros2control-other-simulator', WARN)
def ros2control_other_simulator(description: Description) -> Iterator[Defect]:
    """
    Check that a system and the plugin in <gazebo> that loads it are for the same Gazebo.

    Gazebo loads neither mock_components nor drivers of hardware. That is not reported where
    conditions of xacro choose the system or the plugin.

    Fails in a robot with joints:
        <ros2_control name="s" type="system">
        <hardware><plugin>gazebo_ros2_control/GazeboSystem</plugin></hardware></ros2_control>
        <gazebo><plugin filename="gz_ros2_control-system"
        name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>
    Passes:
        <ros2_control name="s" type="system">
        <hardware><plugin>gz_ros2_control/GazeboSimSystem</plugin></hardware></ros2_control>
        <gazebo><plugin filename="gz_ros2_control-system"
        name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>
    """
    loaders = ' '.join(plugin.get('filename', '') for plugin in description.plugins)
    is_classic, is_new = _CLASSIC in loaders, bool(_NEW.search(loaders))
    depends = package_files(description).own('package.xml')
    if is_classic and 'gz_ros2_control' in depends and _CLASSIC not in depends:
        is_classic, is_new = False, True
    for plugin in description.robot.iterfind('ros2_control/hardware/plugin'):
        name = (plugin.text or '').strip()
        for own, other, right in (
                (is_classic, _NEW.match(name), 'gazebo_ros2_control/GazeboSystem'),
                (is_new, name.startswith(_CLASSIC), 'gz_ros2_control/GazeboSimSystem')):
            if own and other and is_classic != is_new:
                yield Defect(plugin, '{name} is a system of another Gazebo than the plugin in '
                             '<gazebo> or the package is for', name=Name(name), suggestion=right)
        if (is_new or is_classic) and not _OF_SIMULATORS.search(name) and name and not any(
                map(_is_conditional, (plugin, *description.plugins))):
            yield Defect(plugin, 'Gazebo loads no {name}, although a plugin in <gazebo> reads '
                         '<ros2_control>', name=Name(name),
                         right='gz_ros2_control/GazeboSimSystem' if is_new else
                         'gazebo_ros2_control/GazeboSystem',
                         hint='Write {right} where it is simulated')


def _is_conditional(element: Element) -> bool:
    """Return whether a condition of xacro, or an expression, decides on an element."""
    return element.origin is not None and ('$' in (element.text or '') or any(
        tag.name in ('xacro:if', 'xacro:unless') for tag in element.origin.tags_around()))


@rule('ros2control-two-plugins', WARN)
def ros2control_two_plugins(description: Description) -> Iterator[Defect]:
    """
    Check that every <ros2_control> has one <hardware> and one <plugin>, as the first counts.

    Fails in the hardware of a ros2_control system:
        <plugin>a/B</plugin><plugin>mock_components/GenericSystem</plugin>
    Passes: <plugin>mock_components/GenericSystem</plugin>
    """
    for system in description.ros2_control:
        for parts in (system.findall('hardware'), system.findall('hardware[1]/plugin')):
            for part in parts[1:]:
                yield Defect(part, '{system} has {count} <{tag}>, of which the first counts',
                             system=system, count=len(parts))


@rule('ros2control-limits-inverted', WARN)
def ros2control_limits_inverted(description: Description) -> Iterator[Defect]:
    """
    Check that the min of no interface is above its max.

    Fails in a command interface: <param name="min">1</param><param name="max">-1</param>
    Passes: <param name="min">-1</param><param name="max">1</param>
    """
    for interface in description.robot.iterfind('ros2_control//command_interface'):
        limits = {param.get('name'): param for param in interface.findall('param')}
        low, high = (number_in(limits.get(name)) for name in ('min', 'max'))
        if low > high:
            yield Defect(
                limits['min'], 'The min of {interface} is {low:g}, above its max, {high:g}',
                interface=interface, low=low, high=high)


def number_in(element: Element | None) -> float:
    """Return the number in an element, or NaN."""
    try:
        return math.nan if element is None else float(element.text or '')
    except ValueError:
        return math.nan


@rule('ros2control-transmission', ERROR)
def ros2control_transmission(description: Description) -> Iterator[Defect]:
    """
    Check that the transmissions in <ros2_control> are complete, and about joints beside them.

    Each part needs a role, such as joint1 and actuator1. A mechanical reduction of zero is a
    warning: the transmission is not loaded, and the hardware component decides what follows.

    Fails in a transmission of a ros2_control system: <joint name="joint_1" role="joint1"/>
    Passes: <joint name="j" role="joint1"/>
    """
    for system in description.ros2_control:
        spelling = Spelling(names := [part.get('name', '') for part in system.findall('joint')])
        for transmission in system.findall('transmission'):
            if not transmission.findtext('plugin', '').strip():
                yield Defect(transmission, '{transmission} names no plugin')
            for joint in transmission.findall('joint'):
                name = joint.get('name')
                if name and name not in names:
                    yield Defect(joint, '{transmission} drives {joint}, which is not in {system}',
                                 system=system, suggestion=spelling.near(name), attribute='name')
            for part in (*transmission.findall('joint'), *transmission.findall('actuator')):
                if 'role' not in part.attrib:
                    yield Defect(part, '{part} of {transmission} has no role', part=part)
                for reduction in part.findall('mechanical_reduction')[:1]:
                    if number_in(reduction) == 0:
                        yield Defect(
                            reduction, 'The mechanical reduction of {part} is zero', part=part,
                            severity=WARN, hint='Write the gear ratio, such as 50',
                            consequences=drops(
                                'ros2_control', of='transmission', how='cannot load it'))
