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

"""
Mesh formats: one module each, in which ``FORMAT`` is its :class:`MeshFormat`.

A reader takes a :class:`MeshFile` and returns triangles; it runs only in a worker. What several of
them need is here.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
import re
from typing import Any
import warnings

import numpy as np

from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import resolve_beside
from urdf_tools.model.resources import ResourceError
from urdf_tools.types import Array
from urdf_tools.types import Indices

MAX_DEPTH = 100
"""Maximum nesting depth of the nodes of a scene."""

_MAX_NODES = 20_000
_BLOCK = 2**22
_LFS_POINTER = b'version https://git-lfs.github.com/spec/'

_BEGINNINGS = {
    '.obj': re.compile(rb'(?:(?:#|[og] |mtllib|usemtl)[^\n]*\n|\s)*v[nt]? +[-.\d]+ '),
    '.stl': re.compile(rb'\s*solid[^\n]*\n\s*facet '),
    '.dae': re.compile(rb'\W*(?:<\?xml[^>]*>\s*)?<COLLADA'),
    '.html': re.compile(rb'(?i)\s*<(?:!doctype )?html')}
"""What files begin with that have the format of a suffix."""


class MeshFile:
    """
    A mesh file that is being read within limits.

    :param task: see :func:`~urdf_tools.meshes.record.record_mesh`; some readers do more for one.
    :ivar data: its content.
    :ivar remarks: what its reader notes, as fields of
        :class:`~urdf_tools.meshes.record.MeshRecord`.
    :raises MeshError: it cannot be read, or is too large.
    """

    def __init__(self, path: Path, limits: MeshLimits, task: str = 'solid'):
        self.path = path
        self.limits = limits
        self.task = task
        self.remarks: dict[str, Any] = {}
        self._bytes_left = int(limits.size * 2**20)
        self._triangles_left = limits.triangles
        self._nodes = 0
        self.data = self._read(path, 'it')
        for suffix, beginning in _BEGINNINGS.items():
            if suffix != path.suffix.lower() and beginning.match(self.data, 0, 1024):
                raise MeshError(f'it is a file of the format {suffix}, whatever its name says')

    def sibling(self, uri: str) -> bytes:
        """
        Return the content of a file that this one refers to.

        :raises MeshError: it may not be read, cannot be read, or is too large.
        """
        try:
            path = resolve_beside(self.path, uri)
        except ResourceError as error:
            raise MeshError(f'it refers to another file: {error.message}') from error
        return self._read(path, f'the file {quote(uri)} that it refers to')

    def _read(self, path: Path, subject: str) -> bytes:
        try:
            data = read_regular_file(path, self._bytes_left + 1)
        except OSError as error:
            raise MeshError(f'{subject} cannot be read: {error.strerror}') from error
        if len(data) > self._bytes_left:
            raise MeshError(f'{subject} is larger than {self.limits.describe("size")}', 'size')
        if data.startswith(_LFS_POINTER):
            raise MeshError(
                f'{subject} is a Git LFS pointer, not the file itself; run "git lfs pull"')
        self._bytes_left -= len(data)
        return data

    def count_node(self, depth: int, number: int = 1) -> None:
        """
        Count a node of the scene that is about to be read, or parts of it, at a nesting depth.

        :raises MeshError: they are too many.
        """
        self._nodes += number
        if self._nodes > _MAX_NODES:
            raise MeshError(f'its scene has more than {_MAX_NODES:,} nodes or primitives', 'nodes')
        if depth > MAX_DEPTH:
            raise MeshError(f'the nodes of its scene are nested deeper than {MAX_DEPTH}')

    def count_triangles(self, number: int) -> None:
        """
        Count triangles that are about to be read.

        :raises MeshError: they are too many.
        """
        self._triangles_left -= number
        if self._triangles_left < 0:
            raise MeshError(f'it has more than {self.limits.describe("triangles")}', 'triangles')

    def instances(self, vertices: Array, faces: Indices, pose: Array) -> Array:
        """
        Return the triangles of a part of the mesh at a pose, shape (T, 3, 3).

        A mirroring pose keeps normals outward.

        :param faces: of existing vertices.
        :param pose: 4x4 matrix.
        :raises MeshError: they are too many.
        """
        self.count_triangles(len(faces))
        corners: Array = (vertices @ pose[:3, :3].T + pose[:3, 3])[faces]
        return corners[:, ::-1] if np.linalg.det(pose[:3, :3]) < 0 else corners


@dataclass(frozen=True)
class MeshFormat:
    """
    A format of mesh files.

    :ivar suffixes: of file names, in lower case.
    :ivar read: returns the triangles of a file in metres, shape (T, 3, 3).
    :ivar has_materials: whether the view asks trimesh for the materials of such a file.
    :ivar write: returns triangles in this format; None if meshes are not written in it.
    """

    suffixes: tuple[str, ...]
    read: Callable[[MeshFile], Array]
    has_materials: bool = True
    write: Callable[[Array], bytes] | None = None


@cache
def mesh_formats() -> Mapping[str, MeshFormat]:
    """Return each suffix with its format: those of all modules of this folder."""
    formats: list[MeshFormat] = [
        import_module(f'{__name__}.{module.name}').FORMAT for module in iter_modules(__path__)]
    return {suffix: each for each in formats for suffix in each.suffixes}


def format_of(path: Path) -> MeshFormat:
    """
    Return the format of a file.

    :raises MeshError: its suffix is that of none.
    """
    suffix = path.suffix.lower()
    if suffix not in mesh_formats():
        raise MeshError(
            f'the format {suffix!r} is none of {", ".join(mesh_formats())}' if suffix
            else 'its file name has no suffix')
    return mesh_formats()[suffix]


def mesh_writers() -> Mapping[str, Callable[[Array], bytes]]:
    """Return the writers of formats that meshes are written in, by suffix without the dot."""
    return {suffix[1:]: each.write for suffix, each in mesh_formats().items() if each.write}


def check_indices(faces: Indices, vertices: int) -> None:
    """
    Check that faces refer to existing vertices only.

    :raises MeshError: one does not.
    """
    if len(faces) and not 0 <= faces.min() <= faces.max() < vertices:
        wrong = faces.max() if faces.min() >= 0 else faces.min()
        raise MeshError(f'a face refers to vertex {wrong}, but there are {vertices}')


def numbers(text: str | bytes, what: str, kind: Any = float) -> Any:
    """
    Return the numbers in a text, separated by white space, shape (N,).

    :param what: what they are, for the message.
    :raises MeshError: there is something else.
    """
    with warnings.catch_warnings():
        warnings.simplefilter('error')  # Numpy warns where a text is not a number.
        try:
            return np.fromstring(text, dtype=kind, sep=' ')
        except (DeprecationWarning, ValueError, OverflowError) as error:
            raise MeshError(f'its {what} contain something that is not a number') from error


def blocks(data: bytes, end: bytes) -> Iterator[bytes]:
    """Yield a text in blocks of some megabytes, each ending with a separator."""
    start = 0
    while start < len(data):
        stop = data.find(end, start + _BLOCK)
        stop = len(data) if stop < 0 else stop + len(end)
        yield data[start:stop]
        start = stop


def fan(counts: Indices) -> Indices:
    """
    Return the triangles of polygons, each as a fan around its first corner.

    :param counts: number of corners of each polygon, shape (P,).
    :returns: positions in the list of the corners of all polygons, shape (T, 3).
    """
    starts = np.cumsum(counts) - counts
    triangles = np.maximum(counts - 2, 0)
    first = np.repeat(starts, triangles)
    within = np.arange(len(first)) - np.repeat(np.cumsum(triangles) - triangles, triangles)
    return np.stack([first, first + within + 1, first + within + 2], axis=1)


def strip(corners: Indices) -> Indices:
    """Return the triangles of a strip, every second one flipped, shape (T, 3)."""
    triangles = np.stack([corners[:-2], corners[1:-1], corners[2:]], axis=1)
    triangles[1::2] = triangles[1::2, [1, 0, 2]]
    return triangles
