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

"""What MuJoCo simulates of written models, and when that is an error."""

import json

import pytest
from support.corpus import CORPUS
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import proofs
from support.mjcf_proofs import robot
from support.mjcf_proofs import run_with_mujoco
from support.program_oracles import NEEDS_PROGRAMS

from urdf_tools import load
from urdf_tools import MjcfOptions
from urdf_tools.programs.mjcf import to_mjcf
from urdf_tools.programs.mjcf.simulation import behaves
from urdf_tools.programs.mjcf.simulation import described
from urdf_tools.programs.mjcf.simulation import fallen

LIMIT = '<limit lower="-1" upper="2" effort="50" velocity="2"/>'
CROSSED = """<mujoco>
  <worldbody>
    <body name="b"><joint name="q"/><geom size="0.1"/></body>
    <body name="d" pos="0.15 0 0"><joint name="s" type="slide"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><position name="s" joint="s" kp="1000" kv="100"/></actuator>
</mujoco>
"""
LEGS = ''.join(
    link(f'leg{n}', content=f'<collision><origin xyz="{x} {y} -0.5"/><geometry><sphere '
         'radius="0.05"/></geometry></collision>')
    + f'<joint name="q{n}" type="fixed"><parent link="a"/><child link="leg{n}"/></joint>'
    for n, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)]))
ROBOTS = {
    'arm': (robot(link('a'), link('b'), link('c'), joint('q', 'revolute', 'a', 'b', limit=LIMIT),
                  joint('s', 'prismatic', 'b', 'c', limit=LIMIT)), []),
    'weak': (robot(link('a'), link('b'), joint(
        'q', 'revolute', 'a', 'b', limit=LIMIT.replace('50', '0.01'))), []),
    'soft': (robot(link('a'), link('b'), joint('q', 'revolute', 'a', 'b', limit=LIMIT)),
             ['--settings', 'soft.yaml']),
    'legs': (robot(link('a'), LEGS), ['--base', 'free']),
    'bare': (robot(link('a')), ['--base', 'free', '--accept', 'mesh']),
    'gone': (robot(link('a', content='<collision><geometry><mesh filename="no.stl"/></geometry>'
                        '</collision>')), ['--base', 'free', '--accept', 'mesh'])}


@pytest.fixture(scope='module')
def simulated(tmp_path_factory):
    folder = tmp_path_factory.mktemp('models')
    (folder / 'soft.yaml').write_text('joints: {q: {kp: 20, kv: 5, armature: 0.01}}')
    commands = {}
    for name, (text, options) in ROBOTS.items():
        (folder / f'{name}.urdf').write_text(text)
        commands[name] = [f'{name}.urdf', '--accept', 'limit', '--hold-error', '0.01', *options]
    return proofs(commands, folder)


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.parametrize(('name', 'code'), [
    ('arm', 0), ('weak', 1), ('soft', 1), ('legs', 0), ('bare', 0), ('gone', 1)])
def test_the_exit_code_is_that_of_the_simulation(simulated, name, code):
    found = simulated[name]
    assert found['code'] == code, found['proof']['text']
    assert max(found['proof']['differences'].values()) < 1e-9
    assert found['proof']['holds'] == (code == 0)


@NEEDS_PROGRAMS
@pytest.mark.slow
def test_errors_are_those_of_the_joints(simulated):
    arm, soft, legs = (simulated[name]['proof']['behaviour'] for name in ('arm', 'soft', 'legs'))
    assert arm['home']['bodies'] == [] and arm['home']['largest_speed'] < 0.5
    assert arm['hold']['postures'] == 25 and arm['hold']['diverged'] == 0
    assert arm['hold']['sliding']['largest'] <= 0.001
    assert arm['hold']['largest_speed'] < 1e-3 and arm['hold']['kinetic_energy'] < 1e-6
    assert 0.01 < soft['hold']['turning']['largest'] < 0.2
    assert abs(legs['home']['sinks']) < 0.01
    assert legs['hold']['postures'] == 0


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.parametrize('name', ['bare', 'gone'])
def test_a_fall_through_the_floor_is_said_first(simulated, name):
    assert simulated[name]['proof']['text'].splitlines()[0] == (
        'Fault: the robot falls 19.6 m through the floor. Give the links on which it stands '
        '<collision> shapes, and meshes that can be read')


