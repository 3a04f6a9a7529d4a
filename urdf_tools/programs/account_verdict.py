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
"""An account of what becomes of a robot in a program, in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from typing import NamedTuple

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.verdict import Verdict
from urdf_tools.model.messages import count
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.robot_parts import Amount
from urdf_tools.programs.robot_parts import Parts


class _Counted(NamedTuple):
    """Something that a robot has a number of, and the kinds of the losses that explain less."""

    field: str
    word: str
    kinds: frozenset[str]

    def number(self, parts: Parts) -> int:
        """Return how many there are."""
        value: int | Mapping[str, int] = getattr(parts, self.field)
        return value if isinstance(value, int) else sum(value.values())


_COUNTED = tuple(_Counted(name, word, frozenset(kinds.split())) for name, word, kinds in (
    ('moving_joints', 'moving joint', 'joint link model'),
    ('mimic', 'mimic joint', 'mimic joint link'),
    ('collisions', 'collision shape', 'collision shape link'),
    ('visuals', 'visual', 'visual shape link'),
    ('actuators', 'actuator', 'actuator'),
    ('effort_limits', 'effort limit', 'limit actuator joint link'),
    ('position_limits', 'position limit', 'limit joint link'),
    ('velocity_limits', 'velocity limit', 'limit joint link'),
    ('damping', 'damping value', 'dynamics joint link'),
    ('friction', 'friction value', 'dynamics joint link')))
"""What the numbers tell of losses, the most important first."""

_IN_NUMBERS = frozenset(('base', 'description', 'link', 'mass')).union(
    *(each.kinds for each in _COUNTED))

_UNSAID = frozenset(('attribute', 'element', 'interface', 'name', 'transmission'))
"""Kinds of what no program but those that it is written for misses if it is ignored."""

_NEGLIGIBLE = 1e-6


_REASONS = {
    'attribute': 'value unreadable', 'description': '', 'name': 'name missing or repeated',
    'structure': 'links and joints are no tree', 'version': 'version of URDF',
    'xml': 'not well-formed XML'}
"""Kinds of refusals to their reason in a few words, where the kind alone says too little."""


def verdict_of(account: Account, codes: Mapping[int, str] = {}) -> Verdict:
    """
    Return what a program makes of a description; what is harmless is not said.

    :param codes: identities of causes to the rules that report them.
    """
    for cause in account.causes[:1]:
        reason = cause.brief or codes.get(id(cause), '').replace('-', ' ')
        verb = 'crash{es}' if cause.impact is Impact.CRASHES else 'refuse{s} it'
        return Verdict(cause.impact + 0.5, (verb,), reason or _REASONS.get(cause.of, cause.of))
    if account.source is None:
        return Verdict(0.0, ('load{s} it',))
    parts = tuple(_parts(account))
    if not parts:
        return Verdict()
    mass = _mass(account)
    # Mass is worse than all else that a program drops, and better than if it refused the robot.
    lost = min(abs(mass.kept / mass.source - 1), 1.0) if mass.source else 0.0
    change = mass.kept - mass.source
    return Verdict(parts[0][0] + 0.5 + 0.4 * lost, tuple(text for _, text in parts),
                   f'{change:+.3g} kg' if change else '')


def _mass(account: Account) -> Amount[float]:
    """Return the mass in kg, which is the same where it cannot be known."""
    mass = account.amount('body').map(lambda body: body.mass)
    is_equal = not abs(mass.kept - mass.source) > _NEGLIGIBLE * max(mass.source, _NEGLIGIBLE)
    return Amount(mass.source, mass.source) if is_equal else mass


def _parts(account: Account) -> Iterator[tuple[Impact, str]]:
    """Yield the parts of the verdict, the worst first."""
    mass = _mass(account)
    if mass.is_less:
        yield Impact.DROPS, f'keep{{s}} {mass.kept:.4g} of {mass.source:.4g} kg'
    elif mass.kept > mass.source:
        yield Impact.DROPS, f'add{{s}} {mass.kept - mass.source:.4g} kg'
    losses = [each for each in account.losses if not each.is_harmless]
    if account.base == 'fixed' and any(each.of == 'base' for each in losses):
        yield Impact.DROPS, 'weld{s} the base to the world'
    kinds = Counter((each.impact, each.of) for each in losses if each.of not in _IN_NUMBERS and (
        each.impact is not Impact.IGNORES or each.of not in _UNSAID))
    dropped = [*_dropped(account, {each.of for each in losses}), *_counts(kinds, Impact.DROPS)]
    if dropped:
        yield Impact.DROPS, f'drop{{s}} {" and ".join(dropped[:2])}'
    for impact, verb in ((Impact.CHANGES, 'change{s}'), (Impact.IGNORES, 'ignore{s}')):
        if texts := _counts(kinds, impact):
            yield impact, f'{verb} {" and ".join(texts[:2])}'


def _counts(kinds: Counter[tuple[Impact, str]], wanted: Impact) -> list[str]:
    """Return the numbers of losses of an impact by what is lost, the largest first."""
    return [count(number, of) for (impact, of), number in kinds.most_common() if impact is wanted]


def _dropped(account: Account, kinds: Collection[str]) -> Iterator[str]:
    """Yield how much of the robot is dropped, the most important first, if losses explain it."""
    links = account.source.links - account.kept.links - len(account.merged)
    if links > 0:
        yield count(links, 'link')
    for each in _COUNTED:
        number = each.number(account.source) - each.number(account.kept)
        if number > 0 and not each.kinds.isdisjoint(kinds):
            yield count(number, each.word)
