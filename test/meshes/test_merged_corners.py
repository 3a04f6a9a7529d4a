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

"""Corners of triangles are one vertex exactly if they are equal when rounded to 10 nm."""

from itertools import permutations
from itertools import product

import numpy as np
import pytest

from urdf_tools.meshes.record import record_mesh
from urdf_tools.meshes.triangles import merge_corners

FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7),
                  (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])

TURNS = [np.array(rows) for order in permutations(range(3))
         for signs in product((1, -1), repeat=3)
         if np.linalg.det(rows := np.eye(3)[list(order)] * signs) > 0]
"""The 24 rotations that map axes to axes."""


def box(size, more):
    """Return the triangles of a box whose upper z is farther from the origin than its lower."""
    x, y, z = np.array(size) / 2
    return np.array([*product((-x, x), (-y, y), (-z, z + more))])[FACES]


def grid(points):
    """Return the triangles of a closed grid of points, shape (U, V, 3)."""
    a, b = points, np.roll(points, -1, 0)
    c, d = np.roll(a, -1, 1), np.roll(b, -1, 1)
    return np.concatenate([np.stack(each, -2).reshape(-1, 3, 3)
                           for each in ((a, b, d), (a, d, c))])


def rounded(kind, seed):
    """Return the noisy triangles of a sphere, torus or capsule."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 60, False), np.linspace(0, 2 * np.pi, 40, False),
                       indexing='ij')
    ring = {'sphere': 0.0, 'torus': 0.1, 'capsule': 0.0}[kind]
    far = ring + 0.05 * np.cos(v)
    z = 0.05 * np.sin(v) + (0.1 * np.sign(np.sin(v)) if kind == 'capsule' else 0.0)
    points = np.stack([far * np.cos(u), far * np.sin(u), z], -1)
    noise = np.random.default_rng(seed).normal(0, 2e-8, points.shape)
    return grid(points + noise)


def assert_exact(triangles):
    vertices, faces = merge_corners(triangles)
    steps = np.round(triangles.reshape(-1, 3).astype(float) * 1e8) + 0.0
    assert len(vertices) == len(np.unique(steps, axis=0))
    assert (np.round(vertices[faces].reshape(-1, 3) * 1e8) == steps).all()


@pytest.mark.parametrize('turn', range(24))
@pytest.mark.parametrize('size, more', [
    ((0.1, 0.02, 0.006), 1e-8), ((0.1, 0.02, 0.006), 3e-8), ((0.2, 0.2, 0.2), 1e-8),
    ((1, 2, 3), 1e-6), ((0.05, 0.01, 0.01), -1e-8)])
def test_boxes_keep_their_corners_and_volume(size, more, turn):
    triangles = box(size, more) @ TURNS[turn].T
    assert_exact(triangles)
    record = record_mesh(*merge_corners(triangles))
    assert record.openness == '' and record.faces == 12
    x, y, z = size
    assert record.volume == pytest.approx(x * y * (z + more), rel=1e-6)


@pytest.mark.parametrize('dtype', [
    np.float32, pytest.param(float, marks=pytest.mark.slow)])
@pytest.mark.parametrize('kind', ['sphere', 'torus', 'capsule'])
def test_round_meshes_in_all_orientations(kind, dtype):
    for seed, turn in enumerate(TURNS):
        assert_exact((rounded(kind, seed) @ turn.T).astype(dtype))
