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
"""The account of Gazebo says what is in the document that the conversion writes."""

from collections import Counter

import pytest
from support.corpus import corpus_robots
from support.program_cases import source_of
from support.robot_text import joint
from support.robot_text import link

from urdf_tools import load
from urdf_tools import loads
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo import account
from urdf_tools.programs.gazebo import convert

SOME = [param for param in corpus_robots() if param.id in (
    'no-corpus', 'pr2', 'ur5', 'panda', 'fetch', 'nao_v40', 'skydio_x2')]
"""Robots with what differs: mimic joints, planar joints, links without mass, several shapes."""


def account_of(body):
    return account(Source.of_robot(loads(f'<robot name="r">{body}</robot>')), Context())


@pytest.mark.parametrize('release', ['12.3', 'harmonic'])
@pytest.mark.parametrize('robot', SOME)
def test_the_account_is_that_of_the_document(robot, release):
    conversion = convert(load(robot.path), release)
    kept = conversion.account.kept
    if conversion.load_errors:
        assert not kept.links
        return
    model = conversion.document.find('model')
    joints = model.findall('joint')
    moving = [each for each in joints if each.get('type') != 'fixed']
    masses = [float(each.text) for each in model.findall('link/inertial/mass')]
    assert kept.links == len(model.findall('link'))
    assert (kept.moving_joints, kept.fixed_joints) == (len(moving), len(joints) - len(moving))
    assert kept.mimic == len(model.findall('joint/axis/mimic'))
    assert kept.body.mass == pytest.approx(sum(masses), rel=1e-9)
    assert kept.effort_limits == len(model.findall('joint/axis/limit/effort'))
    for tag, shapes in (('visual', kept.visuals), ('collision', kept.collisions)):
        written = Counter(each[0].tag for each in model.findall(f'link/{tag}/geometry'))
        assert sum(shapes.values()) == sum(written.values())
        assert shapes.get('sphere', 0) == written['sphere']


@pytest.mark.parametrize(('body', 'base'), [
    (link('a'), 'free'),
    (link('a') + '<gazebo><static>true</static></gazebo>', 'fixed'),
    (link('world', inertial='') + link('a') + joint('j', 'world', 'a'), 'fixed')])
def test_the_base_is_fixed_to_the_world(body, base):
    assert account_of(body).base == base


def test_joints_are_driven_by_a_plugin():
    body = (link('a') + link('b') + joint('j', 'a', 'b', 'continuous', '<limit effort="1" '
            'velocity="1"/>'))
    plugin = '<gazebo><plugin name="p" filename="gz_ros2_control-system"/></gazebo>'
    assert account_of(body).data('')['actuators'] == {'in': 1, 'out': 0}
    assert account_of(body + plugin).data('')['actuators'] == {'in': 1, 'out': 1}


def test_a_refused_robot_keeps_nothing():
    data = account_of(link('a', inertial='')).data('r.urdf')
    assert not data['loads'] and data['base'] is None and data['links'] == {'in': 1, 'out': 0}
    assert data['cause']['message'].startswith("Link 'a' has no mass")


def test_a_link_without_mass_is_one_loss():
    found = account_of(
        link('base') + link('torso', inertial='') + link('chest') + link('skin')
        + joint('a', 'base', 'torso', 'continuous') + joint('b', 'torso', 'chest', 'continuous')
        + joint('c', 'chest', 'skin', 'fixed'))
    assert [(each.message, each.hint) for each in found.causes] == [(
        "Gazebo drops link 'torso', which has no mass, but keeps what is attached to it or "
        "below it: the frame of link 'skin'", 'Give the link a mass')]
    assert [(str(each.message), each.mass) for each in found.losses] == [(
        "Gazebo drops link 'torso', which has no mass, with 2 links and 3 joints at and below it",
        4.0)]


@pytest.mark.parametrize(('body', 'loads_it'), [
    ('<link name="a"/>', False), (link('a'), True),
    (link('world') + '<link name="a"/>' + joint('w', 'world', 'a', 'fixed'), False),
    (link('world') + '<link name="a"/>' + link('b') + joint('w', 'world', 'a', 'fixed')
     + joint('ab', 'a', 'b', 'fixed'), True)])
def test_no_link_is_left_beside_a_cycle(body, loads_it):
    cycle = link('c') + joint('cc', 'c', 'c', 'fixed')
    source = source_of(f'<robot name="r">{body}{cycle}</robot>')
    assert source.robot is None
    assert [each.brief for each in account(source, Context()).causes] == (
        [] if loads_it else ['no link with mass'])


@pytest.mark.parametrize(('rgba', 'has_material'), [
    ('1 0 0 1', True), ('1 0 0', True), ('1&#10;0 0 1', False), ('1 0 0 x', False)])
def test_colours_are_read_as_urdfdom_does(rgba, has_material):
    visual = ('<visual><geometry><sphere radius="1"/></geometry><material name="m">'
              f'<color rgba="{rgba}"/></material></visual>')
    conversion = convert(loads(f'<robot name="r">{link("a", visual)}</robot>'), '12')
    assert ('<material>' in conversion.text) is has_material
