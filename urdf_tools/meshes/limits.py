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

"""Limits on reading mesh files, which may be untrusted, and the error of a mesh."""

from __future__ import annotations

from dataclasses import dataclass

from urdf_tools.sandbox.limits import NamedLimits


@dataclass(frozen=True)
class MeshLimits(NamedLimits):
    """
    Resource limits for reading meshes; a mesh that exceeds one is not used.

    :ivar size: of a mesh file with all files that it refers to, in MB of 2^20 bytes.
    :ivar memory: address space of a process that reads meshes, in MB of 2^20 bytes.
    :ivar time: CPU time for one mesh, in seconds.
    :ivar triangles: number of triangles in one mesh.
    :ivar total_time: for all meshes of one description, in seconds.
    """

    size: float = 128
    memory: float = 1024
    time: float = 20
    triangles: float = 5_000_000
    total_time: float = 120

    units = {
        'size': 'MB', 'memory': 'MB', 'time': 's', 'triangles': 'triangles', 'total_time': 's'}


class MeshError(ValueError):
    """
    A mesh that cannot be used; the text says why.

    :ivar limit: the limit of :class:`MeshLimits` that it exceeds, or an empty string.
    """

    def __init__(self, text: str, limit: str = ''):
        self.limit = limit
        super().__init__(text)
