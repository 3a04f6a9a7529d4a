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

"""Loops of all syntaxes as joints of SDFormat."""

import numpy as np
import pytest
from support.sdf_oracle import NEEDS_ORACLE
from support.sdf_oracle import oracle_document
from support.sdf_oracle import oracle_loads
from urdf_tools import loads
from urdf_tools.model.loops_file import add_loops
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.robot_parts import link_frames

MASS = ('<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" '
        'izz="0.1"/></inertial>')
LINKS = ''.join(f'<link name="{name}">{MASS}</link>' for name in (
    'base', 'crank', 'coupler', 'rocker', 'tip'))
JOINTS = ''.join(
    f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
    f'<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="0 0 1"/></joint>'
    for name, kind, parent, child, xyz, rpy in (
        ('a', 'continuous', 'base', 'crank', '0 0 0', '0 0 1.5707963267948966'),
        ('b', 'continuous', 'crank', 'coupler', '0.3 0 0', '0 0 -1.5707963267948966'),
        ('c', 'continuous', 'base', 'rocker', '0.4 0 0', '0 0 1.5707963267948966'),
        ('weld', 'fixed', 'rocker', 'tip', '0.3 0 0', '0 0 -1.5707963267948966')))
"""A square that is closed at position zero, where the tip is oriented as the coupler."""


def draft(kind, child='tip', axis='0 0 1', at='0.4 0 0', name='pin', other=None):
    return (f'<constraint name="{name}" type="{kind}"><parent link="coupler"/>'
            f'<parent_origin xyz="{at}"/><parent_axis xyz="{axis}"/><child link="{child}"/>'
            f'<child_axis xyz="{other or axis}"/></constraint>')


LOOPS = {
    'ball': draft('spherical'), 'revolute': draft('revolute'), 'fixed': draft('fixed'),
    'prismatic': draft('prismatic', axis='1 0 0', at='0.1 0 0'),
    'universal': draft('universal', other='1 0 0')}


def conversion(*elements, loops='', release='12.3', world=False, path=None):
    text = f'<robot name="r">{LINKS}{JOINTS}{"".join(elements)}</robot>'
    if world:
        text = text.replace('"base"', '"world"').replace(f'"world">{MASS}', '"world">')
    robot = loads(text)
    if loops:
        path.write_text(f'loops:\n{loops}')
        robot = add_loops(robot, path)
    return convert(robot, release, keeps_loops=True)


def joints(converted):
    return {joint.get('name'): joint for joint in converted.document.iter('joint')}


def as_gazebo_reads(joint):
    """Return the loop of a joint as one reads it below <gazebo>."""
    pose = joint.find('pose')
    axes = ''.join(
        f'<{axis.tag}><xyz>{axis.findtext("xyz")}</xyz></{axis.tag}>'
        for axis in joint if axis.tag.startswith('axis'))
    loop, = loads(
        f'<robot name="r">{LINKS}{JOINTS}<gazebo><joint name="j" type="{joint.get("type")}">'
        f'<parent>{joint.findtext("parent")}</parent><child>{joint.findtext("child")}</child>'
        f'<pose relative_to="{pose.get("relative_to")}">{pose.text}</pose>{axes}</joint></gazebo>'
        '</robot>').loops
    return loop


def seen_from_root(robot, loop):
    """Return the origins and axes of a loop at position zero."""
    frames = link_frames(robot)
    ends = [frames[link] @ origin.matrix for link, origin in (
        (loop.parent, loop.parent_origin), (loop.child, loop.child_origin))]
    return np.array([end[:3, 3] for end in ends]), np.array([
        end[:3, :3] @ axis for end, axis in zip(ends, (loop.parent_axis, loop.child_axis))])


@pytest.mark.parametrize('kind', LOOPS)
def test_a_constraint_becomes_the_joint_that_gazebo_reads_in_the_same_way(kind):
    converted = conversion(LOOPS[kind])
    joint = joints(converted)['pin']
    assert joint.get('type') == kind
    # The tip is lumped into the rocker.
    assert (joint.findtext('parent'), joint.findtext('child')) == ('coupler', 'rocker')
    loop, = converted.model.robot.loops
    read = as_gazebo_reads(joint)
    assert read.type is loop.type
    origins, axes = seen_from_root(converted.model.robot, loop)
    other_origins, other_axes = seen_from_root(converted.model.robot, read)
    assert other_origins[1] == pytest.approx(origins[1], abs=1e-12)
    if kind in ('revolute', 'prismatic', 'universal'):
        assert other_axes == pytest.approx(axes, abs=1e-12)


