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
from typing import Any
from typing import NamedTuple

from urdf_tools.check.file_lookup import glob_in
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.moveit_files import element_at
from urdf_tools.check.moveit_files import entries_in_text
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.spelling import Spelling
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

    def offset(self, node: Any) -> int:
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
        if name in SHARES or isinstance(value, ast.Constant):
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


SHARES = ('get_package_share_directory', 'get_package_share_path', 'FindPackageShare')
_JOINS = ('join', 'joinpath', 'PathJoinSubstitution', 'Path', 'str', 'fspath')

SHARED = re.compile(r'(?:\x01|\$\(find-pkg-share )([\w-]+)\)?(?:/([\w./-]*))?')

_NAMES = {'pkg': 'package', 'exec': 'executable', 'if': 'condition', 'unless': 'condition'}

Place = Element | int
"""Where something is written: an element, or the offset in a file of Python."""


class Started(NamedTuple):
    """
    A node that a launch file starts.

    :ivar given: what is written of ``package``, ``executable``, ``name`` and ``namespace``.
    :ivar arguments: those of its arguments that are written.
    :ivar parameters: the text of its parameters; None if they come from elsewhere.
    :ivar files: the paths of its files of parameters, as far as they are written.
    :ivar remaps: what is written of its names and what they are remapped to.
    :ivar params: what is written of its parameters and their values.
    """

    place: Place
    given: Mapping[str, str]
    arguments: Sequence[str]
    parameters: str | None
    files: Sequence[str]
    remaps: Sequence[tuple[str, str]]
    params: Sequence[tuple[str, str]]


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
                entries = entries_in_text(os.path.relpath(path), data)
                self.entries = [*_tags(entries[0], element_at('launch', {}, entries[0])).iter(
                    )] if entries else []
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
                    [constant(each) or (path if (path := script.path(each)).endswith(
                        ('.urdf', '.xacro')) else '')
                     for each in getattr(values.get('arguments'), 'elts', ())],
                    script.parameters(values.get('parameters')) if (
                        values.keys() & {'parameters', ''}) else '',
                    [*map(script.path, getattr(values.get('parameters'), 'elts', ()))],
                    [(constant(each.elts[0]), constant(each.elts[-1])) for each in getattr(
                        values.get('remappings'), 'elts', ())
                     if isinstance(each, (ast.Tuple, ast.List)) and each.elts],
                    [(constant(key), str(value.value) if isinstance(value, ast.Constant) else '')
                     for each in getattr(values.get('parameters'), 'elts', ()) if isinstance(
                         table := script.value(each), ast.Dict)
                     for key, value in zip(table.keys, map(script.value, table.values))]))
        for entry in self.entries:
            given = {_NAMES.get(name, name): text for name, text in entry.attrib.items()}
            if entry.tag == 'node' and 'executable' in given:
                found.append(Started(entry, given, given.get('args', '').split(), ' '.join(
                    text for each in entry.iter() for text in (
                        each.text or '', *each.attrib.values())),
                    [each.get('from', '') for each in entry],
                    [(each.get('from', ''), each.get('to', '')) for each in entry],
                    [(each.get('name', ''), each.get('value', '')) for each in entry]))
        return found


def _tags(entry: Element, parent: Element) -> Element:
    """Append the tags that are in XML what an entry of YAML holds to one, and return this."""
    for each in entry:
        name, inner = each.get('name', ''), [*each]
        if not name:
            _tags(each, parent)
        elif not inner:
            parent.set(name, each.text or '')
        else:
            for part in [each] if inner[0].get('name') else inner:
                tag = _tags(part, element_at(name, {}, part, parent))
                tag.text = part.text
    return parent


_DESCRIPTION = re.compile(r'(?<![\w.-])\w[\w.-]*\.(?:urdf|xacro)\b(?!\.\w)')


@once
def launch_files(description: Description) -> list[LaunchFile]:
    """
    Return the launch files that may start a robot.

    They name its description. Those that name none, or misspell one, are of the first description
    in its package if they are in it, or name it and are in one without a description. Of a package
    without a description, they are those in it.
    """
    files = package_files(description)
    known = [*map(os.path.basename, package_texts(description, 'urdf', 'xacro'))]
    names = Spelling(known)
    return [LaunchFile(path, text) for path, text in files.launch.items()
            if path in files.launching or files.is_first and (
                files.is_alone or all(
                    name not in known and names.near(name)
                    for name in _DESCRIPTION.findall(text))) and (
                    files.folder in Path(path).parents or files.name and not files.is_alone
                    and re.search(rf'\b{re.escape(files.name)}\b', text)
                    and not _describes(project_folder(Path(path).parent)))]


def _describes(package: Path) -> bool:
    """Return whether a package has files in a folder that may describe a robot."""
    return any(any(glob_in(package, f'*/*.{suffix}')) for suffix in ('urdf', 'xacro'))


_TAKING = ('robot_description', 'robot_description_semantic', 'process_file')
"""What takes xacro arguments as a table: MoveItConfigsBuilder and xacro."""


def launch_arguments(text: str) -> dict[str, str]:
    """
    Return the xacro arguments in the text of a launch file, those with a known value.

    They are in tables for MoveItConfigsBuilder and xacro, or in lists for ``Command``, after
    ``name:=``. An argument of the launch file has its default.
    """
    script = LaunchFile('.py', text).script
    defaults = {_literal(script, node.args[0]): _literal(script, each.value)
                for node in script.nodes if called(node) == 'DeclareLaunchArgument'
                and isinstance(node, ast.Call) and node.args
                for each in node.keywords if each.arg == 'default_value'}
    found = {}
    for name, node in _given(script):
        value = script.value(node)
        if called(value) == 'perform' and isinstance(value, ast.Call) and (
                isinstance(value.func, ast.Attribute)):
            value = script.value(value.func.value)
        if called(value) == 'LaunchConfiguration' and isinstance(value, ast.Call) and value.args:
            given = defaults.get(_literal(script, value.args[0]))
        else:
            given = _literal(script, value)
        if given is not None:
            # In a command, a shell takes the quotes of an empty text away.
            found[name] = given.strip('"\'')
    return found


def _given(script: Script) -> Iterator[tuple[str, ast.expr]]:
    """Yield the arguments that are given, with what their value is."""
    for node in script.nodes:
        if isinstance(node, ast.Call) and called(node) in _TAKING:
            for table in map(script.value, (*node.args, *(each.value for each in node.keywords))):
                if isinstance(table, ast.Dict):
                    yield from ((key.value, value) for key, value in zip(table.keys, table.values)
                                if isinstance(key, ast.Constant) and isinstance(key.value, str))
        elif isinstance(node, ast.List):
            for part, value in zip(node.elts, node.elts[1:]):
                if isinstance(part, ast.Constant) and str(part.value).endswith(':='):
                    yield str(part.value)[:-2].rpartition(' ')[2], value


def _literal(script: Script, node: ast.expr) -> str | None:
    """Return the text that is written, or that of the variable; None if it is computed."""
    value = script.value(node)
    return value.value if isinstance(value, ast.Constant) and isinstance(
        value.value, str) else None
