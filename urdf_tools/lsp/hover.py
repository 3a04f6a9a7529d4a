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

"""What the element, attribute or name under the cursor is, and the values of expressions."""

from __future__ import annotations

from collections.abc import Sequence
import os

from lsprotocol import types

from urdf_tools.lsp.cursor import Cursor
from urdf_tools.lsp.cursor import cursor_at
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.name_roles import parameters
from urdf_tools.lsp.name_roles import role_of
from urdf_tools.lsp.name_roles import substitution_at
from urdf_tools.lsp.name_roles import word_at
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.specification import attribute_text
from urdf_tools.lsp.specification import definition
from urdf_tools.lsp.specification import element_text
from urdf_tools.lsp.specification import JOINT_TYPES
from urdf_tools.lsp.specification import own_parent
from urdf_tools.lsp.specification import type_text
from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.syntax_tree import Node

_MAX_LENGTH = 200


def hover(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> types.Hover | None:
    """
    Return the text to show at an offset, or None.

    :param robots: what the file was expanded to, for the values of expressions.
    """
    cursor = cursor_at(source, offset)
    if cursor is None or cursor.node is None or cursor.part == 'content':
        return None
    if cursor.attribute is None:
        parts = _element(project, source, cursor.node)
    else:
        parts = _attribute(cursor.node, cursor.attribute.name)
        if cursor.part == 'value':
            parts += _value(project, source, cursor, offset)
            parts += _expanded_values(source, robots, cursor.node, cursor.attribute.name)
    if not parts:
        return None
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, '\n\n'.join(parts)),
        source.positions.range(cursor.start, cursor.end))


def _element(project: Project, source: Source, node: Node) -> list[str]:
    parent = own_parent(node)
    text = element_text(node.tag, '' if parent is None else parent.tag)
    if not text and node.tag.startswith('xacro:'):
        return _macro(project, source, node.tag[6:])
    tag = definition(node)
    if not text:
        return []
    parts = [f'**<{node.tag}>** {text}']
    if tag is not None and tag.attributes:
        parts.append('\n'.join(
            f'- `{name}` ({type_text(tag, name)}): {attribute_text(node.tag, name)}'
            for name in tag.attributes))
    if tag is not None and tag.children:
        parts.append('Contains ' + ', '.join(
            f'`<{name}>`' + (' (required)' if name in tag.required else '')
            for name in tag.children))
    return parts


def _macro(project: Project, source: Source, name: str) -> list[str]:
    for other, named in project.definitions(source, 'macro'):
        if named.attribute.value == name:
            given = ' '.join(stars + parameter for stars, parameter in parameters(named.node))
            line = other.positions.position(named.node.start).line + 1
            return [f'**xacro macro** `{_code(name)}({_code(given)})`, defined in '
                    f'{_code(os.path.basename(other.path))}:{line}']
    return []


def _attribute(node: Node, name: str) -> list[str]:
    text = attribute_text(node.tag, name)
    kind = type_text(definition(node), name)
    if not (text or kind):
        return []
    return [f'**{name}** of `<{node.tag}>`' + (f' ({kind})' if kind else '') + f': {text}']


def _value(project: Project, source: Source, cursor: Cursor, offset: int) -> list[str]:
    assert cursor.attribute is not None and cursor.node is not None
    value = cursor.attribute.value
    inside = offset - cursor.attribute.value_start
    opening, content, start = substitution_at(value, inside)
    if opening:
        return _substitution(project, source, opening, content, inside - start)
    if cursor.node.tag == 'joint' and cursor.attribute.name == 'type' and value in JOINT_TYPES:
        return [f'`{value}`: {JOINT_TYPES[value]}']
    role = role_of(cursor.node, cursor.attribute.name)
    if role is not None and not role.defines:
        for other, named in project.definitions(source, role.kind):
            if named.attribute.value == value:
                line = other.positions.position(named.node.start).line + 1
                return [f'{named.role.kind.capitalize()} `{_code(value)}`, defined in '
                        f'{_code(os.path.basename(other.path))}:{line}']
    return []


def _substitution(
        project: Project, source: Source, opening: str, content: str, inside: int) -> list[str]:
    if opening == '$(':
        words = content.split()
        if len(words) == 2 and words[0].startswith('find'):
            folder = project.resolver(source).find_package(words[1])
            return [f'`{_code(words[1])}`: {folder or "package not found"}']
        kind, name = 'arg', words[-1] if words else ''
    else:
        kind, name = 'property', word_at(content, inside)[0]
    found = []
    for other, named in project.definitions(source, 'arg' if kind == 'arg' else 'property'):
        if named.attribute.value == name:
            line = other.positions.position(named.node.start).line + 1
            raw = named.node.get('value') or named.node.get('default')
            found.append(f'{kind} `{_code(name)}` = `{_code(raw)}` in '
                         f'{_code(os.path.basename(other.path))}:{line}')
    return found[:MAX_LISTED]


def _expanded_values(
        source: Source, robots: Sequence[ExpandedRobot], node: Node, name: str) -> list[str]:
    attribute = node.attribute(name)
    if attribute is None or '$' not in attribute.value:
        return []
    values: dict[str, list[str]] = {}
    for robot in robots:
        for value, owner in robot.values(source, node.start, name):
            values.setdefault(value, []).append(owner)
    lines = []
    for value, owners in list(values.items())[:MAX_LISTED]:
        names = list(dict.fromkeys(owners))
        shown = ', '.join(map(_code, names[:3]))
        more = f' and {count(len(names) - 3, "other")}' if len(names) > 3 else ''
        lines.append(f'- `{_code(value)}` for {shown}{more}')
    if len(values) > MAX_LISTED:
        lines.append(f'- and {count(len(values) - MAX_LISTED, "other value")}')
    return ['Expands to\n' + '\n'.join(lines)] if lines else []


def _code(text: str) -> str:
    """Return a text from a file so that it cannot end the code span that it is put into."""
    shown = ' '.join(text.replace('`', "'").split())
    return shown if len(shown) <= _MAX_LENGTH else shown[:_MAX_LENGTH - 3] + '...'
