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

"""What the model of Drake says; each number and verdict is that of Drake 1.51.1."""

from __future__ import annotations

import numpy as np
import pytest
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import obj
from support.program_cases import source_of

from urdf_tools import loads
from urdf_tools.findings.consequences import Impact
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.drake import account

INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
BODY = f'<inertial><mass value="1"/>{INERTIA}</inertial>'
LIMIT = '<limit lower="-1" upper="1" effort="3" velocity="4"/>'
TWO = f'<link name="base">{BODY}</link><link name="tip">{BODY}</link>'
THREE = f'{TWO}<link name="end">{BODY}</link>'
SPHERE = '<geometry><sphere radius="1"/></geometry>'
SIMPLE = '<type>transmission_interface/SimpleTransmission</type>'
RED = '<color rgba="1 0 0 1"/>'


def joint(inside='', kind='revolute', child='tip', parent='base', limit=LIMIT):
    """Return a joint in URDF."""
    return (f'<joint name="to_{child}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{limit}{inside}</joint>')


def chain(first, second):
    """Return three links with two joints, the second of which follows the first."""
    return (THREE + joint(kind=first)
            + joint('<mimic joint="to_tip"/>', second, 'end', 'tip'))


def drive(name='to_tip', actuator='motor', kind=SIMPLE):
    """Return a transmission in URDF."""
    return (f'<transmission name="t">{kind}<joint name="{name}"/>'
            f'<actuator name="{actuator}"/></transmission>')


def link(inside):
    """Return a robot of one link."""
    return f'<link name="base">{BODY}{inside}</link>'


def seen(material):
    """Return a visual shape with a material."""
    return f'<visual>{SPHERE}{material}</visual>'


ROBOT = f"""
  <link name="base"><inertial><mass value="10"/>{INERTIA}</inertial></link>
  <link name="wheel">{BODY}</link><link name="follower">{BODY}</link><link name="frame"/>
  {joint('<dynamics damping="0.5" friction="0.3"/>', 'continuous', 'wheel', limit='')}
  {joint('<mimic joint="to_wheel"/>', child='follower')}
  {joint(kind='fixed', child='frame', limit='')}"""

REFUSED = {
    'inverted-limits': TWO + joint(limit='<limit lower="1" upper="-1"/>'),
    'negative-velocity': TWO + joint(limit='<limit velocity="-1"/>'),
    'negative-damping': TWO + joint('<dynamics damping="-1"/>'),
    'two-numbers': TWO + joint(limit='<limit effort="1 2"/>'),
    'not-a-number': TWO + joint(limit='<limit lower="nan"/>'),
    'planar-damping': TWO + joint('<dynamics damping="0.1"/>', 'planar'),
    'zero-axis': TWO + joint('<axis xyz="0 0 0"/>'),
    'flat-box': link('<visual><geometry><box size="0 1 1"/></geometry></visual>'),
    'negative-sphere': link('<visual><geometry><sphere radius="-1"/></geometry></visual>'),
    'no-length': link('<visual><geometry><cylinder radius="1"/></geometry></visual>'),
    'no-geometry': link('<visual/>'),
    'unknown-shape': link('<visual><geometry><cone/></geometry></visual>'),
    'no-mesh-file': link('<visual><geometry><mesh filename="no.obj"/></geometry></visual>'),
    'unknown-scheme': link('<visual><geometry><mesh filename="http://a/b"/></geometry></visual>'),
    'global-without-name': f'<material name="">{RED}</material>' + link(''),
    'global-twice': 2 * f'<material name="a">{RED}</material>' + link(''),
    'global-without-colour': '<material name="a"/>' + link(''),
    'three-colours': '<material name="a"><color rgba="1 0 0"/></material>' + link(''),
    'no-texture': '<material name="a"><texture filename="no.png"/></material>' + link(''),
    'undefined-material': link(seen('<material name="a"/>')),
    'another-colour': link(seen(f'<material name="a">{RED}</material>') + seen(
        '<material name="a"><color rgba="0 1 0 1"/></material>')),
    'follows-nothing': chain('fixed', 'fixed').replace('"to_tip"/>', '"to_nothing"/>'),
    'follows-fixed': chain('fixed', 'revolute'), 'fixed-follows': chain('revolute', 'fixed'),
    'follows-floating': chain('floating', 'revolute'),
    'drives-nothing': TWO + joint() + drive('elbow'),
    'drives-floating': TWO + joint(kind='floating') + drive(),
    'drives-planar': TWO + joint(kind='planar') + drive(),
    'same-actuator': THREE + joint() + joint(child='end') + drive() + drive('to_end'),
    'negative-effort': TWO + joint(limit='<limit effort="-3"/>') + drive(),
    'no-transmission-type': TWO + joint() + drive(kind=''),
    'loop': TWO + joint() + '<loop_joint/>'}

