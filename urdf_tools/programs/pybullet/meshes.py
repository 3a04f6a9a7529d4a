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

"""Where PyBullet looks for the file of a mesh: ``UrdfFindMeshFile.h``."""

from __future__ import annotations

import os
from pathlib import Path

from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.limits import MeshError
from urdf_tools.programs.accounts import Context

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
