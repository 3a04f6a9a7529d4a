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

"""Shapes around points whose smallest shapes are known."""

import numpy as np
import pytest

from urdf_tools.collision import fits
from urdf_tools.collision.fits import convex
from urdf_tools.collision.fits import extreme_points
from urdf_tools.collision.fits import hull_of
from urdf_tools.collision.fits import MAX_VERTICES
from urdf_tools.collision.fits import smallest_box
from urdf_tools.collision.fits import smallest_round
from urdf_tools.collision.fits import smallest_sphere
from urdf_tools.collision.solids import angles_of
from urdf_tools.collision.solids import rounded
from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.element_reader import quaternion_from_rpy
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
CENTRE = np.array([1.0, -2.0, 0.5])


def turned(seed):
    quaternion = np.random.default_rng(seed).normal(size=4)
    return quaternion_to_matrix(quaternion / np.linalg.norm(quaternion))


def rotation_of(*angles):
    return quaternion_to_matrix(quaternion_from_rpy(*angles))


def drum(radius, length, sides=64):
    angles = np.arange(sides) * 2 * np.pi / sides
    return np.array([(radius * np.cos(angle), radius * np.sin(angle), z)
                     for angle in angles for z in (-length / 2, length / 2)])


@pytest.mark.parametrize('seed', range(5))
def test_a_box_is_found_in_any_orientation(seed):
    size = np.array([0.1234567, 0.2345678, 0.3456789])
    points, faces = extreme_points((CORNERS * size) @ turned(seed).T + CENTRE)
    box = smallest_box(points)
    assert sorted(box.shape.size) == pytest.approx(size, abs=1e-6)
    assert box.centre == pytest.approx(CENTRE, abs=1e-6)
    assert np.linalg.det(box.rotation) == pytest.approx(1)
    assert np.abs(box.distances(points)).max() < 1e-6


def test_a_box_is_along_the_axes_of_the_link_if_that_costs_nothing():
    box = smallest_box(drum(0.1, 0.2))
    assert (box.rotation == np.eye(3)).all()


@pytest.mark.parametrize('seed', range(3))
def test_a_cylinder_of_64_sides_is_found_in_any_orientation(seed):
    points, faces = extreme_points(drum(0.1, 0.3) @ turned(seed).T + CENTRE)
    cylinder, = smallest_round(points, faces[:8], ['cylinder', 'box'])
    assert (cylinder.shape.radius, cylinder.shape.length) == pytest.approx((0.1, 0.3), abs=1e-6)
    assert abs(cylinder.rotation[:, 2] @ turned(seed)[:, 2]) == pytest.approx(1, abs=1e-9)
    assert cylinder.centre == pytest.approx(CENTRE, abs=1e-6)


