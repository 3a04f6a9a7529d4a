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

"""The substitutions in a text, ``${...}`` and ``$(...)``, and the words that they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword
import re
from typing import Literal
from typing import NamedTuple

_MAX_DEPTH = 4
_SUBSTITUTION = re.compile(r'\$\$+[{(]|\$\{([^}<]*)|\$\(([^)<]*)')
_COMMAND = re.compile(r'\s*([\w-]+)(?:\s+([^\s)$]+))?')
_AFTER = re.compile(r'\s*(\(|=(?!=))')

_TOKEN = re.compile(
    r'\$[{(][^)}]*[)}]?'
    r'|(?P<string>\'[^\']*\'?|"[^"]*"?|&quot;(?:(?!&quot;).)*(?:&quot;)?'
    r'|&apos;(?:(?!&apos;).)*(?:&apos;)?)'
    r'|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?'
    r'|(?P<name>[^\W\d]\w*)'
    r'|&(?:lt|gt|amp);=?|[-+*/%<>=!|^~]+|[][(){}.,:]', re.DOTALL)
"""Nested substitutions, strings, numbers, names and operators."""


class Substitution(NamedTuple):
    """
    A substitution in a text.

    :ivar opening: ``${`` or ``$(``.
    :ivar start: offset of its content.
    :ivar end: offset after the content.
    """

    opening: str
    start: int
    end: int


class Token(NamedTuple):
    """
    A name in an expression: of a property or parameter, or of an argument of the file.

    :ivar owner: the name of what it is a member of; empty if it is none.
    """

    kind: Literal['property', 'arg']
    start: int
    end: int
    owner: str = ''


def outermost(text: str, start: int, end: int) -> Iterator[Substitution]:
    """Yield the substitutions between two offsets that are not inside of others."""
    return (Substitution(match[0][:2], *match.span(match.lastindex))
            for match in _SUBSTITUTION.finditer(text, start, end) if match.lastindex is not None)


def substitutions(text: str, start: int, end: int, depth: int = 0) -> Iterator[Substitution]:
    """Yield the substitutions between two offsets, each before those nested in it."""
    for found in outermost(text, start, end):
        yield found
        if depth < _MAX_DEPTH and '$' in text[found.start:found.end]:
            yield from substitutions(text, found.start, found.end, depth + 1)


def pattern_of(text: str, anything: str) -> str:
    """Return a regular expression of what a text may expand to: anything for substitutions."""
    parts = []
    position = 0
    for found in outermost(text, 0, len(text)):
        parts.append(text[position:found.start - 2])
        position = found.end + 1
    return anything.join(map(re.escape, (*parts, text[position:])))


def tokens(text: str, found: Substitution) -> list[Token]:
    """Return the names in a substitution, without those of nested substitutions."""
    if found.opening == '${':
        return _of_expression(text, found.start, found.end)
    match = _COMMAND.match(text, found.start, found.end)
    if match is not None and match[1] == 'eval':
        return _of_expression(text, match.end(1), found.end)
    is_argument = match is not None and match[1] == 'arg' and match[2]
    return [Token('arg', *match.span(2))] if match is not None and is_argument else []


def _of_expression(text: str, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    bound: set[str] = set()
    ends_binding = ''
    words = ['', '']
    for match in _TOKEN.finditer(text, start, end):
        word = match[0]
        if word == ends_binding:
            ends_binding = ''
        elif words[-1] != '.' and word in ('for', 'lambda'):
            ends_binding = {'for': 'in', 'lambda': ':'}[word]
        elif match['string'] and words[-2:] == ['arg', '('] and len(word) > 2:
            found.append(Token('arg', match.start() + 1, match.end() - 1))
        elif match['name'] and words[-1] == '.':
            if words[-2]:
                found.append(Token('property', *match.span(), words[-2]))
        elif match['name'] and not iskeyword(word):
            if ends_binding:
                bound.add(word)
            after = _AFTER.match(text, match.end(), end)
            # Neither a function nor the name of an argument in a call refers to a property.
            if after is None or after[1] == '=' and words[-1] not in ('(', ','):
                found.append(Token('property', *match.span()))
        words.append(word)
    return [token for token in found if token.kind == 'arg' or token.owner
            or text[token.start:token.end] not in bound]
