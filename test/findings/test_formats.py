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

"""Reports for a terminal, as JSON, as SARIF and as GitHub annotations."""

from dataclasses import replace
import json

import pytest
from support.validation_cases import check
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

from urdf_tools.check.rules import RULES
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.folding import fold
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.github import workflow_commands
from urdf_tools.findings.formats.json_data import as_data
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render
from urdf_tools.findings.message import argument
from urdf_tools.findings.message import fields_of
from urdf_tools.findings.message import Message
from urdf_tools.findings.message import Name
from urdf_tools.findings.report import Report
from urdf_tools.findings.report import Verdict
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import RemoveElement

TEXT = REVOLUTE.format('\t<axis xyz="0 0 0"/><dynamics/>')
LIMITED = {'categories': ['joints'], 'ignore': ['limit-missing']}

CONSEQUENCES = (*ignores('tesseract', of='joint', how='ignores it'), *refuses('drake'))

PROGRAMS = {'drake': Verdict(5.5, ('refuses it',), 'axis zero'),
            'tesseract': Verdict(2.5, ('ignores 1 joint',), 'joint')}


@pytest.fixture
def report():
    """Return a report with two findings, of which one can be fixed."""
    document = read_document(TEXT, 'r.urdf')
    axis, dynamics = document.root.find('joint')[-2:]
    findings = tuple(
        Finding('example', Severity.ERROR, message, hint, element.path, element.line,
                element.column, CONSEQUENCES, fix, excerpt=TEXT.splitlines()[4])
        for element, message, hint, fix in (
            (axis, 'Axis is zero', 'Write another', ()),
            (dynamics, 'Dynamics are empty', '', (RemoveElement(dynamics),))))
    counts = {Severity.ERROR: 2, Severity.WARN: 0, Severity.INFO: 0}
    return Report('r.urdf', findings, counts, {}, 0, document, programs=PROGRAMS)


def test_terminal(report):
    assert render(report) == """\
r.urdf: fails, 2 errors
  refused by drake: axis zero
r.urdf:5:2: error: Axis is zero [example]
      = Write another
r.urdf:5:21: error: Dynamics are empty [example]
      = tesseract: ignores it; drake: refuses the description
r.urdf: 2 errors, 0 warnings, 0 notes"""


def test_terminal_lists_every_finding(report):
    assert render(report, verbose=True) == """\
r.urdf: fails, 2 errors
  refused by drake: axis zero
r.urdf:5:2: error: Axis is zero [example]
    5 |  <axis xyz="0 0 0"/><dynamics/>
      |  ^~~~~~~~~~~~~~~~~~~
      = Write another
      = tesseract: ignores it
      = drake: refuses the description
r.urdf:5:21: error: Dynamics are empty [example]
    5 |  <axis xyz="0 0 0"/><dynamics/>
      |                     ^~~~~~~~~~~
r.urdf: 2 errors, 0 warnings, 0 notes"""


def test_terminal_counts_suppressed_findings(report):
    assert render(replace(report, suppressed=3)).endswith(', 0 notes, 3 suppressed')


def test_terminal_counts_omitted_findings():
    report = check(TEXT.replace('\t', '<axis xyz="0 0 0"/>' * 3), max_per_rule=1,
                   categories=['xml', 'joints'], ignore=['limit-missing', 'dynamics-empty'])
    lines = render(report, minimum=Severity.ERROR).splitlines()
    assert lines[-1] == ': 1 error, 3 warnings (shown with --level warn), 0 notes'
    assert lines[0] == ': fails, 1 error, 3 warnings'
    lines = render(report).splitlines()
    assert ': 2 more of duplicate-element' in render(report, verbose=True).splitlines()
    assert 'mujoco: refuses the description' in '\n'.join(lines)
    assert '[duplicate-element] and 2 others like it' in render(report)


def test_terminal_without_source_location():
    finding = Finding('file-unreadable', Severity.ERROR, 'Cannot read it')
    report = Report('robot.urdf', (finding,), {Severity.ERROR: 1, Severity.WARN: 0,
                                               Severity.INFO: 0}, {}, 0)
    assert render(report) == (
        'robot.urdf: fails, 1 error\n'
        'robot.urdf: error: Cannot read it [file-unreadable]\n'
        'robot.urdf: 1 error, 0 warnings, 0 notes')


