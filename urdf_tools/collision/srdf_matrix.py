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

"""The pairs that an SRDF file leaves out of collision checks, and their update in its text."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass

from urdf_tools.model.grouping import grouped
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import child_after
from urdf_tools.model.xml.editing import Edit
from urdf_tools.model.xml.editing import edited
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element

COMPUTED = frozenset(('Adjacent', 'Always', 'Default', 'Never'))
"""The reasons that MoveIt's assistant and this program write; others are the user's."""

_TAG = 'disable_collisions'


@dataclass(frozen=True)
class Pair:
    """
    Two links that have collision shapes.

    :ivar reason: why they can be left out, as in SRDF: Adjacent, Default, Always or Never; empty
        if they are to be checked.
    :ivar distance: the smallest that was found, in metres; zero if they touch.
    :ivar positions: variables that move one relative to the other, where that was found.
    :ivar samples: number of configurations at which they were compared.
    :ivar contacts: number of those in which they touch, where all of them were counted.
    """

    first: str
    second: str
    reason: str
    distance: float
    positions: Mapping[str, float]
    samples: int
    contacts: int

    @property
    def names(self) -> frozenset[str]:
        """The names of the links."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True)
class MatrixChange:
    """
    The change of a pair in the file.

    :ivar kind: ``added``, ``removed``, ``changed``, or ``kept`` by hand although the links touch.
    :ivar before: the reason in the file; empty if the pair is not in it, or has none.
    :ivar after: the reason that it gets; empty if it is removed.
    """

    kind: str
    pair: Pair
    before: str
    after: str


@dataclass(frozen=True)
class MatrixUpdate:
    """
    An SRDF file with its pairs brought up to date.

    :ivar changes: in the order of the description.
    """

    data: bytes
    changes: tuple[MatrixChange, ...]


def excluded_pairs(srdf: Element, links: Collection[str]) -> Iterator[frozenset[str]]:
    """
    Yield the pairs that an SRDF file excludes.

    :param srdf: its outermost element.
    :param links: those that have collision shapes.
    """
    enabled = {_names(each) for each in srdf.findall_tag('enable_collisions')}
    by_default = {each.get('link', '') for each in srdf.findall_tag('disable_default_collisions')}
    for pair in [_names(each) for each in srdf.findall_tag(_TAG)] + [
            frozenset((link, other)) for link in sorted(by_default) for other in sorted(links)]:
        if len(pair) == 2 and pair <= set(links) and pair not in enabled:
            yield pair


def new_matrix(robot: str) -> bytes:
    """Return an empty SRDF file."""
    line, = Tag('robot', {'name': robot}).lines()
    return f'<?xml version="1.0"?>\n{line}\n'.encode()


def update_matrix(document: Document, pairs: Iterable[Pair], with_default: bool) -> MatrixUpdate:
    """
    Update the pairs of an SRDF file; every other byte stays.

    Pairs whose reason is not a computed one are the user's, and stay as they are. So do those of
    links that have no collision shapes, or do not exist.

    :param with_default: whether pairs are added that touch at zero, but not always. Those that
        the file has stay in any case.
    :raises DescriptionError: the text is in an encoding that is not based on ASCII.
    """
    listed = grouped((_names(element), element) for element in document.root.findall_tag(_TAG))
    enabled = {_names(element) for element in document.root.findall_tag('enable_collisions')}
    edits: list[Edit] = []
    changes: list[MatrixChange] = []
    for pair in pairs:
        elements = listed.get(pair.names, ())
        if not elements:
            if pair.names not in enabled and pair.reason and (
                    with_default or pair.reason != 'Default'):
                changes.append(MatrixChange('added', pair, '', pair.reason))
            continue
        for element in elements:
            before = element.get('reason', '')
            if before not in COMPUTED:
                if not pair.reason:
                    changes.append(MatrixChange('kept', pair, before, before))
                break
            if before != pair.reason:
                change: AnyChange = (
                    SetAttribute(element, 'reason', pair.reason) if pair.reason
                    else RemoveElement(element))
                edits.append(change.edit(document.data))
                changes.append(MatrixChange(
                    'changed' if pair.reason else 'removed', pair, before, pair.reason))
    added = [change.pair for change in changes if change.kind == 'added']
    return MatrixUpdate(
        edited(document, [*edits, *_additions(document, added)]), tuple(changes))


def _names(element: Element) -> frozenset[str]:
    return frozenset((element.get('link1', ''), element.get('link2', '')))


def _additions(document: Document, added: Iterable[Pair]) -> list[Edit]:
    """Return the change that adds pairs after the existing ones, or at the end."""
    tags = tuple(Tag(_TAG, {'link1': pair.first, 'link2': pair.second, 'reason': pair.reason})
                 for pair in added)
    following = child_after(document.root, (_TAG,))
    return [AddElements(document.root, tags, following).edit(document.data)] if tags else []
