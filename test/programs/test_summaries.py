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

"""What is told of an account in a few words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from urdf_tools import loads
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import loss
from urdf_tools.findings.losses import refusal
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import with_reported
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.summaries import reasons_of
from urdf_tools.programs.summaries import verdict_of


def inertial(mass: float) -> str:
    return (f'<inertial><mass value="{mass}"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" '
            'ixz="0" iyz="0"/></inertial>')


def revolute(name: str, child: str, more: str = '') -> str:
    return (f'<joint name="{name}" type="revolute"><parent link="base"/><child link="{child}"/>'
            f'<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="2"/>{more}'
            '</joint>')


ROVER = (
    '<robot name="rover">'
    f'<link name="base">{inertial(10)}</link><link name="wheel">{inertial(1)}</link>'
    f'<link name="follower">{inertial(1)}</link><link name="frame"/>'
    + revolute('w', 'wheel') + revolute('f', 'follower', '<mimic joint="w"/>')
    + '<joint name="x" type="fixed"><parent link="wheel"/><child link="frame"/></joint></robot>')


def test_a_robot_without_a_defect():
    """The accounts are those of the programs, which test_accounts_of_programs compares."""
    programs = 'mujoco', 'pybullet', 'drake', 'gazebo', 'usd'
    source = Source.of_robot(loads(ROVER))
    found = {name: account_of(name, source, Context()) for name in programs}
    assert {name: verdict_of(account).text() for name, account in found.items()} == {
        'mujoco': 'keeps 2 of 12 kg, welds the base to the world',
        'pybullet': 'adds 1 kg, drops 1 mimic',
        'drake': 'drops 1 actuator',
        'gazebo': 'fine',
        'usd': 'welds the base to the world, ignores 2 limits'}


ELEMENT = loads('<robot name="r"><link name="a"/></robot>').links['a'].element


def body(mass: float) -> SpatialInertia:
    return replace(SpatialInertia.zero(), mass=mass)


def account(source: Parts, kept: Parts, *losses, base='free') -> Account:
    return Account('mujoco', '4.0', source, kept, losses=losses, base=base)


def lost(of: str, impact: Impact = Impact.DROPS, **arguments):
    return loss(of, impact, ELEMENT, 'It is lost', **arguments)


@pytest.mark.parametrize('of_robot, text', [
    (account(Parts(), Parts()), 'fine'),
    (account(Parts(body=body(2)), Parts(body=body(2 + 1e-9))), 'fine'),
    (account(Parts(body=body(2)), Parts(body=body(float('nan')))), 'fine'),
    (account(Parts(), Parts(), lost('limit'), lost('limit')), 'drops 2 limits'),
    (account(Parts(), Parts(), lost('limit', is_harmless=True)), 'fine'),
    (account(Parts(), Parts(), lost('sensor'), lost('sensor')), 'drops 2 sensors'),
    (account(Parts(), Parts(), lost('inertia', Impact.CHANGES), lost('sensor', Impact.IGNORES),
             lost('transmission', Impact.IGNORES)),
     'changes 1 inertia, ignores 1 sensor and 1 transmission'),
    (account(Parts(), Parts(), lost('base'), base='fixed'), 'welds the base to the world')])
def test_parts(of_robot, text):
    assert verdict_of(of_robot).text() == text


def test_the_worst_comes_first():
    refused = Account('drake', '1', Parts(), causes=(refusal(ELEMENT, 'No'),))
    half = account(Parts(body=body(2)), Parts(body=body(1)))
    maximum = account(Parts(body=body(2)), Parts(body=body(0.1)))
    changed = account(Parts(), Parts(), lost('inertia', Impact.CHANGES))
    ignored = account(Parts(), Parts(), lost('sensor', Impact.IGNORES))
    fine = account(Parts(), Parts())
    order = [verdict_of(each).worst for each in (refused, maximum, half, changed, ignored, fine)]
    assert order == sorted(order, reverse=True)
    assert len({*order}) == len(order)
    assert verdict_of(refused).text() == 'refuses it'
    reasons = reasons_of(refused, {id(refused.causes[0]): 'The axis is zero'})
    assert verdict_of(refused, reasons).text() == 'refuses it: the axis is zero'
    # A program that may refuse it is worse than one that surely loses all of it.
    assert order[1] < Impact.REFUSES


REPORTED = (
    '<robot name="r"><link name="base"/><link name="1_arm"><inertial>'
    '<origin rpy="0 0 {}"/><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
    'izz="1"/></inertial><visual><geometry><mesh filename="1.stl"/></geometry></visual>'
    '</link>' + revolute('w', '1_arm', '<mimic joint="v"/><dynamics damping="{}"/>')
    + f'<link name="other">{inertial(1)}</link>' + revolute('v', 'other')
    + f'<link name="tip">{inertial(1)}</link><joint name="x" type="fixed">'
    '<parent link="1_arm"/><child link="tip"/><origin xyz="0 1 0"/></joint></robot>')


@pytest.mark.parametrize(('program', 'number', 'words'), [
    ('mujoco', 3, "The <mimic> of joint 'w' is not read"),
    ('drake', 1, "The <mimic> of joint 'w' is ignored"),
    ('isaac', 4, "'1_arm' begins with a digit"),
    ('genesis', 6, "Links on fixed joints are merged into their parents: 'tip'"),
    ('newton', 7, 'so that the robot stays where it is'), ('pybullet', 0, '')])
def test_what_users_reported_of_other_releases(program, number, words):
    account, quiet = (account_of(program, Source.of_robot(loads(
        REPORTED.replace('{}', value))), Context(reads_files=False)) for value in ('0.5', '1e-17'))
    told = [each for each in account.losses if each.setting]
    assert len(told) == number
    assert words in ' '.join(each.message for each in told)
    assert not any('rpy' in each.hint or 'damping' in each.message
                   for each in quiet.losses if each.setting)
    assert verdict_of(account) == verdict_of(replace(account, losses=tuple(
        each for each in account.losses if not each.setting)))


@pytest.mark.parametrize(('axis', 'words'), [
    ('1.0 0 0', ['is refused, as the joint is continuous']),
    ('0 0 -1', ['is refused, as the joint is continuous', 'turns about another axis'])])
def test_what_users_reported_of_mimic_joints_in_pinocchio(axis, words):
    text = REPORTED.replace('filename="1', 'filename="/1').replace(
        'name="w" type="revolute"', 'name="w" type="continuous"').replace('0 0 1', axis)
    text = text.replace('{}', '0')
    account = account_of('pinocchio', Source.of_robot(loads(text)), Context(reads_files=False))
    told = [each.message for each in account.losses if each.setting]
    assert len(told) == len(words)
    assert all(word in each for word, each in zip(words, told))


def test_losses_do_not_each_name_all_links():
    """The account of 20,000 links without a name took 40 s."""
    root = read_document('<robot name="r">' + '<link/>' * 50 + '</robot>').root
    found = with_reported('newton', Account('newton', '', None), root).losses
    assert len(found) >= 50
    assert not [value for each in found for value in each.arguments.values()
                if isinstance(value, tuple) and len(value) > 1]
