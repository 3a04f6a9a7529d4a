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

"""The solids that the shapes of a link enclose, computed once for all rules."""

from __future__ import annotations

from urdf_tools.inertia import SpatialInertia
from urdf_tools.inertia.shapes import shape_inertia
from urdf_tools.inertia.shapes import ShapeError
from urdf_tools.model.robot import Link
from urdf_tools.model.shape_records import Collision
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Visual
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.mesh_references import MeshReferences


MAX_DENSITY = 25_000.0
"""In kg/m^3; osmium, the densest element, has 22,590."""

_MARKER_VOLUME = 1e-5


class LinkSolids:
    """The solids inside of the shapes of each link, at 1 kg/m^3."""

    def __init__(self, description: Description):
        self._meshes = description.cached(MeshReferences)
        self._solids: dict[str, tuple[SpatialInertia, ...]] = {}

    def __call__(self, link: Link) -> tuple[SpatialInertia, ...]:
        """
        Return the solids of the collisions and of the visuals, of which a link may lack either.

        There are none if a shape of the link is malformed, has no volume or cannot be read.
        """
        if link.name not in self._solids:
            try:
                self._solids[link.name] = tuple(
                    shape_inertia(shapes, self._meshes.resolve).inertia
                    for shapes in link_shape_sets(link) or ())
            except ShapeError:
                self._solids[link.name] = ()
        return self._solids[link.name]

    def is_marker(self, link: Link, mass: float) -> bool:
        """
        Return whether the shapes of a link only mark where it is, such as a sphere of 1 mm.

        They are primitives of at most 10 cm^3, and no material is dense enough for the mass.
        """
        solids = self(link)
        return bool(solids) and not any(
            isinstance(shape.geometry, Mesh) for shapes in link_shape_sets(link)
            for shape in shapes) and all(
            solid.mass <= _MARKER_VOLUME and mass > MAX_DENSITY * solid.mass for solid in solids)


def link_shape_sets(link: Link) -> tuple[tuple[Visual | Collision, ...], ...]:
    """Return the collisions and the visuals of a link; nothing if one is malformed."""
    for shapes, tag in ((link.collisions, 'collision'), (link.visuals, 'visual')):
        if link.element is None or len(shapes) != len(link.element.findall(tag)):
            return ()
    return tuple(filter(None, (link.collisions, link.visuals)))
