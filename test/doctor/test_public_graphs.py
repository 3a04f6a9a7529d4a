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
"""What is said of graphs that public threads tell of: the cause, and nothing that is false."""

import pytest
from support.held_out_graphs import HELD_OUT
from support.held_out_graphs import NOT_NAMED
from support.public_graphs import BROKEN
from support.public_graphs import HEALTHY

from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.rules import GRAPH_RULES


def findings(thread) -> dict[str, str]:
    """Return the codes of what is found, with messages and hints."""
    found = evaluate(thread.build().observation(), 'graph').findings
    assert not [finding for finding in found if finding.code == 'internal-error'], found
    texts: dict[str, str] = {}
    for finding in found:
        texts[finding.code] = f'{texts.get(finding.code, "")}{finding.message} {finding.hint}\n'
    return texts


@pytest.mark.parametrize('thread', BROKEN, ids=lambda thread: thread.thread)
def test_the_cause_is_named(thread):
    found = findings(thread)
    assert found.keys() == thread.said.keys(), thread.link
    for code, part in thread.said.items():
        assert part in found[code], thread.link


@pytest.mark.parametrize('thread', HELD_OUT, ids=lambda thread: thread.thread)
def test_the_cause_of_a_graph_that_no_rule_was_made_for_is_named(thread):
    found = findings(thread)
    named = all(part in found.get(code, '') for code, part in thread.said.items())
    assert named is (thread.thread not in NOT_NAMED), thread.link


@pytest.mark.parametrize('thread', HEALTHY, ids=lambda thread: thread.thread)
def test_nothing_is_said_of_a_healthy_graph(thread):
    assert findings(thread) == {}, thread.link


def test_threads_are_many_and_different():
    names = [thread.thread for thread in (*BROKEN, *HEALTHY)]
    assert {code for thread in BROKEN for code in thread.said} <= GRAPH_RULES.keys()
    assert len({*names}) == len(names) >= 40 and min(len(BROKEN), len(HEALTHY)) >= 20