def unknown_attributes(number, attribute):
    return ''.join(f'\n<link name="{attribute}{i}" {attribute}="{i}"/>' for i in range(number))


def test_repeats_are_folded():
    report = check(ROBOT.format(unknown_attributes(50, 'group') + unknown_attributes(2, 'nme')),
                   categories=['xml'], max_per_rule=1000)
    assert report.counts[Severity.WARN] == 52
    lines = render(report).splitlines()
    assert [line for line in lines if '[' in line] == [
        "3:1: warning: URDF does not define attribute 'group' of <link> [unknown-attribute] "
        'and 49 others like it',
        "53:1: warning: URDF does not define attribute 'nme' of <link> [unknown-attribute] "
        'and 1 other like it: 54']
    assert lines[-1] == (
        ': 0 errors, 52 warnings, 0 notes (50 folded; --verbose lists them)')
    assert render(report, verbose=True).count('[unknown-attribute]') == 52
    assert len(as_data([Result(report)], Options(RULES))['reports'][0]['findings']) == 52
    assert len(as_sarif([Result(report)], Options(RULES))['runs'][0]['results']) == 52
    assert len(workflow_commands([Result(report)], Options(RULES)).splitlines()) == 2


def test_what_others_name_is_said():
    report = check(ROBOT.format(''.join(
        f'\n<link name="{name}"><visual><geometry><sphere radius="1"/></geometry></visual></link>'
        for name in 'ab')))
    assert any('like it: 4 (b)' in line for line in render(report).splitlines())


DOCUMENT = read_document('<robot><joint name="j"><limit/></joint><joint name="k"><limit/></joint>'
                         '</robot>')
J, K = (argument(joint.find('limit')) for joint in DOCUMENT.root)


@pytest.mark.parametrize('severity, template, one, other, folded', [
    (Severity.WARN, 'File {file} does not exist', Name('a/b.stl'), Name('c.stl'), True),
    (Severity.WARN, 'It has {number:,} triangles', 3038, 999, True),
    (Severity.WARN, 'Unknown attribute {attribute}', 'nme', 'nam', False),
    (Severity.ERROR, '{limit} has the limits 2 and 1', J, K, True),
    (Severity.ERROR, 'It has a loop: {links}', ('a', 'b'), ('a', 'c'), False),
    (Severity.WARN, 'It has a loop: {links}', ('a', 'b'), ('a', 'c'), True),
    (Severity.ERROR, 'It mimics {leader}', Name('x'), Name('x'), True),
    (Severity.ERROR, 'It mimics {leader}', Name('x'), Name('y'), False),
    (Severity.WARN, 'It mimics {leader}', Name('x'), Name('y'), True)])
def test_what_is_folded(severity, template, one, other, folded):
    field, = fields_of(template)
    messages = [Message(template, **{field: value}) for value in (one, other)]
    rule, = fold(
        Finding('example', severity, message, 'Fix it', f"/robot/joint[@name='{name}']/limit")
        for name, message in zip('jk', messages))
    assert len(rule.folded) == (1 if folded else 2)
    assert rule.folded[0][:2] == (rule.folded[0].first, int(folded))
    assert rule.folded[0].first.message == messages[0]


def test_the_wording_tells_kinds_apart():
    findings = [Finding('example', Severity.WARN, f'Unknown <{tag}>') for tag in 'ab']
    assert len(fold(findings)[0].folded) == 2


@pytest.mark.parametrize('kinds', range(1, 9))
@pytest.mark.parametrize('hint', ['', 'Same', 'Another {}'])
@pytest.mark.parametrize('omitted', [0, 3])
def test_a_rule_has_at_most_five_lines(report, kinds, hint, omitted):
    findings = tuple(
        replace(report.findings[0], message=f'Axis {"ab" * i!r}', hint=hint.format('x' * i))
        for i in range(kinds) for _ in range(2))
    lines = render(replace(report, findings=findings, omitted={'example': omitted})).splitlines()
    assert lines[0] == 'r.urdf: fails, 2 errors'
    lines = lines[2:-1]
    assert 1 < len(lines) <= 5
    heads = [line for line in lines if ' like it' in line]
    more = sum(int(line.split()[1]) for line in lines if line.endswith(' more of example'))
    shown = sum(1 + int(line.rpartition(' and ')[2].split()[0]) for line in heads)
    assert shown + more == 2 * kinds + omitted


