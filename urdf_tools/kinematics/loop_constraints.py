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


class LoopConstraints:
    """
    The m equations of some loops, each zero where they are closed.

    :param loops: of the robot of the tree, at least one.
    :ivar loop_of_row: index of the loop of each equation, shape (m,).
    :ivar moves: whether a velocity variable changes a loop, shape (L, nv).
    """

    def __init__(self, tree: KinematicTree, loops: Sequence[Loop]):
        self.tree = tree
        self.loops = tuple(loops)
        links = tree.links(
            [loop.parent for loop in loops] + [loop.child for loop in loops])
        self._frames, ends = tree.frames.branch(tree.link_frames[links])
        count = len(loops)
        self._first, self._second = ends[:count], ends[count:]
        origins = [loop.parent_origin.matrix for loop in loops] + [
            loop.child_origin.matrix for loop in loops]
        self._placements = tree.link_placements[links] @ np.array(origins)
        self._axes = MotionAxes(self._frames)
        self._signs = _signs(
            self._frames.parents, self._axes.rows, self._first, self._second)
        self._rows()
        self._prepare_gears()
        combined = np.zeros((len(self._axes.rows), len(tree.velocity_names)))
        combined[np.arange(len(self._axes.rows)), self._axes.velocities] = self._axes.multipliers
        self._combined = combined
        self.moves = (np.abs(self._signs) @ np.abs(combined)) > 0
        for row in self._ratios.tolist():
            self.moves[self.loop_of_row[row]] = self._gears[row] != 0

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
        self._along = np.flatnonzero(self._kinds == _ALONG)
        self._leaning = np.flatnonzero(self._kinds == _LEANING)
        self._turned = np.flatnonzero(self._kinds == _TURNED)
        self._distances = np.flatnonzero(self._kinds == _DISTANCE)
        self._ratios = np.flatnonzero(self._kinds == _RATIO)

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

    def evaluate(self, positions: Array) -> tuple[Array, Array]:
        """
        Return the values of the equations, and their derivatives by the velocity variables.

        :param positions: shape (B, n).
        :return: in metres and radians, shape (B, m); shape (B, m, nv).
        """
        values = np.empty((len(positions), self.count))
        derivatives = np.empty((len(positions), self.count, len(self.tree.velocity_names)))
        for chunk, frames in self._frames.chunks(positions, 256):
            first, second = self._ends(frames)
            values[chunk], twists = self._parts(first, second, positions[chunk])
            linear, angular = self._motions(frames, first, second)
            rows = self.loop_of_row
            columns = twists[:, :, None, :3] @ linear[:, rows]
            columns += twists[:, :, None, 3:] @ angular[:, rows]
            derivatives[chunk] = columns[:, :, 0] @ self._combined + self._gears
        return values, derivatives

    def errors(self, positions: Array) -> tuple[Array, Array]:
        """
        Return how far each loop is from closed.

        :param positions: shape (B, n).
        :return: distances in metres and angles in radians, each of shape (B, L).
        """
        shape = (len(positions), len(self.loops))
        distances, angles = np.zeros(shape), np.zeros(shape)
        for chunk, frames in self._frames.chunks(positions, 256):
            first, second = self._ends(frames)
            values, _ = self._parts(first, second, positions[chunk])
            apart = np.where(self._is_turn, 0.0, values) ** 2
            for row, loop in enumerate(self.loop_of_row.tolist()):
                gear = self._kinds[row] == _RATIO and not self._slides[loop]
                (angles if gear else distances)[chunk, loop] += apart[:, row]
            angles[chunk] = np.sqrt(angles[chunk]) + self._angles(first, second)
        return np.sqrt(distances), angles

    def _angles(self, first: Array, second: Array) -> Array:
        """Return the angles between axes, or of the whole orientation, shape (b, L)."""
        relative = np.swapaxes(first[..., :3], -1, -2) @ second[..., :3]
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

    def _ends(self, frames: Array) -> tuple[Array, Array]:
        """Return the frames of all loops, each of shape (b, L, 3, 4)."""
        poses = frames.transpose(3, 1, 0, 2)
        count = len(self.loops)
        return (poses[:, self._first] @ self._placements[:count],
                poses[:, self._second] @ self._placements[count:])

    def _parts(self, first: Array, second: Array, positions: Array) -> tuple[Array, Array]:
        """Return the values, shape (b, m), and their derivatives by twists, shape (b, m, 6)."""
        back = np.swapaxes(first[..., :3], -1, -2)
        apart = (back @ (second[..., 3:] - first[..., 3:]))[..., 0]
        relative = back @ second[..., :3]
        loops = self.loop_of_row
        values = np.empty((len(first), self.count))
        twists = np.zeros((len(first), self.count, 6))
        rows = self._along
        values[:, rows] = (apart[:, loops[rows]] * self._vectors[rows]).sum(axis=2)
        twists[:, rows, :3] = self._vectors[rows]
        rows = self._leaning
        if len(rows):
            axes = (relative[:, loops[rows]] @ self._child_axes[loops[rows], :, None])[..., 0]
            values[:, rows] = (axes * self._vectors[rows]).sum(axis=2)
            twists[:, rows, 3:] = _cross(axes, self._vectors[rows])
        rows = self._turned
        if len(rows):
            vectors = _vector(relative[:, loops[rows]])
            values[:, rows] = np.einsum('bmi,mi->bm', vectors, self._vectors[rows])
            twists[:, rows, 3:] = self._vectors[rows]
        rows = self._distances
        if len(rows):
            lengths = np.linalg.norm(apart[:, loops[rows]], axis=-1)
            values[:, rows] = lengths - self._lengths[rows]
            twists[:, rows, :3] = apart[:, loops[rows]] / np.maximum(lengths, 1e-12)[..., None]
        rows = self._ratios
        if len(rows):
            values[:, rows] = positions @ self._of_variables[rows].T + self._offsets[rows]
        return values, twists

    def _motions(self, frames: Array, first: Array, second: Array) -> tuple[Array, Array]:
        """Return the linear and angular rates of each loop by each axis, shape (b, L, 3, A)."""
        axes, turns = self._axes, self._axes.rotations
        vectors = frames[:, axes.rows, axes.columns].transpose(2, 0, 1)[:, None]
        origins = frames[:, axes.rows[:turns], 3].transpose(2, 0, 1)[:, None]
        back = np.swapaxes(first[..., :3], -1, -2)
        arms = second[..., 3:] - origins
        linear = np.empty((*arms.shape[:2], 3, len(axes.rows)))
        linear[..., turns:] = vectors[..., turns:]
        linear[..., :turns] = _cross(vectors[..., :turns], arms, 2)
        angular = vectors * (np.arange(len(axes.rows)) < turns)
        signs = self._signs[:, None]
        return back @ linear * signs, back @ angular * signs


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


def _cross(left: Array, right: Array, axis: int = -1) -> Array:
    """Return cross products of vectors whose components are along an axis."""
    a, b, c = (left.take(index, axis) for index in range(3))
    x, y, z = (right.take(index, axis) for index in range(3))
    return np.stack((b * z - c * y, c * x - a * z, a * y - b * x), axis)


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
