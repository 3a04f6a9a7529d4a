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

"""Solids and shells inside meshes, read from files."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest
from support.bodies import assert_same
from support.bodies import vectors
from support.mesh_files import mesh_data

from urdf_tools.dynamics.shapes import mesh_solid
from urdf_tools.dynamics.shapes import prism
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.meshes.formats import mesh_formats
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.meshes.moments import surface
from urdf_tools.model.records import Box

BOX = Box((0.2, 0.3, 0.5))
OFFSET = np.array([0.4, -0.1, 0.2])

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
_SIDES = np.array([
    [0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])


def box_triangles(box=BOX, offset=OFFSET):
    """Return the twelve triangles of a box around a point."""
    corners = (_CORNERS - 0.5) * box.size + offset
    return corners[_SIDES[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3)]


def inertia(moments):
    """Return the inertia at density one."""
    return SpatialInertia.from_moments(moments.measure, moments.centroid, moments.second)


def write_mesh(path: Path, triangles) -> Path:
    """Write triangles to a file in the format of its name."""
    path.write_bytes(mesh_data(path.suffix, np.asarray(triangles)))
    return path


@given(st.tuples(*[st.floats(0.05, 2)] * 3), vectors)
def test_polyhedron_and_surface_of_a_box(size, offset):
    triangles = box_triangles(Box(size), offset)
    assert_same(inertia(polyhedron(triangles)), solid(Box(size)).translated(offset), 1e-12)
    x, y, z = size
    assert surface(triangles).measure == pytest.approx(2 * (x * y + y * z + z * x))
    np.testing.assert_allclose(surface(triangles).centroid, offset, atol=1e-12)


def test_large_numbers_do_not_cancel_far_from_the_origin():
    far = np.array([1e5, -1e5, 1e5])
    body = inertia(polyhedron(box_triangles(offset=far)))
    np.testing.assert_allclose(body.rotational, solid(BOX).rotational, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize('order', [1, -1], ids=['counterclockwise', 'clockwise'])
def test_prism_is_the_sum_of_boxes(order):
    """The base is an L, of which one leg is 3 by 1 and the other 1 by 2."""
    polygon = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], dtype=float)
    expected = (
        solid(Box((3, 1, 0.5))).translated(np.array([1.5, 0.5, 0]))
        + solid(Box((1, 2, 0.5))).translated(np.array([0.5, 2, 0])))
    for corner in range(len(polygon)):
        assert_same(prism(np.roll(polygon, corner, axis=0)[::order], 0.5), expected, 1e-12)


@pytest.mark.filterwarnings('ignore:invalid value')
@pytest.mark.parametrize('polygon, height, words', [
    ([[0, 0], [1, 0], [0, 1]], 0.0, 'no height'),
    ([[0, 0], [1, 0], [0, 1]], -1.0, 'no height'),
    ([[0, 0], [1, 0], [0, 1]], np.nan, 'no height'),
    ([[0, 0], [1, 0]], 1.0, 'fewer than three corners'),
    ([[0, 0], [1, 1], [2, 2]], 1.0, 'no volume'),
    ([[0, 0], [1, 0], [0, np.nan]], 1.0, 'no volume')])
def test_prisms_without_volume(polygon, height, words):
    with pytest.raises(ValueError, match=words):
        prism(np.array(polygon), height)


@pytest.mark.parametrize('ending', mesh_formats())
def test_formats(tmp_path, ending):
    path = write_mesh(tmp_path / f'box{ending}', box_triangles())
    body, remark = mesh_solid(path)
    assert remark == ''
    assert_same(body, solid(BOX).translated(OFFSET), 1e-7)


def test_mesh_of_a_ball_approximates_the_sphere(tmp_path):
    heights, angles = np.mgrid[-np.pi / 2:np.pi / 2:65j, 0:2 * np.pi:129j]
    grid = 0.5 * np.stack([
        np.cos(heights) * np.cos(angles), np.cos(heights) * np.sin(angles), np.sin(heights)], -1)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    triangles = np.concatenate([np.stack([a, b, c], 2), np.stack([a, c, d], 2)])
    body, remark = mesh_solid(write_mesh(tmp_path / 'ball.stl', triangles.reshape(-1, 3, 3)))
    assert remark == ''
    assert body.mass == pytest.approx(np.pi / 6, rel=2e-3)
    np.testing.assert_allclose(body.with_mass(1.0).rotational, 0.1 * np.eye(3), atol=2e-4)


@pytest.mark.parametrize('scale', [(0.001, 0.001, 0.001), (2, 3, 0.5), (-1, 1, 1), (-2, -3, -1)])
def test_scale_and_mirror(tmp_path, scale):
    path = write_mesh(tmp_path / 'box.glb', box_triangles())
    expected = solid(Box(tuple(np.abs(scale) * BOX.size))).translated(OFFSET * scale)
    inertia = mesh_solid(path, scale)[0]
    assert_same(inertia, expected, 1e-6)
    assert inertia.with_mass(1.0).consistency()


def test_mirror_of_a_mesh_without_symmetry(tmp_path):
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]])
    triangles = corner[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]]
    path = write_mesh(tmp_path / 'corner.stl', triangles)
    plain, mirrored = mesh_solid(path)[0], mesh_solid(path, (1, -1, 1))[0]
    assert plain.mass == pytest.approx(1.0)
    np.testing.assert_allclose(plain.com, [0.25, 0.5, 0.75])
    np.testing.assert_allclose(mirrored.com, [0.25, -0.5, 0.75])
    flip = np.array([[1, -1, 1], [-1, 1, -1], [1, -1, 1]])
    assert abs(plain.rotational[0, 1]) > 0.01
    np.testing.assert_allclose(mirrored.rotational, plain.rotational * flip, atol=1e-12)


def test_mesh_with_inward_triangles(tmp_path):
    path = write_mesh(tmp_path / 'box.stl', box_triangles()[:, ::-1])
    assert_same(mesh_solid(path)[0], solid(BOX).translated(OFFSET), 1e-6)


def test_touching_bodies(tmp_path):
    shift = np.array([0.2, 0, 0])
    path = write_mesh(tmp_path / 'boxes.stl', np.concatenate([
        box_triangles(), box_triangles(offset=OFFSET + shift)]))
    body, remark = mesh_solid(path)
    assert remark == ''
    assert_same(body, solid(Box((0.4, 0.3, 0.5))).translated(OFFSET + shift / 2), 1e-6)


def test_hollow_body(tmp_path):
    inner = Box((0.1, 0.1, 0.1))
    path = write_mesh(tmp_path / 'hollow.stl', np.concatenate([
        box_triangles(), box_triangles(inner)[:, ::-1]]))
    assert_same(
        mesh_solid(path)[0], (solid(BOX) - solid(inner)).translated(OFFSET), 1e-6)


def test_open_mesh_has_the_inertia_of_its_convex_hull(tmp_path):
    pytest.importorskip('scipy')
    path = write_mesh(tmp_path / 'open.stl', box_triangles()[:-2])
    body, remark = mesh_solid(path)
    assert remark == 'the mesh is not closed'
    assert_same(body, solid(BOX).translated(OFFSET), 1e-6)


def test_triangles_of_inconsistent_orientation(tmp_path):
    pytest.importorskip('scipy')
    triangles = box_triangles()
    triangles[3] = triangles[3, ::-1]
    body, remark = mesh_solid(write_mesh(tmp_path / 'twisted.stl', triangles))
    assert remark == 'neighbouring triangles of the mesh face opposite sides'
    assert_same(body, solid(BOX).translated(OFFSET), 1e-6)


def test_convex_hull_by_request(tmp_path):
    pytest.importorskip('scipy')
    hollow = np.concatenate([box_triangles(), box_triangles(Box((0.1, 0.1, 0.1)))[:, ::-1]])
    body, remark = mesh_solid(write_mesh(tmp_path / 'hollow.stl', hollow), hull=True)
    assert remark == 'the convex hull was requested'
    assert_same(body, solid(BOX).translated(OFFSET), 1e-6)


def test_flat_meshes_have_no_volume(tmp_path):
    pytest.importorskip('scipy')
    path = write_mesh(tmp_path / 'flat.stl', box_triangles()[:2])
    with pytest.raises(MeshError, match='flat'):
        mesh_solid(path)


def test_missing_files(tmp_path):
    with pytest.raises(MeshError, match='cannot be read: No such file'):
        mesh_solid(tmp_path / 'nothing.stl')
    for name, words in (('a.ply', 'none of'), ('mesh', 'no suffix')):
        with pytest.raises(MeshError, match=words):
            mesh_solid(tmp_path / name)


def test_changed_file_is_read_again(tmp_path):
    path = write_mesh(tmp_path / 'box.stl', box_triangles())
    before = mesh_solid(path)[0].mass
    write_mesh(path, np.concatenate([box_triangles(), box_triangles(offset=np.ones(3))]))
    assert mesh_solid(path)[0].mass == pytest.approx(2 * before)


def test_scale_that_leaves_no_volume(tmp_path):
    path = write_mesh(tmp_path / 'box.stl', box_triangles())
    with pytest.raises(MeshError, match='scale leaves no volume'):
        mesh_solid(path, (1, 0, 1))


def test_meshes_of_the_corpus(corpus_robot):
    """Every mesh has an inertia, and a physically consistent one."""
    pytest.importorskip('scipy')
    for path in sorted(corpus_robot.packages.rglob('*')):
        if path.suffix.lower() in mesh_formats():
            inertia = mesh_solid(path)[0]
            assert inertia.mass > 0
            assert inertia.with_mass(1e3).consistency(1e-6), path
