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

"""Findings about an old text, moved to where they are in the new one."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import replace

from urdf_tools.lsp.live_checks import LocatedFinding


def carried_over(
        findings: Iterable[LocatedFinding], old: str, new: str) -> Iterator[LocatedFinding]:
    """
    Yield the findings that are outside of what has changed, where they are now.

    :param old: the text that the findings are about.
    :param new: the text as it is now.
    """
    start = _common(old, new, from_end=False)
    rest = min(len(old), len(new)) - start
    end = min(_common(old, new, from_end=True), rest)
    for found in findings:
        offsets = [found.start, found.end, found.element]
        offsets += [offset for edit in found.fix for offset in (edit.start, edit.end)]
        if min(offsets) >= len(old) - end:
            yield _moved(found, len(new) - len(old))
        elif max(offsets) <= start:
            yield found


def _moved(found: LocatedFinding, by: int) -> LocatedFinding:
    return replace(
        found, start=found.start + by, end=found.end + by, element=found.element + by,
        fix=tuple(replace(edit, start=edit.start + by, end=edit.end + by) for edit in found.fix))


def _common(old: str, new: str, from_end: bool) -> int:
    """Return the number of characters that two texts begin or end with in common."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if from_end:
            equal = old[len(old) - middle:] == new[len(new) - middle:]
        else:
            equal = old[:middle] == new[:middle]
        low, high = (middle, high) if equal else (low, middle - 1)
    return low
