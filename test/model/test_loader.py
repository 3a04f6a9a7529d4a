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

"""Descriptions to robots: what is accepted, what is mended, what is refused."""

from descriptions import joint
from descriptions import links
from descriptions import one_joint
from descriptions import one_link
from descriptions import robot
import pytest

from urdf_tools.model.document import read_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.loader import load
from urdf_tools.model.loader import loads
from urdf_tools.model.robot import Material

SPHERE = '<geometry><sphere radius="1"/></geometry>'


def refusal(text):
    """Return the error that a description is refused with."""
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
    assert refusal(text).message == 'The description is empty'


@pytest.mark.parametrize('path', [one_link(''), one_link('') * 1000, '<robot name="\0"/>', ''])
def test_text_as_path(path):
    with pytest.raises(DescriptionError, match='^Cannot read ') as raised:
        load(path)
    assert ('pass it to loads()' in raised.value.hint) == ('<' in path)


def test_path_as_text(tmp_path):
    assert 'pass its content, or the path to load()' in refusal('robot.urdf').hint
    with pytest.raises(TypeError, match='not PosixPath; pass paths to load()'):
        loads(tmp_path)


@pytest.mark.parametrize('read', [load, loads])
@pytest.mark.parametrize('source', [None, 5.0, ['<robot/>']])
def test_wrong_type(read, source):
    with pytest.raises(TypeError):
        read(source)


@pytest.mark.parametrize('text, message', [
    ('<sdf version="1.9"/>', 'The description is an SDF model, not a <robot>'),
    ('<mujoco/>', 'The description is a MuJoCo model, not a <robot>'),
    ('<launch/>', 'The description is a launch file, not a <robot>'),
    ('<Robot name="r"/>', 'The description is a <Robot>, not a <robot>'),
    ('<robot/>', 'The robot has no name'),
    ('<robot name="r"/>', 'The robot has no links'),
    (robot('<link/>'), 'A link has no name'),
    (robot('<link name=""/>'), 'A link has no name'),
    (robot(links('a', 'b') + '<joint type="fixed"/>'), 'A joint has no name'),
    (robot(links('a', 'a')), "A second link has the name 'a'"),
    (robot(links('a', 'b', 'c') + joint('j', 'a', 'b') + joint('j', 'b', 'c')),
     "A second joint has the name 'j'"),
    (one_joint('', 'ball'), "Joint 'j' is of unknown type 'ball'"),
    (one_joint('').replace(' type="revolute"', ''), "Joint 'j' has no type"),
    (one_joint('').replace('<parent link="a"/>', ''), '<joint> has no <parent>'),
    (one_joint('').replace('<child link="b"/>', '<child/>'), '<child> has no link'),
    (one_joint('').replace('child link="b"', 'child link="bb"'),
     "The child of joint 'j' is 'bb', and there is no such link"),
    (one_joint('').replace('parent link="a"', 'parent link=""'),
     "The parent of joint 'j' is '', and there is no such link"),
    (one_joint('').replace('parent link="a"', 'parent link="b"'),
     "Joint 'j' joins link 'b' to itself"),
    (robot(links('a', 'b', 'c')), "The robot has 3 root links: 'a', 'b', 'c'"),
    (robot(links('a', 'b') + joint('j', 'a', 'b') + joint('k', 'b', 'a')),
     "Links carry each other in a circle: 'a' -> 'b' -> 'a'"),
    (robot(links('o', 'a', 'b', 'c') + joint('j', 'a', 'b') + joint('k', 'b', 'c')
           + joint('m', 'c', 'a')),
     "Links carry each other in a circle: 'a' -> 'b' -> 'c' -> 'a'"),
    (one_link('', '1'), "The version '1' is malformed"),
    (one_link('', '1.-1'), "The version '1.-1' is malformed"),
    (one_link('', ''), "The version '' is malformed"),
    (one_link('', '1.3'), 'Version 1.3 of URDF is not supported'),
    (one_link('', '0.9'), 'Version 0.9 of URDF is not supported')])
def test_what_has_no_meaning_is_refused(text, message):
    assert refusal(text).message == message


