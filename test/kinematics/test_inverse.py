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

from urdf_tools.dynamics import InverseDynamics
from urdf_tools.formats.description_files import load
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import InverseKinematics
from urdf_tools.kinematics import Jacobian
from urdf_tools.kinematics import joint_transform
from urdf_tools.kinematics import KinematicTree

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
    ('l4', np.eye(3), ValueError, r"the pose of 'l4' has the shape \(3, 3\); expected \(4, 4\)"),
    ('l4', np.full((4, 4), np.nan), ValueError, 'finite'),
    ({'l3': 'pose', 'l4': 'pose'}, {'l4': np.eye(4)}, KeyError, 'l3')])
def test_wrong_arguments(links, poses, error, message):
    with pytest.raises(error, match=message):
        InverseKinematics(PLANAR_ARM, links)(poses)


def changed(row, column, value):
    pose = np.eye(4)
    pose[row, column] = value
    return pose


NO_POSES = {
    'is a reflection: its determinant is negative': np.diag((1.0, 1, -1, 1)),
    'scales or shears: its rotation is not orthonormal': np.diag((2.0, 2, 2, 1)),
    'has a last row other than 0 0 0 1': np.vstack((np.eye(4)[:3], (1, 2, 3, 1))),
    'is not finite': changed(0, 3, np.inf),
    'real numbers are expected, not': np.eye(4) + 1j}
SINGLE = KinematicTree(robot('a revolute <axis xyz="0 0 1"/>', 'tip fixed'))


@pytest.mark.parametrize('fault', NO_POSES)
@pytest.mark.parametrize('tree', [SINGLE, PLANAR_ARM])
def test_what_is_no_pose_is_refused(tree, fault):
    link = tree.link_names[-1]
    error = TypeError if fault.startswith('real') else ValueError
    with pytest.raises(error, match=f"the pose of '{link}':? {fault}"):
        InverseKinematics(tree, link)(NO_POSES[fault])
    with pytest.raises(error, match=f"the pose of '{link}'(:| 1) {fault}"):
        InverseKinematics(tree, link).batch([np.eye(4), NO_POSES[fault]])
    for use in (lambda tool: Jacobian(tree, link, tool=tool),
                lambda tool: InverseKinematics(tree, link, tool)):
        with pytest.raises(error, match=f"the tool of '{link}':? {fault}"):
            use(NO_POSES[fault])


def test_a_pose_of_few_digits_is_accepted():
    pose = pose_at(PLANAR_ARM, 'l4', np.array((0.3, -0.4, 0.9))).round(5).astype(np.float32)
    assert InverseKinematics(PLANAR_ARM, 'l4')(pose, tolerance=1e-4).success


@pytest.mark.parametrize('length, said', [(0, '0'), (1e-200, '0'), (1e200, 'inf')])
def test_a_quaternion_without_a_direction_is_refused(length, said):
    tree = KinematicTree(robot('a floating', 'b revolute', has_mass=True))
    zero, pose, joint = length * np.ones(8), np.eye(4), tree.robot.joints['a']
    for use in (
            lambda: InverseKinematics(tree, 'l2')(pose, zero), lambda: tree.difference(
                tree.neutral(), zero), lambda: tree.integrate(zero, np.zeros(7)),
            lambda: ForwardKinematics(tree)([tree.neutral(), zero]),
            lambda: InverseDynamics(tree)(zero), lambda: Jacobian(tree, 'l2')(zero),
            lambda: joint_transform(joint, zero[:7])):
        with pytest.raises(ValueError, match=f"the quaternion of 'a' has the length {said}; with"):
            use()


def test_complex_numbers_are_refused():
    tree, values = SINGLE, np.array([0.3 + 1j])
    for use in (lambda: InverseKinematics(tree, 'l2')(np.eye(4), values),
                lambda: ForwardKinematics(tree)(values), lambda: tree.integrate([0], values),
                lambda: InverseDynamics(tree)([0], values)):
        with pytest.raises(TypeError, match='real number.* not array'):
            use()


def test_only_the_orientation():
    target = pose_at(PLANAR_ARM, 'l4', np.array((0.3, -0.4, 0.9)))
    target[:3, 3] = 100, 200, 300
    result = InverseKinematics(PLANAR_ARM, {'l4': 'orientation'})(target)
    assert result.success
    assert (result.position_error, result.rotation_error < 1e-6) == (0, True)
    assert result.positions.sum() == pytest.approx(0.8, abs=1e-6)


def test_a_tool():
    tool = np.array([[0, 0, 1, 0.1], [1, 0, 0, 0.2], [0, 1, 0, -0.3], [0, 0, 0, 1.0]])
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    start, positions = tree.random_configuration(np.random.default_rng(1), 2)
    target = pose_at(tree, 'l8', positions) @ tool
    inverse = InverseKinematics(tree, {'l8': 'pose', 'l1': 'position'}, {'l8': tool})
    result = inverse({'l8': target, 'l1': pose_at(tree, 'l1', positions)}, start)
    assert result.success, result.reason
    np.testing.assert_allclose(pose_at(tree, 'l8', result.positions) @ tool, target, atol=1e-5)
    jacobian = Jacobian(tree, 'l8', 'local', tool)(positions)
    moved = np.linalg.inv(target) @ pose_at(
        tree, 'l8', tree.integrate(positions, np.eye(12)[6] * 1e-6)) @ tool
    np.testing.assert_allclose(moved[:3, 3] / 1e-6, jacobian[:3, 6], atol=1e-5)


