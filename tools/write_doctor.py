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


"""Write the rules in docs/doctor.md from the rules about a running graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rule_markdown import escaped
from rule_markdown import head

from urdf_tools.findings.rules import Rule
from urdf_tools.monitoring.graph_rules import CATEGORIES
from urdf_tools.monitoring.rules import GRAPH_RULES

PAGE = Path(__file__).resolve().parents[1] / 'docs' / 'doctor.md'

START = '<!-- The rest is generated: python3 tools/write_doctor.py -->\n'

_SUBJECTS = {
    'description': 'The description',
    'joints': 'Joint states',
    'frames': 'Frames',
    'data': 'Data that refer to frames',
    'timing': 'Rates and stamps',
    'clock': 'Clocks',
    'control': 'ros2_control',
    'qos': 'Quality of service'}


def with_rules(page: str) -> str:
    """Return the page with the present rules; what is before them is written by hand."""
    sections = (_section(category) for category in CATEGORIES)
    return '\n'.join((page.partition(START)[0] + START, *sections))


def _section(category: str) -> str:
    rules = [rule for rule in GRAPH_RULES.values() if rule.category == category]
    return '\n'.join((
        f'## {_SUBJECTS[category]} (`{category}`)', '',
        *('\n'.join((*_entry(rule), '')) for rule in rules)))


def _entry(rule: Rule[Any, Any]) -> Iterator[str]:
    yield from head(rule)
    yield ''
    yield f'Example: {escaped(rule.example)}'
    yield ''
    yield f'Fix: {escaped(rule.hint)}.'


if __name__ == '__main__':
    PAGE.write_text(with_rules(PAGE.read_text(encoding='utf-8')), encoding='utf-8')
