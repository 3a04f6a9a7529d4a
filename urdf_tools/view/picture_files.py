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
"""Files of pictures: one picture, the robot turning, and the robot in all of its poses."""

from __future__ import annotations

from collections.abc import Sequence
import io
from math import ceil
from math import sqrt
from pathlib import Path
import shutil
import subprocess
import tempfile

import numpy as np
from PIL import Image
from PIL import ImageDraw
from PIL import ImageFont

from urdf_tools.model.messages import printable
from urdf_tools.types import Array
from urdf_tools.view.camera import Shot
from urdf_tools.view.link_names import labels
from urdf_tools.view.picture import PictureError
from urdf_tools.view.picture import Pixels
from urdf_tools.view.picture import Studio
from urdf_tools.view.robot_view import Layer
from urdf_tools.view.robot_view import RobotView
from urdf_tools.view.shape_nodes import Rgb
from urdf_tools.view.viewer import Viewer

_FRAMES = 48
"""Pictures of one turn."""

_RATE = 16
"""Pictures of a film in one second."""

_SHEET = 2400
"""Most pixels of a side of a contact sheet."""

_INK, _PAPER, _BAR = (255, 255, 255), (30, 30, 30, 170), (40, 40, 40, 190)

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def screenshot(studio: Studio, viewer: Viewer) -> bytes:
    """
    Return a picture as PNG, with the list of what is missing written in it.

    :raises PictureError: it cannot be taken.
    """
    return as_png(_take(studio, viewer, viewer.camera.shot(viewer.link, studio.aspect)))


def turntable(studio: Studio, viewer: Viewer, kind: str) -> bytes:
    """
    Return a video in which the robot turns once.

    :param kind: ``.gif`` or ``.mp4``.
    :raises PictureError: it cannot be taken, or there is no ffmpeg for the latter.
    """
    program = shutil.which('ffmpeg')
    if kind == '.mp4' and program is None:
        raise PictureError('A film in MP4 needs ffmpeg, which is not installed; write a .gif')
    pictures = [_take(studio, viewer, shot) for shot in viewer.camera.turning(
        viewer.link, studio.aspect, _FRAMES)]
    return _gif(pictures) if kind == '.gif' or program is None else _mp4(program, pictures)


