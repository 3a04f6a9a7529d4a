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

"""
Compare every transform of a robot while others send whatever they like.

Beside a driver, the state publisher and the companion, attackers send joint states, descriptions,
transforms, parameters and requests that are malformed, huge or not finite. The positions of the
robot's joints depend on the stamp only, in good and in hostile messages, so that each transform
has one right value. The exit code is 1 if one is wrong, if the transforms pause for more than
half a second, if a node takes much more memory a minute after the attacks than a minute after the
first half of them, or if a node has ended.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import ExitStack
import math
from multiprocessing.connection import Connection
import os
import random
import sys
import time

from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import resident
from benchmarks.traffic import create_node
from benchmarks.traffic import description
from benchmarks.traffic import joint_names
from benchmarks.traffic import Peer
import numpy as np
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import SetParameters
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from rclpy.time import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage
from tools.node_processes import NodeProcesses
from tools.node_processes import reserved_domain
from urdf_tools_interfaces.srv import ComputeInertia
from urdf_tools_interfaces.srv import GetJacobian
from urdf_tools_interfaces.srv import GetLinkTransforms
from urdf_tools_interfaces.srv import ValidateModel

JOINTS = 12

RATE = 50.0
"""Joint states a second."""

MAX_GAP = 0.5
"""Longest time in seconds between two transforms of a joint."""

MAX_GROWTH = 1.3
"""
Allowed resident memory after the attacks as a multiple of that after half of them.

A heap keeps what its fullest moment took, and in the first minutes each is fuller than the last.
"""

_CALM = 60.0
"""Seconds from the last attack until memory is compared."""

_PLAIN_CDR = bytes((0, 1, 0, 0))
_TRANSIENT_LOCAL = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
_NAMES = joint_names(JOINTS)
_NUMBERS = (math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 0.0)
_TEXTS = ('', '/', ' ', 'a' * 10_000, 'link_1', 'joint_1', '\u202e\x07', '../..', '__a', '\ud7ff')


def position(number: int, stamp: int) -> float:
    """Return the position of a joint, by its number from 1, at a stamp in nanoseconds."""
    return math.sin(number + stamp % 1_000_000_000_000 / 1e9)


def main(args: Sequence[str] | None = None) -> int:
    """Run, print what happened every minute, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--minutes', type=float, default=10.0, help='default: 10')
    parser.add_argument('--seed', type=int, default=0, help='default: 0')
    parser.add_argument('--only', nargs='+', choices=ATTACKS, default=[*ATTACKS],
                        help='some of the attacks')
    arguments = parser.parse_args(args)
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        faults = attack(arguments.minutes * 60, arguments.seed, arguments.only)
    for fault in faults:
        print(f'FAULT: {fault}')
    return 1 if faults else 0


def attack(seconds: float, seed: int, kinds: Sequence[str]) -> list[str]:
    """Attack the nodes for some seconds, and return what should not have happened."""
    with NodeProcesses() as nodes:
        started = [
            nodes.start('state_publisher', {'robot_description': description(JOINTS)}),
            nodes.start('companion', {'nodes': [
                'model_validator', 'model_server', 'inertia_publisher', 'model_monitor']})]
        with ExitStack() as stack:
            def run(function, *arguments):
                peer = Peer(function, *arguments)
                stack.callback(peer.close)
                return peer

            driver, receiver = run(drive), run(receive)
            if not receiver.at_work(60):
                return ['no transforms arrived']
            memory = []
            sent = {kind: np.zeros(2, int) for kind in kinds}
            for half in (1, 2):
                attackers = {kind: run(send, kind, f'{seed} {half}') for kind in kinds}
                watch(started, seconds / 2)
                for kind, attacker in attackers.items():
                    sent[kind] += attacker.result()
                describer = run(describe)
                memory.append(watch(started, _CALM))
                describer.result()
            states = driver.result()
            count, wrong, gap, others = receiver.result()
        print(f'{states} joint states at {RATE:g} Hz; {count} transforms compared, {wrong} wrong, '
              f'longest gap {gap:.3f} s; {others} other messages on /tf')
        print('hostile: ' + ', '.join(
            f'{done} {kind}' + (f' ({answered} answered)' if answered else '')
            for kind, (done, answered) in sent.items()))
        faults = [f'{node.name} has ended:\n{node.output}' for node in started if not node.running]
        faults += [f'{wrong} transforms are wrong'] * bool(wrong)
        faults += [f'no transforms for {gap:.3f} s'] * (gap > MAX_GAP)
        faults += [f'the memory of {node.name} grew from {then:.0f} to {now:.0f} MB'
                   for node, then, now in zip(started, *memory) if now > MAX_GROWTH * then]
        return faults


