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

"""MJCF wherever a description is taken: the robot, its sources, and what is lost."""

import json
import math
import time

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools import DescriptionError
from urdf_tools import ForwardKinematics
from urdf_tools import load
from urdf_tools import loads
from urdf_tools.cli import main
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.view.link_colours import account_for

ARM = """<mujoco model="arm">
  <compiler angle="degree"/>
  <default>
    <joint damping="2"/>
    <default class="wrist"><joint range="-90 90" armature="0.1"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="upper" pos="0 0 1" euler="90 0 0">
      <joint name="lift" axis="0 1 0" pos="0 0 0.5" range="-30 60"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.4" size="0.05" mass="2"/>
      <body name="hand" pos="0 0 0.4" childclass="wrist">
        <joint name="roll" axis="1 0 0" ref="45"/>
        <joint name="reach" class="main" type="slide" axis="0 0 2"/>
        <geom type="box" size="0.1 0.2 0.3" density="10"/>
        <site name="tool" pos="0 0 0.1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="lift" gear="50" ctrlrange="-1 1"/>
    <position joint="roll" kp="100" forcerange="-7 8"/>
  </actuator>
</mujoco>
"""

SHAPES = {  # Mass and moments as MuJoCo 4.0 has them.
    'type="ellipsoid" size="1 2 3" shellinertia="true"': (
        48971.9333337173, (180751.03343201, 140683.07421875, 81026.34167099)),
    'type="capsule" size="1 2" shellinertia="true"': (
        37699.11184307752, (129852.49634838, 129852.49634838, 33510.32163829)),
    'type="cylinder" size="1 2" shellinertia="true"': (
        31415.926535897932, (72780.22980816, 72780.22980816, 28274.33388231)),
    'type="box" size="1 2 3" shellinertia="true"': (
        88000.0, (541333.33333333, 421333.33333333, 242666.66666667)),
    'size="2" shellinertia="true"': (50265.48245743669, (134041.28655316,) * 3),
    'type="capsule" fromto="0 0 0 1 2 3" size="1"': (
        15943.553563325388, (38866.24490253, 38866.24490253, 7552.89776118)),
    'type="mesh" mesh="angle"': (3000.0, (1833.33333333, 1500.0, 833.33333333)),
    'type="mesh" mesh="convex"': (3500.0, (2103.17460317, 1583.33333333, 1103.17460317)),
    'type="mesh" mesh="shell"': (14000.0, (12095.23809524, 10000.0, 6428.57142857))}

ANGLE = """vertex="0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1"
    face="0 3 1 1 3 2 0 5 3 5 4 3 6 7 9 7 8 9 6 9 11 11 9 10 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8
          3 4 10 3 10 9 4 5 11 4 11 10 5 0 6 5 6 11" """


def world(content, rest=''):
    """Return a model with these bodies."""
    return f'<mujoco>{rest}<worldbody>{content}</worldbody></mujoco>'


def pose(robot, link, **positions):
    """Return the pose of a link in the root."""
    kinematics = ForwardKinematics(robot)
    tree = kinematics.tree
    poses = kinematics([positions.get(name, 0.0) for name in tree.variable_names])
    return poses[tree.link_names.index(link)]


def test_robot_of_a_model():
    robot = loads(ARM)
    assert robot.name == 'arm'
    assert {joint.name: joint.type.value for joint in robot.tree} == {
        'lift': 'revolute', 'upper_offset': 'fixed', 'roll': 'revolute', 'reach': 'prismatic',
        'tool_site': 'fixed'}
    assert robot.joints['lift'].limits.upper == pytest.approx(math.radians(60))
    assert robot.joints['lift'].limits.effort == 50.0
    assert robot.joints['roll'].limits.effort == 8.0
    assert robot.joints['lift'].dynamics.damping == 2.0
    assert robot.links['hand'].inertial.mass == pytest.approx(10 * 8 * 0.1 * 0.2 * 0.3)
    hand = pose(robot, 'hand', roll=math.radians(45), reach=0.25)
    # Where the joints are at ref, the body is where it is written: 0.4 along the turned z.
    np.testing.assert_allclose(hand[:3, 3], [0, -0.65, 1], atol=1e-12)
    np.testing.assert_allclose(pose(robot, 'tool', roll=math.radians(45))[:3, 3],
                               [0, -0.5, 1], atol=1e-12)


