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

"""Whether two descriptions, of any formats, are of the same robot."""

import json
import math
from pathlib import Path

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.cli import main
from urdf_tools.equivalence.differences import compare_robots
from urdf_tools.equivalence.differences import MAX_DIFFERENCES

INERTIA = '<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/>'

URDF = f"""<robot name="arm">
  <link name="arm_base">
    <inertial><mass value="5"/>{INERTIA.format(0.1, 0.1, 0.1)}</inertial>
    <collision><geometry><box size="0.2 0.3 0.4"/></geometry></collision>
  </link>
  <link name="arm_upper">
    <inertial><origin xyz="0.1 0 0"/><mass value="2"/>{INERTIA.format(0.01, 0.02, 0.02)}</inertial>
    <collision><origin xyz="0.2 0 0" rpy="0 {math.pi / 2} 0"/>
      <geometry><capsule radius="0.05" length="0.3"/></geometry></collision>
  </link>
  <link name="arm_plate">
    <inertial><mass value="1"/>{INERTIA.format(0.001, 0.001, 0.001)}</inertial>
  </link>
  <link name="arm_tool">
    <inertial><origin xyz="0.05 0 0"/><mass value="0.5"/>{INERTIA.format(0.001, 0.002, 0.003)}
    </inertial>
  </link>
  <joint name="arm_lift_joint" type="revolute">
    <parent link="arm_base"/><child link="arm_upper"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="40" velocity="1"/><dynamics damping="2" friction="0.1"/>
  </joint>
  <joint name="plate" type="fixed">
    <parent link="arm_upper"/><child link="arm_plate"/><origin xyz="0.4 0 0"/>
  </joint>
  <joint name="arm_slide_joint" type="prismatic">
    <parent link="arm_plate"/><child link="arm_tool"/><origin xyz="0.1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.2" effort="30" velocity="1"/>
  </joint>
</robot>
"""

