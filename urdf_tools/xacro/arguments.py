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
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import os
from pathlib import Path
import re
import shlex

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.files import real_path
from urdf_tools.model.messages import location
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.package_lookup import MAX_PATH
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.syntax_tree import SyntaxTree
from urdf_tools.xacro.files import XacroFiles
from urdf_tools.xacro.text import COMMENT

_WITHOUT_VALUE = re.compile(r'Undefined substitution argument (\S+)')
_NO_FILE = re.compile(r"No such file or directory: '([^'\0]+)'")
_USED = re.compile(r'\$\(\s*arg\s+([^\s$()<>"]+)\s*\)|\barg\(\s*[\'"]([^\'"<>]+)[\'"]')
_EVALUATED = re.compile(r'\$\(eval\s([^<>]*)')
_FIND = re.compile(r'\$\(find\s+([^\s()]+)\s*\)')


class XacroArguments:
    """
    The arguments that xacro files take, as far as their texts show; nothing is evaluated.

    Files that they may include count as well, whether or not an expansion reads them.

    :param path: the outermost file.
    :param files: reads the files.
    :param read: the files that an expansion has read.
    :ivar declared: the arguments that are declared, with their defaults and where that is.
    :ivar used: the arguments that the files ask for as ``$(arg NAME)``.
    """

    def __init__(self, path: str, files: XacroFiles, read: Iterable[SourceFile] = ()):
        self.declared: dict[str, tuple[str, str]] = {}
        self.used: dict[str, None] = {}
        self._evaluated: set[str] = set()
        self._is_complete = True
        self._path, self._files = path, files
        self._texts = {real_path(name): (name, text) for name, text in (
            [(file.path, file.text if file.is_quotable else '') for file in read]
            or [(path, files.text(path))])}
        self._known = {(real_path(file.include.file.path), file.include.raw['filename'])
                       for file in read if file.include and 'filename' in file.include.raw}
        pending = list(self._texts)
        for each in pending:
            pending += self._scan(each, *self._texts[each])

    def undeclared(self, given: Iterable[str]) -> list[str]:
        """
        Return the given names that no file has.

        If an include cannot be followed, they are only those that certainly mean another one.
        """
        known = {*self.declared, *self.used, *self._evaluated}
        spelling = None if self._is_complete else Spelling(known)
        return [name for name in given
                if name not in known and (spelling is None or spelling.only(name))]

    def require(self, given: Iterable[str]) -> None:
        """
        Check that the files have all arguments that are given.

        :raises DescriptionError: they do not have some.
        """
        unknown = self.undeclared(given)
        if not unknown:
            return
        known = [*map(printable, {**self.declared, **self.used})]
        hints = [*(did_you_mean(name, known) for name in unknown),
                 f'It has {name_list(known) or "no arguments"}']
        raise DescriptionError(
            f'The file has no xacro argument {" or ".join(map(quote, unknown))}', ErrorKind.XACRO,
            source=self._path, hint=' '.join(filter(None, hints)))

    def _scan(self, path: str, shown: str, text: str) -> list[str]:
        """Read the arguments in a file, and return the new files that it includes."""
        self._is_complete &= bool(text)
        found: list[str] = []
        for node in SyntaxTree(text).nodes if '<xacro:' in text else ():
            name = node.get('name')
            if node.tag == 'xacro:include':
                found += self._include(path, node.get('filename'))
            elif node.tag == 'xacro:arg' and '$' in name:
                self._is_complete = False
            elif node.tag == 'xacro:arg':
                line = text.count('\n', 0, node.start) + 1
                self.declared.setdefault(name, (node.get('default'), location(shown, line)))
        text = COMMENT.sub('', text)
        self.used.update((one or other, None) for one, other in _USED.findall(text))
        self._evaluated.update(*map(_NAME.findall, _EVALUATED.findall(text)))
        return found

    def _include(self, path: str, name: str) -> list[str]:
        """Return a file that is included, if it is new, after its text is read."""
        if (path, name) in self._known:
            return []
        folders = [self._files.packages.find(package) for package in _FIND.findall(name)]
        end = _FIND.sub('', name)
        if None in folders or '$' in end or '*' in end or len(end) > MAX_PATH:
            self._is_complete = False
            return []
        file = real_path(
            f'{folders[0]}{end}' if folders else os.path.join(os.path.dirname(path), name))
        if file in self._texts:
            return []
        self._texts[file] = file, (
            self._files.text(file) if folders or self._files.holds(file) else '')
        return [file]


