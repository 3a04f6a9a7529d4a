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

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
import re

from urdf_tools.collision.collision_proposal import CollisionProposal
from urdf_tools.collision.collision_proposal import LinkShapes
from urdf_tools.collision.collision_tags import collision_changes
from urdf_tools.collision.collision_tags import collision_tags
from urdf_tools.collision.collision_tags import MeshPlace
from urdf_tools.model.records import Mesh
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed


MAX_STEM = 200
"""Most characters of a link in the name of its mesh; file systems allow 255 in all."""


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
