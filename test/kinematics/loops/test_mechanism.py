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

"""Mechanisms against closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot as chain
from support.mechanisms import delta
from support.mechanisms import four_bar
from support.mechanisms import four_bar_parts
from support.mechanisms import joint
from support.mechanisms import loop
from support.mechanisms import peaucellier
from support.mechanisms import robot
from support.mechanisms import scissor_lift
from support.mechanisms import slider_crank
from support.mechanisms import stewart

from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.loops.constraints import LoopConstraints
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.loops.tracker import LoopTracker
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose

GRASHOF = {
    'crank-rocker': (0.1, 0.35, 0.3, 0.4),
    'double crank': (0.3, 0.35, 0.4, 0.1),
    'rocker-crank': (0.3, 0.35, 0.1, 0.4),
    'Grashof double rocker': (0.3, 0.1, 0.35, 0.4),
    'triple rocker': (0.3, 0.3, 0.35, 0.5),
    'parallelogram': (0.2, 0.4, 0.2, 0.4),
    'deltoid': (0.2, 0.2, 0.4, 0.4),
    'rhombus': (0.3, 0.3, 0.3, 0.3)}


def unit(vector):
    return tuple(vector / np.linalg.norm(vector))


def assert_closed(mechanism, closure):
    assert np.all(closure.closed)
    for errors in mechanism.errors(closure.positions):
        assert errors.max() < 1e-9


def rocker_angle(lengths, crank, branch):
    """Freudenstein's equation, solved for the rocker."""
    a, b, c, d = lengths
    x, y = a * np.cos(crank) - d, a * np.sin(crank)
    distance = np.hypot(x, y)
    inner = np.arccos((distance**2 + c**2 - b**2) / (2 * distance * c))
    return np.arctan2(y, x) + branch * inner


def test_derivatives_against_finite_differences():
    rng = np.random.default_rng(0)
    tree = KinematicTree(chain(*EVERY_JOINT_TYPE))
    loops = [Loop(
        'loop', kind, tree.link_names[3], tree.link_names[-1],
        Pose(tuple(rng.normal(size=3)), unit(rng.normal(size=4))),
        Pose(tuple(rng.normal(size=3)), unit(rng.normal(size=4))),
        unit(rng.normal(size=3)), unit(rng.normal(size=3)), 0.3)
        for kind in LoopType if kind not in (LoopType.GEAR, LoopType.FIXED, LoopType.SLIDER)]
    loops.append(Loop('gear', LoopType.GEAR, 'l2', 'l5', ratio=-2))
    constraints = LoopConstraints(tree, loops)
    positions = tree.random_configuration(rng, 4)
    _, derivatives = constraints.evaluate(positions)
    for velocity in range(len(tree.velocity_names)):
        step = np.zeros(len(tree.velocity_names))
        step[velocity] = 1e-6
        ahead, behind = (constraints.evaluate(tree.integrate(positions, sign * step))[0]
                         for sign in (1, -1))
        assert derivatives[..., velocity] == pytest.approx((ahead - behind) / 2e-6, abs=1e-7)
    one, matrix = constraints.evaluate(positions[:1])
    assert matrix[0] == pytest.approx(derivatives[0], abs=1e-12)
    assert one.shape == (1, constraints.count)


@pytest.mark.parametrize('kind, name', [
    ('spherical', 'crank-rocker'), *(('revolute', name) for name in GRASHOF), *(
        pytest.param('spherical', name, marks=pytest.mark.slow)
        for name in [*GRASHOF][1:])])
