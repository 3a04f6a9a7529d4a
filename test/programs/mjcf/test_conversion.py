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

"""What is written for a description, and what is said to be lost of it."""

from xml.etree import ElementTree

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mjcf_proofs import INERTIAL
from support.mjcf_proofs import joint
from support.mjcf_proofs import link
from support.mjcf_proofs import robot

from urdf_tools import DescriptionError
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import MjcfOptions
from urdf_tools import to_mjcf
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.mjcf import convert
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import NEWEST

TRIANGLES = CORNERS[CUBE].astype(float)

ARM = link('a') + link('b') + joint('q', 'revolute', 'a', 'b')


def shape(tag, geometry, content='', name=''):
    return f'<{tag} name="{name}"><geometry>{geometry}</geometry>{content}</{tag}>'


def mesh(tag, file, scale='1 1 1', content=''):
    return shape(tag, f'<mesh filename="{file}" scale="{scale}"/>', content)


def converted(content, options=MjcfOptions()):
    conversion = convert(loads(f'<robot name="r">{content}</robot>'), options)
    return conversion, None if conversion.document is None else ElementTree.fromstring(
        conversion.text)


def said(conversion, is_harmless=False):
    return [str(each.message) for each in conversion.losses if each.is_harmless == is_harmless]


def written(folder, content):
    (folder / 'r.urdf').write_text(f'<robot name="r">{content}</robot>')
    return convert(load(folder / 'r.urdf'))


def test_the_elements_are_in_the_order_of_menagerie():
    _, root = converted(ARM)
    assert [each.tag for each in root] == [
        'compiler', 'option', 'default', 'worldbody', 'actuator', 'keyframe']
    body = root.find('worldbody/body')
    assert body.attrib == {'name': 'a', 'childclass': 'r'}
    child = body.find('body')
    assert [each.tag for each in child] == ['inertial', 'joint']
    assert child.find('joint').attrib['range'] == '-1 2'


def test_the_text_is_the_same_byte_for_byte():
    assert converted(ARM)[0].text == converted(ARM)[0].text
    assert ' />' not in converted(ARM)[0].text


@pytest.mark.parametrize(('content', 'kind'), [
    ('<ros2_control><joint name="q"><command_interface name="velocity"/>'
     '<command_interface name="position"/></joint></ros2_control>', 'position'),
    ('<ros2_control><joint name="q"><command_interface name="effort"/>'
     '<command_interface name="velocity"/></joint></ros2_control>', 'velocity'),
    ('<ros2_control><joint name="q"><command_interface name="effort"/></joint></ros2_control>',
     'motor'),
    ('<transmission name="t"><joint name="q"><hardwareInterface>'
     'hardware_interface/EffortJointInterface</hardwareInterface></joint></transmission>',
     'position'),
    ('', 'position')])
def test_actuators_control_positions_unless_ros2_control_commands_else(content, kind):
    conversion, root = converted(ARM + content)
    actuator, = root.find('actuator')
    assert (actuator.tag, actuator.get('joint')) == (kind, 'q')
    limits = {'velocity': '-2 2', 'motor': '-5 5', 'position': '-1 2'}
    assert actuator.get('ctrlrange') == limits[kind]
    assert actuator.get('forcerange') == (None if kind == 'motor' else '-5 5')
    assert (conversion.actuators[0].element is None) == (not content)


def test_a_joint_without_actuator_keeps_its_limit_on_the_effort():
    _, root = converted(ARM, MjcfOptions(actuators='none'))
    assert root.find('actuator') is None
    assert root.find('.//joint').get('actuatorfrcrange') == '-5 5'


def test_limits_on_the_velocity_are_lost_where_they_are_written():
    conversion, _ = converted(ARM)
    lost, = [each for each in conversion.losses if not each.is_harmless]
    assert (lost.of, lost.element.tag) == ('limit', 'limit')


def test_an_impossible_inertia_is_changed_to_the_nearest():
    text = ARM + link('c', INERTIAL.replace('0.025', '0.9')) + joint('s', 'revolute', 'b', 'c')
    conversion, _ = converted(text)
    assert len([each for each in conversion.losses if each.of == 'inertia']) == 1
    a, b, c = sorted(np.diag(conversion.bodies.inertias['c'].matrix))
    assert c <= a + b
    assert conversion.bodies.changed == {'c'}


