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

"""The verb urdf: a URDF with its meshes and what is lost."""

import json
import os
import sys

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import msh

from urdf_tools import load
from urdf_tools.cli import main

MJCF = """<mujoco model="m">
<compiler angle="radian" meshdir="parts"/>
<asset><mesh name="cube" file="cube.stl"/></asset>
<worldbody><body name="a"><geom type="mesh" mesh="cube" mass="1"/>
<body name="b" pos="0 0 1"><joint name="q" range="-1 2"/><geom size="0.1" mass="2"/></body>
</body></worldbody>
<actuator><position joint="q" kp="9" forcerange="-5 5"/></actuator>
</mujoco>
"""

SDF = """<sdf version="1.9"><model name="m">
<link name="a"/><link name="b"/>
<joint name="q" type="revolute"><parent>a</parent><child>b</child><axis/></joint>
<joint name="w" type="fixed"><parent>world</parent><child>a</child></joint>
<plugin name="gz::sim::systems::JointPositionController"
 filename="gz-sim-joint-position-controller-system"><joint_name>q</joint_name>
</plugin></model></sdf>
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / 'parts').mkdir()
    (tmp_path / 'parts' / 'cube.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    (tmp_path / 'robot.xml').write_text(MJCF)
    (tmp_path / 'model.sdf').write_text(SDF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def filename(path):
    return next(mesh.geometry.filename for mesh in load(path).links['a'].visuals)


def test_a_urdf_of_mjcf(folder, capsys):
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf']) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == (
        'm: URDF of 2 of 2 links and 1 of 1 moving joints, as urdfdom 4.0 reads it\n'
        '  ignored: <position> is left out but for its largest force: URDF has no gains and '
        'gears\n      line 7\n  MJCF fixes the base to the world, which URDF does not say; a '
        'fixed joint from a link world to it does\n', 'wrote made.urdf\n')
    robot = load('made.urdf')
    assert (robot.joints['q'].limits.lower, robot.joints['q'].limits.effort) == (-1, 5)
    assert (robot.links['a'].inertial.mass, robot.links['b'].inertial.mass) == (1, 2)
    assert filename('made.urdf') == 'parts/cube.stl'


def test_a_free_base_is_not_remarked(folder, capsys):
    (folder / 'robot.xml').write_text(MJCF.replace('<geom', '<freejoint/><geom', 1))
    assert main(['urdf', 'robot.xml']) == 0
    assert main(['urdf', 'model.sdf']) == 0
    assert 'the base' not in capsys.readouterr().out


def test_a_mesh_on_the_network(folder, capsys):
    uri = 'https://fuel.gazebosim.org/1.0/o/models/m/tip/files/m.dae'
    (folder / 'model.sdf').write_text(
        '<sdf version="1.9"><model name="m"><link name="a"><visual name="v"><geometry><mesh>'
        f'<uri>{uri}</uri></mesh></geometry></visual></link></model></sdf>')
    assert main(['urdf', 'model.sdf']) == 0
    assert (f"changed: Only Gazebo and RViz fetch '{uri}'. Download it, and name the copy"
            in capsys.readouterr().out)
    assert main(['mjcf', 'model.sdf']) == 0
    assert f"'{uri}' is fetched from the network by Gazebo and RViz al" in capsys.readouterr().out


def test_meshes_stay_or_are_copied(folder):
    assert main(['urdf', 'robot.xml', '-o', 'out/a.urdf']) == 0
    assert filename('out/a.urdf') == '../parts/cube.stl'
    assert main(['urdf', 'robot.xml', '-o', 'out/b.urdf', '--meshes', 'meshes']) == 0
    assert filename('out/b.urdf') == 'meshes/parts/cube.stl'
    assert (folder / 'out/meshes/parts/cube.stl').read_bytes() == (
        folder / 'parts/cube.stl').read_bytes()
    assert main(['urdf', 'robot.xml', '-o', 'out/c.urdf', '--meshes', '../meshes', '--uri',
                 'package://robot/meshes/']) == 0
    assert filename('out/c.urdf') == 'package://robot/meshes/parts/cube.stl'
    assert (folder / 'meshes/parts/cube.stl').is_file()


def test_materials_and_textures_of_meshes_are_copied(folder):
    corners = ''.join(f'v {x} {y} {z}\n' for x, y, z in CORNERS.tolist())
    (folder / 'parts' / 'cube.obj').write_text(
        f'mtllib cube.mtl\n{corners}' + ''.join(
            'f {} {} {}\n'.format(*(face + 1)) for face in CUBE))
    (folder / 'parts' / 'cube.mtl').write_text('newmtl m\nmap_Kd -s 1 1 1 images/skin.png\n')
    (folder / 'parts' / 'images').mkdir()
    (folder / 'parts' / 'images' / 'skin.png').write_bytes(b'png')
    (folder / 'robot.xml').write_text(MJCF.replace('cube.stl', 'cube.obj'))
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies']) == 0
    assert sorted(str(path.relative_to(folder / 'copies')) for path in (
        folder / 'copies').rglob('*.*')) == [
            'parts/cube.mtl', 'parts/cube.obj', 'parts/images/skin.png']


def test_meshes_that_only_mujoco_reads_become_stl(folder, capsys):
    (folder / 'parts' / 'cube.msh').write_bytes(msh(CORNERS, CUBE))
    (folder / 'robot.xml').write_text(MJCF.replace('cube.stl', 'cube.msh'))
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies']) == 0
    assert filename('made.urdf') == 'copies/parts/cube.stl'
    assert (folder / 'copies/parts/cube.stl').read_bytes()[80:84] == (12).to_bytes(4, 'little')
    (folder / 'parts' / 'cube.msh').write_bytes(b'no mesh')
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies']) == 2
    assert "parts/cube.msh': its size is not the one" in capsys.readouterr().err


def test_a_mesh_that_is_not_there(folder, capsys):
    os.remove('parts/cube.stl')
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies', '--strict']) == 1
    output = capsys.readouterr()
    assert "dropped: The file 'parts/cube.stl' is not copied: File" in output.out
    assert 'With --accept actuator,inertia,mesh they are' in output.err
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies', '--accept',
                 'actuator,inertia,mesh']) == 0


@pytest.mark.parametrize('file, kind', [('robot.xml', 'position'), ('model.sdf', 'position')])
def test_ros2_control(folder, capsys, file, kind):
    assert main(['urdf', file, '-o', 'made.urdf', '--ros2-control']) == 0
    control = load('made.urdf').element.find('ros2_control')
    assert control.find('hardware/plugin').text == 'mock_components/GenericSystem'
    (joint,) = control.findall('joint')
    assert (joint.get('name'), joint.find('command_interface').get('name')) == ('q', kind)
    assert main(['check', 'made.urdf', '--select', 'extensions', '--strict']) == 0


def test_ros2_control_without_actuators(folder, capsys):
    (folder / 'robot.xml').write_text(MJCF.replace('joint="q" kp', 'site="s" kp'))
    assert main(['urdf', 'robot.xml', '--ros2-control', '--accept', 'actuator']) == 1
    assert 'There is no <ros2_control>' in capsys.readouterr().out


def test_json_and_standard_output(folder, capsys):
    assert main(['urdf', 'model.sdf', '--format', 'json']) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data['robot'], data['links'], data['loads']) == ('m', {'in': 3, 'out': 3}, True)
    assert main(['urdf', 'model.sdf', '-o', '-']) == 0
    output = capsys.readouterr()
    assert output.out.startswith('<?xml') and output.err.startswith('m: URDF of 3 of 3 links')


def test_what_cannot_be_done(folder, capsys):
    before = (folder / 'robot.xml').read_text()
    for arguments in (['-o', 'robot.xml'], ['--meshes', 'copies'],
                      ['-o', 'made.urdf', '--meshes', '.']):
        assert main(['urdf', 'robot.xml', *arguments]) == 2
    (folder / 'copies').mkdir()
    (folder / 'copies' / 'parts').symlink_to(folder)
    assert main(['urdf', 'robot.xml', '-o', 'made.urdf', '--meshes', 'copies']) == 2
    assert (folder / 'robot.xml').read_text() == before
    assert not (folder / 'made.urdf').exists()
    errors = capsys.readouterr().err
    assert "'robot.xml' is an input" in errors and 'It is a symbolic link' in errors


def test_a_model_that_urdfdom_refuses(folder, capsys):
    (folder / 'robot.urdf').write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="q" type="revolute">'
        '<parent link="a"/><child link="b"/><limit lower="0" upper="1"/></joint></robot>')
    assert main(['urdf', 'robot.urdf', '-o', 'made.urdf']) == 1
    assert capsys.readouterr().out.startswith('r: no URDF of')
    assert not (folder / 'made.urdf').exists()


def test_only_other_formats_are_proved(folder, capsys):
    (folder / 'robot.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    assert main(['urdf', 'robot.urdf', '--prove']) == 2
    assert 'compares with a file of SDF or MJCF' in capsys.readouterr().err


@pytest.mark.slow
def test_without_the_programs_nothing_is_proved(folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, 'path', [*sys.path])
    for name in ('mujoco', *(f'sdformat{number or ""}' for number in (0, *range(12, 17)))):
        (folder / f'{name}.py').write_text('raise ImportError')
    monkeypatch.syspath_prepend(str(folder))
    assert main(['urdf', 'robot.xml', '--prove']) == 1
    assert 'Not proved: MuJoCo is not installed' in capsys.readouterr().out
    assert main(['urdf', 'model.sdf', '--prove']) == 1
    assert 'Not proved: libsdformat is not installed' in capsys.readouterr().out
