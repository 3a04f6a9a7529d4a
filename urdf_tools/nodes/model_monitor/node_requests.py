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


"""Service requests to the nodes of a graph: parameters, and controllers of ros2_control."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Generator
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from functools import partial
from importlib import import_module
import time
from typing import Any

from lifecycle_msgs.srv import GetState
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import ListParameters
from rclpy.node import Node
from rclpy.parameter import parameter_value_to_python

from urdf_tools.doctor.graph import in_namespace
from urdf_tools.doctor.graph import parent_of
from urdf_tools.doctor.observation import Controller
from urdf_tools.doctor.observation import ControllerManager
from urdf_tools.doctor.observation import node_parameters
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import parameter_matters

PATIENCE = 2.0
"""Seconds after which a request is repeated."""

SHORT_PATIENCE = 0.5
"""The same for the first time: a server may not know its client yet."""

ATTEMPTS = 3

REPEAT = 60.0
"""Seconds after which a node is asked for its parameters again."""

REPEAT_CONTROLLERS = 10.0
"""Seconds after which a controller manager is asked again: controllers come and go."""

AT_ONCE = 64
"""Maximum number of pending requests."""

_LIST_PARAMETERS, _GET_PARAMETERS = 'list_parameters', 'get_parameters'
_LIST_CONTROLLERS, _LIST_INTERFACES = 'list_controllers', 'list_hardware_interfaces'
_GET_STATE = 'get_state'

ASKED = (_LIST_PARAMETERS, _GET_PARAMETERS, _GET_STATE, _LIST_CONTROLLERS, _LIST_INTERFACES)
"""Services that other nodes are asked by, relative to the node: for security policies."""

_CONTROLLERS_TYPE = 'controller_manager_msgs/srv/ListControllers'
_STATE_TYPE = 'lifecycle_msgs/srv/GetState'


Conversation = Generator[tuple[Any, str, Any], Any, None]
"""
Yields the type and the name of one service after another, with a request to it.

