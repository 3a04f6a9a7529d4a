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

"""The inertia of several links as one body, at many configurations."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.kinematics.configuration_space import ConfigurationSpace
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.kinematics.moving_frames import MovingFrames
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot


def link_inertia(link: Link) -> SpatialInertia | None:
    """Return the inertia of a link in its own frame; None where the description gives none."""
    return None if link.inertial is None else SpatialInertia.from_inertial(link.inertial)


class CompositeInertia(ConfigurationSpace):
    """
    The inertia of links of a robot as one body, as if all joints were locked.

    :param robot: the robot.
    :param links: names of the links; all of them by default. For a link and all that it carries
        take :meth:`~urdf_tools.model.robot.Robot.subtree`.
    :param frame: name of the link in whose frame to express it; the root link by default.
    :raises KeyError: the robot has no such link.
    :ivar mass: of all the links, in kg.
    :ivar without_inertial: names of the links that count for nothing because the description
        gives them no inertial.
    """

    def __init__(
            self, robot: Robot, links: Iterable[str] | None = None, frame: str | None = None):
        super().__init__(robot)
        self._frames = MovingFrames(robot)
        self._observer = None if frame is None else ForwardKinematics(robot, [frame])
        links = [robot.links[name] for name in (robot.links if links is None else links)]
        self.without_inertial = tuple(link.name for link in links if link.inertial is None)
        bodies = [SpatialInertia.zero()] * self._frames.count
        for link in links:
            if link.inertial is not None:
                frame, pose = self._frames.placements[link.name]
                bodies[frame] += link_inertia(link).transformed(pose)
        self.mass = sum(body.mass for body in bodies)
        self._pseudo_inertias = np.stack([body.pseudo_inertia() for body in bodies])
        self._shares = self._pseudo_inertias[:, 3].ravel() / (self.mass or 1.0)

    def center_of_mass(self, positions: np.ndarray) -> np.ndarray:
        """
        Return the centre of mass alone, which takes less than all.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: in metres, shape (3,) or (B, 3); of no meaning where there is no mass.
        :raises ValueError: another shape.
        """
        batch = self.batch(positions)
        com = np.empty((3, len(batch)))
        for chunk, frames in self._frames.chunks(batch):
            com[:, chunk] = self._center(frames)
        return self._observed(positions, com.T, np.zeros((1, 3, 3))).com

    def __call__(self, positions: np.ndarray) -> SpatialInertia:
        """
        Return the inertia.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: with a centre of mass of shape (3,) or (B, 3) and a rotational inertia of shape
            (3, 3) or (B, 3, 3).
        :raises ValueError: another shape.
        """
        batch = self.batch(positions)
        com = np.empty((3, len(batch)))
        rotational = np.empty((3, 3, len(batch)))
        for chunk, frames in self._frames.chunks(batch):
            com[:, chunk] = self._center(frames)
            frames[:, :, 3] -= com[:, None, chunk]
            rotational[..., chunk] = self._rotational(frames)
        return self._observed(positions, com.T, rotational.transpose(2, 0, 1))

    def _center(self, frames):
        return self._shares @ frames.reshape(3, len(self._shares), -1)

    def _rotational(self, frames):
        """Return the rotational inertia about the origin: J of each frame becomes T J T'."""
        weighted = np.matmul(self._pseudo_inertias, frames)
        products = np.empty_like(frames[0])
        inertia = np.empty((3, 3, frames.shape[-1]))
        for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
            np.multiply(frames[i], weighted[j], out=products)
            inertia[i, j] = inertia[j, i] = -products.sum(axis=(0, 1))
        trace = inertia[0, 0] + inertia[1, 1] + inertia[2, 2]
        for i in range(3):
            inertia[i, i] -= trace
        return inertia

    def _observed(self, positions, com, rotational):
        if np.ndim(positions) == 1:
            com, rotational = com[0], rotational[0]
        body = SpatialInertia(self.mass, com, rotational)
        if self._observer is None:
            return body
        return body.transformed(invert(self._observer(positions)[..., 0, :, :]))
