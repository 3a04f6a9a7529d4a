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

"""Write docs/rules.md from the rules and their test cases."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from pathlib import Path
import re
import sys
from textwrap import indent
from typing import Any
from typing import TYPE_CHECKING

from rule_markdown import escaped
from rule_markdown import head

from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.rules import Rule
from urdf_tools.validation.registry import CATEGORIES
from urdf_tools.validation.rules import RULES

if TYPE_CHECKING:
    from support.validation_cases import Case

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / 'docs' / 'rules.md'

_SUBJECTS = {
    'xml': 'XML and the grammar of URDF',
    'names': 'Names',
    'structure': 'The kinematic tree',
    'joints': 'Joints',
    'inertia': 'Mass and inertia',
    'geometry': 'Geometry and materials',
    'extensions': 'Transmissions, ros2_control, Gazebo and other extensions',
    'assets': 'Meshes and textures'}

_HEAD = """\
# The rules of `urdf-tools check`

Each rule says what it requires, why, which programs a violation affects and how, and shows an
example that fails and the same example fixed. The examples are the test cases of the rules. This
page is generated: `python3 tools/write_rules.py`.

{contents}

Severities:

- **error**: ROS itself cannot use the description as it is written, or nothing can. What ROS
  reads it with (urdfdom; ros2_control for its own elements) refuses it or loses part of it, or it
  contradicts itself, or it is physically impossible.
- **warning**: it is valid, but some program refuses, loses, changes or misreads it; or it is most
  likely a mistake.
- **note**: worth knowing. It does no harm, or to one program only that few robots are made for.

Some rules report certain violations with another severity; their text says which. With `--for`,
or `for` in the settings, a warning is an **error** if a program that is named there refuses the
description, or crashes on it, in all of its releases and settings.

The description fails, with exit code 1, if there is an error, and with `--strict` also if there is
a warning. The first line of the output begins with `passes` or `fails` accordingly, and says what
errors and warnings do to each program; so a description that passes may still be refused by a
program that `--for` does not name. Notes do not count.

`--ignore CODE` disables a rule. A comment `<!-- urdf-tools: ignore CODE reason -->` above an
element or on its line disables it for that element and everything inside it.

The examples leave out what does not matter to the rule, such as the `<parent>` and `<child>` of a
joint.
"""

_TAG = re.compile(r'<(/?)(\w+)[^<>]*?(/?)>')


def rules_page(examples: Mapping[str, Case]) -> str:
    """
    Return the page in Markdown.

    :param examples: code of a rule to the case that is its example.
    """
    contents = '\n'.join(
        f'- [{subject}](#{_anchor(subject)}): {len(_rules(category))} rules'
        for category, subject in _SUBJECTS.items())
    sections = [_section(category, examples) for category in CATEGORIES]
    return '\n'.join((_HEAD.format(contents=contents), *sections))


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


def _rules(category: str) -> list[Rule[Any, Any]]:
    return [rule for rule in RULES.values() if rule.category == category]


def _anchor(heading: str) -> str:
    return re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-')


def _section(category: str, examples: Mapping[str, Case]) -> str:
    rules = _rules(category)
    links = ', '.join(f'[{rule.code}](#{rule.code})' for rule in rules)
    entries = ('\n'.join((*_entry(rule, examples.get(rule.code)), '')) for rule in rules)
    return '\n'.join((f'## {_SUBJECTS[category]}', '', links, '', *entries))


def _entry(rule: Rule[Any, Any], example: Case | None) -> Iterator[str]:
    yield from head(rule)
    if rule.consequences:
        yield ''
        yield from (f'- {escaped(name)}: {escaped(text)}'
                    for name, text in sentences(rule.consequences).items())
    if rule.evidence:
        yield from ('', f'Source: {rule.evidence}.')
    if example is not None:
        yield from ('', f'Fails: `{example.message}`', '')
        yield from _block(snippet(example.template, example.bad))
    if rule.hint:
        yield ''
        yield f'Fix: {escaped(rule.hint)}.'
    if example is not None:
        yield from ('',) if rule.hint else ('', 'Passes:', '')
        yield from _block(snippet(example.template, example.good))


def _block(text: str) -> tuple[str, ...]:
    return '```xml', text, '```'


if __name__ == '__main__':
    sys.path.insert(0, str(ROOT / 'test'))
    from support.rule_cases import EXAMPLES
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(rules_page(EXAMPLES), encoding='utf-8')
