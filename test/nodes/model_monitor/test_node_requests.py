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

"""Which nodes the monitor asks, when, and how many at once."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from urdf_tools.doctor.observation import ControllerManager
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.nodes.model_monitor import node_requests
from urdf_tools.nodes.model_monitor.node_requests import AT_ONCE
from urdf_tools.nodes.model_monitor.node_requests import NodeRequests
from urdf_tools.nodes.model_monitor.node_requests import REPEAT
from urdf_tools.nodes.model_monitor.node_requests import REPEAT_CONTROLLERS

MANAGER = 'controller_manager_msgs/srv/ListControllers'
PARAMETERS = 'rcl_interfaces/srv/ListParameters'


class Asked:
    """A request that the test answers."""

    def __init__(self, _node, _kind, name, _request, on_answer):
        self.name, self.be_silent = name, partial(on_answer, None)
        self.over = self.answered = False

    def step(self) -> bool:
        return self.over

    def end(self) -> None:
        self.over = True


class World:
    """A graph of services, a clock, and the requests that were sent."""

    def __init__(self, patch: pytest.MonkeyPatch):
        self.now = 0.0
        self.services: dict[str, str] = {}
        self.asked: list[Asked] = []
        self.requests = NodeRequests(self)
        empty = SimpleNamespace(Request=object)
        kinds = SimpleNamespace(ListControllers=empty, ListHardwareInterfaces=empty)
        patch.setattr(node_requests, 'ServiceRequest', self._request)
        patch.setattr(node_requests.time, 'monotonic', lambda: self.now)
        patch.setattr(node_requests, '_controller_services', lambda: kinds)

    def get_service_names_and_types(self):
        return [(name, [kind]) for name, kind in self.services.items()]

    def _request(self, *arguments):
        self.asked.append(Asked(*arguments))
        return self.asked[-1]

    def ask(self, *nodes: str) -> list[str]:
        """Let a graph of some nodes be asked; return the names of the services that are."""
        self.asked.clear()
        self.requests.ask(nodes)
        self.requests.step()
        return [asked.name for asked in self.asked]


@pytest.fixture
def world(monkeypatch):
    return World(monkeypatch)


def test_each_is_asked_once_in_its_period(world):
    world.services = {'/cm/list_controllers': MANAGER, '/cm/list_parameters': PARAMETERS}
    assert world.ask('/cm') == ['/cm/list_controllers', '/cm/list_parameters']
    for _ in range(5):
        assert world.ask('/cm') == []
    world.now = REPEAT_CONTROLLERS
    assert world.ask('/cm') == ['/cm/list_controllers']
    world.now = REPEAT
    assert world.ask('/cm') == ['/cm/list_controllers', '/cm/list_parameters']


def test_states_are_asked_like_controllers_and_forgotten(world):
    world.services = {'/amcl/get_state': 'lifecycle_msgs/srv/GetState',
                      '/other/get_state': 'other_msgs/srv/GetState'}
    assert world.ask('/amcl', '/other') == ['/amcl/get_state']
    assert world.ask('/amcl', '/other') == []
    world.requests.states['/amcl'] = 'inactive'
    world.now = REPEAT_CONTROLLERS
    assert world.ask('/amcl', '/other') == ['/amcl/get_state']
    assert world.ask() == [] and world.requests.states == {}


def test_few_are_asked_at_once_managers_first_and_all_in_the_end(world):
    names = [f'/n{number}' for number in range(3 * AT_ONCE)]
    world.services = dict.fromkeys((f'{name}/list_parameters' for name in names), PARAMETERS)
    world.services['/cm/list_controllers'] = MANAGER
    found = world.ask(*names)
    assert len(found) == AT_ONCE and found[0] == '/cm/list_controllers'
    while world.requests.pending:
        assert len([asked for asked in world.asked if not asked.over]) == AT_ONCE or (
            set(world.services) == {asked.name for asked in world.asked})
        for asked in world.asked:
            asked.over = True
        world.requests.step()
    assert {asked.name for asked in world.asked} == set(world.services)


def test_who_has_ended_is_not_asked_and_forgotten(world):
    names = [f'/n{number}' for number in range(2 * AT_ONCE)]
    world.services = dict.fromkeys((f'{name}/list_parameters' for name in names), PARAMETERS)
    world.ask(*names)
    asked = list(world.asked)
    world.requests.parameters['/n0'] = NodeParameters()
    world.services.clear()
    assert world.ask() == []
    assert world.requests.parameters == {}
    for request in asked:
        request.over = True
    world.requests.step()
    assert not world.requests.pending


def test_one_that_falls_silent_is_no_longer_known_and_left_alone(world):
    world.services = {'/cm/list_controllers': MANAGER}
    world.ask('/cm')
    world.requests.managers['/cm'] = ControllerManager('/cm')
    (asked,) = world.asked
    asked.over = True
    asked.be_silent()
    assert world.requests.managers == {'/cm': ControllerManager(
        '/cm', silent='list_controllers')}
    world.now = 2 * REPEAT_CONTROLLERS
    assert world.ask('/cm') == []
    world.now = REPEAT
    assert world.ask('/cm') == ['/cm/list_controllers']
    world.services.clear()
    world.asked[0].be_silent()
    assert world.ask() == [] and world.requests.managers == {}


def test_without_their_interfaces_managers_are_named(world, monkeypatch):
    monkeypatch.setattr(node_requests, '_controller_services', lambda: None)
    world.services = {'/cm/list_controllers': MANAGER}
    assert world.ask('/cm') == []
    assert world.requests.unasked == ('/cm',)
    world.services.clear()
    assert world.ask() == []
    assert world.requests.unasked == ()


def test_all_nodes_of_a_large_robot_are_asked_at_once(world):
    names = [f'/n{number}' for number in range(40)]
    world.services = dict.fromkeys((f'{name}/list_parameters' for name in names), PARAMETERS)
    assert len(world.ask(*names)) == 40


class Client:
    """A client of a service that is not there yet."""

    def __init__(self):
        self.ready, self.sent = False, []

    def service_is_ready(self) -> bool:
        return self.ready

    def call_async(self, request):
        self.sent.append(SimpleNamespace(done=lambda: False))
        return self.sent[-1]


def test_a_request_is_sent_as_soon_as_its_service_is_there(monkeypatch):
    """One that had to wait for its service is not a silent one."""
    client, now, silent = Client(), [0.0], []
    node = SimpleNamespace(
        create_client=lambda kind, name: client, destroy_client=lambda ended: None)
    monkeypatch.setattr(node_requests.time, 'monotonic', lambda: now[0])
    request = node_requests.ServiceRequest(
        node, None, '/n/list_parameters', None, silent.append)
    assert not request.step() and not client.sent
    client.ready, now[0] = True, 0.1
    assert not request.step() and len(client.sent) == 1
    now[0] = 0.1 + node_requests.SHORT_PATIENCE
    assert not request.step() and len(client.sent) == 2
    now[0] = node_requests.ATTEMPTS * node_requests.PATIENCE
    assert request.step() and silent == [None]
