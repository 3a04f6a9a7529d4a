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
"""HTML for the panels; every text from outside is escaped here."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence
from html import escape

from urdf_tools.model.messages import printable

_SMALL = 'font-size:0.8em;line-height:1.4;overflow-wrap:anywhere;padding:0.2em 0.8em'


def escaped(text: str) -> str:
    """Return a text that is safe inside of HTML, on one line."""
    return escape(printable(text))


def note(text: str) -> str:
    """Return a short text."""
    return f'<div style="{_SMALL}">{escaped(text)}</div>'


def alarm(title: str, text: str) -> str:
    """Return an error as a conspicuous box."""
    return (f'<div role="alert" style="{_SMALL};margin:0.4em 0.6em;border-left:4px solid #d33;'
            f'background:#fdd;color:#600"><b>{escaped(title)}</b><br>{escaped(text)}</div>')


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return a table of names and values."""
    lines = ''.join(
        f'<tr><td style="color:#888;padding-right:0.8em;vertical-align:top;'
        f'overflow-wrap:normal">{escaped(name)}</td>'
        f'<td>{escaped(value)}</td></tr>' for name, value in rows)
    return f'<div style="{_SMALL}"><table>{lines}</table></div>'


def remark(rgb: tuple[int, int, int], title: str, lines: Iterable[str]) -> str:
    """Return a title with a coloured bar beside it, and lines below it."""
    rest = ''.join(f'<div style="color:#888">{escaped(line)}</div>' for line in lines if line)
    return (f'<div style="{_SMALL};margin:0 0.6em;border-left:4px solid rgb{rgb}">'
            f'{escaped(title)}{rest}</div>')


def folded(title: str, html: str) -> str:
    """Return HTML that is shown once a user clicks on its title."""
    return f'<details style="{_SMALL}"><summary>{escaped(title)}</summary>{html}</details>'


def choices(rows: Iterable[tuple[str, str, int]], identifier: str) -> str:
    """
    Return names to click on, each with a remark and indented.

    :param identifier: of the input that gets the name.
    """
    return f'<div style="{_SMALL}">' + ''.join(
        f'<button data-link="{escape(name)}" data-input="{escape(identifier)}" '
        f'style="padding-left:{min(depth, 20) * 0.8}em">{escaped(name)} '
        f'<span style="color:#888">{escaped(remark)}</span></button>'
        for name, remark, depth in rows) + '</div>'


def grid(rows: Iterable[Sequence[str]]) -> str:
    """Return a narrow table: its head upright, and bold what is unlike the second column."""
    lines = ''.join('<tr>' + ''.join(
        f'<td{" data-unlike" * (row[1] not in ("", cell) and column > 1)}>{escaped(cell)}</td>'
        for column, cell in enumerate(row)) + '</tr>' for row in rows)
    return f'<div class="programs" style="{_SMALL}"><table>{lines}</table></div>'


def copyable(text: str) -> str:
    """Return a text of several lines to be copied."""
    lines = '\n'.join(escape(printable(line)) for line in text.splitlines())
    return (f'<pre style="{_SMALL};user-select:all;white-space:pre-wrap;'
            f'margin:0.2em 0.6em;background:rgba(128,128,128,0.15)">{lines}</pre>')
