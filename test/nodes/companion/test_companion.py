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

"""Several nodes in one process: the same as alone, and apart from each other's faults."""

from pathlib import Path
import sys

from diagnostic_msgs.msg import DiagnosticStatus
from node_processes import Process
import pytest
from rcl_interfaces.srv import ListParameters
import rclpy
from urdf_tools.nodes import companion
from urdf_tools.nodes.companion import HostedNode
from urdf_tools.nodes.companion import NODES
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.process import StartError

pytestmark = pytest.mark.slow

ROBOT = '<robot name="tested"><link name="base"/></robot>'

WITHOUT_MEMORY = """
from urdf_tools.nodes import companion as node
from urdf_tools.ros.process import run

def fail():
    raise ImportError('Advice\\non many lines') from {}

node._make_node = lambda name: fail()
raise SystemExit(run('companion', node.Companion))
"""

SCRIPTS = Path(__file__).resolve().parents[3] / 'scripts'

VALIDATOR = 'model_validator: Validation'


@pytest.fixture(scope='module')
def names() -> list[str]:
    """Return the nodes that can run here."""
    try:
        import urdf_tools_interfaces  # noqa: F401
    except ModuleNotFoundError:
        return [name for name in NODES if name != 'model_server']
    return list(NODES)


def is_ok(status):
    return status.level == DiagnosticStatus.OK


def graph_of(client, namespace, name):
    """Return the topics, services and parameters of a node, without its namespace."""
    node = client.node
    client.wait_for(lambda: (name, namespace) in node.get_node_names_and_namespaces(), name)
    lists = [get(name, namespace) for get in (
        node.get_publisher_names_and_types_by_node, node.get_subscriber_names_and_types_by_node,
        node.get_service_names_and_types_by_node)]
    if name == 'model_monitor':
        # It subscribes to the topics of the whole graph.
        del lists[1]
    parameters = client.call(
        ListParameters, f'{namespace}/{name}/list_parameters').result.names
    return [sorted((topic.removeprefix(namespace), kinds) for topic, kinds in found)
            for found in lists], sorted(set(parameters) - {'nodes'})


def test_nodes_are_the_same_as_alone(own_nodes, own_client, names):
    own_nodes.start('companion', {'nodes': names}, ['-r', '__ns:=/together'])
    for name in names:
        own_nodes.start(name, {}, ['-r', '__ns:=/alone'])
    for name in names:
        own_client.wait_for(
            lambda: graph_of(own_client, '/together', name) == graph_of(
                own_client, '/alone', name), f'{name} to be the same')


def test_node_that_is_refused_leaves_the_others_alone(own_nodes, own_client):
    process = own_nodes.start('companion', {
        'nodes': ['inertia_publisher', 'model_validator'], 'shape': 'sphere'})
    own_client.describe(ROBOT)
    own_client.status(VALIDATOR, lambda status: '0 errors' in status.message)
    status = own_client.status('companion: inertia_publisher', lambda status: not is_ok(status))
    assert status.level == DiagnosticStatus.ERROR
    assert status.message.startswith('Not started: Parameter shape is refused')
    process.wait_for_line('FATAL.*inertia_publisher cannot start: Parameter shape is refused')
    assert process.stop() == 0


@pytest.mark.parametrize(('parameters', 'arguments', 'reason'), [
    ({'nodes': ['model_validator', 'doctor']}, [], "'doctor' is not one of model_validator"),
    ({'nodes': ['model_validator'] * 2}, [], "'model_validator' is named more than once"),
    ({'nodes': ['inertia_publisher'], 'shape': 'sphere'}, [], 'No node could start'),
    ({'nodes': ['model_validator']}, ['-r', '__node:=robot'], 'Two nodes are called /robot'),
])
def test_bad_start_ends_with_its_reason(nodes, parameters, arguments, reason):
    process = nodes.start('companion', parameters, arguments)
    assert process.wait() == 1
    assert reason in process.lines[-1]
    assert 'Traceback' not in process.output


@pytest.mark.parametrize('name', sorted(path.name for path in SCRIPTS.iterdir()))
@pytest.mark.parametrize('size', [600_000, 250_000])
def test_too_little_address_space_is_one_error(domain, name, size):
    process = Process(name, [
        'bash', '-c', f'ulimit -v {size}; exec "$@"', 'bash', sys.executable,
        str(SCRIPTS / name)])
    assert process.wait() == 1
    assert process.lines == [
        f'[FATAL] [{name}]: The address space is limited to {size // 1024} MB, and a node needs '
        '768; raise the limit (ulimit -v)']


@pytest.mark.parametrize('error', [
    'MemoryError()', 'RuntimeError("can\'t start new thread")',
    "ImportError('libblas.so: failed to map segment from shared object')",
    "OSError(12, 'Cannot allocate memory')"])
def test_lack_of_memory_ends_the_start(domain, error):
    process = Process('companion', [sys.executable, '-c', WITHOUT_MEMORY.format(error)])
    assert process.wait() == 1
    line, = process.lines
    assert 'model_validator cannot start: There is not enough memory' in line


def test_nodes_that_end_with_an_exception_are_not_called_the_same(domain, monkeypatch, capfd):
    def fail():
        raise KeyError('the fault')

    monkeypatch.setattr(companion, '_make_node', lambda name: fail())
    rclpy.init(domain_id=domain)
    with pytest.raises(StartError, match='No node could start'):
        companion.Companion()
    rclpy.shutdown()
    assert 'Two nodes are called' not in ''.join(capfd.readouterr())


@pytest.fixture
def host(domain):
    """Return a node to host others."""
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=domain)
    node = BaseNode('host', context=context)
    yield node
    node.destroy_node()
    rclpy.try_shutdown(context=context)


def test_node_that_cannot_start_is_left_out(host):
    def fail():
        raise ValueError('evil\n\x1b[31mtext')

    failing = HostedNode(host, 'failing', fail)
    assert failing.start() == ''
    assert failing.refusal == failing.run().message.removeprefix('Not started: ')
    assert failing.refusal.startswith('ValueError: evil')
    assert '\x1b' not in failing.refusal
    assert failing.run().level == Level.ERROR
    assert host.faults.count == 1

    def refuse():
        raise StartError('no')

    refused = HostedNode(host, 'refused', refuse)
    assert refused.start() == ''
    assert refused.run().message == 'Not started: no'
    assert host.faults.count == 1
    for each in (failing, refused):
        each.end()
        each.join()
