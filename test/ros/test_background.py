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

"""Long work does not keep a node from anything else."""

from threading import current_thread
from threading import Event

from diagnostic_msgs.srv import SelfTest
import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import SetParameters
from urdf_tools.ros.background import BackgroundService
from urdf_tools.ros.background import PreparedService
from urdf_tools.ros.background import Worker


@pytest.fixture
def release():
    event = Event()
    yield event
    event.set()


def test_other_services_answer_while_one_computes_and_only_some_requests_wait(
        own_client, release):
    node, started = own_client.node, []
    worker = Worker(node, 2)

    def answer(_request, response):
        started.append(True)
        release.wait()
        response.id = 'computed'
        return response

    def refuse():
        return SelfTest.Response(id='Too many')

    BackgroundService(node, SelfTest, 'slow', answer, refuse, worker)
    node.create_service(SelfTest, 'quick', lambda request, response: SelfTest.Response(
        id='at once'))
    client = node.create_client(SelfTest, 'slow')
    own_client.wait_for(client.service_is_ready, 'the service')
    first = client.call_async(SelfTest.Request())
    own_client.wait_for(lambda: started, 'the first request')
    others = [client.call_async(SelfTest.Request()) for _ in range(4)]
    own_client.wait_for(lambda: sum(other.done() for other in others) == 2, 'refusals')
    refused = [other for other in others if other.done()]
    assert {other.result().id for other in refused} == {'Too many'}
    assert own_client.call(SelfTest, 'quick').id == 'at once'
    assert not first.done()
    release.set()
    own_client.wait_for(lambda: all(f.done() for f in (first, *others)), 'all answers')
    assert [f.result().id for f in (first, *others)].count('computed') == 3
    worker.end()


def test_a_job_is_repeated_beside_others(own_client):
    worker, repeated, other = Worker(own_client.node), [], Event()
    worker.repeat(lambda: repeated.append(current_thread()), 3600.0)
    worker.repeat(lambda: repeated.append(current_thread()), 0.001)
    own_client.wait_for(lambda: len(repeated) > 3, 'repetitions')
    assert worker.submit(other.set)
    own_client.wait_for(other.is_set, 'the other job')
    count = len(repeated)
    own_client.wait_for(lambda: len(repeated) > count, 'more repetitions')
    assert current_thread() not in repeated
    worker.end()


def test_quick_answers_come_from_the_executor_in_order(own_client, release):
    node, busy, threads = own_client.node, Event(), []
    worker = Worker(node, 2)

    def answer(_request, response):
        threads.append(current_thread())
        return response

    BackgroundService(node, SelfTest, 'quick', answer, SelfTest.Response, worker, lambda: True)
    own_client.call(SelfTest, 'quick')
    assert threads.pop() is current_thread()
    worker.submit(lambda: (busy.set(), release.wait()))
    busy.wait()
    client = node.create_client(SelfTest, 'quick')
    own_client.wait_for(client.service_is_ready, 'the service')
    later = client.call_async(SelfTest.Request())
    release.set()
    own_client.wait_for(later.done, 'the answer')
    assert threads
    worker.end()


def test_long_requests_are_prepared_and_all_are_answered_in_their_order(own_client, release):
    node, answered, threads = own_client.node, [], []
    worker = Worker(node)

    def answer(request, response):
        answered.append(request.parameters[0].name)
        threads.append(current_thread())
        return response

    def refuse(_request):
        return SetParameters.Response(results=[SetParametersResult(reason='Too many')])

    def prepare(_request):
        threads.append(current_thread())
        release.wait()

    service = node.create_service(SetParameters, 'set', answer)
    PreparedService(node, service, prepare, refuse, worker, lambda request: (
        request.parameters[0].name != 'long'), 2)
    node.create_service(SelfTest, 'other', lambda request, response: SelfTest.Response(id='yes'))
    client = node.create_client(SetParameters, 'set')
    own_client.wait_for(client.service_is_ready, 'the service')

    def ask(name):
        return client.call_async(SetParameters.Request(parameters=[Parameter(name=name)]))

    own_client.wait_for(ask('quick').done, 'a quick answer')
    assert threads == [current_thread()]
    futures = [ask('long')]
    own_client.wait_for(lambda: len(threads) == 2, 'the preparation')
    futures += [ask(name) for name in ('short', 'long', 'last')]
    own_client.wait_for(lambda: any(f.done() for f in futures), 'the refusal')
    assert [f.result().results[0].reason for f in futures if f.done()] == ['Too many']
    assert own_client.call(SelfTest, 'other').id == 'yes'
    assert answered == ['quick']
    release.set()
    own_client.wait_for(lambda: all(f.done() for f in futures), 'all answers')
    assert answered[:2] == ['quick', 'long'] and len(answered) == 4
    assert [thread is current_thread() for thread in threads[:2]] == [True, False]
    worker.end()


def test_latest_job_replaces_those_that_wait(own_client, release):
    worker, done = Worker(own_client.node), []
    started = Event()

    def work(number):
        started.set()
        release.wait()
        done.append(number)

    worker.submit_latest(lambda: work(1))
    assert started.wait(60)
    for number in (2, 3, 4):
        worker.submit_latest(lambda number=number: work(number))
    release.set()
    own_client.wait_for(lambda: 4 in done, 'the last job')
    assert done == [1, 4]
    worker.end()


def test_error_in_a_job_ends_the_executor(own_client):
    worker = Worker(own_client.node)
    worker.submit(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        own_client.wait_for(lambda: False, 'the error')
    worker.end()
