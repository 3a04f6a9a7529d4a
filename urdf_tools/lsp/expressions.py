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
import re
from typing import Literal
from typing import NamedTuple

_MAX_DEPTH = 4
_SUBSTITUTION = re.compile(r'\$\$+[{(]|\$\{([^}<]*)|\$\(([^)<]*)')
_COMMAND = re.compile(r'\s*([\w-]+)(?:\s+([^\s)$]+))?')
_AFTER = re.compile(r'\s*(\(|=(?!=))')
_KEYWORDS = frozenset((
    'and', 'else', 'False', 'for', 'if', 'in', 'is', 'lambda', 'None', 'not', 'or', 'True'))

TokenKind = Literal[
    'name', 'member', 'function', 'keyword', 'number', 'string', 'operator', 'command', 'argument',
    'nested']

_TOKEN = re.compile(
    r'(?P<nested>\$[{(][^)}]*[)}]?)'
    r'|(?P<string>\'[^\']*\'?|"[^"]*"?|&quot;(?:(?!&quot;).)*(?:&quot;)?'
    r'|&apos;(?:(?!&apos;).)*(?:&apos;)?)'
    r'|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)'
    r'|(?P<name>[^\W\d]\w*)'
    r'|(?P<operator>&(?:lt|gt|amp);=?|[-+*/%<>=!|^~]+|[][(){}.,:])', re.DOTALL)


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
    A word of an expression.

    A ``name`` is one of a property or parameter, an ``argument`` one of an argument of the file.
    """

    kind: TokenKind
    start: int
    end: int


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
    """Return the words of a substitution, without those of nested substitutions."""
    if found.opening == '${':
        return _of_expression(text, found.start, found.end)
    match = _COMMAND.match(text, found.start, found.end)
    if match is None:
        return []
    command = Token('command', *match.span(1))
    if match[1] == 'eval':
        return [command, *_of_expression(text, match.end(1), found.end)]
    if match[2] is None:
        return [command]
    return [command, Token('argument' if match[1] == 'arg' else 'string', *match.span(2))]


def _of_expression(text: str, start: int, end: int) -> list[Token]:
    found: list[Token] = []
    bound: set[str] = set()
    binding = ''
    for match in _TOKEN.finditer(text, start, end):
        word = match[0]
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]
        before = text[found[-1].start:found[-1].end] if found else ''
        if kind == 'name':
            after = _AFTER.match(text, match.end(), end)
            kind = _kind_of_name(word, before, after[1] if after else None)
            if word in ('for', 'lambda') and kind == 'keyword':
                binding = {'for': 'in', 'lambda': ':'}[word]
        elif kind == 'string' and before == '(' and len(found) > 1 and (
                text[found[-2].start:found[-2].end] == 'arg') and len(word) > 2:
            found.append(Token('argument', match.start() + 1, match.end() - 1))
            continue
        if word == binding:
            binding = ''
        elif binding and kind == 'name':
            bound.add(word)
        found.append(Token(kind, *match.span()))
    return [token for token in found
            if not (token.kind == 'name' and text[token.start:token.end] in bound)]


def _kind_of_name(word: str, before: str, after: str | None) -> TokenKind:
    if before == '.':
        return 'member'
    if word in _KEYWORDS:
        return 'keyword'
    if after == '(':
        return 'function'
    # The name of an argument in a call does not refer to a property.
    return 'operator' if after == '=' and before in ('(', ',') else 'name'
