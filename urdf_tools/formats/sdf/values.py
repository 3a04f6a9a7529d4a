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

"""Numbers in elements of SDFormat."""

from __future__ import annotations

import math
import re

from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.element import Element

_INFINITE = re.compile(r'[+-]?inf(?:inity)?', re.IGNORECASE)


def number(element: Element, tag: str, default: float) -> float:
    """
    Return the number in a child, which may be infinite.

    :param default: the number if there is no such child.
    :raises DescriptionError: it is not a number.
    """
    child = element.find(tag)
    if child is None:
        return default
    text = (child.text or '').strip()
    if _INFINITE.fullmatch(text):
        return -math.inf if text.startswith('-') else math.inf
    try:
        return parse_number(text)
    except ValueError as reason:
        raise child.error(f'<{tag}> cannot be read: {reason}') from None


def is_colour(text: str | None) -> bool:
    """Return whether libsdformat reads a text as a colour."""
    try:
        numbers = [*map(parse_number, (text or '').split())]
    except ValueError:
        return False
    return len(numbers) in (0, 3, 4) and all(0 <= each <= 1 for each in numbers)


def is_true(text: str | None) -> bool:
    """Return whether a text means yes."""
    return (text or '').strip().lower() in ('1', 'true')
