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

"""Pages of the site about the verbs of the command, made from their parsers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
import re

from rule_pages import escaped

from urdf_tools.cli.command import make_parsers
from urdf_tools.cli.command import VERBS

_OPTION = re.compile(r'(?<![\w`-])(--?[a-z][a-z-]*)')


def command_index() -> str:
    """Return a table of the verbs, with links to their pages."""
    return '\n'.join(('| verb | does |', '|---|---|', *(
        f'| [{name}](commands/{name}.md) | {escaped(summary)} |'
        for name, summary in VERBS.items())))


def command_page(name: str) -> str:
    """Return the page of a verb."""
    _, verbs = make_parsers([name])
    return '\n'.join((
        '---', 'orphan: true', '---', f'# urdf-tools {name}', '', '[All verbs](../commands.md)',
        '', escaped(VERBS[name]), '', *_page(verbs[name]), ''))


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
    prose, _, examples = str(parser.epilog).rpartition('For example:')
    yield from ('```sh', *map(str.strip, examples.strip().splitlines()), '```', '')
    for group in parser._action_groups:
        actions = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        if actions:
            title = (group.title or '').capitalize()
            yield from (f'## {title}', '', *(_text(group.description)), '| argument | meaning |',
                        '|---|---|', *(_row(parser, each) for each in actions), '')
    yield from _text(' '.join(prose.split()))


def _text(text: str | None) -> tuple[str, ...]:
    return (_marked(text), '') if text else ()


def _marked(text: str) -> str:
    """Return a text with the options in it as code."""
    return _OPTION.sub(r'`\1`', escaped(text))


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()
    names = ', '.join(f'`{each}`' for each in action.option_strings)
    value = '' if action.option_strings and action.nargs == 0 else formatter._format_args(
        action, formatter._get_default_metavar_for_optional(action)
        if action.option_strings else formatter._get_default_metavar_for_positional(action))
    shown = ' '.join(filter(None, (names, value and f'`{value}`'))).replace('|', '\\|')
    return f'| {shown} | {_marked(formatter._expand_help(action)) if action.help else ""} |'
