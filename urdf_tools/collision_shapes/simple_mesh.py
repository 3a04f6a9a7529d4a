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

"""Meshes of few triangles that look like a surface."""

from __future__ import annotations

import numpy as np

from urdf_tools.collision_shapes.solid_shapes import shell
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.collision_shapes.triangle_surface import Surface
from urdf_tools.meshes.mesh_record import merge_corners
from urdf_tools.meshes.moments import triangle_areas

MOST_FACES = 1000
"""Most faces of a collision mesh, as the rule ``collision-mesh-heavy`` has it."""

_LEAST_AREA = 1e-12
"""Area in m^2 of a triangle up to which it is none."""


def simple_mesh(surface: Surface) -> Solid | None:
    """
    Return a surface as a mesh of at most :data:`MOST_FACES` triangles.

    None if it has more, and fast-simplification is not installed or cannot do with less.
    """
    triangles = surface.triangles[triangle_areas(surface.triangles) > _LEAST_AREA]
    if len(triangles) > MOST_FACES:
        try:
            from fast_simplification import simplify
        except ImportError:
            return None
        points, faces = merge_corners(triangles)
        points, faces = simplify(
            points.astype(np.float32), faces.astype(np.int32), target_count=MOST_FACES, agg=3)
        triangles = points.astype(float)[faces]
        triangles = triangles[triangle_areas(triangles) > _LEAST_AREA]
    if not 0 < len(triangles) <= MOST_FACES:
        return None
    return shell(triangles)
