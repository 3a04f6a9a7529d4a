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

"""MuJoCo computes of the written models what we compute of the robots."""

import json

import pytest
from support import mechanisms
from support.corpus import CORPUS
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import proofs
from support.mjcf_proofs import robot
from support.mjcf_proofs import run_with_mujoco
from support.program_oracles import NEEDS_PROGRAMS

from urdf_tools import loads
from urdf_tools import save
from urdf_tools.programs.mjcf import convert
from urdf_tools.programs.mjcf.conversion import write_model

pytestmark = NEEDS_PROGRAMS

ABC = link('a') + link('b') + link('c')


def inertial(moments, mass=1.0, rpy='0.3 0.2 0.1'):
    xx, yy, zz = moments
    return (f'<inertial><origin xyz="0 0 1" rpy="{rpy}"/><mass value="{mass}"/><inertia ixx="{xx}"'
            f' ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>')


def pendulum(moments):
    return robot(link('a'), link('b', inertial(moments)), joint('q', 'revolute', 'a', 'b'))


ROBOTS = {
    'revolute': robot(ABC, joint('q', 'revolute', 'a', 'b'), joint('s', 'prismatic', 'b', 'c')),
    'continuous': robot(ABC, joint('q', 'continuous', 'a', 'b'), joint('s', 'fixed', 'b', 'c')),
    'planar': robot(
        ABC, joint('p', 'planar', 'a', 'b', limit=''), joint('q', 'revolute', 'b', 'c')),
    'floating-root': robot(
        ABC, joint('f', 'floating', 'a', 'b', limit=''), joint('q', 'revolute', 'b', 'c')),
    'floating-world': robot(
        '<link name="world"/>', link('b'), joint('f', 'floating', 'world', 'b', limit='')),
    'floating-nested': robot(
        ABC, link('d'), joint('q', 'revolute', 'a', 'b'),
        joint('f', 'floating', 'b', 'c', limit=''), joint('s', 'prismatic', 'c', 'd')),
    'world-with-mass': robot(link('world'), link('b'), joint('q', 'revolute', 'world', 'b')),
    'world-below': robot(link('a'), link('world'), joint('q', 'revolute', 'a', 'world')),
    'mimic-chain': robot(
        ABC, link('d'), joint('q', 'revolute', 'a', 'b'),
        joint('m', 'revolute', 'b', 'c', '<mimic joint="q" multiplier="-2" offset="0.3"/>'),
        joint('n', 'prismatic', 'c', 'd', '<mimic joint="m" multiplier="0.5" offset="-0.1"/>')),
    'mimic-of-fixed': robot(ABC, joint('q', 'fixed', 'a', 'b'), joint(
        'm', 'revolute', 'b', 'c', '<mimic joint="q" offset="0.3"/>')),
    'equal-limits': robot(link('a'), link('b'), joint(
        'q', 'revolute', 'a', 'b', limit='<limit lower="0.5" upper="0.5" effort="1"/>')),
    'massless-between': robot(
        link('a'), link('b', ''), link('c'), joint('q', 'revolute', 'a', 'b'),
        joint('s', 'revolute', 'b', 'c')),
    'massless-end': robot(
        link('a'), link('b'), link('c', ''), joint('q', 'revolute', 'a', 'b'),
        joint('s', 'revolute', 'b', 'c')),
    'massless': robot(link('a', ''), link('b', ''), joint('q', 'revolute', 'a', 'b')),
    'inertia-without-mass': robot(link('a', inertial((1, 1, 1), 0)), link('b'), joint(
        'q', 'revolute', 'a', 'b')),
    'frame-with-mass-below': robot(
        link('a'), link('b', ''), link('c'), joint('q', 'revolute', 'a', 'b'),
        joint('s', 'fixed', 'b', 'c')),
    'plate': pendulum((0.1, 0.2, 0.1 + 0.2)), 'point': pendulum((0, 0, 0)),
    'tiny': pendulum((1e-9, 1e-9, 1e-9)), 'impossible': pendulum((1, 0.1, 0.2)),
    'negative': pendulum((-1, 0.1, 0.2)),
    'names': robot(
        link('a&amp;&lt;&quot;'), link('b/é ü'),
        joint('main', 'revolute', 'a&amp;&lt;&quot;', 'b/é ü')),
    'called-like-a-class': robot(link('a')).replace('"r"', '"visual"'),
    'name-of-a-variable': robot(
        ABC, joint('free', 'planar', 'a', 'b', limit=''), joint('x', 'revolute', 'b', 'c')),
    'long': robot(*(link(f'l{n}') for n in range(200)), *(
        joint(f'j{n}', 'fixed', f'l{n}', f'l{n + 1}') for n in range(199))),
}
"""Descriptions that are proved with a fixed base and with a free one."""

CHANGED = {'massless-end': 'mass', 'massless': 'mass', 'impossible': 'inertia',
           'negative': 'inertia'}
"""Those in which something is changed that is not harmless, with its kind."""


