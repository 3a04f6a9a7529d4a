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
"""The settings of a check, from the command line and from TOML files of the project."""

from __future__ import annotations

import builtins
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from dataclasses import field
from fnmatch import fnmatchcase
import glob
from itertools import product
import json
from math import prod
from numbers import Real
import os
from pathlib import Path
import re
import sys
from typing import Any
from typing import NamedTuple
from typing import TYPE_CHECKING

from urdf_tools.model.errors import InputError
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.files import real_path
from urdf_tools.model.messages import location
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import checkout_or_package
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.package_lookup import TRUSTED
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import does_not_exist

if TYPE_CHECKING:
    from urdf_tools.findings.finding import Severity

LEVELS = ('info', 'note', 'warn', 'warning', 'error')


class SettingsError(InputError):
    """Settings that are not valid; the text is one sentence for the user."""


class Root(NamedTuple):
    """
    A description that the settings of a project list.

    :param file: absolute path of the file.
    :param combinations: the combinations of xacro arguments to check it with; at least one.
    :param location: where the settings list it, as ``file:line``.
    :param loops: absolute path of a file of loops beside it, or None.
    :param same: absolute path of a file that has to be the same robot, or None.
    :param tolerances: for that, kind of a difference to the largest effect that is none.
    """

    file: str
    combinations: tuple[Mapping[str, str], ...]
    location: str
    loops: str | None = None
    same: str | None = None
    tolerances: Mapping[str, float] = {}


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
    :param baseline: file with the findings to hide, or None.
    :param roots: the descriptions of the project.
    :param exclude: absolute paths of files and folders that searches leave out; ``*`` and ``?``
        stand for any text and any character.
    :param trust: what the descriptions may read besides; a file of settings cannot say it, since
        it comes from the same author.
    """

    select: Collection[str] = ()
    ignore: Collection[str] = ()
    programs: Collection[str] = ()
    packages: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    level: str | None = None
    baseline: str | None = None
    roots: tuple[Root, ...] = ()
    exclude: Collection[str] = ()
    trust: Trust = TRUSTED

    def __post_init__(self) -> None:
        if self.select or self.ignore or self.programs:
            _require_known((*self.select, *self.ignore), self.programs)
        if self.level is not None and self.level not in LEVELS:
            raise SettingsError(does_not_exist(self.level, LEVELS, 'level'))

    def unwanted(self) -> set[str]:
        """Return the codes of the rules that are not applied."""
        from urdf_tools.check.rules import RULES
        from urdf_tools.check.validator import ALWAYS_APPLIED
        return {code for code in RULES.unwanted(self.select, self.ignore)
                if code not in ALWAYS_APPLIED or code in self.ignore}

    def minimum(self, default: str) -> Severity:
        """Return the lowest severity to show; the default is one of :data:`LEVELS`."""
        from urdf_tools.findings.finding import Severity
        return Severity[(self.level or default).upper()]

    def root(self, path: str) -> Root | None:
        """Return the entry of the settings that lists a description, if one does."""
        path = real_path(path)
        return next((root for root in self.roots if real_path(root.file) == path), None)

    def loops(self, path: str) -> str | None:
        """Return the loops file that the settings list for a description, or None."""
        root = self.root(path)
        return root.loops if root else None

    def excludes(self, path: str) -> bool:
        """Return whether searches skip a file."""
        path = os.path.abspath(path)
        return any(fnmatchcase(path, form) for pattern in self.exclude
                   for form in (pattern, os.path.join(pattern, '*')))


def _require_known(names: Iterable[str], programs: Iterable[str]) -> None:
    """
    Require that rules, categories and programs exist.

    :param names: codes and categories of rules.
    :raises SettingsError: one of them does not exist.
    """
    # The rules take longer to import than all that a verb without them needs.
    from urdf_tools.check.registry import CATEGORIES
    from urdf_tools.check.rules import RULES
    from urdf_tools.findings.consequences import CONSUMERS
    for name in names:
        if not any(name in known for known in (CATEGORIES, RULES)):
            near = CATEGORIES if closest(name, CATEGORIES) else RULES
            raise SettingsError(does_not_exist(name, near, 'rule or category', (
                f'Categories: {", ".join(CATEGORIES)}; "urdf-tools check --explain" lists the '
                'rules')))
    for name in programs:
        if name not in CONSUMERS:
            raise SettingsError(does_not_exist(name, CONSUMERS, 'program'))


def pattern_in(folder: str, path: str) -> str:
    """Return a path with wildcards, relative to a folder, as in :attr:`Settings.exclude`."""
    return os.path.normpath(os.path.join(glob.escape(os.path.abspath(folder)), path))


Arguments = Mapping[str, str]
"""Values of xacro arguments, by name."""

MAX_COMBINATIONS = 256
"""Most combinations that one description is checked with."""

_TOO_MANY = (
    f'The arguments have more than {MAX_COMBINATIONS} combinations. List fewer values, or several '
    'roots of the same file with the combinations that matter')


def combinations(matrix: Mapping[str, object]) -> tuple[Arguments, ...]:
    """
    Return all combinations of the values in a matrix; one without arguments if it is empty.

    :param matrix: name of an argument to its value, or to a list of its values.
    :raises SettingsError: a value is not text, a number or a boolean, or there are too many.
    """
    values = {name: _values(name, value) for name, value in matrix.items()}
    if prod(map(len, values.values())) > MAX_COMBINATIONS:
        raise SettingsError(_TOO_MANY)
    return tuple(dict(zip(values, chosen)) for chosen in product(*values.values()))


def overridden(all_of_root: Iterable[Arguments], given: Arguments) -> tuple[Arguments, ...]:
    """Return combinations with some arguments overridden, each combination once."""
    return tuple({tuple(arguments.items()): arguments for arguments in (
        {**arguments, **given} for arguments in all_of_root)}.values())


def label(arguments: Arguments) -> str:
    """Return arguments in command-line syntax, such as ``prefix:=left_``."""
    return ' '.join(f'{name}:={value}' for name, value in arguments.items())


def condition(chosen: Sequence[Arguments], combinations: Sequence[Arguments]) -> tuple[str, ...]:
    """
    Return briefly in which of the combinations something appears.

    :param chosen: the combinations in which it appears.
    :return: empty for all of them; one argument if it appears exactly where that has one value;
        else each combination.
    """
    if len(chosen) == len(combinations):
        return ()
    labels = {label(arguments) for arguments in chosen}
    for name, value in chosen[0].items():
        same = {label(arguments) for arguments in combinations if arguments.get(name) == value}
        if same == labels:
            return (label({name: value}),)
    return tuple(label(arguments) or 'no arguments' for arguments in chosen)


def _values(name: str, value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not name or not values:
        raise SettingsError(f'Argument {quote(name)} has no {"value" if name else "name"}')
    for item in values:
        if not isinstance(item, (str, int, float)):
            raise SettingsError(
                f'The value of argument {quote(name)} is not text, a number, true or false')
    return list(dict.fromkeys(
        str(item).lower() if isinstance(item, bool) else str(item) for item in values))


MAX_BYTES = 64_000
"""Most bytes of a settings file."""

MAX_DEPTH = 32
"""Most parts of a dotted key."""

MAX_WORD = 250
"""Most characters of a number or of a key without quotes."""

_EXCESSIVE = re.compile(
    rf'(?:(?:[\w-]+|"[^"\n]*"|\'[^\'\n]*\')[ \t]*\.[ \t]*){{{MAX_DEPTH}}}'
    rf'|(?P<word>[\w+-]{{{MAX_WORD + 1}}})')
"""A key with so many parts that a parser needs memory quadratic in their number; a long word."""


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """
    Return the text of a TOML file and its content.

    :raises SettingsError: it cannot be read, is too large or too deep, or is not valid TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data = read_regular_file(path, MAX_BYTES + 1)
    except OSError as error:
        raise SettingsError(f'Cannot read {location(str(path))}: {error.strerror}') from error
    if len(data) > MAX_BYTES:
        raise SettingsError(
            f'{location(str(path), 1)} is larger than {MAX_BYTES} bytes, the most that a '
            'file with settings may have')
    text = data.decode(errors='surrogateescape')
    if excess := _EXCESSIVE.search(text):
        line = text.count('\n', 0, excess.start()) + 1
        raise SettingsError(f'{location(str(path), line)}: ' + (
            f'A number or a key is longer than {MAX_WORD} characters' if excess['word'] else
            f'A key has more than {MAX_DEPTH} parts'))
    try:
        return text, tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        line = data.count(b'\n', 0, error.start) + 1
        raise SettingsError(
            f'{location(str(path), line)} is not valid TOML: it is not UTF-8') from error
    except RecursionError:
        raise SettingsError(f'{location(str(path))}: Tables or lists are too deep') from None
    except tomllib.TOMLDecodeError as error:
        match = re.fullmatch(r'(.*) \(at line (\d+), column (\d+)\)', str(error), re.DOTALL)
        line, column = (int(match[2]), int(match[3])) if match else (text.count('\n') + 1, None)
        raise SettingsError(f'{location(str(path), line, column)} is not valid TOML: '
                            f'{match[1] if match else error}') from error