def needed_argument(reason: str, arguments: XacroArguments, given: Mapping[str, str],
                    may_list: Callable[[str], bool], written: str = '') -> tuple[str, str]:
    """
    Return the arguments whose value, or lack of one, is why a xacro file cannot be expanded.

    They are as a user types them in a shell, each with a value to begin with; the second text is
    a sentence on what to do, and why. Both are empty where that is not why.

    :param reason: what xacro says.
    :param arguments: those that the files have.
    :param given: the arguments that are given.
    :param may_list: returns whether a message may list the files in a folder.
    :param written: the attributes of the tag that fails, if it is known.
    """
    if match := _WITHOUT_VALUE.search(reason):
        return _without_value(match[1], arguments, given)
    if match := _NO_FILE.search(reason):
        values = {**{name: value for name, (value, _) in arguments.declared.items()}, **given}
        return _of_path(Path(match[1]), values, may_list, written)
    return '', ''


def _without_value(
        name: str, arguments: XacroArguments, given: Mapping[str, str]) -> tuple[str, str]:
    default, where = arguments.declared.get(name, ('', ''))
    if default and '$' not in default:
        typed = shlex.quote(f'{name}:={default}')
        return typed, (f'Give it a value as {typed} or in urdf-tools.toml, because its default at '
                       f'{where} comes too late')
    near = closest(name, arguments.declared) if name not in arguments.declared else None
    if near:
        return '', f'Did you mean {quote(near, 80)}?'
    missing = dict.fromkeys((name, *(
        other for other in arguments.used if other not in {**arguments.declared, **given})))
    typed = ' '.join(shlex.quote(f'{each}:=VALUE') for each in missing)
    return typed, f'Give {typed}, or values in urdf-tools.toml, or defaults with <xacro:arg>'


def _of_path(path: Path, values: Mapping[str, str], may_list: Callable[[str], bool],
             written: str) -> tuple[str, str]:
    """
    Return the argument that names a file or folder which does not exist beside others.

    One that an expression in the written path asks for may be a part of the name.
    """
    if not path.is_absolute():
        return '', ''
    missing, folder = next(
        (inner, outer) for inner, outer in zip((path, *path.parents), path.parents)
        if os.path.isdir(outer))
    asked = {name for each in _EXPRESSION.findall(written)
             for name in _NAME.findall(' '.join(each))}
    others = sorted(other for other in os.listdir(folder)
                    if not other.startswith('.') and Path(other).suffix == missing.suffix)
    for name, value in values.items() if may_list(str(folder)) else ():
        if not (value and value in (missing.name, missing.stem)
                or name in asked and value in missing.name):
            continue
        start, _, end = missing.name.partition(value) if value else ('', '', missing.name)
        names = [other[len(start):len(other) - len(end)] for other in others
                 if other.startswith(start) and other.endswith(end)
                 and len(other) > len(start + end)]
        if names:
            typed = shlex.quote(f'{name}:={closest(value, names) or names[0]}')
            return typed, (f'Argument {quote(name)} is {quote(value)}; give one of which there is '
                           f'a file, as in {typed}: {name_list(names)}')
    return '', ''


_EXPRESSION = re.compile(r'\$\{([^}]*)\}|\$\((?:arg|eval)\s+([^)]*)')
_NAME = re.compile(r'(?<![\w.\'"])[A-Za-z_]\w*')


def argument_of(text: str, tag: SourceTag, properties: Mapping[str, Sequence[SourceTag]]) -> str:
    """
    Return an argument that a text depends on, or nothing.

    :param tag: where it is written.
    :param properties: the tags that define a property, by its name, which may depend on some.
    """
    pending = [(text, tag)]
    seen: set[str] = set()
    for written, place in pending:
        parameters = place.parameters_around()
        for match in _EXPRESSION.finditer(written):
            if match[2]:
                return str(match[2]).strip()
            for name in map(str, _NAME.findall(match[1])):
                if name in parameters:
                    return name
                if name not in seen:
                    seen.add(name)
                    pending += [(each.raw.get('value', ''), each)
                                for each in properties.get(name, ())]
    return ''
