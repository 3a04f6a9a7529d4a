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

"""Collision shapes as elements to write, and the mesh files that they name."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
import itertools
from pathlib import Path
from typing import NamedTuple

from urdf_tools.collision.round_numbers import angles_of
from urdf_tools.collision.solid_shapes import Hull
from urdf_tools.collision.solid_shapes import Shell
from urdf_tools.collision.solid_shapes import Solid
from urdf_tools.meshes.formats import mesh_writers
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Sphere
from urdf_tools.model.replacement import number
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element
from urdf_tools.types import Array

_DECIMALS = 7

_SHAPES = ('visual', 'collision')


class MeshPlace(NamedTuple):
    """
    The location of new meshes of a link.

    :ivar uri: the URI of the folder with a slash at the end, or nothing.
    :ivar stem: how the names of the files begin.
    :ivar suffix: without the dot, of a format that is written.
    """

    uri: str
    folder: Path
    stem: str
    suffix: str

    def path(self, kind: str, taken: Collection[Path]) -> Path:
        """Return the next file for a kind of shape."""
        return next(path for count in itertools.count(1) if (
            path := self.folder / f'{self.stem}_{kind}{count}.{self.suffix}') not in taken)


def collision_tags(solids: Sequence[Solid], place: MeshPlace | None, has_capsules: bool,
                   taken: Collection[Path] = ()) -> tuple[list[Tag], dict[Path, bytes]]:
    """
    Return the collision elements for shapes, and the content of each mesh.

    :param place: where meshes go, if there are some.
    :param has_capsules: without, a capsule is a cylinder with two spheres.
    :param taken: files of other links.
    """
    tags = []
    meshes: dict[Path, bytes] = {}
    for solid in _written(solids, has_capsules):
        if not isinstance(solid.shape, (Hull, Shell)):
            tags.append(_tag(solid))
            continue
        assert place is not None
        path = place.path(solid.kind, {*meshes, *taken})
        meshes[path] = mesh_writers()[place.suffix](solid.shape.surface.triangles)
        tags.append(_collision('mesh', {'filename': place.uri + path.name}))
    return tags, meshes


def _written(solids: Sequence[Solid], has_capsules: bool) -> Iterator[Solid]:
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
    assert not isinstance(shape, (Hull, Shell))
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


def collision_changes(link: Element, tags: Sequence[Tag]) -> Iterator[AnyChange]:
    """Yield the changes that replace the collisions of a link; comments stay."""
    added: list[Tag] = []
    for old, new in itertools.zip_longest(link.findall('collision'), tags):
        if new is None:
            yield ReplaceElement(old, None)
        elif old is None:
            added.append(new)
        else:
            named = replace(new, attributes={'name': old.get('name')}) if old.get('name') else new
            if not matches(old, named):
                yield ReplaceElement(old, named)
    if added:
        yield AddElements(link, tuple(added), _after_shapes(link))


def _after_shapes(link: Element) -> Element | None:
    """Return the first child after the visuals and collisions, or None where they are last."""
    children = list(link)
    last = max((index for index, child in enumerate(children) if child.tag in _SHAPES),
               default=len(children) - 1)
    return children[last + 1] if last + 1 < len(children) else None


def matches(element: Element, tag: Tag) -> bool:
    """Return whether an element already has the content of a tag."""
    return (element.tag == tag.name and dict(element.attrib) == dict(tag.attributes)
            and len(element) == len(tag.children) and all(map(matches, element, tag.children)))
