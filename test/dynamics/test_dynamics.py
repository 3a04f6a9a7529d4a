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

"""Dynamics beside sums over the links, with Jacobians that other tests compare."""

import resource
import subprocess
import sys

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot

from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.dynamics import CentreOfMassJacobian
from urdf_tools.dynamics.dynamics import InverseDynamics
from urdf_tools.dynamics.dynamics import MassMatrix
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import moving_frames
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import quaternion_to_matrix

STEP = 1e-5


@pytest.fixture(scope='module')
def tree():
    return KinematicTree(robot(*EVERY_JOINT_TYPE, has_mass=True))


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def moved(tree, positions, velocities):
    """Return where a configuration is after unit time, to the second order."""
    positions = positions.copy()
    for name, velocity in zip(tree.velocity_names, velocities):
        if name in tree.variable_index:
            positions[tree.variable_index[name]] += velocity
    first = tree.variable_names.index('a/trans_x')
    twist = velocities[tree.velocity_index['a/linear_x']:][:6]
    quaternion = positions[first + 3:first + 7]
    half = np.append(twist[3:] / 2, 1)
    turned = quaternion_to_matrix(quaternion_product(
        quaternion, np.append(twist[3:] / 4, 1)))
    positions[first:first + 3] += turned @ twist[:3]
    positions[first + 3:first + 7] = quaternion_product(quaternion, half)
    return positions


def link_jacobians(tree, positions):
    """Yield of each link with mass: the mass, Jacobians of its centre, and its inertia there."""
    poses = dict(zip(tree.link_names, ForwardKinematics(tree)(positions)))
    for name, link in tree.robot.links.items():
        inertia = link_inertia(link)
        if inertia is None:
            continue
        turn = poses[name][:3, :3]
        jacobian = Jacobian(tree, name, 'local_world_aligned')(positions)
        centre = turn @ inertia.com
        linear = jacobian[:3] + np.cross(jacobian[3:].T, centre).T
        yield inertia.mass, linear, jacobian[3:], turn @ inertia.rotational @ turn.T


def momenta(tree, positions, velocities):
    return [(mass * linear @ velocities, inertia @ angular @ velocities)
            for mass, linear, angular, inertia in link_jacobians(tree, positions)]


def test_efforts_change_the_momenta_of_the_links(tree, rng):
    inverse = InverseDynamics(tree)
    gravity = np.array((0.3, -0.4, -9.7))
    for positions in tree.random_configuration(rng, 5):
        velocities, accelerations = rng.standard_normal((2, len(tree.velocity_names)))
        before, after = (
            momenta(tree, moved(tree, positions, sign * STEP * velocities
                                + STEP**2 / 2 * accelerations),
                    velocities + sign * STEP * accelerations) for sign in (-1, 1))
        expected = sum(
            linear.T @ ((new[0] - old[0]) / (2 * STEP) - mass * gravity)
            + angular.T @ (new[1] - old[1]) / (2 * STEP)
            for old, new, (mass, linear, angular, _) in zip(
                before, after, link_jacobians(tree, positions)))
        np.testing.assert_allclose(
            inverse(positions, velocities, accelerations, gravity=gravity), expected,
            rtol=1e-6, atol=1e-6)


def test_mass_matrix_and_motion_of_the_centre_are_those_of_the_links(tree, rng):
    positions = tree.random_configuration(rng, 4)
    for row, matrix, centre in zip(
            positions, MassMatrix(tree)(positions), CentreOfMassJacobian(tree)(positions)):
        links = [*link_jacobians(tree, row)]
        np.testing.assert_allclose(matrix, sum(
            mass * linear.T @ linear + angular.T @ inertia @ angular
            for mass, linear, angular, inertia in links), atol=1e-10)
        np.testing.assert_allclose(
            centre, sum(mass * linear for mass, linear, *_ in links) / sum(
                mass for mass, *_ in links), atol=1e-12)


def test_one_configuration_is_a_batch_of_one(tree, rng):
    positions = tree.random_configuration(rng, 3)
    rates = rng.standard_normal((2, 3, len(tree.velocity_names)))
    for function, arguments in (
            (InverseDynamics(tree), (positions, *rates)), (InverseDynamics(tree), (positions,)),
            (InverseDynamics(tree), (positions, None, rates[0])),
            (InverseDynamics(tree), (positions, rates[0])),
            (MassMatrix(tree), (positions,)), (CentreOfMassJacobian(tree), (positions,))):
        together = function(*arguments)
        for row in range(3):
            np.testing.assert_allclose(
                function(*(None if each is None else each[row] for each in arguments)),
                together[row], atol=1e-12)


def test_a_mass_matrix_takes_accelerations_to_efforts(corpus_robot, rng):
    tree = KinematicTree(corpus_robot.robot)
    positions = tree.random_configuration(rng, 2)
    accelerations = rng.standard_normal((2, len(tree.velocity_names)))
    inverse, matrices = InverseDynamics(tree), MassMatrix(tree)(positions)
    efforts = inverse(positions, None, accelerations, gravity=(0, 0, 0))
    expected = (matrices @ accelerations[..., None])[..., 0]
    np.testing.assert_allclose(efforts, expected, atol=1e-9 * max(1, abs(expected).max(initial=0)))
    np.testing.assert_array_equal(matrices, matrices.swapaxes(1, 2))


