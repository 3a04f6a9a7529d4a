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

"""The words of expressions and the macros, for an editor that colours them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.expressions import TokenKind
from urdf_tools.lsp.expressions import tokens
from urdf_tools.lsp.source import Source

_Type = types.SemanticTokenTypes
_MAX_TOKENS = 50_000

_TYPES: dict[TokenKind, types.SemanticTokenTypes] = {
    'argument': _Type.Parameter, 'command': _Type.Keyword, 'function': _Type.Function,
    'keyword': _Type.Keyword, 'member': _Type.Property, 'name': _Type.Variable,
    'number': _Type.Number, 'operator': _Type.Operator, 'string': _Type.String}

LEGEND = types.SemanticTokensLegend(
    token_types=list(dict.fromkeys((*_TYPES.values(), _Type.Macro))),
    token_modifiers=[types.SemanticTokenModifiers.Declaration])
_NUMBERS = {name: number for number, name in enumerate(LEGEND.token_types)}


class _Coloured(NamedTuple):
    start: int
    end: int
    type: types.SemanticTokenTypes
    is_declaration: bool = False


def semantic_tokens(source: Source, start: int, end: int) -> types.SemanticTokens:
    """Return the words between two offsets, as the protocol encodes them."""
    data: list[int] = []
    line, character, after = 0, 0, 0
    for token in sorted(set(_in_range(source, start, end)))[:_MAX_TOKENS]:
        where = source.positions.range(token.start, token.end)
        if token.start < after or where.start.line != where.end.line:
            continue
        if where.start.line != line:
            line, character, before = where.start.line, 0, line
        else:
            before = line
        data += (line - before, where.start.character - character,
                 where.end.character - where.start.character, _NUMBERS[token.type],
                 int(token.is_declaration))
        character, after = where.start.character, token.end
    return types.SemanticTokens(data)


def _in_range(source: Source, start: int, end: int) -> Iterator[_Coloured]:
    if not source.is_xacro:
        return
    for use in source.symbols.between(start, end):
        if use.kind == 'macro':
            yield _Coloured(use.start, use.end, _Type.Macro, use.defines)
        elif use.how == 'parameter':
            yield _Coloured(use.start, use.end, _Type.Parameter, True)
    start = source.text.rfind('<', 0, start) + 1
    for found in substitutions(source.text, start, end):
        if source.tree.is_hidden(found.start):
            continue
        for token in tokens(source.text, found):
            if token.kind == 'nested' or '$' in source.text[token.start:token.end]:
                continue
            kind = _TYPES[token.kind]
            if token.kind == 'name' and source.symbols.is_parameter(token.start):
                kind = _Type.Parameter
            yield _Coloured(token.start, token.end, kind)
