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
"""A fault of ours, in a rule, a model or a reader, costs one finding and no other."""

import pytest

from urdf_tools.check import loaded_robot
from urdf_tools.check import moveit_files
from urdf_tools.check import validator
from urdf_tools.check.registry import Defect
from urdf_tools.check.rules.known_mistakes import mistakes
from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.cli import main
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.rules import Rule
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs import drake
from urdf_tools.programs.summaries import Effects

TEXT = """<robot name="arm">
  <link name="base"/>
  <link name="tip"><visual><geometry><box size="1 1 0"/></geometry></visual></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="tip"/>
    <limit lower="2" upper="1" effort="1" velocity="1"/></joint>
  <joint name="k" type="fixed"><parent link="base"/><child link="nothing"/></joint>
</robot>
"""

SRDF = """<robot name="arm">
  <group name="all"><link name="bse"/></group>
  <group_state name="home" group="all"><joint name="j" value="9"/></group_state>
</robot>
"""


def fail(*arguments, **options):
    raise KeyError('{zzz}')


def fails_after_one(description):
    yield Defect(description.robot, 'The first one')
    fail()


def fails_in_a_condition(description):
    yield Defect(description.robot, 'The robot',
                 consequences=refuses('tesseract', when=Condition('if it holds', fail)))


def lacks_a_value(description):
    yield Defect(description.robot, 'The robot has {nothing}')


@pytest.fixture
def with_rule(monkeypatch):
    """Return what adds a rule before all others."""
    def add(check):
        monkeypatch.setattr(validator, 'RULES', {
            'broken': Rule('broken', Severity.WARN, 'xml', 'Nothing.', check=check),
            **validator.RULES})
    return add


def keys(report):
    """Return what each finding is about, without its effects on programs."""
    return [(each.code, each.line, each.message) for each in report.findings
            if each.code not in ('internal-error', 'broken')]


def internal(report):
    finding, = (each for each in report.findings if each.code == 'internal-error')
    assert finding.severity is Severity.ERROR
    assert report.counts[Severity.ERROR] == sum(
        each.severity is Severity.ERROR for each in report.findings)
    assert finding.traceback.startswith('Traceback (most recent call last):')
    return finding.message


@pytest.mark.parametrize('check, others, part', [
    (fail, 0, 'Rule broken failed at test_faults.py:'),
    (fails_after_one, 1, 'Rule broken failed at test_faults.py:'),
    (fails_in_a_condition, 1, 'A condition of rule broken failed at consequences.py:'),
    (lacks_a_value, 0, 'The report of rule broken failed at message.py:')])
@pytest.mark.parametrize('run', [
    validates, lambda text: validates(read_document(text))])
def test_a_rule_that_raises(with_rule, check, others, part, run):
    expected = keys(run(TEXT))
    assert {'limit-inverted', 'child-link-missing'} <= {code for code, _, _ in expected}
    with_rule(check)
    report = run(TEXT)
    assert keys(report) == expected
    assert internal(report).startswith(part)
    assert [each.code for each in report.findings].count('broken') == others


def test_rules_that_fail_in_the_same_line_have_one_fault(monkeypatch):
    rules = {name: Rule(name, Severity.WARN, 'xml', 'Nothing.', check=fail)
             for name in ('first', 'second')}
    monkeypatch.setattr(validator, 'RULES', {**rules, **validator.RULES})
    assert internal(validates(TEXT)).startswith('Rule first and rule second failed at ')


@pytest.mark.parametrize('where, name, part', [
    (drake, 'account', 'The model of drake'),
    (validator, 'account_of', 'The model of gazebo, '),
    (validator, 'in_gazebo', 'The model of gazebo'),
    (validator, 'verdict_of', 'The verdict of gazebo, the verdict of mujoco, '),
    (validator, 'loops_error', 'The reader of loops'),
    (validator, 'Effects', None), (Effects, '__init__', None),
    (Effects, 'of', 'The effects of rule '),
    (Effects, 'unreported', 'The losses of programs'),
    (loaded_robot, 'build_robot', 'The loader, ')])
def test_what_programs_do_with_a_robot(monkeypatch, where, name, part):
    expected = keys(validates(TEXT, asks_programs=False))
    monkeypatch.setattr(where, name, fail)
    report = validates(TEXT)
    message = internal(report)
    assert message.endswith(": KeyError: '{zzz}'")
    if part is not None:
        assert message.startswith(part)
        known = keys(report)
        assert {code for code, *_ in expected if code not in {code for code, *_ in known}} <= (
            {'inertial-missing', 'visual-without-collision'} if name == 'build_robot' else set())


def test_a_reader_of_yaml(tmp_path, monkeypatch):
    for name, text in (('arm.urdf', TEXT), ('arm.srdf', SRDF), ('kinematics.yaml', 'all: {}'),
                       ('joint_limits.yaml', 'joint_limits: {j: {}}')):
        (tmp_path / name).write_text(text)
    expected = keys(validate(tmp_path / 'arm.urdf'))
    assert {'srdf-unknown-name', 'srdf-state', 'limit-inverted'} <= {
        code for code, _, _ in expected}
    monkeypatch.setattr(moveit_files, 'entries_of', fail)
    report = validate(tmp_path / 'arm.urdf')
    assert internal(report).startswith('Rule ')
    # Rows of the table search one document, which has what the YAML files say.
    # A row takes the place of some findings, which are there without it.
    assert {each for each in expected if not (
        each[0].startswith('moveit-') or mistakes(each[0]))} <= {*keys(report)}


@pytest.mark.parametrize('name', ['Description', 'read_description', 'open_document'])
def test_a_check_that_cannot_begin(tmp_path, monkeypatch, name):
    (tmp_path / 'arm.urdf').write_text(TEXT)
    monkeypatch.setattr(validator, name, fail)
    assert internal(validate(tmp_path / 'arm.urdf') if name == 'open_document' else
                    validates(TEXT)).startswith('The check failed at validator.py:')


def test_the_command_reports_all_else(tmp_path, monkeypatch, capsys, with_rule):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'arm.urdf').write_text(TEXT)
    with_rule(fail)
    assert main(['check', 'arm.urdf']) == 1
    shown = capsys.readouterr()
    assert 'arm.urdf: error: Rule broken failed at test_faults.py:' in shown.out
    assert '[limit-inverted]' in shown.out
    assert '[child-link-missing]' in shown.out
    assert 'Traceback' not in shown.out + shown.err
    assert main(['check', '--debug', 'arm.urdf']) == 1
    assert capsys.readouterr().err.splitlines()[-1] == "KeyError: '{zzz}'"
    assert main(['check', '--ignore', 'internal-error', 'arm.urdf']) == 1
    assert 'broken' not in capsys.readouterr().out


@pytest.mark.parametrize('name', ['{tag}{zzz}', '${prefix}_${link}', '${link}_b', '%s {0}'])
def test_names_with_braces(name):
    frame = f'<gazebo><frame name="{name}" attached_to="x"/></gazebo>'
    text = TEXT.replace('"tip"', f'"{name}"').replace(
        '</robot>', f'<link name="nothing"/>{frame}</robot>')
    codes = {each.code for each in validates(text).findings}
    assert 'internal-error' not in codes
    assert {'limit-inverted', 'size-not-positive', 'program-refuses'} <= codes
