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

"""
The equations of loops, and their derivatives.

A loop holds two frames A and B, one on each link. Everything is seen from A: the distance d of the
origins and the orientation R of B. An axis a with the origin o that moves only one of the links
changes d at the rate ``R_A^T (a x (p_B - o))`` and turns R at ``R_A^T a``, with the opposite sign
if it moves A: so the columns are those of a geometric Jacobian of the one link relative to the
other, and axes that move both drop out (Featherstone, Rigid Body Dynamics Algorithms, chapter 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.transforms import Array
from urdf_tools.kinematics.transforms import Indices
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic

_ALONG, _LEANING, _TURNED, _DISTANCE, _RATIO = range(5)
"""Equations: a component of d, of the axis of B, of R's vector; the length of d; a gear."""

_ORIGIN = np.array([0.0, 0.0, 0.0, 1.0])
_NEXT, _LAST = [1, 2, 0], [2, 0, 1]


@dataclass(frozen=True, eq=False)
class Columns:
    """
    Velocity variables by which equations are differentiated, d for each equation.

    :ivar weights: how much of the rate of each axis is due to them, shape (m, P, d).
    :ivar gears: derivatives of the equations of gears, shape (m, d).
    """

    weights: Array
    gears: Array


class LoopConstraints:
    """
    The m equations of some loops, each zero where they are closed.

    :param loops: of the robot of the tree, at least one.
    :ivar loop_of_row: index of the loop of each equation, shape (m,).
    :ivar moves: whether a velocity variable changes a loop, shape (L, nv).
    :ivar all: the columns of all velocity variables.
    """

    def __init__(self, tree: KinematicTree, loops: Sequence[Loop]):
        self.tree = tree
        self.loops = tuple(loops)
        links = tree.links(
            [loop.parent for loop in loops] + [loop.child for loop in loops])
        self._frames, self._ends = tree.frames.branch(tree.link_frames[links])
        count = len(loops)
        origins = [loop.parent_origin.matrix for loop in loops] + [
            loop.child_origin.matrix for loop in loops]
        self._placements = tree.link_placements[links] @ np.array(origins)
        axes = MotionAxes(self._frames)
        signs = _signs(
            self._frames.parents, axes.rows, self._ends[:count], self._ends[count:])
        self._rows()
        self._prepare_gears()
        self._pair(axes, signs)
        combined = np.zeros((len(axes.rows), len(tree.velocity_names)))
        combined[np.arange(len(axes.rows)), axes.velocities] = axes.multipliers
        self.moves = (np.abs(signs) @ np.abs(combined)) > 0
        for row in self._ratios.tolist():
            self.moves[self.loop_of_row[row]] = self._gears[row] != 0
        self.all = self.columns(np.tile(np.arange(len(tree.velocity_names)), (self.count, 1)))

    def _pair(self, axes: MotionAxes, signs: Array) -> None:
        """Set the axes that change each loop, as many for each; the sign of those added is 0."""
        chosen = [np.flatnonzero(row) for row in signs]
        most = max(map(len, chosen))
        pairs = np.zeros((len(signs), most), dtype=np.intp)
        for row, indices in zip(pairs, chosen):
            row[:len(indices)] = indices
        held = np.arange(most) < np.array([len(indices) for indices in chosen])[:, None]
        self._axis_rows, self._axis_columns = axes.rows[pairs], axes.columns[pairs]
        self._turns = (pairs < axes.rotations)[..., None]
        self._all_turn = bool(self._turns.all())
        self._signs = (np.take_along_axis(signs, pairs, 1) * held)[..., None]
        self._velocities, self._multipliers = axes.velocities[pairs], axes.multipliers[pairs]

    def columns(self, velocities: Indices) -> Columns:
        """
        Return what :meth:`evaluate` needs for derivatives by some velocity variables.

        :param velocities: indices of those of each equation, -1 for none, shape (m, d).
        """
        loops = self.loop_of_row
        weights = self._multipliers[loops][..., None] * (
            self._velocities[loops][..., None] == velocities[:, None])
        gears = np.take_along_axis(self._gears, np.maximum(velocities, 0), 1)
        return Columns(weights, gears * (velocities >= 0))

    @property
    def count(self) -> int:
        """Number of equations, m."""
        return len(self._kinds)

    def _rows(self) -> None:
        rows: list[tuple[int, int, Array]] = []
        for index, loop in enumerate(self.loops):
            rows += [(index, kind, vector) for kind, vector in _equations(loop)]
        self.loop_of_row = np.array([row[0] for row in rows], dtype=np.intp)
        self._kinds = np.array([row[1] for row in rows])
        self._vectors = np.array([row[2] for row in rows])
        self._lengths = np.array([loop.length for loop in self.loops])[self.loop_of_row]
        self._parent_axes = np.array([loop.parent_axis for loop in self.loops])
        self._child_axes = np.array([loop.child_axis for loop in self.loops])
        self._is_turn = np.isin(self._kinds, (_LEANING, _TURNED))
        self._constant_twists = np.zeros((len(rows), 6))
        self._constant_twists[self._kinds == _ALONG, :3] = self._vectors[self._kinds == _ALONG]
        self._constant_twists[self._kinds == _TURNED, 3:] = self._vectors[self._kinds == _TURNED]
        self._along = np.flatnonzero(self._kinds == _ALONG)
        self._leaning = np.flatnonzero(self._kinds == _LEANING)
        self._turned = np.flatnonzero(self._kinds == _TURNED)
        self._distances = np.flatnonzero(self._kinds == _DISTANCE)
        self._ratios = np.flatnonzero(self._kinds == _RATIO)
        self._loops_along = self.loop_of_row[self._along]
        self._vectors_along = self._vectors[self._along]
        self._loops_leaning = self.loop_of_row[self._leaning]
        self._vectors_leaning = self._vectors[self._leaning]
        self._axes_leaning = self._child_axes[self._loops_leaning, :, None]

    def _prepare_gears(self) -> None:
        """Set the equations of gears, which are linear in the variables."""
        tree, robot = self.tree, self.tree.robot
        count = len(self._kinds)
        self._gears = np.zeros((count, len(tree.velocity_names)))
        self._of_variables = np.zeros((count, len(tree.variable_names)))
        self._offsets = np.zeros(count)
        self._slides = np.zeros(len(self.loops), dtype=bool)
        for row in self._ratios.tolist():
            index = self.loop_of_row[row]
            loop = self.loops[index]
            self._offsets[row] -= loop.offset
            for link, factor in ((loop.child, 1.0), (loop.parent, -loop.ratio)):
                joint = robot.parent_joint[link]
                mimic = tree.mimic[joint.name] if joint.name in tree.mimic else Mimic(joint.name)
                share = factor * mimic.multiplier
                self._gears[row, tree.velocity_index[mimic.joint]] += share
                self._of_variables[row, tree.variable_index[mimic.joint]] += share
                self._offsets[row] += factor * mimic.offset
            self._slides[index] = robot.parent_joint[loop.child].type is JointType.PRISMATIC

    def evaluate(self, positions: Array, columns: Columns | None = None) -> tuple[Array, Array]:
        """
        Return the values of the equations, and their derivatives.

        :param positions: shape (B, n).
        :param columns: by which velocity variables, d of them; by all by default.
        :return: in metres and radians, shape (B, m); shape (B, m, d).
        """
        columns = self.all if columns is None else columns
        values = np.empty((len(positions), self.count))
        derivatives = np.empty((len(positions), *columns.gears.shape))
        for chunk, frames in self._frames.chunks(positions, 256):
            first, second, apart, relative = self._relative(frames)
            values[chunk] = self._values(apart, relative, positions[chunk])
            twists = self._twists(apart, relative)
            motions = self._motions(frames, first, second)[:, self.loop_of_row]
            derivatives[chunk] = (
                (motions @ twists[..., None])[:, :, None, :, 0] @ columns.weights)[:, :, 0]
        if len(self._ratios):
            derivatives += columns.gears
        return values, derivatives

    def values(self, positions: Array) -> Array:
        """Return the values of the equations, shape (B, m)."""
        values = np.empty((len(positions), self.count))
        for chunk, frames in self._frames.chunks(positions, 256):
            values[chunk] = self._values(*self._relative(frames)[2:], positions[chunk])
        return values

    def errors(self, positions: Array) -> tuple[Array, Array]:
        """
        Return how far each loop is from closed.

        :param positions: shape (B, n).
        :return: distances in metres and angles in radians, each of shape (B, L).
        """
        shape = (len(positions), len(self.loops))
        distances, angles = np.zeros(shape), np.zeros(shape)
        for chunk, frames in self._frames.chunks(positions, 256):
            _, _, origins, relative = self._relative(frames)
            values = self._values(origins, relative, positions[chunk])
            apart = np.where(self._is_turn, 0.0, values) ** 2
            for row, loop in enumerate(self.loop_of_row.tolist()):
                gear = self._kinds[row] == _RATIO and not self._slides[loop]
                (angles if gear else distances)[chunk, loop] += apart[:, row]
            angles[chunk] = np.sqrt(angles[chunk]) + self._angles(relative)
        return np.sqrt(distances), angles

    def _angles(self, relative: Array) -> Array:
        """Return the angles between axes, or of the whole orientation, shape (b, L)."""
        angles = np.zeros(relative.shape[:2])
        for index, loop in enumerate(self.loops):
            if loop.type in (LoopType.HINGE, LoopType.UNIVERSAL):
                axis = relative[:, index] @ self._child_axes[index]
                own = self._parent_axes[index]
                sine, cosine = np.linalg.norm(_cross(own[None], axis), axis=-1), axis @ own
                angles[:, index] = np.arctan2(sine, cosine) if (
                    loop.type is LoopType.HINGE) else np.abs(np.arctan2(cosine, sine))
            elif loop.type in (LoopType.SLIDER, LoopType.FIXED):
                angles[:, index] = np.arctan2(
                    np.linalg.norm(_vector(relative[:, index]), axis=-1),
                    (np.trace(relative[:, index], axis1=1, axis2=2) - 1) / 2)
        return angles

    def _relative(self, frames: Array) -> tuple[Array, Array, Array, Array]:
        """
        Return the frames of all loops, and the second ones as seen from the first ones.

        :return: frames, each of shape (b, L, 3, 4); d of shape (b, L, 3); R of (b, L, 3, 3).
        """
        ends = frames[:, self._ends].transpose(3, 1, 0, 2) @ self._placements
        count = len(self.loops)
        first, second = ends[:, :count], ends[:, count:]
        seen = np.swapaxes(first[..., :3], -1, -2) @ (second - first * _ORIGIN)
        return first, second, seen[..., 3], seen[..., :3]

    def _values(self, apart: Array, relative: Array, positions: Array) -> Array:
        """Return the values of the equations, shape (b, m)."""
        values = np.empty((len(apart), self.count))
        if len(self._along):
            values[:, self._along] = (
                apart[:, self._loops_along] * self._vectors_along).sum(axis=2)
        if len(self._leaning):
            values[:, self._leaning] = (
                self._leaning_axes(relative) * self._vectors_leaning).sum(axis=2)
        rows = self._turned
        if len(rows):
            vectors = _vector(relative[:, self.loop_of_row[rows]])
            values[:, rows] = (vectors * self._vectors[rows]).sum(axis=2)
        rows = self._distances
        if len(rows):
            values[:, rows] = np.linalg.norm(
                apart[:, self.loop_of_row[rows]], axis=-1) - self._lengths[rows]
        rows = self._ratios
        if len(rows):
            values[:, rows] = positions @ self._of_variables[rows].T + self._offsets[rows]
        return values

    def _leaning_axes(self, relative: Array) -> Array:
        axes: Array = (relative[:, self._loops_leaning] @ self._axes_leaning)[..., 0]
        return axes

    def _twists(self, apart: Array, relative: Array) -> Array:
        """Return the derivatives of the values by twists of the second frame, (b, m, 6)."""
        twists = np.empty((len(apart), self.count, 6))
        twists[:] = self._constant_twists
        if len(self._leaning):
            twists[:, self._leaning, 3:] = _cross(
                self._leaning_axes(relative), self._vectors_leaning)
        rows = self._distances
        if len(rows):
            rods = apart[:, self.loop_of_row[rows]]
            twists[:, rows, :3] = rods / np.maximum(
                np.linalg.norm(rods, axis=-1, keepdims=True), 1e-12)
        return twists

    def _motions(self, frames: Array, first: Array, second: Array) -> Array:
        """Return the linear and angular rates of each loop by its axes, shape (b, L, P, 6)."""
        vectors = frames[:, self._axis_rows, self._axis_columns].transpose(3, 1, 2, 0)
        vectors = vectors * self._signs
        origins = frames[:, self._axis_rows, 3].transpose(3, 1, 2, 0)
        arms = second[..., None, :, 3] - origins
        turn = first[..., :3]
        linear, angular = _cross(vectors, arms), vectors
        if not self._all_turn:
            linear = np.where(self._turns, linear, vectors)
            angular = vectors * self._turns
        motions = np.empty((*vectors.shape[:3], 6))
        np.matmul(linear, turn, out=motions[..., :3])
        np.matmul(angular, turn, out=motions[..., 3:])
        return motions


