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

"""The validator as a whole: one finding per cause, limits, sources, and no exceptions."""

from pathlib import Path
import re

import pytest
from support.call_count import count_calls
from support.rule_cases import EXAMPLES
from support.validation_cases import check
from support.validation_cases import codes
from support.validation_cases import FIXED
from support.validation_cases import LINKS
from support.validation_cases import REVOLUTE
from support.validation_cases import ROBOT

from urdf_tools.check import validator
from urdf_tools.check.validator import MAX_PER_RULE
from urdf_tools.check.validator import validate
from urdf_tools.check.validator import validates
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.rules import Rule
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.xml.document import MAX_BYTES
from urdf_tools.model.xml.document import read_document

GOOD = ROBOT.format("""\
<link name="base_link"/>
<link name="arm">
  <inertial><mass value="1"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial>
  <visual><geometry><box size="0.1 0.1 0.1"/></geometry></visual>
  <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
</link>
<joint name="mount" type="fixed"><parent link="base_link"/><child link="arm"/></joint>""")


def errors(text, **options):
    return [finding.code for finding in check(text, **options).findings
            if finding.severity is Severity.ERROR]


def test_good_robot_has_no_finding():
    report = check(GOOD)
    assert report.findings == ()
    assert report.valid
    assert report.robot == 'r'
    assert report.counts == {Severity.INFO: 0, Severity.WARN: 0, Severity.ERROR: 0}


def test_finding_has_location_and_consumers():
    report = check(REVOLUTE.format('  <axis xyz="0 0 0"/><mimic/>'))
    finding = next(finding for finding in report.findings if finding.code == 'axis-zero')
    assert finding.severity is Severity.ERROR
    assert finding.element == "/robot/joint[@name='j']/axis"
    assert (finding.line, finding.column) == (5, 3)
    assert 'drake' in finding.consumers
    assert not report.valid


def test_defects_do_not_hide_others():
    text = REVOLUTE.format(
        '<origin xyz="a b c"/><axis xyz="0 0 0"/>'
        '<limit lower="1" upper="-1" effort="x" velocity="-1"/><mimic joint="k"/><dynamics/>')
    assert sorted(errors(text)) == [
        'axis-zero', 'dynamics-empty', 'limit-inverted', 'limit-negative-velocity',
        'mimic-unknown-joint', 'number-not-parsable', 'number-not-parsable']


@pytest.mark.parametrize('text, expected', [
    (LINKS.format('<joint name="j" type="fixed"><parent link="no"/><child link="tip"/></joint>'),
     ['parent-link-missing']),
    (LINKS.format('<joint name="j" type="fixed"><parent link="base_link"/><child link="no"/>'
                  '</joint>'), ['child-link-missing']),
    (LINKS.format('<joint name="j" type="fixed"><parent link="base_link"/></joint>'),
     ['joint-no-child']),
    (LINKS.format('<joint name="j" type="fixed"><parent link="tip"/><child link="tip"/></joint>'),
     ['parent-is-child']),
    (FIXED.format('</joint><joint name="k" type="fixed"><parent link="tip"/>'
                  '<child link="base_link"/>'), ['cycle']),
    (FIXED.format('</joint><link name="a"/><joint name="k" type="fixed"><parent link="tip"/>'
                  '<child link="a"/></joint><joint name="l" type="fixed"><parent link="a"/>'
                  '<child link="tip"/>'), ['cycle']),
    (ROBOT.format('<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'),
     ['no-links']),
    (ROBOT.format('<link name="base_link"/><xacro:include filename="a"/>'
                  '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'),
     ['xacro-unexpanded']),
    (ROBOT.format('<gazebo name="${n}"/><xacro:macro name="m"/>'), ['xacro-unexpanded']),
    (REVOLUTE.format('<limit efort="1" velocity="1" lower="-1" upper="1"/>'),
     ['limit-no-effort']),
    (REVOLUTE.format('<limit effort="${e}" velocity="1" lower="-1" upper="1"/>'),
     ['xacro-unexpanded']),
    (FIXED.format('</joint><link name="a"/><joint name="${n}" type="${t}"><parent link="tip"/>'
                  '<child link="a"/>'), ['xacro-unexpanded']),
    (FIXED.format('</joint><link name="a"/><drake:joint name="k" type="screw">'
                  '<parent link="tip"/><child link="a"/></drake:joint><joint name="l" '
                  'type="fixed"><parent link="base_link"/><child link="a"/>'), []),
    (FIXED.format('</joint><link name="a"/><drake:joint name="k" type="screw">'
                  '<parent link="tip"/><child link="a"/></drake:joint><joint name="l" '
                  'type="fixed"><parent link="tip"/><child link="no"/>'), ['child-link-missing']),
])
def test_one_cause_is_one_error(text, expected):
    assert errors(text) == expected


