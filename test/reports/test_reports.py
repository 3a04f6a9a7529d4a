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

"""What the command says about the reports of users, against what the log says that it says."""

import re

import pytest
import reports.log
from reports.log import Case
from reports.log import cases
from reports.log import INPUTS
from reports.log import NOT_RUN
from reports.log import OUTCOMES
from reports.log import run
from reports.recorded import MADE

CASES = cases()

REPORT = re.compile(
    r'[\w.-]+/[\w.-]+#\d+|https://(answers\.ros\.org|(robotics\.)?stack\w+\.com)/\S+')
"""How a report is named."""

EVERY = 30
"""Of how many cases one is run by the fast tests."""


@pytest.mark.parametrize('case', [
    pytest.param(case, id=case.name, marks=() if number % EVERY == 0 else pytest.mark.slow)
    for number, case in enumerate(CASES)])
def test_outcome(case):
    if case.outcome == NOT_RUN:
        pytest.skip('The right answer was written down, and not compared yet.')
    if case.run.startswith('doctor'):
        pytest.importorskip('mcap', reason='mcap is not installed')
    output = run(case)
    assert case.outcome_of(output) == case.outcome, output


@pytest.mark.parametrize('path', reports.log.files(), ids=lambda path: path.name)
def test_fields(path):
    for fields in reports.log.fields_of(path):
        assert list(fields) == [
            'kind', 'input', 'run', 'answer', 'right', *(['wrong'] if 'wrong' in fields else []),
            'outcome', 'reports']
        case = Case(path.name, **{'wrong': (), **fields})
        assert case.outcome in (*OUTCOMES, NOT_RUN)
        assert case.right and case.answer
        assert all(map(re.compile, (*case.right, *case.wrong)))
        assert case.reports
        assert all(REPORT.fullmatch(name) and what for name, what in case.reports.items())


def test_each_report_is_counted_once():
    names = [name for case in CASES for name in case.reports]
    assert len(names) == len({*names})


def test_each_input_is_of_a_case():
    folders = {path.name for path in INPUTS.iterdir() if path.is_dir()}
    assert folders == {case.input for case in CASES} - MADE.keys()
    assert MADE.keys() <= {case.input for case in CASES}


def test_outcomes_differ():
    case = Case('', 'k', 'i', 'check .', 'a', ('one.*two', 'three'), ('four',), 'full', {})
    assert case.outcome_of('one\n   = two\nthree') == 'full'
    assert case.outcome_of('one\ntwo\nthree') == 'half'
    assert case.outcome_of('one\ntwo') == 'none'
    assert case.outcome_of('one\n two\nthree\nfour') == 'wrong'


def test_the_table_is_up_to_date():
    readme = (reports.log.FOLDER / 'README.md').read_text('utf-8')
    assert reports.log.table() in readme
