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

"""Errors of xacro, with the source location that they come from."""

from __future__ import annotations

from collections.abc import Mapping
import re
from typing import Any

from urdf_tools.model.document import read_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.xacro_arguments import NeededArgument
from urdf_tools.model.xacro_files import NOT_FOUND
from urdf_tools.model.xacro_files import OUTSIDE
from urdf_tools.model.xacro_sources import ElementSource
from urdf_tools.model.xacro_sources import SourceLocation
from urdf_tools.model.xacro_tables import SourceTables
from urdf_tools.model.xml_hints import namespace_of

_PREFIX = re.compile(r'(?:<|\s)([^\W\d][\w.-]*):[\w.-]+')
_OUTSIDE_HINT = (
    'Copy the file into the project, or leave out --untrusted if you trust the description')
_HINTS = {
    OUTSIDE: _OUTSIDE_HINT,
    NOT_FOUND: 'Source the workspace that has it, or give its folder with --package NAME=FOLDER'}
"""What a message of xacro has, to how to mend it."""

_EXPRESSION = re.compile(r"when evaluating expression '(.*?)'(?=\s*(?:when evaluating|$))", re.S)


def located_error(
        error: Mapping[str, Any], path: str, tables: SourceTables | None,
        argument: NeededArgument | None = None) -> DescriptionError:
    """
    Return the error of a file that xacro cannot expand, at the tag that it was evaluating.

    :param error: what the worker answers of it.
    :param path: the file that is expanded.
    :param tables: the tags that were found until then; None if they are not tracked.
    :param argument: the argument without which it cannot be expanded, if that is why.
    """
    found = _located(error, path, tables, '' if argument is None else argument.hint)
    found.argument = '' if argument is None else argument.typed
    return found


def _located(
        error: Mapping[str, Any], path: str, tables: SourceTables | None, hint: str
        ) -> DescriptionError:
    message = failure(error['reason'])
    hint = hint or next((hint for text, hint in _HINTS.items() if text in message), '')
    if error.get('near'):
        hint = f'Did you mean {quote(error["near"], 80)}? Otherwise {hint[0].lower()}{hint[1:]}'
    if tables is not None:
        message += _values(error['values'], tables)
    if tables is None:
        return DescriptionError(
            message, ErrorKind.XACRO, hint=_in_one_line(error['stack']), source=path)
    if error['is_malformed']:
        source = tables.malformed()
        return _error(message, source, source.location, _syntax_hint(source))
    if error['source'] is None:
        return DescriptionError(message, ErrorKind.XACRO, source=path)
    source = tables.element(*error['source'])
    return _error(message, source, _location(source, error['reason'], error['written']), hint)


def _syntax_hint(source: ElementSource) -> str:
    """Return why the text of a xacro file is not well-formed XML, or not with namespaces."""
    file, line = source.tag.file, source.tag.line
    try:
        read_document(file.text)
    except DescriptionError as error:
        return error.hint
    rest = file.lines[line - 1][source.tag.column - 1:]
    for prefix in _PREFIX.findall(rest):
        if f'xmlns:{prefix}=' not in file.text:
            return f'Write xmlns:{prefix}="{namespace_of(prefix)}" in the outermost element'
    return ''


def failure(reason: str) -> str:
    """Return the message of a file that xacro cannot expand."""
    return 'xacro cannot expand the file: ' + _in_one_line(reason)


def _error(message: str, source: ElementSource, location: SourceLocation,
           hint: str) -> DescriptionError:
    return DescriptionError(
        message, ErrorKind.XACRO, line=location.line, column=location.column,
        hint='. '.join(filter(None, (source.chain(), hint))), source=location.file,
        text=source.tag.file.excerpt(location.line))


def _location(source: ElementSource, message: str, written: object) -> SourceLocation:
    """Return where the attribute is written whose expression fails, or else the tag."""
    failing = [f'${{{expression}}}' for expression in _EXPRESSION.findall(message)]
    for name, raw in source.tag.raw.items():
        if any(expression in raw for expression in failing) or (raw == written and '$' in raw):
            attribute = source.attribute(name)
            if attribute is not None:
                return attribute.location
    return source.location


def _values(values: Mapping[str, str], tables: SourceTables) -> str:
    """Return the properties that the failing expression uses, and where they are defined."""
    properties = tables.files().properties
    return ''.join(
        f'; {name} is {value} (at {properties[name][-1].location})' if properties.get(name)
        else f'; {name} is {value}' for name, value in values.items())


def _in_one_line(text: str) -> str:
    return ' '.join(text.split())
