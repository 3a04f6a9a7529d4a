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

"""The names that are defined in a workspace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
import os

from lsprotocol import types

from urdf_tools.lsp.outline import KINDS
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import uri_of

_MAX_SYMBOLS = 500


def workspace_symbols(project: Project, query: str) -> list[types.WorkspaceSymbol]:
    """Return the definitions whose names have the characters of a query in their order."""
    return list(islice(_matching(project, query.casefold()), _MAX_SYMBOLS))


def _matching(project: Project, query: str) -> Iterator[types.WorkspaceSymbol]:
    for path in project.descriptions():
        source = project.source(path)
        if source is None or not source.is_description:
            continue
        for named in source.named:
            name = named.attribute.value
            if named.role.defines and name and _is_subsequence(query, name.casefold()):
                yield types.WorkspaceSymbol(
                    types.Location(uri_of(path), source.positions.range(
                        named.attribute.value_start, named.attribute.value_end)),
                    name, KINDS[named.node.tag], container_name=os.path.basename(path))


def _is_subsequence(query: str, name: str) -> bool:
    rest = iter(name)
    return all(character in rest for character in query)