@pytest.mark.parametrize('text, element, line, hint', [
    (robot(links('base_link') + '\n<link name="b"/>\n' + joint('j', 'base_lnk', 'b')),
     "/robot/joint[@name='j']/parent", 4, "Did you mean 'base_link'?"),
    (robot('<link name="a"/>\n<link name="a"/>'), '/robot/link[2]', 3,
     'The first is in line 2; rename one of them'),
    (one_joint('', 'ball'), "/robot/joint[@name='j']", 2,
     'The types of URDF are revolute, continuous, prismatic, fixed, floating, planar'),
    (one_joint('').replace('link="a"', 'link="${prefix}a"'), "/robot/joint[@name='j']/parent",
     2, 'Line 2 holds xacro that was not expanded: run xacro first'),
    (robot('\n<xacro:include filename="x"/>'), '/robot', 1,
     'Line 3 holds xacro that was not expanded: run xacro first')])
def test_refusals_help(text, element, line, hint):
    error = refusal(text)
    assert error.element == element
    assert error.line == line
    assert error.hint.startswith(hint)


@pytest.mark.parametrize('version, read', [
    ('1.0', '1.0'), ('1.1', '1.1'), ('1.2', '1.2'), ('01.00', '1.0')])
def test_versions(version, read):
    assert loads(one_link('', version)).version == read


def test_names_may_be_empty_where_urdfdom_lets_them():
    assert loads('<robot name=""><link name="a"/></robot>').name == ''


def test_tree():
    model = loads(robot(
        joint('to_c', 'b', 'c') + joint('to_b', 'a', 'b') + joint('to_d', 'a', 'd')
        + links('d', 'c', 'b', 'a')))
    assert model.root == 'a'
    assert [each.name for each in model.tree] == ['to_b', 'to_c', 'to_d']
    assert list(model.links) == ['d', 'c', 'b', 'a']
    assert model.subtree('b') == ('b', 'c')
    assert [each.name for each in model.chain('a', 'c')] == ['to_b', 'to_c']
    assert model.parent_joint['d'].name == 'to_d'


@pytest.mark.parametrize('root, tip', [('c', 'a'), ('c', 'd'), ('a', 'x'), ('x', 'a')])
def test_no_chain(root, tip):
    model = loads(robot(
        links('a', 'b', 'c', 'd') + joint('j', 'a', 'b') + joint('k', 'b', 'c')
        + joint('m', 'a', 'd')))
    with pytest.raises(KeyError):
        model.chain(root, tip)


def test_last_of_two_parents_carries_a_link():
    model = loads(robot(
        links('a', 'b', 'c') + joint('j', 'a', 'b') + joint('k', 'a', 'c')
        + joint('m', 'b', 'c')))
    assert model.parent_joint['c'].name == 'm'
    assert [each.name for each in model.tree] == ['j', 'm']
    assert [problem.message for problem in model.problems] == [
        "Link 'c' is the child of two joints, 'k' and 'm'; the latter carries it"]


def test_unknown_elements_are_kept():
    model = loads(robot(
        '<ros2_control name="1"/><link name="a"><collision_checking><pair with="b"/>'
        '</collision_checking></link><gazebo reference="a"/><sensor/><gazebo/>'))
    assert [element.tag for element in model.extensions] == ['ros2_control', 'sensor']
    assert [element.get('reference') for element in model.gazebo] == ['a', None]
    assert model.links['a'].element.find('collision_checking/pair').get('with') == 'b'
    assert model.problems == ()


def test_records_are_read_only():
    model = loads(one_joint(''))
    with pytest.raises(TypeError):
        model.links['c'] = None
    with pytest.raises(AttributeError):
        model.joints['j'].axis = (0.0, 0.0, 1.0)
    with pytest.raises(ValueError):
        model.joints['j'].origin.matrix[0, 3] = 1


def test_malformed_text_is_a_problem_not_an_error():
    model = loads('<robot name="r">\n<!-- -- --><link name="a"/></robot>')
    [problem] = model.problems
    assert problem.message.startswith('The description is not well-formed XML')
    assert problem.line == 2


def test_document_and_robot_share_elements():
    document = read_document(one_link(''), 'topic')
    assert build_robot(document).links['a'].element is document.root[0]


# Materials.

def painted(content):
    """Return the robot of some content, its visuals' materials and what was noted."""
    model = loads(robot(content))
    materials = [visual.material for link in model.links.values() for visual in link.visuals]
    return model, materials, [problem.message for problem in model.problems]


