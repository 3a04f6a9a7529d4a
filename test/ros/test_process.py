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

"""A node's process: its threads, and its end by signals."""

import os
from pathlib import Path
import shutil
import signal
import subprocess
import sys

from benchmarks import signals
from node_processes import Process
import pytest
from urdf_tools.ros.process import HUNG

FROZEN = """
import gc
from urdf_tools.ros.process import prepare
from urdf_tools.ros.process import run
prepare('tested')
from urdf_tools.ros.base_node import BaseNode

class Tested(BaseNode):
    def __init__(self):
        super().__init__('tested')
        self.create_timer(0.01, lambda: print(
            'after the start', gc.isenabled(), gc.get_freeze_count(), len(gc.get_objects())))

run('tested', Tested)
"""

HANGING = """
from threading import Event
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros import process

class Tested(BaseNode):
    def __init__(self):
        super().__init__('tested')
        self.create_timer(0.01, self.hang_here)
        if {while_it_starts}:
            self.hang_here()

    def hang_here(self):
        print('hanging')
        Event().wait()

process.START_GRACE, process.GRACE = 0.05, 0.1
raise SystemExit(process.run('tested', Tested))
"""

SLOW_SHUTDOWN = """
#include <dlfcn.h>
#include <unistd.h>
int rcl_shutdown(void * context)
{
  int (*shut_down)(void *) = dlsym(dlopen("librcl.so", RTLD_LAZY), "rcl_shutdown");
  usleep(100000);
  return shut_down(context);
}
"""

SCRIPTS = Path(__file__).resolve().parents[2] / 'scripts'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_impatient_signals_end_a_node_cleanly_too(nodes, number):
    node = nodes.start(
        'state_publisher', {'robot_description': '<robot name="tested"><link name="a"/></robot>'})
    node.wait_for_line('tested')

    while node.running:
        os.kill(node.pid, number)

    assert node.wait() == 0


@pytest.mark.slow
def test_signals_at_random_instants_end_nodes_cleanly(capsys, monkeypatch):
    nodes = [path.name for path in SCRIPTS.iterdir()]
    for name in ('ROS_DOMAIN_ID', 'ROS_AUTOMATIC_DISCOVERY_RANGE'):
        monkeypatch.setenv(name, '0')  # What the program sets is undone.
    assert signals.main(['--instants', '4', '--only', *nodes]) == 0, capsys.readouterr().out


@pytest.mark.skipif(not shutil.which('cc'), reason='there is no C compiler')
def test_a_node_that_no_timer_wakes_ends_while_ros_shuts_down_slowly(
        domain, tmp_path, monkeypatch):
    (tmp_path / 'slow.c').write_text(SLOW_SHUTDOWN)
    library = tmp_path / 'slow.so'
    subprocess.run(['cc', '-shared', '-fPIC', '-o', library, tmp_path / 'slow.c', '-ldl'],
                   check=True)
    monkeypatch.setenv('LD_PRELOAD', str(library))
    process = Process('state_publisher', [
        sys.executable, str(SCRIPTS / 'state_publisher'), '--ros-args',
        '-p', 'robot_description:=<robot name="tested"><link name="a"/></robot>',
        '-p', 'diagnostic_updater.period:=3600.0'])
    process.wait_for_line('tested')
    assert process.stop() == 0
    assert len(process.lines) == 1


@pytest.mark.parametrize(('number', 'module'), [
    (signal.SIGINT, 'lazy_loader'),
    pytest.param(signal.SIGINT, 'urdf_tools.model.messages', marks=pytest.mark.slow),
    pytest.param(signal.SIGINT, 'rclpy', marks=pytest.mark.slow),
    pytest.param(signal.SIGTERM, 'urdf_tools.model.messages', marks=pytest.mark.slow)])
@pytest.mark.parametrize('node', [
    pytest.param(path.name, marks=[pytest.mark.slow] * (path.name != 'state_publisher'))
    for path in sorted(SCRIPTS.iterdir())])
def test_signals_during_the_imports_end_a_node_cleanly(node, number, module):
    # Python names each import on its standard error once the module has been executed.
    process = Process(node, [
        sys.executable, '-v', str(SCRIPTS / node),
        '--ros-args', '-p', 'robot_description:=<robot name="tested"><link name="a"/></robot>'])
    process.wait_for_line(f"import '{module}'")
    assert process.stop(number) == 0
    assert 'Traceback' not in process.output


def threads_of(node):
    """Return the names of the threads of a process by number."""
    return {int(thread.name): (thread / 'comm').read_text()
            for thread in Path(f'/proc/{node.pid}/task').iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize(('name', 'status'), [
    pytest.param('model_validator', 'Validation', marks=pytest.mark.slow),
    ('state_publisher', 'Model')])
def test_no_thread_of_fast_dds_answers_questions_about_types(nodes, client, name, status):
    node = nodes.start(name, {} if name == 'model_validator' else {
        'robot_description': '<robot name="tested"><link name="a"/></robot>'})
    client.status(f'{name}: {status}', lambda _: True)
    threads = threads_of(node).values()
    if not any(thread.startswith('dds.') for thread in threads):
        pytest.skip('Fast DDS is not the middleware')
    assert not any(thread.startswith('dds.tls') for thread in threads)


def test_garbage_is_looked_for_only_among_what_is_created_after_the_start(domain):
    process = Process('tested', [sys.executable, '-c', FROZEN])
    found = process.wait_for_line(r'after the start (\w+) (\d+) (\d+)')
    assert process.stop() == 0
    assert found[1] == 'True'
    assert int(found[2]) > 10 * int(found[3])


@pytest.mark.parametrize('number', [
    signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_node_that_hangs_says_where_and_has_an_exit_code_of_its_own(domain, number):
    process = Process('tested', [
        sys.executable, '-c', HANGING.format(while_it_starts=False)])
    process.wait_for_line('hanging')
    assert process.stop(number) == HUNG == 70
    process.wait_for_line(rf'FATAL.*tested.*Still running 0.1 s after {number.name}.*code 70')
    process.wait_for_line('in hang_here')


def test_a_start_that_hangs_can_be_left(domain):
    process = Process('tested', [
        sys.executable, '-c', HANGING.format(while_it_starts=True)])
    process.wait_for_line('hanging')
    assert process.stop() == 0


def test_enclave_without_its_files_is_one_line(nodes, tmp_path, monkeypatch):
    """A middleware without security says so; one with it misses the certificates."""
    (tmp_path / 'enclaves' / 'empty').mkdir(parents=True)
    for name, value in (('KEYSTORE', str(tmp_path)), ('ENABLE', 'true'), ('STRATEGY', 'Enforce')):
        monkeypatch.setenv(f'ROS_SECURITY_{name}', value)
    process = nodes.start('model_validator', {}, ['--enclave', '/empty'])
    assert process.wait() == 1
    assert 'ROS cannot create the node: ' in process.lines[-1]
    assert 'Traceback' not in process.output
