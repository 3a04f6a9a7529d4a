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

"""The rule about what launch files in Python call."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator
import json
from pathlib import Path
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.launch_files import called
from urdf_tools.check.launch_files import kind_of
from urdf_tools.check.launch_files import launch_files
from urdf_tools.check.launch_files import LaunchFile
from urdf_tools.check.launch_files import Script
from urdf_tools.check.package_files import is_of_ros_1
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest

_API = json.loads((Path(__file__).parents[1] / 'launch_api.json').read_bytes())
"""What may be called and written; ``_`` in the file says how."""

_MODULES = _API['modules']
_HOME = {name: module for module in (*_MODULES, *_MODULES) for name in _MODULES[module]
         if module not in ('launch.events', 'MoveItConfigsBuilder')} | _API['functions']
"""The module that a name is imported from."""

_ALWAYS = {*dir(builtins), '__file__', '__name__', '__doc__', '__path__'}


_Wrong = tuple[ast.AST, str, dict[str, str]]
"""Where something is wrong, the sentence that says so, and its values."""

_SENTENCES = TABLES['sentences about calls in launch files']


class _Names:
    """
    What the names in a launch file of Python are.

    :ivar bound: how often each gets a value.
    :ivar used: those whose value is used.
    :ivar imported: names to what they are imported from, such as ``launch_ros.actions.Node``.
    """

    def __init__(self, script: Script):
        self.script, self.imported = script, dict[str, str]()
        loaded = [node for node in script.nodes if isinstance(node, ast.Name)
                  and isinstance(node.ctx, ast.Load)]
        self.used = {node.id for node in loaded}
        for node in script.nodes:
            for each in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                module = f'{node.module}.' if isinstance(node, ast.ImportFrom) else ''
                name = each.asname or (each.name if module else each.name.partition('.')[0])
                self.imported[name] = module + (each.name if each.asname or module else name)
        self.bound = Counter([*filter(None, (
            getattr(node, field, None) for node in {*script.nodes}.difference(loaded)
            if not isinstance(node, (ast.alias, ast.keyword))
            for field in ('id', 'arg', 'name'))), *self.imported])

    def value(self, node: ast.expr) -> ast.expr:
        """Return a value, or that of the variable that it is, if it never has another one."""
        return self.script.value(node) if isinstance(node, ast.Name) and (
            self.bound[node.id] == 1) else node

    def called(self, node: ast.AST) -> tuple[str, str]:
        """Return the module and the name of what is called, or names; empty if unknown."""
        path = ast.unparse(node.func) if isinstance(node, ast.Call) else ''
        if methods := re.match(r'(?s)[\w.]*MoveItConfigsBuilder\(.*\)\.(\w+)\Z', path):
            return 'MoveItConfigsBuilder', '' if '.to_moveit' in path else methods[1]
        first, _, rest = path.partition('.') if re.fullmatch(r'[\w.]+', path) else ('', '', '')
        whole = '.'.join(filter(None, (self.imported.get(first, ''), rest)))
        module, _, name = whole.rpartition('.')
        if not self.bound[first]:
            module, name = _HOME.get(path, ''), path
        while module and module not in _MODULES:
            module = module.rpartition('.')[0]
        return module, name

    def kinds(self, node: ast.expr) -> set[str]:
        """Return what a value is: its type, or its class and the last part of its module."""
        module, name = self.called(node)
        items = getattr(node, 'elts', [None, None])
        types = {type(each.value) for each in items if isinstance(each, ast.Constant)}
        is_like = {'empty': not items, 'uneven': len(items) != 2, 'mixed': len(types) > 1 and (
            types != {int, float})}
        return {module.rpartition('.')[2], name} if module else {
            kind_of(node), *(each for each in is_like if is_like[each])}

    def wrong(self, node: ast.expr, form: str) -> Iterator[tuple[ast.expr, dict[str, str]]]:
        """Yield the first part of a value that does not have a form, and that form."""
        value, row = self.value(node), _API['forms'][form]
        if self.kinds(value) & {*row['refuses']}:
            yield node, row
        elif isinstance(value, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
            field, name = ('values', 'values') if isinstance(value, ast.Dict) else (
                'elts', 'elements')
            for each in getattr(value, field) if name in row else ():
                yield from self.wrong(each, row[name])


@RULES.in_category('assets')('launch-call-refused', ERROR)
def launch_call_refused(description: Description) -> Iterator[Defect]:
    """
    Check that launch files call what there is, with the arguments that it takes.

    Names that are not imported, or from another module than theirs, arguments that a class does
    not have or requires, values of another form, and substitutions where a text is needed at
    once. ``ros2 launch`` fails at each, but for a comparison, which is never true.
    Actions that are in no LaunchDescription are reported, too, if no comment names them.

    Example: Node(package='arm', exec='driver', parameters={'rate': 50})
    """
    files = package_files(description)
    if not is_of_ros_1(files.own('package.xml')):
        for file in launch_files(description):
            yield from defects_of(file, files.is_for('humble'))


def defects_of(file: LaunchFile, is_new: bool = True) -> Iterator[Defect]:
    """
    Yield what is wrong in a launch file.

    :param is_new: whether it is for Humble or later.
    """
    names = _Names(file.script)
    for node in file.script.nodes:
        for place, what, values in (*_unknown(names, node), *_unready(names, node), *(
                _call(names, node, is_new) if isinstance(node, ast.Call) else ())):
            if what != 'unused' or not re.search(rf"#.*\b{values['item']}\b", file.text):
                yield Defect(file.element(file.script.offset(place), what), _SENTENCES[what],
                             severity=WARN if what in ('unused', 'comparison') else None, **values)


def _unknown(names: _Names, node: ast.AST) -> Iterator[_Wrong]:
    """Yield what is imported from where it is not, used and nowhere, or made and not used."""
    module = node.module or '' if isinstance(node, ast.ImportFrom) else ''
    known = _MODULES.get(module, {})
    is_wrong = known or re.fullmatch(r'launch(_ros)?\.\w+', module) and (
        module not in _API['modules too'])
    for each in node.names if isinstance(node, ast.ImportFrom) and is_wrong else ():
        near = each.name if each.name in _HOME else closest(each.name, known, 0.8)
        if each.name[0].isupper() and each.name not in known and near:
            yield node, 'import', {'module': Name(module), 'item': Name(each.name),
                                   'home': _HOME[near], 'near': near}
    name = node.id if isinstance(node, ast.Name) else ''
    if name and not {name, '*'} & names.bound.keys() and name not in _ALWAYS:
        names.bound[name] = 0
        yield (node, 'name' if name in _HOME else 'any name', {
            'item': Name(name), 'near': name, 'home': _HOME.get(name, '')})
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and (
            node.targets[0].id not in names.used and 'actions' in names.kinds(node.value)):
        yield node.targets[0], 'unused', {'item': Name(node.targets[0].id)}


def _call(names: _Names, call: ast.Call, is_new: bool) -> Iterator[_Wrong]:
    """Yield what a call gives that is not taken, or does not give and is required."""
    module, name = names.called(call)
    entry, meant = _MODULES.get(module, {}).get(name), _API['meant'].get(name, {})
    if entry is None:
        return
    takes, most, was = entry['takes'], entry['positional'], _API['was']
    given = dict(zip(takes, call.args)) | {each.arg: each.value for each in call.keywords}
    for argument, value in given.items():
        form = _API['form'].get(f'{name}.{argument}', _API['form'].get(argument))
        if argument in takes:
            for wrong, row in [*names.wrong(value, form)][:1] if form else ():
                yield wrong, 'form', {
                    'item': Name(argument), 'call': Name(name), 'says': row['says'],
                    'write': row['write']}
        elif argument and (is_new or argument not in was):
            near = meant.get(argument) or was.get(argument) or closest(argument, takes)
            yield value, 'argument', {'item': Name(argument), 'call': Name(name),
                                      'near': f'{near}=' if near else 'what it takes'}
    if None in given or any(isinstance(each, ast.Starred) for each in call.args):
        return
    if most is not None and len(call.args) > most:
        yield call.args[most], 'position', {'call': Name(name), 'most': str(most)}
    for each in entry['requires']:
        if each not in {*given, *map(was.get, given), *map(meant.get, given)}:
            yield call, 'missing', {'call': Name(name), 'item': Name(each)}


def _unready(names: _Names, node: ast.AST) -> Iterator[_Wrong]:
    """Yield each substitution that has to be a text at once."""
    fields = _API['reads'].get(called(node) or type(node).__name__, ())
    if isinstance(getattr(node, 'op', None), ast.Div) or isinstance(node, ast.Attribute) and (
            node.attr not in _API['methods of texts']):
        return
    for part in (getattr(node, field) for field in fields):
        for text in part if isinstance(part, list) else [part]:
            if 'substitutions' in names.kinds(value := names.value(text)):
                yield text, 'comparison' if fields[0] in ('test', 'operand') or isinstance(
                    node, ast.Compare) else 'text', {'item': Name(names.called(value)[1])}
