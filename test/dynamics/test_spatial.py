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

"""The algebra of spatial inertias against sums over point masses."""

from hypothesis import assume
from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest
from support.bodies import assert_same
from support.bodies import Cloud
from support.bodies import clouds
from support.bodies import rotations
from support.bodies import transforms
from support.bodies import vectors

from urdf_tools.dynamics.spatial import negate_products
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.dynamics.spatial import Verdict
from urdf_tools.model.pose import Pose
from urdf_tools.model.robot import Inertial


def body(moments, mass=1.0):
    return SpatialInertia(mass, np.zeros(3), np.diag(moments))


@given(clouds(), transforms())
def test_transformed_inertia_is_that_of_transformed_points(cloud, transform):
    assert_same(cloud.inertia.transformed(transform), cloud.moved(transform).inertia)


@given(clouds(), clouds())
def test_sum_is_the_inertia_of_all_points(a, b):
    both = Cloud(np.append(a.masses, b.masses), np.vstack([a.points, b.points]))
    assert_same(a.inertia + b.inertia, both.inertia)
    assert_same(both.inertia - b.inertia, a.inertia, 1e-6)


@given(clouds())
def test_zero_is_the_neutral_element(cloud):
    assert_same(SpatialInertia.zero() + cloud.inertia, cloud.inertia)
    assert_same(cloud.inertia + SpatialInertia.zero(), cloud.inertia)


@given(clouds())
def test_difference_of_equal_inertias_is_zero(cloud):
    rest = cloud.inertia - cloud.inertia
    assert rest.mass == 0
    assert not rest.rotational.any()


@given(clouds(), vectors, vectors)
def test_matrix_gives_the_kinetic_energy(cloud, angular, linear):
    twist = np.append(angular, linear)
    energy = twist @ cloud.inertia.matrix @ twist / 2
    assert energy == pytest.approx(cloud.kinetic_energy(angular, linear), rel=1e-9, abs=1e-9)


@given(clouds())
def test_matrix_is_symmetric_and_positive_semidefinite(cloud):
    matrix = cloud.inertia.matrix
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
    assert np.linalg.eigvalsh(matrix).min() >= -1e-9


@given(clouds(), transforms())
def test_pseudo_inertia_is_the_second_moment_of_points(cloud, transform):
    homogeneous = np.column_stack([cloud.points, np.ones(len(cloud.points))])
    expected = homogeneous.T @ (cloud.masses[:, None] * homogeneous)
    matrix = cloud.inertia.pseudo_inertia()
    np.testing.assert_allclose(matrix, expected, atol=1e-9)
    mass, com = cloud.inertia.mass, cloud.inertia.com
    second = matrix[:3, :3] - mass * np.outer(com, com)
    assert_same(SpatialInertia.from_moments(mass, com, second), cloud.inertia)
    np.testing.assert_allclose(
        cloud.inertia.transformed(transform).pseudo_inertia(),
        transform @ matrix @ transform.T, atol=1e-8)


@given(clouds(), vectors)
def test_about_a_point(cloud, point):
    moved = Cloud(cloud.masses, cloud.points - point).inertia
    np.testing.assert_allclose(
        cloud.inertia.about(point), moved.about(np.zeros(3)), atol=1e-8)
    np.testing.assert_allclose(cloud.inertia.about(cloud.inertia.com), cloud.inertia.rotational)


@given(clouds(), rotations())
def test_principal_moments_do_not_depend_on_the_frame(cloud, rotation):
    moments = cloud.inertia.principal().moments
    np.testing.assert_allclose(
        cloud.inertia.rotated(rotation).principal().moments, moments,
        atol=1e-9 * max(1.0, moments[2]))


@given(clouds())
def test_principal_axes_diagonalize_the_rotational_inertia(cloud):
    principal = cloud.inertia.principal()
    assert (np.diff(principal.moments) >= 0).all()
    np.testing.assert_allclose(principal.axes.T @ principal.axes, np.eye(3), atol=1e-9)
    assert np.linalg.det(principal.axes) == pytest.approx(1.0)
    np.testing.assert_allclose(
        principal.axes @ np.diag(principal.moments) @ principal.axes.T,
        cloud.inertia.rotational, atol=1e-8 * max(1.0, principal.moments[2]))