@pytest.mark.parametrize('name', [
    'kuka_iiwa', *(pytest.param(name, marks=pytest.mark.slow) for name in ('panda', 'so101'))])
def test_batches_of_targets(corpus, name):
    path = next((corpus / 'robots' / name).rglob('*.urdf'))
    tree = KinematicTree(load(path))
    link = ARMS[name] or max(
        tree.link_names, key=lambda link: len(tree.robot.path(tree.robot.root, link)))
    targets = ForwardKinematics(tree, [link])(
        tree.random_configuration(np.random.default_rng(5), 1500))[:, 0]
    targets[7, 0, 3] += 50
    inverse = InverseKinematics(tree, link)
    found = inverse.batch(targets)
    assert found.success.mean() >= 0.99
    assert not found.success[7]
    assert 'its reach is at most' in found.reasons[7]
    assert len(found) == len([*found]) == 1500
    reached = ForwardKinematics(tree, [link])(found.positions)[:, 0]
    np.testing.assert_allclose(reached[found.success], targets[found.success], atol=1e-5)
    assert (found.positions >= tree.position_lower).all()
    assert (found.positions <= tree.position_upper).all()
    np.testing.assert_array_equal(inverse.batch(targets).positions, found.positions)
    assert inverse.batch(targets[:1])[0].success


def test_starts_and_links_of_a_batch():
    tree = KinematicTree(robot(*EVERY_JOINT_TYPE))
    inverse = InverseKinematics(tree, {'l1': 'pose', 'l8': 'z'})
    starts = tree.random_configuration(np.random.default_rng(2), 6)
    poses = ForwardKinematics(tree, ('l1', 'l8'))(starts)
    targets = dict(zip(('l1', 'l8'), poses.swapaxes(0, 1)))
    found = inverse.batch(targets, starts)
    assert (found.iterations == 1).all()
    np.testing.assert_array_equal(found.positions, starts)
    with pytest.raises(ValueError, match='start is not one configuration or 6 of finite'):
        inverse.batch(targets, starts[:2])
    with pytest.raises(ValueError, match='different numbers of poses'):
        inverse.batch({**targets, 'l8': poses[:2, 1]})
    with pytest.raises(ValueError, match=r'shape \(4, 4\); expected \(B, 4, 4\)'):
        inverse.batch({**targets, 'l8': poses[0, 1]})
    with pytest.raises(ValueError, match='There is no pose'):
        InverseKinematics(tree, 'l8').batch(np.zeros((0, 4, 4)))
    with pytest.raises(ValueError, match='start is not one configuration of finite numbers'):
        inverse({'l1': poses[0, 0], 'l8': poses[0, 1]}, starts)


def test_a_link_that_nothing_moves():
    tree = KinematicTree(robot('f fixed', 'a revolute'))
    inverse, target = InverseKinematics(tree, 'l1'), pose_at(tree, 'l1', np.zeros(1))
    assert inverse(target, [0.5]).positions == [0.5]
    assert not inverse.batch([target @ changed(0, 3, 0.1)] * 3).success.any()


@pytest.mark.slow
def test_huge_numbers_end_with_a_reason():
    tree = KinematicTree(robot('a prismatic <limit effort="1" velocity="1"/>', 'b floating'))
    start = tree.neutral()
    start[tree.variable_index['b/trans_x']] = 1e300
    with np.errstate(all='ignore'):
        assert not InverseKinematics(tree, 'l2')(np.eye(4), start).success


def test_robots_that_float_or_slide_far():
    floating = KinematicTree(robot('a floating', 'b fixed'))
    gantry = KinematicTree(robot(
        'x prismatic <axis xyz="1 0 0"/><limit lower="-900" upper="900" effort="1" velocity="1"/>',
        *(f'{name} continuous <axis xyz="{axis}"/>' for name, axis in (
            ('r', '1 0 0'), ('p', '0 1 0'), ('s', '1 0 0'), ('t', '0 1 0')))))
    rng = np.random.default_rng(3)
    for tree, constraint in ((floating, 'pose'), (gantry, 'z')):
        targets = ForwardKinematics(tree, tree.link_names[-1:])(
            tree.random_configuration(rng, 20))[:, 0]
        inverse = InverseKinematics(tree, {tree.link_names[-1]: constraint})
        assert inverse.batch(targets).success.all()
        assert inverse(targets[0]).success


def test_a_robot_of_huge_links():
    tree = KinematicTree(robot(*(
        f'{name} continuous <origin xyz="1e6 0 0"/><axis xyz="0 0 1"/>' for name in 'abc')))
    target = pose_at(tree, 'l3', np.array((0.3, -0.4, 0.9)))
    assert InverseKinematics(tree, 'l3')(target, tolerance=1e-2).success
    assert InverseKinematics(tree, 'l3').batch([target] * 200, tolerance=1e-2).success.all()
