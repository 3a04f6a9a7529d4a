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

"""Attributes and mesh files as PyBullet reads them: ``UrdfParser.cpp``, ``UrdfFindMeshFile.h``."""

from __future__ import annotations

from functools import lru_cache
import os
from pathlib import Path
import re

from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.importers import pose_from

_NUMBER = re.compile(r'\s*([+-]?(?:(0x[\da-f]{1,250})|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|'
                     r'infinity|inf|nan))', re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def number(text: str) -> float:
    """Return the number at the start of a text; 0 if there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return 0.0
    return float.fromhex(match[1]) if match[2] else float(match[1])


@lru_cache(maxsize=4096)
def vector(text: str) -> Vector3 | None:
    """Return the first three numbers of a text; None if it has fewer."""
    words = text.split(' ')
    values = [number(word) for word in words if word]
    return (values[0], values[1], values[2]) if len(values) >= 3 else None


_NO_POSE = Pose()


def pose(parent: Element | None) -> Pose:
    """Return the ``<origin>`` of an element; what cannot be read is zero."""
    origin = None if parent is None else parent.find_tag('origin')
    if origin is None:
        return _NO_POSE
    xyz, rpy = (vector(origin.get(name, '')) or (0.0, 0.0, 0.0) for name in ('xyz', 'rpy'))
    return pose_from(xyz, rpy)


SUFFIXES = ('.dae', '.stl', '.obj', '.cdf', '.vtk')
"""The ends of the names of mesh files that it takes."""


def find_mesh(uri: str, context: Context) -> str | None:
    """
    Return the path of the file of a mesh, or None if it is not found.

    The name of a package is used as that of a folder, which is looked up in each folder above
    the description, whatever packages are installed. If the description is not a file, its meshes
    are assumed to exist.
    """
    if context.file is None:
        return uri if context.resolves(uri) else None
    path = uri
    for scheme in ('file://', 'package://', 'model://'):
        path = path.removeprefix(scheme)
    attempts = [f'{folder}/{path}' for folder in Path(os.path.abspath(context.file)).parents]
    if path.startswith('/'):
        attempts.insert(0, path)
    return next(filter(context.finds, attempts), None)


def is_empty(path: str, context: Context) -> bool:
    """Return whether nothing is read from a mesh file, such as text instead of triangles."""
    suffix = path[-4:].lower()
    if context.file is None or not context.reads_files or not os.access(path, os.R_OK):
        return False
    if suffix in ('.cdf', '.vtk'):
        return suffix == '.vtk'
    if suffix == '.dae':
        try:
            return not mesh_facts(Path(path)).faces
        except MeshError as error:
            return not error.limit
    with open(path, 'rb') as file:
        if suffix == '.obj':
            return not any(line.split(None, 1)[:1] == [b'f'] for line in file)
        head = file.read(84)
    count = int.from_bytes(head[80:], 'little', signed=True)
    return count == 0 or 84 + 50 * count != os.path.getsize(path)
