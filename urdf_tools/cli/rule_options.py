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


"""Options of the verbs that apply rules, and the explanation of a rule."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
import textwrap
from typing import Any
from typing import TypeVar

from urdf_tools.check.workspace.settings import LEVELS
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import names_in
from urdf_tools.cli.arguments import set_completions
from urdf_tools.findings.rules import AnyRule

RuleT = TypeVar('RuleT', bound=AnyRule)


def add_selection(
        parser: argparse.ArgumentParser, categories: Collection[str], codes: Iterable[str]
        ) -> None:
    """Add the options that select rules by code and category."""
    names = (*categories, *codes)
    set_completions(parser.add_argument(
        '--select', type=names_in, action='extend', metavar='NAME[,NAME]', default=[],
        help=f'apply only these rules or categories: {", ".join(categories)}'), names)
    set_completions(parser.add_argument(
        '--ignore', type=names_in, action='extend', metavar='NAME[,NAME]', default=[],
        help='do not apply these rules or categories'), names)


def add_severities(parser: argparse.ArgumentParser, least: str) -> None:
    """
    Add the options that say which findings fail, and which are shown.

    :param least: the lowest severity that is shown by default, in words.
    """
    parser.add_argument(
        '--strict', action='store_true', help='treat warnings as errors in the exit code')
    parser.add_argument(
        '--level', choices=LEVELS, help=f'lowest severity to show; default: {least}')
    parser.add_argument(
        '--verbose', '-v', action='store_true',
        help='list every finding; by default, those that repeat each other are folded into one')


# argparse does not name the type of a group in public.
def add_explain(parser: Any, codes: Iterable[str]) -> None:
    """Add the option that explains a rule, to a parser or a group of one."""
    set_completions(parser.add_argument(
        '--explain', nargs='?', const='', metavar='CODE',
        help='explain a rule, or list all rules'), codes)


def explanation(
        code: str, rules: Mapping[str, RuleT], verb: str,
        details: Callable[[RuleT], Iterable[str]]) -> str:
    """
    Return what the option ``--explain`` prints.

    :param code: the rule; empty for a list of all.
    :param details: what to print besides the requirement of a rule and its reason.
    :raises CommandError: there is no such rule.
    """
    if not code:
        width = max(map(len, rules))
        return '\n'.join(f'{rule.code:{width}}  {rule.text.summary}' for rule in rules.values())
    rule = rules[known(code, rules, 'rule', f'"urdf-tools {verb} --explain" lists them')]
    says = rule.text
    text = '\n'.join(textwrap.fill(paragraph, 99) for paragraph in (
        f'{rule.code} ({rule.severity.label}, {rule.category})', says.summary, says.reason,
        *details(rule)) if paragraph)
    if says.fails:
        fails, passes = (textwrap.indent(each, '    ') for each in (says.fails, says.passes))
        text += f'\n\nFails in {says.context}:\n\n{fails}\n\nPasses:\n\n{passes}'
    return text