def test_joints_turn_about_their_own_position():
    lifted = pose(loads(ARM), 'upper', lift=math.pi / 2)
    # The pivot is at z = 0.5 of the body, that is at y = -0.5 of the world.
    np.testing.assert_allclose(lifted[:3, 3], [-0.5, -0.5, 1], atol=1e-12)


def test_elements_and_losses_have_their_lines():
    robot = loads(ARM, source='arm.xml')
    assert robot.links['hand'].element.location('')[:2] == ('arm.xml', 12)
    assert [(str(loss.message), loss.location('')[:2]) for loss in losses_of(robot)
            if not loss.is_harmless and loss.of != 'actuator'] == [(
                "armature of joint 'roll' is left out: URDF has no rotor inertia",
                ('arm.xml', 13))]


@pytest.mark.parametrize('geom', SHAPES)
def test_inertia_of_geoms(geom):
    assets = ''.join(f'<mesh name="{name}" inertia="{kind}" {ANGLE}/>' for name, kind in (
        ('angle', 'legacy'), ('convex', 'convex'), ('shell', 'shell')))
    robot = loads(world(f'<body name="b"><geom {geom}/></body>', f'<asset>{assets}</asset>'))
    mass, moments = SHAPES[geom]
    body = link_inertia(robot.links['b'])
    assert body.mass == pytest.approx(mass)
    np.testing.assert_allclose(np.linalg.eigvalsh(body.rotational)[::-1], moments, rtol=1e-6)


@pytest.mark.parametrize('settings, mass, moments', [
    ('boundmass="3"', 3.0, (1.0, 1.0, 3.0)),
    ('boundinertia="2"', 1.0, (2.0, 2.0, 3.0)),
    ('balanceinertia="true"', 1.0, (5 / 3,) * 3),
    ('settotalmass="10"', 10.0, (10.0, 10.0, 30.0)),
    ('inertiafromgeom="true"', 5.0, (2.0, 2.0, 2.0))])
def test_compiler_changes_inertia(settings, mass, moments):
    robot = loads(world(
        '<body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'
        '<geom size="1" mass="5"/></body>', f'<compiler {settings}/>'))
    body = link_inertia(robot.links['b'])
    assert body.mass == pytest.approx(mass)
    np.testing.assert_allclose(np.diag(body.rotational), moments)


def test_copies_have_numbers_as_in_mujoco():
    robot = loads(world('<replicate count="11" offset="1 0 0" euler="0 0 90" sep="-">'
                        '<body name="b" pos="0 1 0"><joint name="j"/><geom size="1"/></body>'
                        '</replicate>'))
    assert 'j-10' in robot.joints
    for link, expected in (('b-00', (0, 1, 0)), ('b-01', (0, 0, 0)), ('b-02', (1, 0, 0))):
        np.testing.assert_allclose(pose(robot, link)[:3, 3], expected, atol=1e-12)


def test_included_and_attached_files(tmp_path):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'finger.xml').write_text(
        '<mujoco><compiler angle="radian"/><worldbody><body name="tip" pos="1 2 3">'
        '<joint name="bend" range="-1 1"/><geom size="0.1"/></body></worldbody>'
        '<actuator><motor joint="bend" forcerange="-3 3"/></actuator></mujoco>')
    (tmp_path / 'parts' / 'defaults.xml').write_text(
        '<mujocoinclude><default><geom density="0"/></default></mujocoinclude>')
    (tmp_path / 'robot.xml').write_text(world(
        '<body name="palm"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        '<geom size="1"/><frame pos="0 0 5">'
        '<attach model="finger" body="tip" prefix="left_"/></frame></body>',
        '<include file="parts/defaults.xml"/>'
        '<asset><model name="finger" file="parts/finger.xml"/></asset>'))
    robot = load(tmp_path / 'robot.xml')
    joint = robot.joints['left_bend']
    assert (joint.limits.lower, joint.limits.effort) == (-1.0, 3.0)
    assert robot.links['left_tip'].inertial.mass == pytest.approx(4 / 3 * math.pi)
    assert joint.element.location('')[0] == str(tmp_path / 'parts' / 'finger.xml')
    np.testing.assert_allclose(pose(robot, 'left_tip')[:3, 3], [1, 2, 8])


@pytest.mark.parametrize('files, volume', [
    (['cube.stl'], 1), (['sub/cube.stl'], 8), (['cube.stl', 'sub/cube.stl'], 1),
    (['sub/md/cube.stl', 'sub/cube.stl'], 8), (['md/cube.stl', 'sub/cube.stl'], 1)])
