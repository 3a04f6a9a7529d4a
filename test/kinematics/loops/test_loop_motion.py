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

"""Robots with loops that are moved by some of their joints."""

from dataclasses import replace

import numpy as np
import pytest
from support.mechanisms import four_bar_parts
from support.mechanisms import joint
from support.mechanisms import robot
from support.mechanisms import slider_crank

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.loops.tracker import LoopMotion

INITIAL = {'a': 0.5, 'b': 0.4, 'c': 1.5}


@pytest.fixture
def bare():
    return robot(*four_bar_parts(0.1, 0.35, 0.3, 0.4), joint('wheel', 'base', 'tyre'))


@pytest.fixture
def motion(bare):
    return LoopMotion(KinematicTree(replace(bare, initial=INITIAL)))


def test_free_joints_move_the_linkage(motion):
    assert motion.independent == {'a'}
    for angle in np.linspace(0.5, 3.0, 20):
        positions, fault = motion.follow(np.array([angle, 0.0, 0.0, 0.7]))
        assert not fault
        assert positions[[0, 3]] == pytest.approx([angle, 0.7])
        assert np.max(motion.mechanism.errors(positions)) < 1e-9
    assert motion.known() == {'a', 'b', 'c'}


def test_a_question_does_not_move_it(motion):
    last, _ = motion.follow(np.array([1.0, 0, 0, 0]))
    asked, fault = motion.close(np.array([2.0, *last[1:]]), ['a', 'b', 'c'], ['a'])
    assert not fault
    assert np.max(motion.mechanism.errors(asked)) < 1e-9
    assert abs(asked - last)[2] > 0.1
    again, _ = motion.follow(np.array([1.0, 0, 0, 0]))
    assert again == pytest.approx(last, abs=1e-9)


def test_measured_joints_that_contradict_are_said(motion):
    positions, fault = motion.follow(np.array([1.0, 0.0, 0.0, 0.0]), ['a', 'b', 'c'])
    assert positions == pytest.approx([1, 0, 0, 0], abs=0)
    assert fault.startswith("Loop 'pin' is open by ")


def test_a_dead_centre_is_reported():
    motion = LoopMotion(KinematicTree(slider_crank(0.05, 0.15)))
    positions, fault = motion.follow(np.array([0, 0, 0.05]), ['slide'])
    assert positions == pytest.approx([0, 0, 0.1], abs=1e-15)
    assert fault == ("Branches of loop 'pin' meet there, and some of crank_joint, rod_joint tell "
                     'which is meant')


def test_what_is_undecided_stays_as_given(bare):
    motion = LoopMotion(KinematicTree(bare))
    positions, fault = motion.follow(np.array([1.0, 0.1, 0.2, 0.0]))
    assert positions == pytest.approx([1, 0.1, 0.2, 0], abs=0)
    assert motion.known() == {'a'}
