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

"""The worker side of reading mesh files, which isolates hostile ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from urdf_tools.meshes.formats import format_of
from urdf_tools.meshes.formats import mesh_formats
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.meshes.record import record_mesh
from urdf_tools.meshes.triangles import convex_hull
from urdf_tools.meshes.triangles import merge_corners
from urdf_tools.model.messages import printable
from urdf_tools.sandbox.confinement import unlimited_memory
from urdf_tools.types import Array
from urdf_tools.types import Indices

_MAX_TEXT = 500

Answer = tuple[dict[str, Any], bytes]


@np.errstate(all='ignore')
def read_record(path: Path, limits: MeshLimits, task: str, scale: tuple[float, ...]) -> MeshRecord:
    """
    Return the record of a mesh file, read in this process.

    :param task: the inertia to compute, as
        :func:`~urdf_tools.meshes.record.record_mesh` takes it.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    file = MeshFile(path, limits, task)
    record = record_mesh(*_merged(file), task, scale, _convex_hull)
    return replace(record, **file.remarks)


@np.errstate(all='ignore')
def read_surface(path: Path, limits: MeshLimits) -> tuple[Array, Indices]:
    """
    Return the vertices of a mesh file in metres, shape (V, 3), and its faces, shape (F, 3).

    Corners that are equal when rounded to 10 nm are one vertex.

    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    return _merged(MeshFile(path, limits))


def _merged(file: MeshFile) -> tuple[Array, Indices]:
    triangles = format_of(file.path).read(file)
    file.data = b''
    is_finite = np.isfinite(triangles).all(axis=(1, 2))
    if not is_finite.all():
        triangles = triangles[is_finite]
    if not len(triangles):
        raise MeshError('it has no triangles')
    return merge_corners(triangles)


def read(request: Any, _data: bytes) -> Answer:
    """Answer a request for a record, or for vertices and faces."""
    return answered(request, _surface if request['task'] == 'triangles' else _record)


def answered(request: Any, answer: Callable[[Path, dict[str, Any], MeshLimits], Answer]) -> Answer:
    """
    Answer a request about a mesh.

    :param answer: takes the path of a mesh, the whole request and the limits. What it raises is
        answered as an error.
    """
    limits = MeshLimits(**request['limits'])
    try:
        return answer(Path(request['path']), request, limits)
    except MemoryError:
        raise
    except MeshError as error:
        text, limit = str(error), error.limit
    except RecursionError:
        text, limit = 'it cannot be read: it is nested too deeply', ''
    except Exception as error:  # A bug in a reader must not hide the file that triggers it.
        text, limit = f'it cannot be read: {type(error).__name__}: {error}', ''
    return {'error': printable(' '.join(text.split()))[:_MAX_TEXT], 'limit': limit}, b''


def _record(path: Path, request: dict[str, Any], limits: MeshLimits) -> Answer:
    return {'record': asdict(
        read_record(path, limits, request['task'], tuple(request['scale'])))}, b''


def _surface(path: Path, _request: dict[str, Any], limits: MeshLimits) -> Answer:
    return arrays(*read_surface(path, limits), '<f8')


def arrays(vertices: Array, faces: Indices, kind: str) -> Answer:
    """Return an answer with vertices and faces, for ``read_arrays``."""
    return {'vertices': len(vertices), 'faces': len(faces)}, (
        vertices.astype(kind).tobytes() + faces.astype('<u4').tobytes())


def _convex_hull(points: Array) -> Array:
    """Return the convex hull; scipy is imported without a limit, which its OpenBLAS exceeds."""
    with unlimited_memory(), suppress(ImportError):
        import_module('scipy.spatial')
    return convex_hull(points)


def _prepare() -> None:
    """Load what jobs need before limits hold: with one on memory, OpenBLAS waits for ever."""
    np.dot(np.ones((9, 9)), np.ones((9, 9)))
    mesh_formats()


_prepare()
