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

"""Loading of robots: what is accepted, repaired and an error."""

import pytest
from support.descriptions import joint
from support.descriptions import links
from support.descriptions import one_joint
from support.descriptions import one_link
from support.descriptions import robot

from urdf_tools.formats.description_files import load
from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.records import Material
from urdf_tools.model.xml.document import read_document

SPHERE = '<geometry><sphere radius="1"/></geometry>'


def error_of(text):
    """Return the error of loading a description."""
    with pytest.raises(DescriptionError) as raised:
        loads(text)
    return raised.value


@pytest.mark.parametrize('make', [
    str.encode, str, lambda text: bytearray(text.encode()),
    lambda text: '\ufeff' + text,
    lambda text: '<?xml version="1.0" encoding="ascii"?>' + text])
def test_text(make):
    assert loads(make(one_link(''))).root == 'a'


@pytest.mark.parametrize('make', [str, lambda path: path, lambda path: path.name])
def test_path(tmp_path, monkeypatch, make):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / '<robot>.urdf'
    path.write_text(one_link(''))
    assert load(make(path)).root == 'a'


def test_errors_name_the_source(tmp_path):
    path = tmp_path / 'robot.urdf'
    path.write_text('<robot/>')
    with pytest.raises(DescriptionError) as raised:
        load(path)
    assert str(raised.value) == (
        f'{path}:1:1: The robot has no name (/robot). Write <robot name="...">')
    with pytest.raises(DescriptionError, match='^/robot_description:1:1: '):
        loads('<robot/>', source='/robot_description')


@pytest.mark.parametrize('text', ['', ' \n', b''])
def test_empty_text(text):
    assert error_of(text).message == 'The description is empty'


@pytest.mark.parametrize('path', [one_link(''), one_link('') * 1000, '<robot name="\0"/>', ''])
def test_text_as_path(path):
    with pytest.raises(DescriptionError, match='^Cannot read ') as raised:
        load(path)
    assert ('call loads() in Python' in raised.value.hint) == ('<' in path)


def test_path_as_text(tmp_path):
    assert 'name that file, in Python with load()' in error_of('robot.urdf').hint
    with pytest.raises(TypeError, match='not PosixPath; for paths call load()'):
        loads(tmp_path)


@pytest.mark.parametrize('read', [load, loads])
@pytest.mark.parametrize('source', [None, 5.0, ['<robot/>']])
def test_wrong_type(read, source):
    with pytest.raises(TypeError):
        read(source)


@pytest.mark.parametrize('text, message', [
    ('<sdf version="1.9"/>', 'The file has no model'),
    ('<mujoco/>', 'The model has no body'),
    ('<launch/>', 'The description is a launch file, not a <robot>'),
    ('<Robot name="r"/>', 'The description is a <Robot>, not a <robot>'),
    ('<robot/>', 'The robot has no name'),
    ('<robot name="r"/>', 'The robot has no links'),
    (robot('<link/>'), 'A link has no name'),
    (robot('<link name=""/>'), 'A link has no name'),
    (robot(links('a', 'b') + '<joint type="fixed"/>'), 'A joint has no name'),
    (robot(links('a', 'a')), "Two links have the name 'a'"),
    (robot(links('a', 'b', 'c') + joint('j', 'a', 'b') + joint('j', 'b', 'c')),
     "Two joints have the name 'j'"),
    (one_joint('', 'ball'), "Joint 'j' has the unknown type 'ball'"),
    (one_joint('').replace(' type="revolute"', ''), "Joint 'j' has no type"),
    (one_joint('').replace('<parent link="a"/>', ''), '<joint> has no <parent>'),
    (one_joint('').replace('<child link="b"/>', '<child/>'), '<child> has no link'),
    (one_joint('').replace('child link="b"', 'child link="bb"'),
     "The child link 'bb' of joint 'j' does not exist"),
    (one_joint('').replace('parent link="a"', 'parent link=""'),
     "The parent link '' of joint 'j' does not exist"),
    (one_joint('').replace('parent link="a"', 'parent link="b"'),
     "Joint 'j' connects link 'b' to itself"),
    (robot(links('a', 'b', 'c')), "The robot has 3 root links: 'a', 'b', 'c'"),
    (robot(links('a', 'b') + joint('j', 'a', 'b') + joint('k', 'b', 'a')),
     "Links are connected in a cycle: 'a' -> 'b' -> 'a'"),
    (robot(links('o', 'a', 'b', 'c') + joint('j', 'a', 'b') + joint('k', 'b', 'c')
           + joint('m', 'c', 'a')),
     "Links are connected in a cycle: 'a' -> 'b' -> 'c' -> 'a'"),
    (robot(links('a', 'b', 'c') + joint('k', 'c', 'b') + joint('i', 'a', 'b')
           + joint('j', 'b', 'c')),
     "Links are connected in a cycle: 'b' -> 'c' -> 'b'"),
    (one_link('', '1'), "The version '1' is malformed"),
    (one_link('', '1.-1'), "The version '1.-1' is malformed"),
    (one_link('', ''), "The version '' is malformed"),
    (one_link('', '1.3'), 'URDF version 1.3 is not supported'),
    (one_link('', '0.9'), 'URDF version 0.9 is not supported')])
