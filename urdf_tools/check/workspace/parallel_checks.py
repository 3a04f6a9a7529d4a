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

"""Checks in several processes, with the results in the order of the checks."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from collections.abc import Sequence
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
import math
import pickle

from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.single_check import not_checked
from urdf_tools.check.workspace.single_check import out_of_memory
from urdf_tools.check.workspace.single_check import SingleResult
from urdf_tools.check.workspace.single_check import TimeLimit
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.meshes.facts import mesh_limits
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro.files import XacroBudget

MAX_PROCESSES = 64
"""Most processes that check descriptions at the same time."""

SECONDS = 120.0
"""CPU time for one check, without that of xacro and meshes, which have limits of their own."""

_JOB = 'urdf_tools.check.workspace.single_check:check_in_worker'

_AHEAD = 32
"""Most results for each process that wait for an earlier one."""


def checked_in_processes(checks: Sequence[tuple[Target, XacroBudget, TimeLimit]], processes: int
                         ) -> Generator[SingleResult, None, None]:
    """
    Yield the results of checks in their order, while later ones are already running.

    Where a process dies, the description that it was checking gets a finding that says so, and
    another process takes its place. All end when the generator is closed.

    :param checks: targets with one combination of arguments, each with the budget that it shares
        with others of the same description, and the limit that it shares with all.
    :param processes: number of processes.
    :raises SettingsError: a process cannot be started.
    """
    processes = min(processes, MAX_PROCESSES)
    pool = WorkerPool(_JOB, processes)
    threads = ThreadPoolExecutor(processes)
    results: deque[Future[SingleResult]] = deque()
    try:
        for check in checks:
            results.append(threads.submit(_result, pool, *check))
            if len(results) >= _AHEAD * processes:
                yield results.popleft().result()
        while results:
            yield results.popleft().result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()


def _result(
        pool: WorkerPool, target: Target, budget: XacroBudget, limit: TimeLimit) -> SingleResult:
    seconds = 2 * SECONDS + budget.limits.time + mesh_limits().total_time
    if limit.left <= 0:
        return limit.exceeded(target)
    limits = Limits(math.inf, SECONDS, min(seconds, limit.left), math.inf)
    order = target, budget.limits, budget.spent, mesh_limits(), pool.most
    try:
        _, data = pool.run(None, limits, pickle.dumps(order))
    except WorkerNotStarted as error:
        raise SettingsError(f'Cannot start a process: {error}. Use --jobs 1') from error
    except SandboxError as error:
        if isinstance(error, LimitExceeded) and error.limit == 'memory':
            return out_of_memory(target)
        if limit.left <= 0:
            return limit.exceeded(target)
        return not_checked(target, f'The check failed: {error}')
    result: SingleResult
    result, spent = pickle.loads(data)  # No code of others ran in that process.
    budget.spend(spent)
    return result
