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

"""Requests of a size that nobody needs: one clear error, and other services answer meanwhile."""

from pathlib import Path

from geometry_msgs.msg import Point32
from geometry_msgs.msg import Polygon
from geometry_msgs.msg import Transform
from geometry_msgs.msg import Twist
from geometry_msgs.msg import Wrench
import pytest
from rcl_interfaces.msg import Parameter
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from sensor_msgs.msg import JointState
from sensor_msgs.msg import MultiDOFJointState
from shape_msgs.msg import SolidPrimitive
from urdf_tools.ros.request_size import limit_requests
from urdf_tools.ros.request_size import RequestError
from urdf_tools_interfaces.srv import ComputeInertia
from urdf_tools_interfaces.srv import GetInertia
from urdf_tools_interfaces.srv import GetJacobian
from urdf_tools_interfaces.srv import GetLinkTransforms
from urdf_tools_interfaces.srv import ValidateModel

ROBOT = '<robot name="r"><link name="base"/></robot>'

HUGE = 1_000_000
MANY = 20_000


@pytest.fixture(scope='module')
def server(nodes, client):
    """Return a server with a model, as a process."""
    process = nodes.start('model_server')
    client.describe(ROBOT)
    client.status('model_server: Model', lambda status: status.message == 'Model loaded')
    return process


@pytest.mark.parametrize('names', [['base'] * (HUGE // 3), [''] * HUGE], ids=['names', 'empty'])
def test_other_services_answer_meanwhile(server, client, names):
    huge = client.client(GetLinkTransforms, 'model_server/get_link_transforms')
    small = client.client(ValidateModel, 'model_server/validate')
    refused = huge.call_async(GetLinkTransforms.Request(links=names))
    answered = small.call_async(ValidateModel.Request())
    client.wait_for(lambda: refused.done() and answered.done(), 'both answers')
    assert answered.result().success
    assert refused.result() == GetLinkTransforms.Response(
        message=f'links has {len(names)} elements; at most 10000 are accepted')


CASES = [
    (ValidateModel, 'validate', {'ignore': [''] * MANY}, 'ignore'),
    (GetInertia, 'get_inertia', {'joint_state': JointState(name=[''] * MANY)},
     'joint_state.name'),
    (GetInertia, 'get_inertia', {'joint_state': JointState(position=[0.0] * MANY)},
     'joint_state.position'),
    (GetJacobian, 'get_jacobian', {'joint_state': JointState(velocity=[0.0] * MANY)},
     'joint_state.velocity'),
    (GetJacobian, 'get_jacobian',
     {'multi_dof_joint_state': MultiDOFJointState(transforms=[Transform()] * MANY)},
     'multi_dof_joint_state.transforms'),
    (GetLinkTransforms, 'get_link_transforms',
     {'multi_dof_joint_state': MultiDOFJointState(joint_names=[''] * MANY)},
     'multi_dof_joint_state.joint_names')]


@pytest.mark.parametrize('kind, name, fields, field', CASES)
def test_each_list_is_limited(server, client, kind, name, fields, field):
    response = client.call(kind, f'model_server/{name}', **fields)
    assert response == kind.Response(
        message=f'{field} has {MANY} elements; at most 10000 are accepted')


@pytest.mark.parametrize('kind', [SetParameters, SetParametersAtomically])
def test_parameters_are_limited(server, client, kind):
    name = 'model_server/set_parameters' + '_atomically' * (kind is SetParametersAtomically)
    response = client.call(kind, name, parameters=[Parameter()] * MANY)
    result = getattr(response, 'result', None) or response.results[0]
    assert result == SetParametersResult(
        reason=f'parameters has {MANY} elements; at most 10000 are accepted')


def test_names_of_parameters_are_limited(server, client):
    assert client.call(GetParameters, 'model_server/get_parameters', names=['a'] * MANY
                       ) == GetParameters.Response()
    few = client.call(GetParameters, 'model_server/get_parameters', names=['frame_prefix'])
    assert [value.type for value in few.values] == [ParameterType.PARAMETER_STRING]


def test_polygon_of_a_prism_is_limited(server, client):
    solid = SolidPrimitive(type=SolidPrimitive.PRISM, dimensions=[1.0])
    solid.polygon.points = [Point32()] * MANY
    response = client.call(
        ComputeInertia, 'model_server/compute_inertia', primitive=solid, mass=1.0)
    assert response.message.startswith(f'primitive.polygon.points has {MANY} elements')


def test_text_of_names_is_limited(server, client):
    response = client.call(
        GetLinkTransforms, 'model_server/get_link_transforms', links=['x' * 10_001] * 1000)
    assert response.message == (
        'The request has 10001000 bytes of text; the parameter max_request_size allows 10000000')


@pytest.mark.slow
def test_as_many_names_as_are_allowed_are_answered(server, client):
    response = client.call(
        GetLinkTransforms, 'model_server/get_link_transforms', links=['base'] * 10_000)
    assert (response.success, len(response.transforms)) == (True, 10_000)


@pytest.mark.parametrize('kind, fields, field', [
    *((kind, fields, field) for kind, _, fields, field in CASES),
    (GetInertia, {'multi_dof_joint_state': MultiDOFJointState(wrench=[Wrench()] * MANY)},
     'multi_dof_joint_state.wrench'),
    (ComputeInertia, {'primitive': SolidPrimitive(polygon=Polygon(points=[Point32()] * MANY))},
     'primitive.polygon.points')])
def test_lists_are_counted_before_their_conversion(client, kind, fields, field):
    received = []

    def answer(request, response):
        received.append(request)
        return response

    service = client.node.create_service(kind, 'counted', answer)
    limit_requests(service, lambda: 10_000, lambda: 1000)
    client.call(kind, 'counted', **fields)
    client.call(kind, 'counted')
    client.node.destroy_service(service)
    refused, small = dict.fromkeys(map(str, received))
    assert isinstance(received[0], RequestError)
    assert refused == f'{field} has {MANY} elements; at most 10000 are accepted'
    assert small == str(kind.Request())


def test_many_twists_take_no_memory_of_the_node(server, client):
    def peak():
        status = Path(f'/proc/{server.pid}/status').read_text()
        return int(status.partition('VmHWM:')[2].split()[0]) / 1024

    get_inertia = client.client(GetInertia, 'model_server/get_inertia')
    before = peak()
    response = client.ask(
        get_inertia, multi_dof_joint_state=MultiDOFJointState(twist=[Twist()] * 200_000))
    assert 'multi_dof_joint_state.twist has 200000 elements' in response.message
    assert peak() - before < 60  # MB; as Python objects they take 90.