def test_a_fall_in_words():
    home = {'falls': True, 'sinks': 7.25}
    assert fallen({'home': home})[0].startswith('Fault: the robot falls 7.25 m through the floor.')
    assert fallen({'home': {**home, 'falls': False}}) == fallen({'problem': 'it fails'}) == []


@NEEDS_PROGRAMS
@pytest.mark.slow
def test_bodies_that_start_inside_each_other_are_named(tmp_path):
    (tmp_path / 'crossed.xml').write_text(CROSSED)
    found = json.loads(run_with_mujoco("""
import json, sys
from pathlib import Path
from urdf_tools.programs.mjcf.simulation import simulate
print(json.dumps(simulate(Path(sys.argv[1]), ['s'])))
""", tmp_path / 'crossed.xml'))
    assert sorted(found['home']['bodies']) == ['b', 'd']
    assert found['home']['contact_force'] > 10
    assert not behaves(found, 1.0)


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
def test_a_ur5e_is_held(tmp_path):
    path = CORPUS / 'robots/ur5e_ros2_control/ur_description/urdf/ur5e_mock.urdf'
    found = proofs({'ur5e': [str(path), '--hold-error', '0.01', '--accept', 'limit,mesh']},
                   tmp_path)['ur5e']
    assert found['code'] == 0, found['proof']['text']
    assert found['proof']['behaviour']['hold']['turning']['median'] < 0.01


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
@pytest.mark.parametrize('file', [
    'unitree_a1/a1_description/urdf/a1.urdf', 'jvrc1/jvrc_description/urdf/jvrc1.urdf',
    'wolfgang/wolfgang_description/urdf/robot.urdf'])
def test_robots_with_legs_stand(file, tmp_path):
    pytest.importorskip('coal')
    to_mjcf(load(CORPUS / 'robots' / file), tmp_path / 'robot.xml', MjcfOptions('free'))
    found = json.loads(run_with_mujoco("""
import json, sys
from pathlib import Path
from urdf_tools.programs.mjcf.simulation import simulate
print(json.dumps(simulate(Path(sys.argv[1]), [])))
""", tmp_path / 'robot.xml'))
    assert abs(found['home']['sinks']) < 0.01 and not found['home']['bodies']


def test_a_simulation_in_words():
    home = {'seconds': 2.0, 'contact_force': 12.34, 'bodies': ['b', 'd'], 'largest_speed': 0.5,
            'diverged': False, 'sinks': 0.01}
    hold = {'postures': 25, 'contacts': False, 'diverged': 1, 'kinetic_energy': 0.0,
            'largest_speed': 0.1, 'sliding': None,
            'turning': {'median': 0.005, 'largest': 0.02, 'joint': 'q'}}
    found = {'home': home, 'hold': hold}
    assert [*described(found)] == [
        'Simulated at home for 2 s: contact force 12.3 N between b and d, largest velocity 0.5, '
        'sinks 0.01 m on a floor',
        'Held 25 random postures, with contacts off: error 0.005 rad (median) and 0.02 rad '
        '(largest, q), kinetic energy 0 J, largest velocity 0.1, 1 diverged']
    assert [*described({**found, 'hold': {**hold, 'postures': 0, 'turning': None}})][1] == (
        'Nothing could be held: no joint has a position actuator')
    good = {'home': {**home, 'bodies': []}, 'hold': {**hold, 'diverged': 0}}
    assert behaves(good, 0.02) and not behaves(good, 0.01)
    assert not behaves({**good, 'home': home}, 0.02)
    assert not behaves({**good, 'hold': hold}, 0.02)
    assert [*described({'problem': 'it takes longer than 300 s'})] == [
        'Not simulated: it takes longer than 300 s']
    assert not behaves({'problem': ''}, 1.0)
