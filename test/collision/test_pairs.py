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

"""Which pairs of links can be left out of collision checks, with the evidence."""

from itertools import pairwise
import json
import re

import numpy as np
import pytest
from support.corpus import corpus_robots
from support.mechanisms import four_bar_parts

import urdf_tools
from urdf_tools.cli import main
from urdf_tools.collision.surface import Surface
from urdf_tools.installation import how_to_install
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.resources import ResourceResolver

pairs_module = pytest.importorskip('urdf_tools.collision.pairs')
contacts = pytest.importorskip('urdf_tools.collision.contacts')

ROBOT = """\
<robot name="arm">
  {links}
  <link name="frame"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/>
    <limit lower="-{reach}" upper="{reach}" effort="1" velocity="1"/>
    {mimic}
  </joint>
  <joint name="frame_joint" type="fixed">
    <parent link="base"/><child link="frame"/><origin xyz="0.45 0 0.1"/>
  </joint>
  <joint name="sensor_joint" type="fixed"><parent link="frame"/><child link="sensor"/></joint>
  <joint name="inside_joint" type="fixed"><parent link="sensor"/><child link="inside"/></joint>
  <joint name="flag_joint" type="fixed">
    <parent link="inside"/><child link="flag"/><origin xyz="0.015 0 0"/>
  </joint>
</robot>
"""

SHAPES = {
    'base': '<geometry><box size="0.2 0.2 0.2"/></geometry>',
    'upper': '<origin xyz="0 0 0.25"/><geometry><cylinder radius="0.04" length="0.4"/></geometry>',
    'lower': '<origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.3"/></geometry>',
    'sensor': '<geometry><sphere radius="0.02"/></geometry>',
    'inside': '<geometry><sphere radius="0.01"/></geometry>',
    'flag': '<geometry><box size="0.01 0.01 0.01"/></geometry>'}


def robot(reach=2.8, mimic='', shapes=SHAPES):
    links = '\n  '.join(f'<link name="{name}"><collision>{shape}</collision></link>'
                        for name, shape in shapes.items())
    return ROBOT.format(links=links, reach=reach, mimic=mimic)


def compared(text, samples=5000, seed=0):
    pairs = pairs_module.compare_pairs(urdf_tools.loads(text), str, samples, seed)
    return {(pair.first, pair.second): pair for pair in pairs}


@pytest.fixture(scope='module')
def of_robot():
    """Return the pairs of the robot by their names."""
    return compared(robot())


def test_links_without_shapes_are_passed_downwards():
    found = pairs_module.adjacent_pairs(urdf_tools.loads(robot()), SHAPES)
    assert {tuple(sorted(pair)) for pair in found} == {
        ('base', 'upper'), ('lower', 'upper'), ('base', 'sensor'), ('inside', 'sensor'),
        ('flag', 'inside')}


def test_reasons(of_robot):
    assert {names: pair.reason for names, pair in of_robot.items()} == {
        ('base', 'upper'): 'Adjacent', ('base', 'lower'): 'Never', ('base', 'sensor'): 'Adjacent',
        ('base', 'inside'): 'Never', ('base', 'flag'): 'Never', ('upper', 'lower'): 'Adjacent',
        ('upper', 'sensor'): 'Never', ('upper', 'inside'): 'Never', ('upper', 'flag'): 'Never',
        ('lower', 'sensor'): '', ('lower', 'inside'): '', ('lower', 'flag'): '',
        ('sensor', 'inside'): 'Adjacent', ('sensor', 'flag'): 'Always',
        ('inside', 'flag'): 'Adjacent'}
    fixed = of_robot['base', 'flag']
    assert fixed.distance == pytest.approx(0.36)
    assert (fixed.samples, fixed.positions) == (1, {})
    upper = of_robot['upper', 'sensor']
    assert upper.samples == 5000
    assert upper.positions == {'shoulder': pytest.approx(1)}


def test_the_smallest_distance_is_found(of_robot):
    """At the ends of the limits, where hardly a sample is."""
    pair = of_robot['base', 'lower']
    assert pair.positions == {'shoulder': pytest.approx(-1), 'elbow': pytest.approx(-2.8)} or (
        pair.positions == {'shoulder': pytest.approx(1), 'elbow': pytest.approx(2.8)})
    assert 0 < pair.distance < 0.08
    longer = {**SHAPES, 'lower': SHAPES['lower'].replace('0 0 0.2', '0 0 0.4')}
    assert compared(robot(reach=3.1, shapes=longer))['base', 'lower'].reason == ''


def test_mimic_joints_move_as_they_do():
    """The lower arm stays upright, so it never comes to the sensor."""
    pairs = compared(robot(mimic='<mimic joint="shoulder" multiplier="-1"/>'))
    assert pairs['lower', 'sensor'].reason == 'Never'
    assert {*pairs['lower', 'sensor'].positions} == {'shoulder'}