def test_a_four_bar(kind, name):
    lengths = GRASHOF[name]
    mechanism = Mechanism(four_bar(*lengths, kind))
    assert (mechanism.independent, mechanism.dependent) == (('a',), ('b', 'c'))
    assert mechanism.mobility == 1
    assert mechanism.groups[0].rank == 2
    positions = np.zeros((61, 3))
    positions[:, 0] = np.linspace(-np.pi, np.pi, 61)
    closure = mechanism.close(positions)
    a, b, c, d = lengths
    distance = np.hypot(a * np.cos(positions[:, 0]) - d, a * np.sin(positions[:, 0]))
    reachable = (distance < b + c - 1e-6) & (distance > abs(b - c) + 1e-6)
    impossible = (distance > b + c + 1e-6) | (distance < abs(b - c) - 1e-6)
    # Beyond what cannot be reached there may be more that can, which is no continuous way.
    way = np.array([_is_reached(mechanism, angle, lengths) for angle in positions[:, 0]])
    assert closure.closed[reachable & way].all()
    assert not closure.closed[impossible].any()
    gap = np.maximum(distance - (b + c), abs(b - c) - distance)
    assert (closure.distances[impossible, 0] > gap[impossible] - 1e-6).all()
    assert (closure.distances[impossible, 0] < 1.25 * gap[impossible] + 1e-5).all()
    found = closure.positions[closure.closed]
    assert max(errors.max() for errors in mechanism.errors(found)) < 1e-9
    assert max(errors.max() for errors in mechanism.errors(closure.positions)) < 1e-9
    if lengths[1] != lengths[3]:  # The branches of the closed form cross in a parallelogram.
        either = [rocker_angle(lengths, found[:, 0], branch) for branch in (1, -1)]
        error = np.min([np.abs(np.exp(1j * found[:, 2]) - np.exp(1j * angle))
                        for angle in either], axis=0)
        assert np.nanmax(error) < 1e-5


def _is_reached(mechanism, angle, lengths):
    """Return whether the four-bar can be closed all the way from the start to an angle."""
    a, b, c, d = lengths
    way = np.linspace(mechanism.start[0], angle, 500)
    distance = np.hypot(a * np.cos(way) - d, a * np.sin(way))
    return bool(((distance < b + c - 1e-6) & (distance > abs(b - c) + 1e-6)).all())


def test_a_parallelogram_stays_one_where_it_is_flat():
    tracker = LoopTracker(Mechanism(
        four_bar(0.2, 0.4, 0.2, 0.4), {'a': 0.2, 'b': -0.2, 'c': 0.2}))
    for angle in np.linspace(0.2, 4 * np.pi + 0.2, 1001):
        closure = tracker.update(np.array([angle, 0, 0]), {'a'})
        assert closure.closed
        assert closure.positions == pytest.approx([angle, -angle, angle], abs=1e-5)


def test_a_slider_crank():
    mechanism = Mechanism(slider_crank(0.05, 0.15))
    angles = np.linspace(0, 2 * np.pi, 200)
    positions = np.zeros((200, 3))
    positions[:, 0] = angles
    closure = mechanism.close(positions, ['crank_joint'])
    assert_closed(mechanism, closure)
    expected = 0.05 * np.cos(angles) + np.sqrt(0.15**2 - (0.05 * np.sin(angles))**2)
    assert closure.positions[:, 2] + 0.1 == pytest.approx(expected, abs=1e-9)
    # The same one the other way round, with the piston measured.
    back = mechanism.close(
        closure.positions[60], ['slide'], start=closure.positions[50])
    assert back.positions == pytest.approx(closure.positions[60], abs=1e-8)


def test_the_dead_centre_of_a_slider_crank_is_singular():
    mechanism = Mechanism(slider_crank(0.05, 0.15))
    at_end = mechanism.close([0, 0, 0.0], ['crank_joint']).positions
    assert not mechanism.is_singular(at_end)
    assert mechanism.is_singular(at_end, ['slide'])
    closure = mechanism.close([0, 0, 0.15], ['slide'])
    assert not closure.closed
    assert closure.distances[0] == pytest.approx(0.05, abs=1e-6)


def test_a_scissor_lift():
    initial = {'foot': 0.5 * np.cos(0.5) - 0.5, 'a0': 0.5, 'b0': np.pi - 0.5}
    for stage in (1, 2, 3):
        initial |= {f'a{stage}': 1 - np.pi, f'b{stage}': np.pi - 1}
    mechanism = Mechanism(scissor_lift(4, 0.5), initial)
    assert mechanism.mobility == 1
    angle = 0.6
    positions = mechanism.tree.configuration({'foot': 0.5 * np.cos(angle) - 0.5})
    closure = mechanism.close(positions, ['foot'])
    assert_closed(mechanism, closure)
    height = ForwardKinematics(mechanism.tree, ['left3'])(closure.positions)[0, 1, 3]
    assert abs(height) == pytest.approx(3 * 0.5 * np.sin(angle), abs=1e-9)