@pytest.mark.parametrize('moments, axes', [
    ([1, 2, 2.5], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ([2.5, 1, 2], [[0, 0, 1], [1, 0, 0], [0, 1, 0]]),
    ([2, 2.5, 1], [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    ([1, 2.5, 2], [[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
    ([2, 2, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ([2, 2, 3], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    ([1, 2, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]])])
def test_principal_axes_of_a_body_along_its_frame(moments, axes):
    np.testing.assert_allclose(body(moments).principal().axes, axes, atol=1e-12)


@pytest.mark.parametrize('moments', [[1, 1, 1], [1, 1, 1.5], [1, 1.5, 1.5]])
@given(rotations(), st.integers(0, 2**32 - 1))
def test_noise_does_not_rotate_the_axes_of_repeated_moments(moments, rotation, seed):
    exact = body(moments).rotated(rotation)
    # Where two coordinates of an axis differ by the noise, either frame is as close as the other.
    coordinates = np.abs(exact.principal().axes)
    differences = np.abs(coordinates - np.roll(coordinates, 1, axis=0))
    assume(not ((differences > 1e-10) & (differences < 1e-8)).any())
    noise = np.random.default_rng(seed).uniform(-1e-14, 1e-14, (3, 3))
    noisy = SpatialInertia(1.0, np.zeros(3), exact.rotational + noise + noise.T)
    np.testing.assert_allclose(
        np.abs(noisy.principal().axes), np.abs(exact.principal().axes), atol=1e-6)


@given(clouds().map(lambda cloud: cloud.inertia))
def test_inertia_of_points_satisfies_the_triangle_inequality(inertia):
    assert inertia.consistency().verdict is not Verdict.TRIANGLE


def test_consistency_of_a_sphere_and_of_a_plate():
    assert body([1, 1, 1]).consistency()
    assert body([1, 1, 1]).consistency().margin == pytest.approx(1.0)
    assert body([1, 2, 3]).consistency()
    assert body([1, 2, 3]).consistency().margin == pytest.approx(0.0)


@pytest.mark.parametrize('inertia, verdict', [
    (body([1, 1, 2.1]), Verdict.TRIANGLE),
    (body([-1, 1, 1]), Verdict.MOMENT),
    (body([0, 1, 1]), Verdict.MOMENT),
    (body([1, 1, 1], mass=0), Verdict.MASS),
    (body([1, 1, 1], mass=-1), Verdict.MASS),
    (body([0, 0, 0]), Verdict.POINT_MASS),
    (body([1e-13, 1e-13, 1e-13]), Verdict.POINT_MASS),
    (SpatialInertia.zero(), Verdict.MASSLESS),
    (body([1, 1, np.nan]), Verdict.NOT_FINITE),
    (body([1, 1, 1], mass=np.inf), Verdict.NOT_FINITE),
    (body([1, 1, np.inf]), Verdict.NOT_FINITE)])
def test_inconsistent_inertias(inertia, verdict):
    consistency = inertia.consistency()
    assert not consistency
    assert consistency.verdict is verdict


def test_inertia_that_is_not_finite_has_no_principal_moments():
    principal = SpatialInertia(1.0, np.zeros(3), np.full((3, 3), np.inf)).principal()
    assert np.isnan(principal.moments).all()
    assert principal.axes.tolist() == np.eye(3).tolist()


def test_thin_body_rounded_to_six_digits_is_consistent():
    printed = body([1.03333, 1.03333, 2.06667])
    assert printed.consistency().margin < 0
    assert printed.consistency()
    assert printed.consistency(tolerance=1e-6).verdict is Verdict.TRIANGLE


@given(clouds(), rotations(), vectors)
def test_inertial_is_expressed_in_the_frame_of_its_link(cloud, rotation, com):
    ((ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz)) = cloud.inertia.rotational
    x, y, z, w = _quaternion(rotation)
    inertial = Inertial(
        cloud.inertia.mass, ixx, ixy, ixz, iyy, iyz, izz, Pose(tuple(com), (x, y, z, w)))
    expected = SpatialInertia(
        cloud.inertia.mass, com, rotation @ cloud.inertia.rotational @ rotation.T)
    assert_same(SpatialInertia.from_inertial(inertial), expected)


def test_signs_of_products():
    positive = np.array([[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 2.5]])
    assert negate_products(positive).tolist() == [
        [1.0, -0.1, -0.2], [-0.1, 2.0, -0.3], [-0.2, -0.3, 2.5]]
    dumbbell = Cloud(np.ones(2), np.array([[1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]])).inertia
    assert dumbbell.rotational[0, 1] == -2.0


@given(clouds())
def test_another_mass_or_density(cloud):
    inertia = cloud.inertia
    assert_same(inertia.with_mass(2 * inertia.mass), inertia.scaled(2.0))
    with pytest.raises(ValueError, match='without mass'):
        SpatialInertia.zero().with_mass(1.0)


def _quaternion(rotation):
    """Return the quaternion of a rotation as an eigenvector, independently of the package."""
    r = rotation
    matrix = np.array([
        [r[0, 0] - r[1, 1] - r[2, 2], 0, 0, 0],
        [r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], 0, 0],
        [r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1], 0],
        [r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1], r.trace()]])
    return np.linalg.eigh(matrix)[1][:, -1]