def link(name, *materials):
    """Return a link with a visual for each material."""
    visuals = ''.join(f'<visual>{SPHERE}{material}</visual>' for material in materials)
    return f'<link name="{name}">{visuals}</link>'


RED = '<material name="red"><color rgba="1 0 0 1"/></material>'


def test_material_by_name():
    model, [material], problems = painted(link('a', '<material name="red"/>') + RED)
    assert material == Material('red', (1.0, 0.0, 0.0, 1.0))
    assert model.materials == {'red': material}
    assert problems == []


def test_material_of_one_visual_serves_others():
    content = link('a', '<material name="red"/>', RED)
    _, materials, problems = painted(content)
    assert materials == [Material('red', (1.0, 0.0, 0.0, 1.0))] * 2
    assert problems == []


def test_material_of_the_robot_comes_first():
    other = '<material name="red"><color rgba="1 1 0 1"/></material>'
    _, materials, problems = painted(link('a', other) + RED)
    assert materials == [Material('red', (1.0, 0.0, 0.0, 1.0))]
    assert problems == []


def test_material_without_a_name_is_its_own():
    _, materials, _ = painted(link('a', RED.replace(' name="red"', '')))
    assert materials == [Material('', (1.0, 0.0, 0.0, 1.0))]


def test_texture():
    _, [material], _ = painted(
        link('a', '<material name="t"><texture filename="t.png"/></material>'))
    assert material == Material('t', None, 't.png')


@pytest.mark.parametrize('content, material, problem', [
    (link('a', '<material name="red"/>'), Material('red'), "Material 'red' is not defined"),
    (link('a', RED.replace('1 0 0 1', '1 0 0')), Material('red'),
     "rgba of <color> cannot be read: '1 0 0' has 3 numbers, 4 expected"),
    (link('a', RED.replace('rgba="1 0 0 1"', 'rgb="255 0 0" alpha="1"')), Material('red'),
     '<color> has no rgba'),
    (link('a', RED) + RED + RED, Material('red', (1.0, 0.0, 0.0, 1.0)),
     "Material 'red' is defined before; this definition is left out")])
def test_bad_material_costs_only_its_colour(content, material, problem):
    _, [read], problems = painted(content)
    assert read == material
    assert problem in problems


# Mimic joints.

def mimicking(*mimics, kind='continuous'):
    """Return the leaders of joints j0, j1, ... from a base link, and what was noted."""
    content = links('base', *(f'l{i}' for i in range(len(mimics)))) + ''.join(
        joint(f'j{i}', 'base', f'l{i}', mimic and f'<mimic joint="{mimic}"/>', kind)
        for i, mimic in enumerate(mimics))
    model = loads(robot(content))
    return ([each.mimic and each.mimic.joint for each in model.joints.values()],
            [problem.message for problem in model.problems])


def test_chain_of_mimics():
    assert mimicking('j1', 'j2', '') == (['j1', 'j2', None], [])


def test_circle_of_mimics_is_dropped_and_its_followers_stay():
    leaders, problems = mimicking('j1', 'j2', 'j1', 'j0')
    assert leaders == ['j1', None, None, 'j0']
    assert problems == [
        "Joint 'j1' mimics no other, as it would follow itself in the end",
        "Joint 'j2' mimics no other, as it would follow itself in the end"]


@pytest.mark.parametrize('mimic, kind, problem', [
    ('j0', 'continuous', 'would follow itself in the end'),
    ('j9', 'continuous', "names 'j9', and there is no such joint"),
    ('j1', 'fixed', 'is fixed and has no single position'),
    ('j1', 'planar', 'is planar and has no single position')])
def test_impossible_mimic_is_dropped(mimic, kind, problem):
    leaders, problems = mimicking(mimic, '', kind=kind)
    assert leaders == [None, None]
    assert problems == [f"Joint 'j0' mimics no other, as it {problem}"]


def test_mimic_of_a_joint_without_a_position_is_dropped():
    model = loads(robot(
        links('a', 'b', 'c') + joint('j', 'a', 'b')
        + joint('k', 'b', 'c', '<mimic joint="j"/>', 'continuous')))
    assert model.joints['k'].mimic is None
    assert model.problems[0].element == "/robot/joint[@name='k']/mimic"
