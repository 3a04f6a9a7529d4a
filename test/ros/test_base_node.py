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

"""A node goes on after exceptions in its callbacks, those of rclpy included."""

from threading import Thread
import time

import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import ListParameters
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.task import Future
from std_msgs.msg import String
from std_srvs.srv import Trigger
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import spin
from urdf_tools.ros.diagnostics import fault_status
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.diagnostics import Updater
from urdf_tools.ros.topics import LATCHED

PATIENCE = 60.0


class Bench:
    """A node that spins in a thread, and publishes to itself."""

    def __init__(self, domain):
        self._context = rclpy.Context()
        rclpy.init(context=self._context, domain_id=domain)
        self.node = BaseNode('bench', context=self._context)
        self.executor = SingleThreadedExecutor(context=self._context)
        self.executor.add_node(self.node)
        self._end = Future()
        self._thread = Thread(target=spin, args=(self.executor, self.node, self._end))

    def start(self):
        self._thread.start()

    def wait_for(self, find):
        deadline = time.monotonic() + PATIENCE
        while not find():
            assert self._thread.is_alive() and time.monotonic() < deadline
            time.sleep(0.01)

    def call(self, kind, name, request):
        """Return the response to a request, which never stays unanswered."""
        client = self.node.create_client(kind, name)
        self.wait_for(client.service_is_ready)
        future = client.call_async(request)
        self.wait_for(future.done)
        return future.result()

    def close(self):
        self._end.set_result(None)
        self._thread.join()
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self._context)


@pytest.fixture
def bench(domain):
    bench = Bench(domain)
    yield bench
    bench.close()


def fail(*_):
    raise KeyError('the fault')


async def fail_later(*_):
    raise KeyError('the fault')


@pytest.mark.parametrize('callback', [fail, fail_later])
def test_timers_and_subscriptions_go_on(bench, callback, capfd):
    ticks = []
    bench.node.create_timer(0.01, callback)
    bench.node.create_timer(0.01, lambda: ticks.append(bench.node.faults.count))
    publisher = bench.node.create_publisher(String, 'topic', LATCHED)
    bench.node.create_subscription(String, 'topic', callback, LATCHED)
    publisher.publish(String())
    bench.start()
    bench.wait_for(lambda: len(ticks) > 20 and ticks[-1] > 20)
    assert bench.node.faults.last == "KeyError: 'the fault'"
    logged = ''.join(capfd.readouterr())
    # Once for the timer and once for the subscription.
    assert logged.count('A callback raised an exception, and the node goes on') == 2
    assert f'in {callback.__name__}' in logged


def test_a_message_that_cannot_be_taken_leaves_the_others_alone(bench):
    """The executor of rclpy would wait for its callback to end, and execute no others."""
    texts, ticks = [], []
    publisher = bench.node.create_publisher(String, 'topic', LATCHED)
    bench.node.create_subscription(String, 'topic', lambda message: texts.append(message), LATCHED)
    bench.node.create_timer(0.01, lambda: ticks.append(None))
    take = bench.executor._take_subscription
    bench.executor._take_subscription = fail
    publisher.publish(String(data='lost'))
    bench.start()
    bench.wait_for(lambda: bench.node.faults.count)
    bench.executor._take_subscription = take
    ticks.clear()
    bench.wait_for(lambda: ticks)
    publisher.publish(String(data='later'))
    bench.wait_for(lambda: texts and texts[-1].data == 'later')


@pytest.mark.parametrize('callback', [fail, fail_later])
def test_a_request_is_answered_with_the_exception(bench, callback):
    bench.node.create_service(Trigger, 'ask', callback)
    bench.start()
    response = bench.call(Trigger, 'ask', Trigger.Request())
    assert response == Trigger.Response(
        success=False, message="Internal error: KeyError: 'the fault'")


def test_a_response_without_a_text_is_empty(bench):
    bench.node.create_service(ListParameters, 'ask', fail)
    bench.start()
    assert bench.call(
        ListParameters, 'ask', ListParameters.Request()) == ListParameters.Response()


def test_parameters_before_the_one_that_raises_are_set(bench):
    def refuse(parameters):
        assert parameters[0].name != 'second', 'the fault'
        return SetParametersResult(successful=True)

    bench.node.declare_parameter('first', 1)
    bench.node.declare_parameter('second', 2)
    bench.node.add_on_set_parameters_callback(refuse)
    bench.start()
    results = bench.call(SetParameters, 'bench/set_parameters', SetParameters.Request(parameters=[
        Parameter(name=name, value=ParameterValue(type=2, integer_value=value))
        for name, value in (('first', 5), ('second', 5), ('first', 6))])).results
    assert [result.successful for result in results] == [True, False, False]
    assert 'Internal error: AssertionError: the fault' in results[1].reason
    assert bench.node.get_parameter('first').value == 5


@pytest.mark.parametrize('kind', [SetParameters, SetParametersAtomically])
def test_a_type_that_no_parameter_has_is_refused(bench, kind):
    bench.node.declare_parameter('first', 1)
    bench.start()
    name = 'set_parameters' + '_atomically' * (kind is SetParametersAtomically)
    response = bench.call(kind, f'bench/{name}', kind.Request(parameters=[
        Parameter(name='first', value=ParameterValue(type=2, integer_value=5)),
        Parameter(name='a\nb', value=ParameterValue(type=255))]))
    results = [response.result] if 'atomically' in name else response.results
    assert {result.reason for result in results} == {
        r"'a\nb' has the type 255, which rcl_interfaces/msg/ParameterType does not define; "
        'nothing is set'}
    assert not any(result.successful for result in results)
    assert (bench.node.get_parameter('first').value, bench.node.faults.count) == (1, 0)


def test_diagnostics_tell_of_exceptions(bench):
    assert fault_status(bench.node.faults).level == Level.OK
    statuses = {}
    updater = Updater(bench.node, {'Broken': fail, 'Well': lambda: Status(Level.OK, 'fine')})
    updater._publisher.publish = lambda array: statuses.update(
        {status.name: status for status in array.status})
    updater.publish()
    assert statuses['bench: Well'].message == 'fine'
    assert statuses['bench: Broken'].message == "The status is unknown: KeyError: 'the fault'"
    for status in (statuses['bench: Exceptions'], statuses['bench: Broken']):
        assert status.level == bytes([Level.ERROR])
    bench.node.faults.last_time -= 3600.0
    assert fault_status(bench.node.faults).level == Level.OK
    bench.start()


def test_exceptions_with_long_and_evil_texts(bench, capfd):
    try:
        raise ValueError('\x1b[31m' + 'x' * 100_000)
    except ValueError as error:
        bench.node.faults.add(error)
    logged = ''.join(capfd.readouterr())
    assert '\x1b[31m' not in logged
    assert 'xxx' in logged and len(logged) < 10_000
    bench.start()
