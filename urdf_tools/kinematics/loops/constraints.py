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

A loop holds two frames A and B, one on each link. All is relative to A: the distance d of the
origins and the orientation R of B. An axis a with the origin o that moves only one of the links
changes d at the rate ``R_A^T (a x (p_B - o))`` and turns R at ``R_A^T a``, with the opposite sign
if it moves A: so the columns are those of a geometric Jacobian of the one link relative to the
other, and axes that move both drop out (Featherstone, Rigid Body Dynamics Algorithms, chapter 8).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import MotionAxes
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

_CHUNK = 256
"""Configurations that are evaluated together."""

_OWN, _NEXT, _LAST = np.array([[0, 1, 2], [1, 2, 0], [2, 0, 1]])
_OTHERS = np.array([_LAST, _NEXT])


class LoopConstraints:
    """
    The m equations of some loops, each zero where they are closed.

    :param loops: of the robot of the tree, at least one.
    :ivar count: number of equations, m.
    :ivar loop_of_row: index of the loop of each equation, shape (m,).
    :ivar moves: whether a velocity variable changes a loop, shape (L, nv).
    """

    def __init__(self, tree: KinematicTree, loops: Sequence[Loop]):
        self.tree = tree
        self.loops = tuple(loops)
        links = tree.links([loop.parent for loop in loops] + [loop.child for loop in loops])
        self._frames, self._ends = tree.frames.branch(tree.link_frames[links])
        count = len(loops)
        origins = [loop.parent_origin.matrix for loop in loops] + [
            loop.child_origin.matrix for loop in loops]
        self._placements = tree.link_placements[links] @ np.array(origins)
        axes = MotionAxes(self._frames)
        signs = _sides(self._frames.parents, self._ends[:count], self._ends[count:])[:, axes.rows]
        self._set_rows()
        self._set_gears()
        self._pair(axes, signs)
        combined = np.zeros((len(axes.rows), len(tree.velocity_names)))
        combined[np.arange(len(axes.rows)), axes.velocities] = axes.multipliers
        self.moves = (np.abs(signs) @ np.abs(combined)) > 0
        for row in self._ratios.tolist():
            self.moves[self.loop_of_row[row]] = self._gears[row] != 0

    def _pair(self, axes: MotionAxes, signs: Array) -> None:
        """Set the axes that change each loop, as many for each; the sign of those added is 0."""
        width = np.count_nonzero(signs, axis=1).max()
        # Axes with a sign come first.
        pairs = np.argsort(signs == 0, axis=1, kind='stable')[:, :width]
        rows, columns = axes.rows[pairs][:, None], axes.columns[pairs][:, None]
        # Of each axis, its components and those of its origin in frames of shape (F, 3, 4).
        self._places = np.stack([
            12 * rows + 4 * components[:, None] + column for components, column in (
                (_OWN, columns), (_NEXT, columns), (_LAST, columns), (_LAST, 3), (_NEXT, 3))], 1)
        self._turns = (pairs < axes.rotations)[:, None]
        self._all_turn = bool(self._turns.all())
        factors = axes.multipliers[pairs] * np.take_along_axis(signs, pairs, 1)
        velocities = np.arange(len(self.tree.velocity_names))
        self._weights = factors[..., None] * (axes.velocities[pairs][..., None] == velocities)

    def _set_rows(self) -> None:
        rows = [(index, kind, vector) for index, loop in enumerate(self.loops)
                for kind, vector in _equations(loop)]
        self.loop_of_row = np.array([row[0] for row in rows], dtype=np.intp)
        self._kinds, self.count = np.array([row[1] for row in rows]), len(rows)
        self._lengths = np.array([loop.length for loop in self.loops])[self.loop_of_row]
        self._parent_axes = np.array([loop.parent_axis for loop in self.loops])
        self._child_axes = np.array([loop.child_axis for loop in self.loops])
        self._is_turn = np.isin(self._kinds, (LEANING, TURNED))
        self._turned, self._distances, self._ratios = (
            np.flatnonzero(self._kinds == kind) for kind in (TURNED, DISTANCE, RATIO))
        # Of each equation the value and its derivative by a twist, from the frame B in A.
        self._constants = np.zeros((len(rows), 7))
        from_frame = np.zeros((len(rows), 7, 3, 4))
        for row, (index, kind, vector) in enumerate(rows):
            if kind == ALONG:
                from_frame[row, 0, :, 3] = self._constants[row, 1:4] = vector
            elif kind == TURNED:
                self._constants[row, 4:] = vector
            elif kind == LEANING:
                axis = self._child_axes[index]
                from_frame[row, 0, :, :3] = np.outer(vector, axis)
                from_frame[row, 4:, :, :3] = np.cross(np.eye(3), vector).T[..., None] * axis
                if self.loops[index].type is LoopType.HINGE:
                    self._constants[row, 0] = -vector @ self._parent_axes[index]
        self._from_frame = from_frame.reshape(-1, 7, 12)

    def _set_gears(self) -> None:
        """Set the equations of gears, which are linear in the variables."""
        tree, robot = self.tree, self.tree.robot
        self._gears = np.zeros((self.count, len(tree.velocity_names)))
        self._of_variables = np.zeros((self.count, len(tree.variable_names)))
        self._offsets = np.zeros(self.count)
        self._slides = np.zeros(len(self.loops), dtype=bool)
        for row in self._ratios.tolist():
            index = self.loop_of_row[row]
            loop = self.loops[index]
            self._offsets[row] -= loop.offset
            down, up = robot.geared(loop, loop.child), robot.geared(loop, loop.parent)
            for joint, factor in [(joint, 1.0) for joint in down] + [
                    (joint, -loop.ratio) for joint in up]:
                mimic = tree.mimic.get(joint.name, Mimic(joint.name))
                share = factor * mimic.multiplier
                self._gears[row, tree.velocity_index[mimic.joint]] += share
                self._of_variables[row, tree.variable_index[mimic.joint]] += share
                self._offsets[row] += factor * mimic.offset
            self._slides[index] = down[-1].type is JointType.PRISMATIC

    def evaluate(self, positions: Array) -> tuple[Array, Array]:
        """
        Return the values of the equations, and their derivatives by all velocity variables.

        :param positions: shape (B, n).
        :return: in metres and radians, shape (B, m); shape (B, m, nv).
        """
        if len(positions) == 1:
            return self._evaluate(self._frames.evaluate_one(positions[0]), positions)
        values = np.empty((len(positions), self.count))
        derivatives = np.empty((len(positions), *self._gears.shape))
        for chunk, frames in self._frames.chunks(positions, _CHUNK):
            values[chunk], derivatives[chunk] = self._evaluate(frames, positions[chunk])
        return values, derivatives

    def _evaluate(self, frames: Array, positions: Array) -> tuple[Array, Array]:
        poses, first, second, relative = self._relative(frames)
        values, twists = self._equations(relative, positions)
        motions = self._motions(poses, first, second)
        derivatives = (twists[:, :, None] @ motions.take(self.loop_of_row, axis=1))[:, :, 0]
        if len(self._ratios):
            derivatives += self._gears
        return values, derivatives

    def twists(self, positions: Array) -> Array:
        """
        Return the derivatives of the values by twists of the second frames as the first see them.

        Those of a gear are by the position of its second joint, as the last number.

        :param positions: shape (B, n).
        :return: shape (B, m, 6).
        """
        twists = np.empty((len(positions), self.count, 6))
        for chunk, frames in self._frames.chunks(positions, _CHUNK):
            twists[chunk] = self._equations(self._relative(frames)[3], positions[chunk])[1]
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
        for chunk, frames in self._frames.chunks(positions, _CHUNK):
            relative = self._relative(frames)[3]
            values, _ = self._equations(relative, positions[chunk])
            apart = np.where(self._is_turn, 0.0, values) ** 2
            for row, loop in enumerate(self.loop_of_row.tolist()):
                gear = self._kinds[row] == RATIO and not self._slides[loop]
                (angles if gear else distances)[chunk, loop] += apart[:, row]
            angles[chunk] = np.sqrt(angles[chunk]) + self._angles(relative[..., :3])
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

    def _relative(self, frames: Array) -> tuple[Array, Array, Array, Array]:
        """
        Return the frames of all loops, and the second ones relative to the first ones.

        :return: the frames of the tree, shape (b, F, 3, 4); those of loops, and R with d as its
            last column, each of shape (b, L, 3, 4).
        """
        count = len(self.loops)
        poses = frames.transpose(3, 1, 0, 2)
        ends = poses.take(self._ends, axis=1) @ self._placements
        first, second = ends[:, :count], ends[:, count:]
        apart = second.copy()
        apart[..., 3] -= first[..., 3]
        return poses, first, second, first[..., :3].swapaxes(-1, -2) @ apart

    def _equations(self, relative: Array, positions: Array) -> tuple[Array, Array]:
        """Return the values, and their derivatives by twists of the frame B, (b, m), (b, m, 6)."""
        linear = (self._from_frame @ relative.reshape(len(relative), -1, 12, 1).take(
            self.loop_of_row, axis=1))[..., 0]
        linear += self._constants
        values, twists = linear[..., 0], linear[..., 1:]
        rows = self._turned
        if len(rows):
            vectors = rotation_vector(relative[:, self.loop_of_row[rows], :, :3])
            values[:, rows] = (vectors * self._constants[rows, 4:]).sum(axis=2)
        rows = self._distances
        if len(rows):
            rods = relative[..., 3][:, self.loop_of_row[rows]]
            lengths = np.linalg.norm(rods, axis=-1)
            values[:, rows] = lengths - self._lengths[rows]
            twists[:, rows, :3] = rods / np.maximum(lengths, 1e-12)[..., None]
        rows = self._ratios
        if len(rows):
            values[:, rows] = positions @ self._of_variables[rows].T + self._offsets[rows]
        return values, twists

    def _motions(self, poses: Array, first: Array, second: Array) -> Array:
        """Return the linear and angular rates of each loop by all variables, (b, L, 6, nv)."""
        numbers = poses.reshape(len(poses), -1).take(self._places, axis=1)
        vectors = numbers[:, :, 0]
        arms = second[..., 3].take(_OTHERS, axis=2)[..., None] - numbers[:, :, 3:]
        arms *= numbers[:, :, 1:3]
        linear = arms[:, :, 0] - arms[:, :, 1]
        if not self._all_turn:
            linear = np.where(self._turns, linear, vectors)
            vectors = vectors * self._turns
        motions = np.concatenate((linear, vectors), axis=2) @ self._weights
        rates: Array = first[:, :, None, :, :3].swapaxes(-1, -2) @ motions.reshape(
            *motions.shape[:2], 2, 3, -1)
        return rates.reshape(motions.shape)


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


def _sides(parents: Indices, first: Indices, second: Indices) -> Array:
    """Return 1 where a frame moves only the second one, -1 if only the first, shape (L, F)."""
    count = len(parents)
    above = np.eye(count, dtype=bool)
    for frame in range(1, count):
        above[frame] |= above[parents[frame]]
    return np.asarray(above[second].astype(float) - above[first])
