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

"""Reading of meshes by workers within limits."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import asdict
import io
import os
from pathlib import Path
from typing import Any
import zipfile

import numpy as np

from urdf_tools.meshes.formats.mesh_file import check_indices
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.types import Array

MAX_PROCESSES = min(4, PROCESSORS)
"""Maximum number of processes that read meshes at the same time."""

_WALL_PER_TIME = 10
"""Seconds that a mesh may take for each second of CPU time; others use the processors, too."""

_pool = WorkerPool('urdf_tools.meshes.job:read', MAX_PROCESSES, is_confined=True)


def read_in_process(
        path: Path, limits: MeshLimits, task: str, scale: Sequence[float]) -> MeshRecord:
    """
    Read a mesh in another process, and return its record.

    :param task: the moments to compute, as
        :func:`~urdf_tools.meshes.record.record_mesh` takes it.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    answer, _ = ask_process(_pool, path, limits, {'task': task, 'scale': list(scale)})
    try:
        return MeshRecord.from_data(answer['record'])
    except (KeyError, TypeError, AttributeError) as error:
        raise MeshError(f'it cannot be read: {error}') from error


def triangles_in_process(path: Path, limits: MeshLimits) -> Array:
    """
    Read a mesh in another process, and return its triangles in metres, shape (T, 3, 3).

    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    _, archive = ask_process(_pool, path, limits, {'task': 'triangles'})
    try:
        with np.load(io.BytesIO(archive), allow_pickle=False) as data:
            vertices, faces = data['vertices'].astype(float), data['faces'].astype(np.intp)
            check_indices(faces, len(vertices))
            return np.asarray(vertices[faces])
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise MeshError(f'it cannot be read: {error}') from error


def ask_process(pool: WorkerPool, path: Path, limits: MeshLimits,
                request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
    """
    Return what a worker answers to a request about a mesh.

    :param pool: its job is one of :func:`~urdf_tools.meshes.job.answered`.
    :param request: what JSON can hold.
    :raises MeshError: the answer is an error, or the process exceeds a limit.
    """
    try:
        answer, data = pool.run(
            {**request, 'path': os.fspath(path), 'limits': asdict(limits)},
            Limits(limits.memory, limits.time, _WALL_PER_TIME * limits.time, limits.memory))
    except LimitExceeded as error:
        limit = {'wall': 'time', 'answer': 'memory'}.get(error.limit, error.limit)
        raise MeshError(f'reading it takes more than {limits.describe(limit)}', limit) from None
    except WorkerNotStarted as error:
        raise MeshError(f'the process that reads meshes cannot be started: {error}') from None
    except SandboxError as error:
        raise MeshError(f'it cannot be read: {error}') from None
    if not isinstance(answer, dict):
        raise MeshError('it cannot be read: the answer is malformed')
    if 'error' in answer:
        raise MeshError(str(answer['error']), str(answer.get('limit', '')))
    return answer, data


def processes() -> WorkerPool:
    """Return the processes that read meshes; after their end they are started again."""
    return _pool


def share_processors(programs: int) -> None:
    """Use fewer processes, because so many programs like this one run at the same time."""
    global _pool
    most = max(1, MAX_PROCESSES // programs)
    if most != _pool.most:
        _pool.end()
        _pool = WorkerPool(_pool.job, most, is_confined=True)
