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

"""The inertia of several links as one body, at one or many configurations."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.kinematic_tree import several
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import Suggesting
from urdf_tools.types import Array

_pseudo_inertias: WeakKeyDictionary[KinematicTree, Array] = WeakKeyDictionary()
"""Kinematic tree to the pseudo-inertias of its links in their moving frames, shape (L, 4, 4)."""


def link_inertia(link: Link) -> SpatialInertia | None:
    """Return the inertia of a link in its own frame; None where the description gives none."""
    return None if link.inertial is None else SpatialInertia.from_inertial(link.inertial)


class CompositeInertia(Suggesting):
    """
    The inertia of links of a robot as one body, as if all joints were locked.

    :param robot: the robot or its kinematic tree. The inertias of its links are cached per
        tree.
    :param links: names of the links; all of them by default. For a link and its descendants use
        :meth:`~urdf_tools.model.robot.Robot.subtree`.
    :param frame: name of the link in whose frame to express it; the root link by default.
    :raises KeyError: a link does not exist.
    :ivar tree: the kinematic tree, with the names of the variables.
    :ivar mass: of all the links, in kg.
    :ivar without_inertial: names of the links that have no inertial, and so are counted as
        massless.
    """

    def __init__(self, robot: Robot | KinematicTree, links: Iterable[str] | None = None,
                 frame: str | None = None):
        self.tree = tree = KinematicTree.of(robot)
        names = tree.link_names if links is None else several(links)
        indices = tree.links(names)
        observer = tree.link_index[tree.robot.root if frame is None else frame]
        self.without_inertial = tuple(
            name for name in names if tree.robot.links[name].inertial is None)
        self._in_root = frame is None
        self._placement = tree.link_placements[observer]
        self._frames, rows = tree.frames.branch(tree.link_frames[[observer, *indices]])
        self._observer = int(rows[0])
        self._pseudo_inertias = np.zeros((self._frames.count, 4, 4))
        np.add.at(self._pseudo_inertias, rows[1:], link_pseudo_inertias(tree)[indices])
        self.mass = float(self._pseudo_inertias[:, 3, 3].sum())
        self._shares = self._pseudo_inertias[:, 3].ravel() / (self.mass or 1.0)

    def center_of_mass(self, positions: npt.ArrayLike) -> Array:
        """
        Return the centre of mass alone, which is faster than the whole inertia.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: in metres, shape (3,) or (B, 3); undefined without mass.
        :raises ValueError: the positions have another shape.
        """
        return self._evaluate(positions, com_only=True).com

    def __call__(self, positions: npt.ArrayLike) -> SpatialInertia:
        """
        Return the inertia.

        :param positions: in radians and metres, shape (n,) or (B, n).
        :return: with a centre of mass of shape (3,) or (B, 3) and a rotational inertia of shape
            (3, 3) or (B, 3, 3).
        :raises ValueError: the positions have another shape.
        """
        return self._evaluate(positions)

    def _evaluate(self, positions: npt.ArrayLike, com_only: bool = False) -> SpatialInertia:
        batch = self.tree.batch(positions)
        count = len(batch)
        com = np.empty((3, count))
        rotational = np.zeros((3, 3, 1 if com_only else count))
        observer = np.empty((3, 4, 0 if self._in_root else count))
        for chunk, frames in self._frames.chunks(batch):
            com[:, chunk] = self._shares @ frames.reshape(3, len(self._shares), -1)
            if not self._in_root:
                observer[..., chunk] = frames[:, self._observer]
            if not com_only:
                # Far from the origin of the root link, large numbers would cancel.
                frames[:, :, 3] -= com[:, None, chunk]
                rotational[..., chunk] = self._rotational(frames)
        body = SpatialInertia(self.mass, com.T, rotational.transpose(2, 0, 1))
        if not self._in_root:
            body = body.transformed(invert(observer.transpose(2, 0, 1) @ self._placement))
        if np.ndim(positions) < 2:
            return SpatialInertia(self.mass, body.com[0], body.rotational[0])
        return body

    def _rotational(self, frames: Array) -> Array:
        """Return the rotational inertia about the origin: J of each frame becomes T J T'."""
        weighted = np.matmul(self._pseudo_inertias, frames)
        inertia = np.empty((3, 3, frames.shape[-1]))
        for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)):
            inertia[i, j] = inertia[j, i] = -np.einsum('fkb,fkb->b', frames[i], weighted[j])
        trace = inertia[0, 0] + inertia[1, 1] + inertia[2, 2]
        for i in range(3):
            inertia[i, i] -= trace
        return inertia


def link_pseudo_inertias(tree: KinematicTree) -> Array:
    """Return the pseudo-inertias of all links in their moving frames, shape (L, 4, 4)."""
    if tree not in _pseudo_inertias:
        inertias = [link_inertia(link) or SpatialInertia.zero()
                    for link in tree.robot.links.values()]
        matrices = np.array([inertia.pseudo_inertia() for inertia in inertias])
        placements = tree.link_placements
        _pseudo_inertias[tree] = placements @ matrices @ placements.swapaxes(1, 2)
    return _pseudo_inertias[tree]
