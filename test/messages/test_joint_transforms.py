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

"""The transforms of all moving joints."""

import numpy as np
import pytest
from support.chains import robot
from support.scalar_kinematics import link_poses

from urdf_tools.kinematics import moving_joints
from urdf_tools.kinematics import resolve_mimic
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.messages.tf_messages import JointTransforms
from urdf_tools.model.robot import Mimic


def matrices(transforms):
    result = np.zeros((len(transforms), 4, 4))
    result[:, :3, :3] = quaternion_to_matrix(transforms[:, 3:])
    result[:, :3, 3] = transforms[:, :3]
    result[:, 3, 3] = 1
    return result


def test_moving_joints_are_those_of_one_degree_of_freedom_in_the_order_of_the_description():
    joints = moving_joints(robot(
        'z continuous', 'f fixed', 'b prismatic', 'p planar', 'a revolute <mimic joint="z"/>',
        'g floating'))
    assert [joint.name for joint in joints] == ['z', 'b', 'a']


def test_corpus(corpus_robot):
    robot = corpus_robot.robot
    joints = moving_joints(robot)
    transforms = JointTransforms(joints)
    mimic = resolve_mimic(robot)
    for reference in (corpus_robot.reference['zero'], corpus_robot.reference['c1']):
        follow = [mimic.get(joint.name, Mimic(joint.name)) for joint in joints]
        positions = np.array([
            reference['q'].get(leader.joint, 0.0) * leader.multiplier + leader.offset
            for leader in follow])
        poses = link_poses(corpus_robot.path, reference['q'])
        for joint, transform in zip(joints, matrices(transforms.evaluate(positions))):
            np.testing.assert_allclose(
                poses[joint.parent] @ transform, poses[joint.child], atol=1e-12)


def test_quaternions_are_of_unit_length():
    joints = JointTransforms(moving_joints(robot(
        'a revolute <axis xyz="1 2 3"/>', 'b prismatic <axis xyz="3 2 1"/>', 'c continuous')))
    for angle in (0.0, np.pi, -np.pi / 2, 100.0):
        transforms = joints.evaluate(np.full(3, angle))
        assert np.linalg.norm(transforms[:, 3:], axis=1) == pytest.approx(1.0, abs=1e-14)


def test_joint_without_axis_does_not_move():
    chain = robot('a revolute <axis xyz="0 0 0"/>', 'b prismatic <axis xyz="0 0 0"/>')
    transforms = JointTransforms(moving_joints(chain)).evaluate(np.array([1.0, 2.0]))
    for transform, joint in zip(transforms, chain.joints.values()):
        assert transform[:3] == pytest.approx(joint.origin.xyz)
        assert transform[3:] == pytest.approx(joint.origin.quaternion)


def test_robot_without_moving_joints():
    joints = JointTransforms(moving_joints(robot('a fixed')))
    assert joints.evaluate(np.empty(0)).shape == (0, 7)
