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

"""Transforms written into prepared layouts, against messages built one joint at a time."""

from builtin_interfaces.msg import Time
import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.joint_motions import joint_motions
from support.tf_bytes import without_padding
from tf2_msgs.msg import TFMessage
from urdf_tools import loads
from urdf_tools.kinematics import moving_joints
from urdf_tools.kinematics.multi_dof import joint_values
from urdf_tools.messages.fault_log import FaultLog
from urdf_tools.messages.joint_state_reader import JointStateReader
from urdf_tools.messages.multi_dof_states import MultiDofTransforms
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.messages.tf_messages import static_joints
from urdf_tools.messages.tf_messages import static_message
from urdf_tools.ros.conversions import to_transform_stamped

STAMP = Time(sec=12, nanosec=345)


def by_messages(robot, prefix, message):
    """
    Return the transforms of a joint state as a message, computed from the description.

    Like robot_state_publisher's, they are in the order of the names of the joints.
    """
    joints = moving_joints(robot)
    names = [joint.name for joint in joints]
    given = {}
    for name, position in zip(message.name, message.position):
        given.setdefault(name, position)
    given = {name: position for name, position in given.items()
             if name in names and np.isfinite(position)}
    moved = {}
    for row, name in enumerate(names):
        leader, factors = name, []
        while leader not in given and robot.joints[leader].mimic is not None:
            factors.append(robot.joints[leader].mimic)
            leader = robot.joints[leader].mimic.joint
        if leader in given:
            position = given[leader]
            for mimic in reversed(factors):
                position = position * mimic.multiplier + mimic.offset
            moved[row] = position
    order = sorted(moved, key=lambda row: names[row])
    moving = [joints[row] for row in order]
    values = joint_motions(moving, [moved[row] for row in order])
    return TFMessage(transforms=[
        to_transform_stamped(values, prefix + joint.parent, prefix + joint.child, STAMP)
        for values, joint in zip(values, moving)])


def quaternion(transform):
    rotation = transform.transform.rotation
    return np.array([rotation.x, rotation.y, rotation.z, rotation.w])


class Fast:
    """The pipeline from joint states to transforms as in the node."""

    def __init__(self, robot, prefix, log=None):
        self.reader = JointStateReader(
            robot, make_plan=MovingTransforms(robot, prefix, log).plan)

    def convert(self, message):
        stamp, layout, positions = self.reader.read(bytes(serialize_message(message)))
        return layout.plan.message(positions, stamp)


def joint_state(names, positions, **rest):
    message = JointState(name=list(names), position=[float(p) for p in positions], **rest)
    message.header.stamp = STAMP
    return message