def test_a_delta():
    base, arm, forearm, platform = 0.2, 0.3, 0.6, 0.05
    mechanism = Mechanism(delta(base, arm, forearm, platform))
    arms = ['arm0', 'arm1', 'arm2']
    assert mechanism.mobility == 3
    rng = np.random.default_rng(0)
    tree = mechanism.tree
    positions = np.zeros((100, len(tree.variable_names)))
    indices = [tree.variable_index[name] for name in arms]
    positions[:, indices] = rng.uniform(0.0, 0.9, (100, 3))
    begun = mechanism.close(tree.configuration(dict.fromkeys(arms, 0.3)), arms)
    assert_closed(mechanism, begun)
    closure = mechanism.close(positions, arms, start=begun.positions)
    assert_closed(mechanism, closure)
    thirds = np.arange(3) * 2 * np.pi / 3
    radius = base - platform + arm * np.cos(positions[:, indices])
    centres = np.stack([radius * np.cos(thirds), radius * np.sin(thirds),
                        -arm * np.sin(positions[:, indices])], axis=-1)
    below = begun.positions[tree.variable_index['z']] > 0
    expected = _of_three_spheres(centres, forearm, below)
    found = closure.positions[:, [tree.variable_index[name] for name in 'xyz']] * [1, 1, -1]
    assert found == pytest.approx(expected, abs=1e-9)


def _of_three_spheres(centres, radius, below):
    """Return the point at the same distance from three centres, shape (B, 3)."""
    first, second, third = np.moveaxis(centres, 1, 0)
    x = second - first
    across = np.linalg.norm(x, axis=1, keepdims=True)
    x /= across
    i = np.sum(x * (third - first), axis=1, keepdims=True)
    y = third - first - i * x
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    z = np.cross(x, y)
    j = np.sum(y * (third - first), axis=1, keepdims=True)
    along = across / 2
    up = (i**2 + j**2 - 2 * i * along) / (2 * j)
    out = np.sqrt(radius**2 - along**2 - up**2)
    return first + along * x + up * y + (-out if below else out) * z


def test_a_stewart_platform():
    mechanism = Mechanism(stewart(0.5, 0.3, 0.6))
    tree = mechanism.tree
    legs = [f'leg{number}' for number in range(6)]
    pose = ['x', 'y', 'z', 'yaw', 'pitch', 'roll']
    assert mechanism.mobility == 6
    rng = np.random.default_rng(0)
    wanted = np.zeros((40, len(tree.variable_names)))
    columns = [tree.variable_index[name] for name in pose]
    wanted[:, columns] = rng.uniform(-0.12, 0.12, (40, 6))
    by_pose = mechanism.close(wanted, pose)
    assert_closed(mechanism, by_pose)
    # Lengths from the frames alone.
    ends = ForwardKinematics(tree, ['cross0', 'platform'])(by_pose.positions)
    low = ends[:, 0, :3, 3]
    high = (ends[:, 1] @ [0.3 * np.cos(-0.9), 0.3 * np.sin(-0.9), 0, 1])[:, :3]
    assert by_pose.positions[:, tree.variable_index['leg0']] + 0.6 == pytest.approx(
        np.linalg.norm(high - low, axis=1), abs=1e-9)
    by_lengths = mechanism.close(by_pose.positions, legs)
    assert_closed(mechanism, by_lengths)
    assert by_lengths.positions == pytest.approx(by_pose.positions, abs=1e-7)


def test_peaucellier_draws_a_straight_line():
    mechanism = Mechanism(peaucellier(0.15, 0.4, 0.15), {
        'p': 0.325, 'q': -0.325, 'r': -1.342, 's': 1.342, 't': 1.017, 'u': -1.017})
    assert mechanism.mobility == 1
    tree = mechanism.tree
    positions = np.tile(mechanism.start, (60, 1))
    positions[:, 0] += np.linspace(-0.3, 0.3, 60)
    closure = mechanism.close(positions, ['crank_joint'])
    assert_closed(mechanism, closure)
    ends = ForwardKinematics(tree, ['short1'])(closure.positions)[:, 0] @ [0.15, 0, 0, 1]
    assert np.ptp(ends[:, 0]) < 1e-8 < np.ptp(ends[:, 1])