def test_a_sphere_is_the_smallest():
    points = np.random.default_rng(3).normal(size=(500, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    sphere = smallest_sphere(points + CENTRE)
    assert sphere.shape.radius == pytest.approx(1, abs=1e-6)
    assert smallest_sphere(CORNERS).shape.radius == pytest.approx(np.sqrt(3) / 2)


def test_a_capsule_is_the_smallest():
    ends = np.random.default_rng(4).normal(size=(4000, 3))
    ends *= 0.1 / np.linalg.norm(ends, axis=1, keepdims=True)
    ends[:, 2] += 0.2 * np.sign(ends[:, 2])
    points, _ = extreme_points(ends)
    capsule, = smallest_round(points, [np.array([0, 0, 1.0])], ['capsule'])
    assert isinstance(capsule.shape, Capsule)
    assert (capsule.shape.radius, capsule.shape.length) == pytest.approx((0.1, 0.4), abs=2e-3)
    assert capsule.distances(points).max() < 1e-9


def test_a_hull_has_few_vertices_and_faces_outward():
    points = np.random.default_rng(5).normal(size=(2000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    hull = hull_of(points, 0.0)
    assert len(hull.shape.vertices) == MAX_VERTICES
    assert 0.8 < hull.volume / (4 / 3 * np.pi) < 1
    assert hull.distances(np.zeros((1, 3)))[0] < -0.8
    assert 0 < hull.distances(points).max() < 0.2
    assert len(hull_of(CORNERS, 1e-3).shape.vertices) == 8
    assert hull_of(CORNERS * [1, 1, 0], 1e-3) is None


@pytest.mark.parametrize('flat', [[1, 1, 0], [1, 0, 0]])
def test_flat_points_have_shapes(flat):
    points, faces = extreme_points(CORNERS * flat)
    box = rounded(smallest_box(points), points)
    assert sorted(box.shape.size) == sorted(1.0 if extent else 0.001 for extent in flat)
    size = np.linalg.norm(flat)
    assert smallest_sphere(points).shape.radius == pytest.approx(size / 2)
    cylinder, = smallest_round(points, [np.eye(3)[0]], ['cylinder'])
    assert cylinder.shape.length == pytest.approx(1)


def test_numbers_are_round():
    points = CORNERS * [0.30004, 0.1998, 0.1] @ rotation_of(0.002, 0, np.pi / 2).T + 0.00021
    box = rounded(smallest_box(points), points)
    assert [round(1000 * size, 6) % 1 for size in box.shape.size] == [0, 0, 0]
    assert (box.centre == 0).all() and angles_of(box) == (0, 0, 0)


@pytest.mark.parametrize('axis, angles', [
    ((1, 0, 0), (0, 1.5708, 0)), ((0, 1, 0), (1.5708, 0, 0)), ((0, 0, 1), (0, 0, 0)),
    ((-1, 0, 0), (0, 1.5708, 0)), ((0, -1, 0), (1.5708, 0, 0)), ((0, 0, -1), (0, 0, 0))])
def test_cylinders_along_axes_have_right_angles(axis, angles):
    rotation = np.linalg.svd(np.array([axis], float))[2][[1, 2, 0]].T
    solid = Solid(Cylinder(0.1, 0.3), rotation * np.sign(rotation[:, 2] @ axis), np.zeros(3))
    assert angles_of(solid) == angles
    assert abs(rotation_of(*angles)[:, 2] @ axis) == pytest.approx(1, abs=1e-4)


def test_distances_are_signed():
    points = np.array([[0, 0, 0], [2, 0, 0], [2, 2, 0.0]])
    assert Solid(Box((2, 2, 2)), np.eye(3), np.zeros(3)).distances(points) == pytest.approx(
        [-1, 1, np.sqrt(2)])
    assert Solid(Cylinder(1, 2), np.eye(3), np.zeros(3)).distances(points) == pytest.approx(
        [-1, 1, np.sqrt(8) - 1])


def test_points_on_a_circle_up_to_rounding():
    """Qhull refuses these points of a side of a box."""
    points = np.array([
        (-0.12865004632910026, -0.008329390522013275, 6.000000301547504e-06),
        (-0.12849526240369835, 0.008336557267242896, 3.999999624450851e-06),
        (-0.1286500462735787, -0.008329391722581087, -3.999999626240212e-06),
        (-0.1284952623481768, 0.008336556066675082, -6.000000303336865e-06),
        (0.17148180038963762, 0.005550539700356055, 5.999999727315493e-06),
        (0.1713270165197573, -0.011115409289467928, -1.9999995233755693e-06),
        (0.1714818004451592, 0.005550538499788242, -4.000000200472223e-06)])
    sphere = smallest_sphere(points)
    distances = np.linalg.norm(points - sphere.centre, axis=1)
    assert distances.max() <= sphere.shape.radius + 1e-12 < 0.1505


def test_the_hull_of_a_ball_of_very_many_corners_takes_few(monkeypatch):
    """Each of 90,000 corners is one of the hull, for which Qhull takes 0.5 GB."""
    normals = np.random.default_rng(1).normal(size=(30_000, 3, 3))
    ball = shell(normals / np.linalg.norm(normals, axis=2)[..., None])
    counts = []
    make = fits.convex_hull_of
    monkeypatch.setattr(fits, 'convex_hull_of', lambda points: counts.append(
        len(points)) or make(points))
    whole = convex(ball)
    assert max(counts) <= 1000
    assert 0.95 < whole.volume / (4 / 3 * np.pi) < 1
