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

"""What the model of PyBullet says; each number is that of PyBullet 3.2.7."""

from __future__ import annotations

from pathlib import Path
import re

import numpy as np
import pytest

from support.program_cases import source_of

from urdf_tools import loads
from urdf_tools.findings.consequences import Impact
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.pybullet import account

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
BODY = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="3" velocity="4"/>'
TWO = f'<link name="base">{BODY}</link><link name="tip">{BODY}</link>'
BOX = '<geometry><box size="1 1 1"/></geometry>'


def joint(inside='', kind='revolute', child='tip', parent='base', limit=LIMIT):
    """Return a joint in URDF."""
    return (f'<joint name="to_{child}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{limit}{inside}</joint>')


ROBOT = f"""
  <link name="base"><inertial><mass value="10"/>{INERTIA}</inertial></link>
  <link name="wheel">{BODY}</link><link name="follower">{BODY}</link><link name="frame"/>
  {joint('<dynamics damping="0.0001" friction="0.3"/>', 'continuous', 'wheel', limit='')}
  {joint('<mimic joint="to_wheel"/>', child='follower')}
  {joint(kind='fixed', child='frame', limit='')}"""

REFUSED = {
    'no-limit': (TWO + joint(limit=''), "Joint 'to_tip' is revolute and has no <limit>"),
    'empty-dynamics': (
        TWO + joint('<dynamics/>'), "<dynamics> of joint 'to_tip' has neither damping nor "
        'friction'),
    'no-inertia': (
        '<link name="base"><inertial><mass value="1"/></inertial></link>',
        "<inertial> of link 'base' has no <inertia>"),
    'no-mass': (
        f'<link name="base"><inertial><mass/>{INERTIA}</inertial></link>',
        "<mass> of link 'base' has no value"),
    'no-size': (
        '<link name="base"><visual><geometry><box/></geometry></visual></link>',
        "<box> of link 'base' has no size"),
    'no-shape': (
        '<link name="base"><visual/></link>', "<visual> of link 'base' has no shape"),
    'unknown-shape': (
        '<link name="base"><visual><geometry><cone/></geometry></visual></link>',
        "PyBullet does not know the shape 'cone'"),
    'material': (
        f'<link name="base"><visual>{BOX}<material/></visual></link>',
        "<material> of link 'base' has no name"),
    'gltf': (
        '<link name="base"><visual><geometry><mesh filename="a.glb"/></geometry></visual></link>',
        "PyBullet does not read mesh files such as 'a.glb'"),
    'two-parents': (
        f'{TWO}<link name="top"/>{joint(child="top", kind="fixed")}{joint()}'
        f'<joint name="again" type="fixed"><parent link="top"/><child link="tip"/></joint>',
        "PyBullet crashes, because link 'tip' is the child of 2 joints")}


NO_ROBOT = {
    '<sdf name="r"><link name="a"/></sdf>': (Impact.REFUSES, 'element', '/sdf'),
    '<robot><link name="a"/></robot>': (Impact.REFUSES, 'name', '/robot'),
    '<robot name="r"/>': (Impact.REFUSES, 'link', '/robot'),
    '<robot name="r"><link/></robot>': (Impact.REFUSES, 'name', '/robot/link[1]'),
    '<robot name="r"><link name=""/></robot>': (Impact.REFUSES, 'name', '/robot/link[1]'),
    '<robot name="r"><link name="a"/><link name="a"/></robot>': (
        Impact.REFUSES, 'name', '/robot/link[2]'),
    '<robot name="r"><link name="a"/><link name="b"/></robot>': (
        Impact.CRASHES, 'structure', "/robot/link[@name='a']"),
    '<robot name="r"><deformable name="d"/><link name="a"/></robot>': (
        Impact.REFUSES, 'element', '/robot/deformable')}
"""Descriptions to why PyBullet refuses them, and where that is written."""

