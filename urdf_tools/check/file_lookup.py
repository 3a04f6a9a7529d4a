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

"""The files that one description refers to, each looked up once, and those of its package."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import suppress
import fnmatch
from functools import cache
from glob import iglob
from itertools import chain
from itertools import islice
import os
from pathlib import Path
import re
from urllib.parse import unquote

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import is_manifest
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.xml.element_sources import text_of

MAX_FILES = 5000
"""Most files of one description that are looked up; a robot of 2,000 links has fewer."""

SUFFIXES = ('.urdf', '.xacro', '.xml', '.srdf')
"""What the name of a description ends with that has files beside it."""

_MAX_PACKAGE_FILES, _MAX_TEXT = 200, 2**18
"""Most files of a kind in a package that are read, and most bytes of each."""


class FileLookup:
    """
    Finds the files of one description, each URI once and only :data:`MAX_FILES` of them.

    :param resolve: returns the file of a URI, or raises :class:`ResourceError`.
    """

    def __init__(self, resolve: Callable[[str], Path]):
        self._resolve = resolve
        self._found: dict[str, Path | ResourceError] = {}

    def __call__(self, uri: str) -> Path:
        """
        Return the file of a URI.

        :raises ResourceError: it does not exist, may not be read, or is one file too many.
        """
        if uri not in self._found:
            if len(self._found) >= MAX_FILES:
                raise ResourceError(
                    f'{quote(uri, 200)} is not looked for, because the description refers to '
                    f'more than {MAX_FILES:,} files', 'Use fewer files', 'limit')
            try:
                self._found[uri] = self._resolve(uri)
            except ResourceError as error:
                self._found[uri] = error
        found = self._found[uri]
        if isinstance(found, ResourceError):
            raise found.with_traceback(None)
        return found


def in_package(description: Description, filename: str) -> str | None:
    """
    Return the package:// URI of a file; None if it is unknown.

    :param filename: a path relative to the description, or one of some machine.
    """
    package = package_folder(description)
    own = package_name(package)
    is_relative = not filename.startswith(('/', 'file:', 'model:', 'package:'))
    parts = [] if is_relative else re.split('/+', unquote(filename))
    if own and not parts and ':' not in filename:
        with suppress(ResourceError):
            file = Path(os.path.normpath(description.resolve(filename)))
            return f'package://{own}/{file.relative_to(package)}' if (
                file.is_relative_to(package)) else None
    for index, part in enumerate(parts):
        if part and (part == own or parts[index - 1] in ('share', 'package:')):
            uri = f'package://{part}/{"/".join(parts[index + 1:])}'
            with suppress(ResourceError):
                description.resolve(uri)
                return uri
    # Where no folder is right, the only file of that name in the package is meant.
    found = _by_name(description).get(parts[-1].lower(), []) if own and parts else []
    uri = f'package://{own}/{found[0].relative_to(package)}' if len(found) == 1 else ''
    return uri if uri and uri.lower() != filename.lower() else None


@once
def _by_name(description: Description) -> Mapping[str, list[Path]]:
    """Return the files of the package that may be read, by their names in small letters."""
    files = (file for depth in range(1, 6) for file in glob_in(
        package_folder(description), '/'.join('*' * depth)))
    return grouped((file.name.lower(), file) for file in islice(files, MAX_FILES)
                   if description.may_read(file))


@once
def package_folder(description: Description) -> Path:
    """Return the folder of the package, or else of the project, of a description, or its SRDF."""
    source = description.srdf or description.document.source
    return project_folder(Path(os.path.abspath(source)).parent)


def glob_in(folder: Path, pattern: str) -> Iterator[Path]:
    """
    Yield the files and folders that match a pattern below a folder.

    Folders that cannot be listed, or vanish meanwhile, are empty; hidden ones only match a dot.
    """
    # That of pathlib raises where a folder vanishes.
    return (folder / name for name in iglob(pattern, root_dir=folder))


def package_texts(
        description: Description, *suffixes: str, beside: str = '') -> dict[str, str]:
    """
    Return the files with these suffixes in folders of the package, and in folders in those.

    Those of a package without a description may also be one folder above or below these. Those
    that cannot or may not be read are left out; of long ones only the beginning is read.

    :param beside: also return those in the folders of this name in packages beside it.
    """
    source, package = description.document.source, package_folder(description)
    deep = ('.', '*/*/*') if is_manifest(source) else ()
    folders = [(package, folder) for folder in ('*', '*/*', *deep)]
    if beside and (package / 'package.xml').is_file():
        folders += [(package.parent, f'*/{beside}'), (package.parent, f'*/{beside}/*')]
    files = islice((file for suffix in suffixes if source.endswith(SUFFIXES)
                    for base, folder in folders
                    for file in _listed(description, base, folder, f'*.{suffix}')),
                   _MAX_PACKAGE_FILES)
    return texts_of(description, files)


def _listed(
        description: Description, base: Path, folder: str, pattern: str) -> Iterator[Path]:
    """Yield the files that match a pattern in folders; what is in them is listed only once."""
    names = _listings(description)(base, folder)
    return (base / name for name in fnmatch.filter(names, pattern))


@once
def _listings(description: Description) -> Callable[[Path, str], list[str]]:
    """Return what is in folders, as far as it has been listed for a description."""
    return cache(lambda base, folder: [*iglob(f'{folder}/*', root_dir=base)])


def build_texts(description: Description) -> dict[str, str]:
    """
    Return what says how packages are built and installed: that of its own and of those beside it.

    They are CMakeLists.txt, setup.py, package.xml and .setup_assistant, and hooks that set the
    environment.
    """
    package = package_folder(description)
    if not (package / 'package.xml').is_file():
        return {}
    names = 'package.xml', 'CMakeLists.txt', 'setup.py', '.setup_assistant'
    files = chain((file for name in names for base in (package, package.parent)
                   for file in glob_in(base, name if base == package else f'*/{name}')),
                  (file for base, folder in ((package, '*'), (package.parent, '*/*'))
                   for pattern in ('*.dsv*', '*.sh*')
                   for file in _listed(description, base, folder, pattern)))
    return texts_of(description, islice(files, _MAX_PACKAGE_FILES))


def texts_of(description: Description, files: Iterable[Path]) -> dict[str, str]:
    """Return the texts of files, without those that cannot or may not be read."""
    texts: dict[str, str] = {}
    for file in sorted({*map(os.fspath, files)}):
        with suppress(OSError, ResourceError):
            texts[file] = text_of(read_regular_file(description.resolve(file), _MAX_TEXT))
    return texts
