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
"""The request for the robots that a file is a part of, over the protocol."""

import pytest
from support.lsp_client import LspClient

pytest.importorskip('pygls', reason='pygls is not installed')

from urdf_tools.lsp.language_server import ROOTS  # noqa: E402,I100,I202

MACROS = ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="m">'
          '<link name="a"/></xacro:macro></robot>')
ROBOT = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
         '<xacro:include filename="macros.xacro"/><xacro:m/></robot>')


@pytest.mark.slow
def test_the_robots_that_a_file_is_a_part_of(tmp_path):
    (tmp_path / 'macros.xacro').write_text(MACROS)
    (tmp_path / 'alone.xacro').write_text(MACROS)
    robots = {tmp_path / 'one.urdf.xacro', tmp_path / 'two.urdf.xacro'}
    for robot in robots:
        robot.write_text(ROBOT)
    client = LspClient(folder=tmp_path)

    def roots(name: str) -> set[str]:
        return set(client.request(ROOTS, {'uri': (tmp_path / name).as_uri()}))
    try:
        assert roots('macros.xacro') == {robot.as_uri() for robot in robots}
        assert roots('one.urdf.xacro') == {(tmp_path / 'one.urdf.xacro').as_uri()}
        assert roots('alone.xacro') == set()
    finally:
        client.close()