JOINTS = {
    joint(child='top').replace('to_top', 'to_tip'): (Impact.REFUSES, 'structure', '/child'),
    joint(parent=''): (Impact.REFUSES, 'structure', '/parent'),
    joint().replace('<child link="tip"/>', ''): (Impact.REFUSES, 'structure', ''),
    joint(kind='hinge'): (Impact.REFUSES, 'type', ''),
    joint().replace(' type="revolute"', ''): (Impact.CRASHES, 'type', ''),
    joint('<axis xyz="0 1"/>'): (Impact.REFUSES, 'axis', '/axis'),
    joint() + joint().replace('to_tip', 'back').replace('link="base"', 'link="x"').replace(
        'link="tip"', 'link="base"').replace('link="x"', 'link="tip"'): (
            Impact.REFUSES, 'structure', '')}
"""Joints of two links to why PyBullet refuses them, and where that is written."""


def account_of(inside, context=None):
    """Return the account of a robot with these elements."""
    return account(Source.of_robot(loads(f'<robot name="r">{inside}</robot>')),
                   context or Context())


def messages(inside):
    """Return the messages of what the robot loses."""
    return [str(each.message) for each in account_of(inside).losses]


def test_amounts():
    """Frames get 1 kg, joints a motor, and limits, damping and friction arrive."""
    found = account_of(ROBOT)
    assert found.loads and found.base == 'free' and found.kept.links == 4
    assert (found.source.body.mass, found.kept.body.mass) == (12, 13)
    assert (found.kept.moving_joints, found.kept.fixed_joints) == (2, 1)
    assert (found.source.mimic, found.kept.mimic, found.kept.actuators) == (1, 0, 2)
    assert found.kept.position_limits == found.kept.effort_limits == 1
    assert found.kept.velocity_limits == found.kept.damping == found.kept.friction == 1


def test_a_limit_of_a_conversion_that_none_reaches_is_none():
    """Converters write 1e16 where the other format has no limit, and urdfdom requires one."""
    assert any('velocity limits' in each for each in messages(ROBOT))
    unlimited = re.sub('(effort|velocity)="[^"]*"', r'\1="1e+16"', ROBOT)
    assert unlimited != ROBOT
    assert account_of(unlimited).kept.effort_limits == 0
    assert account_of(unlimited).kept.velocity_limits == 0
    assert not any('velocity limits' in each for each in messages(unlimited))


def test_losses():
    """What is invented comes first, with its mass; each loss names its element."""
    losses = account_of(ROBOT).worst_first
    assert [(each.of, each.impact) for each in losses] == [
        ('mass', Impact.CHANGES), ('mimic', Impact.DROPS), *[('inertia', Impact.CHANGES)] * 3,
        ('limit', Impact.IGNORES), ('dynamics', Impact.IGNORES)]
    assert losses[0].mass == 1 and losses[0].element.get('name') == 'frame'
    assert str(losses[0].message) == "Link 'frame' has no <inertial>, and gets a mass of 1 kg"
    assert str(losses[1].message) == "Joint 'to_follower' does not follow 'to_wheel'"
    assert 'become 6.7e-07 instead of 1 kg m^2' in losses[3].message


def test_a_joint_without_damping_beside_a_negative_mass():
    robot = TWO.replace('<mass value="1"/>', '<mass value="-1"/>') + joint('')
    assert 'amping' not in str([each.message for each in account_of(robot).losses])


@pytest.mark.parametrize(('damping', 'is_stable'), [('0.4', True), ('6', False)])
def test_damping_of_a_torque_of_the_step_before(damping, is_stable):
    """A ball of 0.3 kg in a box of 0.2 m has 0.002 kg m^2, and the step is 1/240 s."""
    inertial = ('<inertial><mass value="0.3"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
                'izz="1"/></inertial><collision><geometry><sphere radius="0.1"/></geometry>'
                '</collision>')
    robot = (f'<link name="base">{inertial}</link><link name="tip">{inertial}</link>'
             + joint(f'<axis xyz="0 0 1"/><dynamics damping="{damping}"/>'))
    told = [each.message for each in account_of(robot).losses if 'damping' in each.message]
    assert not told if is_stable else 'becomes unstable' in told[0]


