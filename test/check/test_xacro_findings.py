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

"""Findings about xacro files, at the locations that their author wrote."""

import json

import pytest

from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import validate
from urdf_tools.cli import main
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.github import workflow_commands
from urdf_tools.findings.formats.json_data import as_data
from urdf_tools.findings.formats.sarif import as_sarif
from urdf_tools.findings.formats.terminal import render

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'

ROBOT = """\
<xacro:include filename="parts.xacro"/>
<xacro:property name="track" value="0.2"/>
<link name="base_link">
  <inertial>
    <mass value="0"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
  </inertial>
</link>
<xacro:wheel name="left" radius="0.1" y="${track}"/>
<xacro:wheel name="right" radius="-0.1" y="${-track}"/>"""

PARTS = """\
<xacro:macro name="wheel" params="name radius y">
  <link name="${name}_wheel_link">
    <collision>
      <geometry>
        <sphere radius="${radius * 2}"/>
      </geometry>
    </collision>
  </link>
  <joint name="${name}_wheel_joint" type="continuous">
    <origin xyz="0 ${y} 0"/>
    <parent link="base_link"/>
    <child link="${name}_wheel_link"/>
    <axis
      xyz="0 0 0"/>
  </joint>
</xacro:macro>"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the xacro files, which is the current one."""
    (tmp_path / 'robot.xacro').write_text(f'{HEAD}{ROBOT}\n</robot>\n')
    (tmp_path / 'parts.xacro').write_text(f'{HEAD}{PARTS}\n</robot>\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def replaced(folder, name, old, new):
    path = folder / f'{name}.xacro'
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def errors():
    """Return code, file, line and column of each error."""
    return [(finding.code, finding.file(''), finding.line, finding.column)
            for finding in validate('robot.xacro').at_least(Severity.ERROR)]


def test_terminal(folder):
    report = validate('robot.xacro', categories=['geometry', 'joints'])
    text = render(report, minimum=Severity.ERROR, verbose=True)
    start = text.index('parts.xacro:6:17')
    assert text[start:].splitlines()[:6] == [
        "parts.xacro:6:17: error: The radius of the <sphere> of link 'right_wheel_link' is not "
        'positive (-0.2) [size-not-positive]',
        '    6 |         <sphere radius="${radius * 2}"/>',
        '      |                 ^~~~~~~~~~~~~~~~~~~~~~',
        '      = from ${radius * 2}',
        '      = radius is -0.1 at robot.xacro:11',
        '      = called at robot.xacro:11']
    axis = text[text.index('parts.xacro:14:5'):].splitlines()
    assert axis[1:3] == ['   14 |     <axis', '      |     ^~~~~']
    assert '      = 2 instances: left_wheel_joint, right_wheel_joint' in axis


def test_a_call_without_prefix_names_the_macro(folder):
    for name in ('left', 'right'):
        replaced(folder, 'robot', f'<xacro:wheel name="{name}"', f'<wheel name="{name}"')
    found = {finding.code: finding for finding in validate('robot.xacro').findings}
    finding = found['macro-call-without-prefix']
    assert (finding.message, finding.hint, finding.line) == (
        'xacro leaves <wheel> as it is, because it has no prefix',
        'Write <xacro:wheel ...>, which is defined at parts.xacro:2', 11)
    assert 'unknown-element' not in found


@pytest.mark.parametrize(('name', 'hint'), [
    ('other', 'Include the file that defines it'),
    ('hull', 'hull.xacro defines no macro: write <xacro:macro name="hull" params=""> around')])
def test_an_unknown_macro_is_in_a_file_of_its_name_or_in_one_to_include(tmp_path, name, hint):
    xacro = '<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro">{}</robot>'
    (tmp_path / 'hull.xacro').write_text(xacro.format('<link name="b"/>'))
    (tmp_path / 'a.xacro').write_text(xacro.format(
        f'<xacro:include filename="hull.xacro"/><xacro:{name}/>'))
    finding, = validate(tmp_path / 'a.xacro').findings
    assert hint in finding.hint


def test_the_name_of_an_element_is_not_at_fault_for_its_other_defects(folder):
    replaced(folder, 'robot', 'name="right"', 'name="left"')
    found = {finding.code: finding for finding in validate('robot.xacro').findings}
    assert found['duplicate-link-name'].trace.expression == '${name}_wheel_link'
    other = found['collision-without-visual']
    assert (other.trace.expression, other.line, other.column) == ('', 3, 3)


def test_two_calls_that_make_the_same_names_are_one_finding(folder):
    replaced(folder, 'robot', 'name="right"', 'name="left"')
    found = [finding for finding in validate('robot.xacro').findings
             if finding.code.startswith('duplicate-')]
    assert [(finding.message, list(finding.trace.remarks())[-1]) for finding in found] == [
        ("Link 'left_wheel_link' is already defined by the call of the macro at robot.xacro:10, "
         'with 1 other name', 'called at robot.xacro:11')]


def test_a_name_repeated_by_a_macro_names_the_first_call(folder):
    transmission = (
        '<transmission name="${name}"><type>transmission_interface/SimpleTransmission</type>'
        '<joint name="${name}_wheel_joint"/><actuator name="motor"/></transmission>')
    replaced(folder, 'parts', '</xacro:macro>', transmission + '</xacro:macro>')
    finding, = (finding for finding in validate('robot.xacro').findings
                if finding.code == 'transmission-duplicate-actuator')
    assert finding.message == (
        "The actuator 'motor' of transmission 'right' is already defined by the call of a macro "
        'at robot.xacro:10')


def test_a_computed_type_may_be_another_one(folder):
    replaced(folder, 'parts', 'type="continuous"', 'type="${\'fixed\'}"')
    replaced(folder, 'parts', 'xyz="0 0 0"/>\n',
             'xyz="0 0 1"/>\n<limit effort="1"/><mimic joint="left_wheel_joint"/>\n')
    found = {finding.code: finding.severity for finding in validate('robot.xacro').findings}
    assert found['mimic-on-fixed'] is Severity.INFO
    assert not {'axis-on-fixed', 'limit-on-fixed'} & found.keys()
    replaced(folder, 'parts', "${'fixed'}", 'fixed')
    found = {finding.code: finding.severity for finding in validate('robot.xacro').findings}
    assert found['mimic-on-fixed'] is Severity.WARN
    assert {'axis-on-fixed', 'limit-on-fixed'} <= found.keys()


def test_one_finding_for_all_instances(folder):
    report = validate('robot.xacro')
    axis, = (finding for finding in report.findings if finding.code == 'axis-zero')
    assert [(instance.name, instance.calls[0].line) for instance in axis.trace.instances] == [
        ('left_wheel_joint', 10), ('right_wheel_joint', 11)]
    assert report.counts[Severity.ERROR] == len(report.at_least(Severity.ERROR))


def test_values_are_followed_through_calls_and_properties(folder):
    replaced(folder, 'robot', '<xacro:property name="track" value="0.2"/>',
             '<xacro:property name="gap" value="x"/>\n'
             '<xacro:property name="track" value="${gap}"/>')
    replaced(folder, 'robot', '"${-track}"', '"${track}"')
    finding, = (finding for finding in validate('robot.xacro').findings
                if finding.code == 'number-not-parsable')
    assert (finding.line, finding.column) == (11, 13)
    assert list(finding.trace.remarks()) == [
        'from 0 ${y} 0', 'y is ${track} at robot.xacro:11', 'track is ${gap} at robot.xacro:4',
        'gap is x at robot.xacro:3', 'called at robot.xacro:11',
        '2 instances: left_wheel_joint, right_wheel_joint']


def test_findings_are_in_the_order_of_the_files(folder):
    found = [(finding.file(''), finding.line) for finding in validate('robot.xacro').findings]
    assert found == sorted(found, key=lambda place: (place[0] != 'robot.xacro', place[1]))
    assert {file for file, _ in found} == {'robot.xacro', 'parts.xacro'}


def test_json(folder):
    data = as_data([Result(validate('robot.xacro'))], Options(RULES))
    finding, = (finding for finding in data['reports'][0]['findings']
                if finding['code'] == 'size-not-positive')
    json.dumps(finding)
    assert (finding['line'], finding['column']) == (6, 17)
    source = finding['source']
    assert (source['file'], source['expression']) == ('parts.xacro', '${radius * 2}')
    assert source['values'] == [
        {'name': 'radius', 'value': '-0.1', 'file': 'robot.xacro', 'line': 11, 'column': 27}]
    assert source['calls'] == [{'file': 'robot.xacro', 'line': 11, 'column': 1}]
    assert source['includes'] == [{'file': 'robot.xacro', 'line': 2, 'column': 1}]
    assert [instance['name'] for instance in source['instances']] == ['right_wheel_link']


def test_sarif(folder):
    run = as_sarif([Result(validate('robot.xacro'))], Options(RULES))['runs'][0]
    result, = (result for result in run['results'] if result['ruleId'] == 'size-not-positive')
    assert result['locations'][0]['physicalLocation'] == {
        'artifactLocation': {'uri': 'parts.xacro'},
        'region': {'startLine': 6, 'startColumn': 17}}
    assert [(related['physicalLocation']['region']['startLine'], related['message']['text'])
            for related in result['relatedLocations']] == [
        (11, 'radius is -0.1'), (11, 'called here'), (2, 'included here')]


def test_github(folder):
    lines = workflow_commands(
        [Result(validate('robot.xacro'), minimum=Severity.ERROR)], Options(RULES)).splitlines()
    line, = (line for line in lines if 'title=size-not-positive' in line)
    assert line.startswith('::error file=parts.xacro,line=6,col=17,title=size-not-positive::')
    assert line.endswith('%0Acalled at robot.xacro:11')


PLANTED = [
    ('robot', 'radius="0.1"', 'radius="x"', 'number-not-parsable', 'parts.xacro', 6),
    ('robot', '<mass value="0"/>', '<mass value="-1"/>', 'mass-negative', 'robot.xacro', 6),
    ('robot', 'iyy="1"', 'iyy="nan"', 'number-not-finite', 'robot.xacro', 7),
    ('parts', 'type="continuous"', 'type="hinge"', 'joint-unknown-type', 'parts.xacro', 10),
    ('parts', '<parent link="base_link"/>', '<parent link="bass_link"/>', 'parent-link-missing',
     'parts.xacro', 12),
    ('parts', '    <parent link="base_link"/>\n', '', 'joint-no-parent', 'parts.xacro', 10),
    ('robot', 'name="right"', 'name="left"', 'duplicate-link-name', 'parts.xacro', 3),
]


@pytest.mark.parametrize('name, old, new, code, file, line', PLANTED)
def test_a_planted_defect_is_reported_at_its_line(folder, name, old, new, code, file, line):
    before = {finding[:3] for finding in errors()}
    replaced(folder, name, old, new)
    assert (code, file, line) in {finding[:3] for finding in errors()} - before


@pytest.mark.parametrize('name, above', [
    ('parts', '<axis\n'), ('parts', '<joint '), ('parts', '<xacro:macro'), ('parts', '<robot'),
    ('robot', '<xacro:include'), ('robot', '<robot')])
def test_suppression_in_the_source(folder, name, above):
    assert 'axis-zero' in {code for code, *_ in errors()}
    replaced(folder, name, above, f'<!-- urdf-tools: ignore axis-zero known -->\n{above}')
    report = validate('robot.xacro')
    assert 'axis-zero' not in {finding.code for finding in report.findings}
    assert 'suppression-unused' not in {finding.code for finding in report.findings}
    assert report.suppressed == 2


def test_suppression_of_one_call(folder):
    comment = '<!-- urdf-tools: ignore axis-zero known -->'
    replaced(folder, 'robot', '<xacro:wheel name="left"', f'{comment}<xacro:wheel name="left"')
    report = validate('robot.xacro')
    axis, = (finding for finding in report.findings if finding.code == 'axis-zero')
    assert [instance.name for instance in axis.trace.instances] == ['right_wheel_joint']
    assert report.suppressed == 1


def test_unused_suppressions(folder):
    replaced(folder, 'parts', '    <collision>',
             '    <!-- urdf-tools: ignore axis-zero, no-such-code -->\n    <collision>')
    replaced(folder, 'parts', '</xacro:macro>', """</xacro:macro>
<xacro:macro name="unused"><!-- urdf-tools: ignore axis-zero --><axis/></xacro:macro>""")
    found = [(finding.code, finding.file(''), finding.line)
             for finding in validate('robot.xacro').findings if 'suppression' in finding.code]
    assert found == [('suppression-unknown', 'parts.xacro', 4),
                     ('suppression-unused', 'parts.xacro', 4)]


def test_errors_of_xacro_are_reported_at_their_file(folder, capsys):
    replaced(folder, 'parts', '${y}', '${z}')
    assert main(['check', 'robot.xacro']) == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == 'robot.xacro: fails, 1 error'
    assert lines[1].startswith("parts.xacro:11:13: error: xacro cannot expand the file: name 'z'")
    assert lines[2:5] == [
        '   11 |     <origin xyz="0 ${z} 0"/>', '      |             ^~~~~~~~~~~~~~~~',
        '      = Called at robot.xacro:10, included at robot.xacro:2']
    assert lines[-1] == 'robot.xacro: 1 error, 0 warnings, 0 notes'


def test_other_verbs_name_sources(folder, capsys):
    replaced(folder, 'parts', '<parent link="base_link"/>', '<parent link="gone"/>')
    for verb in ('tree', 'fk', 'inertia'):
        assert main([verb, 'robot.xacro']) == 2
        assert 'parts.xacro:12:5: ' in capsys.readouterr().err


def test_a_misspelt_argument(tmp_path):
    (tmp_path / 'r.urdf.xacro').write_text(
        f'{HEAD}<xacro:arg name="prefix" default=""/><link name="$(arg prefx)a"/></robot>')
    finding, = validate(tmp_path / 'r.urdf.xacro').findings
    assert (finding.code, finding.hint) == ('xacro-failed', "Did you mean 'prefix'?")


def test_a_property_that_is_only_defined_for_another_value(tmp_path):
    path = tmp_path / 'r.urdf.xacro'
    path.write_text(f"""{HEAD}<xacro:arg name="for" default="gazebo"/>
        <xacro:property name="offset_x" value="1"/>
        <xacro:if value="${{'$(arg for)' == 'gazebo'}}">
        <xacro:property name="offset_z" value="1"/></xacro:if>
        <link name="a${{offset_z}}"/></robot>""")
    assert validate(path).findings[-1].code != 'xacro-failed'
    finding, = validate(path, arguments={'for': 'gz'}).findings
    assert finding.code == 'xacro-failed'
    assert finding.hint.startswith(
        "It is defined only in <xacro:if value=\"${'$(arg for)' == 'gazebo'}\"> at ")
    assert finding.hint.endswith('r.urdf.xacro:4')


def test_a_file_of_macros(tmp_path, capsys):
    path = tmp_path / 'r.urdf.xacro'
    path.write_text(f'<robot {HEAD.partition(" ")[2]}<xacro:macro name="m"/></robot>'.replace(
        'name="r"', ''))
    for verb in ('tree', 'sdf'):
        assert main([verb, str(path)]) == 2
        assert 'Name the file that includes this one, if it de' in capsys.readouterr().err


def test_a_misspelt_package_of_a_mesh(tmp_path):
    (tmp_path / 'package.xml').write_text('<package><name>arm_description</name></package>')
    for name, hint in (('arm_descripton', "Did you mean 'arm_description'?"),
                       ('nowhere', RULES['package-not-found'].fix)):
        (tmp_path / 'r.urdf').write_text(
            '<robot name="r"><link name="a"><visual><geometry>'
            f'<mesh filename="package://{name}/a.stl"/></geometry></visual></link></robot>')
        finding, = (each for each in validate(tmp_path / 'r.urdf').findings
                    if each.code == 'package-not-found')
        assert finding.hint == hint


def test_long_sources_are_wrapped(tmp_path):
    calls = ''.join(f'<xacro:part name="a_long_name_of_a_part_{n}"/>' for n in range(12))
    (tmp_path / 'r.urdf.xacro').write_text(
        f'{HEAD}<xacro:macro name="part" params="name"><link name="${{name}}">'
        f'<visual><geometry><sphere radius="-1"/></geometry></visual></link>'
        f'</xacro:macro>{calls}</robot>')
    text = render(validate(tmp_path / 'r.urdf.xacro'))
    assert '12 instances: a_long_name' in ' '.join(text.replace('=', '').split())
    assert max(len(line) for line in text.split('\n') if line.startswith('      = ')) <= 118
