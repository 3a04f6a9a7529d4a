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

"""Descriptions in a folder: which files describe a robot, and which of them may be edited."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from itertools import islice
import os
from typing import NamedTuple

from urdf_tools.check.workspace.include_graph import DescriptionFile
from urdf_tools.check.workspace.include_graph import IncludeGraph
from urdf_tools.check.workspace.include_graph import is_semantic
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.package_lookup import IGNORE_MARKERS
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.xacro.text import is_xacro


class Descriptions(NamedTuple):
    """
    The descriptions in a folder, sorted by path.

    :param roots: files that describe a robot, and those that cannot be parsed.
    :param parts: xacro files that only define macros and properties, or that others include.
    :param unreadable: folders that cannot be read.
    :param plain: those of the roots that xacro does not expand.
    :param semantic: SRDF files.
    """

    roots: tuple[str, ...]
    parts: tuple[str, ...]
    unreadable: tuple[str, ...] = ()
    plain: frozenset[str] = frozenset()
    semantic: tuple[str, ...] = ()


def find_descriptions(folder: str | os.PathLike[str]) -> Descriptions:
    """Find the URDF and xacro files in a folder, classified by :class:`IncludeGraph`."""
    unreadable: list[str] = []
    paths = [*searched_files(
        os.fspath(folder), lambda error: unreadable.append(str(error.filename)))]
    read = {path: _read(path) for path in sorted(filter(is_description_file, paths))}
    files = {path: file for path, (file, _) in read.items()}
    graph = IncludeGraph(files)
    roots = [path for path, (_, is_broken) in read.items() if is_broken or graph.is_root(path)]
    parts = [path for path, file in files.items() if file.is_xacro and path not in {*roots}]
    return Descriptions(
        tuple(roots), tuple(parts), tuple(sorted(unreadable)),
        frozenset(os.path.normpath(path) for path in roots if not files[path].is_xacro),
        tuple(os.path.normpath(path) for path in paths if path.endswith(('.srdf', '.srdf.xacro'))))


def is_description_file(path: str) -> bool:
    """Return whether a path is that of a URDF or xacro file."""
    # Reading a pipe would block forever. A broken symbolic link is a finding.
    return path.lower().endswith(('.urdf', '.xacro')) and not is_semantic(path) and (
        os.path.isfile(path) or not os.path.exists(path))


def searched_files(folder: str, on_error: Callable[[OSError], object] | None = None,
                   most_folders: int | None = None) -> Iterator[str]:
    """
    Yield all files in a folder, without hidden folders and those that colcon writes or ignores.

    :param on_error: called with the error of each folder that cannot be read.
    :param most_folders: maximum number of folders to search.
    """
    for path, folders, files in islice(os.walk(folder, onerror=on_error), most_folders):
        if IGNORE_MARKERS.intersection(files):
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
    the link leads to counts.

    :param folders: absolute paths of the folders being worked on.
    """
    names = dict.fromkeys((os.path.realpath(path), os.path.abspath(path)))
    return next((name for name in names for folder in folders if _is_searched(name, folder)), None)


def _is_searched(path: str, folder: str) -> bool:
    """Return whether a search of a folder finds a path."""
    above = os.path.dirname(path)
    while above.startswith(folder):
        if any(os.path.exists(os.path.join(above, marker)) for marker in IGNORE_MARKERS):
            return False
        if above == folder:
            return True
        if os.path.basename(above).startswith('.'):
            return False
        above = os.path.dirname(above)
    return False


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
