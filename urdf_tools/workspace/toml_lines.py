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

"""Lines of keys and values in TOML files, which the parser of Python does not tell."""

from __future__ import annotations

from collections.abc import Sequence
import re

_COMMENT = re.compile(r'^[ \t]*#.*$', re.MULTILINE)


def line_of(text: str, keys: Sequence[str | int]) -> int | None:
    """
    Return the line where a value is written, from 1, or None if that is not found.

    Where a key is not found, because it is written in an unusual way, it is the line of the
    last one that was.

    :param text: valid TOML.
    :param keys: the keys that lead to the value; a number is an index in a list of tables, and
        the last may be a text in a list.
    """
    text = _COMMENT.sub(lambda match: ' ' * len(match[0]), text)
    position = -1
    pattern: re.Pattern[str] | None = None
    for key in keys:
        if isinstance(key, int):
            for _ in range(key if pattern is not None else 0):
                match = pattern.search(text, position + 1) if pattern else None
                position = position if match is None else match.start('key')
            continue
        name = re.escape(key)
        pattern = re.compile(
            rf'^[ \t]*\[\[?[^\]\n]*?(?P<key>(?<![\w-])["\']?{name}["\']?)[ \t]*\]\]?',
            re.MULTILINE)
        written = re.compile(
            rf'(?:^|[{{,.]|\[)[ \t]*(?P<key>["\']?{name}["\']?)[ \t]*(?:=|\.|\]|,|$)',
            re.MULTILINE)
        found = [match for match in (
            pattern.search(text, position + 1), written.search(text, position + 1)) if match]
        if not found:
            break
        match = min(found, key=lambda match: match.start('key'))
        if match.re is written:
            pattern = None
        position = match.start('key')
    return None if position < 0 else text.count('\n', 0, position) + 1
