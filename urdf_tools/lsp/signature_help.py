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

"""The parameters of the macro that is called at the cursor."""

from __future__ import annotations

from lsprotocol import types

from urdf_tools.lsp.name_roles import parameter_matches
from urdf_tools.lsp.name_roles import signature
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_uses import macro_name

TRIGGERS = (' ', '"', '=')
"""The characters after which an editor asks."""


def signature_help(project: Project, source: Source, offset: int) -> types.SignatureHelp | None:
    """Return the parameters of a macro whose call an offset is in, or None."""
    node = source.tree.tag_at(offset)
    macro = '' if node is None or offset <= node.name_end else macro_name(node.tag)
    if node is None or not macro:
        return None
    signatures = []
    for _, named in project.definitions(source, 'macro'):
        if named.attribute.value == macro:
            matches = list(parameter_matches(named.node))
            signatures.append(types.SignatureInformation(
                signature(named.node), active_parameter=_active(
                    [match[2] for match in matches],
                    [attribute.name for attribute in node.attributes],
                    next((attribute.name for attribute in node.attributes
                          if attribute.start <= offset <= attribute.value_end), '')),
                parameters=[types.ParameterInformation(
                    match[1] + match[2],
                    f'Default: {match[4] or match[3]}' if match[3] or match[4] else None)
                    for match in matches]))
    if not signatures:
        return None
    return types.SignatureHelp(
        signatures, active_signature=0, active_parameter=signatures[0].active_parameter)


def _active(parameters: list[str], given: list[str], current: str) -> int | None:
    """Return the number of the parameter at the cursor, or of the first one without a value."""
    if current in parameters:
        return parameters.index(current)
    return next((number for number, name in enumerate(parameters) if name not in given), None)
