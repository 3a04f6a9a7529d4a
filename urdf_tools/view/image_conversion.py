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
"""Images for the browser, of a format and size that it takes, in the process that reads meshes."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.model.resources import read_regular_file

MAX_SIDE = 2048
"""Largest width and height of an image in the browser."""

_MAX_PIXELS = 2**26
"""Most pixels of an image that is decoded."""

_FORMATS = ('BMP', 'DDS', 'GIF', 'JPEG', 'PNG', 'TGA', 'TIFF', 'WEBP')
"""What is read; Pillow has formats that start other programs, too."""


def simplified(image: Any) -> Any:
    """Return an image of a format that browsers know, and of a moderate size."""
    # What is converted has no format, and is written as PNG.
    image = image.convert('RGBA' if 'A' in image.getbands() else 'RGB')
    image.thumbnail((MAX_SIDE, MAX_SIDE))
    return image


def image_as_png(path: Path, limits: MeshLimits) -> bytes:
    """
    Return an image file as PNG without transparency, as RViz draws it.

    :raises MeshError: it is none, or exceeds a limit.
    """
    from PIL import Image
    from PIL import UnidentifiedImageError
    most = int(limits.size * 2**20)
    data, _ = read_regular_file(path, most + 1)
    if len(data) > most:
        raise MeshError(f'it is larger than {limits.describe("size")}', 'size')
    try:
        image = Image.open(io.BytesIO(data), formats=_FORMATS)
    except UnidentifiedImageError:
        raise MeshError(f'it is not an image of the formats {", ".join(_FORMATS)}') from None
    if image.width * image.height > _MAX_PIXELS:
        raise MeshError(
            f'it has {image.width} x {image.height} pixels, which are more than {_MAX_PIXELS:,}')
    output = io.BytesIO()
    simplified(image).convert('RGB').save(output, 'png')
    return output.getvalue()
