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
"""The materials of a mesh as RViz draws them: matt, in the colours of the file."""

from __future__ import annotations

import json
import struct
from typing import Any

_HEADER, _CHUNK = 12, 8


def matt(glb: bytes, is_gltf: bool) -> bytes:
    """
    Return a binary glTF file with matt materials, seen from both sides.

    Without a room around it, what glTF calls metal reflects nothing, and is black.

    :param is_gltf: whether its colours are linear already; those of other formats are sRGB.
    """
    length, = struct.unpack_from('<I', glb, _HEADER)
    start, end = _HEADER + _CHUNK, _HEADER + _CHUNK + length
    document: dict[str, Any] = json.loads(glb[start:end])
    for material in document.get('materials', ()):
        material['doubleSided'] = True
        surface = material.setdefault('pbrMetallicRoughness', {})
        surface.pop('metallicRoughnessTexture', None)
        surface.update(metallicFactor=0.0, roughnessFactor=1.0)
        if not is_gltf and 'baseColorFactor' in surface:
            *rgb, alpha = surface['baseColorFactor']
            surface['baseColorFactor'] = [*map(_linear, rgb), alpha]
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    rest = glb[end:]
    return b''.join((
        struct.pack('<4sII', b'glTF', 2, start + len(text) + len(rest)),
        struct.pack('<I4s', len(text), b'JSON'), text, rest))


def _linear(share: float) -> float:
    """Return a share of sRGB as a share of light."""
    return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)
