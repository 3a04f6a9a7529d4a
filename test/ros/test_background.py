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
from rclpy.callback_groups import ReentrantCallbackGroup
from urdf_tools.ros.base_node import end_workers
from urdf_tools.ros.base_node import Worker


@pytest.fixture
def release():
    event = Event()
    yield event
    event.set()


@pytest.fixture
def worker(own_client, release):
    worker = Worker(own_client.node)
    yield worker
    release.set()
    end_workers(worker)


def serve(node, name, callback):
    """Create a service whose requests do not wait for each other, and return a client."""
    node.create_service(SelfTest, name, callback, callback_group=ReentrantCallbackGroup())
    return node.create_client(SelfTest, name)


def slow(worker, started, release):
    """Return a callback that takes until it is released."""
    def compute(response):
        started.append(current_thread())
        release.wait()
        response.id = 'computed'
        return response

    async def respond(_request, response):
        return await worker.run(lambda: compute(response))

    return respond


def test_a_quick_service_answers_beside_two_slow_ones(own_client, release, worker):
    node, started, other = own_client.node, [], Worker(own_client.node)
    clients = [serve(node, name, slow(each, started, release))
               for name, each in (('slow_1', worker), ('slow_2', other))]
    node.create_service(
        SelfTest, 'quick', lambda request, response: SelfTest.Response(id='at once'))
    for client in clients:
        own_client.wait_for(client.service_is_ready, 'the services')
    answers = [client.call_async(SelfTest.Request()) for client in clients]
    own_client.wait_for(lambda: len(started) == 2, 'both requests')
    for _ in range(3):
        assert own_client.call(SelfTest, 'quick').id == 'at once'
    assert not any(answer.done() for answer in answers)
    assert (worker.pending, other.pending) == (1, 1)
    release.set()
    own_client.wait_for(lambda: all(answer.done() for answer in answers), 'all answers')
    assert {answer.result().id for answer in answers} == {'computed'}
    assert (worker.pending, other.pending) == (0, 0)
    assert current_thread() not in started and len(set(started)) == 2
    end_workers(other)


def test_jobs_are_done_one_after_the_other(own_client, release, worker):
    started = []
    client = serve(own_client.node, 'slow', slow(worker, started, release))
    own_client.wait_for(client.service_is_ready, 'the service')
    answers = [client.call_async(SelfTest.Request()) for _ in range(3)]
    own_client.wait_for(lambda: worker.pending == 3 and started, 'all requests')
    assert len(started) == 1
    release.set()
    own_client.wait_for(lambda: all(answer.done() for answer in answers), 'all answers')
    assert len(started) == 3 and len(set(started)) == 1


def test_an_error_in_a_job_is_raised_in_the_callback(own_client, worker):
    caught = []

    async def respond(_request, response):
        try:
            await worker.run(lambda: 1 / 0)
        except ZeroDivisionError as error:
            caught.append(error)
        return response

    serve(own_client.node, 'faulty', respond)
    own_client.call(SelfTest, 'faulty')
    assert len(caught) == 1 and worker.pending == 0


def test_an_error_that_nobody_catches_ends_the_executor(own_client, worker):
    async def respond(_request, _response):
        await worker.run(lambda: 1 / 0)

    client = serve(own_client.node, 'faulty', respond)
    own_client.wait_for(client.service_is_ready, 'the service')
    client.call_async(SelfTest.Request())
    with pytest.raises(ZeroDivisionError):
        own_client.wait_for(lambda: False, 'the error')


def test_nothing_is_begun_after_the_end(own_client, release, worker):
    started = []
    client = serve(own_client.node, 'slow', slow(worker, started, release))
    own_client.wait_for(client.service_is_ready, 'the service')
    for _ in range(2):
        client.call_async(SelfTest.Request())
    own_client.wait_for(lambda: worker.pending == 2 and started, 'both requests')
    worker.end()
    release.set()
    worker.join(60.0)
    assert not started[0].is_alive()
    assert len(started) == 1
