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

"""Configurations that bring links to poses."""

import numpy as np
import pytest
from support.chains import EVERY_JOINT_TYPE
from support.chains import robot

from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import InverseKinematics
from urdf_tools.kinematics import KinematicTree
from urdf_tools.xacro.description_files import load

ARMS = {
    'ur5': 'tool0', 'ur5e_ros2_control': 'tool0', 'kuka_iiwa': 'lbr_iiwa_link_7',
    'fanuc_m10ia': 'tool0', 'panda': 'panda_link8', 'so101': None, 'mycobot_280_gripper': None,
    'kinova_gen3': None, 'widowx': None}
"""Names of robots of the corpus, each to a link; None is the farthest."""

PLANAR_ARM = KinematicTree(robot(
    *(f'{name} revolute <origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>'
      '<limit lower="-2" upper="2" effort="1" velocity="1"/>' for name in 'abc'),
    'tip fixed <origin xyz="0.5 0 0"/>'))


def pose_at(tree, link, positions):
    return ForwardKinematics(tree, [link])(positions)[0]


@pytest.mark.parametrize('name', ARMS)
def test_reachable_poses_of_arms(corpus, name):
    path = next((corpus / 'robots' / name).rglob('*.urdf'))
    tree = KinematicTree(load(path))
    link = ARMS[name] or max(
        tree.link_names, key=lambda link: len(tree.robot.path(tree.robot.root, link)))
    inverse, rng = InverseKinematics(tree, link), np.random.default_rng(3)
    results = []
    for positions, start in zip(*tree.random_configuration(rng, 40).reshape(2, 20, -1)):
        pose = pose_at(tree, link, positions)
        result = inverse(pose, start)
        results.append(result.success)
        if result.success:
            np.testing.assert_allclose(pose_at(tree, link, result.positions), pose, atol=1e-5)
            assert (result.positions >= tree.position_lower).all()
            assert (result.positions <= tree.position_upper).all()
    assert sum(results) >= 19


def test_a_start_nearby_leads_to_the_configuration_nearby():
    positions = np.array((0.3, -0.4, 0.9))
    pose = pose_at(PLANAR_ARM, 'l4', positions)
    result = InverseKinematics(PLANAR_ARM, 'l4')(pose, positions + 0.1)
    np.testing.assert_allclose(result.positions, positions, atol=1e-5)
    assert result.iterations <= 5


def test_every_joint_type_and_several_links():
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    inverse = InverseKinematics(tree, {'l1': 'pose', 'l6': 'position', 'l8': 'z'})
    rng = np.random.default_rng(2)
    for positions in tree.random_configuration(rng, 5):
        wanted = {link: pose_at(tree, link, positions) for link in ('l1', 'l6', 'l8')}
        result = inverse(wanted, tree.random_configuration(rng))
        assert result.success, result.reason
        found = {link: pose_at(tree, link, result.positions) for link in wanted}
        np.testing.assert_allclose(found['l1'], wanted['l1'], atol=1e-5)
        np.testing.assert_allclose(found['l6'][:3, 3], wanted['l6'][:3, 3], atol=1e-5)
        np.testing.assert_allclose(found['l8'][:3, 2:], wanted['l8'][:3, 2:], atol=1e-5)


def test_variables_that_do_not_matter_keep_their_values():
    start = np.array((0.1, 0.2, 0.7))
    pose = pose_at(PLANAR_ARM, 'l2', np.array((0.5, 0.4, 0)))
    result = InverseKinematics(PLANAR_ARM, 'l2')(pose, start)
    np.testing.assert_allclose(result.positions, (0.5, 0.4, 0.7), atol=1e-5)


def test_why_there_is_no_solution():
    inverse = InverseKinematics(PLANAR_ARM, {'l4': 'position'})
    pose = np.eye(4)
    pose[:3, 3] = 0.5 + 4, 0.2, 0.3
    result = inverse(pose)
    assert not result.success
    assert result.reason == (
        'the pose of l4 is 4.02 m from its first joint, and its reach is at most 1.5 m')
    pose[:3, 3] = 1.2, 0.2, 0.9
    assert inverse(pose).reason.endswith(' iterations is 900 mm and 0 rad away')
    pose[:3, :3], pose[:3, 3] = np.diag((-1, -1, 1)), (1.95, 0, 0.3)
    result = InverseKinematics(PLANAR_ARM, 'l4')(pose)
    assert 'at their limits there: ' in result.reason


def test_the_same_question_has_the_same_answer():
    pose = pose_at(PLANAR_ARM, 'l4', np.array((1.9, -1.9, 1.5)))
    inverse = InverseKinematics(PLANAR_ARM, 'l4')
    np.testing.assert_array_equal(inverse(pose).positions, inverse(pose).positions)


@pytest.mark.parametrize('links, poses, error, message', [
    ('hand', np.eye(4), KeyError, 'hand'), ({}, np.eye(4), ValueError, 'no link'),
    ({'l4': 'point'}, np.eye(4), ValueError, 'point'),
    ('l4', np.eye(3), ValueError, "the pose of 'l4' is no homogeneous matrix"),
    ('l4', np.full((4, 4), np.nan), ValueError, 'finite'),
    ({'l3': 'pose', 'l4': 'pose'}, {'l4': np.eye(4)}, KeyError, 'l3')])
def test_wrong_arguments(links, poses, error, message):
    with pytest.raises(error, match=message):
        InverseKinematics(PLANAR_ARM, links)(poses)
