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

"""Workers that lie: each part of an answer is of another type or size, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.broken_recording import write_broken
from urdf_tools.cli import main
from urdf_tools.formats.description_files import open_document
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import read_vertices
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.errors import DescriptionError
from urdf_tools.sandbox.answers import COUNT
from urdf_tools.sandbox.answers import has_shape
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.view.shape_library import MeshScenes

WRONG = (None, True, -1, 3, 2**70, math.inf, math.nan, '\x1b]0;a\x07\n::error::', [], [[]], {})

XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="m" params="n"><link name="${n}"/></xacro:macro>
<xacro:property name="p" value="1"/><xacro:m n="a${p}"/></robot>"""

TETRAHEDRON = """v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1
f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"""


def forged(value: Any) -> Iterator[Any]:
    """Yield a value with one part of it replaced, again and again."""
    yield from WRONG
    if isinstance(value, dict):
        yield {**value, 'other': 1}
        for key, part in value.items():
            yield {other: each for other, each in value.items() if other != key}
            yield from ({**value, key: other} for other in forged(part))
    if isinstance(value, list):
        yield value + value
        for index, part in [*enumerate(value)][:2]:
            yield from ([*value[:index], other, *value[index + 1:]] for other in forged(part))


@pytest.fixture
def lying(monkeypatch):
    """Return a function that yields once for each lie about an answer, while it is told."""
    true: list[Any] = []
    told: list[Any] = []
    run_job = WorkerPool.run

    def run(pool, request, limits, data=b'', respond=None, shape=object):
        if not true:
            true.extend(run_job(pool, request, limits, data, respond, shape))
        if told and not has_shape(told[0], shape):
            raise SandboxError('its answer is malformed')
        return told[0] if told else true[0], true[1]

    monkeypatch.setattr(WorkerPool, 'run', run)

    def lies(read, every=1):
        true.clear()
        told.clear()
        read()
        for lie in [*forged(true[0])][::every]:
            told[:] = [lie]
            yield lie

    return lies


def test_shapes():
    assert has_shape([1, 'a', -2.5], [COUNT, str, float])
    assert not has_shape([1, 'a'], [COUNT, str, float])
    assert has_shape({'a': [1, 2]}, {'a': [int], 'b?': str})
    assert not has_shape({'b': ''}, {'a': [int], 'b?': str})
    assert not has_shape({'a': [1, True]}, {'a': [int]})
    assert not has_shape({'a': [], 'c': 1}, {'a': [int]})
    assert has_shape({'x': 1.0, 'y': 2}, {str: float})
    assert not has_shape(2**63, int) and not has_shape(2**63, float) and not has_shape(-1, COUNT)
    assert not has_shape(math.nan, COUNT) and has_shape(math.nan, float)


@pytest.mark.parametrize('every', [9, pytest.param(1, marks=pytest.mark.slow)])
def test_lies_about_xacro(tmp_path, lying, every):
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.xacro'
    path.write_text(XACRO)
    refused = 0
    for _ in lying(lambda: open_document(path), every):
        try:
            open_document(path)
        except DescriptionError:
            refused += 1
    assert refused > 9


@pytest.mark.parametrize('read', [
    mesh_facts, read_vertices, pytest.param(
        lambda path: scene(path).vertices, marks=pytest.mark.slow)], ids=['facts', 'all', 'scene'])
def test_lies_about_meshes(tmp_path, lying, read):
    path = tmp_path / 'mesh.obj'
    path.write_text(TETRAHEDRON)
    refused = 0
    for number, lie in enumerate(lying(lambda: read(path))):
        os.utime(path, (number, number))  # It is read again.
        try:
            read(path)
        except MeshError as error:
            refused += 1
            assert str(error).startswith(('it cannot be read: ', 'a face refers to ')), lie
    assert refused > 9


def scene(path):
    found = MeshScenes().load([path])[path]
    if isinstance(found, MeshError):
        raise found
    return found


@pytest.mark.parametrize('data', [
    b'', b'\0' * 72, np.full(12, np.nan).tobytes() + b'\0' * 48, b'\0' * 96 + b'\xff' * 48])
def test_lies_about_the_arrays_of_meshes(tmp_path, monkeypatch, data):
    path = tmp_path / 'mesh.obj'
    path.write_text(TETRAHEDRON)
    monkeypatch.setattr(WorkerPool, 'run', lambda *_, **options: (
        {'vertices': 4, 'faces': 4}, data))
    with pytest.raises(MeshError, match='cut short|not finite|a face refers to vertex'):
        read_vertices(path)


@pytest.mark.slow
@pytest.mark.parametrize('job', ['doctor', 'json', 'rates', 'many', 'frames'])
def test_lies_about_recordings(tmp_path, lying, capsys, job):
    pytest.importorskip('mcap')
    path = write_broken(tmp_path / 'run.mcap')
    model = Path(__file__).parents[2] / 'urdf' / 'arm.urdf'
    command = {
        'doctor': ['doctor', str(path)], 'json': ['doctor', str(path), '--format', 'json'],
        'rates': ['doctor', str(path), '--rates'], 'many': ['doctor', str(path), str(path)],
        'frames': ['bag', 'frames', str(path), '--model', str(model), '-o',
                   str(tmp_path / 'out.mcap')]}[job]
    refused = 0
    for lie in lying(lambda: main(command)):
        capsys.readouterr()
        code = main(command)
        output, errors = capsys.readouterr()
        refused += code == 2
        assert code in (0, 1, 2), lie
        if code == 2:
            assert 'its answer is malformed' in errors, (lie, errors)
        assert '\x1b' not in output + errors
        assert '\n::' not in '\n' + output + errors
    assert refused > 5
