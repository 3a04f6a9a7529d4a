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

"""Links, joints and their elements."""

import math

import numpy as np
import pytest
from support.descriptions import LIMIT
from support.descriptions import one_joint
from support.descriptions import one_link
from support.descriptions import robot

from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere
from urdf_tools.model.robot import Calibration
from urdf_tools.model.robot import Dynamics
from urdf_tools.model.robot import Inertial
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Limits
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Safety

INFINITY = math.inf
INERTIA = '<inertia ixx="1" ixy="2" ixz="3" iyy="4" iyz="5" izz="6"/>'


def joint_of(content, kind='revolute', version='1.0'):
    """Return a joint with some content, and the messages of its problems."""
    model = loads(one_joint(content, kind, version))
    return model.joints['j'], [problem.message for problem in model.problems]


def link_of(content, version='1.0'):
    """Return a link with some content, and the messages of its problems."""
    model = loads(one_link(content, version))
    return model.links['a'], [problem.message for problem in model.problems]


@pytest.mark.parametrize('text, geometry', [
    ('<box size="1 2 3"/>', Box((1.0, 2.0, 3.0))),
    ('<cylinder radius="1" length="2"/>', Cylinder(1.0, 2.0)),
    ('<sphere radius="1"/>', Sphere(1.0)),
    ('<capsule radius="1" length="2"/>', Capsule(1.0, 2.0)),
    ('<mesh filename="package://p/m.stl"/>', Mesh('package://p/m.stl')),
    ('<mesh filename="m.stl" scale="1 2 3"/>', Mesh('m.stl', (1.0, 2.0, 3.0))),
    ('<!-- c --><box size="1 2 3" unknown=""/><sphere/>', Box((1.0, 2.0, 3.0)))])
@pytest.mark.parametrize('kind', ['visual', 'collision'])
def test_geometry(kind, text, geometry):
    link, problems = link_of(f'<{kind}><geometry>{text}</geometry></{kind}>')
    [shape] = link.visuals + link.collisions
    assert shape.geometry == geometry
    assert shape.origin == Pose()
    assert problems == []


@pytest.mark.parametrize('content, problem', [
    ('', '<visual> has no <geometry>'),
    ('<geometry/>', '<geometry> is empty'),
    ('<geometry><cone/></geometry>', '<cone> is not a shape of URDF'),
    ('<geometry><box/></geometry>', '<box> has no size'),
    ('<geometry><box size="1 2"/></geometry>',
     "size of <box> cannot be read: '1 2' has 2 numbers, 3 expected"),
    ('<geometry><capsule radius="1"/></geometry>', '<capsule> has no length'),
    ('<geometry><mesh/></geometry>', '<mesh> has no filename'),
    ('<origin xyz="0 0 nan"/><geometry><sphere radius="1"/></geometry>',
     "xyz of <origin> cannot be read: 'nan' is not finite")])
def test_only_the_invalid_shape_is_left_out(content, problem):
    link, problems = link_of(
        '<visual name="1"><geometry><sphere radius="1"/></geometry></visual>'
        f'<visual name="2">{content}</visual>'
        '<visual name="3"><geometry><sphere radius="3"/></geometry></visual>'
        '<collision><geometry><sphere radius="4"/></geometry></collision>')
    assert [visual.name for visual in link.visuals] == ['1', '3']
    assert len(link.collisions) == 1
    assert problems == [problem]


def test_problem_has_a_source_location():
    model = loads(one_link('\n<visual/>\n<visual>\n<geometry><box size="a"/></geometry></visual>'))
    assert [(problem.element, problem.line) for problem in model.problems] == [
        ("/robot/link[@name='a']/visual[1]", 3),
        ("/robot/link[@name='a']/visual[2]/geometry/box", 5)]


def test_inertial():
    link, problems = link_of(
        f'<inertial><origin xyz="1 2 3"/><mass value="7"/>{INERTIA}</inertial>')
    assert link.inertial == Inertial(7.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, Pose((1.0, 2.0, 3.0)))
    assert link.inertial.element.tag == 'inertial'
    assert problems == []


