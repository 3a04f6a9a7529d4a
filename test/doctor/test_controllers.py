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


"""The responses of a controller manager as records: its interfaces are not everywhere."""

from types import SimpleNamespace

import pytest

from urdf_tools.doctor.observation import Controller
from urdf_tools.doctor.observation import ControllerManager

ARM = Controller('arm_controller', 'active', ('lift/position', 'wrist_1/position'),
                 ('lift/position', 'wrist_1/position'), ('lift/position', 'wrist_1/position'))
INTERFACES = ('lift/position', 'lift/velocity', 'wrist_1/position')


def test_responses_become_records():
    questions = pytest.importorskip(
        'urdf_tools.nodes.model_monitor.node_requests', reason='ROS 2 is not sourced')
    listed = SimpleNamespace(controller=[SimpleNamespace(
        name='arm_controller', state='active', claimed_interfaces=list(ARM.claimed),
        required_command_interfaces=list(ARM.required),
        required_state_interfaces=list(ARM.required_states))])
    manager = questions.to_manager('/controller_manager', listed, SimpleNamespace(
        command_interfaces=[SimpleNamespace(name=name) for name in INTERFACES],
        state_interfaces=[SimpleNamespace(name='lift/position')]))
    assert manager == ControllerManager(
        '/controller_manager', (ARM,), INTERFACES, ('lift/position',))
