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

"""Texts at elements, attributes and names, and the values of expressions."""

from __future__ import annotations

from collections.abc import Sequence
import os

from lsprotocol import types

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.occurrences import definitions_of
from urdf_tools.lsp.occurrences import index_near
from urdf_tools.lsp.occurrences import name_at
from urdf_tools.lsp.occurrences import Occurrence
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Cursor
from urdf_tools.lsp.source_text import cursor_at
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import attribute_text
from urdf_tools.lsp.specification import definition
from urdf_tools.lsp.specification import element_text
from urdf_tools.lsp.specification import JOINT_TYPES
from urdf_tools.lsp.specification import own_parent
from urdf_tools.lsp.specification import package_at
from urdf_tools.lsp.specification import parameter_defaults
from urdf_tools.lsp.specification import signature
from urdf_tools.lsp.specification import type_text
from urdf_tools.lsp.symbol_uses import Use
from urdf_tools.model.grouping import grouped
from urdf_tools.model.messages import count
from urdf_tools.model.messages import MAX_LISTED
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import shortened
from urdf_tools.model.xml.syntax_tree import Node

_MAX_LENGTH = 200
_EMPTY = "''"


def hover(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], offset: int
        ) -> types.Hover | None:
    """
    Return the text to show at an offset, or None.

    :param robots: what the file was expanded to, for the values of expressions.
    """
    cursor = cursor_at(source, offset)
    if cursor is None:
        return None
    if cursor.part == 'content':
        parts = _definitions(project, source, offset)
    elif cursor.attribute is None:
        parts = _element(project, source, cursor.node)
    else:
        parts = _attribute(cursor.node, cursor.attribute.name)
        if cursor.part == 'value':
            parts += _value(project, source, cursor, offset)
            parts += _expanded_values(source, robots, cursor.node, cursor.attribute.name)
        else:
            parts += _definitions(project, source, offset)
    if not parts:
        return None
    return types.Hover(
        types.MarkupContent(types.MarkupKind.Markdown, '\n\n'.join(parts)),
        source.positions.range(cursor.start, cursor.end))


def _element(project: Project, source: Source, node: Node) -> list[str]:
    parent = own_parent(node)
    text = element_text(node.tag, '' if parent is None else parent.tag)
    if not text and node.tag.startswith('xacro:'):
        return _definitions(project, source, node.name_end)
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


def _attribute(node: Node, name: str) -> list[str]:
    text = attribute_text(node.tag, name)
    kind = type_text(definition(node), name)
    if not (text or kind):
        return []
    return [f'**{name}** of `<{node.tag}>`' + (f' ({kind})' if kind else '') + f': {text}']


def _value(project: Project, source: Source, cursor: Cursor, offset: int) -> list[str]:
    assert cursor.attribute is not None
    value = cursor.attribute.value
    package = package_at(cursor.attribute, offset)
    if package:
        folder = project.resolver(source).find_package(package)
        return [f'`{_code(package)}`: {folder or "package not found"}']
    if cursor.node.tag == 'joint' and cursor.attribute.name == 'type' and value in JOINT_TYPES:
        return [f'`{value}`: {JOINT_TYPES[value]}']
    return _definitions(project, source, offset)


def _definitions(project: Project, source: Source, offset: int) -> list[str]:
    """Return how the name at an offset is defined."""
    name = name_at(project, source, offset)
    if name is None:
        return []
    written = definitions_of(index_near(project, source, name), name)
    if name.is_symbol:
        return [_definition(name, each) for each in written[:MAX_LISTED]]
    others = [each for each in written if (each.source, each.use.start) != (source, name.start)]
    if '$' in name.name and len(others) < len(written):
        return []  # What the expressions of other macros make is another name.
    return [_definition(name, each) for each in others[:1]]


def _definition(use: Use, occurrence: Occurrence) -> str:
    node = occurrence.source.tree.tag_at(occurrence.use.start)
    line = occurrence.source.positions.position(occurrence.use.start).line + 1
    where = f'{_code(os.path.basename(occurrence.source.path))}:{line}'
    name = _code(use.name)
    if node is None or not use.is_symbol:
        return f'{use.kind.capitalize()} `{name}`, defined in {where}'
    if use.kind == 'macro':
        return f'**xacro macro** `{_code(signature(node))}`, defined in {where}'
    if node.tag == 'xacro:macro':
        default = {name: text for name, text, _ in parameter_defaults(node)}.get(use.name)
        otherwise = '' if default is None else f', by default `{_code(default) or _EMPTY}`'
        return f'parameter of `{_code(signature(node))}` in {where}{otherwise}'
    raw = _code(node.get('value') or node.get('default'))
    value = f' = `{raw}`' if raw else ''
    return f'{use.kind} `{name}`{value} in {where}'


def _expanded_values(
        source: Source, robots: Sequence[ExpandedRobot], node: Node, name: str) -> list[str]:
    attribute = node.attribute(name)
    if attribute is None or '$' not in attribute.value:
        return []
    values = grouped(
        pair for robot in robots for pair in robot.values(source, node.start, name))
    lines = []
    for value, owners in list(values.items())[:MAX_LISTED]:
        names = name_list([*map(_code, dict.fromkeys(owners))])
        lines.append(f'- `{_code(value)}` for {names}')
    if len(values) > MAX_LISTED:
        lines.append(f'- and {count(len(values) - MAX_LISTED, "other value")}')
    return ['Expands to\n' + '\n'.join(lines)] if lines else []


def _code(text: str) -> str:
    """Return a text escaped for a Markdown code span."""
    return shortened(' '.join(text.replace('`', "'").split()), _MAX_LENGTH)
