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
"""Meshes for the browser: their triangles are ours, and their materials bounded."""

from __future__ import annotations

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import nested_collada
from support.mesh_files import obj
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits

pytest.importorskip('trimesh', reason='trimesh is not installed ("pip install viser")')

from urdf_tools.view.shape_library import MeshScene  # noqa: E402,I100,I202
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402

MATERIAL = 'newmtl red\nKd 1 0 0\n'


@pytest.fixture
def load(tmp_path):
    """Return a function that writes files in a package, and loads the first one."""
    (tmp_path / 'robot').mkdir()
    (tmp_path / 'robot' / 'package.xml').write_text('<package><name>robot</name></package>')

    def load(files, limits=MeshLimits()):
        for name, data in files.items():
            (tmp_path / 'robot' / name).write_bytes(
                data if isinstance(data, bytes) else data.encode())
        path = tmp_path / 'robot' / next(iter(files))
        return MeshScenes(limits).load([path])[path]
    return load


def coloured_cube():
    return 'mtllib cube.mtl\nusemtl red\n' + obj(CORNERS, CUBE)


def test_triangles_without_materials(load):
    scene = load({'cube.stl': binary_stl(CORNERS[CUBE])})
    assert (scene.vertices.shape, scene.faces.shape) == ((8, 3), (12, 3))
    np.testing.assert_array_equal(
        np.sort(scene.vertices[scene.faces].reshape(-1)), np.sort(CORNERS[CUBE].reshape(-1)))
    assert (scene.coloured, scene.remark) == (b'', '')


def test_materials(load):
    scene = load({'cube.obj': coloured_cube(), 'cube.mtl': MATERIAL})
    assert scene.coloured.startswith(b'glTF')
    assert scene.scale == pytest.approx(1)


def test_images_outside_the_package_are_not_read(load, tmp_path):
    (tmp_path / 'secret.mtl').write_text(MATERIAL)
    scene = load({'cube.obj': coloured_cube().replace('cube.mtl', '../secret.mtl')})
    assert isinstance(scene, MeshScene)
    assert "'../secret.mtl' cannot be read: it is outside" in scene.remark


def test_materials_of_another_shape_are_not_shown(load):
    """A mesh whose materials trimesh cannot read is drawn in the colour of the link."""
    scene = load({'cube.gltf': '{"asset": {"version": "2.0"}}'})
    assert isinstance(scene, MeshError)
    scene = load({'cube.obj': coloured_cube(), 'cube.mtl': b'newmtl \xff\xfe\nKd nothing\n'})
    assert isinstance(scene, MeshScene)
    assert len(scene.faces) == 12


@pytest.mark.parametrize('files, message', [
    ({'cube.stl': b'nothing'}, 'STL'), ({'cube.step': b''}, 'format'),
    ({'cube.dae': nested_collada(30)}, 'nodes')])
def test_bad_meshes(load, files, message):
    scene = load(files)
    assert isinstance(scene, MeshError)
    assert message in str(scene)


def test_limits(load):
    scene = load({'cube.stl': binary_stl(CORNERS[CUBE])}, MeshLimits(triangles=11))
    assert isinstance(scene, MeshError)
    assert scene.limit == 'triangles'


def test_only_what_has_changed_is_read_again(tmp_path):
    path = tmp_path / 'cube.stl'
    path.write_bytes(binary_stl(CORNERS[CUBE]))
    scenes = MeshScenes()
    first = scenes.load([path])[path]
    assert scenes.load([path])[path] is first
    path.write_bytes(binary_stl(2.0 * CORNERS[CUBE[:4]]))
    assert len(scenes.load([path])[path].faces) == 4
