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

"""What a xacro file can do to the process that loads it: take some time, and fail."""

from concurrent.futures import ThreadPoolExecutor
import json
import os
from pathlib import Path
import resource
import select
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from urdf_tools.check.workspace import checking
from urdf_tools.check.workspace.checking import check_targets
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.cli import main
from urdf_tools.formats.description_files import load
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro import expansion
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroLimits

HEAD = '<?xml version="1.0"?>\n<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
SLOW = '<!-- wait for {0} --><link name="{1}"/>'
"""A file that is expanded once a pipe is written to."""

ENDLESS = '${max(i for i in range(10**12))}'

ENDING = ('(lambda: [c for c in ().__class__.__bases__[0].__subclasses__() '
          "if c.__name__=='BuiltinImporter'][0].load_module('posix')._exit({}))()")
"""An expression that ends the process that evaluates it."""

MACROS = ''.join(f'<xacro:macro name="m{i}">{f"<xacro:m{i + 1}/>" * 10}</xacro:macro>'
                 for i in range(9))


@pytest.fixture
def xacro_file(tmp_path, monkeypatch):
    """Return a function that writes a xacro file and returns its path."""
    def write(content, name='robot.urdf.xacro'):
        path = tmp_path / name
        path.write_text(f'{HEAD}{content}\n</robot>\n')
        return path
    monkeypatch.chdir(tmp_path)
    return write


@pytest.fixture
def slow_file(xacro_file, monkeypatch):
    """Return a function that writes a xacro file that waits for a pipe, which it makes."""
    monkeypatch.setitem(
        expansion._pools, True, WorkerPool('support.other_xacros:waiting', 2))

    def write(name):
        os.mkfifo(f'{name}.pipe')
        return xacro_file(SLOW.format(f'{name}.pipe', name), f'{name}.xacro')
    yield write
    expansion._pools[True].end()


def state():
    """Return what the whole process shares, and a library leaves alone."""
    return ([resource.getrlimit(kind) for kind in (
                resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE)],
            [signal.getsignal(number) for number in (
                signal.SIGALRM, signal.SIGPROF, signal.SIGXCPU, signal.SIGINT, signal.SIGPIPE)],
            signal.getitimer(signal.ITIMER_PROF), signal.pthread_sigmask(signal.SIG_BLOCK, ()),
            sys.stdin, sys.stdout, sys.stderr, os.getcwd(), dict(os.environ), list(sys.path),
            sys.modules.get('xacro'))