@NEEDS_ORACLE
def test_gazebo_loads_the_joints(tmp_path):
    path = tmp_path / 'model.sdf'
    path.write_text(conversion(*(
        loop.replace('"pin"', f'"{kind}"') for kind, loop in LOOPS.items())).text)
    assert oracle_loads(path, tmp_path)
    document = oracle_document(path, tmp_path)
    types = {joint.get('name'): joint.get('type') for joint in document.iter('joint')}
    assert {kind: types[kind] for kind in LOOPS} == {kind: kind for kind in LOOPS}


def test_a_loop_joint_and_a_file_become_joints(tmp_path):
    converted = conversion(
        '<loop_joint name="a" type="spherical"><link1 link="tip"/>'
        '<link2 link="coupler" xyz="0.4 0 0"/></loop_joint>',
        loops='- {name: pin, type: hinge, axis: [0, 0, 1],\n'
              '   parent: {link: coupler, xyz: [0.4, 0, 0]}, child: {link: tip}}',
        path=tmp_path / 'loops.yaml')
    found = joints(converted)
    assert found['pin'].get('type') == 'revolute'
    # A joint of the tree has its name.
    assert found['a_loop'].findtext('parent') == 'rocker'
    assert found['a_loop'].find('pose').text.startswith('0.4 0 0')
    assert not [loss for loss in converted.account.losses if 'loop' in loss.element.path]


def test_the_world_is_a_parent():
    converted = conversion(
        '<constraint name="pin" type="revolute"><parent link="coupler"/><child link="world"/>'
        '<child_origin xyz="0 0.3 0"/><parent_axis xyz="0 0 1"/><child_axis xyz="0 0 1"/>'
        '</constraint>', world=True)
    joint = joints(converted)['pin']
    assert (joint.findtext('parent'), joint.findtext('child')) == ('world', 'coupler')
    assert joint.find('pose').attrib == {'relative_to': 'coupler'}


@pytest.mark.parametrize(('element', 'reason'), [
    (draft('revolute', at='0.5 0 0'), 'open by 100 mm and 0 mrad where all positions are zero'),
    (draft('revolute', axis='0 0 1', other='0 1 0'), 'open by 0 mm and 1570 mrad'),
    ('<constraint name="pin" type="fixed"><parent link="tip"/><child link="rocker"/>'
     '<child_origin xyz="0.3 0 0" rpy="0 0 -1.5707963267948966"/></constraint>',
     "both of its links are parts of 'rocker'")])
def test_a_loop_that_cannot_be_a_joint_is_lost(element, reason):
    converted = conversion(element)
    assert 'pin' not in joints(converted)
    loss, = (loss for loss in converted.account.losses if loss.of == 'loop')
    assert reason in str(loss.message)
    assert str(loss.message).startswith("Loop 'pin': ")


def test_rods_and_gears_of_a_file_are_lost_with_their_lines(tmp_path):
    path = tmp_path / 'loops.yaml'
    converted = conversion(
        loops='- {type: rod, length: 0.3, parent: {link: base}, child: {link: coupler}}\n'
              '- {type: gear, joints: [a, c], ratio: 1}', path=path)
    losses = [loss for loss in converted.account.losses if loss.of == 'loop']
    assert [loss.location('robot.urdf') for loss in losses] == [
        (str(path), 2, 3), (str(path), 3, 3)]
    assert 'holds a distance' in str(losses[0].message)
    assert 'gear' in str(losses[1].message)


def test_a_loop_of_a_dropped_link_is_lost():
    converted = conversion('<link name="light"/>' + JOINTS.partition('</joint>')[0].replace(
        '"a"', '"d"').replace('"crank"', '"light"') + '</joint>' + (
        '<constraint name="pin" type="spherical"><parent link="light"/><child link="base"/>'
        '</constraint>'))
    loss, = (loss for loss in converted.account.losses if loss.of == 'loop')
    assert "Gazebo drops its link 'light'" in str(loss.message)


def test_what_libsdformat_reads_has_no_other_joints():
    robot = loads(f'<robot name="r">{LINKS}{JOINTS}{LOOPS["ball"]}</robot>')
    assert 'pin' not in joints(convert(robot))
