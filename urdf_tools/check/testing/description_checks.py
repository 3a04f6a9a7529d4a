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

"""The checks of the descriptions in a package: one for each combination of xacro arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
import os
from pathlib import Path

from urdf_tools.check.workspace.argument_matrix import label
from urdf_tools.check.workspace.checking import Baselines
from urdf_tools.check.workspace.checking import check_targets
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.target_selection import find_targets
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.findings.formats.terminal import render
from urdf_tools.model.messages import quote


@dataclass(frozen=True)
class DescriptionCheck:
    """
    The check of one description with one combination of xacro arguments.

    :param target: the description, the combination, and the settings of its project.
    :param baselines: those of the projects, which hide known findings.
    """

    target: Target
    baselines: Baselines

    @property
    def arguments(self) -> str:
        """The xacro arguments as on a command line, such as ``prefix:=left_``."""
        return label(self.target.combinations[0])

    def name(self, folder: Path) -> str:
        """Return the path of the description in a folder, with the arguments."""
        path = os.path.relpath(self.target.source, folder)
        return f'{path} {self.arguments}'.rstrip()

    def failure(self) -> str:
        """Check the description, and return its findings as text if it fails, or nothing."""
        settings = self.target.settings
        checked, = check_targets([self.target], jobs=1)
        checked = self.baselines.hide(checked)
        if not checked.exit_code:
            return ''
        least = min(settings.least('warn'), checked.failing)
        # What fails comes first, since pytest shortens the text in JUnit XML.
        return render(checked.report, least=least, verdict=False)


class PackageChecks:
    """
    The checks of the descriptions below a folder, package by package.

    :param root: the folder of files that are in no package.
    """

    def __init__(self, root: Path):
        self._root = root
        self._of_folder: dict[Path, dict[Path, list[DescriptionCheck]]] = {}

    def of_file(self, path: Path) -> Sequence[DescriptionCheck]:
        """
        Return the checks of a description; none if the file only has macros.

        :raises SettingsError: the settings of its project are not valid.
        """
        folder = _package_above(path) or (
            self._root if self._root in path.parents else path.parent)
        if folder not in self._of_folder:
            checks: dict[Path, list[DescriptionCheck]] = {}
            for check in checks_in(folder, allow_none=True):
                checks.setdefault(Path(os.path.abspath(check.target.source)), []).append(check)
            self._of_folder[folder] = checks
        return self._of_folder[folder].get(path, ())


def checks_in(folder: Path, *, allow_none: bool = False) -> list[DescriptionCheck]:
    """
    Return the checks of the descriptions in a folder, as ``urdf-tools check`` finds them.

    :param allow_none: whether the folder may have no description.
    :raises SettingsError: the settings are not valid, or there is no description.
    """
    # Messages name a file as a user of the current folder would.
    inside = os.path.relpath(folder)
    name = str(folder) if inside.startswith(os.pardir) else inside
    targets = find_targets([name], allow_none=allow_none).targets
    baselines = Baselines()
    for target in targets:
        baselines.of(target.settings.baseline)
    return [DescriptionCheck(single, baselines)
            for target in targets for single in target.singles()]


def package_folder(path: Path) -> Path:
    """
    Return the folder of the package that a file belongs to.

    :raises SettingsError: no folder above has a ``package.xml``.
    """
    folder = _package_above(path)
    if folder is None:
        raise SettingsError(
            f'No folder above {quote(str(path), 200)} has a package.xml. Give the folder of the '
            'descriptions instead of __file__')
    return folder


def _package_above(path: Path) -> Path | None:
    return next((folder for folder in path.parents if (folder / 'package.xml').is_file()), None)
