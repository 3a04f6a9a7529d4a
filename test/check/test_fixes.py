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

"""Fixes: what they change, and that they change nothing else."""

import pytest
from support.validation_cases import autofixed
from support.validation_cases import check
from support.validation_cases import CONTINUOUS
from support.validation_cases import FIXED
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT
from support.validation_cases import VISUAL

from urdf_tools.check.fixes import autofix
from urdf_tools.findings.finding import format_numbers
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import SetAttribute

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def fixed(text):
    data = autofixed(read_document(text), check_all)
    assert autofixed(read_document(data), check_all) == data
    return data.decode()


def check_all(document):
    return check(document.data, max_per_rule=10**6)


AXIS = '<axis xyz="0 0 1"/>'


@pytest.mark.parametrize('template, before, after', [
    (REVOLUTE, LIMIT + '<axis  xyz = "0 0 2" />', LIMIT + '<axis  xyz = "0 0 1" />'),
    (REVOLUTE, LIMIT + "<axis xyz='1 1 0'/>",
     LIMIT + "<axis xyz='0.707106781187 0.707106781187 0'/>"),
    (REVOLUTE, LIMIT + AXIS + '<origin xyz="1, 2, 3"/>', LIMIT + AXIS + '<origin xyz="1  2  3"/>'),
    (REVOLUTE, LIMIT + AXIS + '<dynamics damping="0,5"/>',
     LIMIT + AXIS + '<dynamics damping="0.5"/>'),
    (REVOLUTE, LIMIT + AXIS + '<dynamics damping="0.5 "/>',
     LIMIT + AXIS + '<dynamics damping="0.5"/>'),
    (REVOLUTE, LIMIT + AXIS + '<origin xyz="1\t2\n3"/>', LIMIT + AXIS + '<origin xyz="1 2 3"/>'),
    (REVOLUTE, LIMIT + AXIS + '\n  <origin/>\n  <!-- keep -->\n',
     LIMIT + AXIS + '\n  <!-- keep -->\n'),
    (REVOLUTE, LIMIT + AXIS + '<dynamics></dynamics>', LIMIT + AXIS),
    (REVOLUTE, LIMIT + AXIS + '<calibration/>', LIMIT + AXIS),
    (REVOLUTE, LIMIT + AXIS + '<origin xyz="1 2 3"/>\n<origin xyz="1 2 3"/>\n',
     LIMIT + AXIS + '<origin xyz="1 2 3"/>\n'),
    (FIXED, '<origin xyz="0 0 1"/>\r\n  <axis xyz="0 0 0"/>\r\n', '<origin xyz="0 0 1"/>\r\n'),
    (FIXED, '<limit lower="0" upper="0" effort="0" velocity="0"/>text', 'text'),
    (REVOLUTE, AXIS + '<limit lower="-1" uper="1" effort="1" velocty="1"/>', AXIS + LIMIT),
    (REVOLUTE, AXIS + '<limit lower="1" upper="-1" effort="1" velocity="1"/>', AXIS + LIMIT),
    (REVOLUTE, LIMIT + '<axs xyz="0 0 1"></axs>', LIMIT + '<axis xyz="0 0 1"></axis>'),
    (REVOLUTE, LIMIT + AXIS + '<joint_properties damping="1"/>',
     LIMIT + AXIS + '<dynamics damping="1"/>'),
    (REVOLUTE, LIMIT + AXIS + '<dynamics damping="1"/><joint_properties friction="1"/>',
     LIMIT + AXIS + '<dynamics damping="1"/><joint_properties friction="1"/>'),
    (VISUAL, '<material name="m"><color rgba="255 128 0 1"/></material>',
     '<material name="m"><color rgba="1 0.501960784314 0 1"/></material>'),
    (ROBOT, '<material name="m"><color rgba="1 0 0 1"/></material>\n'
            '<material name="m">\n<!-- </material> --><color rgba="1 0 0 1"/>\n</material>\n'
            '<link name="base_link"/>',
     '<material name="m"><color rgba="1 0 0 1"/></material>\n<link name="base_link"/>'),
])
def test_safe_fixes(template, before, after):
    assert fixed(template.format(before)) == template.format(after)


@pytest.mark.parametrize('template, text', [
    (REVOLUTE, AXIS + '<limit lower="1" effort="1" velocity="1"/>'),
    (REVOLUTE, LIMIT + AXIS + '<dynamics coulomb_window="1"/>'),
    # The hint offers two answers, or what the author meant is not known.
    (CONTINUOUS, AXIS + LIMIT),
    (REVOLUTE, LIMIT),
    (REVOLUTE, AXIS + '<limit lower="-1" effort="1" velocity="1"/>'),
    (REVOLUTE, AXIS + '<limit lower="-1" upper="1" effort="1,000" velocity="1"/>'),
    (FIXED, LIMIT),
    (FIXED, AXIS),
    (FIXED, '<mimic joint="k"/>'),
    (VISUAL, '<material name="m"><color rgba="2 0 0 3"/></material>'),
    (VISUAL, '<material name="m"><color rgba="-0.1 0 1.2 1"/></material>'),
    (VISUAL, '<geometry><mesh filename="a.stl" size="2 2 2"/></geometry>'),
    (VISUAL, '<material name="m"><color rgb="255 0 0" alpha="0.5"/></material>'),
    (REVOLUTE, LIMIT + AXIS + '<origin xyz="1 2 3"/><origin xyz="1 2 4"/>'),
    (REVOLUTE, LIMIT + '<axis xyz="0.005 0 0.9999875"/>'),
    (ROBOT, '<material name="m"><color rgba="1 0 0 1"/></material>'
            '<material name="m"><color rgba="0 0 1 1"/></material>'),
])
def test_defects_without_a_safe_fix_stay(template, text):
    assert fixed(template.format(text)) == template.format(text)


