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

"""Known mistakes that a description shows, without other files of its package."""

import pytest

from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import mesh_data
from urdf_tools.check.validator import validate
from urdf_tools.findings.finding import Severity

MASS = ('<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'
        '</inertial>')

BALL = '<collision><geometry><sphere radius="0.1"/></geometry></collision>'

ARM = ('<link name="{0}"/><link name="a"/><link name="b"/>{1}'
       '<joint name="a" type="revolute"><parent link="{0}"/><child link="a"/></joint>'
       '<joint name="b" type="revolute"><parent link="a"/><child link="b"/></joint>'
       '<ros2_control name="a" type="system"><hardware><plugin>{2}</plugin></hardware>'
       '</ros2_control>{3}')

GAZEBO = 'gz_ros2_control/GazeboSimSystem'

LEG = ('<link name="c"/><joint name="c" type="revolute"><parent link="base"/><child link="c"/>'
       '</joint>')

CHAIN = ('<link name="base"/><link name="a"/><link name="b"/><link name="c"/>'
         + ''.join(f'<joint name="{child}" type="{{}}"><parent link="{parent}"/>'
                   f'<child link="{child}"/></joint>'
                   for parent, child in (('base', 'a'), ('a', 'b'), ('b', 'c'))))

WHEELS = ('<link name="base"/>' + ''.join(
    f'<link name="{child}"/><joint name="{child}" type="continuous"><parent link="{parent}"/>'
    f'<child link="{child}"/></joint>' for parent, child in (
        ('base', 'steer'), ('steer', 'wheel'), ('base', 'other'))))

DRIVE = ('<link name="foot"/><link name="a"/><joint name="a" type="fixed"><parent link="foot"/>'
         '<child link="a"/></joint><gazebo><plugin name="a" '
         'filename="libgazebo_ros_diff_drive.so"><robot_base_frame>{}</robot_base_frame>'
         '<publish_odom_tf>{}</publish_odom_tf></plugin></gazebo>')

ODOMETRY = ('<link name="a"/><gazebo><plugin name="gz::sim::systems::DiffDrive" filename='
            '"gz-sim-diff-drive-system"/><plugin name="gz::sim::systems::JointStatePublisher" '
            'filename="gz-sim-joint-state-publisher-system"/></gazebo><gazebo><plugin filename='
            '"gz-sim-odometry-publisher-system" name="gz::sim::systems::OdometryPublisher">{}'
            '</plugin></gazebo>')

SURFACES = ('<link name="a"/><link name="b"/><joint name="b" type="fixed"><parent link="a"/>'
            '<child link="b"/></joint><gazebo reference="a"><mu1>{1}</mu1></gazebo>'
            '<gazebo reference="{0}"><mu1>{2}</mu1></gazebo>')

TURNED = ('<link name="a"/><link name="b"/><joint name="b" type="fixed"><parent link="a"/><child '
          'link="b"/></joint><gazebo reference="a"><sensor name="imu" type="imu"><pose>{}</pose>'
          '<gz_frame_id>{}</gz_frame_id></sensor></gazebo>')

GPIO = ('<link name="a"/><ros2_control name="a" type="system"><hardware><plugin>{}</plugin>'
        '</hardware><gpio name="a"><command_interface name="on"/></gpio></ros2_control>')

IMAGES = ('<library_images><image id="i"><init_from>{}</init_from></image><image id="unused">'
          '<init_from>other.png</init_from></image></library_images><library_effects><effect '
          'id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>i</init_from>'
          '</surface></newparam></profile_COMMON></effect></library_effects><library_geometries>')


def told(folder, robot, files=(), severities=(Severity.ERROR, Severity.WARN)):
    """Return what is said about mistakes in a robot."""
    path = folder / 'a' / 'urdf' / 'a.urdf'
    for file, text in (('urdf/a.urdf', f'<robot name="a">{robot}</robot>'), *files):
        (folder / 'a' / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / 'a' / file).write_text(text)
    return [each.message for each in validate(path).findings
            if each.code == 'known-mistake' and each.severity in severities]