def variations(names, rng):
    """Yield joint states whose names change order, appear, vanish, and lack positions."""
    def some(chosen, **rest):
        return joint_state(chosen, rng.uniform(-3, 3, len(chosen)), **rest)

    count = len(names)
    shuffled = [names[i] for i in rng.permutation(count)]
    yield some(names)
    yield some(names)
    yield some(shuffled)
    yield some(names[::2])
    yield some(names[1::2])
    yield some(names[:1])
    yield some([*names, 'not_a_joint'])
    yield some(['not_a_joint', *shuffled, *names[:2]])
    yield some(names, velocity=[1.0] * count, effort=[2.0] * count)
    yield joint_state(names, rng.uniform(-3, 3, count // 2))
    yield joint_state(names, rng.uniform(-3, 3, count + 2))
    yield joint_state(names, np.where(np.arange(count) % 3, 0.5, np.nan))
    yield joint_state(names, np.where(np.arange(count) % 3, 0.5, -np.inf))
    framed = some(names)
    framed.header.frame_id = 'any frame'
    yield framed
    yield some(names)


@pytest.mark.parametrize('prefix', ['', 'robot_1/'])
def test_prepared_layouts_give_the_bytes_of_messages(corpus_robot, prefix):
    robot = corpus_robot.robot
    fast = Fast(robot, prefix)
    rng = np.random.default_rng(7)
    for message in variations(list(fast.reader.names), rng):
        expected = by_messages(robot, prefix, message)
        data = fast.convert(message)
        found = deserialize_message(data, TFMessage)
        # Not by the bytes, because zeros may have either sign.
        assert found == expected
        assert data == without_padding(serialize_message(found))


CHAIN = """
<robot name="chain">
  <link name="base"/><link name="l1"/><link name="l2"/><link name="l3"/>
  <joint name="follower2" type="prismatic">
    <parent link="base"/><child link="l3"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="follower1" multiplier="3" offset="1"/>
  </joint>
  <joint name="follower1" type="prismatic">
    <parent link="base"/><child link="l2"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
    <mimic joint="leader" multiplier="2"/>
  </joint>
  <joint name="leader" type="prismatic">
    <parent link="base"/><child link="l1"/><limit lower="-9" upper="9" effort="1" velocity="1"/>
  </joint>
</robot>
"""


@pytest.mark.parametrize(('given', 'expected'), [
    ({'leader': 1.0}, {'l1': 1.0, 'l2': 2.0, 'l3': 7.0}),
    ({'leader': 1.0, 'follower1': 5.0}, {'l1': 1.0, 'l2': 5.0, 'l3': 16.0}),
    ({'leader': 1.0, 'follower2': -1.0}, {'l1': 1.0, 'l2': 2.0, 'l3': -1.0}),
    ({'follower2': 4.0}, {'l3': 4.0}),
])
def test_mimic_joints_follow_unless_they_are_given(given, expected):
    robot = loads(CHAIN)
    message = joint_state(given.keys(), given.values())
    want = by_messages(robot, '', message)
    assert {t.child_frame_id: t.transform.translation.x for t in want.transforms} == expected
    assert Fast(robot, '').convert(message) == without_padding(serialize_message(want))


def test_mimic_joints_that_overflow_are_left_out():
    robot = loads(CHAIN)
    message = joint_state(['leader'], [1e308])
    log = FaultLog()
    fast = Fast(robot, '', log).convert(message)
    assert log.counts == {'mimic overflow': 2}
    only = TFMessage(transforms=[to_transform_stamped(
        (1e308, 0, 0, 0, 0, 0, 1), 'base', 'l1', STAMP)])
    assert fast == without_padding(serialize_message(only))


def test_mimic_of_a_fixed_joint_is_ignored():
    robot = loads(MIXED.replace(
        '<child link="r"/>', '<child link="r"/><axis xyz="0 0 1"/><mimic joint="fixed"/>'))
    assert ["The mimic of joint 'turning' is ignored, because 'fixed' is a fixed joint"] == [
        problem.message for problem in robot.problems]
    message = joint_state(['fixed', 'turning'], [1.0, np.pi])
    [transform] = deserialize_message(Fast(robot, '').convert(message), TFMessage).transforms
    assert transform.child_frame_id == 'r'
    assert quaternion(transform) == pytest.approx([0, 0, 1, 0])


def test_joint_without_an_axis_does_not_move():
    robot = loads(MIXED.replace(
        '<child link="r"/>', '<child link="r"/><origin xyz="1 2 3"/><axis xyz="0 0 0"/>'))
    assert ['The axis is zero, so the joint cannot move its child link'] == [
        problem.message for problem in robot.problems]
    message = joint_state(['turning'], [1.0])
    [transform] = deserialize_message(Fast(robot, '').convert(message), TFMessage).transforms
    assert quaternion(transform) == pytest.approx([0, 0, 0, 1])
    assert transform.transform.translation.y == 2


def test_axis_without_xyz_is_the_x_axis():
    robot = loads(MIXED.replace('<child link="r"/>', '<child link="r"/><axis/>'))
    message = joint_state(['turning'], [np.pi])
    [transform] = deserialize_message(Fast(robot, '').convert(message), TFMessage).transforms
    assert quaternion(transform) == pytest.approx([1, 0, 0, 0])


def wheels(count):
    """Return a robot with continuous joints whose order by name is not that of the description."""
    return loads('<robot name="wheels"><link name="base"/>' + ''.join(
        f'<link name="wheel_{number}"/><joint name="turn_{number}" type="continuous">'
        f'<parent link="base"/><child link="wheel_{number}"/><origin rpy="1 2 3"/>'
        '<axis xyz="0 0.6 0.8"/></joint>' for number in range(count)) + '</robot>')


@pytest.mark.parametrize('count', [3, pytest.param(140, marks=pytest.mark.slow)])
def test_quaternions_are_continuous_functions_of_positions(count):
    fast = Fast(wheels(count), '')
    names = fast.reader.names
    rotations = []
    for angle in np.linspace(-30, 30, 600):
        data = fast.convert(joint_state(names, [angle] * count))
        rotations.append(
            [quaternion(moved) for moved in deserialize_message(data, TFMessage).transforms])
    assert np.abs(np.diff(rotations, axis=0)).max() < 0.06


def test_transforms_are_in_the_order_of_names():
    for count in (12, 140):
        robot = wheels(count)
        fast = Fast(robot, '')
        message = joint_state(fast.reader.names, np.arange(count) * 0.01)
        data = fast.convert(message)
        assert deserialize_message(data, TFMessage) == by_messages(robot, '', message)
        frames = [t.child_frame_id for t in deserialize_message(data, TFMessage).transforms]
        assert frames == sorted(frames) != [f'wheel_{number}' for number in range(count)]


def test_planar_and_floating_joints_are_in_the_order_of_names():
    joints = [joint for joint in loads(MIXED).joints.values() if joint.type.dof > 1]
    pose = [1, 2, 0, 0, 0, np.sin(0.5), np.cos(0.5)]
    values = dict(enumerate(joint_values(joint, pose) for joint in joints))
    data = MultiDofTransforms(joints, '').message(values, 5)
    transforms = deserialize_message(data, TFMessage).transforms
    assert [each.child_frame_id for each in transforms] == ['o', 'p']
    # A planar joint does not turn about another axis than its own.
    assert quaternion(transforms[0]) == pytest.approx(pose[3:])
    assert quaternion(transforms[1]) == pytest.approx([0, 0, 0, 1])


MIXED = """
<robot name="mixed">
  <link name="base"/><link name="f"/><link name="p"/><link name="o"/><link name="r"/>
  <joint name="fixed" type="fixed">
    <parent link="base"/><child link="f"/><origin xyz="1 2 3" rpy="0 0 3.14159265358979"/>
  </joint>
  <joint name="planar" type="planar"><parent link="base"/><child link="p"/></joint>
  <joint name="floating" type="floating"><parent link="base"/><child link="o"/></joint>
  <joint name="turning" type="continuous"><parent link="f"/><child link="r"/></joint>
</robot>
"""


def test_only_fixed_joints_are_static():
    joints = static_joints(loads(MIXED))
    assert [joint.name for joint in joints] == ['fixed']
    data = static_message(joints, 'a/', 12_000_000_345)
    [transform] = deserialize_message(data, TFMessage).transforms
    assert transform.header.stamp == STAMP
    assert (transform.header.frame_id, transform.child_frame_id) == ('a/base', 'a/f')
    rotation = transform.transform.rotation
    assert [rotation.x, rotation.y, rotation.z, rotation.w] == pytest.approx([0, 0, 1, 0])
    assert transform.transform.translation.z == 3


def test_planar_and_floating_joints_are_static_only_where_asked_for():
    joints = static_joints(loads(MIXED), fix_multi_dof=True)
    assert [joint.name for joint in joints] == ['fixed', 'floating', 'planar']


def test_no_static_joint():
    assert deserialize_message(static_message([], '', 5), TFMessage).transforms == []
