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

"""Processes that read meshes within limits, started on demand and used again."""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import asdict
import json
import os
from pathlib import Path
import select
import signal
import subprocess
import threading
import time
from typing import Any

from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.meshes.mesh_record import MeshRecord
from urdf_tools.model.new_interpreter import interpreter_command
from urdf_tools.model.new_interpreter import interpreter_environment

MAX_PROCESSES = min(4, len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity')
                    else os.cpu_count() or 1)
"""Most processes that read meshes at the same time."""

_MAX_ANSWER = 2**16

_WAIT_PER_TIME = 10
"""Seconds that an answer may take for each second of CPU time; others use the processors, too."""

WORKER = 'urdf_tools.meshes.mesh_job'
"""The module whose ``main()`` answers requests for records."""

_OUT_OF_TIME = (-signal.SIGXCPU,)
_OUT_OF_MEMORY = (-signal.SIGABRT, -signal.SIGBUS, -signal.SIGKILL, -signal.SIGSEGV)


class _Ended(Exception):
    """
    A process that ended instead of answering.

    :ivar code: its exit code.
    """

    def __init__(self, code: int):
        self.code = code


class _Process:
    """A process that reads meshes."""

    def __init__(self, limits: MeshLimits, worker: str):
        self.limits = limits
        self.worker = worker
        self._process = subprocess.Popen(
            interpreter_command(worker, json.dumps(asdict(limits))),
            bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=interpreter_environment(), start_new_session=True)

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """
        Return the answer to a request.

        :raises _Ended: the process ended, or had to be ended, without an answer.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b'\n')
            line = self._line(time.monotonic() + _WAIT_PER_TIME * self.limits.time)
        except BrokenPipeError:
            line = b''
        except TimeoutError:
            self.end()
            raise _Ended(-signal.SIGXCPU) from None
        if not line.endswith(b'\n'):
            raise _Ended(self.end(kill=bool(line)))
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _line(self, deadline: float) -> bytes:
        """
        Return a line, or what came of it until the process ended or it was too long.

        :raises TimeoutError: the deadline passed.
        """
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        line = b''
        while not line.endswith(b'\n') and len(line) <= _MAX_ANSWER:
            if not poll.poll(1e3 * max(0.0, deadline - time.monotonic())):
                raise TimeoutError
            part = os.read(descriptor, _MAX_ANSWER)
            if not part:
                return b''
            line += part
        return line

    def kill(self) -> None:
        """Kill the process while another thread waits for its answer."""
        self._process.kill()

    def end(self, *, kill: bool = True) -> int:
        """End the process, and return its exit code."""
        if kill:
            self._process.kill()
        with self._process:  # Closes the pipes, and waits.
            pass
        return self._process.returncode


class _Processes:
    """All processes of one program, whatever its threads are."""

    def __init__(self, most: int = MAX_PROCESSES) -> None:
        self.most = most
        self._idle: list[_Process] = []
        self._busy: set[_Process] = set()
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(most)

    def ask(self, request: dict[str, Any], limits: MeshLimits, worker: str) -> dict[str, Any]:
        """Return the answer as :func:`ask_process` does."""
        with self._free:
            while True:
                process, is_new = self._take(limits, worker)
                try:
                    answer = process.ask(request)
                    self._busy.discard(process)
                except _Ended as ended:
                    self._busy.discard(process)
                    if not is_new and ended.code not in _OUT_OF_TIME + _OUT_OF_MEMORY:
                        continue  # Somebody ended it while it was idle.
                    raise _reason(ended.code, limits) from None
                except BaseException:
                    self._busy.discard(process)
                    process.end()
                    raise
                limit = str(answer.get('limit', ''))
                if limit == 'memory':
                    process.end()  # What is left of its memory is in pieces.
                else:
                    self._give_back(process)
                if 'error' in answer:
                    raise MeshError(str(answer['error']), limit)
                return answer

    def _take(self, limits: MeshLimits, worker: str) -> tuple[_Process, bool]:
        with self._lock:
            for process in [process for process in self._idle if process.limits != limits]:
                self._idle.remove(process)
                process.end()
            for process in reversed(self._idle):
                if process.worker == worker:
                    self._idle.remove(process)
                    self._busy.add(process)
                    return process, False
        try:
            process = _Process(limits, worker)
        except OSError as error:
            raise MeshError(
                f'the process that reads meshes cannot be started: {error.strerror}') from error
        self._busy.add(process)
        return process, True

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            self._idle.append(process)

    def interrupt(self) -> None:
        """Kill the processes that are reading; who waits for them gets an error."""
        for process in tuple(self._busy):
            process.kill()

    def end(self) -> None:
        """End the processes that are idle; the others end with this process."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()


def _reason(code: int, limits: MeshLimits) -> MeshError:
    if code in _OUT_OF_TIME:
        return MeshError(f'reading it takes more than {limits.describe("time")}', 'time')
    if code in _OUT_OF_MEMORY:
        return MeshError(f'reading it takes more than {limits.describe("memory")}', 'memory')
    return MeshError(
        f'it cannot be read: the process that reads meshes ended with exit code {code}')


def read_in_process(
        path: Path, limits: MeshLimits, task: str, scale: Sequence[float]) -> MeshRecord:
    """
    Read a mesh in another process, and return what is kept of it.

    :param task: the inertia to compute, as :func:`~urdf_tools.meshes.mesh_record.record_mesh`
        takes it.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    answer = ask_process(path, limits, {'task': task, 'scale': list(scale)})
    try:
        return MeshRecord.from_data(answer['record'])
    except (KeyError, TypeError, AttributeError) as error:
        raise MeshError(f'it cannot be read: {error}') from error


def ask_process(
        path: Path, limits: MeshLimits, request: Mapping[str, Any],
        worker: str = WORKER) -> dict[str, Any]:
    """
    Return the answer of another process to a request about a mesh.

    :param request: what JSON can hold.
    :param worker: the module that answers; its ``main()`` calls
        :func:`~urdf_tools.meshes.mesh_job.serve`.
    :raises MeshError: the answer is an error, or the process exceeds a limit.
    """
    return _processes.ask({**request, 'path': os.fsencode(path).hex()}, limits, worker)


def max_processes() -> int:
    """Return how many processes read meshes at the same time at most."""
    return _processes.most


def share_processors(programs: int) -> None:
    """Use fewer processes, because so many programs like this one run at the same time."""
    global _processes
    _processes.end()
    _processes = _Processes(max(1, MAX_PROCESSES // programs))


def end_processes() -> None:
    """End the processes that are idle; they are started again when there is a mesh to read."""
    _processes.end()


def interrupt_reading() -> None:
    """Kill the processes that are reading; who waits for them gets an error."""
    _processes.interrupt()


def _forget() -> None:
    """Leave the processes to the parent of a fork."""
    global _processes
    _processes = _Processes()


_processes = _Processes()
atexit.register(end_processes)
if hasattr(os, 'register_at_fork'):
    os.register_at_fork(after_in_child=_forget)
