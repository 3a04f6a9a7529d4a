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
from typing import NamedTuple

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.moving_frames import SLIDING
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.kinematics.transforms import rotation_vector
from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.types import Array
from urdf_tools.types import Indices

ALONG, LEANING, TURNED, DISTANCE, RATIO = range(5)
"""Equations: a component of d, of the axis of B, of R's vector; the length of d; a gear."""

_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])


class Columns(NamedTuple):
    """
    Velocity variables with respect to which equations are differentiated, d for each loop.

    :ivar weights: how much of the rate of each axis is due to them, shape (L, 1, P, d).
    :ivar gears: derivatives of the equations of gears, shape (m, d).
    """

    weights: Array
    gears: Array


class LoopConstraints:
    """
    The m equations of some loops, each zero where they are closed.

    :param loops: of the robot of the tree, at least one.
    :ivar count: number of equations, m.
    :ivar loop_of_row: index of the loop of each equation, shape (m,).
    :ivar moves: whether a velocity variable changes a loop, shape (L, nv).
    :ivar all: the columns of all velocity variables.
    """

    def __init__(self, tree: KinematicTree, loops: Sequence[Loop]):
        self.tree = tree
        self.loops = tuple(loops)
        links = tree.links([loop.parent for loop in loops] + [loop.child for loop in loops])
        self.frames, self.ends = tree.frames.branch(tree.link_frames[links])
        count = len(loops)
        origins = [loop.parent_origin.matrix for loop in loops] + [
            loop.child_origin.matrix for loop in loops]
        self.placements = tree.link_placements[links] @ np.array(origins)
        axes = MotionAxes(self.frames)
        sides = _sides(self.frames.parents, self.ends[:count], self.ends[count:])
        signs = sides[:, axes.rows]
        self._rows()
        self._prepare_gears()
        self._pair(axes, signs)
        combined = np.zeros((len(axes.rows), len(tree.velocity_names)))
        combined[np.arange(len(axes.rows)), axes.velocities] = axes.multipliers
        self._bound(sides, np.abs(combined).sum(axis=0).max(initial=0.0))
        self.moves = (np.abs(signs) @ np.abs(combined)) > 0
        for row in self._ratios.tolist():
            self.moves[self.loop_of_row[row]] = self.gears[row] != 0
        self.all = self.columns(np.tile(np.arange(len(tree.velocity_names)), (count, 1)))

    def _pair(self, axes: MotionAxes, signs: Array) -> None:
        """Set the axes that change each loop, as many for each; the sign of those added is 0."""
        chosen = [np.flatnonzero(row) for row in signs]
        pairs = index_table(chosen, 0)
        held = np.arange(pairs.shape[1]) < np.array([len(indices) for indices in chosen])[:, None]
        self._axis_rows, self._axis_columns = axes.rows[pairs], axes.columns[pairs]
        self._turns = (pairs < axes.rotations)[:, None]
        self._all_turn = bool(self._turns.all())
        self._signs = (np.take_along_axis(signs, pairs, 1) * held)[:, None]
        self._velocities, self._multipliers = axes.velocities[pairs], axes.multipliers[pairs]

    def _bound(self, sides: Array, most: float) -> None:
        """
        Set what bounds the second derivatives of the equations of each loop.

        :param sides: 1 or -1 for the frames between the ends of a loop, shape (L, F).
        :param most: how much one variable moves all axes together.
        """
        lengths = np.linalg.norm(self.frames.offsets[:, :3, 3], axis=1)
        ends = np.linalg.norm(self.placements[:, :3, 3], axis=1).reshape(2, -1).sum(axis=0)
        self._reach, self._most = np.abs(sides) @ lengths + ends, most
        self._sliding = self.frames.of_kinds[SLIDING]
        self._rods = np.array([1 / loop.length if loop.type is LoopType.ROD else 0.0
                               for loop in self.loops])
        self._curvature = None if len(self._sliding) else self._curved(0.0)

    def _curved(self, slid: float) -> float:
        reach = self._reach + slid
        return float(np.maximum(1.0, reach + reach**2 * self._rods).max()) * self._most**2

    def curvature(self, positions: Array) -> float:
        """
        Return a bound on the second derivatives of the equations, near where these are zero.

        A turn and another one move a point by no more than its distance from the axis; the length
        of a rod is bent by the square of that by its length, too.

        :param positions: shape (n,).
        :return: K: a move by c changes values by its product with the derivatives, and by at most
            K / 2 times the square of the sum of the absolute values of c more.
        """
        if self._curvature is not None:
            return self._curvature
        frames, rows = self.frames, self._sliding
        return self._curved(float(np.abs(
            positions[frames.variables[rows]] * frames.multipliers[rows]
            + frames.shifts[rows]).sum()))

    def columns(self, velocities: Indices) -> Columns:
        """
        Return what :meth:`evaluate` needs for derivatives by some velocity variables.

        :param velocities: indices of those of each loop, -1 for none, shape (L, d).
        """
        weights = self._multipliers[..., None] * (
            self._velocities[..., None] == velocities[:, None])
        of_rows = velocities[self.loop_of_row]
        gears = np.take_along_axis(self.gears, np.maximum(of_rows, 0), 1)
        return Columns(weights[:, None], gears * (of_rows >= 0))

    def _rows(self) -> None:
        rows = [(index, kind, vector) for index, loop in enumerate(self.loops)
                for kind, vector in _equations(loop)]
        self.loop_of_row = np.array([row[0] for row in rows], dtype=np.intp)
        self.kinds, self.count = np.array([row[1] for row in rows]), len(rows)
        self.lengths = np.array([loop.length for loop in self.loops])[self.loop_of_row]
        self._parent_axes = np.array([loop.parent_axis for loop in self.loops])
        self._child_axes = np.array([loop.child_axis for loop in self.loops])
        self._is_turn = np.isin(self.kinds, (LEANING, TURNED))
        self._turned, self._distances, self._ratios = (
            np.flatnonzero(self.kinds == kind) for kind in (TURNED, DISTANCE, RATIO))
        self._constant_twists = np.zeros((len(rows), 2, 3))
        self.wanted = np.zeros(len(rows))
        # Of each equation the value and its derivative by a rotation, from the frame B in A.
        from_frame = np.zeros((len(rows), 4, 3, 4))
        for row, (index, kind, vector) in enumerate(rows):
            if kind == ALONG:
                from_frame[row, 0, :, 3] = self._constant_twists[row, 0] = vector
            elif kind == TURNED:
                self._constant_twists[row, 1] = vector
            elif kind == LEANING:
                axis = self._child_axes[index]
                from_frame[row, 0, :, :3] = np.outer(vector, axis)
                from_frame[row, 1:, :, :3] = np.cross(np.eye(3), vector).T[..., None] * axis
                if self.loops[index].type is LoopType.HINGE:
                    self.wanted[row] = vector @ self._parent_axes[index]
        self.from_frame = from_frame.reshape(-1, 4, 12)

    def _prepare_gears(self) -> None:
        """Set the equations of gears, which are linear in the variables."""
        tree, robot = self.tree, self.tree.robot
        self.gears = np.zeros((self.count, len(tree.velocity_names)))
        self.of_variables = np.zeros((self.count, len(tree.variable_names)))
        self.offsets = np.zeros(self.count)
        self._slides = np.zeros(len(self.loops), dtype=bool)
        for row in self._ratios.tolist():
            index = self.loop_of_row[row]
            loop = self.loops[index]
            self.offsets[row] -= loop.offset
            down, up = robot.geared(loop, loop.child), robot.geared(loop, loop.parent)
            for joint, factor in [(joint, 1.0) for joint in down] + [
                    (joint, -loop.ratio) for joint in up]:
                mimic = tree.mimic.get(joint.name, Mimic(joint.name))
                share = factor * mimic.multiplier
                self.gears[row, tree.velocity_index[mimic.joint]] += share
                self.of_variables[row, tree.variable_index[mimic.joint]] += share
                self.offsets[row] += factor * mimic.offset
            self._slides[index] = down[-1].type is JointType.PRISMATIC

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
        for chunk, frames in self.frames.chunks(positions, 256):
            first, second, seen = self._relative(frames)
            linear = self._linear(seen)
            values[chunk] = self._values(linear, seen, positions[chunk])
            motions = self._motions(frames, first, second, columns.weights)
            twists = self._twists(linear, seen)
            derivatives[chunk] = (twists @ motions[:, self.loop_of_row])[:, :, 0]
        if len(self._ratios):
            derivatives += columns.gears
        return values, derivatives

    def values(self, positions: Array) -> Array:
        """Return the values of the equations, shape (B, m)."""
        values = np.empty((len(positions), self.count))
        for chunk, frames in self.frames.chunks(positions, 256):
            seen = self._relative(frames)[2]
            values[chunk] = self._values(self._linear(seen), seen, positions[chunk])
        return values

    def twists(self, positions: Array) -> Array:
        """
        Return the derivatives of the values by twists of the second frames as the first see them.

        Those of a gear are by the position of its second joint, as the last number.

        :param positions: shape (B, n).
        :return: shape (B, m, 6).
        """
        twists = np.empty((len(positions), self.count, 6))
        for chunk, frames in self.frames.chunks(positions, 256):
            seen = self._relative(frames)[2]
            twists[chunk] = self._twists(self._linear(seen), seen)[:, :, 0]
        twists[:, self._ratios, 5] = 1
        return twists

    def errors(self, positions: Array) -> tuple[Array, Array]:
        """
        Return how far each loop is from closed.

        :param positions: shape (B, n).
        :return: distances in metres and angles in radians, each of shape (B, L).
        """
        shape = (len(positions), len(self.loops))
        distances, angles = np.zeros(shape), np.zeros(shape)
        for chunk, frames in self.frames.chunks(positions, 256):
            seen = self._relative(frames)[2]
            values = self._values(self._linear(seen), seen, positions[chunk])
            apart = np.where(self._is_turn, 0.0, values) ** 2
            for row, loop in enumerate(self.loop_of_row.tolist()):
                gear = self.kinds[row] == RATIO and not self._slides[loop]
                (angles if gear else distances)[chunk, loop] += apart[:, row]
            angles[chunk] = np.sqrt(angles[chunk]) + self._angles(seen[..., :3])
        return np.sqrt(distances), angles

    def _angles(self, relative: Array) -> Array:
        """Return the angles between axes, or of the whole orientation, shape (b, L)."""
        angles = np.zeros(relative.shape[:2])
        for index, loop in enumerate(self.loops):
            if loop.type in (LoopType.HINGE, LoopType.UNIVERSAL):
                axis = relative[:, index] @ self._child_axes[index]
                own = self._parent_axes[index]
                sine, cosine = np.linalg.norm(np.cross(own, axis), axis=-1), axis @ own
                angles[:, index] = np.arctan2(sine, cosine) if (
                    loop.type is LoopType.HINGE) else np.abs(np.arctan2(cosine, sine))
            elif loop.type in (LoopType.SLIDER, LoopType.FIXED):
                angles[:, index] = np.linalg.norm(rotation_vector(relative[:, index]), axis=-1)
        return angles

    def _relative(self, frames: Array) -> tuple[Array, Array, Array]:
        """
        Return the frames of all loops, and the second ones relative to the first ones.

        :return: the frames, and R with d as its last column, each of shape (b, L, 3, 4).
        """
        count = len(self.loops)
        ends = frames.transpose(3, 1, 0, 2).take(self.ends, axis=1) @ self.placements
        first, second = ends[:, :count], ends[:, count:]
        apart = second.copy()
        apart[..., 3] -= first[..., 3]
        return first, second, np.swapaxes(first[..., :3], -1, -2) @ apart

    def _linear(self, seen: Array) -> Array:
        """Return the values that are linear in the frames, and derivatives, (b, m, 4)."""
        linear: Array = (self.from_frame @ seen.reshape(len(seen), -1, 12, 1).take(
            self.loop_of_row, axis=1))[..., 0]
        return linear

    def _values(self, linear: Array, seen: Array, positions: Array) -> Array:
        """Return the values of the equations, shape (b, m)."""
        values = linear[..., 0] - self.wanted
        rows = self._turned
        if len(rows):
            vectors = rotation_vector(seen[:, self.loop_of_row[rows], :, :3])
            values[:, rows] = (vectors * self._constant_twists[rows, 1]).sum(axis=2)
        rows = self._distances
        if len(rows):
            values[:, rows] = np.linalg.norm(
                seen[..., 3][:, self.loop_of_row[rows]], axis=-1) - self.lengths[rows]
        rows = self._ratios
        if len(rows):
            values[:, rows] = positions @ self.of_variables[rows].T + self.offsets[rows]
        return values

    def _twists(self, linear: Array, seen: Array) -> Array:
        """Return the derivatives of the values by twists of the second frame, (b, m, 1, 6)."""
        twists = np.empty((len(seen), self.count, 2, 3))
        twists[:] = self._constant_twists
        twists[:, :, 1] += linear[..., 1:]
        rows = self._distances
        if len(rows):
            rods = seen[..., 3][:, self.loop_of_row[rows]]
            twists[:, rows, 0] = rods / np.maximum(
                np.linalg.norm(rods, axis=-1, keepdims=True), 1e-12)
        return twists.reshape(len(seen), -1, 1, 6)

    def _motions(self, frames: Array, first: Array, second: Array, weights: Array) -> Array:
        """Return the linear and angular rates of each loop by its columns, (b, L, 6, d)."""
        vectors = frames[:, self._axis_rows, self._axis_columns].transpose(3, 1, 0, 2)
        vectors = vectors * self._signs
        arms = second[..., 3, None] - frames[:, self._axis_rows, 3].transpose(3, 1, 0, 2)
        motions = np.empty((*vectors.shape[:2], 2, 3, vectors.shape[3]))
        motions[:, :, 0], motions[:, :, 1] = _cross(vectors, arms), vectors
        if not self._all_turn:
            motions[:, :, 0] = np.where(self._turns, motions[:, :, 0], vectors)
            motions[:, :, 1] *= self._turns
        seen: Array = first[:, :, None, :, :3].swapaxes(-1, -2) @ (motions @ weights)
        return seen.reshape(*vectors.shape[:2], 6, -1)


