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
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.types import Array
from urdf_tools.types import Indices

MAX_VERTICES = 64
"""Maximum number of vertices of a hull, as in physics engines."""

_DIRECTIONS = np.array([
    direction for direction in product((-1.0, 0.0, 1.0), repeat=3) if any(direction)])

FLAT = 1e-6
"""Thickness of a mesh, as a share of its size, up to which it has no convex hull."""

_MANY = 100_000
"""Number of triangles of a mesh above which the convex hull is that of some of them."""

_MAX_FOR_HULL = 60_000
"""Number of points of which only the farthest in some directions count; Qhull takes 6 kB each."""

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
    faces = np.searchsorted(kept, _outward(hull))
    return Solid(Hull(vertices, faces), np.eye(3), np.zeros(3))


def _outward(hull: Any) -> Indices:
    """Return the faces of a hull of scipy, whose corners have no order, with normals outward."""
    faces = hull.simplices.copy()
    inward = np.einsum('ij,ij->i', unit_normals(hull.points[faces]), hull.equations[:, :3]) < 0
    faces[inward] = faces[inward, ::-1]
    return np.asarray(faces)


def convex(solid: Solid) -> Solid | None:
    """Return a shape with the surface of a mesh as its convex hull; None if that is flat."""
    if not isinstance(solid.shape, Shell):
        return solid
    surface = solid.shape.surface
    points = (surface.thinned() if len(surface.triangles) > _MANY else surface).points
    if len(points) > _MAX_FOR_HULL:
        points = points[np.unique([np.argmax(points @ each) for each in _spread(1000)])]
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if len(points) < 4 or not sizes[2] > FLAT * sizes[0]:
        return None
    corners = extreme_points(points)[0]
    hull = convex_hull_of(corners)
    return None if hull is None else replace(solid, shape=Hull(corners, _outward(hull)))


def smallest_box(points: Array) -> Solid:
    """
    Return a box around points that is nearly the smallest, preferably along the axes of the link.

    :param points: corners of a convex hull, shape (N, 3).
    """
    from scipy.optimize import linear_sum_assignment
    from trimesh import Trimesh
    from trimesh.bounds import oriented_bounds
    aligned = _box_along(points, np.eye(3))
    hull = convex_hull_of(points)
    if hull is None:  # Points in a plane or on a line get some extent.
        steps = _MIN_EXTENT * principal_axes(points).T
        hull = convex_hull_of(np.concatenate([points + step for step in (*steps, *-steps)]))
    mesh = Trimesh(hull.points, hull.simplices, process=False)
    box = oriented_bounds(mesh, angle_digits=2)  # type: ignore[no-untyped-call, unused-ignore]
    axes = np.asarray(box[0])[:3, :3].T
    # The axes of the box are permuted and turned round for the smallest rotation.
    axes = axes[:, linear_sum_assignment(-np.abs(axes))[1]]
    axes *= np.where(np.diag(axes) < 0, -1, 1)
    if np.linalg.det(axes) < 0:
        axes[:, np.argmin(np.diag(axes))] *= -1
    best = _box_along(points, axes)
    return aligned if _bulk(aligned) <= _MAX_GROWTH * _bulk(best) else best


def _box_along(points: Array, rotation: Array) -> Solid:
    """Return the box around points with its edges along the columns of a rotation."""
    turned = points @ rotation
    low, high = turned.min(axis=0), turned.max(axis=0)
    x, y, z = (high - low).tolist()
    return Solid(Box((x, y, z)), rotation, rotation @ (low + high) / 2)


def _bulk(box: Solid) -> float:
    """Return the volume of a box, no extent of which counts as less than :data:`_MIN_EXTENT`."""
    assert isinstance(box.shape, Box)
    return float(np.prod(np.maximum(box.shape.size, _MIN_EXTENT)))


def _smallest_ball(points: Array) -> tuple[Array, float]:
    """Return centre and radius of the smallest ball around points, shape (N, D)."""
    from scipy.spatial import QhullError
    from trimesh.nsphere import minimum_nsphere
    middle = points.mean(axis=0)
    _, extents, axes = np.linalg.svd(points - middle, full_matrices=False)
    axes = axes[extents > 1e-6 * extents[0]]  # Points on a line or in a plane have fewer.
    flat = (points - middle) @ axes.T
    centre = (flat.min(axis=0) + flat.max(axis=0)) / 2
    # Qhull refuses points that are all on a sphere, as the corners of a box are, up to rounding.
    with suppress(QhullError):
        if len(axes) > 1:
            centre = minimum_nsphere(flat)[0]  # type: ignore[no-untyped-call, unused-ignore]
    centre = middle + axes.T @ centre
    return centre, float(np.linalg.norm(points - centre, axis=1).max())


def smallest_sphere(points: Array) -> Solid:
    """Return the smallest sphere around points."""
    centre, radius = _smallest_ball(points)
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
        ball = _smallest_ball(turned[:, :2])
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
