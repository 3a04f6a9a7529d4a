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
comprehension reaches everything, and ``$(eval ...)`` has all of Python's builtins. Here the syntax
tree of an expression may have what is listed, and it gets the attributes of values by a list,
too: the methods of numbers, texts and containers, and what the dictionaries of xacro have. Other
attributes would give access to Python's internals. Where an expression gets past this, the worker
that evaluates it has its limits.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from functools import lru_cache
from functools import partial
from string import Formatter
from types import CodeType

TYPE_CHECKING = False  # As in typing, which workers do not import: it takes long.
if TYPE_CHECKING:
    from types import ModuleType  # noqa: I300
    from typing import Any

MAX_CHARACTERS = 20_000
"""Maximum length of an evaluated expression."""

_GET = '__urdf_tools_get__'

_BUILTINS = (
    'abs', 'all', 'any', 'bool', 'chr', 'complex', 'dict', 'divmod', 'enumerate', 'filter',
    'float', 'frozenset', 'hash', 'hex', 'int', 'isinstance', 'issubclass', 'iter', 'len', 'list',
    'map', 'max', 'min', 'next', 'oct', 'ord', 'pow', 'range', 'repr', 'reversed', 'round', 'set',
    'slice', 'sorted', 'str', 'sum', 'tuple', 'zip')
"""What ``$(eval ...)`` may use of Python's builtins."""

_METHODS: dict[type, frozenset[str]] = {
    kind: frozenset(name for name in dir(kind) if not name.startswith('_')) - {'format_map'}
    for kind in (bool, bytes, complex, dict, float, frozenset, int, list, range, set, str, tuple)}
"""What an expression may use of a value of these types, or of the types themselves."""

_SYNTAX = (
    ast.expr_context, ast.Constant, ast.Name, ast.operator, ast.BinOp, ast.Expression, ast.Call,
    ast.Attribute, ast.Subscript, ast.Slice, ast.keyword,
    ast.UnaryOp, ast.unaryop, ast.Compare, ast.cmpop, ast.BoolOp, ast.boolop, ast.IfExp,
    ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension,
    ast.Lambda, ast.arguments, ast.arg, ast.JoinedStr, ast.FormattedValue)
"""What the syntax tree of an expression may consist of."""


class UnsafeExpression(Exception):
    """An expression that is not evaluated; the text says why."""


def guard(xacro: ModuleType, substitution_args: ModuleType) -> None:
    """Make xacro evaluate guarded expressions only in this process from now on."""
    setattr(xacro, 'safe_eval', safe_eval)
    # Its function for $(eval ...) finds this name in its module before Python's own.
    setattr(substitution_args, 'eval', _eval_argument)
    symbols = getattr(xacro, '_global_symbols', {})  # Versions before 2.0 have none.
    for functions in (symbols, symbols.get('python', {})):
        if 'vars' in functions:
            functions.update(vars=lambda *_values: _require(False, 'vars'))
        if 'type' in functions:
            functions.update(type=_type_of)


def safe_eval(text: str, symbols: dict[str, Any], names: Mapping[str, Any] | None = None) -> Any:
    """
    Return the value of an expression, as xacro's own function of this name does.

    :param symbols: the properties, arguments and functions that it may use.
    :param names: names that take precedence over them.
    :raises UnsafeExpression: it uses more than values, or is too long.
    """
    symbols.update(__builtins__={_GET: attribute_of})
    return eval(guarded(text), symbols, names)


@lru_cache(1000)
def guarded(text: str) -> CodeType:
    """
    Return the code of an expression that uses nothing but values.

    It is decided from the syntax tree, in which comments, line continuations and the different
    Unicode forms of a name are gone.

    :raises UnsafeExpression: it uses more, or is too long.
    :raises SyntaxError: it is not an expression.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnsafeExpression(f'it has more than {MAX_CHARACTERS:,} characters')
    try:
        tree = ast.parse(text.strip(), '<expression>', 'eval')
        nodes = list(ast.walk(tree))
        for node in nodes:
            _check(node)
        if any(isinstance(node, ast.Attribute) for node in nodes):
            tree = ast.fix_missing_locations(_Attributes().visit(tree))
        code: CodeType = compile(tree, '<expression>', 'eval')
        return code
    except (MemoryError, RecursionError) as error:
        raise UnsafeExpression('it is nested too deeply') from error


def attribute_of(value: Any, name: str) -> Any:
    """
    Return an attribute of a value, by the list of those that lead to values only.

    :raises UnsafeExpression: it is not in the list.
    """
    kind = value if isinstance(value, type) else next(
        (kind for kind in type(value).__mro__ if kind in _METHODS), object)
    if name in _METHODS.get(kind, ()):
        if name != 'format':
            return getattr(value, name)
        return safe_format if value is str else partial(safe_format, value)
    # The dictionaries of xacro give what is in them as attributes, too.
    is_own = type(value) is not dict and kind is dict and not isinstance(value, type)
    _require(is_own and name not in vars(value) and not hasattr(type(value), name), name)
    return getattr(value, name)


def safe_format(template: Any, *values: Any, **named: Any) -> Any:
    """
    Return ``template.format(...)``.

    :raises UnsafeExpression: the template reaches for attributes or items of a value.
    """
    if not isinstance(template, str) or any(
            set('.[') & set(name or '') or '{' in (specification or '')
            for _, name, specification, _ in Formatter().parse(template)):
        raise UnsafeExpression('it formats parts of a value, through which Python can be reached')
    return str.format(template, *values, **named)


def _check(node: ast.AST) -> None:
    """Refuse what is not listed, and names that escape an expression."""
    if not isinstance(node, _SYNTAX):
        raise UnsafeExpression(f'it has a {type(node).__name__}, which is not for values')
    # Of a name, a parameter or the name of an argument; ** has none.
    name = getattr(node, 'id', None) or getattr(node, 'arg', None)
    _require(not (isinstance(name, str) and name.startswith('__')), str(name))


class _Attributes(ast.NodeTransformer):
    """Makes each attribute one of :func:`attribute_of`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        _require(not node.attr.startswith('_'), node.attr)
        value = self.visit(node.value)
        return ast.Call(ast.Name(_GET, ast.Load()), [value, ast.Constant(node.attr)], [])


def _require(is_safe: bool, name: str) -> None:
    if not is_safe:
        raise UnsafeExpression(f'it uses {name!r}, through which Python can be reached')


def _eval_argument(text: str, _symbols: dict[str, Any], names: Any) -> Any:
    """Return the value of an expression in ``$(eval ...)``."""
    allowed = {name: getattr(builtins, name) for name in _BUILTINS}
    return eval(guarded(text), {'__builtins__': {**allowed, _GET: attribute_of}}, names)


def _type_of(value: Any) -> Any:
    """Return the type of a value; Python's own makes classes, and gives the type of a function."""
    _require(type(value) in _METHODS, 'type')
    return type(value)
