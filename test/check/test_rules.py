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

"""Every rule against a small description that violates it, and the same one fixed."""

import re

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import grid
from support.mesh_files import mesh_data
from support.mesh_files import nested_collada
from support.mesh_files import obj
from support.mesh_files import text_stl
from support.rule_cases import CASES
from support.rule_cases import TESTED_ELSEWHERE
from support.rule_cases.link_masses import feet
from support.rule_cases.link_masses import TAIL
from support.validation_cases import check
from support.validation_cases import INERTIAL
from support.validation_cases import LINK
from support.validation_cases import ROBOT

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import validate
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.finding import Severity
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.spelling import Spelling
from urdf_tools.programs.models import NEWEST

BESIDE = ('.srdf', '.yaml')
"""Files beside a description; test_moveit_rules.py runs the examples in them."""


@pytest.fixture(scope='module')
def resources(tmp_path_factory):
    """Return a resolver of the files that the cases refer to."""
    folder = tmp_path_factory.mktemp('parts')
    cube = CORNERS[CUBE].astype(float)
    for name, triangles in {
            'cube': cube, 'open': cube[1:], 'inverted': cube[:, ::-1], 'flat': cube * [1, 1, 0],
            'triangle': grid(1)[:1], 'fold': grid(1), 'fine': grid(30),
            'dense': grid(317)}.items():
        (folder / f'{name}.stl').write_bytes(binary_stl(triangles))
    (folder / 'bar.gltf').write_bytes(mesh_data('.gltf', cube * [0.1, 1, 0.1]))
    (folder / 'text.stl').write_text(text_stl(cube))
    (folder / 'cube.obj').write_text(obj(CORNERS, CUBE))
    (folder / 'empty.obj').write_text('v 0 0 0\n')
    (folder / 'nested.dae').write_text(nested_collada(8))
    (folder / 'steel.png').write_bytes(b'')
    (folder.parent / 'outside.stl').write_bytes(b'')
    return ResourceResolver(folder, packages={'parts': folder}, environment={})


@pytest.mark.parametrize('case', CASES, ids=lambda case: case.code)
def test_bad_and_good(case, resources):
    report = check(case.template.format(case.bad), resources)
    found = [finding for finding in report.findings if finding.code == case.code]
    assert [(finding.line, finding.message) for finding in found] == [(case.line, case.message)]
    severity = RULES[case.code].severity if case.severity is None else case.severity
    refusing = {each.program for each in found[0].consequences
                if each.impact >= Impact.REFUSES and each.is_certain}
    assert found[0].severity == (
        max(severity, Severity.WARN) if len(refusing) > 1 else severity)
    stated = RULES[case.code].consequences
    always = {each.program for each in stated if each.when is None}
    told = {program for program in found[0].consumers if program not in NEWEST}
    if case.consumers is None:
        assert always <= told <= {each.program for each in stated}
    else:
        assert told == {*case.consumers}
    if case.effects is not None:
        assert case.effects.items() <= sentences(found[0].consequences).items()
        assert not {*case.unaffected} & {*found[0].consumers}
    assert found[0].hint or found[0].severity is Severity.INFO
    report = check(case.template.format(case.good), resources)
    assert case.code not in [finding.code for finding in report.findings]


@pytest.mark.parametrize('code', [
    code for code, rule in RULES.items()
    if rule.text.fails and not rule.text.context.endswith(BESIDE)])
def test_examples_of_rules(code, resources):
    rule = RULES[code]
    template = CONTEXTS[rule.text.context]
    for text, fails in ((rule.text.fails, True), (rule.text.passes, False)):
        report = check(template.format(text), resources)
        assert (code in [finding.code for finding in report.findings]) == fails, text


