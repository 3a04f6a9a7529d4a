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

"""Descriptions that robot_state_publisher refuses and this one accepts, and the reverse."""

import pytest
from urdf_tools.model.errors import DescriptionError
from urdf_tools.ros.current_model import parse_description

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'


def robot(joint=LIMIT, name='name="j"', start='', attributes='', content=''):
    """Return a robot of two links, and a revolute joint with some content."""
    return (
        f'{start}<robot name="r"{attributes}><link name="a"/><link name="b"/>{content}'
        f'<joint {name} type="revolute"><parent link="a"/><child link="b"/>{joint}</joint>'
        '</robot>')


@pytest.mark.parametrize('text', [
    robot(''),
    robot('<limit lower="-1" upper="1" velocity="1"/>'),
    robot('<limit lower="-1" upper="1" effort="1"/>'),
    robot(LIMIT.replace('effort="1"', 'effort="strong"')),
    robot(LIMIT.replace('lower="-1"', 'lower="low"'))],
    ids=['no limit', 'no effort', 'no velocity', 'effort of text', 'lower of text'])
def test_revolute_joints_move_whatever_their_limit(text):
    assert [joint.name for joint in parse_description(text).tree] == ['j']


def test_numbers_may_be_apart_by_any_white_space():
    joint = parse_description(robot(f'{LIMIT}<origin xyz="1\n2\t3"/>')).joints['j']
    assert joint.origin.xyz == (1, 2, 3)


@pytest.mark.parametrize('version', ['1.0', '1.1', '1.2'])
def test_every_version_of_urdf_is_accepted(version):
    assert parse_description(robot(attributes=f' version="{version}"')).version == version


def test_material_defined_twice_is_accepted():
    assert len(parse_description(robot(content=RED + RED)).problems) == 1


@pytest.mark.parametrize('content', [
    '<mimic multiplier="2"/>', '<mimic joint="k" multiplier="twice"/>'])
def test_joint_with_a_bad_mimic_moves_by_itself(content):
    assert parse_description(robot(LIMIT + content)).joints['j'].mimic is None


@pytest.mark.parametrize('content', [
    '<dynamics/>', '<dynamics damping="much"/>', '<safety_controller k_position="1"/>',
    '<safety_controller k_velocity="some"/>', '<calibration rising="high"/>'])
def test_dynamics_safety_and_calibration_never_refuse_a_description(content):
    assert 'j' in parse_description(robot(LIMIT + content)).joints


@pytest.mark.parametrize(('text', 'line', 'message'), [
    (robot(content='\n<gazebo><a b="x & y"/></gazebo>'), 2, 'not well-formed XML'),
    (robot(content='\n<gazebo><a>x & y</a></gazebo>'), 2, 'not well-formed XML'),
    (robot(content='\n<gazebo><a b="x < y"/></gazebo>'), 2, 'not well-formed XML'),
    (robot(start='hello\n'), 1, 'not well-formed XML'),
    (robot() + '\n<robot name="second"/>', 2, 'not well-formed XML'),
    (robot(start='<!DOCTYPE robot [<!ENTITY one "1">]>\n'), 1, 'entities'),
    (robot(name='name=""'), 1, 'A joint has no name'),
    (robot(content='<link name="c"/><link name="d"/>\n'
           '<joint name="cd" type="fixed"><parent link="c"/><child link="d"/></joint>'
           '<joint name="dc" type="fixed"><parent link="d"/><child link="c"/></joint>'),
     2, "connected in a cycle: 'c' -> 'd' -> 'c'"),
    (robot(f'{LIMIT}\n<axis xyz="nan 0 0"/>'), 2, "'nan' is not finite"),
    (robot(f'{LIMIT}\n<origin xyz="inf 0 0"/>'), 2, "'inf' is not finite")],
    ids=['ampersand in an attribute', 'ampersand in a text', 'less-than sign', 'text before',
         'second root', 'entity', 'joint without a name', 'cycle beside the root', 'NaN',
         'infinity'])
def test_refused_descriptions_are_refused_with_their_line(text, line, message):
    with pytest.raises(DescriptionError, match=message) as refusal:
        parse_description(text)
    assert refusal.value.line == line


@pytest.mark.parametrize('extra, message', [
    ('<!--' + 'x' * 2**21 + '-->', 'A single tag, comment or section has more than 1048576'),
    ('<a>' * 128 + '</a>' * 128, 'nested deeper than 128'),
    ('<a/>' * 160_000, 'more than 160000 elements'),
    ('<a b="" c="" d="" e="" f="" g="" h="" i="" j="" k=""/>' * 50_001,
     'more than 500000 attributes'),
    (' ' * 2**25, 'at most 33554432 are read')],
    ids=['token', 'depth', 'elements', 'attributes', 'bytes'])
def test_what_is_too_large_is_refused(extra, message):
    with pytest.raises(DescriptionError, match=message):
        parse_description(robot(content=extra))
