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

"""Loops in descriptions and in files beside them."""

import math

import pytest

from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.loops import LoopType
from urdf_tools.model.loops import MAX_LOOPS
from urdf_tools.model.loops_file import add_loops

TREE = """<robot name="four_bar">
<link name="base"/><link name="crank"/><link name="coupler"/><link name="rocker"/>
<joint name="a" type="continuous"><parent link="base"/><child link="crank"/>
<axis xyz="0 0 1"/></joint>
<joint name="b" type="continuous"><parent link="crank"/><child link="coupler"/>
<origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="0 0 1"/></joint>
<joint name="c" type="continuous"><parent link="base"/><child link="rocker"/>
<origin xyz="0.4 0 0"/><axis xyz="0 0 1"/></joint>
"""
LINE = TREE.count('\n') + 1


def read(*elements):
    return loads(TREE + '\n'.join(elements) + '</robot>')


def gazebo(kind='revolute', pose='<pose>0.3 0 0 0 0 0</pose>', axis='<xyz>0 1 0</xyz>',
           child='rocker'):
    return (f'<gazebo><joint name="pin" type="{kind}"><parent>coupler</parent>'
            f'<child>{child}</child>{pose}<axis>{axis}</axis></joint></gazebo>')


def test_a_robot_without_loops_has_none():
    assert read('<gazebo><static>1</static></gazebo>', '<gazebo reference="base"/>').loops == ()


def test_a_joint_of_gazebo_is_where_its_links_are_at_position_zero():
    loop, = read(gazebo()).loops
    assert (loop.name, loop.type, loop.parent, loop.child) == (
        'pin', LoopType.HINGE, 'coupler', 'rocker')
    assert loop.child_origin.xyz == pytest.approx((0.3, 0, 0))
    # The coupler is at 0.1 and turned by a quarter, the joint at 0.7.
    assert loop.parent_origin.xyz == pytest.approx((0, -0.6, 0))
    assert loop.parent_axis == loop.child_axis == (0, 1, 0)
    assert loop.parent_origin.quaternion[2] == pytest.approx(-math.sin(math.pi / 4))
    assert loop.element.location('') == ('', LINE, 9)
    assert loop.element.get('name') == 'pin'


@pytest.mark.parametrize(('pose', 'xyz'), [
    ('', (0, 0, 0)),
    ('<pose relative_to="base">0.5 0 0 0 0 0</pose>', (0.1, 0, 0)),
    ('<pose degrees="true">0.5 0 0 0 0 90</pose>', (0.5, 0, 0)),
    ('<pose rotation_format="quat_xyzw">0.5 0 0 0 0 1 1</pose>', (0.5, 0, 0))])
def test_the_pose_of_a_joint_of_gazebo(pose, xyz):
    loop, = read(gazebo(pose=pose)).loops
    assert loop.child_origin.xyz == pytest.approx(xyz, abs=1e-12)
    turned = 'degrees' in pose or 'quat' in pose
    assert loop.child_origin.rotation[1, 0] == pytest.approx(1 if turned else 0)


@pytest.mark.parametrize('axis', [
    '<xyz expressed_in="coupler">1 0 0</xyz>', '<xyz expressed_in="__model__">0 1 0</xyz>',
    '<xyz>0 1 0</xyz><use_parent_model_frame>1</use_parent_model_frame>'])
def test_the_axis_of_a_joint_of_gazebo_in_another_frame(axis):
    loop, = read(gazebo(axis=axis)).loops
    assert loop.child_axis == pytest.approx((0, 1, 0))


@pytest.mark.parametrize(('name', 'kind', 'held'), [
    ('ball', LoopType.BALL, 3), ('universal', LoopType.UNIVERSAL, 4),
    ('prismatic', LoopType.SLIDER, 5), ('fixed', LoopType.FIXED, 6)])
def test_the_types_of_joints_of_gazebo(name, kind, held):
    loop, = read(gazebo(name)).loops
    assert loop.type is kind
    assert kind.held == held


def test_a_loop_joint_of_isaac():
    loop, = read(
        '<loop_joint name="pin" type="spherical"><link1 link="coupler" xyz="0 -0.3 0"/>'
        '<link2 link="rocker" xyz="0.3 0 0" rpy="0 0 3.141592653589793"/></loop_joint>').loops
    assert (loop.type, loop.parent, loop.child) == (LoopType.BALL, 'coupler', 'rocker')
    assert loop.parent_origin.xyz == (0, -0.3, 0)
    assert loop.child_origin.rotation[0, 0] == pytest.approx(-1)


