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

"""Sizes and moments of mesh files, which are read in processes of their own within limits."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
import os
from pathlib import Path
import threading
import time

import numpy as np

from urdf_tools.kinematics.transforms import Array
from urdf_tools.meshes.mesh_limits import MeshError
from urdf_tools.meshes.mesh_limits import MeshLimits
from urdf_tools.meshes.mesh_processes import interrupt_reading
from urdf_tools.meshes.mesh_processes import max_processes
from urdf_tools.meshes.mesh_processes import read_in_process
from urdf_tools.meshes.mesh_record import MeshRecord
from urdf_tools.meshes.moments import Moments

FORMATS = ('.dae', '.glb', '.gltf', '.obj', '.stl')
"""Suffixes of the mesh files that can be read."""

_BYTES_PER_PROCESS = 2**22
"""Size of meshes that is worth the start of another process."""

_MAX_RECORDS = 4096

_limits = MeshLimits()

_NO_SCALE = (1.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class MeshFacts:
    """
    Size and properties of a mesh, before any scale.

    :ivar faces: number of triangles.
    :ivar low: smallest x, y and z in metres, shape (3,).
    :ivar high: largest x, y and z in metres, shape (3,).
    :ivar openness: why it encloses no volume; empty if it encloses one.
    :ivar volume: in m^3, negative if the triangles face inward; NaN if it encloses none.
    :ivar is_text: whether it is an STL file in text format.
    :ivar repeated_ids: number of sources in a COLLADA file that have the ID of another one.
    """

    faces: int
    low: Array
    high: Array
    openness: str
    volume: float
    is_text: bool = False
    repeated_ids: int = 0


def set_mesh_limits(limits: MeshLimits) -> None:
    """Set the limits on the meshes that this program reads from now on."""
    global _limits
    _limits = limits


def mesh_limits() -> MeshLimits:
    """Return the limits on the meshes that this program reads."""
    return _limits


def mesh_facts(path: Path) -> MeshFacts:
    """
    Return size and properties of a mesh file.

    :raises MeshError: it cannot be read, has no triangles, or exceeds a limit.
    """
    record = _read(path)
    return MeshFacts(
        record.faces, np.array(record.low), np.array(record.high), record.openness, record.volume,
        record.is_text, record.repeated_ids)


def solid_moments(path: Path, *, hull: bool = False) -> tuple[Moments, str]:
    """
    Return the moments of a mesh file as a solid, before any scale.

    They are those of all bodies in the file; volume inside two of them counts twice. If not all of
    them are closed, they are those of the convex hull of all. The unit of length in COLLADA
    files is applied; their up axis is not, as in RViz. Nor is the y axis of glTF turned up, as in
    RViz, Gazebo and MoveIt; Drake turns it.

    :param hull: return the moments of the convex hull in any case.
    :return: with the reason why they are those of the convex hull; empty if they are not.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    record = _read(path, 'hull' if hull else 'solid')
    return record.moments(), record.remark


def pyramid_moments(path: Path, scale: Sequence[float] = _NO_SCALE) -> Moments:
    """
    Return the moments of the pyramids between the triangles of a mesh file and its middle.

    :param scale: factors on x, y and z.
    :raises MeshError: it cannot be read, has no volume, or exceeds a limit.
    """
    return _read(path, 'pyramids', tuple(map(float, scale))).moments()


def read_meshes(
        paths: Iterable[Path],
        progress: Callable[[int, int], None] | None = None,
) -> Mapping[Path, MeshFacts | MeshError]:
    """
    Read mesh files, several at the same time.

    :param paths: the files; each is read once.
    :param progress: is called after each file with the number of files read so far and of all.
    :returns: each file to its facts, or to the error of reading it.
    """
    distinct = list(dict.fromkeys(paths))
    end = time.monotonic() + _limits.total_time
    found: dict[Path, MeshFacts | MeshError] = {}

    def read(path: Path) -> None:
        try:
            if time.monotonic() > end:
                raise MeshError(
                    'it was not read, because the meshes of the description take more than '
                    f'{_limits.describe("total_time")}', 'total_time')
            found[path] = mesh_facts(path)
        except MeshError as error:
            found[path] = error
        if progress is not None:
            progress(len(found), len(distinct))

    unread = [path for path in distinct if _records.get(_key(path)) is None]
    size = sum(_version(path)[1] for path in unread)
    workers = min(max_processes(), len(unread), 1 + size // _BYTES_PER_PROCESS)
    if workers < 2:
        for path in distinct:
            read(path)
    else:
        # It imports logging and more, and few meshes are worth it.
        from concurrent.futures import ThreadPoolExecutor
        pool = ThreadPoolExecutor(workers)
        try:
            list(pool.map(read, distinct))
        except BaseException:  # Such as Ctrl-C, which is not to wait for the meshes.
            pool.shutdown(wait=False, cancel_futures=True)
            interrupt_reading()
            raise
        pool.shutdown()
    return {path: found[path] for path in distinct}


def _read(
        path: Path, task: str = 'solid', scale: tuple[float, ...] = _NO_SCALE) -> MeshRecord:
    """Return what is kept of a mesh file, which is read again only if it has changed."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise MeshError(
            f'the format {suffix!r} is none of {", ".join(FORMATS)}' if suffix
            else 'its file name has no suffix')
    key = _key(path, task, scale)
    found = _records.get(key)
    if found is None:
        try:
            found = read_in_process(path, _limits, task, scale)
        except MeshError as error:
            found = error
        _records.put(key, found)
    if isinstance(found, MeshError):
        raise MeshError(str(found), found.limit)
    return found


_Key = tuple[Path, int, int, str, tuple[float, ...], MeshLimits]


class _Records:
    """The records of the meshes that were read last, and the errors of those that cannot be."""

    def __init__(self) -> None:
        self._records: OrderedDict[_Key, MeshRecord | MeshError] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: _Key) -> MeshRecord | MeshError | None:
        """Return a record unless it is unknown or a file that it comes from has changed."""
        with self._lock:
            found = self._records.get(key)
            if found is None:
                return None
            self._records.move_to_end(key)
        if isinstance(found, MeshRecord) and any(
                _version(Path(path)) != (modified, size)
                for path, modified, size in found.siblings):
            return None
        return found

    def put(self, key: _Key, record: MeshRecord | MeshError) -> None:
        """Keep a record."""
        with self._lock:
            self._records[key] = record
            while len(self._records) > _MAX_RECORDS:
                self._records.popitem(last=False)


_records = _Records()


def _key(path: Path, task: str = 'solid', scale: tuple[float, ...] = _NO_SCALE) -> _Key:
    return (path, *_version(path), task, scale, _limits)


def _version(path: Path) -> tuple[int, int]:
    """Return the modification time in ns and the size of a file; both -1 where there is none."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1, -1
    return status.st_mtime_ns, status.st_size
