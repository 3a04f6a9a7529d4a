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

"""Inlay hints: values of expressions and numbers of instances."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import re

from lsprotocol import types

from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.expressions import outermost
from urdf_tools.lsp.expressions import pattern_of
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.specification import macro_around
from urdf_tools.model.xml.syntax_tree import Attribute
from urdf_tools.model.xml.syntax_tree import Node

_MAX_HINTS = 1000
_MAX_LENGTH = 30
_MAX_VALUES = 3


def inlay_hints(
        source: Source, robots: Sequence[ExpandedRobot], start: int, end: int
        ) -> list[types.InlayHint]:
    """
    Return the hints between two offsets.

    :param robots: what the file was expanded to.
    """
    found: list[types.InlayHint] = []
    for node in source.tree.nodes:
        if node.start < end and node.tag_end > start and len(found) < _MAX_HINTS:
            found += _instances(source, robots, node)
            for attribute in node.attributes:
                if '${' in attribute.value:
                    found += _values(source, robots, node, attribute)
    return found


def _instances(
        source: Source, robots: Sequence[ExpandedRobot], node: Node) -> Iterator[types.InlayHint]:
    named = node.attribute('name')
    if named is None:
        return
    if node.tag == 'xacro:macro':
        numbers = {len(robot.calls.get(named.value, ())) for robot in robots}
    elif node.tag in ('link', 'joint') and macro_around(node) is not None:
        numbers = {len(robot.expanded_from(source, node.start)) for robot in robots}
    else:
        return
    shown = [str(number) for number in sorted(numbers - {0})]
    if shown:
        label = shown[0] if len(shown) == 1 else f'{shown[0]}-{shown[-1]}'
        yield _hint(source, named.value_end + 1, f'\N{MULTIPLICATION SIGN}{label}')


def _values(
        source: Source, robots: Sequence[ExpandedRobot], node: Node, attribute: Attribute
        ) -> Iterator[types.InlayHint]:
    values = dict.fromkeys(
        value for robot in robots
        for value, _ in robot.values(source, node.start, attribute.name))
    pattern = pattern_of(attribute.value, '(.*?)')
    parts = [match.groups() for value in values if (match := re.fullmatch(pattern, value))]
    for number, each in enumerate(
            outermost(source.text, attribute.value_start, attribute.value_end)):
        expression = source.text[each.start:each.end].strip()
        if each.opening != '${' or source.text[each.end:each.end + 1] != '}':
            continue
        shown = list(dict.fromkeys(_short(part[number]) for part in parts))
        if shown and shown != [expression]:
            more = ', ...' if len(shown) > _MAX_VALUES else ''
            yield _hint(source, each.end + 1, f'= {", ".join(shown[:_MAX_VALUES])}{more}')


def _short(value: str) -> str:
    """Return a value as text: numbers with five digits."""
    try:
        return f'{float(value):.5g}'
    except ValueError:
        text = ' '.join(value.split()) or "''"
        return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH - 3] + '...'


def _hint(source: Source, offset: int, label: str) -> types.InlayHint:
    return types.InlayHint(source.positions.position(offset), label, padding_left=True)
