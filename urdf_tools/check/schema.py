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

"""The grammar of URDF: its elements, where they may be, their attributes and types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from functools import cached_property
from functools import lru_cache
import json
from pathlib import Path
from typing import Any

from urdf_tools.findings.finding import Fix
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import RenameElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

TEXT = 0
"""The type of an attribute that holds any text; other types are the number of numbers."""


@dataclass(frozen=True)
class Tag:
    """
    The definition of an element in URDF, for one kind of parent.

    :param attributes: name of each attribute to its type.
    :param children: tag of each child to its definition; None allows any content.
    :param required: the required attributes and children.
    :param many: the children that may occur more than once.
    :param added_in: attributes and children newer than URDF 1.0, to the version that added them.
    """

    attributes: Mapping[str, int] = field(default_factory=dict)
    children: Mapping[str, Tag | None] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    many: tuple[str, ...] = ()
    added_in: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The names of all attributes and children."""
        return *self.attributes, *self.children

    def closest(self, word: str) -> str | None:
        """Return the attribute or child that a misspelled word probably meant, or None."""
        return _closest_alike(word, self.words)


@lru_cache(maxsize=4096)
def _closest_alike(word: str, known: tuple[str, ...]) -> str | None:
    alike = [name for name in known if name[0] == word[0] or name[-1] == word[-1]]
    return closest(word, alike, 0.66) if alike else None


_GRAMMAR: dict[str, Any] = json.loads(Path(__file__).with_name('schema.json').read_bytes())
"""Definitions by the names that children refer to; ``added_in`` is the minor version of URDF."""


def _tag(given: Any) -> Tag:
    """Return a definition in the file: of one element, or by the name that several refer to."""
    given = _GRAMMAR[given] if isinstance(given, str) else given
    return Tag(
        given.get('attributes', {}), {
            tag: None if each is None else _tag(each)
            for tag, each in given.get('children', {}).items()},
        tuple(given.get('required', ())), tuple(given.get('many', ())),
        {name: (1, minor) for name, minor in given.get('added_in', {}).items()})


ROBOT = _tag('robot')
"""The outermost element."""

TRANSMISSION = _tag('transmission')
"""A ``<transmission>`` of ROS; each program may define further elements in it."""

SHAPES: Mapping[str, Tag] = {
    tag: _tag(each) for tag, each in _GRAMMAR['geometry']['children'].items()}
"""The children of ``<geometry>``, which must have exactly one."""

READERS: Mapping[tuple[str, str], str] = {
    (parent, name): reader for parent, readers in _GRAMMAR['readers'].items()
    for name, reader in readers.items()}
"""
Parent or element, and the element or attribute in it that URDF does not define, to its reader.

The evidence of the rule unknown-element names the sources.
"""


TABLES: Mapping[str, Any] = json.loads(Path(__file__).with_name('tables.json').read_bytes())
"""Names that rules know, by their tables; the constants made of them say what is in each."""


def is_foreign(name: str) -> bool:
    """Return whether a tag or attribute has a namespace prefix, and so is not part of URDF."""
    return ':' in name or name == 'xmlns'


def is_robot_origin(element: Element) -> bool:
    """Return whether an element is the <origin> of the robot, which only Gazebo reads."""
    return (element.tag == 'origin' and element.parent is not None
            and element.parent.parent is None)


def definition(element: Element) -> Tag:
    """Return the definition of an element of URDF or in a <transmission>; else an empty one."""
    if element.parent is None:
        return ROBOT
    if element.tag == 'transmission' and element.parent.parent is None:
        return TRANSMISSION
    return definition(element.parent).children.get(element.tag) or Tag()


def misspelling(element: Element, name: str) -> dict[str, Any]:
    """
    Return the options of a defect if a missing name was misspelled.

    :param name: the missing attribute or child.
    """
    tag = definition(element)
    is_attribute = name in tag.attributes
    wrong = next((
        word for word in (element.attrib if is_attribute else (child.tag for child in element))
        if word not in tag.words and not is_foreign(word) and tag.closest(word) == name), None)
    if wrong is None:
        return {}
    written: dict[str, Any] = {'missing': name, 'written': wrong}
    if is_attribute:
        return {'hint': 'Write {missing}= for {written}=', **written,
                'fix': respelled(element, wrong, name)}
    child = element.find_tag(wrong)
    assert child is not None
    return {'hint': 'Write <{missing}> for <{written}>', **written, 'at': child,
            'fix': renamed(child, name)}


def respelled(element: Element, wrong: str, name: str | None) -> Fix:
    """Return the fix of an attribute whose name is another one with a typing error, if it is."""
    is_certain = name is not None and Spelling((name,)).near(wrong)
    return (SetAttribute(element, name, element.get(wrong, ''), wrong),) if (
        name and is_certain) else ()


def renamed(element: Element, tag: str | None) -> Fix:
    """Return the fix of an element whose tag is another one with a typing error, if it is."""
    return (RenameElement(element, tag),) if (
        tag and Spelling((tag,)).near(element.tag)) else ()
