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

"""Recordings, read by confined workers within limits: one, or many, whose results are cached."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from concurrent.futures import as_completed
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
import hashlib
import json
import os
from pathlib import Path
from typing import Any
from typing import NamedTuple

from urdf_tools.atomic_write import replace_file
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recording import recorded_files
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.recording import TemporaryCopy
from urdf_tools.doctor.topic_rates import Policy
from urdf_tools.installation import __version__
from urdf_tools.model.errors import InputError
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool


def reading_pool(processes: int) -> WorkerPool:
    """Return workers for :func:`read`, of which none keeps anything of a recording."""
    return WorkerPool('urdf_tools.doctor.recordings.recording_job:run', processes,
                      is_confined=True, may_fork=True, is_isolated=True)


_pool = reading_pool(64)


def read(path: str, limits: RecordingLimits, job: str, *arguments: Any,
         pool: WorkerPool | None = None,
         on_progress: Callable[[float], object] = lambda done: None,
         write: Callable[[bytes], object] = lambda piece: None) -> tuple[dict[str, Any], bytes]:
    """
    Return what a worker answers about a recording.

    :param job: one of those of :mod:`urdf_tools.doctor.recordings.recording_job`, with its
        arguments.
    :param pool: the workers; by default those of this process.
    :param on_progress: called with the share that has been read.
    :param write: called with each piece of output.
    :raises InputError: it cannot be read, or that takes more than it may.
    """
    copy = TemporaryCopy()

    def respond(question: Any, data: bytes) -> tuple[object, bytes]:
        if 'done' in question:
            on_progress(float(question['done']))
        elif 'unpack' in question:
            try:
                return copy.add(data, bool(question['unpack'])), b''
            except OSError as error:
                raise RecordingError(
                    f'{path!r} cannot be unpacked to read it: {error.strerror}') from error
        else:
            write(data)
        return None, b''

    budget = Recording(Path(path), limits).budget
    request = {'path': path, 'limits': asdict(limits), 'job': job, 'arguments': arguments}
    try:
        answer, data = (pool or _pool).run(request, budget.limits(), respond=respond)
    except LimitExceeded as error:
        raise budget.exceeded(error.limit) from None
    except SandboxError as error:
        raise RecordingError(f'{path!r} cannot be read: {error}') from error
    if 'error' in answer:
        raise RecordingError(str(answer['error']))
    return answer, data


_PACKAGES = ('dynamics', 'doctor', 'findings', 'kinematics', 'messages', 'model')
"""The parts of this package that determine the results."""


class EvaluationRequest(NamedTuple):
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


def _evaluate(request: EvaluationRequest, pool: WorkerPool) -> dict[str, Any]:
    """Return what is found in a recording as data for JSON, or why it cannot be read."""
    path, model, ignore, policy, limits = request
    try:
        return read(path, limits, 'evaluate', model, ignore, None, False, policy, pool=pool)[0]
    except InputError as error:
        return {'source': path, 'error': str(error)}
    except Exception as error:  # It is what happened to this recording, whatever it was.
        return {'source': path, 'error': f'It cannot be evaluated: {error}'}


class Results:
    """
    A cache of results, by the files, the rules and the model.

    :param folder: where it is kept, or None if nothing is.
    """

    def __init__(self, folder: Path | None):
        self._folder = folder

    def get(self, request: EvaluationRequest) -> dict[str, Any] | None:
        """Return the result of a recording, or None if it is not known."""
        if self._folder is None:
            return None
        try:
            found = json.loads((self._folder / f'{_key(request)}.json').read_bytes())
        except (OSError, ValueError):
            return None
        return {**found, 'source': request.path} if isinstance(found, dict) else None

    def put(self, request: EvaluationRequest, found: dict[str, Any]) -> None:
        """Store a result, unless the recording could not be evaluated: that is tried again."""
        if self._folder is not None and 'error' not in found:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(self._folder / f'{_key(request)}.json', json.dumps(found).encode())


def cache_folder() -> Path:
    """Return the cache folder of the user for results."""
    base = os.environ.get('XDG_CACHE_HOME') or os.path.join(os.path.expanduser('~'), '.cache')
    return Path(base, 'urdf-tools', 'recordings')


def _key(request: EvaluationRequest) -> str:
    """Return what identifies files, rules and model."""
    files = [(str(file.resolve()), status.st_size, status.st_mtime_ns)
             for file in recorded_files(Path(request.path)) for status in [file.stat()]]
    return hashlib.sha256(repr((
        files, request.model, sorted(request.ignore), request.policy,
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


def evaluate_all(requests: Sequence[EvaluationRequest], results: Results,
                 jobs: int = 1) -> Iterator[dict[str, Any]]:
    """
    Yield the result of each recording, once, as soon as it is known.

    :param jobs: number of processes.
    """
    rest = []
    for request in requests:
        found = results.get(request)
        if found is None:
            rest.append(request)
        else:
            yield found
    pool = reading_pool(jobs)
    threads = ThreadPoolExecutor(jobs)
    try:
        futures = {threads.submit(_evaluate, request, pool): request for request in rest}
        for future in as_completed(futures):
            request, found = futures.pop(future), future.result()
            results.put(request, found)
            yield found
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()
