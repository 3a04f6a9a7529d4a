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

"""The launch files with real nodes, run by ``ros2 launch``."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from contextlib import ExitStack
import itertools
import math
from pathlib import Path
import re

from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest
from node_processes import Process
import pytest
from rclpy.qos import QoSProfile
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.topics import LATCHED

ROOT = Path(__file__).resolve().parents[2]
LAUNCH_FILES = ROOT / 'launch'

XACRO = """\
<?xml version="1.0"?>
<robot name="launched" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="tip" default="tip"/>
  <link name="base"/><link name="mount"/><link name="$(arg tip)"/>
  <joint name="mount_joint" type="fixed"><parent link="base"/><child link="mount"/></joint>
  <joint name="turn" type="continuous">
    <parent link="mount"/><child link="$(arg tip)"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""


DESCRIBED = """\
<robot name="described">
  <link name="base"/><link name="tip"/>
  <joint name="turn" type="continuous">
    <parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""


@pytest.fixture
def launch(launch_system, domain) -> Iterator[Callable[..., Process]]:
    """Return what runs a launch file, given its name and arguments, until the test ends."""
    with ExitStack() as running:
        def start(file, **arguments):
            process = Process(file, [
                'ros2', 'launch', str(LAUNCH_FILES / file),
                *(f'{name}:={value}' for name, value in arguments.items())])
            running.callback(process.close)
            return process

        yield start


@pytest.fixture
def model(tmp_path) -> str:
    """Return the path of a xacro file, in a folder that needs quoting."""
    folder = tmp_path / "a robot's folder"
    folder.mkdir()
    file = folder / 'robot.urdf.xacro'
    file.write_text(XACRO)
    return str(file)


def frames(messages) -> set[tuple[str, str]]:
    """Return the pairs of parent and child frame in some messages."""
    return {(transform.header.frame_id, transform.child_frame_id)
            for message in messages for transform in message.transforms}


def positions(messages) -> set[float]:
    """Return all rotations about z in some messages, as the quaternion's z."""
    return {transform.transform.rotation.z
            for message in messages for transform in message.transforms}


def is_ok(status: DiagnosticStatus) -> bool:
    """Return whether a status is OK."""
    return status.level == DiagnosticStatus.OK


@pytest.mark.parametrize(('companion', 'processes'), [('true', 2), ('false', 4)])
def test_bringup_runs_a_namespaced_robot_until_interrupted(
        launch, client, model, companion, processes):
    moving = client.subscribe(TFMessage, '/tf', QoSProfile(depth=100))
    fixed = client.subscribe(TFMessage, '/tf_static', LATCHED)

    process = launch(
        'bringup.launch.py', model=model, xacro_args='tip:=hand', namespace='left',
        frame_prefix='left/', joint_source='true', sweep_period='2.0', companion=companion)

    client.wait_for(lambda: len(positions(moving)) > 1, 'a frame that moves')
    client.wait_for(lambda: fixed, 'fixed frames')
    assert frames(moving) == {('left/mount', 'left/hand')}
    assert frames(fixed) == {('left/base', 'left/mount')}
    client.wait_for(lambda: client.call(
        SelfTest, '/left/model_validator/validate').id == 'launched', 'a validated robot')
    client.wait_for(
        lambda: {'state_publisher', 'model_validator', 'model_server', 'joint_state_source'} <= {
            name for name, namespace in client.node.get_node_names_and_namespaces()
            if namespace == '/left'}, 'all nodes in the namespace')
    assert process.stop() == 0
    assert process.output.count('process has finished cleanly') == processes, process.output


def test_bringup_beside_a_robot_state_publisher_only_listens(launch, client, model):
    moving = client.subscribe(TFMessage, '/tf', QoSProfile(depth=100))
    joint_states = client.node.create_publisher(JointState, 'joint_states', 10)

    def send():
        message = JointState(name=['turn'], position=[0.5])
        message.header.stamp = client.node.get_clock().now().to_msg()
        joint_states.publish(message)

    client.describe(DESCRIBED)
    timer = client.node.create_timer(0.05, send)
    launch('bringup.launch.py', model=model, publish_tf='false')

    # The node of an earlier test may have left messages of another robot.
    client.status('state_publisher: Model', lambda status: is_ok(status) and 'described' in [
        value.value for value in status.values])
    client.status('state_publisher: Joint states', is_ok)
    client.node.destroy_timer(timer)
    assert moving == []
    assert client.node.count_publishers('robot_description') == 1


