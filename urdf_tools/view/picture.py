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
"""Pictures of the scene, drawn by a Chromium without a window."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence
import io
import time

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL import ImageDraw
from PIL import ImageFont

from urdf_tools.model.errors import InputError
from urdf_tools.view.camera import FIELD
from urdf_tools.view.camera import Shot
from urdf_tools.view.headless_browser import find_chromium
from urdf_tools.view.headless_browser import HeadlessBrowser
from urdf_tools.view.local_server import LocalServer
from urdf_tools.view.local_server import page_update
from urdf_tools.view.scene import Background
from urdf_tools.view.scene import move
from urdf_tools.view.scene_nodes import Rgb
import viser

Pixels = NDArray[np.uint8]
"""A picture, shape (height, width, 3) or, with opacity, (height, width, 4)."""

TIMEOUT = 120.0
"""Seconds until a browser that does not answer is given up, for a scene without meshes."""

_MAX_DISCONNECTION = 5.0
"""Maximum seconds to wait for the end of a connection."""

_SMALL = 6
"""How much smaller the pictures are that show whether all is drawn."""

_LETTERS = 13
"""Height of the letters of the legend in pixels."""

_PAUSE = 0.3
"""Seconds between two pictures that are equal once all is drawn."""


class PictureError(InputError):
    """A picture that cannot be taken; the text says why."""


class Studio:
    """
    A browser without a window that takes pictures of what a server shows.

    It starts immediately, and loads the page while meshes are read.

    :param size: width and height of the pictures in pixels.
    :param step: called with what is waited for.
    :raises PictureError: there is no Chromium.
    """

    def __init__(self, server: LocalServer, size: tuple[int, int],
                 step: Callable[[str], object] = lambda _text: None):
        program = find_chromium()
        if program is None:
            raise PictureError('A picture needs Chromium, which is not installed; install it, '
                               'for example with "sudo apt install chromium"')
        self._size = size
        self._server = server
        self._program = program
        self._step = step
        self._timeout, self._end = TIMEOUT, 0.0
        self._client: viser.ClientHandle | None = None
        self._known = set(server.get_clients())
        # It would have the shape of the page, not of the picture.
        server.scene.set_background_image(None)
        server.gui.main_panel.float()
        self._small = max(size[0] // _SMALL, 16), max(size[1] // _SMALL, 16)
        drawn = ','.join('{}x{}'.format(*each) for each in (size, self._small))
        self._browser = HeadlessBrowser(program, f'{server.url}/?fixedDpr=1&drawn={drawn}', size)

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_error: object) -> None:
        self._browser.close()
        # A server that stops while a page disconnects prints tracebacks.
        end = time.monotonic() + _MAX_DISCONNECTION
        while self._server.get_clients().keys() - self._known and time.monotonic() < end:
            time.sleep(0.02)

    def take(self, shot: Shot, background: Background,
             on_moved: Callable[[], object] = lambda: None, timeout: float = TIMEOUT) -> Pixels:
        """
        Return a picture of the scene.

        :param on_moved: called when the camera of the page is where the picture is taken.
        :param timeout: seconds until a browser that does not open the page, does not take the
            scene, or does not draw it, is given up.
        :raises PictureError: Chromium cannot draw here.
        """
        self._timeout = timeout
        client = self._connected()
        self._begin('sending the scene to Chromium')
        with page_update(client):
            camera = client.camera
            camera.fov, camera.near, camera.far = FIELD, shot.near, shot.far
            move(client, shot.position, shot.look_at)  # Shadows are drawn where the page looks.
        on_moved()
        while not self._server.has_sent(client) and time.monotonic() < self._end:
            # viser sends the scene and requests in queues of their own.
            self._server.flush()
            time.sleep(0.02)
        self._begin('waiting until Chromium has drawn it')
        # Names, textures and materials of meshes are decoded apart, and appear some time later.
        last, found = None, self._render(client, shot, self._small)
        while last is None or not np.array_equal(found, last):
            time.sleep(_PAUSE)
            last, found = found, self._render(client, shot, self._small)
        return _over(self._render(client, shot, self._size), background.column())

    def _begin(self, step: str) -> None:
        self._step(step)
        self._end = time.monotonic() + self._timeout

    def _connected(self) -> viser.ClientHandle:
        self._begin('waiting until Chromium opens the page')
        while self._client is None:
            clients = self._server.get_clients()
            new = clients.keys() - self._known
            if new:
                self._client = clients[new.pop()]
            elif self._browser.has_ended or time.monotonic() > self._end:
                raise PictureError(f'{self._program} did not open the page within '
                                   f'{self._timeout:g} s; --timeout gives it more')
            else:
                time.sleep(0.05)
        return self._client

    def _render(self, client: viser.ClientHandle, shot: Shot, size: tuple[int, int]) -> Pixels:
        try:
            return client.get_render(size[1], size[0], wxyz=shot.wxyz, position=shot.position,
                                     fov=FIELD, transport_format='png',
                                     timeout=max(self._end - time.monotonic(), 0.1))
        except TimeoutError as error:
            raise PictureError(f'The page was not drawn within {self._timeout:g} s; --timeout '
                               'gives it more, a smaller --size needs less') from error
        except RuntimeError as error:
            raise PictureError(f'The page could not be drawn: {error}') from error


def _over(pixels: Pixels, column: Pixels) -> Pixels:
    """Return an image with transparency composited over a background."""
    opacity = pixels[..., 3:].astype(np.float32) / 255
    sky = column[np.arange(len(pixels)) * len(column) // len(pixels)]
    return (pixels[..., :3] * opacity + sky * (1 - opacity)).round().astype(np.uint8)


def as_png(pixels: Pixels, legend: Sequence[tuple[Rgb, str]] = ()) -> bytes:
    """Return a picture as PNG, with what its colours mean in a corner."""
    image = Image.fromarray(pixels)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(_LETTERS)
    for row, (rgb, text) in enumerate(reversed(legend), 1):
        top, height = image.height - row * 2 * _LETTERS, 2 * _LETTERS - 1
        draw.rectangle((0, top, 40 + font.getlength(text), top + height), (255, 255, 255))
        draw.rectangle((0, top, 20, top + height), rgb)
        draw.text((30, top + _LETTERS // 2 - 1), text, (0, 0, 0), font)
    output = io.BytesIO()
    image.save(output, 'png')
    return output.getvalue()