def watch(nodes, seconds: float) -> list[float]:
    """Print memory and CPU of the nodes every minute, and return their resident memory in MB."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, 60.0))
        print('; '.join(
            f'{node.name}: {resident(node.pid):.0f} MB, {cpu_time(node.pid):.0f} s CPU'
            for node in nodes if node.running), flush=True)
    return [resident(node.pid) if node.running else 0.0 for node in nodes]


def drive(connection: Connection) -> None:
    """Publish joint states; the result is their number."""
    publisher = create_node('driver').create_publisher(JointState, 'joint_states', 10)
    count = 0
    while not connection.poll(1 / RATE):
        stamp = time.time_ns()
        publisher.publish(_joint_state(_NAMES, stamp, [
            position(number, stamp) for number in range(1, JOINTS + 1)]))
        count += 1
    connection.send(count)


def _joint_state(names, stamp, positions):
    message = JointState(name=names, position=positions)
    message.header.stamp = Time(nanoseconds=stamp).to_msg()
    return message


def describe(connection: Connection) -> None:
    """Publish the description once more; those of attackers came after it."""
    publisher = create_node('describer').create_publisher(
        String, 'robot_description', _TRANSIENT_LOCAL)
    publisher.publish(String(data=description(JOINTS)))
    connection.send(connection.recv())


def receive(connection: Connection) -> None:
    """Compare transforms; the result is their number, the wrong ones, the gap, other messages."""
    node = create_node('receiver')
    frames = {f'link_{number}': number for number in range(1, JOINTS + 1)}
    last: dict[str, float] = {}
    found = [0, 0, 0.0, 0]

    def compare(data):
        now = time.monotonic()
        # The middleware's own code crashes on some bytes of attackers, which begin otherwise.
        message = TFMessage() if data[:4] != _PLAIN_CDR else deserialize_message(data, TFMessage)
        found[3] += not message.transforms
        for transform in message.transforms:
            if transform.child_frame_id not in frames:
                found[3] += 1
                continue
            if not last:
                connection.send(None)
            found[2] = max(found[2], now - last.get(transform.child_frame_id, now))
            last[transform.child_frame_id] = now
            found[0] += 1
            if not _is_right(transform, frames[transform.child_frame_id]):
                found[1] += 1
                print(f'wrong: {transform}', flush=True)

    node.create_subscription(TFMessage, '/tf', compare, QoSProfile(depth=10_000), raw=True)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    while not connection.poll():
        executor.spin_once(timeout_sec=0.1)
    connection.send(found)


def _is_right(stamped, number):
    stamp = stamped.header.stamp.sec * 1_000_000_000 + stamped.header.stamp.nanosec
    roll, pitch, yaw = np.array((0.1, -0.2, 0.3)) / 2
    half = position(number, stamp) / 2
    expected = _product(_product(_product(
        (0, 0, math.sin(yaw), math.cos(yaw)), (0, math.sin(pitch), 0, math.cos(pitch))),
        (math.sin(roll), 0, 0, math.cos(roll))), (0, math.sin(half), 0, math.cos(half)))
    found, at = stamped.transform.rotation, stamped.transform.translation
    return (stamped.header.frame_id == f'link_{number - 1}'
            and (at.x, at.y, at.z) == (0.01, 0.02, 0.1)
            and abs(np.dot(expected, (found.x, found.y, found.z, found.w))) > 1 - 1e-12)


def _product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return np.array((
        aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz))


def send(connection: Connection, kind: str, seed: str) -> None:
    """Attack in one way; the result is how often, and how many requests were answered."""
    node = create_node('attacker_' + kind.replace(' ', '_'))
    step = ATTACKS[kind](node, random.Random(f'{seed} {kind}'))
    done = answered = 0
    while not connection.poll():
        answered += bool(step())
        done += 1
    connection.send((done, answered))


def _joint_states(node: Node, rng: random.Random) -> Callable[[], object]:
    publisher = node.create_publisher(JointState, 'joint_states', 10)

    def step():
        time.sleep(rng.choice((0.0005, 0.01, 0.05)))
        names = [*rng.sample(_NAMES, rng.randrange(JOINTS)), *rng.choices(_TEXTS, k=2)]
        rng.shuffle(names)
        if rng.random() < 0.01:
            names += rng.choices(('', '/', 'joint_1', 'joint_2'), k=30_000)
        is_now = rng.random() < 0.5
        stamp = time.time_ns() if is_now else rng.choice((0, 1, 2**31 * 10**9 - 1, time.time_ns()))
        positions = [
            position(int(name[6:]), stamp) if is_now and name in _NAMES and rng.random() < 0.3
            else rng.choice(_NUMBERS[:3]) for name in names]
        if rng.random() < 0.3:
            del positions[rng.randrange(len(positions) + 1):]
            if len(positions) == len(names):
                positions.append(0.0)
        message = _joint_state(names, stamp, positions)
        message.velocity = rng.choices(_NUMBERS, k=rng.randrange(4))
        data = serialize_message(message)
        if rng.random() < 0.2:  # Cut off, so that no joint gets another joint's position.
            data = data[:rng.randrange(4, len(data))]
        publisher.publish(data)

    return step


def _descriptions(node: Node, rng: random.Random) -> Callable[[], object]:
    publisher = node.create_publisher(String, 'robot_description', _TRANSIENT_LOCAL)

    def step():
        time.sleep(rng.choice((0.05, 0.5, 2)))
        publisher.publish(String(data=_hostile_description(rng)))

    return step


def _hostile_description(rng):
    text = description(rng.choice((1, JOINTS, 300)))
    kind = rng.randrange(6)
    if kind == 0:
        return text[:rng.randrange(len(text))]
    if kind == 1:
        return text.replace('0.01', rng.choice(('nan', '1e999', '', 'x' * 9999)))
    if kind == 2:
        return ('<!DOCTYPE r [<!ENTITY a "' + 'a' * 9999 + '">]><robot name="r">' + '&a;' * 9999
                + '</robot>')
    if kind == 3:
        return '<a>' * 100_000
    if kind == 4:
        return f'<robot name="r">{"<link/>" * rng.choice((1, 100_000))}</robot>'
    return rng.choice(_TEXTS)


def _transforms(node: Node, rng: random.Random) -> Callable[[], object]:
    publishers = [node.create_publisher(TFMessage, '/tf', 10), node.create_publisher(
        TFMessage, '/tf_static', _TRANSIENT_LOCAL), node.create_publisher(
            JointState, '/dynamic_joint_states', 10)]

    def step():
        time.sleep(rng.choice((0.001, 0.05)))
        # The bytes of other types too: nobody may trust what comes.
        rng.choice(publishers).publish(rng.randbytes(rng.choice((4, 40, 400, 40_000))))

    return step


def _parameters(node: Node, rng: random.Random) -> Callable[[], object]:
    call = _caller(node, {
        f'/{name}/{service.__name__[:3].lower()}_parameters': service
        for name in ('state_publisher', 'robot_state_publisher', 'companion', 'model_server')
        for service in (SetParameters, GetParameters)})

    def step():
        time.sleep(rng.choice((0.01, 0.2)))
        name = rng.choice((
            'robot_description', 'publish_frequency', 'frame_prefix', 'nodes', *_TEXTS))
        text = _hostile_description(rng)
        number = ParameterValue(
            type=ParameterType.PARAMETER_DOUBLE, double_value=rng.choice(_NUMBERS[:6]))
        value = number if name != 'robot_description' else ParameterValue(
            type=ParameterType.PARAMETER_STRING, string_value='<' + text)
        return call(lambda service: SetParameters.Request(parameters=[
            Parameter(name=name, value=value)]) if service is SetParameters
            else GetParameters.Request(names=rng.choices(_TEXTS, k=rng.choice((1, 1000)))))

    return step


def _requests(node: Node, rng: random.Random) -> Callable[[], object]:
    call = _caller(node, {
        '/model_server/get_link_transforms': GetLinkTransforms,
        '/model_server/get_jacobian': GetJacobian,
        '/model_server/compute_inertia': ComputeInertia,
        '/model_server/validate_model': ValidateModel,
        '/model_validator/validate_model': ValidateModel})

    def request(service):
        made = service.Request()
        if service is GetLinkTransforms:
            made.links = rng.choices(_TEXTS, k=rng.choice((1, 10_000)))
        if service in (GetLinkTransforms, GetJacobian):
            made.joint_state.name = rng.choices((*_NAMES, *_TEXTS), k=rng.randrange(30))
            made.joint_state.position = rng.choices(_NUMBERS, k=rng.randrange(30))
        if service is ComputeInertia:
            made.primitive.type = rng.randrange(7)
            made.primitive.dimensions = rng.choices(_NUMBERS, k=rng.randrange(4))
            made.mesh_resource = rng.choice(('file:///etc/passwd', 'package://../..', *_TEXTS))
            made.mass, made.density = rng.choices(_NUMBERS, k=2)
        if service is ValidateModel:
            made.description = _hostile_description(rng)
            made.ignore = rng.choices(_TEXTS, k=rng.randrange(9))
        return made

    def step():
        time.sleep(rng.choice((0.01, 0.2)))
        return call(request)

    return step


def _caller(node, services):
    """Return what sends a request to any of the services that are there, and waits for it."""
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    clients = {name: node.create_client(service, name) for name, service in services.items()}

    def call(make_request):
        name = random.choice([*services])
        if not clients[name].service_is_ready():
            return False
        future = clients[name].call_async(make_request(services[name]))
        executor.spin_until_future_complete(future, timeout_sec=60)
        return future.done()

    return call


ATTACKS: dict[str, Callable[[Node, random.Random], Callable[[], object]]] = {
    'joint states': _joint_states, 'descriptions': _descriptions, 'transforms': _transforms,
    'parameters': _parameters, 'requests': _requests}
"""What hostile traffic there is, to what returns the function that sends it once."""


if __name__ == '__main__':
    sys.exit(main())