def test_meshes_of_included_files_are_beside_the_model_or_them(tmp_path, files, volume):
    for file in files:
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(binary_stl(CORNERS[CUBE] * (2.0 if file.startswith('sub') else 1.0)))
    (tmp_path / 'sub').mkdir(exist_ok=True)
    (tmp_path / 'sub/part.xml').write_text(
        '<mujoco><asset><mesh name="m" file="cube.stl"/></asset></mujoco>')
    folder = '<compiler meshdir="md"/>' if 'md/' in ''.join(files) else ''
    (tmp_path / 'robot.xml').write_text(world(
        '<body name="b"><geom type="mesh" mesh="m" density="1"/></body>',
        f'{folder}<include file="sub/part.xml"/>'))
    assert load(tmp_path / 'robot.xml').links['b'].inertial.mass == pytest.approx(volume)


def test_equalities_are_mimic_and_loops():
    robot = loads(world(
        '<body name="a"><joint name="j1" ref="0.5"/><geom size="1"/></body>'
        '<body name="b" pos="1 0 0"><joint name="j2"/><geom size="1"/></body>',
        '<compiler angle="radian"/><equality>'
        '<joint joint1="j1" joint2="j2" polycoef="0.1 2 0 0 0"/>'
        '<joint joint1="j2" joint2="j1"/><connect name="pin" body1="a" body2="b" anchor="0 1 0"/>'
        '</equality>'))
    mimic = robot.joints['j1'].mimic
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ('j2', 2.0, 0.6)
    assert robot.joints['j2'].mimic is None
    [loop] = robot.loops
    np.testing.assert_allclose(loop.child_origin.xyz, [-1, 1, 0], atol=1e-12)


def test_fixed_tendons_of_two_joints_are_mimic():
    robot = loads(world(
        '<body name="a"><joint name="j1" ref="0.5"/><geom size="1"/></body>'
        '<body name="b"><joint name="j2" ref="0.25"/><geom size="1"/></body>',
        '<compiler angle="radian"/><tendon><fixed name="t"><joint joint="j1" coef="-2"/>'
        '<joint joint="j2" coef="4"/></fixed><fixed name="three"><joint joint="j1" coef="1"/>'
        '<joint joint="j2" coef="1"/><joint joint="j1" coef="1"/></fixed></tendon><equality>'
        '<tendon tendon1="t" polycoef="1"/><tendon tendon1="three"/></equality>'))
    mimic = robot.joints['j2'].mimic
    # -2 (q1 - 0.5) + 4 (q2 - 0.25) = 1
    assert (mimic.joint, mimic.multiplier, mimic.offset) == ('j1', 0.5, 0.25)
    assert robot.joints['j1'].mimic is None
    messages = [str(each.message) for each in losses_of(robot)]
    assert any('two joints' in message for message in messages)
    # What the mimic says is not lost.
    assert [message for message in messages if "'t'" in message] == []
    assert any("'three'" in message for message in messages)


def test_higher_coefficients_are_lost_and_said():
    robot = loads(world(
        '<body><joint name="j1"/><geom size="1"/></body><body><joint name="j2"/><geom size="1"/>'
        '</body>', '<equality><joint joint1="j1" joint2="j2" polycoef="0 1 0.5"/></equality>'))
    assert robot.joints['j1'].mimic.multiplier == 1
    [loss] = [each for each in losses_of(robot) if not each.is_harmless]
    assert 'is linear in URDF' in str(loss.message)


def test_visual_geoms_are_kept_and_count_whatever_discardvisual_says():
    text = world('<body name="a"><geom size="1" mass="1"/><geom size="2" mass="2" contype="0" '
                 'conaffinity="0"/></body>', '<compiler discardvisual="true"/>')
    link = loads(text).links['a']
    assert (link.inertial.mass, len(link.visuals), len(link.collisions)) == (3, 2, 1)


def test_six_degrees_of_freedom_and_a_second_top_level_of_defaults():
    robot = loads(world(
        '<body>' + ''.join(f'<joint type="slide" axis="{axis}"/>' for axis in (
            '1 0 0', '0 1 0', '0 0 1')) + '<joint type="ball"/><geom size="1"/></body>',
        '<default class="main"/><default class="main"/>'))
    assert len(robot.joints) == 6


