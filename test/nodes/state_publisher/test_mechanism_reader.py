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

"""Transforms of a robot with loops, from the joints that are measured."""

from collections import Counter
from dataclasses import replace

from builtin_interfaces.msg import Time
import numpy as np
import pytest
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.mechanisms import four_bar_parts
from support.mechanisms import joint
from support.mechanisms import robot as robot_of
from support.mechanisms import slider_crank
from tf2_msgs.msg import TFMessage
from urdf_tools.kinematics import Mechanism
from urdf_tools.messages.tf_messages import MovingTransforms
from urdf_tools.nodes.state_publisher.mechanism_reader import MechanismReader
from urdf_tools.nodes.state_publisher.tf_pipeline import TransformsTask

LENGTHS = (0.3, 0.3, 0.35, 0.5)
INITIAL = {'a': 1.0, 'b': -0.6, 'c': 1.7}


@pytest.fixture
def robot():
    return replace(robot_of(
        *four_bar_parts(*LENGTHS), joint('tool', 'coupler', 'gripper'),
        joint('wheel', 'base', 'tyre')), initial=INITIAL)


@pytest.fixture
def reader(robot):
    return MechanismReader(robot, make_plan=MovingTransforms(robot).plan)


def read(reader, **positions):
    message = JointState(name=list(positions), position=list(positions.values()))
    message.header.stamp = Time(sec=3, nanosec=5)
    stamp, layout, values = reader.read(bytes(serialize_message(message)))
    transforms = deserialize_message(layout.plan.message(values, stamp), TFMessage).transforms
    return {each.child_frame_id: 2 * np.arctan2(
        each.transform.rotation.z, each.transform.rotation.w) for each in transforms}


def close(angle):
    return np.array([angle]) % (2 * np.pi)


def test_what_is_not_measured_is_solved(robot, reader):
    mechanism = Mechanism(robot)
    for angle in np.linspace(0.5, 1.2, 50):
        angles = read(reader, a=angle, wheel=4.0)
        positions = mechanism.tree.configuration({'a': angle, 'wheel': 4.0})
        for name, link in zip('abc', ('crank', 'coupler', 'rocker')):
            positions[mechanism.tree.variable_index[name]] = angles[link]
        assert max(errors.max() for errors in mechanism.errors(positions)) < 1e-9
        assert set(angles) == {'crank', 'coupler', 'rocker', 'tyre'}
        assert close(angles['tyre']) == pytest.approx(close(4.0))
    assert reader.fault() == ''
    assert reader.report()['Mobility'] == 1


def test_joints_in_no_loop_are_left_alone(reader):
    assert read(reader, wheel=1.0, tool=0.5) == pytest.approx({'tyre': 1.0, 'gripper': 0.5})
    assert reader.fault() == "No position yet of a joint that moves loop 'pin'"


def test_a_passive_joint_can_be_the_measured_one(reader):
    assert {'crank', 'coupler', 'rocker'} == set(read(reader, c=2.2))


def test_what_cannot_be_closed_keeps_the_last_closed_frames(reader):
    good = read(reader, a=1.0)
    bad = read(reader, a=np.pi - 0.01, wheel=0.25)
    assert bad.pop('tyre') == pytest.approx(0.25)
    assert bad == pytest.approx(good)
    assert reader.fault().startswith("Loop 'pin' does not close by 1")
    assert 'the last closed frames stay' in reader.fault()
    read(reader, a=1.01)
    assert reader.fault() == ''


def test_measured_passive_joints_are_not_changed(reader):
    good = read(reader, a=1.0)
    noisy = {'a': 1.0, 'b': good['coupler'] + 1e-3, 'c': good['rocker']}
    angles = read(reader, **noisy)
    assert angles == pytest.approx(
        {'crank': 1.0, 'coupler': noisy['b'], 'rocker': noisy['c']})
    assert reader.fault() == ''
    assert reader.report()['Closing error of pin'].startswith('0.3 mm')
    read(reader, **{**noisy, 'c': noisy['c'] + 0.2})
    assert reader.fault().startswith("The measured joints leave loop 'pin' open by 69.9 mm")


def test_a_dead_centre_is_reported():
    robot = slider_crank(0.05, 0.15)
    reader = MechanismReader(robot, make_plan=MovingTransforms(robot).plan)
    assert read(reader, slide=0.05)['crank'] == 0
    assert reader.fault() == (
        'Loops can be assembled in several ways: measure some of crank_joint, rod_joint, or give '
        'them in "initial" of loops_file')


def test_how_loops_are_assembled_is_not_guessed(robot):
    robot = replace(robot, initial={})
    reader = MechanismReader(robot, make_plan=MovingTransforms(robot).plan)
    assert read(reader, a=1.0, wheel=0.5) == pytest.approx({'crank': 1.0, 'tyre': 0.5})
    assert reader.fault() == (
        'Loops can be assembled in several ways: measure some of b, c, or give them in "initial" '
        'of loops_file')
    # The other branch, which one measurement of a passive joint tells.
    positions = [1.0, 0, 0, 0, 0]
    first = Mechanism(robot, INITIAL).close(positions).positions
    other = Mechanism(robot, {'a': 1.0, 'b': 2.0, 'c': -2.9}).close(positions).positions
    assert abs(first - other)[2] > 0.5
    angles = read(reader, a=1.0, c=other[2])
    assert close(angles['coupler']) == pytest.approx(close(other[1]), abs=1e-6)
    assert reader.fault() == ''


def test_loops_that_are_left_undetermined_are_not_published():
    # A five-bar, which one position does not determine.
    five = robot_of(
        joint('a', 'base', 'l1'), joint('b', 'l1', 'l2', '0.3 0 0'),
        joint('c', 'l2', 'l3', '0.3 0 0'), joint('d', 'base', 'l4', '0.4 0 0'))
    pin = robot_of(*four_bar_parts(*LENGTHS)).loops[0]
    five = replace(five, initial={'a': 1.5, 'd': 1.5, 'b': -0.8, 'c': 1.6}, loops=(replace(
        pin, parent='l3', child='l4', parent_origin=replace(
            pin.parent_origin, xyz=(0.3, 0.0, 0.0))),))
    reader = MechanismReader(five, make_plan=MovingTransforms(five).plan)
    assert set(read(reader, a=1.0)) == {'l1'}
    assert 'undetermined; no position yet of b, c, d' in reader.fault()
    assert set(read(reader, d=2.0)) == {'l4', 'l2', 'l3'}
    assert reader.fault() == ''


def test_diagnostics_tell_of_the_loops(reader):
    task = TransformsTask(Counter(), lambda: 0)
    task.moving = True
    assert 'Loops' not in task.run().values
    task.loops = reader
    read(reader, a=1.0)
    assert 'Closing error of pin' in task.run().values
    read(reader, a=3.1)
    assert "Loop 'pin' does not close" in task.run().message


def test_what_cannot_be_closed_is_said():
    robot = robot_of(*four_bar_parts(0.1, 0.35, 0.3, 2.0), joint('wheel', 'base', 'tyre'))
    reader = MechanismReader(robot, make_plan=MovingTransforms(robot).plan)
    assert read(reader, a=1.0, wheel=0.5) == pytest.approx({'crank': 1.0, 'tyre': 0.5})
    assert reader.fault() == 'No positions were found that close loops pin'
