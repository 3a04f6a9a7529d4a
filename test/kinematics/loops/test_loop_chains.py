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

"""The equations of loops along their chains, against those from the frames of the tree."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
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

from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.loops.loop_constraints import LoopConstraints
from urdf_tools.kinematics.loops.loop_solver import LoopSolver
from urdf_tools.kinematics.loops.loop_step import are_chains
from urdf_tools.kinematics.loops.loop_step import LoopChains
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose

TWO = (*four_bar_parts(0.1, 0.35, 0.3, 0.4), *four_bar_parts(
    0.3, 0.3, 0.35, 0.5, 'other_', 1.0))
CROOKED = (
    joint('a', 'base', 'one', '0.1 0.2 0.3', '0.6 0 -0.8', rpy='0.3 -0.2 0.5'),
    joint('b', 'one', 'two', '0.3 0 0.1', '0 -1 0', rpy='1 0 0'),
    joint('c', 'one', 'three', '-0.2 0.1 0', '-1 0 0', 'prismatic'),
    joint('d', 'three', 'four', '0 0.4 0', '0 0.8 0.6').replace(
        '</joint>', '<mimic joint="b" multiplier="-1.5" offset="0.2"/></joint>'),
    joint('e', 'three', 'five', '0 0.1 0', '0 1 0', 'planar'))
MORE = [
    Loop('gear', LoopType.GEAR, 'one', 'four', ratio=-2.0, offset=0.3),
    Loop('universal', LoopType.UNIVERSAL, 'four', 'two', Pose((0.1, 0, 0), (0.48, 0, 0.64, 0.6)),
         parent_axis=(0.0, 0.6, 0.8)),
    Loop('ball', LoopType.BALL, 'base', 'five', child_origin=Pose((0.0, 0.2, 0.1)))]
ROBOTS = {
    'four-bar': four_bar(0.1, 0.35, 0.3, 0.4),
    'two four-bars': robot(*TWO),
    'slider-crank': slider_crank(0.05, 0.15),
    'delta': delta(0.2, 0.3, 0.6, 0.05),
    'Stewart': stewart(0.5, 0.3, 0.6),
    'scissor lift': scissor_lift(3, 0.5),
    'Peaucellier': peaucellier(0.15, 0.4, 0.15),
    'crooked': robot(*CROOKED),
    'floating': robot(joint('free', 'base', 'body', kind='floating'), *(
        part.replace('"base"', '"body"') for part in TWO[:4])),
}


def both(name):
    """Return the chains and the constraints, with all velocity variables in each group."""
    tree = KinematicTree(ROBOTS[name])
    constraints = LoopConstraints(tree, tree.robot.loops or MORE)
    variables = range(len(tree.variable_names))
    # One group for all but the equal ones: groups may not share variables, equations may.
    groups = [([0], variables), ([1], [])] if name == 'two four-bars' else [
        (range(len(constraints.loops)), variables)]
    velocities = np.arange(len(tree.velocity_names))[::-1]
    return constraints, LoopChains(LoopSolver(constraints, groups), np.tile(
        velocities, (len(groups), 1)))


def squares(equations):
    """Return what does not depend on the order of equations, nor on empty ones."""
    return equations.swapaxes(-1, -2) @ equations


@pytest.mark.parametrize('name', ROBOTS)
def test_chains_agree_with_the_frames_of_the_tree(name):
    constraints, chains = both(name)
    rng = np.random.default_rng(0)
    for _ in range(10):
        positions = rng.uniform(-2, 2, len(constraints.tree.variable_names))
        values, derivatives = constraints.evaluate(positions[None])
        expected = np.hstack((values.T, derivatives[0][:, ::-1]))
        found = chains.linearized(positions)
        assert squares(found).sum(axis=0) == pytest.approx(squares(expected), abs=1e-12)
        if name == 'two four-bars':
            assert found.reshape(expected.shape) == pytest.approx(expected, abs=1e-12)


def test_threads_do_not_disturb_each_other():
    constraints, chains = both('delta')
    rng = np.random.default_rng(0)
    positions = rng.uniform(-1, 1, (200, len(constraints.tree.variable_names)))
    expected = np.array([chains.linearized(each) for each in positions])
    with ThreadPoolExecutor(4) as pool:
        assert (np.array([*pool.map(chains.linearized, positions)]) == expected).all()


def test_what_is_no_chain_is_said():
    tree = KinematicTree(robot(*CROOKED))
    assert are_chains(LoopConstraints(tree, MORE))
    for kind in (LoopType.ROD, LoopType.SLIDER, LoopType.FIXED):
        assert not are_chains(LoopConstraints(tree, [
            Loop('other', kind, 'two', 'four', length=0.25)]))
    of_base = KinematicTree(ROBOTS['floating'])
    assert are_chains(LoopConstraints(of_base, of_base.robot.loops))
    floating = KinematicTree(robot(
        joint('a', 'base', 'one', kind='floating'), loop('b', 'one', 'base')))
    assert not are_chains(LoopConstraints(floating, floating.robot.loops))
