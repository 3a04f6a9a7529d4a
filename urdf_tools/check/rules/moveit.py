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

"""Rules about the files of MoveIt beside a description: SRDF and joint_limits.yaml."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
import math
from typing import Any

from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import LIMITED_TYPES
from urdf_tools.check.indexed_description import position_ranges
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.moveit_files import NAMES
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.topology import attached_link
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_TAGS = Spelling(NAMES)

_ENDLESS = (-math.inf, math.inf)
_MAX_TURNS = 2
_TRUE = ('true', 'yes', 'on', 'y')
_LIMITS = ('position', 'velocity', 'acceleration', 'jerk')


@rule('moveit-file-unreadable', ERROR)
def moveit_file_unreadable(description: Description) -> Iterator[Defect]:
    """
    Check that the SRDF file of a robot and the YAML files of MoveIt beside it can be read.

    Fails in the file arm.srdf: <sdf version="1.9"/>
    Passes: <robot name="arm"/>
    """
    files = moveit_files(description)
    files.read_all()
    for element, reason in files.errors:
        yield Defect(element, 'The file beside the robot cannot be read: {error}',
                     error=FreeText(reason))
    if files.lacking is not None:
        element, missing = files.lacking
        yield Defect(element, 'The SRDF file was not compared with the robot, because its xacro '
                     'arguments have no value: {missing}', missing=FreeText(missing),
                     severity=WARN, consequences=())
    if files.srdf is not None and files.srdf.tag != 'robot':
        yield Defect(files.srdf, 'The root is <{tag}>, not <robot>')


@rule('srdf-other-robot', WARN)
def srdf_other_robot(description: Description) -> Iterator[Defect]:
    """
    Check that an SRDF file has the name of its robot.

    Fails in the file arm.srdf: <robot name="robot"/>
    Passes with name="arm"
    """
    files = moveit_files(description)
    if files.stray is not None:
        yield Defect(files.stray, 'Many links and joints of the SRDF file do not exist in '
                     '{model:120}, such as {names:and}', names=[*map(Name, files.unknown[:3])],
                     model=Name(description.document.source),
                     severity=None if files.srdf is None else INFO)
    root = files.srdf
    name = description.robot.get('name')
    if root is not None and files.is_alone:
        yield Defect(root, 'There is no description to check the SRDF file against', severity=INFO,
                     consequences=())
    elif root is not None and name and root.tag == 'robot' and root.get('name') != name:
        yield Defect(root, 'The SRDF file is of robot {other}, the description of {name}',
                     other=Name(root.get('name', '')), name=Name(name), attribute='name')


@rule('srdf-unknown-name', ERROR)
def srdf_unknown_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links, joints and groups that an SRDF file names exist.

    MoveIt goes on without what names something else: a group lacks a link, a pair of links is
    checked, an end effector is missing.

    Fails in arm.srdf: <disable_collisions link1="base" link2="hand" reason="Never"/>
    Passes with link2="palm"
    """
    files = moveit_files(description)
    if files.srdf is None or description.is_template:
        return
    known: dict[str, Collection[str]] = {
        'link': description.link_names, 'group': files.groups, 'joint': files.joints}
    for element, part, attribute, kind in files.names():
        name = part.get(attribute, '').strip()
        if name not in known[kind]:
            others = {*known[kind]}.difference(each.get(attribute) for each in element)
            yield Defect(
                part, '<{tag}> of the SRDF file names the {kind} {name}, which does not exist',
                tag=element.tag, kind=kind, name=Name(name), attribute=attribute,
                suggestion=closest(name, others, 0.8),
                severity=WARN if element.tag.endswith('_collisions') else None)
    for element in files.srdf:
        if (near := _TAGS.near(element.tag)) not in (None, element.tag):
            yield Defect(element, 'MoveIt reads no <{tag}>', suggestion=near, severity=WARN)


@rule('srdf-empty-group', WARN)
def srdf_empty_group(description: Description) -> Iterator[Defect]:
    """
    Check that a group of an SRDF file has links, joints, chains or groups.

    Fails in arm.srdf: <group name="all"></group>
    Passes: <group name="all"><link name="base"/></group>
    """
    for group in moveit_files(description).elements('group'):
        if not len(group):
            yield Defect(group, '{group} is empty')


@rule('srdf-group-cycle', ERROR)
def srdf_group_cycle(description: Description) -> Iterator[Defect]:
    """
    Check that no group of an SRDF file contains itself.

    Fails in arm.srdf: <group name="all"><group name="all"/></group>
    Passes: <group name="all"><link name="base"/></group>
    """
    files = moveit_files(description)
    for name, group in files.groups.items():
        if name in files.contained(name):
            yield Defect(group, '{group} contains itself')