_SHARED = 'pyproject.toml'
"""The file that other tools share."""

NAMES = ('urdf-tools.toml', _SHARED)
"""The files that hold settings; of two in a folder the first is used."""

MAX_ROOTS = 1000
"""Most roots in a file."""

_LEADS_OUT = 'leads out of the project through a link, which --untrusted does not follow'
_MAX_SEARCHED = 4_000_000


def project_settings(folder: Path, trust: Trust = TRUSTED) -> Settings:
    """
    Return the settings in the file of a folder, or of the nearest folder above in its project.

    Folders above the project are not searched, except the current folder. The project is the
    checkout or the package that the folder is in.

    :raises SettingsError: the file is not valid.
    """
    folder = folder.resolve()
    top = _top(folder)
    for above in (folder, *folder.parents):
        for path in (above / name for name in NAMES):
            # The tables of other tools are not checked here.
            if os.path.isfile(path) and (path.name != _SHARED or _has_header(path)):
                return read_settings(path, trust)
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


def read_settings(path: Path, trust: Trust = TRUSTED) -> Settings:
    """
    Return the settings in a file.

    :param trust: whether links may lead out of the project, to this file or to those it names.
    :raises SettingsError: the file cannot be read, or is not valid.
    """
    lookup = PackageLookup(path.absolute().parent, {}, trust=trust)
    if not lookup.may_read(str(path)):
        raise SettingsError(f'{location(str(path))} {_LEADS_OUT}')
    text, table = read_toml(path)
    header: list[str] = []
    for name in ('tool', 'urdf-tools') if path.name == _SHARED else ():
        if not isinstance(table.get(name, {}), dict):
            break
        table = table.get(name, {})
        header.append(name)
    return _SettingsFile(path, text, header, table, lookup).settings()


