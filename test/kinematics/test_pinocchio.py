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

"""Poses and Jacobians beside those of Pinocchio."""

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import text

from urdf_tools.dynamics import InverseDynamics
from urdf_tools.dynamics import MassMatrix
from urdf_tools.formats.description_files import load
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics import ReferenceFrame
from urdf_tools.model.robot import JointType

pinocchio = pytest.importorskip('pinocchio', reason='Pinocchio ("pip install pin") is missing')
from support.pinocchio_robot import PinocchioRobot  # noqa: E402,I100

PLANAR = 'd planar <axis xyz="0 0 1"/>'
"""Pinocchio ignores the axis of planar joints."""


def compare(path, rng):
    tree = KinematicTree(load(path))
    pin = PinocchioRobot(path, tree)
    positions = tree.random_configuration(rng, 5)
    kinematics = ForwardKinematics(tree)
    tips = rng.choice(tree.link_names, 5)
    jacobians = {
        (link, frame): Jacobian(tree, link, frame)(positions)
        for link in tips for frame in ReferenceFrame}
    for row, (poses, configuration) in enumerate(zip(
            kinematics(positions), pin.configurations(positions))):
        pinocchio.framesForwardKinematics(pin.model, pin.data, configuration)
        for link, pose in zip(tree.link_names, poses):
            np.testing.assert_allclose(
                pose, pin.data.oMf[pin.frames[link]].homogeneous, atol=1e-12)
        velocities = pin.velocity_matrix(positions[row])
        compare_dynamics(pin, tree, positions[row], configuration, velocities, rng)
        for (link, frame), jacobian in jacobians.items():
            expected = pin.jacobian(link, frame.value, configuration) @ velocities
            np.testing.assert_allclose(jacobian[row], expected, atol=1e-10)


def compare_dynamics(pin, tree, positions, configuration, velocities, rng):
    """Compare where Pinocchio's velocities are ours, so not while planar joints turn."""
    rates = rng.standard_normal((2, len(tree.velocity_names)))
    if any(joint.type is JointType.PLANAR for joint in tree.robot.joints.values()):
        rates[0] = 0
    efforts = velocities.T @ pinocchio.rnea(
        pin.model, pin.data, configuration, *(rates @ velocities.T))
    np.testing.assert_allclose(
        InverseDynamics(tree)(positions, *rates), efforts,
        atol=1e-10 * max(1, abs(efforts).max(initial=0)))
    upper = np.triu(pinocchio.crba(pin.model, pin.data, configuration))
    matrix = velocities.T @ (upper + np.triu(upper, 1).T) @ velocities
    np.testing.assert_allclose(
        MassMatrix(tree)(positions), matrix, atol=1e-10 * max(1, abs(matrix).max(initial=0)))


def test_corpus(corpus_robot):
    robot = corpus_robot.robot
    if any(joint.type is JointType.PLANAR and joint.axis != (0, 0, 1)
           for joint in robot.joints.values()):
        pytest.skip('Pinocchio ignores the axis of planar joints')
    compare(corpus_robot.path, np.random.default_rng(1))


def test_every_joint_type(tmp_path):
    path = tmp_path / 'chain.urdf'
    # Pinocchio has no joints without an axis.
    path.write_text(text(
        *(PLANAR if joint.startswith('d planar') else joint for joint in EVERY_JOINT_TYPE[:-1])))
    compare(path, np.random.default_rng(2))
