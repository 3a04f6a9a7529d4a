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

"""Descriptions in a folder: which files describe a robot, and which only have macros."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
import os
from pathlib import Path
import re
from typing import NamedTuple

from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.document import read_file
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.packages import IGNORE_MARKERS
from urdf_tools.model.packages import package_name
from urdf_tools.model.xacro_roots import is_macro_only

_FIND = re.compile(r'\$\(find\s+([^\s)]+)\s*\)(/.*)')


@dataclass(frozen=True)
class Descriptions:
    """
    The descriptions in a folder, sorted by path.

    :param roots: files that describe a robot, and those that cannot be parsed.
    :param parts: xacro files that only define macros and properties, or that others include.
    :param unreadable: folders that cannot be read.
    """

    roots: tuple[str, ...]
    parts: tuple[str, ...]
    unreadable: tuple[str, ...] = ()


def find_descriptions(folder: str | os.PathLike[str]) -> Descriptions:
    """
    Find the URDF and xacro files in a folder.

    Hidden folders and those that colcon writes or ignores are left out, and what is no regular
    file. A xacro file is a description if it names its robot, has more than definitions, and no
    other file includes it.
    """
    unreadable: list[str] = []
    files = {path: _parsed(path) for path in sorted(_files(folder, unreadable))}
    included: dict[str, list[_Include]] = {}
    for path, document in files.items():
        if document is not None:
            for include in _includes(path, document):
                included.setdefault(os.path.basename(include.end), []).append(include)
    roots, parts = [], []
    for path, document in files.items():
        if document is not None and path.lower().endswith('.xacro') and (
                not _describes(document)
                or _is_one_of(path, included.get(os.path.basename(path), ()))):
            parts.append(path)
        elif document is None or document.root.tag == 'robot':
            roots.append(path)
    return Descriptions(tuple(roots), tuple(parts), tuple(sorted(unreadable)))


def _files(folder: str | os.PathLike[str], unreadable: list[str]) -> Iterator[str]:
    """Yield the files that may be descriptions, and add the folders that cannot be read."""
    def is_unreadable(error: OSError) -> None:
        unreadable.append(str(error.filename))
    for path, folders, files in os.walk(folder, onerror=is_unreadable):
        if IGNORE_MARKERS.intersection(files):
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith('.')]
        for name in files:
            # Semantic descriptions (SRDF) have the root <robot>, too.
            if name.lower().endswith(('.urdf', '.xacro')) and '.srdf' not in name.lower():
                file = os.path.join(path, name)
                # Reading a pipe would wait for ever. A link to nothing is a finding.
                if os.path.isfile(file) or not os.path.exists(file):
                    yield file


def _parsed(path: str) -> Document | None:
    """Return the file as it is written; None if it cannot be parsed."""
    try:
        return read_document(read_file(path), path)
    except DescriptionError:
        return None


def _describes(document: Document) -> bool:
    root = document.root
    return root.tag == 'robot' and 'name' in root.attrib and not is_macro_only(
        root, attrgetter('tag'), iter)


class _Include(NamedTuple):
    """The end of the path of a file that is included, from the folder of a package if given."""

    package: str
    end: str


def _includes(path: str, document: Document) -> Iterator[_Include]:
    """Yield the files that a xacro file includes, as far as its text tells."""
    folder = os.path.dirname(os.path.abspath(path))
    for element in document.root.iter('xacro:include'):
        filename = element.get('filename', '')
        if match := _FIND.fullmatch(filename):
            yield _Include(match[1], os.path.normpath(match[2]))
        elif '$' not in filename:
            yield _Include('', os.path.normpath(os.path.join(folder, filename)))
        else:
            # What the substitution or expression stands for is not known here.
            end = filename[max(filename.rfind(')'), filename.rfind('}')) + 1:]
            if end.startswith('/'):
                yield _Include('', os.path.normpath(end))


def _is_one_of(path: str, includes: Iterable[_Include]) -> bool:
    """Tell whether a file is one of those that are included."""
    name = os.path.abspath(path)
    for include in includes:
        if name.endswith(include.end):
            folder = Path(name[:-len(include.end)] or '/')
            if not include.package or include.package in (folder.name, package_name(folder)):
                return True
    return False
