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

"""Processes that read meshes: what they are limited to, how they are used again, and end."""

import subprocess
import sys

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import gltf
from support.mesh_files import grid

from urdf_tools.dynamics.shapes import mesh_solid
from urdf_tools.meshes import facts
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import read_in_process
from urdf_tools.meshes.facts import read_meshes
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits

SCALE = (1.0, 1.0, 1.0)


@pytest.fixture(autouse=True)
def own_processes():
    """Begin without processes, and end those of the test."""
    facts.processes().end()
    yield
    facts.processes().end()
    set_mesh_limits(MeshLimits())


@pytest.fixture
def cube(tmp_path):
    path = tmp_path / 'cube.stl'
    path.write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    return path


def idle():
    """Return the ids of the processes that wait for work."""
    return [worker.pid for worker in facts.processes()._idle]


def test_a_process_is_used_again(cube):
    processes = []
    for _ in range(3):
        assert read_in_process(cube, MeshLimits(), 'solid', SCALE).faces == 12
        processes = processes or idle()
        assert len(processes) == 1
        assert processes == idle()


def test_a_mesh_is_read_once(cube, monkeypatch):
    reads = []

    def read(path, *arguments):
        reads.append(path)
        return read_in_process(path, *arguments)

    monkeypatch.setattr('urdf_tools.meshes.facts.read_in_process', read)
    for _ in range(2):
        assert mesh_facts(cube).volume == pytest.approx(1)
        assert mesh_solid(cube, (2, 2, 2))[0].mass == pytest.approx(8)
        assert read_meshes([cube, cube])[cube].faces == 12
    assert reads == [cube]


@pytest.mark.slow
def test_memory_is_limited(tmp_path):
    path = tmp_path / 'grid.stl'
    path.write_bytes(binary_stl(grid(500)))
    limits = MeshLimits(memory=200)
    with pytest.raises(MeshError, match=r'takes more than 200 MB \(limit memory\)') as raised:
        read_in_process(path, limits, 'solid', SCALE)
    assert raised.value.limit == 'memory'
    assert not idle()
    assert read_in_process(path, MeshLimits(), 'solid', SCALE).faces == 500_000


def test_time_is_limited(tmp_path):
    path = tmp_path / 'grid.stl'
    path.write_bytes(binary_stl(grid(500)))
    with pytest.raises(MeshError, match=r'takes more than 0.01 s \(limit time\)') as raised:
        read_in_process(path, MeshLimits(time=0.01), 'solid', SCALE)
    assert raised.value.limit == 'time'


def test_a_description_is_limited_as_a_whole(cube, tmp_path):
    other = tmp_path / 'other.stl'
    other.write_bytes(cube.read_bytes())
    set_mesh_limits(MeshLimits(total_time=1e-9))
    found = read_meshes([cube, other])
    assert [error.limit for error in found.values()] == ['total_time', 'total_time']
    set_mesh_limits(MeshLimits())
    assert [facts.faces for facts in read_meshes([cube, other]).values()] == [12, 12]


def test_meshes_are_read_at_the_same_time(tmp_path, monkeypatch):
    monkeypatch.setattr('urdf_tools.meshes.facts._BYTES_PER_PROCESS', 1000)
    paths = []
    for number in range(10):
        paths.append(tmp_path / f'{number}.stl')
        paths[-1].write_bytes(binary_stl(CORNERS[CUBE] * (1.0 + number)))
    paths.append(tmp_path / 'missing.stl')
    found = read_meshes(paths)
    assert list(found) == paths
    assert [facts.high[0] for facts in list(found.values())[:10]] == list(range(1, 11))
    assert isinstance(found[paths[-1]], MeshError)
    assert len(idle()) == min(facts.MAX_PROCESSES, 11)


def test_an_interrupt_does_not_wait_for_the_meshes(tmp_path):
    """Ctrl-C raises in the main thread; here an alarm does, while processes never answer."""
    program = (
        'import signal, sys\nfrom pathlib import Path\n'
        'from urdf_tools.meshes import facts\nfrom urdf_tools.sandbox import pool\n'
        'pool._PROGRAM = "import time; time.sleep(600)"\n'
        'facts._BYTES_PER_PROCESS = 1\n'
        'signal.signal(signal.SIGALRM, lambda *_: sys.exit(7))\n'
        'signal.setitimer(signal.ITIMER_REAL, 0.5)\n'
        'facts.read_meshes([Path(path) for path in sys.argv[1:]])')
    paths = [tmp_path / f'{number}.stl' for number in range(8)]
    for path in paths:
        path.write_bytes(b'solid')
    assert subprocess.run([sys.executable, '-c', program, *paths], timeout=120).returncode == 7


def test_no_process_is_started_without_a_mesh():
    program = ('import sys, urdf_tools.meshes.facts\n'
               'from urdf_tools import validates\n'
               'validates("<robot name=\'r\'><link name=\'a\'/></robot>")\n'
               'assert not urdf_tools.meshes.facts.processes()._idle\n'
               'assert not {"scipy", "urdf_tools.meshes.formats.obj"} & set(sys.modules)')
    subprocess.run([sys.executable, '-c', program], check=True)


def test_an_error_says_it_in_one_short_line(tmp_path):
    path = tmp_path / 'm.gltf'
    path.write_text(gltf(1, {'uri': 'a\n\x1b[31m' + 'b' * 10_000, 'byteLength': 1}))
    with pytest.raises(MeshError) as raised:
        mesh_solid(path)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) <= 500


def test_result_is_what_the_readers_say(cube):
    body = mesh_solid(cube)[0]
    np.testing.assert_allclose(body.com, [0.5, 0.5, 0.5])
    np.testing.assert_allclose(body.rotational, np.eye(3) / 6, atol=1e-12)
