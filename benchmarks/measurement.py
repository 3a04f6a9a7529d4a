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

"""A node under load: CPU time, latency and memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from contextlib import contextmanager
from dataclasses import dataclass
import os
import time

from benchmarks.contenders import Contender
from benchmarks.process_usage import cpu_time
from benchmarks.process_usage import resident
from benchmarks.traffic import description
from benchmarks.traffic import Peer
from benchmarks.traffic import receive_transforms
from benchmarks.traffic import send_joint_states
import numpy as np
from tools.node_processes import NodeProcess

_PATIENCE = 60.0
_WARM_UP = 0.5
_IDLE_AFTER = 5.0


@dataclass(frozen=True)
class Measurement:
    """
    The results of a node under load for some seconds.

    :ivar cpu: CPU time of the whole process per published message, in microseconds.
    :ivar latencies: from joint state to the arrival of its transforms, in microseconds.
    :ivar resident: resident memory in MB.
    :ivar lost: number of joint states that no transforms followed.
    """

    cpu: float
    latencies: np.ndarray
    resident: float
    lost: int

    @property
    def p50(self) -> float:
        """Median of the latencies."""
        return float(np.percentile(self.latencies, 50))

    @property
    def p99(self) -> float:
        """99th percentile of the latencies."""
        return float(np.percentile(self.latencies, 99))


class Load:
    """
    A node under load that publishes transforms.

    :ivar process: its process.
    """

    def __init__(self, process: NodeProcess, source: Peer, receiver: Peer):
        self.process = process
        self._source = source
        self._receiver = receiver

    @property
    def cpu(self) -> float:
        """CPU time of all threads of the node so far in seconds, user and system."""
        return cpu_time(self.process.pid)

    @property
    def resident(self) -> float:
        """Resident memory of the node in MB."""
        return resident(self.process.pid)

    def stop(self) -> tuple[np.ndarray, np.ndarray]:
        """
        Stop the source, then the receiver once no more messages arrive.

        :return: the stamps of the joint states sent, shape (n,), and stamps and arrivals of the
            transforms received, shape (m, 2), in nanoseconds.
        """
        return self._source.result(), self._receiver.result()


@contextmanager
def _pinned(core: int | None) -> Iterator[None]:
    """Pin the processes that are started to a core, if one is given."""
    cores = os.sched_getaffinity(0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def start(contender: Contender, joints: int, core: int | None) -> NodeProcess:
    """Start a node that publishes each joint state at once, pinned to a core if one is given."""
    # No node throttles with these.
    parameters = {
        'robot_description': description(joints), 'publish_frequency': 1000.0,
        'ignore_timestamp': True}
    with _pinned(core):
        return NodeProcess(contender.name, parameters, command=contender.command)


@contextmanager
def load(
        contender: Contender, joints: int, rate: float,
        core: int | None = None) -> Iterator[Load]:
    """
    Start a node and its load: three processes.

    :param core: the node is pinned to, if any.
    :raises RuntimeError: the node ends, or publishes nothing.
    """
    with closing(start(contender, joints, core)) as process, \
            closing(Peer(send_joint_states, joints, rate)) as source, \
            closing(Peer(receive_transforms)) as receiver:
        deadline = time.monotonic() + _PATIENCE
        while not receiver.at_work(0.1):
            if not process.running or time.monotonic() > deadline:
                raise RuntimeError('\n'.join((
                    f'{contender.name} published nothing but wrote:', *process.lines[:20])))
        time.sleep(_WARM_UP)
        yield Load(process, source, receiver)


def measure_idle(
        contender: Contender, joints: int, seconds: float, core: int | None = None) -> float:
    """
    Return the share of a core that a node takes without joint states.

    :raises RuntimeError: the node ends.
    """
    with closing(start(contender, joints, core)) as process:
        time.sleep(_IDLE_AFTER)
        cpu = cpu_time(process.pid)
        time.sleep(seconds)
        if not process.running:
            raise RuntimeError('\n'.join((f'{contender.name} ended:', *process.lines[:20])))
        return (cpu_time(process.pid) - cpu) / seconds


def measure(
        contender: Contender, joints: int, rate: float, seconds: float,
        core: int | None = None) -> Measurement:
    """
    Measure a node for some seconds.

    :param core: the node is pinned to, if any.
    :raises RuntimeError: the node ends, or publishes nothing.
    """
    with load(contender, joints, rate, core) as node:
        start, cpu = time.time_ns(), node.cpu
        time.sleep(seconds)
        end, cpu = time.time_ns(), node.cpu - cpu
        resident = node.resident
        sent, received = node.stop()
    sent = sent[(start <= sent) & (sent < end)]
    received = received[np.isin(received[:, 0], sent)]
    if not len(received):
        raise RuntimeError(f'{contender.name} published nothing for {seconds} s')
    return Measurement(
        cpu / len(received) * 1e6, (received[:, 1] - received[:, 0]) / 1e3, resident,
        len(sent) - len(received))
