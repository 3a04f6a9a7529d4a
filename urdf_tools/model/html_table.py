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

"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from html import escape

from urdf_tools.model.messages import printable


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as HTML; all texts are escaped, as they come from outside."""
    lines = [f'<table><caption>{_text(caption)}</caption>', _row('th', header)]
    return '\n'.join((*lines, *(_row('td', row) for row in rows), '</table>'))


def _row(tag: str, cells: Iterable[object]) -> str:
    return '<tr>' + ''.join(f'<{tag}>{_text(cell)}</{tag}>' for cell in cells) + '</tr>'


def _text(value: object) -> str:
    return escape(printable(f'{value:.6g}' if isinstance(value, float) else str(value)))
