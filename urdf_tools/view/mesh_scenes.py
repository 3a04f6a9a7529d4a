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
"""Meshes as triangles and as coloured scenes, read in processes of their own within limits."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
import os
from pathlib import Path
import tempfile
import time
import zipfile

import numpy as np
import numpy.typing as npt

from urdf_tools.inertia.mesh_limits import MeshLimits
from urdf_tools.inertia.mesh_processes import ask_process
from urdf_tools.inertia.mesh_processes import MAX_PROCESSES
from urdf_tools.inertia.meshes import FORMATS
from urdf_tools.inertia.polyhedra import MeshError

_WORKER = 'urdf_tools.view.mesh_conversion'


@dataclass(frozen=True, eq=False)
class MeshScene:
    """
    What is drawn for a mesh.

    :ivar vertices: in metres, shape (V, 3).
    :ivar faces: corners of the triangles, shape (F, 3).
    :ivar coloured: the same with the materials of the file, as binary glTF; empty if it has none.
    :ivar scale: factor that takes ``coloured`` to metres.
    :ivar remark: why materials are not shown as they are; empty if they are.
    """

    vertices: npt.NDArray[np.float32]
    faces: npt.NDArray[np.uint32]
    coloured: bytes = b''
    scale: float = 1.0
    remark: str = ''


_Version = tuple[int, int]


class MeshScenes:
    """
    The meshes of the latest load; those whose files have not changed since are not read again.

    :param limits: what the reading may take.
    """

    def __init__(self, limits: MeshLimits = MeshLimits()):
        self._limits = limits
        self._kept: dict[tuple[Path, _Version], MeshScene | MeshError] = {}

    def load(self, paths: Iterable[Path]) -> Mapping[Path, MeshScene | MeshError]:
        """Return each file as a scene, or the error of reading it."""
        keys = {path: (path, _version(path)) for path in dict.fromkeys(paths)}
        end = time.monotonic() + self._limits.total_time
        unread = [key for key in keys.values() if key not in self._kept]
        with ThreadPoolExecutor(MAX_PROCESSES) as pool:
            read = dict(zip(unread, pool.map(lambda key: self._read(key[0], end), unread)))
        self._kept = {key: read[key] if key in read else self._kept[key]
                      for key in keys.values()}
        return {path: self._kept[key] for path, key in keys.items()}

    def _read(self, path: Path, end: float) -> MeshScene | MeshError:
        try:
            if path.suffix.lower() not in FORMATS:
                raise MeshError(
                    f'the format {path.suffix!r} is none of {", ".join(FORMATS)}')
            if time.monotonic() > end:
                raise MeshError(
                    'it was not read, because the meshes of the description take more than '
                    f'{self._limits.describe("total_time")}', 'total_time')
            return self._convert(path)
        except MeshError as error:
            return error

    def _convert(self, path: Path) -> MeshScene:
        descriptor, output = tempfile.mkstemp('.npz', 'urdf_tools-')
        os.close(descriptor)
        try:
            request = {'output': os.fsencode(output).hex()}
            answer = ask_process(path, self._limits, request, _WORKER)
            with np.load(output, allow_pickle=False) as data:
                return MeshScene(
                    data['vertices'], data['faces'], data['scene'].tobytes(),
                    float(data['scale']), str(answer.get('remark', '')))
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            if isinstance(error, MeshError):
                raise
            raise MeshError(f'it cannot be read: {error}') from error
        finally:
            os.unlink(output)


def _version(path: Path) -> _Version:
    """Return the modification time in ns and the size of a file; both -1 where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1, -1
    return status.st_mtime_ns, status.st_size
