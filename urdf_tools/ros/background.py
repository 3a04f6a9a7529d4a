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

"""Work that takes long, in threads, so that a node's diagnostics and other services go on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition
from threading import Thread
import time
from typing import Any

from rclpy.node import Node

Job = Callable[[], None]

PATIENCE = 1.0
"""Seconds that the end of a node waits for work in progress; less than a signal allows."""


class Worker:
    """
    Does one job after another in a thread of its own, and one of them periodically if asked to.

    An exception in a job ends the executor, as one in a callback does.

    :param limit: most jobs that wait while another is done.
    """

    def __init__(self, node: Node, limit: int = 1):
        self._context = node.context
        self._limit = limit
        self._jobs: deque[Job] = deque()
        self._periodic: tuple[Job, float] | None = None
        self._due = 0.0
        self._news = Condition()
        self._ended = False
        self._busy = False
        self._error: Exception | None = None
        self._failure = node.create_guard_condition(self._raise)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def is_idle(self) -> bool:
        """Whether all jobs are done."""
        return not self._jobs and not self._busy

    def submit(self, job: Job) -> bool:
        """Add a job, or return False if as many as allowed wait already."""
        with self._news:
            if len(self._jobs) + self._busy > self._limit:
                return False
            self._jobs.append(job)
            self._news.notify()
        return True

    def submit_latest(self, job: Job) -> None:
        """Add a job in place of all that wait."""
        with self._news:
            self._jobs.clear()
            self._jobs.append(job)
            self._news.notify()

    def repeat(self, job: Job, period: float) -> None:
        """
        Do a job periodically from now on, beside those that are submitted.

        A timer costs more: each time, the executor collects all entities of the node twice.

        :param period: in seconds of real time.
        """
        with self._news:
            self._periodic = job, period
            self._due = time.monotonic() + period
            self._news.notify()

    def end(self) -> None:
        """Do no further job, and wait for a moment for the one in progress."""
        with self._news:
            self._ended = True
            self._jobs.clear()
            self._news.notify()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while job := self._next():
            try:
                job()
            except Exception as error:
                # Whatever uses a node that has ended raises some exception.
                if self._ended or not self._context.ok():
                    return
                self._error = error
                self._failure.trigger()
                return

    def _next(self) -> Job | None:
        with self._news:
            self._busy = False
            while not self._jobs and not self._ended:
                if self._periodic is None:
                    self._news.wait()
                    continue
                job, period = self._periodic
                now = time.monotonic()
                if now >= self._due:
                    self._due = max(self._due + period, now)
                    return job
                self._news.wait(self._due - now)
            if self._ended:
                return None
            self._busy = True
            return self._jobs.popleft()

    def _raise(self) -> None:
        assert self._error is not None
        raise self._error


class BackgroundService:
    """
    A service whose requests a worker answers, while the executor goes on.

    :param kind: type of the service.
    :param answer: takes a request and an empty response, and returns the response.
    :param refuse: returns the response to a request that finds too many others waiting.
    :param is_quick: tells whether an answer takes so little time that the executor gives it at
        once, without the way through the worker.
    """

    def __init__(
            self, node: Node, kind: Any, name: str, answer: Callable[[Any, Any], Any],
            refuse: Callable[[], Any], worker: Worker,
            is_quick: Callable[[], bool] = lambda: False):
        self._answer = answer
        self._refuse = refuse
        self._is_quick = is_quick
        self._worker = worker
        service: Any = node.create_service(kind, name, _with_request)
        self._send = service.send_response
        service.send_response = self._receive

    def _receive(self, pair: tuple[Any, Any], address: Any) -> None:
        if self._is_quick() and self._worker.is_idle:
            self._send(self._answer(*pair), address)
        elif not self._worker.submit(lambda: self._send(self._answer(*pair), address)):
            self._send(self._refuse(), address)


class PreparedService:
    """
    A service whose long requests a worker prepares; the executor answers all in their order.

    :param service: the service, with its callback.
    :param prepare: does what takes long of a request, so that the callback finds it done.
    :param refuse: returns the response to a request that finds too many others waiting.
    :param is_quick: tells whether a request needs no preparation.
    :param limit: most requests that wait while another is prepared.
    """

    def __init__(
            self, node: Node, service: Any, prepare: Callable[[Any], None],
            refuse: Callable[[Any], Any], worker: Worker, is_quick: Callable[[Any], bool],
            limit: int):
        self._answer = service.callback
        self._send = service.send_response
        service.callback = _with_request
        service.send_response = self._receive
        self._prepare = prepare
        self._refuse = refuse
        self._worker = worker
        self._is_quick = is_quick
        self._limit = limit
        self._requests: deque[tuple[Any, Any, Any]] = deque()
        self._ready = node.create_guard_condition(self._finish)

    def _receive(self, pair: tuple[Any, Any], address: Any) -> None:
        request, response = pair
        if len(self._requests) > self._limit:
            self._send(self._refuse(request), address)
            return
        self._requests.append((request, response, address))
        if len(self._requests) == 1:
            self._go_on()

    def _go_on(self) -> None:
        """Answer requests up to the first one that has to be prepared."""
        while self._requests:
            request = self._requests[0][0]
            if not self._is_quick(request):
                self._worker.submit(lambda: self._work(request))
                return
            self._answer_first()

    def _work(self, request: Any) -> None:
        self._prepare(request)
        self._ready.trigger()

    def _finish(self) -> None:
        self._answer_first()
        self._go_on()

    def _answer_first(self) -> None:
        request, response, address = self._requests.popleft()
        self._send(self._answer(request, response), address)


def _with_request(request: Any, response: Any) -> tuple[Any, Any]:
    """
    Take the place of the callback of a service.

    The executor passes what the callback returns to send_response(), with the address of the
    client, which only that method gets.
    """
    return request, response
