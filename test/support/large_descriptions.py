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

"""Descriptions with any number of each kind of element and of each kind of defect."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
import re

from support.rule_cases import EXAMPLES
from support.validation_cases import Case

Text = Callable[[int], str]

_SHAPE = '<geometry><box size="1 1 1"/></geometry>'
_MASS = ('<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
         '</inertial>')
_ROTATED = ('<inertial><origin xyz="0 0 0.#1" rpy="1 2 3"/><mass value="1#"/>'
            '<inertia ixx="1.#1" ixy="0.1" ixz="0.1" iyy="1" iyz="0.1" izz="1"/></inertial>')
_INSIDE = re.compile(r'\A(.*?<robot\b[^>]*>)(.*)(</robot>)\s*\Z', re.DOTALL)
_NAMES = re.compile(r'\b(name|link|joint|reference)="([^"]+)"')


def _robot(content: str) -> str:
    return f'<robot name="r">{content}</robot>'


def _repeated(part: str, around: str = '{}') -> Text:
    """Return the text of a robot that has a part many times, with each # a number."""
    return lambda count: _robot(around.replace('{}', ''.join(
        part.replace('#', str(i)) for i in range(count))))


def _joint(number: int, parent: int, inside: str = '') -> str:
    return (f'<link name="l{number}"/><joint name="j{number}" type="continuous">'
            f'<parent link="l{parent}"/><child link="l{number}"/>{inside}</joint>')


def _joints(parent: Callable[[int], int], inside: str = '') -> Text:
    return lambda count: _robot('<link name="l0"/>' + ''.join(
        _joint(i, parent(i), inside.replace('#', str(i - 1))) for i in range(1, count)))


def _in_link(part: str) -> Text:
    return _repeated(part, '<link name="base_link">{}</link>')


def _names(length: int) -> Text:
    """Return the text of a robot with links of long names, and joints that misspell them."""
    return lambda count: _robot(''.join(
        f'<link name="{i:0{length}d}"/><joint name="{i:0{length}d}" type="fixed">'
        f'<parent link="x{i:0{length - 1}d}"/><child link="{i:0{length - 1}d}x"/></joint>'
        for i in range(count)))


