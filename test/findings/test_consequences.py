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

"""What defects do to each program: values, the sentences made from them, and verdicts."""

import pytest

from urdf_tools.check.rules import RULES
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.consequences import applicable
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import CONSUMERS
from urdf_tools.findings.consequences import crashes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.consequences import PROGRAMS
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.consequences import warns
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import headline
from urdf_tools.findings.report import Verdict
from urdf_tools.findings.report import verdicts

EVEN = Condition('if it is even', lambda seen, defect: defect % 2 == 0)
JOINTS = [f"/robot/joint[@name='{name}']" for name in 'abc']


@pytest.mark.parametrize('consequences, text', [
    (refuses('drake'), 'refuses the description'),
    (refuses('drake', when=EVEN), 'refuses the description if it is even'),
    (refuses('drake', setting='from release 2 on'), 'refuses the description from release 2 on'),
    (drops('drake', of='joint'), 'drops the joint'),
    (ignores('drake', of='mimic', how='warns, and ignores it'), 'warns, and ignores it'),
    (changes('drake', of='joint', how='publishes it as fixed', when=EVEN),
     'publishes it as fixed if it is even'),
    (warns('drake'), 'warns'), (crashes('drake'), 'crashes')])
def test_sentences(consequences, text):
    assert sentences(consequences) == {'drake': text}


def test_a_condition_that_holds_is_not_told():
    stated = (*refuses('drake', when=EVEN), *warns('mujoco'))
    assert applicable(stated, None, 3) == warns('mujoco')
    assert applicable(stated, None, 4) == (*refuses('drake'), *warns('mujoco'))
    assert not stated[0].is_certain and applicable(stated, None, 4)[0].is_certain


def test_rules_name_programs_and_kinds_that_exist():
    for rule in (*RULES.values(), *GRAPH_RULES.values()):
        assert {*rule.affects.split()} <= {*KINDS, 'any'}, rule.code
        for each in rule.consequences:
            assert each.program in CONSUMERS and each.of in KINDS, rule.code


def test_every_rule_says_something_of_each_program_once_or_with_conditions():
    for rule in RULES.values():
        stated = [each for each in rule.consequences if each.is_certain]
        assert len({(each.program, each.impact) for each in stated}) == len(stated), rule.code


def findings(*defects):
    return [Finding(f'example-{number}', Severity.ERROR, 'x', '', element, 1, 1, consequences)
            for number, (consequences, elements) in enumerate(defects) for element in elements]


@pytest.mark.parametrize('defects, expected', [
    ([(drops('gazebo', of='joint'), JOINTS)], {'gazebo': 'drops 3 joints', 'rviz': 'fine'}),
    ([(drops('gazebo', of='joint'), [f'{JOINTS[0]}/axis', f'{JOINTS[0]}/limit'])],
     {'gazebo': 'drops 1 joint'}),
    ([((*refuses('kdl'), *changes('robot_state_publisher', of='shape', how='x')), JOINTS)],
     {'robot_state_publisher': 'changes 3 shapes', 'drake': 'fine'}),
    ([(drops('tesseract', of='joint'), JOINTS), (refuses('tesseract'), JOINTS)],
     {'tesseract': 'refuses it: x'}),
    ([(ignores('moveit', of='mimic'), JOINTS),
      (changes('moveit', of='link', how='plans slowly'), JOINTS[:1]), (warns('moveit'), JOINTS)],
     {'moveit': 'changes 1 link, ignores 3 mimics'}),
    ([(refuses('moveit', setting='from release 2 on'), JOINTS)], {'moveit': 'may refuse it'}),
    ([(crashes('moveit', setting='from release 2 on'), JOINTS)], {'moveit': 'may crash'}),
    ([(crashes('moveit'), JOINTS)], {'moveit': 'crashes: x'}),
    ([(warns('moveit'), JOINTS)], {'moveit': 'warns of 3 elements'}),
    ([(drops('kdl', of='inertia'), JOINTS)],
     {'robot_state_publisher': 'drops 3 inertias', 'moveit': 'fine'})])
def test_verdicts(defects, expected):
    found = verdicts(findings(*defects), {})
    assert found.keys() == {*PROGRAMS}
    assert {program: found[program].text() for program in expected} == expected


def test_what_reads_urdf_for_a_program_may_refuse_it():
    found = verdicts(findings((drops('rviz', of='shape'), JOINTS)), {
        'urdfdom': Verdict(5.5, ('refuses it',), 'axis zero'), 'usd': Verdict()},
        ('rviz', 'isaac', 'usd', 'drake'))
    assert {program: verdict.text() for program, verdict in found.items()} == {
        'rviz': 'refuses it: axis zero', 'isaac': 'fine', 'usd': 'fine', 'drake': 'fine'}


REFUSES = Verdict(5.5, ('refuses it',), 'mesh format .dae')


@pytest.mark.parametrize('found, lines', [
    ({}, []),
    ({'drake': Verdict()}, []),
    ({'rviz': Verdict(1.5, ('warns',))}, []),
    ({'drake': REFUSES, 'mujoco': REFUSES, 'usd': REFUSES._replace(reason='axis zero'),
      'pybullet': Verdict(4.9, ('adds 2 kg',), '+2 kg'),
      'gazebo': Verdict(4.5, ('drops it',), 'mimic'), 'tesseract': Verdict(4.5, ('drops it',)),
      'rviz': Verdict()},
     ['  refused by drake, mujoco, usd: mesh format .dae (1 of 2 reasons)',
      '  changed by pybullet (+2 kg), gazebo (mimic)']),
    (dict.fromkeys(('drake', 'mujoco', 'usd'), REFUSES) | {'rviz': Verdict()},
     ['  refused by drake, mujoco, usd: mesh format .dae']),
    ({'drake': REFUSES, 'mujoco': REFUSES}, ['  refused by all programs: mesh format .dae'])])
def test_headline(found, lines):
    assert headline('', found) == lines
    assert headline('passes', found) == ['passes', *lines]
    assert headline('fails', found, True) == ['fails', *lines[:1]]


def test_a_long_reason_is_cut_and_names_are_not():
    line, = headline('', dict.fromkeys(PROGRAMS, REFUSES._replace(reason='x' * 300)) | {
        'other': Verdict()})
    assert line.startswith('  refused by gazebo, moveit, rviz, mujoco, drake, ')
    assert line.endswith(f'urdf_parser_py: {"x" * 197}...')


def test_a_model_outweighs_what_rules_state():
    found = findings((refuses('drake'), JOINTS))
    told = verdicts(found, {'drake': Verdict()}, ('drake', 'moveit'))
    assert {program: verdict.text() for program, verdict in told.items()} == {
        'drake': 'fine', 'moveit': 'fine'}


def test_parts_of_other_programs_are_not_listed():
    assert {*CONSUMERS} - {*PROGRAMS} == {
        'genesis', 'isaac', 'kdl', 'newton', 'urdfdom'}
