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

"""Inverse dynamics of mechanisms: by virtual work, and against Pinocchio and MuJoCo."""

import json
import subprocess

import numpy as np
import pytest
from support.mechanisms import closed_chain
from support.mechanisms import CLOSED_CHAINS
from support.mechanisms import four_bar_parts
from support.mechanisms import heavy
from support.mechanisms import joint
from support.mechanisms import robot
from support.mjcf_proofs import _ENVIRONMENT
from support.program_oracles import NEEDS_PROGRAMS
from support.program_oracles import PYTHON
from support.program_oracles import ROOT

from urdf_tools.dynamics import CompositeInertia
from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics import MassMatrix
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.loops import LoopType


def as_external(mechanism, positions, wrenches):
    """Return the wrenches of loops as those that act on links at their origins."""
    tree, external = mechanism.tree, {}
    poses = dict(zip(
        tree.link_names, ForwardKinematics(tree)(positions).swapaxes(0, 1)))
    for row, loop in enumerate(mechanism.loops):
        axes = (poses[loop.parent] @ loop.parent_origin.matrix)[:, None, :3, :3]
        point = (poses[loop.child] @ loop.child_origin.matrix)[:, :3, 3]
        force, torque = (axes @ wrenches[:, row].reshape(-1, 2, 3, 1))[..., 0].swapaxes(0, 1)
        if loop.type is not LoopType.GEAR:
            for link, sign in ((loop.child, 1), (loop.parent, -1)):
                arm = point - poses[link][:, :3, 3]
                external[link] = external.get(link, 0) + sign * np.hstack(
                    (force, torque + np.cross(arm, force)))
    return external


@pytest.mark.parametrize('name', CLOSED_CHAINS)
def test_the_open_tree_with_the_loop_forces_needs_the_same_efforts(name):
    mechanism, driven, (positions, velocities, accelerations) = closed_chain(name)
    tree, dynamics = mechanism.tree, InverseDynamics(mechanism, driven)
    found = dynamics.with_loop_forces(positions, velocities, accelerations)
    motion = dynamics._chain.motion(positions, velocities, accelerations)
    passive = [row for row, variable in enumerate(tree.velocity_names) if variable not in driven]
    assert np.abs(found.efforts[:, passive]).max() == 0
    efforts = InverseDynamics(tree)(
        positions, motion.velocities, motion.accelerations,
        external=as_external(mechanism, positions, found.wrenches))
    for row, loop in enumerate(mechanism.loops):
        if loop.type is LoopType.GEAR:
            for link, ratio in ((loop.child, 1), (loop.parent, -loop.ratio)):
                (geared,) = tree.robot.geared(loop, link)
                efforts[:, tree.velocity_index[geared.name]] -= ratio * found.wrenches[:, row, 5]
    assert efforts == pytest.approx(found.efforts, abs=1e-9)
    assert dynamics(positions, velocities, accelerations) == pytest.approx(found.efforts, abs=0)
    for row, q in enumerate(positions):
        one = dynamics.with_loop_forces(q, velocities[row], accelerations[row])
        assert one.efforts == pytest.approx(found.efforts[row], abs=1e-10)
        assert one.wrenches == pytest.approx(found.wrenches[row], abs=1e-10)
        assert (one.undetermined == found.undetermined[row]).all()


def energies(tree, positions, velocities):
    mass, inertia = MassMatrix(tree)(positions), CompositeInertia(tree)(positions)
    return np.einsum('bi,bij,bj->b', velocities, mass, velocities) / 2 + (
        9.81 * inertia.mass * inertia.com[:, 2])


@pytest.mark.parametrize('name', CLOSED_CHAINS)
def test_the_power_of_driven_joints_is_the_change_of_energy(name):
    mechanism, driven, (positions, velocities, accelerations) = closed_chain(name)
    tree, dynamics = mechanism.tree, InverseDynamics(mechanism, driven)
    rows = [tree.velocity_index[each] for each in driven]
    step, changes = 1e-4, []
    for time in (step, -step):
        goals = positions.copy()
        goals[:, [tree.variable_index[each] for each in driven]] += (
            time * velocities + time**2 / 2 * accelerations)[:, rows]
        rates = velocities + time * accelerations
        ends = np.array([mechanism.close(goal, driven, start=start).positions
                         for goal, start in zip(goals, positions)])
        changes.append(energies(tree, ends, dynamics._chain.motion(
            ends, rates, accelerations).velocities))
    power = (dynamics(positions, velocities, accelerations) * velocities)[:, rows].sum(axis=1)
    expected = (changes[0] - changes[1]) / (2 * step)
    assert power == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize('name', CLOSED_CHAINS)
def test_joints_that_follow_move_as_loops_let_them(name):
    mechanism, driven, (positions, velocities, accelerations) = closed_chain(name)
    tree, chain = mechanism.tree, InverseDynamics(mechanism, driven)._chain
    motion = chain.motion(positions, velocities, accelerations)
    rows = [tree.velocity_index[each] for each in driven]
    assert motion.velocities[:, rows] == pytest.approx(velocities[:, rows], abs=1e-12)
    assert motion.accelerations[:, rows] == pytest.approx(accelerations[:, rows], abs=1e-12)
    step = 1e-5
    ahead, behind = (chain.motion(np.array([
        mechanism.close(q, driven, start=start).positions for q, start in zip(
            tree.integrate(positions, time * motion.velocities), positions)]),
        motion.velocities, accelerations).velocities for time in (step, -step))
    # Along a motion of which driven joints keep their velocities, the others have accelerations.
    still = chain.motion(positions, velocities, 0 * accelerations).accelerations
    assert (ahead - behind) / (2 * step) == pytest.approx(still, rel=1e-5, abs=1e-6)


