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

"""Descriptions of the elements and attributes of URDF and xacro, one or two sentences each."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import Tag
from urdf_tools.check.schema import TEXT
from urdf_tools.model.xml.syntax_tree import Node
import yaml

_TEXTS = yaml.safe_load((Path(__file__).parent / 'specification.yaml').read_bytes())

JOINT_TYPES: Mapping[str, str] = _TEXTS['joint types']

ELEMENTS: Mapping[str, str] = _TEXTS['elements']
"""Texts by ``parent/element``, or by ``element`` for any parent."""

ATTRIBUTES: Mapping[str, str] = _TEXTS['attributes']
"""Texts by ``element@attribute``."""

REFERENCES: Mapping[str, Any] = {
    attribute: kind for kind, attributes in _TEXTS['references'].items()
    for attribute in attributes}
"""The kind of the name in an attribute that refers to something, by ``element@attribute``."""


def own_parent(node: Node) -> Node | None:
    """Return the parent of an element after the expansion of xacro, if it is known."""
    return next((outer for outer in node.ancestors() if not outer.tag.startswith('xacro:')), None)


def definition(node: Node) -> Tag | None:
    """Return the definition of an element in its parent, or None if URDF does not define it."""
    outer = [each.tag for each in node.ancestors() if not each.tag.startswith('xacro:')]
    outermost, *path = (*reversed(outer), node.tag)
    tag = ROBOT if outermost == 'robot' else _ANYWHERE.get(outermost)
    for name in path:
        if tag is ROBOT and name not in ROBOT.children:
            tag = _ANYWHERE.get(name)  # A macro may hold a part of a link or a joint.
        elif tag is not None:
            tag = tag.children.get(name)
    return tag


def _definitions(tag: Tag) -> Iterator[tuple[str, Tag]]:
    for name, child in tag.children.items():
        if child is not None:
            yield name, child
            yield from _definitions(child)


_ANYWHERE = dict(reversed([*_definitions(ROBOT)]))
"""The first definition of each element, wherever it is."""


def element_text(name: str, parent: str = '') -> str:
    """Return what an element is; empty if that is unknown."""
    return ELEMENTS.get(f'{parent}/{name}') or ELEMENTS.get(name, '')


def attribute_text(element: str, name: str) -> str:
    """Return what an attribute is; empty if that is unknown."""
    return ATTRIBUTES.get(f'{element}@{name}', '')


def type_text(tag: Tag | None, name: str) -> str:
    """Return the type of an attribute, and whether it is required, in words."""
    if tag is None or name not in tag.attributes:
        return ''
    n = tag.attributes[name]
    kind = 'text' if n == TEXT else 'number' if n == 1 else f'{n} numbers'
    version = tag.added_in.get(name)
    return kind + (', required' if name in tag.required else '') + (
        f', since URDF {version[0]}.{version[1]}' if version else '')
