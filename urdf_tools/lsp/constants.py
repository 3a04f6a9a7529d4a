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

"""The numbers that expressions have whoever uses them, without evaluating any code."""

from __future__ import annotations

import ast
from collections.abc import Callable
import math
import operator

from urdf_tools.lsp.expressions import Substitution
from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_index import SymbolIndex

_MAX_LENGTH = 200
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
        if depth > _MAX_DEPTH or len(text) > _MAX_LENGTH or found.opening != '${' or (
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
