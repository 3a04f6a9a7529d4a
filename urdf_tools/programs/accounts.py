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

"""What becomes of a robot in a program: one kind of account for all of them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from collections.abc import Set
from dataclasses import dataclass
from dataclasses import field
from functools import cache
from functools import cached_property
import json
from operator import attrgetter
import os
from pathlib import Path
from typing import Any
from typing import Literal
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.message import as_data
from urdf_tools.findings.message import enclosing
from urdf_tools.findings.message import fields_of
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.robot_parts import COUNTS
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.types import Array


@dataclass(frozen=True)
class Context:
    """
    What the model of a program needs besides the robot.

    :param resolver: finds the files of meshes and textures.
    :param file: the description, beside which programs look for files; None if it is not a file.
    :param reads_files: whether files may be looked at; otherwise each is taken to exist and to
        be readable, and what depends on its content is unknown.
    """

    resolver: ResourceResolver = field(default_factory=ResourceResolver)
    file: Path | None = None
    reads_files: bool = True

    def finds(self, path: str | Path) -> bool:
        """Return whether a file exists, for a program with its own way to find files."""
        if not self.reads_files:
            return True
        # An untrusted description must not find out whether another file exists.
        return os.path.isfile(path) and (
            self.resolver.lookup.trust.is_full or self.resolves(str(path)))

    def resolves(self, uri: str) -> bool:
        """Return whether a URI refers to a file that the description may read."""
        if not self.reads_files:
            return True
        try:
            self.resolver.resolve(uri)
        except ResourceError:
            return False
        return True


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

    def __post_init__(self) -> None:
        if self.of not in KINDS:
            raise ValueError(f'Kind {self.of!r} is unknown')

    @cached_property
    def message(self) -> Message:
        """What becomes of it."""
        # Most losses are only counted, so their messages are built on demand.
        return Message(self.template, **self.arguments)

    @cached_property
    def hint(self) -> Message:
        """What to write instead."""
        return Message(self.hint_template, **self.arguments)

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
            'mass': self.mass, 'harmless': self.is_harmless,
            'element': None if self.element is None else self.element.path,
            'attribute': self.attribute, 'file': file, 'line': line, 'column': column}


def loss(
        of: str, impact: Impact, where: Element | None | Sequence[Element | None], template: str,
        /, *, hint: str = '', attribute: str | None = None, mass: float = 0.0,
        is_harmless: bool = False, brief: str = '', **arguments: Any) -> Loss:
    """
    Return a loss.

    :param where: the element, or the elements, where it is written.
    :param template: the message, with replacement fields for the arguments. Those that no
        argument fills in are about the first element: ``{element}`` or its tag without a prefix
        is itself, another tag the nearest element around it, such as ``{joint}``, ``{tag}`` its
        tag, ``{name}`` or ``{text}`` the value of the attribute; ``{n}`` counts the elements.
    :param hint: a template with the same arguments.
    :param attribute: the attribute where it is written, an argument of the message, too.
    :param mass: the mass in kg that is lost or invented, an argument of the message, too.
    :param brief: the reason in a few words, where the kind does not say enough.
    :param arguments: what the message is filled in with, as in
        :func:`~urdf_tools.findings.message.argument`.
    """
    if mass:
        arguments['mass'] = mass
    if attribute is not None:
        arguments['attribute'] = attribute
    # An element is a sequence, too.
    first, *others = [where] if where is None or isinstance(where, Element) else where
    rest = tuple(each for each in others if each is not None)
    for name in fields_of(template + hint):
        if name == 'n':
            arguments.setdefault('n', 1 + len(rest))
        elif first is not None and (found := _field(name, first, attribute)) is not None:
            arguments.setdefault(name, found)
    return Loss(of, impact, template, hint, arguments, first, attribute, mass, is_harmless,
                rest, brief)


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
        of: str = 'description', impact: Impact = Impact.REFUSES, **arguments: Any) -> Loss:
    """
    Return why a program refuses a description; see :func:`loss`.

    :param of: the kind of what it is refused for.
    """
    return loss(of, impact, where, template, **arguments)


@dataclass(frozen=True)
class Account:
    """
    What becomes of a robot in a program.

    :param program: its key in :data:`~urdf_tools.programs.models.MODELS`.
    :param version: the release that the model was written for and compared with.
    :param source: the parts of the description; None if our loader refuses it, so that it cannot
        be counted.
    :param kept: what the program has; nothing if it refuses the description, None where unknown.
    :param causes: why it refuses the description; empty if it loads it.
    :param base: whether the root link is fixed to the world.
    :param merged: the names of links that are parts of other links, or of the world; like what is
        kept, it is left out without a source.
    :param losses: what is lost or changed, also in a description that is refused, where known.
    :param options: what changes the result, see :func:`options_of`, with what it does.
    """

    program: str
    version: str
    source: Parts | None
    kept: Parts | None = None
    causes: tuple[Loss, ...] = ()
    base: Literal['fixed', 'free'] = 'fixed'
    merged: Set[str] = frozenset()
    losses: tuple[Loss, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.source is None:
            object.__setattr__(self, 'kept', None)
            object.__setattr__(self, 'merged', frozenset())
        elif self.causes:
            object.__setattr__(self, 'kept', Parts())

    @property
    def loads(self) -> bool:
        """Return whether the program loads the description."""
        return not self.causes

    @property
    def worst_first(self) -> tuple[Loss, ...]:
        """The losses: first of the base, then by mass and impact; harmless ones last."""
        return tuple(sorted(self.losses, key=lambda each: (
            each.is_harmless, each.of != 'base', -abs(each.mass), -each.impact)))

    def kept_of(self, name: str) -> str:
        """Return a number of the parts in the program and in the description, as words."""
        return f'{getattr(self.kept, name, None)} of {getattr(self.source, name, None)}'

    def data(self, source: str) -> dict[str, Any]:
        """
        Return it as data for JSON.

        :param source: the file of the description.
        """
        numbers = {name: self._both(attrgetter(name)) for name in COUNTS}
        return {
            'version': self.version, 'loads': self.loads,
            'cause': self.causes[0].data(source) if self.causes else None,
            'causes': [each.data(source) for each in self.causes],
            'base': self.base if self.loads and self.kept else None, 'merged': len(self.merged),
            **{name: numbers[name] for name in COUNTS[:4]},
            'mass': self._both(lambda parts: parts.body.mass),
            'centre_of_mass': self._both(lambda parts: _known(parts.body, parts.body.com)),
            'inertia': self._both(lambda parts: _known(parts.body, parts.body.rotational)),
            'limits': {name.removesuffix('_limits'): numbers[name] for name in COUNTS[4:7]},
            **{name: numbers[name] for name in COUNTS[7:]},
            'visuals': self._shapes('visuals'), 'collisions': self._shapes('collisions'),
            'losses': [each.data(source) for each in self.worst_first],
            'options': dict(self.options)}

    def _both(self, read: Callable[[Parts], Any]) -> dict[str, Any]:
        """Return what is read of the parts of the description and of the program, as data."""
        return {name: None if parts is None else read(parts)
                for name, parts in (('in', self.source), ('out', self.kept))}

    def _shapes(self, name: str) -> dict[str, Any]:
        counts = self._both(attrgetter(name))
        suffixes = () if None in counts.values() else sorted({*counts['in'], *counts['out']})
        return {**self._both(lambda parts: sum(getattr(parts, name).values())), 'by_format': {
            suffix: {side: of.get(suffix, 0) for side, of in counts.items()}
            for suffix in suffixes}}


@cache
def options_of(program: str) -> Mapping[str, str]:
    """Return what a program offers, or a description can ask for, to change the result."""
    options: dict[str, dict[str, str]] = json.loads(
        Path(__file__).with_name('options.json').read_bytes())
    return options[program]


def _known(body: SpatialInertia, values: Array) -> Array | None:
    """Return an array of a body, such as its centre of mass; None without mass, or if unknown."""
    return values if body.mass and np.isfinite(values).all() else None


class Source(NamedTuple):
    """
    A description as input of programs.

    :param root: the outermost element.
    :param robot: the robot as our loader reads it; None if it refuses the description.
    :param malformed: why the text is not well-formed XML, if it had to be repaired to be read.
    """

    root: Element
    robot: Robot | None = None
    malformed: DescriptionError | None = None

    @property
    def parts(self) -> Parts | None:
        """The parts of the description; None if our loader refuses it."""
        return None if self.robot is None else parts_of(self.robot)

    @classmethod
    def of_robot(cls, robot: Robot) -> Source:
        """
        Return the description of a robot.

        :raises ValueError: the robot was not loaded from a description.
        """
        if robot.element is None:
            raise ValueError('The robot was not loaded from a description')
        document = robot.document
        return cls(robot.element, robot, None if document is None else document.malformed)

    @classmethod
    def of_document(cls, document: Document, robot: Robot | None) -> Source:
        """Return a parsed description, with the robot as the loader reads it, if it does."""
        return cls(document.root, robot, document.malformed)
