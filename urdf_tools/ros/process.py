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
The process of a node, from its start to its end by a signal.

Nothing here imports what takes time, such as rclpy, before signals are handled: until then one of
them ends the process by the signal or with a traceback.
"""

from __future__ import annotations

from collections.abc import Sized
import faulthandler
import gc
import os
import resource
import signal
import sys
from threading import Lock
from threading import Thread
from threading import Timer
import time
import warnings

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable  # noqa: I300

    from urdf_tools.ros.base_node import BaseNode

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a node with exit code 0."""

MIN_ADDRESS_SPACE = 768 * 2**20
"""Bytes of address space that a node needs: with less, the middleware may abort or hang."""

START_GRACE = 1.5
"""Seconds from a signal until a node that is starting is left as it is."""

GRACE = 8.0
"""Seconds from a signal until a node counts as hung; launch kills it after 10."""

HUNG = os.EX_SOFTWARE
"""Exit code of a node that a signal does not end."""

_PROFILES = '{}_DEFAULT_PROFILES_FILE', 'DEFAULT_{}_PROFILES.xml'
"""Variable that names a file of settings of Fast DDS, and such a file in the current folder."""

_NAMES = 'FASTDDS', 'FASTRTPS'
"""What Fast DDS calls itself in them, the second up to ROS 2 Jazzy."""

_USE_PROFILES = 'RMW_FASTRTPS_USE_QOS_FROM_XML'

_NO_NODE = 'error creating node: '
"""Beginning of the message of an exception of rclpy."""


class StartError(Exception):
    """A node cannot start; the text is one sentence for the user."""


def prepare(name: str, returns_memory: bool = True) -> None:
    """
    Prepare the process for a node, before the node is imported.

    From now on a signal ends the process with code 0 at once, since there is nothing to finish
    yet. Later ones are up to :func:`run`.

    :param name: of the executable.
    :param returns_memory: whether Fast DDS may keep no buffers of large messages, which costs
        time for each message.
    """
    for number in SIGNALS:
        signal.signal(number, lambda *_: os._exit(0))
    limit, hard = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < MIN_ADDRESS_SPACE:
        sys.exit(f'[FATAL] [{name}]: The address space is limited to {limit // 2**20} MB, and a '
                 f'node needs {MIN_ADDRESS_SPACE // 2**20}; raise the limit (ulimit -v)')
    # The threads that numpy would start for large matrices, which no node has, take time to start.
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    if sys.platform == 'linux':
        if limit == resource.RLIM_INFINITY:
            # Fast DDS allocates as many elements as a request claims to have, up to 2^32, before
            # it reads them: such a request fails then, and the system does not kill the node.
            half = os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') // 2
            memory = sorted((3 * MIN_ADDRESS_SPACE, half, 6 * MIN_ADDRESS_SPACE))[1]
            resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
        _configure_fast_dds(returns_memory)


def _configure_fast_dds(returns_memory: bool) -> None:
    """
    Disable type propagation in Fast DDS, unless the user has configured it.

    Fast DDS crashes if a request for a type comes while the node is destroyed. And by default it
    keeps memory for messages: for each slot of a queue, that of the largest one that was in it.
    """
    own = {_USE_PROFILES, *map(_PROFILES[0].format, _NAMES)} & os.environ.keys()
    if not own and not any(map(os.path.exists, map(_PROFILES[1].format, _NAMES))):
        name = _NAMES[os.environ.get('ROS_DISTRO') == 'jazzy']
        os.environ[_PROFILES[0].format(name)] = os.path.join(
            os.path.dirname(os.path.abspath(__file__)), 'fastdds_profiles.xml')
        if returns_memory:
            os.environ[_USE_PROFILES] = '1'


def run(name: str, make_node: Callable[..., BaseNode], max_arguments: int = 0) -> int:
    """
    Run a node until SIGINT or SIGTERM and return the exit code of the process.

    A signal ends the process with code 0 at any time, even during start-up, of which it waits for
    :data:`START_GRACE`. If a node that has started takes longer than :data:`GRACE`, it ends with
    code :data:`HUNG` and writes what its threads were doing to standard error. A start that fails
    because of what the user gave logs one sentence and returns 1.

    :param name: of the executable, for messages logged before the node exists.
    :param make_node: the class of the node; called with the arguments that are not for ROS.
    :param max_arguments: maximum number of arguments that are not for ROS.
    """
    import rclpy
    from rclpy.logging import get_logger
    from urdf_tools.model.messages import printable
    # Whether numbers are finite is checked where they are used, in all threads; what numpy prints
    # about those that are not tells nobody what to do.
    warnings.filterwarnings('ignore', category=RuntimeWarning)
    try:
        arguments = _init(max_arguments)
        _spin(name, lambda: make_node(*arguments))
    except Exception as error:
        reason = reason_of_bad_start(error)
        if reason is None:
            raise
        full_name = _full_name(name)
        get_logger(full_name.strip('/').replace('/', '.')).fatal(
            printable(f'{full_name} cannot start: {reason}'))
        return 1
    finally:
        # To uninstall the handlers that rclpy has not installed, it sets the default for a moment.
        if rclpy.ok():
            rclpy.shutdown(uninstall_handlers=False)
        # Further signals would kill the process while the interpreter exits.
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
    return 0


