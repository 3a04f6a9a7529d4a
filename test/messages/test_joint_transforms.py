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

"""The transforms of all moving joints, against their definition."""

import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.chains import robot
from support.scalar_kinematics import link_poses
from tf2_msgs.msg import TFMessage

from urdf_tools.kinematics import moving_joints
from urdf_tools.kinematics import resolve_mimic
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.model.robot import Mimic
from urdf_tools.ros.conversions import from_transform


def transforms(robot, positions):
    """Return ``x y z qx qy qz qw`` of the moving joints by child link."""
    names = [joint.name for joint in moving_joints(robot)]
    reader = JointStateReader(robot, make_plan=MovingTransforms(robot).plan)
    _, layout, read = reader.read(bytes(serialize_message(
        JointState(name=names, position=[float(position) for position in positions]))))
    message = deserialize_message(layout.plan.message(read, 5), TFMessage)
    return {each.child_frame_id: from_transform(each.transform) for each in message.transforms}


def test_moving_joints_are_those_of_one_degree_of_freedom_in_the_order_of_the_description():
    joints = moving_joints(robot(
        'z continuous', 'f fixed', 'b prismatic', 'p planar', 'a revolute <mimic joint="z"/>',
        'g floating'))
    assert [joint.name for joint in joints] == ['z', 'b', 'a']


def test_corpus(corpus_robot):
    robot = corpus_robot.robot
    joints = moving_joints(robot)
    mimic = resolve_mimic(robot)
    for reference in (corpus_robot.reference['zero'], corpus_robot.reference['c1']):
        follow = [mimic.get(joint.name, Mimic(joint.name)) for joint in joints]
        found = transforms(robot, [
            reference['q'].get(leader.joint, 0.0) * leader.multiplier + leader.offset
            for leader in follow])
        poses = link_poses(corpus_robot.path, reference['q'])
        assert len(found) == len(joints)
        for joint in joints:
            row = found[joint.child]
            pose = np.eye(4)
            pose[:3, :3], pose[:3, 3] = quaternion_to_matrix(row[None, 3:])[0], row[:3]
            np.testing.assert_allclose(poses[joint.parent] @ pose, poses[joint.child], atol=1e-12)


def test_quaternions_are_of_unit_length():
    chain = robot(
        'a revolute <axis xyz="1 2 3"/>', 'b prismatic <axis xyz="3 2 1"/>', 'c continuous')
    for angle in (0.0, np.pi, -np.pi / 2, 100.0):
        for row in transforms(chain, [angle] * 3).values():
            assert np.linalg.norm(row[3:]) == pytest.approx(1.0, abs=1e-14)


def test_joint_without_axis_does_not_move():
    chain = robot('a revolute <axis xyz="0 0 0"/>', 'b prismatic <axis xyz="0 0 0"/>')
    found = transforms(chain, [1.0, 2.0])
    for joint in chain.joints.values():
        assert found[joint.child][:3] == pytest.approx(joint.origin.xyz)
        assert found[joint.child][3:] == pytest.approx(joint.origin.quaternion)


def test_robot_without_moving_joints():
    assert transforms(robot('a fixed'), []) == {}
