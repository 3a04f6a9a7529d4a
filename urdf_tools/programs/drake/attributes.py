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

"""Attributes as Drake reads them: ``detail_tinyxml.cc``, with a C++ stream."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
import re
from typing import Any

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.message import Name
from urdf_tools.model.pose import Pose
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.importers import misread
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import Reader

Numbers = tuple[float, ...]

_NUMBER = re.compile(r'\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d*)?)', re.IGNORECASE | re.ASCII)


@lru_cache(maxsize=4096)
def numbers(text: str) -> Numbers:
    """Return the numbers at the start of a text, without infinity and NaN."""
    values: list[float] = []
    position = 0
    while match := _NUMBER.match(text, position):
        # A stream consumes an exponent without digits, and then fails.
        if match[1][-1] in 'eE+-' or not isfinite(value := float(match[1])):
            break
        values.append(value)
        position = match.end()
    return tuple(values)


class Attributes(Reader):
    """Reads elements and attributes, and notes what Drake refuses or misreads."""

    def crash(self, element: Element, template: str, /, **arguments: Any) -> None:
        """Note that Drake ends the process with an assertion; see :meth:`refuse`."""
        self.refuse(element, template, impact=Impact.CRASHES, **arguments)

    def number(self, element: Element | None, name: str, default: float = 0.0) -> float:
        """Return one number, or the default if the attribute is not written."""
        return self.numbers(element, name, (default,))[0]

    def numbers(self, element: Element | None, name: str, default: Numbers) -> Numbers:
        """Return as many numbers as there are in the default, or the default."""
        text = None if element is None else element.get(name)
        if element is None or text is None:
            return default
        values = numbers(text)
        if len(values) != len(default):
            self.refuse(element, '{attribute}={text} of {element} begins with {n:number}, not '
                        '{expected}', of='attribute', attribute=name, n=len(values),
                        expected=len(default))
            return default
        self.misread += misread(element, name, values)
        return values

    def pose(self, parent: Element) -> Pose:
        """Return the ``<origin>`` of an element."""
        origin = parent.find_tag('origin')
        return pose_from(*(self.numbers(origin, name, (0.0, 0.0, 0.0)) for name in ('xyz', 'rpy')))

    def require(self, parent: Element, tag: str, of: str) -> Element | None:
        """Return the required child with a tag, or note that Drake refuses the description."""
        child = parent.find_tag(tag)
        if child is None:
            self.refuse(parent, '{element} has no <{child}>', of=of, child=tag)
        return child

    def required(self, element: Element | None, name: str, of: str) -> str | None:
        """Return a required attribute, or note that Drake refuses the description."""
        if element is not None and name not in element.attrib:
            self.refuse(element, '{element} has no {attribute}', of=of, attribute=name)
        return None if element is None else element.get(name)

    def claim(self, names: set[str], name: str, element: Element) -> None:
        """Add a name to the existing names, or note that it is taken."""
        if name in names:
            self.refuse(element, 'The name {name} is taken', of='name', attribute='name',
                        name=Name(name), hint='Rename one of them')
        names.add(name)
