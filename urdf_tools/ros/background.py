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

"""Jobs in threads of a node, which its callbacks await without blocking others."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
import time
from typing import Any
from typing import cast
from typing import TypeVar

from rclpy.node import Node
from rclpy.task import Future

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
