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

"""Spheres around the shapes of a link, for cheap bounds on distances."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Primitive
from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.collision.triangle_surface import Surface
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Sphere
from urdf_tools.types import Array

_CELLS = 10
"""Maximum number of cells along a side of a solid."""

_HALVINGS = 8
"""Maximum number of times that large triangles of a mesh are halved."""


class Cover(NamedTuple):
    """
    Spheres that together hold all shapes of a link.

    :ivar centres: in metres in the frame of the link, shape (S, 3).
    :ivar radii: in metres, shape (S,).
    """

    centres: Array
    radii: Array

    @property
    def whole(self) -> Cover:
        """One sphere around all of them."""
        low = (self.centres - self.radii[:, None]).min(axis=0)
        high = (self.centres + self.radii[:, None]).max(axis=0)
        centre = (low + high) / 2
        reach = np.linalg.norm(self.centres - centre, axis=1) + self.radii
        return Cover(centre[None], np.array([reach.max()]))


def covers(solids: Iterable[Solid], numbers: Iterable[int]) -> Iterator[Cover]:
    """Yield spheres around solids, at most some numbers of them, which increase."""
    atoms = [_of_surface(solid.shape.surface) if isinstance(solid.shape, (Hull, Shell))
             else _of_primitive(solid.shape, solid) for solid in solids]
    all_ = Cover(*map(np.concatenate, zip(*atoms)))
    parts = [(all_, all_.whole)]
    for most in numbers:
        while len(parts) < most:
            radii = [whole.radii[0] * (len(part.radii) > 1) for part, whole in parts]
            index = int(np.argmax(radii))
            largest = parts[index][0]
            if len(largest.radii) < 2:
                break
            parts[index:index + 1] = [(half, half.whole) for half in _halves(largest)]
        yield Cover(*map(np.concatenate, zip(*(whole for _, whole in parts))))


def _halves(part: Cover) -> tuple[Cover, Cover]:
    """Return the small spheres on either side of the middle, along their longest extent."""
    axis = int(np.argmax(np.ptp(part.centres, axis=0)))
    order = np.argsort(part.centres[:, axis], kind='stable')
    values = part.centres[order, axis]
    middle = int(np.searchsorted(values, (values[0] + values[-1]) / 2))
    middle = min(max(middle, 1), len(order) - 1)
    low, high = order[:middle], order[middle:]
    return (Cover(part.centres[low], part.radii[low]), Cover(part.centres[high], part.radii[high]))


def _of_primitive(shape: Primitive, solid: Solid) -> Cover:
    """Return the spheres around the cells of the box of a solid, its inside included."""
    extents = _extents(shape)
    sides = np.maximum(extents, 1e-9)
    numbers = np.clip(np.ceil(sides / (sides.max() / _CELLS)), 1, _CELLS).astype(int)
    cell = extents / numbers
    grid = np.stack(np.meshgrid(*map(np.arange, numbers), indexing='ij'), axis=-1).reshape(-1, 3)
    centres = (grid + 0.5) * cell - extents / 2
    return Cover(centres @ solid.rotation.T + solid.centre,
                 np.full(len(centres), np.linalg.norm(cell) / 2))


def _extents(shape: Primitive) -> Array:
    """Return the size of a shape along its x, y and z in metres, shape (3,)."""
    if isinstance(shape, Box):
        return np.array(shape.size)
    length = 0.0 if isinstance(shape, Sphere) else shape.length
    ends = 0.0 if isinstance(shape, Cylinder) else 2 * shape.radius
    return np.array([2 * shape.radius, 2 * shape.radius, length + ends])


def _of_surface(surface: Surface) -> Cover:
    """Return the spheres around the triangles of a mesh, of which large ones are cut."""
    triangles = surface.triangles
    longest = np.ptp(surface.points, axis=0).max() / _CELLS
    for _ in range(_HALVINGS):
        sides = np.linalg.norm(triangles - np.roll(triangles, -1, axis=1), axis=2)
        is_large = sides.max(axis=1) > longest
        if not is_large.any():
            break
        large = triangles[is_large]
        # The longest side becomes the first.
        first = sides[is_large].argmax(axis=1)[:, None]
        a, b, c = (large[np.arange(len(large))[:, None], (first + i) % 3][:, 0] for i in range(3))
        middle = (a + b) / 2
        triangles = np.concatenate([
            triangles[~is_large], np.stack([a, middle, c], axis=1),
            np.stack([middle, b, c], axis=1)])
    centres = (triangles.min(axis=1) + triangles.max(axis=1)) / 2
    return Cover(centres, np.linalg.norm(triangles - centres[:, None], axis=2).max(axis=1))