def _crossed(count: int) -> str:
    """Return the text of a robot whose roots have joints to each of some other links."""
    width = 10
    return _robot(''.join(f'<link name="b{k}"/>' for k in range(width)) + ''.join(
        f'<link name="a{i}"/>' + ''.join(
            f'<joint name="j{i}_{k}" type="fixed"><parent link="a{i}"/><child link="b{k}"/>'
            '</joint>' for k in range(width))
        for i in range(count // width)))


def _shared_chain(count: int) -> str:
    """Return the text of a robot with many roots, all of which are parents of the same chain."""
    half = count // 2
    chain = ''.join(_joint(i, i - 1) for i in range(1, half))
    return _robot('<link name="l0"/>' + chain + ''.join(
        f'<link name="r{i}"/><joint name="k{i}" type="fixed"><parent link="r{i}"/>'
        '<child link="l0"/></joint>' for i in range(half)))


def _in_depth(tag: str, attributes: str = '', before: str = '', inside: str = '') -> Text:
    """Return the text of a robot with many elements deep inside of each other."""
    def text(count: int) -> str:
        deep = 10 if count <= 200 else 100
        part = f'<{tag}>' * deep + inside + f'</{tag.split()[0]}>' * deep
        parts = part * (count // deep)
        return (f'<robot name="r" {attributes}>{before}<ros2_control name="s" type="system">'
                f'{parts}</ros2_control><gazebo>{parts}</gazebo></robot>')
    return text


def _nested(count: int) -> str:
    deep = 20
    return _robot('<gazebo>' + ('<a>' * deep + '</a>' * deep) * (count // deep) + '</gazebo>')


ELEMENTS: Mapping[str, Text] = {
    'links': _repeated('<link name="l#"/>'),
    'links without a name': _repeated('<link/>'),
    'links of one name': _repeated('<link name="l"/>'),
    'links with bodies': _repeated(
        f'<link name="l#">{_MASS}<visual>{_SHAPE}</visual><collision>{_SHAPE}</collision></link>'),
    'chain': _joints(lambda i: i - 1),
    'star': _joints(lambda i: 0),
    'binary tree': _joints(lambda i: i // 2),
    'chain of mimics': _joints(lambda i: 0, '<mimic joint="j#"/>'),
    'cycles of links': lambda count: _robot(''.join(
        f'{_joint(i, i + 1)}{_joint(i + 1, i)}' for i in range(0, count, 2))),
    'cycle of all links': lambda count: _robot(''.join(
        _joint(i, (i + 1) % count) for i in range(count))),
    'many parents': lambda count: _robot('<link name="a"/><link name="b"/>' + ''.join(
        f'<joint name="j{i}" type="fixed"><parent link="a"/><child link="b"/></joint>'
        for i in range(count))),
    'all to all': _crossed,
    'roots of one chain': _shared_chain,
    'joints alone': _repeated('<joint name="j#" type="fixed"/>', '<link name="l"/>{}'),
    'misspelled names of 20': _names(20),
    'misspelled names of 80': _names(80),
    'misspelled names of 2000': _names(2000),
    'materials': _repeated('<material name="m#"/>'),
    'materials with colours': _repeated(
        '<material name="m#"><color rgba="1 0 0 1"/></material>'),
    'materials in visuals': _in_link(
        f'<visual name="v#">{_SHAPE}<material name="m#"/></visual>'),
    'visuals': _in_link(f'<visual name="v#">{_SHAPE}</visual>'),
    'shapes of one visual': _repeated(
        '<box size="1 1 1"/>',
        '<link name="base_link"><visual><geometry>{}</geometry></visual></link>'),
    'missing meshes': _in_link(
        '<visual><geometry><mesh filename="no/m#.stl"/></geometry></visual>'),
    'meshes of missing packages': _in_link(
        '<visual><geometry><mesh filename="package://no#/m.stl"/></geometry></visual>'),
    'missing textures': _repeated(
        '<material name="m#"><texture filename="package://no#/m.png"/></material>'),
    'transmissions': _repeated(
        '<transmission name="t#"><type>SimpleTransmission</type><joint name="j#"/>'
        '<actuator name="a#"/></transmission>'),
    'joints of one transmission': _repeated(
        '<joint name="j#"/>', '<transmission name="t"><type>x</type>{}</transmission>'),
    'gazebo references': _repeated('<gazebo reference="l#"/>', '<link name="l"/>{}'),
    'gazebo content': _repeated('<plugin filename="libgazebo_ros_x.so"><p#/></plugin>',
                                '<gazebo>{}</gazebo>'),
    'preserved joints': _repeated(
        '<gazebo reference="j#"><preserveFixedJoint>true</preserveFixedJoint></gazebo>'),
    'nested': _nested,
    'ros2_control systems': _repeated('<ros2_control name="s#" type="system"/>'),
    'ros2_control joints': _repeated(
        '<joint name="j#"><command_interface name="effort"/></joint>',
        '<ros2_control name="s" type="system">{}</ros2_control>'),
    'command interfaces': _repeated(
        '<command_interface name="c#"/>',
        '<ros2_control name="s" type="system"><joint name="j">{}</joint></ros2_control>'),
    'unknown elements': _repeated('<lnk# nme="l"/>'),
    'unknown elements in a link': _in_link('<visul#/>'),
    'unknown attributes': _repeated('<link name="l#" nme="a" nam="b" typ="c" nane="d"/>'),
    'different unknown attributes': _repeated('<link n#="a"/>'),
    'attributes of one element': lambda count: _robot('<link name="l" ' + ' '.join(
        f'a{i}=""' for i in range(min(count, 50_000))) + '/>'),
    'misspelled children': _in_link('<nme/>'),
    'prefixes in depth': _in_depth('p:a', 'xmlns:p="p"'),
    'expressions in depth': _in_depth('a b="${x}"'),
    'suppressions in depth': _in_depth(
        'p:a', before='<!-- urdf-tools: ignore suppression-unused -->',
        inside='<plugin filename="libgazebo_ros_x.so"/>' * 5),
    'joints in depth': _in_depth('joint name="j" size="x"'),
    'bodies': _repeated(f'<link name="l#">{_ROTATED}</link>'),
    'bodies of several shapes': _repeated(
        f'<link name="l#">{_ROTATED}<collision><origin xyz="0 0.# 0" rpy="0.1 0.2 0.3"/>'
        '<geometry><capsule radius="1" length="1"/></geometry></collision></link>'),
    'shapes of one body': _repeated(
        f'<collision name="c#"><origin xyz="0 0 0.#"/>{_SHAPE}</collision>',
        f'<link name="l">{_ROTATED}{{}}</link>'),
    'digits': _repeated(
        f'<link name="l#"><inertial><mass value="{"1" * 5_000}x"/></inertial></link>'),
    'origins': _in_link('<visual><origin xyz="0 0 0 0" rpy="a b c"/></visual>'),
    'numbers of one attribute': lambda count: _in_link(
        '<visual><origin xyz="' + '1 ' * min(count, 400_000) + '"/></visual>')(1),
    'comments': _repeated('<!-- c# -->'),
    'comments on lines': _repeated('<!-- c# -->\n'),
    'text': _repeated('text &lt; &#65; '),
    'lines': _repeated('\n'),
    'lines of links': _repeated('<link name="l#"/>\n'),
    'suppressions of an unknown rule': _repeated('<!-- urdf-tools: ignore no# -->'),
    'suppressions of an unknown rule on lines': _repeated('<!-- urdf-tools: ignore no# -->\n'),
    'unused suppressions': _repeated('<!-- urdf-tools: ignore axis-zero --><link name="l#"/>\n'),
    'used suppressions': _repeated('<!-- urdf-tools: ignore link-no-name -->\n<link/>\n'),
    'codes of one suppression': lambda count: _robot(
        '<!-- urdf-tools: ignore ' + ', '.join(f'a{i}' for i in range(min(count, 100_000)))
        + ' -->\n<link/>'),
    'bad comments': _repeated('<!-- -- -->'),
    'open comments': _repeated('<!--'),
    'a repaired declaration': lambda count: (
        '<?xml version="1.0" encoding="none"?>' + ELEMENTS['links'](count)),
    'never closed': lambda count: '<robot name="r">' + '<link name="l"/>' * count,
    'expressions': _repeated('<gazebo a="${x#}"/>'),
}
"""Kinds of elements, and of other parts of a text, to the text that has many of them."""


def _defects(case: Case) -> Text:
    """Return the text that violates a rule many times, with numbered names."""
    text = case.template.format(case.bad)
    match = _INSIDE.match(text)
    if match is None:
        return lambda count: text * count
    start, content, end = match.groups()
    return lambda count: start + ''.join(
        _NAMES.sub(rf'\1="\2_{i}"', content) for i in range(count)) + end


DEFECTS: Mapping[str, Text] = {
    code: _defects(case) for code, case in EXAMPLES.items()}
"""Codes of rules to the text that violates them many times; some are rules about elements."""
