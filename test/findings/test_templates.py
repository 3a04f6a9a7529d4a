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
The templates of sentences are literals, so no text from outside can become one.

Every function of urdf_tools with a parameter ``template`` is looked at: in each call of it, the
argument has to be a literal, a constant made of literals, or the own parameter ``template`` of the
function around the call. The same goes for its other parameters with a template.
"""

import ast
from functools import cached_property
import json
from pathlib import Path
import re
from string import Formatter

import pytest
import urdf_tools
from urdf_tools.check.rules.known_mistakes import rows
from urdf_tools.findings.message import SAID_WITH

FOLDER = Path(urdf_tools.__file__).parent
OF_XACRO = ('may_make', 'safe_format')
"""Functions whose template is an expression of xacro."""

PARAMETERS = ('template', 'hint', 'hint_template')
"""Names of parameters and attributes that hold a template, if one of them is ``template``."""


FILES = ('SAID_WITH', 'TABLES')
"""Constants that are read from files of the package."""


class Module:
    """The syntax tree of a module."""

    def __init__(self, text, name='urdf_tools.example'):
        self.name = name
        self.layer = f'{name}.'.split('.')[1]
        self.tree = ast.parse(text)
        self.constants = {
            target.id: node.value for node in self.tree.body
            if isinstance(node, (ast.Assign, ast.AnnAssign))
            for target in getattr(node, 'targets', None) or [node.target]
            if isinstance(target, ast.Name) and node.value is not None}
        self.imported = {
            alias.asname or alias.name: (node.module, alias.name)
            for node in ast.walk(self.tree) if isinstance(node, ast.ImportFrom)
            for alias in node.names}

    @cached_property
    def functions(self):
        """The name of each function and class with a template to the positions of these."""
        found = {node.name: parameters_of(node) for node in self.tree.body
                 if isinstance(node, ast.FunctionDef)}
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                makers = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)
                          and inner.name in ('__init__', '__new__')]
                fields = [inner.target.id for inner in node.body
                          if isinstance(inner, ast.AnnAssign)]
                found[node.name] = parameters_of(*makers[:1]) if makers else (
                    dict(zip(fields, range(99))))
        return with_templates(found)

    @cached_property
    def methods(self):
        """The same of the methods of classes."""
        return with_templates({
            inner.name: parameters_of(inner) for node in self.tree.body
            if isinstance(node, ast.ClassDef) for inner in node.body
            if isinstance(inner, ast.FunctionDef) and not inner.name.startswith('__')})


def with_templates(functions):
    """Return those functions that have a template, with the positions of only these."""
    return {name: {each: position for each, position in positions.items() if each in PARAMETERS}
            for name, positions in functions.items()
            if 'template' in positions and name not in OF_XACRO}


def parameters_of(function):
    """Return the parameters of a function to their positions, without ``self``."""
    arguments = function.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    names = names[names[:1] in (['self'], ['cls']):]
    return {**dict.fromkeys(each.arg for each in arguments.kwonlyargs),
            **dict(zip(names, range(99)))}


def modules():
    for path in sorted(FOLDER.rglob('*.py')):
        name = '.'.join(path.relative_to(FOLDER.parent).with_suffix('').parts)
        yield Module(path.read_text(), name.removesuffix('.__init__'))


def faults(module, every):
    """
    Yield the line and the source of each template that is not a literal.

    :param every: all modules, by name.
    """
    # Those of other layers with the same name are others.
    methods = {name: positions for each in every.values()
               if each.layer in (module.layer, 'findings')
               for name, positions in each.methods.items()}

    def function(name, of_module):
        found = every.get(of_module)
        if found is None or name in found.functions or name not in found.imported:
            return {} if found is None else found.functions.get(name, {})
        return function(found.imported[name][1], found.imported[name][0])

    def visit(node, scope):
        if isinstance(node, ast.FunctionDef):
            scope = (node, *scope)
        if isinstance(node, ast.Call):
            yield from of_call(node, scope)
        for inner in ast.iter_child_nodes(node):
            yield from visit(inner, scope)

    def of_call(call, scope):
        name = getattr(call.func, 'id', None)
        positions = methods.get(getattr(call.func, 'attr', None), {}) if name is None else (
            function(name, module.name))
        given = {each: call.args[position] for each, position in positions.items()
                 if position is not None and position < len(call.args)}
        given |= {each.arg: each.value for each in call.keywords if each.arg in positions}
        for value in given.values():
            if not is_literal(value, scope):
                yield f'{module.name}:{value.lineno}: {ast.unparse(value)}'

    def is_literal(node, scope, depth=9):
        """Return whether an expression is made of literals only; fields have to be well-formed."""
        def inner(*nodes):
            return depth and all(is_literal(each, scope, depth - 1) for each in nodes)
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str) and is_template(node.value)
        if isinstance(node, ast.IfExp):
            return inner(node.body, node.orelse)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Add) and inner(node.left, node.right)
        if isinstance(node, ast.BoolOp):
            return inner(*node.values)
        if isinstance(node, (ast.Tuple, ast.List)):
            return inner(*node.elts)
        if isinstance(node, ast.Dict):
            return inner(*node.values)
        if isinstance(node, ast.Subscript):  # Of a table.
            return isinstance(node.value, ast.Name) and inner(node.value)
        if isinstance(node, ast.Call):
            return getattr(node.func, 'attr', '') == 'get' and inner(
                node.func.value, *node.args[1:])
        if isinstance(node, ast.Attribute):  # Of a defect or a loss, which was made of a literal.
            return node.attr in PARAMETERS
        if isinstance(node, ast.Name):
            for function in scope:
                if given := assigned(function, node.id, module.constants):
                    return inner(*given)
                if node.id in PARAMETERS and node.id in parameters_of(function):
                    return True
            return module.imported.get(node.id, ('', ''))[1] in FILES or (
                node.id in module.constants and inner(module.constants[node.id]))
        return False

    yield from visit(module.tree, ())


def assigned(function, name, constants):
    """Return the values that a function assigns to a variable, also those of a loop."""
    values = [
        node.value for node in ast.walk(function)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr))
        for target in getattr(node, 'targets', None) or [node.target]
        if isinstance(target, ast.Name) and target.id == name]
    for loop in ast.walk(function):
        if isinstance(loop, ast.For) and getattr(loop.target, 'id', None) == name:
            values.append(loop.iter)
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple):
            rows = constants.get(getattr(loop.iter, 'id', None), loop.iter)
            values += [row.elts[column] if isinstance(rows, ast.Tuple) else rows
                       for column, each in enumerate(loop.target.elts)
                       if isinstance(each, ast.Name) and each.id == name
                       for row in getattr(rows, 'elts', [rows])]
    return values


def is_template(text):
    """Return whether the fields of a template are names, and its format specifications plain."""
    try:
        fields = [(name, specification) for _, name, specification, conversion in
                  Formatter().parse(text) if name is not None]
    except ValueError:
        return False
    return all(name.isidentifier() and '{' not in specification for name, specification in fields)


@pytest.mark.slow
def test_templates_are_literals():
    every = {module.name: module for module in modules()}
    assert {'Message', 'Defect', 'ElementDefect', 'GraphDefect', 'loss', 'refusal', 'Loss',
            'note', 'extended'} <= {
        name for module in every.values() for name in (*module.functions, *module.methods)}
    assert not [fault for module in every.values() for fault in faults(module, every)]


def test_what_is_said_with_a_sentence_is_used():
    source = re.sub(r'["\']\s+["\']', '', '\n'.join(
        path.read_text() for path in FOLDER.rglob('*.py')))
    source += '\n'.join(row.get('template', '') for row in rows())
    tables = json.loads((FOLDER / 'check' / 'tables.json').read_bytes())
    source += '\n'.join(tables['sentences about calls in launch files'].values())
    assert SAID_WITH and not [each for each in SAID_WITH if repr(each)[1:-1] not in source]
    for said in SAID_WITH.values():
        assert said and said.keys() <= {'hint', 'brief', 'setting', 'of'}
        assert all(map(is_template, said.values()))


EXAMPLE = """
TEXT = 'some {text}'
WORDS = ('a', 'b')
BAD = {'a': TEXT.upper()}

