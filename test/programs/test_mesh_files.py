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

"""Programs look into mesh files only through the confined processes that read them."""

import builtins
import json
import os
from pathlib import Path
import shutil
import subprocess
import sys

import pytest
from support.program_cases import source_of

from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import MODELS

MESHES = ('sparse.obj', 'memory.stl', 'memory.obj', 'short.stl')
LARGE = 3 * 2**30


@pytest.fixture
def folder(tmp_path):
    """Return a folder with meshes that are huge, have no end, or end too early."""
    with open(tmp_path / 'sparse.obj', 'wb') as file:
        file.truncate(LARGE)
    for suffix in ('stl', 'obj'):
        (tmp_path / f'memory.{suffix}').symlink_to('/proc/self/mem')
    (tmp_path / 'short.stl').write_bytes(bytes(10))
    return tmp_path


@pytest.mark.parametrize('program', MODELS)
@pytest.mark.parametrize('mesh', MESHES)
def test_no_model_opens_a_mesh(program, mesh, folder, monkeypatch):
    opened = []

    def refusing(function):
        def call(path, *others, **named):
            if not isinstance(path, int) and Path(os.fsdecode(path)).suffix in ('.obj', '.stl'):
                opened.append(path)
                raise PermissionError(13, 'Permission denied')
            return function(path, *others, **named)
        return call

    monkeypatch.setattr(builtins, 'open', refusing(open))
    monkeypatch.setattr(os, 'open', refusing(os.open))
    monkeypatch.setattr(os.path, 'getsize', refusing(os.path.getsize))
    source = source_of(
        '<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" ixy="0" '
        'ixz="0" iyy="1" iyz="0" izz="1"/></inertial><collision><geometry>'
        f'<mesh filename="{mesh}"/></geometry></collision></link></robot>')
    account_of(program, source, Context(ResourceResolver(folder), folder / 'r.urdf'))
    assert not opened


@pytest.mark.parametrize(('program', 'mesh', 'what'), [
    ('pybullet', 'memory.stl', 'Nothing is read of the mesh'),
    ('pybullet', 'memory.obj', 'Nothing is read of the mesh'),
    ('pybullet', 'short.stl', 'Nothing is read of the mesh'),
    ('pybullet', 'sparse.obj', ''),
    ('mujoco', 'short.stl', "Mesh 'short.stl' cannot be read as binary STL with 1 to 200000"),
    ('mujoco', 'sparse.obj', ''),
    ('usd', 'memory.stl', "'memory.stl' cannot be read"),
    ('usd', 'sparse.obj', '')])
def test_a_mesh_that_cannot_be_read_is_a_fact(program, mesh, what, folder):
    """Whether a file larger than the limit can be read is unknown."""
    source = source_of(
        '<robot name="r"><link name="a"><collision><geometry>'
        f'<mesh filename="{mesh}"/></geometry></collision></link></robot>')
    found = account_of(program, source, Context(ResourceResolver(folder), folder / 'r.urdf'))
    told = [str(each.message) for each in (*found.causes, *found.losses) if mesh in str(
        each.message) or 'Nothing is read' in str(each.message)]
    assert any(what in text for text in told) if what else not told


DENIED = """
import json, sys
from pathlib import Path
from urdf_tools import validate
path = Path(sys.argv[1])
found = validate(path, categories=['assets', 'programs']).findings
print(json.dumps([finding.message for finding in found if finding.code == 'mesh-unreadable']))
print(json.dumps([finding.code for finding in found if finding.code == 'internal-error']))
"""


def test_a_mesh_that_may_not_be_read_is_a_fact(tmp_path):
    for name in ('a.stl', 'b.obj', 'c.dae'):
        (tmp_path / name).write_bytes(bytes(200))
        (tmp_path / name).chmod(0)
    path = tmp_path / 'r.urdf'
    path.write_text('<robot name="r"><link name="l">' + ''.join(
        f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
        for name in ('a.stl', 'b.obj', 'c.dae')) + '</link></robot>')
    command = [sys.executable, '-c', DENIED, path]
    if os.geteuid() == 0:
        if shutil.which('setpriv') is None:
            pytest.skip('root may read every file, and setpriv is not installed')
        # Root without the capability to read what it may not.
        without = '-dac_override,-dac_read_search'
        command = ['setpriv', f'--bounding-set={without}', f'--inh-caps={without}', *command]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    messages, faults = map(json.loads, result.stdout.splitlines())
    assert messages == [f"'{name}' cannot be used as a mesh: it cannot be read: Permission denied"
                        for name in ('a.stl', 'b.obj', 'c.dae')]
    assert faults == []


def test_a_device_is_not_read(tmp_path):
    (tmp_path / 'zero.stl').symlink_to('/dev/zero')
    with pytest.raises(MeshError, match='cannot be read: It is not a regular file'):
        mesh_facts(tmp_path / 'zero.stl')
