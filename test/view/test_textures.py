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
"""Textures of URDF materials: on which surfaces they are, and which images are refused."""

from __future__ import annotations

import io
import re
import struct
import zlib

import numpy as np
import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver
from urdf_tools.meshes.limits import MeshLimits

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from PIL import Image  # noqa: E402,I100,I202
import trimesh  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

SHAPES = {
    'box': '<box size="1 2 3"/>', 'cylinder': '<cylinder radius="0.5" length="2"/>',
    'sphere': '<sphere radius="0.5"/>', 'mesh': '<mesh filename="flat.obj"/>'}
FLAT = """v 0 0 0
v 1 0 0
v 0 1 0
vt 0 0
vt 1 0
vt 0 1
f 1/1 2/2 3/3
"""


@pytest.fixture
def library(tmp_path):
    """Return a function that loads a link with a shape and a texture from a package."""
    folder = tmp_path / 'robot'
    folder.mkdir()
    (folder / 'package.xml').write_text('<package><name>robot</name></package>')
    (folder / 'flat.obj').write_text(FLAT)
    Image.fromarray(np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [9, 9, 9]]], 'u1')).save(
        folder / 'image.png')

    def library(shape='box', texture='image.png', limits=MeshLimits()):
        robot = loads(text(shape, texture), source=str(folder / 'robot.urdf'))
        return robot, ShapeLibrary(robot, ResourceResolver(folder).resolve, MeshScenes(limits))
    library.folder = folder
    return library


def text(shape, texture):
    return (f'<robot name="r"><link name="a"><visual><geometry>{SHAPES[shape]}</geometry>'
            f'<material name="m"><texture filename="{texture}"/></material>'
            '</visual></link></robot>')


def textured_mesh(robot, shapes):
    coloured = shapes.coloured(robot.links['a'].visuals[0])
    scene = trimesh.load_scene(io.BytesIO(coloured.data), file_type='glb', process=False)
    return next(iter(scene.geometry.values()))


@pytest.mark.parametrize('shape, area', [
    ('box', 22), ('cylinder', 2.5 * np.pi), ('sphere', np.pi), ('mesh', 0.5)])
def test_surfaces(library, shape, area):
    """The surface stays the same, looks outwards, and has the image."""
    robot, shapes = library(shape)
    mesh = textured_mesh(robot, shapes)
    assert mesh.area == pytest.approx(area, rel=0.02)
    assert mesh.visual.material.baseColorTexture.size == (2, 2)
    assert mesh.visual.uv.min() >= -1e-6
    if shape != 'mesh':
        assert mesh.volume > 0
        outwards = np.einsum('ij,ij->i', mesh.vertex_normals, mesh.vertices)
        assert outwards.min() > 0
        triangles = mesh.visual.uv[mesh.faces]
        assert np.ptp(triangles, axis=1).max() <= 1 + 1e-6
        if shape == 'sphere':
            assert np.ptp(triangles[..., 0], axis=1).max() < 0.1
            latitude = np.pi * (mesh.visual.uv[:, 1] - 0.5)
            np.testing.assert_allclose(mesh.vertices[:, 2], 0.5 * np.sin(latitude), atol=1e-6)


def test_an_image_is_upright_at_the_front_of_a_box(library):
    mesh = textured_mesh(*library('box'))
    front = np.flatnonzero((mesh.vertices[:, 0] > 0.49) & (mesh.vertex_normals[:, 0] > 0.9))
    share = mesh.vertices[front][:, 1:] / [2, 3] + 0.5
    np.testing.assert_allclose(mesh.visual.uv[front], share, atol=1e-6)


def test_materials_of_the_mesh_take_precedence(library):
    (library.folder / 'flat.mtl').write_text('newmtl red\nKd 1 0 0\n')
    (library.folder / 'flat.obj').write_text('mtllib flat.mtl\nusemtl red\n' + FLAT)
    assert textured_mesh(*library('mesh')).visual.material.baseColorTexture is None


def test_a_mesh_without_texture_coordinates_has_no_image(library):
    (library.folder / 'flat.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n')
    robot, shapes = library('mesh')
    assert shapes.coloured(robot.links['a'].visuals[0]) is None


def png_of_size(width, height):
    """Return a PNG file that says it has so many pixels, and has next to none."""
    def chunk(kind, data):
        return (struct.pack('>I', len(data)) + kind + data
                + struct.pack('>I', zlib.crc32(kind + data)))
    header = struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)
    return (b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header)
            + chunk(b'IDAT', zlib.compress(b'\0' * 10**6)) + chunk(b'IEND', b''))


@pytest.mark.parametrize('data, reason', [
    (png_of_size(9000, 9000), '9000 x 9000 pixels'), (png_of_size(60000, 60000), 'Bomb'),
    (b'%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n', 'not an image'),
    (b'\x89PNG\r\n\x1a\n', 'cannot be read|not an image'), (b'\0' * 3 * 2**20, 'larger than')])
def test_hostile_images(library, data, reason):
    (library.folder / 'image.png').write_bytes(data)
    robot, shapes = library(limits=MeshLimits(size=2))
    assert shapes.coloured(robot.links['a'].visuals[0]) is None
    assert [(file.link, file.filename) for file in shapes.missing_textures] == [('a', 'image.png')]
    assert re.search(reason, shapes.missing_textures[0].reason)


@pytest.mark.parametrize('texture, reason', [
    ('../secret.png', 'outside'), ('package://robot/../secret.png', 'outside'),
    ('link.png', 'outside'), ('/dev/zero', 'outside'), ('nothing.png', 'not'),
    ('http://example.com/a.png', 'http')])
def test_files_that_must_not_be_read(library, texture, reason):
    secret = library.folder.parent / 'secret.png'
    secret.write_bytes((library.folder / 'image.png').read_bytes())
    (library.folder / 'link.png').symlink_to(secret)
    robot, shapes = library(texture=texture)
    assert shapes.coloured(robot.links['a'].visuals[0]) is None
    assert reason in shapes.missing_textures[0].reason


def test_the_page_lists_textures_that_are_not_shown(library):
    """An image that appears later is drawn by the next version of the robot."""
    server = LocalServer(port=8455)
    try:
        viewer = Viewer(server)
        for texture, is_shown in (('nothing.png', False), ('image.png', True)):
            robot, shapes = library(texture=texture)
            viewer.use(KinematicTree(robot), shapes)
            assert ('>nothing.png<' in viewer._missing.content) != is_shown
            node = viewer.server.scene.get_handle_by_name(f'{viewer.view.node_name("a")}/visual0')
            assert (type(node).__name__ == 'GlbHandle') == is_shown
        viewer.select('a')
        painted = viewer.server.scene.get_handle_by_name(f'{viewer.view.node_name("a")}/visual0p')
        assert painted.visible and not node.visible
        viewer.select('')
        assert node.visible and not painted.visible
    finally:
        server.stop()