LOADED = {
    'negative-effort': TWO + joint(limit='<limit effort="-3"/>'),
    'planar-damping': TWO + joint('<dynamics damping="1 1 1"/>', 'planar'),
    'small-sphere': link('<visual><geometry><sphere radius="0"/></geometry></visual>'),
    'second-shape': link('<visual><geometry><cone/><sphere radius="1"/></geometry></visual>'),
    'defined-below': link(seen('<material name="a"/>')) + f'<material name="a">{RED}</material>',
    'same-colour': link(2 * seen(f'<material name="a">{RED}</material>')),
    'without-name': link(seen('<material/>')),
    'fixed-follows-fixed': chain('fixed', 'fixed'),
    'floating-follows': chain('revolute', 'floating'),
    'drives-fixed': TWO + joint(kind='fixed') + drive(),
    'two-motors': TWO + joint() + drive() + drive(actuator='second'),
    'other-transmission': TWO + joint() + drive('elbow', kind='<type>a/Differential</type>')}

NAMED = {name: f'<visual name="{name}">{SPHERE}</visual>' for name in ('', 'v', ' v')}
MESH = '<{0}><geometry><mesh filename="{1}"/></geometry></{0}>'

WRITTEN = {
    'link-without-name': ('<link/>', 'name', 'link[1]'),
    'two-links': (TWO + '<link name="tip"/>', 'name', 'link[3]'),
    'two-joints': (THREE + joint() + joint(child='end').replace('to_end', 'to_tip'), 'name',
                   'joint[2]'),
    'frame-of-joint': (TWO + joint() + '<frame name="to_tip_parent" link="tip"/>', 'name',
                       'frame'),
    'empty-shape-name': (link(NAMED['']), 'name', "link[@name='base']/visual"),
    'no-type': (TWO + joint().replace('type', 'kind'), 'type', "joint[@name='to_tip']"),
    'unknown-type': (TWO + joint(kind='ball'), 'type', "joint[@name='to_tip']"),
    'no-child': (TWO + joint().replace('<child', '<chld'), 'structure', "joint[@name='to_tip']"),
    'no-such-parent': (TWO + joint(parent='bse'), 'structure', "joint[@name='to_tip']/parent"),
    'itself': (TWO + joint(parent='tip'), 'structure', "joint[@name='to_tip']"),
    'cycle': (TWO + joint() + joint(child='base', parent='tip'), 'structure',
              "joint[@name='to_base']"),
    'bright': (f'<material name="a">{RED.replace("1 0 0 1", "9 0 0 1")}</material>' + link(
        seen('<material name="a"/>')), 'colour', "material[@name='a']/color"),
    'negative-effort': (TWO + joint(limit='<limit effort="-3"/>') + drive(), 'limit',
                        "joint[@name='to_tip']/limit"),
    'frame-without-link': (TWO + '<frame name="f"/>', 'element', 'frame')}
"""What Drake refuses, with the kind of its first cause, and the element where it is written."""

ACCEPTED = {
    'two-roots': TWO, 'two-parents': THREE + joint(child='end') + joint(
        child='end', parent='tip').replace('to_end', 'second'),
    'world-as-child': TWO + joint(child='world'), 'empty-type': TWO + joint(kind=''),
    'no-links': '',
    'end-of-a-number': TWO + joint(limit='<limit velocity="1e5e"/>'),
    'equal-shape-names': link(2 * NAMED['v']),
    'undeclared-prefix': TWO + '<a:b c:d="1"/>', 'comment': TWO + '<!-- a -- b -->'}
"""What Drake loads, although our loader refuses it, or it looks odd."""


def account_of_text(inside, context=None, name='r'):
    """Return the account of a description, also of one that our loader refuses."""
    return account(source_of(f'<robot name="{name}">{inside}</robot>'), context or Context())


def account_of(inside, context=None):
    """Return the account of a robot with these elements."""
    return account(Source.of_robot(loads(f'<robot name="r">{inside}</robot>')),
                   context or Context())


