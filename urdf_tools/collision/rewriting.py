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
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
import itertools
from os.path import lexists
from pathlib import Path
from pathlib import PurePosixPath
import re

from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.collision.proposal import LinkShapes
from urdf_tools.collision.solids import angles_of
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Solid
from urdf_tools.meshes.formats import mesh_writers
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.replacement import number
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import child_after
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import SourceDocuments
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.types import Array
from urdf_tools.xacro.arguments import argument_of

_DECIMALS = 7
"""Decimals of written numbers."""

_MAX_STEM = 200
"""Maximum length of the name of a link in that of its mesh; file systems allow 255 in all."""

_EXPRESSIONS = re.compile(r'\$\{[^}]*\}|\$\([^)]*\)')


@dataclass(frozen=True, eq=False)
class Rewriting:
    """
    The text of a description with new collision shapes, and the meshes that it names.

    :ivar texts: the new text of each file.
    :ivar meshes: the file of each new mesh to its content.
    :ivar unclear: those of them that exist but were not collisions of the link before.
    :ivar links: how many links have new collisions.
    :ivar left: what cannot be written, each with its source location and the reason.
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
    writer = _Writer(document, proposal, mesh_format)
    changes: list[AnyChange] = []
    for each in proposal.links:
        if each.chosen is not None and not each.is_kept:
            tags, files = writer.tags(each)
            writer.add([each], files)
            changes += _changes(elements[each.link.name], tags)
    return writer.result({document.source: changed(document, changes)})


class _Writer:
    """
    Makes the collision elements of links, and collects their meshes.

    In URDF before 1.1, which has no capsules, a capsule is a cylinder with two spheres.

    :param mesh_format: how meshes are written, ``stl`` or ``obj``.
    """

    def __init__(self, document: Document, proposal: CollisionProposal, mesh_format: str):
        self._has_capsules = document.root.get('version', '1.0') not in ('', '1', '1.0')
        self._files = proposal.files
        self._format = mesh_format
        self._meshes: dict[Path, bytes] = {}
        self._unclear: list[Path] = []
        self._links = 0

    def tags(self, shapes: LinkShapes, name: str = '', filename: str = ''
             ) -> tuple[list[Tag], dict[Path, bytes]]:
        """
        Return the collision elements for the shapes of a link, and its meshes by their files.

        Meshes are written beside the first visual one.

        :param name: the name that they get, instead of that of the link.
        :param filename: the URI of the visual mesh, instead of what it is.
        """
        tags = []
        meshes: dict[Path, bytes] = {}
        for solid in self._written(shapes):
            if not isinstance(solid.shape, Hull):
                sizes = ({'size': solid.shape.size} if isinstance(solid.shape, Box)
                         else {key: [value] for key, value in vars(solid.shape).items()})
                tags.append(_tag(
                    solid.kind, {key: _numbers(value) for key, value in sizes.items()}, solid))
                continue
            visual = next(each.geometry.filename for each in shapes.link.visuals
                          if isinstance(each.geometry, Mesh))
            stem = re.sub(r'[^\w.-]', '_', name or shapes.link.name, flags=re.ASCII)[:_MAX_STEM]
            paths = (self._files[visual].parent / f'{stem}_{solid.kind}{index}.{self._format}'
                     for index in itertools.count(1))
            path = next(path for path in paths if path not in {*meshes, *self._meshes})
            meshes[path] = mesh_writers()[self._format](solid.shape.surface.triangles)
            folder = (filename or visual).rpartition('/')
            tags.append(_tag('mesh', {'filename': ''.join(folder[:2]) + path.name}))
        return tags, meshes

    def _written(self, shapes: LinkShapes) -> Iterator[Solid]:
        for solid in shapes.final:
            if not isinstance(solid.shape, Capsule) or self._has_capsules:
                yield solid
                continue
            radius, length = solid.shape.radius, solid.shape.length
            if length > 0:
                yield replace(solid, shape=Cylinder(radius, length))
            for side in (-0.5, 0.5) if length > 0 else (0.0,):
                yield replace(solid, shape=Sphere(radius),
                              centre=solid.centre + side * length * solid.rotation[:, 2])

    def add(self, links: Sequence[LinkShapes], meshes: Mapping[Path, bytes]) -> None:
        """Add links with the same new collisions, and their meshes."""
        names = {shape.geometry.filename.rpartition('/')[2] for shape in links[0].link.collisions
                 if isinstance(shape.geometry, Mesh)}
        self._unclear += (each for each in meshes if each.name not in names and lexists(each))
        self._meshes |= meshes
        self._links += len(links)

    def result(self, texts: Mapping[str, bytes], left: Iterable[str] = ()) -> Rewriting:
        """Return what is to be written."""
        return Rewriting(texts, self._meshes, tuple(self._unclear), self._links, tuple(left))


def _tag(kind: str, attributes: Mapping[str, str], solid: Solid | None = None) -> Tag:
    """Return a collision element, at the pose of a solid unless that is the frame of the link."""
    geometry = Tag('geometry', {}, (Tag(kind, attributes),))
    angles = (0.0, 0.0, 0.0) if solid is None else angles_of(solid)
    if solid is None or not (solid.centre.any() or any(angles)):
        return Tag('collision', {}, (geometry,))
    origin = Tag('origin', {'xyz': _numbers(solid.centre), 'rpy': _numbers(angles)})
    return Tag('collision', {}, (origin, geometry))


def _numbers(values: Array | Sequence[float]) -> str:
    return ' '.join(number(round(float(value), _DECIMALS)) for value in values)


def _changes(link: Element, tags: Sequence[Tag]) -> Iterator[AnyChange]:
    """Yield the changes that replace the collisions of a link; comments stay."""
    added: list[Tag] = []
    for old, new in itertools.zip_longest(link.findall('collision'), tags):
        if new is None:
            yield ReplaceElement(old, None)
        elif old is None:
            added.append(new)
        else:
            named = replace(new, attributes={'name': old.get('name')}) if old.get('name') else new
            if not _matches(old, named):
                yield ReplaceElement(old, named)
    if added:
        yield AddElements(link, tuple(added), child_after(link, ('visual', 'collision')))


def _matches(element: Element, tag: Tag) -> bool:
    """Return whether an element already has the content of a tag."""
    return (element.tag == tag.name and dict(element.attrib) == dict(tag.attributes)
            and len(element) == len(tag.children) and all(map(_matches, element, tag.children)))


class _NotWritten(Exception):
    """A link whose shapes cannot be written; the text says why."""


@dataclass(frozen=True, eq=False)
class _Instance:
    """A link created from a tag: its element, its source, and its proposed shapes."""

    element: Element
    source: ElementSource
    shapes: LinkShapes


def rewrite_sources(document: Document, proposal: CollisionProposal, mesh_format: str,
                    is_editable: Callable[[str], bool]) -> Rewriting:
    """
    Return the xacro files of a description with the proposed collision shapes.

    A link is written where its tag is, if all links that come from that tag get the same shapes,
    its collisions are in the tag itself, and its visual geometry depends on no argument.

    :param mesh_format: how meshes are written, ``stl`` or ``obj``.
    :param is_editable: returns whether a file may be changed.
    """
    xacro = document.xacro
    if xacro is None:
        raise ValueError('the description does not come from xacro')
    sources = SourceDocuments({})
    writer = _Writer(document, proposal, mesh_format)
    edits: dict[str, list[Edit]] = {}
    left = []
    for location, instances in _by_source(document, proposal).items():
        if all(each.shapes.chosen is None or each.shapes.is_kept for each in instances):
            continue
        try:
            if not is_editable(location.file):
                raise _NotWritten('the file is outside the package')
            for each in instances:
                _require_constant(each, xacro)
            tags, files = _common(writer, instances)
            changes = list(_changes(_source_link(sources, instances), tags))
            data = sources.data(location.file)
            edits.setdefault(location.file, []).extend(change.edit(data) for change in changes)
        except (_NotWritten, DescriptionError) as reason:
            names = ', '.join(each.shapes.link.name for each in instances)
            left.append(f'{location}: link {names}: not written, {reason}')
        else:
            writer.add([each.shapes for each in instances], files)
    return writer.result(sources.edited(edits), left)


def _by_source(
        document: Document, proposal: CollisionProposal) -> dict[SourceLocation, list[_Instance]]:
    """Return the links by their source tag, including those without proposed shapes."""
    proposed = {each.link.name: each for each in proposal.links}
    return grouped(
        (element.origin.location, _Instance(element, element.origin, each))
        for element in document.root.iterfind('link') if element.origin is not None
        and (each := proposed.get(element.get('name', ''))) is not None)


def _common(writer: _Writer, instances: Sequence[_Instance]
            ) -> tuple[list[Tag], dict[Path, bytes]]:
    """Return the collisions that all instances of a tag get, and their meshes."""
    written = []
    for each in instances:
        if each.shapes.chosen is None:
            raise _NotWritten(f'no shapes for {quote(each.shapes.link.name)}')
        written.append(writer.tags(each.shapes, *_mesh_names(each)))
    different = sum(each != written[0] for each in written)
    if different:
        raise _NotWritten(
            f'{different} of {count(len(written), "instance")} need other shapes than the first')
    return written[0]


def _mesh_names(each: _Instance) -> tuple[str, str]:
    """
    Return the name of new meshes, and the URI of the visual one with its expressions.

    :raises _NotWritten: they would be named by a path of this machine.
    """
    mesh = each.element.find('visual/geometry/mesh[@filename]')
    if mesh is None or mesh.origin is None:
        return '', ''
    written = mesh.origin.attribute('filename')
    raw = '' if written is None or mesh.origin.call is not each.source.call else written.raw
    folder, slash, _ = raw.rpartition('/')
    uri = folder + slash if folder.count('{') == folder.count('}') else ''
    uri = uri or mesh.attrib['filename']
    if uri.startswith(('/', 'file:')):
        raise _NotWritten(f'its meshes would be named by the absolute path {quote(uri, 80)}')
    # A name that is an expression differs between the calls of a macro; the visuals do not.
    name = _EXPRESSIONS.sub('', each.source.tag.raw['name']).strip('_-/. ')
    return name or PurePosixPath(mesh.attrib['filename']).stem, uri


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
