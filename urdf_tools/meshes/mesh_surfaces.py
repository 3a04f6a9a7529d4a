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

"""The triangles of mesh files, which are read in processes of their own within limits."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
import io
from pathlib import Path
import time
import zipfile

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.meshes.formats.mesh_file import check_indices
from urdf_tools.meshes.mesh_facts import FORMATS
from urdf_tools.meshes.mesh_facts import mesh_limits
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.meshes.mesh_processes import ask_process
from urdf_tools.meshes.mesh_processes import MAX_PROCESSES
from urdf_tools.sandbox.pool import WorkerPool

_pool = WorkerPool('urdf_tools.meshes.mesh_job:triangulate', MAX_PROCESSES, is_confined=True)


def read_surfaces(paths: Iterable[Path]) -> Mapping[Path, Array | MeshError]:
    """Return the triangles of each mesh, shape (T, 3, 3) in metres, or the error of reading it."""
    distinct = list(dict.fromkeys(paths))
    limits = mesh_limits()
    end = time.monotonic() + limits.total_time

    def read(path: Path) -> Array | MeshError:
        try:
            if time.monotonic() > end:
                raise MeshError(
                    'it was not read, because the meshes of the description take more than '
                    f'{limits.describe("total_time")}', 'total_time')
            return _triangles(path, limits)
        except MeshError as error:
            return error

    with ThreadPoolExecutor(MAX_PROCESSES) as pool:
        return dict(zip(distinct, pool.map(read, distinct)))


def _triangles(path: Path, limits: MeshLimits) -> Array:
    if path.suffix.lower() not in FORMATS:
        raise MeshError(f'the format {path.suffix!r} is none of {", ".join(FORMATS)}')
    _, archive = ask_process(_pool, path, limits, {})
    try:
        with np.load(io.BytesIO(archive), allow_pickle=False) as data:
            vertices, faces = data['vertices'].astype(float), data['faces'].astype(np.intp)
            check_indices(faces, len(vertices))
            triangles: Array = vertices[faces]
            return triangles
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise MeshError(f'it cannot be read: {error}') from error


def end_readers() -> None:
    """End the processes that are idle; they are started again when there is a mesh to read."""
    _pool.end()
