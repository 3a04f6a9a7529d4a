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

"""What the model of USD says; each number is that of urdf-usd-converter 0.3.4."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.program_cases import source_of

from urdf_tools.findings.consequences import Impact
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.usd import account

BODY = ('<inertial><origin xyz="0 0 0"/><mass value="1"/>'
        '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>')
TWO = f'<link name="base">{BODY}</link><link name="tip">{BODY}</link>'
BOX = '<geometry><box size="1 1 1"/></geometry>'
MESH = '<geometry><mesh filename="package://a/a.stl"/></geometry>'
TIP = "/robot/link[@name='tip']"


def joint(inside='', kind='fixed', parent='base', child='tip', name='j'):
    """Return a joint in URDF."""
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>'
            f'<child link="{child}"/>{inside}</joint>')


def robot(inside, attributes='name="r"'):
    """Return a description."""
    return f'<robot {attributes}>{inside}</robot>'


REFUSED = {
    '<sdf name="r"><link name="a"/></sdf>': ('element', '/sdf'),
    robot(TWO, ''): ('name', '/robot'), robot(''): ('link', '/robot'),
    robot(TWO, 'name="r" xmlns="http://a"'): ('xml', '/robot'),
    robot(TWO + '<a:b/>'): ('xml', '/robot/a:b'),
    robot(f'<!-- a -- b -->{TWO}'): ('xml', '/robot'),
    ' <?xml version="1.0"?>' + robot(TWO): ('xml', '/robot'),
    robot('<link/>'): ('name', '/robot/link[1]'),
    robot(f'{TWO}<link name="tip"/>'): ('name', '/robot/link[3]'),
    robot(f'{TWO}<material/>'): ('name', '/robot/material[1]'),
    robot(TWO + joint(kind='hinge')): ('type', "/robot/joint[@name='j']"),
    robot(TWO + joint(child='top')): ('structure', "/robot/joint[@name='j']/child"),
    robot(TWO + joint('<parent/>')): ('structure', "/robot/joint[@name='j']/parent[2]"),
    robot(TWO + joint() + joint(parent='tip', child='base', name='k')): (
        'structure', "/robot/joint[@name='j']"),
    robot(f'<link name="r"/>{TWO}{joint()}' + joint(parent='r', child='base', name='i')
          + joint(parent='tip', child='base', name='k')): (
              'structure', "/robot/joint[@name='k']"),
    robot(TWO + joint('<axis xyz="0 0 0"/>', 'continuous')): (
        'axis', "/robot/joint[@name='j']/axis"),
    robot(TWO + joint('<mimic/>')): ('mimic', "/robot/joint[@name='j']/mimic"),
    robot(TWO + joint('<mimic joint="k"/>')): ('mimic', "/robot/joint[@name='j']/mimic"),
    robot(TWO + '<sensor xyz="1"/>'): ('attribute', '/robot/sensor'),
    robot(TWO + '<gazebo><a b-c="1"/></gazebo>'): ('attribute', '/robot/gazebo/a'),
    robot('<link name="tip"><visual><geometry><sphere/></geometry></visual></link>'): (
        'shape', f'{TIP}/visual/geometry/sphere'),
    robot(f'{TWO}<material name="m"><color rgba="1 0 0 2"/></material>'): (
        'colour', "/robot/material[@name='m']/color")}
"""Descriptions to why the converter refuses them, and where that is written."""

LOST = {
    '<visual><geometry><box size="1 1 1"/><sphere radius="1"/></geometry></visual>': (
        'shape', Impact.CHANGES, '/visual/geometry/sphere'),
    '<visual><geometry><capsule radius="1" length="1"/></geometry></visual>': (
        'visual', Impact.DROPS, '/visual/geometry/capsule'),
    '<collision/>': ('collision', Impact.DROPS, '/collision'),
    f'<visual>{BOX}<material name="red"><color rgba="1 0 0 1"/><texture filename="a.png"/>'
    '</material></visual>': (
        'texture', Impact.DROPS, "/visual/material[@name='red']/texture")}
"""The content of a link to what is lost of it, and where that is written."""


def account_of(text, context=None):
    """Return the account of a description."""
    return account(source_of(text), context or Context())


@pytest.mark.parametrize(('text', 'expected'), REFUSED.items())
def test_refused(text, expected):
    """The first reason is told where it is written, also of what is no robot for the loader."""
    cause = account_of(text).causes[0]
    assert (cause.of, cause.element.path) == expected


@pytest.mark.parametrize('text', [
    '\n<?xml version="1.0"?>\n' + robot(TWO), robot(TWO),
    robot(TWO + '<sensor name="s"><limit lower="x"/></sensor>'), robot(TWO + '<sdf a_b="1"/>'),
    robot(f'<link name="a"/>{TWO}{joint()}' + joint(parent='a', child='a', name='k')),
    robot(TWO + joint('<axis xyz="0 0 0"/>'))])
def test_loaded(text):
    """It loads what has several roots, and unknown elements whatever is in them."""
    assert account_of(text).loads


@pytest.mark.parametrize(('inside', 'expected'), LOST.items())
def test_lost(inside, expected):
    """What is lost is told where it is written."""
    found = account_of(robot(f'<link name="tip">{BODY}{inside}</link>'),
                       Context(file=Path('/nowhere/r.urdf')))
    assert found.loads
    assert expected in [(each.of, each.impact, each.element.path.removeprefix(TIP))
                        for each in found.losses]


def test_the_last_of_equal_elements_counts():
    """Of two <inertial> elements, it takes the second."""
    heavy = BODY.replace('value="1"', 'value="5"')
    found = account_of(robot(f'<link name="tip">{BODY}{heavy}</link>'))
    assert (found.source.body.mass, found.kept.body.mass) == (1, 5)
    assert "Takes the last inertial of link 'tip'" in [each.message for each in found.losses]


def test_links_with_two_parents_are_written_twice():
    """A link below both ends of a diamond is there twice, with its mass."""
    found = account_of(robot(TWO + joint() + joint(name='k')))
    assert (found.kept.links, found.kept.body.mass) == (3, 3)


def test_links_apart_from_the_root():
    """Only what is below the first root is written."""
    found = account_of(robot(f'{TWO}<link name="a"/>{joint()}'))
    assert found.loads and 'Drops 1 link that no joint connects to the root' in [
        each.message for each in found.losses]


def test_no_file_is_read():
    """Files count as found, and what is in them is unknown."""
    text = robot(f'<link name="tip">{BODY}<visual>{MESH}</visual></link>')
    file = Path('/nowhere/r.urdf')
    assert account_of(text, Context(file=file)).kept.visuals == {}
    assert account_of(text, Context(file=file, reads_files=False)).kept.visuals == {'.stl': 1}


MESHES = {
    'sound.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n', ''),
    'unused.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n',
                   'some of its vertices are in no face'),
    'relative.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -3\n', ''),
    'two.obj': ('o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\no b\nf 1 3 2\n', ''),
    'normal.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3\n',
                   'some of its corners have no normal'),
    'normals.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//2\n',
                    'some of its corners have no normal'),
    'texture.obj': ('v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1 2 3\n',
                    'some of its corners have no texture coordinates'),
    'faceless.obj': ('v 0 0 0\n', 'cannot be read'),
    'cut.stl': (binary_stl(CORNERS[CUBE].astype(float))[:-20], ''),
    'empty.stl': (bytes(84), 'cannot be read'),
    'text.stl': ('solid a', 'cannot be read')}
"""Mesh files to their content and why the converter drops them."""


@pytest.mark.parametrize('name', MESHES)
def test_meshes_that_are_dropped(name, tmp_path):
    content, reason = MESHES[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    source = source_of(robot(f'<link name="a">{BODY}<visual><geometry><mesh filename="{name}"/>'
                             '</geometry></visual></link>'))
    found = account(source, Context(file=tmp_path / 'r.urdf'))
    assert found.kept.visuals == ({} if reason else {Path(name).suffix: 1})
    losses = [str(each.message) for each in found.losses if each.of == 'visual']
    assert len(losses) == bool(reason) and all(reason in text for text in losses)
    # Where files are not read, they are taken to be readable.
    unread = account(source, Context(file=tmp_path / 'r.urdf', reads_files=False))
    assert unread.kept.visuals == {Path(name).suffix: 1}


@pytest.mark.parametrize('kind', ['revolute', 'continuous', 'prismatic'])
def test_velocity_limits_beyond_single_precision_are_none(kind):
    limits = {velocity: account(source_of(robot(TWO + joint(
        f'<limit lower="-1" upper="1" effort="1" velocity="{velocity}"/>', kind))), Context()
        ).kept.velocity_limits for velocity in ('1', '1e36', '1e39', '1.79769e308')}
    assert limits == {'1': 1, '1e36': 1, '1e39': 0, '1.79769e308': 0}


@pytest.mark.parametrize(('dynamics', 'number'), [
    ('damping="0.5"', 1), ('friction="0.1"', 1), ('damping="0" friction="0.0"', 0)])
def test_dynamics_are_lost_in_a_release(dynamics, number):
    """Isaac Sim 6.1 drops damping and friction, unless they are zero."""
    text = robot(TWO + joint(f'<dynamics {dynamics}/>', 'continuous'))
    assert sum(each.of == 'dynamics' for each in account_of(text).losses) == number
