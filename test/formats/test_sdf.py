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

"""SDFormat wherever a description is taken: the robot, its sources, and what is lost."""

import numpy as np
import pytest
from urdf_tools import DescriptionError
from urdf_tools import load
from urdf_tools import loads
from urdf_tools import validate
from urdf_tools import validates
from urdf_tools.cli import main
from urdf_tools.formats.converted_document import losses_of

ARM = """<sdf version="1.9">
  <model name="arm">
    <frame name="shoulder" attached_to="base"><pose>0 0 0.5 0 0 0</pose></frame>
    <link name="base">
      <inertial><mass>4</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia>
      </inertial>
    </link>
    <link name="upper">
      <pose relative_to="shoulder">0.1 0 0 0 0 0</pose>
      <inertial><mass>2</mass><pose>0.2 0 0 0 0 0</pose>
        <inertia><ixx>0.01</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial>
      <visual name="v"><geometry><box><size>0.4 0.1 0.1</size></box></geometry>
        <material><ambient>0 0 1 1</ambient><diffuse>1 0 0 1</diffuse></material></visual>
    </link>
    <joint name="swing" type="revolute">
      <pose relative_to="shoulder"/>
      <parent>base</parent><child>upper</child>
      <axis><xyz expressed_in="__model__">0 1 0</xyz>
        <limit><lower>-1</lower><upper>2</upper><effort>30</effort></limit>
        <dynamics><damping>0.5</damping><friction>0.1</friction></dynamics></axis>
    </joint>
  </model>
</sdf>
"""


def model(content, version='1.9'):
    """Return the text of a model."""
    return f'<sdf version="{version}"><model name="m">{content}</model></sdf>'


def joints(*types, axes='<axis><xyz>0 0 1</xyz></axis>', extra=''):
    """Return a chain of links and joints of these types."""
    links = ''.join(f'<link name="l{number}"/>' for number in range(len(types) + 1))
    return links + ''.join(
        f'<joint name="j{number}" type="{kind}"><parent>l{number}</parent>'
        f'<child>l{number + 1}</child>{axes}{extra}</joint>'
        for number, kind in enumerate(types))


def lost(robot, harmless=False):
    """Return the messages of what a robot lost."""
    return [str(each.message) for each in losses_of(robot) if each.is_harmless is harmless]


def test_frames_are_resolved_and_links_are_at_their_joints():
    robot = loads(ARM)
    swing = robot.joints['swing']
    assert (robot.root, swing.origin.xyz, swing.axis) == ('base', (0, 0, 0.5), (0, 1, 0))
    limits = swing.limits
    assert (limits.lower, limits.upper, limits.effort) == (-1, 2, 30)
    assert (swing.dynamics.damping, swing.dynamics.friction) == (0.5, 0.1)
    upper = robot.links['upper']
    np.testing.assert_allclose(upper.inertial.origin.xyz, (0.3, 0, 0))
    assert upper.visuals[0].origin.xyz == (0.1, 0, 0)
    assert upper.visuals[0].material.rgba == (1, 0, 0, 1)
    assert lost(robot) == []


def test_every_element_has_the_source_of_the_one_that_it_stands_for(tmp_path):
    path = tmp_path / 'arm.sdf'
    path.write_text(ARM)
    robot = load(path)
    for element in robot.document.root.iter():
        file, line, column = element.location('')
        assert file == str(path)
        assert ARM.splitlines()[line - 1][column - 1] == '<'
    swing = robot.joints['swing'].element
    assert swing.location('')[1] == 1 + ARM[:ARM.index('<joint')].count('\n')
    assert swing.find('limit').location('')[1] == 1 + ARM[:ARM.index('<limit')].count('\n')


