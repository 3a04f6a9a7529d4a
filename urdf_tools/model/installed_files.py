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

"""What the build files of a package install to its share directory, as far as they say it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice
import os
from pathlib import Path
import re

from urdf_tools.model.files import read_regular_file
from urdf_tools.model.package_lookup import MAX_BYTES
from urdf_tools.model.package_lookup import package_name

_INSTALL = re.compile(r'(?i)(?:^|\W)(install|ament_auto_package|add_subdirectory)\s*\(([^()]*)\)')
_UNKNOWN = re.compile(
    r'(?i)\b(foreach\b|(include|function|macro)\s*\(|(CODE|SCRIPT|RENAME|PATTERN|REGEX)\b)')

_BUILD_FILES = 'CMakeLists.txt', 'setup.py'
_MOST = 200

Installed = tuple[str, str]
"""Patterns of the paths of files in the share directory, and in the source."""


def is_installed(path: str, package: str, cmake: str, setup: str, at: int = 0) -> bool:
    """
    Return whether a package installs a file, which is also so if that cannot be told.

    :param path: its path in the share directory; in the source, if ``at`` is 1.
    """
    pairs, is_known = _installed(package, cmake, setup)
    return not is_known or any(_matches(path, pair[at]) for pair in pairs)


def sources_of(
        path: str, folder: Path, may_read: Callable[[str], bool]) -> Iterator[Path]:
    """
    Yield the paths in a package of the files that are installed to one, as far as is known.

    :param path: where the file would be if the folder of the package was its share directory.
    :param folder: the folder of the package.
    :param may_read: returns whether a file may be read.
    """
    end = os.path.relpath(path, folder)
    pairs, _ = _installed(package_name(folder) or folder.name, *(
        _text(folder / name) if may_read(str(folder / name)) else '' for name in _BUILD_FILES))
    for shared, source in islice(pairs, _MOST):
        if _matches(end, shared) and not source.startswith(('/', '..')):
            yield Path(folder, os.path.dirname(source), os.path.relpath(
                end, os.path.dirname(shared) or '.'))


def _text(file: Path) -> str:
    """Return what is in a file, or nothing where it cannot be read."""
    try:
        return read_regular_file(file, MAX_BYTES).decode(errors='replace')
    except OSError:
        return ''


def _matches(path: str, pattern: str) -> bool:
    return fnmatchcase(path, pattern) and (
        '**' in pattern or path.count('/') == pattern.count('/'))


@lru_cache(16)
def _installed(package: str, cmake: str, setup: str) -> tuple[list[Installed], bool]:
    """Return what a package installs, and whether that is all."""
    found: list[Installed] = []
    by_cmake = re.search('ament|catkin', cmake)
    try:
        found.extend(_by_python(setup) if setup and not by_cmake else _by_cmake(cmake, package))
    except (ValueError, SyntaxError, RecursionError):
        return found, False
    return found, bool(by_cmake or setup)


def _by_cmake(text: str, package: str) -> Iterator[Installed]:
    """Yield what install() and ament_auto_package() install, and perhaps what is in subfolders."""
    text = re.sub('#[^\n]*', '', text).replace('${PROJECT_NAME}', package).replace(
        '${CMAKE_CURRENT_SOURCE_DIR}/', '').replace(
            '${CATKIN_PACKAGE_SHARE_DESTINATION}', f'share/{package}')
    is_known = not _UNKNOWN.search(text)
    for command, inner in _INSTALL.findall(text):
        *words, = (word.strip('"') for word in inner.split())
        if command.lower() != 'install':
            yield from ((f'{word}/**', f'{word}/**') for word in words if word.islower())
        elif words[:1] in (['DIRECTORY'], ['FILES']) and 'DESTINATION' in words:
            end = words.index('DESTINATION')
            if '$' in inner:
                is_known = False
                continue
            share = re.match('share(?:/[^/]+)?/?(.*)', words[end + 1])
            tree = ['**'] * (words[0] == 'DIRECTORY')
            if share is None:
                continue
            for word in words[1:end]:
                paths = os.path.join(share[1], os.path.basename(word), *tree), os.path.join(
                    word, *tree)
                yield os.path.normpath(paths[0]), os.path.normpath(paths[1])
    if not is_known:
        raise ValueError


def _by_python(text: str) -> Iterator[Installed]:
    """Yield what ``data_files`` of ``setup()`` install."""
    tree = ast.parse(text)
    names = {target.id: each.value for each in tree.body if isinstance(each, ast.Assign)
             for target in each.targets if isinstance(target, ast.Name)}
    given = [each.value for each in ast.walk(tree)
             if isinstance(each, ast.keyword) and each.arg == 'data_files']
    if not all(isinstance(each, ast.List) for each in given) or '**' in text:
        raise ValueError

    def words(node: ast.expr) -> list[str]:
        """Return a text as a list of one, or the texts of a list, or a pattern of files."""
        node = names.get(node.id, node) if isinstance(node, ast.Name) else node
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        if isinstance(node, (ast.List, ast.Tuple)):
            return [word for each in node.elts for word in words(each)]
        if isinstance(node, ast.BinOp):
            left, right = words(node.left), words(node.right)
            return [*left, *right] if isinstance(node.left, (ast.Call, ast.List)) else [
                ''.join((*left, *right))]
        if isinstance(node, ast.JoinedStr):
            return [''.join(word for each in node.values for word in words(each))]
        if isinstance(node, ast.FormattedValue):
            return words(node.value)
        if isinstance(node, ast.Call) and getattr(
                node.func, 'attr', getattr(node.func, 'id', '')) in ('join', 'glob'):
            return ['/'.join(word for each in node.args for word in words(each))]
        raise ValueError
    for pair in (each for found in given for each in ast.iter_child_nodes(found)):
        if isinstance(pair, ast.expr_context):
            continue
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
            raise ValueError
        if share := re.fullmatch('share/[^/]+/?(.*)', ''.join(words(pair.elts[0]))):
            for pattern in words(pair.elts[1]):
                yield os.path.join(share[1], os.path.basename(pattern)), pattern
