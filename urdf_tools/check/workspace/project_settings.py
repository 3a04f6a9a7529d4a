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

"""The settings that apply to a description: those of its project and of the caller."""

from __future__ import annotations

import os
from pathlib import Path

from urdf_tools.check.workspace.settings import Settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.settings_file import project_settings
from urdf_tools.check.workspace.settings_file import read_settings
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import PackageLookup


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
        self._file = None if config is None else read_settings(Path(config))
        self._of_folder: dict[str, Settings] = {}

    def of_folder(self, folder: str) -> Settings:
        """
        Return the settings for the descriptions in a folder.

        :raises SettingsError: they are not valid.
        """
        if not self._use_files:
            return self._given
        if folder not in self._of_folder:
            file = self._file or project_settings(Path(folder))
            if not self._given.trust.is_full:
                _require_inside(file, folder)
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


def _require_inside(settings: Settings, folder: str) -> None:
    """Require that the paths in settings are inside the project of the descriptions."""
    lookup = PackageLookup(Path(os.path.abspath(folder)), {})
    named = [(f'Package {quote(name, 80)}', path, '--package')
             for name, path in settings.packages.items()]
    named += [('A file of loops', root.loops, '--loops') for root in settings.roots if root.loops]
    for what, path, option in named:
        if not lookup.holds(path):
            raise SettingsError(
                f'{what} of the settings is in {quote(path, 200)}, outside of the project, which '
                f'--untrusted does not read. Give it with {option}')