@pytest.mark.parametrize(('robot', 'said'), [
    ('<mujoco><compiler/><option/><size/></mujoco><link name="a"/>', None),
    ('<mujoco><worldbody/></mujoco><link name="a"/>', 'worldbody'),
    ('<mujoco><default/></mujoco><link name="a"/>', 'only <compiler>, <option> and <size>'),
    ('<mujoco><compiler angle="radian"/></mujoco><link name="a"/>', None),
    ('<mujoco><compiler angle="degree"/></mujoco><link name="a"/>', 'reads all angles as radians'),
    (f'<link name="a">{MASS.format(2)}{BALL}</link><link name="b">{MASS.format(3)}{BALL}</link>'
     f'<link name="tool">{MASS.format(5)}</link>', "'tool' has no shape, and weighs as much as"),
    (f'<link name="a">{MASS.format(2)}{BALL}</link><link name="b">{MASS.format(3)}{BALL}</link>'
     f'<link name="tool">{MASS.format(0.1)}</link>', None),
    # The only body of a robot may have its mass in a link of its own.
    (f'<link name="a">{MASS.format(5)}{BALL}</link><link name="b">{MASS.format(5)}</link>', None),
    (CHAIN.format(*3 * ['continuous']), "'c' is the third continuous joint in a row"),
    (CHAIN.format('continuous', 'revolute', 'continuous'), None), (WHEELS, None),
    (ARM.format('base', '', GAZEBO, ''), "'base' is the root of an arm and not called world"),
    (ARM.format('world', '', GAZEBO, ''), None), (ARM.format('base', LEG, GAZEBO, ''), None),
    (ARM.format('base', '', 'mock_components/GenericSystem', ''), None),
    (ARM.format('base', '', GAZEBO, '<gazebo><static>true</static></gazebo>'), None),
    (ARM.format('base', '', GAZEBO, '<gazebo><plugin filename="gz-sim-multicopter-motor-model-'
                'system" name="a"/></gazebo>'), None),
    ('<default class="a"/><link name="a"/>', "'default' is an element of MJCF"),
    ('<link name="a"><geom/></link>', "'geom' is an element of MJCF"),
    ('<link name="a"><contact><rolling_friction value="100"/></contact></link>', '100'),
    ('<link name="a"><contact><spinning_friction value="0.001"/></contact></link>', None),
    (CHAIN.format(*3 * ['revolute']).replace('<link name="a"/>', f'<link name="a">{BALL}'
                                             f'{MASS.format(0)}</link>'), "'a' has a collision"),
    (f'<link name="a">{BALL}{MASS.format(0)}</link>', None),
    ('<link name="a"/><gazebo><plugin name="a" '
     'filename="libroboticsgroup_gazebo_mimic_joint_plugin.so"/></gazebo>', '_upatras_gazebo'),
    ('<link name="a"/><gazebo><plugin name="a" filename="libhector_gazebo_ros_imu.so"/></gazebo>',
     'Gazebo Classic and ROS 1, which Gazebo does not load'),
    ('<link name="a"/><gazebo><plugin name="a" filename="gz-sim-imu-system"/></gazebo>', None),
    (DRIVE.format('a', 'true'), "'a' has a parent in the description, and odom becomes its second "
     'one, as the plugin publishes odometry to it; the root is foot'),
    (DRIVE.format('foot', 'true'), None), (DRIVE.format('a', 'false'), None),
    (ODOMETRY.format(''), "'gz::sim::systems::OdometryPublisher' publishes odometry on the same "
     'topic as DiffDrive'),
    (ODOMETRY.format('<odom_topic>odom</odom_topic>'), None),
    (TURNED.format('0 0 0 3.14 0 0', 'a'), "'imu' is turned by its <pose>, which no frame shows"),
    (TURNED.format('0 0 0.1 0 0 0', 'a'), None), (TURNED.format('0 0 0 3.14 0 0', 'b'), None),
    (GPIO.format('topic_based_ros2_control/TopicBasedSystem'), "'<gpio> a' has interfaces that "
     'TopicBasedSystem does not make'), (GPIO.format('my_hardware/System'), None),
    (SURFACES.format('a', '0.20', '0.9'), "'<mu1>' is set twice, with other values, for a: 0.20 "
     'and 0.9'),
    (SURFACES.format('a', '0.20', '.2'), None), (SURFACES.format('a', '10', '1'), 'is set twice'),
    (SURFACES.format('b', '0.2', '0.9'), None)])
def test_mistake_of_a_robot(tmp_path, robot, said):
    messages = told(tmp_path, robot, (), tuple(Severity) if said else (Severity.WARN,))
    assert any(said in each for each in messages) if said else not messages, messages


PACKAGE = 'package.xml', '<package format="3"><name>a</name></package>'

MESH = ('<link name="a"><visual><geometry><mesh filename="package://a/{}"/></geometry></visual>'
        '</link>')


SAME = ''.join(f'<link name="{name}"><collision><geometry><mesh filename="{{}}"/></geometry>'
               '</collision></link>' for name in 'ab')

STANDING = '<link name="base"><collision><geometry><box/></geometry></collision></link>' + ''.join(
    f'<link name="{name}"><collision><geometry><cylinder/></geometry></collision></link>'
    f'<joint name="{name}" type="continuous"><parent link="base"/><child link="{name}"/></joint>'
    for name in 'lr') + (
        '<gazebo><plugin filename="gz-sim-diff-drive-system"><{0}_joint>l</{0}_joint>'
        '<right_joint>r</right_joint></plugin></gazebo>{1}')

