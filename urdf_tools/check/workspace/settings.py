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
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from fnmatch import fnmatchcase
import glob
import os
from typing import NamedTuple
from typing import TYPE_CHECKING

from urdf_tools.model.errors import InputError
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.package_lookup import TRUSTED
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import does_not_exist

if TYPE_CHECKING:
    from urdf_tools.findings.finding import Severity

LEVELS = ('info', 'warn', 'error')


class SettingsError(InputError):
    """Settings that are not valid; the text is one sentence for the user."""


class Root(NamedTuple):
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

    def least(self, default: str) -> Severity:
        """Return the lowest severity to show; the default is one of :data:`LEVELS`."""
        from urdf_tools.findings.finding import Severity
        return Severity[(self.level or default).upper()]

    def root(self, path: str) -> Root | None:
        """Return the entry of the settings that lists a description, if one does."""
        path = os.path.realpath(path)
        return next((root for root in self.roots if os.path.realpath(root.file) == path), None)

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
    from urdf_tools.findings.consumers import CONSUMERS
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