class Message:
    def __new__(cls, template, /, hint='', **values): ...

    def said(self, name, template): ...

def helper(template):
    return Message(template)

def example(name, other, loss):
    return EXPRESSION
"""


@pytest.mark.parametrize('expression', [
    "Message(f'{name} is missing')", "Message('%s is missing' % name)", 'Message(name)',
    "Message('It is ' + name)", "Message('{}'.format(name))", 'Message(template=name)',
    "Message('It is'.upper())", "Message('a' if name else name)", "Message('{name.text}')",
    "Message('{0}')", "Message('a } b')", "Message('{a:{b}}')", 'helper(name)',
    "other.said('a', f'{name}')", 'Message(WORDS[0] + name)', 'Message(BAD[name])',
    "Message('a', hint=f'{name}')"])
def test_a_template_that_is_not_a_literal_is_found(expression):
    assert [*_faults_of(expression)]


@pytest.mark.parametrize('expression', [
    "Message('{name} is missing', name=name)", "Message('a' 'b')", 'Message(WORDS[0])',
    "Message('{n:.3g}' if name else 'b')", 'Message(TEXT)', "Message('{{a}}')",
    "helper('a')", "other.said(name, 'a')", "print(f'{name}')", 'Message(loss.template)'])
def test_literals_are_accepted(expression):
    assert not [*_faults_of(expression)]


def _faults_of(expression):
    module = Module(EXAMPLE.replace('EXPRESSION', expression))
    return faults(module, {module.name: module})