def _equations(loop: Loop) -> list[tuple[int, Array]]:
    """Return the kinds of the equations of a loop and the vectors in them."""
    if loop.type is LoopType.ROD:
        return [(_DISTANCE, np.zeros(3))]
    if loop.type is LoopType.GEAR:
        return [(_RATIO, np.zeros(3))]
    whole, axis = np.eye(3), np.array(loop.parent_axis)
    across = rotation_from_z(loop.parent_axis).T[:2]
    turned = [(_TURNED, vector) for vector in whole]
    if loop.type is LoopType.SLIDER:
        return [(_ALONG, vector) for vector in across] + turned
    held = [(_ALONG, vector) for vector in whole]
    if loop.type is LoopType.HINGE:
        return held + [(_LEANING, vector) for vector in across]
    if loop.type is LoopType.UNIVERSAL:
        return [*held, (_LEANING, axis)]
    return held + turned if loop.type is LoopType.FIXED else held


def _cross(left: Array, right: Array) -> Array:
    """Return cross products of vectors of shape (..., 3)."""
    products = left[..., _NEXT] * right[..., _LAST]
    products -= left[..., _LAST] * right[..., _NEXT]
    return products


def _vector(rotations: Array) -> Array:
    """Return the sine of the angle times the axis of rotations, shape (..., 3)."""
    difference = rotations - np.swapaxes(rotations, -1, -2)
    vector: Array = difference[..., [2, 0, 1], [1, 2, 0]] / 2
    return vector


def _signs(parents: Indices, rows: Indices, first: Indices, second: Indices) -> Array:
    """Return 1 where an axis moves only the second frame, -1 if only the first, shape (L, A)."""
    count = len(parents)
    above = np.eye(count, dtype=bool)
    for frame in range(1, count):
        above[frame] |= above[parents[frame]]
    signs: Array = above[second][:, rows].astype(float) - above[first][:, rows]
    return signs
