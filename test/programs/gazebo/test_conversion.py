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

"""The conversion to SDFormat, rule by rule of libsdformat's parser_urdf.cc."""

import numpy as np
import pytest
from support.robot_text import joint
from support.robot_text import link
from support.sdf_difference import close

from urdf_tools import ForwardKinematics
from urdf_tools import loads
from urdf_tools import SpatialInertia
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.urdfdom.bodies import urdfdom_rpy

BOX = '<geometry><box size="1 1 1"/></geometry>'


def model_of(*parts, release='14', **options):
    text = f'<robot name="r">{"".join(parts)}</robot>'
    document = convert(loads(text), release, **options).document
    return document.find('model')


def names(model, tag):
    return [child.get('name') for child in model.findall(tag)]


LUMPED = (link('a', f'<visual>{BOX}</visual>'), link('b', f'<visual>{BOX}</visual>',
          f'<visual name="v">{BOX}</visual>', f'<collision>{BOX}</collision>'),
          joint('ab', 'a', 'b'))


def test_the_child_of_a_fixed_joint_is_lumped():
    model = model_of(*LUMPED)
    assert names(model, 'link') == ['a'] and names(model, 'joint') == []
    body = model.find('link')
    assert names(body, 'visual') == [
        'a_visual', 'a_fixed_joint_lump__b_visual_1', 'a_fixed_joint_lump__v_visual_2']
    assert names(body, 'collision') == ['a_fixed_joint_lump__b_collision']
    assert body.find('collision/pose').text == '0 0 1 0 0 0'
    assert body.find('inertial/mass').text == '4'
    assert body.find('inertial/pose').text == '0 0 0.5 0 0 0'
    assert body.find('inertial/inertia/ixx').text == '3'
    assert body.find('inertial/inertia/izz').text == '2'


def test_frames_remain_of_a_lumped_joint_and_link():
    frames = model_of(*LUMPED).findall('frame')
    assert [frame.attrib for frame in frames] == [
        {'name': 'ab', 'attached_to': 'a'}, {'name': 'b', 'attached_to': 'ab'}]
    assert [frame.find('pose').text for frame in frames] == ['0 0 1 0 0 0', '0 0 0 0 0 0']
    assert model_of(*LUMPED, release='12').findall('frame') == []


def test_fixed_joints_can_be_preserved():
    model = model_of(*LUMPED, preserve_fixed_joints=True)
    assert names(model, 'link') == ['a', 'b']
    assert model.find('joint').get('type') == 'fixed'


@pytest.mark.parametrize(('option', 'kind'), [
    ('<preserveFixedJoint>true</preserveFixedJoint>', 'fixed'),
    ('<disableFixedJointLumping>1</disableFixedJointLumping>', 'revolute'),
    ('<disableFixedJointLumping>yes</disableFixedJointLumping>'
     '<preserveFixedJoint>yes</preserveFixedJoint>', 'fixed'),
    ('<preserveFixedJoint>no</preserveFixedJoint>', None)])
def test_a_fixed_joint_can_be_kept(option, kind):
    model = model_of(*LUMPED, f'<gazebo reference="ab">{option}</gazebo>')
    kept = model.find('joint')
    assert kind == (None if kept is None else kept.get('type'))
    if kind == 'revolute':
        assert kept.find('axis/limit/lower').text == kept.find('axis/limit/upper').text == '0'


def test_a_moving_joint_is_attached_to_what_its_parent_is_lumped_into():
    model = model_of(*LUMPED, link('c'), joint('bc', 'b', 'c', 'continuous'))
    moving = model.find('joint')
    assert moving.get('type') == 'revolute' and moving.find('parent').text == 'a'
    assert moving.find('pose').attrib == {'relative_to': 'a'}
    assert moving.find('pose').text == '0 0 2 0 0 0'
    assert model.findall('link')[1].find('pose').attrib == {'relative_to': 'bc'}


def test_a_root_link_world_is_the_world():
    model = model_of('<link name="world"/>', link('a'), joint('wa', 'world', 'a'))
    assert names(model, 'link') == ['a']
    fixed = model.find('joint')
    assert fixed.find('parent').text == 'world'
    assert fixed.find('pose').get('relative_to') == '__model__'


def test_a_link_without_mass_takes_its_descendants_with_it():
    model = model_of(link('a'), link('b', inertial=''), link('c'),
                     joint('ab', 'a', 'b', 'continuous'), joint('bc', 'b', 'c', 'continuous'))
    assert names(model, 'link') == ['a'] and names(model, 'joint') == []


@pytest.mark.parametrize(('release', 'links'), [('12', ['a']), ('14', ['a', 'c'])])
def test_a_lumped_link_without_mass_hands_its_children_on(release, links):
    parts = (link('a'), link('b', inertial=''), link('c'),
             joint('ab', 'a', 'b'), joint('bc', 'b', 'c', 'continuous'))
    assert names(model_of(*parts, release=release), 'link') == links


