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

"""What Gazebo does not load; libsdformat 14 and 15 refuse these descriptions, too."""

import pytest
from support.robot_text import INERTIAL
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import loads
from urdf_tools.programs.gazebo import convert

REVOLUTE = '<limit lower="0" upper="1" effort="1" velocity="1"/>'
PAIR = link('a') + link('b') + joint('ab', 'a', 'b', 'revolute', REVOLUTE)
CHAIN = link('a') + link('b') + link('c') + joint('bc', 'b', 'c', 'revolute', REVOLUTE, '{}')
MESH = '<visual><geometry><mesh filename=""/></geometry></visual>'
SENSORS = f'<gazebo reference="a">{"<sensor name=_s_ type=_imu_/>" * 2}</gazebo>'.replace('_', '"')
THIN = INERTIAL.replace('izz="1"', 'izz="3"')
NOTHING = '<inertial><mass value="0"/>' + INERTIAL[INERTIAL.index('<inertia '):]
GEARBOX = ('<gazebo><joint name="gear" type="gearbox"><parent>{}</parent><child>{}</child></joint>'
           '</gazebo>')
UNIQUE = ', but names are unique in SDFormat'


def errors_of(body, release='14', name='r'):
    return [error.message for error in convert(
        loads(f'<robot name="{name}">{body}</robot>'), release).load_errors]


@pytest.mark.parametrize(('body', 'message'), [
    (link('a') + link('b') + joint('b', 'a', 'b'),
     f"Joint 'b' has the same name as another link, joint or frame{UNIQUE}"),
    (link('a') + link('b') + joint('a', 'a', 'b', 'continuous'),
     f"Joint 'a' has the same name as another link, joint or frame{UNIQUE}"),
    (PAIR + '<gazebo><frame name="b"/></gazebo>',
     f"Frame 'b' has the same name as another link, joint or frame{UNIQUE}"),
    (PAIR + SENSORS, f"Sensor 's' has the same name as another part of the same <link>{UNIQUE}"),
    (link('__a__'), "The name '__a__' is reserved in SDFormat"),
    (link('a::b'),
     'The name \'a::b\' of the link contains "::", which separates scopes in SDFormat'),
    (link('a') + link('b') + joint(' ', 'a', 'b', 'continuous'), 'The joint has no name'),
    (link('a', MESH), "A mesh of link 'a' has no file name"),
    (CHAIN.format('<mimic joint="bc"/>') + joint('ab', 'a', 'b'), "Joint 'bc' mimics itself"),
    (CHAIN.format('<mimic joint="ab"/>') + joint('ab', 'a', 'b'),
     "Joint 'bc' mimics joint 'ab', which is not in the model"),
    *((link('a') + link('b') + joint('ab', 'a', 'b', 'continuous', f'<axis xyz="{axis}"/>'),
       "The axis of joint 'ab' is zero") for axis in ('0 0 0', '9e-7 0 0')),
    (link('a', inertial=THIN), "The inertia of link 'a' is physically inconsistent"),
    (link('a') + link('b', inertial=THIN.replace('"2"', '"20"').replace('"1"', '"100"').replace(
        '"3"', '"300"')) + joint('ab', 'a', 'b'),
     "The inertia of link 'b', which is lumped into link 'a', is physically inconsistent"),
    (link('a', inertial='') + link('b', inertial=NOTHING) + link('c')
     + joint('ab', 'a', 'b') + joint('bc', 'a', 'c'),
     "Link 'b' is lumped into link 'a', and both together have no mass, so that their centre of "
     'mass is not a number'),
    (link('world', inertial='') + link('b', inertial='') + link('c')
     + joint('wb', 'world', 'b') + joint('bc', 'b', 'c', 'continuous'),
     "Gazebo drops link 'b', which has no mass, but keeps what is attached to it or below it: "
     "joint 'bc'"),
    (link('a') + link('b', inertial='') + link('c', inertial='') + link('d', inertial='')
     + joint('ab', 'a', 'b', 'continuous') + joint('bc', 'b', 'c') + joint('bd', 'b', 'd'),
     "Gazebo drops link 'b', which has no mass, but keeps what is attached to it or below it: "
     "the frame of link 'c', the frame of link 'd'"),
    (link('a') + '<gazebo reference="a"><sensor name="s" type="imu"><plugin filename="f"/>'
     '</sensor></gazebo>', 'The plugin has no name'),
    (link('a') + '<gazebo reference="a"><sensor type="imu"/></gazebo>', 'The sensor has no name'),
    (link('a') + '<gazebo reference="a"><sensor name="s" type=""/></gazebo>',
     "The sensor 's' has an empty type"),
    (link('world', inertial=''),
     "The only link is 'world', which represents the world itself, so the model is empty"),
    (PAIR + '<gazebo><joint name="loop" type="fixed"><parent>a</parent><child>x</child></joint>'
     '</gazebo>', "The child of joint 'loop' is 'x', which is not in the model"),
    (PAIR + GEARBOX.format('a', 'a'),
     "The parent and the child of joint 'gear' are both part of link 'a' in Gazebo"),
    (PAIR + '<gazebo><frame name="f" attached_to="b"/></gazebo>' + GEARBOX.format('f', 'b'),
     "The parent and the child of joint 'gear' are both part of link 'b' in Gazebo"),
    (PAIR + GEARBOX.format('gear', 'b'), "Joint 'gear' names itself as one of its ends"),
    (PAIR + '<gazebo><frame name="f" attached_to="f"/></gazebo>',
     "Frame 'f' is attached to itself"),
    (PAIR + '<gazebo><include/></gazebo>', 'An <include> has no <uri>')])
def test_gazebo_does_not_load(body, message):
    assert errors_of(body) == [message]


@pytest.mark.parametrize('name', ['world', '__r__'])
def test_the_robot_has_no_reserved_name(name):
    assert errors_of(PAIR, name=name) == [f'The name {name!r} is reserved in SDFormat']


@pytest.mark.parametrize('body', [
    PAIR + '<gazebo><plugin name="a" filename="x"><p name="a::b"/></plugin></gazebo>',
    PAIR + '<gazebo><plugin name="p" filename="x"/><plugin name="p" filename="y"/></gazebo>',
    PAIR + '<gazebo reference="a"><sensor name="s" type="imu"/></gazebo>'
    '<gazebo reference="b"><sensor name="s" type="imu"/></gazebo>',
    CHAIN.format('<mimic joint="ab"/>') + joint('ab', 'a', 'b', 'continuous')])
def test_gazebo_loads(body):
    assert errors_of(body) == []


def test_version_12_leaves_no_frames_that_could_share_names():
    assert errors_of(link('a') + link('b') + joint('b', 'a', 'b'), '12') == []
    assert errors_of(link('a::b'), '12') == []
    body = (link('a') + link('b') + joint('ab', 'a', 'b')
            + '<gazebo><frame name="f" attached_to="b"/></gazebo>')
    assert errors_of(body) == []
    assert errors_of(body, '12') == [
        "Frame 'f' is attached to 'b', which is not in the model"]


def test_a_link_of_an_extension_may_have_an_empty_inertia():
    extension = '<link name="x"><inertial><mass>1</mass><inertia/></inertial></link>'
    assert errors_of(f'{link("a")}<gazebo>{extension}</gazebo>') == []


def test_names_with_braces_are_no_fields_of_messages():
    # Those of xacro that was not expanded.
    assert errors_of('<link name="${name}_{prefix}"/>') == [
        "Link '${name}_{prefix}' has no mass, so Gazebo drops it, and no link is left"]