@pytest.mark.parametrize(('inside', 'message'), REFUSED.values(), ids=REFUSED)
def test_refused(inside, message):
    """A description is refused, or crashes PyBullet, for one cause."""
    found = account_of(inside)
    assert not found.loads and not found.kept.links
    assert [str(each.message) for each in found.causes] == [message]


@pytest.mark.parametrize(('text', 'expected'), [
    *NO_ROBOT.items(), *((f'<robot name="r">{TWO}{text}</robot>', (
        impact, of, "/robot/joint[@name='to_tip']" + path))
        for text, (impact, of, path) in JOINTS.items())])
def test_refused_where_it_is_written(text, expected):
    """It says so also of what is no robot for the loader, in the most specific element."""
    found = account(source_of(text), Context())
    assert (found.causes[0].impact, found.causes[0].of, found.causes[0].element.path) == expected


def test_links_apart_from_the_root():
    """A cycle beside the root is left out."""
    cycle = joint() + joint(child='base', parent='tip')
    left = account(source_of(f'<robot name="r"><link name="r"/>{TWO}{cycle}</robot>'), Context())
    assert left.loads and [each.of for each in left.losses[:1]] == ['structure']


def test_no_file_is_read():
    """Files count as found, and what is in them is unknown."""
    found = account_of(
        '<link name="base"><collision><geometry><mesh filename="package://a/a.stl"/></geometry>'
        '</collision></link>', Context(file=Path('r.urdf'), reads_files=False))
    assert found.loads and found.kept.collisions == {'.stl': 1}


@pytest.mark.parametrize(('root', 'base'), [
    ('<link name="world"/>', 'fixed'), ('<link name="map"/>', 'free'),
    (f'<link name="map"><inertial><mass value="0"/>{INERTIA}</inertial></link>', 'fixed'),
    (f'<link name="world">{BODY}</link>', 'free')])
def test_base(root, base):
    """A root link without mass is fixed, and only that of the name world has none by itself."""
    name = 'world' if 'world' in root else 'map'
    assert account_of(f'{root}{TWO}{joint(parent=name, child="base", kind="fixed", limit="")}'
                      f'{joint()}').base == base


@pytest.mark.parametrize(('limit', 'bounded'), [
    (LIMIT, 1), ('<limit effort="1" velocity="1"/>', 0), ('<limit lower="-0.5"/>', 0),
    ('<limit upper="0.5"/>', 1), ('<limit lower="1" upper="-1"/>', 0)])
def test_limits(limit, bounded):
    """Without lower and upper PyBullet takes 0 and -1, which is no limit."""
    assert account_of(TWO + joint(limit=limit)).kept.position_limits == bounded
    assert any('has no end' in each for each in messages(TWO + joint(limit=limit))) != bounded


@pytest.mark.parametrize(('kind', 'moving'), [('floating', 0), ('planar', 1), ('prismatic', 1)])
def test_joint_types(kind, moving):
    """A floating joint becomes a fixed one; only planar ones ignore their limits."""
    found = account_of(TWO + joint(kind=kind))
    assert (found.kept.moving_joints, found.kept.fixed_joints) == (moving, 1 - moving)
    assert any('is floating, and becomes' in each.message for each in found.losses) != moving


@pytest.mark.parametrize(('collisions', 'moments'), [
    ('', [6.666666666666667e-07] * 3),
    ('<geometry><box size="1 2 3"/></geometry>', [13 / 12, 10 / 12, 5 / 12]),
    ('<geometry><sphere radius="0.5"/></geometry>', [0.1, 0.1, 0.1]),
    ('<geometry><cylinder radius="0.1" length="1"/></geometry>',
     [0.087872666666667, 0.087872666666667, 0.007072666666667]),
    ('<origin xyz="0 0 1"/><geometry><box size="1 1 1"/></geometry>',
     [1.002 ** 2 / 6, 1.002 ** 2 / 6, 1.002 ** 2 / 6]),
    ('<geometry><mesh filename="a.stl"/></geometry>', [6.666666666666667e-07] * 3),
    ('<geometry><mesh filename="a.obj"/></geometry>', [np.nan] * 3)])
