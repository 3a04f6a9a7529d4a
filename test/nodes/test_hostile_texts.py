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

"""Hostile texts on topics, in parameters and in services: nodes go on, and log printable lines."""

import re

import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.srv import ListParameters
from rcl_interfaces.srv import SetParameters
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import JointState
from support.text_answers import over_the_network
from support.text_positions import descriptions
from support.text_positions import TEXTS
from urdf_tools.nodes.main import NODES

GOOD = '<robot name="good"><link name="a"/></robot>'

OLD = {'arm': 'elbow', 'gazebo': 'left_joint', 'loops': 'crank', 'sensors': 'camera_link'}
"""A name in each description that is another text."""


def renamed(name, text):
    """Return a description with a hostile name, as it comes over the network."""
    described = descriptions()[name]
    first = next(each for each in described.positions()
                 if described.text_at(each) == OLD[name])
    return over_the_network(described.changed(described.same(first), text)['robot.urdf'])


def set_parameter(client, node, name, text):
    value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=text)
    result, = client.call(SetParameters, f'{node}/set_parameters', parameters=[
        Parameter(name=name, value=value)]).results
    assert result.reason.isprintable(), result.reason
    return result.successful


@pytest.mark.parametrize('name', [
    pytest.param(name, marks=[pytest.mark.slow] * (name != 'state_publisher'))
    for name in sorted(NODES)])
def test_nodes_go_on(own_nodes, own_client, name):
    if name == 'viewer':
        pytest.importorskip('viser')
    if name == 'model_server':
        pytest.importorskip('urdf_tools_interfaces')
    process = own_nodes.start(name, {'robot_description': GOOD})
    names = own_client.call(ListParameters, f'{name}/list_parameters').result.names
    states = own_client.node.create_publisher(JointState, 'joint_states', qos_profile_sensor_data)
    texts = {each: over_the_network(text) for each, text in TEXTS.items()}
    for number, text in enumerate(texts.values()):
        described = renamed([*OLD][number % len(OLD)], text)
        own_client.describe(described)
        states.publish(JointState(name=[text, 'a'], position=[0.5, float('nan')]))
        if 'robot_description' in names:
            set_parameter(own_client, name, 'robot_description', described)
        for each in names:
            if number % 8 == 0 and 'period' not in each:
                set_parameter(own_client, name, each, text)
        set_parameter(own_client, name, text[:100] or 'a', text)
    if name == 'model_server':
        check_services(own_client, texts.values())
    own_client.describe(GOOD)
    assert own_client.call(ListParameters, f'{name}/list_parameters').result.names
    assert process.stop() == 0
    assert 'Traceback' not in process.output
    for line in process.lines:
        assert re.match(r'\[(INFO|WARN|ERROR)\] \[\d+\.\d+\] \[', line), line
        assert line.isprintable(), line


def check_services(client, texts):
    """Check that all services answer, in printable lines."""
    from urdf_tools.nodes.model_server.answers import SERVICES
    for number, text in enumerate(texts):
        for name, (kind, _, _) in SERVICES.items():
            fields = kind.Request.get_fields_and_field_types()
            text_fields = [field for field, type in fields.items() if type == 'string']
            for each in text_fields if number % 4 == 0 else text_fields[:1]:
                answer = client.call(kind, f'model_server/{name}', **{each: text})
                assert answer.message.isprintable(), answer.message
            if 'description' in fields:
                answer = client.call(kind, f'model_server/{name}', description=renamed(
                    [*OLD][number % len(OLD)], text))
                assert answer.success or not text.isprintable() or answer.message
                assert answer.message.isprintable(), answer.message
                assert all(line.isprintable() for line in getattr(answer, 'headline', ()))
