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
from contextlib import suppress
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

    :ivar nodes: the nodes of its syntax tree; none if it is a template, or no Python.
    """

    def __init__(self, text: str):
        self._data, self._assigned = text.encode(errors='replace'), dict[str, ast.expr]()
        self._starts = [0, *(match.end() for match in re.finditer(b'\r\n?|\n', self._data))]
        self.nodes: list[ast.AST] = []
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
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

    def started(self) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
        """Yield each Node that is started, with the values of its arguments."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and called(node) == 'Node':
                yield node, {each.arg: self.value(each.value) for each in node.keywords
                             if each.arg is not None}

    def descriptions(self) -> Iterator[ast.expr]:
        """Yield each value that is written for robot_description."""
        for node in self.nodes:
            for key, value in zip(node.keys, node.values) if isinstance(node, ast.Dict) else ():
                if isinstance(key, ast.Constant) and key.value == 'robot_description':
                    yield value

    def is_path(self, value: ast.expr) -> bool:
        """Return whether a value is the path of a description."""
        path = self.share(value)
        return path is not None and path[1].endswith(('.urdf', '.xacro'))

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

    def share(self, value: ast.expr) -> tuple[str, str] | None:
        """Return the package and the path of a file in its share folder; None if unknown."""
        value, name = self.value(value), called(self.value(value))
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Div, ast.Add)):
            parts: list[ast.expr] = [value.left, value.right]
        elif isinstance(value, ast.Call) and name in _SHARES and value.args:
            package = constant(value.args[0])
            return (package, '') if package else None
        elif isinstance(value, ast.Call) and name in _JOINS:
            parts = [*([value.func.value] if name == 'joinpath' and isinstance(
                value.func, ast.Attribute) else ()), *value.args]
        else:
            parts = [*value.elts] if isinstance(value, (ast.List, ast.Tuple)) else []
        if len(parts) == 1 and isinstance(parts[0], ast.List):
            parts = parts[0].elts
        base = self.share(parts[0]) if parts else None
        rest = [constant(self.value(part)) for part in parts[1:]]
        return (base[0], '/'.join(filter(None, (base[1], *(part.strip('/') for part in rest))))
                ) if base is not None and all(rest) else None


def called(value: ast.AST) -> str:
    """Return the name of the class or function that is called; empty if none is."""
    called = value.func if isinstance(value, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else (
        called.attr if isinstance(called, ast.Attribute) else '')


def constant(value: ast.expr | None) -> str:
    """Return the text that is written; empty if it is computed."""
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ''


_SHARES = ('get_package_share_directory', 'get_package_share_path', 'FindPackageShare')
_JOINS = ('join', 'joinpath', 'PathJoinSubstitution', 'Path', 'str', 'fspath')

_FOUND = re.compile(r'\$\(find-pkg-share ([\w-]+)\)(?:/([\w./-]*))?')

_NAMES = {'pkg': 'package', 'exec': 'executable', 'name': 'name', 'namespace': 'namespace'}


class Started(NamedTuple):
    """
    A node that a launch file starts.

    :ivar place: where it is written: the element, or the offset in a file of Python.
    :ivar given: what is written of ``package``, ``executable``, ``name`` and ``namespace``.
    :ivar arguments: those of its arguments that are written.
    :ivar parameters: the text of its parameters; None if they come from elsewhere.
    """

    place: Element | int
    given: Mapping[str, str]
    arguments: Sequence[str]
    parameters: str | None


class LaunchFile:
    """
    A launch file in Python, XML or YAML.

    :ivar path: the file.
    :ivar text: what is in it.
    :ivar script: what it is in Python; nothing in another language.
    :ivar error: why it cannot be read, and where; None if it can.
    """

    def __init__(self, path: str, text: str):
        self.path, self.text = path, text
        self.error: DescriptionError | None = None
        self._entries: list[Element] = []
        self.script = Script(text if path.endswith('.py') else '')
        try:
            if path.endswith('.py'):
                ast.parse(text)
            elif path.endswith(('.yaml', '.yml')):
                self._entries = entries_in_text(os.path.relpath(path), text.encode())
            else:
                self._entries = [*XmlParser(None).parse(text.encode())[0].iter()]
                file = SourceFile(os.path.relpath(path), text_of(text.encode()), None)
                for each in self._entries:
                    located(each, file)
        except SyntaxError as error:
            self.error = DescriptionError(error.msg, line=error.lineno)
        except DescriptionError as error:
            self.error = error
        except (ValueError, RecursionError, MemoryError):
            return  # No launch file of a user is like that.

    def element(self, place: Element | int, tag: str) -> Element:
        """Return an element where something is written."""
        return place if isinstance(place, Element) else element_in(
            self.path, self.text, place, tag)

    @cached_property
    def nodes(self) -> list[Started]:
        """The nodes that it starts."""
        return [*(Started(
            self.script.offset(call), {name: constant(each) for name, each in values.items()},
            [*map(constant, getattr(values.get('arguments'), 'elts', ()))],
            self.script.parameters(values['parameters']) if 'parameters' in values else (
                None if any(each.arg is None for each in call.keywords) else ''))
            for call, values in self.script.started()),
            *(Started(entry, {long: each.get(short, '') for short, long in _NAMES.items()},
                      each.get('args', '').split(), ' '.join(
                          part for inner in entry.iter() for part in inner.attrib.values()))
              for entry, each in self._written() if each.get('exec'))]

    def _written(self) -> Iterator[tuple[Element, Mapping[str, str]]]:
        """Yield each node of XML or YAML with its attributes."""
        for entry in self._entries:
            if entry.tag == 'node':
                yield entry, entry.attrib
            elif entry.get('name') == 'node':
                yield entry, {inner.get('name', ''): inner.text or '' for inner in entry}

    @cached_property
    def words(self) -> list[tuple[str, Element | int]]:
        """The texts that are written, and what arguments of calls are named, with their places."""
        script = self.script
        return [*((node.value, script.offset(node)) for node in script.nodes
                  if isinstance(node, ast.Constant) and isinstance(node.value, str)),
                *((f'{called(node)}({each.arg}=', script.offset(node)) for node in script.nodes
                  if isinstance(node, ast.Call) for each in node.keywords),
                *((text, entry) for entry in self._entries
                  for text in (entry.text or '', *entry.attrib.values()))]

    @cached_property
    def shares(self) -> list[tuple[str, str, Element | int]]:
        """Each package whose shared files are named, with a path in it, or none, and its place."""
        script = self.script
        found = [(*path, script.offset(node)) for node in script.nodes
                 if isinstance(node, (ast.Call, ast.BinOp)) and (path := script.share(node))]
        return found + [(match[1], match[2] or '', place) for word, place in self.words
                        for match in _FOUND.finditer(word)]


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
