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

"""URDF made of MJCF is the robot that MuJoCo computes; of SDF, the one of libsdformat."""

import json
import math
import os
from pathlib import Path

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mjcf_proofs import proofs
from support.mjcf_proofs import run_with_mujoco
from support.program_oracles import NEEDS_PROGRAMS

pytestmark = [NEEDS_PROGRAMS, pytest.mark.slow]

ARM = """<mujoco model="arm">
<compiler angle="degree" eulerseq="zyx" meshdir="." boundmass="0.01"/>
<default><joint damping="0.1" armature="0.5"/><default class="finger"><geom density="300"/>
</default></default>
<asset><mesh name="cube" file="cube.stl" scale="0.1 0.2 0.3"/></asset>
<worldbody><body name="base" pos="0.1 0 0.2" euler="10 20 30">
<geom type="mesh" mesh="cube" density="700"/>
<body name="upper" pos="0 0.1 0.4" quat="0.9 0.1 0.2 0.3">
<joint name="shoulder" axis="1 1 0" pos="0 0.1 0.1" range="-90 100" ref="15"/>
<joint name="lift" type="slide" axis="0 1 3" range="-0.2 0.4"/>
<geom type="capsule" fromto="0 0 0 0.1 0.2 0.5" size="0.04"/>
<body name="wrist" pos="0.1 0.2 0.5"><joint name="ball" type="ball" pos="0.02 0.01 0"/>
<geom type="ellipsoid" size="0.1 0.05 0.07" mass="0.3" shellinertia="true"/>
<site name="tool" pos="0 0 0.2" zaxis="1 0 1"/>
<frame euler="0 40 0"><body childclass="finger"><joint name="finger" axis="0 0 1"/>
<geom type="box" size="0.02 0.03 0.1" pos="0 0 0.1"/></body></frame>
</body></body></body>
<body name="ball" pos="1 1 1" axisangle="0 1 1 50"><freejoint name="flies"/>
<geom type="cylinder" size="0.1 0.2"/></body></worldbody>
<equality><weld body1="wrist" body2="base"/></equality>
<actuator><motor joint="shoulder" ctrlrange="-5 5"/></actuator>
</mujoco>
"""

LEG = """<mujoco><worldbody><body name="trunk"><freejoint/><geom size="0.2" mass="5"/>
<body name="leg" pos="0 0 -0.3"><joint axis="0 1 0" range="-1 1"/>
<inertial pos="0 0 -0.1" mass="1" fullinertia="0.02 0.03 0.02 0.001 0.002 -0.001"/></body>
</body></worldbody></mujoco>
"""


