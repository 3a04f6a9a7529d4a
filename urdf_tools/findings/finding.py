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

"""The findings of a validation: one per defect."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from enum import IntEnum

from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.fixes import Fix
from urdf_tools.findings.message import Argument
from urdf_tools.findings.message import Message
from urdf_tools.findings.source_trace import SourceTrace
from urdf_tools.model.messages import name_list


class Severity(IntEnum):
    """The severity of a finding, numbered as in ``urdf_tools_interfaces/Finding``."""

    INFO = 0
    WARN = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The severity in a message: ``note``, ``warning`` or ``error``."""
        return ('note', 'warning', 'error')[self]


@dataclass(frozen=True)
class Finding:
    """
    One defect of a description.

    :param code: stable code of the rule, such as ``limit-inverted``.
    :param severity: its severity.
    :param message: what is wrong, with names and numbers.
    :param hint: what to write instead.
    :param element: path of the element, such as ``/robot/joint[@name='j1']/limit``.
    :param line: line in the description or, for xacro, in the file of ``trace``, from 1; None
        where it is unknown.
    :param column: column in that line, from 1; None if it is unknown.
    :param consequences: what it does to each program that it affects.
    :param fix: the changes to the text that fix it; empty unless there is exactly one safe fix.
    :param trace: where it comes from in xacro files; None for other descriptions.
    :param excerpt: the line of the description, if neither the document nor a trace has it.
    :param has_fix: whether there is exactly one safe fix, even where it was not kept.
    :param only_with: the combinations of xacro arguments that it appears with; empty for all.
    :param traceback: of the exception, if it is about a fault of this package.
    """

    code: str
    severity: Severity
    message: str
    hint: str = ''
    element: str = ''
    line: int | None = None
    column: int | None = None
    consequences: Consequences = ()
    fix: Fix = field(default=(), repr=False, compare=False)
    trace: SourceTrace | None = field(default=None, repr=False, compare=False)
    excerpt: str | None = field(default=None, repr=False, compare=False)
    has_fix: bool = field(default=False, repr=False, compare=False)
    only_with: tuple[str, ...] = ()
    traceback: str = field(default='', repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, 'has_fix', self.has_fix or bool(self.fix))

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """The arguments of the message and the hint, by name; empty if they are plain text."""
        return self.message.arguments if isinstance(self.message, Message) else {}

    @property
    def scope(self) -> tuple[str, ...]:
        """The key that findings share if they may be folded, whatever their text."""
        return ()

    @property
    def consumers(self) -> tuple[str, ...]:
        """The programs that it affects, such as ``robot_state_publisher``."""
        return tuple(dict.fromkeys(
            each.program for each in self.consequences if each.impact > Impact.ACCEPTS))

    @property
    def text(self) -> str:
        """The message and the hint as sentences."""
        return f'{self.message}. {self.hint}' if self.hint else self.message

    def file(self, source: str) -> str:
        """Return the file of the line: a xacro file, or the source of the report."""
        return source if self.trace is None else self.trace.location.file

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks about its xacro source: expression, calls, instances, arguments."""
        parts = [] if self.trace is None else list(self.trace.remarks())
        if self.only_with:
            parts.append(f'only with {name_list(self.only_with, " or ")}')
        return tuple(parts)

    def as_text(self, lines: Sequence[str]) -> Finding:
        """
        Return the finding without the elements that its fix refers to.

        :param lines: the lines of the description.
        """
        excerpt = self.excerpt
        if self.trace is None and self.line is not None and self.line <= len(lines):
            excerpt = lines[self.line - 1]
        trace = self.trace and self.trace._replace(instances=tuple(
            instance._replace(fix=()) for instance in self.trace.instances))
        return replace(self, fix=(), trace=trace, excerpt=excerpt)
