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

"""The arrays of a robot."""

import pickle

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot

from urdf_tools.dynamics import CompositeInertia
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.robot import Mimic


def test_links_and_joints(corpus_robot):
    model = corpus_robot.robot
    tree = KinematicTree(model)
    assert tree.link_names == tuple(model.links)
    for link, index in tree.link_index.items():
        assert tree.link_names[index] == link
        joint = model.parent_joint.get(link)
        expected = -1 if joint is None else tree.link_index[joint.parent]
        assert tree.link_parents[index] == expected
    assert set(tree.joint_names) == {joint.name for joint in model.tree}
    assert [tree.joint_index[name] for name in tree.joint_names] == [
        *range(len(tree.joint_names))]
    assert not set(tree.mimic) & set(tree.variable_names)


def test_variables():
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    assert tree.variable_names == (
        'a/trans_x', 'a/trans_y', 'a/trans_z', 'a/rot_x', 'a/rot_y', 'a/rot_z', 'a/rot_w', 'b',
        'd/x', 'd/y', 'd/theta', 'e', 'h')
    assert tree.velocity_names == (
        'a/linear_x', 'a/linear_y', 'a/linear_z', 'a/angular_x', 'a/angular_y', 'a/angular_z',
        'b', 'd/x', 'd/y', 'd/theta', 'e', 'h')
    assert [tree.variable_index[name] for name in tree.variable_names] == [*range(13)]
    assert [tree.velocity_index[name] for name in tree.velocity_names] == [*range(12)]
    assert tree.mimic['f'] == Mimic('b', -2.0, 0.3)
    assert tree.mimic['g'].joint == 'b'


def test_a_mimic_joint_is_no_variable():
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    with pytest.raises(KeyError) as caught:
        tree.configuration({'f': 0.1})
    assert str(caught.value) == "Joint 'f' mimics 'b'; set the position of that joint"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_neutral_and_named_configurations():
    tree = KinematicTree(robot('a floating', 'b revolute', 'n/rot_w prismatic'))
    assert tree.neutral().tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert tree.configuration({'b': 2.0, 'a/rot_x': 0.5}).tolist() == [
        0, 0, 0, 0.5, 0, 0, 1, 2, 0]
    with pytest.raises(KeyError, match='nothing'):
        tree.configuration({'nothing': 1.0})


LIMITED = (
    'a revolute <limit lower="-1" upper="2" effort="30" velocity="4"/>',
    'b continuous <limit effort="5" velocity="6"/>',
    'c prismatic <limit lower="0.1" upper="0.3" effort="7" velocity="8"/>',
    'd continuous', 'e planar', 'f floating')


def test_arrays_are_read_only():
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    for array in (tree.link_placements, tree.position_lower, tree.effort_limit):
        with pytest.raises(ValueError, match='read-only'):
            array[0] = 0
    tree.neutral()[0] = 1
    assert tree.neutral()[0] == 0


def test_limits():
    tree = KinematicTree(robot(*LIMITED))
    inf = np.inf
    assert tree.position_lower.tolist() == [-1, -inf, 0.1, *[-inf] * 11]
    assert tree.position_upper.tolist() == [2, inf, 0.3, *[inf] * 11]
    assert tree.velocity_limit.tolist() == [4, 6, 8, *[inf] * 10]
    assert tree.effort_limit.tolist() == [30, 5, 7, *[inf] * 10]


def test_random_configurations():
    tree = KinematicTree(robot(*LIMITED))
    rng = np.random.default_rng(1)
    configurations = tree.random_configuration(rng, 2000)
    assert configurations.shape == (2000, 14)
    assert tree.random_configuration(rng).shape == (14,)
    quaternions = configurations[:, 10:]
    np.testing.assert_allclose(np.linalg.norm(quaternions, axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(quaternions.mean(axis=0), 0.0, atol=0.05)
    lower = np.array([-1, -np.pi, 0.1, -np.pi, -1, -1, -np.pi, -1, -1, -1])
    upper = np.array([2, np.pi, 0.3, np.pi, 1, 1, np.pi, 1, 1, 1])
    others = (configurations[:, :10] - lower) / (upper - lower)
    assert others.min() >= 0.0
    assert others.max() <= 1.0
    np.testing.assert_allclose(others.mean(axis=0), 0.5, atol=0.05)
    again = tree.random_configuration(np.random.default_rng(1), 2000)
    np.testing.assert_array_equal(again, configurations)


def test_random_configuration_of_a_joint_with_one_limit():
    tree = KinematicTree(robot(
        'a prismatic <limit lower="5" upper="inf" effort="1" velocity="1"/>',
        'b prismatic <limit lower="-inf" upper="-5" effort="1" velocity="1"/>'))
    a, b = tree.random_configuration(np.random.default_rng(1), 100).T
    assert 5 <= a.min() <= a.max() <= 7
    assert -7 <= b.min() <= b.max() <= -5


def test_random_configuration_of_joints_with_the_largest_numbers_as_limits():
    limit = '<limit lower="-1.79769e308" upper="1.79769e308" effort="1" velocity="1"/>'
    tree = KinematicTree(robot(f'a revolute {limit}', f'b prismatic {limit}'))
    a, b = np.abs(tree.random_configuration(np.random.default_rng(1), 100).T)
    assert 2 < a.max() <= np.pi
    assert 0.5 < b.max() <= 1


def test_one_tree_for_all_computations():
    model = robot(*EVERY_JOINT_TYPE)
    tree = KinematicTree(model)
    computations = (ForwardKinematics, CompositeInertia, lambda robot: Jacobian(robot, 'l2'))
    for computation in computations:
        assert computation(tree).tree is tree
        assert computation(model).tree.variable_names == tree.variable_names
