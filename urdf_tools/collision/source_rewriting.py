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

"""New ``<collision>`` elements in the xacro files of a description, once for each macro."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from pathlib import PurePosixPath
import re

from urdf_tools.collision.collision_proposal import CollisionProposal
from urdf_tools.collision.collision_proposal import LinkShapes
from urdf_tools.collision.collision_rewriting import has_capsules
from urdf_tools.collision.collision_rewriting import mesh_place
from urdf_tools.collision.collision_rewriting import Rewriting
from urdf_tools.collision.collision_rewriting import unclear_files
from urdf_tools.collision.collision_tags import collision_changes
from urdf_tools.collision.collision_tags import collision_tags
from urdf_tools.collision.collision_tags import MeshPlace
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.model.xml.source_documents import SourceDocuments
from urdf_tools.xacro.arguments import argument_of

_EXPRESSIONS = re.compile(r'\$\{[^}]*\}|\$\([^)]*\)')


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
