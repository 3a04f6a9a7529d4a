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
from functools import lru_cache
from typing import Any

import coal
import numpy as np

from urdf_tools.collision.fits import hull_of
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.surface import Surface
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.records import Box
from urdf_tools.model.robot import Robot
from urdf_tools.model.robot import welded
from urdf_tools.types import Array

_BLOCK = 50_000
"""Number of pairs of boxes that are compared at once, which bounds memory."""

_DEPTH = 1e-4
"""Depth in m from which shapes collide, so that shared faces do not count."""

_NEAR = 1e-3
"""Distance in m within which links touch by their visual geometry."""

_MARGIN = 1e-9
"""Distance in m up to which shapes touch."""

_FAR_BELOW = 1e3
"""Distance in m below which nothing is."""

Solids = Mapping[str, Sequence[Solid]]
"""The shapes of each link in its frame."""

_Boxes = tuple[Array, Array, Array]
"""
Boxes around shapes of a link: their axes as columns, shape (K, 3, 3), their centres and half of
their sizes, shape (K, 3) each.
"""


class LinkCollider:
    """
    The shapes of a link as coal objects, and boxes around them.

    :ivar box: the lowest and the highest corner of the box around all, in the frame of the link.
    :ivar thickness: the smallest size of a box around a shape, in m.
    """

    def __init__(self, solids: Iterable[Solid]):
        solids = list(solids)
        self.shapes = [_shape(solid) for solid in solids]
        self.poses = [coal.Transform3s(solid.rotation, solid.centre) for solid in solids]
        boxes = np.array([[np.reshape(corner, 3) for corner in (
            shape.aabb_local.min_, shape.aabb_local.max_)] for shape in self.shapes])
        axes = np.array([solid.rotation for solid in solids])
        centres = (axes @ boxes.mean(axis=1)[..., None])[..., 0] + [
            solid.centre for solid in solids]
        self._boxes: _Boxes = axes, centres, np.ptp(boxes, axis=1) / 2
        self.thickness = 2 * float(self._boxes[2].min())
        reach = (np.abs(axes) @ self._boxes[2][..., None])[..., 0]
        self.box = low, high = (centres - reach).min(axis=0), (centres + reach).max(axis=0)
        self._whole = self._boxes if len(solids) == 1 else (
            np.eye(3)[None], (low + high)[None] / 2, (high - low)[None] / 2)

    def sphere(self, pose: Array) -> Array:
        """Return the centre and the radius of a sphere around the link at a pose, shape (4,)."""
        middle, size = sum(self.box) / 2, self.box[1] - self.box[0]
        return np.append(pose[:3, :3] @ middle + pose[:3, 3], np.linalg.norm(size) / 2)

    def lowest(self, pose: Array) -> float:
        """Return the smallest z of the shapes with the link at a pose, shape (4, 4), in metres."""
        there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        below = coal.Halfspace(np.array([0.0, 0.0, 1.0]), -_FAR_BELOW)
        return -_FAR_BELOW + float(min(
            coal.ComputeDistance(shape, below)(
                there * own, coal.Transform3s.Identity(), coal.DistanceRequest(),
                coal.DistanceResult()) for shape, own in zip(self.shapes, self.poses)))

    def gaps(self, other: LinkCollider, poses: Array, limit: float = np.inf) -> Array:
        """
        Return lower bounds on the distances of two links, shape (N,).

        They are the gaps between the nearest boxes around two shapes, along the axis of either
        on which they are the farthest apart; negative where the boxes overlap along all axes.

        :param poses: of the other link in the frame of this one, shape (N, 4, 4).
        :param limit: in metres, above which a better bound is of no use.
        """
        gaps = _box_gaps(self._whole, other._whole, poses)
        number = len(self.shapes) * len(other.shapes)
        near = np.flatnonzero(gaps < limit) if number > 1 else ()
        for start in range(0, len(near), max(1, _BLOCK // number)):
            rows = near[start:start + max(1, _BLOCK // number)]
            gaps[rows] = _box_gaps(self._boxes, other._boxes, poses[rows])
        return gaps


def _box_gaps(first: _Boxes, second: _Boxes, poses: Array) -> Array:
    """
    Return the gaps between the nearest boxes of two links, shape (N,).

    :param poses: of the second link in the frame of the first, shape (N, 4, 4).
    """
    (axes, centres, halves), (other_axes, other_centres, other_halves) = first, second
    rotations = poses[:, None, None, :3, :3]
    # Axes of the second boxes, and vectors to their centres, along the axes of the first.
    inward = axes[:, None].swapaxes(2, 3)
    turned = inward @ (rotations @ other_axes)
    between = (rotations @ other_centres[..., None])[..., 0] + poses[:, None, None, :3, 3]
    between = (inward @ (between - centres[:, None])[..., None])[..., 0]
    reach = np.abs(turned)
    here = np.abs(between) - halves[:, None] - (reach @ other_halves[..., None])[..., 0]
    there = np.abs((between[..., None, :] @ turned)[..., 0, :]) - other_halves - (
        halves[:, None, None] @ reach)[..., 0, :]
    return np.asarray(np.maximum(here, there).max(axis=3).min(axis=(1, 2)))


class PairCollider:
    """Two links whose shapes are compared; meshes are surfaces."""

    def __init__(self, first: LinkCollider, second: LinkCollider):
        self._links = first, second  # What follows only borrows the shapes.
        self._pairs = [
            (pose, other_pose, coal.ComputeCollision(shape, other),
             coal.ComputeDistance(shape, other))
            for other, other_pose in zip(second.shapes, second.poses)
            for shape, pose in zip(first.shapes, first.poses)]
        self._collision = coal.CollisionRequest(coal.CollisionRequestFlag.NO_REQUEST, 1)
        # Without it, coal 3.0 misses deep contacts of shapes whose axes cross at a right angle.
        self._collision.security_margin = _MARGIN
        self._collided = coal.CollisionResult()
        self._distance = coal.DistanceRequest()
        self._measured = coal.DistanceResult()

    def nearer(self, pose: Array, margin: float) -> float:
        """
        Return the distance between the links in metres if it is below a margin, or the margin.

        :param pose: of the second link in the frame of the first, shape (3, 4).
        :return: zero if they touch.
        """
        there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        for here, other, _, distance in self._pairs:
            self._measured.clear()
            self._measured.min_distance = margin  # Parts of meshes beyond it are skipped.
            margin = min(margin, distance(here, there * other, self._distance, self._measured))
            if margin <= 0:
                return 0.0
        return margin

    def depth(self, pose: Array, enough: float = np.inf) -> float:
        """
        Return how deep the links are in each other in metres, negative if they are apart.

        :param pose: of the second link in the frame of the first, shape (3, 4).
        :param enough: depth from which on the largest is not searched for.
        """
        there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        depth = -np.inf
        for here, other, _, distance in self._pairs:
            self._measured.clear()
            depth = max(depth, -distance(here, there * other, self._distance, self._measured))
            if depth >= enough:
                break
        return depth

    def touch(self, pose: Array) -> bool:
        """Return whether the links touch."""
        there = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        for here, other, collide, _ in self._pairs:
            self._collided.clear()
            if collide(here, there * other, self._collision, self._collided):
                return True
        return False


def _shape(solid: Solid) -> Any:
    """Return a shape as coal object, with the box around it."""
    shape = solid.shape
    if isinstance(shape, Hull):
        try:
            geometry = _hull(shape.vertices)
        except RuntimeError:
            # A corner has more than 255 neighbours. Flat points would end the process.
            fewer = hull_of(shape.vertices, 0.0)
            assert fewer is not None and isinstance(fewer.shape, Hull), 'it has a volume'
            geometry = _hull(fewer.shape.vertices)
    elif isinstance(shape, Shell):
        geometry = coal.BVHModelOBBRSS()
        geometry.beginModel(len(shape.surface.faces), len(shape.surface.points))
        geometry.addVertices(shape.surface.points)
        geometry.addTriangles(shape.surface.faces)
        geometry.endModel()
    else:
        sizes = shape.size if isinstance(shape, Box) else vars(shape).values()
        geometry = getattr(coal, type(shape).__name__)(*sizes)
    geometry.computeLocalAABB()
    return geometry


def _hull(points: Array) -> Any:
    corners = coal.StdVec_Vec3s()
    corners.extend(points)
    return coal.Convex.convexHull(corners, True, 'Qt')


class NewContacts:
    """
    Finds the pairs of links whose shapes touch at zero, but whose visual geometry does not.

    Pairs that are joined, or do not move against each other, are left out.

    :param surfaces: the visual geometry of each link in its frame; links without do not count.
    """

    def __init__(self, robot: Robot, surfaces: Mapping[str, Surface]):
        tree = KinematicTree(robot)
        self._poses = dict(zip(tree.link_names, ForwardKinematics(tree)(tree.neutral())))
        self._body = welded(robot)
        self._joined = {frozenset((joint.parent, joint.child)) for joint in robot.tree}
        self._names = [name for name in robot.links if name in surfaces]
        self._surfaces = surfaces
        self._shells = {name: (shell(each.triangles),) for name, each in surfaces.items()}
        self._colliders: dict[tuple[Solid, ...], LinkCollider] = {}
        self._touch_visually = lru_cache(None)(self._compare_visuals)

    def pairs(self, solids: Solids, link: str | None = None) -> Iterator[tuple[str, str]]:
        """
        Yield the pairs.

        :param link: the only link whose pairs are asked for.
        """
        names = [name for name in self._names if solids.get(name)]
        spheres = np.array([
            self._collider(solids[name]).sphere(self._poses[name]) for name in names])
        for row, name in enumerate(names):
            if link in (None, name):
                # Of very many links, few are near each other.
                gaps = np.linalg.norm(spheres[:, :3] - spheres[row, :3], axis=1) - spheres[:, 3]
                for other in np.flatnonzero(gaps <= spheres[row, 3]).tolist():
                    pair = names[min(row, other)], names[max(row, other)]
                    if (link or row < other) and self._is_new(pair, solids):
                        yield pair

    def _is_new(self, pair: tuple[str, str], solids: Solids) -> bool:
        if self._body[pair[0]] == self._body[pair[1]] or {*pair} in self._joined:
            return False
        first, second = (self._collider(solids[name]) for name in pair)
        pose = self._pose(pair)
        return bool(first.gaps(second, pose[None])[0] <= 0) and PairCollider(
            first, second).touch(pose) and not self._touch_visually(pair)

    def _pose(self, pair: tuple[str, str]) -> Array:
        first, second = (self._poses[name] for name in pair)
        return np.asarray(invert(first) @ second)

    def _collider(self, solids: Sequence[Solid]) -> LinkCollider:
        key = tuple(solids)
        if key not in self._colliders:
            self._colliders[key] = LinkCollider(solid.inset(_DEPTH / 2) for solid in solids)
        return self._colliders[key]

    def _compare_visuals(self, pair: tuple[str, str]) -> bool:
        """Return whether links touch by their visual geometry, or one is inside the other."""
        first, second = (self._surfaces[name] for name in pair)
        visuals, pose = PairCollider(
            *(self._collider(self._shells[name]) for name in pair)), self._pose(pair)
        return (visuals.nearer(pose, _NEAR) < _NEAR
                or _is_inside(second, first, pose) or _is_inside(first, second, invert(pose)))


def _is_inside(inner: Surface, outer: Surface, pose: Array) -> bool:
    """Return whether a point of a link, at a pose in the frame of another, is inside it."""
    point = pose[:3, :3] @ inner.points[0] + pose[:3, 3]
    is_in_box = (outer.box[0] <= point).all() and (point <= outer.box[1]).all()
    return bool(is_in_box and outer.is_inside(point[None])[0])
