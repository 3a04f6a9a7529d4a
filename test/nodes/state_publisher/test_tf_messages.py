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
from support.tf_bytes import without_padding
from tf2_msgs.msg import TFMessage
from urdf_tools import load
from urdf_tools import loads
from urdf_tools.kinematics import JointTransforms
from urdf_tools.kinematics import moving_joints
from urdf_tools.nodes.state_publisher.tf_messages import MovingTransforms
from urdf_tools.nodes.state_publisher.tf_messages import static_joints
from urdf_tools.nodes.state_publisher.tf_messages import static_message
from urdf_tools.ros.conversions import to_transform_stamped
from urdf_tools.ros.fault_log import FaultLog
from urdf_tools.ros.robot_state.joint_states import JointStates

STAMP = Time(sec=12, nanosec=345)


def by_messages(robot, prefix, message):
    """Return the transforms of a joint state as a message, computed from the description."""
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
    moving = [joints[row] for row in moved]
    values = JointTransforms(moving).evaluate(np.array(list(moved.values())))
    return TFMessage(transforms=[
        to_transform_stamped(values, prefix + joint.parent, prefix + joint.child, STAMP)
        for values, joint in zip(values, moving)])


class Fast:
    """The pipeline from joint states to transforms as in the node."""

    def __init__(self, robot, prefix, log=None):
        self.joints = JointStates(robot, make_plan=MovingTransforms(robot, prefix, log).plan)

    def convert(self, message):
        stamp, layout, positions = self.joints.read(bytes(serialize_message(message)))
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
    robot = load(corpus_robot.path)
    fast = Fast(robot, prefix)
    rng = np.random.default_rng(7)
    for message in variations(list(fast.joints.names), rng):
        expected = by_messages(robot, prefix, message)
        assert fast.convert(message) == without_padding(serialize_message(expected))


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
    data = static_message([(joints, 'a/')], 12_000_000_345)
    [transform] = deserialize_message(data, TFMessage).transforms
    assert transform.header.stamp == STAMP
    assert (transform.header.frame_id, transform.child_frame_id) == ('a/base', 'a/f')
    rotation = transform.transform.rotation
    assert [rotation.x, rotation.y, rotation.z, rotation.w] == pytest.approx([0, 0, 1, 0])
    assert transform.transform.translation.z == 3


def test_planar_and_floating_joints_are_static_only_where_asked_for():
    joints = static_joints(loads(MIXED), fix_multi_dof=True)
    assert [joint.name for joint in joints] == ['fixed', 'planar', 'floating']


def test_no_static_joint():
    assert deserialize_message(static_message([], 5), TFMessage).transforms == []
