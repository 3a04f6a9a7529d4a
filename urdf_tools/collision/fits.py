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

"""The smallest boxes, spheres, cylinders, capsules and hulls around points."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from itertools import product
from typing import Any

import numpy as np

from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Solid
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array

MAX_VERTICES = 64
"""Maximum number of vertices of a hull, as in physics engines."""

_DIRECTIONS = np.array([
    direction for direction in product((-1.0, 0.0, 1.0), repeat=3) if any(direction)])

_MAX_POINTS = 500
"""Number of corners of a hull above which only the farthest in some directions count."""

_MAIN_FACES = 24
"""Faces whose normals are such directions; the others are spread evenly."""

_NORMAL_STEP = 1e-3
"""Step to which normals are rounded to merge equal ones."""

_MAX_GROWTH = 1.02
"""Factor on the volume up to which a box along the axes of the link is preferred."""

_MIN_EXTENT = 1e-4
"""Smallest extent in m that counts, so that flat boxes are compared by their area."""

_IS_BETTER = 0.999
"""Share of the volume of the best box above which a new one ends the search."""

_ROUNDING = 1e-10
"""Relative error of distances."""

_MAX_STEPS = 200
"""Maximum number of points that join the basis of a ball."""

_AROUND = np.array([(np.cos(angle), np.sin(angle)) for angle in np.pi / 8 * np.arange(8)]).T
"""Directions in a plane in which widths are measured."""

_Round = type[Cylinder] | type[Capsule]


def convex_hull_of(points: Array) -> Any:
    """Return scipy's convex hull of points in space or in a plane; None if it is flat."""
    from scipy.spatial import ConvexHull
    from scipy.spatial import QhullError
    try:
        return ConvexHull(points)
    except (QhullError, ValueError):
        return None


def extreme_points(points: Array) -> tuple[Array, Array]:
    """
    Return the corners of the convex hull of points, and the directions of its largest faces.

    Points in a plane are all returned, with the normal of the plane. Of many corners of something
    round, those that hardly stand out are left out.
    """
    hull = convex_hull_of(points)
    if hull is None:
        return points, principal_axes(points)[:, :1].T
    normals = hull.equations[:, :3]
    keys = np.round(normals / _NORMAL_STEP)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    areas = np.bincount(group.ravel(), triangle_areas(points[hull.simplices]))
    faces = normals[first[np.argsort(-areas, kind='stable')]]
    corners = points[hull.vertices]
    if len(corners) > _MAX_POINTS:
        main = faces[:_MAIN_FACES]
        corners = corners[np.unique(np.argmax(np.concatenate(
            [_DIRECTIONS, _spread(_MAX_POINTS), main, -main]) @ corners.T, axis=1))]
    return corners, faces


def _spread(number: int) -> Array:
    """Return directions spread evenly (on a spiral of golden angles), shape (N, 3)."""
    heights = 1 - (2 * np.arange(number) + 1) / number
    angles = np.pi * (3 - np.sqrt(5)) * np.arange(number)
    radii = np.sqrt(1 - heights ** 2)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles), heights], axis=1)


def principal_axes(points: Array) -> Array:
    """Return the principal axes of points as columns, the one of the smallest spread first."""
    centred = points - points.mean(axis=0)
    return np.linalg.eigh(centred.T @ centred)[1]


def hull_of(points: Array, error: float) -> Solid | None:
    """
    Return a hull of at most :data:`MAX_VERTICES` of some points; None if they are in a plane.

    The point farthest outside is added until none is farther than the error.

    :param points: corners of their convex hull.
    """
    chosen = list(dict.fromkeys(np.argmax(_DIRECTIONS @ points.T, axis=1).tolist()))
    while True:
        hull = convex_hull_of(points[chosen])
        if hull is None:
            return None
        heights = points @ hull.equations[:, :3].T + hull.equations[:, 3]
        worst = heights.max(axis=1)
        farthest = int(np.argmax(worst))
        if worst[farthest] <= error or len(chosen) >= MAX_VERTICES or farthest in chosen:
            break
        chosen.append(farthest)
    kept = np.sort(hull.vertices)
    vertices = points[chosen][kept]
    faces = np.searchsorted(kept, hull.simplices)
    inward = np.einsum('ij,ij->i', unit_normals(vertices[faces]), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward, ::-1]
    return Solid(Hull(vertices, faces), np.eye(3), np.zeros(3))


