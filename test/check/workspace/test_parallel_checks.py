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

"""Checks in several processes."""

from importlib.util import find_spec
import json
import os
import re
import signal
import subprocess
import sys
from unittest.mock import Mock
from xml.etree import ElementTree

import pytest

from urdf_tools.check.workspace.checking import check_in_worker
from urdf_tools.check.workspace.checking import check_targets
from urdf_tools.check.workspace.checking import checked_in_processes
from urdf_tools.check.workspace.checking import TimeLimit
from urdf_tools.check.workspace.checking import unpacked
from urdf_tools.check.workspace.target_selection import find_targets
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.cli import main
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.xacro.files import XacroBudget

pytestmark = pytest.mark.slow

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')
URDF = '<robot name="{0}"><link name="base_link"/>\n<link name="{0}" x="1"/></robot>'


def dying_worker(request, text):
    """End the process that gets certain descriptions."""
    if unpacked(request)[0].source in ('b.urdf', 'f.urdf'):
        os._exit(7)
    return check_in_worker(request, text)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with descriptions, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for name in 'abcdefg':
        (tmp_path / f'{name}.urdf').write_text(URDF.format(name))
    (tmp_path / 'h.urdf').write_text('<robot')
    return tmp_path


@pytest.mark.parametrize('options', [
    [], ['--format', 'json'], ['--format', 'sarif'], ['--format', 'github'],
    ['--format', 'junit'], ['-v', '--level', 'info']], ids=' '.join)
def test_results_are_those_of_one_process(folder, capsys, options):
    (folder / 'i.urdf.xacro').write_text(URDF.format('${1 / 0}'))
    outputs = []
    for jobs in '1', '3':
        code = main(['check', '.', 'missing.urdf', '--jobs', jobs, *options])
        outputs.append((code, capsys.readouterr()))
    assert outputs[0] == outputs[1]
    assert outputs[0][0] == 2


@pytest.mark.parametrize('jobs', ['1', '3'])
def test_time_limit_of_all_files(folder, capsys, jobs):
    assert main(['check', '.', '--jobs', jobs, '--time-limit', '1e-6', '--format', 'json']) == 2
    findings = [report['findings'] for report in json.loads(capsys.readouterr().out)['reports']]
    assert [[(each['message'], each['hint']) for each in found] for found in findings] == 8 * [[(
        'Not checked, as all files together take longer than 1e-06 s',
        'Raise the limit with --time-limit')]]


@NEEDS_XACRO
def test_check_in_progress_when_the_time_is_over(folder, capsys):
    (folder / 'i.urdf.xacro').write_text(
        '<robot name="i" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<link name="${9**9**9}"/></robot>')
    files = ['a.urdf', 'i.urdf.xacro', 'b.urdf']
    assert main(['check', *files, '--jobs', '2', '--time-limit', '6']) == 2
    output = capsys.readouterr().out
    assert 'i.urdf.xacro: error: Not checked, as all files together take longer than 6 s' in output
    assert 'internal-error' not in output


@pytest.mark.skipif(sys.platform != 'linux', reason='only Linux limits memory')
@pytest.mark.parametrize('megabytes', range(50, 180, 20))
def test_lack_of_memory_is_reported_as_such(folder, megabytes):
    result = subprocess.run(
        ['sh', '-c', 'ulimit -v "$1"; shift; exec "$@"', 'sh', str(megabytes * 1024),
         sys.executable, '-m', 'urdf_tools.cli', 'check', 'a.urdf', '--jobs', '1'],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # libxml2 calls lxml back, which can only print that it has no memory, and goes on.
    assert 'Traceback' not in re.sub(
        r'Traceback [^\n]*\n(?: +[^\n]*\n)*? *File "src/lxml/[^\n]*\n(?: +[^\n]*\n)*'
        r'MemoryError[^\n]*\n', '', result.stdout)
    assert 'internal-error' not in result.stdout
    assert ('emory' in result.stdout) == ('a.urdf: 1 error' not in result.stdout
                                          or result.returncode == 2)


@pytest.mark.parametrize('name', ['validator.account_of', 'workspace.checking.validate'])
def test_lack_of_memory_anywhere_in_a_check(folder, capsys, monkeypatch, name):
    monkeypatch.setattr(f'urdf_tools.check.{name}', Mock(side_effect=MemoryError))
    assert main(['check', 'a.urdf']) == 2
    assert capsys.readouterr().out.splitlines()[1:3] == [
        'a.urdf: error: There is not enough memory to check it [file-unreadable]',
        '      = Raise the limit on memory (ulimit -v)']


def test_results_come_in_order_and_before_all_are_there(folder):
    results = check_targets(find_targets(['.']).targets, jobs=2)
    assert next(results).target.source == 'a.urdf'
    assert [result.report.robot for result in results] == ['b', 'c', 'd', 'e', 'f', 'g', '']


def test_a_process_that_dies(folder, monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))
    monkeypatch.setattr(
        'urdf_tools.check.workspace.checking.WorkerPool',
        lambda _job, processes: WorkerPool('test_parallel_checks:dying_worker', processes))
    limit = TimeLimit(3600)
    checks = [(Target(f'{name}.urdf'), XacroBudget(), limit) for name in 'abcdefg']
    results = list(checked_in_processes(checks, 2))
    assert [result.report.robot for result in results] == ['a', '', 'c', 'd', 'e', '', 'g']
    for index in 1, 5:
        finding, = results[index].report.findings
        assert finding.code == 'internal-error'
        assert finding.message.startswith('The check failed at pool.py:')
        assert finding.message.endswith(': its process ended with exit code 7')