@pytest.mark.parametrize('kind', ('planar', 'floating'))
def test_planar_and_floating_joints_have_no_type(kind):
    conversion = convert(loads(
        f'<robot name="r">{link("a")}{link("b")}{joint("ab", "a", "b", kind)}</robot>'))
    assert conversion.document.find('model/joint') is None
    assert [error.message for error in conversion.load_errors] == [
        f"Joint 'ab' is {kind}, a type that SDFormat does not have, so link 'b' is attached to "
        'nothing']


def test_limits_dynamics_and_mimics_are_copied():
    limit = '<limit lower="1" upper="-1" effort="3" velocity="4"/>'
    parts = (link('a'), link('b'), link('c'), joint(
        'ab', 'a', 'b', 'revolute', limit, '<dynamics damping="5"/><axis xyz="0 0 2"/>'),
        joint('bc', 'b', 'c', 'continuous', '<mimic joint="ab" multiplier="-2"/>'))
    first, second = model_of(*parts).findall('joint')
    assert {child.tag: child.text for child in first.find('axis/limit')} == {
        'lower': '-1', 'upper': '1', 'effort': '3', 'velocity': '4'}
    assert {child.tag: child.text for child in first.find('axis/dynamics')} == {
        'damping': '5', 'friction': '0'}
    assert first.find('axis/xyz').text == '0 0 2'
    mimic = second.find('axis/mimic')
    assert mimic.get('joint') == 'ab' and mimic.find('multiplier').text == '-2'
    assert model_of(*parts, release='12').findall('joint')[1].find('axis/mimic') is None


def test_a_material_is_known_from_its_first_definition_on():
    named, red, blue = (
        f'<visual>{BOX}<material name="m">{color}</material></visual>'
        for color in ('', '<color rgba="0.8 0 0 1"/>', '<color rgba="0 0 0.8 1"/>'))
    model = model_of(link('a', named), link('b', red), link('c', blue),
                     joint('ab', 'a', 'b', 'floating'), joint('bc', 'b', 'c', 'floating'))
    assert [body.findtext('visual/material/diffuse') for body in model.findall('link')] == [
        None, *['1 0 0 1'] * 2]


def test_settings_go_where_sdformat_has_them():
    model = model_of(
        link('a', f'<visual>{BOX}</visual><collision>{BOX}</collision>'),
        '<gazebo reference="a"><turnGravityOff>true</turnGravityOff><mu1 value="0.5"/>'
        '<kp>10</kp><maxContacts>3</maxContacts><material>Gazebo/Red</material>'
        '<selfCollide>true</selfCollide><visual><cast_shadows>false</cast_shadows></visual>'
        '<sensor name="s" type="imu"/></gazebo><gazebo><static>true</static></gazebo>')
    body = model.find('link')
    assert body.find('gravity').text == 'false' and body.find('self_collide').text == '1'
    assert body.find('collision/surface/friction/ode/mu').text == '0.5'
    assert body.find('collision/surface/contact/ode/kp').text == '10'
    assert body.find('collision/max_contacts').text == '3'
    assert body.find('visual/material/script/name').text == 'Gazebo/Red'
    assert body.find('visual/cast_shadows').text == 'false'
    assert names(body, 'sensor') == ['s'] and model.find('static').text == 'true'


def test_settings_do_not_reach_shapes_with_names():
    model = model_of(link('a', f'<visual name="hull">{BOX}</visual><visual>{BOX}</visual>'),
                     '<gazebo reference="a"><material>Gazebo/Red</material></gazebo>')
    named, unnamed = model.findall('link/visual')
    assert named.get('name') == 'a_fixed_joint_lump__hull_visual'
    assert named.find('material') is None and unnamed.find('material') is not None


def test_the_pose_of_a_sensor_follows_its_lumped_link():
    model = model_of(*LUMPED, '<gazebo reference="b"><sensor name="s" type="imu">'
                              '<pose>1 0 0 0 0 0</pose></sensor></gazebo>')
    assert model.find('link/sensor/pose').text == '1 0 1 0 0 0'


@pytest.mark.parametrize(('release', 'pose'), [('12', [0, 0, 1, 0, 0, 0]), ('14', [])])
def test_a_pose_that_cannot_be_read_is_zero_or_lost(release, pose):
    model = model_of(*LUMPED, '<gazebo reference="b"><sensor name="s" type="imu"><pose>1 2</pose>'
                     '</sensor></gazebo>', release=release)
    assert [*map(float, (model.findtext('link/sensor/pose') or '').split())] == pose