def test_loops_that_do_not_hang_together_are_solved_by_themselves():
    fine = four_bar_parts(0.1, 0.35, 0.3, 0.4)
    stuck = four_bar_parts(0.3, 0.3, 0.35, 0.5, 'other_', 1.0)
    mechanism = Mechanism(robot(*fine, *stuck))
    assert [group.variables for group in mechanism.groups] == [
        ('a', 'b', 'c'), ('other_a', 'other_b', 'other_c')]
    positions = mechanism.tree.configuration({'a': 2.0, 'other_a': 3.0})
    closure = mechanism.close(positions)
    assert not closure.closed
    assert closure.distances[0] < 1e-9
    assert closure.distances[1] == pytest.approx(np.hypot(
        0.3 * np.cos(3.0) - 0.5, 0.3 * np.sin(3.0)) - 0.65, abs=1e-6)
    assert closure.worst() == 1
    assert closure.positions[0] == 2.0
    assert max(errors.max() for errors in mechanism.errors(closure.positions)) < 1e-9


def test_a_gear():
    mechanism = Mechanism(replace(
        robot(joint('a', 'base', 'la'), joint('b', 'base', 'lb')),
        loops=(Loop('gear', LoopType.GEAR, 'la', 'lb', ratio=-2, offset=0.5),)))
    assert (mechanism.independent, mechanism.dependent) == (('a',), ('b',))
    assert mechanism.close([0.7, 0]).positions == pytest.approx([0.7, -0.9])
    assert mechanism.errors([0, 0])[1] == pytest.approx([0.5])


def test_a_gear_of_chains():
    mechanism = Mechanism(replace(
        robot(joint('a', 'base', 'la'), joint('b', 'la', 'lb'), joint('c', 'base', 'lc'),
              joint('d', 'lc', 'ld')),
        loops=(Loop('gear', LoopType.GEAR, 'lb', 'ld', ratio=3, ancestor='base'),)))
    assert mechanism.dependent == ('d',)
    assert mechanism.close([0.2, 0.1, 0.5, 0]).positions[3] == pytest.approx(3 * 0.3 - 0.5)


def test_what_is_not_determined_moves_as_little_as_possible():
    parts = (joint('a', 'base', 'l1'), joint('b', 'l1', 'l2', '0.2 0 0'),
             joint('c', 'base', 'r1', '0.3 0 0'), joint('d', 'r1', 'r2', '0.2 0 0'),
             loop('pin', 'l2', 'r2', '0.35 0 0', '0.35 0 0'))
    mechanism = Mechanism(robot(*parts), {'a': 2.0, 'b': -1.2, 'c': 1.1, 'd': 1.2})
    assert mechanism.mobility == 2
    start = mechanism.start
    goals = np.linspace(start, start + [2.0, 0, 0, 0], 21)
    closure = mechanism.close(goals, ['a'], start=start)
    assert_closed(mechanism, closure)
    assert closure.positions[:, 0] == pytest.approx(goals[:, 0], abs=0)
    # With the next one held it cannot go as far.
    assert not mechanism.close(goals, ['a', 'b'], start=start).closed.all()
    # A small change is the shortest of those that the equations allow.
    near = mechanism.close(start - [1e-4, 0, 0, 0], ['a'], start=start).positions - start
    _, derivatives = LoopConstraints(mechanism.tree, mechanism.loops).evaluate(start[None])
    shortest = np.linalg.pinv(derivatives[0][:, 1:]) @ derivatives[0][:, 0] * 1e-4
    assert near[1:] == pytest.approx(shortest, abs=1e-7)


