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
"""What the elements and attributes of URDF and xacro are, and which names they define or use."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
import re
from typing import Any
from typing import Literal
from typing import NamedTuple

from urdf_tools.check.schema import ROBOT
from urdf_tools.check.schema import Tag
from urdf_tools.check.schema import TEXT
from urdf_tools.lsp.expressions import substitutions
from urdf_tools.model.xml.element_sources import PARAMETER
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import Node
import yaml

TABLES: Mapping[str, Any] = yaml.safe_load(
    Path(__file__).with_name('specification.yaml').read_bytes())
"""Tables and texts of the language server."""

JOINT_TYPES: Mapping[str, str] = TABLES['joint types']

ELEMENTS: Mapping[str, str] = TABLES['elements']
"""Texts by ``parent/element``, or by ``element`` for any parent."""

ATTRIBUTES: Mapping[str, str] = TABLES['attributes']
"""Texts by ``element@attribute``."""

REFERENCES: Mapping[str, Any] = {
    attribute: kind for kind, attributes in TABLES['references'].items()
    for attribute in attributes}
"""The kind of the name in an attribute that refers to something, by ``element@attribute``."""

Kind = Literal['link', 'joint', 'material', 'macro', 'property', 'arg', 'link or joint']

SYMBOLS: tuple[Kind, ...] = ('macro', 'property', 'arg')
"""The kinds of names that xacro looks up."""

_JOINT_USERS = {'transmission', 'ros2_control', 'group', 'group_state'}
"""Elements whose joints are defined elsewhere, also those of SRDF."""

_ONE_SYMBOL = re.compile(r'\s*(\$\{\s*\w+\s*\}|\$\(arg\s+\S+\))\s*')


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


class Role(NamedTuple):
    """The kind of a name in an attribute, and whether the attribute defines it."""

    kind: Kind
    defines: bool


def role_of(node: Node, attribute: str) -> Role | None:
    """Return the role of the name of a link, joint or material in an attribute, or None."""
    name = node.tag
    if attribute != 'name' or name not in ('link', 'joint', 'material'):
        kind = REFERENCES.get(f'{name}@{attribute}')
        return None if kind is None else Role(kind, False)
    around = {outer.tag for outer in node.ancestors()}
    if 'gazebo' in around:
        return None
    if name == 'link':
        return Role('link', 'group' not in around)
    if name == 'joint':
        return Role('joint', not around & _JOINT_USERS)
    parent = own_parent(node)
    in_visual = parent is not None and parent.tag == 'visual'
    return Role('material', bool(node.children) or not in_visual)


def is_one_symbol(value: str) -> bool:
    """Return whether a value is that of one symbol, as in ``${name}``."""
    return _ONE_SYMBOL.fullmatch(value) is not None


def fits(kind: Kind, other: Kind) -> bool:
    """Return whether a name of one kind may also be of another kind."""
    return kind == other or (
        'link or joint' in (kind, other) and {kind, other} <= {'link', 'joint', 'link or joint'})


def macro_around(node: Node) -> Node | None:
    """Return the definition of the macro that an element is in, or None."""
    return next((outer for outer in node.ancestors() if outer.tag == 'xacro:macro'), None)


def parameters(macro: Node) -> list[tuple[str, str]]:
    """Return the parameters of a macro: ``*``, ``**`` or nothing, and the name."""
    return [(match[1], match[2]) for match in parameter_matches(macro)]


def signature(macro: Node) -> str:
    """Return a macro with its parameters as in a call."""
    given = ' '.join(stars + parameter for stars, parameter in parameters(macro))
    return f'{macro.get("name")}({given})'


def parameter_matches(macro: Node) -> Iterator[re.Match[str]]:
    """Yield the parameters of a macro in ``params``: stars, name, ``^``, default."""
    return PARAMETER.finditer(macro.get('params'))


def parameter_defaults(macro: Node) -> list[tuple[str, str, int]]:
    """Return parameters of a macro with their defaults, and the offset of these in ``params``."""
    found = []
    for match in parameter_matches(macro):
        if match[4]:
            quoted = len(match[4]) > 1 and match[4][0] in '\'"' and match[4][-1] == match[4][0]
            found.append((match[2], match[4][1:-1] if quoted else match[4],
                          match.start(4) + quoted))
    return found


def substitution_at(text: str, offset: int) -> tuple[str, str, int]:
    """
    Return the substitution around an offset in a value.

    :return: ``${`` or ``$(``, its content and the offset of the content; empty outside of one.
    """
    around = [each for each in substitutions(text, 0, len(text))
              if each.start <= offset <= each.end]
    if not around:
        return '', '', offset
    opening, start, end = around[-1]
    return opening, text[start:end], start


def package_at(attribute: Attribute, offset: int) -> str:
    """Return the package of a ``$(find PACKAGE)`` around an offset in a text; empty if none is."""
    opening, content, _ = substitution_at(attribute.value, offset - attribute.value_start)
    words = content.split()
    is_found = opening == '$(' and len(words) == 2 and words[0].startswith('find')
    return words[1] if is_found else ''
