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

"""The account of Pinocchio where it is not that of urdfdom, as buildModelFromUrdf answers."""

import numpy as np
import pytest
from support.program_cases import source_of

from urdf_tools.findings.consequences import Impact
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.pinocchio import account

LINKS = ''.join(f'<link name="{name}"/>' for name in 'abc')


def joint(name, parent, child, kind='fixed', content=''):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{content}</joint>')


def causes(*joints, version='1.0'):
    text = f'<robot name="r" version="{version}">{LINKS}{"".join(joints)}</robot>'
    return [(each.of, each.impact, each.element.path)
            for each in account(source_of(text), Context()).causes]


@pytest.mark.parametrize(('names', 'refused'), [('jkl', False), ('kjl', True), ('jzl', False)])
def test_a_second_parent_must_come_first(names, refused):
    first, second, third = names
    found = causes(joint(first, 'a', 'b'), joint(second, 'a', 'c'), joint(third, 'b', 'c'))
    assert found == [('structure', Impact.REFUSES, f"/robot/joint[@name='{third}']")] * refused


@pytest.mark.parametrize(('name', 'impact'), [('j', Impact.REFUSES), ('z', Impact.CRASHES)])
def test_a_cycle_below_the_root(name, impact):
    found, = causes(joint(name, 'a', 'b'), joint('k', 'b', 'c'), joint('l', 'c', 'b'))
    assert found[1] is impact


@pytest.mark.parametrize(('kind', 'refused'), [
    ('continuous', True), ('planar', False), ('fixed', False)])
@pytest.mark.parametrize(('tag', 'content'), [
    ('limit', '<limit effort="-1" velocity="1"/>'), ('limit', '<limit effort="1" velocity="-1"/>'),
    ('dynamics', '<dynamics friction="-1"/>')])
def test_negative_limits_of_joints_that_turn(kind, refused, tag, content):
    found = causes(joint('j', 'a', 'b', kind, content), joint('k', 'b', 'c'))
    assert found == [(tag, Impact.REFUSES, f"/robot/joint[@name='j']/{tag}")] * refused


def test_urdf_1_2_is_read():
    assert causes(joint('j', 'a', 'b'), joint('k', 'b', 'c'), version='1.2') == []


@pytest.mark.parametrize('kinds, copies', [
    (['revolute', 'revolute'], 2), (['fixed', 'revolute', 'continuous'], 3),
    (['revolute', 'fixed'], 1), (['revolute'], 1)])
def test_a_link_is_added_for_each_path_to_it(kinds, copies):
    limit = '<limit effort="1" velocity="1"/>'
    body = ('<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
            'izz="1"/></inertial>')
    links = LINKS.replace('<link name="b"/>', f'<link name="b">{body}</link>')
    joints = ''.join(joint(f'j{index}', 'a', 'b', kind, limit)
                     for index, kind in enumerate(kinds)) + joint('k', 'b', 'c')
    found = account(source_of(f'<robot name="r">{links}{joints}</robot>'), Context())
    assert found.loads
    moves = kinds[-1] != 'fixed'
    assert (found.kept.links, found.kept.body.mass) == (copies * moves, 2 * copies * moves)
    assert [(each.mass, each.element.get('name')) for each in found.losses
            if 'copies' in each.arguments] == [
                (2 * (copies - 1), f'j{len(kinds) - 1}')] * (copies > 1)


def test_a_robot_with_many_paths_is_read_at_once():
    links = ''.join(f'<link name="l{index}"/>' for index in range(100))
    joints = ''.join(joint(f'j{index}{side}', f'l{index}', f'l{index + 1}', 'continuous')
                     for index in range(99) for side in 'ab')
    found = account(source_of(f'<robot name="r">{links}{joints}</robot>'), Context())
    assert found.kept.links == sum(min(2**index, 1000) for index in range(1, 100))


def test_the_sum_of_negative_masses_is_unknown():
    found = account(source_of(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="-1"/><inertia '
        'ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'
        f'{joint("j", "a", "b", "continuous")}</robot>'), Context())
    assert found.kept.body.mass == -1 and np.isnan(found.kept.body.com).all()