@pytest.mark.parametrize('content, problem', [
    (INERTIA, '<inertial> has no <mass>'),
    ('<mass value="1"/>', '<inertial> has no <inertia>'),
    ('<mass/>' + INERTIA, '<mass> has no value'),
    ('<mass value="1,5"/>' + INERTIA,
     "value of <mass> cannot be read: '1,5' has a decimal comma"),
    ('<mass value="1"/><inertia ixx="1"/>', '<inertia> has no ixy'),
    ('<mass value="1"/>' + INERTIA.replace('6', '6 6'),
     "izz of <inertia> cannot be read: '6 6' has 2 numbers, 1 expected"),
    ('<origin rpy="0 0"/><mass value="1"/>' + INERTIA,
     "rpy of <origin> cannot be read: '0 0' has 2 numbers, 3 expected")])
def test_invalid_inertial_is_left_out(content, problem):
    link, problems = link_of(f'<inertial>{content}</inertial>')
    assert link.inertial is None
    assert problems == [problem]


@pytest.mark.parametrize('kind, content, limits', [
    ('revolute', '<limit lower="-1" upper="2" effort="3" velocity="4"/>',
     Limits(-1.0, 2.0, 3.0, 4.0)),
    ('prismatic', '<limit effort="3" velocity="4"/>', Limits(0.0, 0.0, 3.0, 4.0)),
    ('revolute', '<limit lower="-1" upper="2"/>', Limits(-1.0, 2.0)),
    ('continuous', '<limit lower="-1" upper="1" effort="3" velocity="4"/>',
     Limits(-INFINITY, INFINITY, 3.0, 4.0)),
    ('planar', '<limit effort="3" velocity="4"/>', Limits(-INFINITY, INFINITY, 3.0, 4.0)),
    ('revolute', '<limit lower="1" upper="2" acceleration="5" deceleration="6" jerk="7"/>',
     Limits(1.0, 2.0, None, None, 5.0, 6.0, 7.0)),
    ('continuous', '', None), ('fixed', '', None)])
def test_limits(kind, content, limits):
    read, problems = joint_of(content, kind)
    assert read.limits == limits
    assert problems == []


def test_inverted_limits_are_ignored():
    read, problems = joint_of('<limit lower="1" upper="-1" effort="3" velocity="4"/>')
    assert read.limits == Limits(-INFINITY, INFINITY, 3.0, 4.0)
    assert problems == ['lower (1) is above upper (-1); neither is used']


@pytest.mark.parametrize('kind', ['revolute', 'prismatic'])
def test_missing_limits(kind):
    read, problems = joint_of('', kind)
    assert read.limits is None
    assert problems == [f'The joint is {kind} and has no <limit>']


@pytest.mark.parametrize('content, limits, problem', [
    ('lower="low" upper="1"', Limits(-INFINITY, 1.0),
     "lower of <limit> cannot be read: 'low' is not a number"),
    ('lower="-1" upper="1" effort="1 2" velocity="3"', Limits(-1.0, 1.0, None, 3.0),
     "effort of <limit> cannot be read: '1 2' has 2 numbers, 1 expected"),
    ('upper="1" jerk="inf"', Limits(0.0, 1.0),
     "jerk of <limit> cannot be read: 'inf' is not finite")])
def test_invalid_limit_is_ignored(content, limits, problem):
    read, problems = joint_of(f'<limit {content}/>')
    assert read.limits == limits
    assert problems == [problem]


@pytest.mark.parametrize('content, attribute, value', [
    ('<dynamics damping="1" friction="2"/>', 'dynamics', Dynamics(1.0, 2.0)),
    ('<dynamics friction="2"/>', 'dynamics', Dynamics(0.0, 2.0)),
    ('<dynamics/>', 'dynamics', Dynamics()),
    ('<safety_controller k_velocity="1"/>', 'safety', Safety(1.0)),
    ('<safety_controller k_velocity="1" k_position="2" soft_lower_limit="3" '
     'soft_upper_limit="4"/>', 'safety', Safety(1.0, 2.0, 3.0, 4.0)),
    ('<calibration rising="1"/>', 'calibration', Calibration(1.0, None)),
    ('<calibration falling="0"/>', 'calibration', Calibration(None, 0.0))])
def test_other_elements_of_a_joint(content, attribute, value):
    read, problems = joint_of(LIMIT + content)
    assert getattr(read, attribute) == value
    assert problems == []


