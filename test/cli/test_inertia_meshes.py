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

"""The meshes that ``urdf-tools inertia`` reads, within the limits for all of them."""

import json

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools.cli import main
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshLimits

LINK = ('<link name="{0}"><visual><geometry><mesh filename="{0}.stl"/></geometry></visual>'
        '<inertial><mass value="6"/></inertial></link>')
JOINT = '<joint name="{0}" type="fixed"><parent link="a"/><child link="{0}"/></joint>'


@pytest.fixture
def robot(tmp_path):
    """Return the file of a robot of three links, each with a cube; the last has no file."""
    for size, name in enumerate('ab', 1):
        (tmp_path / f'{name}.stl').write_bytes(binary_stl(CORNERS[CUBE] * float(size)))
    path = tmp_path / 'robot.urdf'
    path.write_text('<robot name="r">' + ''.join(map(LINK.format, 'abc'))
                    + ''.join(map(JOINT.format, 'bc')) + '</robot>')
    yield str(path)
    set_mesh_limits(MeshLimits())


def test_meshes_are_read_together(robot, capsys, monkeypatch):
    asked = []
    monkeypatch.setattr(
        'urdf_tools.dynamics.shapes.read_meshes', lambda paths: asked.append(list(paths)) or {})
    assert main(['inertia', robot, '--format', 'json']) == 0
    assert [[path.name for path in paths] for paths in asked] == [['a.stl', 'b.stl']]
    links = json.loads(capsys.readouterr().out)['links']
    assert [link['volume'] for link in links] == [pytest.approx(1), pytest.approx(8), None]
    assert "'c.stl' does not exist" in links[2]['remarks'][0]


def test_all_meshes_together_are_limited_in_time(robot, capsys):
    limits = ['--mesh-limits', 'total_time=1e-9']
    assert main(['inertia', robot, *limits]) == 0
    output = capsys.readouterr().out
    for name in 'ab':
        assert (f"{name}: the inertia of mesh '{name}.stl' cannot be computed: it was not read, "
                'because the meshes of the description take more than 1e-09 s (limit total_time)'
                ) in output
    assert main(['inertia', robot, *limits, '--compute', 'all', '--diff']) == 1
    assert 'a: not computed: the inertia of mesh' in capsys.readouterr().err
