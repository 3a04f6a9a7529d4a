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
"""The arguments that a robot lacks."""

from __future__ import annotations

import pytest
from support.lsp_client import LspClient

pytest.importorskip('pygls', reason='pygls is not installed')

from urdf_tools.lsp.language_server import ARGUMENTS  # noqa: E402,I100,I202

ROBOT = """<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="name" default="r"/>
<link name="$(arg kind)_$(arg side)"/></robot>"""


def test_what_a_robot_lacks(tmp_path):
    pytest.importorskip('xacro', reason='xacro is not installed')
    robot = tmp_path / 'robot.urdf.xacro'
    robot.write_text(ROBOT)
    client = LspClient(['--trust', str(tmp_path)], folder=tmp_path)

    def lacking(*given):
        answer = client.request(ARGUMENTS, {'uri': robot.as_uri(), 'arguments': given})
        assert answer['names'] == ['kind', 'name', 'side']
        return {each['name']: [value['value'] for value in each['values']]
                for each in answer['lacking']}
    try:
        assert lacking()['name'] == ['r']
        assert lacking(('name', 'r'), ('side', 'left'), ('gone', '')) == {'kind': []}
        assert lacking(('name', 'r'), ('side', 'left'), ('kind', 'small')) == {}
    finally:
        client.close()


@pytest.mark.slow
def test_nothing_is_expanded_without_trust(tmp_path):
    robot = tmp_path / 'robot.urdf.xacro'
    robot.write_text(ROBOT)
    client = LspClient(folder=tmp_path)
    try:
        assert client.request(ARGUMENTS, {'uri': robot.as_uri(), 'arguments': []}) == {
            'names': [], 'lacking': []}
    finally:
        client.close()