It is sent the responses, or None where there is none.
"""


class NodeRequests:
    """
    Asks every node for its parameters from time to time, and controller managers for more.

    Which parameters a node has is asked first, because to ask for others makes it log a warning.

    :ivar parameters: full name of a node to its parameters.
    :ivar states: full name of a lifecycle node to its state.
    :ivar managers: full name of a controller manager to its controllers.
    :ivar unasked: full names of controller managers whose services are of a package that is not
        installed here.
    """

    def __init__(self, node: Node):
        self.parameters: dict[str, NodeParameters] = {}
        self.states: dict[str, str] = {}
        self.managers: dict[str, ControllerManager] = {}
        self.unasked: tuple[str, ...] = ()
        self._node = node
        self._due: dict[str, float] = {}
        self._next: dict[str, Conversation] = {}
        self._requests: list[ServiceRequest] = []

    @property
    def pending(self) -> bool:
        """Whether there are requests without an answer."""
        return bool(self._next) or not all(request.answered for request in self._requests)

    def ask(self, nodes: Iterable[str]) -> None:
        """Ask nodes that are new or were asked long ago, and forget those that have ended."""
        nodes = list(nodes)
        services = self._services()
        managers = [parent_of(name) for name, kind in services.items()
                    if kind == _CONTROLLERS_TYPE]
        for known, present in ((self.parameters, nodes), (self.states, nodes),
                               (self.managers, managers), (self._due, services),
                               (self._next, services)):
            for name in known.keys() - {*present}:
                del known[name]
        kinds = _controller_services() if managers else None
        self.unasked = () if kinds else tuple(managers)
        if kinds:
            for node in managers:
                self._plan(in_namespace(node, _LIST_CONTROLLERS), REPEAT_CONTROLLERS,
                           self._ask_manager(node, kinds))
        for node in nodes:
            service = in_namespace(node, _LIST_PARAMETERS)
            if service in services:
                self._plan(service, REPEAT, self._ask_parameters(node))
            service = in_namespace(node, _GET_STATE)
            if services.get(service) == _STATE_TYPE:
                self._plan(service, REPEAT_CONTROLLERS, self._ask_state(node))

    def step(self) -> None:
        """Continue with the requests."""
        requests, self._requests = self._requests, []
        self._requests += [request for request in requests if not request.step()]
        while self._next and len(self._requests) < AT_ONCE:
            self._continue(self._next.pop(next(iter(self._next))))

    def end(self) -> None:
        """Stop asking."""
        for request in self._requests:
            request.end()
        self._requests.clear()
        self._next.clear()

    def _services(self) -> dict[str, str]:
        """Return the type of each service in the graph."""
        return {name: types[0] for name, types in self._node.get_service_names_and_types()}

    def _plan(self, name: str, period: float, conversation: Conversation) -> None:
        """Schedule a conversation, unless there was one within the last period."""
        now = time.monotonic()
        if self._due.get(name, now) <= now:
            self._due[name] = now + period
            self._next[name] = conversation

    def _continue(self, conversation: Conversation, answer: Any = None) -> None:
        with suppress(StopIteration):
            self._requests.append(ServiceRequest(
                self._node, *conversation.send(answer), partial(self._continue, conversation)))

    def _ask_parameters(self, node: str) -> Conversation:
        answer = yield (
            ListParameters, in_namespace(node, _LIST_PARAMETERS), ListParameters.Request())
        names = [name for name in answer.result.names if parameter_matters(name)] if answer else []
        if names:
            answer = yield (GetParameters, in_namespace(node, _GET_PARAMETERS),
                            GetParameters.Request(names=names))
        if names and answer:
            self.parameters[node] = node_parameters(
                dict(zip(names, map(parameter_value_to_python, answer.values))))

    def _ask_state(self, node: str) -> Conversation:
        answer = yield GetState, in_namespace(node, _GET_STATE), GetState.Request()
        if answer:
            self.states[node] = answer.current_state.label

    def _ask_manager(self, node: str, kinds: Any) -> Conversation:
        """Ask a controller manager for its controllers, then for the interfaces."""
        begun = time.monotonic()
        answers = []
        for kind, service in ((kinds.ListControllers, _LIST_CONTROLLERS),
                              (kinds.ListHardwareInterfaces, _LIST_INTERFACES)):
            answer = yield kind, in_namespace(node, service), kind.Request()
            if not answer:
                # One that has ended in the meantime is not to blame.
                if in_namespace(node, _LIST_CONTROLLERS) in self._services():
                    self.managers[node] = ControllerManager(node, silent=service)
                    self._back_off(node)
                return
            answers.append(answer)
        self.managers[node] = to_manager(node, *answers)
        if time.monotonic() - begun > PATIENCE:
            self._back_off(node)

    def _back_off(self, node: str) -> None:
        """Back off from a controller manager that is slow."""
        self._due[in_namespace(node, _LIST_CONTROLLERS)] = time.monotonic() + REPEAT


class ServiceRequest:
    """
    A request to a service, sent as soon as the service is there, without waiting for it.

    :param kind: type of the service.
    :param on_answer: called with the response by :meth:`step`, or with None if there is none after
        all attempts.
    :ivar answered: whether there was one.
    """

    def __init__(self, node: Node, kind: Any, name: str, request: Any,
                 on_answer: Callable[[Any], None]):
        self._node = node
        self._client: Any = node.create_client(kind, name)
        self._request = request
        self._on_answer = on_answer
        self._futures: list[Any] = []
        self._due = time.monotonic()
        self._end = self._due + ATTEMPTS * PATIENCE
        self.answered = False

    def step(self) -> bool:
        """
        Send or repeat the request if it is due; return whether it is over, answered or not.

        After the first answer it is not over until every repetition is answered, because a server
        logs an error for each response that has no client left.
        """
        done = [future for future in self._futures if future.done()]
        if done and not self.answered:
            self.answered = True
            response = done[0].result()
            if response is not None:
                self._on_answer(response)
        now = time.monotonic()
        if now >= self._end or self.answered and len(done) == len(self._futures):
            self.end()
            if not self.answered:
                self._on_answer(None)
            return True
        if now >= self._due and not self.answered and len(self._futures) < ATTEMPTS and (
                self._client.service_is_ready()):
            self._due = now + (PATIENCE if self._futures else SHORT_PATIENCE)
            self._futures.append(self._client.call_async(self._request))
        return False

    def end(self) -> None:
        """Stop waiting for a response."""
        self._node.destroy_client(self._client)


@cache
def _controller_services() -> Any:
    """Return the module of the services of controller managers, or None without it."""
    try:
        return import_module('controller_manager_msgs.srv')
    except ModuleNotFoundError:
        return None


def to_manager(node: str, listed: Any, hardware: Any) -> ControllerManager:
    """Return a controller manager from its lists of controllers and of hardware interfaces."""
    controllers = tuple(Controller(
        controller.name, controller.state, tuple(controller.claimed_interfaces),
        tuple(controller.required_command_interfaces),
        tuple(controller.required_state_interfaces)) for controller in listed.controller)
    return ControllerManager(
        node, controllers, tuple(interface.name for interface in hardware.command_interfaces),
        tuple(interface.name for interface in hardware.state_interfaces))
