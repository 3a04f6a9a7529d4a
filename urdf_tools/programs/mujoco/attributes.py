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

from functools import lru_cache
from math import isinf
import re

from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.message import FreeText
from urdf_tools.model.pose import Vector3
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import Reader

ORIGIN = (0.0, 0.0, 0.0)

_KINDS = {'inertial': 'inertia', 'color': 'colour', 'origin': 'attribute', 'compiler': 'attribute',
          'parent': 'structure', 'child': 'structure'}
"""The kinds of elements that are not called like them; the others are shapes."""

_NUMBER = re.compile(r'[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|0x[\da-f]+|inf|infinity|nan)',
                     re.IGNORECASE | re.ASCII)
_WHITE = ' \t\n\r\f\v'
_WORD = re.compile(f'[^{_WHITE}]+')


class Attributes(Reader):
    """Reads elements and attributes, and notes what MuJoCo refuses."""

    def child(
            self, element: Element | None, tag: str, required: bool = False) -> Element | None:
        """Return the only child with a tag; several are refused."""
        children = [] if element is None else element.findall_tag(tag)
        if len(children) > 1:
            self.refuse(children[1], '{element} is repeated', 'Remove one of them', of='element')
        elif not children and required and element is not None:
            self.refuse(element, '{element} has no <{child}>', of=kind_of(tag), child=tag)
        return children[0] if children else None

    def text(self, element: Element, name: str) -> str:
        """Return a required attribute."""
        if name not in element.attrib:
            self._missing(element, name)
        return element.attrib.get(name, '')

    def numbers(self, element: Element | None, name: str, default: tuple[float, ...],
                required: bool = False) -> tuple[float, ...]:
        """Return as many numbers as in the default, or the default if none can be read."""
        text = '' if element is None else element.get(name, '')
        is_blank = not text.strip(_WHITE) and name != 'scale'
        if element is None or is_blank or name not in element.attrib:
            if required and element is not None:
                self._missing(element, name)
            return default
        values, problem = _numbers(text)
        if not problem and len(values) == len(default):
            return values
        problem = problem or f'has {len(values)} numbers, {len(default)} expected'
        self.refuse(element, '{attribute}={text} of {element} {problem}', of='attribute',
                    attribute=name, problem=FreeText(problem))
        return default

    def number(self, element: Element | None, name: str, default: float = 0.0,
               required: bool = False) -> float:
        """Return one number; see :meth:`numbers`."""
        return self.numbers(element, name, (default,), required)[0]

    def vector(self, element: Element | None, name: str, default: Vector3 = ORIGIN,
               required: bool = False) -> Vector3:
        """Return three numbers; see :meth:`numbers`."""
        x, y, z = self.numbers(element, name, default, required)
        return x, y, z

    def _missing(self, element: Element, name: str) -> None:
        of = 'name' if name == 'name' else kind_of(element.tag)
        self.refuse(element, '{element} has no attribute {missing}', of=of, missing=name)


def kind_of(tag: str) -> str:
    """Return the kind of a missing element, or of the element that lacks something."""
    return tag if tag in KINDS else _KINDS.get(tag, 'shape')


@lru_cache(maxsize=4096)
def _numbers(text: str) -> tuple[tuple[float, ...], str]:
    """Return the numbers in a text, and the problem with them."""
    words = _WORD.findall(text)
    if not all(map(_NUMBER.fullmatch, words)):
        return (), 'is not a number'
    values = tuple(float.fromhex(word) if 'x' in word.lower() else float(word) for word in words)
    overflows = any(isinf(value) and 'i' not in word.lower() for value, word in zip(values, words))
    return values, 'is too large for a number' if overflows else ''