def test_a_plugin_that_names_a_lumped_link_gets_its_new_body_and_offset():
    model = model_of(*LUMPED, '<gazebo><plugin name="p" filename="f"><bodyName>b</bodyName>'
                              '</plugin></gazebo>')
    plugin = model.find('plugin')
    assert [(child.tag, child.text) for child in plugin] == [
        ('bodyName', 'a'), ('xyzOffset', '0 0 1'), ('rpyOffset', '0 0 0'),
        ('gz::corrected_offsets', '1')]


def test_urdfdom_takes_a_steep_pitch_for_a_right_angle():
    """A visual turned by 1.57 rad is turned by pi/2, a joint is not."""
    origin = '<origin rpy="0 1.57 0"/>'
    model = model_of(link('a', f'<visual>{origin}{BOX}</visual>'))
    assert model.find('link/visual/pose').text == '0 0 0 0 1.570796326794897 0'


@pytest.mark.parametrize('text', ('x', '', '1e999'))
def test_a_setting_that_is_no_number_stops_libsdformat(text):
    conversion = convert(loads(
        f'<robot name="r">{link("a")}<gazebo reference="a"><mu1>{text}</mu1></gazebo></robot>'))
    assert conversion.document is None and conversion.text == ''
    reason, = conversion.refusals
    assert reason.element.tag == 'mu1' and 'libsdformat ends with an exception' in reason.message


def test_mass_and_centre_of_mass_stay(corpus_robot):
    """Of all links that arrive, as themselves or lumped into another."""
    robot = corpus_robot.robot
    conversion = convert(robot)
    arrived = arrived_links(conversion)
    forward = ForwardKinematics(robot)
    poses = dict(zip(forward.tree.link_names, forward(forward.tree.neutral())))
    expected = sum(
        (SpatialInertia.from_inertial(robot.links[name].inertial).transformed(poses[name])
         for name in arrived if robot.links[name].inertial), SpatialInertia.zero())
    mass, moment = mass_and_moment(conversion.document.find('model'))
    assert close(mass, expected.mass)
    if mass:
        # urdfdom's steep pitch turns lumped links by up to 0.0045 rad.
        tolerance = 1e-9 if not has_steep_pitch(robot) else 2e-3
        assert np.allclose(moment / mass, expected.com, atol=tolerance)


def arrived_links(conversion):
    links = set(names(conversion.document.find('model'), 'link'))
    for body in conversion.model.bodies.values():
        if body.end.name in links:
            yield body.name


def mass_and_moment(model):
    """Return the total mass, and its product with the centre of mass in the model's frame."""
    poses, mass, moment = {'__model__': np.eye(4)}, 0.0, np.zeros(3)
    above = {joint.find('child').text: joint.find('pose') for joint in model.findall('joint')}
    for body in model.findall('link'):
        joint = above.get(body.get('name'))
        pose = np.eye(4) if joint is None else poses[joint.get('relative_to')] @ matrix(joint)
        poses[body.get('name')] = pose
        inertial = body.find('inertial')
        kilograms = float(inertial.find('mass').text)
        mass += kilograms
        moment += kilograms * (pose @ matrix(inertial.find('pose')))[:3, 3]
    return mass, moment


def matrix(pose):
    x, y, z, *rpy = map(float, pose.text.split())
    return pose_from((x, y, z), tuple(rpy)).matrix


def has_steep_pitch(robot):
    return any(abs(abs(urdfdom_rpy(joint.origin.quaternion)[1]) - np.pi / 2) < 1e-15
               for joint in robot.joints.values() if joint.type == 'fixed')


def test_settings_come_before_what_they_add_to_a_joint():
    physics = model_of(
        link('a'), link('b'), joint('j', 'a', 'b', 'continuous'),
        '<gazebo reference="j"><stopCfm>0.1</stopCfm><provideFeedback>1</provideFeedback>'
        '<fudgeFactor>0.3</fudgeFactor></gazebo>').find('joint/physics')
    assert [child.tag for child in physics] == ['provide_feedback', 'ode']
    assert [child.tag for child in physics.find('ode')] == [
        'provide_feedback', 'fudge_factor', 'limit']


@pytest.mark.parametrize(('surface', 'parts'), [
    ('<friction><ode><mu>1</mu></ode></friction>', {'friction': ['ode'], 'contact': []}),
    ('<friction/><contact/>', {'friction': ['ode'], 'contact': ['ode']}),
    ('', {'contact': [], 'friction': []})])
def test_a_later_surface_without_a_part_loses_its_settings(surface, parts):
    found = model_of(
        link('a', f'<collision>{BOX}</collision>'),
        '<gazebo reference="a"><selfCollide>1</selfCollide></gazebo><gazebo reference="a">'
        f'<collision><surface>{surface}</surface></collision><kp>2</kp></gazebo>'
    ).find('link/collision/surface')
    assert {part.tag: [child.tag for child in part] for part in found} == parts
    kp = found.find('contact/ode/kp')
    assert kp is not None if parts['contact'] else kp is None
