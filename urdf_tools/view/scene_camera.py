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
"""The cameras of browsers, the ground and the background."""

from __future__ import annotations

import time

import numpy as np

from urdf_tools.types import Array
from urdf_tools.view.camera import at_distance
from urdf_tools.view.camera import Camera
from urdf_tools.view.camera import filling
from urdf_tools.view.camera import Shot
from urdf_tools.view.lighting import BACKGROUNDS
from urdf_tools.view.lighting import light
from urdf_tools.view.local_server import page_update
from urdf_tools.view.robot_view import RobotView
import viser

_FLIGHT = 0.4
"""Seconds in which a camera flies to a link."""

_SHADOW = 0.38
"""How black a shadow on the ground is."""

_ASPECT = 1.2
"""Width by height of what a page shows beside its panels, before its size is known."""


class SceneCamera:
    """
    The initial cameras of browsers, and their moves.

    :param camera: the direction, and the distance if it is not to fill the picture.
    :param background: one of :data:`BACKGROUNDS`.
    :ivar background: the one that is drawn.
    """

    def __init__(self, server: viser.ViserServer, camera: Camera, background: str):
        self._server = server
        self._camera = camera
        self._view: RobotView | None = None
        self._link = ''
        self.background = BACKGROUNDS[background]
        light(server)
        self.use_background(background)
        server.on_client_connect(self._frame)

    def use_background(self, name: str) -> None:
        """Draw another background."""
        self.background = BACKGROUNDS[name]
        self._server.scene.set_background_image(self.background.column(), format='png')
        if self._view is not None:
            self._add_ground(self._view)

    def show(self, view: RobotView, link: str = '') -> None:
        """Point the cameras of new browsers at a robot, or at one of its links."""
        is_first = self._view is None
        self._view, self._link = view, link
        look_first(self._server, self.shot(link), 4 * view.size)
        self._add_ground(view)
        for client in self._server.get_clients().values() if is_first else ():
            self._frame(client)

    def _frame(self, client: viser.ClientHandle) -> None:
        """Fit the whole robot into a page, including narrow ones, as beside a text."""
        if self._view is not None:
            shot = self.shot(self._link, min(_aspect(client.camera), _ASPECT))
            move(client, shot.position, shot.look_at)

    def shot(self, link: str = '', aspect: float = _ASPECT) -> Shot:
        """
        Return the shot that shows the whole robot, or one of its links.

        :param aspect: width of the picture by its height.
        """
        assert self._view is not None
        points, direction = self._view.outline(link), self._camera.direction()
        if self._camera.distance is None or link:
            return filling(points, direction, aspect)
        return at_distance(points, direction, self._camera.distance * self._view.size)

    def _add_ground(self, view: RobotView) -> None:
        center, low = view.bounds.mean(axis=0), view.bounds[0]
        decade = 10.0 ** np.floor(np.log10(view.size / 5))
        cell = decade * max(step for step in (1, 2, 5) if step * decade <= view.size / 5)
        self._server.scene.add_grid(
            '/ground', width=12 * view.size, height=12 * view.size, plane='xy',
            cell_size=cell, section_size=5 * cell, fade_distance=7 * view.size,
            position=(center[0], center[1], low[2]), cell_color=self.background.cells,
            section_color=self.background.sections, shadow_opacity=_SHADOW)

    def fly_to(self, client: viser.ClientHandle | None, link: str = '') -> None:
        """Move the camera of a browser, if any, to a link or to the whole robot."""
        if self._view is None or client is None:
            return
        camera = client.camera
        position, look_at = np.array(camera.position), np.array(camera.look_at)
        aspect = _aspect(camera)
        end = self.shot(link, aspect)
        offset: Array = position - look_at
        length = float(np.linalg.norm(offset))
        if link and length > 0:
            end = filling(self._view.outline(link), offset / length, aspect)
        steps = 12
        for step in range(1, steps + 1):
            share = step / steps
            move(client, position + share * (end.position - position),
                 look_at + share * (end.look_at - look_at))
            if step < steps:
                time.sleep(_FLIGHT / steps)


def look_first(server: viser.ViserServer, shot: Shot, far: float = 0.0) -> None:
    """
    Set the initial camera of browsers that connect.

    :param far: distance in metres up to which something is drawn at least.
    """
    camera = server.initial_camera
    camera.fov, camera.look_at, camera.position = shot.field, shot.look_at, shot.position
    camera.near, camera.far = shot.near, max(shot.far, far)


def move(client: viser.ClientHandle, position: Array, look_at: Array) -> None:
    """Move the camera of a browser; viser moves both when the position is assigned."""
    with page_update(client):
        client.camera.position = position
        client.camera.look_at = look_at


def _aspect(camera: viser.CameraHandle) -> float:
    width, height = camera.image_width, camera.image_height
    return width / height if min(width, height) > 0 else _ASPECT
