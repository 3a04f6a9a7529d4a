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

"""Check all open files: each only if something has changed that its findings depend on."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
import os
from typing import Any
from typing import NamedTuple

from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.target_selection import package_of
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.file_checks import check
from urdf_tools.lsp.file_checks import check_expanded
from urdf_tools.lsp.file_checks import check_in_package
from urdf_tools.lsp.file_checks import check_unexpanded
from urdf_tools.lsp.file_checks import ExpandedCheck
from urdf_tools.lsp.file_checks import failed_check
from urdf_tools.lsp.file_checks import LocatedFinding
from urdf_tools.lsp.file_checks import UNREADABLE
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import TABLES
from urdf_tools.model.files import real_path
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import quote

SECTION = 'urdf-tools'
"""The name of the settings in an editor."""

_FORMS: Mapping[str, str] = TABLES['settings']
"""The settings, and what the value of each is."""

_MAX_ROOTS = 8


@dataclass(frozen=True)
class Preferences:
    """
    What the user of an editor allows and wants, from the options that the client sends.

    :ivar trusted: folders whose xacro files may be expanded.
    :ivar arguments: values of the arguments of xacro files, by name.
    :ivar packages: folders of packages, by name.
    """

    trusted: tuple[str, ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    packages: Mapping[str, str] = field(default_factory=dict)

    def trusts(self, path: str) -> bool:
        """Return whether a xacro file may be expanded."""
        real = real_path(path)
        return os.path.isabs(path) and any(
            real.startswith(os.path.join(real_path(folder), ''))
            for folder in self.trusted)

    def updated(self, options: object) -> tuple[Preferences, list[str]]:
        """
        Return these preferences with those of a client, and what is wrong with them.

        :param options: what the client sends: ``trusted`` (true, false or a list of folders),
            ``arguments`` and ``packages`` (texts by name).
        """
        if isinstance(options, Mapping) and isinstance(options.get(SECTION), Mapping):
            options = options[SECTION]
        if not isinstance(options, Mapping):
            return self, []
        wrong = []
        given: dict[str, Any] = {}
        for key, value in options.items():
            if key == 'trusted' and isinstance(value, bool):
                value = ['/'] if value else []
            if key not in _FORMS:
                wrong.append(f'{SECTION} has no setting {quote(str(key))}')
            elif key == 'trusted' and isinstance(value, (list, tuple)) and _are_texts(value):
                given[key] = (*self.trusted, *map(os.path.expanduser, value))
            elif key != 'trusted' and isinstance(value, Mapping) and _are_texts(value.values()):
                given[key] = {**getattr(self, key), **value}
            else:
                wrong.append(f'The setting {quote(key)} of {SECTION} is not {_FORMS[key]}')
        return replace(self, **given), wrong


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


class FileCheck(NamedTuple):
    """The findings about one version of a file."""

    source: Source
    findings: list[LocatedFinding]


class CheckCycle:
    """
    Checks the open files repeatedly; one whose check fails gets that as a finding.

    :param settings_of: returns the settings of the project of a folder.
    :ivar headlines: path of a robot to how programs load it, in at most three lines.
    """

    def __init__(self, project: Project, settings_of: Callable[[str], Settings]):
        self.preferences = Preferences()
        self.headlines: dict[str, Sequence[str]] = {}
        self._project = project
        self._settings_of = settings_of
        self._texts: dict[str, FileCheck] = {}
        self._roots: dict[str, ExpandedCheck] = {}
        self._robots: dict[str, ExpandedCheck] = {}

    def forget(self) -> None:
        """Check everything again in the next cycle."""
        self._texts.clear()
        self._roots.clear()

    def run(self) -> dict[str, FileCheck]:
        """
        Return the findings about the open files, and about others that they expand to.

        This reads meshes, and expands the xacro files that the user trusts.
        """
        sources = dict(self._project.open)
        own: dict[str, list[LocatedFinding]] = {}
        elsewhere: list[tuple[str, LocatedFinding]] = []
        for path, source in sources.items():
            try:
                own[path] = self._check_text(source)
                elsewhere += list(self._check_robots(source, own[path]))
            except Exception as error:  # Other files are checked all the same.
                own[path] = [failed_check(source, error)]
        expanded = grouped(elsewhere)
        checks = {}
        for path in {**own, **expanded}:
            shown = sources.get(path) or self._project.source(path)
            if shown is not None:
                minimum = self._settings(shown).minimum('info')
                checks[path] = FileCheck(shown, [
                    found for found in _merged(shown, own.get(path, []), expanded.get(path, []))
                    if found.finding.severity >= minimum])
        return checks

    def _check_text(self, source: Source) -> list[LocatedFinding]:
        """Return the findings about the text of a file, before any expansion."""
        known = self._texts.get(source.path)
        if known is None or known.source is not source:
            findings: list[LocatedFinding] = []
            if source.is_description and source.is_xacro:
                findings = check_unexpanded(source, self._settings(source))
            elif source.is_description:
                findings, headline = check(
                    source, self._project.resolver(source), self._settings(source))
                if not source.is_semantic:
                    self.headlines[source.path] = headline
            elif package := package_of(source.path):
                findings = check_in_package(
                    source, package, self._project.resolver(source), self._settings(source))
            known = self._texts[source.path] = FileCheck(source, findings)
        return known.findings

    def _check_robots(self, source: Source, findings: list[LocatedFinding]
                      ) -> Iterator[tuple[str, LocatedFinding]]:
        """Yield the findings about the robots that a xacro file is a part of, with their files."""
        if not source.is_description or not source.is_xacro or any(
                found.finding.code in UNREADABLE for found in findings):
            return
        trusts, opened = self.preferences.trusts, self._project.open
        for root in self._project.roots(source)[:_MAX_ROOTS]:
            if trusts(source.path) and trusts(root.path):
                # Of a root that is not open, only what is in open files.
                yield from ((path, found) for path, found in self._expanded(root).findings
                            if root.path in opened or path in opened)

    def robots(self, source: Source) -> list[ExpandedRobot]:
        """
        Return the latest expansions of a file, alone or as a part of other files.

        A text that is being typed often cannot be expanded, but its names are still needed.
        """
        return [root.robot for root in list(self._robots.values())
                if root.robot is not None and any(
                    file.path == source.path for file in root.files)]

    def _expanded(self, root: Source) -> ExpandedCheck:
        known = self._roots.get(root.path)
        if known is None or not known.is_current(self._project):
            known = self._roots[root.path] = check_expanded(
                self._project, root, self.preferences.arguments, self._settings(root))
            self.headlines[root.path] = known.headline
            if known.robot is not None:
                self._robots[root.path] = known
        return known

    def _settings(self, source: Source) -> Settings:
        return self._settings_of(os.path.dirname(source.path) or '.')


def _merged(source: Source, own: list[LocatedFinding], expanded: list[LocatedFinding]
            ) -> list[LocatedFinding]:
    """Return distinct findings; one from the expansion replaces the same one from the text."""
    better = {(found.finding.code, found.element(source)) for found in expanded}
    distinct = {(found.finding.code, found.start, found.finding.message): found
                for found in expanded}
    return [*distinct.values(), *(
        found for found in own if (found.finding.code, found.element(source)) not in better)]
