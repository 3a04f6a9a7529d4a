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

"""Find packages and files with the answers remembered, for checks at every change of a text."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
import os
from pathlib import Path

from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver

_LEVELS = 3
_MAX_ENTRIES = 5000


class CachingResolver(ResourceResolver):
    """A resolver that remembers its answers until it is replaced."""

    def __init__(self, folder: str, packages: Mapping[str, str]):
        super().__init__(folder, packages=packages)
        self._answers: dict[str, Path | ResourceError] = {}
        self._packages_found: dict[str, Path | None] = {}

    def find_package(self, name: str) -> Path | None:
        """Return the folder of a ROS package, or None."""
        if name not in self._packages_found:
            self._packages_found[name] = super().find_package(name)
        return self._packages_found[name]

    def resolve(self, uri: str) -> Path:
        """Return the file that a URI refers to."""
        if uri not in self._answers:
            try:
                self._answers[uri] = super().resolve(uri)
            except ResourceError as error:
                self._answers[uri] = error
        answer = self._answers[uri]
        if isinstance(answer, ResourceError):
            raise answer
        return answer

    def package_names(self) -> list[str]:
        """Return the packages of the environment, and those beside the description."""
        lookup = self.lookup
        names = {*lookup.packages, *lookup.crawled, *lookup.sources()}
        for share in lookup.shares:
            names.update(_entries(share / 'ament_index' / 'resource_index' / 'packages'))
        if self._folder is not None:
            for folder in self._folder.parents[:_LEVELS]:
                names.update(
                    name for name in _entries(folder)
                    if (folder / name / 'package.xml').is_file() and self.find_package(name))
        return sorted(names)


def _entries(folder: Path) -> list[str]:
    """Return the entries of a folder; none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, _MAX_ENTRIES)]
    except OSError:
        return []
