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

"""The meshes of a robot: their files, and through trimesh their vertices and faces."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RobotMesh:
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

    @property
    def vertices(self) -> NDArray[np.float64]:
        """The vertices in metres in the frame of the link, shape (V, 3)."""
        points = self._read[0] * np.array(self.mesh.scale)
        origin = self.shape.origin.matrix
        moved: NDArray[np.float64] = points @ origin[:3, :3].T + origin[:3, 3]
        return moved

    @property
    def faces(self) -> NDArray[np.intp]:
        """The vertices of each triangle, shape (F, 3)."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """
        Return the vertices in metres as they are in the file, and the faces, read by trimesh.

        :raises FileNotFoundError: the file is not found.
        :raises ImportError: trimesh is not installed.
        """
        if self.path is None:
            raise FileNotFoundError(self.error)
        try:
            import trimesh
        except ImportError as error:
            raise ImportError(
                f'Reading {quote(self.path.name)} needs the Python package trimesh; install it '
                'with "pip install trimesh"') from error
        scene = trimesh.load_scene(self.path, process=False)
        mesh = scene.to_mesh()
        unit = trimesh.units.unit_conversion(scene.units, 'meters') if scene.units else 1.0
        return np.asarray(mesh.vertices, float) * unit, np.asarray(mesh.faces, np.intp)


def meshes_of(
        link: str, shapes: Iterable[Visual | Collision],
        resources: ResourceResolver) -> Iterator[RobotMesh]:
    """Yield the meshes of a link."""
    for shape in shapes:
        if isinstance(shape.geometry, Mesh):
            path, error = None, ''
            try:
                path = resources.resolve(shape.geometry.filename)
            except ResourceError as reason:
                error = str(reason)
            yield RobotMesh(link, shape, shape.geometry, path, error)
