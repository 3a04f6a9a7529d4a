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

"""The visuals of a robot beside its collision shapes and proposed ones, coloured by error."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from urdf_tools.collision.parts import SurfaceSamples
from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.collision.proposal import LinkShapes
from urdf_tools.kinematics import ForwardKinematics
from urdf_tools.kinematics import KinematicTree
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.view.camera import axes
from urdf_tools.view.camera import Camera
from urdf_tools.view.camera import Shot
from urdf_tools.view.camera import wxyz_of
from urdf_tools.view.scene import BACKGROUNDS
from urdf_tools.view.scene import light
from urdf_tools.view.scene import look_first
from urdf_tools.view.scene_nodes import Rgb
import viser

COLUMNS = ('Visuals', 'Collisions today', 'Collisions proposed')
_ALL = 'all links'
_VISUAL: Rgb = (205, 205, 205)
_NEAR: Rgb = (70, 170, 70)
_MIDDLE: Rgb = (240, 200, 40)
_FAR: Rgb = (215, 40, 40)
_FARTHEST = 5.0
"""Excess, as a multiple of the tolerance, from which on a shape is red."""

_ASPECT = 2.0
"""Width by height of a page, before its size is known."""

_GAP = 0.25
"""Space between the columns as a share of the width of the robot."""


class CollisionComparison:
    """
    Three robots side by side in a scene: the visual geometry, and both collisions over it.

    Shapes are green up to the tolerance and red where they are five times as far from the
    visuals. The panel shows all links or one, and hides columns.

    :param server: the empty scene.
    :param camera: from where browsers and pictures look; its distance is in multiples of the
        size of all columns.
    :ivar nodes: what is drawn, by link and column.
    """

    background = BACKGROUNDS['neutral']

    def __init__(self, server: viser.ViserServer, robot: Robot, proposal: CollisionProposal,
                 camera: Camera = Camera()):
        self._server = server
        self.nodes: dict[tuple[str, str], list[Any]] = {}
        tree = KinematicTree(robot)
        poses = dict(zip(tree.link_names, ForwardKinematics(tree)(tree.neutral())))
        corners = np.concatenate([
            surface.points @ poses[name][:3, :3].T + poses[name][:3, 3]
            for name, surface in proposal.visuals.items()] or [np.zeros((1, 3))])
        low, high = corners.min(axis=0), corners.max(axis=0)
        self._camera = camera
        # The columns follow each other from left to right in the picture.
        across, _, _ = axes(camera.direction())
        step = (1 + _GAP) * float(np.abs(across) @ (high - low)) * across
        with server.atomic():
            for each in proposal.links:
                if each.surface is not None:
                    self._add_link(each, poses[each.link.name], step)
        self._add_panel([each.link.name for each in proposal.links])
        self._corners = np.concatenate([corners + column * step for column in range(3)])
        light(server)
        server.scene.set_background_image(self.background.column(), format='png')
        look_first(server, self.shot(_ASPECT))

    def shot(self, aspect: float) -> Shot:
        """Return the shot in which all columns fill a picture, or as far as the camera is."""
        size = float(np.linalg.norm(np.ptp(self._corners, axis=0)))
        return self._camera.shot(self._corners, aspect, size)

    def _add_link(self, each: LinkShapes, pose: Array, step: Array) -> None:
        assert each.surface is not None
        name = each.link.name
        for column in range(3):
            self._add(name, COLUMNS[column], each.surface.triangles, pose, column * step, _VISUAL)
        for column, shapes in ((1, each.existing), (2, each.chosen)):
            solids = () if shapes is None else shapes.solids
            for solid in solids:
                excess = SurfaceSamples(each.surface, solid).excess(
                    other for other in solids if other is not solid)
                self._add(name, COLUMNS[column], solid.triangles, pose, column * step,
                          colour_of(excess, each.task.tolerance), 0.65)

    def _add(self, link: str, column: str, triangles: Array, pose: Array, offset: Array,
             colour: Rgb, opacity: float | None = None) -> None:
        nodes = self.nodes.setdefault((link, column), [])
        faces = np.arange(3 * len(triangles)).reshape(-1, 3)
        nodes.append(self._server.scene.add_mesh_simple(
            f'/{column}/{len(self.nodes)}/{len(nodes)}',
            triangles.reshape(-1, 3).astype(np.float32), faces, color=colour, opacity=opacity,
            flat_shading=True, side='double', position=pose[:3, 3] + offset,
            wxyz=wxyz_of(pose[:3, :3])))

    def _add_panel(self, links: list[str]) -> None:
        gui = self._server.gui
        choice: Any = gui.add_dropdown('Link', [_ALL, *links])
        switches: list[Any] = [gui.add_checkbox(column, True) for column in COLUMNS]

        def update(event: Any) -> None:
            self.show([column for column, box in zip(COLUMNS, switches) if box.value],
                      '' if choice.value == _ALL else choice.value)

        for control in (choice, *switches):
            control.on_update(update)

    def show(self, columns: Collection[str], link: str) -> None:
        """Show some columns, of one link or, if that is empty, of all."""
        with self._server.atomic():
            for (name, column), nodes in self.nodes.items():
                for node in nodes:
                    node.visible = column in columns and link in ('', name)


def colour_of(excess: float, tolerance: float) -> Rgb:
    """Return the colour of a shape by how far it is from the visual geometry."""
    share = (excess / tolerance - 1) / (_FARTHEST - 1)
    red, green, blue = (round(float(np.interp(share, (0.0, 0.5, 1.0), channel)))
                        for channel in zip(_NEAR, _MIDDLE, _FAR))
    return red, green, blue
