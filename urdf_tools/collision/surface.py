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

"""Triangle surfaces: sample points, distances, and cuts by planes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from urdf_tools.meshes.triangles import merge_corners
from urdf_tools.meshes.triangles import triangle_areas
from urdf_tools.types import Array
from urdf_tools.types import BoolArray
from urdf_tools.types import Indices

_PROBES = 3000
_MAX_CORNERS = 3000

_NEIGHBOURS = 12
"""Number of nearest samples whose triangles are tested; all of surfaces with few."""

_MAX_CENTRES = 20_000
"""Number of triangles above which only those with a sample count: others are small."""

_MAX_TRIANGLES = 30_000
"""Number of triangles above which they are thinned for fitting."""

_DIRECTIONS = 100
"""Directions in which the outermost triangles are kept."""

_BLOCK = 1024

_CANDIDATES = 100
"""Maximum number of triangles of about the same size that can be nearest to a point."""

_SURE = 1e-5
"""Distance in m below which no nearer triangle is looked for."""

_IN_PLANE = 1e-9
"""Distance in m from a plane within which a point is in it."""

_GOLDEN = np.array([0.7548776662466927, 0.5698402909980532])
"""Steps of Roberts' R2 sequence, which fills a square evenly."""


class Surface:
    """
    The triangles of the visual geometry of a link.

    :param triangles: corners in metres in the frame of the link, shape (T, 3, 3), T > 0.
    """

    def __init__(self, triangles: Array):
        self.triangles = triangles

    @cached_property
    def _merged(self) -> tuple[Array, Indices]:
        return merge_corners(self.triangles)

    @property
    def points(self) -> Array:
        """The different corners, shape (V, 3)."""
        return self._merged[0]

    @property
    def faces(self) -> Indices:
        """The triangles as indices of :attr:`points`, shape (T, 3)."""
        return self._merged[1]

    @cached_property
    def box(self) -> Array:
        """The lowest and the highest corner of the box around it, shape (2, 3)."""
        return np.stack([self.points.min(axis=0), self.points.max(axis=0)])

    @cached_property
    def size(self) -> float:
        """The length of the diagonal of the box around it, in metres."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0)))

    @cached_property
    def probes(self) -> Array:
        """The points at which shapes are measured: samples and corners."""
        step = max(1, len(self.points) // _MAX_CORNERS)
        return np.concatenate([self.samples_with_owners(_PROBES)[0], self.points[::step]])

    @cached_property
    def _summed_areas(self) -> Array:
        return np.cumsum(triangle_areas(self.triangles))

    def samples_with_owners(self, number: int) -> tuple[Array, Indices]:
        """
        Return points spread evenly over the area, and the triangle that each is on.

        :return: the same ones each time, shapes (N, 3) and (N,).
        """
        areas = self._summed_areas
        if not areas[-1] > 0:
            return self.triangles[:1, 0], np.zeros(1, np.intp)
        owners = np.searchsorted(areas, (np.arange(number) + 0.5) / number * areas[-1])
        owners = np.minimum(owners, len(areas) - 1)
        u, v = ((np.arange(1, number + 1)[:, None] * _GOLDEN) % 1).T
        folded = u + v > 1
        u, v = np.where(folded, 1 - u, u), np.where(folded, 1 - v, v)
        a, b, c = np.moveaxis(self.triangles[owners], 1, 0)
        return a + u[:, None] * (b - a) + v[:, None] * (c - a), owners

    @cached_property
    def _tree(self) -> tuple[Any, Indices]:
        from scipy.spatial import cKDTree
        points, owners = self.samples_with_owners(8000)
        if len(self.triangles) <= _MAX_CENTRES:
            points = np.concatenate([points, self.triangles.mean(axis=1)])
            owners = np.concatenate([owners, np.arange(len(self.triangles))])
        return cKDTree(points), owners

    @cached_property
    def _sizes(self) -> list[tuple[Any, Indices, float]]:
        """The centres of triangles of about the same size, their indices, and their radius."""
        from scipy.spatial import cKDTree
        centres = self.triangles.mean(axis=1)
        radii = np.linalg.norm(self.triangles - centres[:, None], axis=2).max(axis=1)
        levels = np.frexp(radii)[1]
        groups = [np.flatnonzero(levels == level) for level in np.unique(levels)]
        return [(cKDTree(centres[group]), group, float(radii[group].max())) for group in groups]

    def thinned(self) -> Surface:
        """Return some of very many triangles, spread evenly, and the outermost ones."""
        if len(self.triangles) <= _MAX_TRIANGLES:
            return self
        directions = np.random.default_rng(0).normal(size=(_DIRECTIONS, 3))
        corners = self.triangles.reshape(-1, 3)
        outermost = [int(np.argmax(corners @ direction)) // 3
                     for direction in (*np.eye(3), *-np.eye(3), *directions)]
        owners = self.samples_with_owners(_MAX_TRIANGLES)[1]
        return Surface(self.triangles[np.union1d(owners, outermost)])

    def reaches(self, points: Array) -> Array:
        """Return the distances of points from the nearest of many on the surface, shape (N,)."""
        return np.asarray(self._tree[0].query(points)[0])

    def distances(self, points: Array) -> Array:
        """
        Return the distances of points from the surface, shape (N,).

        They are those to the triangles of the nearest samples, or to nearer ones.
        """
        return np.concatenate([
            self._reduced(_triangle_distances(block, self._triangles_near(block)), block)
            for block in np.split(points, range(_BLOCK, len(points), _BLOCK))])

    def _reduced(self, distances: Array, points: Array) -> Array:
        """Return the distances of points where other triangles than some can be nearer."""
        for tree, group, radius in self._sizes if len(self.triangles) > 2 * _NEIGHBOURS else ():
            far = np.flatnonzero(distances > _SURE)
            gaps, nearest = tree.query(points[far], range(1, 1 + min(_CANDIDATES, len(group))),
                                       distance_upper_bound=distances[far].max(initial=0) + radius)
            rows, columns = np.nonzero(gaps < distances[far, None] + radius)
            which, rows = group[nearest[rows, columns]], far[rows]
            np.minimum.at(distances, rows, _triangle_distances(
                points[rows], self.triangles[which, None]))
        return distances

    def _triangles_near(self, points: Array) -> Array:
        """Return triangles near to each of some points, shape (N, T, 3, 3)."""
        if len(self.triangles) <= 2 * _NEIGHBOURS:
            return np.broadcast_to(self.triangles, (len(points), *self.triangles.shape))
        tree, owners = self._tree
        count = min(_NEIGHBOURS, len(owners))
        return np.asarray(self.triangles[owners[tree.query(points, count)[1].reshape(-1, count)]])

    def is_inside(self, points: Array) -> BoolArray:
        """Return whether points are inside, by the winding number, which tolerates holes."""
        windings = []
        for point in points:
            a, b, c = np.moveaxis(self.triangles - point, 1, 0)
            la, lb, lc = (np.linalg.norm(corner, axis=1) for corner in (a, b, c))
            volume = np.einsum('ij,ij->i', a, np.cross(b, c))
            angle = (la * lb * lc + np.einsum('ij,ij->i', a, b) * lc
                     + np.einsum('ij,ij->i', b, c) * la + np.einsum('ij,ij->i', c, a) * lb)
            windings.append(abs(np.arctan2(volume, angle).sum()) / (2 * np.pi))
        return np.array(windings) > 0.5

    def halves(self, normal: Array, offset: float) -> tuple[Surface, Surface] | None:
        """
        Return the parts below and above a plane, triangles cut; None if one is empty.

        Triangles in the plane are below.
        """
        heights = self.triangles @ normal - offset
        heights[np.abs(heights) < _IN_PLANE] = 0
        is_above = heights.max(axis=1) > 0
        below = _clipped(self.triangles, heights)
        above = _clipped(self.triangles[is_above], -heights[is_above])
        return (Surface(below), Surface(above)) if len(below) and len(above) else None


def _clipped(triangles: Array, heights: Array) -> Array:
    """Return the parts of triangles where the heights of the corners are not positive."""
    above = heights > 0
    kept = [triangles[~above.any(axis=1)]]
    for number in (1, 2):
        is_cut = above.sum(axis=1) == number
        # The corner that is alone on its side comes first.
        lone = np.argmax(above[is_cut] == (number == 1), axis=1)
        order = (lone[:, None] + np.arange(3)) % 3
        corners = np.take_along_axis(triangles[is_cut], order[..., None], axis=1)
        levels = np.take_along_axis(heights[is_cut], order, axis=1)
        a, b, c = np.moveaxis(corners, 1, 0)
        shares = levels[:, :1] / (levels[:, :1] - levels[:, 1:])
        ab, ac = a + shares[:, :1] * (b - a), a + shares[:, 1:] * (c - a)
        if number == 2:
            kept.append(np.stack([a, ab, ac], axis=1))
        else:
            kept += [np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)]
    return np.concatenate(kept)


def _triangle_distances(points: Array, triangles: Array) -> Array:
    """
    Return the distances of points from the nearest of some triangles each.

    :param points: shape (N, 3).
    :param triangles: shape (N, K, 3, 3).
    """
    a, b, c = np.moveaxis(triangles, 2, 0)
    p = points[:, None]
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=-1)
    edges = [(a, b), (b, c), (c, a)]
    sides = np.stack([np.einsum('nki,nki->nk', np.cross(end - start, p - start), normal)
                      for start, end in edges])
    height = np.abs(np.einsum('nki,nki->nk', p - a, normal)) / np.where(length > 0, length, 1)
    within = (sides >= 0).all(axis=0) & (length > 0)
    to_edges = np.min([_segment_distances(p, start, end) for start, end in edges], axis=0)
    return np.asarray(np.where(within, height, to_edges).min(axis=1))


def _segment_distances(p: Array, start: Array, end: Array) -> Array:
    along = end - start
    squared = np.einsum('nki,nki->nk', along, along)
    share = np.einsum('nki,nki->nk', p - start, along) / np.where(squared > 0, squared, 1)
    return np.asarray(np.linalg.norm(p - start - np.clip(share, 0, 1)[..., None] * along, axis=-1))