def _has_header(path: Path) -> bool:
    """Return whether a file has the header of the table of this tool."""
    try:
        data = read_regular_file(path, _MAX_SEARCHED)
    except OSError:
        return False
    return bool(re.search(rb'^\[+tool\.urdf-tools[].]', re.sub(rb'[ \t"\']', b'', data), re.M))


class _SettingsFile:
    """
    The settings of a file as data.

    :param header: the tables around them.
    :param lookup: has what they may name.
    """

    def __init__(self, path: Path, text: str, header: Sequence[str], table: Mapping[str, Any],
                 lookup: PackageLookup):
        self._path = path
        self._text = text
        self._header = header
        self._table = table
        self._lookup = lookup

    def settings(self) -> Settings:
        """
        Return the settings.

        :raises SettingsError: they are not valid.
        """
        table = self._table
        for key, value in table.items():
            self._require(value, _KINDS, key)
        packages = {name: str(self._path.parent / folder)
                    for name, folder in table.get('packages', {}).items()}
        for name, folder in packages.items():
            if not (self._lookup.trust.is_full or self._lookup.is_around(folder)):
                raise self._error(
                    f'Package {quote(name, 80)} of the settings is in {quote(folder, 200)}, '
                    'outside of the project, which --untrusted does not read. Give it with '
                    '--package', 'packages', name)
        for key in ('select', 'ignore', 'for'):
            for value in table.get(key, ()):
                with self._at(key, value):
                    _require_known(*((), (value,)) if key == 'for' else ((value,), ()))
        with self._at('level'):
            Settings(level=table.get('level'))
        return Settings(
            table.get('select', ()), table.get('ignore', ()), table.get('for', ()), packages,
            table.get('strict', False), table.get('level'), self._inside(table, 'baseline'),
            tuple(self._roots(table.get('roots', ()))),
            [pattern_in(str(self._path.parent), path) for path in table.get('exclude', ())])

    def _roots(self, tables: list[Mapping[str, Any]]) -> list[Root]:
        if len(tables) > MAX_ROOTS:
            raise self._error(f'There are more than {MAX_ROOTS} roots', 'roots')
        found: dict[str, Root] = {}
        for index, table in enumerate(tables):
            for key, value in table.items():
                self._require(value, _KINDS_OF_ROOT, 'roots', index, key)
            file = self._inside(table, 'roots', index, 'file')
            if file is None:
                raise self._error(
                    'The root has no file. Write file = "urdf/robot.urdf.xacro"', 'roots', index)
            known = found.get(file, Root(file, (), self._where('roots', index)))
            loops = self._inside(table, 'roots', index, 'loops') or known.loops
            if known.loops not in (None, loops):
                raise self._error('The root has two files of loops', 'roots', index, 'loops')
            with self._at('roots', index, 'arguments'):
                made = (*known.combinations, *combinations(table.get('arguments', {})))
                if len(made) > MAX_COMBINATIONS:
                    raise SettingsError(_TOO_MANY)
            if tolerances := table.get('tolerances', known.tolerances):
                # It takes long to import.
                from urdf_tools.equivalence.comparison import KINDS
                kinds = dict.fromkeys(KINDS, (Real, object, 'a number'))
                for kind, value in tolerances.items():
                    self._require(value, kinds, 'roots', index, 'tolerances', kind)
            same = self._inside(table, 'roots', index, 'same') or known.same
            found[file] = Root(file, made, known.location, loops, same, tolerances)
        return list(found.values())

    def _inside(self, table: Mapping[str, Any], *where: str | int) -> str | None:
        """
        Return the absolute path of a file, which must be in the folder of the settings, or None.

        :param where: the keys that lead to the path, the last one in the table.
        """
        key = where[-1]
        value = table.get(str(key))
        if value is None:
            return None
        if not value or '\0' in value:
            raise self._error(f'{key} {quote(value, 80)} is not a path', *where)
        folder = real_path(self._path.parent)
        path = os.path.normpath(os.path.join(folder, value))
        if os.path.isabs(value) or not path.startswith(os.path.join(folder, '')):
            raise self._error(
                f'{key} {quote(value, 80)} is outside the folder of this file. Write a path '
                'relative to it', *where)
        if not self._lookup.may_read(path):
            raise self._error(f'{key} {quote(value, 80)} {_LEADS_OUT}', *where)
        if not self._lookup.is_trusted(path):
            raise self._error(f'{key} {quote(value, 80)} is not tracked by git, so --untrusted '
                              'does not read it', *where)
        return path

    def _require(self, value: object, kinds: _Kinds, *where: str | int) -> None:
        key = str(where[-1])
        if key not in kinds:
            raise self._error(does_not_exist(key, kinds, 'key'), *where)
        outer, inner, kind = kinds[key]
        items = value.values() if isinstance(value, dict) else value
        if not isinstance(value, outer) or isinstance(items, Iterable) and not all(
                isinstance(item, inner) for item in items):
            raise self._error(f'{key} is not {kind}', *where)

    @contextmanager
    def _at(self, *where: str | int) -> Iterator[None]:
        """Add the source location to an error."""
        try:
            yield
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
    text = re.sub(r'(?m)^[ \t]*#.*$', lambda match: ' ' * len(match[0]), text)
    position, times = -1, 1
    for key in keys:
        if isinstance(key, str):
            name, times = rf'[ \t]*(?P<key>["\']?{re.escape(key)}["\']?)[ \t]*', 1
            pattern = rf'(?:^|[{{,.\[]){name}(?:=|\.|\]|,|$)'
        else:  # The tables that follow the first one of the last name.
            pattern, times = rf'^[ \t]*\[\[(?:[^\]\n]*\.)?{name}\]\]', key
        for _ in range(times):
            match = re.compile(pattern, re.MULTILINE).search(text, position + 1)
            position = position if match is None else match.start('key')
    return None if position < 0 else text.count('\n', 0, position) + 1


