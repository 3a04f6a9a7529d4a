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

"""The report of a conversion: what becomes of each element and attribute of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from urdf_tools.findings.message import Message
from urdf_tools.model.loops import IN_FILE
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Visual
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.conversion import Conversion
from urdf_tools.programs.gazebo.extensions import KEEP_JOINT
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.ignored_parts import EMPTY
from urdf_tools.programs.gazebo.ignored_parts import ignored_in_extension
from urdf_tools.programs.gazebo.ignored_parts import ignored_in_robot
from urdf_tools.programs.gazebo.ignored_parts import KEPT
from urdf_tools.programs.gazebo.ignored_parts import LossReason
from urdf_tools.programs.gazebo.ignored_parts import MISPLACED
from urdf_tools.programs.gazebo.part_outcomes import PartOutcome
from urdf_tools.programs.gazebo.part_outcomes import PartOutcomes
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of

_OF_LUMPED_JOINT = ('origin', 'parent', 'child')


class Outcome(str, Enum):
    """What becomes of an element or attribute; the value is its name in reports."""

    KEPT = 'kept'
    CONVERTED = 'converted'
    MERGED = 'merged'
    RENAMED = 'renamed'
    IGNORED = 'ignored'
    DROPPED = 'dropped'


class Entry(NamedTuple):
    """
    What becomes of one element, or of one of its attributes.

    :param attribute: the attribute, or None for the element itself.
    :param becomes: path in the document, new name, or link that it is lumped into.
    :param why: why it is lost; empty if it is not.
    """

    element: Element
    attribute: str | None
    outcome: Outcome
    becomes: str = ''
    why: LossReason = KEPT

    @property
    def reason(self) -> str:
        """Why it is lost; empty if it is not."""
        return self.why.reason

    @property
    def hint(self) -> str:
        """What to do about the loss; empty if there is none."""
        return self.why.hint

    @property
    def path(self) -> str:
        """Path of the element or attribute in the source."""
        return self.element.path + ('' if self.attribute is None else f'/@{self.attribute}')


class ConversionReport:
    """What becomes of a robot in a conversion."""

    def __init__(self, conversion: Conversion):
        self.conversion = conversion
        self._written: dict[Item, Node] = {}
        document = conversion.document
        self._nodes = [] if document is None else list(document.iter())
        for node in self._nodes:
            for item in node.sources:
                self._written.setdefault(item, node)
        self._outcomes = PartOutcomes(conversion.model)
        self._holders: set[Element] = set()
        for element, _ in self._written:
            self._holders.update(takewhile(
                lambda each: each not in self._holders, element.with_ancestors()))

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """One entry for each element and for each attribute of the source, in its order."""
        return tuple(self._entry(item, part) for item, part in self._items())

    @cached_property
    def _paths(self) -> dict[Node, str]:
        """The path of each element below the root of the document, by names if there are any."""
        paths: dict[Node, str] = {}
        for node in self._nodes:
            above = f'{paths[node]}/' if node in paths else ''
            for child in node:
                name = child.attrib.get('name')
                paths[child] = above + (f'{child.tag}[{name}]' if name else child.tag)
        return paths

    @cached_property
    def counts(self) -> Counter[Outcome]:
        """Number of entries of each outcome."""
        return Counter(entry.outcome for entry in self.entries)

    @cached_property
    def losses(self) -> tuple[tuple[Entry, int], ...]:
        """The entries that are lost, each with the number of those below it for its reason."""
        tops: dict[Element | None, Entry] = {}
        below: dict[Entry, int] = {}
        for item, part in self._items():
            if item in self._written and part.loss is None:
                continue
            entry = self._entry(item, part)
            if entry.outcome not in (Outcome.IGNORED, Outcome.DROPPED):
                continue
            element = entry.element
            top = tops.get(element.parent if entry.attribute is None else element)
            if top is None or top.reason != entry.reason:
                top = entry
                below[top] = -1
            below[top] += 1
            if entry.attribute is None:
                tops[element] = top
        return tuple(below.items())

    def _items(self) -> Iterator[tuple[Item, PartOutcome]]:
        """Yield each element and attribute, with the outcome of the part that contains it."""
        root = self.conversion.model.element
        yield from ((item, PartOutcome()) for item in items_of(root, *root.attrib))
        loops = [loop.element for loop in self.conversion.robot.loops if (
            loop.element is not None and loop.element.parent is not None
            and loop.element.parent.tag == IN_FILE)]
        for child in (*root, *loops):
            part = PartOutcome() if self.conversion.refusals else self._outcomes.of(child)
            for element in child.iter():
                for item in items_of(element, *element.attrib):
                    yield item, part

    def _entry(self, item: Item, part: PartOutcome) -> Entry:
        element, attribute = item
        node = self._written.get(item)
        if self.conversion.refusals:
            refusal = self.conversion.refusals[0]
            return Entry(*item, Outcome.DROPPED, why=LossReason(
                Message('libsdformat refuses the description: {reason}',
                        reason=refusal.message), refusal.hint))
        if attribute is None and element.parent is None:
            return Entry(element, None, Outcome.CONVERTED, 'model')
        if part.loss is not None and element.tag != 'gazebo' and part.is_for is None:
            # A frame attached to a dropped link is useless.
            return Entry(*item, Outcome.DROPPED, why=part.loss)
        if attribute == 'reference' and part.merged_into and element.tag == 'gazebo':
            return Entry(element, attribute, Outcome.RENAMED, part.merged_into)
        if node is not None:
            return self._of_written(item, node, part)
        if part.merged_into and _is_part_of_lumped(element):
            return Entry(element, attribute, Outcome.MERGED, f'link[{part.merged_into}]')
        if self._sets_lumping(element, part):
            return Entry(element, attribute, Outcome.CONVERTED, 'joint')
        is_reference = attribute == 'reference' and element.tag == 'gazebo'
        if (attribute is None or is_reference) and element in self._holders:
            if part.merged_into:
                return Entry(element, None, Outcome.MERGED, f'link[{part.merged_into}]')
            return Entry(element, attribute, Outcome.CONVERTED)
        if part.loss is not None:
            return Entry(*item, Outcome.DROPPED, why=part.loss)
        return Entry(*item, Outcome.IGNORED, why=part.ignored or self._why_ignored(item, part))

    def _of_written(self, item: Item, node: Node, part: PartOutcome) -> Entry:
        element, attribute = item
        path = self._paths.get(node, '')
        if node.is_copy:
            same = (node.attrib.get(attribute) == element.get(attribute) if attribute
                    else (node.text or '').strip() == (element.text or '').strip())
            return Entry(element, attribute, Outcome.KEPT if same else Outcome.CONVERTED, path)
        if attribute == 'name' and node.tag != 'frame':
            name = node.attrib.get('name', '')
            same = name == element.get('name')
            return Entry(element, attribute, Outcome.KEPT if same else Outcome.RENAMED, name)
        if part.merged_into and attribute != 'name':
            return Entry(element, attribute, Outcome.MERGED, path)
        if attribute == 'link' and node.text != element.get('link'):
            return Entry(element, attribute, Outcome.RENAMED, node.text or '')
        return Entry(element, attribute, Outcome.CONVERTED, path)

    def _why_ignored(self, item: Item, part: PartOutcome) -> LossReason:
        element, attribute = item
        gazebo = next((each for each in element.with_ancestors() if each.tag == 'gazebo'), None)
        is_read = attribute is not None and (element, None) in self._written
        if gazebo is element and len(element) == 0:
            return EMPTY
        if gazebo is None or gazebo is element:
            return ignored_in_robot(element, attribute, is_read)
        if element in self.conversion.model.extensions.misplaced:
            return MISPLACED
        return ignored_in_extension(
            element, gazebo, part.is_for, *self._shapes_for(element, gazebo, part))

    def _shapes_for(
            self, element: Element, gazebo: Element, part: PartOutcome) -> tuple[bool, bool]:
        """Return whether a link has shapes for a setting, and whether it affects any."""
        link = self.conversion.robot.links.get(gazebo.get('reference', ''))
        if link is None:
            return False, False
        shapes: tuple[Visual | Collision, ...] = (
            link.visuals if element.tag in ('visual', 'material') else link.collisions)
        return bool(shapes), any(
            not shape.name or not part.merged_into and shape.name.startswith(link.name)
            for shape in shapes)

    def _sets_lumping(self, element: Element, part: PartOutcome) -> bool:
        """Return whether an element, below the <gazebo> of a kept fixed joint, preserves it."""
        gazebo = element.parent
        extensions = self.conversion.model.extensions
        return (gazebo is not None and gazebo.tag == 'gazebo' and element.tag in KEEP_JOINT
                and part.is_for is Scope.JOINT and part.loss is None
                and (gazebo.get('reference') in extensions.preserved
                     or gazebo.get('reference') in extensions.revolute))


def _is_part_of_lumped(element: Element) -> bool:
    """Return whether an element is a lumped link or joint, or a part that lumping uses."""
    if element.tag in ('link', 'joint'):
        return True
    parent = element.parent
    return parent is not None and parent.tag == 'joint' and (
        element.tag in _OF_LUMPED_JOINT and parent.find(element.tag) is element)
