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

"""Binary meshes of MuJoCo, which older models have."""

from __future__ import annotations

import numpy as np

from urdf_tools.meshes.formats import check_indices
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats import MeshFormat
from urdf_tools.meshes.limits import MeshError
from urdf_tools.types import Array

_HEADER = 16


def read_msh(file: MeshFile) -> Array:
    """
    Return the triangles of a file, shape (T, 3, 3), in single precision.

    :raises MeshError: it has another size than its numbers of vertices, normals, texture
        coordinates and faces say, or a face of other vertices.
    """
    counts = np.frombuffer(file.data[:_HEADER].ljust(_HEADER, b'\xff'), '<i4').tolist()
    size = _HEADER + int(np.dot(counts, (12, 12, 8, 12)))
    if min(counts) < 0 or size != len(file.data):
        raise MeshError('its size is not the one that its header announces')
    file.count_triangles(counts[3])
    vertices = np.frombuffer(file.data, '<f4', 3 * counts[0], _HEADER).reshape(-1, 3)
    faces = np.frombuffer(file.data, '<i4', 3 * counts[3], size - 12 * counts[3]).reshape(-1, 3)
    check_indices(faces, len(vertices))
    corners: Array = vertices[faces]
    return corners


FORMAT = MeshFormat(('.msh',), read_msh, has_materials=False)