def test_findings_are_at_the_lines_of_the_file_and_have_no_fixes(tmp_path, capsys):
    path = tmp_path / 'arm.sdf'
    path.write_text(ARM.replace('<izz>0.02</izz>', '<izz>9</izz>'))
    finding = next(each for each in validate(path).findings if each.code.startswith('inertia-'))
    assert (finding.file(''), finding.fix) == (str(path), ())
    assert ARM.splitlines()[finding.line - 1].strip().startswith(('<inertia', '<mass>2'))
    before = path.read_bytes()
    main(['check', '--fix', str(path)])
    assert path.read_bytes() == before
    assert main(['inertia', '--compute', 'all', '--write', str(path)]) == 2
    assert 'only URDF and xacro can be changed' in capsys.readouterr().err


@pytest.mark.parametrize('verb', [['tree'], ['fk'], ['inertia'], ['account', '--for', 'urdfdom'],
                                  ['check', '--level', 'error']])
def test_verbs_take_it(tmp_path, capsys, verb):
    path = tmp_path / 'arm.sdf'
    path.write_text(ARM)
    assert main([*verb, str(path)]) == 0
    assert 'upper' in capsys.readouterr().out or verb[0] in ('account', 'check')


def test_one_model_of_a_world_is_chosen(tmp_path, capsys):
    world = ARM.replace(
        '<model ', '<world name="w"><model name="box"><link name="b"/></model><model ')
    path = tmp_path / 'w.world'
    path.write_text(world.replace('</sdf>', '</world></sdf>'))
    assert load(path, arguments={'model': 'arm'}).name == 'arm'
    with pytest.raises(DescriptionError, match="The file has 2 models: 'box', 'arm'"):
        load(path)
    with pytest.raises(DescriptionError, match="The file has no model 'x'"):
        load(path, arguments={'model': 'x'})
    with pytest.raises(DescriptionError, match='takes no arguments such as'):
        load(path, arguments={'other': 'x'})


def test_a_model_that_only_includes_another_one(tmp_path):
    """Gazebo reads an <include> in <sdf>, too, such as that of PX4's atmos."""
    (tmp_path / 'arm.sdf').write_text(
        '<sdf version="1.9"><model name="arm"><link name="a"/></model></sdf>')
    (tmp_path / 'model.sdf').write_text(
        '<sdf version="1.9"><include><uri>arm.sdf</uri></include></sdf>')
    assert load(tmp_path / 'model.sdf').root == 'a'


def test_nested_and_included_models(tmp_path):
    (tmp_path / 'hand').mkdir()
    (tmp_path / 'hand/model.config').write_text(
        '<model><sdf version="1.9">hand.sdf</sdf></model>')
    (tmp_path / 'hand/hand.sdf').write_text(
        '<sdf version="1.9"><model name="hand"><link name="palm">'
        '<visual name="v"><geometry><mesh><uri>palm.stl</uri></mesh></geometry></visual></link>'
        '<frame name="flange"><pose>0 0 -0.1 0 0 0</pose></frame></model></sdf>')
    path = tmp_path / 'robot.sdf'
    path.write_text(model(
        '<link name="base"/><include><uri>hand</uri><name>left</name>'
        '<placement_frame>flange</placement_frame><pose>0 1 0 0 0 0</pose></include>'
        '<include merge="true"><uri>hand</uri><pose>0 -1 0 0 0 0</pose></include>'
        '<joint name="a" type="fixed"><parent>base</parent><child>left::palm</child></joint>'
        '<joint name="b" type="fixed"><parent>base</parent><child>palm</child></joint>'))
    robot = load(path)
    assert list(robot.links) == ['base', 'left::palm', 'palm']
    assert robot.joints['a'].origin.xyz == (0, 1, 0.1)
    assert robot.joints['b'].origin.xyz == (0, -1, 0)
    palm = robot.links['palm']
    assert palm.element.location('')[0] == str(tmp_path / 'hand/hand.sdf')
    assert palm.visuals[0].geometry.filename == str(tmp_path / 'hand/palm.stl')
    assert str(tmp_path / 'hand/hand.sdf') in robot.xacro_files


