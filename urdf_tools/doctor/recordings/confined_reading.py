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

"""Recordings, read by confined workers within limits: one, or many."""

from __future__ import annotations

import base64
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from concurrent.futures import as_completed
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
import hashlib
import html
import json
from pathlib import Path
import re
from typing import Any

from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.findings.finding import Severity
from urdf_tools.model.errors import InputError
from urdf_tools.sandbox.answers import COUNT
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool


FINDING = {
    **dict.fromkeys(('code', 'severity', 'message', 'hint', 'topic', 'subject'), str),
    **dict.fromkeys(('who', 'topics', 'nodes', 'frames', 'joints'), [str]),
    **dict.fromkeys(('numbers', 'times'), {str: float}), 'arguments': {str: object},
    'intervals': [[float, float]], 'observed': [float], 'occurrences': COUNT, 'duration': float}
"""What a finding is in an answer."""

_RATE = {
    'topic': str, 'frames': [str], 'messages': COUNT, 'regressions': (None, COUNT),
    **dict.fromkeys(('rate', 'jitter_p99', 'gaps', 'longest_gap', 'longest_gap_at',
                     'latency_median', 'latency_p99'), (None, float))}

_ANSWERS = {
    'evaluate': {
        'source': str, 'valid': bool, 'begin': range(-2**34, 2**34), 'seconds': float,
        'robots': [str], 'topics': COUNT, 'messages': COUNT, 'omitted': COUNT, 'remarks': [str],
        'counts': {severity.name: COUNT for severity in Severity}, 'findings': [FINDING],
        'rates': [_RATE], 'shown?': (None, str, {str: object}, [object])},
    'frames': {'messages': COUNT, 'counts': {str: COUNT}, 'damages': [str]},
    'payload': {
        **dict.fromkeys(('link', 'robot'), str), **dict.fromkeys(('mass', 'mass_error'), float),
        **dict.fromkeys(('centre', 'centre_errors'), [float] * 3), 'rest': {str: float},
        'postures': COUNT}}
"""What each job answers."""


def reading_pool(processes: int) -> WorkerPool:
    """Return workers for :func:`read`, of which none keeps anything of a recording."""
    return WorkerPool('urdf_tools.doctor.recordings.recording_job:run', processes,
                      is_confined=True, may_fork=True, is_isolated=True)


_pool = reading_pool(64)


def read(path: str, limits: RecordingLimits, job: str, *arguments: Any,
         pool: WorkerPool | None = None,
         write: Callable[[bytes], object] = lambda piece: None) -> tuple[dict[str, Any], bytes]:
    """
    Return what a worker answers about a recording.

    :param job: one of those of :mod:`urdf_tools.doctor.recordings.recording_job`, with its
        arguments.
    :param pool: the workers; by default those of this process.
    :param write: called with each piece of output.
    :raises InputError: it cannot be read, or that takes more than it may.
    """
    def respond(_question: Any, data: bytes) -> tuple[object, bytes]:
        write(data)
        return None, b''

    budget = Recording(Path(path), limits).budget
    request = {'path': path, 'limits': asdict(limits), 'job': job, 'arguments': arguments}
    try:
        answer, data = (pool or _pool).run(
            request, budget.limits(), respond=respond, shape=(_ANSWERS[job], {'error': str}))
    except LimitExceeded as error:
        raise budget.exceeded(error.limit) from None
    except SandboxError as error:
        raise RecordingError(f'{path!r} cannot be read: {error}') from error
    if 'error' in answer:
        raise RecordingError(answer['error'])
    return answer, data


def evaluate_all(
        paths: Collection[str], limits: RecordingLimits, *arguments: Any,
        jobs: int = 1) -> Iterator[tuple[dict[str, Any], bytes]]:
    """
    Yield what is found in each recording, or why it cannot be read, as soon as it is known.

    With it comes what :func:`report_page` shows of it.

    :param arguments: those of the job ``evaluate``.
    :param jobs: number of processes.
    """
    pool, threads = reading_pool(jobs), ThreadPoolExecutor(jobs)

    def evaluate(path: str) -> tuple[dict[str, Any], bytes]:
        try:
            return read(path, limits, 'evaluate', *arguments, pool=pool)
        except InputError as error:
            answer = {'source': path, 'error': str(error)}
        except Exception as error:  # It is what happened to this recording, whatever it was.
            answer = {'source': path, 'error': f'It cannot be evaluated: {error}'}
        return answer, json.dumps(answer).encode()

    try:
        for future in as_completed([threads.submit(evaluate, path) for path in paths]):
            yield future.result()
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        pool.close()
        threads.shutdown()


_TEMPLATE = Path(__file__).with_name('report_page.html')


def report_page(title: str, recordings: Iterable[bytes]) -> bytes:
    """Return the HTML report on recordings; their contents are only data in it."""
    template = _TEMPLATE.read_text(encoding='utf-8')
    script = template.rpartition('<script>')[2].partition('</script>')[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    texts = {'hash': f"'sha256-{digest}'".encode(), 'title': html.escape(title).encode(
        errors='replace'), 'data': b'[%s]' % b','.join(recordings).replace(b'<', rb'\u003c')}
    # In one pass: the texts may contain anything, the names of places, too.
    return re.sub(b'{(hash|title|data)}', lambda place: texts[place[1].decode()],
                  template.encode())
