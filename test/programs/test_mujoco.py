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

"""What MuJoCo refuses or loses of a robot is said with its reason, where it is written."""

from math import isnan
from pathlib import Path

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import obj
from support.program_cases import source_of

from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.models import account_of

INERTIAL = ('<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
            'izz="1"/></inertial>')
ZERO = INERTIAL.replace('"1"', '"0"')
BOX = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'
OPTIONS = '<mujoco><compiler {}/></mujoco>'


def account(content, program='mujoco', folder='.'):
    source = source_of(f'<robot name="r">{content}</robot>')
    return account_of(program, source, Context(ResourceResolver(folder), Path(folder, 'r.urdf')))


def messages(content, program='mujoco', folder='.'):
    return [str(each.message) for each in account(content, program, folder).losses]


def arm(link=INERTIAL, joint='<limit lower="-1" upper="1"/>', kind='revolute', base=INERTIAL):
    return (f'<link name="base">{base}</link><link name="arm">{link}</link>'
            f'<joint name="j" type="{kind}"><parent link="base"/><child link="arm"/>{joint}'
            '</joint>')


def test_mass_from_shapes():
    assert "Link 'arm' gets 1 kg from its collision shapes, at 1000 kg/m^3" in messages(arm(BOX))


def test_equal_limits_are_none():
    found = account(arm(joint='<limit effort="1"/>'))
    assert "Joint 'j' is not limited, because its limits are equal" in [
        str(each.message) for each in found.losses]
    assert found.kept_of('position_limits') == '0 of 1'


def test_a_root_that_is_the_world_is_no_loss():
    world = ('<link name="world"/><joint name="w" type="{}"><parent link="world"/>'
             '<child link="base"/></joint>')
    found = account(arm() + world.format('fixed'))
    assert not [each for each in found.losses if each.of == 'base']
    assert found.base == 'fixed'
    found = account(arm() + world.format('floating'))
    assert (found.base, found.kept.body.mass) == ('free', 4)


@pytest.mark.parametrize(('option', 'field', 'kept'), [
    ('fusestatic="false"', 'links', 3), ('discardvisual="false"', 'visuals', {'box': 1})])
def test_options_of_the_description(option, field, kept):
    robot = arm(base=INERTIAL + BOX.replace('collision', 'visual')) + (
        '<link name="tool"/><joint name="t" type="fixed"><parent link="arm"/>'
        '<child link="tool"/></joint>')
    assert getattr(account(robot).kept, field) != kept
    assert getattr(account(OPTIONS.format(option) + robot).kept, field) == kept


def test_limits_may_be_infinite():
    def limited(limit):
        return account(arm(joint=f'<limit {limit}/>')).kept.position_limits
    assert limited('lower="1" upper="inf"') == limited('lower="-inf" upper="inf"') == 1
    assert limited('lower="1"') == limited('lower="1" upper="1"') == 0


def test_inertia_that_an_option_repairs():
    robot = arm(INERTIAL.replace('izz="1"', 'izz="9"'))
    assert not account(robot).loads
    repaired = OPTIONS.format('balanceinertia="true"') + robot
    assert account(repaired).loads
    assert "The inertia of link 'arm' is changed by the options of the compiler" in messages(
        repaired)


def test_releases_find_meshes_in_different_folders(tmp_path):
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes' / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    robot = arm(INERTIAL + (
        '<collision><geometry><mesh filename="meshes/a.stl"/></geometry></collision>'))
    assert account(robot, folder=tmp_path).loads
    causes = account(robot, 'mujoco-3.3', tmp_path).causes
    assert [str(each.message) for each in causes] == [
        "Mesh 'a.stl', which is 'meshes/a.stl' without its folders, does not exist beside the "
        'description']
    assert 'strippath="false"' in causes[0].hint
    assert account(OPTIONS.format('strippath="false"') + robot, 'mujoco-3.3', tmp_path).loads
    assert account(robot, 'mujoco-3.8', tmp_path).loads


def test_a_path_that_begins_with_the_meshdir_has_it_twice(tmp_path):
    """All descriptions of Unitree's G1 have meshdir="meshes" and meshes/pelvis.STL."""
    robot = OPTIONS.format('meshdir="meshes"') + arm(INERTIAL + (
        '<collision><geometry><mesh filename="meshes/a.stl"/></geometry></collision>'))
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes' / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    cause, = account(robot, folder=tmp_path).causes
    assert cause.hint == 'MuJoCo puts the meshdir before the path'
    assert account(robot, 'mujoco-3.3', tmp_path).loads


