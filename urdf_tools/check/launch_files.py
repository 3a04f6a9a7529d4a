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

"""What launch files start, in Python, XML and YAML."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from functools import cached_property
import os
from pathlib import Path
import re
from typing import NamedTuple

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.moveit_files import entries_in_text
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.editing import located
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import text_of
from urdf_tools.model.xml.xml_parser import XmlParser


class Script:
    """
    A launch file in Python.

    :ivar nodes: the nodes of its syntax tree.
    :raises SyntaxError: it is a template, or no Python; as :func:`ast.parse` raises others.
    """

    def __init__(self, text: str):
        self._data, self._assigned = text.encode(errors='replace'), dict[str, ast.expr]()
        self._starts = [0, *(match.end() for match in re.finditer(b'\r\n?|\n', self._data))]
        self.nodes = [*ast.walk(ast.parse(text))]
        for node in self.nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self._assigned[node.targets[0].id] = node.value

    def offset(self, node: ast.expr) -> int:
        """Return where a node of the tree begins."""
        return len(self._data[:self._at(node.lineno, node.col_offset)].decode())

    def _at(self, line: int, column: int) -> int:
        return self._starts[line - 1] + column

    def _text_of(self, node: ast.expr) -> str:
        end = self._at(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return self._data[self._at(node.lineno, node.col_offset):end].decode()

    def value(self, value: ast.expr) -> ast.expr:
        """Return a value, or that of the variable that it is."""
        for _ in range(3):
            value = self._assigned.get(value.id, value) if isinstance(value, ast.Name) else value
        return value

    def descriptions(self) -> Iterator[ast.expr]:
        """Yield each value that is written for robot_description."""
        for node in self.nodes:
            for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
                if isinstance(key, ast.Constant) and key.value == 'robot_description':
                    yield value

    def parameters(self, value: ast.expr | None, seen: set[ast.AST] | None = None) -> str | None:
        """
        Return the text of the parameters of a node and of the variables in it.

        :param seen: those whose text is in another one already, which may contain themselves.
        :return: None if there are others than tables, or attributes, whose text says what it is.
        """
        seen, value = set() if seen is None else seen, value and self.value(value)
        if value in seen:
            return ''
        if not isinstance(value, (ast.List, ast.Dict, ast.Attribute)):
            return None
        seen.add(value)
        inner = value.elts if isinstance(value, ast.List) else [
            each for key, each in zip(value.keys, value.values) if key is None] if isinstance(
                value, ast.Dict) else []
        texts = [self.parameters(each, seen) for each in inner]
        return None if None in texts else ' '.join((self._text_of(value), *filter(None, texts)))

    def path(self, value: ast.expr, depth: int = 9) -> str:
        """Return a path as it is joined: ^A and a package is its share, NUL what is unknown."""
        value = self.value(value)
        parts, name = [*ast.iter_child_nodes(value)], called(value)
        if isinstance(value, ast.Call):
            parts = [value.func.value] if name == 'joinpath' and isinstance(
                value.func, ast.Attribute) else []
            parts += getattr(value.args[0], 'elts', value.args) if value.args else []
        if name in _SHARES or isinstance(value, ast.Constant):
            return f'\1{constant(value.args[0] if value.args else None)}' if isinstance(
                value, ast.Call) else constant(value)
        if not depth or name not in _JOINS and not isinstance(
                value, (ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.List)):
            return '\0'
        is_joined = name in _JOINS or isinstance(getattr(value, 'op', None), ast.Div)
        return ('/' if is_joined else '').join(self.path(part, depth - 1) for part in parts
                                               if isinstance(part, ast.expr)).replace('//', '/')


def called(value: ast.AST) -> str:
    """Return the name of the class or function that is called; empty if none is."""
    called = value.func if isinstance(value, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else (
        called.attr if isinstance(called, ast.Attribute) else '')


def kind_of(value: ast.expr) -> str:
    """Return what is called, the type of what is written, or the kind of expression."""
    return called(value) or type(getattr(value, 'value', value)).__name__ if isinstance(
        value, (ast.Call, ast.Constant)) else type(value).__name__


def constant(value: ast.expr | None) -> str:
    """Return the text that is written; empty if it is computed."""
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ''


_SHARES = ('get_package_share_directory', 'get_package_share_path', 'FindPackageShare')
_JOINS = ('join', 'joinpath', 'PathJoinSubstitution', 'Path', 'str', 'fspath')

_SHARED = re.compile(r'(?:\x01|\$\(find-pkg-share )([\w-]+)\)?(?:/([\w./-]*))?')

_NAMES = {'pkg': 'package', 'exec': 'executable', 'name': 'name', 'namespace': 'namespace'}

_OLD = re.compile(r'\$\((?:find|arg|optenv)(?= )')
"""The beginning of a substitution of ROS 1."""

Place = Element | int
"""Where something is written: an element, or the offset in a file of Python."""


class Started(NamedTuple):
    """
    A node that a launch file starts.

    :ivar given: what is written of ``package``, ``executable``, ``name`` and ``namespace``.
    :ivar arguments: those of its arguments that are written.
    :ivar parameters: the text of its parameters; None if they come from elsewhere.
    :ivar files: the paths of its files of parameters, as far as they are written.
    """

    place: Place
    given: Mapping[str, str]
    arguments: Sequence[str]
    parameters: str | None
    files: Sequence[str]


class LaunchFile:
    """
    A launch file in Python, XML or YAML.

    :ivar path: the file.
    :ivar text: what is in it.
    :ivar script: what it is in Python; nothing in another language, or if it cannot be read.
    :ivar error: why it cannot be read, and where; None if it can.
    """

    def __init__(self, path: str, text: str):
        self.path, self.text = path, text
        self.entries: list[Element] = []
        self.error: DescriptionError | None = None
        self.script, data = Script(''), text.encode()
        try:
            if path.endswith('.py'):
                self.script = Script(text)
            elif path.endswith(('.yaml', '.yml')):
                self.entries = entries_in_text(os.path.relpath(path), data)
            else:
                file = SourceFile(os.path.relpath(path), text_of(data), None)
                self.entries = [located(each, file) for each in XmlParser(None).parse(
                    data)[0].iter()]
        except SyntaxError as error:
            self.error = DescriptionError(error.msg, line=error.lineno)
        except DescriptionError as error:
            self.error = error
        except (ValueError, RecursionError, MemoryError) as error:
            self.error = DescriptionError(str(error) or 'it is nested too deeply')

    def element(self, place: Place, tag: str) -> Element:
        """Return an element where something is written."""
        return place if isinstance(place, Element) else element_in(
            self.path, self.text, place, tag)

    @cached_property
    def nodes(self) -> list[Started]:
        """The nodes that it starts."""
        script, found = self.script, []
        for call in script.nodes:
            if isinstance(call, ast.Call) and called(call).endswith('Node'):
                values = {each.arg or '': script.value(each.value) for each in call.keywords}
                found.append(Started(
                    script.offset(call), {name: constant(each) for name, each in values.items()},
                    [*map(constant, getattr(values.get('arguments'), 'elts', ()))],
                    script.parameters(values.get('parameters')) if (
                        values.keys() & {'parameters', ''}) else '',
                    [*map(script.path, getattr(values.get('parameters'), 'elts', ()))]))
        for entry in self.entries:
            given = entry.attrib if entry.tag == 'node' else {
                each.get('name', ''): each.text or '' for each in entry}
            if 'exec' in given:
                found.append(Started(
                    entry, {long: given.get(short, '') for short, long in _NAMES.items()},
                    given.get('args', '').split(), ' '.join(
                        text for each in entry.iter() for text in (
                            each.text or '', *each.attrib.values())),
                    [each.get('from', '') for each in entry]))
        return found

    @cached_property
    def words(self) -> list[tuple[str, Place]]:
        """Each text that is written with its place; of a call its name, and what it is given."""
        found: list[tuple[str, Place]] = []
        functions = [each for each in self.script.nodes if isinstance(each, ast.FunctionDef)]
        for node in self.script.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append((node.value, self.script.offset(node)))
            elif isinstance(node, ast.Call):
                found += ((f'{called(node)}({each}=', self.script.offset(node)) for each in (
                    len(node.args), *(each.arg for each in node.keywords), *(
                        f'{each.arg}:{kind_of(each.value)}' for each in node.keywords)))
            # A name may be another one in each of several functions.
            kind = called(node) or type(getattr(node, 'op', node)).__name__
            found += ((f'{kind}(of {kind_of(value)}=', self.script.offset(node))
                      for part in ast.iter_child_nodes(node) if isinstance(node, ast.expr)
                      and isinstance(part, ast.expr) and (value := (
                          part if len(functions) > 1 else self.script.value(part))))
        return found + [(text, entry) for entry in self.entries for text in (
            entry.text or '', *entry.attrib.values(), *(
                f'<{entry.tag} {name}>' for name in entry.attrib), *_OLD.findall(
                    ' '.join((entry.text or '', *entry.attrib.values()))))]

    @cached_property
    def shares(self) -> list[tuple[str, str, Place]]:
        """Each package whose shared files are named, with a path in it, or none, and its place."""
        script = self.script
        return [(match[1], match[2] or '', place) for word, place in (*self.words, *(
            (script.path(node), script.offset(node)) for node in script.nodes
            if isinstance(node, (ast.Call, ast.BinOp, ast.JoinedStr))))
            for match in _SHARED.finditer(word)]


_DESCRIPTION = re.compile(r'(?<![\w.-])\w[\w.-]*\.(?:urdf|xacro)\b')


@once
def launch_files(description: Description) -> list[LaunchFile]:
    """
    Return the launch files that may start a robot.

    They name its description. Those that name none, and are in its package or name that, are of
    the first description in it.
    """
    files = package_files(description)
    return [LaunchFile(path, text) for path, text in files.launch.items()
            if path in files.launching or not _DESCRIPTION.search(text) and files.is_first and (
                files.folder in Path(path).parents
                or files.name and re.search(rf'\b{re.escape(files.name)}\b', text))]
