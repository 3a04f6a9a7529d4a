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
from itertools import islice
import os
from pathlib import Path
import re

from urdf_tools.lsp.file_checks import SECONDS
from urdf_tools.lsp.occurrences import given_in_launch_files
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import PLACEHOLDER
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.xacro.description_files import open_document
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroLimits

_MAX_VALUES = 40
_WORD = r'[\w./+-]+'


def arguments_of(project: Project, roots: Iterable[Source], given: Mapping[str, str]
                 ) -> dict[str, object]:
    """
    Return the arguments of xacro files, and those that they cannot be expanded without.

    Xacro evaluates expressions: call this for files that the user trusts.

    :param given: the arguments that have a value.
    :return: ``names`` of all, and ``lacking``: for each its ``name`` and ``values``, each with
        its ``source``, as the protocol has them.
    """
    names: set[str] = set()
    found: dict[str, dict[str, str]] = {}
    for root in roots:
        own = {name for part in project.closure(root) for name, uses in part.symbols.uses.items()
               if any(use.kind == 'arg' for use in uses)}
        names |= own
        try:
            open_document(
                root.path, arguments={name: given[name] for name in own & given.keys()},
                packages=project.resolver(root).lookup, budget=XacroBudget(XacroLimits(
                    time=SECONDS)), buffers={
                    source.path: source.text for source in list(project.open.values())})
        except DescriptionError as error:
            for name, typed in error.arguments.items():
                found.setdefault(name, {}).update(_values(project, root, name, typed))
    return {'names': sorted(names), 'lacking': [{'name': name, 'values': [
        {'value': value, 'source': source} for value, source in values.items()]}
        for name, values in found.items()]}


def _values(project: Project, root: Source, name: str, typed: str) -> dict[str, str]:
    """Return the values of an argument, and the file that each is from."""
    own = project.closure(root)
    launch = dict.fromkeys(found.source for found in given_in_launch_files(project, own, name))
    readmes = project_folder(Path(root.path).parent).glob('README*')
    found = {} if typed == PLACEHOLDER else {typed: 'proposed by urdf-tools'}
    for source in (*launch, *filter(None, (project.source(str(path)) for path in readmes)), *own):
        for value in values_in(source.text, name):
            found.setdefault(value, os.path.basename(source.path))
    return dict(islice(found.items(), _MAX_VALUES))


def values_in(text: str, name: str) -> Iterator[str]:
    """Yield the values that a launch file, a README or a comment has for an argument."""
    escaped = re.escape(name)
    for declared in re.finditer(
            rf'(?:Argument\(\s*|<arg\b[^<>]*\bname\s*=\s*)["\']{escaped}["\']'
            r'(.{0,2000}?)(?=Argument\(|</?arg\b|\Z)', text, re.DOTALL):
        for listed in re.findall(
                r'\bchoices\s*=\s*\[([^\]]*)|<choice\s+value\s*=([^<>]*)|'
                r'\bdefault(?:_value)?\s*=\s*(["\'][^"\']*["\'])', declared[1]):
            yield from re.findall(rf'["\']({_WORD})["\']', ''.join(listed))
    yield from re.findall(rf'(?<![\w.-]){escaped}:=["\']?({_WORD})', text)
    yield from re.findall(rf'["\']{escaped}["\']\s*:\s*["\']({_WORD})["\']', text)
    for listed in re.findall(rf'<!--[^<>]*\b{escaped}\b[^<>:]*\bvalues?\s*:([^<>]*)-->', text):
        yield from re.findall(_WORD, listed)