def test_the_first_object_of_a_mesh(tmp_path):
    second = obj(2 * CORNERS + 5, CUBE + len(CORNERS))
    for name, tag in {'o.obj': 'o b', 'g.obj': '  g\tb', 'usemtl.obj': 'usemtl b'}.items():
        (tmp_path / name).write_text(f'o a\n{obj(CORNERS, CUBE)}{tag}\n{second}')
    masses = [account(arm(mesh(name).removeprefix(INERTIAL)), folder=tmp_path).kept.body.mass
              for name in ('o.obj', 'g.obj', 'usemtl.obj')]
    assert masses[:2] == pytest.approx([1000, 1000])
    assert masses[2] > 9000


@pytest.mark.parametrize('scale', ['2e-6 2e-6 2e-6', '1e-10 1e-10 1e-10', '1e-8 -1e-8 1'])
def test_meshes_without_volume(tmp_path, scale):
    (tmp_path / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    robot = arm(mesh('a.stl').replace('<mesh ', f'<mesh scale="{scale}" '))
    assert (MESH, 'mesh', 'mesh too small') in told(account(robot, folder=tmp_path).causes)


def test_releases_before_4_misplace_what_they_fuse():
    def tool(origin):
        return arm() + (f'<link name="tool">{INERTIAL}</link><joint name="t" type="fixed">{origin}'
                        '<parent link="arm"/><child link="tool"/></joint>')

    def found(program, origin):
        data = account(tool(origin), program).data('')
        return data['mass']['out'], data['centre_of_mass']['out'] is None, (
            data['inertia']['out'] is None)

    for program in ('mujoco-3.3', 'mujoco-3.8'):
        assert found(program, '') == (4, False, False)
        assert found(program, '<origin xyz="0 0 1"/>') == (4, True, True)
        assert ("The inertia of link 'tool' is misplaced in that of link 'arm', as position and "
                'rotation between them are mixed up') in messages(
            tool('<origin xyz="0 0 1"/>'), program)
    assert found('mujoco', '<origin xyz="0 0 1"/>') == (4, False, False)


def test_a_mesh_that_has_the_name_of_another(tmp_path):
    for name in ('base', 'arm'):
        (tmp_path / name).mkdir()
        (tmp_path / name / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE].astype(float)))
    shape = '<collision><geometry><mesh filename="{}/a.stl"/></geometry></collision>'
    robot = OPTIONS.format('strippath="false"') + arm(
        INERTIAL + shape.format('arm'), base=INERTIAL + shape.format('base'))
    assert "The mesh is that of 'base/a.stl', which has the same name" in messages(
        robot, 'mujoco-3.3', tmp_path)


def test_joints_that_follow():
    robot = arm() + (
        f'<link name="b">{INERTIAL}</link><joint name="k" type="continuous"><parent link="base"/>'
        '<child link="b"/><mimic joint="j"/></joint>')
    assert account(robot).kept_of('mimic') == '1 of 1'
    for release in ('mujoco-3.3', 'mujoco-3.8'):
        assert "Joint 'k' does not follow 'j'" in messages(robot, release)


def mesh(uri):
    return INERTIAL + f'<collision><geometry><mesh filename="{uri}"/></geometry></collision>'


def told(losses):
    """Return the path below the robot, the kind and the reason in a few words of each loss."""
    return [(each.element.path.removeprefix('/robot/'), each.of, each.brief) for each in losses]


MESH = "link[@name='arm']/collision/geometry/mesh"
MASSLESS = 'moving link without mass'


