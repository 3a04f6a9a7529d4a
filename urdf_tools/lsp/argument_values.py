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
"""The arguments that a xacro file lacks, with the values that its workspace knows of."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import os
from pathlib import Path
import re

from urdf_tools.lsp.expanded_checks import SECONDS
from urdf_tools.lsp.launch_files import given_in_launch_files
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import PLACEHOLDER
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.trust import XacroBudget
from urdf_tools.model.trust import XacroLimits
from urdf_tools.xacro.description_files import open_document

_MAX_VALUES = 40
_WORD = r'[\w./+-]+'
_IN_QUOTES = re.compile(rf'["\']({_WORD})["\']')
_DEFAULT = re.compile(rf'\bdefault(?:_value)?\s*=\s*["\']({_WORD})["\']')
_CHOICES = re.compile(r'\bchoices\s*=\s*\[([^\]]*)\]|<choice\s+value\s*=\s*("[^"]*")')


def argument_names(project: Project, roots: Iterable[Source]) -> list[str]:
    """Return the arguments of xacro files, and of the files that they include."""
    return sorted({name for root in roots for part in project.closure(root)
                   for name, uses in part.symbols.uses.items()
                   if any(use.kind == 'arg' for use in uses)})


def lacking_arguments(project: Project, roots: Iterable[Source], given: Mapping[str, str]
                      ) -> list[dict[str, object]]:
    """
    Return the arguments that xacro files cannot be expanded without, for the protocol.

    Xacro evaluates expressions: call this for files that the user trusts.

    :param given: the arguments that have a value.
    :return: for each its ``name`` and ``values``, each a ``value`` with its ``source``.
    """
    found: dict[str, dict[str, str]] = {}
    buffers = {source.path: source.text for source in list(project.open.values())}
    for root in roots:
        names = argument_names(project, [root])
        try:
            open_document(
                root.path, arguments={name: given[name] for name in names if name in given},
                packages=project.resolver(root).lookup, buffers=buffers,
                budget=XacroBudget(XacroLimits(time=SECONDS)))
        except DescriptionError as error:
            for name, typed in error.arguments.items():
                found.setdefault(name, {}).update(_values(project, root, name, typed))
    return [{'name': name, 'values': [
        {'value': value, 'source': source} for value, source in values.items()]}
        for name, values in found.items()]


def _values(project: Project, root: Source, name: str, typed: str) -> dict[str, str]:
    """Return the values of an argument, and the file that each is from."""
    sources = project.closure(root)
    launch = dict.fromkeys(
        found.source for found, _ in given_in_launch_files(project, sources, name))
    folder = project_folder(Path(root.path).parent)
    readmes = filter(None, (project.source(str(path)) for path in folder.glob('README*')))
    found = {} if typed == PLACEHOLDER else {typed: 'proposed by urdf-tools'}
    for source in (*launch, *readmes, *sources):
        for value in values_in(source.text, name):
            if len(found) < _MAX_VALUES:
                found.setdefault(value, os.path.basename(source.path))
    return found


def values_in(text: str, name: str) -> Iterator[str]:
    """Yield the values that a launch file, a README or a comment has for an argument."""
    escaped = re.escape(name)
    for declared in re.finditer(
            rf'(?:Argument\(\s*|<arg\b[^<>]*\bname\s*=\s*)["\']{escaped}["\']'
            r'(.{0,2000}?)(?=Argument\(|</?arg\b|\Z)', text, re.DOTALL):
        for choices in _CHOICES.finditer(declared[1]):
            yield from _IN_QUOTES.findall(choices[1] or choices[2])
        yield from _DEFAULT.findall(declared[1])
    yield from re.findall(rf'(?<![\w.-]){escaped}:=["\']?({_WORD})', text)
    yield from re.findall(rf'["\']{escaped}["\']\s*:\s*["\']({_WORD})["\']', text)
    for listed in re.findall(rf'<!--[^<>]*\b{escaped}\b[^<>:]*\bvalues?\s*:([^<>]*)-->', text):
        yield from re.findall(_WORD, listed)
