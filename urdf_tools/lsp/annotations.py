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

"""What to show in a text: values of expressions, numbers of instances, and kinds of words."""

from __future__ import annotations

import ast
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
import math
import operator
import re
from typing import NamedTuple

from lsprotocol import types

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.expressions import outermost
from urdf_tools.lsp.expressions import pattern_of
from urdf_tools.lsp.expressions import Substitution
from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.expressions import TokenKind
from urdf_tools.lsp.expressions import tokens
from urdf_tools.lsp.name_roles import macro_around
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.symbol_index import SymbolIndex
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import Node

_MAX_HINTS = 1000
_MAX_LENGTH = 30
_MAX_VALUES = 3
_MAX_EXPRESSION = 200
_MAX_DEPTH = 10

_OPERATORS: dict[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv,
    ast.Pow: math.pow, ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    'abs': abs, 'max': max, 'min': min, **{name: getattr(math, name) for name in (
        'acos', 'asin', 'atan', 'atan2', 'cos', 'degrees', 'hypot', 'radians', 'sin', 'sqrt',
        'tan')}}
_CONSTANTS = {'pi': math.pi, 'e': math.e, 'tau': math.tau}

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


def inlay_hints(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], start: int, end: int
        ) -> list[types.InlayHint]:
    """
    Return the hints between two offsets.

    :param robots: what the file was expanded to; without, only sums and the like have values.
    """
    if not source.is_xacro:
        return []
    constants = Constants(SymbolIndex(project.expanded_with(source)))
    found: list[types.InlayHint] = []
    for node in source.tree.nodes:
        if node.start < end and node.tag_end > start and len(found) < _MAX_HINTS:
            found += _instances(source, robots, node)
            for attribute in node.attributes:
                if '${' in attribute.value:
                    found += _values(source, robots, constants, node, attribute)
    return found


def _instances(
        source: Source, robots: Sequence[ExpandedRobot], node: Node) -> Iterator[types.InlayHint]:
    named = node.attribute('name')
    if named is None:
        return
    if node.tag == 'xacro:macro':
        numbers = {robot.calls_of(named.value) for robot in robots}
    elif node.tag in ('link', 'joint') and macro_around(node) is not None:
        numbers = {robot.instances(source, node.start) for robot in robots}
    else:
        return
    shown = [str(number) for number in sorted(numbers - {0})]
    if shown:
        label = shown[0] if len(shown) == 1 else f'{shown[0]}-{shown[-1]}'
        yield _hint(source, named.value_end + 1, f'\N{MULTIPLICATION SIGN}{label}')


def _values(
        source: Source, robots: Sequence[ExpandedRobot], constants: Constants, node: Node,
        attribute: Attribute) -> Iterator[types.InlayHint]:
    values = dict.fromkeys(
        value for robot in robots
        for value, _ in robot.values(source, node.start, attribute.name))
    pattern = pattern_of(attribute.value, '(.*?)')
    parts = [match.groups() for value in values if (match := re.fullmatch(pattern, value))]
    for number, each in enumerate(
            outermost(source.text, attribute.value_start, attribute.value_end)):
        expression = source.text[each.start:each.end].strip()
        if each.opening != '${' or source.text[each.end:each.end + 1] != '}':
            continue
        shown = list(dict.fromkeys(_short(part[number]) for part in parts))
        if not shown and (constant := constants.value_at(source, each)) is not None:
            shown = [_short(str(constant))]
        if shown and shown != [expression]:
            more = ', ...' if len(shown) > _MAX_VALUES else ''
            yield _hint(source, each.end + 1, f'= {", ".join(shown[:_MAX_VALUES])}{more}')


def _short(value: str) -> str:
    """Return a value as it is shown: numbers with five digits."""
    try:
        return f'{float(value):.5g}'
    except ValueError:
        text = ' '.join(value.split())
        return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH - 3] + '...'


def _hint(source: Source, offset: int, label: str) -> types.InlayHint:
    return types.InlayHint(source.positions.position(offset), label, padding_left=True)


class _NotConstant(Exception):
    """A value that depends on a call, a condition or an argument, or is no number."""


class Constants:
    """
    The values of expressions that use numbers and properties that are defined once.

    :param index: the files that share names with those of the expressions.
    """

    def __init__(self, index: SymbolIndex):
        self._index = index

    def value_at(self, source: Source, found: Substitution) -> float | None:
        """Return the value of a substitution, or None if it has none."""
        try:
            value = self._of_expression(source, found, 0)
        except (_NotConstant, ArithmeticError, SyntaxError, TypeError, ValueError,
                RecursionError, MemoryError):
            return None
        return value if math.isfinite(value) else None

    def _of_expression(self, source: Source, found: Substitution, depth: int) -> float:
        text = source.text[found.start:found.end]
        if depth > _MAX_DEPTH or len(text) > _MAX_EXPRESSION or found.opening != '${' or (
                not text.isascii() or '\n' in text):
            raise _NotConstant
        start = found.start + len(text) - len(text.lstrip())
        return self._of(source, start, ast.parse(text.strip(), mode='eval').body, depth)

    def _of(self, source: Source, start: int, node: ast.expr, depth: int) -> float:
        def of(inner: ast.expr) -> float:
            return self._of(source, start, inner, depth)

        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return float(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](of(node.operand))
        if isinstance(node, ast.Name):
            return self._of_name(source, start + node.col_offset, node.id, depth)
        if isinstance(node, ast.Call) and not node.keywords and (
                isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS):
            return _FUNCTIONS[node.func.id](*map(of, node.args))
        raise _NotConstant

    def _of_name(self, source: Source, offset: int, name: str, depth: int) -> float:
        use = source.symbols.at(offset)
        found = [] if use is None else [
            (other, each) for other, each in self._index.same(use) if each.defines]
        if not found and name in _CONSTANTS:
            return _CONSTANTS[name]
        if len(found) != 1 or found[0][1].how != 'binds':
            raise _NotConstant
        other, definition = found[0]
        node = other.tree.tag_at(definition.start)
        attribute = None if node is None else node.attribute('value')
        if attribute is None:
            raise _NotConstant
        if '$' not in attribute.value:
            return float(attribute.value)
        inner = next(substitutions(other.text, attribute.value_start, attribute.value_end))
        if (inner.start - 2, inner.end + 1) != (attribute.value_start, attribute.value_end):
            raise _NotConstant
        return self._of_expression(other, inner, depth + 1)


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
            character = 0
        data += (where.start.line - line, where.start.character - character,
                 where.end.character - where.start.character, _NUMBERS[token.type],
                 int(token.is_declaration))
        line, character, after = where.start.line, where.start.character, token.end
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
