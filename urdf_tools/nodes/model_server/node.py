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

"""Answer questions about the robot: validation, inertia, link transforms, Jacobians."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rclpy.callback_groups import ReentrantCallbackGroup

from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.messages import printable
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.ros.base_node import BaseNode
from urdf_tools.ros.base_node import end_workers
from urdf_tools.ros.base_node import Worker
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.live_robot import RobotSubscription
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.parameters import warn_of_unknown
from urdf_tools.ros.process import StartError
from urdf_tools.ros.request_size import MAX_ELEMENTS
from urdf_tools.ros.request_size import MAX_TEXT
from urdf_tools.ros.request_size import RequestError

try:
    from urdf_tools.nodes.model_server import answers
except ModuleNotFoundError as error:
    if not (error.name or '').startswith('urdf_tools_interfaces'):
        raise
    answers = None  # type: ignore[assignment]


QUICK_LINKS = 500
"""Maximum number of links, of a robot and in a request, that the executor answers by itself."""


class ModelServer(BaseNode):
    """
    Serves the services of urdf_tools_interfaces.

    /robot_description --> LiveRobot <-- /joint_states, /multi_dof_joint_states
    ~/validate, ~/convert_to_sdf, ~/account, ~/compute_inertia --> answers, in the background
    ~/get_inertia, ~/get_link_transforms, ~/get_jacobian --> answers
    """

    def __init__(self) -> None:
        if answers is None:
            raise StartError(
                'urdf_tools_interfaces is not installed; build it with "colcon build '
                '--packages-select urdf_tools_interfaces" and source install/setup.bash')
        super().__init__('model_server')
        self._settings = Parameters(self, self._set_limits)
        self._settings.declare_table(
            'model_server', mesh_limits={'check': MeshLimits.parse},
            max_request_size={'default': MAX_TEXT})
        waiting = self._settings['max_waiting_requests']
        self._set_limits()
        self._subscription = RobotSubscription(self)
        workers = [self._serve(name, waiting) for name in answers.SERVICES]
        self.at_end(lambda: end_workers(*workers))
        warn_of_unknown(self)

    def _set_limits(self, _names: Collection[str] = ()) -> None:
        set_mesh_limits(MeshLimits.parse(self._settings['mesh_limits']))

    def _serve(self, name: str, waiting: int) -> Worker:
        """Create a service, and return the worker of its long jobs."""
        kind, answer, is_quick = answers.SERVICES[name]
        subscription, worker = self._subscription, Worker(self)

        def links() -> int:
            return len(subscription.live.robot.links) if subscription.live else 0

        async def respond(request: Any, response: Any) -> Any:
            if is_quick and max(links(), len(getattr(request, 'links', ()))) <= QUICK_LINKS:
                return fill(request, response)
            if worker.pending > waiting:
                return refuse('Too many requests are waiting for this service; try again later')
            return await worker.run(lambda: fill(request, response))

        def fill(request: Any, response: Any) -> Any:
            try:
                answer(Server(
                    self._robot, self._settings['frame_prefix'], subscription.joint_timeout,
                    subscription.loops_file), request, response)
            except RequestError as error:
                return refuse(error)
            response.success = True
            response.message = printable(response.message)
            return response

        def refuse(reason: object) -> Any:
            return kind.Response(success=False, message=printable(str(reason)))

        # In a reentrant group, a request is answered while others are worked on.
        self.create_service(
            kind, f'~/{name}', respond, callback_group=ReentrantCallbackGroup(),
            max_elements=lambda: max(MAX_ELEMENTS, links()),
            max_text=lambda: int(self._settings['max_request_size']))
        return worker

    def _robot(self) -> LiveRobot:
        live = self._subscription.live
        if live is None:
            raise RequestError(
                f'Waiting for a robot description on {self._subscription.description_topic}')
        return live
