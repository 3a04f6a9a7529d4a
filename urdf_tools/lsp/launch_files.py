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

"""The launch files of a workspace, and where they pass arguments to xacro files."""

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


def given_in_launch_files(
        project: Project, sources: Iterable[Source], name: str
        ) -> Iterator[tuple[Occurrence, Aim]]:
    """Yield where launch files of a workspace may pass an argument to some xacro files."""
    own = {source.path for source in sources}
    names = {os.path.basename(path) for path in own}
    pattern = re.compile(
        rf'(?<![\w.-])({re.escape(name)}):=|["\']({re.escape(name)})["\']\s*:(?!=)')
    for path in project.launch_files():
        source = project.source(path)
        if source is None or name not in source.text or 'xacro' not in source.text:
            continue
        named = set(_XACRO_FILE.findall(source.text))
        if named and not named & names:
            continue
        mappings = list(_mappings(source.text))
        for match in pattern.finditer(source.text):
            if match[1] or any(start < match.start() < end for start, end in mappings):
                found = Occurrence(source, *match.span(match.lastindex or 0))
                files = _files_before(project, source.text, match.start(), named)
                if not named:
                    yield found, 'likely'
                elif own & files:
                    yield found, ('unclear' if any(
                        _has_argument(project, path, name) for path in files - own) else 'certain')


def _files_before(project: Project, text: str, offset: int, named: set[str]) -> set[str]:
    """Return the xacro files that arguments at an offset may be for: the nearest or all."""
    mentions = list(_XACRO_FILE.finditer(text, 0, offset))
    if not mentions or _COMMAND.search(text, mentions[-1].end(), offset):
        return _files(project, named)
    start = mentions[-1].start()
    return _of_nearest_package(
        _files(project, {mentions[-1][0]}), text[max(start - _PACKAGE_BEFORE, 0):start])


def _files(project: Project, names: set[str]) -> set[str]:
    """Return the xacro files of the workspace with some names."""
    return {path for path in project.files() if os.path.basename(path) in names}


def _has_argument(project: Project, path: str, argument: str) -> bool:
    source = project.source(path)
    return source is not None and any(
        use.kind == 'arg' for part in project.closure(source)
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
    """Return the files whose package is the last one named in a text."""
    last = {}
    for path in files:
        name = package_name(project_folder(Path(path))) or ''
        found = [match.end() for match in re.finditer(
            rf'(?<![\w-]){re.escape(name)}(?![\w-])', before)] if name else []
        last[path] = max(found, default=-1)
    return {path for path in files if last[path] == max(last.values())}
