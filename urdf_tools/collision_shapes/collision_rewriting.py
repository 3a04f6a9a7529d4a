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

"""New ``<collision>`` elements in the text of a description, every other byte unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
import posixpath
import re

import numpy as np

from urdf_tools.collision_shapes.collision_proposal import CollisionProposal
from urdf_tools.collision_shapes.collision_proposal import LinkShapes
from urdf_tools.collision_shapes.round_numbers import angles_of
from urdf_tools.collision_shapes.solid_shapes import Hull
from urdf_tools.collision_shapes.solid_shapes import Solid
from urdf_tools.kinematics.transforms import Array
from urdf_tools.model.document import Document
from urdf_tools.model.editing import AddElements
from urdf_tools.model.editing import AnyChange
from urdf_tools.model.editing import changed
from urdf_tools.model.editing import RemoveElement
from urdf_tools.model.editing import ReplaceElement
from urdf_tools.model.editing import Tag
from urdf_tools.model.element import Element
from urdf_tools.model.record_tags import number
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Sphere

_DECIMALS = 7

_SHAPES = ('visual', 'collision')


@dataclass(frozen=True, eq=False)
class Rewriting:
    """
    The text of a description with new collision shapes, and the meshes that it names.

    :ivar meshes: the file of each new mesh to its content, binary STL.
    :ivar unclear: those of them that exist but were not collisions of the link before.
    """

    data: bytes
    meshes: Mapping[Path, bytes]
    unclear: tuple[Path, ...]


def rewrite_collisions(document: Document, proposal: CollisionProposal) -> Rewriting:
    """
    Return a description with the proposed collision shapes.

    A collision that says the same already is not touched; the name of one that is replaced stays.
    In URDF before 1.1 a capsule is a cylinder with two spheres.

    :raises DescriptionError: the encoding of the text is not based on ASCII.
    """
    elements = {link.get('name', ''): link for link in document.root.iterfind('link')}
    has_capsules = document.root.get('version', '1.0') not in ('', '1', '1.0')
    meshes: dict[Path, bytes] = {}
    unclear = []
    changes: list[AnyChange] = []
    for each in proposal.links:
        if each.chosen is None or each.is_kept:
            continue
        tags = []
        for solid in _written(each.chosen.solids, has_capsules):
            if isinstance(solid.shape, Hull):
                uri, path = _mesh_file(each, proposal.files, meshes)
                meshes[path] = stl(solid.shape.surface.triangles)
                if path.exists() and uri not in _mesh_uris(each):
                    unclear.append(path)
                tags.append(_collision('mesh', {'filename': uri}))
            else:
                tags.append(_tag(solid))
        changes += _changes(elements[each.link.name], tags)
    return Rewriting(changed(document, changes), meshes, tuple(unclear))


def stl(triangles: Array) -> bytes:
    """Return triangles, shape (T, 3, 3), as a binary STL file."""
    a, b, c = np.moveaxis(triangles, 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True).clip(min=1e-300)
    records = np.zeros(len(triangles), [
        ('normal', '<3f4'), ('corners', '<9f4'), ('attribute', '<u2')])
    records['normal'] = normals
    records['corners'] = triangles.reshape(-1, 9)
    return bytes(80) + len(triangles).to_bytes(4, 'little') + records.tobytes()


def _mesh_uris(each: LinkShapes) -> set[str]:
    return {shape.geometry.filename for shape in each.link.collisions
            if isinstance(shape.geometry, Mesh)}


def _mesh_file(
        each: LinkShapes, files: Mapping[str, Path], taken: Mapping[Path, bytes]
        ) -> tuple[str, Path]:
    """Return URI and path of a new mesh, beside the first visual one of the link."""
    visual = next(shape.geometry.filename for shape in each.link.visuals
                  if isinstance(shape.geometry, Mesh))
    folder, name = posixpath.split(visual)
    stem = re.sub(r'[^\w.-]', '_', each.link.name, flags=re.ASCII)
    count = 0
    while True:
        count += 1
        name = f'{stem}_hull{count}.stl'
        path = files[visual].with_name(name)
        if path not in taken:
            return posixpath.join(folder, name), path


def _written(solids: tuple[Solid, ...], has_capsules: bool) -> Iterator[Solid]:
    for solid in solids:
        if not isinstance(solid.shape, Capsule) or has_capsules:
            yield solid
            continue
        radius, length = solid.shape.radius, solid.shape.length
        if length > 0:
            yield replace(solid, shape=Cylinder(radius, length))
        for side in (-0.5, 0.5) if length > 0 else (0.0,):
            yield replace(solid, shape=Sphere(radius),
                          centre=solid.centre + side * length * solid.rotation[:, 2])


def _tag(solid: Solid) -> Tag:
    shape = solid.shape
    assert not isinstance(shape, Hull)
    attributes = ({'size': _numbers(shape.size)} if isinstance(shape, Box)
                  else {name: _numbers([value]) for name, value in vars(shape).items()})
    angles = angles_of(solid)
    origin = Tag('origin', {'xyz': _numbers(solid.centre), 'rpy': _numbers(angles)})
    is_moved = solid.centre.any() or any(angles)
    return _collision(solid.kind, attributes, [origin] if is_moved else [])


def _collision(shape: str, attributes: Mapping[str, str], origin: list[Tag] | None = None) -> Tag:
    return Tag('collision', {}, (*(origin or []), Tag('geometry', {}, (Tag(shape, attributes),))))


def _numbers(values: Array | list[float] | tuple[float, ...]) -> str:
    return ' '.join(number(round(float(value), _DECIMALS)) for value in values)


def _changes(link: Element, tags: list[Tag]) -> Iterator[AnyChange]:
    """Yield what makes the collisions of a link those."""
    added: list[Tag] = []
    for old, new in zip_longest(link.findall('collision'), tags):
        if new is None:
            yield RemoveElement(old)
        elif old is None:
            added.append(new)
        else:
            named = replace(new, attributes={'name': old.get('name')}) if old.get('name') else new
            if not _says(old, named):
                yield ReplaceElement(old, named)
    if added:
        yield AddElements(link, tuple(added), _after_shapes(link))


def _after_shapes(link: Element) -> Element | None:
    """Return the first child after the visuals and collisions, or None where they are last."""
    children = list(link)
    last = max(index for index, child in enumerate(children) if child.tag in _SHAPES)
    return children[last + 1] if last + 1 < len(children) else None


def _says(element: Element, tag: Tag) -> bool:
    return (element.tag == tag.name and dict(element.attrib) == dict(tag.attributes)
            and len(element) == len(tag.children) and all(map(_says, element, tag.children)))
