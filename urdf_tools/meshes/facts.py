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

"""Facts about mesh files and their triangles, read by workers within limits."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import asdict
from dataclasses import dataclass
from functools import cached_property
from functools import lru_cache
import os
from pathlib import Path
import time
from typing import Any
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from urdf_tools.meshes.formats import check_indices
from urdf_tools.meshes.formats import format_of
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.meshes.record import RECORD
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import Suggesting
from urdf_tools.sandbox.answers import COUNT
from urdf_tools.sandbox.answers import Shape
from urdf_tools.sandbox.limits import LimitExceeded
from urdf_tools.sandbox.limits import Limits
from urdf_tools.sandbox.limits import SandboxError
from urdf_tools.sandbox.limits import WorkerNotStarted
from urdf_tools.sandbox.pool import PROCESSORS
from urdf_tools.sandbox.pool import WorkerPool
from urdf_tools.types import Array
from urdf_tools.types import Indices

MAX_PROCESSES = min(4, PROCESSORS)
"""Maximum number of processes that read meshes at the same time."""

_BYTES_PER_PROCESS = 2**22
"""Size of meshes from which another process is started."""

_WALL_PER_TIME = 10
"""Seconds that a mesh may take for each second of CPU time; others use the processors, too."""

_MAX_RECORDS = 4096

_NO_SCALE = (1.0, 1.0, 1.0)

_limits = MeshLimits()
_pool = WorkerPool('urdf_tools.meshes.job:read', MAX_PROCESSES, is_confined=True)

_Read = TypeVar('_Read')

ARRAYS = {'vertices': COUNT, 'faces': COUNT}
"""The shape of an answer for :func:`read_arrays`."""


def set_mesh_limits(limits: MeshLimits) -> None:
    """Set the limits on the meshes that this program reads from now on."""
    global _limits
    _limits = limits


def mesh_limits() -> MeshLimits:
    """Return the limits on the meshes that this program reads."""
    return _limits


def processes() -> WorkerPool:
    """Return the processes that read meshes; after their end they are started again."""
    return _pool


def share_processors(programs: int) -> None:
    """Use fewer processes, because so many programs like this one run at the same time."""
    global _pool
    number = max(1, MAX_PROCESSES // programs)
    if number != _pool.maximum:
        _pool.end()
        _pool = WorkerPool(_pool.job, number, is_confined=True)


def mesh_facts(
        path: Path, task: str = 'solid', scale: tuple[float, ...] = _NO_SCALE) -> MeshRecord:
    """
    Return size, properties and moments of a mesh file, which is read again only if it has changed.

    The moments are those of all bodies in the file; volume inside two of them counts twice. The
    unit of length in COLLADA files is applied; their up axis is not, as in RViz. Nor is the y axis
    of glTF turned up, as in RViz, Gazebo and MoveIt; Drake turns it.

    :param task: the moments, as :func:`~urdf_tools.meshes.record.record_mesh` takes it.
    :param scale: factors on x, y and z, for pyramids only.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    format_of(path)
    record = _record_or_error(path, file_version(path), _limits, task, scale)
    if isinstance(record, MeshError):
        raise MeshError(str(record), record.limit)
    return record


@lru_cache(_MAX_RECORDS)
def _record_or_error(path: Path, _version: tuple[int, int, int], limits: MeshLimits, task: str,
                     scale: tuple[float, ...]) -> MeshRecord | MeshError:
    try:
        return read_in_process(path, limits, task, scale)
    except MeshError as error:
        return error


def read_meshes(paths: Iterable[Path]) -> Mapping[Path, MeshRecord | MeshError]:
    """
    Read mesh files, several at the same time.

    :param paths: the files; each is read once.
    :returns: each file to its facts, or to the error of reading it.
    """
    distinct = list(dict.fromkeys(paths))
    size = sum(file_version(path)[1] for path in distinct)
    workers = min(_pool.maximum, len(distinct), 1 + size // _BYTES_PER_PROCESS)
    return read_in_time(distinct, mesh_facts, workers, _limits)


def read_surfaces(paths: Iterable[Path]) -> Mapping[Path, Array | MeshError]:
    """Return the triangles of each mesh, shape (T, 3, 3) in metres, or the error of reading it."""
    def triangles(path: Path) -> Array:
        vertices, faces = read_vertices(path)
        return vertices[faces]

    try:
        return read_in_time(list(dict.fromkeys(paths)), triangles, _pool.maximum, _limits)
    finally:
        _pool.end()


def read_vertices(path: Path) -> tuple[Array, Indices]:
    """
    Return the vertices of a mesh file in metres, shape (V, 3), and its faces, shape (F, 3).

    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    format_of(path)
    vertices, faces, _ = read_arrays(
        *ask_process(_pool, path, _limits, {'task': 'triangles'}, ARRAYS), '<f8')
    return vertices.astype(float), faces.astype(np.intp)


def read_in_time(
        paths: Sequence[Path], read: Callable[[Path], _Read], workers: int, limits: MeshLimits
        ) -> Mapping[Path, _Read | MeshError]:
    """
    Return the result or error of reading each file, within the limit on the total time.

    :param read: raises a :class:`MeshError` if it cannot be read.
    :param workers: number of threads.
    """
    # Imported late: it imports logging and more, and few programs read meshes.
    from concurrent.futures import ThreadPoolExecutor
    end = time.monotonic() + limits.total_time

    def read_one(path: Path) -> _Read | MeshError:
        try:
            if time.monotonic() > end:
                raise MeshError(
                    'it was not read, because the meshes of the description take more than '
                    f'{limits.describe("total_time")}', 'total_time')
            return read(path)
        except MeshError as error:
            return error

    threads = ThreadPoolExecutor(max(1, workers))
    try:
        results = dict(zip(paths, threads.map(read_one, paths)))
    except BaseException:  # Such as Ctrl-C, which is not to wait for the meshes.
        threads.shutdown(wait=False, cancel_futures=True)
        _pool.interrupt()
        raise
    threads.shutdown()
    return results


def read_in_process(
        path: Path, limits: MeshLimits, task: str, scale: Sequence[float]) -> MeshRecord:
    """
    Read a mesh in another process, and return its record.

    :param task: the moments to compute, as :func:`~urdf_tools.meshes.record.record_mesh` takes
        it.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    answer, _ = ask_process(_pool, path, limits, {'task': task, 'scale': list(scale)},
                            {'record': RECORD})
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value
                              for name, value in answer['record'].items()}
    return MeshRecord(**fields)