def test_poses_masses_and_mass_matrix_are_those_of_mujoco(tmp_path):
    (tmp_path / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    for name, text in (('arm', ARM), ('leg', LEG), ('wrong', ARM.replace('cube.stl', 'c.stl'))):
        (tmp_path / f'{name}.xml').write_text(text)
    found = proofs({name: [f'{name}.xml', '-o', f'{name}.urdf'] for name in (
        'arm', 'leg', 'wrong')}, tmp_path, 'urdf')
    for name in ('arm', 'leg'):
        proof = found[name]['proof']
        assert proof['holds'] and proof['configurations'] == 100, proof
        assert max(proof['differences'].values()) < 1e-9
        assert set(proof['differences']) >= {'link poses', 'mass matrix', 'link inertias'}
    assert found['wrong']['code'] == 1
    assert 'MuJoCo refuses the model' in found['wrong']['proof']['text']


def test_polygons_are_split_as_mujoco_splits_them(tmp_path):
    def prism(corners, name):
        # No face is flat, so that each way to split it has another volume; no number is rounded.
        turns = [2 * math.pi * index / corners for index in range(corners)]
        points = [((1 + index % 3 / 4) * math.cos(turn), math.sin(turn),
                   height + math.sin(5 * index) / 9) for height in (-1, 1)
                  for index, turn in enumerate(turns)]
        lines = ['v {} {} {}'.format(*(round(1024 * each) / 1024 for each in point))
                 for point in points]
        lines += [f'f {index + 1} {after + 1} {after + corners + 1} {index + corners + 1}'
                  for index in range(corners) for after in [(index + 1) % corners]]
        lines += ['f ' + ' '.join(str(corners - index) for index in range(corners)),
                  'f ' + ' '.join(str(corners + index + 1) for index in range(corners))]
        (tmp_path / f'{name}.obj').write_text('\n'.join(lines))
        (tmp_path / f'{name}.xml').write_text(
            f'<mujoco><asset><mesh name="m" file="{name}.obj"/></asset><worldbody><body name="a">'
            '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>')

    for corners, name in ((4, 'quadrangle'), (7, 'few'), (30, 'several'), (101, 'many')):
        prism(corners, name)
    names = ('quadrangle', 'few', 'several', 'many')
    for name, found in proofs({name: [f'{name}.xml'] for name in names}, tmp_path, 'urdf').items():
        assert found['proof']['holds'], (name, found['proof'])


def test_frames_axes_and_inertias_are_those_of_libsdformat(tmp_path):
    inertial = ('<inertial><pose>0.1 0.2 0.3 0.4 0.5 0.6</pose><mass>2</mass><inertia><ixx>0.1'
                '</ixx><iyy>0.2</iyy><izz>0.25</izz><ixy>0.01</ixy></inertia></inertial>')
    (tmp_path / 'm.sdf').write_text(
        '<sdf version="1.9"><model name="m"><pose>1 2 3 0.1 0.2 0.3</pose>'
        f'<link name="a"><pose>0 0 1 0 0.5 0</pose>{inertial}</link>'
        '<link name="b"><pose relative_to="j">0.1 0 0 0.3 0 0</pose></link>'
        '<joint name="j" type="revolute"><pose relative_to="a">0 1 0 0 0 0.7</pose>'
        '<parent>a</parent><child>b</child><axis><xyz expressed_in="__model__">1 1 0</xyz></axis>'
        '</joint><joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>'
        f'<model name="n"><pose>1 0 0 0 0 1</pose><link name="c">{inertial}</link></model>'
        '<joint name="k" type="prismatic"><parent>b</parent><child>n::c</child><axis/></joint>'
        '<joint name="loop" type="ball"><parent>a</parent><child>n::c</child></joint>'
        '</model></sdf>')
    proof = proofs({'m': ['m.sdf']}, tmp_path, 'urdf')['m']['proof']
    if 'not installed' in proof['text']:
        pytest.skip('the Python module of libsdformat is not installed')
    assert proof['holds'] and max(proof['differences'].values()) < 1e-12, proof


@pytest.mark.skipif('URDF_TOOLS_MENAGERIE' not in os.environ,
                    reason='URDF_TOOLS_MENAGERIE does not name a copy of MuJoCo Menagerie')
def test_the_models_of_menagerie_are_proved(tmp_path):
    robots = [str(path) for path in Path(os.environ['URDF_TOOLS_MENAGERIE']).glob('*/*.xml')
              if '<worldbody' in path.read_text() and not path.stem.startswith('scene')]
    found = proofs({path: [path] for path in robots}, tmp_path, 'urdf')
    # Of a copy some meshes may be missing, without which MuJoCo loads nothing.
    wrong = {path: each['proof']['text'] for path, each in found.items()
             if not each['proof']['holds'] and 'refuses the model' not in each['proof']['text']}
    assert not wrong and len(found) > 70


def test_another_robot_is_not_proved(tmp_path):
    (tmp_path / 'leg.xml').write_text(LEG)
    proofs({'leg': ['leg.xml', '-o', 'leg.urdf']}, tmp_path, 'urdf')
    text = (tmp_path / 'leg.urdf').read_text()
    wrong = {'mass matrix': ('<mass value="1.0"', '<mass value="1.1"'),
             'link poses': ('0.0 1.0 0.0', '0.0 0.0 1.0'),
             'link inertias': ('0.0 0.0 -0.1', '0.0 0.0 -0.2')}
    assert all(old in text for old, _ in wrong.values())
    found = json.loads(run_with_mujoco(
        'import json, sys; from urdf_tools.programs.urdf.proof import prove; '
        'print(json.dumps([prove(text.encode(), sys.argv[1], "MJCF") for text in sys.argv[2:]]))',
        tmp_path / 'leg.xml', *(text.replace(*each) for each in wrong.values())))
    for what, proof in zip(wrong, found):
        assert not proof['holds'] and proof['differences'][what] > 0.01, (what, proof)
