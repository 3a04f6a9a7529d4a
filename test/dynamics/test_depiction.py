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

"""Equivalent boxes and ellipsoids, against closed forms and point clouds."""

from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest
from support.bodies import clouds
from support.bodies import rotations

from urdf_tools.dynamics.depiction import equivalent_solid
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.records import Box
from urdf_tools.model.records import Sphere

lengths = st.floats(0.05, 2)


def test_box_of_a_box_is_itself():
    body = solid(Box((0.2, 0.3, 0.6))).with_mass(7.0).translated(np.array([1, 2, 3]))
    size, axes = equivalent_solid(body, 'box')
    # The longest side has the smallest principal moment.
    np.testing.assert_allclose(size, [0.6, 0.3, 0.2], rtol=1e-12)
    np.testing.assert_allclose(axes[:, 0], [0, 0, 1], atol=1e-15)


def test_ellipsoid_of_a_sphere_is_itself():
    size, _ = equivalent_solid(solid(Sphere(0.3)), 'ellipsoid')
    np.testing.assert_allclose(size, [0.6, 0.6, 0.6], rtol=1e-12)


@given(st.tuples(lengths, lengths, lengths), st.floats(0.1, 50), rotations())
def test_box_of_a_rotated_box_is_itself(size, mass, rotation):
    found, _ = equivalent_solid(solid(Box(size)).with_mass(mass).rotated(rotation), 'box')
    np.testing.assert_allclose(sorted(found), sorted(size), rtol=1e-6)


@pytest.mark.parametrize(('equivalent', 'spread'), [
    # How much of its squared size a solid has for the mean of the squared distance.
    ('box', 1 / 12), ('ellipsoid', 1 / 20)])
@given(cloud=clouds())
def test_solids_have_the_mass_and_inertia_of_the_body(equivalent, spread, cloud):
    body = cloud.inertia
    size, axes = equivalent_solid(body, equivalent)
    second_moments = axes * (body.mass * spread * size ** 2) @ axes.T
    rotational = np.trace(second_moments) * np.eye(3) - second_moments
    np.testing.assert_allclose(
        rotational, body.rotational, atol=1e-9 * max(1e-3, np.abs(body.rotational).max()))


@pytest.mark.parametrize(('moments', 'flat'), [
    ((1.0, 1.0, 2.0), [False, False, True]),
    ((1.0, 1.0, 3.0), [False, False, True]),
    ((1.0, 4.0, 9.0), [False, False, True]),
])
def test_inconsistent_inertia_has_no_size_along_some_axes(moments, flat):
    body = SpatialInertia(2.0, np.zeros(3), np.diag(moments))
    assert list(equivalent_solid(body, 'box')[0] == 0) == flat
    assert list(equivalent_solid(body, 'ellipsoid')[0] == 0) == flat


@pytest.mark.parametrize('mass', [0.0, -1.0])
def test_no_size_without_mass(mass):
    body = SpatialInertia(mass, np.zeros(3), np.eye(3))
    assert not equivalent_solid(body, 'box')[0].any()
    assert not equivalent_solid(body, 'ellipsoid')[0].any()
