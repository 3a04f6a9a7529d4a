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

"""The launch files of a workspace, and where they give values to arguments of xacro files."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
import os
import re

from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_index import Occurrence

_XACRO_FILE = re.compile(r'[\w.-]+\.xacro\b')


class LaunchFiles:
    """
    Finds arguments of xacro files in launch files.

    :param project: the files of the workspace.
    """

    def __init__(self, project: Project):
        self._project = project

    def certain(self, sources: Iterable[Source], name: str) -> list[Occurrence]:
        """Return where files that name one of some xacro files give it an argument."""
        return [found for found, is_certain in self._naming(sources, name) if is_certain]

    def likely(self, sources: Iterable[Source], name: str) -> list[Occurrence]:
        """Return these, and where files do it that name no xacro file at all."""
        return [found for found, _ in self._naming(sources, name)]

    def _naming(self, sources: Iterable[Source], name: str) -> Iterator[tuple[Occurrence, bool]]:
        names = {os.path.basename(source.path) for source in sources}
        pattern = re.compile(
            rf'(?<![\w.-])({re.escape(name)}):=|["\']({re.escape(name)})["\']\s*:(?!=)')
        for path in self._project.launch_files():
            source = self._project.source(path)
            if source is None or name not in source.text or 'xacro' not in source.text:
                continue
            named = set(_XACRO_FILE.findall(source.text))
            if named and not named & names:
                continue
            for match in pattern.finditer(source.text):
                if match[1] or 'mappings' in source.text:
                    yield Occurrence(source, *match.span(match.lastindex or 0)), bool(named)