@rule('srdf-end-effector', WARN)
def srdf_end_effector(description: Description) -> Iterator[Defect]:
    """
    Check that an end effector is attached to a link outside of it, in its parent group.

    A link in both groups is not a defect.

    Fails in arm.srdf:
        <group name="hand"><link name="palm"/></group>
        <end_effector name="hand" group="hand" parent_link="palm"/>
    Passes with parent_link="upper"
    """
    files = moveit_files(description)
    for element in files.elements('end_effector'):
        link, group = element.get('parent_link', ''), element.get('group', '')
        above = element.get('parent_group', '')
        if above == group and group in files.groups:
            yield Defect(element, 'The parent group of {effector} is its own group, {group}',
                         effector=element, group=Name(group), attribute='parent_group')
        elif link not in description.link_names or group not in files.groups:
            continue
        elif link in files.parts(group)[0] and not any(
                link in files.parts(each)[0] for each in files.groups if each != group):
            yield Defect(element, '{effector} is attached to link {link}, which is part of its '
                         'own group {group}', effector=element, link=Name(link), group=Name(group))
        elif above in files.groups and link not in files.parts(above)[0] | {
                chain.get('base_link') for chain in files.groups[above].findall_tag('chain')}:
            yield Defect(
                element, 'Link {link}, which {effector} is attached to, is not in the parent '
                'group {group}', effector=element, link=Name(link), group=Name(above))


@rule('srdf-virtual-joint', WARN)
def srdf_virtual_joint(description: Description) -> Iterator[Defect]:
    """
    Check that a virtual joint of an SRDF file has the root link of the robot as its child.

    Fails in arm.srdf:
        <virtual_joint name="v" type="fixed" parent_frame="world" child_link="palm"/>
    Passes with child_link="base"
    """
    world = description.link_names.get('world')
    is_bare = world is not None and not {'visual', 'collision'} & description.child_tags(world)
    for joint in moveit_files(description).elements('virtual_joint'):
        above = description.topology.parent_joint(joint.get('child_link', ''))
        # MoveIt accepts what is fixed to a bare world.
        if above is not None and not (is_bare and joint.get('type') == above.get('type') == 'fixed'
                                      and attached_link(above, 'parent') == 'world'):
            yield Defect(joint, '{virtual} is of link {link}, which is not the root of the robot',
                         virtual=joint, link=Name(joint.get('child_link', '')))


@rule('srdf-chain', WARN)
def srdf_chain(description: Description) -> Iterator[Defect]:
    """
    Check that a chain of an SRDF file does not end at a link above its first one.

    Fails in arm.srdf: <group name="all"><chain base_link="palm" tip_link="base"/></group>
    Passes: <group name="all"><chain base_link="base" tip_link="palm"/></group>
    """
    files = moveit_files(description)
    for _, chain, attribute, _ in files.names():
        base, tip = (chain.get(name, '') for name in ('base_link', 'tip_link'))
        if attribute == 'tip_link' and tip in description.link_names and (
                files.above(base) > files.above(tip)):
            yield Defect(chain, 'A chain of {group} begins at link {base}, which is below its '
                         'tip link, {tip}', base=Name(base), tip=Name(tip))


@rule('srdf-state', WARN)
def srdf_state(description: Description) -> Iterator[Defect]:
    """
    Check that the states of an SRDF file are of joints of their group, within the limits.

    More than two turns of a joint without limits are probably degrees.

    Fails in arm.srdf:
        <group name="all"><joint name="shoulder"/></group>
        <group_state name="ready" group="all"><joint name="shoulder" value="3.2"/>
        </group_state>
    Passes with value="1.5"
    """
    files = moveit_files(description)
    for state in files.elements('group_state'):
        group = state.get('group', '')
        joints = None if group not in files.groups else files.parts(group)[1]
        given = {value.get('name', '').strip(): value for value in state.findall_tag('joint')}
        for name, value in given.items():
            if name not in description.joint_names:
                continue
            if joints is not None and name not in joints:
                yield Defect(value, '{state} sets {joint}, which is not in group {group}',
                             state=state, group=Name(group))
            for text in value.get('value', '').split():
                yield from position_defects(
                    description, value, text, name, '{state} sets {joint} to', 1e-5, state=state,
                    joint=description.joint_names[name], attribute='value')
        missing = [Name(name) for name, joint in sorted(description.joint_names.items())
                   if name in (joints or ()) and name not in given
                   and joint.get('type') in (*LIMITED_TYPES, 'continuous')
                   and child(joint, 'mimic') is None]
        if missing:
            yield Defect(state, '{state} sets no value for {joints}', state=state, joints=missing)


def position_defects(description: Description, element: Element, text: str, moved: str,
                     template: str, slack: float, **arguments: Any) -> Iterator[Defect]:
    """
    Yield what is wrong with the position of a joint in a file of MoveIt.

    :param moved: the name of the joint.
    :param template: the beginning of the message, up to the position.
    :param slack: how far beyond the limits it may be, as numbers are rounded.
    """
    joint = description.joint_names.get(moved)
    lower, upper = position_ranges(description).get(joint, _ENDLESS)
    try:
        position = parse_number(text)
    except ValueError:
        yield Defect(element, template + ' {value:40}, which is not a number',
                     value=Name(text), **arguments)
        return
    if lower <= upper and not lower - slack <= position <= upper + slack:
        yield Defect(element, template + ' {value:g}, outside of its limits {lower:g} and '
                     '{upper:g}', value=position, lower=lower, upper=upper, **arguments)
    elif _MAX_TURNS < abs(position) / math.tau < math.inf and joint is not None and (
            joint.get('type') in (None, 'continuous')):
        yield Defect(element, template + ' {value:g}, {turns:.1f} turns', value=position,
                     turns=abs(position) / math.tau, radians=math.radians(position),
                     hint='Write {radians:.5g} if these are degrees', **arguments)