@pytest.mark.parametrize('content, attribute, problem', [
    ('<dynamics damping="1_0"/>', 'dynamics',
     "damping of <dynamics> cannot be read: '1_0' is not a number"),
    ('<safety_controller k_position="1"/>', 'safety', '<safety_controller> has no k_velocity'),
    ('<calibration rising="inf"/>', 'calibration',
     "rising of <calibration> cannot be read: 'inf' is not finite"),
    ('<mimic/>', 'mimic', '<mimic> has no joint'),
    ('<mimic joint="j" offset="0x1"/>', 'mimic',
     "offset of <mimic> cannot be read: '0x1' is not a number")])
def test_invalid_elements_of_a_joint_are_left_out(content, attribute, problem):
    read, problems = joint_of(LIMIT + content)
    assert getattr(read, attribute) is None
    assert problems == [problem]


@pytest.mark.parametrize('text, axis', [
    ('0 0 2', (0.0, 0.0, 1.0)),
    ('3 0 -4', (0.6, 0.0, -0.8)),
    ('1e-200 0 0', (1.0, 0.0, 0.0)),
    ('0 5e-324 0', (0.0, 1.0, 0.0)),
    ('1e308 1e308 0', (math.sqrt(0.5), math.sqrt(0.5), 0.0))])
def test_axis_is_of_unit_length(text, axis):
    read, problems = joint_of(f'<axis xyz="{text}"/>', 'continuous')
    assert read.axis == pytest.approx(axis, abs=1e-15)
    assert problems == []


@pytest.mark.parametrize('content, kind, axis, problems', [
    ('', 'continuous', (1.0, 0.0, 0.0), []),
    ('<axis/>', 'continuous', (1.0, 0.0, 0.0), ['The axis has no xyz; 1 0 0 is used']),
    ('<axis xyz="0 0 0"/>', 'continuous', (0.0, 0.0, 0.0),
     ['The axis is zero, so the joint cannot move its child link']),
    ('<axis xyz="0 0 0"/>', 'fixed', (1.0, 0.0, 0.0), []),
    ('<axis xyz="none"/>', 'floating', (1.0, 0.0, 0.0), [])])
def test_missing_or_zero_axis(content, kind, axis, problems):
    read, noted = joint_of(content, kind)
    assert read.axis == axis
    assert noted == problems


@pytest.mark.parametrize('rpy', [
    (0.0, 0.0, 0.0), (0.3, -0.4, 0.5), (math.pi, 0.0, 0.0), (0.1, math.pi / 2, 0.2),
    (-0.1, -math.pi / 2, 0.7), (math.pi, math.pi, math.pi), (7.0, 50.0, -1000.0)])
def test_rpy_is_about_fixed_axes(rpy):
    text = ' '.join(map(repr, rpy))
    read, _ = joint_of(f'<origin rpy="{text}"/>', 'fixed')
    roll, pitch, yaw = (np.array([[math.cos(angle), -math.sin(angle)],
                                  [math.sin(angle), math.cos(angle)]]) for angle in rpy)
    expected = _rotation(yaw, 0, 1) @ _rotation(pitch, 2, 0) @ _rotation(roll, 1, 2)
    np.testing.assert_allclose(read.origin.rotation, expected, atol=2e-15)
    assert np.linalg.norm(read.origin.quaternion) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize('pitch', [
    sign * (math.pi / 2 - distance) for sign in (1, -1)
    for distance in (0.0, 1e-16, 1e-13, 1e-10, 1e-7, 1e-3, 1.0)])
@pytest.mark.parametrize('roll, yaw', [(0.0, 0.0), (0.4, 0.0), (0.4, -1.1), (-3.0, 3.0)])
def test_rpy_of_a_matrix_at_and_near_the_poles(roll, pitch, yaw):
    pose = Pose(quaternion=quaternion_from_rpy(roll, pitch, yaw))
    angles = rpy_of(pose.rotation)
    again = Pose(quaternion=quaternion_from_rpy(*angles))
    np.testing.assert_allclose(again.rotation, pose.rotation, atol=2e-13)
    assert angles[1] == pytest.approx(pitch, abs=1e-7)
    if abs(pitch) == math.pi / 2:
        assert angles[2] == 0.0
        turned = roll - yaw if pitch > 0 else roll + yaw
        assert math.remainder(angles[0] - turned, 2 * math.pi) == pytest.approx(0, abs=1e-13)
    elif abs(pitch) < math.pi / 2 - 1e-4:
        assert angles == pytest.approx((roll, pitch, yaw), abs=1e-9)


