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


"""Nodes as processes, in ROS domains of their own: for tests, benchmarks and the demo."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from contextlib import ExitStack
import json
import os
from pathlib import Path
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

_SCRIPTS = Path(__file__).resolve().parents[1] / 'scripts'

_REPEAT = 5.0
"""Seconds after which a signal is sent again."""

_FIRST_PORT = 32768
"""Whoever holds port 32768 + n has domain n, as in ROS 2's domain_coordinator."""


@contextmanager
def reserved_domain() -> Iterator[int]:
    """Yield a ROS domain ID from 1 to 100 that nobody else on this machine has reserved."""
    for domain in random.sample(range(1, 101), 100):
        with socket.socket() as reservation:
            try:
                reservation.bind(('127.0.0.1', _FIRST_PORT + domain))
            except OSError:
                continue
            yield domain
            return
    raise RuntimeError('all 100 ROS domains are reserved')


class Process:
    """
    A command as a process, in the environment of this one, that ends with the calling thread.

    :param name: its name in messages.
    """

    def __init__(self, name: str, command: Sequence[str]):
        self.name = name
        self.lines: list[str] = []
        self._news = threading.Condition()
        self._ended = False
        # It gets SIGTERM when its parent ends, however that ends. Only Linux can do this.
        guard = ('setpriv', '--pdeathsig', 'TERM') if shutil.which('setpriv') else ()
        self._process = subprocess.Popen(
            [*guard, *command],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace',
            env={**os.environ, 'PYTHONUNBUFFERED': '1'})
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    @property
    def output(self) -> str:
        """Everything written so far to standard output and standard error."""
        return '\n'.join(self.lines)

    def wait_for_line(self, pattern: str, timeout: float = 60.0) -> re.Match:
        """
        Wait until a line of the output, old or new, matches the pattern.

        :raises AssertionError: with the output, if the process ends or the timeout expires first.
        """
        def found():
            return next(filter(None, (re.search(pattern, line) for line in self.lines)), None)

        with self._news:
            self._news.wait_for(lambda: found() or self._ended, timeout)
            match = found()
        if not match:
            raise AssertionError(f'{self.name} did not write {pattern!r} but:\n{self.output}')
        return match

    def wait(self, timeout: float = 60.0) -> int:
        """Return the exit code of a process that ends by itself."""
        code = self._process.wait(timeout)
        self._reader.join()
        return code

    def stop(self, signal_number: int = signal.SIGINT, timeout: float = 60.0) -> int:
        """Signal the process if it runs, and return its exit code."""
        deadline = time.monotonic() + timeout
        while True:
            self._process.send_signal(signal_number)
            try:
                return self.wait(min(_REPEAT, max(0.0, deadline - time.monotonic())))
            except subprocess.TimeoutExpired:
                # Python loses a signal that arrives while it starts, so it is sent again.
                if time.monotonic() >= deadline:
                    raise

    def close(self) -> None:
        """End the process, by force if necessary."""
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.wait()

    def _read(self):
        for line in self._process.stdout:
            with self._news:
                self.lines.append(line.rstrip('\n'))
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()


class NodeProcess(Process):
    """
    A node as a process.

    :param name: its executable in this package, such as ``state_publisher``.
    :param parameters: values by name; every type of parameter can be written as JSON.
    :param arguments: what follows ``--ros-args``, such as ``('-r', '__ns:=/robot')``.
    :param command: starts a node that is not of this package; its name may then be any.
    """

    def __init__(self, name: str, parameters: Mapping[str, object] | None = None,
                 arguments: Iterable[str] = (), command: Sequence[str] = ()):
        self._parameters = tempfile.NamedTemporaryFile('w', suffix='.yaml')
        # JSON is YAML in which strings are unambiguous.
        json.dump({'/**': {'ros__parameters': dict(parameters or {})}}, self._parameters,
                  ensure_ascii=False)
        self._parameters.flush()
        super().__init__(name, [
            *(command or (sys.executable, str(_SCRIPTS / name))),
            '--ros-args', '--params-file', self._parameters.name, *arguments])

    def close(self) -> None:
        """End the node, by force if necessary."""
        super().close()
        self._parameters.close()


class NodeProcesses(ExitStack):
    """Nodes that end with this context, the last one started first."""

    def start(self, name: str, parameters: Mapping[str, object] | None = None,
              arguments: Iterable[str] = ()) -> NodeProcess:
        """Start a node; see :class:`NodeProcess`."""
        node = NodeProcess(name, parameters, arguments)
        self.callback(node.close)
        return node

    def run(self, name: str, arguments: Iterable[str]) -> Process:
        """Start the executable of a node with arguments and nothing else."""
        process = Process(name, [sys.executable, str(_SCRIPTS / name), *arguments])
        self.callback(process.close)
        return process
