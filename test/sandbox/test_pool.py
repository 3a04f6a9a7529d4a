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

"""Workers: what they are limited to, what becomes of their jobs, how they end."""

from concurrent.futures import ThreadPoolExecutor
import json
import math
import os
import resource
import select
import signal
import struct
import subprocess
import sys
import threading
import time

import pytest

from urdf_tools.sandbox import confinement
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.pool import WorkerPool

JOB = 'support.sandbox_jobs:run'
LIMITS = Limits(memory=500, time=60, wall=60, answer=1)


@pytest.fixture
def pool():
    """Return a pool of two workers, which end with the test."""
    pool = WorkerPool(JOB, 2)
    yield pool
    pool.end()


def run(pool, name, *arguments, **limits):
    """Return the answer of a job."""
    return pool.run([name, *arguments], LIMITS._replace(**limits))[0]


def test_answers_and_bytes_are_those_of_the_job(pool):
    value = {'a': [1, 2.5, None, True, math.inf], 'b': 'ä\ud800\n'}
    assert pool.run(['echo', value], LIMITS, b'\0\xff') == (value, b'\0\xff')


def test_a_worker_is_used_again(pool):
    first = run(pool, 'process')
    assert first != os.getpid()
    assert {run(pool, 'process') for _ in range(3)} == {first}
    pool.end()
    assert run(pool, 'process') != first


def test_a_job_is_done_in_the_current_folder(pool, tmp_path, monkeypatch):
    """A checkout may hold a file that is called like a module; it is not imported."""
    (tmp_path / 'json.py').write_text('raise SystemExit(3)')
    (tmp_path / 'resource.py').write_text('raise SystemExit(3)')
    run(pool, 'echo', 1)
    monkeypatch.chdir(tmp_path)
    assert run(pool, 'folder') == str(tmp_path)
    pool.end()
    assert run(pool, 'folder') == str(tmp_path)


@pytest.mark.slow
def test_a_job_asks_its_parent(pool):
    """Also one that is out of time meanwhile, whose later questions get their own responses."""
    def respond(question, _data):
        time.sleep(0.2 if question == 'slow' else 0)
        return f'{question}!', question.encode()
    request = ['asking', ['a', 'b']]
    assert pool.run(request, LIMITS, respond=respond)[0] == [['a!', 'a'], ['b!', 'b']]
    with pytest.raises(LimitExceeded):
        pool.run(['asking', ['slow'] * 100], Limits(500, 60, 0.1), respond=respond)
    assert pool.run(request, LIMITS, respond=respond)[0] == [['a!', 'a'], ['b!', 'b']]


def test_a_question_that_nobody_responds_to_is_no_answer(pool):
    with pytest.raises(SandboxError, match='malformed'):
        run(pool, 'asking', ['a'])
    assert run(pool, 'echo', 1) == 1


def test_a_job_whose_worker_is_killed_is_tried_again(pool, tmp_path):
    path = tmp_path / 'tried'
    assert run(pool, 'kill_once', str(path)) == 'done'
    with pytest.raises(SandboxError, match='was killed twice'):
        run(pool, 'send_signal', signal.SIGKILL)
    assert run(pool, 'echo', 1) == 1


def test_an_answer_in_advance_is_not_that_of_the_next_job(pool):
    assert run(pool, 'answer_twice', 'forged') == 'forged'
    with pytest.raises(SandboxError, match='malformed'):
        run(pool, 'echo', 1)
    assert run(pool, 'echo', 1) == 1


def test_an_answer_of_another_shape_is_none(pool):
    assert pool.run(['echo', {'a': 3}], LIMITS, shape={'a': int})[0] == {'a': 3}
    with pytest.raises(SandboxError, match='^its answer is malformed$'):
        pool.run(['echo', {'a': True}], LIMITS, shape={'a': int})
    assert run(pool, 'echo', 1) == 1


def test_what_a_job_prints_is_not_seen(pool, capfd):
    assert run(pool, 'talk') == ''
    assert capfd.readouterr() == ('', '')


@pytest.mark.parametrize('job, limits, limit', [
    (['fill_memory'], {}, 'memory'),
    (['loop'], {'time': 0.2}, 'time'),
    (['compute'], {'time': 0.2}, 'time'),
    (['sleep'], {'wall': 0.2}, 'wall'),
    (['ignore_signals'], {'wall': 0.2}, 'wall'),
    (['answer_long', 2**20], {}, 'answer')], ids=lambda value: str(value)[:20])
def test_limits(pool, job, limits, limit):
    """Whether an exception, the system or we end it; the next job has another worker."""
    first = run(pool, 'process')
    with pytest.raises(LimitExceeded) as raised:
        run(pool, *job, **limits)
    assert raised.value.limit == limit
    assert run(pool, 'process') != first


@pytest.mark.parametrize('job, message', [
    (['end', 0], 'its process ended with exit code 0'),
    (['end', 7], 'its process ended with exit code 7'),
    (['send_signal', signal.SIGTERM], 'its process ended with signal SIGTERM'),
    (['close'], 'its process closed its output'),
    (['fail', 'no'], 'ValueError: no')], ids=lambda value: str(value)[:20])