def smallest_box(points: Array, directions: Iterable[Array]) -> Solid:
    """
    Return a box around points that is nearly the smallest, preferably along the axes of the link.

    For each direction, the smallest box with an edge along it follows from the smallest rectangle
    around the points projected along it, which has a side along one of their convex hull
    (rotating calipers). The search continues along the edges of the smallest box.

    :param points: corners of a convex hull, shape (N, 3).
    :param directions: unit vectors to begin with, such as normals of faces.
    """
    aligned = box_along(points, np.eye(3))
    best = min((aligned, *(_box_about(points, each) for each in directions)), key=bulk)
    while True:
        nearby = min((_box_about(points, axis) for axis in best.rotation.T), key=bulk)
        if not bulk(nearby) < _IS_BETTER * bulk(best):
            break
        best = nearby
    return aligned if bulk(aligned) <= _MAX_GROWTH * bulk(best) else _upright(best)


def box_along(points: Array, rotation: Array) -> Solid:
    """Return the box around points with its edges along the columns of a rotation."""
    turned = points @ rotation
    low, high = turned.min(axis=0), turned.max(axis=0)
    x, y, z = (high - low).tolist()
    return Solid(Box((x, y, z)), rotation, rotation @ (low + high) / 2)


def bulk(box: Solid) -> float:
    """Return the volume of a box, no extent of which counts as less than :data:`_MIN_EXTENT`."""
    assert isinstance(box.shape, Box)
    return float(np.prod(np.maximum(box.shape.size, _MIN_EXTENT)))


def _box_about(points: Array, axis: Array) -> Solid:
    """Return the smallest box around points with an edge along an axis."""
    basis = rotation_from_z(tuple((axis / np.linalg.norm(axis)).tolist()))
    corners, edges = _outline(points @ basis[:, :2])
    across = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    areas = np.ptp(edges @ corners.T, axis=1).clip(_MIN_EXTENT) * np.ptp(
        across @ corners.T, axis=1).clip(_MIN_EXTENT)
    x, y = edges[np.argmin(areas)]
    return box_along(points, basis @ np.array([[x, -y, 0], [y, x, 0], [0, 0, 1.0]]))


def _outline(points: Array) -> tuple[Array, Array]:
    """Return corners and directions of the sides of the convex hull of points in a plane."""
    hull = convex_hull_of(points)
    if hull is None:  # They are on a line.
        corners = points[[np.argmin(points.sum(axis=1)), np.argmax(points.sum(axis=1))]]
    else:
        corners = points[hull.vertices]
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    sides = sides[lengths > 1e-12] / lengths[lengths > 1e-12, None]
    return corners, np.vstack([sides, [[1.0, 0.0]]])


def _upright(box: Solid) -> Solid:
    """Return the same box with its axes permuted for the smallest rotation."""
    assert isinstance(box.shape, Box)
    best, rotation, size = -np.inf, box.rotation, np.array(box.shape.size)
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        axes = box.rotation[:, order]
        for signs in np.array(np.meshgrid(*[[1, -1]] * 3)).reshape(3, -1).T:
            turned = axes * signs
            if np.linalg.det(turned) > 0 and np.trace(turned) > best + 1e-9:
                best, rotation, size = float(np.trace(turned)), turned, np.take(
                    box.shape.size, order)
    x, y, z = size.tolist()
    return Solid(Box((x, y, z)), rotation, box.centre)


def smallest_ball(points: Array) -> tuple[Array, float]:
    """
    Return centre and radius of the smallest ball around points, in any number of dimensions.

    The point farthest outside joins those that determine the ball (Welzl's basis, with a pivot),
    until none is outside.

    :param points: shape (N, D).
    """
    basis = points[:1]
    centre, radius = points[0], 0.0
    for _ in range(_MAX_STEPS):
        distances = np.linalg.norm(points - centre, axis=1)
        farthest = int(np.argmax(distances))
        if distances[farthest] <= radius * (1 + _ROUNDING) + 1e-12:
            break
        basis, centre, radius = _ball_of_few(np.vstack([basis, points[farthest]]))
    return centre, max(radius, float(np.linalg.norm(points - centre, axis=1).max()))


