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

"""Source locations of expanded elements in xacro files, with their macro calls."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
import re
from typing import NamedTuple

from urdf_tools.model.messages import location
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import shortened
from urdf_tools.model.xml.syntax_tree import scan_tag
from urdf_tools.model.xml.syntax_tree import TextLines

PARAMETER = re.compile(
    r'(\*{0,2})([^\s:=]+)(?:\s*:?=\s*(\^\|?)?(\'[^\']*\'|"[^"]*"|'
    r'\$\{[^}]*\}(?!\S)|\$\([^)]*\)(?!\S)|[^\s^]\S*)?)?')
"""A parameter of a macro: stars of a block, the name, the caret of an outer value, a default."""

_EXPRESSION = re.compile(r'(?<!\$)\$[{(]')
_NAMES = re.compile(r'\$\{([^}]*)\}')
_STRING = re.compile(r'"[^"]*"|\'[^\']*\'')
_IDENTIFIER = re.compile(r'(?<![\w.])[A-Za-z_]\w*')
_MAX_DEPTH = 10


class SourceLocation(NamedTuple):
    """A location in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return location(self.file, self.line)


class SourceComment(NamedTuple):
    """A comment of a xacro file, with the tag around it (None outside the root)."""

    text: str
    line: int
    column: int
    parent: SourceTag | None


def text_of(data: bytes) -> str:
    """Return the text of a file, with one character at each end of a line."""
    return data.decode('utf-8', 'replace').replace('\r\n', '\n').replace('\r', '\n')


@dataclass(eq=False, repr=False)
class SourceFile:
    """
    A xacro file as it was read for one inclusion.

    :ivar path: the file, as messages name it.
    :ivar text: its text, with one character for a line break.
    :ivar include: the tag that included it; None for the outermost file.
    :ivar is_quotable: whether messages may quote its lines.
    :ivar tags: its tags in the order of the text.
    :ivar comments: its comments in the order of the text.
    """

    path: str
    text: str
    include: SourceTag | None
    is_quotable: bool = True
    tags: list[SourceTag] = field(default_factory=list)
    comments: list[SourceComment] = field(default_factory=list)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text."""
        return self.text.split('\n')

    def excerpt(self, line: int) -> str:
        """Return a line, from 1, for a message; empty if none may quote it."""
        return ''.join(self.lines[line - 1:line]) if self.is_quotable else ''

    @cached_property
    def positions(self) -> TextLines:
        """Offsets in the text to lines and columns."""
        return TextLines(self.text)

    def attributes(self, tag: SourceTag) -> dict[str, tuple[int, int, int]]:
        """Return line, column and length of each attribute of a tag, by name."""
        start = self.positions.line_start(tag.line) + tag.column - 1
        return {each.name: (*self.positions.line_and_column(each.start),
                            each.value_end + 1 - each.start)
                for each in scan_tag(self.text, start).attributes}


@dataclass(eq=False, repr=False, slots=True)
class SourceTag:
    """
    A start tag as it is written in a xacro file.

    :ivar file: the file that it is written in.
    :ivar name: name of the tag as written.
    :ivar line: its line, from 1.
    :ivar column: its column, from 1.
    :ivar raw: its attributes as written, with expressions.
    :ivar parent: the tag around it in the file, or None.
    :ivar setters: the ``xacro:attribute`` tags directly inside of it.
    """

    file: SourceFile
    name: str
    line: int
    column: int
    raw: dict[str, str]
    parent: SourceTag | None
    setters: tuple[SourceTag, ...] = ()

    @property
    def location(self) -> SourceLocation:
        """Where it is written."""
        return SourceLocation(self.file.path, self.line, self.column)

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters of a macro."""
        return [match[2] for match in PARAMETER.finditer(self.raw.get('params', ''))]

    def with_tags_around(self) -> Iterator[SourceTag]:
        """Yield it and the tags around it in its file, innermost first."""
        tag: SourceTag | None = self
        while tag is not None:
            yield tag
            tag = tag.parent

    def parameters_around(self) -> list[str]:
        """Return the names of the parameters of the macros that it is in, or is."""
        return [name for tag in self.with_tags_around() if tag.name == 'xacro:macro'
                for name in tag.parameters]

    @property
    def path(self) -> str:
        """The names of the tags around it and its own, such as ``/robot/link[@name='a']``."""
        names = [(tag.name, tag.raw.get('name')) for tag in self.with_tags_around()]
        return ''.join(f'/{tag}' if name is None else f"/{tag}[@name='{name}']"
                       for tag, name in reversed(names))


@dataclass(eq=False, repr=False, slots=True)
class MacroCall:
    """
    The call of a macro.

    :ivar tag: the tag that calls it.
    :ivar macro: name of the macro.
    :ivar outer: the call whose expansion this tag belongs to, or None.
    """

    tag: SourceTag
    macro: str
    outer: MacroCall | None


