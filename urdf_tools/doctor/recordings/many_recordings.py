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
Many recordings, evaluated in local processes or on a cluster, with cached results.

The engine for several machines is dask.distributed.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from concurrent.futures import as_completed
from concurrent.futures import Future
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
import hashlib
from importlib.util import find_spec
import json
import os
from pathlib import Path
from typing import Any
from typing import NamedTuple

from urdf_tools.atomic_write import replace_file
from urdf_tools.doctor.recordings.confined_reading import read
from urdf_tools.doctor.recordings.confined_reading import reading_pool
from urdf_tools.doctor.recordings.limits import RecordingLimits
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recording import recorded_files
from urdf_tools.doctor.topic_rates import Policy
from urdf_tools.installation import __version__
from urdf_tools.installation import needs
from urdf_tools.model.errors import InputError
from urdf_tools.sandbox.pool import WorkerPool

PATIENCE = '10s'
"""How long a scheduler may take to answer."""

_PACKAGES = ('dynamics', 'doctor', 'findings', 'kinematics', 'model')
"""The parts of this package that determine the results."""


class Order(NamedTuple):
    """
    A recording to evaluate.

    :param model: a description in place of the recorded ones, or an empty text.
    :param ignore: codes of the rules that are not applied.
    :param policy: what is required of its topics.
    :param limits: what reading it may take.
    """

    path: str
    model: str = ''
    ignore: tuple[str, ...] = ()
    policy: Policy = {}
    limits: RecordingLimits = RecordingLimits()


def work(order: Order, pool: WorkerPool | None = None) -> dict[str, Any]:
    """
    Evaluate a recording in a worker process.

    :param pool: of which it is one; by default those that this process keeps.
    :return: what was found as data for JSON, an error if the recording cannot be read.
    """
    path, model, ignore, policy, limits = order
    try:
        return read(path, limits, 'evaluate', model, ignore, None, False, policy, pool=pool)[0]
    except InputError as error:
        return {'source': path, 'error': str(error)}


class Results:
    """
    A cache of results, by the files, the rules and the model.

    :param folder: where it is kept, or None if nothing is.
    """

    def __init__(self, folder: Path | None):
        self._folder = folder

    def get(self, order: Order) -> dict[str, Any] | None:
        """Return the result of a recording, or None if it is not known."""
        if self._folder is None:
            return None
        try:
            found = json.loads((self._folder / f'{_key(order)}.json').read_bytes())
        except (OSError, ValueError):
            return None
        return {**found, 'source': order.path} if isinstance(found, dict) else None

    def put(self, order: Order, found: dict[str, Any]) -> None:
        """Store a result, unless the recording could not be evaluated: that is tried again."""
        if self._folder is not None and 'error' not in found:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f'{_key(order)}.json', json.dumps(found).encode())


def cache_folder() -> Path:
    """Return the cache folder of the user for results."""
    base = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
    return Path(base, 'urdf-tools', 'recordings')


def _key(order: Order) -> str:
    """Return what identifies files, rules and model."""
    files = [(str(file.resolve()), status.st_size, status.st_mtime_ns)
             for file in recorded_files(Path(order.path)) for status in [file.stat()]]
    return hashlib.sha256(repr((
        files, order.model, sorted(order.ignore), order.policy,
        rules_version())).encode()).hexdigest()


@cache
def rules_version() -> str:
    """Return a version of the code and tables that determine the results."""
    found = hashlib.sha256(__version__.encode())
    root = Path(__file__).resolve().parents[2]
    for package in _PACKAGES:
        for path in sorted((root / package).rglob('*')):
            if path.suffix in ('.json', '.py'):
                found.update(path.read_bytes())
    return found.hexdigest()


def evaluate_all(orders: Sequence[Order], results: Results, jobs: int = 1,
                 cluster: str = '') -> Iterator[dict[str, Any]]:
    """
    Yield the result of each recording, once, as soon as it is known.

    :param jobs: number of processes.
    :param cluster: address of a scheduler of dask.distributed, which is used instead.
    :raises RecordingError: the cluster cannot be reached.
    """
    rest = []
    for order in orders:
        found = results.get(order)
        if found is None:
            rest.append(order)
        else:
            yield found
    if not rest:
        return
    with _on_cluster(cluster) if cluster else _in_processes(jobs) as submit:
        futures = {submit(order): order for order in rest}
        for future in as_completed(futures):
            order = futures.pop(future)
            try:
                found = future.result()
            except Exception as error:  # It is what happened to this recording, wherever.
                found = {'source': order.path, 'error': f'It cannot be evaluated: {error}'}
            results.put(order, found)
            yield found


_Submit = Callable[[Order], Future[dict[str, Any]]]
"""Begins to evaluate a recording."""


@contextmanager
def _in_processes(jobs: int) -> Iterator[_Submit]:
    pool = reading_pool(jobs)
    threads = ThreadPoolExecutor(jobs)
    try:
        yield lambda order: threads.submit(work, order, pool)
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()


@contextmanager
def _on_cluster(address: str) -> Iterator[_Submit]:
    """Use a scheduler, which reassigns the recordings of a worker that dies."""
    if find_spec('distributed') is None:
        raise RecordingError(needs('--cluster', 'distributed', 'cluster'))
    from distributed import Client
    try:
        client: Any = Client(  # type: ignore[no-untyped-call]
            address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RecordingError(f'The scheduler {address!r} does not answer: {error}') from error
    with client:
        executor = client.get_executor(pure=False, retries=2)
        yield lambda order: executor.submit(work, order)