def test_processes_that_cannot_be_started(folder, capsys, monkeypatch):
    def fails(*_arguments, **_options):
        raise OSError(11, 'Resource temporarily unavailable')
    monkeypatch.setattr(subprocess, 'Popen', fails)
    assert main(['check', '.', '--jobs', '2']) == 2
    assert capsys.readouterr().err == (
        'urdf-tools: Cannot start a process: Resource temporarily unavailable. Use --jobs 1\n')


def test_an_exception_hides_no_other_result(folder, monkeypatch):
    def fails(*_arguments, **_options):
        raise RuntimeError('a bug')
    monkeypatch.setattr('urdf_tools.check.workspace.checking.validate', fails)
    result, = check_targets([Target('a.urdf')])
    assert 'RuntimeError: a bug' in result.report.findings[0].message
    assert result.exit_code == 1


def test_a_text_and_files_with_processes(folder, monkeypatch):
    found = check_targets([Target('<stdin>', text=b'<robot/>'), Target('a.urdf')], jobs=2)
    assert [result.report.robot for result in found] == ['', 'a']


COMMAND = [sys.executable, '-m', 'urdf_tools.cli', 'check', '.', '--jobs', '2']


@NEEDS_XACRO
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_processes(folder, number):
    """One of them is reading a pipe, which nobody writes to."""
    os.mkfifo(folder / 'pipe')
    (folder / 'a.xacro').write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="a"/>'
        '<xacro:include filename="pipe"/></robot>')
    command = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(folder / 'pipe', 'wb', buffering=0) as pipe:  # Opens when a process reads it.
        command.send_signal(number)
        _, err = command.communicate(timeout=60)
        assert (command.returncode, err) == (128 + number, b'')
        with pytest.raises(BrokenPipeError):
            while True:
                pipe.write(b' ' * 100)


def test_output_that_nobody_reads(folder):
    command = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    command.stdout.close()
    assert command.stderr.read() == b''
    assert command.wait(60) == 141


@pytest.mark.parametrize('jobs', ['0', '-1', 'x', '1.5'])
def test_numbers_of_processes(folder, capsys, jobs):
    with pytest.raises(SystemExit):
        main(['check', '.', '--jobs', jobs])
    assert 'is not a number of processes from 1 to 1024' in capsys.readouterr().err


def test_several_outputs(folder, capsys):
    assert main(['check', '.', '--output', 'junit=r.xml', '--output', 'json=r.json',
                 '--output', 'text=r.txt']) == 1
    assert (folder / 'r.txt').read_text() == capsys.readouterr().out
    suite = ElementTree.parse(folder / 'r.xml').getroot().find('testsuite')
    assert {name: suite.get(name) for name in ('tests', 'failures', 'errors', 'skipped')} == {
        'tests': '8', 'failures': '8', 'errors': '0', 'skipped': '0'}
    first = suite.find('testcase')
    assert (first.get('name'), first.get('classname')) == ('a.urdf', 'urdf-tools.check')
    assert 'a.urdf:2:1: error: ' in first.find('failure').text
    assert (folder / 'r.json').stat().st_mode & 0o777 == (
        folder / 'a.urdf').stat().st_mode & 0o777


@pytest.mark.parametrize('value, words', [
    ('junit', 'is not of the form FORMAT=FILE'),
    ('pdf=a', 'formats are text, github, json, junit, sarif'),
    ('json=', 'is not of the form'), ('json=no/such/a.json', 'the folder of')])
def test_outputs_that_cannot_be_written(folder, capsys, value, words):
    with pytest.raises(SystemExit):
        main(['check', '.', '--output', value])
    assert words in capsys.readouterr().err