def test_wrenches_from_outside_relieve_the_joints(tree, rng):
    inverse = InverseDynamics(tree)
    positions = tree.random_configuration(rng, 2)
    wrench, wrenches = rng.standard_normal(6), rng.standard_normal((2, 6))
    expected = inverse(positions) - sum(
        (Jacobian(tree, link, 'local_world_aligned')(positions).swapaxes(1, 2)
         @ np.atleast_2d(each)[..., None])[..., 0]
        for link, each in (('l5', wrench), ('l7', wrenches)))
    np.testing.assert_allclose(
        inverse(positions, external={'l5': wrench, 'l7': wrenches}), expected, atol=1e-10)
    with pytest.raises(KeyError, match='hand'):
        inverse(positions, external={'hand': wrench})


@pytest.mark.parametrize('arguments, message', [
    ((np.zeros(5),), r'positions have the shape \(5,\)'),
    ((np.ones((2, 13)), np.zeros((3, 12))),
     r'velocities: an array of the shape \(12,\) or \(2, 12\) is '),
    ((np.ones(13), None, 1.0), r'accelerations: .* not of \(\)')])
def test_other_shapes_are_refused(tree, arguments, message):
    with pytest.raises(ValueError, match=message):
        InverseDynamics(tree)(*arguments)


def test_a_dict_is_refused(tree):
    with pytest.raises(TypeError, match=r"velocities: real numbers are expected, not \{'a': 1\}"):
        InverseDynamics(tree)(tree.neutral(), {'a': 1})


@pytest.mark.parametrize('kind', [MassMatrix, CentreOfMassJacobian])
def test_results_go_into_given_arrays(tree, rng, kind):
    first, second = tree.random_configuration(rng, 8).reshape(2, 4, -1)
    function = kind(tree)
    expected, result = function(second), function(first)
    result[1:] = np.nan
    assert function(second, out=result) is result
    np.testing.assert_array_equal(result, expected)
    one = function(first[0])
    function(second[0], out=one)
    np.testing.assert_allclose(one, expected[0], atol=1e-12)
    with pytest.raises(ValueError, match='out has the shape'):
        function(first[:2], out=result)


def test_chunks_are_computed_alike(tree, rng, monkeypatch):
    positions = tree.random_configuration(rng, 5)
    rates = rng.standard_normal((2, 5, len(tree.velocity_names)))
    cases = [(InverseDynamics(tree), (positions, *rates)), (InverseDynamics(tree), (positions,)),
             (MassMatrix(tree), (positions,)), (CentreOfMassJacobian(tree), (positions,))]
    expected = [function(*arguments) for function, arguments in cases]
    monkeypatch.setattr(moving_frames, 'CHUNK', 2)
    for (function, arguments), each in zip(cases, expected):
        np.testing.assert_allclose(function(*arguments), each, atol=1e-12)


@pytest.mark.filterwarnings('error')
def test_a_robot_without_mass_has_no_centre_that_moves():
    assert not CentreOfMassJacobian(robot('turn continuous'))([0.5]).any()


def test_a_robot_without_joints_has_no_efforts():
    tree = KinematicTree(robot(has_mass=True))
    assert InverseDynamics(tree)(np.zeros((4, 0))).shape == (4, 0)
    assert MassMatrix(tree)(np.zeros(0)).shape == (0, 0)
    assert CentreOfMassJacobian(tree)(np.zeros(0)).shape == (3, 0)


CALLS = """
import sys, resource
import numpy as np
import urdf_tools
robot = urdf_tools.load(sys.argv[1])
dynamics, mass = urdf_tools.InverseDynamics(robot), urdf_tools.MassMatrix(robot)
centre = urdf_tools.CentreOfMassJacobian(robot)
q = np.random.default_rng(1).uniform(-1, 1, (1000, len(dynamics.tree.variable_names)))
results = mass(q), centre(q)
for call in (lambda: dynamics(q, q, q), lambda: dynamics(q), lambda: mass(q, out=results[0]),
             lambda: centre(q, out=results[1])):
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        call()
        taken.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    print(min(taken))
"""


@pytest.mark.skipif(sys.platform != 'linux', reason='counts the pages that glibc asks for')
@pytest.mark.slow
def test_the_first_robot_of_a_process_takes_no_new_memory_in_each_call(tmp_path):
    """It took 500 to 1,000 pages, as long as half of the rest."""
    axes = ['1 0 0', '0 1 0', '0 0 1']
    (tmp_path / 'arm.urdf').write_text('<robot name="arm">' + ''.join(
        f'<link name="l{i}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
        f'ixz="0" iyz="0"/></inertial></link>' for i in range(41)) + ''.join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0.1 0 0"/><axis xyz="{axes[i % 3]}"/></joint>' for i in range(40))
        + '</robot>')
    pages = subprocess.run(
        [sys.executable, '-c', CALLS, tmp_path / 'arm.urdf'], check=True, text=True,
        stdout=subprocess.PIPE).stdout.split()
    assert len(pages) == 4
    assert max(map(int, pages)) * resource.getpagesize() < 2**19
