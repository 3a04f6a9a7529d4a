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

"""Checks in several processes, with the results in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from collections.abc import Iterator
from collections.abc import Sequence
import pickle
import selectors
import signal
import subprocess
from typing import Any

from urdf_tools.meshes.mesh_facts import mesh_limits
from urdf_tools.model.new_interpreter import interpreter_command
from urdf_tools.model.new_interpreter import interpreter_environment
from urdf_tools.workspace.settings import SettingsError
from urdf_tools.workspace.single_check import not_checked
from urdf_tools.workspace.single_check import SingleCheck
from urdf_tools.workspace.single_check import SingleResult

MAX_PROCESSES = 64
"""Most processes that check descriptions at the same time."""

_AHEAD = 32
"""Most results for each process that wait for an earlier one."""


def checked_in_processes(
        checks: Sequence[SingleCheck], processes: int) -> Generator[SingleResult, None, None]:
    """
    Yield the results of checks in their order, while later ones are already running.

    Where a process dies, the description that it was checking gets a finding that says so, and
    another process takes its place. All end when the generator is closed.

    :param processes: number of processes.
    :raises SettingsError: a process cannot be started.
    """
    workers = _Workers(checks, min(processes, MAX_PROCESSES))
    try:
        yield from workers.results()
    finally:
        workers.end()


class _Worker:
    """A process that checks descriptions, in a session of its own, so that Ctrl-C is not its."""

    def __init__(self, processes: int):
        self.check: int | None = None
        self._process = subprocess.Popen(
            interpreter_command('urdf_tools.workspace.check_worker'),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=interpreter_environment(), start_new_session=True)
        self._send((mesh_limits(), processes))

    def fileno(self) -> int:
        """Return the descriptor that can be read when there is an answer."""
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    def start(self, number: int, check: SingleCheck) -> None:
        """Start a check."""
        self.check = number
        self._send(check)

    def answer(self) -> SingleResult | None:
        """Return the result of the check, or None if the process has died."""
        assert self._process.stdout is not None
        try:
            result: SingleResult = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError):
            return None
        return result

    def end(self) -> int:
        """End the process, and return its exit code."""
        if self._process.poll() is None:
            self._process.kill()
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdout.close()
        try:
            self._process.stdin.close()
        except BrokenPipeError:  # It died with a request unread.
            pass
        return self._process.wait()

    def died(self) -> int:
        """Return the exit code of a process that closed its output."""
        code = self._process.wait()
        self.end()
        return code

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None
        try:
            pickle.dump(value, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # It has died, which its output tells, too.


class _Workers:
    """The processes for some checks."""

    def __init__(self, checks: Sequence[SingleCheck], processes: int):
        self._checks = checks
        self._processes = processes
        self._pending = deque(range(len(checks)))
        self._found: dict[int, SingleResult] = {}
        self._next = 0
        self._selector = selectors.DefaultSelector()
        self._workers: set[_Worker] = set()

    def results(self) -> Iterator[SingleResult]:
        """Yield the results in the order of the checks."""
        for _ in range(self._processes):
            self._start_worker()
        while self._next < len(self._checks):
            while self._next in self._found:
                yield self._found.pop(self._next)
                self._next += 1
                self._give_work()
            if self._next < len(self._checks):
                self._wait()

    def end(self) -> None:
        """End all processes."""
        for worker in self._workers:
            worker.end()
        self._selector.close()

    def _start_worker(self) -> None:
        try:
            worker = _Worker(self._processes)
        except OSError as error:
            raise SettingsError(
                f'Cannot start a process: {error.strerror}. Use --jobs 1') from error
        self._workers.add(worker)
        self._selector.register(worker, selectors.EVENT_READ)
        self._give(worker)

    def _give_work(self) -> None:
        for worker in self._workers:
            if worker.check is None:
                self._give(worker)

    def _give(self, worker: _Worker) -> None:
        if self._pending and self._pending[0] < self._next + _AHEAD * self._processes:
            number = self._pending.popleft()
            worker.start(number, self._checks[number])

    def _wait(self) -> None:
        """Wait for an answer, and give the process that sent it other work."""
        for key, _ in self._selector.select():
            worker = key.fileobj
            assert isinstance(worker, _Worker)
            number = worker.check
            result = worker.answer()
            if result is None:
                self._replace(worker)
            elif number is not None:
                self._found[number] = result
                worker.check = None
                self._give(worker)

    def _replace(self, worker: _Worker) -> None:
        """Replace a process that has died."""
        self._selector.unregister(worker)
        self._workers.discard(worker)
        code = worker.died()
        if worker.check is not None:
            self._found[worker.check] = not_checked(
                self._checks[worker.check],
                f'The process that checked the description ended with {_described(code)}')
        if self._pending:
            self._start_worker()


def _described(code: int) -> str:
    if code >= 0:
        return f'exit code {code}'
    try:
        return f'signal {signal.Signals(-code).name}'
    except ValueError:
        return f'signal {-code}'