def test_jobs_without_an_answer(pool, job, message):
    run(pool, 'process')
    with pytest.raises(SandboxError) as raised:
        run(pool, *job)
    assert str(raised.value) == message
    assert run(pool, 'echo', 1) == 1


@pytest.mark.parametrize('text', [
    '{}', '[]', '3', 'null', '{"error": 1}', '{"error": "", "limit": "__class__"}', '{"answer"',
    '[' * 100_000, '9' * 10_000])
def test_answers_that_are_none(pool, text):
    with pytest.raises(SandboxError):
        run(pool, 'write', struct.pack('>QQ', len(text), 0).decode('latin-1') + text)
    assert run(pool, 'echo', 1) == 1


def test_limits_are_those_of_each_job(pool):
    assert run(pool, 'limits', memory=400) == [400 * 2**20, 0]
    assert run(pool, 'limits', memory=math.inf, time=math.inf, wall=math.inf)[0] == -1
    assert run(pool, 'limits', memory=450) == [450 * 2**20, 0]


def test_the_limit_on_memory_can_be_lifted_for_a_while():
    before = resource.getrlimit(resource.RLIMIT_AS)
    confinement._limit(resource.RLIMIT_AS, 2**40)
    try:
        with confinement.unlimited_memory():
            assert resource.getrlimit(resource.RLIMIT_AS) == (before[1], before[1])
        assert resource.getrlimit(resource.RLIMIT_AS) == (2**40, before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def test_an_exception_that_a_finalizer_swallows_is_raised_again(monkeypatch):
    class Finalized:
        def __del__(self):
            time.sleep(60)

    swallowed = []
    monkeypatch.setattr(sys, 'unraisablehook', swallowed.append)
    before = signal.signal(signal.SIGALRM, lambda *_: confinement._expire('wall'))
    limits = [(kind, resource.getrlimit(kind)) for kind in (
        resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    try:
        with pytest.raises(confinement.OutOfTime), confinement.limited(math.inf, 60, 0.1):
            Finalized()
            time.sleep(60)
    finally:
        signal.signal(signal.SIGALRM, before)
        for limit in limits:
            resource.setrlimit(*limit)
    assert len(swallowed) == 1
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_many_threads_share_the_workers(pool):
    with ThreadPoolExecutor(8) as threads:
        workers = set(threads.map(lambda _: run(pool, 'process'), range(40)))
    assert len(workers) <= 2
    assert len(pool._idle) <= 2


def test_a_worker_that_was_ended_is_replaced(pool):
    first = run(pool, 'process')
    os.kill(first, signal.SIGTERM)
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    assert run(pool, 'process') != first


def test_jobs_are_interrupted(pool, tmp_path):
    """By another thread, as Ctrl-C in the main thread does it."""
    os.mkfifo(tmp_path / 'started')
    errors = []

    def wait():
        with pytest.raises(SandboxError) as raised:
            run(pool, 'loop', str(tmp_path / 'started'))
        errors.append(raised.value)

    thread = threading.Thread(target=wait)
    thread.start()
    (tmp_path / 'started').read_text()
    pool.interrupt()
    thread.join()
    assert len(errors) == 1
    assert not pool._idle


def test_workers_that_cannot_be_started(pool, monkeypatch):
    def fails(*_arguments, **_options):
        raise OSError(11, 'Resource temporarily unavailable')
    monkeypatch.setattr(subprocess, 'Popen', fails)
    with pytest.raises(WorkerNotStarted, match='^Resource temporarily unavailable$'):
        run(pool, 'echo', 1)


def test_a_worker_ends_with_its_parent(tmp_path):
    """Whatever ends the parent: here a signal that it cannot catch, during an endless job."""
    os.mkfifo(tmp_path / 'started')
    program = (
        'import sys\nfrom urdf_tools.sandbox.limits import Limits\n'
        'from urdf_tools.sandbox.pool import WorkerPool\n'
        f'WorkerPool({JOB!r}, 1).run(["loop", sys.argv[1]], Limits(500, 600, 600))')
    with subprocess.Popen([sys.executable, '-c', program, str(tmp_path / 'started')],
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}) as parent:
        worker = os.pidfd_open(int((tmp_path / 'started').read_text()))
        parent.kill()
    try:
        assert select.select([worker], [], [], 60)[0]
    finally:
        os.close(worker)


def test_a_fork_starts_workers_of_its_own(pool):
    first = run(pool, 'process')
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writer, json.dumps(run(pool, 'process')).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as answers:
        assert json.load(answers) != first
    os.waitpid(child, 0)
    assert run(pool, 'process') == first


@pytest.mark.parametrize('number, reason', [
    (signal.SIGKILL, 'was killed twice'), (signal.SIGSEGV, 'not enough memory'),
    (signal.SIGXCPU, 'takes longer')])
def test_an_isolated_worker_ends_as_its_fork_does(number, reason):
    pool = WorkerPool(JOB, 1, is_isolated=True)
    try:
        with pytest.raises(SandboxError, match=reason):
            pool.run(['send_signal', number], LIMITS)
    finally:
        pool.end()
