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

"""Mechanisms that are odd: loops that no joint moves, or nothing closes; many turns; idle rods."""

from dataclasses import replace

import numpy as np
import pytest
from support.mechanisms import four_bar
from support.mechanisms import four_bar_parts
from support.mechanisms import joint
from support.mechanisms import loop
from support.mechanisms import robot

from urdf_tools.kinematics.loops import mechanism as mechanisms
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.loops.tracker import LoopTracker
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType


def assert_closed(mechanism, closure):
    assert np.all(closure.closed)
    for errors in mechanism.errors(closure.positions):
        assert errors.max() < 1e-9


ROD = (
    joint('a', 'base', 'arm', '0.2 0 0', '0 1 0'),
    joint('b', 'base', 'slide', axis='0 0 1', kind='prismatic'),
    joint('roll', 'arm', 'r1', '0.3 0 0', '1 0 0'), joint('u', 'r1', 'r2', axis='0 1 0'),
    joint('v', 'r2', 'rod', axis='0 0 1'),
    loop('ball', 'rod', 'slide', '0.4 0 0', '0.1 0 0', kind='spherical'))
"""An arm that moves a slide by a rod between two balls, of which one is three joints."""

START = {'a': -1.0, 'u': 1.8}


def test_rods_between_balls_turn_about_themselves_as_they_were():
    mechanism = Mechanism(robot(*ROD), START)
    assert (mechanism.mobility, mechanism.independent) == (1, ('a',))
    spin, = mechanism.spins
    held = Mechanism(replace(mechanism.tree.robot, loops=(*mechanism.loops, Loop(
        'no_roll', LoopType.GEAR, 'arm', 'r1', ratio=0.0))), START)
    assert (held.mobility, held.spins) == (1, ())
    trackers = LoopTracker(mechanism), LoopTracker(held)
    assert trackers[0].determined({'a'}) == list(mechanism.groups[0].variables)
    place = mechanism.tree.variable_index
    for angle in np.linspace(-1.0, -0.6, 21):
        for tracker in trackers:
            assert_closed(tracker.mechanism, tracker.update(
                mechanism.tree.configuration({'a': angle}), {'a'}))
        assert trackers[0].positions[place['b']] == pytest.approx(
            trackers[1].positions[place['b']], abs=1e-9)
        assert trackers[0].positions[place[spin]] == mechanism.start[place[spin]]
        assert trackers[1].positions[place['roll']] == pytest.approx(0, abs=1e-9)


def test_what_is_pinned_to_find_idle_rods_has_a_bound(monkeypatch):
    """Of a chain of 400 joints it took half a gigabyte."""
    whole = Mechanism(robot(*ROD), START)
    sizes = []
    constraints = mechanisms.LoopConstraints
    monkeypatch.setattr(mechanisms, 'LoopConstraints', lambda tree, loops: (
        sizes.append(len(loops)), constraints(tree, loops))[1])
    for most, expected in ((2**22, 7), (50, 2), (1, 1)):
        sizes.clear()
        monkeypatch.setattr(mechanisms, '_MOST_NUMBERS', most)
        assert Mechanism(robot(*ROD), START).spins == whole.spins
        assert max(sizes) == expected


def test_a_turn_of_a_rod_may_be_measured():
    mechanism = Mechanism(robot(*ROD), START)
    tracker, place = LoopTracker(mechanism), mechanism.tree.variable_index
    for step in np.linspace(0, 0.3, 11):
        positions = mechanism.start.copy()
        positions[place['a']] += step
        positions[place['roll']] += step
        closure = tracker.update(positions, {'a', 'roll'})
        assert_closed(mechanism, closure)
        assert closure.positions[place['roll']] == positions[place['roll']]


@pytest.mark.parametrize('shafts', [
    (joint('a', 'base', 'la'), joint('b', 'base', 'lb', '0.3 0 0'),
     '<coupling name="gear"><predecessor link="la"/><successor link="lb"/><ratio value="2"/>'
     '</coupling>'),
    (joint('a', 'base', 'la'), joint('b', 'base', 'lb', '0 0 0.2', '0 0.5 0.8'),
     loop('cardan', 'la', 'lb', '0 0 0.2', kind='universal')),
    (joint('a', 'base', 'la'), loop('bearing', 'la', 'base', '0 0 0.2', '0 0 0.2'))],
    ids=['gear', 'cardan', 'bearing'])
def test_shafts_are_no_rods(shafts):
    mechanism = Mechanism(robot(*shafts))
    assert mechanism.spins == () and 'a' in mechanism.independent


def test_many_turns_do_not_open_loops():
    mechanism = Mechanism(four_bar(0.1, 0.35, 0.3, 0.4), {'a': 0.5, 'b': 0.4, 'c': 1.5})
    tracker = LoopTracker(mechanism)
    for turns in (10, 1e5, -1e8, 1e6):
        closure = tracker.update(np.array([2 * np.pi * turns, 0, 0]), {'a'})
        assert_closed(mechanism, closure)
        assert closure.positions[0] == 2 * np.pi * turns
    # So many that nothing is left of the angle but rounding.
    for angle in (1e18, -1e300):
        assert tracker.update(np.array([angle, 0, 0]), {'a'}).positions == pytest.approx(
            closure.positions, abs=0)
    assert_closed(mechanism, mechanism.close([1e18, 0, 0]))
    assert_closed(mechanism, tracker.update(np.array([1.0, 0, 0]), {'a'}))


@pytest.mark.parametrize('extra', [
    loop('weld', 'base', 'base', kind='fixed'), loop('weld', 'rocker', 'rocker'),
    joint('f', 'base', 'tool', kind='fixed') + loop('weld', 'tool', 'base')])
@pytest.mark.parametrize('others', [four_bar_parts(0.1, 0.35, 0.3, 0.4), [
    joint('a', 'base', 'crank'), joint('c', 'base', 'rocker')]])
def test_a_loop_that_no_joint_moves(extra, others):
    for part, is_closed in ((extra, True), (extra.replace(
            '<parent_origin xyz="0 0 0"', '<parent_origin xyz="0 0 0.1"'), False)):
        mechanism = Mechanism(robot(*others, part), {'a': 0.5})
        *rest, group = mechanism.groups
        assert (group.variables, group.mobility, group.rank) == ((), 0, 0)
        assert (group.is_closed, group.is_decided) == (is_closed, is_closed)
        assert mechanism.dependent == (('b', 'c') if rest else ())
        positions = mechanism.start.copy()
        positions[0] += 0.01
        tracker = LoopTracker(mechanism)
        for closure in (mechanism.close(positions), tracker.update(positions, {'a'})):
            assert closure.closed == is_closed
        assert tracker.positions[0] == pytest.approx(mechanism.start[0] + 0.01)
        assert mechanism.errors(tracker.positions)[0][0] < 1e-9 or not rest
        assert tracker.unclosable() == ([] if is_closed else ['weld'])


def test_what_cannot_be_closed_is_not_said_to_be_undecided():
    mechanism = Mechanism(four_bar(0.1, 0.35, 0.3, 2.0))
    assert not mechanism.groups[0].is_closed
    tracker = LoopTracker(mechanism)
    assert (tracker.undecided({'a'}), tracker.unclosable()) == ([], ['pin'])
