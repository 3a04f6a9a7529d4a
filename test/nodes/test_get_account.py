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

"""The service ~/account of the model server."""

import math

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from support.robot_text import joint
from support.robot_text import link
from urdf_tools import loads
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import NEWEST

srv = pytest.importorskip('urdf_tools_interfaces.srv')
if not hasattr(srv, 'GetAccount'):
    pytest.skip('urdf_tools_interfaces is an older build', allow_module_level=True)

ROBOT = '\n'.join((
    '<robot name="r">', link('a'), link('b'), joint('ab', 'a', 'b', 'continuous'), '</robot>'))


@pytest.fixture(scope='module')
def server(nodes):
    return nodes.start('model_server', {'diagnostic_updater.period': 0.05})


@pytest.fixture(scope='module')
def call(server, client):
    def call(**fields):
        return client.call(srv.GetAccount, 'model_server/account', **fields)
    return call


def test_each_program_is_answered(call):
    response = call(description=ROBOT, programs=['drake', 'mujoco'])
    assert response.success
    assert response.message == 'changed by mujoco (-2 kg)'
    assert [account.program for account in response.accounts] == ['drake', 'mujoco']
    account = account_of('mujoco', Source.of_robot(loads(ROBOT)), Context())
    told = response.accounts[1]
    assert (told.version, told.loads, told.base) == (account.version, True, 'fixed')
    numbers = {each.name: (each.description, each.program) for each in told.amounts}
    assert numbers['mass'] == (4.0, 2.0) and numbers['links'] == (2.0, 1.0)
    assert numbers['moving_joints'] == (1.0, 1.0) and numbers['collisions'] == (0.0, 0.0)
    assert all(math.isfinite(number) for pair in numbers.values() for number in pair)
    assert [(loss.kind, loss.message, loss.hint, loss.harmless) for loss in told.losses] == [
        (loss.of, str(loss.message), str(loss.hint), loss.is_harmless)
        for loss in account.worst_first]
    first = told.losses[0]
    assert (first.kind, first.impact, first.mass, first.line, first.file) == (
        'base', 'drops', 2.0, 2, '')


def test_what_reads_the_format_itself_is_not_judged(call):
    text = ('<mujoco model="m"><worldbody><body name="a"><geom size="0.1"/></body></worldbody>'
            '</mujoco>')
    response = call(description=text, programs=['mujoco', 'pybullet'])
    assert response.success
    assert [account.program for account in response.accounts] == ['pybullet']
    assert response.message.startswith('mujoco reads the MJCF itself; other programs are judged')


def test_a_refusal_has_its_cause(call):
    text = ROBOT.replace('continuous', 'continuous" x="').replace(
        '</robot>', '<link name="c"><visual><geometry><mesh filename="package://p/m.dae"/>'
        '</geometry></visual><collision><geometry><mesh filename="package://p/m.dae"/></geometry>'
        '</collision></link>' + joint('bc', 'b', 'c') + '</robot>')
    response = call(description=text, programs=['mujoco'])
    account, = response.accounts
    assert response.success and not account.loads and account.base == ''
    assert account.causes[0].impact == 'refuses' and account.causes[0].line == 5
    assert response.message == 'refused by mujoco: mesh with a package:// URI'


def test_what_the_loader_refuses_has_verdicts_but_no_numbers(call):
    response = call(description='<robot name="r"/>', programs=['mujoco', 'urdfdom'])
    assert response.success and response.message == 'refused by urdfdom: no links'
    assert [(each.program, each.loads, each.base) for each in response.accounts] == [
        ('mujoco', True, ''), ('urdfdom', False, '')]
    assert not response.accounts[0].amounts


def test_losses_are_limited_and_counted(call):
    joints = '\n'.join(link(f'l{i}') + joint(f'j{i}', 'a', f'l{i}') for i in range(300))
    response = call(description=ROBOT.replace('</robot>', f'{joints}</robot>'),
                    programs=['mujoco'])
    account, = response.accounts
    assert len(account.losses) == 200 and account.losses_not_listed > 100


@pytest.mark.parametrize(('fields', 'message'), [
    ({'description': ROBOT, 'programs': ['mujoco', 'x' * 9000]}, "Program 'xxx"),
    ({'description': '<sdf/>'}, '<sdf> has no version'),
    ({'description': '<robot'}, '1:')])
def test_bad_requests_are_answered(call, server, fields, message):
    response = call(**fields)
    assert not response.success and not response.accounts
    assert message in response.message[:60] and len(response.message) < 400
    assert 'Traceback' not in server.output


def test_the_description_of_the_server_and_all_programs_are_the_default(call, client):
    response = call()
    assert (response.success, response.message) == (
        False, 'Waiting for a robot description on /robot_description')
    client.describe(ROBOT)
    client.status('model_server: Model', lambda status: status.level == DiagnosticStatus.OK)
    assert [account.program for account in call().accounts] == [*NEWEST]
