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

"""A recording of a graph gets the findings that the graph gets, as far as it was recorded."""

from __future__ import annotations

from importlib import import_module
import pkgutil

import pytest
from support import graph_rule_cases
from support.public_graphs import BROKEN
from support.public_graphs import HEALTHY
from support.recordings import messages_of
from support.recordings import record
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.recordings.evaluated_recording import evaluate_recording
from urdf_tools.doctor.recordings.recorded import RecordingError
from urdf_tools.doctor.rules import GRAPH_RULES

pytestmark = pytest.mark.slow

pytest.importorskip('mcap', reason='mcap is not installed')

NEEDS_NODES = {
    'clock-mixed', 'clock-of-stamps', 'clock-stands', 'data-silent', 'description-not-published',
    'description-parameter-differs', 'description-subscriber-volatile', 'frame-awaited',
    'frame-other-namespace', 'frame-parameters-equal', 'joint-stamps-repeated', 'qos-mismatch',
    'topic-name-differs', 'topic-types-differ',
    *(code for code, rule in GRAPH_RULES.items() if rule.category == 'control')}
"""Rules about parameters, services and subscribers of nodes, which are not recorded."""

NEEDS_TOPICS = {'frame-missing', 'joint-states-silent'}
"""Rules about topics that nobody publishes, of which a recording does not tell."""

CASES = [(case, what) for module in pkgutil.iter_modules(graph_rule_cases.__path__)
         for case in import_module(f'support.graph_rule_cases.{module.name}').CASES
         for what in ('bad', 'good') if case.code not in ('message-unreadable', 'names-too-many')]


def keys(findings):
    return {(finding.code, finding.topic, finding.subject) for finding in findings}


_UNUSED = ('data-frame-unknown', 'tf-static-volatile')
"""What is said of a topic in a graph only if somebody subscribes to it."""


@pytest.mark.parametrize(('case', 'what'), CASES, ids=[
    f'{case.code}-{what}-{number}' for number, (case, what) in enumerate(CASES)])
def test_a_recorded_graph_gets_the_same_findings(case, what, tmp_path):
    seen = getattr(case, what)().observation()
    if any(parameters.numbers for parameters in seen.parameters.values()):
        pytest.skip('it is about parameters, which are not recorded')
    path = record(tmp_path / 'run.mcap', seen)
    if not messages_of(seen):
        with pytest.raises(RecordingError, match='it has no messages'):
            evaluate_recording(path)
        return
    found = evaluate_recording(path)
    live, recorded = keys(evaluate(seen, 'graph').findings), keys(
        fault.finding for fault in found.faults)
    # Transforms that nobody publishes may not have been recorded.
    is_bare = not any(seen.graph.publishers.get(topic) for topic, kind in seen.graph.kinds.items()
                      if kind == 'tf2_msgs/msg/TFMessage')
    unknown = NEEDS_NODES | (NEEDS_TOPICS if found.remarks else set()) | (
        {'data-frame-unknown'} if is_bare else set())

    def told(keys):
        # Data that nobody uses are evaluated in a recording, because somebody may have used them.
        return {(code, topic, subject) for code, topic, subject in keys if code not in unknown
                and (code not in _UNUSED or seen.graph.subscribers.get(topic))}

    assert told(live) == told(recorded)


@pytest.mark.parametrize('apart', [20_000, 0])
@pytest.mark.parametrize('thread', HEALTHY, ids=lambda thread: thread.thread)
def test_nothing_is_said_of_the_recording_of_a_healthy_graph(thread, apart, tmp_path):
    found = evaluate_recording(record(tmp_path / 'run.mcap', thread.build().observation(), apart))
    assert [fault.finding.message for fault in found.faults] == [], thread.link


@pytest.mark.parametrize('apart', [20_000, 0])
@pytest.mark.parametrize('thread', BROKEN, ids=lambda thread: thread.thread)
def test_the_recording_of_a_broken_graph_says_what_the_graph_says(thread, apart, tmp_path):
    seen = thread.build().observation()
    found = evaluate_recording(record(tmp_path / 'run.mcap', seen, apart))
    live = keys(evaluate(seen, 'graph').findings)
    recorded = keys(fault.finding for fault in found.faults)
    assert recorded <= live, thread.link
    assert {code for code, _, _ in live - recorded} <= NEEDS_NODES | {'data-frame-unknown'}


def test_most_cases_can_be_compared():
    compared = [case for case, _ in CASES if case.code not in NEEDS_NODES | NEEDS_TOPICS]
    assert len(compared) > 130
