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
"""Descriptions in a folder: which files describe a robot, and which others include."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import cached_property
from itertools import islice
import os
from pathlib import Path
import re
from typing import NamedTuple

from urdf_tools.check.schema import TABLES
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.files import real_path
from urdf_tools.model.grouping import grouped
from urdf_tools.model.package_lookup import IGNORE_MARKERS
from urdf_tools.model.package_lookup import is_manifest
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.xacro.text import is_xacro

_FIND = re.compile(r'\$\(find\s+([^\s)]+)\s*\)(/.*)')
_SUBSTITUTION = re.compile(r'\$\{[^}]*\}|\$\([^)]*\)')
_ANY = '${}'
_MISSING = '\0'

_OF_PARTS = frozenset(('material', 'gazebo', 'transmission'))
"""The elements of a part of a description that xacro has expanded by itself."""

_INSTANTIATING = frozenset(('link', 'joint', 'xacro:call', 'xacro:insert_block'))
_DEFINING = frozenset(TABLES['elements that define'])
_CONDITIONAL = frozenset(('xacro:if', 'xacro:unless'))

Tag = Element | Node
"""An element of well-formed or incomplete XML."""


def is_semantic(path: str) -> bool:
    """Return whether a file is a semantic description (SRDF), which also has a root <robot>."""
    return '.srdf' in os.path.basename(path).lower()


class Include(NamedTuple):
    """
    A file that is included.

    :ivar end: the absolute path, or the end of it that is known. ``${}`` is a part of a name that
        only xacro can resolve: it may be any of the matching files.
    :ivar package: the package whose folder the end begins in; empty if it is not known, None if
        nothing is before the end.
    """

    end: str
    package: str | None


class DescriptionFile:
    """
    A file that may describe a robot, as far as its text shows; nothing is evaluated.

    :param path: its path.
    :param root: returns its outermost element, or None; called on first use.
    :param is_xacro: whether it must be expanded by xacro.
    :param has_includes: whether its text may include other files.
    """

    def __init__(self, path: str, root: Callable[[], Tag | None], is_xacro: bool,
                 has_includes: bool = True):
        self.is_xacro = is_xacro
        self._path = os.path.abspath(path)
        self._root = root
        self._has_includes = has_includes

    @cached_property
    def is_robot(self) -> bool:
        """Whether its outermost element is ``<robot>``, and that not in SRDF."""
        root = self._root()
        return root is not None and root.tag == 'robot' and not is_semantic(self._path)

    @cached_property
    def is_named(self) -> bool:
        """Whether its outermost element has a name."""
        root = self._root()
        return root is not None and root.get('name', _MISSING) != _MISSING

    @cached_property
    def instantiates(self) -> bool:
        """Whether it contains more than definitions for other files."""
        pending = self._outermost()
        while pending:
            element = pending.pop()
            if element.tag in _CONDITIONAL:
                pending.extend(element)
            elif element.tag in _INSTANTIATING or (
                    element.tag.startswith('xacro:') and element.tag not in _DEFINING):
                return True
        return False

    @cached_property
    def tags(self) -> frozenset[str]:
        """The tags of the elements in ``<robot>``."""
        return frozenset(element.tag for element in self._outermost())

    @cached_property
    def macros(self) -> frozenset[str]:
        """The names of the macros that it defines."""
        return frozenset(element.get('name', '') for element in self._outermost()
                         if element.tag == 'xacro:macro')

    @cached_property
    def is_wrapper(self) -> bool:
        """Whether it contains only includes, and arguments and properties for them."""
        return 'xacro:include' in self.tags and (
            self.tags <= {'xacro:include', 'xacro:arg', 'xacro:property'})

    @cached_property
    def needs_a_parent(self) -> bool:
        """Whether all of its links are descendants of one that only another file can define."""
        root = self._root()
        parts = [*(root if root is not None else ())]
        for element in parts:
            if element.tag in ('xacro:if', 'xacro:unless'):
                parts += element
        if root is None or self.includes or any(
                element.tag.startswith('xacro:') and element.tag not in _DEFINING | _CONDITIONAL
                for element in parts):
            return False
        links = {element.get('name', '') for element in parts if element.tag == 'link'}
        ends = [{end.get('link', '') for joint in parts if joint.tag == 'joint'
                 for end in joint if end.tag == tag} for tag in ('parent', 'child')]
        return links <= ends[1] and not ends[0] <= links

    @cached_property
    def includes(self) -> tuple[Include, ...]:
        """The files that it includes, as far as the text shows."""
        root = self._root() if self._has_includes else None
        return () if root is None else tuple(
            include for each in (root.descendants() if isinstance(root, Node) else root.iter())
            if each.tag == 'xacro:include' and (include := _include(
                os.path.dirname(self._path), each.get('filename', ''))) is not None)

    def _outermost(self) -> list[Tag]:
        root = self._root()
        return [] if root is None else [*root]


def _include(folder: str, name: str) -> Include | None:
    if match := _FIND.fullmatch(name):
        return Include(os.path.normpath(_SUBSTITUTION.sub(_ANY, match[2])), match[1])
    # The value of a substitution or an expression is not known here.
    end = name[max(name.rfind(')'), name.rfind('}')) + 1:]
    if '$' in name and end.startswith('/'):
        return Include(os.path.normpath(end), '')
    path = _SUBSTITUTION.sub(_ANY, name)
    return None if path == _ANY else Include(os.path.normpath(os.path.join(folder, path)), None)


class IncludeGraph:
    """
    Which of some files include which others.

    A URDF file is a root if it has a ``<robot>``. A xacro file is one if it names its robot, no
    other of the files includes it, it or what it includes has more than definitions, and not all
    of its links are below a link that it does not have.

    :ivar files: the files by path.
    """

    def __init__(self, files: Mapping[str, DescriptionFile]):
        self.files = files
        self._paths = {os.path.abspath(path): path for path in files}
        self._of_name = grouped((os.path.basename(path), path) for path in self._paths)
        edges = [(path, inner, include) for path, file in files.items()
                 for include in file.includes for each in self._fitting(include)
                 for inner in self._found(each, os.path.abspath(path))]
        certain = [edge for edge in edges if _ANY not in edge[2].end]
        self._included = grouped((path, inner) for path, inner, _ in certain)
        self._including = grouped((inner, path) for path, inner, _ in certain)
        self._perhaps_included = grouped((path, inner) for path, inner, _ in edges)
        self._perhaps_including = grouped((inner, path) for path, inner, _ in edges)

    def is_root(self, path: str) -> bool:
        """Return whether a file describes a robot by itself."""
        file = self.files[path]
        if not (file.is_robot and file.is_xacro):
            return file.is_robot and not (file.tags and file.tags <= _OF_PARTS)
        return (
            (file.is_named or file.is_wrapper and path.endswith('.urdf.xacro'))
            and path not in self._including and not file.needs_a_parent
            and (file.is_wrapper and path not in self._included or any(
                inner.instantiates or not inner.macros.isdisjoint(file.tags)
                for inner in map(self.files.__getitem__, _reached(path, self._included)))))

    def roots_of(self, path: str) -> list[str]:
        """Return the roots that a file belongs to: itself, or the roots that include it."""
        return [outer for outer in _reached(path, self._including) if self.is_root(outer)]

    def outermost(self, path: str) -> list[str]:
        """Return the roots that a file may belong to, and files that no other file includes."""
        return [outer for outer in _reached(path, self._perhaps_including)
                if outer not in self._perhaps_including or self.is_root(outer)]

    def parts_of(self, path: str) -> list[str]:
        """Return a file and the files that it includes or may include."""
        return _reached(path, self._perhaps_included)

    def _fitting(self, include: Include) -> list[Include]:
        """Return an include, or those that one with expressions in its name may be."""
        if _ANY not in include.end:
            return [include]
        start = r'\A' if include.package is None else ''
        pattern = re.compile(start + '[^/]*'.join(map(re.escape, include.end.split(_ANY))) + r'\Z')
        ends = {match[0] for path in self._paths if (match := pattern.search(path))}
        return [Include(end, include.package) for end in sorted(ends)]

    def _found(self, include: Include, including: str) -> list[str]:
        """Return the files that an include may refer to; of copies of a package, the nearest."""
        if include.package is None:
            # An installed file may be a symbolic link to the one that is edited.
            names = (include.end, real_path(include.end))
            return [self._paths[name] for name in names if name in self._paths][:1]
        ending = [path for path in self._of_name.get(os.path.basename(include.end), ())
                  if path.endswith(include.end)]
        if not include.package:
            return [self._paths[path] for path in ending]
        above = {path: Path(path[:-len(include.end)] or '/') for path in ending}
        # Packages may install a folder elsewhere, such as description/urdf as urdf.
        found = [path for path in ending if include.package in (
            above[path].name, package_name(above[path]))] or [
                path for path in ending
                if package_name(project_folder(Path(path))) == include.package]
        shared = {path: len(os.path.commonpath((path, including))) for path in found}
        return [self._paths[path] for path in found if shared[path] == max(shared.values())]


def _reached(path: str, edges: Mapping[str, Iterable[str]]) -> list[str]:
    """Return a file and the files reachable from it along edges, the nearest first."""
    found = {path: None}
    pending = [path]
    for file in pending:
        new = [other for other in edges.get(file, ()) if other not in found]
        found.update(dict.fromkeys(new))
        pending.extend(dict.fromkeys(new))
    return list(found)


class Descriptions(NamedTuple):
    """
    The descriptions in a folder, sorted by path.

    :param roots: files that describe a robot, and those that cannot be parsed.
    :param parts: xacro files that only define macros and properties, or that others include.
    :param unreadable: folders that cannot be read.
    :param plain: those of the roots that xacro does not expand.
    :param semantic: SRDF files.
    :param manifests: the files package.xml.
    """

    roots: tuple[str, ...]
    parts: tuple[str, ...]
    unreadable: tuple[str, ...] = ()
    plain: frozenset[str] = frozenset()
    semantic: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()


def find_descriptions(folder: str | os.PathLike[str]) -> Descriptions:
    """Find the URDF and xacro files in a folder, classified by :class:`IncludeGraph`."""
    unreadable: list[str] = []
    paths = [*searched_files(
        os.fspath(folder), lambda error: unreadable.append(str(error.filename)))]
    semantic = [path for path in paths if path.endswith(('.srdf', '.srdf.xacro'))
                and (os.path.isfile(path) or not os.path.exists(path))]
    read = {path: _read(path) for path in sorted({
        *semantic, *filter(is_description_file, paths)})}
    files = {path: file for path, (file, _) in read.items()}
    graph = IncludeGraph(files)
    roots = [path for path, (_, is_broken) in read.items() if path not in semantic and (
        is_broken or graph.is_root(path))]
    return Descriptions(
        tuple(roots), tuple(path for path, file in files.items() if file.is_xacro
                            and path not in {*roots, *semantic}), tuple(sorted(unreadable)),
        frozenset(os.path.normpath(path) for path in roots if not files[path].is_xacro),
        tuple(os.path.normpath(path) for path in semantic if path in graph.outermost(path)),
        tuple(map(os.path.normpath, filter(is_manifest, paths))))


def is_description_file(path: str) -> bool:
    """Return whether a path is that of a URDF or xacro file."""
    # Reading a pipe would block forever. A broken symbolic link is a finding.
    return path.lower().endswith(('.urdf', '.xacro', '.urdf.xml')) and not is_semantic(path) and (
        os.path.isfile(path) or not os.path.exists(path))


def searched_files(folder: str, on_error: Callable[[OSError], object] | None = None,
                   most_folders: int | None = None) -> Iterator[str]:
    """
    Yield all files in a folder, without hidden folders and those that colcon writes or ignores.

    The folder itself is searched in any case, as it was named.

    :param on_error: called with the error of each folder that cannot be read.
    :param most_folders: maximum number of folders to search.
    """
    for path, folders, files in islice(os.walk(folder, onerror=on_error), most_folders):
        if path != folder and IGNORE_MARKERS.intersection(files):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        for name in sorted(files):
            yield os.path.join(path, name)


def editable_path(path: str, folders: Iterable[str]) -> str | None:
    """
    Return the path under which a file may be edited, or None if it may not.

    What is in one of the folders may be edited, unless :func:`searched_files` leaves it out,
    such as a copy that a build has installed. If it has installed a symbolic link, the file that
    the link leads to counts; a link that leads out of the folder may not be edited.

    :param folders: absolute paths of the folders being worked on.
    """
    real = Path(real_path(path))
    return next((name for name in (str(real), os.path.abspath(path)) for folder in folders
                 if _is_searched(name, folder)
                 and real.is_relative_to(real_path(folder))), None)


def _is_searched(path: str, folder: str) -> bool:
    """Return whether a search of a folder finds a path."""
    if not Path(path).is_relative_to(folder):
        return False
    names = Path(path).relative_to(folder).parts[:-1]
    return not any(name.startswith('.') for name in names) and not any(
        os.path.exists(Path(folder, *names[:depth], marker))
        for depth in range(1, len(names) + 1) for marker in IGNORE_MARKERS)


def _read(path: str) -> tuple[DescriptionFile, bool]:
    """Return the parsed file, and whether parsing failed."""
    data = b''
    try:
        data = read_file(path)
        root = read_document(data, path).root
        return DescriptionFile(path, lambda: root, is_xacro(path, data)), False
    except DescriptionError:
        text = data.decode('utf-8', 'replace')
        return DescriptionFile(path, lambda: SyntaxTree(text).root, is_xacro(path, data)), True
