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

"""Configurations of a robot with loops, from joint states and from questions."""

from dataclasses import replace

import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.mechanisms import four_bar
from urdf_tools.ros.live_robot import LiveRobot

INITIAL = {'a': 0.5, 'b': 0.4, 'c': 1.5}


def live_robot(initial, **positions):
    live = LiveRobot(replace(four_bar(0.1, 0.35, 0.3, 0.4), initial=initial), '')
    live.receive(bytes(serialize_message(
        JointState(name=list(positions), position=list(positions.values())))))
    return live


def assert_closed(live, configuration):
    assert max(errors.max() for errors in live.loops.mechanism.errors(
        configuration.positions)) < 1e-9
    assert (configuration.missing, configuration.open) == ((), '')


def test_passive_joints_follow():
    live = live_robot(INITIAL, a=1.0)
    measured = live.configuration()
    assert measured.positions[0] == 1.0
    assert_closed(live, measured)
    asked = live.configuration({'a': 2.0})
    assert asked.positions[0] == 2.0
    assert_closed(live, asked)
    assert live.configuration().positions == pytest.approx(measured.positions, abs=1e-9)


def test_what_is_undecided_is_missing():
    live = live_robot({}, a=1.0)
    assert live.configuration().missing == ('b', 'c')


def test_measured_passive_joints_stay_and_their_opening_is_said():
    live = live_robot(INITIAL, a=1.0, b=0.0, c=0.0)
    configuration = live.configuration()
    assert configuration.positions == pytest.approx([1, 0, 0], abs=0)
    assert configuration.open.startswith("Loop 'pin' is open by ")
    assert_closed(live, live.configuration({'a': 1.0}))