def test_two_arms_as_on_the_page_of_robots(launch, client, model, tmp_path):
    page = (ROOT / 'docs' / 'robots.md').read_text(encoding='utf-8')
    (example,) = re.findall('```python\n(.*?)```', page, re.DOTALL)
    file = tmp_path / 'arms.launch.py'
    file.write_text(example)
    moving = client.subscribe(TFMessage, '/tf', QoSProfile(depth=100))
    publishers = [client.node.create_publisher(JointState, f'{arm}/joint_states', 10)
                  for arm in ('left', 'right')]

    def send():
        for position, publisher in enumerate(publishers, 1):
            message = JointState(name=['turn'], position=[float(position)])
            message.header.stamp = client.node.get_clock().now().to_msg()
            publisher.publish(message)

    timer = client.node.create_timer(0.05, send)
    process = launch(str(file), model=model)

    expected = {('left/mount', 'left/tip'), ('right/mount', 'right/tip')}
    client.wait_for(lambda: expected <= frames(moving), 'the frames of both arms')
    client.node.destroy_timer(timer)
    for message in moving:
        if frames([message]) == {('left/mount', 'left/tip')}:
            assert list(positions([message])) == pytest.approx([math.sin(0.5)])
    client.wait_for(
        lambda: {('model_server', '/left'), ('model_server', '/right')} <= set(
            client.node.get_node_names_and_namespaces()), 'both companions')
    assert process.stop() == 0


def test_simulation_gives_the_time(launch, client, model):
    moving = client.subscribe(TFMessage, '/tf', QoSProfile(depth=100))
    clock = client.node.create_publisher(Clock, '/clock', 10)
    ticks = itertools.count(1)
    timer = client.node.create_timer(
        0.05, lambda: clock.publish(Clock(clock=to_time(next(ticks) * 50_000_000))))

    process = launch('bringup.launch.py', model=model, xacro_args='tip:=simulated',
                     use_sim_time='true', joint_source='true', sweep_period='2.0')

    def stamps():
        return {transform.header.stamp.sec for message in moving
                for transform in message.transforms if transform.child_frame_id == 'simulated'}

    client.wait_for(lambda: len(stamps()) > 1, 'transforms that follow the simulated time')
    client.node.destroy_timer(timer)
    assert max(stamps()) <= next(ticks) // 20
    assert process.stop() == 0


def test_display_without_rviz_moves_the_robot(launch, client, model):
    moving = client.subscribe(TFMessage, '/tf', QoSProfile(depth=100))

    launch('display.launch.py', model=model, rviz='false')

    client.wait_for(lambda: len(positions(moving)) > 1, 'a frame that moves')


@pytest.mark.parametrize('argument', ['model', 'params_file'])
def test_a_missing_file_is_named(launch, argument):
    process = launch('bringup.launch.py', **{argument: 'missing.file'})

    assert process.wait() == 1
    assert f'Launch argument {argument}:=missing.file: No such file or directory' in process.output
    assert 'process started' not in process.output


def test_xacro_that_fails_stops_the_launch_with_its_reason(launch, model):
    Path(model).write_text(XACRO.replace('name="$(arg tip)"', 'name="$(arg typo)"'))

    process = launch('state_publisher.launch.py', model=model)

    assert process.wait() == 1
    assert 'Undefined substitution argument typo' in process.output
    assert f'{model}:4:48: xacro cannot expand the file' in process.output


def test_a_robot_that_is_refused_is_named_at_its_source(launch, model):
    Path(model).write_text(XACRO.replace('<child link="$(arg tip)"/>', '<child link="gone"/>'))

    process = launch('state_publisher.launch.py', model=model)

    process.wait_for_line(rf"{re.escape(model)}:7:27: .*'gone'")
