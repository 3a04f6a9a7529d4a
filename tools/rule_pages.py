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

"""The pages about the rules of ``check`` and ``doctor``, in Markdown, from the rules."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import re
from textwrap import indent

from urdf_tools.check import registry
from urdf_tools.check.rule_examples import consequences_of
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rule_examples import finding_of_example
from urdf_tools.check.rules import RULES
from urdf_tools.doctor import graph_rules
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.rules import AnyRule

SUBJECTS = {
    'xml': 'XML and the grammar of URDF',
    'names': 'Names',
    'structure': 'The kinematic tree',
    'joints': 'Joints',
    'inertia': 'Mass and inertia',
    'geometry': 'Geometry and materials',
    'extensions': 'Transmissions, ros2_control, Gazebo and other extensions',
    'assets': 'Meshes and textures',
    'programs': 'What programs refuse and lose'}

GRAPH_SUBJECTS = {
    'description': 'The description',
    'joints': 'Joint states',
    'frames': 'Frames',
    'data': 'Data that refer to frames',
    'timing': 'Rates and stamps',
    'clock': 'Clocks',
    'control': 'ros2_control',
    'qos': 'Quality of service'}

_TAG = re.compile(r'<(/?)(\w+)[^<>]*?(/?)>')


def rule_index() -> str:
    """Return a table for each category of the rules of ``check``, with links to their pages."""
    return _index(RULES.values(), registry.CATEGORIES, SUBJECTS, 'rules')


def graph_rule_index() -> str:
    """Return a table for each category of the rules of ``doctor``, with links to their pages."""
    return _index(GRAPH_RULES.values(), graph_rules.CATEGORIES, GRAPH_SUBJECTS, 'graph-rules')


def rule_page(code: str) -> str:
    """Return the page of a rule of ``check``."""
    rule = RULES[code]
    finding = finding_of_example(rule)
    lines = [*_head(rule, 'check', 'rules', SUBJECTS)]
    if rule.text.fails:
        lines += ['## Fails', '', *([f'`{finding.message}`', ''] if finding else []),
                  *_block(rule.text.context, rule.text.fails), '## Passes', '',
                  *_block(rule.text.context, rule.text.passes)]
    if consequences := consequences_of(rule):
        lines += ['## What programs do with it', '']
        lines += [f'- {escaped(name)}: {escaped(text)}'
                  for name, text in sentences(consequences).items()]
        lines.append('')
    if rule.fix:
        lines += ['## Fix', '', f'{escaped(rule.fix)}.', '']
    if rule.source:
        lines += ['## Source', '', 'What programs without a model do was read in: '
                  f'{rule.source}. [Which versions](../consumers.md).', '']
    return '\n'.join(lines)


def graph_rule_page(code: str) -> str:
    """Return the page of a rule of ``doctor``."""
    rule = GRAPH_RULES[code]
    return '\n'.join((
        *_head(rule, 'doctor', 'doctor', GRAPH_SUBJECTS),
        '## Example', '', escaped(rule.text.example), '',
        '## Fix', '', f'{escaped(rule.fix)}.', ''))


def snippet(template: str, text: str) -> str:
    """
    Return the part of a description that an example shows.

    :param template: the description, with a ``{}`` in the place of the text.
    :return: the text inside the element of the template that encloses it, or alone if that is
        ``<robot>`` or nothing.
    """
    enclosing: list[re.Match[str]] = []
    for match in _TAG.finditer(template.partition('{}')[0]):
        closes, _, is_empty = match.groups()
        if closes:
            enclosing.pop()
        elif not is_empty:
            enclosing.append(match)
    if not enclosing or enclosing[-1][2] == 'robot':
        return text
    start = enclosing[-1]
    return f'{start[0]}\n{indent(text, "  ")}\n</{start[2]}>'


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return re.sub(r'([_*|\[\]`\\])', r'\\\1', text).replace('<', '&lt;')


def _index(rules: Iterable[AnyRule], categories: Iterable[str], subjects: Mapping[str, str],
           folder: str) -> str:
    by_category: dict[str, list[AnyRule]] = {category: [] for category in categories}
    for rule in rules:
        by_category[rule.category].append(rule)
    return '\n'.join(line for category, members in by_category.items() for line in (
        f'## {subjects[category]} (`{category}`)', '', '| rule | severity | requires |',
        '|---|---|---|', *(
            f'| [{rule.code}]({folder}/{rule.code}.md) | {rule.severity.label} '
            f'| {escaped(rule.text.summary)} |' for rule in members), ''))


def _head(rule: AnyRule, verb: str, index: str, subjects: Mapping[str, str]) -> Iterator[str]:
    yield from ('---', 'orphan: true', '---', f'# {rule.code}', '')
    yield (f'[Rules of {verb}](../{index}.md) · {subjects[rule.category]} · '
           f'`urdf-tools {verb} --explain {rule.code}`')
    yield from ('', f'**{rule.severity.label}**: {escaped(rule.text.summary)}', '')
    if rule.text.reason:
        yield from (escaped(rule.text.reason), '')


def _block(place: str, text: str) -> tuple[str, ...]:
    language = 'yaml' if place.endswith('.yaml') else 'xml'
    return f'```{language}', snippet(CONTEXTS[place], text), '```', ''
