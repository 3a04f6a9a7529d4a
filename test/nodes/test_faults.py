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

"""No fault ends a node: not a message that rclpy does not take, and not code that raises."""

import sys

from diagnostic_msgs.msg import DiagnosticArray
from diagnostic_msgs.msg import DiagnosticStatus
from diagnostic_msgs.srv import SelfTest
from node_processes import Process
import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from urdf_tools.nodes.main import NODES
from urdf_tools.ros.topics import LATCHED

try:
    from urdf_tools_interfaces.srv import ComputeInertia
    from urdf_tools_interfaces.srv import GetInertia
    from urdf_tools_interfaces.srv import ValidateModel
except ModuleNotFoundError:
    ValidateModel = None

needs_interfaces = pytest.mark.skipif(
    ValidateModel is None, reason='urdf_tools_interfaces is not installed')

ROBOT = '<robot name="{}"><link name="a"/></robot>'

BAD = """<robot name="bad"><link name="base"/><link name="arm"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
<limit lower="1" upper="-1" effort="1" velocity="1"/></joint>
<joint name="fix" type="fixed"><parent link="arm"/><child link="hand"/></joint></robot>"""

RULE = """
from urdf_tools.check.rules import RULES
from urdf_tools.doctor.rules import GRAPH_RULES

def fail(seen):
    raise KeyError('the fault')

for rules, code in ((RULES, 'limit-inverted'), (GRAPH_RULES, 'joint-states-silent')):
    assert rules[code].check
    object.__setattr__(rules[code], 'check', fail)
"""

VALIDATION = """
from urdf_tools.nodes import model_validator as node
validates = node.validates

def validate(text):
    if 'evil' in text:
        raise KeyError('the fault')
    return validates(text)

node.validates = validate
"""

ANSWERS = """
from urdf_tools.nodes.model_server import answers

def fail(server, request, response):
    raise KeyError('the fault')

for name in ('get_inertia', 'compute_inertia'):
    kind, _, is_quick = answers.SERVICES[name]
    answers.SERVICES[name] = kind, fail, is_quick
"""

RAISED = 'A callback raised an exception, and the node goes on'


@pytest.fixture
def start(own_domain):
    """Return what starts a node that some code has changed."""
    processes = []

    def start(code, name, *arguments):
        processes.append(Process(name, [
            sys.executable, '-c',
            f"{code}\nfrom urdf_tools.nodes.main import main\nmain('{name}')", *arguments]))
        return processes[-1]

    yield start
    for process in processes:
        process.close()


@pytest.mark.parametrize('name', [
    pytest.param(name, marks=[pytest.mark.slow] * (name != 'state_publisher'))
    for name in sorted(NODES.keys() - {'model_server' if ValidateModel is None else ''})])
def test_a_clock_with_a_negative_second(own_nodes, own_client, name):
    if name == 'viewer':
        pytest.importorskip('viser')
    parameters = {'use_sim_time': True, 'robot_description': ROBOT.format('tested')}
    process = own_nodes.start(name, parameters)
    clock = own_client.node.create_publisher(Clock, '/clock', 10)
    own_client.wait_for(clock.get_subscription_count, 'subscriptions')
    negative, later = Clock(), Clock()
    negative.clock.sec, later.clock.sec = -5, 7
    arrays = own_client.subscribe(DiagnosticArray, '/diagnostics')

    def exceptions():
        clock.publish(negative)  # Again and again: the subscription is best effort.
        return next((status for array in arrays for status in array.status
                     if status.name == f'{name}: Exceptions'), None)

    status = own_client.wait_for(exceptions, 'the status of exceptions')
    assert status.level == DiagnosticStatus.ERROR
    assert 'Seconds value must not be negative' in status.message

    def has_time():
        clock.publish(later)
        return any(array.header.stamp.sec == 7 for array in arrays)

    own_client.wait_for(has_time, 'the time of the clock')
    assert process.stop() == 0
    # Once for each node in the process, however many messages there were.
    assert 1 <= process.output.count(RAISED) <= 4


def test_a_parameter_of_an_unknown_type(own_nodes, own_client):
    process = own_nodes.start('state_publisher', {'robot_description': ROBOT.format('tested')})
    unknown = Parameter(name='publish_tf', value=ParameterValue(type=77))
    known = Parameter(name='static_period', value=ParameterValue(type=3, double_value=5.0))
    results = own_client.call(
        SetParameters, 'state_publisher/set_parameters', parameters=[unknown]).results
    assert not results[0].successful
    assert 'has the type 77, which' in results[0].reason
    result = own_client.call(
        SetParametersAtomically, 'state_publisher/set_parameters_atomically',
        parameters=[known, unknown]).result
    assert not result.successful
    assert 'has the type 77, which' in result.reason
    results = own_client.call(
        SetParameters, 'state_publisher/set_parameters', parameters=[known]).results
    assert results[0].successful
    assert process.stop() == 0


def report_of(client, name):
    """Return the messages of the newest report that a node publishes, by code."""
    reports = client.subscribe(DiagnosticArray, f'{name}/report', LATCHED)
    status = client.wait_for(
        lambda: next((array for array in reports if array.status), None), f'{name}/report').status
    return {each.name: each.message for each in status}


