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

"""Descriptions and messages that come again and again: log and memory of a node stay small."""

import gc
from pathlib import Path
import re
import time
from unittest.mock import Mock

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from sensor_msgs.msg import JointState
from urdf_tools.ros import process as memory
from urdf_tools.ros.diagnostics import PERIOD

pytestmark = pytest.mark.slow

GOOD = '<robot name="r"><link name="a"/></robot>'
BAD = '<robot name="r"><link name="a"></robot>'

LINK = """
<link name="l{0}"><inertial><mass value="1"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j{0}" type="continuous"><parent link="l0"/><child link="l{0}"/></joint>"""


def robot(links):
    """Return a description; with 1,500 links it has more than :data:`memory.LARGE` characters."""
    return '<robot name="large"><link name="l0"/>' + ''.join(
        map(LINK.format, range(1, links))) + '</robot>'


@pytest.mark.parametrize('name, parameters, task, logged', [
    ('model_validator', {}, 'Validation', 'error|Valid'),
    ('inertia_publisher', {}, 'Model', 'refused'),
    ('state_publisher', {'use_robot_description_topic': True}, 'Model', 'refused|1 links')])
def test_the_same_descriptions_are_logged_at_a_low_rate(
        own_nodes, own_client, name, parameters, task, logged):
    process = own_nodes.start(name, parameters)

    def describe(text, is_error):
        own_client.describe(text)
        own_client.status(f'{name}: {task}', lambda status: 'No robot' not in status.message and (
            status.level == DiagnosticStatus.ERROR) == is_error)

    begin = time.monotonic()
    for _ in range(50):
        describe(GOOD, False)
        describe(BAD, True)
    periods = 1 + (time.monotonic() - begin) // PERIOD
    assert process.stop() == 0
    lines = [line for line in process.lines if re.search(logged, line)]
    assert 0 < len(lines) <= 3 * periods


def resident(process):
    """Return the resident memory of a process in bytes."""
    with open(f'/proc/{process.pid}/status') as file:
        return int(re.search(r'VmRSS:\s+(\d+)', file.read())[1])


@pytest.mark.parametrize('links', [1500, 20])
def test_memory_of_a_replaced_model_is_returned(own_nodes, own_client, links):
    used = own_nodes.start('inertia_publisher', {}, ['-r', '__node:=used'])
    own_client.describe(robot(6000))
    own_client.status('used: Model', lambda status: status.level == DiagnosticStatus.OK)
    before = resident(used)
    own_client.describe(robot(links))
    own_client.status(
        'used: Model', lambda status: any(value.value == str(links) for value in status.values))
    fresh = own_nodes.start('inertia_publisher', {}, ['-r', '__node:=fresh'])
    own_client.status('fresh: Model', lambda status: status.level == DiagnosticStatus.OK)
    own_client.wait_for(
        lambda: resident(used) <= 1.3 * resident(fresh), 'memory to be returned')
    assert resident(used) < before


def test_memory_of_large_messages_is_returned(own_nodes, own_client):
    """Fast DDS would keep it for each place in the queue of a thousand that model_monitor has."""
    process = own_nodes.start('companion', {'nodes': ['model_server', 'model_monitor']})
    publisher = own_client.node.create_publisher(JointState, 'joint_states', 10)
    own_client.describe(robot(20))
    own_client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    own_client.wait_for(lambda: publisher.get_subscription_count() == 2, 'subscriptions')
    before = resident(process)
    large = JointState(name=['joint_1'] * 30_000, position=[0.0] * 30_000)
    for _ in range(200):
        publisher.publish(large)

    def has_come_through(status):
        publisher.publish(JointState(name=['j1', 'nobody'], position=[0.5, 0.0]))
        return any('nobody' in value.value for value in status.values)

    own_client.status('model_server: Joint states', has_come_through)
    own_client.wait_for(lambda: resident(process) <= 1.3 * before, 'memory to be returned')


@pytest.mark.parametrize('own, profiles', [
    ({}, True), ({'FASTDDS_DEFAULT_PROFILES_FILE': 'own.xml'}, False),
    ({'RMW_FASTRTPS_USE_QOS_FROM_XML': '0'}, False)])
def test_settings_of_the_user_count(own_nodes, own_client, monkeypatch, own, profiles):
    for name, text in own.items():
        monkeypatch.setenv(name, text)
    process = own_nodes.start('model_validator', {})
    own_client.describe(GOOD)
    own_client.status('model_validator: Validation', lambda status: 'error' in status.message)
    threads = [path.read_text() for path in Path(f'/proc/{process.pid}/task').glob('*/comm')]
    if not any(thread.startswith('dds.') for thread in threads):
        pytest.skip('Fast DDS is not the middleware')
    # It answers questions about types, unless our profile is used.
    assert any(thread.startswith('dds.tls') for thread in threads) != profiles


def test_memory_is_returned_for_many_descriptions_at_once_and_later(monkeypatch):
    timers, collected = [], []
    monkeypatch.setattr(memory, 'Timer', lambda *arguments: timers.append(arguments) or Mock())
    monkeypatch.setattr(gc, 'collect', lambda: collected.append(None))
    memory.release_memory_soon('x')
    with monkeypatch.context() as turned_off:
        turned_off.setenv('URDF_TOOLS_RETURN_MEMORY', '0')
        memory.release_memory_soon('x' * memory.LARGE)
    assert not timers
    for delays in [memory.DELAYS] * 2:
        for _ in range(100):
            memory.release_memory_soon('x' * memory.LARGE)
        for delay in delays:
            (found, release), = timers
            timers.clear()
            assert found == delay
            release()
    assert not timers
    assert len(collected) == 4