def test_ball_and_free_joints():
    robot = loads(world('<body name="a"><freejoint/><geom size="1"/><body name="b">'
                        '<joint name="hip" type="ball"/><geom size="1"/></body></body>'))
    assert robot.root == 'a'
    assert [joint.name for joint in robot.tree] == ['hip_x', 'hip_y', 'hip_z']


HOSTILE = {
    'more than 160000 elements': world('<replicate count="1000000000"><body/></replicate>'),
    'includes itself': '<mujoco><include file="robot.xml"/></mujoco>',
    'outside the folders': '<mujoco><include file="/etc/hostname"/></mujoco>',
    'attached to itself': world(
        '<attach model="m" prefix="a"/><attach model="m" prefix="b"/>',
        '<asset><model name="m" file="robot.xml"/></asset>'),
    'XML entities': '<!DOCTYPE m [<!ENTITY a "b">]>' + world(''),
    'not finite': world('<body pos="nan 0 0"/>'),
    "Default class '{x}' does not exist": world('<body childclass="{x}"><geom/></body>'),
    'has no length': world('<body quat="0 0 0 0"/>'),
    "Default class 'c' is repeated": world(
        '<body><geom/></body>',
        '<default><default class="c"><geom size="1"/></default></default>'
        '<default><default class="c"/></default>'),
    'class .main. is repeated': world('<body/>', '<default><default class="main"/></default>'),
    "'range' needs 'limited'": world('<body><joint range="1 2"/><geom size="1"/></body>',
                                     '<compiler autolimits="false"/>'),
    'has 1 numbers, not 2': world('<body><joint range="1"/><geom size="1"/></body>')}


@pytest.mark.parametrize('joints', [
    '<freejoint/><joint name="x"/>', '<joint type="slide"/><joint name="x" type="free"/>',
    '<freejoint/><freejoint/>', '<joint/>' * 7, '<joint type="ball"/><joint/>',
    '<joint type="ball"/><joint type="slide"/><joint type="ball"/>',
    '<geom size="1"/><body><freejoint/><geom size="1"/></body>'])
def test_joints_that_mujoco_does_not_compile(joints):
    for model in (world(f'<body>{joints}<geom size="1"/></body>'),
                  world('<joint/><body><geom size="1"/></body>')):
        with pytest.raises(DescriptionError, match='MuJoCo does not compile these joints'):
            loads(model)


@pytest.mark.parametrize('reason', HOSTILE)
def test_hostile_models_are_refused_in_one_line(tmp_path, reason):
    path = tmp_path / 'robot.xml'
    path.write_text(HOSTILE[reason])
    begin = time.process_time()
    with pytest.raises(DescriptionError, match=reason) as error:
        load(path)
    assert time.process_time() - begin < 20
    assert '\n' not in str(error.value)


def test_command_reads_it(tmp_path, capsys):
    path = tmp_path / 'arm.xml'
    path.write_text(ARM)
    assert main(['tree', str(path)]) == 0
    captured = capsys.readouterr()
    assert 'lift: revolute' in captured.out
    assert f'{path}:13: ' in captured.err


BIPED = """<mujoco model="biped">
  <default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="0 0 1" contype="1" conaffinity="1"/>
    <body name="pelvis" pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="left"><joint name="l" armature="0.1"/><geom name="left_foot" size="0.1"/></body>
      <body name="right"><joint name="r" armature="0.2"/><geom name="right_foot" size="0.1"/>
      </body>
    </body>
  </worldbody>
  <contact>
    <pair geom1="floor" geom2="left_foot"/>
    <pair geom1="right_foot" geom2="floor"/>
    <exclude body1="left" body2="right"/>
  </contact>
  <actuator>
    <motor joint="l"/>
    <motor joint="r" gear="50"/>
    <position joint="l" kp="5"/>
  </actuator>
</mujoco>
"""


def lost(text, harmless=False):
    return [str(each.message) for each in losses_of(loads(text)) if each.is_harmless == harmless]


def test_geoms_of_contact_pairs_collide():
    """Playground's bipeds stand on their feet by pairs only."""
    links = loads(BIPED).links
    assert [name for name, link in links.items() if link.collisions] == ['left', 'right']


