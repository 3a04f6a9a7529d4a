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

"""What gravity asks of joints over their ranges, and what arms can hold."""

import json

import numpy as np
import pytest
from support.corpus import CORPUS
from support.corpus import corpus_robots
from support.mjcf_proofs import run_with_mujoco
from support.program_oracles import NEEDS_PROGRAMS
from support.program_oracles import ROOT

from urdf_tools.cli import main
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.holding import holding
from urdf_tools.dynamics.holding import payloads
from urdf_tools.dynamics.holding import posture
from urdf_tools.dynamics.holding import SAMPLES
from urdf_tools.formats.description_files import load
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics.kinematic_tree import KinematicTree

LINK = """<link name="{0}"><inertial><origin xyz="{1} 0 0"/><mass value="{2}"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"""

JOINT = """<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>
<origin xyz="{4} 0 0"/><axis xyz="{5}"/>
<limit lower="{6}" upper="{7}" effort="{8}" velocity="1"/></joint>"""


def planar_arm(second='-3 3 40', third='-3 3 20'):
    """Return an arm of three links in a vertical plane: 1 m and 2 kg each, at their middle."""
    return '<robot name="arm"><link name="base"/>{}<link name="tool"/></robot>'.format(''.join((
        LINK.format('a', 0.5, 2), LINK.format('b', 0.5, 2), LINK.format('c', 0.5, 2),
        JOINT.format('i', 'revolute', 'base', 'a', 0, '0 1 0', '-1.5', '1.5', '100'),
        JOINT.format('j', 'revolute', 'a', 'b', 1, '0 1 0', *second.split()),
        JOINT.format('k', 'revolute', 'b', 'c', 1, '0 1 0', *third.split()),
        '<joint name="t" type="fixed"><parent link="c"/><child link="tool"/>'
        '<origin xyz="1 0 0"/></joint>')))


def chain(number):
    """Return a chain of joints that turn."""
    return loads('<robot name="chain"><link name="l0"/>{}</robot>'.format(''.join(
        LINK.format(f'l{each + 1}', 0.1, 1) + JOINT.format(
            f'j{each}', 'revolute', f'l{each}', f'l{each + 1}', 0.1, '0 1 0', -1, 1, 100 + each)
        for each in range(number))))


@pytest.mark.slow
def test_many_joints_take_no_more_than_64():
    """What is evaluated is proportional to the configurations and the joints of each."""
    work = {number: number * holding(chain(number)).samples for number in (60, 120)}
    assert work[120] < 1.2 * work[60]


def test_of_very_many_joints_none_is_searched_for():
    """Nor is anything kept of each joint that is as long as the robot."""
    statics = holding(chain(600))
    assert statics.samples == len(statics.evaluated) == SAMPLES + 2


def test_of_many_joints_those_that_need_most_are_searched_for(monkeypatch):
    monkeypatch.setattr('urdf_tools.dynamics.holding._MOST', 3 * 7**2)
    robot = chain(6)
    monkeypatch.setattr('urdf_tools.dynamics.holding._Search.refine', lambda _, rows, _given: (
        searched.extend(rows.tolist())))
    searched = []
    holding(robot)
    assert {*searched} == {0, 1, 2}  # The first joints carry all others.


def test_an_arm_stretched_out_takes_the_most():
    statics = holding(loads(planar_arm()))
    expected = 9.81 * 2 * np.array([0.5 + 1.5 + 2.5, 0.5 + 1.5, 0.5])
    np.testing.assert_allclose(statics.largest, expected, rtol=1e-9)
    np.testing.assert_allclose(np.abs(statics.at_zero), expected, rtol=1e-12)
    np.testing.assert_allclose(statics.bounds, expected, rtol=1e-12)


def test_the_largest_effort_need_not_be_at_zero_nor_sampled():
    robot = loads(planar_arm('0.7 3 40', '0.4 3 20'))
    statics = holding(robot)
    sizes = np.arange(-1.5, 1.5001, 0.01)
    grid = np.stack([sizes, np.full_like(sizes, 0.7), np.full_like(sizes, 0.4)], axis=1)
    largest = np.abs(InverseDynamics(robot)(grid)[:, 0]).max()
    assert largest * (1 - 1e-3) < statics.largest[0] <= statics.bounds[0]
    assert posture(statics.tree, statics.configurations[0]).startswith('i -')


@pytest.mark.parametrize('seed', range(20))
def test_nothing_within_the_ranges_exceeds_the_bounds(seed):
    rng = np.random.default_rng(seed)
    names = [f'l{number}' for number in range(6)]
    parts = [LINK.format(name, *rng.uniform(0.1, 1, 2)) for name in names]
    for number, name in enumerate(names[1:], 1):
        kind = rng.choice(['revolute', 'prismatic', 'continuous'])
        parts.append(JOINT.format(
            f'j{number}', kind, names[rng.integers(number)], name, rng.uniform(-1, 1),
            ' '.join(map(str, rng.standard_normal(3))), -1, 2, 9))
    tree = KinematicTree(loads(f'<robot name="r">{"".join(parts)}</robot>'))
    statics = holding(tree, seed=seed)
    efforts = np.abs(InverseDynamics(tree)(tree.random_configuration(rng, 2000)))
    assert (efforts <= statics.bounds * (1 + 1e-9)).all()
    assert (efforts.max(axis=0) <= statics.largest * 1.01 + 1e-9).all()
    at = np.diagonal(InverseDynamics(tree)(statics.configurations))
    np.testing.assert_allclose(np.abs(at), statics.largest, rtol=1e-12)