@pytest.mark.parametrize('before, after', [
    ('<robot name="r" version="1"><link name="base_link"/></robot>',
     '<robot name="r" version="1.0"><link name="base_link"/></robot>'),
    ('<robot name="r" version="3"><link name="base_link"/></robot>',
     '<robot name="r" version="3"><link name="base_link"/></robot>')])
def test_version(before, after):
    assert fixed(before) == after


def test_capitalized_joint_type():
    text = FIXED.replace('"fixed"', '"Fixed"').format('')
    assert fixed(text) == FIXED.format('')


@pytest.mark.parametrize('wrong, right', [
    ('parent link="base_lnk"', 'parent link="base_link"'), ('type="fixd"', 'type="fixed"'),
    ('parent lnk="base_link"', 'parent link="base_link"')])
def test_misspelt_names(wrong, right):
    assert right in FIXED
    assert fixed(FIXED.replace(right, wrong).format('')) == FIXED.format('')


def test_names_that_may_mean_several_stay():
    text = ROBOT.format('<link name="base"/>' + ''.join(
        f'<link name="{name}"/><joint name="{name}_joint" type="fixed">'
        f'<parent link="{parent}"/><child link="{name}"/></joint>'
        for name, parent in (('arm_1', 'base'), ('arm_2', 'base'), ('left', 'arm_3'),
                             ('right', 'arm'))))
    assert fixed(text) == text


ROD = 'rpy="0 0.8091 0.8761"'
"""Turns the z axis to where a rod lies that has the inertia in the test."""

TURNED = ('<inertia ixx="0.016588" ixy="{0}0.004094" ixz="{0}0.005117" iyy="0.015087" '
          'iyz="+0.006141" izz="0.012324"/>')


@pytest.mark.parametrize('shape, is_turned', [
    (f'<collision><origin {ROD}/><geometry><cylinder radius="0.01" length="0.34"/></geometry>'
     '</collision>', True),
    (f'<collision><origin {ROD.replace("0 0", "0 -0")}/><geometry>'
     '<cylinder radius="0.01" length="0.34"/></geometry></collision>', False),
    ('', False)])
def test_products_of_inertia_with_the_signs_of_cad(shape, is_turned):
    text = ROBOT.format(f'<link name="base_link"/><link name="arm">{shape}<inertial>'
                        '<mass value="1"/>' + TURNED.format('') + '</inertial></link>'
                        '<joint name="j" type="fixed"><parent link="base_link"/>'
                        '<child link="arm"/></joint>')
    turned = text.replace(TURNED.format(''), TURNED.format('-').replace('"+', '"-'))
    hint, = (finding.hint for finding in check_all(read_document(text)).findings
             if finding.code == 'inertia-triangle')
    assert ('Turn the signs' in hint) == (is_turned or not shape)
    assert fixed(text) == (turned if is_turned else text)


def test_other_bytes_are_unchanged():
    text = ('<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- -- é -->\n'
            + REVOLUTE.format(LIMIT + "<axis\n\txyz = '0 0 3'\n\t/> é")).encode('latin-1')
    data = autofixed(read_document(text), check_all)
    assert data == text.replace(b"'0 0 3'", b"'0 0 1'")


def test_encoding_that_is_no_superset_of_ascii_is_rejected():
    document = read_document(ROBOT.format('<link name="base_link"/>').encode('utf-16'))
    with pytest.raises(DescriptionError, match='UTF-8'):
        changed(document, [SetAttribute(document.root, 'name', 's')])


def test_a_fix_that_would_cause_another_finding_names_it():
    document = read_document(ROBOT.format(
        '<link name="base_link"><inertial><mass value="1,5"/><inertia ixx="1" iyy="1" izz="0" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link>'))
    fixes = autofix(lambda texts: document, check_all)
    assert [(finding.code, why) for finding, why in fixes.left] == [
        ('number-locale-comma', 'the fix would cause inertia-diagonal-not-positive')]


def test_values_are_escaped():
    document = read_document(ROBOT.format('<link name="base_link"/>'))
    text = changed(document, [SetAttribute(document.root, 'name', '<"&')])
    assert read_document(text).root.get('name') == '<"&'


@pytest.mark.parametrize('value, text', [(-0.0, '0'), (1 / 3, '0.333333333333'), (1e-7, '1e-07')])
def test_format_number(value, text):
    assert format_numbers((value,)) == text
