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
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import cached_property
import re
from typing import NamedTuple

from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Comment
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceComment
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import SourceLocation
from urdf_tools.model.xml.element_sources import SourceTag

_COMMENT = re.compile(r'\s*urdf-tools:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)')


class Suppression(NamedTuple):
    """
    A comment ``<!-- urdf-tools: ignore CODE[, CODE] reason -->``.

    :param target: the element that it applies to, including its content, or the location of its
        tag in a xacro file; None if there is no such element.
    :param file: the xacro file that it is in; None for other descriptions.
    """

    comment: Comment | SourceComment
    codes: tuple[str, ...]
    target: Element | SourceLocation | None
    file: SourceFile | None = None


class Suppressions:
    """
    The suppressions of a document.

    A comment applies to the element that begins before it on the same line, or else to the next
    element with the same parent. Above ``<robot>`` it applies to the whole file. In a xacro file
    it also applies to what a macro call or an include below it brings in.
    """

    def __init__(self, document: Document):
        self.count = 0
        """Number of findings suppressed so far."""
        self._root = document.root
        self._suppressions = tuple(_suppressions(document))
        self._codes: dict[Element | SourceLocation | None, set[str]] = {}
        for suppression in self._suppressions:
            self._codes.setdefault(suppression.target, set()).update(suppression.codes)
        self._used: set[tuple[Element | SourceLocation, str]] = set()

    @property
    def unused(self) -> Iterator[tuple[Suppression, str]]:
        """
        The suppressions that have matched no finding so far, each with its code.

        Those in a macro that the description does not use are not among them.
        """
        for suppression in self._suppressions:
            for code in suppression.codes:
                target = suppression.target
                if target is None or (target, code) not in self._used and (
                        suppression.file is None or target in self._locations):
                    yield suppression, code

    @cached_property
    def _locations(self) -> set[Element | SourceLocation]:
        return {location for element in self._root.iter() for location in _around(element)}

    def suppress(self, code: str, element: Element) -> bool:
        """Return whether a finding is suppressed, and count it if so."""
        owners = _around(element) if self._codes else ()
        owner = next((owner for owner in owners if code in self._codes.get(owner, ())), None)
        if owner is None:
            return False
        self.count += 1
        self._used.add((owner, code))
        return True


def _around(element: Element) -> Iterator[Element | SourceLocation]:
    """Yield the targets of a comment that would cover an element, innermost first."""
    for owner in element.with_ancestors():
        if owner.origin is None:
            yield owner
        else:
            yield from (tag.location for tag in owner.origin.tags_around())


def _suppressions(document: Document) -> Iterator[Suppression]:
    if document.xacro is None:
        yield from _written_in(document.comments, document.root.iter(), None)
        return
    for file in {file.path: file for file in document.xacro.files}.values():
        yield from _written_in(file.comments, file.tags, file)


def _written_in(comments: Iterable[Comment | SourceComment],
                tags: Iterable[Element] | Iterable[SourceTag], file: SourceFile | None
                ) -> Iterator[Suppression]:
    """Yield the comments of a file that suppress rules."""
    matches = [(comment, match) for comment in comments if (match := _COMMENT.match(comment.text))]
    elements = [*tags] if matches else []
    positions = [(element.line, element.column) for element in elements]
    for comment, match in matches:
        target = _target(comment, elements, positions)
        yield Suppression(
            comment, tuple(re.split(r'\s*,\s*', match[1])),
            target.location if isinstance(target, SourceTag) else target, file)


def _target(comment: Comment | SourceComment, elements: Sequence[Element | SourceTag],
            positions: Sequence[tuple[int, int]]) -> Element | SourceTag | None:
    """
    Return the element that a comment applies to, or None.

    :param positions: line and column of each element, in ascending order.
    """
    following = bisect_left(positions, (comment.line, comment.column))
    first_on_line = bisect_left(positions, (comment.line, 0))
    if first_on_line < following:
        return elements[first_on_line]
    is_beside = following < len(elements) and elements[following].parent is comment.parent
    return elements[following] if is_beside else None