def test_an_include_without_a_scheme_is_looked_for_among_the_models(tmp_path, monkeypatch):
    # As in x500_depth of PX4, whose <uri> is x500.
    models = tmp_path / 'models'
    for name, content in {'x500': '<link name="far"/>', 'beside': '<link name="far"/>'}.items():
        (models / name).mkdir(parents=True)
        (models / name / 'model.config').write_text(
            '<model><sdf version="1.9">model.sdf</sdf></model>')
        (models / name / 'model.sdf').write_text(model(content))
    (tmp_path / 'robot').mkdir()
    (tmp_path / 'robot/beside').write_text(model('<link name="near"/>'))
    path = tmp_path / 'robot/robot.sdf'
    path.write_text(model(
        '<include merge="true"><uri>x500</uri></include>'
        '<include merge="true"><uri>beside</uri></include>'
        '<joint name="a" type="fixed"><parent>far</parent><child>near</child></joint>'))
    monkeypatch.delenv('GZ_SIM_RESOURCE_PATH', raising=False)
    with pytest.raises(DescriptionError, match="File 'x500' does not exist"):
        load(path)
    monkeypatch.setenv('GZ_SIM_RESOURCE_PATH', str(models))
    assert list(load(path).links) == ['far', 'near']


@pytest.mark.parametrize('content, message', [
    ('<link name="a"/><include><uri>../away.sdf</uri></include>', 'outside the folders'),
    ('<link name="a"/><include><uri>/etc/passwd</uri></include>', 'outside the folders'),
    ('<link name="a"/><include><uri>https://example.org/m</uri></include>',
     "'https://example.org/m' is fetched from the network by Gazebo and RViz alone"),
    ('<link name="a"/><include><uri>self.sdf</uri></include>', 'includes itself'),
    ('<link name="a"/><include><uri>robot.urdf</uri></include>', 'not SDFormat'),
    ('<link name="a"/><include/>', 'has no <uri>'),
    ('<link name="a"><pose relative_to="b"/></link><link name="b"><pose relative_to="a"/></link>',
     'relative to itself'),
    ('<link name="a"><pose relative_to="x"/></link>', "Frame 'x' does not exist"),
    ('<link name="a"><pose>0 0 0</pose></link>', '6 expected'),
    ('<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>' + joints('fixed')
     .replace('<parent>l0', '<parent>f'), 'attached to itself'),
    (joints('hinge'), "unknown type 'hinge'"),
    (joints('revolute', axes=''), 'has no <axis>'),
    (joints('revolute', axes='<axis><xyz>0 0 0</xyz></axis>'), 'axis is zero'),
    (joints('fixed').replace('<parent>l0', '<parent>l1'), 'joins a link to itself'),
    ('<link name="a"/><link name="b"/>', 'root links'),
    ('', 'has no link'), ('<frame name="a"/><link name="a"/>', 'the same name as a frame'),
    ('<model name="n">' * 40 + '</model>' * 40, 'nested deeper')])
