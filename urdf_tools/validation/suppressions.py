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

"""Comments in a description that keep a finding from being reported."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
import re

from urdf_tools.model.document import Comment
from urdf_tools.model.document import Document
from urdf_tools.model.document import Element

_COMMENT = re.compile(r'\s*urdf-tools:\s*ignore\s+([\w-]+(?:\s*,\s*[\w-]+)*)')


@dataclass(frozen=True)
class Suppression:
    """
    One such comment: ``<!-- urdf-tools: ignore CODE[, CODE] reason -->``.

    :param element: the element that it is about, with all that is in it; None where there is
        none.
    """

    comment: Comment
    codes: tuple[str, ...]
    element: Element | None


class Suppressions:
    """
    The suppressions of a document.

    Such a comment is about the element that begins on its line before it, else about the next
    one after it beside or in the same element. Above ``<robot>`` it is about the whole file.
    """

    def __init__(self, document: Document):
        self.count = 0
        """How many findings have been kept from being reported."""
        self.unused = [
            (suppression, code)
            for suppression in _suppressions(document) for code in suppression.codes]
        """The suppressions that no finding has met so far, each with its code."""
        self._codes = {}
        for suppression, code in self.unused:
            self._codes.setdefault(suppression.element, set()).add(code)

    def covers(self, code: str, element: Element) -> bool:
        """Tell whether a finding is not to be reported, and count it."""
        if not self._codes:
            return False
        subject = element
        while subject is not None and code not in self._codes.get(subject, ()):
            subject = subject.parent
        if subject is None:
            return False
        self.count += 1
        self.unused = [(suppression, each) for suppression, each in self.unused
                       if suppression.element is not subject or each != code]
        return True


def _suppressions(document: Document) -> Iterator[Suppression]:
    matches = [(comment, _COMMENT.match(comment.text)) for comment in document.comments]
    matches = [(comment, match) for comment, match in matches if match]
    if not matches:
        return
    elements = list(document.root.iter())
    places = [(element.line, element.column) for element in elements]
    for comment, match in matches:
        codes = tuple(re.split(r'\s*,\s*', match[1]))
        yield Suppression(comment, codes, _subject(comment, elements, places))


def _subject(comment, elements, places):
    after = bisect_left(places, (comment.line, comment.column))
    first = bisect_left(places, (comment.line, 0))
    if first < after:
        return elements[first]
    if after < len(elements) and elements[after].parent is comment.parent:
        return elements[after]
    return None
