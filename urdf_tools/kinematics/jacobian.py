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

"""Geometric Jacobians: from joint velocities to link twists."""

from __future__ import annotations


import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.moving_frames import MotionAxes
from urdf_tools.kinematics.moving_frames import TURNING
from urdf_tools.kinematics.transforms import cross
from urdf_tools.kinematics.transforms import results
from urdf_tools.kinematics.transforms import rigid
from urdf_tools.kinematics.transforms import zeros
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import NamedEnum
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array


class ReferenceFrame(NamedEnum):
    """
    The frame in which a twist is expressed, as Pinocchio names and defines it.

    ``world``: axes of the root link, velocity of the point of the moving body that is at the
    origin of the root link. ``local``: axes and origin of the link. ``local_world_aligned``: axes
    of the root link, velocity of the origin of the link.
    """

    WORLD = 'world'
    LOCAL = 'local'
    LOCAL_WORLD_ALIGNED = 'local_world_aligned'


class Jacobian(Suggesting):
    """
    The geometric Jacobian of a link relative to the root link.

    Its columns are the twists for unit velocities, with the linear part first, as in Pinocchio;
    they are in the order of ``tree.velocity_names``.

    :param robot: the robot or its kinematic tree.
    :param link: name of the link.
    :param reference_frame: a :class:`ReferenceFrame` or its value.
    :param tool: pose of a frame fixed to the link, which is taken instead of the link's, as a
        homogeneous matrix, shape (4, 4).
    :raises KeyError: the link does not exist.
    :raises ValueError: the reference frame is none of the three, or the pose is none.
    :ivar tree: the kinematic tree, with the names of the variables.
    :ivar moving: indices of the velocity variables that move the link, ascending.
    """

    def __init__(self, robot: Robot | KinematicTree, link: str,
                 reference_frame: ReferenceFrame | str = ReferenceFrame.LOCAL,
                 tool: npt.ArrayLike | None = None):
        self.tree = KinematicTree.of(robot)
        self.link = link
        self.reference_frame = ReferenceFrame(reference_frame)
        index = self.tree.link_index[link]
        placement = self.tree.link_placements[index]
        if tool is not None:
            placement = placement @ rigid(tool, f'the tool of {link!r}')
        self._placement = placement.T
        frames, rows = self.tree.frames.branch(self.tree.link_frames[index:index + 1])
        self._frames, self._row = frames, int(rows[0])
        self._axes = MotionAxes(frames)
        self.moving = self._axes.variables

    def __repr__(self) -> str:
        return f'<Jacobian of {quote(self.link)}, {self.reference_frame.value}, in {self.tree!r}>'

    def __call__(self, positions: npt.ArrayLike, out: Array | None = None) -> Array:
        """
        Return the Jacobian.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :param out: array for the result, such as an earlier result of the same shape.
        :return: shape (6, nv) or (B, 6, nv). The latter is a view of memory in which the
            configurations come last.
        :raises ValueError: an array has another shape.
        """
        return self.tree.evaluated(positions, out, self._evaluate)

    def reach(self) -> tuple[float, Array]:
        """Return how far the link gets from the first joint that moves it, in m, and its place."""
        frames, row = self._frames, self._row
        length = float(np.linalg.norm(self._placement[3, :3]))
        while frames.parents[row]:
            length += float(np.linalg.norm(frames.offsets[row, :3, 3]))
            row = int(frames.parents[row])
        is_bounded = np.isin(frames.kinds[1:], TURNING).all()
        return length if is_bounded else np.inf, frames.offsets[row, :3, 3]

    def with_poses(self, positions: npt.ArrayLike) -> tuple[Array, Array]:
        """
        Return the poses of the link as well, at little extra cost.

        :param positions: in radians and metres, shape (B, n).
        :return: poses in the frame of the root link, shape (B, 4, 4), and Jacobians, shape
            (B, 6, nv); both are views of memory in which the configurations come last.
        :raises ValueError: the positions have another shape.
        """
        batch = self.tree.batch(positions)
        poses = results((len(batch), 4, 4), None)
        poses[:, 3] = 0, 0, 0, 1
        return poses, self._evaluate(batch, None, poses)

    def _evaluate(self, batch: Array, out: Array | None, poses: Array | None = None) -> Array:
        out = zeros((len(batch), 6, len(self.tree.velocity_names)), out)
        memory = out.transpose(1, 2, 0)
        for chunk, frames in self._frames.chunks(batch):
            pose = self._placement @ frames[:, self._row]
            if poses is not None:
                poses[chunk, :3] = pose.transpose(2, 0, 1)
            linear, angular = self._columns(frames, pose)
            self._axes.combine(linear, memory[:3, :, chunk])
            self._axes.combine(angular, memory[3:, :, chunk])
        return out

    def _columns(self, frames: Array, pose: Array) -> tuple[Array, Array]:
        """
        Return the twists for unit rates about and along the axes.

        :param pose: of the link, shape (3, 4, b).
        :return: linear parts, of the A axes, shape (3, A, b); angular parts, of the axes of
            rotation, which come first, shape (3, R, b).
        """
        rows, axes, rotations = self._axes.rows, self._axes.columns, self._axes.rotations
        vectors = frames[:, rows, axes]
        arms = frames[:, rows[:rotations], 3]
        tip = 0.0 if self.reference_frame is ReferenceFrame.WORLD else pose[:, 3, None]
        np.subtract(tip, arms, out=arms)
        linear, angular = np.empty_like(vectors), vectors[:, :rotations]
        cross(angular, arms, out=linear[:, :rotations])
        linear[:, rotations:] = vectors[:, rotations:]
        if self.reference_frame is ReferenceFrame.LOCAL:
            linear, angular = (
                np.einsum('ijb,iab->jab', pose[:, :3], vectors) for vectors in (linear, angular))
        return linear, angular
