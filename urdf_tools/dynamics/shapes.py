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

"""The inertia of a link computed from its shapes, including meshes."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.solids import solid
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import read_meshes
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.moments import Moments
from urdf_tools.meshes.moments import polyhedron
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Link
from urdf_tools.types import Array

_NO_SCALE = (1.0, 1.0, 1.0)

SOURCES = ('collision', 'visual')
"""Shapes of a link to use; by default the collision shapes, or else the visual ones."""


def mesh_solid(path: Path, scale: Sequence[float] = _NO_SCALE, *,
               hull: bool = False) -> tuple[SpatialInertia, str]:
    """
    Return the inertia of a mesh file as a solid.

    :param scale: factors on x, y and z; a negative one mirrors the mesh.
    :param hull: return the inertia of the convex hull in any case; of a mesh that is not closed,
        it is returned anyway.
    :return: the inertia at 1 kg/m^3, in the frame of the mesh; why it is that of the convex hull,
        empty if it is that of the mesh.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    record = mesh_facts(path, 'hull' if hull else 'solid')
    moments = record.moments()
    if tuple(scale) != _NO_SCALE:
        moments = moments.stretched(np.array(scale, dtype=float))
    return _inertia(moments), record.remark


def mesh_pyramids(path: Path, scale: Sequence[float] = _NO_SCALE) -> SpatialInertia:
    """
    Return the inertia of the pyramids between the triangles of a mesh file and its middle.

    It is what MuJoCo computes, which takes the first object of an OBJ file only.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    return _inertia(mesh_facts(path, 'pyramids', tuple(map(float, scale))).moments())


def prism(polygon: Array, height: float) -> SpatialInertia:
    """
    Return the inertia of a prism along z, 1 kg/m^3, with the origin at half its height.

    :param polygon: x and y of the corners of the base, a simple polygon, clockwise or
        counterclockwise, shape (N, 2).
    :raises ValueError: the height is not positive, or the polygon has no area.
    """
    if not (height > 0 and len(polygon) > 2):
        raise ValueError('the prism has no height, or its base fewer than three corners')
    ends = np.stack([np.insert(polygon, 2, z, axis=1) for z in (-height / 2, height / 2)])
    low, high = ends
    next_low, next_high = np.roll(ends, -1, axis=1)
    first_low, first_high = np.broadcast_to(ends[:, :1], ends.shape)
    body = _inertia(polyhedron(np.concatenate([
        np.stack(corners, axis=1) for corners in (
            (low, next_low, next_high), (next_high, high, low),
            (first_low, next_low, low), (first_high, high, next_high))])))
    return body if body.mass > 0 else -body


def _inertia(moments: Moments) -> SpatialInertia:
    return SpatialInertia.from_moments(moments.measure, moments.centroid, moments.second)


class ShapeError(ValueError):
    """A shape whose inertia cannot be computed; the text says which and why."""


class ShapeInertia(NamedTuple):
    """
    The inertia of shapes.

    :ivar inertia: at density one: the mass is the volume in m^3.
    :ivar remarks: the meshes whose convex hulls were used, with the reason.
    """

    inertia: SpatialInertia
    remarks: tuple[str, ...] = ()


def link_shapes(link: Link, source: str | None = None) -> tuple[Visual | Collision, ...]:
    """Return the shapes of a link, from one of :data:`SOURCES`."""
    if source is None:
        return link.collisions or link.visuals
    return link.collisions if source == 'collision' else link.visuals


def read_shapes(links: Iterable[Link], resolve: Callable[[str], Path],
                source: str | None = None) -> Callable[[str], Path]:
    """
    Read the meshes of links, several at the same time and within the time for all of them.

    :param resolve: takes the URI of a mesh to its file.
    :param source: one of :data:`SOURCES`.
    :returns: ``resolve``, but it raises :class:`~urdf_tools.meshes.moments.MeshError` for
        those that cannot be read or were not.
    """
    paths = []
    for link in links:
        for shape in link_shapes(link, source):
            if isinstance(shape.geometry, Mesh):
                with suppress(ResourceError):
                    paths.append(resolve(shape.geometry.filename))
    found = read_meshes(paths)

    def resolve_read(uri: str) -> Path:
        path = resolve(uri)
        error = found.get(path)
        if isinstance(error, MeshError):
            raise error
        return path

    return resolve_read


def shape_inertia(
        shapes: Sequence[Visual | Collision], resolve: Callable[[str], Path]) -> ShapeInertia:
    """
    Return the inertia of shapes of uniform density as one body, in the frame of their link.

    Volume inside two of them counts twice.

    :param resolve: takes the URI of a mesh to its file, such as
        :meth:`~urdf_tools.model.resources.ResourceResolver.resolve`.
    :raises ShapeError: there is no shape, or one has no volume or cannot be read.
    """
    if not shapes:
        raise ShapeError('the link has no such shape')
    total: SpatialInertia | None = None
    remarks = []
    for shape in shapes:
        inertia, remark = _geometry_inertia(shape.geometry, resolve)
        if shape.origin != Pose():
            inertia = inertia.transformed(shape.origin.matrix)
        total = inertia if total is None else total + inertia
        if remark:
            remarks.append(remark)
    if total is None or not total.mass:
        raise ShapeError('the shapes of the link are too small for their inertia to be computed')
    with np.errstate(all='ignore'):
        is_finite = np.isfinite(total.pseudo_inertia()).all()
    if not is_finite:
        raise ShapeError('the shapes of the link are too large for their inertia to be computed')
    return ShapeInertia(total, tuple(dict.fromkeys(remarks)))


def _geometry_inertia(
        geometry: Geometry, resolve: Callable[[str], Path]) -> tuple[SpatialInertia, str]:
    """Return the inertia of a shape in its own frame, and a remark or an empty string."""
    if not isinstance(geometry, Mesh):
        try:
            return solid(geometry), ''
        except ValueError as error:
            raise ShapeError(str(error)) from error
    try:
        body, reason = mesh_solid(resolve(geometry.filename), geometry.scale)
    except ResourceError as error:
        raise ShapeError(str(error)) from error
    except MeshError as error:
        raise ShapeError(
            f'the inertia of mesh {geometry.filename!r} cannot be computed: {error}') from error
    return body, reason and f'{geometry.filename}: {reason}, so its convex hull was used'
