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

"""The transforms of all moving joints at once."""

from chains import robot
import numpy as np
import pytest
from scalar_kinematics import link_poses

from urdf_tools.kinematics import JointTransforms
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.loader import load


def matrices(transforms):
    result = np.zeros((len(transforms), 4, 4))
    result[:, :3, :3] = quaternion_to_matrix(transforms[:, 3:])
    result[:, :3, 3] = transforms[:, :3]
    result[:, 3, 3] = 1
    return result


def test_names_are_the_moving_joints_in_the_order_of_the_description():
    joints = JointTransforms(robot(
        'z continuous', 'f fixed', 'b prismatic', 'p planar', 'a revolute <mimic joint="z"/>',
        'g floating'))
    assert joints.names == ('z', 'b', 'a')
    assert joints.parents == ('l0', 'l2', 'l4')
    assert joints.children == ('l1', 'l3', 'l5')
    assert len(joints) == 3


def test_corpus(corpus_robot):
    joints = JointTransforms(load(corpus_robot.path))
    for reference in (corpus_robot.reference['zero'], corpus_robot.reference['c1']):
        values = {name: position for name, position in reference['q'].items()
                  if name in joints.index and name not in joints.mimic}
        positions = np.array([values.get(name, 0.0) for name in joints.names])
        joints.follow(positions)
        transforms = joints.evaluate(positions, np.full((len(joints), 7), np.nan))
        poses = link_poses(corpus_robot.path, values)
        for parent, child, transform in zip(
                joints.parents, joints.children, matrices(transforms)):
            np.testing.assert_allclose(poses[parent] @ transform, poses[child], atol=1e-12)


def test_quaternions_are_of_unit_length():
    joints = JointTransforms(robot(
        'a revolute <axis xyz="1 2 3"/>', 'b prismatic <axis xyz="3 2 1"/>', 'c continuous'))
    for angle in (0.0, np.pi, -np.pi / 2, 100.0):
        transforms = joints.evaluate(np.full(3, angle), np.empty((3, 7)))
        assert np.linalg.norm(transforms[:, 3:], axis=1) == pytest.approx(1.0, abs=1e-14)


def test_joint_without_axis_stays_where_it_is():
    chain = robot('a revolute <axis xyz="0 0 0"/>', 'b prismatic <axis xyz="0 0 0"/>')
    joints = JointTransforms(chain)
    transforms = joints.evaluate(np.array([1.0, 2.0]), np.empty((2, 7)))
    for transform, joint in zip(transforms, chain.joints.values()):
        assert transform[:3] == pytest.approx(joint.origin.xyz)
        assert transform[3:] == pytest.approx(joint.origin.quaternion)


def test_robot_without_moving_joints():
    joints = JointTransforms(robot('a fixed'))
    positions = np.empty(0)
    joints.follow(positions)
    assert joints.evaluate(positions, np.empty((0, 7))).shape == (0, 7)


def test_follow_leaves_leaders_alone():
    joints = JointTransforms(robot(
        'a revolute <mimic joint="b" multiplier="2" offset="0.5"/>', 'b revolute', 'c revolute'))
    positions = np.array([9.0, 0.25, -3.0])
    joints.follow(positions)
    assert positions.tolist() == [1.0, 0.25, -3.0]
