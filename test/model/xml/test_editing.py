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
"""Robots that are edited, saved and loaded again, in the text that they had."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
import pickle

from hypothesis import given
from hypothesis import HealthCheck
from hypothesis import settings
from hypothesis import strategies as st
import numpy as np
import pytest
from support.corpus import CORPUS
from support.corpus import corpus_robots
from support.descriptions import joint
from support.descriptions import links
from support.descriptions import robot

from urdf_tools import attach
from urdf_tools import Box
from urdf_tools import Collision
from urdf_tools import DescriptionError
from urdf_tools import Inertial
from urdf_tools import Joint
from urdf_tools import Limits
from urdf_tools import Link
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import Material
from urdf_tools import Mimic
from urdf_tools import Pose
from urdf_tools import save
from urdf_tools import Sphere
from urdf_tools import validates
from urdf_tools import Visual
from urdf_tools.kinematics.transforms import invert
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.editing import element_end

ARM = """<?xml version="1.0"?>
<!-- An arm. -->
<robot name="arm">
    <material name="red"><color rgba="1 0 0 1"/></material>
    <link name="base"/>   <!-- on the floor -->
    <link name='tool'>
        <visual name="v1">
            <!-- as measured -->
            <origin xyz="0 0 1.50"/>
            <geometry><box size="1 2 3"/></geometry><material name="red"/>
        </visual>
        <visual><geometry><sphere radius="0.5"/></geometry></visual>
        <unknown/>
    </link>
    <joint name="turn" type="revolute">
        <parent link="base"/><child link="tool"/>
        <limit lower="-1.00" upper="2" effort="10" velocity="1" /> <!-- soft -->
    </joint>
    <!-- The end. -->
</robot>
"""

GRIPPER = """<robot name="gripper">
  <material name="red"><color rgba="0 1 0 1"/></material>
  <link name="base"><visual><geometry><mesh filename="meshes/hand.stl"/></geometry>
    <material name="red"/></visual></link>
  <link name="left"/><link name="right"/>
  <joint name="open" type="continuous"><parent link="base"/><child link="left"/></joint>
  <joint name="follow" type="continuous"><parent link="base"/><child link="right"/>
    <mimic joint="open"/></joint>
  <transmission name="t"><type>x</type><joint name="open"/><actuator name="m"/></transmission>
  <gazebo reference="left"><mu1>0.5</mu1></gazebo>
  <gazebo><plugin name="p" filename="lib.so"><joint_name> open </joint_name>
    <rate>10</rate></plugin></gazebo>
  <ros2_control name="hand" type="system">
    <joint name="open"><command_interface name="position"/></joint>
    <joint name="follow"><param name="mimic">open</param></joint>
  </ros2_control>
</robot>
"""


def text(model: Robot) -> str:
    return model.document.data.decode()


def edited(old: str, new: str) -> str:
    assert ARM.count(old) == 1
    return ARM.replace(old, new)


def test_a_changed_number_is_all_that_changes():
    arm = loads(ARM)
    turn, tool = arm.joints['turn'], arm.links['tool']
    assert text(arm.replace(replace(turn, limits=replace(turn.limits, upper=1.5)))) == edited(
        'upper="2"', 'upper="1.5"')
    first, second = tool.visuals
    assert text(arm.replace(replace(tool, visuals=(
        replace(first, origin=Pose((0.0, 0.0, 2.0))), second)))) == edited('0 0 1.50', '0 0 2')
    assert text(arm.replace(replace(tool, visuals=(first, replace(
        second, geometry=Sphere(1.0)))))) == edited('radius="0.5"', 'radius="1"')
    assert text(arm.replace(replace(tool, visuals=(first,)))) == edited(
        '\n        <visual><geometry><sphere radius="0.5"/></geometry></visual>', '')
    assert text(arm.replace(name='other')) == edited('name="arm"', 'name="other"')


def test_what_is_added_is_written_as_its_neighbours_are():
    arm = loads(ARM)
    added = arm.replace(
        Link('payload', Inertial(1.5, 0.1, 0, 0, 0.1, 0, 0.1)),
        Joint('hold', 'fixed', 'tool', 'payload', Pose((0, 0, 0.5))))
    assert text(added) == edited('    <!-- The end. -->\n', """    <!-- The end. -->
    <link name="payload">
        <inertial>
            <mass value="1.5"/>
            <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
        </inertial>
    </link>
    <joint name="hold" type="fixed">
        <origin xyz="0 0 0.5" rpy="0 0 0"/>
        <parent link="tool"/>
        <child link="payload"/>
    </joint>
