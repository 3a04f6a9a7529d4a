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

"""The settings of a check, from the command line and from a file of the project."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from fnmatch import fnmatchcase
import glob
import os

from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.finding import Severity
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.model.trust import Trust
from urdf_tools.model.trust import TRUSTED
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.registry import RENAMED
from urdf_tools.validation.rules import RULES
from urdf_tools.validation.validator import ALWAYS_APPLIED

LEVELS = {'info': Severity.INFO, 'warn': Severity.WARN, 'error': Severity.ERROR}


class SettingsError(ValueError):
    """Settings that are not valid; the text is one sentence for the user."""


@dataclass(frozen=True)
class Root:
    """
    A description that the settings of a project list.

    :param file: absolute path of the file.
    :param combinations: the combinations of xacro arguments to check it with; at least one.
    :param location: where the settings list it, as ``file:line``.
    :param loops: absolute path of a file of loops beside it, or None.
    """

    file: str
    combinations: tuple[Mapping[str, str], ...]
    location: str
    loops: str | None = None


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
        for name in (*self.select, *self.ignore):
            if name not in CATEGORIES:
                names = CATEGORIES if closest(name, CATEGORIES) else RULES
                if name not in RULES and name not in RENAMED:
                    raise SettingsError(does_not_exist(name, names, 'rule or category', (
                        f'Categories: {", ".join(CATEGORIES)}; "urdf-tools check --explain" lists '
                        'the rules')))
        for name in self.programs:
            _require(name, CONSUMERS, 'program')
        if self.level is not None:
            _require(self.level, LEVELS, 'level')

    def unwanted(self) -> set[str]:
        """Return the codes of the rules that are not applied."""
        return {code for code in RULES.unwanted(self.select, self.ignore)
                if code not in ALWAYS_APPLIED or code in self.ignore}

    def least(self, default: str) -> Severity:
        """Return the lowest severity to show; the default is one of :data:`LEVELS`."""
        return LEVELS[self.level or default]

    def root(self, path: str) -> Root | None:
        """Return the entry of the settings that lists a description, if one does."""
        path = os.path.realpath(path)
        return next((root for root in self.roots if os.path.realpath(root.file) == path), None)

    def loops(self, path: str) -> str | None:
        """Return the file of loops that the settings name beside a description, or None."""
        root = self.root(path)
        return root.loops if root else None

    def excludes(self, path: str) -> bool:
        """Return whether searches leave out a file."""
        path = os.path.abspath(path)
        return any(fnmatchcase(path, form) for pattern in self.exclude
                   for form in (pattern, os.path.join(pattern, '*')))


def merged(file: Settings, line: Settings) -> Settings:
    """
    Return the settings of a project's file, overridden by those of the command line.

    What the command line ignores and excludes, and its packages, are added.
    """
    return Settings(
        line.select or file.select, (*file.ignore, *line.ignore), line.programs or file.programs,
        {**file.packages, **line.packages}, line.strict or file.strict, line.level or file.level,
        line.baseline or file.baseline, file.roots, (*file.exclude, *line.exclude),
        line.trust)


def pattern_in(folder: str, path: str) -> str:
    """Return a path with wildcards, relative to a folder, as :attr:`Settings.exclude` has it."""
    return os.path.normpath(os.path.join(glob.escape(os.path.abspath(folder)), path))


def _require(name: str, names: Collection[str], what: str) -> None:
    if name not in names:
        raise SettingsError(does_not_exist(name, names, what))
