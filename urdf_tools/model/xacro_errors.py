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

from collections.abc import Iterator
import re
from types import TracebackType
from xml.dom import minidom
from xml.parsers.expat import ExpatError

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.xacro_sources import ElementSource
from urdf_tools.model.xacro_sources import SourceLocation
from urdf_tools.model.xacro_tracking import source_of
from urdf_tools.model.xacro_tracking import XacroTracker

NO_ARGUMENT = 'Undefined substitution argument'
"""What a message of xacro has if an argument has neither a value nor a default."""

_ARGUMENT_HINT = (
    'Give it a value as NAME:=VALUE or in urdf-tools.toml, or a default with <xacro:arg>')
_EXPRESSION = re.compile(r"when evaluating expression '(.*?)'(?=\s*(?:when evaluating|$))", re.S)


def located_error(
        error: BaseException, path: str, stack: str, tracker: XacroTracker | None
        ) -> DescriptionError:
    """
    Return the error of a file that xacro cannot expand, at the tag that it was evaluating.

    :param path: the file that is expanded.
    :param stack: the files and macros that xacro prints, for a version that is not tracked.
    :param tracker: what followed the expansion, or None.
    """
    reason = 'there is not enough memory' if isinstance(error, MemoryError) else (
        str(error) or repr(error))
    message = 'xacro cannot expand the file: ' + _in_one_line(reason)
    if tracker is None:
        return DescriptionError(
            message, ErrorKind.XACRO, hint=_in_one_line(stack), source=path)
    if isinstance(error, ExpatError) and tracker.malformed is not None:
        return _error(message, tracker.malformed, tracker.malformed.location)
    source, written = _evaluated(error)
    if source is None:
        return DescriptionError(message, ErrorKind.XACRO, source=path)
    return _error(message, source, _location(source, str(error), written))


def _error(message: str, source: ElementSource, location: SourceLocation) -> DescriptionError:
    hint = _ARGUMENT_HINT if NO_ARGUMENT in message else ''
    return DescriptionError(
        message, ErrorKind.XACRO, line=location.line, column=location.column,
        hint='. '.join(filter(None, (source.chain(), hint))), source=location.file,
        text=source.tag.file.lines[location.line - 1])


def _evaluated(error: BaseException) -> tuple[ElementSource | None, object]:
    """Return the source of the node that xacro was evaluating, and the text of an attribute."""
    source, written = None, None
    for node, value in _tag_variables(error.__traceback__):
        found = source_of(node)
        if found is not None:
            source, written = found, value
    return source, written


def _tag_variables(traceback: TracebackType | None) -> Iterator[tuple[minidom.Node, object]]:
    """Yield the nodes that xacro's functions on the stack work on, and text, innermost last."""
    while traceback is not None:
        frame = traceback.tb_frame
        if str(frame.f_globals.get('__name__')).partition('.')[0] == 'xacro':
            for name in ('node', 'elt', 'tag', 'self'):
                value = frame.f_locals.get(name)
                if isinstance(value, minidom.Node):
                    yield value, frame.f_locals.get('value')
        traceback = traceback.tb_next


def _location(source: ElementSource, message: str, written: object) -> SourceLocation:
    """Return where the attribute is written whose expression fails, or else the tag."""
    failing = [f'${{{expression}}}' for expression in _EXPRESSION.findall(message)]
    for name, raw in source.tag.raw.items():
        if any(expression in raw for expression in failing) or (raw == written and '$' in raw):
            attribute = source.attribute(name)
            if attribute is not None:
                return attribute.location
    return source.location


def _in_one_line(text: str) -> str:
    return ' '.join(text.split())
