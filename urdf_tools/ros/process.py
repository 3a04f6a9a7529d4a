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

"""The process of a node, from its start to its end by a signal."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import faulthandler
import os
from pathlib import Path
from queue import SimpleQueue
import signal
import sys
from threading import Thread
import time
from types import FrameType
import warnings

import rclpy
from rclpy.exceptions import InvalidNamespaceException
from rclpy.exceptions import InvalidNodeNameException
from rclpy.exceptions import ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.utilities import remove_ros_args

from urdf_tools.garbage_collection import begin_garbage_collection
from urdf_tools.garbage_collection import defer_garbage_collection
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import printable
from urdf_tools.ros.start_conditions import lack_of_memory
from urdf_tools.ros.start_conditions import SIGNALS

GRACE = 8.0
"""Seconds from a signal until a node counts as hung; launch kills it after 10."""

HUNG = os.EX_SOFTWARE
"""Exit code of a node that a signal does not end."""

_FAST_DDS_TIMERS = 'dds.ev.'

_NO_NODE = 'error creating node: '
"""Beginning of the message of an exception of rclpy."""


_NO_MEMORY = (
    "can't start new thread", 'failed to map segment from shared object',
    'Cannot allocate memory', 'std::bad_alloc')
"""Ends of the messages of exceptions of other kinds because of a lack of memory."""


class StartError(Exception):
    """A node cannot start; the text is one sentence for the user."""


_BAD_START = (
    StartError, DescriptionError, ParameterException,
    InvalidNamespaceException, InvalidNodeNameException)


def run(
        name: str, make_node: Callable[..., Node], args: Sequence[str] | None = None,
        max_arguments: int = 0) -> int:
    """
    Run a node until SIGINT or SIGTERM and return the exit code of the process.

    A signal ends the process with code 0 at any time, even during start-up. If a node that has
    started takes longer than :data:`GRACE`, it ends with code :data:`HUNG` and writes what its
    threads were doing to standard error. A start that fails because of what the user gave logs one
    sentence and returns 1.

    :param name: of the executable, for messages logged before the node exists.
    :param make_node: the class of the node; called with the arguments that are not for ROS.
    :param args: the command line, program name first; that of the process by default.
    :param max_arguments: most arguments that are not for ROS.
    """
    args = sys.argv if args is None else args
    logger = get_logger(name)
    signals = _Signals(name)
    defer_garbage_collection()
    # Whether numbers are finite is checked where they are used, in all threads; what numpy prints
    # about those that are not tells nobody what to do.
    warnings.filterwarnings('ignore', category=RuntimeWarning)
    try:
        arguments = _init(args, max_arguments)
        if not signals.received:
            _spin(lambda: make_node(*arguments), signals)
    except Exception as error:
        reason = reason_of_bad_start(error)
        if reason is None:
            raise
        if not signals.received:
            logger.fatal(printable(reason))
            return 1
    finally:
        rclpy.try_shutdown()
        _ignore_signals()
    return 0


def reason_of_bad_start(error: Exception) -> str | None:
    """Return why a start failed because of what the user gave, or None if that is not why."""
    if isinstance(error, RuntimeError) and str(error).startswith('Unexpected QoS override'):
        return f'A parameter below qos_overrides is refused: {error}'
    if isinstance(error, RuntimeError) and str(error).startswith(_NO_NODE):
        # Such as an enclave without its files, or a middleware that is built without security.
        reason = str(error).removeprefix(_NO_NODE).partition(', at ')[0]
        return f'ROS cannot create the node: {" ".join(reason.split())}'
    if isinstance(error, _BAD_START):
        return str(error)
    return 'There is not enough memory to start' if is_lack_of_memory(error) else None


def is_lack_of_memory(error: BaseException) -> bool:
    """Return whether an exception, or what caused it, is that the process gets no more memory."""
    known = isinstance(error, MemoryError) or str(error).endswith(_NO_MEMORY)
    return known or error.__cause__ is not None and is_lack_of_memory(error.__cause__)


def lower_timer_thread_priority() -> None:
    """
    Schedule the timer threads of Fast DDS as batch work.

    Whenever a reliable message is published, Fast DDS sets a timer in case it is not
    acknowledged. That wakes the timer thread several times, each time ahead of the publishing
    thread, and accounts for a quarter of the CPU time of a message. As batch work it waits until
    a core is free, at most some milliseconds, which its timers can spare. A thread with a
    scheduling policy other than the default keeps it.

    Other middlewares, systems other than Linux and processes without the permission are left
    alone.
    """
    for thread in Path('/proc/self/task').glob('*'):
        try:
            if (thread / 'comm').read_text().startswith(_FAST_DDS_TIMERS):
                _schedule_as_batch(int(thread.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            # The thread has ended or the process is confined, which costs only the speed-up.
            continue


def _schedule_as_batch(thread: int) -> None:
    if os.sched_getscheduler(thread) == os.SCHED_OTHER:
        os.sched_setscheduler(thread, os.SCHED_BATCH, os.sched_param(0))


def _init(args: Sequence[str], max_arguments: int) -> list[str]:
    """Initialize ROS, and return the arguments that are not for it."""
    if reason := lack_of_memory():
        raise StartError(reason)
    try:
        arguments: list[str] = remove_ros_args(args)[1:]
        rclpy.init(args=list(args))
    except RuntimeError as error:
        reason = str(error).partition(', at ')[0]
        raise StartError(f'ROS cannot start with these arguments: {reason}') from error
    if len(arguments) > max_arguments:
        raise StartError(
            f'Unexpected argument {arguments[max_arguments]!r}: parameters are given as ROS '
            'arguments, such as --ros-args -p name:=value')
    return arguments


def _spin(make_node: Callable[[], Node], signals: _Signals) -> None:
    try:
        node = make_node()
        signals.started = True
        lower_timer_thread_priority()
        begin_garbage_collection()
        executor = SingleThreadedExecutor()
        try:
            executor.add_node(node)
            executor.spin()
        finally:
            node.destroy_node()
            executor.shutdown()
    except Exception:
        # A signal shuts the context down, and whatever still uses it raises some exception.
        if rclpy.ok():
            raise


def _ignore_signals() -> None:
    """Ignore further signals, which would kill the process while the interpreter exits."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


class _Signals:
    """
    Records SIGINT and SIGTERM instead of raising KeyboardInterrupt in the middle of any code.

    The handlers that rclpy installs later call these, wake the executor and shut the context
    down, which ends the node.

    :param name: of the executable.
    :ivar received: whether one has been received.
    :ivar started: whether there is a node to end; a process without one may be left at any time.
    """

    def __init__(self, name: str) -> None:
        self.received = False
        self.started = False
        self._name = name
        self._wake: SimpleQueue[int] = SimpleQueue()
        Thread(target=self._enforce, daemon=True).start()
        for number in SIGNALS:
            signal.signal(number, self._receive)

    def _receive(self, number: int, _frame: FrameType | None) -> None:
        self.received = True
        # SimpleQueue is the one queue whose put() is reentrant.
        self._wake.put(number)

    def _enforce(self) -> None:
        name = signal.Signals(self._wake.get()).name
        time.sleep(GRACE)
        if not self.started:
            os._exit(0)
        # The logger of ROS may be what hangs.
        print(f'[FATAL] [{self._name}]: Still running {GRACE:g} s after {name}, so it ends with '
              f'exit code {HUNG}. Its threads are at:', file=sys.stderr, flush=True)
        faulthandler.dump_traceback(sys.stderr)
        os._exit(HUNG)
