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

"""The values of expressions, and the numbers of instances, to show in the text."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence
import re

from lsprotocol import types

from urdf_tools.lsp.constants import Constants
from urdf_tools.lsp.expanded_robot import ExpandedRobot
from urdf_tools.lsp.expressions import Substitution
from urdf_tools.lsp.expressions import substitutions
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.project import Source
from urdf_tools.lsp.symbol_index import SymbolIndex
from urdf_tools.model.syntax_tree import Attribute
from urdf_tools.model.syntax_tree import Node

_MAX_HINTS = 1000
_MAX_LENGTH = 30
_MAX_VALUES = 3


def inlay_hints(
        project: Project, source: Source, robots: Sequence[ExpandedRobot], start: int, end: int
        ) -> list[types.InlayHint]:
    """
    Return the hints between two offsets.

    :param robots: what the file was expanded to; without, only sums and the like have values.
    """
    if not source.is_xacro:
        return []
    constants = Constants(SymbolIndex(project.expanded_with(source)))
    found: list[types.InlayHint] = []
    for node in source.tree.nodes:
        if node.start < end and node.tag_end > start and len(found) < _MAX_HINTS:
            found += _instances(source, robots, node)
            for attribute in node.attributes:
                if '${' in attribute.value:
                    found += _values(source, robots, constants, node, attribute)
    return found


def _instances(
        source: Source, robots: Sequence[ExpandedRobot], node: Node) -> Iterator[types.InlayHint]:
    named = node.attribute('name')
    if named is None:
        return
    if node.tag == 'xacro:macro':
        numbers = {robot.calls_of(named.value) for robot in robots}
    elif node.tag in ('link', 'joint') and any(
            outer.tag == 'xacro:macro' for outer in node.ancestors()):
        numbers = {robot.instances(source, node.start) for robot in robots}
    else:
        return
    shown = [str(number) for number in sorted(numbers - {0})]
    if shown:
        label = shown[0] if len(shown) == 1 else f'{shown[0]}-{shown[-1]}'
        yield _hint(source, named.value_end + 1, f'\N{MULTIPLICATION SIGN}{label}')


def _values(
        source: Source, robots: Sequence[ExpandedRobot], constants: Constants, node: Node,
        attribute: Attribute) -> Iterator[types.InlayHint]:
    value_start, value_end = attribute.value_start, attribute.value_end
    outermost: list[Substitution] = []
    for each in substitutions(source.text, value_start, value_end):
        if not outermost or each.start > outermost[-1].end:
            outermost.append(each)
    values = dict.fromkeys(
        value for robot in robots
        for value, _ in robot.values(source, node.start, attribute.name))
    pattern, position = '', value_start
    for each in outermost:
        pattern += re.escape(source.text[position:each.start - 2]) + '(.*?)'
        position = each.end + 1
    pattern += re.escape(source.text[position:value_end])
    parts = [match.groups() for value in values if (match := re.fullmatch(pattern, value))]
    for number, each in enumerate(outermost):
        expression = source.text[each.start:each.end].strip()
        if each.opening != '${' or source.text[each.end:each.end + 1] != '}':
            continue
        shown = list(dict.fromkeys(_short(part[number]) for part in parts))
        if not shown and (constant := constants.value_at(source, each)) is not None:
            shown = [_short(str(constant))]
        if shown and shown != [expression]:
            more = ', ...' if len(shown) > _MAX_VALUES else ''
            yield _hint(source, each.end + 1, f'= {", ".join(shown[:_MAX_VALUES])}{more}')


def _short(value: str) -> str:
    """Return a value as it is shown: numbers with five digits."""
    try:
        return f'{float(value):.5g}'
    except ValueError:
        text = ' '.join(value.split())
        return text if len(text) <= _MAX_LENGTH else text[:_MAX_LENGTH - 3] + '...'


def _hint(source: Source, offset: int, label: str) -> types.InlayHint:
    return types.InlayHint(source.positions.position(offset), label, padding_left=True)