""")
    assert added.replace(remove_links='payload', remove_joints=['hold']) == arm
    assert text(added.replace(remove_links='payload', remove_joints='hold')) == ARM
    assert text(arm.replace(Link('base', collisions=(Collision(Box((1, 1, 1))),)))) == edited(
        '<link name="base"/>', """<link name="base">
        <collision>
            <geometry>
                <box size="1 1 1"/>
            </geometry>
        </collision>
    </link>""")


def test_in_one_line_and_with_other_line_breaks():
    line = loads(f'<robot name="r">{links("a")}</robot>').replace(
        Link('b'), Joint('j', 'fixed', 'a', 'b'))
    assert '\n' not in text(line)
    assert [*line.links] == ['a', 'b']
    windows = loads(ARM.replace('\n', '\r\n')).replace(
        Link('b'), Joint('j', 'fixed', 'base', 'b'))
    assert text(windows).count('\n') == text(windows).count('\r\n') > ARM.count('\n')


def test_encodings():
    latin = ARM.replace('?>', ' encoding="iso-8859-1"?>').replace('An arm', 'Ein Ärmchen')
    arm = loads(latin.encode('latin-1'))
    made = arm.replace(Link('Öse €'), Joint('j', 'fixed', 'tool', 'Öse €'))
    assert loads(made.document.data) == made
    assert 'Öse €' in made.links
    assert 'Ärmchen'.encode('latin-1') in made.document.data
    other = attach(loads(ARM), 'tool', made, prefix='é_')
    assert 'é_Öse €' in other.links


def test_materials():
    arm = loads(ARM)
    first, second = arm.links['tool'].visuals
    blue = Material('blue', (0.0, 0.0, 1.0, 1.0))
    made = arm.replace(replace(arm.links['tool'], visuals=(first, replace(
        second, material=blue))))
    assert made.materials['blue'] == made.links['tool'].visuals[1].material == blue
    assert arm.replace(Material('red', (0.5, 0.0, 0.0, 1.0))).links['tool'].visuals[
        0].material.rgba[0] == 0.5
    with pytest.raises(DescriptionError, match=r'visuals\[1\].material.rgba'):
        arm.replace(replace(arm.links['tool'], visuals=(first, replace(
            second, material=Material('red', (0.0, 1.0, 0.0, 1.0))))))


def test_definitions_of_materials_stay_when_their_link_goes():
    visual = '<visual><geometry><sphere radius="1"/></geometry>{}</visual>'
    red = '<material name="red"><color rgba="1 0 0 1"/></material>'
    arm = loads(robot(
        f'<link name="a">{visual.format("<material name=" + repr("red") + "/>")}</link>'
        f'<link name="b">{visual.format(red)}</link>{joint("j", "a", "b")}'))
    alone = arm.replace(remove_links='b', remove_joints='j')
    assert alone.links['a'] == arm.links['a']


@pytest.mark.parametrize('edit, message', [
    (lambda arm: arm.replace(Link('loose')), "2 root links: 'base', 'loose'"),
    (lambda arm: arm.replace(remove_links='base'), "parent link 'base' of joint 'turn' does"),
    (lambda arm: arm.replace(Joint('j', 'fixed', 'tool', 'base')), 'cycle'),
    (lambda arm: arm.replace(Joint('j', 'fixed', 'base', 'tool')), 'child of two joints'),
    (lambda arm: arm.replace(replace(arm.joints['turn'], mimic=Mimic('nowhere'))),
     "'nowhere' does not exist"),
    (lambda arm: arm.replace(replace(arm.joints['turn'], limits=None)), 'has no <limit>'),
    (lambda arm: arm.replace(replace(arm.joints['turn'], axis=(0, 0, 2))), 'axis'),
    (lambda arm: arm.replace(replace(arm.joints['turn'], limits=Limits(-float('inf'), 1))),
     'limits.lower'),
    (lambda arm: attach(arm, 'tool', arm), "Both robots have a link 'base'. Give a prefix")])
def test_what_is_no_robot_is_refused(edit, message):
    arm = loads(ARM, source='arm.urdf')
    with pytest.raises(DescriptionError) as caught:
        edit(arm)
    assert message in str(caught.value)
    assert 'arm.urdf' not in str(caught.value)
    assert text(arm) == ARM


def test_wrong_arguments():
    arm = loads(ARM)
    for names in ({'remove_links': 'too'}, {'remove_joints': ['trn']}):
        with pytest.raises(KeyError, match='Did you mean'):
            arm.replace(**names)
    with pytest.raises(KeyError, match="Did you mean 'tool'"):
        attach(arm, 'tol', loads(GRIPPER))
    with pytest.raises(TypeError, match='Link, Joint or Material'):
        arm.replace('payload')


def test_attach():
    arm, gripper = loads(ARM), loads(GRIPPER)
    made = attach(arm, 'tool', gripper, prefix='left_', origin=Pose((0, 0, 0.1)))
    assert text(made).startswith(ARM.removesuffix('</robot>\n'))
    assert [*made.links] == ['base', 'tool', 'left_base', 'left_left', 'left_right']
    assert made.joints['tool_to_left_base'].origin.xyz == (0, 0, 0.1)
    assert made.joints['tool_to_left_base'].parent == 'tool'
    assert made.joints['left_follow'].mimic.joint == 'left_open'
    assert made.links['left_base'].visuals[0].material.rgba == (0, 1, 0, 1)
    assert made.links['tool'] == arm.links['tool']
    transmission, = made.transmissions
    assert (transmission.name, transmission.joints) == ('left_t', ('left_open',))
    reference, plugin = made.gazebo
    assert reference.get('reference') == 'left_left'
    assert plugin.find('plugin/joint_name').text == ' left_open '
    assert plugin.find('plugin').attrib == {'name': 'p', 'filename': 'lib.so'}
    control, = made.extensions
    assert control.attrib == {'name': 'left_hand', 'type': 'system'}
    assert [each.get('name') for each in control.findall('joint')] == ['left_open', 'left_follow']
    assert control.find('joint/command_interface').get('name') == 'position'
    assert control.find('joint/param').attrib == {'name': 'mimic'}
    assert control.find('joint/param').text == 'left_open'
    both = attach(made, 'tool', gripper, prefix='right_', joint='mount')
    assert len(both.links) == 8 and 'mount' in both.joints


def test_files_of_an_attached_robot_are_still_found(tmp_path):
    for folder, name, content in (('arm', 'arm.urdf', ARM), ('hand', 'hand.urdf', GRIPPER)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
    made = attach(load(tmp_path / 'arm/arm.urdf'), 'tool', load(tmp_path / 'hand/hand.urdf'),
                  prefix='h_')
    assert made.links['h_base'].visuals[0].geometry.filename == '../hand/meshes/hand.stl'


def test_save(tmp_path):
    path = tmp_path / 'arm.urdf'
    path.write_text(ARM)
    arm = load(path)
    assert arm.source == str(path)
    made = arm.replace(replace(arm.joints['turn'], origin=Pose((1, 2, 3))))
    assert made.source == str(path)
    save(made, path)
    assert load(path) == made != arm
    assert path.read_text() == text(made)
    assert [entry.name for entry in tmp_path.iterdir()] == ['arm.urdf']
    with pytest.raises(OSError):
        save(made, tmp_path / 'nowhere' / 'arm.urdf')


def test_save_records_that_come_from_nowhere(tmp_path):
    arm = loads(ARM)
    made = Robot('made', '1.0', 'base', arm.links, arm.joints, arm.materials)
    save(made, tmp_path / 'made.urdf')
    again = load(tmp_path / 'made.urdf')
    assert again == replace(made, source=again.source)
    assert '\n    <inertial>' not in text(again)
    changed = replace(arm, joints={})
    with pytest.raises(DescriptionError, match='2 root links'):
        save(changed, tmp_path / 'changed.urdf')


def test_sources_of_xacro_are_not_overwritten(tmp_path):
    pytest.importorskip('xacro')
    part = tmp_path / 'part.xacro'
    part.write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="b"/>'
                    '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
                    '</robot>')
    path = tmp_path / 'arm.urdf.xacro'
    path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                    '<xacro:include filename="part.xacro"/><link name="a"/></robot>')
    arm = load(path)
    made = arm.replace(replace(arm.joints['j'], origin=Pose((1, 2, 3))))
    before = path.read_text(), part.read_text()
    for model in (arm, made):
        for file in (path, part):
            with pytest.raises(DescriptionError, match='Save the URDF under another name'):
                save(model, file)
    assert (path.read_text(), part.read_text()) == before
    save(made, tmp_path / 'arm.urdf')
    assert load(tmp_path / 'arm.urdf') == made


def test_quaternions_and_gimbal_lock():
    turned = loads(robot(links('a', 'b') + joint(
        'j', 'a', 'b', '<origin quat_xyzw="0 0 1 0"/>'), version='1.1'))
    rng = np.random.default_rng(0)
    for angle in (*rng.normal(size=(20, 4)), (0, 0.5 ** 0.5, 0, 0.5 ** 0.5)):
        x, y, z, w = angle / np.linalg.norm(angle)
        made = turned.replace(replace(turned.joints['j'], origin=Pose((0, 0, 0), (x, y, z, w))))
        np.testing.assert_allclose(
            made.joints['j'].origin.rotation, Pose((0, 0, 0), (x, y, z, w)).rotation, atol=1e-14)
        assert 'quat_xyzw' not in text(made)


SMALL = ('ur5', 'turtlebot3_burger', 'anymal_b')


def random_edit(data, model: Robot) -> Robot:
    """Return a robot after a random edit, whose result is checked against what was asked for."""
    number = st.floats(-2, 2).map(lambda value: round(value, 6))
    pose = st.builds(
        lambda xyz, angle: Pose(xyz, (np.sin(angle), 0.0, 0.0, np.cos(angle))),
        st.tuples(number, number, number), number)
    kinds = ('weigh', 'add', 'remove', 'attach', *(['move'] if model.joints else ()))
    kind = data.draw(st.sampled_from(kinds))
    if kind == 'move':
        old = model.joints[data.draw(st.sampled_from([*model.joints]))]
        new = replace(old, origin=data.draw(pose))
        made = model.replace(new)
        np.testing.assert_allclose(
            made.joints[old.name].origin.matrix, new.origin.matrix, rtol=0, atol=1e-12)
        only_changed(model, made, old.element)
        return made
    if kind == 'weigh':
        old = model.links[data.draw(st.sampled_from([*model.links]))]
        inertial = Inertial(data.draw(st.floats(0.1, 10)), 1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
        made = model.replace(replace(old, inertial=inertial))
        assert made.links[old.name].inertial == inertial
        assert made.links[old.name].visuals == old.visuals
        only_changed(model, made, old.element)
        return made
    name = next(name for name in map('new_{}'.format, range(1000))
                if not any(link.startswith(name) for link in model.links))
    parent = data.draw(st.sampled_from([*model.links]))
    if kind == 'add':
        link = Link(name, Inertial(1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0), (
            Visual(Box((1.0, 1.0, 1.0)), material=Material(name, (0.1, 0.2, 0.3, 1.0))),))
        hinge = Joint(name, 'revolute', parent, name, data.draw(pose), (0.0, 1.0, 0.0),
                      Limits(-1.0, data.draw(st.floats(0, 2)), 5.0, 2.0))
        made = model.replace(link, hinge)
        assert made.links[name] == link and made.joints[name].limits == hinge.limits
        return made
    if kind == 'remove':
        leaf = data.draw(st.sampled_from([
            link for link in model.links if not model.child_joints[link]]))
        followers = {each.mimic.joint for each in model.joints.values() if each.mimic}
        incoming = [each.name for each in model.joints.values() if each.child == leaf]
        if leaf == model.root or followers & {*incoming}:
            return model
        made = model.replace(remove_links=leaf, remove_joints=incoming)
        assert {*model.links} - {*made.links} == {leaf}
        assert all(made.links[link] == model.links[link] for link in made.links)
        return made
    other = load(paths()[data.draw(st.sampled_from(SMALL))])
    made = attach(model, parent, other, prefix=f'{name}_', origin=data.draw(pose))
    assert len(made.links) == len(model.links) + len(other.links)
    assert all(made.links[link] == model.links[link] for link in model.links)
    assert len(made.gazebo) == len(model.gazebo) + len(other.gazebo)
    return made


def paths() -> dict[str, Path]:
    return {each.values[0].name: each.values[0].path for each in corpus_robots()}


def only_changed(before: Robot, after: Robot, element) -> None:
    """Check that the text outside of an element is the same."""
    data, made = before.document.data, after.document.data
    rest = data[element_end(data, element):]
    assert made[:element.start] == data[:element.start]
    assert made.endswith(rest)


def codes(model: Robot) -> Counter:
    findings = validates(model.document.data, max_per_rule=10_000).findings
    return Counter(finding.code for finding in findings)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=3, suppress_health_check=[*HealthCheck])
def test_what_is_saved_is_what_is_loaded(corpus_robot, tmp_path, data):
    model = start = load(corpus_robot.path)
    for _ in range(data.draw(st.integers(1, 4))):
        model = random_edit(data, model)
    path = tmp_path / 'saved.urdf'
    save(model, path)
    again = load(path)
    assert again == model and again.problems == model.problems
    assert [each.attrib for each in again.gazebo] == [each.attrib for each in model.gazebo]
    assert again.replace() == again
    assert pickle.loads(pickle.dumps(model)) == model
    # Attached robots bring their findings, of removed links references are left.
    assert not {code for code in codes(model) - codes(start)} & {
        'xml-malformed', 'xml-forgiven', 'internal-error', 'attribute-unknown', 'element-unknown'}


CAUSED_BY_THE_FIRST_MASS = {'inertial-missing'}
"""What is found in a robot without mass as soon as one of its links has some."""

CAUSED = {'link-too-heavy', 'shapes-overlap', 'below-ground'}
"""What depends on the size of the robot and on where its shapes are: the part is at the root."""


@pytest.mark.slow
def test_findings_stay_as_they_are(corpus_robot):
    """A sound part adds none, and each finding is about the same element."""
    before = load(corpus_robot.path)
    link = next(iter(before.links))
    after = before.replace(
        Link('new_payload', Inertial(1.2, 0.01, 0.0, 0.0, 0.005, 0.0, 0.013), (
            Visual(Box((0.2, 0.3, 0.1))),), (Collision(Box((0.2, 0.3, 0.1))),)),
        Joint('new_joint', 'fixed', link, 'new_payload'))
    caused = CAUSED if any(link.inertial for link in before.links.values()) else {
        *CAUSED, *CAUSED_BY_THE_FIRST_MASS}
    assert {*(codes(after) - codes(before))} <= caused
    assert codes(after.replace(remove_links='new_payload', remove_joints='new_joint')) == codes(
        before)


@pytest.mark.skipif(not CORPUS.is_dir(), reason='no corpus')
def test_poses_after_attaching():
    from urdf_tools import ForwardKinematics
    arm, hand = (load(paths()[name]) for name in ('ur5', 'panda'))
    origin = Pose((0.1, 0.2, 0.3), (0.0, 0.0, 0.6, 0.8))
    made = attach(arm, 'tool0', hand, prefix='p_', origin=origin)
    kinematics, alone = ForwardKinematics(made), ForwardKinematics(hand)
    q = kinematics.tree.configuration({'p_panda_joint2': 0.5, 'elbow_joint': 0.3})
    expected = origin.matrix @ alone.transform(
        'panda_hand', hand.root, alone.tree.configuration({'panda_joint2': 0.5}))
    np.testing.assert_allclose(
        kinematics.transform('p_panda_hand', 'tool0', q), expected, atol=1e-12)
    assert np.allclose(invert(expected) @ expected, np.eye(4))