def _rotation(plane, first, second):
    matrix = np.eye(3)
    matrix[np.ix_((first, second), (first, second))] = plane
    return matrix


@pytest.mark.parametrize('version, attributes, quaternion, problems', [
    ('1.1', 'quat_xyzw="0 0 0 2"', (0.0, 0.0, 0.0, 1.0), []),
    ('1.2', 'quat_xyzw="3 0 0 4"', (0.6, 0.0, 0.0, 0.8), []),
    ('1.1', 'quat_xyzw="0 0 0 0"', (0.0, 0.0, 0.0, 1.0),
     ['quat_xyzw is all zero; the rotation is taken as none']),
    ('1.0', 'quat_xyzw="1 0 0 0"', (0.0, 0.0, 0.0, 1.0),
     ['quat_xyzw is ignored, because it needs URDF 1.1']),
    ('1.0', 'quat_xyzw="bad" rpy="0 0 0"', (0.0, 0.0, 0.0, 1.0),
     ['quat_xyzw is ignored, because it needs URDF 1.1'])])
def test_quaternions(version, attributes, quaternion, problems):
    read, noted = joint_of(f'<origin {attributes}/>', 'fixed', version)
    assert read.origin.quaternion == quaternion
    assert noted == problems


@pytest.mark.parametrize('content, message', [
    ('<origin xyz="1 2"/>', "xyz of <origin> cannot be read: '1 2' has 2 numbers, 3 expected"),
    ('<origin rpy="a b c"/>', "rpy of <origin> cannot be read: 'a' is not a number"),
    ('<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>', 'The origin has both rpy and quat_xyzw'),
    ('<origin quat_xyzw="0 0 1"/>',
     "quat_xyzw of <origin> cannot be read: '0 0 1' has 3 numbers, 4 expected"),
    ('<axis xyz="0 0 z"/>', "xyz of <axis> cannot be read: 'z' is not a number")])
def test_invalid_frame_of_a_joint_is_an_error(content, message):
    with pytest.raises(DescriptionError) as raised:
        loads(one_joint(LIMIT + content, version='1.1'))
    assert raised.value.message == message
    assert raised.value.element.startswith("/robot/joint[@name='j']/")
    assert raised.value.line == 2


def test_mimic():
    model = loads(robot(
        '<link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>'
        '<joint name="k" type="continuous"><parent link="b"/><child link="c"/>'
        '<mimic joint="j" multiplier="-2" offset="0.5"/></joint>'))
    assert model.joints['k'].mimic == Mimic('j', -2.0, 0.5)
    assert model.problems == ()


def test_defaults_of_a_joint():
    read, problems = joint_of('', 'fixed')
    assert read == Joint('j', 'fixed', 'a', 'b')
    assert problems == []


def test_transmissions():
    model = loads(one_link('').replace('</robot>', """
        <transmission name="old" type="pr2/Simple">
          <joint name="j"/><actuator name="m"/><mechanicalReduction>2</mechanicalReduction>
        </transmission>
        <transmission name="new">
          <type> transmission_interface/Simple </type>
          <joint name="j"><hardwareInterface>x</hardwareInterface></joint>
          <joint name="k"/><actuator name="m"/>
        </transmission>
        <transmission/></robot>"""))
    assert [(each.name, each.type, each.joints, each.actuators)
            for each in model.transmissions] == [
        ('old', 'pr2/Simple', ('j',), ('m',)),
        ('new', 'transmission_interface/Simple', ('j', 'k'), ('m',)),
        ('', '', (), ())]
    assert model.transmissions[0].element.findtext('mechanicalReduction') == '2'


def test_nothing_is_printed(capfd):
    loads(robot(
        '<link name="a" type="laser"><origin/><visual unknown="1"><geometry><box size="1 1 1"/>'
        '<box/></geometry><origin/><origin/><material name="m"/></visual></link>'
        '<sensor/><material name="n"/>', '1.2'))
    assert capfd.readouterr() == ('', '')
