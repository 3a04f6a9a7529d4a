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

"""The order of joints in Isaac Lab, as users of it report."""

import json

import pytest
from support.corpus import CORPUS
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import robot

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.cli import main
from urdf_tools.programs.usd.isaac import joint_orders


def chain(names, top):
    """Return links and joints one below another."""
    above = [top, *(f'{name}_link' for name in names)]
    return ''.join(link(f'{name}_link') + joint(name, 'revolute', parent, f'{name}_link')
                   for parent, name in zip(above, names))


LEG = ('hip_pitch', 'hip_roll', 'hip_yaw', 'knee', 'ankle_pitch', 'ankle_roll')
ARM = ('shoulder_pitch', 'shoulder_roll', 'shoulder_yaw', 'elbow', 'wrist_roll', 'wrist_pitch',
       'wrist_yaw')
G1 = robot(
    link('pelvis'), *(chain([f'{side}_{each}' for each in LEG], 'pelvis')
                      for side in ('left', 'right')),
    chain(['waist_yaw', 'waist_roll', 'waist_pitch'], 'pelvis'),
    link('torso'), '<joint name="fixed" type="fixed"><parent link="waist_pitch_link"/>'
    '<child link="torso"/></joint>',
    *(chain([f'{side}_{each}' for each in ARM], 'torso') for side in ('left', 'right')))
"""The tree of the 29 joints of a Unitree G1."""


def test_a_humanoid_has_the_order_of_its_policies():
    # unitree_rl_lab#145
    orders = joint_orders(loads(G1))
    assert [orders['description'].index(name) for name in orders['isaac']] == [
        0, 6, 12, 1, 7, 13, 2, 8, 14, 3, 9, 15, 22, 4, 10, 16, 23, 5, 11, 17, 24, 18, 25, 19, 26,
        20, 27, 21, 28]
    assert orders['isaac_sorted'] == orders['isaac'] and orders['ros2_control'] == []


@pytest.mark.skipif(not CORPUS.is_dir(), reason='there is no corpus of robots')
def test_importers_before_isaac_sim_6_sort_by_name():
    # IsaacLab#270
    orders = joint_orders(load(
        CORPUS / 'robots/anymal_b/anymal_b_simple_description/urdf/anymal.urdf'))
    assert orders['isaac_sorted'] == [
        'LF_HAA', 'LH_HAA', 'RF_HAA', 'RH_HAA', 'LF_HFE', 'LH_HFE', 'RF_HFE', 'RH_HFE',
        'LF_KFE', 'LH_KFE', 'RF_KFE', 'RH_KFE']
    assert orders['isaac'][:4] == ['LF_HAA', 'RF_HAA', 'LH_HAA', 'RH_HAA']


FLOATING = robot(
    '<link name="world"/>', link('a'), link('b'), link('c'), link('d'),
    joint('f', 'floating', 'world', 'a', limit=''), joint('p', 'revolute', 'a', 'b'),
    joint('q', 'revolute', 'b', 'c'), joint('r', 'revolute', 'a', 'd'),
    '<ros2_control><joint name="r"><command_interface name="position"/></joint>'
    '<joint name="p"><command_interface name="position"/></joint></ros2_control>')


@pytest.mark.parametrize(('arguments', 'code'), [
    (['account', '--for', 'isaac'], 0), (['check', '--for', 'isaac'], 0),
    (['check', '--for', 'usd'], 0)])
def test_a_difference_is_reported_to_who_asks_for_isaac(tmp_path, capsys, arguments, code):
    path = tmp_path / 'r.urdf'
    path.write_text(FLOATING)
    assert main([arguments[0], str(path), *arguments[1:]]) == code
    output = capsys.readouterr().out
    sentence = ('Isaac Lab numbers the joints breadth first, in another order than the '
                "description and <ros2_control>: 'p', 'r', 'q'")
    assert (sentence in output) == ('isaac' in arguments)


def test_the_orders_are_in_json(tmp_path, capsys):
    path = tmp_path / 'r.urdf'
    path.write_text(FLOATING)
    assert main(['account', str(path), '--for', 'isaac,usd', '--format', 'json']) == 0
    found = json.loads(capsys.readouterr().out)
    assert found['isaac']['joint_orders'] == {
        'description': ['p', 'q', 'r'], 'ros2_control': ['r', 'p'], 'isaac': ['p', 'r', 'q'],
        'isaac_sorted': ['p', 'r', 'q']}
    assert 'joint_orders' not in found['usd']
