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
"""Centres of mass and equivalent solids of inertias in the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from urdf_tools.dynamics import link_inertia
from urdf_tools.dynamics import SpatialInertia
from urdf_tools.dynamics.depiction import depict
from urdf_tools.dynamics.depiction import LINK
from urdf_tools.dynamics.depiction import ROBOT
from urdf_tools.kinematics import KinematicTree
from urdf_tools.meshes.triangles import box
from urdf_tools.meshes.triangles import ellipsoid
from urdf_tools.types import Array
from urdf_tools.view.camera import wxyz_of
from urdf_tools.view.shape_nodes import to_rgb
import viser

_SURFACES = {'box': box, 'ellipsoid': ellipsoid}


class InertiaNodes:
    """
    The inertias of a robot in the scene.

    :param node_name: returns the name of the node of a link.
    :param root: name of the node of the robot.
    """

    def __init__(self, scene: viser.SceneApi, tree: KinematicTree, node_name: Callable[[str], str],
                 root: str):
        self._scene = scene
        self._node_name = node_name
        self._root = root
        with np.errstate(all='ignore'):
            bodies = {name: body for name, link in tree.robot.links.items()
                      if (body := link_inertia(link)) is not None}
            self._drawn = {name: drawn for name, body in bodies.items()
                           if (drawn := depict(body, LINK)) is not None}
        self._bodies = {name: bodies[name] for name in self._drawn}
        self._rows = tree.links(self._bodies)
        self._masses = np.array([body.mass for body in self._bodies.values()])
        self._centers = np.array([
            [*body.com, 1.0] for body in self._bodies.values()]).reshape(-1, 4, 1)
        self._whole: Any = None

    def centers(self) -> list[Any]:
        """Add the centres of mass of the links and of the robot, and return their nodes."""
        nodes: list[Any] = [
            self._scene.add_icosphere(
                f'{self._node_name(link)}/com', radius=drawn.diameter / 2,
                color=to_rgb(drawn.style.com), position=drawn.com)
            for link, drawn in self._drawn.items()]
        if self._masses.sum() > 0:
            whole = depict(SpatialInertia(
                float(self._masses.sum()), np.zeros(3), np.eye(3)), ROBOT)
            if whole is not None:
                self._whole = self._scene.add_icosphere(
                    f'{self._root}/com', radius=whole.diameter / 2, color=to_rgb(ROBOT.com))
                nodes.append(self._whole)
        return nodes

    def follow(self, poses: Array) -> None:
        """
        Move the centre of mass of the robot.

        :param poses: of all links in the frame of the root link, shape (L, 4, 4).
        """
        if self._whole is not None and self._whole.visible:
            points = (poses[self._rows, :3] @ self._centers)[..., 0]
            with np.errstate(all='ignore'):
                self._whole.position = self._masses @ points / self._masses.sum()

    def solids(self, kind: str) -> list[Any]:
        """Add the equivalent boxes or ellipsoids of the links, and return their nodes."""
        nodes = []
        for link, body in self._bodies.items():
            drawn = depict(body, LINK, kind)
            if drawn is None:
                continue
            surface = _SURFACES[kind](drawn.size)
            nodes.append(self._scene.add_mesh_simple(
                f'{self._node_name(link)}/{kind}', surface.vertices, surface.faces,
                color=to_rgb(drawn.style.solid), opacity=drawn.style.solid[3],
                flat_shading=surface.is_flat, position=drawn.com, wxyz=wxyz_of(drawn.axes)))
        return nodes