@pytest.mark.parametrize('name', ['model_validator', 'companion'])
def test_a_rule_that_raises_costs_one_finding_of_the_validator(start, own_client, name):
    process = start(RULE, name, '--ros-args', '-p', 'nodes:=[model_validator]')
    own_client.describe(BAD)
    report = report_of(own_client, 'model_validator')
    assert 'limit-inverted' in report['internal-error']
    assert "KeyError: 'the fault'" in report['internal-error']
    assert 'child-link-missing' in report
    assert process.stop() == 0
    assert 'Traceback' not in process.output


@needs_interfaces
@pytest.mark.slow
def test_a_rule_that_raises_costs_one_finding_of_the_server(start, own_client):
    process = start(RULE, 'model_server')
    response = own_client.call(ValidateModel, 'model_server/validate', description=BAD)
    assert response.success
    found = {finding.code: finding.message for finding in response.findings}
    assert 'limit-inverted' in found['internal-error']
    assert 'child-link-missing' in found
    assert process.stop() == 0


@pytest.mark.slow
def test_a_rule_that_raises_costs_one_finding_of_the_monitor(start, own_client):
    process = start(RULE, 'model_monitor', '--ros-args', '-p', 'period:=1.0')
    own_client.describe(ROBOT.format('tested'))
    report = report_of(own_client, 'model_monitor')
    text = next(text for code, text in report.items() if code.startswith('internal-error'))
    assert 'joint-states-silent' in text
    assert "KeyError: 'the fault'" in text
    assert process.stop() == 0
    assert 'Traceback' not in process.output


@pytest.mark.slow
@pytest.mark.parametrize('name', ['model_validator', 'companion'])
def test_a_validation_that_raises_leaves_the_last_report(start, own_client, name):
    process = start(VALIDATION, name, '--ros-args', '-p', 'nodes:=[model_validator]')
    own_client.describe(ROBOT.format('good'))
    own_client.status('model_validator: Validation', lambda status: '0 errors' in status.message)
    own_client.describe(ROBOT.format('evil'))
    status = own_client.status('model_validator: Exceptions', lambda status: True)
    assert "KeyError: 'the fault'" in status.message
    answer = own_client.call(SelfTest, 'model_validator/validate')
    assert answer.id == 'good'
    if name == 'companion':
        own_client.status(
            'companion: model_validator', lambda status: 'the fault' in status.message)
    own_client.describe(BAD)
    own_client.status('model_validator: Validation', lambda status: '2 errors' in status.message)
    assert process.stop() == 0
    # The same description, which is transient local, is not validated again and again.
    assert process.output.count(RAISED) == 1


@needs_interfaces
def test_a_request_that_raises_is_answered(start, own_client):
    process = start(ANSWERS, 'model_server')
    own_client.describe(ROBOT.format('tested'))
    for kind, name in ((GetInertia, 'get_inertia'), (ComputeInertia, 'compute_inertia')):
        response = own_client.call(kind, f'model_server/{name}')
        assert not response.success
        assert response.message == "Internal error: KeyError: 'the fault'"
    own_client.wait_for(
        lambda: own_client.call(ValidateModel, 'model_server/validate').success, 'a model')
    assert process.stop() == 0


def test_a_robot_that_raises_leaves_the_last_one(start, own_client):
    process = start("""
from urdf_tools.nodes import inertia_publisher as node
inertia_of = node.RobotInertia

def compute(live):
    if live.robot.name == 'evil':
        raise KeyError('the fault')
    return inertia_of(live)

node.RobotInertia = compute
""", 'inertia_publisher')
    own_client.describe(ROBOT.format('good'))
    own_client.status('inertia_publisher: Model', lambda status: status.message == 'Model loaded')
    own_client.describe(ROBOT.format('evil'))
    status = own_client.status(
        'inertia_publisher: Model', lambda status: status.level == DiagnosticStatus.ERROR)
    assert "Internal error: KeyError: 'the fault'" in status.message
    assert any(value.value == 'good' for value in status.values)
    own_client.describe(ROBOT.format('better'))
    own_client.status('inertia_publisher: Model', lambda status: any(
        value.value == 'better' for value in status.values))
    assert process.stop() == 0


@pytest.mark.slow
def test_joint_states_go_on_after_an_exception(start, own_client):
    process = start("""
from urdf_tools.nodes.state_publisher import tf_pipeline
read = tf_pipeline.JointStateReader.read
faults = [KeyError('the fault')]

def read_or_fail(reader, data):
    if faults:
        raise faults.pop()
    return read(reader, data)

tf_pipeline.JointStateReader.read = read_or_fail
""", 'state_publisher', '--ros-args', '-p', 'robot_description:=' + ROBOT.format('tested'))
    publisher = own_client.node.create_publisher(JointState, 'joint_states', 10)
    own_client.wait_for(publisher.get_subscription_count, 'a subscription')

    def has_come_through(status):
        publisher.publish(JointState(name=['nobody'], position=[0.0]))
        return any('nobody' in value.value for value in status.values)

    own_client.status('state_publisher: Joint states', has_come_through)
    own_client.status('state_publisher: Exceptions', lambda status: 'the fault' in status.message)
    assert process.stop() == 0