def messages(inside):
    """Return the messages of what the robot loses."""
    return [str(each.message) for each in account_of(inside).losses]


def test_amounts():
    """Mass and mimic arrive, friction and actuators do not."""
    found = account_of(ROBOT)
    assert found.loads and found.base == 'free' and found.kept.links == 4
    assert found.source.body.mass == found.kept.body.mass == 12
    assert (found.kept.moving_joints, found.kept.fixed_joints, found.kept.mimic) == (2, 1, 1)
    assert found.kept.position_limits == found.kept.velocity_limits == found.kept.damping == 1
    assert (found.source.effort_limits, found.kept.effort_limits, found.kept.actuators) == (
        1, 0, 0)
    assert (found.source.friction, found.kept.friction) == (1, 0)


@pytest.mark.parametrize('inside', REFUSED.values(), ids=REFUSED)
def test_refused(inside):
    """A description is refused for one cause, which names an element."""
    found = account_of(inside)
    assert not found.loads and not found.kept.links
    assert len(found.causes) == 1 and found.causes[0].element is not None


@pytest.mark.parametrize('inside', LOADED.values(), ids=LOADED)
def test_loaded(inside):
    """What is like a cause of refusal loads."""
    assert [str(each.message) for each in account_of(inside).causes] == []


@pytest.mark.parametrize(('inside', 'kind', 'path'), WRITTEN.values(), ids=WRITTEN)
def test_where_it_is_written(inside, kind, path):
    """The first cause is at the most specific element, whether or not our loader agrees."""
    cause = account_of_text(inside).causes[0]
    assert (cause.of, cause.element.path) == (kind, f'/robot/{path}')


