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

"""What all nodes of this package have in common: workers, and an end; and they outlive faults."""

from __future__ import annotations

from collections.abc import Callable
from inspect import isawaitable
from queue import SimpleQueue
from threading import Thread
import time
import traceback
from typing import Any
from typing import cast
from typing import TypeVar

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.executors import ConditionReachedException
from rclpy.executors import Executor
from rclpy.executors import ShutdownException
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.task import Future

from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.ros.request_size import limit_requests
from urdf_tools.ros.request_size import MAX_ELEMENTS
from urdf_tools.ros.request_size import MAX_TEXT
from urdf_tools.ros.request_size import RequestError

MAX_LENGTH = 1000
"""Maximum length of a line about an exception, whose text may quote what has arrived."""


MAX_LOGGED = 100
"""Maximum number of exceptions whose traceback is logged."""


_TYPES = frozenset(kind.value for kind in Parameter.Type)
"""Types of parameters; rclpy raises an exception for others."""


class Faults:
    """
    The exceptions that the callbacks of a node have raised. The node goes on after each of them.

    The traceback of each is logged once. All methods may be called from any thread.

    :ivar count: number of exceptions.
    :ivar last: the latest one as text, or an empty string.
    :ivar last_time: when it was raised, by ``time.monotonic()``.
    """

    def __init__(self, node: Node):
        self.count = 0
        self.last = ''
        self.last_time = 0.0
        self._node = node
        self._logged: set[tuple[tuple[str, int], ...]] = set()

    def add(self, error: Exception) -> None:
        """Count an exception, and log it unless one was raised at the same line before."""
        self.count += 1
        self.last, self.last_time = describe(error), time.monotonic()
        stack = tuple((frame.f_code.co_filename, line)
                      for frame, line in traceback.walk_tb(error.__traceback__))
        if stack not in self._logged and len(self._logged) < MAX_LOGGED:
            self._logged.add(stack)
            lines = ''.join(traceback.format_exception(error)).splitlines()
            self._node.get_logger().error('\n'.join(printable(line[:MAX_LENGTH]) for line in (
                f'A callback raised an exception, and the node goes on: {self.last}', *lines)))


class BaseNode(Node):
    """
    A node that stops what it has started, even if its constructor fails halfway.

    A service request whose callback raises an exception is answered with the exception, where the
    type of the response has a field for that.

    :param options: further arguments of :class:`Node`.
    :ivar faults: the exceptions of its callbacks.
    """

    def __init__(self, name: str, **options: Any):
        self._ends: list[Callable[[], None]] = []
        self.faults = Faults(self)
        super().__init__(name, **options)

    def create_service(
            self, srv_type: Any, srv_name: str, callback: Callable[[Any, Any], Any], *,
            max_elements: Callable[[], int] = lambda: MAX_ELEMENTS,
            max_text: Callable[[], int] = lambda: MAX_TEXT, **options: Any) -> Any:
        async def answer(request: Any, response: Any) -> Any:
            if isinstance(request, RequestError):
                return _refusal(request, response, printable(str(request)))
            for each in getattr(request, 'parameters', ()):
                if each.value.type not in _TYPES:
                    return _refusal(request, response, (
                        f'{quote(each.name)} has the type {each.value.type}, which '
                        'rcl_interfaces/msg/ParameterType does not define; nothing is set'))
            try:
                answered = callback(request, response)
                return await answered if isawaitable(answered) else answered
            except Exception as error:
                self.faults.add(error)
                return _refusal(request, response, f'Internal error: {describe(error)}')
        service = super().create_service(srv_type, srv_name, answer, **options)
        limit_requests(service, max_elements, max_text)
        return service

    def at_end(self, end: Callable[[], None]) -> None:
        """Call a function before the node is destroyed, the function given last first."""
        self._ends.append(end)

    def destroy_node(self) -> None:
        for end in reversed(self._ends):
            end()
        super().destroy_node()


_executors: list[Executor] = []
"""They live as long as the process: rclpy prints an exception if one dies while it shuts down."""


