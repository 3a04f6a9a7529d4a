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
"""Lights, ground and backgrounds that leave colours as they are in the file."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from urdf_tools.view.shape_nodes import Rgb
import viser
# No public module of viser has its messages.
from viser import _messages

KEY = np.array([0.30, -0.62, 0.725])
"""The direction of the light that casts shadows: from above the right front of the robot."""

KEY_SHARE, SKY_SHARE, GROUND_SHARE = 0.55, 0.42, 0.26
"""Shares of a colour that the key light, the sky above and the ground below show."""

_AS_SHARE = float(np.pi)
"""Intensity of a light of three.js in which a matte white face that looks at it is white."""

_SCRIPT = (Path(__file__).parent / 'lighting.js').read_text(encoding='utf-8')
"""
What no setting of viser does: no tone mapping, and arrow keys in a control do not reach the
document, where they would move the camera as well. A page for pictures names their sizes, and
draws nothing else. It runs before anything is drawn.
"""


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


def light(server: viser.ViserServer) -> None:
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