def test_meshes_count_as_shapes(resources):
    text = LINK.format(
        '<collision><geometry><mesh filename="cube.stl"/></geometry></collision><inertial>'
        '<origin xyz="{} 0.5 0.5"/><mass value="6"/><inertia ixx="{}" ixy="0" ixz="0" iyy="1.1" '
        'iyz="0" izz="1.1"/></inertial>')
    suspect = {'com-outside-geometry', 'inertia-vs-geometry'}
    good = check(text.format(0.5, 1.1), resources)
    assert not suspect & {finding.code for finding in good.findings}
    text = text.replace('"1.1"', '"11"')
    bad = check(text.format(5, 11), resources)
    assert suspect <= {finding.code for finding in bad.findings}
    unseen = check(text.format(5, 11))
    assert not suspect & {finding.code for finding in unseen.findings}


@pytest.mark.parametrize('moments, is_rounded', [
    (('1e-06', '0.000002', '4e-06'), True), (('1e-06', '0.000002', '8e-06'), False),
    (('0.001', '0.002', '0.004'), False)])
def test_inertias_of_too_few_digits(moments, is_rounded):
    inertia = '<inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/>'.format(*moments)
    report = check(INERTIAL.format(f'<mass value="0.1"/>{inertia}'))
    found, = (finding for finding in report.findings if finding.code == 'inertia-triangle')
    assert ('more digits' in found.hint) == is_rounded


PLAUSIBILITY = {
    'axis-nearly-aligned', 'axis-not-unit', 'collision-far-from-visual',
    'collision-larger-than-visual', 'collision-mesh-heavy', 'collision-of-other-link',
    'com-outside-geometry', 'cylinder-swapped', 'diff-drive-axes-differ', 'diff-drive-wheels',
    'inertia-about-origin-suspect', 'inertia-axes-swapped', 'inertia-near-zero',
    'inertia-placeholder', 'inertia-radius-implausible', 'inertia-transcription',
    'inertia-vs-geometry', 'inertia-zero', 'length-in-centimetres', 'length-in-millimetres',
    'limit-in-degrees', 'link-too-dense', 'link-too-heavy', 'mass-ratio-extreme', 'mass-zero',
    'mesh-inside-out', 'mesh-too-many-faces', 'mesh-units-suspect', 'mesh-y-up',
    'mimic-range-exceeds-limits', 'mirrored-inertia-differs', 'mirrored-joint-differs',
    'mirrored-joint-odd', 'mirrored-shape-differs', 'range-over-2pi', 'rpy-in-degrees',
    'total-mass-implausible',
    'velocity-in-degrees', 'zero-outside-limits'}
"""The rules that conclude from numbers that something cannot be meant."""


@pytest.mark.parametrize('case', [
    case for case in CASES if case.code in PLAUSIBILITY], ids=lambda case: case.code)
def test_messages_of_plausibility_say_their_numbers(case):
    text = re.sub(r"'[^']*'|<[^<>]*>", '', case.message)
    assert re.search(r'\d|is zero|is fixed', text)


@pytest.mark.parametrize(('moments', 'severity'), [
    ((.044, .044, .004), Severity.WARN), ((.03, .03, .032), Severity.INFO)])
def test_an_inertia_whose_sum_alone_is_about_the_origin(tmp_path, moments, severity):
    """That of a link whose mass was edited may be as large, but about other axes."""
    shape = '<origin xyz="0 0 0.2"/><geometry><sphere radius="0.1"/></geometry>'
    entries = ' '.join(f'i{axis}{axis}="{moment}"' for axis, moment in zip('xyz', moments))
    (tmp_path / 'a.urdf').write_text(
        f'<robot name="a"><link name="base_link"><collision>{shape}</collision><inertial>'
        f'<origin xyz="0 0 0.2"/><mass value="1"/><inertia ixy="0" ixz="0" iyz="0" {entries}/>'
        '</inertial></link></robot>')
    assert [each.severity for each in validate(tmp_path / 'a.urdf').findings
            if each.code == 'inertia-about-origin-suspect'] == [severity]


def test_every_rule_has_a_case():
    assert {case.code for case in CASES} | TESTED_ELSEWHERE.keys() == RULES.keys()


def test_rules_are_documented():
    for rule in RULES.values():
        assert rule.category in CATEGORIES
        assert rule.text.summary.endswith('.')
        assert not rule.fix.endswith('.'), rule.code
    assert not RULES.texts.keys() - RULES.keys()


