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
"""Meshes and images to be drawn, read in processes of their own within limits."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.meshes.facts import ask_process
from urdf_tools.meshes.facts import file_version
from urdf_tools.meshes.facts import MAX_PROCESSES
from urdf_tools.meshes.facts import read_arrays
from urdf_tools.meshes.facts import read_in_time
from urdf_tools.meshes.formats import format_of
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.view.textured_surface import Unwrapped

_pool = WorkerPool('urdf_tools.view.mesh_conversion:convert', MAX_PROCESSES, is_confined=True)


@dataclass(frozen=True, eq=False)
class MeshScene:
    """
    A mesh to be drawn.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, shape (F, 3).
    :ivar coloured: the same with the materials of the file, as binary glTF; empty if it has none.
    :ivar scale: factor that takes ``coloured`` to metres.
    :ivar remark: why materials are not shown as they are; empty if they are.
    :ivar unwrapped: the same with texture coordinates, if it has those but no materials.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    coloured: bytes = b''
    scale: float = 1.0
    remark: str = ''
    unwrapped: Unwrapped | None = None


_Version = tuple[int, int, int]
_Key = tuple[Path, _Version]
_Read = TypeVar('_Read', MeshScene, bytes)


class MeshScenes:
    """
    The meshes and images of the latest load; files that have not changed are not read again.

    :param limits: what the reading may take.
    """

    def __init__(self, limits: MeshLimits = MeshLimits()):
        self._limits = limits
        self._meshes: dict[_Key, MeshScene | MeshError] = {}
        self._images: dict[_Key, bytes | MeshError] = {}

    def load(self, paths: Iterable[Path]) -> Mapping[Path, MeshScene | MeshError]:
        """Return each mesh as a scene, or the error of reading it."""
        return self._load(paths, self._meshes, self._read_mesh)

    def load_images(self, paths: Iterable[Path]) -> Mapping[Path, bytes | MeshError]:
        """Return each image as PNG of a moderate size, or the error of reading it."""
        return self._load(paths, self._images, self._read_image)

    def _load(self, paths: Iterable[Path], kept: dict[_Key, _Read | MeshError],
              read: Callable[[Path], _Read]) -> Mapping[Path, _Read | MeshError]:
        """Read the files that are not kept, and keep no others than these."""
        keys = {path: (path, file_version(path)) for path in dict.fromkeys(paths)}
        unread = [path for path, key in keys.items() if key not in kept]
        read_now = read_in_time(unread, read, MAX_PROCESSES, self._limits)
        found = {keys[path]: result for path, result in read_now.items()}
        known = {**kept, **found}
        kept.clear()
        kept.update((key, known[key]) for key in keys.values())
        return {path: kept[key] for path, key in keys.items()}

    def _read_mesh(self, path: Path) -> MeshScene:
        format_of(path)
        answer, archive = ask_process(_pool, path, self._limits, {'is_image': False})
        data = read_arrays(archive)
        try:
            return MeshScene(
                data['vertices'], data['faces'],
                data['coloured'].tobytes() if 'coloured' in data else b'',
                float(data['scale']) if 'scale' in data else 1.0,
                str(answer.get('remark', '')),
                Unwrapped(data['corners'], data['uv']) if 'uv' in data else None)
        except (KeyError, TypeError, ValueError) as error:
            raise MeshError(f'it cannot be read: {error}') from error

    def _read_image(self, path: Path) -> bytes:
        return ask_process(_pool, path, self._limits, {'is_image': True})[1]
