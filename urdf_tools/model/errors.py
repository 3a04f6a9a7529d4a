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

"""Exceptions for invalid user input, such as a description."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field
from dataclasses import KW_ONLY
from enum import Enum
import shlex

from urdf_tools.model.messages import joined
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable

PLACEHOLDER = 'VALUE'
"""The value of an argument to give that nobody knows."""

_NO_MEMORY = (
    "can't start new thread", 'failed to map segment from shared object',
    'Cannot allocate memory', 'std::bad_alloc', 'error return without exception set')
"""Ends of the messages of exceptions of other kinds because of a lack of memory."""


class ErrorKind(Enum):
    """Why a description cannot be used."""

    UNREADABLE = 'the file cannot be read'
    XACRO = 'xacro fails to expand the file'
    TOO_LARGE = 'the description exceeds a limit on its size'
    ENTITY = 'the description declares or uses XML entities'
    MALFORMED = 'the description is not well-formed XML'
    REPAIRED = 'the description is not well-formed XML, but can be read as urdfdom reads it'
    INVALID = 'the XML does not describe a robot'
    LOOP = 'a loop cannot be read and stays open'


class InputError(ValueError):
    """Invalid user input; the text says in one sentence what is wrong."""


@dataclass(eq=False, repr=False)
class DescriptionError(InputError):
    """
    A robot description that cannot be used.

    :param message: what is wrong, one sentence.
    :param kind: why the description cannot be used.
    :param element: path of the element, such as ``/robot/joint[@name='j1']/limit``.
    :param line: line in the description, from 1, or None if it is unknown.
    :param column: column in that line, from 1, or None.
    :param hint: how to fix it, or an empty string.
    :param source: the file or topic that the description came from, or the xacro file at fault.
    :param text: the line of a xacro file at fault, or None.
    :ivar argument: the xacro arguments to give, as they are typed, such as ``name:=VALUE``; empty
        where that is not why.
    :ivar misspelling: what is misspelled, and the suggestion, or None.
    """

    message: str
    kind: ErrorKind = ErrorKind.INVALID
    _: KW_ONLY
    element: str = ''
    line: int | None = None
    column: int | None = None
    hint: str = ''
    source: str = ''
    text: str | None = None
    argument: str = field(default='', init=False)
    misspelling: tuple[str, str] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Set the argument of the exception, of which copies are made."""
        super().__init__(self.message)

    @property
    def arguments(self) -> dict[str, str]:
        """Name of each xacro argument to give to a value, which may be ``VALUE``."""
        pairs = (typed.partition(':=') for typed in shlex.split(self.argument))
        return {name: value for name, _, value in pairs}

    def __str__(self) -> str:
        where = location(self.source, self.line, self.column)
        text = f'{where}: {self.message}' if where else self.message
        if self.element:
            text += f' ({self.element})'
        return printable(joined(text, self.hint))


class MissingFileError(DescriptionError, FileNotFoundError):
    """A description file that does not exist."""


def is_lack_of_memory(error: BaseException) -> bool:
    """Return whether an exception or its cause is a lack of memory."""
    known = isinstance(error, MemoryError) or str(error).rstrip().endswith(_NO_MEMORY) or (
        # Of XPath without memory, lxml logs that or nothing.
        type(error).__name__ in ('XPathEvalError', 'XPathSyntaxError') and all(
            each.type_name == 'ERR_NO_MEMORY' for each in getattr(error, 'error_log', ())))
    return known or error.__cause__ is not None and is_lack_of_memory(error.__cause__)
