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

"""The work of an XPath expression, as the number of nodes that its steps visit."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r'"[^"]*"|\'[^\']*\'|\$[\w.-]+|[A-Za-z_][\w.-]*(?::(?!:)[\w.-]+)?|::|//|\.\.'
    r'|\d*\.?\d+(?:e-?\d+)?|[<>!]=|\S')

_BEFORE_OPERANDS = {
    '@', '::', '(', '[', ',', 'and', 'or', 'mod', 'div', '/', '//', '|', '+', '-', '=', '!=',
    '<', '<=', '>', '>='}

_VISIT = '[f:visit()]'


def counted(path: str) -> str:
    """
    Return an expression that calls ``f:visit`` for each node that a step of another visits.

    Nodes that a test of a name passes over are not counted.
    """
    tokens, parts = _TOKEN.findall(path), []
    for number, token in enumerate(tokens):
        before, after = (tokens[number - 1] if number else '('), [*tokens, '', ''][number + 1]
        is_test = before in _BEFORE_OPERANDS and bool(re.match(r'[A-Za-z_*]', token))
        if token == '//':
            parts.append(f'/descendant-or-self::node(){_VISIT}/')
        elif is_test and after not in ('(', '::'):
            parts.append(token + _VISIT)
        elif token == ')' and before == '(' and tokens[number - 2] in ('text', 'node'):
            parts.append(token + _VISIT)
        else:
            parts.append(token if token in ('::', '@') else f'{token} ')
    return ''.join(parts)