def test_other_threads_and_signals_are_left_alone(slow_file, capfd):
    """While the main thread loads a slow file, another one prints and allocates."""
    path = slow_file('a')
    alarms, seen = [], []

    def work():
        with open('a.pipe', 'w'):  # Opens as soon as the worker reads it.
            seen.append(state())
            print('printed while xacro expands', flush=True)
            print('an error', file=sys.stderr, flush=True)
            seen.append(np.empty(150_000_000).nbytes)
            while len(alarms) < 3:
                time.sleep(0.01)

    handler = signal.signal(signal.SIGALRM, lambda *_: alarms.append(threading.current_thread()))
    before = state()
    thread = threading.Thread(target=work)
    thread.start()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        robot = load(path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        thread.join()
    assert robot.root == 'a'
    assert seen == [before, 1_200_000_000]
    assert set(alarms) == {threading.main_thread()}
    assert capfd.readouterr() == ('printed while xacro expands\n', 'an error\n')
    signal.signal(signal.SIGALRM, lambda *_: None)
    assert state()[0] == before[0] and state()[2:] == before[2:]
    signal.signal(signal.SIGALRM, handler)


def test_two_files_are_expanded_at_once(slow_file):
    """Each waits for its pipe; that of the one that was begun last is closed first."""
    before = state()
    paths = [slow_file(name) for name in 'ab']
    with ThreadPoolExecutor(2) as threads:
        robots = [threads.submit(load, path) for path in paths]
        with open('a.pipe', 'w'), open('b.pipe', 'w') as last:  # Both are being read.
            assert state() == before
            last.close()
            assert robots[1].result().root == 'b'
            assert not robots[0].done()
        assert robots[0].result().root == 'a'
    assert state() == before


@pytest.mark.parametrize('content, message, line', [
    (f'{MACROS}<xacro:macro name="m9"><link name="x"/></xacro:macro>\n<xacro:m0/>',
     'it takes longer than 0.5 s', 3),
    ('\n<xacro:include filename="fifo"/>', 'It is a named pipe', 4),
    ('\n<link name="${xacro.load_yaml(\'fifo\')}"/>', 'It is a named pipe', 4),
    (f'\n<link name="{ENDLESS}"/>', 'it takes longer than 0.5 s', 4),
    ('\n<link name="${9**9**9}"/>', 'it takes longer than 0.5 s', None),
    ('\n<link name="${[i for i in range(10**12)]}"/>', '0.5 s|not enough memory', None),
    ('\n<link name="${\'a\' * (2 * 10**9)}"/>', 'there is not enough memory', 4),
    ('<xacro:macro name="m"><xacro:m/></xacro:macro>\n<xacro:m/>', 'without end', 3),
    ('\n<xacro:include filename="robot.urdf.xacro"/>', 'without end', 4),
    ('\n<xacro:include filename="/dev/zero"/>', 'It is not a regular file', 4)],
    ids=lambda value: str(value)[-30:])
def test_files_that_take_too_much(xacro_file, content, message, line):
    os.mkfifo('fifo')
    path = xacro_file(content)
    before = state()
    seconds = 60 if 'without end' in message or 'there' in message else 0.5
    with pytest.raises(DescriptionError, match=f'xacro cannot expand the file: .*({message})'
                       ) as raised:
        open_document(path, budget=XacroBudget(XacroLimits(time=seconds, total_time=60)))
    assert raised.value.kind is ErrorKind.XACRO
    if 'without end' in message:
        assert len(raised.value.hint) < 2000
    elif line is not None:
        assert raised.value.line == line
        assert raised.value.source == str(path)
    assert state() == before
    assert load(xacro_file('<link name="${1 + 1}"/>')).root == '2'


@pytest.mark.parametrize('number, times, message', [
    (signal.SIGTERM, 1, 'its process ended with signal SIGTERM'),
    (signal.SIGKILL, 2, 'its process was killed twice')])
def test_a_worker_that_is_killed(slow_file, number, times, message):
    path = slow_file('a')
    with ThreadPoolExecutor(1) as thread:
        robot = thread.submit(load, path)
        killed = set()
        while len(killed) < times:
            with open('a.pipe', 'w'):
                worker, = expansion._pools[True]._busy
                if worker.pid not in killed:
                    os.kill(worker.pid, number)
                    killed.add(worker.pid)
        with pytest.raises(DescriptionError, match=message):
            robot.result()


@pytest.mark.parametrize('code', [0, 7])
def test_a_check_does_not_pass_because_the_process_ends(xacro_file, monkeypatch, capsys, code):
    monkeypatch.setitem(
        expansion._pools, True, WorkerPool('support.other_xacros:unguarded', 1))
    xacro_file(f'<link name="${{{ENDING.format(code)}}}"/>')
    assert main(['check', 'robot.urdf.xacro']) == 2
    assert f'its process ended with exit code {code} [xacro-failed]' in capsys.readouterr().out


def test_a_long_result_is_the_error_of_a_long_description(xacro_file):
    path = xacro_file(''.join(f'<link name="{i}${{4000000 * \'x\'}}"/>' for i in range(9)))
    with pytest.raises(DescriptionError, match='at most 33554432 are read') as raised:
        open_document(path)
    assert raised.value.kind is ErrorKind.TOO_LARGE
    assert raised.value.source == f'{path} (expanded)'


def test_an_expansion_ends_with_its_parent(slow_file):
    """Also in the middle of an endless one; what it reads is closed then."""
    path = slow_file('a')
    program = (
        'import sys\nfrom urdf_tools import load\nfrom urdf_tools.xacro import expansion\n'
        'from urdf_tools.sandbox.pool import WorkerPool\n'
        'expansion._pools[True] = WorkerPool("support.other_xacros:waiting", 1)\n'
        'load(sys.argv[1])')
    with subprocess.Popen([sys.executable, '-c', program, path], env={
            **os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)}) as parent:
        pipe = os.open('a.pipe', os.O_WRONLY)
        parent.kill()
    try:
        poll = select.poll()
        poll.register(pipe, 0)  # An error is reported when nobody reads it any more.
        assert poll.poll(60_000)
    finally:
        os.close(pipe)


@pytest.mark.slow
@pytest.mark.parametrize('jobs', [1, 2])
def test_all_combinations_of_arguments_share_a_budget(xacro_file, monkeypatch, jobs):
    path = xacro_file(f'<link name="$(arg n){ENDLESS}"/><xacro:arg name="n" default="a"/>')
    monkeypatch.setattr(checking, 'XacroBudget', lambda: XacroBudget(
        XacroLimits(time=1.0, total_time=2.5)))
    target = Target(str(path), combinations=[{'n': str(number)} for number in range(20)])
    other = Target(str(xacro_file('<link name="a"/>', 'other.xacro')))
    result, passed = check_targets([target, other], jobs)
    messages = {finding.message: finding for finding in result.report.findings}
    assert set(messages) == {
        'xacro cannot expand the file: it takes longer than 1 s',
        'xacro cannot expand the file: the expansions with all combinations of arguments take '
        'longer than 2.5 s'}
    assert result.exit_code == 2
    assert passed.exit_code == 0


def test_a_file_of_a_folder_has_limits(xacro_file, monkeypatch, capsys):
    """Whatever takes the time: here what is no expansion, since xacro has limits of its own."""
    program = Path('loop.py')
    program.write_text('def check(request, data):\n    while True:\n        pass\n')
    monkeypatch.syspath_prepend(os.getcwd())
    monkeypatch.setattr('urdf_tools.check.workspace.checking.WorkerPool',
                        lambda _job, processes: WorkerPool('loop:check', processes))
    monkeypatch.setattr('urdf_tools.check.workspace.checking.SECONDS', 0.5)
    for name in 'ab':
        xacro_file('<link name="a"/>', f'{name}.urdf')
    assert main(['check', '.', '--jobs', '2', '--format', 'json']) == 1
    reports = json.loads(capsys.readouterr().out)['reports']
    for report in reports:
        finding, = report['findings']
        assert finding['message'].startswith('The check failed at pool.py:')
        assert finding['message'].endswith(': it takes longer than 0.5 s')
