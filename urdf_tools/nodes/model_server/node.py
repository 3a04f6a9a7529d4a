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

"""Answer questions about the robot: validation, inertia, link transforms."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import sys
from typing import Any

from rclpy.node import Node

from urdf_tools.nodes.model_server.requests import RequestError
from urdf_tools.ros.process import run
from urdf_tools.ros.process import StartError
from urdf_tools.ros.robot_state.live_robot import LiveRobot
from urdf_tools.ros.robot_state.robot_subscription import RobotSubscription

try:
    from urdf_tools.nodes.model_server import answers
except ModuleNotFoundError as error:
    if not (error.name or '').startswith('urdf_tools_interfaces'):
        raise
    answers = None  # type: ignore[assignment]


class ModelServer(Node):
    """
    Serves the services of urdf_tools_interfaces.

    /robot_description --> LiveRobot <-- /joint_states, /multi_dof_joint_states
    ~/validate, ~/get_inertia, ~/compute_inertia, ~/get_link_transforms --> answers
    """

    _subscription: RobotSubscription | None = None

    def __init__(self) -> None:
        if answers is None:
            raise StartError(
                'urdf_tools_interfaces is not installed; build it with "colcon build '
                '--packages-select urdf_tools_interfaces" and source install/setup.bash')
        super().__init__('model_server')
        self._subscription = RobotSubscription(self)
        self._serve(answers.ValidateModel, 'validate', self._validate)
        self._serve(answers.GetInertia, 'get_inertia', self._with_robot(answers.get_inertia))
        self._serve(answers.ComputeInertia, 'compute_inertia', answers.compute_inertia)
        self._serve(
            answers.GetLinkTransforms, 'get_link_transforms',
            self._with_robot(answers.get_link_transforms))

    def destroy_node(self) -> None:
        if self._subscription is not None:
            self._subscription.end()
        super().destroy_node()

    def _serve(self, kind: Any, name: str, answer: Callable[[Any, Any], None]) -> None:
        def respond(request: Any, response: Any) -> Any:
            try:
                answer(request, response)
            except RequestError as error:
                return kind.Response(success=False, message=str(error))
            response.success = True
            return response
        self.create_service(kind, f'~/{name}', respond)

    def _with_robot(
            self, answer: Callable[[LiveRobot, Any, Any], None]) -> Callable[[Any, Any], None]:
        return lambda request, response: answer(self._robot(), request, response)

    def _validate(self, request: Any, response: Any) -> None:
        text = request.description or self._robot().text
        answers.validate_model(text, request, response)

    def _robot(self) -> LiveRobot:
        assert self._subscription is not None
        live = self._subscription.live
        if live is None:
            raise RequestError(
                f'Waiting for a robot description on {self._subscription.description_topic}')
        return live


def main(args: Sequence[str] | None = None) -> int:
    """Run the node until a signal."""
    return run('model_server', ModelServer, args)


if __name__ == '__main__':
    sys.exit(main())
