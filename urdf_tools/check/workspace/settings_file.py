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

"""Settings in TOML files; an error names the file and the line."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from functools import lru_cache
from functools import partial
import os
from pathlib import Path
import re
from typing import Any
from typing import TypeVar

from urdf_tools.check.workspace.argument_matrix import combinations
from urdf_tools.check.workspace.argument_matrix import MAX_COMBINATIONS
from urdf_tools.check.workspace.settings import LEVELS
from urdf_tools.check.workspace.settings import pattern_in
from urdf_tools.check.workspace.settings import Root
from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.toml_file import read_toml
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import checkout_or_package
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.resources import read_regular_file
from urdf_tools.model.spelling import does_not_exist

T = TypeVar('T')

_SHARED = 'pyproject.toml'
"""The file that other tools share."""

NAMES = ('urdf-tools.toml', _SHARED)
"""The files that hold settings; of two in a folder the first is used."""

MAX_ROOTS = 1000
"""Most roots in a file."""

_HEADER = re.compile(
    rb'^[ \t]*\[{1,2}[ \t]*["\']?tool["\']?[ \t]*\.[ \t]*["\']?urdf-tools["\']?[ \t]*[].]',
    re.MULTILINE)
_MAX_SEARCHED = 4_000_000
_COMMENT = re.compile(r'^[ \t]*#.*$', re.MULTILINE)


def project_settings(folder: Path) -> Settings:
    """
    Return the settings in the file of a folder, or of the nearest folder above in its project.

    Folders above the project are not searched, except the current folder. The project is the
    checkout or the package that the folder is in.

    :raises SettingsError: the file is not valid.
    """
    folder = folder.resolve()
    top = _top(folder)
    for above in (folder, *folder.parents):
        for name in NAMES:
            path = above / name
            if os.path.isfile(path):
                status = os.stat(path)
                found = _settings_in(path, status.st_mtime_ns, status.st_size)
                if found is not None:
                    return found
        if above == top:
            break
    return Settings()


def _top(folder: Path) -> Path:
    """Return the topmost folder whose settings apply to a folder."""
    own = checkout_or_package(folder) or project_folder(folder)
    try:
        here = Path.cwd()
    except OSError:  # It was removed.
        return own
    return here if own.is_relative_to(here) else own


@lru_cache(maxsize=64)
def _settings_in(path: Path, changed: int, size: int) -> Settings | None:
    """
    Return the settings in a file, or None; read once for many folders below it.

    :param changed: time of its last change, which with its size detects a new version.
    """
    try:
        file = _read(path)
    except SettingsError:
        # The tables of other tools are not checked here.
        if path.name == _SHARED and not _has_header(path):
            return None
        raise
    return None if file is None else file.settings()


def read_settings(path: Path) -> Settings:
    """
    Return the settings in a file.

    :raises SettingsError: the file cannot be read, or is not valid.
    """
    file = _read(path)
    return Settings() if file is None else file.settings()


def _read(path: Path) -> _SettingsFile | None:
    """Return the settings in a file as data, or None in a ``pyproject.toml`` without them."""
    text, content = read_toml(path)
    if path.name != _SHARED:
        return _SettingsFile(path, text, (), content)
    tool = content.get('tool')
    table = tool.get('urdf-tools') if isinstance(tool, dict) else None
    if table is None:
        return None
    return _SettingsFile(path, text, ('tool',), {'urdf-tools': table}) if (
        not isinstance(table, dict)) else _SettingsFile(path, text, ('tool', 'urdf-tools'), table)


def _has_header(path: Path) -> bool:
    """Return whether a file that cannot be parsed contains the header of this tool's table."""
    try:
        data, _ = read_regular_file(path, _MAX_SEARCHED)
    except OSError:
        return False
    return bool(_HEADER.search(data))


