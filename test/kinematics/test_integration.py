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

"""Moving configurations by velocities, and poses by twists."""

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot

from urdf_tools.kinematics import exp
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import log

TREE = KinematicTree(robot(*EVERY_JOINT_TYPE))


def test_the_difference_of_configurations_leads_from_one_to_the_other():
    rng = np.random.default_rng(1)
    start, end = TREE.random_configuration(rng, 20).reshape(2, 10, -1)
    velocities = TREE.difference(start, end)
    found = TREE.integrate(start, velocities)
    kinematics = ForwardKinematics(TREE)
    np.testing.assert_allclose(kinematics(found), kinematics(end), atol=1e-12)
    np.testing.assert_array_equal(TREE.integrate(start[0], velocities[0]), found[0])
    assert TREE.difference(start[0], end).shape == velocities.shape


def test_small_steps_follow_the_jacobian():
    rng = np.random.default_rng(2)
    positions = TREE.random_configuration(rng)
    velocities = rng.standard_normal(len(TREE.velocity_names))
    before, after = (
        ForwardKinematics(TREE, ['l8'])(TREE.integrate(positions, step * velocities))[0]
        for step in (-1e-6, 1e-6))
    np.testing.assert_allclose(
        log(np.linalg.inv(before) @ after) / 2e-6,
        Jacobian(TREE, 'l8')(positions) @ velocities, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize('angle', [0, 1e-300, 1e-9, 9e-5, 1.1e-4, 1e-3, 0.5, 3, np.pi - 1e-9])
def test_a_twist_is_the_logarithm_of_its_exponential(angle):
    rng = np.random.default_rng(3)
    twist = rng.standard_normal((20, 6))
    twist[:, 3:] *= angle / np.linalg.norm(twist[:, 3:], axis=1, keepdims=True)
    poses = exp(twist)
    np.testing.assert_allclose(
        poses[:, :3, :3] @ poses[:, :3, :3].swapaxes(1, 2), np.tile(np.eye(3), (20, 1, 1)),
        atol=1e-14)
    np.testing.assert_allclose(log(poses), twist, atol=1e-7 if angle > 3.1 else 1e-14)


def test_half_of_a_motion_twice_is_the_motion():
    twist = np.random.default_rng(4).standard_normal((50, 6))
    half = exp(twist / 2)
    np.testing.assert_allclose(half @ half, exp(twist), atol=1e-14)
