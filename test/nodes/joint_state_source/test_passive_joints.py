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

"""Passive joints in the joint states that joint_state_source publishes."""

from dataclasses import replace

import numpy as np
import pytest
from support.joint_messages import joint_state
from support.mechanisms import four_bar_parts
from support.mechanisms import joint
from support.mechanisms import robot as robot_of
from urdf_tools.kinematics import Mechanism
from urdf_tools.nodes.joint_state_source import JointSource
from urdf_tools.nodes.joint_state_source import Options
from urdf_tools.nodes.joint_state_source import PassiveJoints


@pytest.fixture
def robot():
    finger = joint('finger', 'base', 'tip', '0 1 0').replace(
        '</joint>', '<mimic joint="c" multiplier="-2" offset="0.5"/></joint>')
    return replace(robot_of(
        *four_bar_parts(0.1, 0.35, 0.3, 0.4), finger, joint('wheel', 'base', 'tyre')),
        initial={'a': 0.5, 'b': 0.4, 'c': 1.5})


def assert_closed(robot, values):
    positions = dict(zip(values.name, values.position))
    mechanism = Mechanism(robot)
    closed = mechanism.tree.configuration({name: positions[name] for name in ('a', 'b', 'c')})
    assert max(errors.max() for errors in mechanism.errors(closed)) < 1e-9
    assert positions['finger'] == pytest.approx(0.5 - 2 * positions['c'])
    return positions


def test_sweeping_joints_close_their_loops(robot):
    source = JointSource(robot, Options(sweep_period=4.0))
    passive = PassiveJoints(robot)
    seen = []
    for _ in range(40):
        source.step(0.1)
        given = source.state()
        positions = assert_closed(robot, passive.closed(given, source.reported))
        assert positions['a'] == dict(zip(given.name, given.position))['a']
        assert positions['wheel'] == dict(zip(given.name, given.position))['wheel']
        seen.append(positions['a'])
    assert np.ptp(seen) > 6


def test_a_passive_joint_may_be_what_is_reported(robot):
    source = JointSource(robot)
    passive = PassiveJoints(robot)
    rocker = Mechanism(robot).close([0.4, 0, 0, 0]).positions[2]
    source.report(joint_state(['c'], [rocker]))
    positions = assert_closed(robot, passive.closed(source.state(), source.reported))
    assert positions['c'] == pytest.approx(rocker)


def test_what_follows_in_an_unknown_way_is_left_out(robot):
    passive = PassiveJoints(replace(robot, initial={}))
    values = passive.closed(JointSource(robot).state(), set())
    assert set(values.name) == {'a', 'wheel'}
    assert len(values.position) == 2
    assert 'give some of b, c in "initial"' in passive.fault


def test_what_cannot_be_closed_is_said():
    robot = robot_of(*four_bar_parts(0.1, 0.35, 0.3, 2.0))
    passive = PassiveJoints(robot)
    passive.closed(JointSource(robot).state(), set())
    assert passive.fault == 'No positions were found that close loops pin'