class AttributeSource(NamedTuple):
    """
    Where the value of an attribute is written.

    :ivar raw: the value as written, with expressions.
    :ivar length: number of characters from the name to the closing quote.
    """

    name: str
    raw: str
    location: SourceLocation
    length: int

    @property
    def is_literal(self) -> bool:
        """Whether the value is written without an expression."""
        return '$' not in self.raw

    @property
    def is_expression(self) -> bool:
        """Whether the value contains an expression or a substitution."""
        return _EXPRESSION.search(self.raw) is not None


class ElementSource(NamedTuple):
    """
    The source of an element of an expanded description.

    :ivar tag: the tag that it is written as.
    :ivar call: the call of the macro that the tag is part of; None outside of macros.
    """

    tag: SourceTag
    call: MacroCall | None

    @property
    def location(self) -> SourceLocation:
        """Where the element is written."""
        return self.tag.location

    @property
    def calls(self) -> tuple[SourceLocation, ...]:
        """The macro calls that made the element, outermost last."""
        return tuple(call.tag.location for call in self.call_chain())

    def call_chain(self) -> Iterator[MacroCall]:
        """Yield the macro calls that made the element, outermost last."""
        call = self.call
        while call is not None:
            yield call
            call = call.outer

    @property
    def includes(self) -> tuple[SourceLocation, ...]:
        """The ``xacro:include`` tags that brought the file in, outermost last."""
        found = []
        include = self.tag.file.include
        while include is not None:
            found.append(include.location)
            include = include.file.include
        return tuple(found)

    def chain(self) -> str:
        """Return the macro calls and includes as a sentence; empty for the outermost file."""
        parts = [f'{verb} at {name_list([*map(str, locations)])}'
                 for verb, locations in (('called', self.calls), ('included', self.includes))
                 if locations]
        text = ', '.join(parts)
        return text[:1].upper() + text[1:]

    def attribute(self, name: str) -> AttributeSource | None:
        """Return where the value of an attribute is written, or None."""
        for setter in self.tag.setters:
            if setter.raw.get('name') == name:
                return _attribute(setter, 'value', name)
        if name in self.tag.raw:
            return _attribute(self.tag, name, name)
        computed = [tag for tag in self.tag.setters if '$' in tag.raw.get('name', '')]
        return _attribute(computed[0], 'value', name) if len(computed) == 1 else None

    def tags_around(self) -> Iterator[SourceTag]:
        """Yield its tag and the tags around it, in all files that lead to it."""
        pending = [self.tag, *(call.tag for call in self.call_chain())]
        while pending:
            tags = [*pending.pop().with_tags_around()]
            yield from tags
            if tags[-1].file.include is not None:
                pending.append(tags[-1].file.include)


def _attribute(tag: SourceTag, written: str, name: str) -> AttributeSource | None:
    found = tag.file.attributes(tag).get(written)
    if found is None:
        return None
    line, column, length = found
    return AttributeSource(
        name, tag.raw[written], SourceLocation(tag.file.path, line, column), length)


class ValueSource(NamedTuple):
    """A parameter or property that an expression uses: its value as written, and where."""

    name: str
    raw: str
    location: SourceLocation

    def __str__(self) -> str:
        return f'{self.name} is {shortened(self.raw)} at {self.location}'


def values_of(origin: ElementSource, raw: str, properties: Mapping[str, Sequence[SourceTag]]
              ) -> tuple[ValueSource, ...]:
    """
    Return where the names in an expression get their values, and the names in these.

    :param origin: the element that the expression is written in.
    :param raw: a text with expressions, such as ``${radius * 2}``.
    :param properties: the tags that define a property, by its name.
    """
    return tuple(dict.fromkeys(_values(origin, raw, properties, _MAX_DEPTH)))


def _values(origin: ElementSource, raw: str, properties: Mapping[str, Sequence[SourceTag]],
            depth: int) -> Iterator[ValueSource]:
    """Yield the sources of the names in an expression, and of the names in their values."""
    if not depth:
        return
    names = (name for expression in _NAMES.findall(raw)
             for name in _IDENTIFIER.findall(_STRING.sub('', expression)))
    for name in dict.fromkeys(names):
        call = origin.call
        if call is not None and name in call.tag.raw:
            caller = ElementSource(call.tag, call.outer)
            attribute = caller.attribute(name)
        else:
            tags = {tag.location: tag for tag in properties.get(name, ())}
            if len(tags) != 1:
                continue
            tag, = tags.values()
            caller = ElementSource(tag, None)
            attribute = caller.attribute('value') or caller.attribute('default')
        if attribute is not None:
            yield ValueSource(name, attribute.raw, attribute.location)
            yield from _values(caller, attribute.raw, properties, depth - 1)


class XacroSources(NamedTuple):
    """
    The files that a xacro file was expanded from.

    :param files: the files that were read, outermost first; one that is included twice, twice.
    :param properties: the tags that define a property, by its name.
    :param arguments: the arguments that were given, also those that the files do not have.
    """

    files: Sequence[SourceFile]
    properties: Mapping[str, Sequence[SourceTag]]
    arguments: Mapping[str, str] = {}