def test_passive_joints_that_are_measured_are_not_overwritten():
    mechanism = Mechanism(four_bar(0.1, 0.35, 0.3, 0.4))
    tracker = LoopTracker(mechanism)
    true = mechanism.close([0.5, 0, 0]).positions
    noisy = true + np.random.default_rng(0).normal(0, 1e-3, 3)
    closure = tracker.update(noisy, {'a', 'b', 'c'})
    assert closure.positions == pytest.approx(noisy, abs=0)
    assert not closure.closed
    assert 1e-5 < closure.distances[0] < 1e-3
    # A broken rod.
    noisy[2] += 0.3
    assert tracker.update(noisy, {'a', 'b', 'c'}).distances[0] == pytest.approx(0.09, abs=0.01)


def test_a_configuration_that_cannot_be_reached_leaves_the_last_one():
    mechanism = Mechanism(four_bar(0.3, 0.3, 0.35, 0.5), {'a': 1.0, 'b': 1.0, 'c': 2.5})
    tracker = LoopTracker(mechanism)
    good = tracker.update(np.array([1.0, 0, 0]), {'a'})
    bad = tracker.update(np.array([3.0, 0, 0]), {'a'})
    assert good.closed
    assert not bad.closed
    assert bad.positions == pytest.approx(good.positions, abs=0)
    assert bad.distances[0] > 0.1
    assert tracker.update(np.array([1.1, 0, 0]), {'a'}).closed


def test_what_is_out_of_reach_costs_little_while_it_stays_so():
    mechanism = Mechanism(four_bar(0.3, 0.3, 0.35, 0.5), {'a': 1.0, 'b': 1.0, 'c': 2.5})
    tracker = LoopTracker(mechanism)
    first, *others = [tracker.update(np.array([3.0, 0, 0]), {'a'}) for _ in range(100)]
    assert first.iterations > 100
    assert sum(closure.iterations for closure in others) == 0
    for closure in others:
        assert not closure.closed
        assert (closure.positions == first.positions).all()
        assert (closure.distances == first.distances).all()
    # On the way back it is not waited for long.
    closed = [tracker.update(np.array([angle, 0, 0]), {'a'}).closed
              for angle in np.arange(3.0, 1.2, -0.01)]
    assert closed[-1]
    assert closed.index(True) > 100


def test_a_second_branch_is_taken_where_the_first_is_outside_of_limits():
    parts = four_bar_parts(0.1, 0.35, 0.3, 0.4)
    free = Mechanism(robot(*parts))
    bent = free.close([0.5, 0, 0]).positions
    limit = '<limit lower="0" upper="3" effort="1" velocity="1"/></joint>' if bent[2] < 0 else (
        '<limit lower="-3" upper="0" effort="1" velocity="1"/></joint>')
    limited = parts[2].replace('continuous', 'revolute').replace('</joint>', limit)
    other = Mechanism(robot(*parts[:2], limited, parts[3])).close([0.5, 0, 0])
    assert other.closed
    assert np.sign(other.positions[2]) == -np.sign(bent[2])


def test_the_jacobian_of_a_mechanism():
    mechanism = Mechanism(delta(0.2, 0.3, 0.6, 0.05))
    arms = [0.3, 0.4, 0.5]
    tree = mechanism.tree
    start = mechanism.close(tree.configuration(
        {f'arm{number}': angle for number, angle in enumerate(arms)}),
        ['arm0', 'arm1', 'arm2']).positions
    names = mechanism.independent
    dependence = mechanism.derivatives(start)
    jacobian = Jacobian(tree, 'platform', 'world')(start) @ dependence
    for column, name in enumerate(names):
        moved = []
        for step in (1e-6, -1e-6):
            positions = start.copy()
            positions[tree.variable_index[name]] += step
            closed = mechanism.close(positions, names, start=start).positions
            moved.append(ForwardKinematics(tree, ['platform'])(closed)[0, :3, 3])
        assert jacobian[:3, column] == pytest.approx((moved[0] - moved[1]) / 2e-6, abs=1e-4)


def test_a_robot_without_loops_is_no_mechanism():
    with pytest.raises(ValueError, match='no loops'):
        Mechanism(robot(joint('a', 'base', 'link')))


