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
What happens to a robot in an hour, in simulated time.

The nodes start in any order; the driver restarts, the description is replaced, the clock jumps,
and nodes are killed and started again. The exit code is 1 unless every joint state is followed by
transforms, no frame goes back in time, diagnostics name what is wrong, memory stays flat. Joint
states do not count from the moment of a restart or of a jump back until transforms go on.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Sequence
from contextlib import ExitStack
import os
import random
import signal
import sys
import time

from benchmarks.chain import description
from benchmarks.process_usage import resident
from benchmarks.simulated_robot import Driver
from benchmarks.simulated_robot import missed
from benchmarks.simulated_robot import Operator
from benchmarks.simulated_robot import ScenarioError
from benchmarks.simulated_robot import SECOND
from benchmarks.simulated_robot import SimulatedTime
import rclpy
from tools.node_processes import NodeProcess
from tools.node_processes import reserved_domain

JOINTS = 6

MAX_GROWTH = 3.0
"""Allowed growth of a node's resident memory in MB, after a first round of all events."""

_PERIOD = 0.02
"""Seconds between two joint states, in real time."""

_KILL_EVERY = 4
"""Rounds of events from one in which nodes are killed to the next; memory is compared between."""


class Scenario:
    """
    A robot to which things happen.

    :param speed: simulated seconds in a second.
    :param seed: of the order in which nodes start and things happen.
    :ivar faults: what should not have happened.
    """

    def __init__(self, speed: float, seed: int):
        self.faults: list[str] = []
        self._random = random.Random(seed)
        self._stack = ExitStack()
        self._context = rclpy.Context()
        rclpy.init(context=self._context)
        self._stack.callback(rclpy.shutdown, context=self._context)
        node = rclpy.create_node('operator', context=self._context)
        self._stack.callback(node.destroy_node)
        self.time = SimulatedTime(node, speed)
        self._stack.callback(self.time.close)
        self._operator = Operator(self._context, node)
        self._stack.callback(self._operator.close)
        self._robots = 0
        self._allowed = 0
        self._nodes: dict[str, NodeProcess] = {}
        self._memory: dict[int, float] = {}
        self._sent = self._received = self._checked = 0
        self._begin = time.monotonic()

    def __enter__(self) -> Scenario:
        starts: list[Callable[[], None]] = [
            self._start_state_publisher, self._start_companion, self._start_driver]
        self._random.shuffle(starts)
        for start in starts:
            start()
        self._operator.status('state_publisher: Transforms', 'Transforms are published')
        self._operator.status('model_validator: Validation', '0 errors')
        self._operator.status('model_server: Model', 'Model loaded')
        self._say(f'started: {", ".join(start.__name__[7:] for start in starts)}')
        self._mark()
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.close()
        for process in self._nodes.values():
            process.close()
        self._stack.close()

    def play(self, minutes: float, pause: float) -> None:
        """
        Let everything happen, round by round, at least once.

        :param minutes: of simulated time after which no further round begins.
        :param pause: seconds of real time after each event.
        """
        # The clock itself jumps, so real time is counted.
        deadline = time.monotonic() + minutes * 60 / self.time.speed
        number = 0
        while number == 0 or time.monotonic() < deadline:
            events = [self._restart_driver, self._replace_description, self._jump_forward,
                      self._jump_back]
            if number % _KILL_EVERY == 0:
                events += [self._kill_state_publisher, self._kill_companion]
            self._random.shuffle(events)
            for event in events:
                self._operator.forget()
                said = event()
                self._say(f'{event.__name__[1:].replace("_", " ")}: {said}')
                time.sleep(pause)
                self._check()
            self._compare_memory(number)
            number += 1
        self._say(f'{self._checked} joint states followed by transforms; '
                  f'{len(self.faults)} faults')

    # What happens; each returns what diagnostics said about it.

    def _restart_driver(self) -> str:
        self._check()
        self._driver.close()
        said = self._operator.status('state_publisher: Joint states', 'No joint states for')
        self._start_driver()
        self._operator.forget()
        self._operator.status('state_publisher: Joint states', 'Receiving joint states')
        self._mark()
        return said

    def _replace_description(self) -> str:
        text, name = self._new_description()
        self._operator.set('state_publisher', robot_description=text)
        self._operator.status('state_publisher: Model', name)
        self._operator.status('model_server: Model', name)
        return f'Robot {name}'

    def _jump_forward(self) -> str:
        self.time.jump(60.0)
        return 'nothing, because nothing is wrong'

    def _jump_back(self) -> str:
        self._check()
        self.time.jump(-30.0)
        self._operator.wait_for(
            lambda: len(self._operator.backward) > self._allowed, 'frames of the new time')
        self._allowed = len(self._operator.backward)
        self._operator.begin_again()
        said = self._operator.status('state_publisher: Transforms', 'The clock jumped back')
        self._mark()
        return said

    def _kill_state_publisher(self) -> str:
        self._check()
        self._nodes['state_publisher'].stop(signal.SIGKILL)
        # The others, if it was killed before the monitor had the description.
        said = self._operator.status(
            'model_monitor: ', 'No frame of robot', 'but has not published one',
            'No node publishes a description')
        before = len(self._operator.stamps)
        self._nodes['state_publisher'].close()
        self._start_state_publisher()
        self._operator.wait_for(
            lambda: len(self._operator.stamps) > before, 'transforms of the new process')
        self._operator.forget()
        self._operator.status('state_publisher: Transforms', 'Transforms are published')
        self._mark()
        return said

    def _kill_companion(self) -> str:
        self._nodes['companion'].stop(signal.SIGKILL)
        self._nodes['companion'].close()
        self._operator.forget()
        self._start_companion()
        self._operator.status('companion: model_monitor', 'Running')
        return f'Validation: {self._operator.status("model_validator: Validation", "0 errors")}'

    # What is started.

    def _start_driver(self) -> None:
        self._driver = Driver(self._context, self.time.now, JOINTS, _PERIOD)
        self._sent = 0

    def _start_state_publisher(self) -> None:
        self._nodes['state_publisher'] = NodeProcess('state_publisher', {
            'use_sim_time': True, 'robot_description': self._new_description()[0],
            'publish_frequency': 0.0, 'joint_timeout': 1.0,
            # So that a busy computer loses no joint state; timing is not what is tested.
            'qos_overrides./joint_states.subscription.reliability': 'reliable',
            'qos_overrides./joint_states.subscription.depth': 1000})

    def _start_companion(self) -> None:
        self._nodes['companion'] = NodeProcess('companion', {
            'use_sim_time': True, 'period': 1.0,
            'nodes': ['model_validator', 'model_server', 'model_monitor']})

    def _new_description(self) -> tuple[str, str]:
        """Return another description, and the name of its robot."""
        self._robots += 1
        name = f'robot_{self._robots}'
        text = description(JOINTS).replace('xyz="0.01 ', f'xyz="0.0{1 + self._robots % 9} ')
        return text.replace('"chain"', f'"{name}"', 1), name

    # What is checked.

    def _mark(self) -> None:
        """Check what is sent from now on."""
        self._sent, self._received = len(self._driver.sent), len(self._operator.stamps)

    def _check(self) -> None:
        """Check what has come since the last check."""
        sent = self._driver.sent[self._sent:]
        if not sent:
            return
        try:
            self._operator.wait_for(
                lambda: self._operator.stamps[-1] >= sent[-1], 'the last joint state')
        except ScenarioError as error:
            self.faults.append(str(error))
        lost = missed(sent, self._operator.stamps[self._received:])
        if lost:
            self.faults.append(f'{len(lost)} of {len(sent)} joint states without transforms')
        back = self._operator.backward[self._allowed:]
        if back:
            frame, before, after = back[0]
            self.faults.append(
                f'{len(back)} times a frame went back, first {frame} from {before} to {after}')
            self._allowed += len(back)
        self._checked += len(sent) - len(lost)
        self._sent += len(sent)

    def _compare_memory(self, number: int) -> None:
        sizes = []
        for name, process in self._nodes.items():
            size = resident(process.pid)
            before = self._memory.setdefault(process.pid, size)
            sizes.append(f'{name} {size:.1f} MB ({size - before:+.1f})')
            if size - before > MAX_GROWTH:
                self.faults.append(f'{name} grew from {before:.1f} to {size:.1f} MB')
        self._say(f'round {number + 1}: {", ".join(sizes)}')

    def _say(self, text: str) -> None:
        print(f'{time.monotonic() - self._begin:7.1f} s, clock {self.time.now() / SECOND:8.1f}: '
              f'{text}', flush=True)


def main(args: Sequence[str] | None = None) -> int:
    """Play the scenario, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().split('\n')[0])
    parser.add_argument('--minutes', type=float, default=60.0,
                        help='of simulated time; default: 60')
    parser.add_argument('--speed', type=float, default=10.0,
                        help='simulated seconds in a second; default: 10')
    parser.add_argument('--pause', type=float, default=2.0,
                        help='seconds of real time after each event; default: 2')
    parser.add_argument('--seed', type=int, default=1, help='of the order; default: 1')
    arguments = parser.parse_args(args)
    with reserved_domain() as domain:
        os.environ.update(ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        try:
            with Scenario(arguments.speed, arguments.seed) as scenario:
                scenario.play(arguments.minutes, arguments.pause)
        except ScenarioError as error:
            print(f'scenario: {error}', file=sys.stderr)
            return 1
        for fault in scenario.faults:
            print(f'scenario: {fault}', file=sys.stderr)
        return int(bool(scenario.faults))


if __name__ == '__main__':
    sys.exit(main())
