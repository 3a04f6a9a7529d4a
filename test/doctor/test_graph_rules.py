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

"""Every rule about running graphs against one that violates it, and one that does not."""

import json
from pathlib import Path

import pytest
from support.call_count import count_calls
from support.call_count import CountedText
from support.graph_records import GraphRecords
from support.graph_records import robot
from support.graph_records import TIMES
from support.graph_rule_cases import CASES
from support.graph_rule_cases import TESTED_ELSEWHERE
from support.graph_rule_cases.stamped_data import mounted

from urdf_tools.doctor import graph_rules
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import finding_data
from urdf_tools.doctor.graph_rules import GraphDefect
from urdf_tools.doctor.graph_rules import MAX_FINDINGS
from urdf_tools.doctor.recordings.confined_reading import FINDING
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import fold
from urdf_tools.findings.message import as_data
from urdf_tools.findings.message import Name
from urdf_tools.findings.rules import Rule
from urdf_tools.sandbox.answers import has_shape


def findings(records: GraphRecords) -> tuple:
    return evaluate(records.observation(), 'graph').findings


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.code)
def test_bad_and_good(case):
    found = findings(case.bad())
    assert {finding.code for finding in found} - {*case.also} == {case.code} - {*case.also}
    finding, = (finding for finding in found if finding.code == case.code)
    arguments = json.loads(json.dumps(as_data(finding.arguments)))
    assert arguments.pop('topic') == finding.topic == case.topic
    assert arguments.pop('nodes') == list(finding.nodes) == list(case.nodes)
    assert finding.message == case.message
    assert arguments == case.arguments
    assert finding.subject == case.subject
    rule = GRAPH_RULES[case.code]
    assert finding.hint == (case.hint or rule.fix)
    assert finding.severity == (rule.severity if case.severity is None else case.severity)
    assert {finding.code for finding in findings(case.good())} <= {*case.also} - {case.code}
    data = json.loads(json.dumps(finding_data(finding)))
    assert has_shape(data, {key: FINDING[key] for key in data}), data


@pytest.mark.slow
def test_the_work_is_proportional_to_the_frames_that_nothing_connects():
    def calls(number):
        frames = {CountedText(f'{i}_link'): CountedText(f'{i}_base') for i in range(number)}
        observation = robot().frames('/other', frames, times=TIMES[:1]).observation()
        check = GRAPH_RULES['frame-tree-in-pieces'].check
        found, work = count_calls(lambda: [*check(observation)])
        assert len(found) == number
        return work
    assert calls(2200) < 3 * calls(1100)


@pytest.mark.parametrize(('kind', 'meant'), [
    ('Image', 'front'), ('LaserScan', 'plate'), ('MultiEchoLaserScan', 'plate'), ('Imu', 'imu')])
def test_the_frame_that_a_sensor_may_mean_by_how_it_is_mounted(kind, meant):
    finding, = findings(mounted(robot()).stamped(
        '/sensor', '/data', f'sensor_msgs/msg/{kind}', 'x1', users=('/user',)))
    assert finding.hint == f"Did you mean '{meant}'?"


def test_every_rule_has_a_case():
    assert {case.code for case in CASES} | TESTED_ELSEWHERE.keys() == GRAPH_RULES.keys()


@pytest.fixture
def with_rule(monkeypatch):
    """Return what adds a rule to the others for one test."""
    def add(check, severity=Severity.WARN):
        rule = Rule('new', severity, 'joints', 'Nothing.', 'Stop {it}', check=check)
        monkeypatch.setattr(graph_rules, 'GRAPH_RULES', {'new': rule, **GRAPH_RULES})
    return add


def test_a_rule_that_fails_is_a_finding_and_hides_no_other(with_rule):
    def fails(seen):
        yield GraphDefect('/a', 'The first one')
        raise ZeroDivisionError('a {brace}')
    with_rule(fails)
    internal, first, unknown = findings(robot(names=('turn', 'slide', 'trun')))
    assert (first.code, unknown.code) == ('new', 'joint-unknown')
    assert (internal.code, internal.severity, internal.topic) == (
        'internal-error', Severity.ERROR, '')
    assert internal.hint == GRAPH_RULES['internal-error'].fix
    assert internal.arguments['parts'] == ('Rule new',)
    assert 'ZeroDivisionError' in internal.traceback
    assert internal.message.startswith(f'Rule new failed at {Path(__file__).name}:')
    assert internal.message.endswith(': ZeroDivisionError: a {brace}')


def test_further_findings_of_a_rule_are_counted(with_rule):
    with_rule(lambda seen: (GraphDefect('/a', 'Yes') for _ in range(MAX_FINDINGS + 3)))
    report = evaluate(robot().observation(), 'graph')
    assert (len(report.findings), report.counts[Severity.WARN]) == (50, 53)
    assert report.omitted == {'new': 3}


def test_what_one_driver_repeats_is_folded(with_rule):
    with_rule(lambda seen: (
        GraphDefect(topic, 'Joint {joint} is odd', (node,), joint=Name(joint))
        for topic, node in (('/a', '/one'), ('/a', '/other'), ('/b', '/one'))
        for joint in ('turn', 'slide')))
    rule, = fold(findings(robot()))
    assert [(folded.first.topic, folded.first.nodes, folded.others) for folded in rule.folded] == [
        ('/a', ('/one',), 1), ('/a', ('/other',), 1), ('/b', ('/one',), 1)]


@pytest.mark.parametrize('topics', [{}, {'/tf': 100}])
def test_nothing_is_concluded_from_names_that_are_left_out(topics):
    records = robot(names=('turn', 'slide', 'trun')).observed(crowded=topics)
    assert {finding.code for finding in findings(records)} == (
        {'names-too-many'} if topics else {'joint-unknown'})
