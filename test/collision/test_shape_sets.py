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

"""The shapes that are chosen for surfaces, and the errors that are measured."""

import numpy as np
import pytest

from urdf_tools.collision.fits import hull_of
from urdf_tools.collision.parts import Errors
from urdf_tools.collision.parts import errors_of
from urdf_tools.collision.parts import KINDS
from urdf_tools.collision.parts import Task
from urdf_tools.collision.shape_sets import best_set
from urdf_tools.collision.shape_sets import closer_sets
from urdf_tools.collision.shape_sets import ShapeSet
from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.meshes.triangles import shape_triangles
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere

SIMPLE = ('box', 'cylinder', 'sphere')


def triangles(shape, offset=(0, 0, 0)):
    surface = shape_triangles(shape)
    return surface.vertices.astype(float)[surface.faces] + offset


def bent():
    """Return an L of two square tubes, 0.5 m long and 0.1 m wide, as one surface."""
    return Surface(np.concatenate([
        triangles(Box((0.1, 0.1, 0.5)), (0, 0, 0.25)),
        triangles(Box((0.4, 0.1, 0.1)), (0.25, 0, 0.45))]))


@pytest.mark.parametrize('shape', [
    Box((0.1, 0.2, 0.3)), Cylinder(0.1, 0.4), Sphere(0.1), Capsule(0.05, 0.3)])
@pytest.mark.parametrize('fit', [False, True])
def test_a_surface_of_one_shape_gets_that_shape(shape, fit):
    chosen = best_set(Surface(triangles(shape)), Task(0.01, fit, KINDS))
    solid, = chosen.solids
    assert type(solid.shape) is type(shape)
    assert solid.volume == pytest.approx(Solid(shape, np.eye(3), np.zeros(3)).volume, rel=0.05)
    assert chosen.errors.outside < 1e-6 and chosen.errors.excess < 0.006


@pytest.mark.parametrize('fit', [False, True])
def test_a_bent_tube_gets_several(fit):
    chosen = best_set(bent(), Task(0.01, fit, SIMPLE))
    assert len(chosen.solids) == 2
    assert all(solid.kind == 'box' for solid in chosen.solids)
    assert chosen.volume == pytest.approx(0.1 ** 2 * 0.9, rel=0.03)
    assert chosen.errors.largest <= 0.01


@pytest.mark.slow
def test_closer_sets_follow():
    task = Task(0.3, True, SIMPLE)
    best = best_set(bent(), task)
    assert len(best.solids) == 1
    excesses = [each.errors.excess for each in (best, *closer_sets(bent(), task, best))]
    assert len(excesses) > 1 and excesses == sorted(set(excesses), reverse=True)


@pytest.mark.slow
def test_a_huge_mesh_is_thinned_and_measured_whole():
    angles = np.linspace(0, np.pi, 300)
    u, v = (each.ravel() for each in np.meshgrid(2 * angles, angles, indexing='ij'))
    points = 0.2 * np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=1)
    corner = (300 * np.arange(299)[:, None] + np.arange(299)).ravel()
    faces = np.concatenate([np.stack(some, axis=1) for some in (
        (corner, corner + 300, corner + 301), (corner, corner + 301, corner + 1))])
    ball = Surface(points[faces])
    assert len(ball.triangles) == 178802 and len(ball.thinned().triangles) < 31000
    solid, = best_set(ball, Task(0.01, False, KINDS)).solids
    assert (solid.kind, solid.shape.radius) == ('sphere', pytest.approx(0.2, abs=1e-3))
    assert len(bent().thinned().triangles) == 24


def test_errors_in_both_directions():
    surface = Surface(triangles(Box((0.2, 0.2, 0.2))))
    wide = Solid(Box((0.2, 0.2, 0.3)), np.eye(3), np.zeros(3))
    assert (errors_of(surface, [wide]).outside, errors_of(surface, [wide]).excess) == (
        pytest.approx(0, abs=1e-7), pytest.approx(0.05))
    narrow = Solid(Box((0.2, 0.2, 0.1)), np.eye(3), np.zeros(3))
    assert errors_of(surface, [narrow]).outside == pytest.approx(0.05)
    errors = errors_of(surface, [shell(triangles(Box((0.3, 0.3, 0.3))))])
    assert errors.outside == 0 and errors.excess == pytest.approx(np.sqrt(3) * 0.05)


@pytest.mark.parametrize('side', [1, -1])
def test_the_excess_of_large_faces_is_found(side):
    """The hull of an L is 0.2 m off in the middle of its largest face, as is its mirror image."""
    surface = Surface(bent().triangles * [side, 1, 1])
    hull = hull_of(surface.points, 1e-4)
    assert errors_of(surface, [hull]).excess == pytest.approx(0.2, abs=2e-3)


def test_what_is_inside_another_shape_does_not_count():
    surface = bent()
    parts = [Solid(Box((0.1, 0.1, 0.5)), np.eye(3), np.array([0, 0, 0.25])),
             Solid(Box((0.45, 0.1, 0.1)), np.eye(3), np.array([0.225, 0, 0.45]))]
    assert errors_of(surface, parts).largest < 1e-6