def test_findings_per_rule_are_limited_and_counted():
    links = '\n'.join(f'<link name="l::{i}"/>' for i in range(MAX_PER_RULE + 7))
    report = check(ROBOT.format(links))
    assert codes(ROBOT.format(links)).count('name-bad-characters') == MAX_PER_RULE
    assert report.omitted['name-bad-characters'] == 7
    assert report.counts[Severity.WARN] >= MAX_PER_RULE + 7
    assert not check(ROBOT.format(links), max_per_rule=1000).omitted


def test_findings_are_in_file_order():
    report = check(REVOLUTE.format('<axis xyz="0 0 0"/>\n<dynamics/>\n<origin xyz="1"/>'))
    positions = [(finding.line, finding.column) for finding in report.findings]
    assert positions == sorted(positions)


def test_ignore_and_categories():
    text = REVOLUTE.format('<axis xyz="0 0 0"/><origin xyz="1"/>')
    assert 'axis-zero' not in codes(text, ignore=['axis-zero'])
    assert set(codes(text, categories=['xml'])) == {'vector-wrong-length'}
    assert codes('<robot', ignore=['xml-malformed']) == []


@pytest.mark.parametrize('text, words', [
    (b'', 'empty'),
    (b' \n\0', 'empty'),
    (b'/opt/ros/robot.urdf', 'path of a file'),
    (b'<<<<<<< HEAD\n<robot/>', 'conflict marker'),
    (b'<robot name="r">\n<link name="a">\n</robot>', 'Write </link> before </robot> on line 3'),
    (b'<robot name="r">', '<robot> on line 1 is never closed'),
    (b'<robot name="a & b"/>', '&amp;'),
    (b'<robot name="r"/><robot name="s"/>', 'The file has two <robot>'),
    (b'{"robot": 1}', 'JSON'),
    ('<?xml version="1.0" encoding="utf-8"?><robot name="r"/>'.encode('utf-16'), 'is UTF-16'),
    (b'version https://git-lfs.github.com/spec/v1\n', 'Git LFS'),
    (b'redefining global symbol: pi\n<?xml version="1.0"?>\n<robot name="r"/>',
     'messages of xacro'),
])
def test_cause_of_malformed_text_is_named(text, words):
    report = check(text)
    finding, = report.findings
    assert finding.code == 'xml-malformed'
    assert words in f'{finding.message} {finding.hint}'
    assert not report.valid


@pytest.mark.parametrize('root, words', [
    ('<svg/>', 'SVG'), ('<Robot name="r"/>', 'lower case'),
    ('<xacro:macro/>', 'xacro'), ('<gazebo/>', 'includes this one'), ('<a/>', '<a>')])
def test_other_formats_are_named(root, words):
    finding, = check(root).findings
    assert finding.code == 'root-not-robot'
    assert words in f'{finding.message} {finding.hint}'


@pytest.mark.parametrize('text', [
    b'x' * (MAX_BYTES + 1), b'<robot name="r">' + b'<a>' * 10_000,
    b'<robot name="r">' + b'<a/>' * 300_000 + b'</robot>'], ids=['bytes', 'depth', 'elements'])
def test_too_large_text_is_a_finding(text):
    finding, = check(text).findings
    assert finding.code == 'xml-too-large'


def test_every_error_of_reading_has_its_rule():
    # What the loader only notes does not end the reading.
    noted = {ErrorKind.LOOP}
    assert validator.RULE_OF_ERROR.keys() == {*ErrorKind} - noted
    assert validator.RULES.keys() >= set(validator.RULE_OF_ERROR.values())


def test_unreadable_file(tmp_path):
    finding, = validate(tmp_path / 'missing.urdf').findings
    assert finding.code == 'file-unreadable'
    assert 'missing.urdf' in finding.message
    assert validate(tmp_path).findings[0].code == 'file-unreadable'