def test_errors_come_first():
    report = check(REVOLUTE.format('<axis xyz="0 0 2"/><limit effort="1"/>'))
    severities = [line.split(': ')[1] for line in render(report).splitlines() if '[' in line]
    assert severities == sorted(severities, key=['error', 'warning', 'note'].index)
    assert severities[0] == 'error'


def test_terminal_colours(report):
    assert '\033[1;31merror:\033[0m' in render(report, colour=True)


def test_long_lines_are_truncated_around_the_finding():
    report = check(REVOLUTE.format(' ' * 500 + '<axis xyz="0 0 0"/>' + ' ' * 500), **LIMITED)
    excerpt, mark = render(report, verdict=False).splitlines()[1:3]
    assert len(excerpt) < 120
    assert excerpt[mark.index('^'):].startswith('<axis')


def test_json_data(report):
    data = as_data([Result(report)], Options(RULES))
    json.dumps(data)
    assert data['valid'] is False
    assert data['reports'][0]['programs'] == {
        'drake': 'refuses it: axis zero', 'tesseract': 'ignores 1 joint'}
    assert data['reports'][0]['headline'] == [
        'fails, 2 errors', '  refused by drake: axis zero']
    assert data['reports'][0]['counts'] == {'ERROR': 2, 'WARN': 0, 'INFO': 0}
    finding = data['reports'][0]['findings'][1]
    assert finding['code'] == 'example'
    assert finding['element'] == "/robot/joint[@name='j']/dynamics"
    assert finding['fixable'] is True
    assert finding['consequences'][0] == {
        'program': 'tesseract', 'impact': 'ignores', 'of': 'joint', 'text': 'ignores it'}
    assert finding['consumers'] == {
        'tesseract': 'ignores it', 'drake': 'refuses the description'}


def test_github():
    finding = Finding('axis-zero', Severity.WARN, '50 % of\nit', 'Fix it', '', 3, 7)
    report = Report('a,b:c.urdf', (finding,), {}, {}, 0)
    assert workflow_commands([Result(report)], Options(RULES)).splitlines() == [
        '::warning file=a%2Cb%3Ac.urdf,line=3,col=7,title=axis-zero::50 %25 of%0Ait. Fix it']
    assert not workflow_commands([Result(report, minimum=Severity.ERROR)], Options(RULES))


def test_sarif():
    sarif = as_sarif([Result(check(TEXT, **LIMITED))], Options(RULES))
    json.dumps(sarif)
    assert sarif['version'] == '2.1.0'
    run, = sarif['runs']
    rules = run['tool']['driver']['rules']
    assert [rule['id'] for rule in rules] == list(RULES)
    result = run['results'][0]
    assert rules[result['ruleIndex']]['id'] == result['ruleId'] == 'axis-zero'
    assert result['level'] == 'error'
    location, = result['locations']
    assert location['physicalLocation']['region'] == {'startLine': 5, 'startColumn': 2}
    assert location['logicalLocations'] == [
        {'fullyQualifiedName': "/robot/joint[@name='j']/axis"}]


def test_sarif_tells_what_is_omitted(report):
    result = Result(replace(report, findings=(), omitted={'example': 3}))
    run, = as_sarif([result], Options(RULES))['runs']
    invocation, = run['invocations']
    assert invocation['executionSuccessful'] is True
    notification, = invocation['toolExecutionNotifications']
    assert notification['message']['text'] == 'r.urdf: 3 more of example'
    result = Result(replace(report, findings=()))
    assert 'invocations' not in as_sarif([result], Options(RULES))['runs'][0]


@pytest.mark.parametrize('source, uri', [
    ('urdf/my robot.urdf', 'urdf/my%20robot.urdf'), ('\udcff.urdf', '%FF.urdf'),
    ('/\udcff.urdf', 'file:///%FF.urdf'), ('/a/b.urdf', 'file:///a/b.urdf')])
def test_sarif_uri(source, uri):
    report = Report(source, (Finding('no-links', Severity.ERROR, 'x'),), {}, {}, 0)
    location = as_sarif([Result(report)], Options(RULES))['runs'][0]['results'][0]['locations'][0]
    assert location['physicalLocation']['artifactLocation'] == {'uri': uri}
    assert 'region' not in location['physicalLocation']
