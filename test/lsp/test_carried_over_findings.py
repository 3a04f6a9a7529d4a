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

"""Findings keep their places while a text changes elsewhere."""

from hypothesis import given
from hypothesis import strategies as st
import pytest

pytest.importorskip('pygls', reason='pygls is not installed')

from urdf_tools.findings.finding import Finding  # noqa: E402
from urdf_tools.findings.finding import Severity  # noqa: E402
from urdf_tools.lsp.check_cycle import carried_over  # noqa: E402
from urdf_tools.lsp.live_checks import LocatedFinding  # noqa: E402
from urdf_tools.lsp.live_checks import TextEdit  # noqa: E402

FINDING = Finding('mesh-not-found', Severity.WARN, 'a message')


def found(text: str, part: str) -> LocatedFinding:
    """Return a finding about a part of a text, with a fix there."""
    start = text.index(part)
    end = start + len(part)
    return LocatedFinding(FINDING, start, end, start, (TextEdit(start, end, 'x'),))


@pytest.mark.parametrize('old, new', [
    ('before <a/> after', 'before, typed <a/> after'),
    ('before <a/> after', 'before <a/> typed after'),
    ('before <a/> after', 'bef<a/> after'),
    ('<a/>', 'typed <a/>'),
    ('<a/>', '<a/>'),
])
def test_a_finding_outside_of_the_change_moves_with_its_text(old, new):
    moved, = carried_over([found(old, '<a/>')], old, new)
    assert moved == found(new, '<a/>')


@pytest.mark.parametrize('new', ['<a x/> after', '', 'after', '<b/> after'])
def test_a_finding_about_what_has_changed_is_left_out(new):
    assert list(carried_over([found('<a/> after', '<a/>')], '<a/> after', new)) == []


@given(st.text('ab', max_size=9), st.text('ab', max_size=9), st.integers(0, 8))
def test_what_is_carried_over_has_the_same_text(old, new, start):
    finding = LocatedFinding(FINDING, min(start, len(old)), len(old), min(start, len(old)))
    for moved in carried_over([finding], old, new):
        assert new[moved.start:moved.end] == old[finding.start:finding.end]
