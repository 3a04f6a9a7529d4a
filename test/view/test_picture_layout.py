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
"""Where cameras stand and where names go, without a browser."""

from __future__ import annotations

from functools import partial
import io
from types import SimpleNamespace

import numpy as np
from PIL import Image
import pytest
from urdf_tools import KinematicTree
from urdf_tools import loads

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from urdf_tools.view.camera import Camera  # noqa: E402,I100,I202
from urdf_tools.view.camera import FILL  # noqa: E402
from urdf_tools.view.camera import filling  # noqa: E402
from urdf_tools.view.camera import VIEWS  # noqa: E402
from urdf_tools.view.link_names import fitting  # noqa: E402
from urdf_tools.view.link_names import labels  # noqa: E402
from urdf_tools.view.mesh_conversion import matte  # noqa: E402
from urdf_tools.view.picture import as_png  # noqa: E402
from urdf_tools.view.picture import PictureError  # noqa: E402
from urdf_tools.view.picture import Studio  # noqa: E402

CHAIN = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/><link name="d"/>
<link name="e"/>
<joint name="ab" type="revolute"><parent link="a"/><child link="b"/>
  <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
<joint name="bc" type="fixed"><parent link="b"/><child link="c"/></joint>
<joint name="cd" type="fixed"><parent link="c"/><child link="d"/></joint>
<joint name="ae" type="prismatic"><parent link="a"/><child link="e"/>
  <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>"""


@pytest.mark.parametrize('size', [(1200, 800), (800, 1200), (500, 500)])
@pytest.mark.parametrize('view', [*VIEWS.values(), (-40.0, 21.0)])
@pytest.mark.parametrize('scale', [0.01, 1.0, 300.0])
def test_points_fill_a_picture_in_its_middle(size, view, scale):
    points = np.random.default_rng(1).normal(size=(200, 3)) * [1, 2, 5] * scale + [3, 2, 1]
    shot = filling(points, Camera(*view).direction(), size[0] / size[1])
    pixels, depths = shot.pixels(points, size)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    shares = (high - low) / size
    assert (depths > 0).all()
    assert shares.max() == pytest.approx(FILL, abs=1e-6)
    tight = int(shares.argmax())
    assert low[tight] + high[tight] == pytest.approx(size[tight], abs=1e-3)


def test_frames_at_one_place_have_one_label():
    assert labels(KinematicTree(loads(CHAIN))) == {'a': 'a, b, c, d', 'e': 'e'}
    long = CHAIN.replace('"d"', '"d' + 30 * 'd' + '"')
    assert labels(KinematicTree(loads(long)))['a'] == 'a, b, c and 1 more'


def test_names_do_not_cover_each_other():
    points = np.random.default_rng(2).uniform(0, 300, size=(60, 2))
    points[3] = np.nan
    widths = np.full(60, 70.0)
    anchors = fitting(points, np.arange(60.0), widths, 15.0)
    boxes = []
    for point, anchor in zip(points, anchors):
        if anchor:
            left = point[0] - 70 * anchor.endswith('right')
            top = point[1] - 15 * anchor.startswith('bottom')
            boxes.append((left, top, left + 70, top + 15))
    assert anchors[0] and not anchors[3]
    assert 10 < len(boxes) < 60
    for number, one in enumerate(boxes):
        for other in boxes[:number]:
            assert (one[0] >= other[2] or other[0] >= one[2]
                    or one[1] >= other[3] or other[1] >= one[3])


@pytest.mark.parametrize('is_gltf, expected', [(False, 0.2140411), (True, 0.5)])
def test_colours_of_meshes_are_those_of_their_files(is_gltf, expected):
    import trimesh
    from trimesh.visual import TextureVisuals
    from trimesh.visual.material import PBRMaterial
    box = trimesh.creation.box()
    box.visual = TextureVisuals(material=PBRMaterial(
        baseColorFactor=[0.5, 0.5, 0.5, 1.0], metallicFactor=1.0, roughnessFactor=0.1))
    data = box.export(file_type='glb', tree_postprocessor=partial(matte, is_gltf))
    material = trimesh.load(io.BytesIO(data), file_type='glb').to_geometry().visual.material
    assert (material.metallicFactor, material.roughnessFactor) == (0, 1)
    assert material.doubleSided
    assert material.baseColorFactor[0] / 255 == pytest.approx(expected, abs=0.003)


@pytest.mark.parametrize('error, message', [
    (TimeoutError('no frame'), 'The page was not drawn within 9 s; --timeout gives it more, a '
                               'smaller --size needs less'),
    (RuntimeError('it left'), 'The page could not be drawn: it left')])
def test_a_page_that_is_not_drawn(error, message):
    class Client:
        def get_render(self, *size, **options):
            raise error

    studio = Studio.__new__(Studio)  # Without a browser.
    studio._timeout, studio._end = 9.0, 0.0
    with pytest.raises(PictureError) as caught:
        studio._render(Client(), SimpleNamespace(wxyz=None, position=None), (2, 2))
    assert str(caught.value) == message


def test_a_legend_is_in_the_corner_of_a_picture():
    pixels = np.zeros((120, 300, 3), np.uint8)
    legend = [((230, 210, 60), 'without a shape or limit: 6 links'), ((60, 130, 220), 'moved: 1')]
    with Image.open(io.BytesIO(as_png(pixels, legend))) as image:
        drawn = np.asarray(image)
    assert (drawn[-30, 5], drawn[-5, 5]) == (pytest.approx([230, 210, 60]), pytest.approx(
        [60, 130, 220]))
    assert (drawn[-52:, 30:60] == 0).any() and (drawn[-52:, 30:60] == 255).any()
    assert not drawn[:-52].any() and not drawn[:, -20:].any()
    with Image.open(io.BytesIO(as_png(pixels))) as image:
        assert not np.asarray(image).any()
