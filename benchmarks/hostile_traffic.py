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

Beside a driver and the nodes, alone and in the companion, attackers send joint states,
descriptions, and every field of every message, request and parameter that the nodes take:
malformed, huge, not finite, or with invalid bytes. The positions of the robot's joints depend on
the stamp only, in good and in hostile messages, so that each transform has one right value.

With ``--count``, each field is tried once, and then so many hostile descriptions in turn with good
ones, by topic, parameter and service; each node has to have the robot that it should have after
each. Otherwise attackers go on for some minutes, all at once.

The exit code is 1 if a transform is wrong, if a node has ended or answers wrongly, and in the
second case also if the transforms pause for more than half a second or if a node takes much more
memory a minute after the attacks than a minute after the first half of them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from contextlib import ExitStack
import hashlib
from itertools import count
import math
from multiprocessing.connection import Connection
import os
from pathlib import Path
import random
import sys
import time
from typing import Any

from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import resident
from benchmarks.traffic import create_node
from benchmarks.traffic import description
from benchmarks.traffic import joint_names
from benchmarks.traffic import Peer
from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import ParameterValue
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message
from rclpy.serialization import serialize_message
from rclpy.time import Time
from sensor_msgs.msg import JointState
from std_msgs.msg import String

sys.path.append(str(Path(__file__).resolve().parents[1] / 'test'))

from support.format_inputs import changed_description  # noqa: E402
from support.fuzz_inputs import KINDS  # noqa: E402
from support.hostile_messages import Fields  # noqa: E402
from support.hostile_messages import NUMBERS  # noqa: E402
from support.hostile_messages import TEXTS  # noqa: E402
from support.hostile_messages import TRANSIENT_LOCAL  # noqa: E402
from support.hostile_messages import Trial  # noqa: E402
from tf2_msgs.msg import TFMessage  # noqa: E402
from tools.node_processes import NodeProcess  # noqa: E402
from tools.node_processes import NodeProcesses  # noqa: E402
from tools.node_processes import reserved_domain  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.nodes.companion import NODES as HOSTED  # noqa: E402
from urdf_tools.nodes.main import NODES  # noqa: E402
from urdf_tools.ros.current_model import parse_description  # noqa: E402

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

_NAMES = joint_names(JOINTS)
_PUBLISHERS = 'state_publisher', 'robot_state_publisher'


def position(number: int, stamp: int) -> float:
    """Return the position of a joint, by its number from 1, at a stamp in nanoseconds."""
    return math.sin(number + stamp % 1_000_000_000_000 / 1e9)


