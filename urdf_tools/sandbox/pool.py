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

"""Workers that run jobs within limits: started on demand, reused, ended with this process."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import suppress
import json
import os
from pathlib import Path
import secrets
import signal
import subprocess
import sys
import threading
from typing import Any
from weakref import WeakSet

from urdf_tools.sandbox.answers import has_shape
from urdf_tools.sandbox.answers import Shape
from urdf_tools.sandbox.confinement import Confinement
from urdf_tools.sandbox.confinement import GRACE
from urdf_tools.sandbox.forked_process import can_fork
from urdf_tools.sandbox.forked_process import ForkedProcess
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerKilled
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.worker import read_frame
from urdf_tools.sandbox.worker import serve
from urdf_tools.sandbox.worker import write_frame

PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else (
    os.cpu_count() or 1)
"""Number of processors that this process may use."""

Responder = Callable[[Any, bytes], tuple[object, bytes]]
"""Takes a question of a job and its bytes, and returns a JSON value and bytes."""

_PROGRAM = (
    'import gc, json, sys; gc.disable(); '
    'sys.path += [folder for folder in json.loads(sys.argv.pop(1)) if folder not in sys.path]; '
    'from urdf_tools.sandbox.worker import serve; serve(sys.argv[1], *json.loads(sys.argv[2]))')

_ROOT = str(Path(__file__).resolve().parents[2])
"""The folder of this package, which an editable installation finds without ``sys.path``."""

_OPTIONS = ('-I', '-S', *(('-X', 'utf8') if sys.flags.utf8_mode else ()))
"""Without the module ``site``, which takes longer than the rest: its folders are in the path."""

_ENVIRONMENT = {'OPENBLAS_NUM_THREADS': '1', 'OMP_NUM_THREADS': '1', 'MALLOC_ARENA_MAX': '1'}
"""Threads of numpy would reserve memory that counts towards a limit."""

_NEEDED_VARIABLES = ('LANG', 'LC_ALL', 'LC_CTYPE', 'LD_LIBRARY_PATH')
"""Environment variables for starting a confined worker; its jobs do not see them."""

_LIBRARIES = (
    os.path.join(sys.base_prefix, 'lib'), '/lib', '/lib64', '/usr/lib', '/usr/lib64',
    '/usr/local/lib', '/etc/ld.so.cache', '/dev/urandom')
"""Files that a confined worker may read for late imports."""

_LIMIT_OF_SIGNAL = {
    'SIGXCPU': 'time', 'SIGABRT': 'memory', 'SIGBUS': 'memory', 'SIGSEGV': 'memory'}
"""The limit that a worker exceeds if the system or a library ends it with a signal."""


class WorkerPool:
    """
    The workers for one kind of job, for all threads of this process.

    :param job: the function that does it, as ``module:function``; see
        :data:`~urdf_tools.sandbox.worker.Job`.
    :param maximum: number of jobs that are done at the same time; others wait.
    :param is_confined: whether the workers are kept from programs, connections, other processes,
        the writing of files and, unless they need them, from environment variables.
    :param reads_files: whether they read files other than Python's, if they are confined.
    :param may_fork: whether they may have in memory what this process has, such as environment
        variables, so that the command starts them faster; see
        :func:`~urdf_tools.sandbox.forked_process.can_fork`.
    :param is_isolated: whether each job is done in a fork of a worker, so that nothing of it is
        left for the next one.
    """

    def __init__(self, job: str, maximum: int, is_confined: bool = False, reads_files: bool = True,
                 may_fork: bool = False, is_isolated: bool = False):
        self.job = job
        self.maximum = maximum
        self._may_fork = may_fork
        self._is_isolated = is_isolated
        self._confinement: Confinement | None = {
            'readable': None if reads_files else _LIBRARIES} if is_confined else None
        self._is_closed = False
        self.forget()
        _pools.add(self)

    def forget(self) -> None:
        """Restart without workers; those from before a fork belong to the parent."""
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(self.maximum)

    def run(self, request: object, limits: Limits, data: bytes = b'',
            respond: Responder | None = None, shape: Shape = object) -> tuple[Any, bytes]:
        """
        Return what a job answers in the current folder.

        :param request: what JSON can hold.
        :param respond: answers what the job asks with :func:`~urdf_tools.sandbox.worker.ask`.
        :param shape: of the answer; one of another shape is none.
        :raises SandboxError: it has no answer.
        """
        # What an earlier job wrote in advance does not have the token of this one.
        order = {'folder': _current_folder(), 'request': request, 'token': secrets.token_hex(8),
                 'limits': (limits.memory, limits.time, limits.wall)}
        with self._free:
            try:
                return self._ask(order, data, limits, respond, shape)
            except WorkerKilled:  # Once is no reason to give up.
                return self._ask(order, data, limits, respond, shape)

    def _ask(self, order: Mapping[str, object], data: bytes, limits: Limits,
             respond: Responder | None, shape: Shape) -> tuple[Any, bytes]:
        worker = self._take()
        try:
            answer = worker.ask(order, data, limits, respond, shape)
        except BaseException:  # Such as Ctrl-C.
            self._give_back(worker, is_usable=False)
            raise
        self._give_back(worker, is_usable=True)
        return answer

    def interrupt(self) -> None:
        """Kill the workers that run a job; waiting callers get an error."""
        with self._lock:
            for worker in self._busy:
                worker.kill()

    def close(self) -> None:
        """End all workers; callers waiting for one now or later get an error."""
        self._is_closed = True
        self.interrupt()
        self.end()

    def end(self) -> None:
        """End the workers that are idle; others are started when there is a job."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()

    def _give_back(self, worker: _Worker, is_usable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if is_usable and not self._is_closed:
                self._idle.append(worker)
                return
        worker.end()

    def _take(self) -> _Worker:
        with self._lock:
            if self._is_closed:
                raise SandboxError('the workers have ended')
            while self._idle:
                worker = self._idle.pop()
                if worker.is_alive:
                    break
                worker.end()
            else:
                worker = _Worker(self)
            self._busy.add(worker)
            return worker


class _Worker:
    """
    A process that does jobs, in a session of its own, so that Ctrl-C does not reach it.

    It is a new interpreter where a fork would copy the locks of other threads. Its imports come
    from the standard library, then from where ours do, and never from the current folder.
    """

    def __init__(self, pool: WorkerPool):
        self._has_expired = self._is_killed = False
        confinement = pool._confinement
        path = [*(os.path.abspath(folder) for folder in sys.path if folder), _ROOT]
        if confinement is not None and confinement['readable'] is not None:
            confinement = {'readable': [
                *path[:-1], os.path.join(_ROOT, __package__.partition('.')[0]),
                *confinement['readable']]}
        start = _fork if pool._may_fork and can_fork() else _start_interpreter
        try:
            self._process = start(pool.job, path, confinement, pool._is_isolated)
        except OSError as error:
            raise WorkerNotStarted(error.strerror) from error
        self.pid = self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can do another job."""
        return not self._has_expired and self._process.poll() is None

    def ask(self, order: Mapping[str, object], data: bytes, limits: Limits,
            respond: Responder | None, shape: Shape) -> tuple[Any, bytes]:
        """
        Return the answer to an order; without one, the process is unusable.

        :raises SandboxError: it has no answer.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        timer = threading.Timer(min(limits.wall + GRACE, threading.TIMEOUT_MAX), self._expire)
        timer.daemon = True
        timer.start()
        try:
            write_frame(self._process.stdin, order, data)
            while True:
                found, data = read_frame(self._process.stdout, limits.answer * 2**20)
                if found['token'] != order['token']:
                    raise ValueError('an answer to another job')
                if 'question' not in found or respond is None:
                    break
                write_frame(self._process.stdin, *respond(found['question'], data))
            if 'answer' in found:
                if not has_shape(found['answer'], shape):
                    raise ValueError('an answer of another shape')
                return found['answer'], data
            limit, reason = str(found['limit']), str(found['error'])
        except (BrokenPipeError, EOFError):
            limit, reason = self._end_of_process()
        except OverflowError:
            limit, reason = 'answer', ''
        except (LookupError, RecursionError, TypeError, ValueError) as error:
            raise SandboxError('its answer is malformed') from error
        finally:
            timer.cancel()
        raise LimitExceeded(limit, limits) if limit in Limits._fields else SandboxError(reason)

    def _end_of_process(self) -> tuple[str, str]:
        """Return the limit for which the process ended, and how it ended."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return '', 'its process closed its output'
        if self._has_expired:
            return 'wall', ''
        if code >= 0:
            return '', f'its process ended with exit code {code}'
        if -code == signal.SIGKILL and not self._is_killed:
            raise WorkerKilled('its process was killed twice, as by a system that lacks memory')
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return _LIMIT_OF_SIGNAL.get(name, ''), f'its process ended with signal {name}'

    def _expire(self) -> None:
        self._has_expired = True
        self.kill()

    def kill(self) -> None:
        """Kill the process, and its fork, while another thread waits for its answer."""
        self._is_killed = True
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        self._process.kill()  # It may not have created its session yet.

    def end(self) -> None:
        """End the process."""
        self.kill()
        with suppress(BrokenPipeError), self._process:  # Closes the pipes, and waits.
            pass


def permitted_actions() -> list[str]:
    """
    Return what this system lets a confined worker do that it should not, by trying it in one.

    :raises SandboxError: there is no worker.
    """
    pool = WorkerPool('urdf_tools.sandbox.confinement:attempt', 1, is_confined=True,
                      reads_files=False, may_fork=True)
    try:
        return [str(action) for action in pool.run(None, Limits(500, 20, 60))[0]]
    finally:
        pool.end()


def _start_interpreter(job: str, path: Sequence[str], confinement: Confinement | None,
                       is_isolated: bool) -> subprocess.Popen[bytes]:
    variables = {name: value for name, value in os.environ.items()
                 if confinement is None or name in _NEEDED_VARIABLES}
    return subprocess.Popen(
        [sys.executable, *_OPTIONS, '-c', _PROGRAM, json.dumps(path), job,
         json.dumps([confinement, is_isolated])],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**variables, **_ENVIRONMENT}, start_new_session=True)


def _fork(job: str, path: Sequence[str], confinement: Confinement | None,
          is_isolated: bool) -> ForkedProcess:
    def run() -> None:
        sys.path[:] = path
        serve(job, confinement, is_isolated)

    return ForkedProcess(run)


def _current_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # It was removed.
        return None


def _end() -> None:
    for pool in tuple(_pools):
        pool.end()


def _forget() -> None:
    """Begin without workers in the child of a fork."""
    for pool in tuple(_pools):
        pool.forget()


_pools: WeakSet[WorkerPool] = WeakSet()
atexit.register(_end)
os.register_at_fork(after_in_child=_forget)