def test_xacro(tmp_path):
    pytest.importorskip('xacro')
    path = tmp_path / 'robot.urdf.xacro'
    path.write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="base" default="nowhere"/><link name="$(arg base)"/></robot>')
    report = validate(path, arguments={'base': 'base_link'})
    assert report.valid
    assert report.document.root.find('link').get('name') == 'base_link'
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                    '<xacro:nothing/></robot>')
    finding, = validate(str(path)).findings
    assert finding.code == 'xacro-failed'


def test_document():
    document = read_document(GOOD, 'topic')
    report = validates(document)
    assert report.source == 'topic'
    assert report.document is document


def test_referenced_files_are_checked_only_for_files(tmp_path):
    text = GOOD.replace('<box size="0.1 0.1 0.1"/>', '<mesh filename="no.stl"/>')
    path = tmp_path / 'robot.urdf'
    path.write_text(text)
    assert 'mesh-not-found' in [finding.code for finding in validate(path).findings]
    assert 'mesh-not-found' not in codes(text)


@pytest.mark.slow
def test_names_with_placeholders_are_only_names():
    for case in EXAMPLES.values():
        text = re.sub(r'(\w+)="([^"\n]*[A-Za-z_][^"\n]*)"', r'\1="\2{x}%s${x}"',
                      case.template.format(case.bad))
        assert 'internal-error' not in codes(text), text


def test_version_is_compared_whatever_the_names_are():
    (finding,) = [f for f in check(ROBOT.format(
        '<link name="${x}"><visual><origin quat_xyzw="0 0 0 1"/></visual></link>')).findings
        if f.code == 'feature-needs-version']
    assert finding.message == (
        "quat_xyzw in <origin> of link '${x}' needs URDF 1.1, not 1.0")


def test_failing_rule_is_a_finding(monkeypatch):
    def fails(description):
        raise ZeroDivisionError('oh')
    broken = Rule('broken', Severity.WARN, 'xml', 'Nothing.', check=fails)
    monkeypatch.setattr(validator, 'RULES', {**validator.RULES, 'broken': broken})
    finding, = check(GOOD).findings
    assert finding.code == 'internal-error'
    assert finding.severity is Severity.ERROR
    assert 'broken' in finding.message
    assert Path(__file__).name in finding.message
    assert 'ZeroDivisionError: oh' in finding.message


@pytest.mark.filterwarnings('error')
@pytest.mark.parametrize('radius', ['1e-308', '1', '1e103', '1e308'])
@pytest.mark.parametrize('moment', ['5e-324', '1', '1e308'])
@pytest.mark.parametrize('mass', ['5e-324', '1e-308', '1', '1e308'])
def test_numbers_of_any_size(mass, moment, radius):
    report = check(ROBOT.format(
        f'<link name="base_link"><inertial><origin xyz="1e308 0 0"/><mass value="{mass}"/>'
        f'<inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>'
        f'</inertial><collision><origin xyz="0 {radius} 0"/><geometry><sphere '
        f'radius="{radius}"/></geometry></collision></link>'))
    assert 'internal-error' not in [finding.code for finding in report.findings]


def test_a_range_between_the_largest_numbers():
    text = REVOLUTE.format(
        '<limit lower="-1.79769e308" upper="1.79769e308" effort="1" velocity="1"/>')
    assert "Joint 'j' has a range of 5.72e+307 turns" in [
        finding.message for finding in check(text).findings]


@pytest.mark.slow
def test_work_grows_linearly():
    def calls(links):
        text = ROBOT.format('\n'.join((
            '<link name="l0"/>', *(
                f'<link name="l{i}"><visual><geometry><sphere radius="-1"/></geometry></visual>'
                f'</link><joint name="j{i}" type="revolute"><parent link="l{i - 1}"/>'
                f'<child link="l{i}"/><axis xyz="0 0 2"/><mimic joint="j{i // 2}"/></joint>'
                for i in range(1, links)))))
        document = read_document(text)
        report, number = count_calls(lambda: validates(document))
        assert report.counts[Severity.ERROR] == 2 * links - 1
        return number
    assert calls(800) < 4.2 * calls(200)
