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


"""What the pages about rules share."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.rules import AnyRule


def head(rule: AnyRule) -> Iterator[str]:
    """Yield the lines of Markdown that say what a rule requires, and why."""
    yield f'### {rule.code}'
    yield ''
    yield f'**{rule.severity.label}**: {escaped(rule.summary)}'
    if rule.reason:
        yield ''
        yield escaped(rule.reason)


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return text.replace('<', '&lt;').replace('_', '\\_').replace('*', '\\*')
