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

"""The service ~/convert_to_sdf of the model server."""

from xml.etree import ElementTree

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from support.robot_text import joint
from support.robot_text import link
from urdf_tools import loads
from urdf_tools.nodes.model_server.answers import convert_to_sdf
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.programs.gazebo import convert
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.request_size import RequestError
from urdf_tools_interfaces.srv import ConvertToSdf

SPHERE = '<visual><geometry><sphere radius="1"/></geometry></visual>'
ROBOT = '\n'.join((
    '<robot name="r">', link('a'), link('b'), link('c'), link('d', inertial=''),
    joint('ab', 'a', 'b'), joint('bc', 'b', 'c', 'continuous'),
    joint('cd', 'c', 'd', 'continuous'),
    '<gazebo reference="b"><sensor name="s" type="imu"/></gazebo>',
    '<gazebo reference="d"><sensor name="t" type="imu"/></gazebo>',
    '<gazebo><plugin name="p" filename="p.so"/></gazebo>', '<transmission/>', '</robot>'))


@pytest.fixture(scope='module')
def server(nodes):
    return nodes.start('model_server', {'diagnostic_updater.period': 0.05})


@pytest.fixture(scope='module')
def call(server, client):
    def call(**fields):
        return client.call(ConvertToSdf, 'model_server/convert_to_sdf', **fields)
    return call


def test_a_robot_is_converted_with_a_report(call):
    response = call(description=ROBOT)
    assert response.success and response.loads
    conversion = convert(loads(ROBOT))
    assert response.sdf == conversion.text
    assert response.message == (
        'Gazebo loads 2 of 4 links (1 lumped into others), 1 of 2 moving joints, 1 of 2 sensors, '
        '1 of 1 plugins and 6 of 6 kg (libsdformat 14)')
    assert [(loss.impact, loss.kind, loss.element, loss.line) for loss in response.losses] == [
        ('drops', 'link', "/robot/link[@name='d']", 5),
        ('ignores', 'transmission', '/robot/transmission[1]', 12)]
    assert response.losses[0].message == "Gazebo drops link 'd', which has no mass"
    assert response.losses[0].hint == 'Give the link a mass'


@pytest.mark.parametrize('target', ['12', '15'])
def test_the_target_and_the_lumping_can_be_chosen(call, target):
    response = call(description=ROBOT, target=target, preserve_fixed_joints=True)
    assert response.success and response.message.endswith(f'(libsdformat {target}.3)' if (
        target == '12') else f'(libsdformat {target})')
    model = ElementTree.fromstring(response.sdf).find('model')
    assert [child.get('name') for child in model.iter('joint')] == ['ab', 'bc']


def test_what_gazebo_does_not_load_says_why(call):
    response = call(description=f'<robot name="r">{link("__a__")}</robot>')
    assert response.success and not response.loads and response.sdf
    first = response.losses[0]
    assert first.impact == 'refuses'
    assert first.message == "The name '__a__' is reserved in SDFormat"
    refused = call(description=ROBOT.replace(
        '</robot>', '<gazebo reference="a"><mu1>x</mu1></gazebo></robot>'))
    assert refused.success and not refused.loads and not refused.sdf
    assert refused.message == 'Gazebo refuses the model (libsdformat 14)'
    assert [loss.impact for loss in refused.losses] == ['refuses']


@pytest.mark.parametrize(('fields', 'message'), [
    ({'description': ROBOT, 'target': '13'},
     "Target '13' is unknown; it is one of 12.3, fortress,"),
    ({'description': ROBOT, 'target': 'x' * 100_000}, "Target 'xxx"),
    ({'description': '<robot name="r"/>'}, 'The robot has no links'),
    ({'description': '<robot'}, '1:'),
    ({'description': '<!DOCTYPE r [<!ENTITY a "b">]><robot>&a;</robot>'}, '1:'),
    ({'description': f'<robot name="r">{link("a" * 300_000)}</robot>'.replace(
        '</link>', SPHERE * 200 + '</link>')},
     'The conversion to SDFormat takes more than 300000 steps')])
def test_bad_requests_are_answered(call, server, fields, message):
    response = call(**fields)
    assert not response.success and not response.sdf and not response.losses
    assert message in response.message[:60] and len(response.message) < 400
    assert 'Traceback' not in server.output


def test_losses_are_limited(call):
    text = f'<robot name="r">{link("a")}{"<x/><transmission/>" * 400}</robot>'
    response = call(description=text)
    assert response.success and len(response.losses) == 200


def test_the_description_of_the_server_is_the_default(call, client):
    response = call()
    assert (response.success, response.message) == (
        False, 'Waiting for a robot description on /robot_description')
    client.describe(ROBOT)
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    assert call().sdf == convert(loads(ROBOT)).text


@pytest.mark.slow
def test_a_full_queue_refuses_requests(own_nodes, own_client):
    own_nodes.start('model_server', {'max_waiting_requests': 0})
    service = own_client.client(ConvertToSdf, 'model_server/convert_to_sdf')
    chain = '<robot name="r">' + ''.join(link(f'l{i}') for i in range(3000)) + ''.join(
        joint(f'j{i}', f'l{i}', f'l{i + 1}') for i in range(2999)) + '</robot>'
    answers = [service.call_async(ConvertToSdf.Request(description=chain)) for _ in range(3)]
    own_client.wait_for(lambda: all(answer.done() for answer in answers), 'the answers')
    messages = [answer.result().message for answer in answers]
    assert messages[0].startswith('Gazebo loads 1 of 3000 links (2999 lumped into others)')
    assert 'Too many requests are waiting for this service; try again later' in messages


def test_loops_of_the_file_beside_the_description_of_the_server_are_kept(tmp_path):
    path = tmp_path / 'loops.yaml'
    path.write_text('loops:\n- name: knot\n  type: ball\n  parent: {link: c}\n'
                    '  child: {link: b, xyz: [0, 0, 1]}\n')
    live = LiveRobot(loads(ROBOT), ROBOT)

    def sdf(**fields):
        response = ConvertToSdf.Response()
        server = Server(lambda: live, loops_file=str(path))
        convert_to_sdf(server, ConvertToSdf.Request(**fields), response)
        return response.sdf

    assert '<joint name="knot" type="ball">' in sdf()
    assert '<joint name="knot" type="ball">' not in sdf(description=ROBOT)
    path.write_text('loops: 3\n')
    with pytest.raises(RequestError, match='loops'):
        sdf()
