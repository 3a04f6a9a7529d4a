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

"""Stand-ins for the controller manager of ros2_control, with prepared responses."""

from __future__ import annotations

from collections.abc import Callable

from controller_manager_msgs.msg import ControllerState
from controller_manager_msgs.msg import HardwareInterface
from controller_manager_msgs.srv import ListControllers
from controller_manager_msgs.srv import ListHardwareInterfaces
from std_msgs.msg import String
from support.graph_peers import Peers
from urdf_tools.doctor.observation import Controller
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import NoExecutor


class PeerControllerManager:
    """
    A node with the services of a controller manager.

    :param interfaces: names of the command interfaces of its hardware, and of the states.
    :param description: topic that it takes its description from; empty if it takes none.
    :param mute: the services that it has, but that do not respond.
    :param asked: called when it is asked for its controllers.
    """

    def __init__(
            self, peers: Peers, space: str, *controllers: Controller,
            interfaces: tuple[str, ...] = ('turn/position', 'slide/position'),
            description: str = 'robot_description', mute: tuple[str, ...] = (),
            asked: Callable[[], None] = lambda: None):
        self.controllers = controllers
        self._interfaces = interfaces
        self._asked = asked
        self.node = node = peers.node('controller_manager', f'/{space}', update_rate=100)
        if description:
            node.create_subscription(
                String, description, print, LATCHED, callback_group=NoExecutor())
        for kind, name, answer in (
                (ListControllers, 'list_controllers', self._list_controllers),
                (ListHardwareInterfaces, 'list_hardware_interfaces', self._list_interfaces)):
            node.create_service(
                kind, f'~/{name}', answer,
                callback_group=NoExecutor() if name in mute else None)

    def _list_controllers(self, _request, response):
        self._asked()
        response.controller = [ControllerState(
            name=controller.name, state=controller.state,
            claimed_interfaces=controller.claimed,
            required_command_interfaces=controller.required,
            required_state_interfaces=controller.required_states)
            for controller in self.controllers]
        return response

    def _list_interfaces(self, _request, response):
        response.command_interfaces, response.state_interfaces = ([
            HardwareInterface(name=name, is_available=True) for name in self._interfaces]
            for _ in range(2))
        return response