# The plate is a part of the upper body: 3 kg at (2 * 0.1 + 1 * 0.4) / 3 m.
MJCF = """<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="base" pos="1 2 3" quat="0 0 0 1">
      <inertial pos="0 0 0" mass="5" diaginertia="0.1 0.1 0.1"/>
      <geom type="box" size="0.1 0.15 0.2"/>
      <body name="upper" pos="0 0 0.5">
        <inertial pos="0.2 0 0" mass="3" diaginertia="0.011 0.081 0.081"/>
        <joint name="lift" axis="0 1 0" range="-1 1" damping="2" frictionloss="0.1"/>
        <geom type="capsule" fromto="0.05 0 0 0.35 0 0" size="0.05"/>
        <body name="tool" pos="0.5 0 0">
          <inertial pos="0.05 0 0" mass="0.5" diaginertia="0.001 0.002 0.003"/>
          <joint name="slide" type="slide" axis="1 0 0" range="0 0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="lift" forcerange="-40 40"/><motor joint="slide" forcerange="-30 30"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(first, second, *arguments, form='json'):
        for name, text in (('a.urdf', first), ('b.xml', second)):
            Path(name).write_text(text)
        code = main(['diff', 'a.urdf', 'b.xml', '--same', *arguments, '--format', form])
        out = capsys.readouterr().out
        return code, out if form == 'text' else json.loads(out)
    return run


@pytest.mark.parametrize('change', [
    ('', ''), ('<body name="upper"', '<freejoint/><body name="upper"'),
    ('name="lift" axis="0 1 0"', 'name="lift" axis="0 1 0" pos="0 3 0"')])
def test_formats_of_one_robot(run, change):
    code, found = run(URDF, MJCF.replace(*change))
    assert (code, found['same'], found['differences']) == (0, True, [])
    assert found['measured'] == pytest.approx(
        {'distance': 0, 'mass matrix': 0, 'gravity torque': 0}, abs=1e-9)
    assert found['joints'] == {'arm_lift_joint': 'lift', 'arm_slide_joint': 'slide'}
    assert found['proposed'] == {}
    assert found['not_compared'] == ['Velocity limits: MJCF has none']


@pytest.mark.parametrize('old, new, said', [
    ('damping="2"', 'damping="2" armature="0.01"', ['dynamics']),
    ('type="capsule"', 'type="capsule" contype="2" conaffinity="4"', ['collision']),
    ('</actuator>', '</actuator><contact><exclude body1="base" body2="tool"/></contact>',
     ['collision']),
    ('<motor joint="lift" f', '<position kp="5" joint="lift" f', ['actuator', 'actuator'])])
def test_two_models_differ_in_what_urdf_cannot_say(run, old, new, said):
    changed = MJCF.replace(old, new)
    code, found = run(MJCF, changed)
    assert (code, [each['kind'] for each in found['differences']]) == (
        1, ['simulation'] * len(said))
    assert 'The second robot alone has this: ' in found['differences'][-1]['message']
    assert run(changed, changed)[1]['same']
    code, found = run(URDF, changed)
    assert code == 0
    assert found['not_compared'][0] == (
        f'What URDF cannot say of the second robot: 1 {said[0]}')


@pytest.mark.parametrize('old, new, kind, effect, text', [
    ('pos="0.5 0 0"', 'pos="0.51 0 0"', 'pose', 10, "'arm_slide_joint' differs, zero at 0.01"),
    ('name="tool" pos="0.5 0 0"', 'name="tool" pos="0.5 0.02 0"', 'pose', 20, '20 mm away'),
    ('"upper" pos="0 0 0.5"', '"upper" pos="0 0 0.5" quat="0.9950042 0 0.0998334 0"', 'pose',
     2000 * math.sin(0.1) * 0.7, 'zero at 0.2'),
    ('axis="0 1 0"', 'axis="0 -1 0"', 'pose', None, 'axis turned by 3.142 rad'),
    ('range="-1 1"', 'range="-1 1.2"', 'limit', 2000 * math.sin(0.1) * 0.7, '-1 to 1 and'),
    ('mass="3"', 'mass="3.3"', 'mass', 100 * 0.3 / 3.3,
     "link 'arm_upper' with 1 other fixed to it is 3 and 3.3 kg"),
    ('pos="0.2 0 0"', 'pos="0.21 0 0"', 'com', 10, f'up to {0.01 * 9.81 * 3:.3g} N m'),
    ('"0.001 0.002 0.003"', '"0.001 0.002 0.0024"', 'inertia', 20, '0.0006 kg m^2'),
    ('-40 40', '-50 50', 'effort', 20, '40 and 50'),
    ('damping="2"', 'damping="1"', 'damping', 50, '2 and 1'),
    ('frictionloss="0.1"', '', 'friction', 100, '0.1 and 0'),
    ('size="0.1 0.15 0.2"', 'size="0.1 0.15 0.25"', 'collision', None, '24 and 30 l'),
    ('<body name="tool"', '<body name="tip" pos="0.7 0 0"><joint name="spin"/>'
     '<geom size="0.01" contype="0" conaffinity="0" mass="0"/></body><body name="tool"', 'joint',
     None, "Joint 'spin' with 1 link below it moves only in the second robot")])
def test_each_difference_once_by_its_effect(run, old, new, kind, effect, text):
    assert MJCF.count(old) == 1
    code, found = run(URDF, MJCF.replace(old, new))
    difference, = found['differences']
    assert (code, difference['kind']) == (1, kind)
    assert text in difference['message']
    if effect is not None:
        assert difference['effect'] == pytest.approx(effect, rel=1e-2)
    first, second = (each['line'] for each in difference['locations'])
    lines = MJCF.replace(old, new).split('\n')
    assert (first is None) == (kind == 'joint')
    assert second is not None and lines[second - 1].strip()
    assert run(URDF, MJCF.replace(old, new), '--ignore', kind)[0] == 0


def test_tolerances(run):
    heavier = MJCF.replace('mass="3"', 'mass="3.3"')
    assert run(URDF, heavier, '--tolerance', 'mass=9')[0] == 1
    assert run(URDF, heavier, '--tolerance', 'mass=10')[0] == 0
    assert main(['diff', 'a.urdf', 'b.xml', '--same', '--tolerance', 'weight=1']) == 2
    assert main(['diff', 'a.urdf', 'b.xml', '--tolerance', 'mass=1']) == 2


def test_names_that_are_not_alike(run, capsys):
    renamed = MJCF.replace('"lift"', '"q_zero"').replace('"slide" t', '"reach" t').replace(
        'joint="slide"', 'joint="reach"')
    code, out = run(URDF, renamed, form='text')
    assert code == 0
    proposal = '--map arm_lift_joint=q_zero --map arm_slide_joint=reach'
    assert out.endswith(f'Matched by where they are: {proposal}\n')
    assert run(URDF, renamed, *proposal.split())[1]['proposed'] == {}
    assert run(URDF, renamed, '--map', 'arm_upper=upper', '--map', 'arm_tool=tool')[1][
        'proposed'] == {}
    Path('map').write_text('arm_lift_joint=q_zero\n\narm_slide_joint = reach\n')
    assert run(URDF, renamed, '--map', 'map')[1]['proposed'] == {}
    assert main(['diff', 'a.urdf', 'b.xml', '--same', '--map', 'arm_lift_joint=q_zer']) == 2
    assert "Did you mean 'q_zero'?" in capsys.readouterr().err


def test_a_range_of_a_full_turn_is_not_an_unlimited_one(run):
    said = 'both have all angles, but only one turns on beyond them'
    for turn in 3.15, 3:
        code, out = run(URDF.replace('"-1" upper="1"', f'"-{turn}" upper="{turn}"'),
                        MJCF.replace(' range="-1 1"', ''), form='text')
        assert (code, said in out) == (1, turn == 3.15)


def test_text_and_sarif(run):
    changed = MJCF.replace('mass="3"', 'mass="3.3"').replace('range="-1 1"', 'range="-1 1.2"')
    code, out = run(URDF, changed, form='text')
    first, measured, limit, mass, unknown = out.splitlines()
    assert (code, first) == (1, 'a.urdf and b.xml are not the same robot: 2 differences')
    assert measured == ('At equal joint positions: bodies up to 0 mm apart, mass matrix 2.4 %, '
                        'gravity torque 5.8 %')
    assert limit.startswith("a.urdf:20, b.xml:9: Range of joint 'arm_lift_joint' is -1 to 1 and "
                            '-1 to 1.2 rad: 140 mm at ')
    assert mass == ("a.urdf:7, b.xml:8: Mass of link 'arm_upper' with 1 other fixed to it is "
                    '3 and 3.3 kg: 9.09 % [mass]')
    assert unknown == 'Not compared: Velocity limits: MJCF has none'
    results = run(URDF, changed, form='sarif')[1]['runs'][0]['results']
    assert [each['ruleId'] for each in results] == ['same-limit', 'same-mass']
    for key, file, line in (('locations', 'a.urdf', 7), ('relatedLocations', 'b.xml', 8)):
        location = results[1][key][0]['physicalLocation']
        assert location['artifactLocation']['uri'] == file
        assert location['region']['startLine'] == line


FINGERS = """<robot name="hand"><link name="palm"/>
  <link name="left"><inertial><origin xyz="0 0 0.05"/><mass value="1"/>{i}</inertial></link>
  <link name="right"><inertial><origin xyz="0 0 0.05"/><mass value="1"/>{i}</inertial></link>
  <joint name="left_joint" type="prismatic"><parent link="palm"/><child link="left"/>
    <origin xyz="0 0.1 0"/><axis xyz="0 1 0"/>
    <limit lower="0" upper="0.1" effort="1" velocity="1"/>
    {left}</joint>
  <joint name="right_joint" type="prismatic"><parent link="palm"/><child link="right"/>
    <origin xyz="0 -0.1 0"/><axis xyz="0 {sign}1 0"/>
    <limit {range} effort="1" velocity="1"/>{right}</joint>
