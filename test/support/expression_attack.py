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
Evaluates hostile expressions of xacro files, and reports what ran that is not listed.

    python test/support/expression_attack.py SEED COUNT

Expressions come from a grammar with the ways to Python's internals in all spellings that its
parser takes. The audit hooks of the interpreter see what runs. The output is one line of JSON.
"""

from collections import Counter
from collections.abc import Callable
import contextlib
import functools
import io
import json
import random
import sys
import types
import unicodedata  # noqa: F401, which the parser imports for names that are not ASCII
from unittest import mock

from urdf_tools.xacro.guard import _METHODS
from urdf_tools.xacro.guard import guard
from urdf_tools.xacro.guard import UnsafeExpression
import xacro
from xacro import substitution_args
import yaml  # noqa: F401, so that no expression imports it

SEPARATORS = ('.', ' . ', '.\n', '.# c\n', '.\\\n', '\\\n.', '.\t', '.\f', '.#\u2028\n')
UNDERSCORES = '_\uff3f\ufe4d\ufe4e\ufe4f\ufe33\ufe34'
"""Characters that are an underscore to Python's parser, once it has normalized them."""

LETTERS = (0x1d41a, 0x1d4ea, 0x1d5ba, 0xff41)
"""First letters of alphabets that it takes for the Latin one."""

INTERNAL = (
    '__class__', '__base__', '__bases__', '__mro__', '__subclasses__', '__globals__',
    '__builtins__', '__init__', '__self__', '__func__', '__wrapped__', '__dict__',
    '__getattribute__', '__code__', '__closure__', '__module__', '__import__', '__reduce__',
    '__doc__', 'gi_frame', 'gi_code', 'f_globals', 'f_builtins', 'f_back', 'tb_frame',
    'func_globals', 'cr_frame', 'mro', 'format_map', 'root', 'parent', 'unevaluated', 'exc',
    'constructor')
PLAIN = (
    'upper', 'format', 'join', 'keys', 'items', 'get', 'update', 'append', 'pi', 'index',
    'split', 'fromkeys', 'encode', 'decode', 'translate', 'copy', 'real', 'from_bytes', 'arm')
NAMES = (
    'x', 'text', 'table', 'yaml', 'lambda_', 'python', 'math', 'xacro', 'str', 'dict', 'map',
    'list', 'load_yaml', 'dotify', 'sorted', 'range', 'sin', '__builtins__', '__import__',
    '__urdf_tools_get__', 'eval', 'exec', 'open', 'getattr', 'type', 'vars', 'globals', 'object',
    'breakpoint', 'print', 'compile', 'input', 'super', 'memoryview', 'arg', 'find', 'env',
    'dirname', 'optenv')
OPERATORS = ('+', '*', '%', '-', '/', '//', '**', '@', '<<', '==', 'in', 'is', 'and', 'or', '<')

VALUES = (*_METHODS, type(None), types.FunctionType, types.BuiltinFunctionType,
          types.GeneratorType, types.MethodType, functools.partial, map, filter, zip, enumerate,
          reversed, slice, xacro.NameSpace, xacro.YamlDictWrapper, xacro.YamlListWrapper,
          *(type(iter(kind)) for kind in ('', (), [], {}, set(), range(0), b'')),
          type({}.items()), type({}.keys()), type({}.values()), type('\u00e4').__mro__[0],
          types.MethodDescriptorType, types.GetSetDescriptorType, types.EllipsisType,
          types.GenericAlias)
"""What an expression may result in."""


