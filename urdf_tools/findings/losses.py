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

"""What is lost of a robot in a program, or where it is converted from another format."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from typing import Any

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.message import as_data
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import fields_of
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import SAID_WITH
from urdf_tools.model.xml.element import Element


@dataclass(frozen=True)
class Loss:
    """
    Something that a program refuses, drops, changes or ignores.

    :param of: what it is, or what it is refused for, of
        :data:`~urdf_tools.findings.consequences.KINDS`.
    :param template: what becomes of it, with replacement fields for the arguments.
    :param hint_template: what to write instead.
    :param arguments: as in :func:`~urdf_tools.findings.message.argument`.
    :param element: where it is written.
    :param attribute: the attribute where it is written.
    :param mass: the mass in kg that is lost, or invented.
    :param others: where else it is written.
    :param is_harmless: the robot looks and moves the same without it.
    :param brief: why it is refused in a few words, such as ``mesh format .dae``; empty if the
        kind says enough.
    :param setting: the releases or settings of the program in which it is lost, as the end of a
        sentence; empty if the account is of such a one.
    """

    of: str
    impact: Impact
    template: str
    hint_template: str = ''
    arguments: Mapping[str, object] = field(default_factory=dict, hash=False)
    element: Element | None = None
    attribute: str | None = None
    mass: float = 0.0
    is_harmless: bool = False
    others: Sequence[Element] = ()
    brief: str = ''
    setting: str = ''

    def __post_init__(self) -> None:
        if self.of not in KINDS:
            raise ValueError(f'Kind {self.of!r} is unknown')

    @cached_property
    def message(self) -> Message:
        """What becomes of it."""
        return Message(self.template, **self._filled)

    @cached_property
    def hint(self) -> Message:
        """What to write instead."""
        return Message(self.hint_template, **self._filled)

    @cached_property
    def _filled(self) -> dict[str, object]:
        """The arguments, with those that are about the element."""
        # Most losses are only counted, so their messages are built on demand.
        arguments = dict(self.arguments)
        for name in fields_of(self.template + self.hint_template):
            if name == 'n':
                arguments.setdefault('n', 1 + len(self.others))
            elif self.element is not None and (
                    found := _field(name, self.element, self.attribute)) is not None:
                arguments.setdefault(name, found)
        return arguments

    def location(self, source: str) -> tuple[str, int | None, int | None]:
        """
        Return the file, line and column where it is written.

        :param source: the file of the description.
        """
        if self.element is None:
            return source, None, None
        return self.element.location(source, self.attribute)

    def locations(self, source: str) -> list[tuple[str, int | None, int | None]]:
        """Return the first location and the others; see :meth:`location`."""
        return [self.location(source), *(each.location(source) for each in self.others)]

    def data(self, source: str) -> dict[str, Any]:
        """
        Return it as data for JSON.

        :param source: the file of the description.
        """
        file, line, column = self.location(source)
        return {
            'of': self.of, 'impact': self.impact.name.lower(), 'message': str(self.message),
            'hint': str(self.hint), 'arguments': as_data(self.message.arguments),
            'mass': self.mass, 'harmless': self.is_harmless, 'setting': self.setting,
            'element': None if self.element is None else self.element.path,
            'attribute': self.attribute, 'file': file, 'line': line, 'column': column}


def loss(
        of: str, impact: Impact, where: Element | None | Sequence[Element | None], template: str,
        /, *, hint: str = '', attribute: str | None = None, mass: float = 0.0,
        is_harmless: bool = False, brief: str = '', setting: str = '', **arguments: Any) -> Loss:
    """
    Return a loss; hint, brief and setting are by default those of the table of sentences.

    :param where: the element, or the elements, where it is written.
    :param template: the message, with replacement fields for the arguments. Those that no
        argument fills in are about the first element: ``{element}`` or its tag without a prefix
        is itself, another tag the nearest element around it, such as ``{joint}``, ``{tag}`` its
        tag, ``{name}`` or ``{text}`` the value of the attribute; ``{n}`` counts the elements.
    :param hint: a template with the same arguments.
    :param attribute: the attribute where it is written, an argument of the message, too.
    :param mass: the mass in kg that is lost or invented, an argument of the message, too.
    :param brief: the reason in a few words, where the kind does not say enough.
    :param setting: the releases or settings of the program, if it is not lost in this one.
    :param arguments: what the message is filled in with, as in
        :func:`~urdf_tools.findings.message.argument`.
    """
    if mass:
        arguments['mass'] = mass
    if attribute is not None:
        arguments['attribute'] = attribute
    said = SAID_WITH.get(template, {})
    # An element is a sequence, too.
    first, *others = [where] if where is None or isinstance(where, Element) else where
    return Loss(of, impact, template, hint or said.get('hint', ''), arguments, first, attribute,
                mass, is_harmless, tuple(each for each in others if each is not None),
                brief or said.get('brief', ''), setting or said.get('setting', ''))


def _field(name: str, element: Element, attribute: str | None) -> object:
    if name in ('name', 'text'):
        return Name(element.get(name if attribute is None else attribute, ''))
    if name == 'tag':
        return element.tag
    return element if name == 'element' else enclosing(element, name)


class Losses(list[Loss]):
    """What is lost, in the order in which it is noted."""

    def note(self, of: str, impact: Impact, where: Element | None | Sequence[Element | None],
             template: str, /, **arguments: Any) -> None:
        """Note a loss; see :func:`loss`."""
        self.append(loss(of, impact, where, template, **arguments))


def refusal(
        where: Element | None | Sequence[Element | None], template: str, /, *,
        of: str = '', impact: Impact = Impact.REFUSES, **arguments: Any) -> Loss:
    """
    Return why a program refuses a description; see :func:`loss`.

    :param of: the kind of what it is refused for; by default that of the sentence in the table.
    """
    of = of or SAID_WITH.get(template, {}).get('of', 'description')
    return loss(of, impact, where, template, **arguments)