def test_a_constraint_of_the_draft_of_urdfdom():
    loop, = read(
        '<constraint name="pin" type="revolute"><parent link="coupler"/>'
        '<parent_origin xyz="0 -0.3 0"/><parent_axis xyz="0 0 2"/><child link="rocker"/>'
        '<child_origin xyz="0.3 0 0"/><child_axis xyz="0 0 1"/></constraint>').loops
    assert (loop.type, loop.parent_axis, loop.child_axis) == (
        LoopType.HINGE, (0, 0, 1), (0, 0, 1))
    ball, = read(
        '<constraint name="pin" type="spherical_joint"><parent link="coupler"/>'
        '<child link="rocker"/></constraint>').loops
    assert ball.type is LoopType.BALL


def urdf_plus(kind='revolute', axis='<axis xyz="0 0 2"/>'):
    return (f'<loop name="pin" type="{kind}"><predecessor link="coupler">'
            '<origin xyz="0 -0.3 0" rpy="0 0 0.1"/></predecessor><successor link="rocker">'
            f'<origin xyz="0.3 0 0"/></successor>{axis}</loop>')


def coupling(first='crank', second='rocker', ratio='<ratio value="6.0"/>'):
    return (f'<coupling name="pin"><predecessor link="{first}"/><successor link="{second}"/>'
            f'{ratio}</coupling>')


@pytest.mark.parametrize(('kind', 'held'), [
    ('revolute', LoopType.HINGE), ('continuous', LoopType.HINGE),
    ('prismatic', LoopType.SLIDER), ('fixed', LoopType.FIXED)])
def test_a_loop_of_urdf_plus(kind, held):
    loop, = read(urdf_plus(kind)).loops
    assert (loop.type, loop.parent, loop.child) == (held, 'coupler', 'rocker')
    assert (loop.parent_origin.xyz, loop.child_origin.xyz) == ((0, -0.3, 0), (0.3, 0, 0))
    assert loop.parent_origin.rotation[1, 0] == pytest.approx(math.sin(0.1))
    assert loop.parent_axis == loop.child_axis == (0, 0, 1)
    assert read(urdf_plus(axis='')).loops[0].parent_axis == (1, 0, 0)


def test_a_coupling_of_urdf_plus():
    loop, = read(coupling()).loops
    assert (loop.type, loop.parent, loop.child, loop.ratio, loop.offset) == (
        LoopType.GEAR, 'crank', 'rocker', 6, 0)


def test_a_coupling_of_urdf_plus_counts_all_joints_below_the_common_ancestor():
    robot = read(
        '<link name="rotor"/><link name="hand"/>',
        '<joint name="d" type="continuous"><parent link="crank"/><child link="rotor"/></joint>',
        '<joint name="e" type="fixed"><parent link="coupler"/><child link="hand"/></joint>',
        coupling('hand', 'rocker'), coupling('coupler', 'rotor'))
    first, second = robot.loops
    assert (first.ancestor, second.ancestor) == ('base', 'crank')

    def joints(loop):
        return [[joint.name for joint in robot.geared(loop, link)]
                for link in (loop.parent, loop.child)]

    assert (joints(first), joints(second)) == ([['a', 'b'], ['c']], [['b'], ['d']])


def test_a_coupling_of_a_floating_link_is_noted():
    problem, = read(
        '<link name="free"/><joint name="d" type="floating"><parent link="base"/>'
        '<child link="free"/></joint>', coupling(second='free')).problems
    assert problem.message == (
        "Loop 'pin' stays open: from 'base' to 'free' lead no joints, or some of more than one "
        'degree of freedom')


@pytest.mark.parametrize(('element', 'reason'), [
    (urdf_plus('planar'), "its type 'planar' is none of"),
    (urdf_plus('ball'), "URDF+ has no type 'ball'"),
    (urdf_plus(axis='<axis xyz="0 0 0"/>'), '<axis> is zero'),
    (coupling(second='rockr'), "link 'rockr' does not exist"),
    (coupling(second='coupler'), "from 'crank' to 'crank' lead no joints, or some of more than"),
    (coupling(second='base'), "from 'base' to 'base' lead no joints"),
    (coupling(ratio=''), 'has no <ratio>'),
    (gazebo('sliding'), "its type 'sliding' is none of"),
    (gazebo(child='world'), "link 'world' does not exist"),
    (gazebo(pose='<pose>1 2</pose>'), '<pose> cannot be read'),
    (gazebo(pose='<pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose>'),
     'the quaternion of <pose> is zero'),
    (gazebo(axis='<xyz>0 0 0</xyz>'), '<xyz> is zero'),
    ('<loop_joint name="pin" type="revolute"/>', 'has no axis'),
    ('<loop_joint name="pin" type="spherical"/>', 'has no <link1>')])
def test_what_cannot_be_read_is_noted(element, reason):
    robot = read(element)
    problem, = robot.problems
    assert not robot.loops
    assert problem.message.startswith("Loop 'pin' stays open: ")
    assert reason in problem.message
    assert (problem.line, problem.kind) == (LINE, ErrorKind.LOOP)


