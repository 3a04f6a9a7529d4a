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

"""Names and texts of a robot are shown as they are written, whatever braces are in them."""

import json

import pytest
from support.program_cases import source_of
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import loads
from urdf_tools import validates
from urdf_tools.cli import main
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo import account
from urdf_tools.programs.gazebo import convert

NAMES = ['{tag}{zzz}', '${prefix}_${link}', '${link}_b', '{', '%s']
LIMIT = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
PAIR = link('a') + link('b') + joint('ab', 'a', 'b', 'revolute', LIMIT)
MESH = '<visual><geometry><mesh filename=""/></geometry></visual>'

CAUSES = {
    '<gazebo><frame name="NAME" attached_to="nope"/></gazebo>':
        "Frame NAME is attached to 'nope', which is not in the model",
    '<gazebo><frame name="f" attached_to="NAME"/></gazebo>':
        "Frame 'f' is attached to NAME, which is not in the model",
    '<gazebo><frame name="NAME" attached_to="NAME"/></gazebo>': 'Frame NAME is attached to itself',
    '<gazebo><joint name="NAME" type="fixed"><parent>a</parent><child>c</child></joint></gazebo>':
        "The child of joint NAME is 'c', which is not in the model",
    '<gazebo><joint name="j" type="fixed"><parent>NAME</parent><child>a</child></joint></gazebo>':
        "The parent of joint 'j' is NAME, which is not in the model",
    '<gazebo><joint name="NAME" type="fixed"><parent>a</parent><child>NAME</child></joint>'
    '</gazebo>': 'Joint NAME names itself as one of its ends',
    '<gazebo><joint name="NAME" type="fixed"><parent>a</parent><child>a</child></joint></gazebo>':
        "The parent and the child of joint NAME are both part of link 'a' in Gazebo",
    '<gazebo><include><uri>NAME</uri></include></gazebo>':
        'The model of an <include>, NAME, does not exist in a folder of GZ_SIM_RESOURCE_PATH',
    '<gazebo><plugin name="NAME"/></gazebo>': 'The plugin NAME has no filename',
    '<gazebo reference="a"><sensor name="NAME" type="NAME"/></gazebo>':
        'The sensor NAME has the unknown type NAME',
    '<gazebo reference="a"><mu1>NAME</mu1></gazebo>':
        '<mu1> is NAME, which is not a number, and libsdformat ends with an exception',
    '<gazebo><frame name="::NAME"/></gazebo>':
        'The name ::NAME of the frame contains "::", which separates scopes in SDFormat',
    link('NAME') + joint('NAME', 'a', 'NAME', 'continuous'):
        'Joint NAME has the same name as another link, joint or frame, but names are unique in '
        'SDFormat',
    link('NAME') + joint('j', 'a', 'NAME', 'floating'):
        "Joint 'j' is floating, a type that SDFormat does not have, so link NAME is attached to "
        'nothing',
    link('NAME', MESH) + joint('j', 'a', 'NAME', 'continuous'):
        'A mesh of link NAME has no file name',
    link('NAME', inertial='') + joint('j', 'a', 'NAME', 'continuous') + link('c', inertial='')
    + joint('cj', 'NAME', 'c'):
        'Gazebo drops link NAME, which has no mass, but keeps what is attached to it or below '
        "it: the frame of link 'c'",
    link('c') + joint('NAME', 'a', 'c', 'continuous', '<axis xyz="0 0 0"/>'):
        'The axis of joint NAME is zero',
    link('c') + joint('cj', 'a', 'c', 'continuous', '<mimic joint="NAME"/>'):
        "Joint 'cj' mimics joint NAME, which is not in the model"}
"""What is added to a robot, to the reason for which Gazebo refuses it."""

LOSSES = {
    '<gazebo reference="NAME"><mu1>1</mu1></gazebo>':
        '<gazebo>: NAME is neither a link nor a joint of the robot',
    link('c') + joint('NAME', 'a', 'c') + '<gazebo reference="NAME"><mu1>1</mu1></gazebo>':
        '<gazebo>: fixed joint NAME is lumped',
    link('NAME', inertial='') + joint('j', 'a', 'NAME', 'continuous'):
        'Gazebo drops link NAME, which has no mass',
    '<loop_joint name="NAME" type="spherical"><link1 link="a" xyz="1 0 0"/><link2 link="b"/>'
    '</loop_joint>':
        'Loop NAME: it is open by 1410 mm and 0 mrad where all positions are zero, and joints '
        'of SDFormat are closed there'}
"""What is added to a robot, to what it loses."""


def expected(message, name):
    return message.replace('::NAME', repr(f'::{name}')).replace('NAME', repr(name))


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.parametrize('body', CAUSES)
def test_causes_show_names_as_written(name, body, tmp_path, capsys):
    text = f'<robot name="{name}">{PAIR}{body.replace("NAME", name)}</robot>'
    message = expected(CAUSES[body], name)
    context = Context(ResourceResolver())
    assert message in [cause.message for cause in account(source_of(text), context).causes]
    findings = validates(text).findings
    assert 'internal-error' not in {finding.code for finding in findings}
    path = tmp_path / 'robot.urdf'
    path.write_text(text)
    assert main(['sdf', str(path), '--format', 'json']) == 1
    errors = json.loads(capsys.readouterr().out)['causes']
    assert message in [error['message'] for error in errors]


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.parametrize('body', LOSSES)
def test_losses_show_names_as_written(name, body, tmp_path, capsys):
    text = f'<robot name="{name}">{PAIR}{body.replace("NAME", name)}</robot>'
    message = expected(LOSSES[body], name)
    account = convert(loads(text), keeps_loops=True).account
    assert message in [loss.message for loss in account.losses]
    findings = validates(text).findings
    assert 'internal-error' not in {finding.code for finding in findings}
    path = tmp_path / 'robot.urdf'
    path.write_text(text)
    assert main(['sdf', str(path)]) == 0
    assert message in capsys.readouterr().out


@pytest.mark.parametrize(('body', 'message'), [
    (link('a') + '<gazebo><frame name="{tag}{zzz}" attached_to="nope"/></gazebo>',
     "Frame '{tag}{zzz}' is attached to 'nope', which is not in the model"),
    ('<link name="${prefix}_${link}"/>',
     "Link '${prefix}_${link}' has no mass, so Gazebo drops it, and no link is left"),
    ('<link name="${link}_b"/>',
     "Link '${link}_b' has no mass, so Gazebo drops it, and no link is left")])
def test_check_reports_a_cause_with_the_name_as_written(body, message):
    findings = validates(f'<robot name="r">{body}</robot>').findings
    told = [text for finding in findings
            for text in (finding.message, *(each.text for each in finding.consequences))]
    assert any(message[1:] in text for text in told), told
    assert 'internal-error' not in {finding.code for finding in findings}


def test_losses_with_the_same_reason_are_one_line(tmp_path, capsys):
    path = tmp_path / 'robot.urdf'
    path.write_text(f'<robot name="r">{link("a")}' + ''.join(
        f'<gazebo reference="{name}"><mu1>1</mu1></gazebo>' for name in ('{x}', '{y}'))
        + '<gazebo/></robot>')
    assert main(['sdf', str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == ("  ignored: <gazebo>: '{x}' is neither a link nor a joint of the robot "
                        '(and 1 other). Name a link or a joint')
