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


"""Comments in a description that suppress findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Sequence
from dataclasses import dataclass
import re

from urdf_tools.model.document import Document
from urdf_tools.model.element import Comment
from urdf_tools.model.element import Element

_COMMENT = re.compile(r'\s*urdf-tools:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)')


@dataclass(frozen=True)
class Suppression:
    """
    A comment ``<!-- urdf-tools: ignore CODE[, CODE] reason -->``.

    :param element: the element that it applies to, including its content; None where there is
        none.
    """

    comment: Comment
    codes: tuple[str, ...]
    element: Element | None


class Suppressions:
    """
    The suppressions of a document.

    A comment applies to the element that begins before it on the same line, or else to the next
    element with the same parent. Above ``<robot>`` it applies to the whole file.
    """

    def __init__(self, document: Document):
        self.count = 0
        """Number of findings suppressed so far."""
        self._suppressions = tuple(_suppressions(document))
        self._codes: dict[Element | None, set[str]] = {}
        for suppression in self._suppressions:
            self._codes.setdefault(suppression.element, set()).update(suppression.codes)
        self._used: set[tuple[Element, str]] = set()

    @property
    def unused(self) -> Iterator[tuple[Suppression, str]]:
        """The suppressions that have matched no finding so far, each with its code."""
        for suppression in self._suppressions:
            for code in suppression.codes:
                if suppression.element is None or (suppression.element, code) not in self._used:
                    yield suppression, code

    def suppress(self, code: str, element: Element) -> bool:
        """Tell whether a finding is suppressed, and count it if so."""
        if not self._codes:
            return False
        owner: Element | None = element
        while owner is not None and code not in self._codes.get(owner, ()):
            owner = owner.parent
        if owner is None:
            return False
        self.count += 1
        self._used.add((owner, code))
        return True


def _suppressions(document: Document) -> Iterator[Suppression]:
    matches = [(comment, match) for comment in document.comments
               if (match := _COMMENT.match(comment.text))]
    if not matches:
        return
    elements = list(document.root.iter())
    positions = [(element.line, element.column) for element in elements]
    for comment, match in matches:
        codes = tuple(re.split(r'\s*,\s*', match[1]))
        yield Suppression(comment, codes, _target(comment, elements, positions))


def _target(
        comment: Comment, elements: Sequence[Element],
        positions: Sequence[tuple[int, int]]) -> Element | None:
    """
    Return the element that a comment applies to, or None.

    :param positions: line and column of each element, in ascending order.
    """
    following = bisect_left(positions, (comment.line, comment.column))
    first_on_line = bisect_left(positions, (comment.line, 0))
    if first_on_line < following:
        return elements[first_on_line]
    if following < len(elements) and elements[following].parent is comment.parent:
        return elements[following]
    return None