HELD = ('</hardware>', '</hardware><joint name="a"><command_interface name="position"/></joint>')

LIGHT = CHAIN.format(*3 * ['revolute']).replace(
    '<link name="a"/>', f'<link name="a">{MASS}</link>').replace(
        '<link name="b"/>', f'<link name="b">{MASS.format(2)}</link>')


@pytest.mark.parametrize(('wrong', 'right', 'said'), [
    ('<link name="a"><visual name="b"/><visual name="b"/></link>',
     '<link name="a"><visual name="b"/><visual name="c"/></link>', "'b' is already the name of"),
    (WHEELS, WHEELS.replace('</joint>', '<limit effort="1" velocity="1"/></joint>'),
     'has no <limit>, so that nothing says which effort'),
    ('<link name="a"/><sensor name="b"/>', '<link name="a"/><gazebo><sensor name="b"/></gazebo>',
     "'b' is an element that URDF has no more"),
    ('<link name="a"/><material name="b"><texture filename="c"/></material>',
     '<link name="a"/><material name="b"><texture filename="c"/><color/></material>',
     'and no <color>'),
    (ARM.format('world', '', GAZEBO, '<gazebo><plugin/></gazebo>'), ARM.format(
        'world', '', GAZEBO, '<gazebo><plugin/></gazebo>').replace(
            '</joint>', '<dynamics damping="1"/></joint>'), 'neither damping nor friction'),
    (ARM.format('world', '', GAZEBO, '').replace(*HELD), ARM.format(
        'world', '', GAZEBO, '').replace(HELD[0], HELD[1] + '<joint name="b"/>'),
     "'b' is in no <ros2_control>, and mimics no joint"),
    (LIGHT.format(0.02), LIGHT.format(0.2),
     "'a' is between two joints that move, and has less than a fortieth"),
    (CHAIN.format(*3 * ['revolute']), ARM.format('a', '', GAZEBO, '').replace(
        'joint name="', 'joint name="to_'), "'a' is the name of a joint and of a link"),
    (SAME.format('a/m.stl', 'b/m.stl'), SAME.format('a/m.stl', 'a/m.stl'),
     "'m.stl' is also the name of another mesh"),
    (SAME.format('package://p/m.stl', 'm'), SAME.format('n', 'm'),
     "'p' is not found as a package, as no"),
    (STANDING.format('left', ''), STANDING.format('left', f'<link name="c">{BALL}</link>'),
     'nothing else of the robot is a caster'),
    (STANDING.format('left', ''), STANDING.format('front', ''), 'nothing else of the robot')])
def test_what_matters_to_some_programs_is_noted(tmp_path, wrong, right, said):
    heavy = f'<link name="heavy">{MASS.format(1)}</link>'
    for robot in wrong, right:
        notes = told(tmp_path, robot + heavy, (), (Severity.INFO,))
        assert any(said in each for each in notes) == (robot is wrong)


@pytest.mark.parametrize(('folder', 'is_wrong'), [
    ('visual', True), ('collision', False), ('other', False)])
def test_visual_takes_a_collision_mesh_although_there_is_one_for_it(tmp_path, folder, is_wrong):
    messages = told(tmp_path, MESH.format('meshes/collision/a.stl'), [
        PACKAGE, ('meshes/collision/a.stl', ''), (f'meshes/{folder}/a.dae', '')])
    assert any('is a collision mesh in a <visual>' in each for each in messages) == is_wrong


@pytest.mark.parametrize(('files', 'suggested'), [
    (['arms/meshes/upper.stl'], 'package://a/arms/meshes/upper.stl'),
    (['arms/meshes/upper.stl', 'old/upper.stl'], 'does not exist'),
    (['arms/meshes/lower.stl'], 'does not exist')])
def test_the_only_file_of_that_name_is_suggested(tmp_path, files, suggested):
    told(tmp_path, MESH.format('meshes/Upper.stl'), [PACKAGE, *((file, '') for file in files)])
    finding, = (each for each in validate(tmp_path / 'a' / 'urdf' / 'a.urdf').findings
                if each.code == 'mesh-not-found')
    assert suggested in finding.hint


@pytest.mark.parametrize(('mesh', 'files', 'said'), [
    ('a.obj', {'a.obj': 'mtllib a.mtl\n'}, "'a.mtl'"),
    ('a.obj', {'a.obj': 'mtllib a.mtl\n', 'a.mtl': 'newmtl a\nmap_Kd a.png\n'}, "'a.png'"),
    ('a.obj', {'a.obj': 'mtllib a.mtl\n', 'a.mtl': 'map_Kd a.png\n', 'a.png': ''}, None),
    ('a.dae', {'a.dae': 'a b.png'}, "'a%20b.png'"),
    ('a.dae', {'a.dae': 'a.png', '../materials/textures/a.png': ''}, None),
    ('a.dae', {'a.dae': 'a_normal.png'}, None)])
