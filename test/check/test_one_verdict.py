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
"""Findings, verdicts, exit codes and data say of each program what its account says."""

from itertools import takewhile
import json
from pathlib import Path
import re
from statistics import median

import pytest
from support.corpus import CORPUS
from support.program_cases import corpus_files
from support.program_cases import descriptions
from support.program_cases import write_meshes

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import UNREADABLE
from urdf_tools.check.validator import validates
from urdf_tools.cli import main
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.json_data import as_data
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import MODELS
from urdf_tools.programs.models import NEWEST

MAX_WIDTH = 300
"""Most columns of a line at the top of a report: the names of all programs and a reason."""

HAVE_MODELS = frozenset((*MODELS, 'isaac'))


def disagreements(data, path, programs=NEWEST):
    """Yield what findings, verdicts and data say otherwise than the accounts."""
    document = read_document(data)
    resources = ResourceResolver(path.parent)
    try:
        robot = build_robot(document)
    except DescriptionError:
        robot = None
    source = Source.of_document(document, robot)
    found = {name: account_of(name, source, Context(resources, path)) for name in NEWEST}
    report = check(document, resources, path, ())
    if any(finding.code in UNREADABLE for finding in report.findings) or not report.programs:
        return
    refusing = {program for program, account in found.items() if not account.loads}
    told = {program for program in found if program in report.programs
            and report.programs[program].refuses}
    if told != refusing - {'urdfdom'}:
        yield f'verdicts: {sorted(told)} refuse it, accounts {sorted(refusing)}'
    if reported(report) != refusing:
        yield f'findings: {sorted(reported(report))} refuse it, accounts {sorted(refusing)}'
    if any(len(line) > MAX_WIDTH for line in report.headline()):
        yield f'headline: {report.headline()}'
    for program in programs:
        yield from _for_one(program, found[program], check(document, resources, path, (program,)))


def _for_one(program, account, report):
    errors = [finding.code for finding in report.findings if finding.severity is Severity.ERROR]
    warned = [finding for finding in report.findings if finding.severity is Severity.WARN]
    if bool(errors) == account.loads or report.valid != account.loads:
        yield f'--for {program}: errors {errors}, {account.causes[:1]}'
    lost = [each for each in account.losses if not each.is_harmless]
    if account.loads and lost and not warned:
        yield f'--for {program}: no warning of {lost[:1]}'
    of_others = {each.program for finding in report.findings
                 for each in finding.consequences} - {program}
    if of_others or {*report.programs} != {program}:
        yield f'--for {program}: {sorted(of_others)}, {sorted(report.programs)} are told'
    data = as_data([Result(report)], Options(RULES))['reports'][0]
    if (data['valid'], data['programs'][program].startswith(('refuses', 'crashes'))) != (
            account.loads, not account.loads):
        yield f'--for {program}: {json.dumps(data["programs"])}'


def check(document, resources, path, programs):
    return validates(document, categories=CATEGORIES, resources=resources, file=path,
                     consumers=programs, max_per_rule=10**6)


def reported(report):
    return {each.program for finding in report.findings for each in finding.consequences
            if each.impact >= Impact.REFUSES and each.program in NEWEST}


def test_rules_state_nothing_of_programs_with_a_model():
    stated = {(rule.code, each.program) for rule in RULES.values() for each in rule.consequences}
    assert {(code, program) for code, program in stated if program in HAVE_MODELS} == set()
    assert {program for _, program in stated} <= {*CONSUMERS} - HAVE_MODELS


@pytest.mark.slow
def test_small_descriptions(tmp_path):
    write_meshes(tmp_path)
    assert {name: found for name, text in descriptions().items() if (
        found := [*disagreements(text, tmp_path / 'robot.urdf')])} == {}


@pytest.mark.slow
@pytest.mark.parametrize('name', corpus_files() if CORPUS.is_dir() else ())
def test_the_corpus(name):
    path = Path(corpus_files()[name])
    programs = NEWEST if name.startswith('bad/') else ('mujoco', 'gazebo')
    assert [*disagreements(path.read_bytes(), path, programs)] == []


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason='no corpus of robots')
def test_first_lines_of_the_corpus(monkeypatch, capsys):
    monkeypatch.chdir(CORPUS)
    robots = [line.split('\t')[1] for line in Path('INDEX.tsv').read_text().splitlines()[1:]]
    lengths = []
    for path in [*robots, *map(str, sorted(Path('bad').glob('*.urdf')))]:
        main(['check', path])
        lines = capsys.readouterr().out.splitlines()
        first = [lines[0], *takewhile(re.compile(r'  \S').match, lines[1:])]
        # All programs are named, and a reason is cut at 120 characters. Of a file that is no XML,
        # the error is all there is to say.
        assert len(first) <= 3 and max(map(len, first)) <= 240 or '[' in lines[0], path
        lengths.append(len('\n'.join(first)))
    assert median(lengths) <= 250
