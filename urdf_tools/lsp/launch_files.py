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
from typing import Literal

from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_index import Occurrence

Aim = Literal['certain', 'likely', 'unclear']
"""Whether a launch file gives a value to one of some xacro files: it names only these, or names
none, or names others that have an argument of that name, too."""

_XACRO_FILE = re.compile(r'[\w.-]+\.xacro\b')
_COMMAND = re.compile(r'Command\b|\bxacro\b|process_file|robot_description')


class LaunchFiles:
    """
    Finds arguments of xacro files in launch files.

    :param project: the files of the workspace.
    """

    def __init__(self, project: Project):
        self._project = project

    def likely(self, sources: Iterable[Source], name: str) -> list[Occurrence]:
        """Return where files give some xacro files an argument, as far as that can be told."""
        return [found for found, _ in self.given(sources, name)]

    def given(self, sources: Iterable[Source], name: str) -> Iterator[tuple[Occurrence, Aim]]:
        """Yield these, with how sure that is."""
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
            others = named and self._with_argument(named - names, name)
            for match in pattern.finditer(source.text):
                if match[1] or 'mappings' in source.text:
                    file = _file_before(source.text, match.start()) if others else ''
                    if not file or file in names:
                        yield (Occurrence(source, *match.span(match.lastindex or 0)),
                               'likely' if not named else
                               'unclear' if others and not file else 'certain')

    def _with_argument(self, names: set[str], argument: str) -> set[str]:
        """Return those names that files of the workspace have which use an argument."""
        return {
            os.path.basename(path) for path in self._project.files()
            if os.path.basename(path) in names and (source := self._project.source(path))
            and any(use.kind == 'arg' for part in self._project.closure(source)
                    for use in part.symbols.uses.get(argument, ()))}


def _file_before(text: str, offset: int) -> str:
    """Return the xacro file that the command around an offset names; empty if none is told."""
    found = None
    for found in _XACRO_FILE.finditer(text, 0, offset):
        pass
    return '' if found is None or _COMMAND.search(text, found.end(), offset) else found[0]