def main(args: Sequence[str] | None = None) -> int:
    """Run, print what happened every minute, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--minutes', type=float, default=10.0, help='default: 10')
    parser.add_argument('--count', type=int, help='hostile descriptions, after every field')
    parser.add_argument('--seed', type=int, default=0, help='default: 0')
    parser.add_argument('--only', nargs='+', choices=ATTACKS, default=[*ATTACKS],
                        help='some of the attacks')
    parser.add_argument('--nodes', nargs='+', choices=NODES, default=[*NODES], help='some nodes')
    arguments = parser.parse_args(args)
    with reserved_domain() as domain, NodeProcesses() as nodes, ExitStack() as peers:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        started = [start(nodes, name) for name in arguments.nodes]

        def run(function, *arguments):
            peer = Peer(function, *arguments)
            peers.callback(peer.close)
            return peer

        driver, receiver = run(drive), run(receive)
        moves = not {*_PUBLISHERS}.isdisjoint(arguments.nodes)
        faults = [] if not moves or receiver.at_work(60) else ['no transforms arrived']
        if arguments.count is None:
            faults += attack(run, started, arguments.minutes * 60, arguments.seed, arguments.only)
        else:
            names = len(started) + len(HOSTED) * ('companion' in arguments.nodes)
            attacker = run(attack_in_turn, names, arguments.count, str(arguments.seed))
            while not attacker.has_answer(1.0) and all(node.running for node in started):
                pass
            faults += attacker.answer() if attacker.has_answer(0) else []
        states = driver.result()
        compared, wrong, gap, others = receiver.result()
        print(f'{states} joint states at {RATE:g} Hz; {compared} transforms compared, {wrong} '
              f'wrong, longest gap {gap:.3f} s; {others} other messages')
        faults += [f'{node.name} has ended with {node.wait()}:\n{node.output}' for node in started
                   if not node.running]
        faults += [f'{wrong} transforms are wrong'] * bool(wrong)
        faults += [f'no transforms for {gap:.3f} s'] * (
            arguments.count is None and gap > MAX_GAP)
        for node in started:
            raised = Counter(line.partition('goes on: ')[2] for line in node.lines)
            for text in filter(None, raised):
                print(f'{node.name} raised {text}')
            faults += [f'{node.name} wrote {line[:200]!r}' for line in node.lines
                       if not line.isprintable() and '[rcl]: ' not in line]
    for fault in faults:
        print(f'FAULT: {fault}')
    return 1 if faults else 0


def start(nodes: NodeProcesses, name: str) -> NodeProcess:
    """Start a node beside others with whose names and topics it does not interfere."""
    if name in _PUBLISHERS:
        # What others send on /tf is not compared.
        return nodes.start(name, {'robot_description': description(JOINTS)}, ['-r', '/tf:=frames'])
    if name == 'companion':
        return nodes.start(name, {'nodes': [*HOSTED]}, [
            '-r', 'joint_state_source:joint_states:=made'])
    made = ['-r', 'joint_states:=made'] if name == 'joint_state_source' else []
    return nodes.start(name, {}, ['-r', f'__node:=alone_{name}', *made])


def attack(run: Callable[..., Peer], started: Sequence[NodeProcess], seconds: float, seed: int,
           kinds: Sequence[str]) -> list[str]:
    """Attack the nodes for some seconds, and return which memory has grown."""
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
    print('hostile: ' + ', '.join(
        f'{done} {kind}' + (f' ({answered} answered)' if answered else '')
        for kind, (done, answered) in sent.items()))
    return [f'the memory of {node.name} grew from {then:.0f} to {now:.0f} MB'
            for node, then, now in zip(started, *memory) if now > MAX_GROWTH * then]


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
        String, 'robot_description', TRANSIENT_LOCAL)
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
        message = deserialize_message(data, TFMessage)
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

    node.create_subscription(TFMessage, 'frames', compare, QoSProfile(depth=10_000), raw=True)
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
        names = [*rng.sample(_NAMES, rng.randrange(JOINTS)), *rng.choices(TEXTS, k=2)]
        rng.shuffle(names)
        if rng.random() < 0.01:
            names += rng.choices(('', '/', 'joint_1', 'joint_2'), k=30_000)
        is_now = rng.random() < 0.5
        stamp = time.time_ns() if is_now else rng.choice((0, 1, 2**31 * 10**9 - 1, time.time_ns()))
        positions = [
            position(int(name[6:]), stamp) if is_now and name in _NAMES and rng.random() < 0.3
            else rng.choice(NUMBERS[:3]) for name in names]
        if rng.random() < 0.3:
            del positions[rng.randrange(len(positions) + 1):]
            if len(positions) == len(names):
                positions.append(0.0)
        message = _joint_state(names, stamp, positions)
        message.velocity = rng.choices(NUMBERS, k=rng.randrange(4))
        data = serialize_message(message)
        if rng.random() < 0.2:  # Cut off, so that no joint gets another joint's position.
            data = data[:rng.randrange(4, len(data))]
        publisher.publish(data)

    return step


def _descriptions(node: Node, rng: random.Random) -> Callable[[], object]:
    publisher = node.create_publisher(String, 'robot_description', TRANSIENT_LOCAL)

    def step():
        time.sleep(rng.choice((0.05, 0.5, 2)))
        publisher.publish(String(data=hostile_description(rng)))

    return step


def hostile_description(rng: random.Random) -> str:
    """Return a description that is malformed, huge or strange, as a topic can carry it."""
    if rng.random() < 0.5:
        kind = rng.choice(('bytes', 'trees', 'robots', 'sdf', 'mjcf'))
        if kind in ('sdf', 'mjcf'):
            return changed_description(kind, rng).text
        made = KINDS[kind].make(rng).data
        return made.decode(errors='replace').partition('\0')[0]
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
        return f'<robot name="r">{"<link/>" * rng.choice((1, 20_000))}</robot>'
    return rng.choice(TEXTS)


def _fields(node: Node, rng: random.Random) -> Callable[[], object]:
    tried = (each for _ in count() for each in Fields(node, rng).each())

    def step():
        time.sleep(rng.choice((0.001, 0.05)))
        return next(tried).what.startswith('requests')

    return step


def attack_in_turn(connection: Connection, nodes: int, number: int, seed: str) -> None:
    """Try each field, then so many hostile descriptions; the answer is the faults."""
    node = create_node('attacker_in_turn')
    rng = random.Random(seed)
    fields = Fields(node, rng)
    counts: Counter[tuple[str, str]] = Counter()
    faults = []
    if not fields.wait_for(lambda: len(fields.attacked()) >= nodes):
        faults.append(f'there are only {fields.attacked()}')
    for trials in (fields.each(), Descriptions(node, fields, rng).each(number)):
        for trial in trials:
            if not counts[trial.node, trial.what]:
                print(f'{trial.node}: {trial.what}', flush=True)
            counts[trial.node, trial.what] += 1
            if trial.fault:
                faults.append(f'{trial.node}, {trial.what}: {trial.fault}')
                print(faults[-1], flush=True)
    for (name, what), times in sorted(counts.items()):
        print(f'{name}: {times} {what}')
    connection.send(faults)


class Descriptions:
    """Hostile descriptions in turn with good ones, by topic, parameter and service."""

    def __init__(self, node: Node, fields: Fields, rng: random.Random):
        self._fields = fields
        self._rng = rng
        self._publisher = node.create_publisher(String, 'robot_description', TRANSIENT_LOCAL)
        self._models: dict[str, tuple[str, bool]] = {}
        self._answers: dict[str, object] = {}
        node.create_subscription(DiagnosticArray, '/diagnostics', self._receive, 1000)

    def _receive(self, array: DiagnosticArray) -> None:
        for status in array.status:
            name, _, task = status.name.partition(': ')
            values = {each.key: each.value for each in status.values}
            if task == 'Model':
                self._models[f'/{name}'] = values.get('SHA-256', ''), 'Refused because' in values

    def each(self, number: int) -> Iterator[Trial]:
        """Yield each trial, once it has been made."""
        good = description(JOINTS)
        nodes = self._fields.attacked()
        followers = [name for name in nodes if name.endswith((
            'joint_state_source', 'model_server', 'inertia_publisher', 'viewer'))]
        for turn in range(number):
            good = good.partition('<!--')[0] + f'<!-- {turn} -->'
            hostile = hostile_description(self._rng).replace('link_', 'frame_')
            is_refused = False
            try:
                parse_description(hostile)
            except DescriptionError:
                is_refused = True
            yield from self._by_topic(followers, good, (_digest(good), False))
            yield from self._by_topic(followers, hostile, (
                _digest(good if is_refused else hostile), is_refused))
            for name in nodes:
                if 'robot_description' in self._fields.parameters(name):
                    for text, takes in ((hostile, not is_refused), (good, True)):
                        yield self._by_parameter(name, text, takes)
                services = self._fields.describing(name)
                if services:
                    yield self._by_service(name, hostile, *services[turn % len(services)])

    def _by_topic(self, names: Sequence[str], text: str, model: tuple[str, bool]
                  ) -> Iterator[Trial]:
        self._publisher.publish(String(data=text))
        for name in names:
            fault = '' if self._fields.wait_for(lambda: self._models.get(name) == model) else (
                f'has {self._models.get(name)} instead of {model} after {text[:500]!r}')
            yield Trial(name, 'description by topic', fault)

    def _by_parameter(self, name: str, text: str, takes: bool) -> Trial:
        result = self._fields.set_parameter(name, 'robot_description', ParameterValue(
            type=ParameterType.PARAMETER_STRING, string_value=text))
        is_right = result and result.reason.isprintable() and result.successful == takes
        return Trial(name, 'description by parameter',
                     '' if is_right else f'{result}: {text[:500]!r}')

    def _by_service(self, name: str, text: str, service: str, kind: Any) -> Trial:
        answer = self._fields.call(kind, service, kind.Request(description=text))
        good = self._fields.call(kind, service, kind.Request(description=description(3)))
        is_right = answer and answer.message.isprintable() and (
            good and good.success and good == self._answers.setdefault(service, good))
        return Trial(name, 'description by service',
                     '' if is_right else f'{service} answers {answer} to {text[:500]!r}')


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


ATTACKS: dict[str, Callable[[Node, random.Random], Callable[[], object]]] = {
    'joint states': _joint_states, 'descriptions': _descriptions, 'fields': _fields}
"""What hostile traffic there is, to what returns the function that sends it once."""


if __name__ == '__main__':
    sys.exit(main())
