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

"""Volumes, areas and centres of meshes are those of trimesh."""

import numpy as np
import pytest
from support import mesh_volumes
from support.generated_meshes import sphere
from support.generated_meshes import torus
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import text_stl

pytest.importorskip('trimesh')

BOX = CORNERS[CUBE] * (0.1, 0.02, 0.00600001) - (0, 0, 0.00300001)
"""A box with corners that are half turns of each other, and 10 nm off."""


def test_meshes_are_those_of_trimesh(tmp_path, capsys):
    turns = [np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
             for seed in range(4)]
    turns += [np.eye(3)[list(order)] for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
    for number, turn in enumerate(turn * np.linalg.det(turn) for turn in turns):
        for name, triangles in (('box', BOX), ('torus', torus(40, 20)), ('sphere', sphere(20, 31)),
                                ('far', torus() + 1000)):
            (tmp_path / f'{name}_{number}.stl').write_bytes(binary_stl(triangles @ turn.T))
    (tmp_path / 'text.STL').write_text(text_stl(BOX))
    (tmp_path / 'open.stl').write_bytes(binary_stl(BOX[1:]))
    (tmp_path / 'garbage.stl').write_bytes(b'garbage')
    over = np.where(np.arange(12)[:, None, None] == 3, BOX[:, ::-1], BOX)
    (tmp_path / 'over.stl').write_bytes(binary_stl(over))
    assert mesh_volumes.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        'different 0, open 2, watertight 29, with triangles turned over 1\n')


def test_differences_are_printed(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(mesh_volumes, 'TOLERANCE', -1.0)
    (tmp_path / 'box.stl').write_bytes(binary_stl(BOX))
    assert mesh_volumes.main([str(tmp_path)]) == 1
    output = capsys.readouterr().out
    assert 'box.stl: volume 1.2' in output and 'different 1, watertight 1' in output
