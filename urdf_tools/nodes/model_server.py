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

"""Answer questions about the robot: validation, inertia, poses of links."""

from __future__ import annotations

import sys

from rclpy.node import Node

from urdf_tools.ros.configuration import LiveRobot
from urdf_tools.ros.configuration import RequestError
from urdf_tools.ros.robot_subscription import RobotSubscription
from urdf_tools.ros.running import run
from urdf_tools.ros.running import StartError

try:
    from urdf_tools.ros import services
except ModuleNotFoundError as error:
    if not error.name.startswith('urdf_tools_interfaces'):
        raise
    services = None


class ModelServer(Node):
    """
    Serves what urdf_tools_interfaces defines.

    /robot_description --> LiveRobot <-- /joint_states, /multi_dof_joint_states
    ~/validate, ~/get_inertia, ~/compute_inertia, ~/get_link_transforms --> answers
    """

    _subscription: RobotSubscription | None = None

    def __init__(self):
        if services is None:
            raise StartError(
                'urdf_tools_interfaces is not there; build it with "colcon build '
                '--packages-select urdf_tools_interfaces" and source install/setup.bash')
        super().__init__('model_server')
        self._subscription = RobotSubscription(self)
        self._serve(services.ValidateModel, 'validate', self._validate)
        self._serve(services.GetInertia, 'get_inertia', self._with_robot(services.get_inertia))
        self._serve(services.ComputeInertia, 'compute_inertia', services.compute_inertia)
        self._serve(
            services.GetLinkTransforms, 'get_link_transforms',
            self._with_robot(services.get_link_transforms))

    def destroy_node(self):
        if self._subscription is not None:
            self._subscription.end()
        super().destroy_node()

    def _serve(self, kind, name, answer):
        def respond(request, response):
            try:
                answer(request, response)
            except RequestError as error:
                return kind.Response(success=False, message=str(error))
            response.success = True
            return response
        self.create_service(kind, f'~/{name}', respond)

    def _with_robot(self, answer):
        return lambda request, response: answer(self._robot(), request, response)

    def _validate(self, request, response):
        text = request.description or self._robot().text
        services.validate_model(text, request, response)

    def _robot(self) -> LiveRobot:
        live = self._subscription.live
        if live is None:
            raise RequestError(
                f'Waiting for a robot description on {self._subscription.description_topic}')
        return live


def main(args=None) -> int:
    """Run the node until a signal."""
    return run(ModelServer, args)


if __name__ == '__main__':
    sys.exit(main())
