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

"""Requests with invalid bytes, which no client of rclpy can send: nodes refuse them, and go on."""

from __future__ import annotations

from pathlib import Path
import random

import pytest
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import ListParameters
from rclpy.serialization import serialize_message
from support.hostile_messages import broken
from support.hostile_messages import hostile_messages
from support.hostile_messages import raw_sender

pytestmark = pytest.mark.slow

LENGTH = slice(4, 8)
"""Where a serialized request that begins with a list has its length."""


@pytest.fixture
def server(own_nodes, own_client):
    """Return a node, as a process, that answers."""
    process = own_nodes.start('model_validator')
    assert own_client.call(ListParameters, 'model_validator/list_parameters').result.names
    return process


@pytest.mark.parametrize('length', [10**6, 2**29, 2**31 - 1, 2**32 - 1])
def test_a_list_that_claims_to_be_long(server, own_client, length):
    send = raw_sender(
        own_client.node, GetParameters.Request, '/model_validator/get_parameters')
    data = bytearray(serialize_message(GetParameters.Request()))
    data[LENGTH] = length.to_bytes(4, 'little')
    for _ in range(3):
        send(bytes(data))
        assert own_client.call(ListParameters, 'model_validator/list_parameters').result.names
    limits = Path(f'/proc/{server.pid}/limits').read_text()
    limit = int(limits.partition('Max address space')[2].split()[0])
    assert limit <= 4608 * 2**20  # The rest of a machine is left to others.
    assert server.stop() == 0


def test_every_field_of_a_request(server, own_client):
    send = raw_sender(
        own_client.node, GetParameters.Request, '/model_validator/get_parameters')
    source = random.Random(50)
    for request in hostile_messages(GetParameters.Request):
        send(broken(serialize_message(request), source))
        response = own_client.call(
            GetParameters, 'model_validator/get_parameters', names=['use_sim_time'])
        assert response.values[0].type == 1
    assert server.stop() == 0
