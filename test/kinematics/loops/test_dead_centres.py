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

"""Mechanisms where branches meet, and measured joints that contradict each other."""

import numpy as np
import pytest
from support.mechanisms import joint
from support.mechanisms import loop
from support.mechanisms import robot
from support.mechanisms import slider_crank

from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.loops.tracker import LoopTracker

AT_DEAD_CENTRE = np.linspace([0, 0, 0.001], [0, 0, 0.09], 400)
"""Positions of the piston of a slider-crank, which two cranks have."""


def test_no_branch_is_guessed_at_a_dead_centre():
    mechanism = Mechanism(slider_crank(0.05, 0.15))
    assert mechanism.is_singular(mechanism.start, ['slide'])
    closure = mechanism.close(AT_DEAD_CENTRE, ['slide'])
    assert closure.singular.all()
    assert not closure.closed.any()
    assert closure.positions == pytest.approx(np.tile(mechanism.start, (400, 1)), abs=0)
    assert closure.distances == pytest.approx(0, abs=1e-9)
    assert mechanism.branching(closure.singular[0], ['slide']) == ['crank_joint', 'rod_joint']
    # The dead centre itself is no question, and what is out of reach no other one.
    assert mechanism.close([0, 0, 0.1], ['slide']).closed
    beyond = mechanism.close([0, 0, 0.12], ['slide'])
    assert (bool(beyond.closed), beyond.singular.tolist()) == (False, [False])


@pytest.mark.parametrize('crank', [
    1e-8, 1e-6, 0.3, *(
        pytest.param(crank, marks=pytest.mark.slow) for crank in (1e-5, 1e-4, 1e-3, 1e-2, -0.3))])
def test_a_start_near_one_branch_selects_it(crank):
    mechanism = Mechanism(slider_crank(0.05, 0.15), {'crank_joint': crank})
    for start in (None, [crank, 0, 0.0]):
        closure = mechanism.close(AT_DEAD_CENTRE, ['slide'], start=start)
        assert (np.sign(closure.positions[closure.closed, 0]) == np.sign(crank)).all()
        assert (closure.closed ^ closure.singular[:, 0]).all()
        assert closure.closed.all() or abs(crank) < 5e-3
    assert mechanism.close([0, 0, 0.1], ['slide']).closed


def test_a_tracker_stays_at_a_dead_centre_where_it_starts():
    tracker = LoopTracker(Mechanism(slider_crank(0.05, 0.15)))
    for _ in range(3):
        closure = tracker.update(np.array([0, 0, 0.05]), {'slide'})
        assert (bool(closure.closed), closure.singular.tolist()) == (False, [True])
        assert tracker.undecided({'slide'}) == ['crank_joint', 'rod_joint']
        assert closure.positions == pytest.approx([0, 0, 0.1], abs=1e-15)
    # The crank that is measured tells.
    assert tracker.update(np.array([0.3, 0, 0]), {'crank_joint'}).closed
    assert tracker.undecided({'slide'}) == []
    assert tracker.update(np.array([0, 0, 0.05]), {'slide'}).positions[0] > 1


@pytest.mark.parametrize('crank, rod', [(0.05, 0.15), (0.3, 0.31), (0.001, 0.5)])
@pytest.mark.parametrize('sign', [1, pytest.param(-1, marks=pytest.mark.slow)])
@pytest.mark.parametrize('steps', [2, 50])
def test_a_tracker_keeps_its_branch_at_a_dead_centre(crank, rod, sign, steps):
    tracker = LoopTracker(Mechanism(slider_crank(crank, rod)))
    dead = crank + rod - 0.1
    first = tracker.update(np.array([sign * 0.4, 0, 0]), {'crank_joint'}).positions[2]
    for slide in (*np.linspace(first, dead, steps), dead, dead,
                  *np.linspace(dead, first - 0.3 * crank, steps), dead, dead - 0.2 * crank):
        closure = tracker.update(np.array([0, 0, slide]), {'slide'})
        assert closure.closed
        assert not closure.singular.any()
        assert sign * closure.positions[0] > 0


def test_measured_joints_that_contradict_each_other_from_the_first_update():
    mechanism = Mechanism(slider_crank(0.05, 0.15))
    tracker, measured = LoopTracker(mechanism), {'crank_joint', 'rod_joint'}
    assert not mechanism.close([1, -1, 0], measured).closed
    for _ in range(2):
        closure = tracker.update(np.array([1, -1, 0]), measured)
        assert not closure.closed
        assert closure.positions[:2] == pytest.approx([1, -1], abs=0)
        assert closure.distances == pytest.approx([0.05 * np.sin(1)], abs=1e-9)


def test_one_loop_at_a_dead_centre_holds_no_other_one():
    def parts(name, x):
        return (joint(f'{name}_turn', 'base', f'{name}_crank', f'{x} 0 0'),
                joint(f'{name}_elbow', f'{name}_crank', f'{name}_rod', '0.05 0 0'),
                joint(f'{name}_slide', 'base', f'{name}_piston', f'{x + 0.1} 0 0', '1 0 0',
                      'prismatic'),
                loop(f'{name}_pin', f'{name}_rod', f'{name}_piston', '0.15 0 0'))

    mechanism = Mechanism(robot(*parts('a', 0), *parts('b', 1)), {'b_turn': 0.5})
    goal, measured = mechanism.tree.configuration({'a_slide': 0.05, 'b_slide': 0.05}), {
        'a_slide', 'b_slide'}
    for closure in (mechanism.close(goal, measured),
                    LoopTracker(mechanism).update(goal, measured)):
        assert not closure.closed
        assert closure.singular.tolist() == [True, False]
        assert closure.positions[[2, 5]] == pytest.approx([0.1, 0.05])
        assert closure.positions[3] > 1
        assert mechanism.branching(closure.singular, measured) == ['a_turn', 'a_elbow']
