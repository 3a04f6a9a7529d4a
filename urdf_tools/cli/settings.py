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

"""The settings of ``check``, from the command line and from a file of the project."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
import os
from pathlib import Path
import sys
from typing import Any

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.model.messages import printable
from urdf_tools.model.spelling import closest
from urdf_tools.validation.consumers import CONSUMERS
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.registry import Rule
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.validator import ALWAYS_APPLIED

LEVELS = {'info': Severity.INFO, 'warn': Severity.WARN, 'error': Severity.ERROR}

NAMES = ('urdf-tools.toml', 'pyproject.toml')
"""The files that hold settings; of two in a folder the first is used."""

_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class Settings:
    """
    What is checked, and what is shown.

    :param select: codes and categories of the only rules to apply; all if it is empty.
    :param ignore: codes and categories of rules not to apply. A code outweighs a category.
    :param programs: report only what affects these programs; all if it is empty.
    :param packages: name of a package to its folder.
    :param strict: whether warnings count as errors in the exit code.
    :param level: lowest severity to show, or None for the default of the format.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    programs: Collection[str] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    level: str | None = None

    def __post_init__(self) -> None:
        for name in (*self.select, *self.ignore):
            if name not in CATEGORIES:
                names = CATEGORIES if closest(name, CATEGORIES) else RULES
                known(name, RULES if name in RULES else names, 'rule or category', (
                    f'Categories: {", ".join(CATEGORIES)}; "urdf-tools check --explain" lists '
                    'the rules'))
        for name in self.programs:
            known(name, CONSUMERS, 'program')
        if self.level is not None:
            known(self.level, LEVELS, 'level')

    def unwanted(self) -> set[str]:
        """Return the codes of the rules that are not applied."""
        return {rule.code for rule in RULES.values() if not self._selects(rule)}

    def _selects(self, rule: Rule) -> bool:
        if rule.code in self.ignore:
            return False
        if rule.code in self.select or rule.code in ALWAYS_APPLIED:
            return True
        return rule.category not in self.ignore and (
            not self.select or rule.category in self.select)


def merged(file: Settings, line: Settings) -> Settings:
    """
    Return the settings of a project's file, overridden by those of the command line.

    What the command line ignores is ignored besides, and its packages are known besides.
    """
    return Settings(
        line.select or file.select, (*file.ignore, *line.ignore), line.programs or file.programs,
        {**file.packages, **line.packages}, line.strict or file.strict, line.level or file.level)


def project_settings(folder: Path) -> Settings:
    """
    Return the settings in the file of a folder, or of the nearest folder above that has one.

    :raises CommandError: the file is not valid.
    """
    folder = folder.resolve()
    for above in (folder, *folder.parents):
        for name in NAMES:
            path = above / name
            if os.path.isfile(path) and (table := _table(path)) is not None:
                return _settings(table, path)
    return Settings()


def read_settings(path: Path) -> Settings:
    """
    Return the settings in a file.

    :raises CommandError: the file cannot be read, or is not valid.
    """
    return _settings(_table(path) or {}, path)


def _table(path: Path) -> dict[str, Any] | None:
    """Return the settings in a file as data, or None in a ``pyproject.toml`` without them."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(path, 'rb') as file:
            data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise CommandError(f'{printable(str(path))} is larger than {_MAX_BYTES} bytes')
        content = tomllib.loads(data.decode())
    except OSError as error:
        raise CommandError(f'Cannot read {printable(str(path))}: {error.strerror}') from error
    except (ValueError, RecursionError) as error:
        # Another tool's table in pyproject.toml may not be read here either, and it is broken.
        raise CommandError(
            f'{printable(str(path))} is not valid TOML: {printable(str(error))}') from error
    if path.name != 'pyproject.toml':
        return content
    tool = content.get('tool')
    table = tool.get('urdf-tools') if isinstance(tool, dict) else None
    return table if table is None or isinstance(table, dict) else {'urdf-tools': table}


def _settings(table: Mapping[str, Any], path: Path) -> Settings:
    try:
        for key, value in table.items():
            kind, is_valid = _KINDS[known(key, _KINDS, 'key')]
            if not is_valid(value):
                raise CommandError(f'{key} is not {kind}')
        packages = {name: str(path.parent / folder)
                    for name, folder in table.get('packages', {}).items()}
        return Settings(
            table.get('select', ()), table.get('ignore', ()), table.get('for', ()), packages,
            table.get('strict', False), table.get('level'))
    except CommandError as error:
        raise CommandError(f'{printable(str(path))}: {error}') from error


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_table(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


_KINDS: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    'select': ('a list of codes and categories', _is_list),
    'ignore': ('a list of codes and categories', _is_list),
    'for': ('a list of programs', _is_list),
    'packages': ('a table of names and folders', _is_table),
    'strict': ('true or false', _is_truth),
    'level': (f'one of {", ".join(LEVELS)}', _is_text),
}
"""The keys of the settings, what their values are, and the test of that."""
