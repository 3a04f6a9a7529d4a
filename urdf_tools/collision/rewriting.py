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

"""New collision elements in a URDF or in the xacro files of a description."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
import itertools
from pathlib import Path
from pathlib import PurePosixPath
import re
from typing import NamedTuple

from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.collision.proposal import LinkShapes
from urdf_tools.collision.solids import angles_of
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.meshes.formats import mesh_writers
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.record_tags import number
from urdf_tools.model.shape_records import Box
from urdf_tools.model.shape_records import Capsule
from urdf_tools.model.shape_records import Cylinder
from urdf_tools.model.shape_records import Mesh
from urdf_tools.model.shape_records import Sphere
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.model.xml.source_documents import SourceDocuments
from urdf_tools.types import Array
from urdf_tools.xacro.arguments import argument_of

_DECIMALS = 7

_SHAPES = ('visual', 'collision')

MAX_STEM = 200
"""Most characters of a link in the name of its mesh; file systems allow 255 in all."""

_EXPRESSIONS = re.compile(r'\$\{[^}]*\}|\$\([^)]*\)')


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


@dataclass(frozen=True, eq=False)
class Rewriting:
    """
    The text of a description with new collision shapes, and the meshes that it names.

    :ivar texts: the new text of each file.
    :ivar meshes: the file of each new mesh to its content.
    :ivar unclear: those of them that exist but were not collisions of the link before.
    :ivar links: how many links have new collisions.
    :ivar left: what cannot be written, each with its place and the reason.
    """

    texts: Mapping[str, bytes]
    meshes: Mapping[Path, bytes]
    unclear: tuple[Path, ...]
    links: int
    left: tuple[str, ...] = ()


def rewrite_collisions(
        document: Document, proposal: CollisionProposal, mesh_format: str) -> Rewriting:
    """
    Return a description with the proposed collision shapes.

    A collision that says the same already is not touched; the name of one that is replaced stays.
    In URDF before 1.1 a capsule is a cylinder with two spheres.

    :param mesh_format: how meshes are written, ``stl`` or ``obj``.
    :raises DescriptionError: the encoding of the text is not based on ASCII.
    """
    elements = {link.get('name', ''): link for link in document.root.iterfind('link')}
    meshes: dict[Path, bytes] = {}
    unclear: list[Path] = []
    changes: list[AnyChange] = []
    new = [each for each in proposal.links if each.chosen is not None and not each.is_kept]
    for each in new:
        assert each.chosen is not None
        place = mesh_place(each, proposal.files, mesh_format)
        tags, files = collision_tags(each.chosen.solids, place, has_capsules(document), meshes)
        meshes |= files
        unclear += unclear_files(each, files)
        changes += collision_changes(elements[each.link.name], tags)
    return Rewriting(
        {document.source: changed(document, changes)}, meshes, tuple(unclear), len(new))


def has_capsules(document: Document) -> bool:
    """Return whether the version of a description has capsules."""
    return document.root.get('version', '1.0') not in ('', '1', '1.0')


def mesh_place(each: LinkShapes, files: Mapping[str, Path], mesh_format: str,
               name: str | None = None, filename: str | None = None) -> MeshPlace | None:
    """
    Return the location of new meshes of a link: beside the first visual one, if any.

    :param mesh_format: how they are written.
    :param name: the name that they get, instead of that of the link.
    :param filename: the URI of the visual mesh, instead of what it is.
    """
    for shape in each.link.visuals:
        if isinstance(shape.geometry, Mesh):
            uri = shape.geometry.filename if filename is None else filename
            stem = re.sub(r'[^\w.-]', '_', each.link.name if name is None else name,
                          flags=re.ASCII)[:MAX_STEM]
            folder = uri[:uri.rfind('/') + 1]
            return MeshPlace(folder, files[shape.geometry.filename].parent, stem, mesh_format)
    return None


def unclear_files(each: LinkShapes, meshes: Mapping[Path, bytes]) -> list[Path]:
    """Return the existing files that no collision of the link uses."""
    names = {shape.geometry.filename.rpartition('/')[2] for shape in each.link.collisions
             if isinstance(shape.geometry, Mesh)}
    return [path for path in meshes if path.exists() and path.name not in names]


class _NotWritten(Exception):
    """A link whose shapes cannot be written; the text says why."""


@dataclass(frozen=True, eq=False)
class _Instance:
    """A link created from a tag: its element, its source, and its proposed shapes."""

    element: Element
    source: ElementSource
    shapes: LinkShapes
    files: Mapping[str, Path]


def rewrite_sources(document: Document, proposal: CollisionProposal, mesh_format: str,
                    is_editable: Callable[[str], bool]) -> Rewriting:
    """
    Return the xacro files of a description with the proposed collision shapes.

    A link is written where its tag is, if all links that come from that tag get the same shapes,
    its collisions are in the tag itself, and its visual geometry depends on no argument.

    :param mesh_format: how meshes are written, ``stl`` or ``obj``.
    :param is_editable: returns whether a file may be changed.
    """
    assert document.xacro is not None
    sources = SourceDocuments({})
    edits: dict[str, list[Edit]] = {}
    meshes: dict[Path, bytes] = {}
    unclear: list[Path] = []
    left = []
    links = 0
    for location, instances in _by_source(document, proposal).items():
        if all(each.shapes.chosen is None or each.shapes.is_kept for each in instances):
            continue
        try:
            if not is_editable(location.file):
                raise _NotWritten('the file is outside the package')
            for each in instances:
                _require_constant(each, document.xacro)
            tags, files = _common(instances, mesh_format, has_capsules(document), meshes)
            changes = list(collision_changes(_source_link(sources, instances), tags))
            data = sources.data(location.file)
            edits.setdefault(location.file, []).extend(change.edit(data) for change in changes)
        except (_NotWritten, DescriptionError) as reason:
            names = ', '.join(each.shapes.link.name for each in instances)
            left.append(f'{location}: link {names}: not written, {reason}')
            continue
        links += len(instances)
        meshes |= files
        unclear += unclear_files(instances[0].shapes, files)
    return Rewriting(sources.edited(edits), meshes, tuple(unclear), links, tuple(left))


def _by_source(
        document: Document, proposal: CollisionProposal) -> dict[SourceLocation, list[_Instance]]:
    """Return the links by their source tag, including those without proposed shapes."""
    proposed = {each.link.name: each for each in proposal.links}
    return grouped(
        (element.origin.location, _Instance(element, element.origin, each, proposal.files))
        for element in document.root.iterfind('link') if element.origin is not None
        and (each := proposed.get(element.get('name', ''))) is not None)


def _common(instances: Sequence[_Instance], mesh_format: str, with_capsules: bool,
            taken: Mapping[Path, bytes]) -> tuple[list[Tag], dict[Path, bytes]]:
    """Return the collisions that all instances of a tag get, and their meshes."""
    written = []
    for each in instances:
        if each.shapes.chosen is None:
            raise _NotWritten(f'no shapes for {quote(each.shapes.link.name)}')
        written.append(collision_tags(
            each.shapes.chosen.solids, _place(each, mesh_format), with_capsules, taken))
    different = sum(each != written[0] for each in written)
    if different:
        raise _NotWritten(
            f'{different} of {count(len(written), "instance")} need other shapes than the first')
    return written[0]


def _place(each: _Instance, mesh_format: str) -> MeshPlace | None:
    """
    Return where new meshes go, with the expressions of the visual mesh in their URI.

    :raises _NotWritten: they would be named by a path of this machine.
    """
    mesh = each.element.find('visual/geometry/mesh[@filename]')
    if mesh is None or mesh.origin is None:
        return None
    written = mesh.origin.attribute('filename')
    raw = '' if written is None or mesh.origin.call is not each.source.call else written.raw
    folder, slash, _ = raw.rpartition('/')
    uri = folder + slash if folder.count('{') == folder.count('}') else ''
    uri = uri or mesh.attrib['filename']
    if uri.startswith(('/', 'file:')):
        raise _NotWritten(f'its meshes would be named by the absolute path {quote(uri, 80)}')
    # A name that is an expression differs between the calls of a macro; the visuals do not.
    name = _EXPRESSIONS.sub('', each.source.tag.raw['name']).strip('_-/. ')
    name = name or PurePosixPath(mesh.attrib['filename']).stem
    return mesh_place(each.shapes, each.files, mesh_format, name, uri)


def _source_link(sources: SourceDocuments, instances: Sequence[_Instance]) -> Element:
    """Return the tag that links come from, if their collisions are in it and nowhere else."""
    link = sources.element(instances[0].source.location)
    inside = [(child.line, child.column) for child in link.findall('collision')]
    for each in instances:
        made = [collision.origin for collision in each.element.findall('collision')]
        for source in made:
            if source is None or source.tag.parent is not each.source.tag:
                raise _NotWritten('its collision is written ' + (
                    'elsewhere' if source is None else f'at {source.location}'))
        if [source.location[1:] for source in made if source is not None] != inside:
            raise _NotWritten('its collisions depend on a condition')
    return link


def _require_constant(each: _Instance, files: XacroSources) -> None:
    """Check that the visual geometry of a link is the same for all arguments."""
    for visual in each.element.findall('visual'):
        for child in visual.iter():
            source = child.origin
            if child.tag in ('visual', 'material', 'color', 'texture') or source is None:
                continue
            if each.source.call is not None and source.call is not each.source.call:
                raise _NotWritten(f'its visual geometry is written at {source.location}')
            for name, value in source.tag.raw.items():
                # The folder of a mesh does not matter: it only selects a package.
                text = value.rpartition('/')[2] if name == 'filename' else value
                argument = argument_of(text, source.tag, files.properties)
                if argument:
                    raise _NotWritten(
                        f'its visual geometry depends on the argument {quote(argument)} '
                        f'at {source.location}')


def require_only_collisions(before: Document, after: Document) -> None:
    """
    Check that two expanded descriptions differ in collisions only.

    :raises DescriptionError: they do not.
    """
    if _without_collisions(before.root) != _without_collisions(after.root):
        raise DescriptionError(
            'The collisions cannot be written, as the change of the xacro files would change more',
            source=before.source)


def _without_collisions(element: Element) -> tuple[object, ...]:
    return (element.tag, dict(element.attrib), (element.text or '').strip(), tuple(
        _without_collisions(child) for child in element if child.tag != 'collision'))
