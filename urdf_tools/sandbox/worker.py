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

"""The process that runs jobs, one after the other, until its parent ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import gc
from importlib import import_module
import json
import os
import queue
import select
import signal
import struct
import sys
import threading

from urdf_tools.sandbox.confinement import confine
from urdf_tools.sandbox.confinement import limited
from urdf_tools.sandbox.confinement import OutOfTime
from urdf_tools.sandbox.confinement import uninterrupted

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from typing import Any  # noqa: I300
    from typing import IO

    from urdf_tools.sandbox.confinement import Confinement

    Job = Callable[[Any, bytes], tuple[object, bytes]]
    """Takes a request and bytes, and returns an answer that JSON can hold, and bytes."""

_MAX_TEXT = 2000
_LENGTHS = struct.Struct('>QQ')


_received: queue.SimpleQueue[tuple[Any, bytes]] = queue.SimpleQueue()
_answers: list[IO[bytes]] = []
_token = ''
_receive: Callable[[], tuple[Any, bytes]] = _received.get


def serve(job_name: str, confinement: Confinement | None, is_isolated: bool = False) -> None:
    """
    Run jobs until standard input ends.

    :param job_name: the function that does them.
    :param confinement: what this process is kept from, besides the limits of each job.
    :param is_isolated: do each job in a fork of this process, which no job can change then.
    """
    global _receive
    requests, answers = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
    _answers.append(answers)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # Keep standard input and output of a job out of the protocol.
        os.dup2(null, descriptor)
    module, _, name = job_name.partition(':')
    job: Job = getattr(import_module(module), name)
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gc.enable()
    if is_isolated:
        order = _order_of_fork(requests, confinement)
        _receive = partial(read_frame, requests, sys.maxsize)
    confine(confinement)
    if is_isolated:
        write_frame(answers, *_done(job, *order))
        os._exit(0)
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    while True:
        write_frame(answers, *_done(job, *_receive()))


def _order_of_fork(requests: IO[bytes], confinement: Confinement | None) -> tuple[Any, bytes]:
    """Return the next order in a new fork; if a signal ends the fork, end by it, too."""
    if sys.platform == 'linux' and confinement is not None:
        import_module('urdf_tools.sandbox.linux')  # Import once for all forks, as it takes long.
    while True:
        try:
            order = read_frame(requests, sys.maxsize)
        except EOFError:
            os._exit(0)
        child = os.fork()
        if child == 0:
            return order
        _end_with_parent(child, requests)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            os.kill(os.getpid(), -code)
        if code:
            os._exit(code)


def _end_with_parent(child: int, requests: IO[bytes]) -> None:
    """Wait for the end of a fork, and kill it if the parent of this process ends before."""
    if not hasattr(os, 'pidfd_open'):
        return
    descriptor = os.pidfd_open(child)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    poll.register(requests.fileno(), 0)  # Its end is always reported; its data are for the fork.
    if descriptor not in dict(poll.poll()):
        os.kill(child, signal.SIGKILL)
    os.close(descriptor)


def ask(question: object, data: bytes = b'') -> tuple[Any, bytes]:
    """
    Return what the parent responds to a question of the job that is being done.

    :param question: what JSON can hold.
    """
    with uninterrupted():
        write_frame(_answers[0], {'question': question, 'token': _token}, data)
        return _receive()


def _listen(requests: IO[bytes]) -> None:
    """Forward what the parent sends, and end the process with it at any time."""
    try:
        while True:
            _received.put(read_frame(requests, sys.maxsize))
    finally:
        os._exit(0)


def _done(job: Job, order: Any, data: bytes) -> tuple[object, bytes]:
    """Return the answer to an order of the pool, or why there is none."""
    global _token
    limit, _token = '', order['token']
    try:
        if order['folder'] is not None:
            os.chdir(order['folder'])
        with limited(*order['limits']):
            answer, data = job(order['request'], data)
            return {'answer': answer, 'token': _token}, data
    except OutOfTime as error:
        reason, limit = '', error.limit
    except MemoryError:
        reason, limit = '', 'memory'
    except Exception as error:  # A defect of the job is an answer, too.
        reason = f'{type(error).__name__}: {error}'
    return {'error': reason[:_MAX_TEXT], 'limit': limit, 'token': _token}, b''


def write_frame(stream: IO[bytes], value: object, data: bytes = b'') -> None:
    """Write a value that JSON can hold, and bytes."""
    text = json.dumps(value).encode()
    stream.write(_LENGTHS.pack(len(text), len(data)) + text)
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes], maximum: float) -> tuple[Any, bytes]:
    """
    Return a value and bytes.

    :param maximum: number of bytes that are read at most.
    :raises EOFError: the stream ends before.
    :raises OverflowError: they are more.
    :raises ValueError: the value is no JSON; a RecursionError if it is nested too deeply.
    """
    lengths = _LENGTHS.unpack(_read(stream, _LENGTHS.size))
    if sum(lengths) > maximum:
        raise OverflowError(f'a message of {sum(lengths)} bytes')
    text, data = (_read(stream, length) for length in lengths)
    return json.loads(text), data


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data