def _full_name(name: str) -> str:
    """Return the name of a node, with its namespace, by the arguments of the process."""
    given = {key.rpartition(':')[2]: value for key, sign, value in (
        word.partition(':=') for word in sys.argv) if sign}
    return f"{given.get('__ns', '').rstrip('/')}/{given.get('__node', name)}"


def reason_of_bad_start(error: Exception) -> str | None:
    """Return the reason if a start failed because of user input, otherwise None."""
    from rclpy.exceptions import InvalidNamespaceException
    from rclpy.exceptions import InvalidNodeNameException
    from rclpy.exceptions import ParameterException
    from urdf_tools.model.errors import DescriptionError
    from urdf_tools.model.errors import is_lack_of_memory
    if isinstance(error, RuntimeError) and str(error).startswith('Unexpected QoS override'):
        return f'A parameter below qos_overrides is refused: {error}'
    if isinstance(error, RuntimeError) and str(error).startswith(_NO_NODE):
        # Such as an enclave without its files, or a middleware that is built without security.
        reason = str(error).removeprefix(_NO_NODE).partition(', at ')[0]
        return f'ROS cannot create the node: {" ".join(reason.split())}'
    if isinstance(error, (
            StartError, DescriptionError, ParameterException, InvalidNamespaceException,
            InvalidNodeNameException)):
        return str(error)
    return 'There is not enough memory to start' if is_lack_of_memory(error) else None


def _init(max_arguments: int) -> list[str]:
    """Initialize ROS, and return the arguments that are not for it."""
    import rclpy
    from rclpy.signals import SignalHandlerOptions
    from rclpy.utilities import remove_ros_args
    try:
        arguments: list[str] = remove_ros_args(sys.argv)[1:]
        rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:
        reason = str(error).partition(', at ')[0]
        raise StartError(f'ROS cannot start with these arguments: {reason}') from error
    if len(arguments) > max_arguments:
        raise StartError(
            f'Unexpected argument {arguments[max_arguments]!r}: parameters are given as ROS '
            'arguments, such as --ros-args -p name:=value')
    return arguments


def _spin(name: str, make_node: Callable[[], BaseNode]) -> None:
    from rclpy.executors import SingleThreadedExecutor
    from rclpy.task import Future
    from urdf_tools.ros.base_node import spin
    end: Future[None] = Future()
    signals = _Signals(name, lambda: end.set_result(None))
    node = make_node()
    signals.started = True
    # A collection would take 40 ms to go through the objects of a start, which stay.
    gc.freeze()
    executor = SingleThreadedExecutor()
    try:
        executor.add_node(node)
        spin(executor, node, end)
    finally:
        node.destroy_node()
        executor.shutdown()


class _Signals:
    """
    Ends a node at SIGINT or SIGTERM, for which a thread waits: nothing is interrupted.

    The handlers of rclpy wake the executor and then shut the context down; an executor that looks
    at the context in between waits again, and for ever.

    :param name: of the executable.
    :param end: called in the thread, once.
    :ivar started: whether there is a node to end; a process without one may be left at any time.
    """

    def __init__(self, name: str, end: Callable[[], None]) -> None:
        self.started = False
        self._name = name
        self._end = end
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        Thread(target=self._wait, name='signals', daemon=True).start()
        for number in SIGNALS:
            signal.signal(number, lambda *_: None)

    def _wait(self) -> None:
        name = signal.Signals(os.read(self._reader, 1)[0]).name
        self._end()
        time.sleep(START_GRACE)
        if not self.started:
            os._exit(0)
        time.sleep(GRACE - START_GRACE)
        # The logger of ROS may be what hangs.
        print(f'[FATAL] [{self._name}]: Still running {GRACE:g} s after {name}, so it ends with '
              f'exit code {HUNG}. Its threads are at:', file=sys.stderr, flush=True)
        faulthandler.dump_traceback(sys.stderr)
        os._exit(HUNG)


LARGE = 200_000
"""Length of a message or description that leaves much behind; most are shorter."""

DELAYS = 5.0, 20.0
"""
Seconds until the memory is returned, once for all nodes and what comes meanwhile, and until again.

The second is longer than the model monitor keeps what it observes.
"""

_lock = Lock()
_timer: Timer | None = None
_is_due = False


def release_memory_soon(*data: Sized) -> None:
    """
    Return the memory of a processed description and its predecessor, if one is large.

    Elements refer to each other, so only the collector finds those that nobody needs any more; and
    the C library keeps what they took for this thread, where no other thread gets it.
    """
    global _is_due
    if max(map(len, data)) < LARGE or os.environ.get('URDF_TOOLS_RETURN_MEMORY') == '0':
        return
    with _lock:
        _is_due = True
        if _timer is None:
            _start(DELAYS[0])


def _start(delay: float) -> None:
    global _timer
    _timer = Timer(delay, _release)
    _timer.daemon = True
    _timer.start()


def _release() -> None:
    global _is_due, _timer
    # Needed only here, and by few nodes.
    import ctypes
    gc.collect()
    trim = getattr(ctypes.CDLL(None), 'malloc_trim', None)
    if trim is not None:  # It is of the GNU C library.
        trim(0)
    with _lock:
        _timer = None
        if _is_due:
            _start(DELAYS[1])
        _is_due = False
