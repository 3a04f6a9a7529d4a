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

"""The account of urdfdom, compared with what check_urdf said of the bad files of the corpus."""

import csv
import re

import pytest
from support.corpus import CORPUS
from support.corpus import NO_CORPUS
from support.program_cases import source_of
from support.robot_text import link

from urdf_tools.findings.consequences import Impact
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.urdfdom import account
from urdf_tools.programs.urdfdom.reading import refusals

INDEX = CORPUS / 'BAD_INDEX.tsv'
CAPSULE = '<collision><geometry><capsule radius="1" length="1"/></geometry></collision>'


def verdicts():
    if not INDEX.is_file():
        return [pytest.param(None, None, marks=NO_CORPUS)]
    with open(INDEX, newline='') as file:
        return [(CORPUS / row['file'], row['check_urdf_4.0.1'] == 'accept')
                for row in csv.DictReader(file, delimiter='\t')]


@pytest.mark.parametrize(('path', 'loads_it'), verdicts())
def test_urdfdom_refuses_what_check_urdf_refuses(path, loads_it):
    source = source_of(path.read_bytes())
    if source is not None:
        assert account(source, Context()).loads is loads_it


def of(text, newest=0):
    root = read_document(text).root
    return [(each.of, each.element.path) for each in refusals(root, newest)]


def lost(text):
    found = account(source_of(text), Context())
    return [(each.of, each.impact.name, each.element.path) for each in found.losses]


A_AND_B = '<robot name="r"><link name="a"/><link name="b"/>{}</robot>'
J = '<joint name="j" type="{}"><parent link="a"/><child link="b"/>{}</joint>'
LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1" {}/>'


@pytest.mark.parametrize(('text', 'found'), [
    ('<robot/>', [('name', '/robot'), ('link', '/robot')]),
    ('<sdf/>', [('element', '/sdf')]),
    ('<robot name="r" version="1.0."><link/></robot>', []),
    ('<robot name="r" version="1"><link/></robot>', [('version', '/robot')]),
    ('<robot name="r"><link/><link/></robot>', [('name', '/robot/link[2]')]),
    ('<robot name="r"><link name="a"/><material/></robot>', []),
    (A_AND_B.format(''), [('structure', "/robot/link[@name='a']")]),
    (A_AND_B.format(J.format('Fixed', '')), [('type', "/robot/joint[@name='j']")]),
    (A_AND_B.format(J.format('revolute', '')), [('limit', "/robot/joint[@name='j']")]),
    (A_AND_B.format(J.format('revolute', '<limit effort="1"/>')), [
        ('limit', "/robot/joint[@name='j']/limit")]),
    (A_AND_B.format(J.format('fixed', '<axis xyz="x"/><dynamics/>')), [
        ('dynamics', "/robot/joint[@name='j']/dynamics")]),
    (A_AND_B.format(J.format('planar', '<axis xyz="1&#9;0 0"/>')), [
        ('attribute', "/robot/joint[@name='j']/axis")]),
    (A_AND_B.format(J.format('fixed', '').replace('link="b"', 'link="c"')), [
        ('structure', "/robot/joint[@name='j']/child")]),
    (A_AND_B.format(J.format('fixed', '') + J.format('fixed', '').replace('"j"', '"k"')), [])])
def test_why_urdfdom_refuses(text, found):
    assert of(text) == found


def test_a_cycle_matters_where_the_root_leads_to_it():
    cycle = '<joint name="{}" type="fixed"><parent link="{}"/><child link="{}"/></joint>'
    apart = A_AND_B.format(cycle.format('k', 'b', 'b'))
    assert of(apart) == []
    assert lost(apart) == [('structure', 'DROPS', "/robot/joint[@name='k']")]
    text = A_AND_B.format(cycle.format('j', 'a', 'b') + cycle.format('k', 'b', 'b'))
    found, = account(source_of(text), Context()).causes
    assert (found.impact, found.element.get('name')) == (Impact.CRASHES, 'k')


@pytest.mark.parametrize('attributes', ['effort="-1"', 'jerk="-1"', 'lower="2"'])
def test_urdfdom_6_checks_the_limits_of_urdf_1_2(attributes):
    limit = LIMIT.format('')
    name = attributes.partition('=')[0]
    limit = re.sub(f' {name}="[^"]*"', '', limit).replace('/>', f'{attributes}/>')
    text = A_AND_B.format(J.format('revolute', limit))
    assert of(text, 2) == []
    assert of(text.replace('"r"', '"r" version="1.2"'), 2) == [
        ('limit', "/robot/joint[@name='j']/limit")]


def test_a_capsule_takes_the_shapes_after_it_along():
    shapes = '<visual><geometry><sphere radius="1"/></geometry></visual>' + CAPSULE
    found = account(source_of(f'<robot name="r">{link("a", shapes)}</robot>'), Context())
    assert found.kept.visuals == {'sphere': 1} and not found.kept.collisions
    capsule, = found.losses
    assert capsule.message == ("Drops <collision> and the rest of link 'a', because it knows no "
                               "<capsule> of link 'a'")
    assert (capsule.element.tag, [each.tag for each in capsule.others]) == (
        'capsule', ['collision'])


@pytest.mark.parametrize(('content', 'found'), [
    ('<inertial><mass value="1"/></inertial>', ('inertia', 'DROPS', 'inertial')),
    ('<visual><geometry/></visual>', ('visual', 'DROPS', 'visual/geometry')),
    ('<collision><geometry><box size="1 1 1"/><cone/></geometry></collision>',
     ('shape', 'IGNORES', 'collision/geometry/cone')),
    ('<visual><geometry><sphere radius="1"/></geometry><material name="m"/></visual>',
     ('colour', 'CHANGES', "visual/material[@name='m']"))])
def test_what_urdfdom_loses_of_a_link(content, found):
    of_link = lost(f'<robot name="r"><link name="a">{content}</link></robot>')
    kind, impact, path = found
    assert (kind, impact, f"/robot/link[@name='a']/{path}") in of_link


@pytest.mark.parametrize(('kind', 'content', 'found'), [
    ('revolute', '<limit upper="1" effort="1" velocity="1"/>', [('limit', 'CHANGES', 'limit')]),
    ('continuous', '<axis/>', [('axis', 'CHANGES', 'axis')]),
    ('continuous', '<axis xyz="0 0 2"/>', [('axis', 'CHANGES', 'axis')]),
    ('fixed', '<axis/>', []),
    ('fixed', '<origin quat_xyzw="0 0 0 1"/>', [('attribute', 'IGNORES', 'origin')]),
    ('planar', LIMIT.format('jerk="1"'), [('limit', 'IGNORES', 'limit')])])
def test_what_urdfdom_loses_of_a_joint(kind, content, found):
    assert lost(A_AND_B.format(J.format(kind, content))) == [
        (of, impact, f"/robot/joint[@name='j']/{path}") for of, impact, path in found]