class Grammar:
    """Generates expressions, the same ones for a seed."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)

    def spelled(self, name: str) -> str:
        """Return a name, often with other characters that are the same name to the parser."""
        if self._random.random() < .5:
            return name
        return ''.join(
            self._random.choice(UNDERSCORES) if char == '_' and i and self._random.random() < .6
            else chr(self._random.choice(LETTERS) + ord(char) - 97)
            if 'a' <= char <= 'z' and self._random.random() < .1 else char
            for i, char in enumerate(name))

    def attribute(self, depth: int) -> str:
        name = self._random.choice(INTERNAL if self._random.random() < .7 else PLAIN)
        return f'({self.expression(depth)}){self._random.choice(SEPARATORS)}{self.spelled(name)}'

    def template(self, depth: int) -> str:
        field = self._random.choice(('0', 'a', '', '0[0]', '0[a]', 'x'))
        name = self._random.choice(INTERNAL)
        return self._random.choice((
            f"'{{{field}.{name}}}'.format({self.expression(depth)}, a=1)",
            f"'{{:{{0.{name}}}}}'.format({self.expression(depth)})",
            f"str.format('{{0.{name}}}', {self.expression(depth)})",
            f"f'{{{self.attribute(depth)}!r:>{{{self.expression(0)}}}}}'",
            f"'%({name})s' % ({self.expression(depth)})",
            f"list(map('{{0.{name}}}'.format, [{self.expression(depth)}]))",
            f"python.dict(a='{{0.{name}}}'.format)['a']({self.expression(depth)})"))

    def call(self, depth: int) -> str:
        inner = self.expression(depth)
        return self._random.choice((
            f'({inner})()', f'({inner})(*{self.expression(depth)})', f'python.type({inner})',
            f'python.vars({inner})', f'list({inner})', f'sorted([1], key={inner})',
            f'list(map({inner}, [{self.expression(0)}]))', f'max([1, 2], key={inner})',
            f'{self.spelled("__import__")}({inner})', f'dict(__class__={inner})',
            f'({inner})(**{{"__class__": 1}})'))

    def scope(self, depth: int) -> str:
        inner = self.expression(depth)
        return self._random.choice((
            f'(lambda x={inner}, *a, **k: {self.expression(depth)})()', f'[{inner} for x in [1]]',
            f'list({inner} for x in [1])', f'{{x: {inner} for x in (1, 2)}}', f'(y := {inner})',
            f'(lambda {self.spelled("__x")}: {inner})(1)', f'(yield {inner})', f'(await {inner})',
            f'[0 for ({inner}){self._random.choice(SEPARATORS)}__class__ in [1]]',
            f'[1 for table["{self._random.choice(INTERNAL)}"] in [{inner}]]'))

    def simple(self) -> str:
        return self._random.choice((
            self.spelled(self._random.choice(NAMES)), '()', '1', "'a'", '[]', '{}', '1.5', "b'a'",
            '...', 'None', '1j', "''"))

    def expression(self, depth: int = 4) -> str:
        """Return an expression with at most this depth."""
        if depth <= 0:
            return self.simple()
        kind = self._random.random()
        if kind < .35:
            return self.attribute(depth - 1)
        if kind < .5:
            return self.call(depth - 1)
        if kind < .6:
            return self.template(depth - 1)
        if kind < .75:
            return self.scope(depth - 1)
        if kind < .85:
            return (f'({self.expression(depth - 1)}) {self._random.choice(OPERATORS)} '
                    f'({self.expression(depth - 1)})')
        if kind < .9:
            return f'({self.expression(depth - 1)})[{self.expression(depth - 1)}]'
        return self.simple()


def attack(evaluate: Callable[[str], object], expressions: list[str]) -> Counter[str]:
    """Evaluate expressions, and count what happens; a fault is printed with its expression."""
    counts: Counter[str] = Counter()
    events: list[str] = []
    is_active = False

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_active and not (
                event == 'compile' and arguments[1] in ('<expression>', None)
                or event == 'exec' and arguments[0].co_filename == '<expression>'):
            events.append(f'{event} {arguments!r}'[:200])

    sys.addaudithook(hook)
    for text in expressions:
        result = None
        is_active = True
        try:
            result = evaluate(text)
        except UnsafeExpression:
            outcome = 'refused'
        except SyntaxError:
            outcome = 'not an expression'
        except Exception:
            outcome = 'an error of the expression'
        else:
            outcome = 'evaluated'
        is_active = False
        counts[outcome] += 1
        if events or not isinstance(result, VALUES) and not (
                isinstance(result, type) and result in VALUES):
            counts['faults'] += 1
            print('FAULT', repr(text), events, type(result), file=sys.__stderr__)
            events.clear()
    return counts


def main() -> None:
    """Attack what evaluates ``${...}`` and ``$(eval ...)`` in turn."""
    seed, count = map(int, sys.argv[1:])
    guard(xacro, substitution_args)
    grammar = Grammar(seed)
    expressions = [grammar.expression() for _ in range(count)]
    table = xacro.NameSpace()

    def evaluate(text: str) -> object:
        """Evaluate in new symbols, as each file has them."""
        symbols = xacro.create_global_symbols()
        symbols['python'].update(vars=xacro._global_symbols['python']['vars'],
                                 type=xacro._global_symbols['python']['type'])
        symbols.update(x=1, text='a', table=table, lambda_=lambda *_: 1,
                       yaml=xacro.YamlDictWrapper(arm=xacro.YamlDictWrapper(l=[1, {'a': 2}])))
        if len(text) % 4:
            return xacro.safe_eval(text, symbols)
        return substitution_args._eval(text, {'arg': {'x': '1'}, 'filename': 'f'})

    def no_file(*_arguments: object) -> None:
        raise OSError('The parent process refuses it')

    with mock.patch.object(xacro, 'open', no_file, create=True), \
            mock.patch.dict(substitution_args._eval_dict, find=no_file), \
            contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        counts = attack(evaluate, expressions)
    print(json.dumps(counts))


if __name__ == '__main__':
    main()
