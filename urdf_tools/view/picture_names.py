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
"""The names of links beside a picture, with lines to where their frames are."""

from __future__ import annotations

import numpy as np
from PIL import ImageDraw
from PIL import ImageFont

from urdf_tools.kinematics.transforms import Array
from urdf_tools.view.camera import Shot
from urdf_tools.view.link_names import labels
from urdf_tools.view.robot_view import RobotView

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_INK, _PAPER = (255, 255, 255), (30, 30, 30, 170)


def draw_names(
        draw: ImageDraw.ImageDraw, font: Font, line: int, view: RobotView, shot: Shot,
        size: tuple[int, int], bottom: int) -> None:
    """
    Write the names of all links whose frames are in a picture, none over another.

    :param line: height of a line in pixels.
    :param bottom: where other text begins.
    :param size: width and height of the picture.
    """
    texts = labels(view.tree)
    points, _ = shot.pixels(np.array([view.pose(link)[:3, 3] for link in texts]), size)
    inside = np.all((points >= 0) & (points < size), axis=1)
    names = [text for text, is_in in zip(texts.values(), inside.tolist()) if is_in]
    points = points[inside]
    if not names:
        return
    left = points[:, 0] < np.median(points[:, 0])
    for side in (True, False):
        chosen = np.flatnonzero(left == side)
        chosen = chosen[np.argsort(points[chosen, 1])][:(bottom - line) // line]
        for index, y in zip(chosen, spread(points[chosen, 1], line, bottom)):
            text, (to_x, to_y) = names[index], points[index]
            width = draw.textlength(text, font)
            x = line // 2 if side else size[0] - line // 2 - width
            end = x + width + 2 if side else x - 2
            draw.line((end, y, to_x, to_y), (255, 200, 60, 200), 1)
            draw.ellipse((to_x - 2, to_y - 2, to_x + 2, to_y + 2), (255, 200, 60))
            draw.rectangle((x - 2, y - line / 2, x + width + 2, y + line / 2 - 1), _PAPER)
            draw.text((x, y), text, _INK, font, anchor='lm')


def spread(heights: Array, line: int, height: int) -> Array:
    """
    Return heights near the given ones, in the same order, that are at least a line apart.

    :param heights: in pixels, ascending.
    :param height: of the picture, which has room for as many lines.
    """
    count = len(heights)
    lines = np.arange(count) * line
    low, high = line / 2, height - line / 2 - (count - 1) * line
    # Without the lines, what must not come closer must not descend.
    forward = np.maximum.accumulate(heights - lines)
    backward = np.minimum.accumulate((heights - lines)[::-1])[::-1]
    found: Array = np.clip((forward + backward) / 2, low, high) + lines
    return found
