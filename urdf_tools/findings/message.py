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
"""Messages: a template, and the arguments that fill it in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
import json
import math
from pathlib import Path
import re
from string import Formatter
from typing import Any
from typing import NamedTuple

from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.messages import readable
from urdf_tools.model.messages import shortened
from urdf_tools.model.xml.element import Element

_MAX_NAME = 80

_FIELD = re.compile(r'(?<!\{)(?:\{\{)*\{(\w+)')

SAID_WITH: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name('said_with.json').read_bytes())
"""
What always comes with a sentence, by its template: ``hint``, what to write instead, a template of
the same arguments; of what programs lose ``brief`` and ``setting``, of what they refuse ``of``.
"""

_ORDINARY = re.compile(r'(?!Drake|Gazebo|Pinocchio)[A-Z][a-z]*\b')
"""A first word that is capital only because it begins a sentence."""


class Name(str):
    """
    A name or other text from the description, which a message shows in quotes.

    A format specification is the number of characters that it is cut to.
    """


class FreeText(str):
    """Free text about one instance, such as a parser error, which is not a kind of defect."""


class Reference(str):
    """
    An element in words, such as ``<axis> of joint 'elbow'``.

    :ivar tags: its tag and that of the link or joint around it, without their names.
    :ivar names: their names.
    """

    tags: tuple[str, ...]
    names: tuple[str, ...]

    def __new__(cls, text: str, tags: tuple[str, ...], names: tuple[str, ...]) -> Reference:
        """Return the reference with this text; :func:`describe` makes that of an element."""
        reference = super().__new__(cls, text)
        reference.tags, reference.names = tags, names
        return reference

    @property
    def name(self) -> str:
        """The name of the element, or else its description."""
        return self.names[0] if len(self.names) == len(self.tags) else str(self)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (str(self), self.tags, self.names), {}


Argument = str | int | float | tuple[str, ...]
"""
What a message is filled in with.