_Kinds = Mapping[str, tuple[type, type, str]]

_KINDS, _KINDS_OF_ROOT = (
    {key: (getattr(builtins, kind), getattr(builtins, of), words) for key, (kind, of, words)
     in rows.items()}
    for rows in json.loads(Path(__file__).with_suffix('.json').read_bytes()))
"""The keys to the types of their values and of what is in these, and in words."""


class ProjectSettings:
    """
    The settings for descriptions: those of the nearest file, overridden by the caller.

    :param given: the settings of the caller.
    :param config: the file to use instead of the nearest one.
    :param use_files: whether to read files at all.
    """

    def __init__(self, given: Settings = Settings(), config: str | None = None,
                 use_files: bool = True):
        self._given = given
        self._use_files = use_files
        self._file = None if config is None else read_settings(Path(config), given.trust)
        self._of_folder: dict[str, Settings] = {}

    def of_folder(self, folder: str) -> Settings:
        """
        Return the settings for the descriptions in a folder.

        :raises SettingsError: they are not valid.
        """
        if not self._use_files:
            return self._given
        if folder not in self._of_folder:
            file = self._file or project_settings(Path(folder), self._given.trust)
            self._of_folder[folder] = _merged(file, self._given)
        return self._of_folder[folder]

    def of_file(self, path: str) -> Settings:
        """
        Return the settings for a description.

        :raises SettingsError: they are not valid.
        """
        return self.of_folder(os.path.dirname(path) or '.')


def _merged(file: Settings, line: Settings) -> Settings:
    """
    Return the settings of a project's file, overridden by those of the command line.

    What the command line ignores and excludes, and its packages, are added.
    """
    return Settings(
        line.select or file.select, (*file.ignore, *line.ignore), line.programs or file.programs,
        {**file.packages, **line.packages}, line.strict or file.strict, line.level or file.level,
        line.baseline or file.baseline, file.roots, (*file.exclude, *line.exclude), line.trust)
