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
"""A picture of the scene, drawn by a Chromium without a window."""

from __future__ import annotations

import io
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from urdf_tools.view.camera import BACKGROUND
from urdf_tools.view.headless_browser import find_chromium
from urdf_tools.view.headless_browser import HeadlessBrowser
from urdf_tools.view.local_server import LocalServer

_STABLE = 2.0
"""Seconds without a change after which a picture is complete: meshes are drawn when decoded."""

_TIMEOUT = 120.0


class PictureError(RuntimeError):
    """A picture that cannot be taken; the text says why."""


def take_picture(server: LocalServer, size: tuple[int, int]) -> bytes:
    """
    Return a PNG file of what a new browser shows.

    :param size: width and height in pixels.
    :raises PictureError: there is no Chromium, or it cannot draw here.
    """
    program = find_chromium()
    if program is None:
        raise PictureError(
            'A picture needs Chromium, which is not installed; install it, for example with '
            '"sudo apt install chromium"')
    known = set(server.get_clients())
    end = time.monotonic() + _TIMEOUT
    # It would have the shape of the page, not of the picture.
    server.scene.set_background_image(None)
    # The window has a title bar, and a picture is not larger than the page.
    with HeadlessBrowser(program, server.url, (size[0] + 50, size[1] + 200)) as browser:
        while not (new := server.get_clients().keys() - known):
            if browser.has_ended or time.monotonic() > end:
                raise PictureError(f'{program} did not open the page')
            time.sleep(0.1)
        client = server.get_clients()[new.pop()]
        pixels = _stable(client, size, end)
    output = io.BytesIO()
    Image.fromarray(pixels).save(output, 'png', optimize=True)
    return output.getvalue()


def _stable(client: Any, size: tuple[int, int], end: float) -> NDArray[np.uint8]:
    """Return the pixels once they do not change any more, shape (height, width, 3)."""
    last: NDArray[np.uint8] | None = None
    since = time.monotonic()
    while True:
        try:
            found = client.get_render(
                size[1], size[0], transport_format='png', timeout=end - time.monotonic())
        except (RuntimeError, TimeoutError) as error:
            raise PictureError(f'The page could not be drawn: {error}') from error
        opacity = found[..., 3:].astype(float) / 255
        sky = BACKGROUND[np.arange(size[1]) * len(BACKGROUND) // size[1]]
        mixed = found[..., :3] * opacity + sky * (1 - opacity)
        pixels: NDArray[np.uint8] = mixed.round().astype(np.uint8)
        if last is None or not np.array_equal(pixels, last):
            last, since = pixels, time.monotonic()
        elif time.monotonic() - since > _STABLE:
            return pixels
        time.sleep(0.2)
