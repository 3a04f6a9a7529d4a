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

"""What rules say that Gazebo refuses is what libsdformat 12.3 refuses."""

import pytest
from support.sdf_oracle import NEEDS_ORACLE
from support.sdf_oracle import oracle_loads

from urdf_tools.check.validator import validates
from urdf_tools.findings.consequences import Impact


def link(name, mass=None):
    moment = 0.1 if mass else 0
    return f'<link name="{name}"/>' if mass is None else (
        f'<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{moment}" ixy="0" '
        f'ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/></inertial></link>')


def joint(name, kind, parent, child):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>')


@NEEDS_ORACLE
@pytest.mark.parametrize('text, code', [
    (link('a', 1) + link('b', 2) + joint('j', 'revolute', 'a', 'b'), None),
    (link('a', 1) + link('b', 2) + joint('b', 'revolute', 'a', 'b'), 'program-refuses'),
    (link('a', 1) + link('b', 2) + joint('a', 'revolute', 'a', 'b'), 'program-refuses'),
    (link('a', 1) + link('b') + joint('b', 'revolute', 'a', 'b'), None),
    (link('a', 1) + link('b', 2) + joint('j', 'planar', 'a', 'b'), 'type-poor-support'),
    (link('a', 1) + link('b', 2) + joint('j', 'floating', 'a', 'b'), 'type-poor-support'),
    (link('a') + link('b', 2) + joint('j', 'revolute', 'a', 'b'), 'program-refuses'),
    (link('a') + link('b', 0) + link('c', 1) + joint('j', 'fixed', 'a', 'b')
     + joint('k', 'fixed', 'a', 'c'), 'program-refuses'),
    (link('a') + link('b', 0) + link('c', 1) + joint('k', 'fixed', 'a', 'b')
     + joint('j', 'fixed', 'a', 'c'), None),
    (link('a', 1) + link('b', 0) + link('c', 0) + joint('j', 'fixed', 'a', 'b')
     + joint('k', 'fixed', 'b', 'c'), 'program-refuses'),
    (link('a', 1) + '<gazebo reference="a"><sensor name="s"/></gazebo>', 'program-refuses'),
    (link('a', 1) + '<gazebo reference="a"><sensor name="s" type="kinect"/></gazebo>',
     'program-refuses'),
    (link('a', 1) + '<gazebo reference="a"><plugin name="p"/></gazebo>', None),
    (link('a', 1) + '<gazebo><plugin name="p"/></gazebo>', 'gazebo-value-malformed'),
    (link('a', 1) + '<gazebo reference="a"><sensor name="s" type="imu"><plugin name="p"/></sensor>'
     '</gazebo>', 'gazebo-value-malformed'),
], ids=['good', 'child', 'parent', 'dropped', 'planar', 'floating', 'root', 'zero first',
        'zero last', 'zero on zero', 'no type', 'unknown type', 'plugin of link', 'no filename',
        'plugin of sensor'])
def test_what_gazebo_refuses(text, code, tmp_path):
    file = tmp_path / 'robot.urdf'
    file.write_text(f'<robot name="r">{text}</robot>')
    refusing = {
        finding.code for finding in validates(file.read_text()).findings if any(
            each.program == 'gazebo' and each.impact is Impact.REFUSES
            for each in finding.consequences)}
    assert refusing == ({code} if code else set())
    assert oracle_loads(file, tmp_path) is (code is None)
