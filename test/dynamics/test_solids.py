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

"""Closed forms against numerical integrals."""


from hypothesis import given
from hypothesis import strategies as st
import numpy as np
import pytest
from support.bodies import assert_same

from urdf_tools.dynamics.solids import cone
from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere

lengths = st.floats(0.05, 2)
shapes = st.one_of(
    st.builds(Box, st.tuples(lengths, lengths, lengths)), st.builds(Sphere, lengths),
    st.builds(Cylinder, lengths, lengths), st.builds(Capsule, lengths, lengths))


def stacked_discs(*segments):
    """
    Integrate a body of revolution about z, of unit density.

    :param segments: each a range of z and the square of the radius as a function of it, a
        polynomial, for which these nodes are exact.
    """
    nodes, weights = np.polynomial.legendre.leggauss(8)
    mass = along = across = 0.0
    for low, high, square in segments:
        z = (low + high) / 2 + (high - low) / 2 * nodes
        dz = (high - low) / 2 * weights
        mass += np.pi * dz @ square(z)
        along += np.pi / 2 * dz @ square(z) ** 2
        across += np.pi * dz @ (square(z) ** 2 / 4 + square(z) * z ** 2)
    return SpatialInertia(mass, np.zeros(3), np.diag([across, across, along]))


def test_box_of_a_kilogram():
    box = solid(Box((0.2, 0.3, 0.6))).with_mass(1.0)
    np.testing.assert_allclose(box.rotational, np.diag([0.45, 0.40, 0.13]) / 12, rtol=1e-15)


@given(lengths, lengths)
def test_bodies_of_revolution_are_stacks_of_discs(radius, length):
    half = length / 2
    trunk = (-half, half, lambda z: np.full_like(z, radius ** 2))
    below = (-half - radius, -half, lambda z: radius ** 2 - (z + half) ** 2)
    above = (half, half + radius, lambda z: radius ** 2 - (z - half) ** 2)
    ball = (-radius, radius, lambda z: radius ** 2 - z ** 2)
    assert_same(solid(Cylinder(radius, length)), stacked_discs(trunk), 1e-12)
    assert_same(solid(Sphere(radius)), stacked_discs(ball), 1e-12)
    assert_same(solid(Capsule(radius, length)), stacked_discs(below, trunk, above), 1e-12)


@given(lengths, lengths)
def test_cone_is_a_stack_of_discs(radius, height):
    low, high = -height / 2, height / 2
    expected = stacked_discs((low, high, lambda z: (radius * (high - z) / height) ** 2))
    body = cone(radius, height)
    assert body.com[2] == pytest.approx(-height / 4)
    np.testing.assert_allclose(body.about(np.zeros(3)), expected.rotational, rtol=1e-12)
    assert body.mass == pytest.approx(expected.mass)


def test_volumes():
    assert solid(Box((1, 2, 3))).mass == pytest.approx(6)
    assert solid(Capsule(3, 2)).mass == pytest.approx(54 * np.pi)


@given(shapes)
def test_solids_are_consistent(shape):
    assert solid(shape).with_mass(1.0).consistency()


@pytest.mark.parametrize('shape, words', [
    (Box((1.0, 0.0, 1.0)), 'size of the box is 0'),
    (Cylinder(-1.0, 1.0), 'radius of the cylinder is -1'),
    (Sphere(float('nan')), 'radius of the sphere is nan'),
    (Capsule(1.0, float('inf')), 'length of the capsule is inf')])
def test_dimensions_that_are_not_positive_and_finite(shape, words):
    with pytest.raises(ValueError, match=words):
        solid(shape)


@pytest.mark.parametrize('radius, height, words', [
    (0.0, 1.0, 'radius of the cone is 0'), (1.0, float('nan'), 'height of the cone is nan')])
def test_cones_of_invalid_dimensions(radius, height, words):
    with pytest.raises(ValueError, match=words):
        cone(radius, height)


def test_mesh_is_not_a_primitive():
    with pytest.raises(TypeError, match='Mesh'):
        solid(Mesh('a.stl'))
