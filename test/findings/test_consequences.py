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

from urdf_tools.findings.consequences import accepts
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.consequences import Consequence
from urdf_tools.findings.consequences import crashes
from urdf_tools.findings.consequences import drops
from urdf_tools.findings.consequences import ignores
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.consequences import those_that_hold
from urdf_tools.findings.consequences import warns
from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.consumers import PROGRAMS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.headline import headline
from urdf_tools.findings.headline import told_programs
from urdf_tools.findings.headline import verdicts
from urdf_tools.findings.verdict import Verdict
from urdf_tools.validation.rules import RULES

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
    (warns('drake'), 'warns'), (crashes('drake'), 'crashes'), (accepts('drake'), 'accepts')])
def test_sentences(consequences, text):
    assert sentences(consequences) == {'drake': text}


def test_a_condition_that_holds_is_not_told():
    stated = (*refuses('drake', when=EVEN), *warns('mujoco'))
    assert those_that_hold(stated, None, 3) == warns('mujoco')
    assert those_that_hold(stated, None, 4) == (*refuses('drake'), *warns('mujoco'))
    assert not stated[0].is_certain and those_that_hold(stated, None, 4)[0].is_certain


@pytest.mark.parametrize('program, of', [('nobody', 'joint'), ('drake', 'nothing')])
def test_what_a_consequence_refuses(program, of):
    with pytest.raises(ValueError, match='is unknown'):
        Consequence(program, Impact.DROPS, of)


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
    ([((*refuses('urdfdom'), *changes('rviz', of='shape', how='shows nothing')), JOINTS)],
     {'gazebo': 'refuses it', 'rviz': 'changes 3 shapes', 'drake': 'fine'}),
    ([(drops('mujoco', of='joint'), JOINTS), (refuses('mujoco'), JOINTS)],
     {'mujoco': 'refuses it'}),
    ([(ignores('moveit', of='mimic'), JOINTS),
      (changes('moveit', of='link', how='plans slowly'), JOINTS[:1]), (warns('moveit'), JOINTS)],
     {'moveit': 'changes 1 link, ignores 3 mimics'}),
    ([(refuses('moveit', setting='from release 2 on'), JOINTS)], {'moveit': 'may refuse it'}),
    ([(crashes('moveit', setting='from release 2 on'), JOINTS)], {'moveit': 'may crash'}),
    ([(crashes('moveit'), JOINTS)], {'moveit': 'crashes'}),
    ([(warns('moveit'), JOINTS)], {'moveit': 'warns'}),
    ([((*refuses('urdfdom'), *accepts('moveit')), JOINTS)],
     {'moveit': 'fine', 'rviz': 'refuses it'}),
    ([(drops('kdl', of='inertia'), JOINTS)],
     {'robot_state_publisher': 'drops 3 inertias', 'moveit': 'fine'})])
def test_verdicts(defects, expected):
    found = verdicts(findings(*defects), {})
    assert found.keys() == {*PROGRAMS}
    assert {program: found[program].text() for program in expected} == expected


def test_headline():
    found = findings(
        (refuses('drake', 'mujoco'), JOINTS[:1]), (drops('gazebo', of='joint'), JOINTS))
    programs = 'moveit', 'gazebo', 'drake', 'rviz', 'mujoco'
    assert headline(verdicts(found, {}, programs)) == (
        'drake, mujoco: refuse it. gazebo: drops 3 joints. moveit, rviz: fine')
    assert headline(verdicts(found, {}, ('moveit',))) == headline({}) == ''


def test_a_model_outweighs_what_rules_state():
    found = findings((refuses('drake', 'mujoco'), JOINTS))
    modelled = {'drake': Verdict(), 'gazebo': Verdict(4.9, ('keep{s} 1 of 2 kg', 'drop{s} it')),
                'usd': Verdict(4.9, ('keep{s} 1 of 2 kg', 'drop{s} it', 'change{s} it'))}
    told = verdicts(found, modelled, ('usd', 'drake', 'gazebo', 'mujoco'))
    assert headline(told) == (
        'mujoco: refuses it. usd, gazebo: keep 1 of 2 kg, drop it. drake: fine')


def test_programs_that_are_told():
    assert told_programs(()) == PROGRAMS
    assert told_programs(('usd', 'urdfdom')) == (*PROGRAMS, 'usd')
    assert told_programs(('usd', 'urdfdom'), ('urdfdom',)) == ('urdfdom',)


def test_parts_of_other_programs_are_not_listed():
    assert {*CONSUMERS} - {*PROGRAMS} == {'kdl', 'urdfdom'}
