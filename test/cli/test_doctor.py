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


"""The arguments of ``urdf-tools doctor``; what it finds needs ROS, see test/nodes."""

import json

import pytest
from support.graph_records import robot

from urdf_tools.cli import main
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.rules import GRAPH_RULES

TWO_PARENTS = ("Frame 'arm' has 2 parents: 'elsewhere' and 'mount', published by /other and "
               '/state_publisher')


def test_it_says_what_it_needs(monkeypatch, capsys):
    monkeypatch.setattr('urdf_tools.cli.doctor.find_spec', lambda name: None)
    assert main(['doctor']) == 2
    error = capsys.readouterr().err
    assert 'the Python package rclpy is not installed here; source a ROS 2' in error


def test_rules_are_explained(capsys):
    assert main(['doctor', '--explain', 'frame-two-parents']) == 0
    text = capsys.readouterr().out
    assert text.startswith('frame-two-parents (error, frames)\nEach frame has one parent.\n')
    assert 'Example: ' in text and 'Fix: ' in text
    assert main(['doctor', '--explain']) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(GRAPH_RULES)


@pytest.fixture
def observed(monkeypatch):
    """Let the process that observes a graph have found an error and a warning."""
    seen = robot().frames('/other', {'arm': 'elsewhere'}, delay=40.0).observation()
    report = evaluate(seen, 'graph'), seen

    monkeypatch.setattr('urdf_tools.cli.doctor.find_spec', lambda name: name)
    monkeypatch.setattr(
        'urdf_tools.cli.doctor.resolve_name', lambda name: lambda *_: _endless([report]))


def _endless(reports):
    yield from reports
    raise KeyboardInterrupt


def test_text(observed, capsys):
    assert main(['doctor']) == 1
    assert capsys.readouterr().out.splitlines() == [
        "graph: 3 nodes, 'arm', observed for 5.0 s",
        f'/tf: error: {TWO_PARENTS} [frame-two-parents]',
        f"      = {GRAPH_RULES['frame-two-parents'].fix}",
        '/tf: warning: Transforms of 1 frame from /other are 40 s old when they arrive: arm '
        '[frame-stamps-old]', f"      = {GRAPH_RULES['frame-stamps-old'].fix}",
        'graph: 1 error, 1 warning, 0 notes']


def test_level(observed, capsys):
    assert main(['doctor', '--level', 'error', '--format', 'json']) == 1
    data = json.loads(capsys.readouterr().out)
    assert data['counts'] == {'ERROR': 1, 'WARN': 1, 'INFO': 0}
    assert data['findings'] == [{
        'code': 'frame-two-parents', 'severity': 'ERROR', 'message': TWO_PARENTS,
        'hint': GRAPH_RULES['frame-two-parents'].fix, 'topic': '/tf',
        'who': ['/other', '/state_publisher'], 'subject': 'arm', 'topics': ['/tf'],
        'nodes': ['/other', '/state_publisher'], 'frames': ['arm', 'elsewhere', 'mount'],
        'joints': [], 'numbers': {}, 'times': {}, 'arguments': {
            'topic': '/tf', 'nodes': ['/other', '/state_publisher'], 'frame': 'arm',
            'parents': ['elsewhere', 'mount']}}]


def test_watching_prints_a_line_for_each_change(observed, monkeypatch, capsys):
    first = robot().frames('/other', {'arm': 'elsewhere'}, delay=40.0).observation()
    reports = [(evaluate(seen, 'graph'), seen) for seen in (
        first, first, robot().observation())]

    monkeypatch.setattr(
        'urdf_tools.cli.doctor.resolve_name', lambda name: lambda *_: _endless(reports))
    assert main(['doctor', '--watch', '--format', 'json']) == 130
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line['change'], line['code']) for line in lines] == [
        ('new', 'frame-two-parents'), ('new', 'frame-stamps-old'),
        ('gone', 'frame-two-parents'), ('gone', 'frame-stamps-old')]
    assert lines[1]['times'] == {'age': 40.0} and lines[1]['frames'] == ['arm']


def test_sarif_has_the_rules_and_the_findings(observed, capsys):
    assert main(['doctor', '--format', 'sarif']) == 1
    (run,) = json.loads(capsys.readouterr().out)['runs']
    assert [rule['id'] for rule in run['tool']['driver']['rules']] == list(GRAPH_RULES)
    first, second = run['results']
    assert (first['ruleId'], first['level']) == ('frame-two-parents', 'error')
    assert run['tool']['driver']['rules'][second['ruleIndex']]['id'] == 'frame-stamps-old'
    (place,) = first['locations']
    assert place['logicalLocations'] == [
        {'fullyQualifiedName': '/other, /state_publisher'}]
    assert first['properties']['arguments']['parents'] == ['elsewhere', 'mount']


@pytest.mark.parametrize('arguments, error', [
    (['--ignore', 'timng'], "Rule or category 'timng' does not exist. Did you mean 'timing'?"),
    (['--watch', '--format', 'sarif'], '--format sarif has one report'),
    (['--explain', 'x'], "Rule 'x' does not exist.")])
def test_wrong_arguments_are_named(arguments, error, capsys):
    assert main(['doctor', *arguments]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize('seconds', ['0', 'nan', 'x', '1e9'])
def test_seconds_are_a_number(seconds, capsys):
    with pytest.raises(SystemExit):
        main(['doctor', '--seconds', seconds])
    assert 'is not a number of seconds from 1 to 3600' in capsys.readouterr().err


@pytest.mark.parametrize(('select', 'ignore', 'applied'), [
    ([], [], True),
    (['joints'], [], True),
    (['joint-unknown'], ['joints'], True),
    (['joints'], ['joint-unknown'], False),
    (['frames'], [], False),
    ([], ['joints'], False)])
def test_a_code_outweighs_its_category(select, ignore, applied):
    assert ('joint-unknown' not in GRAPH_RULES.unwanted(select, ignore)) == applied
