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
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
import os
from pathlib import Path
import re

from lsprotocol import types

from urdf_tools.lsp.caching_resolver import CachingResolver
from urdf_tools.lsp.name_roles import fits
from urdf_tools.lsp.name_roles import Kind
from urdf_tools.lsp.name_roles import Named
from urdf_tools.lsp.name_roles import named_attributes
from urdf_tools.lsp.syntax_tree import first_tag
from urdf_tools.lsp.syntax_tree import MAX_CHARACTERS
from urdf_tools.lsp.syntax_tree import SyntaxTree
from urdf_tools.lsp.text_positions import TextPositions
from urdf_tools.model.xacro_roots import is_macro_only

_MAX_CLOSURE = 200
_MAX_FILES = 500
_MAX_FOLDERS = 2000
_NOT_SOURCES = frozenset(('build', 'install', 'log', 'node_modules', '__pycache__'))

_FIND = re.compile(r'\$\(find(?:-pkg-share)?\s+([^\s()]+)\)')


class Source:
    """
    The text of a file, with what is computed from it once.

    :ivar path: the absolute path; for a buffer that has never been saved, its URI.
    :ivar version: the version of the buffer; None for a file on disk.
    """

    def __init__(self, path: str, text: str, version: int | None, encoding: str):
        self.path = path
        self.text = text
        self.version = version
        self.positions = TextPositions(text, encoding)

    @cached_property
    def tree(self) -> SyntaxTree:
        """The tags of the text."""
        return SyntaxTree(self.text)

    @cached_property
    def named(self) -> tuple[Named, ...]:
        """The attributes that hold names."""
        return tuple(named_attributes(self.tree))

    @property
    def is_xacro(self) -> bool:
        """Whether xacro has to expand it."""
        return self.path.lower().endswith('.xacro')

    @cached_property
    def included_names(self) -> tuple[str, ...]:
        """The files that it includes, as written."""
        if 'xacro:include' not in self.text:
            return ()
        return tuple(
            node.get('filename') for node in self.tree.nodes if node.name == 'xacro:include')

    @cached_property
    def is_description(self) -> bool:
        """Whether it is a robot description and not another XML file."""
        return self.path.lower().endswith(('.urdf', '.xacro')) or (
            first_tag(self.text) == 'robot')

    @cached_property
    def is_macro_only(self) -> bool:
        """Whether it only defines what other files use, as far as that can be seen."""
        root = self.tree.root
        return root is not None and is_macro_only(
            root.children, attrgetter('name'), attrgetter('children'))


