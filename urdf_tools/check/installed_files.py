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
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatchcase
import os
import re

from urdf_tools.check.launch_files import called

_INSTALL = re.compile(r'(?i)(?:^|\W)(install|ament_auto_package|add_subdirectory)\s*\(([^()]*)\)')
_UNKNOWN = re.compile(
    r'(?i)\b(foreach\b|(include|function|macro)\s*\(|(CODE|SCRIPT|RENAME|PATTERN|REGEX)\b)')

Installed = tuple[str, str]
"""Patterns of the paths of files in the share directory, and in the source."""


def is_installed(path: str, package: str, cmake: str, setup: str, at: int = 0) -> bool:
    """
    Return whether a package installs a file, which is also so if that cannot be told.

    :param path: its path in the share directory; in the source, if ``at`` is 1.
    """
    with suppress(ValueError, SyntaxError, RecursionError):
        by_cmake = re.search('ament|catkin', cmake)
        if not by_cmake and not setup:
            return True
        pairs = [*(_by_cmake(cmake, package) if by_cmake else _by_python(setup))]
        return any(fnmatchcase(path, pair[at]) and (
            '**' in pair[at] or path.count('/') == pair[at].count('/')) for pair in pairs)
    return True


def _by_cmake(text: str, package: str) -> Iterator[Installed]:
    """Yield what install() and ament_auto_package() install, and perhaps what is in subfolders."""
    text = re.sub('#[^\n]*', '', text).replace('${PROJECT_NAME}', package).replace(
        '${CMAKE_CURRENT_SOURCE_DIR}/', '').replace(
            '${CATKIN_PACKAGE_SHARE_DESTINATION}', f'share/{package}')
    for command, inner in _INSTALL.findall(text):
        *words, = (word.strip('"') for word in inner.split())
        if command.lower() != 'install':
            yield from ((f'{word}/**', f'{word}/**') for word in words if word.islower())
        elif words[:1] in (['DIRECTORY'], ['FILES']) and 'DESTINATION' in words:
            end = words.index('DESTINATION')
            if '$' in inner:
                raise ValueError
            share = re.match('share(?:/[^/]+)?/?(.*)', words[end + 1])
            tree = ['**'] * (words[0] == 'DIRECTORY')
            if share is None:
                continue
            for word in words[1:end]:
                paths = os.path.join(share[1], os.path.basename(word), *tree), os.path.join(
                    word, *tree)
                yield os.path.normpath(paths[0]), os.path.normpath(paths[1])
    if _UNKNOWN.search(text):
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
        if isinstance(node, ast.Call) and called(node) in ('join', 'glob'):
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
