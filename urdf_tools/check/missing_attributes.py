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
"""Defects of elements that lack an attribute that URDF requires."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.check.registry import Defect
from urdf_tools.check.schema import definition
from urdf_tools.check.schema import misspelling
from urdf_tools.check.schema import TEXT
from urdf_tools.model.xml.element import Element


def lacking(elements: Iterable[Element], name: str, template: str) -> Iterator[Defect]:
    """
    Yield a defect of each element that has no such attribute, or no text in it.

    :param template: the message, with fields ``owner`` and ``parent``, the one around it.
    """
    for element in elements:
        is_text = definition(element).attributes[name] == TEXT
        if name not in element.attrib or is_text and not element.get(name):
            yield Defect(element, template, owner=element, parent=element.parent,
                         **misspelling(element, name))