def four_bar(loop):
    shapes = {
        'crank': '<origin xyz="0.1 0 0"/><geometry><sphere radius="0.03"/></geometry>',
        'coupler': '<origin xyz="0.17 0 0"/><geometry><box size="0.35 0.01 0.01"/></geometry>',
        'rocker': '<origin xyz="0.15 0 0"/><geometry><box size="0.3 0.01 0.01"/></geometry>'}
    parts = four_bar_parts(0.1, 0.35, 0.3, 0.4)
    text = ''.join(parts if loop else parts[:-1])
    for name, shape in shapes.items():
        text = text.replace(f'<link name="{name}"/>',
                            f'<link name="{name}"><collision>{shape}</collision></link>')
    return f'<robot name="four_bar"><link name="base"/>{text}</robot>'


@pytest.mark.slow
def test_loops_are_closed():
    """The rocker would reach the end of the crank if the coupler did not keep them apart."""
    reasons = {names: pair.reason for names, pair in compared(four_bar(loop=False)).items()}
    assert reasons == {('crank', 'coupler'): 'Adjacent', ('crank', 'rocker'): '',
                       ('coupler', 'rocker'): 'Default'}
    pairs = compared(four_bar(loop=True))
    assert {names: pair.reason for names, pair in pairs.items()} == {
        ('crank', 'coupler'): 'Adjacent', ('crank', 'rocker'): 'Never',
        ('coupler', 'rocker'): 'Adjacent'}
    pair = pairs['crank', 'rocker']
    mechanism = Mechanism(urdf_tools.loads(four_bar(loop=True)))
    found = mechanism.tree.configuration(pair.positions)
    assert max(map(max, mechanism.errors(found))) < 1e-6
    assert pair.samples == 5000


def test_loops_that_cannot_be_closed():
    text = four_bar(loop=True).replace('0.35 0 0"/><child_o', '0.9 0 0"/><child_o')
    with pytest.raises(pairs_module.PairsError, match="'pin' cannot be closed"):
        compared(text)


def test_a_file_of_loops_is_read(tmp_path, monkeypatch):
    compared = []
    monkeypatch.setattr(pairs_module, 'compare_pairs',
                        lambda robot, *_: compared.append(robot) or ())
    urdf, loops = tmp_path / 'four_bar.urdf', tmp_path / 'loops.yaml'
    urdf.write_text(four_bar(loop=False))
    loops.write_text('loops:\n- {name: pin, type: hinge, axis: [0, 0, 1],\n'
                     '  parent: {link: coupler, xyz: [0.35, 0, 0]},\n'
                     '  child: {link: rocker, xyz: [0.3, 0, 0]}}\n')
    assert main(['collide', str(urdf), '--matrix', str(tmp_path / 'a.srdf'), '--loops',
                 str(loops)]) == 0
    assert compared[0].loops == urdf_tools.loads(four_bar(loop=True)).loops


@pytest.mark.slow
def test_no_pair_is_left_out_that_touches_at_other_samples(of_robot):
    tree = KinematicTree(urdf_tools.loads(robot()))
    links = {name: contacts.LinkCollider(solids)
             for name, solids in pairs_module.collision_solids(tree.robot, str).items()}
    never = [pair for pair in of_robot.values() if pair.reason == 'Never']
    assert len(never) == 6
    configurations = tree.random_configuration(np.random.default_rng(4), 20000)
    for pair in never:
        names = pair.first, pair.second
        first, second = ForwardKinematics(tree, names)(configurations).swapaxes(0, 1)
        collider = contacts.PairCollider(*(links[name] for name in names))
        smallest = min(collider.nearer(pose, 1.0) for pose in invert(first) @ second)
        assert smallest >= 0.99 * pair.distance


@pytest.mark.slow
@pytest.mark.parametrize('name', ['kuka_iiwa', 'widowx'])
def test_distances_of_real_robots(corpus, name):
    """They are those of points spread over the shapes, at the positions that are printed."""
    cKDTree = pytest.importorskip('scipy.spatial').cKDTree  # noqa: N806
    path = next(each.values[0].path for each in corpus_robots() if each.id == name)
    loaded = urdf_tools.load(path)
    solids = pairs_module.collision_solids(loaded, ResourceResolver(loaded.folder).resolve)
    tree = KinematicTree(loaded)
    never = [pair for pair in pairs_module.compare_pairs(
        loaded, ResourceResolver(loaded.folder).resolve, 5000, 0) if pair.reason == 'Never']
    assert len(never) > 5
    points = {link: np.concatenate([Surface(each.triangles).samples_with_owners(20000)[0]
                                    for each in some]) for link, some in solids.items()}
    for pair in never:
        names = pair.first, pair.second
        poses = ForwardKinematics(tree, names)(tree.configuration(pair.positions))
        first, second = (points[link] @ pose[:3, :3].T + pose[:3, 3]
                         for link, pose in zip(names, poses))
        smallest = cKDTree(first).query(second)[0].min()
        assert pair.distance - 1e-3 <= smallest <= pair.distance + 0.01