A number, a name, a reference to an element or several names distinguish instances; a
plain text distinguishes kinds of defects, such as the name of an attribute. A message within
another one does so by its template and its own arguments.
"""


class Message(str):
    """
    A sentence without a full stop, with the template and arguments that it was built from.

    The template is a literal of this package: a text from elsewhere is a value, as in
    ``Message('{text}', text=FreeText(text))``.

    :ivar template: the sentence with replacement fields such as ``{joint}`` or ``{lower:g}``.
    :ivar arguments: name of each field to its value.
    """

    template: str
    arguments: Mapping[str, Argument]

    def __new__(cls, template: str, /, **values: object) -> Message:
        """
        Fill in a template.

        :param values: the value of each field, as in :func:`argument`; further ones are kept, too.
        """
        arguments = {name: argument(value) for name, value in values.items()}
        text = _FORMATTER.vformat(template, (), arguments)
        if template.startswith('{') and isinstance(
                arguments.get(template[1:template.index('}')]), Reference):
            text = text[:1].upper() + text[1:]
        message = super().__new__(cls, shortened(text))
        message.template, message.arguments = template, arguments
        return message

    @property
    def kind(self) -> tuple[object, ...]:
        """What it shares with a message that differs only in elements, names and numbers."""
        return self.template, *(
            value.kind if isinstance(value, Message) else value
            for value in self.arguments.values()
            if isinstance(value, Message) or type(value) is str)

    def extended(self, template: str, /, **values: object) -> Message:
        """Return the message with more at its end; see the constructor."""
        return Message(self.template + template, **{**self.arguments, **values})

    def __reduce__(self) -> tuple[Any, ...]:
        return Message.restored, (self.template, self.arguments)

    @classmethod
    def restored(cls, own: str, arguments: Mapping[str, Argument]) -> Message:
        """Return the message that another process had, of this template and these arguments."""
        return cls(own, **arguments)


class Clause(NamedTuple):
    """A part of a message: its template, a literal, too, and the values of the fields."""

    template: str
    values: Mapping[str, Any] = {}


def end_of_sentence(text: str) -> str:
    """Return a message as it stands after a colon: with a small letter, but for names."""
    return text[:1].lower() + text[1:] if _ORDINARY.match(text) else text


def link_or_joint(element: Element | None) -> Element | None:
    """Return the named link or joint that is or contains an element; None if there is none."""
    while element is not None and not (element.tag in ('link', 'joint') and element.get('name')):
        element = element.parent
    return element


def enclosing(element: Element | None, tag: str) -> Element | None:
    """Return an element or its nearest ancestor with a tag, whatever its prefix, or None."""
    while element is not None and tag not in (element.tag, element.tag.rpartition(':')[2]):
        element = element.parent
    return element


@lru_cache(maxsize=4096)
def fields_of(template: str) -> tuple[str, ...]:
    """Return the names of the replacement fields of a template."""
    return tuple(_FIELD.findall(template))


def template_of(text: str) -> str:
    """Return the template that all instances of a message share, whatever their arguments."""
    return text.template if isinstance(text, Message) else text


class _Formatter(Formatter):
    """
    Fills in templates.

    A name is quoted. Of a list only the first names are shown, the last one after "and" if the
    specification is ``and``. A noun as the specification of a list or a number counts:
    ``{joints:joint}`` is ``1 joint`` or ``2 joints``. A message with the specification ``end`` is
    the end of the sentence; see :func:`end_of_sentence`.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Name):
            return quote(value, int(format_spec or _MAX_NAME))
        if isinstance(value, (int, tuple)) and format_spec != 'and' and (
                len(format_spec) > 1 and format_spec[0].isalpha()):
            return count(len(value) if isinstance(value, tuple) else value, format_spec)
        if isinstance(value, tuple):
            shown = [quote(name, _MAX_NAME) if isinstance(name, Name) else name
                     for name in value[:MAX_LISTED]]
            if format_spec and 1 < len(value) <= MAX_LISTED:
                return f'{name_list(shown[:-1])} {format_spec} {shown[-1]}'
            return name_list([*shown, *value[MAX_LISTED:]])
        if isinstance(value, Message):
            return end_of_sentence(value) if format_spec == 'end' else str(value)
        return (readable if format_spec.endswith('g') else format)(value, format_spec)


_FORMATTER = _Formatter()


def argument(value: object) -> Argument:
    """
    Return a value as an argument of a message.

    :raises TypeError: it is neither a text, a number, an element nor a list of texts.
    """
    if isinstance(value, Element):
        return describe(value)
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise TypeError(f'A message cannot have an argument of the type {type(value).__name__}')


def as_data(arguments: Mapping[str, Argument]) -> dict[str, Any]:
    """Return arguments as data for JSON; a number that JSON does not have is a text."""
    return {name: _plain(value) for name, value in arguments.items()}


def as_texts(arguments: Mapping[str, Argument]) -> dict[str, str]:
    """Return arguments as texts, for messages whose fields have no type."""
    return {name: ', '.join(value) if isinstance(value, list) else str(value)
            for name, value in as_data(arguments).items()}


def _plain(value: Argument) -> Any:
    if isinstance(value, Reference):
        return value.name
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, str) or math.isfinite(value) else str(value)


def describe(element: Element) -> Reference:
    """Return an element in words for a message, such as ``<axis> of joint 'elbow'``."""
    owner = link_or_joint(element.parent)
    around = [element] if owner is None else [element, owner]
    return Reference(
        ' of '.join(map(_named, around)), tuple(each.tag[:_MAX_NAME] for each in around),
        tuple(filter(None, (each.get('name') for each in around))))


def _named(element: Element) -> str:
    name = element.get('name')
    if not name:
        return f'<{element.tag[:_MAX_NAME]}>'
    tag = element.tag if element.tag.isalpha() else f'<{element.tag[:_MAX_NAME]}>'
    return f'{tag} {quote(name, _MAX_NAME)}'