@pytest.mark.parametrize('inside', ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(inside):
    """Drake reads less strictly than our loader."""
    assert [str(each.message) for each in account_of_text(inside).causes] == []


@pytest.mark.parametrize('text', [
    '<sdf/>', '<robot/>', '<robot name=""/>', '<robot name="DefaultModelInstance"/>'])
def test_refused_roots(text):
    """The outermost element is a <robot> with a name."""
    assert [each.element.path.count('/') for each in account(
        source_of(text), Context()).causes] == [1]


@pytest.mark.parametrize('inside', [
    TWO + joint() + drive(kind='<type/>'), REFUSED['inverted-limits'], REFUSED['flat-box'],
    REFUSED['negative-velocity']])
def test_crashes(inside):
    """An empty type of a transmission is a null pointer; others are assertions."""
    assert [each.impact for each in account_of(inside).causes] == [Impact.CRASHES]


def test_without_files():
    """Files that may not be looked at count as found and readable."""
    context = Context(reads_files=False)
    for uri in ('a.obj', 'package://leg/a.obj', 'file:///a.obj'):
        assert account_of(link(MESH.format('collision', uri)), context).loads
    assert [each.brief for uri in ('a.stl', 'http://b/a.obj') for each in account_of(
        link(MESH.format('collision', uri)), context).causes] == [
            'collision mesh .stl', 'mesh with a http:// URI']


def test_what_is_read_first():
    """The second of two elements is ignored, and a joint without a type is left out."""
    twice = account_of(TWO + joint('<axis xyz="1 0 0"/><axis xyz="0 1 0"/>')).losses
    assert ('element', 'axis[2]') in [(each.of, each.element.path.rpartition('/')[2])
                                      for each in twice]
    assert [(each.of, each.element.tag) for each in account_of_text(
        TWO + joint(kind='')).losses] == [('joint', 'joint')]


def test_actuators():
    """A simple transmission keeps the effort limit, unless it is 0."""
    kept = account_of(TWO + joint() + drive()).kept
    assert (kept.actuators, kept.effort_limits) == (1, 1)
    kept = account_of(TWO + joint(limit='') + drive()).kept
    assert (kept.actuators, kept.effort_limits) == (1, 0)
    assert account_of(TWO + joint(limit='<limit effort="0"/>') + drive()).kept.actuators == 0
    assert messages(TWO + joint()) == [
        "Joint 'to_tip' has neither an actuator nor an effort limit, because no simple "
        'transmission drives it']
    assert messages(TWO + joint() + drive()) == []


@pytest.mark.parametrize(('inertial', 'mass', 'moment'), [
    (f'<mass value="0"/>{INERTIA}', 1, 0.00153942),
    (f'<mass value="-2"/>{INERTIA}', 1, 0.00153942), ('<mass value="2"/>', 2, 0),
    (f'<mass value="2"/>{INERTIA}', 2, 1), ('<mass value="2"/><inertia ixx="1"/>', 2, 0.00488736),
    ('', 0, 0)])
def test_inertia(inertial, mass, moment):
    """An inertia that no body has becomes that of a ball of water, with 1 kg for no mass."""
    text = f'<link name="base"><inertial>{inertial}</inertial></link>'
    body = account_of(text).kept.body
    assert body.mass == mass and np.allclose(np.diag(body.rotational), moment, rtol=1e-4)
    assert any('ball of water' in each for each in messages(text)) == (0 < moment < 1)


def test_limits():
    """Limits that are not written are infinite, and those of continuous joints count."""
    found = account_of(TWO + joint(limit='<limit lower="-1" effort="1" velocity="1"/>'))
    assert found.kept.position_limits == 0
    assert "Joint 'to_tip' has no upper limit, where URDF has one of 0" in [
        each.message for each in found.losses]
    found = account_of(TWO + joint(kind='continuous'))
    assert (found.source.position_limits, found.kept.position_limits) == (0, 1)


def test_floating_joint():
    """A link on a floating joint starts in the origin of the world."""
    found = account_of(THREE + joint('<origin xyz="1 0 0"/>', 'floating')
                       + joint('<origin xyz="0 3 0"/>', 'fixed', 'end', 'tip'))
    assert (found.kept.moving_joints, found.kept.fixed_joints) == (0, 1)
    assert np.allclose(found.kept.body.com, [0, 1, 0])


def test_world():
    """The link 'world' is the world of the plant, and its mass is lost."""
    found = account_of(f'<link name="world">{BODY}</link>{TWO}'
                       + joint(kind='fixed', child='base', parent='world') + joint())
    assert (found.base, found.merged, found.kept.links, found.kept.body.mass) == (
        'fixed', {'world'}, 2, 2)
    assert found.worst_first[0].mass == -1


def test_bodies_without_mass():
    """A joint that moves no mass stops the simulation, which is said once."""
    links = f'<link name="base">{BODY}</link><link name="tip"/><link name="end"/>'
    moving = joint() + drive() + joint(kind='fixed', child='end', parent='tip', limit='')
    assert messages(links + moving) == [
        "The simulation stops with an error, because joint 'to_tip' moves nothing that has mass"]
    assert len(messages(links.replace('<link name="base">' + BODY, '<link name="base">')
                        + moving)) == 1
    assert messages(links.replace('<link name="end"/>', f'<link name="end">{BODY}</link>')
                    + moving) == []


def test_meshes(tmp_path):
    """Collision shapes are hulls of .obj files; visual shapes may be of any format."""
    for name in ('a.stl', 'bad.obj', 'package.xml'):
        (tmp_path / name).write_text('<package><name>arm</name></package>')
    (tmp_path / 'a.obj').write_text(obj(CORNERS, CUBE))
    context = Context(ResourceResolver(tmp_path), tmp_path / 'robot.urdf')

    def account_with(tag, uri):
        return account_of(link(f'<{tag}><geometry><mesh filename="{uri}"/></geometry></{tag}>'),
                          context)
    assert account_with('collision', 'package://arm/a.obj').kept.collisions == {'.obj': 1}
    assert account_with('visual', 'a.stl').kept.visuals == {'.stl': 1}
    assert account_with('visual', f'file://{tmp_path}/a.stl').loads
    assert account_with('visual', 'bad.obj').loads
    assert not account_with('collision', 'bad.obj').loads
    assert not account_with('collision', 'a.stl').loads
    assert not account_with('visual', 'package://leg/a.stl').loads
    assert not account_with('visual', 'package://arm/b.stl').loads


@pytest.mark.parametrize(('name', 'loaded'), [
    ('r.urdf', True), ('r.URDF', True), ('r.urdf.xacro', True), ('robot.xml', False),
    ('r.txt', False)])
def test_name_of_file(name, loaded, tmp_path):
    """The format is that which the name of the file says."""
    assert account_of(ROBOT, Context(file=tmp_path / name)).loads == loaded


def test_misread_numbers():
    """A number that ends early is read, and said to be."""
    assert "upper='0,5' of <limit> of joint 'to_tip' is read as 0" in messages(
        TWO + joint(limit='<limit lower="-1" upper="0,5" effort="3" velocity="4"/>'))
