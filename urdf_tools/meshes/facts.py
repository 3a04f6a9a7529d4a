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

"""Facts about mesh files, which are read in separate processes within limits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import os
from pathlib import Path
import threading
import time
from typing import TypeVar

from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.meshes.processes import processes
from urdf_tools.meshes.processes import read_in_process
from urdf_tools.meshes.processes import triangles_in_process
from urdf_tools.meshes.record import MeshRecord
from urdf_tools.types import Array

FORMATS = ('.dae', '.glb', '.gltf', '.obj', '.stl')
"""Suffixes of the mesh files that can be read."""

_BYTES_PER_PROCESS = 2**22
"""Size of meshes from which another process is started."""

_MAX_RECORDS = 4096

_limits = MeshLimits()

_NO_SCALE = (1.0, 1.0, 1.0)

_Read = TypeVar('_Read')


def set_mesh_limits(limits: MeshLimits) -> None:
    """Set the limits on the meshes that this program reads from now on."""
    global _limits
    _limits = limits


def mesh_limits() -> MeshLimits:
    """Return the limits on the meshes that this program reads."""
    return _limits


def mesh_facts(
        path: Path, task: str = 'solid', scale: tuple[float, ...] = _NO_SCALE) -> MeshRecord:
    """
    Return size, properties and moments of a mesh file, which is read again only if it has changed.

    The moments are those of all bodies in the file; volume inside two of them counts twice. The
    unit of length in COLLADA files is applied; their up axis is not, as in RViz. Nor is the y axis
    of glTF turned up, as in RViz, Gazebo and MoveIt; Drake turns it.

    :param task: the moments, as :func:`~urdf_tools.meshes.record.record_mesh` takes
        it.
    :param scale: factors on x, y and z, for pyramids only.
    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    check_format(path)
    key = _key(path, task, scale)
    found = _known(key)
    if found is None:
        try:
            found = read_in_process(path, _limits, task, scale)
        except MeshError as error:
            found = error
        with _lock:
            _records[key] = found
            while len(_records) > _MAX_RECORDS:
                _records.popitem(last=False)
    if isinstance(found, MeshError):
        raise MeshError(str(found), found.limit)
    return found


def read_meshes(paths: Iterable[Path]) -> Mapping[Path, MeshRecord | MeshError]:
    """
    Read mesh files, several at the same time.

    :param paths: the files; each is read once.
    :returns: each file to its facts, or to the error of reading it.
    """
    distinct = list(dict.fromkeys(paths))
    unread = [path for path in distinct if _known(_key(path)) is None]
    size = sum(file_version(path)[1] for path in unread)
    workers = min(processes().most, len(unread), 1 + size // _BYTES_PER_PROCESS)
    return read_in_time(distinct, mesh_facts, workers, _limits)


def read_surfaces(paths: Iterable[Path]) -> Mapping[Path, Array | MeshError]:
    """Return the triangles of each mesh, shape (T, 3, 3) in metres, or the error of reading it."""
    try:
        return read_in_time(list(dict.fromkeys(paths)), _triangles, processes().most, _limits)
    finally:
        processes().end()


def read_in_time(
        paths: Sequence[Path], read: Callable[[Path], _Read], workers: int, limits: MeshLimits
        ) -> Mapping[Path, _Read | MeshError]:
    """
    Return the result or error of reading each file, within the limit on the total time.

    :param read: raises a :class:`MeshError` if it cannot be read.
    :param workers: number of threads.
    """
    end = time.monotonic() + limits.total_time
    found: dict[Path, _Read | MeshError] = {}

    def read_one(path: Path) -> None:
        try:
            if time.monotonic() > end:
                raise MeshError(
                    'it was not read, because the meshes of the description take more than '
                    f'{limits.describe("total_time")}', 'total_time')
            found[path] = read(path)
        except MeshError as error:
            found[path] = error

    if workers < 2:
        for path in paths:
            read_one(path)
    else:
        # Imported late: it imports logging and more, and few meshes need it.
        from concurrent.futures import ThreadPoolExecutor
        pool = ThreadPoolExecutor(workers)
        try:
            list(pool.map(read_one, paths))
        except BaseException:  # Such as Ctrl-C, which is not to wait for the meshes.
            pool.shutdown(wait=False, cancel_futures=True)
            processes().interrupt()
            raise
        pool.shutdown()
    return {path: found[path] for path in paths}


def _triangles(path: Path) -> Array:
    check_format(path)
    return triangles_in_process(path, _limits)


def check_format(path: Path) -> None:
    """Raise a MeshError if a file has none of :data:`FORMATS`."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise MeshError(
            f'the format {suffix!r} is none of {", ".join(FORMATS)}' if suffix
            else 'its file name has no suffix')


_Key = tuple[Path, int, int, int, str, tuple[float, ...], MeshLimits]

_records: OrderedDict[_Key, MeshRecord | MeshError] = OrderedDict()
"""Recently used meshes, and the errors of unreadable ones."""

_lock = threading.Lock()


def _known(key: _Key) -> MeshRecord | MeshError | None:
    """Return a record unless it is unknown or a file that it comes from has changed."""
    with _lock:
        found = _records.get(key)
        if found is not None:
            _records.move_to_end(key)
    if isinstance(found, MeshRecord) and any(file_version(path)[:2] != (modified, size)
                                             for path, modified, size in found.siblings):
        return None
    return found


def _key(path: Path, task: str = 'solid', scale: tuple[float, ...] = _NO_SCALE) -> _Key:
    return (path, *file_version(path), task, scale, _limits)


def file_version(path: str | Path) -> tuple[int, int, int]:
    """Return modification time in ns, size and inode of a file; all -1 where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1, -1, -1
    return status.st_mtime_ns, status.st_size, status.st_ino