def test_a_mesh_is_written_once_with_its_scale(tmp_path):
    (tmp_path / 'cube.stl').write_bytes(binary_stl(TRIANGLES))
    (tmp_path / 'same.stl').write_bytes(binary_stl(TRIANGLES))
    conversion = written(tmp_path, link('a', INERTIAL, ''.join((
        mesh('visual', 'cube.stl'), mesh('collision', 'cube.stl'), mesh('visual', 'same.stl'),
        mesh('visual', 'cube.stl', '2 2 -2'), mesh('visual', 'gone.stl')))))
    assert [*conversion.files] == ['cube.stl', 'cube_2.stl']
    corners = np.frombuffer(conversion.files['cube_2.stl'][84:], np.dtype(
        [('normal', '<f4', 3), ('corners', '<f4', (3, 3)), ('rest', '<u2')]))['corners']
    assert corners.reshape(-1, 3).max(axis=0).tolist() == [2, 2, 0]
    assert corners.reshape(-1, 3).min(axis=0).tolist() == [0, 0, -2]
    volume = np.einsum('ij,ij->', corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume > 0  # A mirrored mesh still faces outward.
    assert [text for text in said(conversion) if 'gone' in text] == [
        "The mesh 'gone.stl' of a visual of link 'a' is left out: File 'gone.stl' does not exist"]
    assert conversion.account.kept.visuals == {'.stl': 3}


def test_only_the_hull_of_a_hollow_mesh_collides(tmp_path):
    cube = TRIANGLES
    (tmp_path / 'two.stl').write_bytes(binary_stl(np.concatenate((cube, cube + [5, 0, 0]))))
    (tmp_path / 'cube.stl').write_bytes(binary_stl(cube))
    (tmp_path / 'flat.stl').write_bytes(binary_stl(cube * [1, 1, 0]))
    conversion = written(tmp_path, link('a', INERTIAL, ''.join(
        mesh('collision', f'{name}.stl') for name in ('two', 'cube', 'flat'))))
    assert [(each.of, each.element.find('geometry/mesh').get('filename'))
            for each in conversion.losses if not each.is_harmless] == [
                ('collision', 'two.stl'), ('mesh', 'flat.stl')]


def test_materials_and_textures(tmp_path):
    png = b'\x89PNG\r\n\x1a\n' + bytes(10) + b'IEND\xaeB`\x82'
    (tmp_path / 'wood.png').write_bytes(png)
    (tmp_path / 'wood.jpg').write_bytes(b'\xff\xd8')
    (tmp_path / 'm.obj').write_text('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n'
                                    'vt 0 0\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 1/1 4/1 3/1\n'
                                    'f 2/1 3/1 4/1\n')
    box = '<box size="1 1 1"/>'
    red = '<material name="red"><color rgba="1 0 0 1"/></material>'
    wood = '<material name="{}"><texture filename="{}"/></material>'
    conversion = written(tmp_path, link('a', INERTIAL, ''.join((
        shape('visual', box, red), shape('visual', box, red.replace('"red"', '"rouge"')),
        mesh('visual', 'm.obj', '2 1 1', wood.format('wood', 'wood.png')),
        shape('visual', box, wood.format('bad', 'wood.jpg'))))))
    root = ElementTree.fromstring(conversion.text)
    assert [each.attrib for each in root.findall('asset/material')] == [
        {'name': 'red', 'rgba': '1 0 0 1'}, {'name': 'wood', 'texture': 'wood'}, {'name': 'bad'}]
    assert conversion.files['wood.png'] == png
    assert [*conversion.files] == ['wood.png', 'm.stl']
    assert [text for text in said(conversion) if 'exture' in text] == [
        "The texture coordinates in the file of a visual of link 'a' are left out",
        "The texture 'wood.jpg' is left out: MuJoCo reads only PNG"]


def test_pairs_of_an_srdf_do_not_collide():
    text = ''.join(link(name, INERTIAL, shape(
        'collision', '<box size="1 1 1"/>', f'<origin xyz="0 0 {2 * height}"/>'))
        for height, name in enumerate('abcd')) + ''.join(
        joint(f'j{a}', 'revolute', a, b) for a, b in ('ab', 'bc', 'cd'))
    srdf = read_document(b'<robot name="r"><disable_collisions link1="d" link2="b"/>'
                         b'<disable_collisions link1="d" link2="gone"/></robot>', 'r.srdf').root
    conversion, root = converted(text, MjcfOptions(srdf=srdf))
    assert [each.attrib for each in root.find('contact')] == [
        {'body1': 'a', 'body2': 'b'}, {'body1': 'b', 'body2': 'd'}]
    assert "Links 'a' and 'b' at joint 'ja' do not collide" in said(conversion, True)
    assert converted(text, MjcfOptions('free'))[1].find('contact') is None


def test_sensors(tmp_path):
    conversion, root = converted(ARM + """
<gazebo reference="b">
  <sensor name="eye" type="camera"><camera><horizontal_fov>1.0</horizontal_fov>
    <image><width>200</width><height>100</height></image></camera></sensor>
  <sensor name="imu" type="imu"><pose degrees="true">0 0 1 0 0 90</pose></sensor>
  <sensor name="laser" type="gpu_lidar"/>
  <sensor name="skin" type="contact"><pose>0 0 1</pose></sensor>
</gazebo>
<gazebo reference="q"><sensor name="ft" type="force_torque"/></gazebo>
<gazebo reference="gone"><sensor name="lost" type="imu"/></gazebo>
<gazebo><plugin filename="x" name="y"/></gazebo>""")
    assert {(each.tag, each.get('name')) for each in root.find('sensor')} == {
        ('accelerometer', 'imu_acc'), ('gyro', 'imu_gyro'), ('framequat', 'imu_quat'),
        ('force', 'ft_force'), ('torque', 'ft_torque'), ('contact', 'skin')}
    assert float(root.find('.//camera').get('fovy')) == pytest.approx(
        np.degrees(2 * np.arctan(np.tan(0.5) / 2)))
    assert [text for text in said(conversion) if 'ensor' in text] == [
        "Sensor 'laser' of type 'gpu_lidar' is left out",
        "Sensor 'skin' is at the frame of its link: <pose> cannot be read: "
        "'0 0 1' has 3 numbers, 6 expected",
        "Sensor 'lost' of type 'imu' is left out"]
    site = root.find('.//site[@name="imu"]')
    assert site.get('pos') == '0 0 1'
    assert [float(each) for each in site.get('quat').split()] == pytest.approx(
        [0.5**0.5, 0, 0, 0.5**0.5])
    assert ['plugin'] == [each.of for each in conversion.losses if each.of == 'plugin']


def test_what_moves_nowhere_is_refused():
    conversion, root = converted(link('a') + link('b') + joint(
        'q', 'revolute', 'a', 'b', axis='0 0 0'))
    assert root is None
    assert [str(each.message) for each in conversion.causes] == ["Joint 'q' has a zero axis"]
    assert not conversion.account.loads
    assert conversion.text == ''
    with pytest.raises(DescriptionError, match='zero axis'):
        to_mjcf(conversion.robot, 'never.xml')


def test_the_account_is_one_of_the_models_but_no_check_is_about_it():
    found = account_of('mjcf', Source.of_robot(loads(robot(ARM))), Context(reads_files=False))
    assert (found.program, found.base, found.kept.links) == ('mjcf', 'fixed', 2)
    assert found.kept.body.mass == pytest.approx(3)
    assert 'mjcf' not in NEWEST
    broken = read_document(b'<robot name="r"><link name="a"/><link name="b"/></robot>', 'r.urdf')
    assert not account_of('mjcf', Source.of_document(broken, None), Context()).loads


def test_a_link_of_the_assets_folder_is_not_followed(tmp_path):
    (tmp_path / 'cube.stl').write_bytes(binary_stl(TRIANGLES))
    (tmp_path / 'r.urdf').write_text(robot(link('a', INERTIAL, mesh('visual', 'cube.stl'))))
    out = tmp_path / 'out'
    (out / 'assets').mkdir(parents=True)
    secret = tmp_path / 'secret'
    secret.write_text('precious')
    (out / 'assets' / 'cube.stl').symlink_to(secret)
    with pytest.raises(OSError, match='symbolic link'):
        to_mjcf(load(tmp_path / 'r.urdf'), out / 'r.xml')
    assert secret.read_text() == 'precious'
    assert not (out / 'r.xml').exists()
    (out / 'assets' / 'cube.stl').unlink()
    account = to_mjcf(load(tmp_path / 'r.urdf'), out / 'r.xml')
    assert account['links'] == {'in': 1, 'out': 1}
    conversion = convert(load(tmp_path / 'r.urdf'))
    assert (out / 'r.xml').read_text() == conversion.text
    assert (out / 'assets' / 'cube.stl').read_bytes() == conversion.files['cube.stl']


def test_a_loop_without_a_moving_joint_is_written():
    loop = ('<gazebo><joint name="l" type="revolute"><parent>a</parent><child>b</child></joint>'
            '</gazebo>')
    conversion, document = converted(
        link('a') + link('b') + joint('f', 'fixed', 'a', 'b') + loop)
    assert conversion.closed and document.find('equality/connect') is not None


def test_a_base_without_mass_stays_where_joints_of_the_description_move_it():
    # The base of a Cassie is three slides and three hinges below a link called map.
    text = '<link name="map"/>' + link('pelvis') + joint('z', 'prismatic', 'map', 'pelvis')
    conversion, root = converted(text, MjcfOptions('free'))
    assert root.find('.//freejoint') is None
    assert conversion.account.base == 'fixed'
    assert ("The base stays fixed, as nothing fixed to 'map' has mass: joints of the description "
            'move what has') in said(conversion, is_harmless=True)
    with_mass, root = converted(text.replace('<link name="map"/>', link('map')),
                                MjcfOptions('free'))
    assert root.find('.//freejoint') is not None and with_mass.account.base == 'free'