@pytest.mark.parametrize('code, category', [
    ('axis-not-unit', 'joints'), ('new', 'no such category')])
def test_registry_refuses(code, category):
    with pytest.raises(ValueError):
        RULES.in_category(category)(code, Severity.WARN)(lambda: None)


def test_programs_mind_a_misspelt_child_where_it_is_missing():
    report = check(LINK.format(
        '<collision><geomtry><sphere radius="1"/></geomtry></collision>'))
    finding, = (each for each in report.findings if each.code == 'geometry-missing')
    assert {'drake', 'mujoco'} <= {*finding.consumers}
    assert '<collision> without <geometry>' in report.programs['drake'].text()


def test_masses_that_differ_in_the_fourth_digit_are_alike():
    report = check(ROBOT.format(feet('2', '0.01') + TAIL.replace('value="2"', 'value="2.0001"')))
    finding, = (each for each in report.findings if each.code == 'mirrored-inertia-differs')
    assert finding.message.startswith("Link 'LFoot' has a mass of 1 kg")


LEGS = ('<link name="base"/>' + ''.join(
    f'<link name="{side}_foot"><inertial>{origin}<mass value="1"/><inertia ixx="{moment}" ixy="0" '
    f'ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/></inertial><collision><geometry>'
    '<box size="SIZE SIZE SIZE"/></geometry></collision></link>'
    f'<joint name="{side}_joint" type="continuous"><origin xyz="0 {y} 0"/><parent link="base"/>'
    f'<child link="{side}_foot"/><axis xyz="0 1 0"/></joint>' for side, y, moment, origin in (
        ('l', 0.2, 1e-4, '<origin xyz="0 0.01 -0.02"/>'), ('r', -0.2, 0, ''))))


@pytest.mark.parametrize('size, hint', [
    ('0.3', 'Compute it from the shapes: urdf-tools inertia --compute invalid --diff'),
    ('0.05', "Write that of its mirror image, link 'l_foot': ixx=\"0.0001\" ixy=\"0\" ixz=\"0\" "
     'iyy="0.0001" iyz="0" izz="0.0001", and xyz="0 -0.01 -0.02" in its <origin>')])
def test_the_inertia_of_a_mirror_image_is_proposed_unless_it_is_implausible(size, hint):
    findings = check(ROBOT.format(LEGS.replace('SIZE', size))).findings
    assert [each.hint for each in findings if each.code == 'inertia-zero'] == [hint]
    assert ('inertia-vs-geometry' in {each.code for each in findings}) == (size == '0.3')


@pytest.mark.parametrize('text', [
    '<transmission name="t"><type>transmission_interface/SimpleTransmission</type>'
    '<joint name="left_weel_jont"/><actuator name="m"/></transmission>',
    '<gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">'
    '<left_joint>left_weel_jont</left_joint></plugin></gazebo>',
    '<ros2_control name="s" type="system"><joint name="left_weel_jont"/></ros2_control>'])
def test_a_joint_with_several_wrong_letters_is_recognized(text):
    found = [finding for finding in check(ROBOT.format(
        '<link name="base"/><link name="wheel"/><joint name="left_wheel_joint" type="continuous">'
        f'<parent link="base"/><child link="wheel"/></joint>{text}')).findings
        if finding.code.endswith(('unknown-joint', 'unknown-name'))]
    assert [finding.hint for finding in found] == ["Did you mean 'left_wheel_joint'?"]
    assert not found[0].fix  # It is not certain.


def test_only_some_names_are_compared_with_all():
    """Each takes time, and a description may have thousands of wrong names."""
    spelling = Spelling(['left_wheel_joint'], alike=2)
    assert [spelling.near('left_weel_jont') for _ in range(3)] == [
        'left_wheel_joint', 'left_wheel_joint', None]
    assert spelling.near('left_weel_joint') == 'left_wheel_joint'
    assert Spelling(['left_wheel_joint']).near('left_weel_jont') is None
