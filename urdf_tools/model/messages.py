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

"""Parts of messages: quoted names, counts, short lists, source locations."""

from __future__ import annotations

from collections.abc import Sequence

MAX_LISTED = 10
"""Most names that one message lists."""


def quote(text: str, longest: int = 40) -> str:
    """Return a text in quotes, cut to ``longest`` characters."""
    return repr(text if len(text) <= longest else text[:longest - 3] + '...')


def count(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 error`` or ``2 errors``."""
    return f'{number} {noun}{"" if number == 1 else "s"}'


def name_list(names: Sequence[str], separator: str = ', ') -> str:
    """Return at most :data:`MAX_LISTED` names as text, and the number of the others."""
    text = separator.join(names[:MAX_LISTED])
    more = len(names) - MAX_LISTED
    return f'{text} and {more} more' if more > 0 else text


def location(source: str, line: int | None = None, column: int | None = None) -> str:
    """Return ``source:line:column`` without the parts that are unknown."""
    return ':'.join(str(part) for part in (source, line, column) if part)
