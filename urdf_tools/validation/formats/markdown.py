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

"""The page that lists all rules."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.registry import Rule
from urdf_tools.validation.rules import RULES

_SUBJECTS = {
    'xml': 'XML and the grammar of URDF',
    'names': 'Names',
    'structure': 'The tree of links and joints',
    'joints': 'Joints',
    'inertia': 'Masses and inertias',
    'geometry': 'Shapes and materials',
    'extensions': 'Transmissions, ros2_control, Gazebo and others',
    'assets': 'Files that the description refers to'}

_HEAD = f"""\
# The rules of `urdf-tools check`

{len(RULES)} rules, each with the programs that break on a description that does not keep it. This
page is made from the rules themselves: `python3 tools/write_rules.py`.

- **error**: a program that most robots need refuses the description, or loses a part of it
  without a word, or no robot can be so.
- **warning**: some program ignores, alters or misreads it, or it is most likely a mistake.
- **note**: worth knowing.

Under some conditions a rule finds something that matters more or less than it says here; the text
then says so. `--ignore CODE` leaves a rule out, and so does a comment
`<!-- urdf-tools: ignore CODE reason -->` above an element or on its line, for that element and
all in it.
"""


def rules_page() -> str:
    """Return the page in Markdown."""
    sections = [_section(category) for category in CATEGORIES]
    return '\n'.join((_HEAD, *sections))


def _section(category: str) -> str:
    rules = [rule for rule in RULES.values() if rule.category == category]
    links = ', '.join(f'[{rule.code}](#{rule.code})' for rule in rules)
    return '\n'.join(
        (f'## {_SUBJECTS[category]} (`{category}`)', '', links, '', *map(_entry, rules)))


def _entry(rule: Rule) -> str:
    return '\n'.join((f'### {rule.code}', '', *_lines(rule), ''))


def _lines(rule: Rule) -> Iterator[str]:
    yield f'*{rule.severity.label}*: {_escaped(rule.summary)}'
    for paragraph in filter(None, (rule.reason, rule.hint and f'Cure: {rule.hint}.')):
        yield ''
        yield _escaped(paragraph)
    if rule.consumers:
        yield ''
        yield from (f'- {name}: {_escaped(effect)}' for name, effect in rule.consumers.items())


def _escaped(text: str) -> str:
    return text.replace('<', '&lt;').replace('_', '\\_').replace('*', '\\*')