</robot>"""


def fingers(left='', right='', sign='-', range='lower="0" upper="0.1"'):
    return loads(FINGERS.format(
        left=left, right=right, sign=sign, range=range, i=INERTIA.format(0.1, 0.1, 0.1)))


def mimic(joint, multiplier=1.0):
    return f'<mimic joint="{joint}_joint" multiplier="{multiplier}"/>'


@pytest.mark.parametrize('other, kinds', [
    (fingers(right=mimic('left')), []),
    (fingers(left=mimic('right')), []),
    (fingers(right=mimic('left', 0.5)), ['mimic']),
    (fingers(), ['mimic']),
    (fingers(right=mimic('left', -1.0), sign='', range='lower="-0.1" upper="0"'), ['pose'])])
def test_joints_that_follow_others(other, kinds):
    found = compare_robots(fingers(right=mimic('left')), other, [Path, Path])
    assert [each.kind for each in found.differences] == kinds


FOUR_BAR = """<robot name="four_bar"><link name="base"/><link name="a"/><link name="b"/>
  <link name="c"/><joint name="motor" type="continuous"><parent link="base"/><child link="a"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.1 0 0"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="pivot" type="continuous"><parent link="base"/><child link="c"/>
    <origin xyz="0.3 0 0"/><axis xyz="0 0 1"/></joint>
  {}</robot>"""

PIN = """<loop_joint name="{}" type="{}"><link1 link="b" xyz="{} 0 {}" rpy="0 0 0"/>
  <link2 link="c" xyz="0.1 0 {}" rpy="0 0 0"/></loop_joint>"""


@pytest.mark.parametrize('loops, effect', [
    (PIN.format('two', 'spherical', 0.3, 0, 0), 0),
    (PIN.format('two', 'spherical', 0.302, 0, 0), 2),
    (PIN.format('two', 'spherical', 0.3, 0, 0) + PIN.format('axis', 'spherical', 0.3, 0.1, 0.1),
     math.inf), ('', math.inf)])
def test_loops(loops, effect):
    robots = [loads(FOUR_BAR.format(each)) for each in (
        PIN.format('one', 'spherical', 0.3, 0, 0), loops)]
    found = compare_robots(*robots, [Path, Path]).differences
    assert [(each.kind, each.effect) for each in found] == (
        [('loop', pytest.approx(effect))] if effect else [])


def chain(length, angle):
    return loads('<robot name="chain"><link name="l0"/>' + ''.join(
        f'<link name="l{number}"/><joint name="j{number}" type="revolute"><parent '
        f'link="l{number - 1}"/><child link="l{number}"/><origin xyz="0 0 0.01"/><limit '
        f'lower="{-angle}" upper="{angle}" effort="1" velocity="1"/></joint>'
        for number in range(1, length + 1)) + '</robot>')


@pytest.mark.slow
def test_large_robots_are_bounded():
    length = MAX_DIFFERENCES + 10
    found = compare_robots(chain(length, 1.0), chain(length, 2.0), [Path, Path])
    assert len(found.differences) <= MAX_DIFFERENCES
    assert [str(each) for each in found.unknown] == [
        'Mass matrices: the robots have more than 300 variables',
        f'Only the first {MAX_DIFFERENCES} differences were looked for']


@pytest.mark.slow
@pytest.mark.parametrize('verb, name', [('mjcf', 'b.xml'), ('sdf', 'b.sdf')])
def test_what_we_write_is_the_same_robot(verb, name, tmp_path):
    source, written = tmp_path / 'a.urdf', tmp_path / name
    # Gazebo does not read capsules.
    source.write_text(URDF.replace('capsule', 'cylinder'))
    main([verb, str(source), '-o', str(written)])
    assert main(['diff', str(source), str(written), '--same']) == 0
    found = compare_robots(load(source), load(written), [Path, Path])
    assert len(found.matching.bodies) == 3 and found.measured['mass matrix'] < 1e-9


def written_back(tmp_path, verb, text):
    """Return the robot of a text, the one that a verb writes of it, and how they compare."""
    source, written = tmp_path / 'a.urdf', tmp_path / {'mjcf': 'b.xml', 'sdf': 'b.sdf'}[verb]
    source.write_text(text)
    main([verb, str(source), '-o', str(written)])
    return compare_robots(load(source), load(written), [Path, Path])


def pair(kind, inertia, base=''):
    return f"""<robot name="r"><link name="a">{base}</link>
      <link name="b"><inertial><mass value="1"/>{INERTIA.format(*inertia)}</inertial></link>
      <joint name="j" type="{kind}"><parent link="a"/><child link="b"/>
        <origin xyz="1 2 3" rpy="0 1 0"/><axis xyz="0 0.6 0.8"/></joint></robot>"""


@pytest.mark.parametrize('kind', ['planar', 'floating'])
def test_joints_of_several_degrees_of_freedom_are_written_as_several(tmp_path, kind):
    base = f'<inertial><mass value="1"/>{INERTIA.format(1, 1, 1)}</inertial>'
    for own in ('', base):
        found = written_back(tmp_path, 'mjcf', pair(kind, (1, 2, 2), own))
        assert found.differences == ()
    assert len(found.matching.joints) == {'planar': 3, 'floating': 6}[kind]


def test_a_gantry_without_masses_is_not_a_free_base():
    def gantry(kind):
        parts = ['prismatic'] * 3 + ['revolute'] * 2 + [kind]
        return loads('<robot name="gantry"><link name="l0"/>' + ''.join(
            f'<link name="l{n}"/><joint name="j{n}" type="{each}"><parent link="l{n - 1}"/>'
            f'<child link="l{n}"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
            f'<link name="tip{n}"/><joint name="tip{n}" type="fixed"><parent link="l{n}"/>'
            f'<child link="tip{n}"/><origin xyz="0 0 0.1"/></joint>'
            for n, each in enumerate(parts, 1)) + '</robot>')
    found = compare_robots(gantry('revolute'), gantry('continuous'), [Path, Path])
    assert len(found.matching.joints) == 6
    assert [each.kind for each in found.differences] == ['limit']


def test_difference_that_a_format_enforces_has_the_reason(tmp_path):
    [found] = written_back(tmp_path, 'mjcf', pair('continuous', (1, 1, 3))).differences
    assert found.kind == 'inertia' and str(found.message).endswith(
        "as MuJoCo refuses that of 'b': principal moments break the triangle inequality")
    eye = """<link name="eye"/><joint name="wink" type="continuous"><parent link="arm_base"/>
      <child link="eye"/></joint></robot>"""
    text = URDF.replace('</robot>', eye).replace('capsule', 'cylinder')
    [found] = written_back(tmp_path, 'sdf', text).differences
    assert str(found.message) == ("Joint 'wink' with 1 link below it moves only in the first "
                                  'robot, as Gazebo drops links without mass')


def test_shapes_that_cannot_be_read_are_unknown(run):
    mesh = URDF.replace('<box size="0.2 0.3 0.4"/>', '<mesh filename="away.stl"/>')
    code, found = run(mesh, MJCF.replace('<geom type="box" size="0.1 0.15 0.2"/>', ''))
    assert (code, found['differences']) == (0, [])
    assert "Collision shapes of link 'arm_base': File 'away.stl' does not exist" in found[
        'not_compared'][0]


@pytest.mark.parametrize('size, code', [(1, 0), (2, 1)])
def test_meshes_whose_uri_names_no_package_are_compared(tmp_path, run, capsys, size, code):
    box = (CORNERS[CUBE] - 0.5) * [0.2 * size, 0.3, 0.4]
    (tmp_path / 'box.stl').write_bytes(binary_stl(box))
    mesh = URDF.replace('<box size="0.2 0.3 0.4"/>', '<mesh filename="package:///box.stl"/>')
    found = run(mesh, MJCF)
    assert (found[0], [each['kind'] for each in found[1]['differences']]) == (
        code, ['collision'] * code)
    Path('urdf-tools.toml').write_text('[[roots]]\nfile = "a.urdf"\nsame = "b.xml"\n')
    main(['check', 'a.urdf', '--select', 'robots-differ'])
    assert capsys.readouterr().out.count('[robots-differ]') == code


SETTINGS = """[[roots]]
file = "a.urdf"
same = "mjcf/b.xml"
tolerances = {{{}}}
"""


@pytest.fixture
def pair_of_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path('mjcf').mkdir()
    Path('a.urdf').write_text(URDF.replace('rpy="0', 'rpy="0.0'))

    def write(mjcf, tolerances=''):
        Path('mjcf/b.xml').write_text(mjcf)
        Path('urdf-tools.toml').write_text(SETTINGS.format(tolerances))
    return write


@pytest.mark.parametrize('arguments', [[], ['a.urdf'], ['.', '--untrusted', '--unconfined']])
def test_check_compares_with_the_file_of_the_settings(pair_of_files, capsys, arguments):
    pair_of_files(MJCF)
    assert main(['check', *arguments]) == 0
    assert 'robots-differ' not in capsys.readouterr().out
    pair_of_files(MJCF.replace('mass="3"', 'mass="3.3"'))
    assert main(['check', *arguments, '--format', 'json']) == 1
    found, = [each for each in json.loads(capsys.readouterr().out)['reports'][0]['findings']
              if each['code'] == 'robots-differ']
    assert (found['line'], found['severity']) == (7, 'ERROR')
    assert found['message'].startswith("Mass of link 'arm_upper' with 1 other fixed to it is ")
    assert found['message'].endswith("second robot is 'mjcf/b.xml:8'")
    pair_of_files(MJCF.replace('mass="3"', 'mass="3.3"'), 'mass = 10, damping = inf')
    assert main(['check', *arguments]) == 0
    pair_of_files(MJCF.replace('range="-1 1"', 'range="-1 1.2"'))
    assert main(['check', *arguments]) == 1
    assert "a.urdf:20:5: error: Range of joint 'arm_lift_joint'" in capsys.readouterr().out


@pytest.mark.parametrize('mjcf, tolerances, code, message', [
    ('<mujoco>', '', 1, 'What is to be the same robot cannot be read'),
    (MJCF, 'weight = 1', 2, "urdf-tools.toml:4: Key 'weight' does not exist"),
    (MJCF, 'mass = "1"', 2, 'urdf-tools.toml:4: mass is not a number')])
def test_check_says_what_keeps_it_from_comparing(
        pair_of_files, capsys, mjcf, tolerances, code, message):
    pair_of_files(mjcf, tolerances)
    assert main(['check']) == code
    captured = capsys.readouterr()
    assert message in captured.out + captured.err


def balanced(lever):
    """Return a carriage with a wheel whose centre of mass is off its axis, in m."""
    return loads(f"""<robot name="carriage"><link name="base"><inertial><mass value="3"/>
  {INERTIA.format(0.1, 0.1, 0.1)}</inertial></link><link name="wheel"><inertial><origin
  xyz="{lever} 0 0"/><mass value="0.1"/>{INERTIA.format(0.01, 0.01, 0.01)}</inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="wheel"/>
  <origin xyz="0.2 0 0"/><axis xyz="0 1 0"/></joint></robot>""")


@pytest.mark.parametrize('levers, is_compared', [
    ((1e-9, 1.4e-11), False), ((0.02, 0.0205), True)])
def test_torques_of_balanced_links_are_not_compared(levers, is_compared):
    """As the wheels of omnidirectional in onshape-to-robot-examples."""
    found = compare_robots(*map(balanced, levers), [Path, Path])
    assert (found.measured['gravity torque'] > 0.01) == is_compared
    assert [each.kind for each in found.differences] == ['com'] * is_compared