def spin(executor: Executor, node: BaseNode, end: Future[None]) -> None:
    """
    Execute the callbacks of a node until a future is done, whatever exceptions they raise.

    :param executor: of this node alone.
    """
    _executors.append(executor)
    end.add_done_callback(lambda _: executor.wake())
    entity: Any = None
    while not end.done():
        try:
            task, entity, _ = executor.wait_for_ready_callbacks(None, None, end.done)
            task()
            task.result()
        except (ConditionReachedException, ShutdownException):
            return
        except Exception as error:
            if not node.context.ok():
                return
            node.faults.add(error)
            # rclpy forgets to do this if it could not take a message or a request: the entity, and
            # all others in its callback group, would never be executed again.
            if getattr(entity, '_executor_event', False):
                entity._executor_event = False
                entity.callback_group.ending_execution(entity)


def describe(error: Exception) -> str:
    """Return an exception as one short line."""
    return printable(f'{type(error).__name__}: {error}'[:MAX_LENGTH])


def _refusal(request: Any, response: Any, reason: str) -> Any:
    """Return the response to a request that is refused, or whose callback has raised."""
    result = SetParametersResult(successful=False, reason=reason)
    if isinstance(response, SetParameters.Response):
        # The parameters before the one that raised it have been set.
        rest = len(getattr(request, 'parameters', [None])) - len(response.results)
        return SetParameters.Response(results=[*response.results, *[result] * rest])
    if isinstance(response, SetParametersAtomically.Response):
        return SetParametersAtomically.Response(result=result)
    refusal = type(response)()
    if hasattr(refusal, 'message'):
        refusal.message = reason
    return refusal


WAITING = 2.0
"""Seconds after its start in which a node says what it waits for."""


def say_what_is_awaited(node: BaseNode, awaited: Callable[[], str]) -> None:
    """
    Log once, :data:`WAITING` after the start, what a node waits for.

    :param awaited: returns what that is then, as ``a robot description``, or an empty text.
    """
    def say() -> None:
        timer.cancel()
        if text := awaited():
            node.get_logger().warning(
                f'{node.get_fully_qualified_name()} waits for {printable(text)}')

    # The time of a simulation may be what it waits for.
    timer = node.create_timer(WAITING, say, clock=Clock(clock_type=ClockType.STEADY_TIME))


Result = TypeVar('Result')

PATIENCE = 1.0
"""Seconds that the end of a node waits for work in progress; less than a signal allows."""


class Worker:
    """
    Does one job after another in a thread, without blocking the executor.

    :ivar pending: number of jobs that are not done.
    """

    def __init__(self, node: Node):
        self.pending = 0
        self._node = node
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._ended = False

    async def run(self, job: Callable[[], Result]) -> Result:
        """
        Run a job, and return its result or raise its exception.

        To be awaited in a callback of the node's executor. Meanwhile no other callback of the same
        group is called, unless the group is reentrant.
        """
        if self._thread is None:
            self._thread = Thread(target=self._work, name='worker', daemon=True)
            self._thread.start()
        future: Future[Result] = Future()
        self.pending += 1
        self._jobs.put((job, future))
        try:
            return cast(Result, await future)
        finally:
            self.pending -= 1

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None and not self._ended:
            job, future = item
            try:
                future.set_result(job())
            except Exception as error:
                # Whatever uses a node that has ended raises some exception.
                if self._ended or not self._node.context.ok():
                    return
                future.set_exception(error)
            # While the thread waits, it keeps nothing of a description that has been replaced.
            del item, job, future
            if not self._ended and self._node.executor is not None:
                self._node.executor.wake()

    def end(self) -> None:
        """Start no further job."""
        self._ended = True
        self._jobs.put(None)

    def join(self, timeout: float) -> None:
        """Wait for the job in progress, at most for a timeout in seconds."""
        if self._thread is not None:
            self._thread.join(timeout)


def end_workers(*workers: Worker) -> None:
    """Stop workers, and wait briefly for the jobs in progress."""
    for worker in workers:
        worker.end()
    deadline = time.monotonic() + PATIENCE
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