@pytest.fixture(scope='module')
def proved(tmp_path_factory):
    folder = tmp_path_factory.mktemp('models')
    commands = {}
    for name, text in ROBOTS.items():
        (folder / f'{name}.urdf').write_text(text)
        for base in 'fixed', 'free':
            commands[f'{name} {base}'] = [f'{name}.urdf', '--base', base, '--accept', 'limit']
    return proofs(commands, folder)


@pytest.mark.parametrize('base', ['fixed', 'free'])
@pytest.mark.parametrize('name', ROBOTS)
def test_a_model_is_proved(proved, name, base):
    found = proved[f'{name} {base}']
    assert found['proof']['holds'], found['proof']
    assert found['proof']['configurations'] == 100
    assert max(found['proof']['differences'].values()) < 1e-9
    kinds = {each['of'] for each in found['losses'] if not each['harmless']} - {'limit'}
    expected = {CHANGED[name]} if name in CHANGED else set()
    # A free base without mass, and what joints move below it, is nothing, too.
    assert kinds == expected
    assert found['code'] == (1 if kinds else 0)


LOOPS = {
    'four-bar': mechanisms.four_bar(0.1, 0.35, 0.3, 0.4),
    'slider-crank': mechanisms.slider_crank(0.1, 0.3),
    'stewart': mechanisms.stewart(0.5, 0.3, 0.6), 'scissor': mechanisms.scissor_lift(2, 0.5)}


def test_models_with_loops_are_proved(tmp_path):
    commands = {}
    for name, made in LOOPS.items():
        save(made, tmp_path / f'{name}.urdf')
        commands[name] = [f'{name}.urdf', '--accept', 'mass']
    for name, found in proofs(commands, tmp_path).items():
        assert found['proof']['holds'], (name, found['proof'])
        assert found['proof']['differences']['number of independent joints'] == 0
        assert not [each for each in found['losses'] if each['of'] == 'loop']


ROD = """loops:
- name: rod
  type: rod
  parent: {link: b, xyz: [0.1, 0, 0]}
  child: {link: c, xyz: [0, 0.1, 0]}
  length: 0.1
"""
GEAR = """loops:
- {name: gear, type: gear, joints: [q, s], ratio: -2, offset: 0.2}
"""


@pytest.mark.parametrize('text', [ROD, GEAR])
def test_rods_and_gears_are_proved(tmp_path, text):
    (tmp_path / 'r.urdf').write_text(robot(
        ABC, joint('q', 'revolute', 'a', 'b'), joint('s', 'revolute', 'a', 'c', axis='1 2 0')))
    (tmp_path / 'loops.yaml').write_text(text)
    found = proofs({'r': ['r.urdf', '--loops', 'loops.yaml', '--accept', 'limit']}, tmp_path)['r']
    assert found['code'] == 0, found['proof']


WRONG = {
    'pose': ('pos="0.1 0.2 0.3"', 'pos="0.1 0.2 0.30000001"'),
    'mass': ('mass="1.5"', 'mass="1.50000001"'),
    'inertia': ('diaginertia="0.019147930', 'diaginertia="0.019147931'),
    'axis': ('axis="0.32', 'axis="0.33'),
    'limit': ('range="-1 2"', 'range="-1 2.00000001"'),
    'control': ('ctrlrange="-1 2"', 'ctrlrange="-1 2.00000001"'),
    'force': ('forcerange="-5 5"', 'forcerange="-5 5.1"'),
    'armature': ('<joint name="q"', '<joint armature="1e-8" name="q"'),
    'gravity': ('<option', '<option gravity="0 0 -9.8100001"'),
    'mimic': ('polycoef="0.3 -2', 'polycoef="0.3 -2.0000001')}
"""What is changed in a model that is proved, so that it is not any more."""


def test_a_wrong_model_is_not_proved(tmp_path):
    made = loads(ROBOTS['mimic-chain'])
    conversion = convert(made)
    for name, (old, new) in WRONG.items():
        write_model(conversion, tmp_path / f'{name}.xml')
        text = (tmp_path / f'{name}.xml').read_text()
        assert old in text, name
        (tmp_path / f'{name}.xml').write_text(text.replace(old, new, 1))
    (tmp_path / 'r.urdf').write_text(ROBOTS['mimic-chain'])
    found = json.loads(run_with_mujoco("""
import json, sys
from pathlib import Path
from urdf_tools import load
from urdf_tools.programs.mjcf import convert
from urdf_tools.programs.mjcf.proof import prove
folder = Path(sys.argv[1])
conversion = convert(load(folder / 'r.urdf'))
print(json.dumps({path.stem: prove(conversion, path).holds for path in folder.glob('*.xml')}))
""", tmp_path))
    assert found == dict.fromkeys(WRONG, False)


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
def test_the_corpus_is_proved(tmp_path):
    lines = (CORPUS / 'INDEX.tsv').read_text().splitlines()[1:]
    files = {line.split('\t')[0]: CORPUS / line.split('\t')[1] for line in lines}
    found = proofs({name: [str(file)] for name, file in files.items()}, tmp_path)
    assert {name for name, each in found.items() if not each['proof']['holds']} == set()
