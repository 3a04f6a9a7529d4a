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

"""Errors of xacro with their source locations."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
import json
import os
from pathlib import Path
import re
from typing import Any
from typing import TypeVar

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import add_tags
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import MacroCall
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.element_sources import values_of
from urdf_tools.model.xml.element_sources import XacroSources
from urdf_tools.model.xml.xml_parser import namespace_of
from urdf_tools.xacro.text import NONE


Row = TypeVar('Row')


class SourceTables:
    """
    The tables of a :class:`~urdf_tools.xacro.job.XacroTracker`, and the tags of its files.

    They come from a process that ran untrusted code, so everything that is used is checked.
    A row refers to earlier rows only, so no chain of them is endless.

    :param is_quotable: whether messages may quote the lines of a file.
    :param source_of: returns the file that was read for a path.
    :ivar sources: the files and the properties that they define.
    :raises DescriptionError: a file exceeds a limit, or uses entities.
    :raises ValueError: they are malformed.
    """

    def __init__(self, tables: Any, is_quotable: Callable[[str], bool],
                 source_of: Callable[[str], str] = str):
        files: list[SourceFile] = []
        self._tags: list[SourceTag] = []
        self._calls: list[MacroCall] = []
        try:
            self._malformed = tables['malformed']
            for path, text, include in tables['files']:
                source = source_of(_text(path))
                files.append(SourceFile(
                    source, _text(text), _referred(self._tags, include), is_quotable(source)))
                self._read_tags(files[-1])
            self.sources = XacroSources(files, {
                name: [_row(self._tags, number) for number in numbers]
                for name, numbers in tables['properties'].items()})
            for tag, macro, outer in tables['calls']:
                self._calls.append(MacroCall(
                    _row(self._tags, tag), _text(macro), _referred(self._calls, outer)))
        except DescriptionError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise ValueError(f'malformed tables: {error}') from error

    def _read_tags(self, file: SourceFile) -> None:
        try:
            document = read_document(file.text, file.path)
        except DescriptionError:
            if self._malformed is None:
                raise
            return  # Nothing refers to what is in it.
        self._tags += add_tags(file, document).values()
        for tag in file.tags:
            if tag.parent is not None and tag.name == 'xacro:attribute':
                tag.parent.setters += (tag,)

    def element(self, tag: int, call: int) -> ElementSource:
        """
        Return the source of an element.

        :raises LookupError: there is no such row.
        """
        return ElementSource(_row(self._tags, tag), _referred(self._calls, call))

    def elements(self, numbers: Iterable[int]) -> list[ElementSource]:
        """Return the sources of elements from alternating tags and calls."""
        pairs = iter(numbers)
        return [self.element(tag, call) for tag, call in zip(pairs, pairs)]

    def malformed(self) -> ElementSource:
        """Return where the XML of a file is malformed, as the source of a tag without a name."""
        number, line, column, call = self._malformed
        file = _row(self.sources.files, number)
        if not (type(line) is type(column) is int
                and 1 <= line <= len(file.lines) and 1 <= column <= MAX_BYTES):
            raise ValueError('a tag outside of its file')
        tag = SourceTag(file, '', line, column, {}, None)
        return ElementSource(tag, _referred(self._calls, call))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f'{value!r} is not a text')
    return value


def _referred(rows: Sequence[Row], number: int) -> Row | None:
    return None if number == NONE else _row(rows, number)


def _row(rows: Sequence[Row], number: int) -> Row:
    if number < 0:
        raise IndexError('a number of no row')
    return rows[number]


_PREFIX = re.compile(r'(?:<|\s)([^\W\d][\w.-]*):[\w.-]+')
_HINTS: Mapping[str, str] = json.loads(Path(__file__).with_name('hints.json').read_bytes())
"""Fragments of xacro messages to hints on the fix."""

_NO_FILE = re.compile(r"No such file or directory: .*\[Errno 2\] (?=No such file or directory: ')")
"""A part that xacro repeats in its message about an included file."""

_RECURSION = re.compile(r'maximum recursion depth exceeded(?: (?!when )\w+)*')

_EXPRESSION = re.compile(r"when evaluating expression '(.*?)'(?=\s*(?:when evaluating|$))", re.S)

_UNDEFINED = re.compile(r"name '(\w+)' is not defined")
_NO_ARGUMENT = re.compile(r'Undefined substitution argument (\w+)')
_INVALID = re.compile(r'Invalid parameter "([^"]*)"')
_NOT_GIVEN = re.compile(r'Undefined parameters \[([^]]*)\]')
_UNKNOWN_MACRO = re.compile(r'unknown macro name: xacro:(\S+)')
_BARE = 'include', 'property', 'macro', 'arg'
_MISSING = re.compile(f'{_UNDEFINED.pattern}|{_UNKNOWN_MACRO.pattern}')


def located_error(error: Mapping[str, Any], path: str, tables: SourceTables,
                  hint: str = '', near: str | None = None) -> DescriptionError:
    """
    Return the error of a file that xacro cannot expand, at the tag that it was evaluating.

    :param error: what the worker answers of it.
    :param path: the file that is expanded.
    :param tables: the tags that were found until then.
    :param hint: how to fix it, where that is known.
    :param near: the package that may be meant by one that is not found.
    """
    message = failure(error['reason'])
    hint = hint or next((hint for text, hint in _HINTS.items() if text in message), '')
    if near:
        hint = f'Did you mean {quote(near, 80)}? Otherwise {hint[0].lower()}{hint[1:]}'
    if error['is_malformed']:
        source = tables.malformed()
        return _error(message, source, *_syntax_error(source))
    if error['source'] is None:
        return DescriptionError(message, ErrorKind.XACRO, source=path)
    source = tables.element(*error['source'])
    if source.tag.raw.get('filename', '').startswith('$(find ') and '$(find ' in hint:
        hint = 'Correct the path, or the values in it'
    misspelling = _misspelling(error['reason'], source.tag, tables)
    if (condition := _condition(error['reason'], tables)) is not None:
        hint = (f'It is defined only in <{condition.name} value="{condition.raw.get("value")}"> '
                f'at {condition.location}')
    elif misspelling is not None:
        hint = f'Did you mean {quote(misspelling[1], 80)}?'
    elif macro := _UNKNOWN_MACRO.search(error['reason']):
        hint = _macro_hint(printable(macro[1]), tables)
    bare = [f'Write <xacro:{tag.name}> at {tag.location}' for file in tables.sources.files
            for tag in file.tags if tag.name in _BARE and file.is_quotable and (
                tag.parent is not None and tag.parent.name == 'robot')]
    failing = ''.join(f'${{{each}}}' for each in _EXPRESSION.findall(message))
    quotable = {file.path for file in tables.sources.files if file.is_quotable}
    values = [str(each) for each in values_of(source, failing, tables.sources.properties)
              if each.location.file in quotable]
    hint = joined(hint, *bare[:2]) if _MISSING.search(message) else joined(
        name_list(values), hint)
    hint = joined(_argument_hint(error['reason'], source.tag, tables), ' '.join(filter(
        None, (hint, _parameter_hint(error['reason'], source.tag, tables)))))
    found = _error(message, source, _location(source, error['reason'], error['written']), hint)
    found.misspelling = misspelling
    return found


def _misspelling(reason: str, place: SourceTag, tables: SourceTables) -> tuple[str, str] | None:
    """Return an undefined name, and the macro, property or parameter it resembles."""
    macro, name = _UNKNOWN_MACRO.search(reason), _UNDEFINED.search(reason)
    called, invalid = _macros(tables).get(place.name), _INVALID.search(reason)
    found, prefix = name, ''
    if called is not None and invalid is not None:
        found, known = invalid, [name for name in called.parameters if name not in place.raw]
    elif macro is not None:
        found, known, prefix = macro, [name[6:] for name in _macros(tables)], 'xacro:'
    else:
        known = place.parameters_around() + [
            name for name, tags in tables.sources.properties.items() if tags[-1].file.is_quotable]
    near = None if found is None else closest(found[1], known)
    return None if found is None or near is None else (prefix + found[1], prefix + near)


def _condition(reason: str, tables: SourceTables) -> SourceTag | None:
    """Return the condition, which does not hold, in which an undefined property is defined."""
    name = _UNDEFINED.search(reason)
    return next((tag.parent for file in tables.sources.files for tag in file.tags
                 if name and file.is_quotable and tag.name == 'xacro:property'
                 and tag.raw.get('name') == name[1] and tag.parent is not None
                 and tag.parent.name in ('xacro:if', 'xacro:unless')), None)


def _macro_hint(name: str, tables: SourceTables) -> str:
    """Return how to define a macro that is not: where its name says, or in a file to include."""
    for file in tables.sources.files:
        if name in os.path.basename(file.path) and file.is_quotable and not any(
                tag.name == 'xacro:macro' for tag in file.tags):
            return (f'{printable(file.path)} defines no macro: write <xacro:macro name="{name}" '
                    'params=""> around what it has')
    return 'Include the file that defines it'


def _macros(tables: SourceTables) -> dict[str, SourceTag]:
    """Return the macros that messages may quote, by the tag that calls them; the last of each."""
    return {'xacro:' + tag.raw.get('name', '').removeprefix('xacro:'): tag
            for file in tables.sources.files if file.is_quotable
            for tag in file.tags if tag.name == 'xacro:macro'}


def _argument_hint(reason: str, place: SourceTag, tables: SourceTables) -> str:
    """Return how to write a parameter that is taken for an argument, or the other way round."""
    undefined, unknown = _NO_ARGUMENT.search(reason), _UNDEFINED.search(reason)
    if undefined is not None and undefined[1] in place.parameters_around():
        return f'Write ${{{printable(undefined[1])}}}, the parameter of the macro'
    if unknown is not None and any(
            tag.name == 'xacro:arg' and tag.raw.get('name') == unknown[1]
            for file in tables.sources.files for tag in file.tags):
        name = printable(unknown[1])
        return f'Write $(arg {name}), or make {name} a parameter of the macro, and give it'
    return ''


def _parameter_hint(reason: str, call: SourceTag, tables: SourceTables) -> str:
    """Return how to fix a call with a parameter too many or too few."""
    macro, missing = _macros(tables).get(call.name), _NOT_GIVEN.search(reason)
    if macro is None:
        return ''
    if missing is not None:
        names = name_list([printable(name) for name in missing[1].split(',')])
        return (f'Give {names} in the call, or a default in the macro at {macro.location}')
    if 'Not enough blocks' in reason:
        names = name_list([printable(name.strip('*')) for name in macro.raw.get(
            'params', '').split() if name[0] == '*'])
        return f'Write {names} inside the call, as blocks of the macro at {macro.location}'
    if _INVALID.search(reason):
        names = name_list([printable(name) for name in macro.parameters]) or 'no parameters'
        return f'The macro at {macro.location} has {names}'
    return ''


def _syntax_error(source: ElementSource) -> tuple[SourceLocation, str]:
    """Return where a xacro file is not well-formed XML, or not with namespaces, and why."""
    file, line = source.tag.file, source.tag.line
    try:
        read_document(file.text)
    except DescriptionError as error:
        return SourceLocation(file.path, error.line or line, error.column or 1), error.hint
    for prefix in _PREFIX.findall(file.lines[line - 1], source.tag.column - 1):
        if f'xmlns:{prefix}=' not in file.text:
            return source.location, (
                f'Write xmlns:{prefix}="{namespace_of(prefix)}" in the outermost element')
    return source.location, ''


def failure(reason: str) -> str:
    """Return the message of a file that xacro cannot expand."""
    return 'xacro cannot expand the file: ' + _NO_FILE.sub('', _RECURSION.sub(
        'its includes or macros are nested too deeply, or without end', ' '.join(reason.split())))


def _error(message: str, source: ElementSource, location: SourceLocation, hint: str
           ) -> DescriptionError:
    return DescriptionError(
        message, ErrorKind.XACRO, line=location.line, column=location.column,
        hint=joined(source.chain(), hint), source=location.file,
        text=source.tag.file.excerpt(location.line))


def _location(source: ElementSource, message: str, written: object) -> SourceLocation:
    """Return where the attribute is written whose expression fails, or else the tag."""
    invalid = _INVALID.search(message)
    given = None if invalid is None else source.attribute(invalid[1])
    if invalid is not None or _NOT_GIVEN.search(message):
        return source.location if given is None else given.location
    failing = [f'${{{expression}}}' for expression in _EXPRESSION.findall(message)]
    for name, raw in source.tag.raw.items():
        if any(expression in raw for expression in failing) or (raw == written and '$' in raw):
            attribute = source.attribute(name)
            if attribute is not None:
                return attribute.location
    return source.location