def test_what_changes_contacts_and_forces_is_not_harmless():
    assert [each for each in lost(BIPED) if 'armature' not in each] == [
        '<motor> is left out but for its largest force: URDF has no gains and gears',
        '<position> is left out but for its largest force: URDF has no gains and gears',
        "The contact pair of geoms 'floor' and 'left_foot' is left out: in URDF both collide with "
        'all others',
        "The contact pair of geoms 'right_foot' and 'floor' is left out: in URDF both collide "
        'with all others',
        "Bodies 'left' and 'right' can collide: URDF excludes no pairs"]
    assert [each for each in lost(BIPED, True) if 'motor' in each] == [
        '<motor> is left out but for its largest force: URDF has no gains and gears']


@pytest.mark.parametrize('masks, number', [
    (('', ''), 0), (('contype="0"', 'contype="0"'), 2), (('conaffinity="0"', ''), 0),
    (('contype="0" conaffinity="0"', 'conaffinity="0"'), 0),
    (('contype="2" conaffinity="2"', ''), 2), (('contype="2" conaffinity="3"', ''), 0)])
def test_masks_of_geoms_that_do_not_collide(masks, number):
    text = world(''.join(f'<body name="b{n}"><joint/><geom size="0.1" {mask}/></body>'
                         for n, mask in enumerate(masks)))
    found = [each for each in lost(text) if 'contype' in each]
    assert found == ([f'contype and conaffinity of {number} geoms are left out: in URDF all '
                      'collide with each other'] if number else [])


def test_joints_of_mjcf_have_no_velocity_limit():
    limits = loads(ARM).joints['lift'].limits
    assert (limits.velocity, limits.effort) == (None, 50)


def test_losses_of_many_joints_are_one_line(tmp_path, capsys):
    path = tmp_path / 'biped.xml'
    path.write_text(BIPED)
    assert main(['tree', str(path)]) == 0
    assert [line for line in capsys.readouterr().err.splitlines() if 'armature' in line] == [
        f"{path}:8: armature of joint 'l' is left out: URDF has no rotor inertia (and 1 other)"]


def test_losses_of_actuators_with_different_gains_are_one_line(tmp_path, capsys):
    path = tmp_path / 'arm.xml'
    path.write_text(ARM.replace('<motor', '<position joint="reach" kp="7"/><motor'))
    assert main(['tree', str(path)]) == 0
    line, = (each for each in capsys.readouterr().err.splitlines() if '<position>' in each)
    assert line.endswith('has no gains and gears (and 2 others)')


def test_files_that_are_included_are_named_as_the_model_is(tmp_path, monkeypatch, capsys):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'arm.xml').write_text(ARM)
    (tmp_path / 'scene.xml').write_text('<mujoco><include file="parts/arm.xml"/></mujoco>')
    monkeypatch.chdir(tmp_path)
    for folder in ('', f'{tmp_path}/'):
        assert main(['tree', f'{folder}scene.xml']) == 0
        assert capsys.readouterr().err.startswith(f'{folder}parts/arm.xml:')


def test_the_model_of_a_world_that_moves_is_proposed(tmp_path, capsys):
    """The first one of most worlds is the ground."""
    path = tmp_path / 'world.sdf'
    path.write_text("""<sdf version="1.9"><world name="w">
        <model name="ground"><link name="l"/></model>
        <model name="arm"><link name="a"/><link name="b"/><joint name="j" type="revolute">
        <parent>a</parent><child>b</child><axis/></joint></model></world></sdf>""")
    assert main(['tree', str(path)]) == 2
    assert 'such as with model:=arm' in capsys.readouterr().err


def test_a_check_for_what_reads_mjcf_itself_says_so(tmp_path, capsys):
    path = tmp_path / 'biped.xml'
    path.write_text(BIPED)
    main(['check', str(path), '--for', 'mujoco'])
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first.startswith(f'{path}: no errors, ')
    assert second == '  mujoco reads the MJCF itself, and was not judged'
    main(['check', str(path), '--for', 'mujoco,pybullet', '--format', 'json'])
    report, = json.loads(capsys.readouterr().out)['reports']
    assert report['headline'][0].startswith('passes for pybullet, ')
    assert report['programs']['mujoco'] == 'reads the MJCF itself, and was not judged'


@pytest.mark.parametrize('program', ['mujoco', 'drake'])
def test_links_are_not_coloured_by_what_reads_mjcf_itself(program):
    robot = loads(BIPED)
    with pytest.raises(DescriptionError, match=f'{program} reads the MJCF itself; other programs'):
        account_for(program, robot, ResourceResolver())
    assert account_for('pybullet', robot, ResourceResolver()).loads