def contact_sheet(studio: Studio, viewer: Viewer) -> bytes:
    """
    Return a picture of the robot in all of its named poses, each with its name, as PNG.

    :raises PictureError: it cannot be taken, or there is no pose.
    :raises PoseError: the poses cannot be read.
    """
    assert viewer.view is not None
    tree = viewer.view.tree
    poses = viewer.poses.read()
    if not poses:
        raise PictureError('There are no poses; --poses names a file of them')
    columns = ceil(sqrt(len(poses)))
    width = min(studio.size[0], _SHEET // columns)
    height = width * studio.size[1] // studio.size[0]
    sheet = Image.new('RGB', (columns * width, ceil(len(poses) / columns) * height))
    for number, (name, pose) in enumerate(sorted(poses.items())):
        viewer.choose(tree.configuration(
            {key: value for key, value in pose.items() if key in tree.variable_index}))
        shot = viewer.camera.shot('', studio.aspect)
        tile = _take(studio, viewer, shot).resize((width, height))
        _write(tile, [printable(name)[:60]], top=True)
        sheet.paste(tile, (number % columns * width, number // columns * height))
    return as_png(sheet)


def _take(studio: Studio, viewer: Viewer, shot: Shot) -> Image.Image:
    """Return a picture with names, if they are shown, and with the legend and what is missing."""
    assert viewer.view is not None
    image = Image.fromarray(studio.take(viewer, shot))
    lines = [printable(text) for text in viewer.view.library.summary()]
    if viewer.is_shown(Layer.NAMES):
        _draw_names(image, viewer.view, shot, len(lines) + bool(viewer.legend))
    _write(image, lines)
    if viewer.legend:
        _draw_legend(image, viewer.marked_by, viewer.legend, len(lines))
    return image


def _draw_legend(image: Image.Image, title: str, legend: Sequence[tuple[Rgb, str]],
                 lines_below: int) -> None:
    """Write a title and what colours mean in one line above others at the bottom."""
    draw, font, step = _writing(image)
    x, y = step / 2, image.height - step * (lines_below + 1)
    draw.rectangle((0, y, image.width, y + step), fill=_BAR)
    for rgb, text in ((None, title), *legend):
        if rgb is not None:
            draw.rectangle((x, y + step / 4, x + step / 2, y + 3 * step / 4), rgb)
            x += 0.7 * step
        draw.text((x, y + step / 2), text, _INK, font, anchor='lm')
        x += step + draw.textlength(text, font)


def _draw_names(image: Image.Image, view: RobotView, shot: Shot, lines_below: int) -> None:
    """
    Write the names of all links whose frames are in a picture, none over another.

    :param lines_below: number of lines of other text at the bottom.
    """
    draw, font, line = _writing(image)
    bottom = image.height - line * lines_below
    texts = labels(view.tree)
    points, _ = shot.pixels(np.array([view.pose(link)[:3, 3] for link in texts]), image.size)
    inside = np.all((points >= 0) & (points < image.size), axis=1)
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
            x = line // 2 if side else image.width - line // 2 - width
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
    return np.clip((forward + backward) / 2, low, high) + lines


def _writing(image: Image.Image) -> tuple[ImageDraw.ImageDraw, _Font, int]:
    """Return a drawing context for text on an image, and the height of a line in pixels."""
    size = max(11, image.height // 55)
    return ImageDraw.Draw(image, 'RGBA'), ImageFont.load_default(size), round(1.4 * size)


def _write(image: Image.Image, lines: list[str], top: bool = False) -> None:
    """Write lines on a bar at the top or at the bottom, each cut to the width."""
    draw, font, step = _writing(image)
    first = 0 if top else image.height - step * len(lines)
    for number, line in enumerate(lines):
        while line and draw.textlength(line, font) > image.width - step:
            line = line.rstrip('.')[:-1] + '...' if len(line) > 4 else ''
        y = first + number * step
        draw.rectangle((0, y, image.width, y + step), fill=_BAR)
        draw.text((step // 2, y + step // 2), line, _INK, font, anchor='lm')


def as_png(picture: Image.Image | Pixels) -> bytes:
    """Return a picture as PNG."""
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    output = io.BytesIO()
    image.save(output, 'png')
    return output.getvalue()


def _gif(pictures: list[Image.Image]) -> bytes:
    # One palette for all: with one for each, colours flicker.
    some = np.concatenate([np.asarray(picture) for picture in pictures[::12]])
    palette = Image.fromarray(some).quantize(255)
    images = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    output = io.BytesIO()
    images[0].save(output, 'gif', save_all=True, append_images=images[1:],
                   duration=1000 // _RATE, loop=0)
    return output.getvalue()


def _mp4(program: str, pictures: list[Image.Image]) -> bytes:
    width, height = pictures[0].size
    with tempfile.TemporaryDirectory(prefix='urdf_tools-') as folder:
        file = Path(folder) / 'film.mp4'
        # The usual colours of a film need even sides.
        command = [program, '-loglevel', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24',
                   '-s', f'{width}x{height}', '-r', str(_RATE), '-i', '-',
                   '-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2', '-pix_fmt', 'yuv420p',
                   '-movflags', '+faststart', str(file)]
        done = subprocess.run(
            command, input=b''.join(picture.tobytes() for picture in pictures),
            capture_output=True, check=False)
        if done.returncode:
            error = done.stderr.decode(errors='replace').strip().splitlines()
            raise PictureError(f'ffmpeg could not write the film: {"".join(error[-1:])}')
        return file.read_bytes()