def test_inertia(collisions, moments, tmp_path):
    """The inertia is that of the collision shape, or of a box around it with a margin."""
    for name in ('a.stl', 'a.obj'):
        (tmp_path / name).write_text('solid')
    collision = f'<collision>{collisions}</collision>' if collisions else ''
    body = account_of(f'<link name="base">{BODY}{collision}</link>', Context(
        ResourceResolver(tmp_path), tmp_path / 'r.urdf')).kept.body
    assert np.allclose(np.diag(body.rotational), moments, equal_nan=True)


def test_meshes(tmp_path):
    """A package is a folder of its name above the description; its manifest does not count."""
    folder = tmp_path / 'arm_description'
    (folder / 'urdf').mkdir(parents=True)
    (folder / 'a.obj').touch()
    (folder / 'package.xml').write_text('<package><name>arm</name></package>')
    context = Context(ResourceResolver(folder / 'urdf'), folder / 'urdf' / 'robot.urdf')

    def is_loaded(uri):
        return account_of('<link name="base"><collision><geometry>'
                          f'<mesh filename="{uri}"/></geometry></collision></link>',
                          context).loads
    assert is_loaded('package://arm_description/a.obj') and is_loaded('package://a.obj')
    assert is_loaded(f'package://{folder}/a.obj')
    assert is_loaded('../a.obj') and is_loaded('a.obj') and is_loaded(f'file://{folder}/a.obj')
    assert not is_loaded('package://arm/a.obj')
    assert not is_loaded('http://arm_description/a.obj')


def test_text_of_triangles(tmp_path):
    """A text .stl is found, but nothing is read of it."""
    (tmp_path / 'a.stl').write_text('solid')
    found = account_of(
        '<link name="base"><collision><geometry><mesh filename="a.stl"/></geometry></collision>'
        '</link>', Context(ResourceResolver(tmp_path), tmp_path / 'r.urdf'))
    assert found.loads and found.source.collisions == {'.stl': 1} and not found.kept.collisions
    assert (
        "Nothing is read of the mesh of <collision> of link 'base', whose file is a text, empty "
        'or unreadable' in [each.message for each in found.losses])


def test_planar_joint():
    """A planar joint moves the centre of mass of its child link, which is put in the joint."""
    child = BODY.replace('<mass', '<origin xyz="0 0 0.5"/><mass')
    text = (f'<link name="base">{BODY}</link><link name="tip">{child}</link>'
            + joint('<origin xyz="0 0 1"/>', 'planar'))
    assert np.allclose(account_of(text).kept.body.com, [0, 0, 0.5])
    assert np.allclose(account_of(text).source.body.com, [0, 0, 0.75])
    assert any("Link 'tip' is shifted by 0.5 m" in each for each in messages(text))


def test_misread_numbers():
    """Numbers that are not written as such are read as others, and said to be."""
    found = messages('<link name="base"><inertial><origin xyz="1 2"/><mass value="2,5"/>'
                     f'{INERTIA}</inertial></link>')
    assert "xyz='1 2' of <origin> of link 'base' is read as 0 0 0" in found
    assert "value='2,5' of <mass> of link 'base' is read as 2" in found


def test_many_links():
    """Poses of robots with more than 128 links cannot be asked for."""
    chain = '<link name="0"/>' + ''.join(
        f'<link name="{n}"/>{joint(child=n, parent=n - 1, kind="fixed", limit="")}'
        for n in range(1, 129))
    assert [each.impact for each in account_of(chain).worst_first if each.of == 'model'] == [
        Impact.CRASHES]
    assert not any(each.of == 'model' for each in account_of(ROBOT).losses)