@pytest.mark.slow
@pytest.mark.parametrize('name', ['crank-rocker', 'parallelogram', 'double crank', 'rhombus'])
def test_many_steps_without_a_jump(name):
    free = Mechanism(four_bar(*GRASHOF[name]))
    mechanism = Mechanism(free.tree, dict(zip('abc', free.close([0.5, 0, 0]).positions)))
    tracker = LoopTracker(mechanism)
    rng = np.random.default_rng(0)
    last, angle, speed = tracker.positions.copy(), tracker.positions[0], 0.0
    for _ in range(2000):
        speed = np.clip(speed + rng.normal(0, 5e-4), -2e-2, 2e-2)
        angle += speed
        closure = tracker.update(np.array([angle, 0, 0]), {'a'})
        assert closure.closed
        assert np.abs(closure.positions - last).max() < 0.3
        last = closure.positions.copy()


def test_a_loop_that_starts_open_is_closed():
    mechanism = Mechanism(robot(
        joint('a', 'base', 'left'), joint('b', 'base', 'right', '1 0 0'),
        loop('pin', 'left', 'right', '0.6 0 0', '0.6 0 0')))
    assert mechanism.mobility == 0
    assert mechanism.groups[0].rank == 2
    assert mechanism.close([0.3, 0.2]).closed
    assert np.abs(np.cos(mechanism.start)) == pytest.approx([5 / 6, 5 / 6])


def test_a_loop_that_is_half_a_turn_from_closed_is_open():
    arm = robot(
        joint('a', 'base', 'one'), joint('b', 'one', 'two', axis='0 1 0'),
        joint('c', 'two', 'three', axis='1 0 0'), joint('d', 'base', 'other', axis='1 0 0'),
        '<constraint name="weld" type="fixed"><parent link="three"/><child link="other"/>'
        '<child_origin xyz="0 0 0" rpy="0 0 3.141592653589793"/></constraint>')
    mechanism = Mechanism(arm)
    assert mechanism.errors(np.zeros(4))[1] == pytest.approx([np.pi])
    assert max(errors.max() for errors in mechanism.errors(mechanism.start)) < 1e-9


@pytest.mark.parametrize('axis', ['0 0 -1', '0 0.01 -1'])
def test_a_hinge_whose_axes_are_half_a_turn_apart_is_open(axis):
    mechanism = Mechanism(robot(
        joint('a', 'base', 'one'), joint('b', 'one', 'two', axis='0 1 0'),
        joint('c', 'two', 'three', axis='1 0 0'), joint('d', 'base', 'other', axis='1 0 0'),
        '<constraint name="pin" type="revolute"><parent link="three"/><child link="other"/>'
        f'<parent_axis xyz="0 0 1"/><child_axis xyz="{axis}"/></constraint>'))
    assert mechanism.errors(np.zeros(4))[1] > 3
    values, _ = LoopConstraints(mechanism.tree, mechanism.loops).evaluate(np.zeros((1, 4)))
    assert np.abs(values).max() > 1
    assert max(errors.max() for errors in mechanism.errors(mechanism.start)) < 1e-9


def test_a_flat_hinge_with_opposite_axes_cannot_be_closed():
    opposite = four_bar_parts(0.1, 0.35, 0.3, 0.4)[3].replace(
        '<child_axis xyz="0 0 1"/>', '<child_axis xyz="0 0 -1"/>')
    mechanism = Mechanism(robot(*four_bar_parts(0.1, 0.35, 0.3, 0.4)[:3], opposite))
    assert mechanism.mobility == 1
    closure = mechanism.close([0.5, 0, 0])
    assert not closure.closed
    assert closure.angles[0] == pytest.approx(np.pi)


def test_limits_without_a_range_are_none():
    parts = [part.replace('type="continuous"', 'type="revolute"').replace(
        '</joint>', '<limit lower="0" upper="0" effort="1" velocity="1"/></joint>')
        for part in four_bar_parts(0.1, 0.35, 0.3, 0.4)]
    mechanism = Mechanism(robot(*parts), {'a': 0.5, 'b': 0.4, 'c': 1.5})
    assert mechanism.start[0] == pytest.approx(0.5)
    assert_closed(mechanism, mechanism.close([1.0, 0, 0]))