@rule('moveit-limits-unknown-joint', WARN)
def moveit_limits_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that the joints in joint_limits.yaml exist.

    Fails in joint_limits.yaml:
        joint_limits:
          elbow:
            has_velocity_limits: true
            max_velocity: 1.0
    Passes:
        joint_limits:
          shoulder:
            has_velocity_limits: true
            max_velocity: 1.0
    """
    files = moveit_files(description)
    for joint in files.limits if not description.is_template else ():
        name = joint.get('name', '').split('/')[0]
        longer = [each for each in description.joint_names if each.endswith(f'_{name}')]
        if name not in files.joints:
            yield Defect(joint, 'joint_limits.yaml has limits of joint {name}, which does not '
                         'exist', name=Name(name), suggestion=longer[0] if len(longer) == 1 else (
                             closest(name, description.joint_names)))


@rule('moveit-limits-invalid', WARN)
def moveit_limits_invalid(description: Description) -> Iterator[Defect]:
    """
    Check that the limits in joint_limits.yaml are numbers, in order, and not wider than others.

    MoveIt takes them instead of those of the description; a robot stops at the narrower ones.

    Fails in joint_limits.yaml:
        joint_limits:
          shoulder:
            has_velocity_limits: true
    Passes:
        joint_limits:
          shoulder:
            has_velocity_limits: true
            max_velocity: 1.0
    """
    files = moveit_files(description)
    for joint in files.limits:
        numbers: dict[str, float] = {}
        given = {part.tag: part for part in joint}
        used = [kind for kind in _LIMITS
                if joint.findtext(f'has_{kind}_limits', '').lower() in _TRUE]
        for key, part in ((key, part) for key, part in given.items() if key.endswith(_LIMITS)):
            text = part.text or ''
            try:
                numbers[key] = float(text)
            except ValueError:
                yield Defect(part, 'The {key} of {joint} is {text:40}, which is not a number',
                             key=key, text=Name(text))
            if key[4:] in used and files.is_moveit_2 and text.lstrip('+-').isdigit():
                yield Defect(
                    part, 'The {key} of {joint} is the integer {text}, which MoveIt 2 does not '
                    'accept', key=key, text=Name(text), severity=ERROR, plain=FreeText(text),
                    consequences=refuses('moveit', how='ends with an exception about the type'))
        for kind in used:
            if f'max_{kind}' not in given:
                yield Defect(given[f'has_{kind}_limits'], '{joint} has {kind} limits, but no '
                             '{missing}', kind=kind, missing=f'max_{kind}')
        low, high = (numbers.get(f'{end}_position', math.nan) for end in ('min', 'max'))
        if low > high:
            yield Defect(given['min_position'], 'The min_position of {joint} is {lower:g}, above '
                         'max_position {upper:g}', lower=low, upper=high)
        lower, upper = position_ranges(description).get(
            description.joint_names.get(joint.get('name', '')), _ENDLESS)
        for value, end, name, own, excess in ((low, 'min', 'lower', lower, lower - low),
                                              (high, 'max', 'upper', upper, high - upper)):
            if math.isfinite(value) and excess > 1e-3:
                yield Defect(given[f'{end}_position'], 'joint_limits.yaml lets {joint} move to '
                             '{value:g}, beyond its {limit} limit {own:g}', limit=name,
                             value=value, own=own)


@rule('moveit-acceleration-missing', WARN)
def moveit_acceleration_missing(description: Description) -> Iterator[Defect]:
    """
    Check that joint_limits.yaml has acceleration limits of the joints that MoveIt 2 plans with.

    They are those in groups of the SRDF file that are not passive. The setup assistant writes
    has_acceleration_limits: false, with which planning ends in an error.

    Fails in joint_limits.yaml:
        joint_limits:
          shoulder:
            has_acceleration_limits: false
            max_acceleration: 0.0
    Passes:
        joint_limits:
          shoulder:
            has_acceleration_limits: true
            max_acceleration: 2.0
    """
    files = moveit_files(description)
    planned = {name for group in files.groups for name in files.parts(group)[1]} - {
        joint.get('name', '') for joint in files.elements('passive_joint')}
    lacking = [joint for joint in files.limits if joint.get('name') in planned
               and joint.findtext('has_acceleration_limits', 'false').lower() not in _TRUE]
    for joint in () if files.is_moveit_1 else lacking[:1]:
        yield Defect(joint,
                     'joint_limits.yaml has no acceleration limits of {joints}',
                     joints=[Name(each.get('name', '')) for each in lacking])
