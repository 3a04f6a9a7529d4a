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
from pathlib import Path
import re
from typing import Literal

from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.symbol_index import Occurrence
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.package_lookup import project_folder

Aim = Literal['certain', 'likely', 'unclear']
"""Whether a launch file gives a value to one of some xacro files: it names these, or none at all,
or others that have an argument of that name, too, and does not tell which it means."""

_XACRO_FILE = re.compile(r'[\w.-]+\.xacro\b')
_COMMAND = re.compile(r'Command\b|\bxacro\b|process_file|robot_description')
_MAPPINGS = re.compile(r'\bmappings\s*=\s*([A-Za-z_]\w*)?')
_PACKAGE_BEFORE = 300


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
        own = {source.path for source in sources}
        names = {os.path.basename(path) for path in own}
        pattern = re.compile(
            rf'(?<![\w.-])({re.escape(name)}):=|["\']({re.escape(name)})["\']\s*:(?!=)')
        for path in self._project.launch_files():
            source = self._project.source(path)
            if source is None or name not in source.text or 'xacro' not in source.text:
                continue
            named = set(_XACRO_FILE.findall(source.text))
            if named and not named & names:
                continue
            mappings = list(_mappings(source.text))
            for match in pattern.finditer(source.text):
                if match[1] or any(start < match.start() < end for start, end in mappings):
                    aim = self._aim(own, name, source.text, match.start(), named)
                    if aim is not None:
                        yield Occurrence(source, *match.span(match.lastindex or 0)), aim

    def _aim(self, own: set[str], argument: str, text: str, offset: int, named: set[str]
             ) -> Aim | None:
        """Return whether what is given at an offset is for one of some files; None if not."""
        if not named:
            return 'likely'
        mention = None
        for mention in _XACRO_FILE.finditer(text, 0, offset):
            pass
        if mention is None or _COMMAND.search(text, mention.end(), offset):
            files = self._files(named)
        else:
            before = text[max(mention.start() - _PACKAGE_BEFORE, 0):mention.start()]
            files = _of_nearest_package(self._files({mention[0]}), before)
        if not own & files:
            return None
        return 'unclear' if any(self._has_argument(path, argument) for path in files - own
                                ) else 'certain'

    def _files(self, names: set[str]) -> set[str]:
        """Return the xacro files of the workspace with some names."""
        return {path for path in self._project.files() if os.path.basename(path) in names}

    def _has_argument(self, path: str, argument: str) -> bool:
        source = self._project.source(path)
        return source is not None and any(
            use.kind == 'arg' for part in self._project.closure(source)
            for use in part.symbols.uses.get(argument, ()))


def _mappings(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the dictionaries of arguments begin and end."""
    names = {'mappings', *(match[1] for match in _MAPPINGS.finditer(text) if match[1])}
    for match in re.finditer(rf'\b(?:{"|".join(names)})\s*=\s*\{{', text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        yield match.end(), end


def _of_nearest_package(files: set[str], before: str) -> set[str]:
    """Return those files whose package is the last one that is named in a text."""
    last = {}
    for path in files:
        name = package_name(project_folder(Path(path))) or ''
        found = [match.end() for match in re.finditer(
            rf'(?<![\w-]){re.escape(name)}(?![\w-])', before)] if name else []
        last[path] = max(found, default=-1)
    return {path for path in files if last[path] == max(last.values())}
