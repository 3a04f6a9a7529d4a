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

"""Which pairs of links do not collide in a written model, and where it starts."""

from xml.etree import ElementTree

import numpy as np
import pytest
from support.mjcf_proofs import INERTIAL
from support.mjcf_proofs import link

from urdf_tools import loads
from urdf_tools import MjcfOptions
from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.kinematics.forward import ForwardKinematics
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.mjcf import convert

pytest.importorskip('coal')
pytest.importorskip('scipy')


def box(x, size='0.2 0.2 0.2', z=0.0):
    return (f'<collision><origin xyz="{x} 0 {z}"/><geometry><box size="{size}"/></geometry>'
            '</collision>')


def joint(name, parent, child, xyz='0 0 0', limits='-1 1', kind='revolute', axis='0 0 1'):
    lower, upper = limits.split()
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{xyz}"/><axis xyz="{axis}"/><limit lower="{lower}" upper="{upper}" '
            'effort="9" velocity="1"/></joint>')


def converted(content, options=MjcfOptions()):
    conversion = convert(loads(f'<robot name="r">{content}</robot>'), options)
    return conversion, ElementTree.fromstring(conversion.text)


def excluded(root):
    return [(each.get('body1'), each.get('body2')) for each in root.iterfind('contact/exclude')]


def home(root):
    return np.array(root.find('keyframe/key').get('qpos').split(), float)


ARM = (link('base', INERTIAL, box(0)) + link('turret', INERTIAL, box(0)) + link('gimbal', INERTIAL)
       + link('upper', INERTIAL, box(0.15)) + link('fore', INERTIAL, box(0.55))
       + joint('pan', 'base', 'turret', '0 0 0.15') + joint('roll', 'turret', 'gimbal')
       + joint('lift', 'gimbal', 'upper') + joint('elbow', 'upper', 'fore'))
"""An arm whose base overlaps with its turret by 50 mm, and with the upper arm beyond that."""


def test_links_that_always_overlap_do_not_collide_and_are_named_with_their_depth():
    conversion, root = converted(ARM)
    assert excluded(root) == [('base', 'turret'), ('base', 'upper'), ('turret', 'upper')]
    assert [*conversion.contacts.lines()] == [
        "  left out of contacts, as they are inside each other: 'base' and 'upper' (50.0 mm), "
        "'turret' and 'upper' (50.0 mm)"]
    messages = {str(each.message) for each in conversion.losses if each.of == 'collision'}
    assert messages == {
        "Links 'base' and 'turret' at joint 'pan' do not collide",
        "Links 'turret' and 'upper' do not collide, as they are 50.0 mm inside each other "
        'where joints join them',
        "Links 'base' and 'upper' do not collide, as they are 50.0 mm inside each other "
        'nearly always'}
    assert not home(root).any()


GRIPPER = (link('palm', INERTIAL) + link('left', INERTIAL, box(0.1)) + link(
    'right', INERTIAL, box(-0.08))
    + joint('open', 'palm', 'left', limits='0 0.5', kind='prismatic', axis='1 0 0')
    + joint('turn', 'palm', 'right', limits='-3 3', axis='1 0 0'))
"""A gripper whose fingers are 20 mm inside each other at zero."""

STATES = read_document(b"""
<robot name="r">
<group_state name="shut" group="hand"><joint name="open" value="0.01"/></group_state>
<group_state name="wide" group="hand"><joint name="open" value="0.4"/></group_state>
</robot>
""".strip(), 'r.srdf').root


@pytest.mark.parametrize('options, opening', [
    (MjcfOptions(), 0.25), (MjcfOptions(srdf=STATES), 0.4)], ids=['middle', 'srdf'])
def test_home_is_the_first_posture_where_links_do_not_overlap(options, opening):
    conversion, root = converted(GRIPPER, options)
    assert not excluded(root)
    assert home(root) == pytest.approx([opening, 0])
    assert [*conversion.contacts.lines()] == [
        f'  home, where no links are inside each other: open {opening}']


def test_home_is_near_to_zero_where_no_such_posture_is_given():
    blocked = GRIPPER + link('block', INERTIAL, box(0.5)) + joint('tilt', 'palm', 'block')
    conversion, root = converted(blocked)
    opening = home(root)[0]
    assert 0.021 <= opening < 0.15
    assert conversion.contacts.left == []


def test_links_that_cannot_be_apart_are_a_loss():
    walls = [link(name, INERTIAL, box(x, '1 0.2 0.2')) for name, x in (
        ('near', -0.48), ('far', 0.71))]
    conversion, root = converted(''.join((
        link('palm', INERTIAL), link('slider', INERTIAL, box(0.1)), *walls,
        joint('slide', 'palm', 'slider', limits='-0.4 0.4', kind='prismatic', axis='1 0 0'),
        joint('turn', 'palm', 'near', axis='1 0 0'),
        joint('tilt', 'palm', 'far', axis='1 0 0'))))
    assert not home(root).any() and not excluded(root)
    assert [str(each.message) for each in conversion.losses
            if each.of == 'collision' and not each.is_harmless] == [
        "Links 'slider' and 'near' are 20.0 mm inside each other at home, and no posture "
        'near to it was found where no links are']


