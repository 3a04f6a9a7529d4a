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

"""XML elements to write, each with the source elements and attributes that it comes from."""

from __future__ import annotations

from collections.abc import Generator
from collections.abc import Iterable
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of


class Node(ElementTree.Element):
    """
    An element of the SDFormat document.

    :ivar sources: what of the source it comes from.
    :ivar is_copy: it was copied from the source unchanged.
    """

    sources: tuple[Item, ...]
    is_copy: bool = False

    def __init__(self, tag: str, text: str | None = None, sources: Iterable[Item] = (),
                 **attributes: str):
        super().__init__(tag, attributes)
        self.text = text
        self.sources = tuple(sources)

    if TYPE_CHECKING:
        def __iter__(self) -> Iterator[Node]: ...
        def iter(self, tag: str | None = None) -> Generator[Node, None, None]: ...

    def first(self, tag: str) -> Node | None:
        """Return the first child with a tag, without XPath."""
        return next((child for child in self if child.tag == tag), None)

    def add(self, tag: str, text: str | None = None, sources: Iterable[Item] = (),
            **attributes: str) -> Node:
        """Append a child, and return it."""
        child = Node(tag, text, sources, **attributes)
        self.append(child)
        return child

    def put(self, tag: str, text: str, sources: Iterable[Item] = ()) -> Node:
        """Append a child in place of the first one with its tag, and return it."""
        old = self.first(tag)
        if old is not None:
            self.remove(old)
        return self.add(tag, text, sources)

    def require(self, tag: str, sources: Iterable[Item] = ()) -> Node:
        """Return the first child with a tag, appending one if there is none."""
        child = self.first(tag)
        return self.add(tag, None, sources) if child is None else child


def copied(element: Element | Node) -> Node:
    """Return a copy, to be written, of an element with all below it, however deep."""
    root = _copy_of(element)
    pending = [(element, root)]
    while pending:
        source, node = pending.pop()
        for child in source:
            copy = _copy_of(child)
            node.append(copy)
            pending.append((child, copy))
    return root


def value_of(element: Element | Node) -> str:
    """Return the attribute ``value``, or else the text, without the white space around it."""
    value = element.get('value')
    return (element.text or '' if value is None else value).strip()


def _copy_of(element: Element | Node) -> Node:
    if isinstance(element, Node):
        copy = Node(element.tag, element.text, element.sources)
        copy.is_copy = element.is_copy
    else:
        is_text = element.text and (len(element) == 0 or element.text.strip())
        copy = Node(element.tag, element.text if is_text else None,
                    items_of(element, *element.attrib))
        copy.is_copy = True
    copy.attrib.update(element.attrib)
    return copy