def test_textures_of_meshes(tmp_path, mesh, files, said):
    """An image counts if a material refers to it, and no bump map does."""
    for file, text in files.items():
        if file in ('a.obj', 'a.dae'):
            text += mesh_data('.obj', CORNERS[CUBE]).decode() if file == 'a.obj' else ''
            text = text if file == 'a.obj' else mesh_data('.dae', CORNERS[CUBE]).decode().replace(
                '<library_geometries>', IMAGES.format(text.replace(' ', '%20')))
        (tmp_path / 'a' / 'meshes' / file).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / 'a' / 'meshes' / file).write_text(text)
    told(tmp_path, MESH.format(f'meshes/{mesh}'), [PACKAGE])
    found = [each.message for each in validate(tmp_path / 'a' / 'urdf' / 'a.urdf').findings
             if each.code == 'texture-not-found']
    assert len(found) == bool(said) and all(said in each for each in found)


WHEEL = ('<link name="base"/><link name="wheel"><collision><geometry><cylinder radius="0.1" '
         'length="0.04"/></geometry></collision></link><joint name="a" type="continuous"><parent '
         'link="base"/><child link="wheel"/><origin xyz="0 0.2 0.01" rpy="1.5707963 0 0"/>'
         '</joint>')

SPAWN = """\
def generate_launch_description():
    share = get_package_share_directory('a') + '/urdf/a.urdf'
    return LaunchDescription([Node(package='ros_gz_sim', executable='create', arguments=[{}])])
"""


@pytest.mark.parametrize(('arguments', 'said'), [
    ("'-topic', 'robot_description', '-z', '0.02'", 'begins 0.07 m below the ground'),
    ("'-name', 'a'", 'begins 0.09 m below the ground'), ("'-name', 'a', '-z', '0.1'", None),
    ("'-name', 'a', '-z', height", None), ('*given', None)])
def test_robot_that_is_spawned_in_the_ground(tmp_path, arguments, said):
    told(tmp_path, WHEEL, [PACKAGE, ('launch/a.launch.py', SPAWN.format(arguments))])
    found = [each for each in validate(tmp_path / 'a' / 'urdf' / 'a.urdf').findings
             if each.code == 'below-ground']
    assert len(found) == bool(said) and all(
        said in each.message and each.hint == 'Write -z 0.09' for each in found)


@pytest.mark.parametrize(('name', 'launch', 'is_wrong'), [
    ('a.urdf', '', True), ('a.urdf.xacro', '', False),
    ('a.urdf', "Command(['xacro ', a])", False)])
def test_xacro_that_is_called_urdf(tmp_path, name, launch, is_wrong):
    told(tmp_path, '', [PACKAGE, ('launch/a.launch.py', SPAWN.format(launch))])
    path = tmp_path / 'a' / 'urdf' / name
    path.write_text('<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                    '<xacro:property name="b" value="1"/><link name="a${b}"/></robot>')
    found = [each.message for each in validate(path).findings if each.code == 'known-mistake']
    assert any('in a file that is called .urdf' in each for each in found) == is_wrong


@pytest.mark.parametrize(('name', 'meshes', 'is_wrong'), [
    ('a', ('b', 'c', 'd'), True), ('a', ('b', 'c'), False), ('other', ('b', 'c', 'd'), False)])
def test_export_of_one_link(tmp_path, name, meshes, is_wrong):
    path = tmp_path / 'a_description' / 'urdf' / 'a.urdf'
    for file, text in (
            ('urdf/a.urdf', f'<robot name="{name}">{MESH.format("meshes/b.stl")}</robot>'),
            ('package.xml', '<package format="3"><name>a_description</name></package>'),
            *((f'meshes/{each}.stl', '') for each in meshes)):
        (tmp_path / 'a_description' / file).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / 'a_description' / file).write_text(text)
    found = [each.message for each in validate(path).findings if each.code == 'known-mistake']
    assert any('is the only link' in each for each in found) == is_wrong


@pytest.mark.parametrize(('on_joint', 'on_visual'), [('{}', ''), ('', '<visual>{}</visual>')])
def test_poses_are_of_sdf(tmp_path, on_joint, on_visual):
    pose = '<pose xyz="0 0 1" rpy="0 0 0"/>'
    path = tmp_path / 'a.urdf'
    path.write_text(
        f'<robot name="a"><link name="a"/><link name="b">{on_visual.format(pose)}</link>'
        f'<joint name="c" type="fixed">{on_joint.format(pose)}<parent link="a"/>'
        '<child link="b"/></joint></robot>')
    found = [each.message for each in validate(path).findings if each.code == 'known-mistake']
    assert len(found) == 1 and found[0].startswith("'<pose>' is an element of SDF")
