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

"""
The guard in front of the Python expressions of xacro files.

xacro 2.1 looks only at the names of the outermost code of an expression, so that a lambda or a
comprehension reaches everything, and ``$(eval ...)`` has all of Python's builtins. Here the whole
expression is parsed, and refused if it names anything through which Python's own machinery can be
reached. Where an expression gets past this, the worker that evaluates it has its limits.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from functools import lru_cache
from string import Formatter
from types import CodeType

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from types import ModuleType  # noqa: I300
    from typing import Any

MAX_CHARACTERS = 20_000
"""Longest expression that is evaluated."""

VALUES = 'urdf_tools_values'
"""Attribute of an error of an expression: the names that it uses, and their values."""

_MAX_VALUE = 80
_FORMAT = '__urdf_tools_format__'

_BUILTINS = (
    'abs', 'all', 'any', 'bool', 'chr', 'complex', 'dict', 'divmod', 'enumerate', 'filter',
    'float', 'frozenset', 'hash', 'hex', 'int', 'isinstance', 'issubclass', 'iter', 'len', 'list',
    'map', 'max', 'min', 'next', 'oct', 'ord', 'pow', 'range', 'repr', 'reversed', 'round', 'set',
    'slice', 'sorted', 'str', 'sum', 'tuple', 'zip')
"""What ``$(eval ...)`` may use of Python's builtins."""

_MACHINERY = frozenset((
    'ag_await', 'ag_code', 'ag_frame', 'co_code', 'co_consts', 'co_names', 'cr_await', 'cr_code',
    'cr_frame', 'cr_origin', 'f_back', 'f_builtins', 'f_code', 'f_globals', 'f_locals',
    'format_map', 'func_code', 'func_globals', 'gi_code', 'gi_frame', 'gi_yieldfrom', 'mro',
    'tb_frame', 'tb_next', 'with_traceback'))
"""Attributes without an underscore that lead to frames, code or classes."""


class UnsafeExpression(Exception):
    """An expression that is not evaluated; the text says why."""


def guard(xacro: ModuleType, substitution_args: ModuleType) -> None:
    """Let xacro evaluate nothing but guarded expressions in this process, from now on."""
    setattr(xacro, 'safe_eval', safe_eval)
    # Its function for $(eval ...) finds this name in its module before Python's own.
    setattr(substitution_args, 'eval', _eval_argument)
    symbols = getattr(xacro, '_global_symbols', {})  # Versions before 2.0 have none.
    for functions in (symbols, symbols.get('python', {})):
        if 'vars' in functions:
            functions.update(vars=_refused_vars)
        if 'type' in functions:
            functions.update(type=_type_of)


def safe_eval(text: str, symbols: dict[str, Any], names: Mapping[str, Any] | None = None) -> Any:
    """
    Return the value of an expression, as xacro's own function of this name does.

    :param symbols: the properties, arguments and functions that it may use.
    :param names: names that take precedence over them.
    :raises UnsafeExpression: it uses more than values, or is too long.
    """
    code = guarded(text)
    symbols.update(__builtins__={_FORMAT: safe_format})
    try:
        return eval(code, symbols, names)
    except Exception as error:
        if not hasattr(error, VALUES):  # Of the innermost expression.
            scope = symbols if names is None else names
            setattr(error, VALUES, dict(_values(code.co_names, scope)))
        raise


def _values(used: Iterable[str], names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the properties and parameters that an expression uses, with their values in short."""
    for name in used:
        try:
            value = names[name] if name in names else None
        except Exception:  # This value has no value either, which is the error.
            continue
        if isinstance(value, (bool, float, int, str)):
            yield name, repr(value)[:_MAX_VALUE]


@lru_cache(1000)
def guarded(text: str) -> CodeType:
    """
    Return the code of an expression that uses nothing but values.

    :raises UnsafeExpression: it uses more, or is too long.
    :raises SyntaxError: it is no expression.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnsafeExpression(f'it has more than {MAX_CHARACTERS:,} characters')
    try:
        code: CodeType = compile(text.strip(), '<expression>', 'eval')
        if _is_plain(text, code):
            return code
        tree = ast.parse(text.strip(), '<expression>', 'eval')
        return compile(ast.fix_missing_locations(_Guard().visit(tree)), '<expression>', 'eval')
    except (MemoryError, RecursionError) as error:
        raise UnsafeExpression('it is nested too deeply') from error


def _is_plain(text: str, code: CodeType) -> bool:
    """Return whether all names of an expression are those of its outermost code, and harmless."""
    return '__' not in text and not any(
        isinstance(constant, CodeType) for constant in code.co_consts) and not any(
        name.startswith('_') or name in _MACHINERY or name == 'format' for name in code.co_names)


def safe_format(template: Any, *values: Any, **named: Any) -> Any:
    """
    Return ``template.format(...)``.

    :raises UnsafeExpression: the template reaches for attributes or items of a value.
    """
    if isinstance(template, str) and any(
            set('.[') & set(name or '') or '{' in (specification or '')
            for _, name, specification, _ in Formatter().parse(template)):
        raise UnsafeExpression('it formats parts of a value, through which Python can be reached')
    return template.format(*values, **named)


class _Guard(ast.NodeTransformer):
    """Refuses names that lead out of an expression, and replaces the calls of ``format``."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id != _FORMAT:
            _require(not node.id.startswith('__'), node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        _require(not node.arg.startswith('__'), node.arg)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        _require(not (node.arg or '').startswith('__'), node.arg or '')
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = node.attr
        _require(not name.startswith('_') and name not in _MACHINERY and name != 'format', name)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name):
            _require(node.func.id != _FORMAT, _FORMAT)
        if isinstance(node.func, ast.Attribute) and node.func.attr == 'format':
            node = ast.Call(
                ast.Name(_FORMAT, ast.Load()), [node.func.value, *node.args], node.keywords)
        return self.generic_visit(node)


def _require(is_safe: bool, name: str) -> None:
    if not is_safe:
        raise UnsafeExpression(f'it uses {name!r}, through which Python can be reached')


def _eval_argument(text: str, _symbols: dict[str, Any], names: Any) -> Any:
    """Return the value of an expression in ``$(eval ...)``."""
    allowed = {name: getattr(builtins, name) for name in _BUILTINS}
    return eval(guarded(text), {'__builtins__': {**allowed, _FORMAT: safe_format}}, names)


def _refused_vars(*_values: Any) -> Any:
    raise UnsafeExpression("it uses 'vars', through which Python can be reached")


def _type_of(value: Any) -> Any:
    """Return the type of a value; with more arguments, Python's own makes a class."""
    return type(value)
