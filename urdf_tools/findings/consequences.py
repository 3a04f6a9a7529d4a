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
"""Consequences: how a defect affects each program, as data from which sentences are built."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace
from enum import IntEnum
from functools import partial
import json
from pathlib import Path
from typing import Any
from typing import NamedTuple

from urdf_tools.findings.message import end_of_sentence
from urdf_tools.findings.message import template_of

_TABLES: Mapping[str, Any] = json.loads(
    Path(__file__).with_name('consumers.json').read_bytes())

KINDS = frozenset(_TABLES['kinds'])
"""
The kinds of things that a program refuses, drops, ignores or changes.

``structure`` is how joints join links: parents, children, roots, cycles; ``shape`` is a geometry,
``mesh`` a file of one; ``attribute`` is a value that cannot be read.
"""


class Impact(IntEnum):
    """How badly a defect affects a program, the worst last."""

    ACCEPTS = 0
    WARNS = 1
    IGNORES = 2
    CHANGES = 3
    DROPS = 4
    REFUSES = 5
    CRASHES = 6


class Condition(NamedTuple):
    """
    The condition under which a program behaves in a certain way.

    :param text: the condition as the end of a sentence, such as ``if the joint is planar``.
    :param holds: returns whether it holds, given what the rules check and a defect in it.
    """

    text: str
    holds: Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Consequence:
    """
    The effect of a defect on a program.

    :param program: of :data:`~urdf_tools.findings.consequences.CONSUMERS`.
    :param of: what it affects, of :data:`KINDS`.
    :param how: what the program does, if that is more than the impact, such as ``publishes
        the joint as fixed``.
    :param when: the condition on the instance; None once it is known to hold.
    :param setting: the releases, or the program setting, to which it applies; empty for all.
    :param is_harmless: the robot looks and moves the same.
    """

    program: str
    impact: Impact
    of: str = 'description'
    how: str = ''
    when: Condition | None = None
    setting: str = ''
    is_harmless: bool = False

    @property
    def is_certain(self) -> bool:
        """Whether it holds for every instance, in all releases and settings of the program."""
        return not self.setting and self.when is None

    @property
    def text(self) -> str:
        """What the program does, as the end of a sentence."""
        condition = '' if self.when is None else self.when.text
        return ' '.join(filter(None, (
            end_of_sentence(self.how) or self._verb, condition, self.setting)))

    @property
    def _verb(self) -> str:
        verb = self.impact.name.lower()
        if self.impact is Impact.REFUSES:
            return f'{verb} the description'
        alone = self.impact in (Impact.ACCEPTS, Impact.WARNS, Impact.CRASHES)
        return verb if alone else f'{verb} the {self.of}'

    def data(self) -> dict[str, str]:
        """Return it as data for JSON."""
        return {
            'program': self.program, 'impact': self.impact.name.lower(), 'of': self.of,
            'text': self.text, **({'setting': self.setting} if self.setting else {})}


Consequences = tuple[Consequence, ...]


_OF_PARTS = (Impact.IGNORES, Impact.CHANGES, Impact.DROPS)


def _stated(impact: Impact, *programs: str, of: str = 'element', how: str = '',
            when: Condition | None = None, setting: str = '') -> Consequences:
    return tuple(Consequence(program, impact, of, how, when, setting) for program in programs)


refuses = partial(_stated, Impact.REFUSES, of='description')
"""Return that programs load nothing of the description."""

crashes = partial(_stated, Impact.CRASHES, of='description')
"""Return that programs end, or never end, while they load the description."""

drops = partial(_stated, Impact.DROPS)
"""Return that programs lose a part of the description, and all that depends on it."""

changes = partial(_stated, Impact.CHANGES)
"""Return that a part of the description is something else in programs than is written."""

ignores = partial(_stated, Impact.IGNORES)
"""Return that programs do without a part of the description, or with a default."""

warns = partial(_stated, Impact.WARNS)
"""Return that programs say so, and nothing else changes."""


def written(data: Iterable[Mapping[str, Any]]) -> Consequences:
    """Return consequences written as ``does``, ``programs``, and what the function does takes."""
    effects: dict[str, Callable[..., Consequences]] = {
        'refuses': refuses, 'drops': drops, 'changes': changes, 'ignores': ignores,
        'warns': warns}
    return tuple(each for given in data for each in effects[given['does']](
        *given['programs'], **{name: text for name, text in given.items()
                               if name not in ('does', 'programs')}))


def applicable(consequences: Iterable[Consequence], seen: object, defect: object) -> Consequences:
    """
    Return the consequences of an instance of a defect, without their conditions.

    The effect on a part does not matter if the program refuses the whole description.
    """
    held = [consequence if consequence.when is None else replace(consequence, when=None)
            for consequence in consequences
            if consequence.when is None or consequence.when.holds(seen, defect)]
    refusing = {each.program for each in held if each.impact is Impact.REFUSES and each.is_certain}
    return tuple(each for each in held
                 if each.program not in refusing or each.impact not in _OF_PARTS)


def sentences(consequences: Iterable[Consequence]) -> dict[str, str]:
    """
    Return what each program does, by the name of the program.

    Of several that say the same of different elements, only the first is included.
    """
    texts: dict[str, dict[object, str]] = {}
    for each in consequences:
        texts.setdefault(each.program, {}).setdefault(
            (each.impact, each.when, each.setting, template_of(each.how)), each.text)
    return {program: ', '.join(dict.fromkeys(of_program.values()))
            for program, of_program in texts.items()}


CONSUMERS: Mapping[str, tuple[str, ...]] = _TABLES['consumers']
"""
Each program with what reads URDF for it; what that refuses, the program does not get.

They are in the order of their use, in which they are named.
"""

PROGRAMS = tuple(name for name in CONSUMERS if name not in (
    'isaac', 'kdl', 'urdfdom', 'genesis', 'newton'))
"""The programs that are reported by default: none with parts of others, or without a model."""


def with_dependencies(names: Iterable[str]) -> frozenset[str]:
    """
    Return the named programs and what reads URDF for them.

    :raises ValueError: a name is unknown.
    """
    programs: set[str] = set()
    for name in names:
        if name not in CONSUMERS:
            raise ValueError(
                f'Program {name!r} is unknown. Known programs: {", ".join(CONSUMERS)}')
        programs |= {name, *CONSUMERS[name]}
    return frozenset(programs)
