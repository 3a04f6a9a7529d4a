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

"""Forward kinematics: the poses of links at one or many configurations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.kinematic_tree import several
from urdf_tools.kinematics.moving_frames import chunks_of
from urdf_tools.kinematics.transforms import invert
from urdf_tools.kinematics.transforms import results
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array

_FRAMES = Scratch()


class ForwardKinematics(Suggesting):
    """
    The poses of a robot's links in the frame of its root link.

    :param robot: the robot or its kinematic tree.
    :param links: names of the links; all of them by default.
    :raises KeyError: a link does not exist.
    :ivar tree: the kinematic tree, with the names of the variables.
    :ivar link_names: names of the L links, in the order of the description or as given.
    """

    def __init__(self, robot: Robot | KinematicTree, links: Iterable[str] | None = None):
        self.tree = KinematicTree.of(robot)
        self.link_names = self.tree.link_names if links is None else several(links)
        links_ = self.tree.links(self.link_names)
        self._frames, self._rows = self.tree.frames.branch(self.tree.link_frames[links_])
        self._placements = self.tree.link_placements[links_].swapaxes(1, 2)

    def __repr__(self) -> str:
        return f'<ForwardKinematics of {len(self.link_names)} links in {self.tree!r}>'

    def __call__(self, positions: npt.ArrayLike, out: Array | None = None) -> Array:
        """
        Return homogeneous matrices that take coordinates in a link's frame to the root link's.

        The quaternion of a floating joint may have any length but zero. A number that is not
        finite affects the poses of its own configuration only.

        :param positions: in radians and metres, shape (n,) or (B, n); or a dict of some of them.
        :param out: array for the result, such as an earlier result of the same shape. Allocating
            memory for a large batch takes as long as computing it.
        :return: shape (L, 4, 4) or (B, L, 4, 4). The latter is a view of memory in which the
            configurations come last: make it contiguous before iterating over configurations.
        :raises ValueError: an array has another shape.
        """
        return self.tree.evaluated(positions, out, self._evaluate)

    def _evaluate(self, batch: Array, out: Array | None) -> Array:
        shape = (len(batch), len(self.link_names), 4, 4)
        poses = out = results(shape, out)
        if len(batch) > 1 and poses.strides[0] != poses.itemsize:
            poses = results(shape, None)
        memory = poses.transpose(1, 2, 3, 0)
        if len(batch) == 1:
            (_, frames), = self._frames.chunks(batch)
            np.matmul(self._placements, frames[:, self._rows], out=memory[:, :3].swapaxes(0, 1))
            memory[:, 3, :3], memory[:, 3, 3] = 0, 1
        else:
            for chunk in chunks_of(len(batch)):
                self._write_poses(batch[chunk], memory[..., chunk])
        if poses is not out:
            out[:] = poses
        return out

    @cached_property
    def _links_of_frames(self) -> list[tuple[int | None, list[int]]]:
        """For each frame, one link at its pose, and the other links fixed to it."""
        fixed: list[list[int]] = [[] for _ in range(self._frames.count)]
        for link, row in enumerate(self._rows):
            fixed[row].append(link)
        is_same = (self._placements == np.eye(4)).all(axis=(1, 2))
        same = [next((link for link in links if is_same[link]), None) for links in fixed]
        return [(one, [link for link in links if link != one]) for one, links in zip(same, fixed)]

    def _write_poses(self, positions: Array, poses: Array) -> None:
        """
        Compute the poses of the links, first those of the frames that they are fixed to.

        :param positions: shape (b, n).
        :param poses: for the result, shape (L, 4, 4, b).
        """
        links = self._links_of_frames
        scratch = iter(_FRAMES.array(sum(link is None for link, _ in links), *poses.shape[1:]))
        frames = [next(scratch) if link is None else poses[link] for link, _ in links]
        for number in self._frames.evaluate(positions, [frame[:3] for frame in frames]):
            frame = frames[number]
            frame[3, :3], frame[3, 3] = 0, 1
            for link in links[number][1]:
                np.matmul(self._placements[link], frame, out=poses[link])

    def transform(self, to_link: str, from_link: str, positions: npt.ArrayLike) -> Array:
        """
        Return the pose of one link in the frame of another, as yourdfpy's ``get_transform``.

        :param to_link: the link whose pose is returned; any link of the robot.
        :param from_link: the link in whose frame the pose is expressed.
        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: matrices that take coordinates in the frame of ``to_link`` to that of
            ``from_link``, shape (4, 4) or (B, 4, 4).
        :raises KeyError: a link does not exist.
        :raises ValueError: the positions have another shape.
        """
        poses = ForwardKinematics(self.tree, (from_link, to_link))(positions)
        return np.asarray(invert(poses[..., 0, :, :]) @ poses[..., 1, :, :])