@pytest.mark.parametrize('shape, height', [
    ('<box size="0.2 0.2 0.2"/>', 0.5 + 0.1 * 2**0.5), ('<sphere radius="0.1"/>', 0.6),
    ('<cylinder radius="0.1" length="0.2"/>', 0.5 + 0.1 * 2**0.5)])
def test_a_free_base_stands_on_the_floor(shape, height):
    leg = (f'<collision><origin rpy="0.785398163397448 0 0"/><geometry>{shape}</geometry>'
           '</collision>')
    _, root = converted(link('trunk', INERTIAL, box(0)) + link('foot', INERTIAL, leg) + joint(
        'knee', 'trunk', 'foot', '0 0 -0.5', kind='prismatic'), MjcfOptions('free'))
    assert home(root)[:7] == pytest.approx([0, 0, height, 1, 0, 0, 0])


def ball(z):
    return (f'<collision><origin xyz="0 0 {z}"/><geometry><sphere radius="0.02"/></geometry>'
            '</collision>')


def legged(places, foot, knee, ankle=False):
    parts = link('trunk', INERTIAL.replace('0.1 0.02', '0.1 0'), box(0, '0.3 0.1 0.05'))
    for number, (x, y) in enumerate(places):
        names = [f'{each}{number}' for each in ('hip', 'thigh', 'shin')] + [
            f'foot{number}'] * ankle
        parts += ''.join(link(each, INERTIAL, foot if each == names[-1] else '')
                         for each in names)
        parts += joint(f'roll{number}', 'trunk', names[0], f'{x} {y} -0.1', axis='1 0 0')
        parts += joint(f'pitch{number}', *names[:2], axis='0 1 0')
        parts += joint(f'knee{number}', *names[1:3], '0 0 -0.2', limits=knee, axis='0 1 0')
        if ankle:
            parts += joint(f'ankle{number}', *names[2:], '0 0 -0.2', axis='0 1 0')
    return parts


QUADRUPED = legged([(x, y) for x in (-0.1, 0.2) for y in (-0.4, 0.4)], ball(-0.2), '-2.5 -0.9')
BIPED = legged([(0, -0.08), (0, 0.12)], '<collision><origin xyz="0.15 0 -0.04" rpy="0 0.3 0"/>'
               '<geometry><box size="0.2 0.06 0.02"/></geometry></collision>', '0 2', ankle=True)


@pytest.mark.parametrize(('text', 'feet'), [(QUADRUPED, 'shin'), (BIPED, 'foot')])
def test_a_robot_with_legs_starts_with_its_mass_above_its_feet(text, feet):
    conversion, _ = converted(text, MjcfOptions('free'))
    contacts = conversion.contacts
    tree, origins = contacts.tree, []
    poses = dict(zip(tree.link_names, ForwardKinematics(tree)(contacts.home)))
    for name, pose in poses.items():
        if name.startswith(feet):
            shape = tree.robot.links[name].collisions[0]
            origins.append(pose @ shape.origin.matrix)
    origins = np.array(origins)
    centre = CompositeInertia(tree).center_of_mass(contacts.home)
    assert centre[:2] == pytest.approx(origins[:, :2, 3].mean(axis=0), abs=0.01)
    assert np.ptp(origins[:, 2, 3]) < 1e-3
    assert any('and the centre of mass is above the feet' in line for line in contacts.lines())
    if feet == 'foot':
        assert np.abs(origins[:, 2, 2]) == pytest.approx(1, abs=1e-3)
    assert contacts.home[2] > 0.1


def test_a_given_home_is_not_moved_to_balance():
    srdf = read_document(b'<robot name="r"><group_state name="home" group="g">'
                         b'<joint name="pitch0" value="0.1"/></group_state></robot>', 'r.srdf')
    conversion, _ = converted(QUADRUPED, MjcfOptions('free', srdf=srdf.root))
    contacts = conversion.contacts
    index = contacts.tree.variable_index
    assert contacts.home[index['pitch0']] == 0.1 and contacts.home[index['pitch1']] == 0


def test_models_start_without_contacts_in_mujoco(tmp_path):
    mujoco = pytest.importorskip('mujoco')
    for text in (ARM, GRIPPER):
        conversion, _ = converted(text)
        model = mujoco.MjModel.from_xml_string(conversion.text)
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, 0)
        mujoco.mj_forward(model, data)
        assert data.ncon == 0