def test_what_is_not_valid_is_one_error_at_its_line(tmp_path, content, message):
    (tmp_path.parent / 'away.sdf').write_text(model('<link name="b"/>'))
    (tmp_path / 'robot.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    path = tmp_path / 'self.sdf'
    path.write_text(model(content))
    with pytest.raises(DescriptionError, match=message) as raised:
        load(path)
    assert raised.value.line == 1
    assert any(each.severity.name == 'ERROR' for each in validate(path).findings)


@pytest.mark.parametrize('text', ['<sdf/>', '<sdf version="1.2"/>', '<sdf version="2.0"/>'])
def test_versions_that_are_not_read(text):
    finding, = validates(text).findings
    assert finding.code == 'conversion-failed' and 'version' in finding.message


def test_joints_that_urdf_does_not_have():
    robot = loads(model(joints('universal', axes='<axis><xyz>1 0 0</xyz></axis>'
                               '<axis2><xyz>0 1 0</xyz></axis2>')))
    assert [(joint.name, joint.axis) for joint in robot.tree] == [
        ('j0', (1, 0, 0)), ('j0::axis2', (0, 1, 0))]
    robot = loads(model(joints('screw', extra='<screw_thread_pitch>0.01</screw_thread_pitch>')))
    follower = robot.joints['j0::axis2']
    assert follower.mimic.joint == 'j0'
    assert follower.mimic.multiplier == pytest.approx(0.01 / (2 * np.pi))
    robot = loads(model(joints('ball')))
    assert len(robot.tree) == 3
    assert lost(robot) == ["Joint 'j0' is a ball joint, which URDF does not have, and becomes 3 "
                           'joints with links without mass between them']


def test_a_link_with_two_parents_closes_a_loop():
    robot = loads(model(
        joints('revolute', 'revolute') + '<joint name="k" type="revolute"><parent>l0</parent>'
        '<child>l2</child><axis><xyz>0 0 1</xyz></axis></joint>'))
    loop, = robot.loops
    assert (loop.name, loop.type.value, loop.parent, loop.child) == ('k', 'hinge', 'l0', 'l2')


def test_a_joint_to_the_world_makes_it_the_root():
    robot = loads(model('<pose>0 0 2 0 0 0</pose><link name="a"><pose>1 0 0 0 0 0</pose></link>'
                        '<joint name="j" type="fixed"><parent>world</parent><child>a</child>'
                        '</joint>'))
    assert (robot.root, robot.joints['j'].origin.xyz) == ('world', (1, 0, 2))


@pytest.mark.parametrize(('shape', 'mass', 'moments'), [
    ('<box><size>1 2 3</size></box>', 6000, (6500, 5000, 2500)),
    ('<ellipsoid><radii>1 1 1</radii></ellipsoid>', 4188.790, (1675.516,) * 3),
    ('<sphere><radius>1</radius></sphere>', 4188.790, (1675.516,) * 3)])
def test_inertia_of_collisions(shape, mass, moments):
    robot = loads(model(f'<link name="a"><inertial auto="true"/><collision name="c"><geometry>'
                        f'{shape}</geometry></collision></link>', '1.11'))
    inertial = robot.links['a'].inertial
    assert inertial.mass == pytest.approx(mass, rel=1e-6)
    assert (inertial.ixx, inertial.iyy, inertial.izz) == pytest.approx(moments, rel=1e-6)


def test_shapes_are_converted_or_lost_at_their_place():
    shapes = ('<plane><normal>0 0 1</normal></plane>',
              '<cone><radius>1</radius><length>1</length></cone>',
              '<capsule><radius>1</radius><length>2</length></capsule>')
    robot = loads(model('<link name="a">' + ''.join(
        f'<visual name="v{number}"><geometry>{shape}</geometry></visual>'
        for number, shape in enumerate(shapes)) + '</link>'))
    assert [type(each.geometry).__name__ for each in robot.links['a'].visuals] == ['Capsule']
    assert lost(robot) == [f"Link 'a' loses <{tag}>, a shape that URDF does not have"
                           for tag in ('plane', 'cone')]


def test_what_only_gazebo_reads_is_kept():
    robot = loads(model(
        '<static>true</static><plugin name="p" filename="q"/>' + joints('revolute').replace(
            '<link name="l1"/>', '<link name="l1"><pose>1 0 0 0 0 0</pose>'
            '<sensor name="imu" type="imu"><pose>0 0 1 0 0 0</pose></sensor></link>').replace(
                '<parent>', '<pose>0 0 3 0 0 0</pose><parent>')))
    kept = {element[0].tag: element for element in robot.gazebo}
    assert set(kept) == {'static', 'plugin', 'sensor'}
    assert kept['sensor'].get('reference') == 'l1'
    assert kept['sensor'].find('sensor/pose').text == '0.0 0.0 -2.0 0.0 0.0 0.0'


def test_axes_of_old_versions_are_those_of_the_model():
    chain = joints('revolute').replace(
        '<link name="l1"/>', '<link name="l1"><pose>0 0 0 1.5707963267948966 0 0</pose></link>')
    assert loads(model(chain, '1.4')).joints['j0'].axis == pytest.approx((0, 1, 0))
    assert loads(model(chain, '1.6')).joints['j0'].axis == (0, 0, 1)


@pytest.mark.slow
def test_includes_of_includes_are_bounded(tmp_path):
    for depth in range(7):
        (tmp_path / f'{depth}.sdf').write_text(model('<link name="a"/>' + ''.join(
            f'<include><uri>{depth + 1}.sdf</uri><name>n{number}</name></include>'
            for number in range(12)) if depth < 6 else ''.join(
                f'<link name="a{number}"/>' for number in range(9))))
    with pytest.raises(DescriptionError, match='more than 160000 elements, 1000 files or 32 MB'):
        load(tmp_path / '0.sdf')


@pytest.mark.slow
def test_a_million_elements_are_refused():
    with pytest.raises(DescriptionError, match='more than 160000 elements'):
        loads(model('<link name="a"/>' * 200_000))


def test_poses_that_depend_on_many_others():
    links = ''.join(f'<link name="l{number}"><pose relative_to="l{number + 1}">1 0 0 0 0 0</pose>'
                    '</link>' for number in range(300)) + '<link name="l300"/>'
    held = ''.join(f'<joint name="j{number}" type="fixed"><parent>l300</parent>'
                   f'<child>l{number}</child></joint>' for number in range(300))
    assert loads(model(links + held)).joints['j0'].origin.xyz == (300, 0, 0)


def test_names_used_twice_before_1_7_are_changed_as_in_libsdformat():
    for order in (('link', 'joint'), ('joint', 'link')):
        parts = {'link': '<link name="tool"/>',
                 'joint': '<joint name="tool" type="revolute"><parent>base</parent>'
                          '<child>tool</child><axis><xyz>0 0 1</xyz></axis></joint>'}
        text = model('<link name="base"/>' + ''.join(map(parts.get, order)), '1.6')
        robot = loads(text)
        assert (list(robot.joints), robot.joints['tool_joint'].child) == (['tool_joint'], 'tool')
        with pytest.raises(DescriptionError, match='has the same name as a'):
            loads(text.replace('1.6', '1.7'))


@pytest.mark.parametrize('kind', ['revolute2', 'universal'])
def test_second_axis_is_by_default_z(kind):
    robot = loads(model(joints(kind, axes='<axis><xyz>1 0 0</xyz></axis>')))
    assert [joint.axis for joint in robot.tree] == [(1, 0, 0), (0, 0, 1)]


@pytest.mark.parametrize('text', ['15 15 15 1', '-0.1 0 0', '1 1', '1 1 1 1 1', 'red'])
def test_colours_that_gazebo_refuses_are_said(text):
    visual = ('<link name="l"><visual name="v"><geometry><sphere><radius>1</radius></sphere>'
              '</geometry><material><ambient>{}</ambient></material></visual></link>')
    assert [lost(loads(model(visual.format(each)))) for each in ('1 0 0.5', '')] == [[], []]
    light = '<link name="l"><light name="s" type="point"><diffuse>{}</diffuse></light></link>'
    assert lost(loads(model(light.format(text)))) == [
        "<diffuse> of link 'l' is not three or four numbers from 0 to 1: Gazebo refuses the file"]


def test_pose_of_the_model_is_read_and_models_without_links_are_named():
    with pytest.raises(DescriptionError, match='pose'):
        loads(model('<pose>a</pose><link name="l"/>'))
    with pytest.raises(DescriptionError, match='has no link') as caught:
        loads(model('<model name="n"><static>1</static></model>'))
    assert not caught.value.hint
