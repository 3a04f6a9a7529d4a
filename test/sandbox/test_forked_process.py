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

"""Workers that are forks of the command, which hold what others do."""

import os
from pathlib import Path
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != 'linux', reason='forks are used on Linux only')

NOT_OF_FORKS = (
    'test_environment_variables_are_not_inherited', 'test_workers_that_cannot_be_started',
    'test_what_a_job_prints_is_not_seen')
"""They have the variables and the standard input of the test, and need no other program."""

PROGRAM = """
import os, threading, time
import urdf_tools.sandbox.forked_process as forked
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.pool import WorkerPool
pool = WorkerPool('support.sandbox_jobs:run', 1, may_fork=True)
def is_fork(threads=1):
    while len(os.listdir('/proc/self/task')) > threads:
        time.sleep(0.01)  # What watched the last job is still ending.
    command = open('/proc/self/cmdline').read()
    pid = pool.run(['process'], Limits(500, 60, 60))[0]
    its = open(f'/proc/{pid}/cmdline').read()
    pool.end()
    return its == command
"""


def program(code):
    """Return what a program prints that has a pool and `is_fork()`."""
    return subprocess.run(
        [sys.executable, '-c', PROGRAM + code], check=True, text=True, stdout=subprocess.PIPE,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}).stdout.split()


@pytest.mark.slow
def test_what_holds_of_workers_holds_of_forks():
    """The tests of workers once more, in a process of one thread."""
    folder = Path(__file__).parent
    ended = subprocess.run(
        [sys.executable, '-m', 'pytest', '-q', '-p', 'support.forking_workers', '-p',
         'no:cacheprovider', folder / 'test_pool.py', folder / 'test_linux.py',
         '-k', ' and '.join(f'not {name}' for name in NOT_OF_FORKS)],
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}, cwd=folder.parents[1],
        capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout
    assert ' passed' in ended.stdout


def test_only_a_program_of_one_thread_and_little_memory_is_forked():
    assert program(
        'print(is_fork())\n'
        'forked.allow_forks()\n'
        'print(is_fork())\n'
        'done = threading.Event()\n'
        'thread = threading.Thread(target=done.wait)\n'
        'thread.start()\n'
        'print(is_fork(threads=2))\n'
        'done.set()\n'
        'thread.join()\n'
        'print(is_fork())\n'
        'large = bytearray(2**28)\n'
        'print(is_fork())\n') == ['False', 'True', 'False', 'True', 'False']


def test_files_above_the_limit_of_open_ones_do_not_matter():
    assert program(
        'import resource\n'
        'forked.allow_forks()\n'
        'os.dup2(0, 200)\n'
        'resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))\n'
        'print(is_fork())\n') == ['True']


def test_open_files_stay_with_the_program(tmp_path):
    """They are neither read nor closed by the fork."""
    (tmp_path / 'secret').write_text('secret')
    assert program(
        'forked.allow_forks()\n'
        f'file = open({str(tmp_path / "secret")!r})\n'
        'got = pool.run(["evaluate", f"os.read({file.fileno()}, 9).decode()"],'
        ' Limits(500, 60, 60))\n'
        'pool.end()\n'
        'print("fork:", got[0], "program:", file.read())') == ['fork:', 'program:', 'secret']