def _equations(loop: Loop) -> list[tuple[int, Array]]:
    """Return the kinds of the equations of a loop and the vectors in them."""
    whole, frame = np.eye(3), rotation_from_z(loop.parent_axis).T
    parts = {
        LoopType.ROD: [(DISTANCE, np.zeros((1, 3)))],
        LoopType.GEAR: [(RATIO, np.zeros((1, 3)))],
        LoopType.BALL: [(ALONG, whole)],
        LoopType.UNIVERSAL: [(ALONG, whole), (LEANING, np.array([loop.parent_axis]))],
        # Two components also vanish after half a turn; the one along the axis does not.
        LoopType.HINGE: [(ALONG, whole), (LEANING, frame)],
        LoopType.SLIDER: [(ALONG, frame[:2]), (TURNED, whole)],
        LoopType.FIXED: [(ALONG, whole), (TURNED, whole)]}
    return [(kind, vector) for kind, vectors in parts[loop.type] for vector in vectors]


def _cross(left: Array, right: Array) -> Array:
    """Return cross products of vectors of shape (..., 3, P)."""
    products = left[..., _NEXT, :] * right[..., _LAST, :]
    products -= left[..., _LAST, :] * right[..., _NEXT, :]
    return products


def _sides(parents: Indices, first: Indices, second: Indices) -> Array:
    """Return 1 where a frame moves only the second one, -1 if only the first, shape (L, F)."""
    count = len(parents)
    above = np.eye(count, dtype=bool)
    for frame in range(1, count):
        above[frame] |= above[parents[frame]]
    return np.asarray(above[second].astype(float) - above[first])


def index_table(chosen: Sequence[Indices], padding: int) -> Indices:
    """Return indices as rows of equal length."""
    table = np.full((len(chosen), max(map(len, chosen))), padding, dtype=np.intp)
    for row, indices in zip(table, chosen):
        row[:len(indices)] = indices
    return table