def ask_process(pool: WorkerPool, path: Path, limits: MeshLimits,
                request: Mapping[str, Any], shape: Shape) -> tuple[dict[str, Any], bytes]:
    """
    Return what a worker answers to a request about a mesh.

    :param pool: its job is one of :func:`~urdf_tools.meshes.job.answered`.
    :param request: what JSON can hold.
    :param shape: of the answer, if it is no error.
    :raises MeshError: the answer is an error, or the process exceeds a limit.
    """
    try:
        answer, data = pool.run(
            {**request, 'path': os.fspath(path), 'limits': asdict(limits)},
            Limits(limits.memory, limits.time, _WALL_PER_TIME * limits.time, limits.memory),
            shape=(shape, {'error': str, 'limit': str}))
    except LimitExceeded as error:
        limit = {'wall': 'time', 'answer': 'memory'}.get(error.limit, error.limit)
        raise MeshError(f'reading it takes more than {limits.describe(limit)}', limit) from None
    except WorkerNotStarted as error:
        raise MeshError(f'the process that reads meshes cannot be started: {error}') from None
    except SandboxError as error:
        raise MeshError(f'it cannot be read: {error}') from None
    if 'error' in answer:
        raise MeshError(answer['error'], answer['limit'])
    return answer, data


def read_arrays(answer: Mapping[str, Any], data: bytes, kind: str
                ) -> tuple[Any, npt.NDArray[np.uint32], bytes]:
    """
    Return the vertices and faces that a worker answered, both of shape (n, 3), and other bytes.

    :param kind: type of the vertices.
    :raises MeshError: there are fewer, or other numbers than can be.
    """
    size = answer['vertices'] * 3 * np.dtype(kind).itemsize
    end = size + answer['faces'] * 12
    if end > len(data):
        raise MeshError('it cannot be read: the answer is cut short')
    vertices = np.frombuffer(data[:size], kind).reshape(-1, 3)
    faces = np.frombuffer(data[size:end], '<u4').reshape(-1, 3)
    if not np.isfinite(vertices).all():
        raise MeshError('it cannot be read: a vertex is not finite')
    check_indices(faces, len(vertices))
    return vertices, faces, data[end:]


def file_version(path: str | Path) -> tuple[int, int, int]:
    """Return modification time in ns, size and inode of a file; all -1 where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1, -1, -1
    return status.st_mtime_ns, status.st_size, status.st_ino


@dataclass(frozen=True)
class RobotMesh(Suggesting):
    """
    A mesh of a link.

    :param link: name of the link.
    :param shape: the visual or collision, with its origin in the frame of the link.
    :param mesh: the URI and the scale.
    :param path: the file; None if it is not found.
    :param error: why it is not found; empty if it is.
    """

    link: str
    shape: Visual | Collision
    mesh: Mesh
    path: Path | None
    error: str = ''

    @classmethod
    def of(cls, robot: Robot, resources: ResourceResolver | None = None) -> tuple[RobotMesh, ...]:
        """
        Return the meshes of all links of a robot, visual ones of a link before its collisions.

        :param resources: finds the files; by default in the environment and around the source.
        """
        resolver = resources or ResourceResolver(robot.folder or None)
        meshes = []
        for link in robot.links.values():
            shapes: tuple[Visual | Collision, ...] = (*link.visuals, *link.collisions)
            for shape in shapes:
                if isinstance(shape.geometry, Mesh):
                    try:
                        path, error = resolver.resolve(shape.geometry.filename), ''
                    except ResourceError as reason:
                        path, error = None, str(reason)
                    meshes.append(cls(link.name, shape, shape.geometry, path, error))
        return tuple(meshes)

    @property
    def vertices(self) -> Array:
        """
        The distinct vertices in metres in the frame of the link, shape (V, 3).

        :raises FileNotFoundError: the file is not found.
        :raises ValueError: it cannot be read, has no triangles, or exceeds a limit.
        """
        points = self._content[0] * self.mesh.scale
        return np.asarray(points @ self.shape.origin.rotation.T + self.shape.origin.xyz)

    @property
    def faces(self) -> Indices:
        """The vertices of each triangle, shape (F, 3); raises what :attr:`vertices` does."""
        return self._content[1]

    @cached_property
    def _content(self) -> tuple[Array, Indices]:
        if self.path is None:
            raise FileNotFoundError(self.error)
        return read_vertices(self.path)
