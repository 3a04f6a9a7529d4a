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


"""A request to a service that may answer late or never."""

import pytest
from rclpy.task import Future
from urdf_tools.nodes.model_monitor import node_requests
from urdf_tools.nodes.model_monitor.node_requests import ATTEMPTS
from urdf_tools.nodes.model_monitor.node_requests import PATIENCE
from urdf_tools.nodes.model_monitor.node_requests import ServiceRequest


class Client:
    """A service that the test answers, and the clock."""

    def __init__(self, patch):
        self.now, self.futures, self.ended = 0.0, [], False
        patch.setattr(node_requests.time, 'monotonic', lambda: self.now)

    def create_client(self, _kind, _name):
        return self

    def destroy_client(self, _client):
        self.ended = True

    def service_is_ready(self):
        return True

    def call_async(self, _request):
        self.futures.append(Future())
        return self.futures[-1]


@pytest.fixture
def client(monkeypatch):
    return Client(monkeypatch)


def ask(client, heard):
    return ServiceRequest(client, None, '/service', None, heard.append)


def test_an_answer_ends_it(client):
    heard = []
    asked = ask(client, heard)
    assert not asked.step() and not asked.answered
    client.futures[0].set_result('answer')
    assert asked.step()
    assert (heard, len(client.futures), client.ended) == (['answer'], 1, True)


def test_it_is_repeated_and_ends_in_silence(client):
    heard = []
    asked = ask(client, heard)
    while not asked.step():
        client.now += PATIENCE / 2
    assert (heard, len(client.futures), client.ended) == ([None], ATTEMPTS, True)
    assert client.now == ATTEMPTS * PATIENCE


def test_late_answers_are_listened_to(client):
    heard = []
    asked = ask(client, heard)
    asked.step()
    client.now = PATIENCE
    asked.step()
    client.futures[0].set_result('late')
    assert not asked.step() and asked.answered
    client.futures[1].set_result('later')
    assert asked.step()
    assert (heard, client.ended) == (['late'], True)


def test_late_answers_are_not_listened_to_for_ever(client):
    heard = []
    asked = ask(client, heard)
    asked.step()
    client.now = PATIENCE
    asked.step()
    client.futures[1].set_result('late')
    while not asked.step():
        client.now += PATIENCE / 2
    assert (heard, len(client.futures), client.ended) == (['late'], 2, True)
