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

"""Jacobians against finite differences of poses."""

from contextlib import contextmanager
import tracemalloc

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot

from urdf_tools.dynamics import CompositeInertia
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.kinematics.transforms import quaternion_product
from urdf_tools.kinematics.transforms import quaternion_to_matrix

STEP = 1e-5
FRAMES = ('world', 'local', 'local_world_aligned')


@contextmanager
def peak_memory():
    """Return a function that gives the peak of the memory allocated inside, in bytes."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture(scope='module')
def tree():
    return KinematicTree(robot(*EVERY_JOINT_TYPE))


def moved(tree, positions, velocity, step):
    """Return the configuration after a small step along one velocity variable."""
    positions = positions.copy()
    name = tree.velocity_names[velocity]
    if name in tree.variable_index:
        positions[tree.variable_index[name]] += step
        return positions
    joint, axis = name.split('/')
    direction = np.eye(3)['xyz'.index(axis[-1])] * step
    first = tree.variable_index[f'{joint}/trans_x']
    translation, quaternion = positions[first:first + 3], positions[first + 3:first + 7]
    if axis.startswith('linear'):
        translation += quaternion_to_matrix(quaternion) @ direction
    else:
        quaternion[:] = quaternion_product(quaternion, [*direction / 2, 1])
    return positions


def differences(tree, link, positions, frame):
    """Return the Jacobian by central differences, shape (6, nv)."""
    kinematics = ForwardKinematics(tree, [link])
    (pose,) = kinematics(positions)
    rotation, translation = pose[:3, :3], pose[:3, 3]
    columns = []
    for velocity in range(len(tree.velocity_names)):
        (after,), (before,) = (
            kinematics(moved(tree, positions, velocity, step)) for step in (STEP, -STEP))
        rates = (after - before) / (2 * STEP)
        cross = rates[:3, :3] @ rotation.T
        angular = np.array([cross[2, 1], cross[0, 2], cross[1, 0]])
        linear = rates[:3, 3]
        if frame == 'world':
            linear = linear - np.cross(angular, translation)
        if frame == 'local':
            linear, angular = rotation.T @ linear, rotation.T @ angular
        columns.append(np.append(linear, angular))
    return np.array(columns).reshape(-1, 6).T


@pytest.mark.parametrize('frame', FRAMES)
@pytest.mark.parametrize('link', ['l0', 'l1', 'l3', 'l4', 'l5', 'l7', 'l8'])
def test_every_joint_type(tree, link, frame):
    positions = tree.random_configuration(np.random.default_rng(1), 3)
    jacobian = Jacobian(tree, link, frame)
    batch = jacobian(positions)
    assert batch.shape == (3, 6, 12)
    for row, expected in zip(positions, batch):
        np.testing.assert_allclose(jacobian(row), expected, atol=1e-13)
        np.testing.assert_allclose(expected, differences(tree, link, row, frame), atol=1e-8)


@pytest.mark.parametrize('frame', FRAMES)
@pytest.mark.parametrize('axis', ['1 0 0', '-1 0 0', '0 1 0', '0 -1 0', '0 0 1', '0 0 -1'])
def test_axes_of_the_link(axis, frame):
    joints = (f'{name} <axis xyz="{axis}"/>' for name in (
        'a continuous', 'b prismatic', 'c continuous'))
    tree = KinematicTree(robot(*joints, 'd continuous <mimic joint="a" multiplier="-2"/>'))
    positions = np.array([0.4, -0.5, 0.6])
    np.testing.assert_allclose(
        Jacobian(tree, 'l4', frame)(positions), differences(tree, 'l4', positions, frame),
        atol=1e-8)


@pytest.mark.parametrize('frame', FRAMES)
def test_corpus(corpus_robot, frame):
    rng = np.random.default_rng(2)
    tree = KinematicTree(corpus_robot.robot)
    positions = tree.random_configuration(rng)
    for link in rng.choice(tree.link_names, 3):
        np.testing.assert_allclose(
            Jacobian(tree, link, frame)(positions),
            differences(tree, link, positions, frame), atol=1e-8)


def test_quaternions_of_any_length(tree):
    positions = tree.random_configuration(np.random.default_rng(3))
    longer = positions.copy()
    longer[3:7] *= 3
    jacobian = Jacobian(tree, 'l8')
    np.testing.assert_allclose(jacobian(longer), jacobian(positions), atol=1e-12)


def test_batches_of_every_size(tree):
    jacobian = Jacobian(tree, 'l7')
    positions = tree.random_configuration(np.random.default_rng(4), 4500)
    batch = jacobian(positions)
    for row in (0, 2047, 2048, 4499):
        np.testing.assert_allclose(batch[row], jacobian(positions[row]), atol=1e-12)
    assert jacobian(positions[:0]).shape == (0, 6, 12)
    out = np.full((4500, 6, 12), np.nan)
    assert jacobian(positions, out=out) is out
    np.testing.assert_array_equal(out, batch)
    single = np.full((6, 12), np.nan)
    jacobian(positions[7], out=single)
    np.testing.assert_allclose(single, batch[7], atol=1e-12)


def test_memory_is_proportional_to_the_length_of_a_chain():
    tree = KinematicTree(robot(*(f'j{i} continuous' for i in range(2000))))
    positions = tree.neutral()
    with peak_memory() as peak:
        Jacobian(tree, 'l2000')(positions)
        ForwardKinematics(tree)(positions)
        CompositeInertia(tree)(positions)
    # A matrix of 2,000 by 2,000 has 4 MB even with one byte for each entry.
    assert peak() < 4e6


def test_robot_without_variables():
    chain = robot('a fixed')
    assert Jacobian(chain, 'l1')(np.empty(0)).shape == (6, 0)
    assert Jacobian(chain, 'l1')(np.empty((5, 0))).shape == (5, 6, 0)


def test_unknown_links_and_frames_and_wrong_shapes(tree):
    with pytest.raises(KeyError, match='nowhere'):
        Jacobian(tree, 'nowhere')
    with pytest.raises(ValueError, match='base'):
        Jacobian(tree, 'l1', 'base')
    with pytest.raises(ValueError, match='expected'):
        Jacobian(tree, 'l1')(np.zeros(3))
    with pytest.raises(ValueError, match='out has the shape'):
        Jacobian(tree, 'l1')(tree.neutral(), out=np.empty((3, 12)))
