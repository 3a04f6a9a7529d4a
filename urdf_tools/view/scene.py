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
"""Light, ground and background of the scene, and the cameras of browsers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.types import Array
from urdf_tools.view.camera import Camera
from urdf_tools.view.camera import filling
from urdf_tools.view.camera import Shot
from urdf_tools.view.local_server import page_update
from urdf_tools.view.robot_view import RobotView
from urdf_tools.view.scene_nodes import Rgb
import viser
# No public module of viser has its messages.
from viser import _messages

KEY = np.array([0.30, -0.62, 0.725])
"""The direction of the light that casts shadows: from above the right front of the robot."""

KEY_SHARE, SKY_SHARE, GROUND_SHARE = 0.55, 0.42, 0.26
"""Shares of a colour that the key light, the sky above and the ground below show."""

_AS_SHARE = float(np.pi)
"""Intensity of a light of three.js in which a matte white face that looks at it is white."""

_SCRIPT = (Path(__file__).parent / 'page.js').read_text(encoding='utf-8')
"""
What no setting of viser does: no tone mapping, and arrow keys in a control do not reach the
document, where they would move the camera as well. A page for pictures names their sizes, and
draws nothing else. It runs before anything is drawn.
"""


_SHADOW = 0.38
"""How black a shadow on the ground is."""

_ASPECT = 1.2
"""Width by height of what a page shows beside its panels, before its size is known."""


class Background(NamedTuple):
    """Colours behind the scene, at the top and at the bottom, and of the lines of the ground."""

    top: Rgb
    bottom: Rgb
    cells: Rgb
    sections: Rgb

    def column(self) -> npt.NDArray[np.uint8]:
        """Return a column of pixels, shape (64, 1, 3)."""
        return np.linspace(self.top, self.bottom, 64).round().astype(np.uint8)[:, None]


BACKGROUNDS = {
    'neutral': Background((128, 131, 135), (176, 178, 180), (150, 152, 154), (132, 134, 136)),
    'dark': Background((30, 32, 36), (66, 69, 74), (74, 77, 82), (92, 95, 100)),
    'white': Background((255, 255, 255), (255, 255, 255), (225, 225, 225), (205, 205, 205))}
"""White and black robots both stand out from the first one."""


def _light(server: viser.ViserServer) -> None:
    """Light the scene of a server, and let pages draw colours as they are."""
    server.scene._websock_interface.queue_message(_messages.RunJavascriptMessage(_SCRIPT))
    scene = server.scene
    scene.configure_default_lights(False)
    # Reflections of a room would tint every colour, and take seconds without a graphics card.
    scene.configure_environment_map(None)
    # As sRGB.
    ground = round(255 * (1.055 * (GROUND_SHARE / SKY_SHARE) ** (1 / 2.4) - 0.055))
    scene.add_light_hemisphere('/light/sky', ground_color=(ground, ground, ground),
                               intensity=SKY_SHARE * _AS_SHARE, position=(0.0, 0.0, 1.0))
    x, y, z = 10 * KEY
    scene.add_light_directional(
        '/light/key', intensity=KEY_SHARE * _AS_SHARE, cast_shadow=True, position=(x, y, z))


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
        _light(server)
        server.scene.set_background_image(self.background.column(), format='png')
        self._framed: dict[int, tuple[Array, float]] = {}
        server.on_client_connect(self._follow)

        @server.on_client_disconnect
        def _(client: viser.ClientHandle) -> None:
            self._framed.pop(client.client_id, None)

    def show(self, view: RobotView, link: str = '') -> None:
        """Point the cameras of new browsers at a robot, or at one of its links."""
        is_first = self._view is None
        self._view, self._link = view, link
        initial, shot = self._server.initial_camera, self.shot(link)
        initial.fov, initial.look_at, initial.position = shot.field, shot.look_at, shot.position
        initial.near, initial.far = shot.near, max(shot.far, 4 * view.size)
        self._add_ground(view)
        for client in self._server.get_clients().values() if is_first else ():
            self._frame(client)

    def _follow(self, client: viser.ClientHandle) -> None:
        """Show the robot in a new page, again while its panels find their places."""
        @client.camera.on_update
        def _(camera: viser.CameraHandle) -> None:
            position, aspect = self._framed.get(client.client_id, (np.zeros(3), 0.0))
            if abs(_aspect(camera) - aspect) > 0.05 * aspect > 0 and np.allclose(
                    camera.position, position, rtol=1e-4, atol=1e-6):
                self._frame(client)
        self._frame(client)

    def _frame(self, client: viser.ClientHandle) -> None:
        """Fit the whole robot into a page, including narrow ones, as beside a text."""
        if self._view is not None:
            aspect = _aspect(client.camera)
            shot = self.shot(self._link, min(aspect, _ASPECT))
            self._framed[client.client_id] = shot.position, aspect
            move(client, shot.position, shot.look_at)

    def shot(self, link: str = '', aspect: float = _ASPECT) -> Shot:
        """
        Return the shot that shows the whole robot, or one of its links.

        :param aspect: width of the picture by its height.
        """
        assert self._view is not None
        camera = replace(self._camera, distance=None) if link else self._camera
        return camera.shot(self._view.outline(link), aspect, self._view.size)

    def _add_ground(self, view: RobotView) -> None:
        center, low = view.bounds.mean(axis=0), view.bounds[0]
        decade = 10.0 ** np.floor(np.log10(view.size / 5))
        cell = decade * max(step for step in (1, 2, 5) if step * decade <= view.size / 5)
        self._server.scene.add_grid(
            '/ground', width=12 * view.size, height=12 * view.size, plane='xy',
            cell_size=cell, section_size=5 * cell, fade_distance=7 * view.size,
            position=(center[0], center[1], low[2]), cell_color=self.background.cells,
            section_color=self.background.sections, shadow_opacity=_SHADOW)

    def look_at(self, client: viser.ClientHandle | None, link: str = '') -> None:
        """Point the camera of a browser, if any, at the whole robot, or as it stands at a link."""
        if self._view is None or client is None:
            return
        aspect = _aspect(client.camera)
        shot = self.shot(link, aspect)
        offset: Array = np.array(client.camera.position) - np.array(client.camera.look_at)
        if link and offset.any():
            shot = filling(self._view.outline(link), offset / np.linalg.norm(offset), aspect)
        move(client, shot.position, shot.look_at)


def move(client: viser.ClientHandle, position: Array, look_at: Array) -> None:
    """Move the camera of a browser; viser moves both when the position is assigned."""
    with page_update(client):
        client.camera.position = position
        client.camera.look_at = look_at


def _aspect(camera: viser.CameraHandle) -> float:
    width, height = camera.image_width, camera.image_height
    return width / height if min(width, height) > 0 else _ASPECT