def test_further_loops_stay_open():
    pin = ('<loop_joint name="pin" type="spherical"><link1 link="base" xyz="0 0 0" rpy="0 0 0"/>'
           '<link2 link="coupler" xyz="0 0 0" rpy="0 0 0"/></loop_joint>')
    robot = read(pin * (MAX_LOOPS + 2))
    assert len(robot.loops) == MAX_LOOPS
    assert [each.message for each in robot.problems] == 2 * [
        f"Loop 'pin' stays open: only {MAX_LOOPS} loops of a robot are closed"]


def test_a_loop_of_links_that_are_removed_stays_in_the_text():
    robot = read(gazebo())
    assert not robot.replace(remove_links=['rocker'], remove_joints=['c']).loops
    assert robot.replace(name='other').loops == robot.loops


def write(tmp_path, text):
    path = tmp_path / 'loops.yaml'
    path.write_text(text)
    return path


def test_a_file_of_loops(tmp_path):
    path = write(tmp_path, """
loops:
- {name: pin, type: hinge, axis: [0, 0, 2],
   parent: {link: coupler, xyz: [0, -0.3, 0]}, child: {link: rocker, xyz: [0.3, 0, 0]}}
- {type: rod, length: 0.25, parent: {link: crank}, child: {link: rocker, rpy: [0, 0, 1]}}
- {type: gear, joints: [a, c], ratio: -2, offset: 0.5}
""")
    robot = add_loops(read(gazebo()), path)
    _, pin, rod, gear = robot.loops
    assert (pin.name, pin.parent_axis, pin.parent_origin.xyz) == ('pin', (0, 0, 1), (0, -0.3, 0))
    assert pin.element.location('robot.urdf') == (str(path), 3, 3)
    assert (rod.name, rod.type, rod.length) == ('loop_2', LoopType.ROD, 0.25)
    assert (gear.parent, gear.child, gear.ratio, gear.offset) == ('crank', 'rocker', -2, 0.5)
    assert add_loops(robot, write(tmp_path, '')).loops == robot.loops
    assert add_loops(robot, write(tmp_path, 'initial: {a: 0.5}')).initial == {'a': 0.5}


@pytest.mark.parametrize(('text', 'line', 'message'), [
    ('loops: [', 1, 'not YAML'),
    ('[\n' * 2000, 1, 'nested too deeply'),
    ('a: "\u2028', 1, 'not YAML'),
    ('- 1', 1, 'not a mapping'),
    ('initial: {crank: 1}', 1, "'crank' does not exist"),
    ('initial: {a: x}', 1, 'not a number'),
    ('loops: 3', 1, 'not a list'),
    ('loop: []', 1, "Did you mean 'loops'"),
    ('loops:\n- {type: pin}', 2, "'pin' does not exist"),
    ('loops:\n- {type: ball, parent: {link: base}}', 2, 'There is no child'),
    ('loops:\n- {type: ball,\n   parent: {link: bse}, child: {link: base}}', 3, "'bse'"),
    ('loops:\n- {type: hinge, parent: {link: base}, child: {link: crank}}', 2, 'has no axis'),
    ('loops:\n- {type: rod, length: 0, parent: {link: base}, child: {link: crank}}', 2,
     'not positive'),
    ('loops:\n- {type: ball, length: 1, parent: {link: base}, child: {link: crank}}', 2,
     'A ball has no length'),
    ('loops:\n- {type: gear, joints: [a, d], ratio: 1}', 2, "'d' does not exist"),
    ('loops:\n- {type: gear, joints: [a], ratio: 1}', 2, 'not two names'),
    ('loops:\n- {type: gear, joints: [a, c], ratio: x}', 2, 'not a number'),
    ('loops:\n- {type: gear, joints: [[a], c], ratio: 1}', 2, 'This is not a text'),
    ('loops:\n- {parent: {link: base}, child: {link: crank}}', 2, 'There is no type'),
    ('loops:\n- {type: [ball]}', 2, 'type is not a text'),
    ('? [a, b]\n: 1', 1, 'This is not a text'),
    ('? &k [*k]\n: 1', 1, 'This is not a text'),
    ('loops:\n- {{a: b}: ball}', 2, 'This is not a text'),
    ('initial: {a: [1]}', 1, 'This is not a number'),
    ('loops: []\nloops: []', 2, "There is another key 'loops'"),
    ('loops:\n- {type: ball, type: fixed}', 2, "There is another key 'type'"),
    ('initial: {a: 1, a: 2}', 1, "There is another moving joint 'a'"),
    ('loops:\n- &l {name: l, type: gear, joints: [a, c], ratio: 1}\n- *l', 2,
     "There is another loop 'l'")])
def test_a_file_of_loops_that_cannot_be_read(tmp_path, text, line, message):
    path = write(tmp_path, text)
    with pytest.raises(DescriptionError) as raised:
        add_loops(read(), path)
    assert message in raised.value.message + raised.value.hint
    assert str(path) not in raised.value.message
    assert (raised.value.source, raised.value.line) == (str(path), line)
