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

"""The boxes around the shapes of links."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping

import numpy as np

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.loaded_robot import readable_links
from urdf_tools.check.mesh_references import mesh_references
from urdf_tools.dynamics.solids import Primitive
from urdf_tools.model.pose import Pose
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Link

_NO_ROTATION = Pose().quaternion

_Y_UP_TO_Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])

Corners = tuple[list[float], list[float]]
"""The lowest and the highest corner of a box in metres; lists are faster than small arrays."""


@once
def link_boxes(description: Description) -> Mapping[str, tuple[Corners | None, ...]]:
    """
    Return the boxes around the collisions and around the visuals of each link, in its frame.

    A link without them has no box; the box is None if a shape cannot be read.
    A glTF file counts both as it is, as RViz and Gazebo show it, and with its y axis turned up, as
    Drake does.
    """
    return {link.name: tuple(box_around(description, shapes) for shapes in link_shape_sets(link))
            for link in readable_links(description)}


def link_shape_sets(link: Link) -> tuple[tuple[Visual | Collision, ...], ...]:
    """Return the collisions and the visuals of a link; nothing if one is malformed."""
    for shapes, tag in ((link.collisions, 'collision'), (link.visuals, 'visual')):
        if link.element is None or len(shapes) != len(link.element.findall(tag)):
            return ()
    return tuple(filter(None, (link.collisions, link.visuals)))


def is_gltf(geometry: Geometry) -> bool:
    """Return whether a shape is a glTF file."""
    return isinstance(geometry, Mesh) and (
        geometry.filename.strip().lower().endswith(('.glb', '.gltf')))


def box_around(description: Description, shapes: Iterable[Visual | Collision],
               which: int | None = None) -> Corners | None:
    """
    Return the box around shapes, or None if there are none or one cannot be read.

    :param which: the index of the only box to use of those that a shape may fill.
    """
    boxes: list[Corners] = []
    for shape in shapes:
        corners = extents(description, shape.geometry)
        if not corners:
            return None
        for low, high in corners if which is None else [corners[which]]:
            centre = [(least + most) / 2 for least, most in zip(low, high)]
            half = [(most - least) / 2 for least, most in zip(low, high)]
            if shape.origin.quaternion != _NO_ROTATION:
                centre = (shape.origin.rotation @ centre).tolist()
                half = (np.abs(shape.origin.rotation) @ half).tolist()
            centre = [x + offset for x, offset in zip(centre, shape.origin.xyz)]
            boxes.append(([x - size for x, size in zip(centre, half)],
                          [x + size for x, size in zip(centre, half)]))
    return around_boxes(boxes) if boxes else None


def around_boxes(boxes: Iterable[Corners]) -> Corners:
    lows, highs = zip(*boxes)
    return [min(column) for column in zip(*lows)], [max(column) for column in zip(*highs)]


def extents(description: Description, geometry: Geometry) -> list[Corners]:
    """Return the corners of the boxes that a shape may fill in its own frame; none if unknown."""
    if not isinstance(geometry, Mesh):
        half = _half_size(geometry)
        return [([-size for size in half], half)]
    facts = mesh_references(description).facts(geometry.filename)
    if facts is None:
        return []
    corners = np.array([facts.low, facts.high])
    boxes = [corners, corners @ _Y_UP_TO_Z_UP.T] if is_gltf(geometry) else [corners]
    scaled = [box * geometry.scale for box in boxes]
    return [(box.min(axis=0).tolist(), box.max(axis=0).tolist()) for box in scaled]


def _half_size(primitive: Primitive) -> list[float]:
    """Return half the size of a primitive along x, y and z."""
    if isinstance(primitive, Box):
        return [size / 2 for size in primitive.size]
    radius = primitive.radius
    if isinstance(primitive, Sphere):
        return [radius] * 3
    caps = radius if isinstance(primitive, Capsule) else 0.0
    return [radius, radius, primitive.length / 2 + caps]
