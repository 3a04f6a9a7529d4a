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
"""The findings of a validation, one per defect: where they come from, and how they are fixed."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from dataclasses import replace
from enum import IntEnum
from typing import NamedTuple

from urdf_tools.findings.consequences import Consequences
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Argument
from urdf_tools.findings.message import link_or_joint
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Reference
from urdf_tools.findings.suppressions import Suppression
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import shortened
from urdf_tools.model.spelling import Suggesting
from urdf_tools.model.xml.editing import Change
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import AttributeSource
from urdf_tools.model.xml.element_sources import ElementSource
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import SourceTag
from urdf_tools.model.xml.element_sources import values_of
from urdf_tools.model.xml.element_sources import ValueSource

Fix = tuple[Change, ...]


def written(fix: Fix, element: Element) -> list[str]:
    """Return the attributes of an element that a fix sets."""
    return [change.name for change in fix
            if isinstance(change, SetAttribute) and change.element is element]


def format_numbers(values: tuple[float, ...]) -> str:
    """Return numbers as text for a description, with 12 significant digits."""
    return ' '.join(f'{value + 0.0:.12g}' for value in values)


class Instance(NamedTuple):
    """
    One of the elements that a finding about a source location is about.

    :ivar name: name of the link, joint or other element that it belongs to.
    :ivar element: its path in the expanded description.
    :ivar calls: the macro calls that made it, outermost last.
    :ivar fix: the changes to it that fix it.
    """

    name: str
    element: str
    message: str
    calls: tuple[SourceLocation, ...]
    fix: Fix = ()


class SourceTrace(NamedTuple):
    """
    Where a finding comes from in xacro files.

    :param location: where the attribute at fault is written, or else the tag.
    :param text: the line of the file.
    :param length: characters to underline; 0 for the rest of the tag.
    :param expression: the value of the attribute at fault as written; empty if it is a literal.
    :param values: the parameters and properties that the expression uses.
    :param calls: the macro calls that made the element, outermost last.
    :param includes: the tags that included the file, outermost last.
    :param instances: the elements that it is about, all made from this location.
    :param path: path of the tag in its file, such as ``/robot/xacro:macro[@name='arm']/link``.
    """

    location: SourceLocation
    text: str
    length: int = 0
    expression: str = ''
    values: tuple[ValueSource, ...] = ()
    calls: tuple[SourceLocation, ...] = ()
    includes: tuple[SourceLocation, ...] = ()
    instances: Sequence[Instance] = ()
    path: str = ''

    def related(self) -> Iterator[tuple[SourceLocation, str]]:
        """Yield the other relevant locations, each with its role."""
        yield from ((value.location, f'{value.name} is {shortened(value.raw)}')
                    for value in self.values)
        yield from ((call, 'called here') for call in self.calls)
        yield from ((include, 'included here') for include in self.includes)

    def remarks(self) -> Iterator[str]:
        """Yield the remarks about the source, as lines of text."""
        if self.expression:
            yield f'from {shortened(self.expression)}'
        for value in self.values:
            yield str(value)
        if self.calls:
            yield f'called at {", ".join(map(str, self.calls))}'
        if len(self.instances) > 1:
            names = list(dict.fromkeys(instance.name for instance in self.instances))
            yield f'{len(self.instances)} instances: {name_list(names)}'


def trace(element: Element, message: Message, fix: Fix, attribute_name: str,
          properties: Mapping[str, Sequence[SourceTag]]) -> SourceTrace | None:
    """
    Return the source of a finding about an element, or None if it is not from xacro.

    :param message: the message of the finding, whose arguments show the attribute at fault.
    :param fix: its fix, whose attributes are at fault, too.
    :param attribute_name: the attribute at fault; empty if the others identify it.
    :param properties: the tags that define a property, by its name.
    """
    origin = element.origin
    if origin is None:
        return None
    attribute = _at_fault(element, origin, message, [attribute_name, *written(fix, element)])
    owner = link_or_joint(element)
    name = (element if owner is None else owner).get('name') or element.path
    instance = Instance(name, element.path, message, origin.calls, fix)
    location = origin.location if attribute is None else attribute.location
    found = SourceTrace(location, origin.tag.file.excerpt(location.line), calls=origin.calls,
                        includes=origin.includes, instances=(instance,), path=origin.tag.path)
    return found if attribute is None else found._replace(
        length=attribute.length, expression=attribute.raw,
        values=values_of(origin, attribute.raw, properties))


def trace_comment(suppression: Suppression) -> SourceTrace | None:
    """Return the source of a finding about a comment; None if it is not from xacro."""
    if suppression.file is None:
        return None
    line, column = suppression.comment.line, suppression.comment.column
    return SourceTrace(
        SourceLocation(suppression.file.path, line, column), suppression.file.excerpt(line))


def trace_error(error: DescriptionError) -> SourceTrace | None:
    """Return the source of an error of xacro; None for other errors."""
    if error.text is None or error.line is None or error.column is None:
        return None
    return SourceTrace(SourceLocation(error.source, error.line, error.column), error.text)


def _at_fault(element: Element, origin: ElementSource, message: Message,
              named: Sequence[str]) -> AttributeSource | None:
    """Return the attribute that a finding is about, if an expression computes its value."""
    arguments = message.arguments
    names = [name for name in element.attrib if name in named]
    names += [name for name in element.attrib if name in arguments and name != 'name']
    shown = {_plain(part) for value in arguments.values() if not isinstance(value, Reference)
             for part in (value if isinstance(value, tuple) else (value,))}
    names += [name for name in element.attrib if name in shown]
    # A message names its link or joint, which is seldom what is wrong with it.
    names += [name for name, value in element.attrib.items()
              if name != 'name' and _plain(value) in shown]
    if len(element.attrib) == 1:
        names += element.attrib.keys() - {'name'}
    sources = [source for name in names if (source := origin.attribute(name)) is not None]
    return next((source for source in sources if source.is_expression), None)


def _plain(value: str | float) -> str | float:
    """Return a value as a number, if it is one."""
    try:
        return float(value)
    except (ValueError, OverflowError):
        return str(value)


class Severity(IntEnum):
    """The severity of a finding, numbered as in ``urdf_tools_interfaces/Finding``."""

    INFO = NOTE = 0
    WARN = WARNING = 1
    ERROR = 2

    @property
    def label(self) -> str:
        """The severity in a message: ``note``, ``warning`` or ``error``."""
        return ('note', 'warning', 'error')[self]


@dataclass(frozen=True)
class Finding(Suggesting):
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
    :param excerpt: the text of its line; empty if it is unknown.
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
    excerpt: str = field(default='', repr=False, compare=False)
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
        return joined(self.message, self.hint)

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

    def as_text(self) -> Finding:
        """Return the finding without the elements that its fix refers to."""
        trace = self.trace and self.trace._replace(instances=[
            instance._replace(fix=()) for instance in self.trace.instances])
        return replace(self, fix=(), trace=trace)


def in_order(findings: Iterable[Finding], source: str, files: Iterable[str]
             ) -> tuple[Finding, ...]:
    """
    Return findings in the order of their locations, at one location the worst first.

    :param source: the source of their report.
    :param files: the files of the report, outermost first.
    """
    order = {file: number for number, file in enumerate(dict.fromkeys(files))}
    return tuple(sorted(findings, key=lambda finding: (
        order.get(finding.file(source), 0), finding.line or 0, finding.column or 0,
        -finding.severity, finding.code)))
