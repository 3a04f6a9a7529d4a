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

"""Short motions of mechanisms, and how far loops can be open after them."""

import numpy as np
import pytest
from support.mechanisms import delta
from support.mechanisms import four_bar
from support.mechanisms import four_bar_parts
from support.mechanisms import robot
from support.mechanisms import slider_crank
from support.mechanisms import stewart

from urdf_tools.kinematics import LoopTracker
from urdf_tools.kinematics import Mechanism
from urdf_tools.kinematics.transforms import exp
from urdf_tools.kinematics.transforms import rotation_vector

ROBOTS = {
    'four-bar': lambda: four_bar(0.1, 0.35, 0.3, 0.4, 'spherical'),
    'hinge': lambda: four_bar(0.1, 0.35, 0.3, 0.4),
    'slider-crank': lambda: slider_crank(0.05, 0.15),
    'delta': lambda: delta(0.2, 0.3, 0.6, 0.05),
    'Stewart': lambda: stewart(0.5, 0.3, 0.6),
}


@pytest.mark.parametrize('noise', [0.0, 1e-3])
@pytest.mark.parametrize('name', ROBOTS)
def test_a_short_motion_takes_few_evaluations(name, noise):
    mechanism = Mechanism(ROBOTS[name]())
    if not all(group.is_decided for group in mechanism.groups):
        mechanism = Mechanism(mechanism.tree, dict(zip(
            mechanism.tree.variable_names, mechanism.close(mechanism.start + 0.2).positions)))
    measured = mechanism.independent
    tracker = LoopTracker(mechanism)
    own = [mechanism.tree.variable_index[name] for name in measured]
    rng = np.random.default_rng(0)
    goal, evaluations = mechanism.start.copy(), 0
    for step in range(300):
        goal[own] = mechanism.start[own] + 0.05 * np.sin(step / 50) + (
            noise * rng.standard_normal(len(own)))
        closure = tracker.update(goal, measured)
        assert closure.closed
        assert max(errors.max() for errors in mechanism.errors(closure.positions)) < 1e-10
        assert (closure.positions[own] == goal[own]).all()
        evaluations += closure.iterations
    assert evaluations < (900 if noise else 600)


def test_what_does_not_move_is_not_evaluated():
    mechanism = Mechanism(
        robot(*four_bar_parts(0.1, 0.35, 0.3, 0.4)), {'a': 0.5, 'b': 0.4, 'c': 1.5})
    tracker = LoopTracker(mechanism)
    goal = mechanism.start + [0.1, 0, 0]
    first = tracker.update(goal, {'a'})
    again = tracker.update(goal, {'a'})
    assert first.iterations > 0 == again.iterations
    assert (first.positions == again.positions).all()


def test_a_copy_goes_on_by_itself():
    mechanism = Mechanism(
        four_bar(0.1, 0.35, 0.3, 0.4), {'a': 0.5, 'b': 0.4, 'c': 1.5})
    one, alone = LoopTracker(mechanism), LoopTracker(mechanism)
    for step in range(40):
        goal = mechanism.start + [0.01 * step, 0, 0]
        other = one.copy()
        for ahead in range(5):
            other.update(goal + [0.09 * ahead, 0, 0], {'a'})
        assert (one.update(goal, {'a'}).positions == alone.update(goal, {'a'}).positions).all()


def test_a_group_that_rests_does_not_hold_up_others():
    parts = (*four_bar_parts(0.1, 0.35, 0.3, 0.4),
             *four_bar_parts(0.3, 0.3, 0.35, 0.5, 'other_', 1.0))
    mechanism = Mechanism(robot(*parts), {
        'a': 0.5, 'b': 0.4, 'c': 1.5, 'other_a': 1.0, 'other_b': -0.8, 'other_c': 1.8})
    tracker = LoopTracker(mechanism)
    goal = mechanism.start.copy()
    tracker.update(goal, {'a', 'other_a'})
    goal[3] = 3.0
    stuck = tracker.update(goal, {'a', 'other_a'})
    assert not stuck.closed
    for _ in range(20):
        goal[0] += 0.01
        closure = tracker.update(goal, {'a', 'other_a'})
        assert not closure.closed
        assert closure.positions[0] == goal[0]
        assert closure.positions[3:] == pytest.approx(stuck.positions[3:], abs=0)
        assert closure.iterations < 5
        assert max(errors.max() for errors in mechanism.errors(closure.positions)) < 1e-9


@pytest.mark.parametrize('angle', [0.0, 1e-9, 0.5, 3.05, 3.1, np.pi - 1e-6])
def test_rotation_vectors_are_exact_up_to_half_a_turn(angle):
    axes = np.random.default_rng(0).standard_normal((100, 3))
    vectors = angle * axes / np.linalg.norm(axes, axis=1, keepdims=True)
    poses = exp(np.concatenate((np.zeros((100, 3)), vectors), axis=1))
    assert rotation_vector(poses[:, :3, :3]) == pytest.approx(vectors, abs=1e-13)