@pytest.mark.parametrize(('content', 'path', 'kind', 'brief'), [
    (arm(''), "link[@name='arm']", 'mass', MASSLESS),
    (arm(INERTIAL.replace('"2"', '"0"')), "link[@name='arm']/inertial/mass", 'mass', MASSLESS),
    (arm(ZERO), "link[@name='arm']/inertial/inertia", 'inertia', 'moving link without inertia'),
    (arm(INERTIAL.replace('izz="1"', 'izz="9"')), "link[@name='arm']/inertial/inertia", 'inertia',
     ''),
    (arm(joint='<axis xyz="0 0 0"/>'), "joint[@name='j']/axis", 'axis', ''),
    (arm(joint='<axis xyz="9e-8 0 0"/>'), "joint[@name='j']/axis", 'axis', ''),
    (arm(joint='<limit lower="1" upper="2"/>', kind='spherical'), "joint[@name='j']/limit",
     'limit', ''),
    (OPTIONS.format('autolimits="false"') + arm(joint='<limit effort="1"/>'),
     "joint[@name='j']/limit", 'limit', ''),
    (arm(joint='<limit lower="0 1"/>'), "joint[@name='j']/limit", 'attribute', ''),
    (arm(joint='<mimic joint="j"/>'), "joint[@name='j']/mimic", 'mimic', ''),
    (arm(joint='<origin/><origin/>'), "joint[@name='j']/origin[2]", 'element', ''),
    (arm(kind='screw'), "joint[@name='j']", 'type', ''),
    (arm().replace('child link="arm"', 'child link="amr"'), "joint[@name='j']/child", 'structure',
     'child link missing'),
    (arm().replace('"base"', '"arm"', 1), 'link[2]', 'name', ''),
    (arm().replace('name="base"', '', 1), 'link[1]', 'name', ''),
    (arm() + '<joint name="k" type="fixed"><parent link="arm"/><child link="base"/></joint>',
     "joint[@name='k']", 'structure', ''),
    (arm() + '<joint name="k" type="fixed"><parent link="base"/><child link="arm"/></joint>',
     "joint[@name='k']/child", 'structure', ''),
    (arm(mesh('package://a/b.stl')), MESH, 'mesh', 'mesh with a package:// URI'),
    (arm(mesh('b.dae')), MESH, 'mesh', 'mesh format .dae'),
    (arm(mesh('b.stl')), MESH, 'mesh', 'mesh not found'),
    (arm(BOX.replace('0.1 0.1 0.1', '1 1 0')), "link[@name='arm']/collision/geometry/box",
     'shape', ''),
    (OPTIONS.format('angle="deg"') + arm(), 'mujoco/compiler', 'attribute', '')])
def test_causes_are_where_they_are_written(content, path, kind, brief):
    assert (path, kind, brief) in told(account(content).causes)


@pytest.mark.parametrize(('content', 'path', 'kind'), [
    (arm(joint='<limit lower="1" upper="-1"/>'), "joint[@name='j']/limit", 'limit'),
    (arm(joint='<limit lower="-1" upper="1" velocity="1"/>'), "joint[@name='j']/limit", 'limit'),
    (arm(joint='<limit effort="-1"/>', kind='continuous'), "joint[@name='j']/limit", 'limit'),
    (arm(joint='<limit effort="0"/>', kind='continuous'), "joint[@name='j']/limit", 'limit'),
    (arm(joint='<mimic joint="q"/>'), "joint[@name='j']/mimic", 'mimic'),
    (arm(joint='<calibration/>'), "joint[@name='j']/calibration", 'element'),
    (arm(joint='<origin quat_xyzw="0 0 0 1"/>'), "joint[@name='j']/origin", 'attribute')])
def test_losses_are_where_they_are_written(content, path, kind):
    found = account(content)
    assert found.loads
    assert (path, kind, '') in told(found.losses)


def test_several_roots_are_no_reason_to_refuse():
    found = account(arm() + '<link name="alone"/>')
    assert (found.loads, found.source) == (True, None)


def test_the_root_of_mjcf_and_of_other_files():
    for tag, loads in {'ROBOT': True, 'mujoco': True, 'sdf': False}.items():
        source = source_of(f'<{tag}><link name="a"/></{tag}>')
        assert account_of('mujoco', source, Context()).loads is loads


def test_files_that_may_not_be_read():
    source = source_of(f'<robot name="r">{arm(mesh("b.stl").removeprefix(INERTIAL))}</robot>')
    found = account_of('mujoco', source, Context(reads_files=False))
    assert found.loads
    assert isnan(found.kept.body.mass)
    assert "Link 'arm' gets its mass from its collision shapes" in [
        str(each.message) for each in found.losses]