class _SettingsFile:
    """
    The settings of a file as data.

    :param header: the tables around them.
    """

    def __init__(self, path: Path, text: str, header: tuple[str, ...], table: Mapping[str, Any]):
        self._path = path
        self._text = text
        self._header = header
        self._table = table

    def settings(self) -> Settings:
        """
        Return the settings.

        :raises SettingsError: they are not valid.
        """
        table = self._table
        for key, value in table.items():
            self._require(key, value, _KINDS, key)
        packages = {name: str(self._path.parent / folder)
                    for name, folder in table.get('packages', {}).items()}
        for key in ('select', 'ignore'):
            for value in table.get(key, ()):
                self._check(partial(Settings, (value,)), key, value)
        for value in table.get('for', ()):
            self._check(partial(Settings, programs=(value,)), 'for', value)
        if 'level' in table:
            self._check(partial(Settings, level=table['level']), 'level')
        return Settings(
            table.get('select', ()), table.get('ignore', ()), table.get('for', ()), packages,
            table.get('strict', False), table.get('level'),
            self._inside('baseline', table['baseline'], 'baseline') if (
                'baseline' in table) else None,
            tuple(self._roots(table.get('roots', ()))),
            [pattern_in(str(self._path.parent), path) for path in table.get('exclude', ())])

    def _roots(self, tables: list[Mapping[str, Any]]) -> list[Root]:
        if len(tables) > MAX_ROOTS:
            raise self._error(f'There are more than {MAX_ROOTS} roots', 'roots')
        found: dict[str, Root] = {}
        for index, table in enumerate(tables):
            for key, value in table.items():
                self._require(key, value, _KINDS_OF_ROOT, 'roots', index, key)
            if 'file' not in table:
                raise self._error(
                    'The root has no file. Write file = "urdf/robot.urdf.xacro"', 'roots', index)
            file = self._inside('file', table['file'], 'roots', index, 'file')
            where = ('roots', index, 'arguments')
            known = found.get(file)
            loops = known.loops if known else None
            if 'loops' in table:
                given = self._inside('loops', table['loops'], 'roots', index, 'loops')
                if loops not in (None, given):
                    raise self._error('The root has two files of loops', 'roots', index, 'loops')
                loops = given
            made = self._check(partial(combinations, table.get('arguments', {})), *where)
            made = (*(() if known is None else known.combinations), *made)
            if len(made) > MAX_COMBINATIONS:
                raise self._error(
                    f'The root has more than {MAX_COMBINATIONS} combinations of arguments. List '
                    'fewer values, or several roots of the same file with the combinations that '
                    'matter', *where)
            found[file] = Root(
                file, made, known.location if known else self._where(*where[:2]), loops)
        return list(found.values())

    def _inside(self, key: str, value: str, *where: str | int) -> str:
        """Return the absolute path of a file, which must be in the folder of the settings."""
        if not value or '\0' in value:
            raise self._error(f'{key} {quote(value, 80)} is not a path', *where)
        folder = os.path.realpath(self._path.parent)
        path = os.path.normpath(os.path.join(folder, value))
        if os.path.isabs(value) or not path.startswith(os.path.join(folder, '')):
            raise self._error(
                f'{key} {quote(value, 80)} is outside the folder of this file. Write a path '
                'relative to it', *where)
        return path

    def _require(self, key: str, value: object, kinds: _Kinds, *where: str | int) -> None:
        if key not in kinds:
            raise self._error(does_not_exist(key, kinds, 'key'), *where)
        outer, inner, kind = kinds[key]
        items = value.values() if isinstance(value, dict) else value
        if not isinstance(value, outer) or isinstance(items, Iterable) and not all(
                isinstance(item, inner) for item in items):
            raise self._error(f'{key} is not {kind}', *where)

    def _check(self, make: Callable[[], T], *where: str | int) -> T:
        """Return the result of a function, or raise its error with the source location."""
        try:
            return make()
        except SettingsError as error:
            raise self._error(str(error), *where) from error

    def _where(self, *where: str | int) -> str:
        return location(str(self._path), _line_of(self._text, (*self._header, *where)))

    def _error(self, message: str, *where: str | int) -> SettingsError:
        return SettingsError(f'{self._where(*where)}: {message}')


def _line_of(text: str, keys: Sequence[str | int]) -> int | None:
    """
    Return the line where a value is written, from 1, or None if that is not found.

    Where a key is not found, because it is written in an unusual way, it is the line of the
    last one that was.

    :param text: valid TOML.
    :param keys: the keys that lead to the value; a number is an index in a list of tables, and
        the last may be a text in a list.
    """
    text = _COMMENT.sub(lambda match: ' ' * len(match[0]), text)
    position = -1
    pattern: re.Pattern[str] | None = None
    for key in keys:
        if isinstance(key, int):
            for _ in range(key if pattern is not None else 0):
                match = pattern.search(text, position + 1) if pattern else None
                position = position if match is None else match.start('key')
            continue
        name = re.escape(key)
        pattern = re.compile(
            rf'^[ \t]*\[\[?[^\]\n]*?(?P<key>(?<![\w-])["\']?{name}["\']?)[ \t]*\]\]?',
            re.MULTILINE)
        written = re.compile(
            rf'(?:^|[{{,.]|\[)[ \t]*(?P<key>["\']?{name}["\']?)[ \t]*(?:=|\.|\]|,|$)',
            re.MULTILINE)
        found = [match for match in (
            pattern.search(text, position + 1), written.search(text, position + 1)) if match]
        if not found:
            break
        match = min(found, key=lambda match: match.start('key'))
        if match.re is written:
            pattern = None
        position = match.start('key')
    return None if position < 0 else text.count('\n', 0, position) + 1


_Kinds = Mapping[str, tuple[type, type, str]]

_KINDS: _Kinds = {
    'select': (list, str, 'a list of codes and categories'),
    'ignore': (list, str, 'a list of codes and categories'),
    'for': (list, str, 'a list of programs'),
    'packages': (dict, str, 'a table of names and folders'),
    'strict': (bool, object, 'true or false'),
    'level': (str, object, f'one of {", ".join(LEVELS)}'),
    'baseline': (str, object, 'a path'),
    'roots': (list, dict, 'a list of tables; write [[roots]]'),
    'exclude': (list, str, 'a list of paths')}
"""The keys of the settings to the types of their values and of what is in these, and in words."""

_KINDS_OF_ROOT: _Kinds = {
    'file': (str, object, 'a path'),
    'arguments': (dict, object, 'a table of names and values; write arguments = {prefix = '
                                '["left_", "right_"]}'),
    'loops': (str, object, 'a path')}
"""The same for the keys of a root."""
