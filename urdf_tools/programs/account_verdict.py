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
"""The verdict on a description by the account of a program, in a few words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.verdict import counted
from urdf_tools.findings.verdict import MATTERS
from urdf_tools.findings.verdict import Verdict
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.robot_parts import Amount

_REASONS = {
    'attribute': 'value unreadable', 'axis': 'axis is zero', 'description': '', 'link': 'no links',
    'mass': 'link without mass', 'model': 'included model not found',
    'name': 'name missing or repeated', 'structure': 'links and joints are no tree',
    'type': 'type of a joint', 'version': 'version of URDF', 'xml': 'not well-formed XML'}
"""Kinds of refusals to their reason in a few words, where the kind alone says too little."""

_NEGLIGIBLE = 1e-6


def verdict_of(account: Account, codes: Mapping[int, str] = {}) -> Verdict:
    """
    Return the verdict of a program on a description; harmless losses are left out.

    :param codes: identities of causes to the rules that report them.
    """
    for cause in account.causes[:1]:
        reason = cause.brief or codes.get(id(cause), '').replace('-', ' ')
        verb = 'crashes' if cause.impact is Impact.CRASHES else 'refuses it'
        return Verdict(cause.impact + 0.5, (verb,), reason or _REASONS.get(cause.of, cause.of))
    mass = _mass(account)
    parts = tuple(_parts(account, mass))
    if not parts:
        return Verdict()
    # Mass is worse than all else that a program drops, and better than if it refused the robot.
    lost = min(abs(mass.kept / mass.source - 1), 1.0) if mass.source else 0.0
    change = mass.kept - mass.source
    kinds = {each.of for each in account.losses if not each.is_harmless}
    reason = f'{change:+.3g} kg' if change else next((of for of in MATTERS if of in kinds), '')
    return Verdict(min(parts[0][0], Impact.DROPS) + 0.5 + 0.4 * lost,
                   tuple(text for _, text in parts), reason)


def _mass(account: Account) -> Amount[float]:
    """Return the mass in kg; it counts as unchanged if it is unknown."""
    if account.source is None or account.kept is None:
        return Amount(0.0, 0.0)
    mass = Amount(account.source.body.mass, account.kept.body.mass)
    is_equal = not abs(mass.kept - mass.source) > _NEGLIGIBLE * max(mass.source, _NEGLIGIBLE)
    return Amount(mass.source, mass.source) if is_equal else mass


def _parts(account: Account, mass: Amount[float]) -> Iterator[tuple[Impact, str]]:
    """Yield the parts of the verdict, the worst first."""
    if mass.kept < mass.source:
        yield Impact.DROPS, f'keeps {mass.kept:.4g} of {mass.source:.4g} kg'
    elif mass.kept > mass.source:
        yield Impact.DROPS, f'adds {mass.kept - mass.source:.4g} kg'
    numbers: Counter[tuple[Impact, str]] = Counter()
    for each in account.losses:
        if not each.is_harmless:
            numbers[each.impact, each.of] += 1 + len(each.others)
    if account.base == 'fixed' and any(of == 'base' for _, of in numbers):
        yield Impact.DROPS, 'welds the base to the world'
    stated = {'base', 'mass'} if mass.kept != mass.source else {'base'}
    yield from counted({kind: number for kind, number in numbers.items() if kind[1] not in stated})