def test_a_payload_is_what_the_weakest_joint_has_left():
    payload, = payloads(loads(planar_arm()))
    assert payload.tool == 'tool'
    # Of joint j: 40 N m less its own 39.24, at a lever of 2 m.
    assert payload.at_reach == pytest.approx((40 - 39.24) / (9.81 * 2), rel=0.05)
    assert payload.reach == pytest.approx(3, rel=0.01)
    assert payload.joint == 'j'


def test_an_arm_that_does_not_hold_itself(tmp_path, capsys):
    path = tmp_path / 'arm.urdf'
    path.write_text(planar_arm('-3 3 20'))
    assert main(['inertia', str(path), '--holding']) == 0
    out = capsys.readouterr().out
    assert 'tool cannot hold itself' in out
    assert 'j is too weak' in out
    assert main(['inertia', str(path), '--holding', '--format', 'json']) == 0
    data = json.loads(capsys.readouterr().out)
    assert data['payloads'][0]['everywhere'] < 0
    assert data['joints'][1]['largest'] == pytest.approx(39.24)


def test_the_account_has_the_efforts_beside_their_limits(tmp_path, capsys):
    path = tmp_path / 'arm.urdf'
    path.write_text(planar_arm())
    assert main(['account', str(path), '--for', 'mujoco']) == 0
    lines = capsys.readouterr().out.split('\nefforts against gravity\n')[1].splitlines()
    assert lines[0].split() == 'joint largest at at zero largest bound limit'.split()
    assert lines[2].split() == 'j zero -39.24 39.24 39.24 40'.split()
    assert lines[-1].startswith('  tool can hold 0.03')
    assert main(['account', str(path), '--for', 'mujoco', '--format', 'json']) == 0
    of_account = json.loads(capsys.readouterr().out)['statics']
    assert main(['inertia', str(path), '--holding', '--format', 'json']) == 0
    assert of_account == json.loads(capsys.readouterr().out)


def test_an_account_of_a_robot_without_effort_limits_has_no_efforts(tmp_path, capsys):
    path = tmp_path / 'arm.urdf'
    path.write_text(planar_arm().replace('effort="100"', 'effort="0"')
                    .replace('effort="40"', 'effort="0"').replace('effort="20"', 'effort="0"'))
    assert main(['account', str(path), '--for', 'mujoco']) == 0
    assert 'gravity' not in capsys.readouterr().out


@pytest.mark.parametrize('name, joints', [
    ('pr2', {'r_shoulder_lift_joint', 'l_shoulder_lift_joint'}), ('jvrc1', {'WAIST_P', 'WAIST_R'}),
    ('kuka_iiwa', set()), ('ur5', set())])
def test_robots_of_the_corpus_that_do_not_hold_themselves(corpus, name, joints):
    path, = (param.values[0].path for param in corpus_robots() if param.id == name)
    statics = holding(load(path), only_near=0.8)
    assert {statics.tree.velocity_names[row] for row in np.flatnonzero(
        statics.largest > statics.tree.effort_limit)} == joints


_WITH_PINOCCHIO = """
import json, sys
import numpy as np
import pinocchio
sys.path.insert(0, sys.argv[1])
from support.pinocchio_robot import PinocchioRobot
from urdf_tools import load
from urdf_tools.dynamics.holding import holding
found = {}
for path in sys.argv[2:]:
    statics = holding(load(path))
    tree = statics.tree
    peer = PinocchioRobot(path, tree)
    ours = np.vstack((statics.at_zero, np.diag(statics.largest)))
    zero = np.clip(tree.neutral(), *tree.ranges())
    postures = np.vstack((zero, statics.configurations))
    theirs = np.array([
        peer.velocity_matrix(q).T @ pinocchio.computeGeneralizedGravity(
            peer.model, peer.data, each)
        for q, each in zip(postures, peer.configurations(postures))])
    scale = np.abs(theirs).max()
    found[path] = max(np.abs(ours[0] - theirs[0]).max(), np.abs(
        statics.largest - np.abs(np.diagonal(theirs[1:]))).max()) / scale
print(json.dumps(found))
"""


@pytest.mark.slow
@NEEDS_PROGRAMS
@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
def test_pinocchio_computes_the_same_efforts():
    paths = {param.id: param.values[0].path for param in corpus_robots()}
    names = ('ur5', 'kuka_iiwa', 'kinova_gen3', 'anymal_b', 'fetch', 'baxter', 'so101')
    found = json.loads(run_with_mujoco(
        _WITH_PINOCCHIO, ROOT / 'test', *(paths[name] for name in names)))
    assert len(found) == len(names)
    assert max(found.values()) < 1e-9, found