class Project:
    """
    The files that a client has open, and those that they refer to.

    :ivar folders: the folders of the workspace.
    :ivar encoding: the unit in which the client counts characters.
    """

    def __init__(self) -> None:
        self.folders: list[str] = []
        self.encoding: str = types.PositionEncodingKind.Utf16
        self.open: dict[str, Source] = {}
        self._read: dict[str, tuple[tuple[int, int], Source]] = {}
        self._resolvers: dict[str, CachingResolver] = {}
        self._found: list[str] | None = None
        self.packages_of: Callable[[str], Mapping[str, str]] = lambda folder: {}
        """Returns the folders of packages that were given for a folder, by name."""

    def put(self, path: str, text: str, version: int | None) -> Source:
        """Set the text of an open buffer."""
        self.open[path] = Source(path, text, version, self.encoding)
        return self.open[path]

    def close(self, path: str) -> None:
        """Forget a buffer; from now on the file on disk counts."""
        self.open.pop(path, None)

    def forget_files(self) -> None:
        """Look packages, meshes and the files of the workspace up again."""
        self._resolvers.clear()
        self._found = None

    def source(self, path: str) -> Source | None:
        """Return an open buffer or a file on disk; None if it cannot be read or is too long."""
        if path in self.open:
            return self.open[path]
        try:
            status = os.stat(path)
            key = status.st_mtime_ns, status.st_size
            if path not in self._read or self._read[path][0] != key:
                if status.st_size > MAX_CHARACTERS or not os.path.isfile(path):
                    return None
                text = Path(path).read_bytes().decode('utf-8', 'replace')
                self._read[path] = key, Source(path, text, None, self.encoding)
        except (OSError, ValueError):
            return None
        return self._read[path][1]

    def resolver(self, source: Source) -> CachingResolver:
        """Return what finds the packages and files that a description refers to."""
        folder = os.path.dirname(source.path)
        if folder not in self._resolvers:
            self._resolvers[folder] = CachingResolver(
                folder or '.', self.packages_of(folder))
        return self._resolvers[folder]

    def included_path(self, source: Source, filename: str) -> str | None:
        """Return the file that an include names, or None if only xacro can tell."""
        packages = {}
        for name in _FIND.findall(filename):
            packages[name] = self.resolver(source).find_package(name)
            if packages[name] is None:
                return None
        path = _FIND.sub(lambda match: str(packages[match[1]]), filename)
        if not path or '$' in path or '\0' in path:
            return None
        return self.own_path(os.path.join(os.path.dirname(source.path), path))

    def own_path(self, path: str) -> str:
        """
        Return a path as the editor knows the file.

        An installed package may be a symbolic link to the sources that are edited.
        """
        path = os.path.normpath(path)
        if path in self.open:
            return path
        real = os.path.realpath(path)
        return real if self.is_own(real) else path

    def includes(self, source: Source) -> list[str]:
        """Return the files that a file includes, as far as that can be told."""
        paths = [self.included_path(source, name) for name in source.included_names]
        return [path for path in paths if path is not None]

    def closure(self, source: Source) -> list[Source]:
        """Return a file and what it includes, also indirectly."""
        found = {source.path: source}
        pending = [source]
        while pending and len(found) < _MAX_CLOSURE:
            for path in self.includes(pending.pop(0)):
                if path not in found:
                    included = self.source(path)
                    if included is not None:
                        found[path] = included
                        pending.append(included)
        return list(found.values())

    def roots(self, source: Source) -> list[Source]:
        """Return the files that are not macro-only and include a file, also indirectly."""
        including: dict[str, list[Source]] = {}
        for path in self.files():
            other = self.source(path)
            if other is not None:
                for included in self.includes(other):
                    including.setdefault(included, []).append(other)
        found = {source.path: source}
        pending = [source]
        while pending:
            for outer in including.get(pending.pop().path, ()):
                if outer.path not in found:
                    found[outer.path] = outer
                    pending.append(outer)
        return [outer for outer in found.values() if not outer.is_macro_only]

    def related(self, source: Source) -> list[Source]:
        """Return the files that may share names with one: itself first, then the others."""
        found = {other.path: other for other in self.closure(source)}
        if source.is_xacro:
            for root in self.roots(source):
                found.update((other.path, other) for other in self.closure(root))
        return list(found.values())

    def files(self) -> list[str]:
        """Return the xacro files of the workspace, at most so many as can be read quickly."""
        if self._found is None:
            self._found = list(_xacro_files(self.folders))
        return list(dict.fromkeys((
            *(path for path, source in self.open.items() if source.is_xacro), *self._found)))

    def is_own(self, path: str) -> bool:
        """Tell whether a file is open or in a folder of the workspace."""
        return path in self.open or any(
            path.startswith(os.path.join(folder, '')) for folder in self.folders)

    def definitions(self, source: Source, kind: Kind) -> list[tuple[Source, Named]]:
        """Return what defines names of a kind, in a file and in those that share its names."""
        return [(other, named) for other in self.related(source) for named in other.named
                if named.role.defines and fits(kind, named.role.kind)]


def _xacro_files(folders: Iterable[str]) -> Iterator[str]:
    found = folders_seen = 0
    for folder in folders:
        for path, inner, names in os.walk(folder):
            folders_seen += 1
            inner[:] = sorted(
                name for name in inner if name not in _NOT_SOURCES and not name.startswith('.'))
            for name in sorted(names):
                if name.lower().endswith('.xacro'):
                    yield os.path.join(path, name)
                    found += 1
            if found >= _MAX_FILES or folders_seen >= _MAX_FOLDERS:
                return
