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

"""A node's process from its start to its end by a signal."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
from queue import SimpleQueue
import signal
import sys
from threading import Thread
import time

import rclpy
from rclpy.exceptions import InvalidNamespaceException
from rclpy.exceptions import InvalidNodeNameException
from rclpy.exceptions import ParameterException
from rclpy.executors import SingleThreadedExecutor
from rclpy.logging import get_logger
from rclpy.node import Node
from rclpy.utilities import remove_ros_args

from urdf_tools.model.document import DescriptionError
from urdf_tools.ros.timer_threads import yield_timer_threads

GRACE = 1.5
"""Seconds that work in progress may take to end after a signal."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StartError(Exception):
    """A node cannot start; the text is one sentence for the user."""


_BAD_START = (
    StartError, DescriptionError, ParameterException,
    InvalidNamespaceException, InvalidNodeNameException)


def run(node_class: type[Node], args: Sequence[str] | None = None) -> int:
    """
    Run a node until SIGINT or SIGTERM and return the exit code of the process.

    A signal ends the process with code 0 at any time, during start-up too, and no later than
    :data:`GRACE` seconds after it. A start that fails by the user's doing gives one sentence
    and code 1.

    :param node_class: called without arguments.
    :param args: the command line, program name first; that of the process by default.
    """
    args = sys.argv if args is None else args
    logger = get_logger(Path(args[0]).stem)
    signals = _Signals()
    try:
        _init(args)
        if not signals.received:
            _spin(node_class)
    except _BAD_START as error:
        if not signals.received:
            logger.fatal(str(error))
            return 1
    finally:
        rclpy.try_shutdown()
        _ignore_signals()
    return 0


def _init(args):
    try:
        unexpected = remove_ros_args(args)[1:]
        rclpy.init(args=args)
    except RuntimeError as error:
        reason = str(error).partition(', at ')[0]
        raise StartError(f'ROS cannot start with these arguments: {reason}') from error
    if unexpected:
        raise StartError(
            f'Unexpected argument {unexpected[0]!r}: settings are given as ROS arguments, '
            'such as --ros-args -p name:=value')


def _spin(node_class):
    try:
        node = node_class()
        yield_timer_threads()
        executor = SingleThreadedExecutor()
        try:
            executor.add_node(node)
            executor.spin()
        finally:
            executor.shutdown()
            node.destroy_node()
    except Exception:
        # A signal shuts the context down, and whatever still uses it raises some exception.
        if rclpy.ok():
            raise


def _ignore_signals():
    """Ignore signals from now on, for at its end the interpreter lets them kill the process."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


class _Signals:
    """
    Turns SIGINT and SIGTERM into a note instead of a KeyboardInterrupt at some random place.

    The handlers that rclpy installs afterwards call these, wake the executor and shut the
    context down, which is what ends the node.
    """

    def __init__(self):
        self.received = False
        self._wake = SimpleQueue()
        Thread(target=self._enforce, daemon=True).start()
        for number in _SIGNALS:
            signal.signal(number, self._receive)

    def _receive(self, _number, _frame):
        self.received = True
        # The one queue whose put() may interrupt itself.
        self._wake.put(None)

    def _enforce(self):
        self._wake.get()
        time.sleep(GRACE)
        os._exit(0)
