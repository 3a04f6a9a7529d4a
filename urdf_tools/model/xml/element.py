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

"""XML elements and comments with their source locations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from collections.abc import Iterator
from typing import Any
from typing import NamedTuple
from typing import SupportsIndex
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import joined

if TYPE_CHECKING:  # Only the elements of xacro files have one.
    from urdf_tools.model.xml.element_sources import ElementSource

MAX_NAME = 255
"""Maximum length of a name in a path; elements with longer names go by position."""

_NAMED = frozenset(('link', 'joint', 'material', 'transmission'))

_Names = dict[str, str] | None

_PLACE = ('parent', 'index', 'line', 'column', 'start')


class Element(ElementTree.Element):
    """
    An XML element with its source location. The tree is read-only.

    Tags and attribute names are kept as written, prefix included, since URDF readers know
    nothing of namespaces and descriptions use prefixes that they never declare.

    :ivar parent: the element around this one, or None for the root.
    :ivar index: position among the children of the parent.
    :ivar line: line of the tag, from 1.
    :ivar column: column of the tag, from 1.
    :ivar start: offset of the tag's ``<`` in the bytes of the document.
    :ivar origin: its source in a xacro file, if it was expanded from one; copies do not have it.
    """

    __slots__ = (*_PLACE, 'origin', '_child_steps')

    parent: Element | None
    index: int
    line: int
    column: int
    start: int
    origin: ElementSource | None
    _child_steps: dict[Element, str] | None

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None,
                 line: int, column: int, start: int):
        super().__init__(tag, attributes)
        self.parent = parent
        self.line = line
        self.column = column
        self.start = start
        self.origin = None
        self._child_steps = None
        if parent is None:
            self.index = 0
        else:
            self.index = len(parent)
            parent.append(self)

    # All elements of a tree are of this class. The ignored overrides narrow overloads and a list.
    if TYPE_CHECKING:
        def __getitem__(self, index: SupportsIndex) -> Element: ...  # type: ignore[override]
        def __iter__(self) -> Iterator[Element]: ...
        def iter(self, tag: str | None = None) -> Generator[Element, None, None]: ...
        def find(self, path: str, namespaces: _Names = None) -> Element | None: ...
        def findall(self, path: str) -> list[Element]: ...  # type: ignore[override]
        def iterfind(self, path: str) -> Iterator[Element]: ...  # type: ignore[override]

    @property
    def path(self) -> str:
        """Path from the root, by name if there is one, else by position among equal tags."""
        steps = []
        element = self
        while element.parent is not None:
            steps.append(element.parent._steps_down()[element])
            element = element.parent
        return '/' + '/'.join([element.tag, *reversed(steps)])

    def _steps_down(self) -> dict[Element, str]:
        """Return the last part of the path of each child, computed once."""
        if self._child_steps is None:
            tags = Counter(child.tag for child in self)
            names = Counter((child.tag, child.get('name')) for child in self)
            position: Counter[str] = Counter()
            self._child_steps = {}
            for child in self:
                position[child.tag] += 1
                name = child.get('name')
                if tags[child.tag] == 1 and child.tag not in _NAMED:
                    self._child_steps[child] = child.tag
                elif name and names[child.tag, name] == 1 and len(name) <= MAX_NAME:
                    mark = '"' if "'" in name else "'"
                    self._child_steps[child] = f'{child.tag}[@name={mark}{name}{mark}]'
                else:
                    self._child_steps[child] = f'{child.tag}[{position[child.tag]}]'
        return self._child_steps

    def child(self, tag: str) -> Element:
        """
        Return the first child with a tag.

        :raises DescriptionError: the element has no such child.
        """
        child = self.find(tag)
        if child is None:
            raise self.error(f'<{self.tag}> has no <{tag}>')
        return child

    def find_tag(self, tag: str) -> Element | None:
        """Return the first child whose tag is exactly this text, without XPath."""
        if tag.isidentifier():  # Such tags are no XPath, and found much faster.
            return self.find(tag)
        return next((child for child in self if child.tag == tag), None)

    def findall_tag(self, tag: str) -> list[Element]:
        """Return the children whose tag is exactly this text, without XPath."""
        return self.findall(tag) if tag.isidentifier() else [
            child for child in self if child.tag == tag]

    def with_ancestors(self) -> Iterator[Element]:
        """Yield the element and those around it, innermost first."""
        element: Element | None = self
        while element is not None:
            yield element
            element = element.parent

    @property
    def position(self) -> str:
        """Where it is written, in a message: ``on line 7``, or ``at robot.xacro:7``."""
        return f'on line {self.line}' if self.origin is None else f'at {self.origin.location}'

    def position_beside(self, other: Element) -> str:
        """Its source location, or its macro call if only that differs from the other."""
        mine, others = self.origin, other.origin
        if mine is not None and others is not None and mine.tag is others.tag:
            for call, another in zip(reversed(mine.calls), reversed(others.calls)):
                if call != another:
                    return f'by the call of a macro at {call}'
        return self.position

    def location(self, source: str, attribute: str | None = None) -> tuple[str, int, int]:
        """
        Return the file, line and column where it, or one of its attributes, is written.

        :param source: the file of the document, where it is not expanded from another one.
        """
        if self.origin is None:
            return source, self.line, self.column
        written = None if attribute is None else self.origin.attribute(attribute)
        return self.origin.location if written is None else written.location

    def error(self, message: str, hint: str = '') -> DescriptionError:
        """Return an exception that says what is wrong with this element, and where."""
        if self.origin is None:
            return DescriptionError(
                message, element=self.path, line=self.line, column=self.column, hint=hint)
        path, line, column = self.origin.location
        return DescriptionError(message, element=self.path, line=line, column=column, source=path,
                                text=self.origin.tag.file.excerpt(line),
                                hint=joined(hint, self.origin.chain()))

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickle and copy keep: all but the source in a xacro file."""
        state: dict[str, Any] = super().__getstate__()  # type: ignore[assignment]
        return state | {name: getattr(self, name) for name in _PLACE}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what :meth:`__getstate__` returned."""
        for name in _PLACE:
            setattr(self, name, state.pop(name))
        super().__setstate__(state)  # type: ignore[misc]  # Its stub lacks it.
        self.origin = self._child_steps = None

    __deepcopy__ = None  # type: ignore[assignment]  # Copies are made as pickle makes them.


class Comment(NamedTuple):
    """A comment, its source location, and the element around it (None outside the root)."""

    text: str
    line: int
    column: int
    parent: Element | None
