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
Run all nodes on one robot and show their topics and services at work.

It ends after about ten seconds, with exit code 0 if every part worked and every node ended with 0;
with ``--keep-running`` it runs the nodes until Ctrl-C, and with ``--view`` it shows the robot in a
browser.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import nullcontext
import os
from pathlib import Path
import shlex
import signal
import subprocess
import sys
from threading import Thread
import time

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PointStamped
from node_processes import NodeProcess
from node_processes import NodeProcesses
from node_processes import reserved_domain
import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState
from std_msgs.msg import String
from tf2_msgs.msg import TFMessage

from urdf_tools.cli.arguments import is_mapping
from urdf_tools.cli.tree import tree_lines
from urdf_tools.formats.description_files import open_document
from urdf_tools.formats.loader import loads
from urdf_tools.kinematics.transforms import matrix_to_quaternion
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.robot import Robot
from urdf_tools.ros.conversions import from_transform
from urdf_tools.ros.topics import DIAGNOSTICS
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import ROBOT_DESCRIPTION
from urdf_tools.ros.topics import TF
from urdf_tools.ros.topics import TF_STATIC
from urdf_tools_interfaces.srv import GetInertia
from urdf_tools_interfaces.srv import ValidateModel

SAMPLE = Path(__file__).resolve().parents[1] / 'urdf' / 'mobile_manipulator.urdf.xacro'

NODES = {
    'state_publisher': {'publish_frequency': 50.0},
    'model_validator': {},
    'model_server': {},
    'inertia_publisher': {},
    'joint_state_source': {'rate': 50, 'sweep_period': 8.0},
}
"""The nodes and their parameters, except the description."""

PATIENCE = 60.0
"""Seconds after which an expected event counts as missing."""

MAX_LINES = 30
"""Maximum number of lines of a section."""

LEVELS = ('OK', 'WARN', 'ERROR', 'STALE')


