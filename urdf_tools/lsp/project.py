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

"""The files of a workspace: open buffers first, then what is on disk; nothing is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
import os
from pathlib import Path
import re
from typing import NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import Workspace

from urdf_tools.check.workspace.descriptions import editable_path
from urdf_tools.check.workspace.descriptions import IncludeGraph
from urdf_tools.check.workspace.descriptions import is_description_file
from urdf_tools.check.workspace.descriptions import is_semantic
from urdf_tools.check.workspace.descriptions import searched_files
from urdf_tools.lsp.source_text import Buffer
from urdf_tools.lsp.source_text import path_of
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import TextPositions
from urdf_tools.lsp.source_text import uri_of
from urdf_tools.lsp.specification import fits
from urdf_tools.lsp.specification import Kind
from urdf_tools.lsp.specification import SYMBOLS
from urdf_tools.lsp.symbol_uses import macro_name
from urdf_tools.lsp.symbol_uses import Use
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.package_lookup import MAX_PATH
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import CachingResolver
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.syntax_tree import MAX_CHARACTERS
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.xacro.text import SUFFIX

_MAX_CLOSURE = 200
_MAX_FILES = 2000
_MAX_FOLDERS = 10_000
_START = 4096

_MAY_BE_XACRO = re.compile(r'\.(xacro|urdf|srdf|sdf|world|gazebo|trans|xml)\b', re.IGNORECASE)

_FIND = re.compile(r'\$\(find(?:-pkg-share)?\s+([^\s()]+)\)')


class _Found(NamedTuple):
    """Files of the workspace; xacro files include those that are not robots, such as SRDF."""

    descriptions: list[str]
    semantic: list[str]
    xacro: list[str]


class Project:
    """
    The files that a client has open, and those that they refer to.

    :param workspace: the buffers and folders of the client.
    :ivar open: the texts of the buffers by path, as they are checked; see :meth:`update`.
    """

    def __init__(self, workspace: Workspace | None = None) -> None:
        self.workspace = workspace or Workspace(None)
        self.open: dict[str, Source] = {}
        self._read: dict[str, tuple[tuple[int, int], Source]] = {}
        self._graph = IncludeGraph({})
        self.packages_of: Callable[[str], Mapping[str, str]] = lambda folder: {}
        """Returns the folders of packages that were given for a folder, by name."""

        # Known until files change.
        self._found = cache(self._find)
        self._editable = cache(self._find_editable)
        self._resolver = cache(
            lambda folder: CachingResolver(ResourceResolver(
                folder or '.', packages=self.packages_of(folder))))

    @property
    def folders(self) -> list[str]:
        """The folders of the workspace."""
        paths = (to_fs_path(folder.uri) for folder in self.workspace.folders.values())
        return [os.path.normpath(path) for path in paths if path]

    def texts(self) -> dict[str, str]:
        """Return the texts of the open buffers by path."""
        return {source.path: source.text for source in list(self.open.values())}

    def update(self, uri: str) -> None:
        """Update the text of a changed buffer; a closed one is read from disk again."""
        path = path_of(uri)
        buffer = self.workspace.text_documents.get(unquote(uri))
        if buffer is None:
            self.open.pop(path, None)
            self._editable.cache_clear()
            return
        if not isinstance(buffer, Buffer):
            buffer = self.workspace.text_documents[unquote(uri)] = Buffer(buffer)
            self._editable.cache_clear()
        self.open[path] = Source(path, buffer.version, buffer.positions)

    def new_source(self, path: str, text: str) -> Source:
        """Return a new source that is not a buffer."""
        return Source(path, None, TextPositions(text, self.workspace.position_codec))

    def forget_files(self) -> None:
        """Forget packages, meshes and the files of the workspace, to look them up again."""
        for known in (self._found, self._editable, self._resolver):
            known.cache_clear()

    def source(self, path: str) -> Source | None:
        """Return an open buffer or a file on disk; None if it cannot be read or is too long."""
        if path in self.open:
            return self.open[path]
        try:
            status = os.stat(path)
            key = status.st_mtime_ns, status.st_size
            if path not in self._read or self._read[path][0] != key:
                if status.st_size > MAX_CHARACTERS:
                    return None
                text = read_regular_file(path, MAX_CHARACTERS).decode('utf-8', 'replace')
                self._read[path] = key, self.new_source(path, text)
        except (OSError, ValueError):
            return None
        return self._read[path][1]

    def resolver(self, source: Source) -> CachingResolver:
        """Return the resolver of the packages and files that a description refers to."""
        return self._resolver(os.path.dirname(source.path))

    def included_path(self, source: Source, filename: str) -> str | None:
        """Return the file that an include names, or None if only xacro knows, or there is none."""
        find = self.resolver(source).find_package
        path = _FIND.sub(lambda match: str(find(match[1]) or '$'), filename)
        if not path or '$' in path or '\0' in path or len(path) > MAX_PATH:
            return None
        return self.own_path(os.path.join(os.path.dirname(source.path), path))

    def own_path(self, path: str) -> str:
        """
        Return the path that the editor uses for a file.

        An installed package may be a symbolic link to the sources that are edited.
        """
        path = os.path.normpath(path)
        return path if path in self.open else self._editable(path) or path

    def location(self, found: SourceLocation) -> types.Location:
        """Return a location in a file as a location of the protocol."""
        path = self.own_path(found.file)
        source = self.source(path)
        position = types.Position(max(found.line - 1, 0), max(found.column - 1, 0))
        if source is not None:
            position = source.positions.position(
                source.positions.offset_of_line(found.line, found.column))
        return types.Location(uri_of(path), types.Range(position, position))

    def includes(self, source: Source) -> list[str]:
        """Return the files that a file includes, as far as they are known."""
        paths = [self.included_path(source, name) for name in source.included_names]
        return [path for path in paths if path is not None]

    def closure(self, source: Source) -> list[Source]:
        """Return a file and what it includes, also indirectly."""
        found = {source.path: source}
        pending = [source]
        while pending and len(found) < _MAX_CLOSURE:
            for path in self.includes(pending.pop(0)):
                if path not in found and (included := self.source(path)) is not None:
                    found[path] = included
                    pending.append(included)
        return list(found.values())

    def roots(self, source: Source) -> list[Source]:
        """
        Return the robots that a xacro file is a part of, which it may be itself.

        Without one it is taken for a robot, unless it only has definitions.
        """
        known = {source.path, *self.descriptions()}
        found = [root for path in self.include_graph(source).roots_of(source.path)
                 if path in known and (root := self.source(path)) is not None]
        return found or [source] * source.contents.instantiates

    def include_graph(self, source: Source) -> IncludeGraph:
        """Return which of a file and those of the workspace include which others."""
        files = {path: other.contents for path in self.files() if (other := self.source(path))}
        files[source.path] = source.contents
        if files != self._graph.files:
            self._graph = IncludeGraph(files)
        return self._graph

    def sharing(self, source: Source, kind: Kind) -> list[Source]:
        """
        Return the files that may share names of a kind with one: itself first, then the others.

        Symbols are shared by what xacro may read together with it.
        """
        found = self._expanded_with(source)
        if kind in SYMBOLS:
            return list(found.values())
        robots = {each.robot for each in found.values()} - {''}
        # Beside descriptions the SRDF of their robots, and beside SRDF the descriptions.
        for path in self.descriptions() if source.is_semantic else self._found().semantic:
            if (other := self.source(path)) is not None and other.robot in robots:
                found.update((part.path, part) for part in self.closure(other))
        return list(found.values())

    def _expanded_with(self, source: Source) -> dict[str, Source]:
        found = {other.path: other for other in self.closure(source)}
        graph = self.include_graph(source)
        for outer in graph.outermost(source.path):
            if (root := self.source(outer)) is not None:
                found.update((other.path, other) for other in self.closure(root))
            found.update((path, part) for path in graph.parts_of(outer)[:_MAX_CLOSURE]
                         if path not in found and (part := self.source(path)) is not None)
        return found

    def files(self) -> list[str]:
        """Return the xacro files of the workspace, at most as many as can be read quickly."""
        opened = (path for path, source in self.open.items() if source.is_xacro)
        return list(dict.fromkeys((*opened, *self._found().xacro)))

    def descriptions(self) -> list[str]:
        """Return the descriptions of the workspace, whether they are xacro or not."""
        return list(dict.fromkeys((*self.open, *self._found().descriptions)))

    def _find(self) -> _Found:
        searched = [path for folder in self.folders
                    for path in searched_files(folder, most_folders=_MAX_FOLDERS)]
        return _Found(*(list(islice(filter(is_wanted, searched), _MAX_FILES)) for is_wanted in (
            is_description_file, is_semantic, self._is_xacro)))

    def _is_xacro(self, path: str) -> bool:
        """Return whether a file is xacro, by its name or, if necessary, its text."""
        if path.lower().endswith(SUFFIX):
            return is_description_file(path) or is_semantic(path)
        with suppress(OSError):
            if _MAY_BE_XACRO.search(os.path.basename(path)) and (
                    b'xmlns:xacro' in read_regular_file(path, _START)):
                source = self.source(path)
                return source is not None and source.is_xacro
        return False

    def is_own(self, path: str) -> bool:
        """Return whether a file is open, or may be edited according to :func:`editable_path`."""
        return path in self.open or self._editable(path) is not None

    def _find_editable(self, path: str) -> str | None:
        return editable_path(path, [*self.folders, *(
            str(project_folder(Path(folder))) for folder in {*map(os.path.dirname, self.open)}
            if os.path.isabs(folder))])

    def macros(self, source: Source, tag: str) -> list[Node]:
        """Return the macros that a tag in a file may call."""
        name = macro_name(tag)
        return [node for node, use in self.defining(source, 'macro') if name and use.name == name]

    def defining(self, source: Source, kind: Kind) -> list[tuple[Node, Use]]:
        """Return the elements that define names of a kind, with the definitions."""
        return [(node, use) for other, use in self.definitions(source, kind)
                if (node := other.tree.tag_at(use.start)) is not None]

    def definitions(self, source: Source, kind: Kind) -> list[tuple[Source, Use]]:
        """Return the definitions of a kind, in a file and in those that share its names."""
        return [(other, use) for other in self.sharing(source, kind) for use in other.names.all
                if use.defines and fits(kind, use.kind)]
