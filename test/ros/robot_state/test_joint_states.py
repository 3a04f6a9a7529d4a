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

import numpy as np
import pytest
from support.joint_messages import joint_states
from support.joint_messages import receive
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import all_finite
from urdf_tools.messages.joint_state_reader import FAULTS
from urdf_tools.messages.joint_state_reader import MAX_UNKNOWN

ROBOT = """
<robot name="arm">
  <link name="base"/><link name="l1"/><link name="l2"/><link name="l3"/><link name="l4"/>
  <link name="l5"/>
  <joint name="bounded" type="revolute"><parent link="base"/><child link="l1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="endless" type="continuous"><parent link="l1"/><child link="l2"/></joint>
  <joint name="fixed" type="fixed"><parent link="l2"/><child link="l3"/></joint>
  <joint name="follower" type="continuous"><parent link="l2"/><child link="l4"/>
    <mimic joint="endless"/></joint>
  <joint name="floating" type="floating"><parent link="base"/><child link="l5"/></joint>
</robot>
"""


@pytest.fixture
def joints():
    return joint_states(ROBOT)


def test_joints_are_those_with_one_degree_of_freedom(joints):
    assert joints.names == ('bounded', 'endless', 'follower')
    assert joints.known() == {}
    assert joints.missing() == ('bounded', 'endless')


def test_each_joint_keeps_its_last_position(joints):
    receive(joints, ['endless', 'bounded'], [1.0, 2.0], 10.0)
    receive(joints, ['bounded'], [3.0], 11.0)
    assert joints.known() == {'bounded': 3.0, 'endless': 1.0}
    assert joints.times.tolist() == [11.0, 10.0, -np.inf]
    assert joints.messages == 2
    assert joints.missing() == ()


@pytest.mark.parametrize(('names', 'positions', 'known', 'faults'), [
    ([], [], {}, {}),
    (['bounded', 'endless'], [np.nan, 1], {'endless': 1}, {'non-finite': 1}),
    (['bounded', 'endless'], [np.inf, -np.inf], {}, {'non-finite': 2}),
    (['bounded', 'endless'], [2], {'bounded': 2}, {'no position': 1}),
    (['bounded', 'endless'], [], {}, {'no position': 2}),
    (['bounded'], [1, 2, 3], {'bounded': 1}, {'no name': 2}),
    (['bounded', 'bounded'], [1, 2], {'bounded': 1}, {'duplicate': 1}),
    (['ghost', 'bounded', ''], [1, 2, 3], {'bounded': 2}, {'unknown': 2}),
    (['fixed', 'floating', 'bounded'], [1, 2, 3], {'bounded': 3}, {}),
    (['fixed', 'bounded'], [], {}, {'no position': 1}),
])
def test_faults_are_counted_and_the_rest_is_kept(joints, names, positions, known, faults):
    receive(joints, names, positions, 0.0)
    assert joints.known() == known
    assert joints.faults == faults
    assert faults.keys() <= FAULTS.keys()


def test_faults_are_logged_with_the_names():
    logged = []
    joints = joint_states(ROBOT, FaultLog(logged.append, FAULTS))
    for _ in range(3):
        receive(joints, ['bounded', 'endless', 'ghost'], [np.nan, 1, 1], 0.0)
    assert logged == [f'{FAULTS["unknown"]}: ghost', f'{FAULTS["non-finite"]}: bounded']


def test_unknown_names_are_kept_up_to_a_limit(joints):
    for number in range(0, 1000, 10):
        names = [f'ghost_{number + i}' for i in range(10)]
        receive(joints, names, [0.0] * 10, 0.0)
    assert len(joints.reader.unknown) == MAX_UNKNOWN
    assert joints.faults == {'unknown': 1000}


def test_stale_joints(joints):
    receive(joints, ['bounded'], [0.0], 10.0)
    receive(joints, ['endless', 'follower'], [0.0, 0.0], 20.0)
    assert joints.stale(21.0, 5.0) == ('bounded',)
    assert joints.stale(21.0, 20.0) == ()


def test_limits(joints):
    receive(joints, ['bounded', 'endless'], [1.0, 100.0], 0.0)
    assert joints.beyond_limits() == ()
    receive(joints, ['bounded'], [1.1], 0.0)
    assert joints.beyond_limits() == ('bounded',)


def test_new_description_keeps_what_is_known(joints):
    receive(joints, ['bounded', 'endless', 'ghost'], [0.5, 1.5, 0.0], 3.0)
    new = joint_states(ROBOT.replace('bounded', 'renamed'), joints.reader.log)
    new.adopt(joints)
    assert new.known() == {'endless': 1.5}
    assert new.missing() == ('renamed',)
    assert new.messages == 1
    assert new.faults == {'unknown': 1}


@pytest.mark.parametrize('kind', [list, np.array])
@pytest.mark.parametrize(('value', 'finite'), [
    (0.0, True), (-1e300, True), (1.7e308, True), (-1.7e308, True), (np.inf, False),
    (-np.inf, False), (np.nan, False), (-np.nan, False)])
@pytest.mark.parametrize('index', [0, 1, 99])
def test_a_single_non_finite_number_is_found(kind, value, finite, index):
    positions = [1.7e308] * 100
    positions[index] = value
    assert all_finite(kind(positions)) is finite
    assert all_finite(kind([value])) is finite
