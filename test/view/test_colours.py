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
"""The pixels of boxes: those of three.js, and so their colours times their shading."""

from __future__ import annotations

import numpy as np
import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads
from urdf_tools import ResourceResolver

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from support.colour_cases import COLOURS  # noqa: E402,I100,I202
from support.colour_cases import FACES  # noqa: E402
from support.colour_cases import SHOT  # noqa: E402
from support.colour_cases import SIZE  # noqa: E402
from urdf_tools.view.camera import FILL  # noqa: E402
from urdf_tools.view.headless_browser import find_chromium  # noqa: E402
from urdf_tools.view.local_server import LocalServer  # noqa: E402
from urdf_tools.view.picture import Studio  # noqa: E402
from urdf_tools.view.scene import BACKGROUNDS  # noqa: E402
from urdf_tools.view.scene import GROUND_SHARE  # noqa: E402
from urdf_tools.view.scene import KEY  # noqa: E402
from urdf_tools.view.scene import KEY_SHARE  # noqa: E402
from urdf_tools.view.scene import SKY_SHARE  # noqa: E402
from urdf_tools.view.shape_library import MeshScenes  # noqa: E402
from urdf_tools.view.shape_library import ShapeLibrary  # noqa: E402
from urdf_tools.view.viewer import Viewer  # noqa: E402

REFERENCE = {
    'blue top': (25, 25, 230), 'blue front': (12, 12, 187), 'blue right': (19, 19, 213),
    'green top': (25, 230, 25), 'green front': (12, 187, 12), 'green right': (19, 213, 19),
    'red top': (230, 25, 25), 'red front': (187, 12, 12), 'red right': (213, 19, 19),
    'white top': (230, 230, 230), 'white front': (187, 187, 187),
    'white right': (213, 213, 213), 'grey top': (117, 117, 117), 'grey front': (93, 93, 93),
    'grey right': (107, 107, 107), 'black top': (30, 30, 30), 'black front': (17, 17, 17),
    'black right': (24, 24, 24), 'orange top': (230, 95, 25), 'orange front': (187, 74, 12),
    'orange right': (213, 87, 19)}
"""What three.js 0.186 draws without viser; see support/three_reference.py."""


def shown(rgb):
    robot = loads(
        '<robot name="box"><link name="box"><visual><geometry><box size="1 1 1"/></geometry>'
        '<material name="m"><color rgba="{} {} {} 1"/></material></visual></link></robot>'
        .format(*rgb))
    library = ShapeLibrary(robot, ResourceResolver('.').resolve, MeshScenes())
    return KinematicTree(robot), library


@pytest.fixture(scope='module')
def pictures():
    server = LocalServer(port=8480)
    viewer = Viewer(server)
    found = {}
    try:
        with Studio(server, SIZE) as studio:
            for name, rgb in COLOURS.items():
                viewer.use(*shown(rgb))
                shot = viewer.camera.shot(aspect=SIZE[0] / SIZE[1])
                found[name] = studio.take(shot, viewer.camera.background).astype(float)
    finally:
        server.stop()
    return found


def shaded(rgb, normal):
    """Return a colour of sRGB from 0 to 255 times the light that a matte face of it gets."""
    linear = np.where(np.array(rgb) <= 0.04045, np.array(rgb) / 12.92,
                      ((np.array(rgb) + 0.055) / 1.055) ** 2.4)
    sky = GROUND_SHARE + (SKY_SHARE - GROUND_SHARE) * (normal[2] + 1) / 2
    light = linear * (sky + KEY_SHARE * max(0.0, normal @ KEY / np.linalg.norm(KEY)))
    return 255 * np.where(
        light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)


@pytest.mark.parametrize('name', REFERENCE)
def test_reference_is_colour_times_shading(name):
    """The rest is what the rough standard material of three.js mirrors."""
    colour, face = name.split()
    expected = shaded(COLOURS[colour], np.array(FACES[face], dtype=float))
    np.testing.assert_allclose(REFERENCE[name], expected, rtol=0, atol=25.5)


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
class TestPictures:
    """Boxes as Chromium draws them."""

    @pytest.mark.parametrize('name', REFERENCE)
    def test_pixels_are_those_of_three(self, pictures, name):
        colour, face = name.split()
        (x, y), = SHOT.pixels(np.array([FACES[face]]) / 2, SIZE)[0]
        pixel = pictures[colour][int(y), int(x)]
        np.testing.assert_allclose(pixel, REFERENCE[name], rtol=0, atol=3)

    def test_the_robot_fills_the_picture(self, pictures):
        blue = pictures['blue']
        is_box = (blue[..., 2] > 150) & (blue[..., 0] < 60)
        rows, columns = np.flatnonzero(is_box.any(axis=1)), np.flatnonzero(is_box.any(axis=0))
        shares = np.ptp(columns) / SIZE[0], np.ptp(rows) / SIZE[1]
        assert max(shares) == pytest.approx(FILL, abs=0.015)

    def test_white_and_black_stand_out(self, pictures):
        column = BACKGROUNDS['neutral'].column().astype(float)
        for name in ('white', 'black'):
            for face in FACES:
                (x, y), = SHOT.pixels(np.array([FACES[face]]) / 2, SIZE)[0]
                behind = column[int(y) * len(column) // SIZE[1], 0]
                assert np.abs(pictures[name][int(y), int(x)] - behind).min() > 25

    def test_a_shadow_is_on_the_ground(self, pictures):
        """It is on the side that the light does not come from, and wider than a line."""
        column = BACKGROUNDS['neutral'].column().astype(float).mean(axis=-1)
        behind = column[np.arange(SIZE[1]) * len(column) // SIZE[1]]
        dark = pictures['white'].mean(axis=-1) < behind - 20
        wide = np.lib.stride_tricks.sliding_window_view(dark, (3, 3)).all(axis=(2, 3))
        assert wide.sum() > 20
        assert np.argwhere(wide)[:, 1].mean() > SIZE[0] / 2
