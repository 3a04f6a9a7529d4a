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

"""No description changes what a node says of the next one, xacro that is not expanded included."""

import pytest
from support.hostile_xacro import HOSTILE
from urdf_tools_interfaces.srv import ConvertToSdf
from urdf_tools_interfaces.srv import GetAccount
from urdf_tools_interfaces.srv import ValidateModel

INNOCENT = """<robot name="innocent">
  <link name="a"/><link name="b"/>
  <joint name="ab" type="revolute"><parent link="a"/><child link="b"/>
    <origin xyz="1 2 3" rpy="0 1.5707963 0"/>
    <limit lower="3.14" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


@pytest.mark.slow
@pytest.mark.parametrize('order', [1, -1])
@pytest.mark.parametrize('kind, name', [
    (ValidateModel, 'validate'), (GetAccount, 'account'), (ConvertToSdf, 'convert_to_sdf')])
def test_answers_after_each_hostile_description(nodes, client, kind, name, order):
    node = f'{name}_{order + 1}'  # Those of other cases still run.
    nodes.start('model_server', {}, ['-r', f'__node:={node}'])
    service = client.client(kind, f'{node}/{name}')
    expected = client.ask(service, description=INNOCENT)
    assert expected.success
    for text in HOSTILE[::order]:
        client.ask(service, description=text)
        assert client.ask(service, description=INNOCENT) == expected, text
