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

"""Services about the description of the model server know the loops of its file, too."""

import pytest
from support.robot_text import joint
from support.robot_text import link
from urdf_tools import loads
from urdf_tools.nodes.model_server.answers import get_account
from urdf_tools.nodes.model_server.answers import validate
from urdf_tools.nodes.model_server.requests import Server
from urdf_tools.ros.live_robot import LiveRobot
from urdf_tools.ros.request_size import RequestError
from urdf_tools_interfaces.srv import GetAccount
from urdf_tools_interfaces.srv import ValidateModel

ROBOT = '\n'.join((
    '<robot name="r">', link('a'), link('b'), link('c'),
    joint('ab', 'a', 'b', 'continuous'), joint('ac', 'a', 'c', 'continuous'), '</robot>'))
KNOT = ('loops:\n- name: knot\n  type: ball\n  parent: {link: c}\n'
        '  child: {link: b, xyz: [0, 0, 1]}\n')


@pytest.fixture
def answer(tmp_path):
    """Return what calls a service of a server with a file of loops."""
    def answer(function, service, loops=KNOT, **fields):
        path = tmp_path / 'loops.yaml'
        path.write_text(loops)
        response = service.Response()
        server = Server(lambda: LiveRobot(loads(ROBOT), ROBOT), loops_file=str(path))
        function(server, service.Request(**fields), response)
        return response
    return answer


def test_the_loops_are_validated_with_the_description_of_the_server(answer):
    def found(loops=KNOT, **fields):
        response = answer(validate, ValidateModel, loops, **fields)
        return {each.code: each for each in response.findings}

    opened = found()['loop-open']
    assert opened.message.startswith("Loop 'knot' is open by 1000 mm")
    # The line is one of another file.
    assert (opened.line, opened.column) == (0, 0)
    assert 'loop-open' not in found(description=ROBOT)
    assert 'loop-open' not in found(ignore=['loop-open'])
    assert found('loops: 3\n')['loop-unreadable'].message == 'loops is not a list'
    assert found(description='<robot name="r">\n<link/></robot>')['link-no-name'].line == 2


def test_the_account_of_the_description_of_the_server_has_the_loops(answer):
    def lost(loops=KNOT, **fields):
        account, = answer(get_account, GetAccount, loops, programs=['drake'], **fields).accounts
        return [(loss.message, loss.file.endswith('loops.yaml'), loss.line)
                for loss in account.losses if loss.kind == 'loop']

    assert lost() == [("Leaves loop 'knot' of links 'c' and 'b' open", True, 2)]
    assert lost(description=ROBOT) == []
    with pytest.raises(RequestError, match='loops is not a list'):
        lost('loops: 3\n')