def test_invalid_description_is_an_error(text, message):
    assert error_of(text).message == message


@pytest.mark.parametrize('text, element, line, hint', [
    (robot(links('base_link') + '\n<link name="b"/>\n' + joint('j', 'base_lnk', 'b')),
     "/robot/joint[@name='j']/parent", 4, "Did you mean 'base_link'?"),
    (robot('<link name="a"/>\n<link name="a"/>'), '/robot/link[2]', 3,
     'The first is on line 2; rename one of them'),
    (one_joint('', 'ball'), "/robot/joint[@name='j']", 2,
     'The types of URDF are revolute, continuous, prismatic, fixed, floating, planar'),
    (one_joint('').replace('link="a"', 'link="${prefix}a"'), "/robot/joint[@name='j']/parent",
     2, 'Line 2 has xacro that was not expanded: run xacro first'),
    (robot('\n<xacro:include filename="x"/>'), '/robot', 1,
     'Line 3 has xacro that was not expanded: run xacro first')])
def test_errors_have_a_source_location_and_a_hint(text, element, line, hint):
    error = error_of(text)
    assert error.element == element
    assert error.line == line
    assert error.hint.startswith(hint)


@pytest.mark.parametrize('version, read', [
    ('1.0', '1.0'), ('1.1', '1.1'), ('1.2', '1.2'), ('01.00', '1.0')])
def test_versions(version, read):
    assert loads(one_link('', version)).version == read


def test_name_of_a_robot_may_be_empty():
    assert loads('<robot name=""><link name="a"/></robot>').name == ''


def test_last_of_two_parents_is_used():
    model = loads(robot(
        links('a', 'b', 'c') + joint('j', 'a', 'b') + joint('k', 'a', 'c')
        + joint('m', 'b', 'c')))
    assert model.parent_joint['c'].name == 'm'
    assert [each.name for each in model.tree] == ['j', 'm']
    assert [problem.message for problem in model.problems] == [
        "Link 'c' is the child of two joints, 'k' and 'm'; the latter is used"]


def test_unknown_elements_are_kept():
    model = loads(robot(
        '<ros2_control name="1"/><link name="a"><collision_checking><pair with="b"/>'
        '</collision_checking></link><gazebo reference="a"/><sensor/><gazebo/>'))
    assert [element.tag for element in model.extensions] == ['ros2_control', 'sensor']
    assert [element.get('reference') for element in model.gazebo] == ['a', None]
    assert model.links['a'].element.find('collision_checking/pair').get('with') == 'b'
    assert model.problems == ()


def test_malformed_text_is_a_problem_not_an_error():
    model = loads('<robot name="r">\n<!-- -- --><link name="a"/></robot>')
    [problem] = model.problems
    assert problem.message.startswith('The description is not well-formed XML')
    assert problem.line == 2


def test_document_and_robot_share_elements():
    document = read_document(one_link(''), 'topic')
    assert build_robot(document).links['a'].element is document.root[0]


# Materials.

def materials_of(content):
    """Return the robot of some content, its visuals' materials, and the messages of problems."""
    model = loads(robot(content))
    materials = [visual.material for link in model.links.values() for visual in link.visuals]
    return model, materials, [problem.message for problem in model.problems]


