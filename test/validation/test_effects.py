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

"""What findings do to each program."""

import pytest

from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.validation.effects import effect_of
from urdf_tools.validation.effects import headline
from urdf_tools.validation.effects import Impact
from urdf_tools.validation.effects import PROGRAMS
from urdf_tools.validation.effects import verb_of
from urdf_tools.validation.effects import VERBS
from urdf_tools.validation.effects import verdicts
from urdf_tools.validation.registry import Rule
from urdf_tools.validation.rules import RULES

STATEMENTS = sorted({
    statement for rule in RULES.values() for statement in rule.consumers.values()})


@pytest.mark.parametrize('statement', STATEMENTS)
def test_every_statement_begins_with_a_known_verb(statement):
    assert any(verb_of(statement) in verbs for verbs in VERBS.values())


@pytest.mark.parametrize('statement, effect', [
    ('accepts it', (Impact.FINE, True, 'element')),
    ('accepts it, and the joint cannot move', (Impact.AFFECTED, True, 'joint')),
    ('warns', (Impact.WARNS, True, 'element')),
    ('warns and drops the second name', (Impact.DROPS, True, 'name')),
    ('silently ignores it', (Impact.IGNORES, True, 'element')),
    ('ignores the mimics', (Impact.IGNORES, True, 'mimic')),
    ('becomes unstable', (Impact.AFFECTED, True, 'element')),
    ('drops the joint', (Impact.DROPS, True, 'joint')),
    ('drops the mesh', (Impact.DROPS, True, 'shape')),
    ('never publishes the joint', (Impact.DROPS, True, 'joint')),
    ('refuses the link', (Impact.DROPS, True, 'link')),
    ('drops the link, unless a fixed joint lumps it', (Impact.DROPS, False, 'link')),
    ('refuses the whole description', (Impact.REFUSES, True, 'element')),
    ('refuses the description, so that no controller starts', (Impact.REFUSES, True, 'element')),
    ('refuses the whole description, or drops the rest', (Impact.REFUSES, False, 'element')),
    ('refuses it in URDF 1.2, accepts it in earlier versions', (Impact.REFUSES, False, 'element')),
    ('refuses a moving body without mass', (Impact.REFUSES, False, 'element')),
    ('exits with an error', (Impact.REFUSES, True, 'element')),
    ('may crash', (Impact.CRASHES, False, 'element')),
    ('does what nobody has a word for', (Impact.AFFECTED, False, 'element'))])
def test_effect(statement, effect):
    assert effect_of(statement) == effect


@pytest.fixture
def findings(monkeypatch):
    """Return a function that makes findings of rules with statements about consumers."""
    def findings(*rules):
        for number, (consumers, elements) in enumerate(rules):
            code = f'example-{number}-{id(rules)}'
            monkeypatch.setitem(RULES, code, Rule(
                code, Severity.ERROR, 'joints', '', '', '', consumers, None))
            for element in elements:
                yield Finding(code, Severity.ERROR, 'x', '', element, 1, 1, tuple(consumers))
    return findings


JOINTS = [f"/robot/joint[@name='{name}']" for name in 'abc']


@pytest.mark.parametrize('rules, expected', [
    ([({'gazebo': 'drops the joint'}, JOINTS)], {'gazebo': 'drops 3 joints', 'rviz': 'fine'}),
    ([({'gazebo': 'drops the joint'}, [f'{JOINTS[0]}/axis', f'{JOINTS[0]}/limit'])],
     {'gazebo': 'drops 1 joint'}),
    ([({'urdfdom': 'refuses the whole description', 'rviz': 'shows nothing'}, JOINTS)],
     {'gazebo': 'refuses it', 'rviz': 'affected in 3 places', 'drake': 'fine'}),
    ([({'mujoco': 'drops the joint'}, JOINTS), ({'mujoco': 'refuses the description'}, JOINTS)],
     {'mujoco': 'refuses it'}),
    ([({'moveit': 'ignores the mimic'}, JOINTS), ({'moveit': 'plans slowly'}, JOINTS[:1]),
      ({'moveit': 'warns'}, JOINTS)], {'moveit': 'affected in 1 place, ignores 3 mimics'}),
    ([({'moveit': 'may crash'}, JOINTS)], {'moveit': 'may crash'}),
    ([({'moveit': 'warns'}, JOINTS)], {'moveit': 'warns'}),
    ([({'kdl': 'drops the inertia'}, JOINTS)],
     {'robot_state_publisher': 'drops 3 inertias', 'moveit': 'fine'})])
def test_verdicts(findings, rules, expected):
    found = verdicts(findings(*rules))
    assert found.keys() == {*PROGRAMS}
    assert {program: found[program] for program in expected} == expected


def test_headline(findings):
    rules = [
        ({'drake': 'refuses the description', 'mujoco': 'refuses the description'}, JOINTS[:1]),
        ({'gazebo': 'drops the joint'}, JOINTS)]
    assert headline(findings(*rules), ('moveit', 'gazebo', 'drake', 'rviz', 'mujoco')) == (
        'drake, mujoco: refuse it. gazebo: drops 3 joints. moveit, rviz: fine')
    assert headline(findings(*rules), ('moveit',)) == headline([]) == ''


def test_parts_of_other_programs_are_not_listed():
    assert {*CONSUMERS} - {*PROGRAMS} == {'kdl', 'urdfdom'}