def main() -> int:
    """Run the demo, and return the exit code."""
    parser = argparse.ArgumentParser(description='Run all nodes of urdf_tools on one robot.')
    parser.add_argument('model', nargs='?', help='a URDF or xacro file; default: a sample')
    parser.add_argument('mappings', metavar='NAME:=VALUE', nargs='*', help='xacro arguments')
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument('--keep-running', action='store_true', help='run until Ctrl-C')
    mode.add_argument('--view', action='store_true', help='show the robot in a browser instead')
    parser.add_argument('--record', metavar='FILE', help='an MCAP file to record to')
    arguments = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        # As an exception, it stops the nodes on its way out.
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    model = Path(arguments.model or SAMPLE)
    try:
        for mapping in arguments.mappings:
            if not is_mapping(mapping):
                raise DemoError(f'ARGS has {mapping!r}, which is not of the form NAME:=VALUE')
        document = open_document(
            model, arguments=dict(mapping.split(':=', 1) for mapping in arguments.mappings))
        if arguments.view:
            os.execvp('urdf-tools', ['urdf-tools', 'view', str(model), *arguments.mappings])
        build_robot(document)
        description = document.data.decode('utf-8')
        if arguments.keep_running:
            keep_running(model, description)
        else:
            show(model, description, [str(model), *arguments.mappings], arguments.record)
    except (DemoError, DescriptionError) as error:
        print(f'demo: {error}', file=sys.stderr)
        if missing := getattr(error, 'argument', ''):
            target = 'run' if arguments.keep_running else 'view' if arguments.view else 'demo'
            given = ' '.join([*map(shlex.quote, arguments.mappings), missing])
            print(f'Type: make {target} MODEL={shlex.quote(str(model))} ARGS={shlex.quote(given)}',
                  file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


class DemoError(Exception):
    """A part of the demo failed; the text is for the user."""


def keep_running(model: Path, description: str) -> None:
    """Run the nodes until Ctrl-C, in the domain of the terminal."""
    with running_nodes(description) as nodes:
        print(f'{model.name} runs in ROS domain {os.environ.get("ROS_DOMAIN_ID", 0)}: '
              f'{", ".join(NODES)}.')
        print('In another terminal, ". tools/env.sh" gives the same ROS 2. Ctrl-C ends it.')
        try:
            while all(node.running for node in nodes):
                time.sleep(0.5)
        except KeyboardInterrupt:
            print()


@contextmanager
def recording(path: str) -> Iterator[None]:
    """
    Record what the nodes publish in an MCAP file, until the context ends.

    :raises DemoError: the file cannot be written.
    """
    from mcap.writer import Writer
    try:
        file = open(path, 'wb')
    except OSError as error:
        raise DemoError(f'{path}: {error.strerror}') from error
    node, numbers = rclpy.create_node('recorder'), Counter()
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    with file:
        writer = Writer(file)
        writer.start('ros2', 'urdf-tools')

        def subscribe(topic, kind, qos):
            name = f'{kind.__module__.partition(".")[0]}/msg/{kind.__name__}'
            channel = writer.register_channel(
                topic, 'cdr', writer.register_schema(name, 'ros2msg', b''), {
                    'offered_qos_profiles': '- reliability: reliable\n  durability: '
                    f'{"transient_local" if qos in (ROBOT_DESCRIPTION, TF_STATIC) else "volatile"}'
                })

            def write(data):
                now = time.time_ns()
                numbers[topic] += 1
                writer.add_message(channel, now, data, now, numbers[topic])
            node.create_subscription(kind, topic, write, qos, raw=True)

        subscribe('/robot_description', String, ROBOT_DESCRIPTION)
        subscribe('/joint_states', JointState, 10)
        subscribe('/tf', TFMessage, TF)
        subscribe('/tf_static', TFMessage, TF_STATIC)
        subscribe('/diagnostics', DiagnosticArray, DIAGNOSTICS)
        # The demo waits for other things, during which messages would be lost.
        thread = Thread(target=executor.spin)
        thread.start()
        try:
            yield
        finally:
            executor.shutdown()
            thread.join()
            writer.finish()
    print(f'\n{path}: {sum(numbers.values())} messages, for "urdf-tools doctor {path}"')


def show(model: Path, description: str, arguments: list[str], record: str = '') -> None:
    """Run the nodes in the domain of the user, or one of their own, and print their answers."""
    given = os.environ.get('ROS_DOMAIN_ID')
    with nullcontext(given) if given else reserved_domain() as domain:
        os.environ['ROS_DOMAIN_ID'] = str(domain)
        with running_nodes(description) as nodes, rclpy.init(args=[]), (
                recording(record) if record else nullcontext()):
            client = Client(nodes)
            print(f'{model.name} on ROS 2 {os.environ.get("ROS_DISTRO", "")}, domain {domain}: '
                  f'{", ".join(NODES)}')
            client.show_tree()
            client.show_findings(arguments)
            client.show_frames()
            client.show_mass()
            client.show_diagnostics()
    print(f'\nAll {len(NODES)} nodes ended with exit code 0.')


@contextmanager
def running_nodes(description: str) -> Iterator[list[NodeProcess]]:
    """
    Run all nodes until the context ends.

    :raises DemoError: the exit code of a node was not 0.
    """
    parameters = {**NODES, 'state_publisher': {
        **NODES['state_publisher'], 'robot_description': description}}
    with NodeProcesses() as processes:
        nodes = [processes.start(*node) for node in parameters.items()]
        try:
            yield nodes
        finally:
            ends = [(node, node.stop()) for node in nodes]
        for node, code in ends:
            if code != 0:
                raise DemoError(f'{node.name} ended with exit code {code}:\n{node.output}')


class Client:
    """A client of the nodes that prints what it receives."""

    def __init__(self, nodes: list[NodeProcess]):
        self._nodes = nodes
        self._node = rclpy.create_node('demo')
        self._descriptions = []
        self._centers = []
        self._frames = {}
        self._moving = set()
        self._arrivals = []
        self._statuses = {}
        subscribe = self._node.create_subscription
        subscribe(String, 'robot_description', self._descriptions.append, ROBOT_DESCRIPTION)
        subscribe(TFMessage, '/tf', self._receive_moving, TF)
        subscribe(TFMessage, '/tf_static', self._receive_fixed, TF_STATIC)
        subscribe(DiagnosticArray, '/diagnostics', self._receive_diagnostics, DIAGNOSTICS)
        subscribe(
            PointStamped, '/inertia_publisher/center_of_mass', self._centers.append, LATCHED)
        self._wait(lambda: self._descriptions, 'a message on /robot_description')
        self._wait(
            lambda: 'model_server: Model' in self._statuses
            and self._statuses['model_server: Model'].values, 'a model in the model server')
        self._robot = loads(self._descriptions[0].data)
        self._tip = most_moved_link(self._robot)

    def show_tree(self) -> None:
        """Print the links and joints."""
        title('The robot, from /robot_description')
        print_some(tree_lines(self._robot))

    def show_findings(self, arguments: list[str]) -> None:
        """Print the findings where the author of the description has written them."""
        title('Findings, as urdf-tools check prints them')
        command = [sys.executable, '-m', 'urdf_tools.cli', 'check', *arguments]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        *lines, summary = result.stdout.splitlines()
        print_some(lines)
        print(summary)
        answer = self._call(ValidateModel, '/model_server/validate')
        print(f'/model_server/validate, of the text on the topic: {answer.message}')

    def show_frames(self) -> None:
        """Print the rate of frames, and the pose of one of them."""
        title('Frames, from /tf and /tf_static')
        fixed = [joint.child for joint in self._robot.tree if joint.type.dof == 0]
        self._wait(lambda: self._frames.keys() >= set(fixed), 'the frames on /tf_static')
        if not any(joint.type.dof == 1 for joint in self._robot.tree):
            print(f'{len(fixed)} fixed; /joint_states moves no joint of this robot')
            return
        chain = self._robot.path(self._robot.root, self._tip)
        self._wait(
            lambda: all(joint.child in self._frames for joint in chain), 'the frames on /tf')
        print(f'pose of {self._tip} in {self._robot.root}')
        start = len(self._arrivals)
        for _ in range(5):
            self._spin(1.0)
            pose = np.linalg.multi_dot([np.eye(4), *(self._frames[j.child] for j in chain)])
            print('  xyz {:8.4f} {:8.4f} {:8.4f} m, quaternion {:7.4f} {:7.4f} {:7.4f} {:7.4f}'
                  .format(*pose[:3, 3], *matrix_to_quaternion(pose[:3, :3])))
        arrivals = self._arrivals[start:]
        if len(arrivals) < 2:
            raise DemoError('no frames were received on /tf')
        rate = (len(arrivals) - 1) / (arrivals[-1] - arrivals[0])
        print(f'{len(self._moving)} moving frames at {rate:.1f} Hz, {len(fixed)} fixed')

    def show_mass(self) -> None:
        """Print the inertia of the whole robot."""
        answer = self._call(GetInertia, '/model_server/get_inertia', include_subtree=True)
        title('Inertia of the whole robot, from /model_server/get_inertia')
        if not answer.success:
            print(answer.message)
            return
        inertia = answer.inertia.inertia
        print(f'mass {inertia.m:.6g} kg, centre of mass in {answer.inertia.header.frame_id} at '
              f'{numbers(inertia.com)} m')
        print(f'principal moments {numbers(answer.principal_moments)} kg m^2')
        if inertia.m > 0:
            self._wait(lambda: self._centers, 'a centre of mass')
            print(f'and live, on /inertia_publisher/center_of_mass: '
                  f'{numbers(self._centers[-1].point)} m')
        massless = len(answer.links_without_mass)
        print(f'{massless} of {len(self._robot.links)} links have no <inertial>')

    def show_diagnostics(self) -> None:
        """Print the latest status of every diagnostics task."""
        self._wait(
            lambda: {name.partition(':')[0] for name in self._statuses} >= NODES.keys(),
            'diagnostics of all nodes')
        title('Diagnostics, from /diagnostics')
        for name, status in sorted(self._statuses.items()):
            print(f'{LEVELS[status.level[0]]:5} {name}: {status.message}')

    def _receive_moving(self, message):
        self._arrivals.append(time.monotonic())
        self._moving.update(stamped.child_frame_id for stamped in message.transforms)
        self._receive_fixed(message)

    def _receive_fixed(self, message):
        for stamped in message.transforms:
            self._frames[stamped.child_frame_id] = pose_of(from_transform(stamped.transform))

    def _receive_diagnostics(self, message):
        self._statuses.update({status.name: status for status in message.status})

    def _call(self, kind, name, **request):
        service = self._node.create_client(kind, name)
        self._wait(service.service_is_ready, f'the service {name}')
        future = service.call_async(kind.Request(**request))
        self._wait(future.done, f'an answer of {name}')
        return future.result()

    def _spin(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            rclpy.spin_once(self._node, timeout_sec=max(0.0, end - time.monotonic()))

    def _wait(self, condition: Callable[[], object], what: str):
        end = time.monotonic() + PATIENCE
        while not condition():
            for node in self._nodes:
                if not node.running:
                    raise DemoError(f'{node.name} ended:\n{node.output}')
            if time.monotonic() > end:
                raise DemoError(f'{what} did not arrive within {PATIENCE:.0f} s')
            rclpy.spin_once(self._node, timeout_sec=0.1)


def most_moved_link(robot: Robot) -> str:
    """Return the link below the most moving joints; of several, the one farthest down the tree."""
    joints = {link: robot.path(robot.root, link) for link in robot.links}
    return max(joints, key=lambda link: (
        sum(joint.type.dof == 1 for joint in joints[link]), len(joints[link])))


def numbers(message) -> str:
    """Return the numbers of a flat message such as a vector as text."""
    fields = message.get_fields_and_field_types()
    return ' '.join(f'{getattr(message, name):.4g}' for name in fields)


def title(text: str) -> None:
    """Print the title of a section."""
    print(f'\n── {text} '.ljust(90, '─'))


def print_some(lines: Iterable[str]) -> None:
    """Print at most :data:`MAX_LINES` lines."""
    lines = list(lines)
    print('\n'.join(lines[:MAX_LINES]))
    if more := lines[MAX_LINES:]:
        print(f'... and {len(more)} more')


if __name__ == '__main__':
    sys.exit(main())