@pytest.mark.slow
@pytest.mark.parametrize('gap, reason', [(0.0005, ''), (0.003, 'Never')])
def test_links_that_come_close_are_checked(gap, reason):
    links = dict.fromkeys(('base', 'a', 'b', 'c', 'd', 'tip'), '')
    for name, x in {'base': 0.3, 'c': 0.0, 'tip': 0.32 + gap}.items():
        links[name] = (f'<collision><origin xyz="{x} 0 0"/><geometry><sphere radius="0.01"/>'
                       '</geometry></collision>')
    elements = [f'<link name="{name}">{shape}</link>' for name, shape in links.items()]
    elements += [f'<joint name="{child}" type="continuous"><parent link="{parent}"/>'
                 f'<child link="{child}"/><axis xyz="0 0 1"/></joint>'
                 for parent, child in pairwise(links)]
    pair = compared(f'<robot name="arm">{"".join(elements)}</robot>')['base', 'tip']
    assert pair.reason == reason
    assert pair.distance == pytest.approx(gap, abs=1e-4)


def test_the_seed_decides():
    first, again, other = (
        compared(robot(), seed=seed)['lower', 'sensor'] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_command_writes_the_file(tmp_path, capsys, monkeypatch, of_robot):
    urdf, srdf = tmp_path / 'arm.urdf', tmp_path / 'arm.srdf'
    urdf.write_text(robot())
    arguments = ['collide', str(urdf), '--matrix', str(srdf), '--samples', '5000']
    assert main([*arguments, '--diff']) == 0
    assert '+  <disable_collisions link1="base" link2="upper" reason="Adjacent"/>' in (
        capsys.readouterr().out)
    assert not srdf.exists()
    monkeypatch.setattr(pairs_module, 'compare_pairs', lambda *_: tuple(of_robot.values()))
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert re.search('added +base +lower +Never +[0-9.]+ mm at shoulder=-?1, elbow=-?2.8 '
                     'in 5,000 samples', out)
    assert re.search('added +base +flag +Never +360.0 mm in 1 sample\n', out)
    assert re.search('added +sensor +flag +Always +touch in 1 of 1 sample\n', out)
    assert '15 pairs: 5 Adjacent, 1 Always, 6 Never, 3 to be checked' in out
    text = srdf.read_text()
    assert text.count('<disable_collisions') == 12
    assert main([*arguments, '--format', 'json']) == 0
    found = json.loads(capsys.readouterr().out)
    assert found['changes'] == []
    assert len(found['pairs']) == 15
    assert srdf.read_text() == text


@pytest.mark.parametrize('text, message', [
    ('<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">'
     '<xacro:include filename="a.xacro"/></robot>', 'xacro'),
    ('<sdf/>', 'not XML with the root <robot>')])
def test_what_is_no_srdf_is_refused(tmp_path, capsys, text, message):
    urdf, srdf = tmp_path / 'arm.urdf', tmp_path / 'arm.srdf'
    urdf.write_text(robot())
    srdf.write_text(text)
    assert main(['collide', str(urdf), '--matrix', str(srdf)]) == 2
    assert message in capsys.readouterr().err
    assert srdf.read_text() == text


@pytest.mark.parametrize('text, message', [
    ('<robot name="r"><link name="a"/></robot>', 'No link has collision geometry'),
    ('<robot name="r"><link name="a"><collision><geometry><sphere radius="1"/></geometry>'
     '</collision></link></robot>', "Only link 'a' has collision geometry")])
def test_no_pairs(tmp_path, capsys, text, message):
    urdf, srdf = tmp_path / 'arm.urdf', tmp_path / 'arm.srdf'
    urdf.write_text(text)
    assert main(['collide', str(urdf), '--matrix', str(srdf), '--format', 'json']) == 2
    assert f'{message}, so there are no pairs' in capsys.readouterr().err
    assert not srdf.exists()


@pytest.mark.parametrize('options', [['--matrix', 'arm.srdf'], []], ids=['matrix', 'shapes'])
def test_without_coal(tmp_path, capsys, monkeypatch, options):
    monkeypatch.setattr('urdf_tools.cli.arguments.find_spec',
                        lambda name: None if name == 'coal' else name)
    monkeypatch.chdir(tmp_path)
    urdf = tmp_path / 'arm.urdf'
    urdf.write_text(robot())
    assert main(['collide', str(urdf), *options]) == 2
    assert how_to_install('contacts') in capsys.readouterr().err
