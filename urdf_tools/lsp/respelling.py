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

"""The edits that write what was probably meant, for findings that ask "Did you mean ...?"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
import re

from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Reference
from urdf_tools.lsp.live_checks import LocatedFinding
from urdf_tools.lsp.live_checks import TextEdit
from urdf_tools.lsp.project import Source
from urdf_tools.model.messages import quote
from urdf_tools.model.syntax_tree import Node

_NAMES = re.compile(r'\$\(find[\w-]*\s+([^\s)]+)\)|(?<![\w.])[^\W\d]\w*(?=[^{}]*\})')
"""A package that an attribute names, or a name in one of its expressions."""

_NOT_WRITTEN = frozenset('<&"\'')


def respelled(source: Source, found: LocatedFinding) -> tuple[str, tuple[TextEdit, ...]] | None:
    """Return the title and the edits that write what a finding takes to be meant, or None."""
    finding = found.finding
    hint = finding.hint
    meant = (hint.arguments.get('suggestion') or hint.arguments.get('meant')
             if isinstance(hint, Message) else None)
    node = source.tree.tag_at(found.element + 1)
    if not isinstance(meant, str) or node is None or _NOT_WRITTEN & set(meant):
        return None
    arguments = [value for value in finding.arguments.values()
                 if isinstance(value, str) and value != meant]
    names = {str(value) for value in arguments if isinstance(value, Name)}
    words = {*map(str, arguments)}
    # Of a name that is only in a description of the element, that is what does not exist.
    described = set() if names else {
        name for value in arguments if isinstance(value, Reference) for name in value.names}
    places = next(chain(_places(source, node, names, words),
                        _places(source, node, described, set())), None)
    if places is None:
        return None
    written = source.text[slice(*places[0])]
    return (f'Change {quote(written, 80)} to {quote(meant, 80)}',
            tuple(TextEdit(start, end, meant) for start, end in places))


def _places(source: Source, node: Node, names: set[str], words: set[str]
            ) -> Iterator[list[tuple[int, int]]]:
    """Yield where a name is written, as a value or text, or a word, as an attribute or tag."""
    for attribute in node.attributes:
        if attribute.value in names and attribute.value_start >= 0:
            yield [(attribute.value_start, attribute.value_end)]
    for attribute in node.attributes:
        found = [match.span(match.lastindex or 0) for match in _NAMES.finditer(attribute.value)
                 if match[match.lastindex or 0] in names]
        if found:
            yield [(attribute.value_start + start, attribute.value_start + end)
                   for start, end in found]
    for attribute in node.attributes:
        if attribute.name in words:
            yield [(attribute.start, attribute.name_end)]
    if node.close >= 0 and not node.children:
        text = source.text[node.tag_end:node.close]
        if text.strip() in names:
            start = node.tag_end + len(text) - len(text.lstrip())
            yield [(start, start + len(text.strip()))]
    if node.tag in words:
        yield [(node.start + 1, node.name_end), *(
            [(node.close + 2, node.close + 2 + len(node.tag))] if node.close >= 0 else [])]
