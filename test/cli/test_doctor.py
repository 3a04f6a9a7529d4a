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

import pytest

from urdf_tools.cli import main
from urdf_tools.monitoring.graph_rules import applies
from urdf_tools.monitoring.rules import GRAPH_RULES


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


@pytest.mark.parametrize('arguments, error', [
    (['--ignore', 'timng'], "Rule or category 'timng' does not exist. Did you mean 'timing'?"),
    (['--watch', '--format', 'sarif'], 'SARIF is one report'),
    (['--explain', 'x'], "Rule 'x' does not exist.")])
def test_wrong_arguments_are_named(arguments, error, capsys):
    assert main(['doctor', *arguments]) == 2
    assert error in capsys.readouterr().err


@pytest.mark.parametrize('seconds', ['0', 'nan', 'x', '1e9'])
def test_seconds_are_a_number(seconds, capsys):
    with pytest.raises(SystemExit):
        main(['doctor', '--seconds', seconds])
    assert 'is not a number of seconds from 1 to 3600' in capsys.readouterr().err


def test_a_code_outweighs_its_category():
    rule = GRAPH_RULES['joint-unknown']
    assert applies(rule, [], [])
    assert applies(rule, ['joints'], [])
    assert applies(rule, ['joint-unknown'], ['joints'])
    assert not applies(rule, ['joints'], ['joint-unknown'])
    assert not applies(rule, ['frames'], [])
    assert not applies(rule, [], ['joints'])
