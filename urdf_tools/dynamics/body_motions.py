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
Relative motions of bodies, for recursions in body frames.

What is the same at all configurations is a matrix for each body, so that a step of a recursion is
a few products with arrays that stay in the cache.
"""

from __future__ import annotations

import numpy as np

from urdf_tools.dynamics.composite import link_pseudo_inertias
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.motion_axes import MotionAxes
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.kinematics.moving_frames import PLANES
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.types import Array
from urdf_tools.types import Indices

CROSS = np.cross(np.eye(3)[:, None], np.eye(3))
"""The cross product of vectors u and v is the sum of this times u[j] v[k], shape (3, 3, 3)."""

_MOTIONS, _CROSSED = Scratch(), Scratch()


def body_inertias(tree: KinematicTree) -> Array:
    """Return the pseudo-inertia of the links fixed to each moving frame, shape (F, 4, 4)."""
    total = np.zeros((tree.frames.count, 4, 4))
    np.add.at(total, tree.link_frames, link_pseudo_inertias(tree))
    return total


class BodyMotions:
    """
    Motions of frames relative to their parents at some configurations.

    The next one in the same thread overwrites it.

    :param positions: shape (b, n).
    :ivar angles: index of a frame that turns about one axis to the cosine, shape (b,), and plus
        and minus the sine, shape (2, b), of the angle.
    :ivar planes: index of such a frame to the other two axes.
    :ivar shifts: index of a frame that is displaced to the displacement in the axes that it has
        before it turns, shape (3, b).
    """

    def __init__(self, frames: MovingFrames, positions: Array):
        _, turning, sliding, floating = (rows.tolist() for rows in frames.of_kinds)
        self.planes = {frame: PLANES[frames.axes[frame]] for frame in turning}
        distances, cosines, sines = frames.amounts(positions, _MOTIONS)
        self.angles = dict(zip(turning, zip(cosines, sines)))
        self._rotations: dict[int, Array] = {}
        self.shifts: dict[int, Array] = {}
        for frame, distance in zip(sliding, distances):
            self.shifts[frame] = np.zeros((3, len(positions)))
            self.shifts[frame][frames.axes[frame]] = distance
        for frame in floating:
            pose = positions[:, frames.variables[frame]:][:, :7]
            self.shifts[frame] = np.ascontiguousarray(pose[:, :3].T)
            self._rotations[frame] = quaternion_to_matrix(pose[:, 3:]).transpose(1, 2, 0)

    def is_floating(self, frame: int) -> bool:
        """Return whether a frame rotates about more than one axis."""
        return frame in self._rotations

    def turn(self, frame: int, vectors: Array, is_back: bool = False) -> None:
        """
        Express vectors in the axes of a frame after its rotation instead of before it.

        :param vectors: shape (..., 3, b).
        :param is_back: take them the other way.
        """
        if frame in self.angles:
            cosines, sines = self.angles[frame]
            turn(vectors[..., self.planes[frame], :], cosines, sines[::-1] if is_back else sines)
        elif frame in self._rotations:
            vectors[:] = np.einsum('ijb,...jb->...ib' if is_back else 'jib,...jb->...ib',
                                   self._rotations[frame], vectors)

    def turn_wrenches(self, frame: int, wrenches: Array) -> None:
        """
        Move wrenches from the origin of a frame to its position without the joint.

        :param wrenches: forces or linear momenta, and torques or angular ones, shape
            (2, 3, m, b).
        """
        self.turn(frame, wrenches.swapaxes(1, 2), is_back=True)
        if frame in self.shifts:
            wrenches[1] += cross(self.shifts[frame][:, None], wrenches[0])


def turn(pairs: Array, cosines: Array, sines: Array) -> None:
    """
    Turn vectors in a plane.

    :param pairs: shape (..., 2, b).
    :param cosines: shape (b,).
    :param sines: plus and minus the sine for a turn of the axes, shape (2, b).
    """
    crossed = _CROSSED.array(*pairs.shape)
    np.multiply(pairs[..., ::-1, :], sines, out=crossed)
    pairs *= cosines
    pairs += crossed


def axes_of_frames(axes: MotionAxes) -> tuple[list[Indices | None], list[Indices | None]]:
    """Return the axes of rotation of each frame, and those that it slides along."""
    count = int(axes.rows.max(initial=0)) + 1
    found: list[list[Indices | None]] = []
    for first, rows in (
            (0, axes.rows[:axes.rotations]), (axes.rotations, axes.rows[axes.rotations:])):
        of_frames = [first + np.flatnonzero(rows == frame) for frame in range(count)]
        found.append([these if len(these) else None for these in of_frames])
    return found[0], found[1]


def wrench_returns(frames: MovingFrames) -> Array:
    """Return the transforms of wrenches from frames at zero to their parents, (F, 6, 6)."""
    rotations, origins = frames.offsets[:, :3, :3], frames.offsets[:, :3, 3]
    matrices = np.zeros((frames.count, 6, 6))
    matrices[:, :3, :3] = matrices[:, 3:, 3:] = rotations
    matrices[:, 3:, :3] = np.einsum('ijk,fj,fkl->fil', CROSS, origins, rotations)
    return matrices
