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

"""Contacts and distances of links, computed by the library coal."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from itertools import combinations
from typing import Any
from typing import NamedTuple

import coal
import numpy as np

from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.meshes.triangles import unit_normals
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.model.shape_records import Box
from urdf_tools.types import Array
from urdf_tools.types import Indices

_FLAT = 1e-6
"""Distance in m from the plane of a face within which points are in it."""

_MOST_COMPARED = 4_000_000

_BLOCK = 50_000
"""Number of pairs of boxes that are compared at once, which bounds memory."""

_DEPTH = 1e-4
"""Depth in m from which shapes collide, so that shared faces do not count."""

_NEAR = 1e-3
"""Distance in m within which links touch by their visual geometry."""

_MAX_CHECKS = 20
"""Number of configurations at which the visual contact of a pair is checked."""

Solids = Mapping[str, Sequence[Solid]]
"""The shapes of each link in its frame."""


class _Part(NamedTuple):
    """
    A shape of a link.

    :ivar hull: a convex shape around it; the shape itself if that is convex.
    :ivar pose: in the frame of the link; None for that frame.
    """

    geometry: Any
    hull: Any
    pose: Array | None


class _Boxes(NamedTuple):
    """
    Boxes around shapes of a link, in its frame.

    :ivar centres: shape (K, 3).
    :ivar axes: those of each box as columns, shape (K, 3, 3).
    :ivar halves: half of the sizes, shape (K, 3).
    """

    centres: Array
    axes: Array
    halves: Array


class LinkCollider:
    """The shapes of a link as coal objects."""

    def __init__(self, solids: Iterable[Solid]):
        self.parts = [_part(solid) for solid in solids]
        self._boxes = _Boxes(*map(np.array, zip(*map(_box, self.parts))))
        reach = (np.abs(self._boxes.axes) @ self._boxes.halves[..., None])[..., 0]
        low, high = (self._boxes.centres - reach).min(axis=0), (
            self._boxes.centres + reach).max(axis=0)
        self._whole = self._boxes if len(self.parts) == 1 else _Boxes(
            ((low + high) / 2)[None], np.eye(3)[None], ((high - low) / 2)[None])
        self._middle, self._radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2

    def gaps(self, other: LinkCollider, poses: Array, limit: float = np.inf) -> Array:
        """
        Return lower bounds on the distances of two links, shape (N,).

        They are the gaps between the nearest boxes around two shapes, along the axis of either
        on which they are the farthest apart; negative where the boxes overlap along all axes.

        :param poses: of the other link in the frame of this one, shape (N, 4, 4).
        :param limit: in metres, above which a better bound is of no use.
        """
        gaps = _gaps(self._whole, other._whole, poses)
        number = len(self.parts) * len(other.parts)
        near = np.flatnonzero(gaps < limit) if number > 1 else ()
        for rows in np.array_split(near, 1 + len(near) * number // _BLOCK):
            if len(rows):
                gaps[rows] = _gaps(self._boxes, other._boxes, poses[rows])
        return gaps

    def rough_gaps(self, poses: Array, other: LinkCollider, others: Array) -> Array:
        """
        Return lower bounds on the distances of two links from a ball around each, shape (N,).

        :param poses: of this link, and of the other one in the same frame, shape (N, 4, 4) each.
        """
        middles, there = (
            some[:, :3, :3] @ link._middle + some[:, :3, 3]
            for link, some in ((self, poses), (other, others)))
        return np.asarray(np.linalg.norm(there - middles, axis=1) - self._radius - other._radius)


def _gaps(first: _Boxes, second: _Boxes, poses: Array) -> Array:
    rotations = poses[:, None, None, :3, :3]
    offsets = (rotations @ second.centres[:, :, None])[..., 0] + poses[:, None, None, :3, 3]
    # Axes of the second boxes, and offsets to their centres, along the axes of the first.
    inward = first.axes[:, None].swapaxes(2, 3)
    turned = inward @ (rotations @ second.axes)
    offsets = (inward @ (offsets - first.centres[:, None])[..., None])[..., 0]
    reach = np.abs(turned)
    along_first = np.abs(offsets) - first.halves[:, None] - (
        reach @ second.halves[:, :, None])[..., 0]
    along_second = np.abs((offsets[..., None, :] @ turned)[..., 0, :]) - second.halves - (
        first.halves[:, None, None] @ reach)[..., 0, :]
    gaps: Array = np.maximum(along_first, along_second).max(axis=3).min(axis=(1, 2))
    return gaps


class _Compared(NamedTuple):
    """
    A shape of the first link that is compared with one of the second.

    :ivar hulls_touch: compares their hulls, and ``touch`` themselves; None if these are the hulls.
    """

    pose: Any
    hulls_touch: Any
    touch: Any
    apart: Any


class PairCollider:
    """Two links whose shapes are compared; meshes that are not convex are surfaces."""

    def __init__(self, first: LinkCollider, second: LinkCollider):
        self._links = first, second  # The functors only borrow the geometry.
        self._parts = [(there.pose, [_compared(here, there) for here in first.parts])
                       for there in second.parts]
        self._collision = coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, 1)
        self._collided = coal.CollisionResult()
        self._distance = coal.DistanceRequest()
        self._measured = coal.DistanceResult()

    def nearer(self, pose: Array, margin: float) -> float:
        """
        Return the distance between the links in metres if it is below a margin, or the margin.

        :param pose: of the second link in the frame of the first, shape (3, 4).
        :return: zero if they touch.
        """
        for there, part in self._placed(pose):
            if self._hits(part.hulls_touch, part.pose, there, margin):
                self._measured.clear()
                self._measured.min_distance = margin  # Parts of meshes beyond it are skipped.
                margin = min(margin, float(
                    part.apart(part.pose, there, self._distance, self._measured)))
                if margin <= 0:
                    return 0.0
        return margin

    def touch(self, pose: Array) -> bool:
        """Return whether the links touch."""
        return any(
            self._hits(part.hulls_touch, part.pose, there) and (
                part.touch is None or self._hits(part.touch, part.pose, there))
            for there, part in self._placed(pose))

    def _placed(self, pose: Array) -> Iterator[tuple[Any, _Compared]]:
        """Yield each shape of the first link with the pose of each of the second."""
        for other, parts in self._parts:
            there = _transform(pose) if other is None else coal.Transform3s(
                pose[:3, :3] @ other[:, :3], pose[:3, :3] @ other[:, 3] + pose[:3, 3])
            for part in parts:
                yield there, part

    def _hits(self, collide: Any, pose: Any, there: Any, margin: float = 0.0) -> bool:
        self._collision.security_margin = margin
        self._collided.clear()
        return bool(collide(pose, there, self._collision, self._collided))


def _compared(first: _Part, second: _Part) -> _Compared:
    is_exact = first.geometry is first.hull and second.geometry is second.hull
    shapes = first.geometry, second.geometry
    return _Compared(
        coal.Transform3s() if first.pose is None else _transform(first.pose),
        coal.ComputeCollision(first.hull, second.hull),
        None if is_exact else coal.ComputeCollision(*shapes), coal.ComputeDistance(*shapes))


def _transform(pose: Array) -> Any:
    return coal.Transform3s(pose[:3, :3], pose[:3, 3])


def _box(part: _Part) -> tuple[Array, Array, Array]:
    part.geometry.computeLocalAABB()
    low, high = (np.reshape(corner, 3) for corner in (
        part.geometry.aabb_local.min_, part.geometry.aabb_local.max_))
    pose = np.eye(4) if part.pose is None else part.pose
    return pose[:3, :3] @ ((low + high) / 2) + pose[:3, 3], pose[:3, :3], (high - low) / 2


def _part(solid: Solid) -> _Part:
    shape = solid.shape
    if isinstance(shape, (Hull, Shell)):
        return _mesh(shape.surface)
    sizes = shape.size if isinstance(shape, Box) else vars(shape).values()
    geometry = getattr(coal, type(shape).__name__)(*sizes)
    return _Part(geometry, geometry, np.column_stack([solid.rotation, solid.centre]))


def _mesh(surface: Surface) -> _Part:
    points, faces = surface.points, surface.faces
    hull = _hull(points)
    if hull is not None and _is_convex(points, faces):
        return _Part(hull, hull, None)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(points))
    model.addVertices(points)
    model.addTriangles(faces)
    model.endModel()
    return _Part(model, model if hull is None else hull, None)


def _hull(points: Array) -> Any:
    """Return the convex hull of points; None if they are in a plane."""
    vector = coal.StdVec_Vec3s()
    vector.extend(points)
    try:
        return coal.Convex.convexHull(vector, True, 'Qt')
    except (RuntimeError, ValueError):
        return None


def _is_convex(vertices: Array, faces: Indices) -> bool:
    """Return whether triangles are the closed surface of a convex solid, seen from outside."""
    if len(faces) * len(vertices) > _MOST_COMPARED:
        return False
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    if (np.unique(edges, axis=0, return_counts=True)[1] != 2).any():
        return False
    normals = unit_normals(vertices[faces])
    above = vertices @ normals.T - np.einsum('fi,fi->f', normals, vertices[faces[:, 0]])
    return bool((above.max(axis=0) <= _FLAT).all())


class NewContacts:
    """
    Finds the pairs of links whose shapes touch, but whose visual geometry does not.

    Pairs that are joined, or do not move against each other, are left out.

    :param surfaces: the visual geometry of each link in its frame; links without do not count.
    """

    def __init__(self, robot: Robot, surfaces: Mapping[str, Surface]):
        self._tree = KinematicTree(robot)
        self._pairs = _separate_pairs(robot)
        self._surfaces = surfaces
        self._shells = {name: (shell(each.triangles),) for name, each in surfaces.items()}
        self._zero = self._poses(self._tree.neutral()[None])
        self._colliders: dict[tuple[Solid, ...], LinkCollider] = {}
        self._contacts: dict[tuple[str, str, bytes], bool] = {}

    def at_zero(self, solids: Solids, link: str | None = None) -> Iterator[tuple[str, str]]:
        """
        Yield the pairs at zero.

        :param link: the only link whose pairs are asked for.
        """
        return (pair for pair, _ in self._new(solids, self._zero, link))

    def at_random(self, solids: Solids, number: int) -> Mapping[tuple[str, str], int]:
        """
        Return at how many random configurations pairs touch that never touch visually.

        It is looked at a few of them, at which the shapes seem to be the deepest in each other.

        :param number: of configurations.
        """
        return dict(self._new(solids, self._poses(
            self._tree.random_configuration(np.random.default_rng(0), number))))

    def _poses(self, configurations: Array) -> Mapping[str, Array]:
        """Return the poses of each link, shape (N, 4, 4)."""
        poses = ForwardKinematics(self._tree)(configurations).swapaxes(0, 1)
        return dict(zip(self._tree.link_names, np.ascontiguousarray(poses)))

    def _new(self, solids: Solids, poses: Mapping[str, Array], link: str | None = None
             ) -> Iterator[tuple[tuple[str, str], int]]:
        for pair in self._pairs:
            first, second = pair
            if link in (None, *pair) and all(solids.get(name) and name in self._surfaces
                                             for name in pair):
                number = self._count(pair, [self._collider(solids[name]) for name in pair],
                                     invert(poses[first]) @ poses[second])
                if number:
                    yield pair, number

    def _count(self, pair: tuple[str, str], links: Sequence[LinkCollider], poses: Array) -> int:
        """
        Return at how many poses some shapes overlap; 0 if the visuals touch, too.

        :param poses: of the second link in the frame of the first, shape (N, 4, 4).
        """
        gaps = links[0].gaps(links[1], poses)
        near = np.flatnonzero(gaps <= 0)
        if not len(near):
            return 0
        found = 0
        shapes = PairCollider(*links)
        for pose in poses[near[np.argsort(gaps[near], kind='stable')]]:
            if shapes.touch(pose):
                if found < _MAX_CHECKS and self._touch_visually(pair, pose):
                    return 0
                found += 1
        return found

    def _collider(self, solids: Sequence[Solid]) -> LinkCollider:
        key = tuple(solids)
        if key not in self._colliders:
            self._colliders[key] = LinkCollider(solid.inset(_DEPTH / 2) for solid in solids)
        return self._colliders[key]

    def _touch_visually(self, pair: tuple[str, str], pose: Array) -> bool:
        """Return whether links touch by their visual geometry, or one is inside the other."""
        key = *pair, pose.tobytes()
        if key not in self._contacts:
            first, second = (self._surfaces[name] for name in pair)
            visuals = PairCollider(*(self._collider(self._shells[name]) for name in pair))
            self._contacts[key] = (
                visuals.touch(pose) or visuals.nearer(pose, _NEAR) < _NEAR
                or _is_inside(second, first, pose) or _is_inside(first, second, invert(pose)))
        return self._contacts[key]


def _is_inside(inner: Surface, outer: Surface, pose: Array) -> bool:
    """Return whether a point of a link, at a pose in the frame of another, is inside it."""
    point = pose[:3, :3] @ inner.points[0] + pose[:3, 3]
    is_in_box = (outer.box[0] <= point).all() and (point <= outer.box[1]).all()
    return bool(is_in_box and outer.is_inside(point[None])[0])


def _separate_pairs(robot: Robot) -> list[tuple[str, str]]:
    """Return the pairs of links that move against each other and are not joined."""
    body = welded(robot)
    joined = {pair for joint in robot.tree for pair in (
        (joint.parent, joint.child), (joint.child, joint.parent))}
    return [pair for pair in combinations(robot.links, 2)
            if pair not in joined and body[pair[0]] != body[pair[1]]]
