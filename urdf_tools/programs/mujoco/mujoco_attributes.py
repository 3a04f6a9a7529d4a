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

"""Elements and attributes as MuJoCo reads them (``src/xml/xml_util.cc``)."""

from __future__ import annotations

from math import isinf
import re

from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Words
from urdf_tools.model.element import Element
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal

_NUMBER = re.compile(
    r'[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)', re.IGNORECASE | re.ASCII)


class Attributes:
    """
    Reads elements and attributes, and notes what MuJoCo refuses.

    :ivar refusals: in the order in which they were met.
    """

    def __init__(self) -> None:
        self.refusals: list[Loss] = []

    def child(
            self, element: Element | None, tag: str, required: bool = False) -> Element | None:
        """Return the child with a tag, of which there may be only one."""
        children = [] if element is None else element.findall_tag(tag)
        if len(children) > 1:
            self.refusals.append(refusal(
                children[1], '{element} is repeated', hint='Remove one of them',
                element=children[1]))
        elif not children and required and element is not None:
            self.refusals.append(refusal(
                element, '{element} has no <{child}>', element=element, child=tag))
        return children[0] if children else None

    def text(self, element: Element, name: str) -> str:
        """Return an attribute that is required."""
        if name not in element.attrib:
            self._missing(element, name)
        return element.attrib.get(name, '')

    def numbers(
            self, element: Element | None, name: str, count: int, default: tuple[float, ...],
            required: bool = False) -> tuple[float, ...]:
        """Return so many numbers, or the default where they are not written or cannot be read."""
        words = [] if element is None else element.get(name, '').split()
        if element is None or not words:
            if required and element is not None:
                self._missing(element, name)
            return default
        values = tuple(map(float, words)) if all(map(_NUMBER.fullmatch, words)) else ()
        problem = (
            'is not a number' if not values
            else 'is too large for a number' if any(map(_overflows, values, words))
            else f'has {len(values)} numbers, {count} expected' if len(values) != count else '')
        if problem:
            self.refusals.append(refusal(
                element, '{attribute}={text} of {element} {problem}', attribute=name,
                element=element, text=Name(element.attrib[name]), problem=Words(problem)))
        return default if problem else values

    def _missing(self, element: Element, name: str) -> None:
        self.refusals.append(refusal(
            element, '{element} has no attribute {missing}', element=element, missing=name))


def _overflows(value: float, word: str) -> bool:
    return isinf(value) and 'i' not in word.lower()
