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

"""The arguments of xacro files: those that a text depends on, and a missing one."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
import os
from pathlib import Path
import re
import shlex
from typing import NamedTuple

from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.syntax_tree import Node
from urdf_tools.model.xml.syntax_tree import SyntaxTree

_WITHOUT_VALUE = re.compile(r'Undefined substitution argument (\S+)')
_NO_FILE = re.compile(r"No such file or directory: '([^'\0]+)'")


class NeededArgument(NamedTuple):
    """
    An argument to give.

    :ivar typed: the argument with a value to begin with, as a user types it in a shell.
    :ivar hint: what to do, and why, as a sentence.
    """

    typed: str
    hint: str


def needed_argument(reason: str, text: str, given: Mapping[str, str],
                    may_list: Callable[[str], bool]) -> NeededArgument | None:
    """
    Return the argument whose value, or lack of one, is why a xacro file cannot be expanded.

    :param reason: what xacro says.
    :param text: the text of the outermost file.
    :param given: the arguments that are given.
    :param may_list: returns whether a message may list the files in a folder.
    """
    declared = {node.get('name'): node for node in SyntaxTree(text).nodes
                if node.tag == 'xacro:arg'}
    if match := _WITHOUT_VALUE.search(reason):
        return _without_value(match[1], declared, text)
    if match := _NO_FILE.search(reason):
        values = {**{name: node.get('default') for name, node in declared.items()}, **given}
        return _of_path(Path(match[1]), values, may_list)
    return None


def _without_value(name: str, declared: Mapping[str, Node], text: str) -> NeededArgument:
    default = declared[name].get('default') if name in declared else ''
    if not default or '$' in default:
        near = closest(name, declared) if name not in declared else None
        if near:
            return NeededArgument('', f'Did you mean {quote(near, 80)}?')
        typed = f'{name}:=VALUE'
        return NeededArgument(typed, (
            f'Give it a value as {typed} or in urdf-tools.toml, or a default with <xacro:arg>'))
    typed = shlex.quote(f'{name}:={default}')
    line = text.count('\n', 0, declared[name].start) + 1
    return NeededArgument(typed, (
        f'Give it a value as {typed} or in urdf-tools.toml, because its default in line {line} '
        'comes too late'))


def _of_path(path: Path, values: Mapping[str, str],
             may_list: Callable[[str], bool]) -> NeededArgument | None:
    """Return the argument that names a file or folder which does not exist beside others."""
    if not path.is_absolute():
        return None
    missing, folder = next(
        (inner, outer) for inner, outer in zip((path, *path.parents), path.parents)
        if outer.is_dir())
    name = next((name for name, value in values.items()
                 if value and value in (missing.name, missing.stem)), None)
    if name is None or not may_list(str(folder)):
        return None
    others = sorted(other for other in os.listdir(folder)
                    if not other.startswith('.') and Path(other).suffix == missing.suffix)
    names = [Path(other).stem if values[name] == missing.stem else other for other in others]
    if not names:
        return None
    typed = shlex.quote(f'{name}:={closest(values[name], names) or names[0]}')
    return NeededArgument(typed, (
        f'Argument {quote(name)} is {quote(values[name])}; give one of which there is a file, as '
        f'in {typed}: {name_list(names)}'))


_EXPRESSION = re.compile(r'\$\{([^}]*)\}|\$\((?:arg|eval)\s+([^)]*)')
_NAME = re.compile(r'(?<![\w.\'"])[A-Za-z_]\w*')


def argument_of(text: str, tag: SourceTag, properties: Mapping[str, Sequence[SourceTag]]) -> str:
    """
    Return an argument that a text depends on, or nothing.

    :param tag: where it is written.
    :param properties: the tags that define a property, by its name, which may depend on some.
    """
    return _argument(text, tag, properties, set())


def _argument(text: str, tag: SourceTag, properties: Mapping[str, Sequence[SourceTag]],
              seen: set[str]) -> str:
    parameters = tag.parameters_around()
    for match in _EXPRESSION.finditer(text):
        if match[2]:
            return str(match[2]).strip()
        names: list[str] = _NAME.findall(match[1])
        for name in names:
            if name in parameters:
                return name
            if name in seen:
                continue
            seen.add(name)
            for definition in properties.get(name, ()):
                found = _argument(definition.raw.get('value', ''), definition, properties, seen)
                if found:
                    return found
    return ''