def test_what_redundant_constraints_leave_undetermined():
    mechanism, driven, motion = closed_chain('four-bar')
    found = InverseDynamics(mechanism, driven).with_loop_forces(*motion)
    # Across the plane of the four-bar; the pin bears no torque about its axis.
    assert found.undetermined.tolist() == [[[False, False, True, True, True, False]]] * 4
    assert found.wrenches[..., 5] == pytest.approx(0, abs=1e-12)
    spherical = Mechanism(heavy(robot(*four_bar_parts(
        0.1, 0.35, 0.3, 0.4, kind='spherical'))), {'a': 0.5, 'b': 0.4, 'c': 1.5})
    ball = InverseDynamics(spherical, driven).with_loop_forces(*motion)
    assert ball.undetermined.tolist() == [[[False, False, True, False, False, False]]] * 4
    assert ball.efforts == pytest.approx(found.efforts, abs=1e-9)
    assert ball.wrenches[..., :2] == pytest.approx(found.wrenches[..., :2], abs=1e-9)
    mechanism, driven, motion = closed_chain('delta')
    assert not InverseDynamics(mechanism, driven).with_loop_forces(*motion).undetermined.any()


def test_a_load_on_the_piston_of_a_slider_crank():
    mechanism, driven, (positions, *_) = closed_chain('slider-crank')
    load = np.zeros((4, 6))
    load[:, 0] = -100
    efforts = InverseDynamics(mechanism, driven)(
        positions, gravity=(0, 0, 0), external={'piston': load})[:, 0]
    crank, rod = 0.05, 0.15
    angle = positions[:, 0]
    lean = np.arcsin(crank / rod * np.sin(angle))
    assert efforts == pytest.approx(
        -100 * crank * np.sin(angle + lean) / np.cos(lean), rel=1e-9)


def test_a_wheel_beside_loops_and_what_drives_none():
    mechanism = Mechanism(heavy(robot(
        *four_bar_parts(0.1, 0.35, 0.3, 0.4), joint('wheel', 'base', 'tyre', axis='1 0 0'))),
        {'a': 0.5, 'b': 0.4, 'c': 1.5})
    efforts = InverseDynamics(mechanism)(mechanism.start)
    assert efforts[3] == pytest.approx(
        InverseDynamics(mechanism.tree)(mechanism.start)[3], abs=1e-12)
    assert (efforts[1:3] == 0).all()


@pytest.mark.parametrize('driven', [(), ('a', 'b')])
def test_other_numbers_of_driven_joints(driven):
    with pytest.raises(ValueError) as error:
        InverseDynamics(closed_chain('four-bar')[0], driven)
    assert str(error.value) == (
        "Loop 'pin' leaves 1 of a, b, c free: drive as many that determine the others, not "
        + (', '.join(driven) or 'none'))


def test_driven_joints_that_do_not_exist():
    with pytest.raises(KeyError, match='slide'):
        InverseDynamics(closed_chain('slider-crank')[0], ['slid'])


def test_open_loops_and_singular_configurations_are_refused():
    mechanism, *_ = closed_chain('slider-crank')
    dynamics = InverseDynamics(mechanism, ['slide'])
    with pytest.raises(ValueError, match="positions leave loop 'pin' open by 0.05 m or rad; take"):
        dynamics([[0, 0, 0.1], [0, 0, 0.15]])
    with pytest.raises(ValueError, match='The configuration is singular'):
        dynamics([0, 0, 0.1])
    with pytest.raises(ValueError, match='The configuration 1 is singular'):
        dynamics([mechanism.start, [0, 0, 0.1]])
    with pytest.raises(ValueError, match='was made from a robot'):
        InverseDynamics(mechanism.tree).with_loop_forces(mechanism.start)


LIMITS = {'MuJoCo: efforts': 1e-10, 'MuJoCo: accelerations from rest': 0.03,
          'Pinocchio: accelerations': 1e-8, 'Pinocchio: loop forces': 1e-9}
"""Largest relative differences; MuJoCo's own constraints give way a little."""


@pytest.mark.slow
@NEEDS_PROGRAMS
def test_pinocchio_and_mujoco_agree(tmp_path):
    done = subprocess.run(
        [PYTHON, ROOT / 'test' / 'support' / 'closed_chain_peers.py', tmp_path], check=True,
        capture_output=True, text=True, timeout=600,
        env={**_ENVIRONMENT, 'PYTHONPATH': f'{ROOT}:{ROOT / "test"}'})
    found = json.loads(done.stdout)
    assert found.keys() == CLOSED_CHAINS.keys()
    for name, differences in found.items():
        assert len(differences) == (2 if 'gears' in name else 4), name
        for what, difference in differences.items():
            assert difference < LIMITS[what], (name, what)