def test_halves_have_the_whole_area():
    surface = Surface(triangles(Cylinder(0.1, 0.4)))
    normal = np.array([1.0, 2.0, 2.0]) / 3
    below, above = surface.halves(normal, 0.03)
    assert (below.points @ normal).max() == pytest.approx(0.03)
    assert (above.points @ normal).min() == pytest.approx(0.03)
    areas = [triangle_areas(each.triangles).sum() for each in (below, above, surface)]
    assert areas[0] + areas[1] == pytest.approx(areas[2])
    assert surface.halves(normal, 1.0) is None


def test_a_face_in_the_plane_is_in_one_half():
    surface = Surface(triangles(Box((0.1, 0.1, 0.4)), (0, 0, 0.2)))
    surface = Surface(np.concatenate([surface.triangles, triangles(
        Box((0.3, 0.1, 0.1)), (0.2, 0, 0.05))]))
    below, above = surface.halves(np.array([1.0, 0, 0]), 0.05)
    assert (below.points[:, 0].max(), above.points[:, 2].max()) == pytest.approx((0.05, 0.1))


def ring():
    """Return a square ring of tubes, which no convex shape is near."""
    sides = [triangles(Box((0.1, 0.1, 0.5)), (x, 0, 0)) for x in (-0.2, 0.2)]
    sides += [triangles(Box((0.3, 0.1, 0.1)), (0, 0, z)) for z in (-0.2, 0.2)]
    return Surface(np.concatenate(sides))


@pytest.mark.slow
def test_several_primitives_come_before_one_that_stands_off():
    chosen = best_set(ring(), Task(0.01, False, KINDS))
    assert {solid.kind for solid in chosen.solids} == {'box'} and 4 <= len(chosen.solids) <= 5
    assert chosen.errors.largest < 0.003
    wide = best_set(ring(), Task(0.3, False, KINDS))
    assert [solid.kind for solid in wide.solids] == ['box']


@pytest.mark.parametrize('number, excess, is_better', [
    (3, 0.088, True), (3, 0.095, False), (4, 0.07, True), (4, 0.08, False), (5, 0.07, True)])
def test_more_than_three_shapes_have_to_save_more(number, excess, is_better):
    """The third has to save 10 %, later ones 25 %, here of 0.1 m."""
    box = Solid(Box((1, 1, 1)), np.eye(3), np.zeros(3))
    task = Task(0.01, False, SIMPLE)
    less, more = (ShapeSet((box,) * some, Errors(0.0, each)).score(task)
                  for some, each in ((number - 1, 0.1), (number, excess)))
    assert (more < less) is is_better


def test_excess_that_does_not_count_is_spared():
    few = best_set(bent(), Task(0.01, False, SIMPLE, (), 0.5))
    assert len(few.solids) == 1 and few.errors.outside < 1e-6
    assert len(best_set(bent(), Task(0.01, False, SIMPLE, (), 0.01)).solids) == 2


def lathed(profile):
    """Return the surface that a profile of radii and heights has around the z axis."""
    angles = np.linspace(0, 2 * np.pi, 49)
    rims = [np.stack([r * np.cos(angles), r * np.sin(angles), np.full(49, z)], axis=1)
            for r, z in profile]
    quads = [(a[:-1], a[1:], b[1:], b[:-1]) for a, b in zip(rims, rims[1:])]
    return Surface(np.concatenate([
        np.stack(corners, axis=1) for a, b, c, d in quads for corners in ((a, b, c), (a, c, d))]))


@pytest.mark.slow
@pytest.mark.parametrize('hole', [0.06, 0.075])
def test_a_wheel_is_a_cylinder(hole):
    """A tyre is empty in the middle, where no shape is near."""
    wheel = lathed([(0.1, -0.02), (0.1, 0.02), (hole, 0.02), (hole, -0.02), (0.1, -0.02)])
    solid, = best_set(wheel, Task(0.01, False, KINDS)).solids
    assert (solid.kind, solid.shape.radius) == ('cylinder', pytest.approx(0.1, abs=1e-3))


def test_a_wheel_with_round_edges_is_a_cylinder():
    """Its hull is nearer, but does not roll."""
    wheel = lathed([(0, -0.02), (0.09, -0.02), (0.1, 0), (0.09, 0.02), (0, 0.02)])
    solid, = best_set(wheel, Task(0.01, False, KINDS, (), 0.006)).solids
    assert (solid.kind, solid.shape.radius) == ('cylinder', pytest.approx(0.1, abs=1e-3))


def test_slivers_are_measured_where_no_sample_is():
    """Each is 1 m long and 0.4 mm wide, and most have none of the samples of the surface."""
    angles = np.linspace(0, 2 * np.pi, 12001)
    low = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    high = low + [0, 0, 1]
    tube = np.concatenate([np.stack([low[:-1], low[1:], high[1:]], axis=1),
                           np.stack([low[:-1], high[1:], high[:-1]], axis=1)])
    points = np.einsum('tci,c->ti', tube[::40], [0.05, 0.05, 0.9])
    assert Surface(tube).distances(points).max() < 5e-5
    assert Surface(tube).distances(points * [1.1, 1.1, 1]) == pytest.approx(
        0.1, abs=1e-4)