def link(name, *materials):
    """Return a link with a visual for each material."""
    visuals = ''.join(f'<visual>{SPHERE}{material}</visual>' for material in materials)
    return f'<link name="{name}">{visuals}</link>'


RED = '<material name="red"><color rgba="1 0 0 1"/></material>'


def test_material_by_name():
    model, [material], problems = materials_of(link('a', '<material name="red"/>') + RED)
    assert material == Material('red', (1.0, 0.0, 0.0, 1.0))
    assert model.materials == {'red': material}
    assert problems == []


def test_material_of_one_visual_is_used_by_others():
    content = link('a', '<material name="red"/>', RED)
    _, materials, problems = materials_of(content)
    assert materials == [Material('red', (1.0, 0.0, 0.0, 1.0))] * 2
    assert problems == []


def test_material_of_the_robot_takes_precedence():
    other = '<material name="red"><color rgba="1 1 0 1"/></material>'
    _, materials, problems = materials_of(link('a', other) + RED)
    assert materials == [Material('red', (1.0, 0.0, 0.0, 1.0))]
    assert problems == []


def test_material_without_a_name():
    _, materials, _ = materials_of(link('a', RED.replace(' name="red"', '')))
    assert materials == [Material('', (1.0, 0.0, 0.0, 1.0))]


def test_texture():
    _, [material], _ = materials_of(
        link('a', '<material name="t"><texture filename="t.png"/></material>'))
    assert material == Material('t', None, 't.png')


@pytest.mark.parametrize('content, material, problem', [
    (link('a', '<material name="red"/>'), Material('red'), "Material 'red' is not defined"),
    (link('a', RED.replace('1 0 0 1', '1 0 0')), Material('red'),
     "rgba of <color> cannot be read: '1 0 0' has 3 numbers, 4 expected"),
    (link('a', RED.replace('rgba="1 0 0 1"', 'rgb="255 0 0" alpha="1"')), Material('red'),
     '<color> has no rgba'),
    (link('a', RED) + RED + RED, Material('red', (1.0, 0.0, 0.0, 1.0)),
     "Material 'red' is already defined; this definition is ignored")])
def test_invalid_material_only_loses_its_colour(content, material, problem):
    _, [read], problems = materials_of(content)
    assert read == material
    assert problem in problems


# Mimic joints.

def leaders_of(*mimics, kind='continuous'):
    """Return the joints that j0, j1, ... mimic, and the messages of problems."""
    content = links('base', *(f'l{i}' for i in range(len(mimics)))) + ''.join(
        joint(f'j{i}', 'base', f'l{i}', mimic and f'<mimic joint="{mimic}"/>', kind)
        for i, mimic in enumerate(mimics))
    model = loads(robot(content))
    return ([each.mimic and each.mimic.joint for each in model.joints.values()],
            [problem.message for problem in model.problems])


def test_chain_of_mimics():
    assert leaders_of('j1', 'j2', '') == (['j1', 'j2', None], [])


def test_cycle_of_mimics_is_dropped_and_its_followers_stay():
    leaders, problems = leaders_of('j1', 'j2', 'j1', 'j0')
    assert leaders == ['j1', None, None, 'j0']
    assert problems == [
        "The mimic of joint 'j1' is ignored, because it is in a cycle of mimic joints",
        "The mimic of joint 'j2' is ignored, because it is in a cycle of mimic joints"]


@pytest.mark.parametrize('mimic, kind, problem', [
    ('j0', 'continuous', 'it is in a cycle of mimic joints'),
    ('j9', 'continuous', "joint 'j9' does not exist"),
    ('j1', 'fixed', 'a fixed joint has no single position'),
    ('j1', 'planar', 'a planar joint has no single position')])
def test_invalid_mimic_is_dropped(mimic, kind, problem):
    leaders, problems = leaders_of(mimic, '', kind=kind)
    assert leaders == [None, None]
    assert problems == [f"The mimic of joint 'j0' is ignored, because {problem}"]


def test_mimic_of_a_joint_without_a_position_is_dropped():
    model = loads(robot(
        links('a', 'b', 'c') + joint('j', 'a', 'b')
        + joint('k', 'b', 'c', '<mimic joint="j"/>', 'continuous')))
    assert model.joints['k'].mimic is None
    assert model.problems[0].element == "/robot/joint[@name='k']/mimic"