def _ball_of_few(points: Array) -> tuple[Array, Array, float]:
    """Return which of a few points determine the smallest ball around them, and the ball."""
    best: tuple[Array, Array, float] | None = None
    for number in range(2, min(len(points), points.shape[1] + 1) + 1):
        some = points[np.array(list(combinations(range(len(points)), number)))]
        edges = some[:, 1:] - some[:, :1]
        # Each centre is equidistant from all, in the flat through them.
        products = edges @ edges.swapaxes(1, 2)
        squares = np.einsum('nii->ni', products)
        flat = _ROUNDING ** 1.5 * squares.max(axis=1)[:, None, None] + 1e-30
        shares = np.linalg.solve(products + flat * np.eye(number - 1), squares[..., None] / 2)
        centres = some[:, 0] + (edges * shares).sum(axis=1)
        radii = np.linalg.norm(some - centres[:, None], axis=2).max(axis=1)
        farthest = np.linalg.norm(points - centres[:, None], axis=2).max(axis=1)
        radii[farthest > radii * (1 + 1e-9) + 1e-12] = np.inf
        index = int(np.argmin(radii))
        if radii[index] < (np.inf if best is None else best[2]):
            best = some[index], centres[index], float(radii[index])
    if best is None:  # Caused by rounding, as for nearly equal points.
        centre = points.mean(axis=0)
        return points[:points.shape[1] + 1], centre, float(
            np.linalg.norm(points - centre, axis=1).max())
    return best


def smallest_sphere(points: Array) -> Solid:
    """Return the smallest sphere around points."""
    centre, radius = smallest_ball(points)
    return Solid(Sphere(radius), np.eye(3), centre)


def smallest_round(points: Array, axes: Iterable[Array], kinds: Iterable[str]) -> list[Solid]:
    """
    Return the smallest cylinder and the smallest capsule around points about one of some axes.

    :param axes: unit vectors.
    :param kinds: ``cylinder``, ``capsule``, both or neither; others are ignored.
    """
    wanted = [shape for shape in (Cylinder, Capsule) if shape.__name__.lower() in kinds]
    if not wanted:
        return []
    bounds = sorted((_turned_along(points, axis) for axis in axes), key=lambda each: each[0])
    best: dict[_Round, Solid] = {}
    for bound, rotation, turned in bounds:
        if best and all(bound >= solid.volume for solid in best.values()):
            break
        ball = smallest_ball(turned[:, :2])
        for shape in wanted:
            solid = _along(shape, rotation, turned, *ball)
            if shape not in best or solid.volume < best[shape].volume:
                best[shape] = solid
    return list(best.values())


def _turned_along(points: Array, axis: Array) -> tuple[float, Array, Array]:
    """
    Return a lower bound on the volume of a capsule along an axis, and the points with z along it.

    :return: the bound, the rotation to the axis, and the points, shape (N, 3).
    """
    rotation = rotation_from_z(tuple((axis / np.linalg.norm(axis)).tolist()))
    turned = points @ rotation
    radius = float(np.ptp(turned[:, :2] @ _AROUND, axis=0).max()) / 2
    length = max(float(np.ptp(turned[:, 2])) - 2 * radius, 0.0)
    return np.pi * radius ** 2 * (length + 4 / 3 * radius), rotation, turned


def _along(shape: _Round, rotation: Array, points: Array, middle: Array, radius: float) -> Solid:
    """Return the shape around points about an axis with a radius, along the z of a rotation."""
    caps = np.zeros(len(points))
    if shape is Capsule:
        beside = np.linalg.norm(points[:, :2] - middle, axis=1)
        caps = np.sqrt((radius ** 2 - beside ** 2).clip(min=0))
    low, high = float((points[:, 2] + caps).min()), float((points[:, 2] - caps).max())
    if low > high:
        # A sphere does; its half spheres reach beyond all points on both sides.
        low = high = (low + high) / 2
    return Solid(shape(radius, high - low), rotation, rotation @ [*middle, (low + high) / 2])
