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

"""Losses of a robot in a program as text: in groups, each with its source locations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.findings.consequences import Impact
from urdf_tools.model.messages import location
from urdf_tools.model.messages import printable
from urdf_tools.programs.accounts import Loss

MAX_LOCATIONS = 5
"""Most source locations that are printed for one kind of loss."""

_WORDS = {Impact.IGNORES: 'ignored', Impact.CHANGES: 'changed', Impact.DROPS: 'dropped',
          Impact.WARNS: 'noted', Impact.ACCEPTS: 'kept'}


def loss_lines(losses: Iterable[Loss], source: str) -> Iterator[str]:
    """
    Yield losses as lines: those of one kind together, and all harmless ones in the last line.

    :param losses: the worst first.
    :param source: the file of the description, which is not repeated.
    """
    groups: dict[tuple[str, ...], list[Loss]] = {}
    harmless: Counter[str] = Counter()
    for loss in losses:
        if loss.is_harmless:
            harmless[str(loss.message)] += 1
        else:
            groups.setdefault(_kind(loss), []).append(loss)
    for members in groups.values():
        first = members[0]
        advice = f'. {first.hint}' if first.hint else ''
        yield f'{_WORDS[first.impact]}: {printable(first.message + advice)}'
        yield from _locations(members, source)
    if harmless:
        texts = (f'{printable(text)} ({number})' for text, number in harmless.most_common())
        yield f'harmless: {"; ".join(texts)}'


def _kind(loss: Loss) -> tuple[str, ...]:
    """Return what losses of one kind share; instances with other names or numbers are others."""
    return loss.impact.name, str(loss.message), str(loss.hint)


def _locations(losses: list[Loss], source: str) -> Iterator[str]:
    for loss in losses[:MAX_LOCATIONS]:
        if loss.element is not None:
            path = loss.element.path + ('' if loss.attribute is None else f'/@{loss.attribute}')
            yield f'    {_where(loss, source)}: {printable(path)}'
    if len(losses) > MAX_LOCATIONS:
        yield f'    and {len(losses) - MAX_LOCATIONS} more'


def _where(loss: Loss, source: str) -> str:
    file, line, _ = loss.location(source)
    return f'line {line}' if file == source and line else location(file, line)
