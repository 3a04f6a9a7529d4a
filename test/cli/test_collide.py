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

"""Collision shapes on the command line: printed, shown as a change, and written."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import CORNERS
from support.mesh_files import CUBE

from urdf_tools import load
from urdf_tools.cli import main
from urdf_tools.meshes.facts import mesh_facts
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.records import Box
from urdf_tools.model.records import Capsule
from urdf_tools.model.records import Cylinder
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Sphere

pytest.importorskip('coal', reason='coal is not installed ("pip install coal")')

LINK = """  <link name="{0}">
    <!-- {0} stays -->
    <visual><geometry><mesh filename="{0}.stl" scale="0.1 0.2 0.3"/></geometry></visual>{1}
    <inertial>
      <mass value="6"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
"""
JOINT = ('  <joint name="{1}" type="fixed"><origin xyz="{2} 0 0"/><parent link="{0}"/>'
         '<child link="{1}"/></joint>\n')
OLD = '<collision name="old"><geometry><sphere radius="1"/></geometry></collision>'


def robot(*contents):
    return '<robot name="r">\n' + ''.join(contents) + '</robot>\n'


@pytest.fixture
def urdf(tmp_path, monkeypatch):
    """Return the file of a robot whose links are boxes, the second with two collisions."""
    monkeypatch.chdir(tmp_path)
    for name in 'ab':
        (tmp_path / f'{name}.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    path = tmp_path / 'robot.urdf'
    path.write_text(robot(LINK.format('a', ''), LINK.format('b', 2 * f'\n    {OLD}'),
                          JOINT.format('a', 'b', 1)))
    yield str(path)
    set_mesh_limits(MeshLimits())


def data_of(capsys, *arguments):
    code = main(['collide', *arguments, '--format', 'json'])
    return code, {link['link']: link for link in json.loads(capsys.readouterr().out)['links']}


def test_the_table_has_shapes_and_errors(urdf, capsys):
    assert main(['collide', urdf]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1] == ['a', 'box', '-', '12', '10.0', '0.0', '0.0', '-', '-']
    assert rows[2][:7] == ['b', 'box', '2', 'sphere', '12', '10.0', '0.0']
    assert float(rows[2][-1]) > 600


def test_collisions_that_are_visuals_have_no_error(urdf, capsys):
    """A cylinder is measured against 32 sides, which are 2.4 mm inside of it."""
    drum = '<geometry><cylinder radius="0.5" length="1"/></geometry>'
    mesh = '<geometry><mesh filename="a.stl" scale="0.1 0.2 0.3"/></geometry>'
    Path(urdf).write_text(robot(
        f'<link name="drum"><visual>{drum}</visual><visual><geometry><box size="0.1 0.1 0.1"/>'
        f'</geometry></visual><collision>{drum}</collision></link>',
        f'<link name="a"><visual>{mesh}</visual><collision>{mesh}</collision></link>',
        JOINT.format('drum', 'a', 1)))
    for link in data_of(capsys, urdf)[1].values():
        assert link['errors_today'] == {'outside': 0.0, 'excess': 0.0}, link


def test_json_has_metres_and_radians(urdf, capsys):
    code, links = data_of(capsys, urdf, '--links', 'b')
    assert code == 0 and [*links] == ['b']
    shape, = links['b']['shapes']
    assert shape == {'type': 'box', 'size': pytest.approx([0.1, 0.2, 0.3], abs=1e-6),
                     'xyz': pytest.approx([0.05, 0.1, 0.15], abs=1e-6), 'rpy': [0, 0, 0]}
    assert links['b']['errors']['excess'] < 1e-6
    assert links['b']['errors_today']['outside'] == 0
    assert links['b']['within_tolerance'] and not links['b']['kept']


@pytest.mark.slow
@pytest.mark.slow
@pytest.mark.parametrize('flat', [[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, 1, 1e-9]])
def test_a_flat_mesh_costs_no_other_link_its_shapes(urdf, capsys, flat):
    Path(urdf).with_name('a.stl').write_bytes(binary_stl(CORNERS[CUBE] * flat))
    code, links = data_of(capsys, urdf)
    assert code in (0, 1)
    shape, = links['b']['shapes']
    assert shape['type'] == 'box'


def test_excess_above_the_tolerance_is_said(urdf, capsys):
    for options, said in ((['--tolerance', '0.1'], True),
                          (['--tolerance', '1', '--fit'], False)):
        assert main(['collide', urdf, '--links', 'a', '--shapes', 'sphere', *options]) == 0
        output = capsys.readouterr().out
        assert ('Excess above the tolerance: a; --fit bounds it, too' in output) is said
        assert 'Not within the tolerance' not in output


@pytest.mark.slow
def test_what_is_written_is_read_and_written_once(urdf, capsys):
    before = Path(urdf).read_text()
    assert main(['collide', urdf, '--diff']) == 0
    diff = capsys.readouterr().out
    assert '+++' in diff and '+        <box size="0.1 0.2 0.3"/>' in diff
    assert Path(urdf).read_text() == before
    assert main(['collide', urdf, '--write']) == 0
    assert capsys.readouterr().out == f'Collisions of 2 links written to {urdf}\n'
    written = Path(urdf).read_text()
    links = load(urdf).links
    assert [shape.geometry for shape in links['a'].collisions] == [Box((0.1, 0.2, 0.3))]
    assert [shape.name for shape in links['b'].collisions] == ['old']
    for line in before.splitlines():
        assert line in written.splitlines() or 'collision' in line, line
    assert main(['collide', urdf, '--write']) == 0
    assert capsys.readouterr().out == f'{urdf} has these collisions already\n'
    assert Path(urdf).read_text() == written
    assert data_of(capsys, urdf)[1]['a']['kept']
    main(['check', urdf, '--format', 'json', '--level', 'info'])
    assert 'collision' not in capsys.readouterr().out.replace('collision_', '')


def test_hulls_are_written_beside_the_visual_meshes(urdf, capsys):
    (Path(urdf).parent / 'a.stl').write_bytes(binary_stl(CORNERS[CUBE] + [0, 0, 1]))
    arguments = ['collide', urdf, '--links', 'a', '--shapes', 'hull', '--fit', '--tolerance',
                 '1e-7', '--write']
    assert main(arguments) == 0, capsys.readouterr()
    shape, = load(urdf).links['a'].collisions
    assert shape.geometry == Mesh('a_hull1.stl')
    facts = mesh_facts(Path('a_hull1.stl'))
    assert (facts.faces, facts.openness, facts.volume) == (12, '', pytest.approx(0.006))
    before = Path('a_hull1.stl').stat().st_mtime_ns, Path(urdf).read_text()
    assert main(arguments) == 0
    assert (Path('a_hull1.stl').stat().st_mtime_ns, Path(urdf).read_text()) == before


def test_hulls_are_written_as_obj_for_programs_that_read_no_stl(urdf):
    assert main(['collide', urdf, '--links', 'a', '--shapes', 'hull', '--mesh-format', 'obj',
                 '--write']) == 0
    assert load(urdf).links['a'].collisions[0].geometry == Mesh('a_hull1.obj')
    facts = mesh_facts(Path('a_hull1.obj'))
    assert (facts.faces, facts.openness, facts.volume) == (12, '', pytest.approx(0.006))


@pytest.mark.slow
def test_hulls_have_the_format_of_collisions_that_drake_reads(urdf, capsys):
    arguments = ['collide', urdf, '--links', 'a', '--shapes', 'hull', '--write']
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        'Drake reads no STL collisions, and refuses the robot with them; "--mesh-format obj" '
        'writes what it reads']
    assert main([*arguments, '--mesh-format', 'obj']) == main(arguments) == 0
    assert 'Drake' not in capsys.readouterr().out
    assert load(urdf).links['a'].collisions[0].geometry == Mesh('a_hull1.obj')


def test_a_mesh_of_somebody_else_is_not_overwritten(urdf, capsys):
    Path('a_hull1.stl').write_bytes(b'mine')
    before = Path(urdf).read_text()
    assert main(['collide', urdf, '--links', 'a', '--shapes', 'hull', '--fit', '--tolerance',
                 '1e-7', '--write']) == 2
    assert "a_hull1.stl' exists" in capsys.readouterr().err
    assert (Path('a_hull1.stl').read_bytes(), Path(urdf).read_text()) == (b'mine', before)


def test_no_mesh_is_written_where_a_link_leads_to_nothing(urdf, capsys):
    Path('a_hull1.stl').symlink_to('elsewhere')
    assert main(['collide', urdf, '--links', 'a', '--shapes', 'hull', '--write']) == 2
    assert "a_hull1.stl' exists" in capsys.readouterr().err
    assert not Path('elsewhere').exists()


@pytest.mark.parametrize('version, kinds', [
    ('', [Cylinder, Sphere, Sphere]), (' version="1.2"', [Capsule])])
def test_a_capsule_is_three_shapes_where_there_are_none(urdf, version, kinds):
    text = Path(urdf).read_text().replace('<robot name="r"', f'<robot name="r"{version}')
    Path(urdf).write_text(text)
    assert main(['collide', urdf, '--links', 'a', '--shapes', 'capsule', '--tolerance', '1',
                 '--write']) == 0
    assert [type(shape.geometry) for shape in load(urdf).links['a'].collisions] == kinds


def test_visual_primitives_are_copied(urdf, capsys):
    Path(urdf).write_text(robot(
        '<link name="a"><visual><origin xyz="0.1234567 0 0" rpy="0 0.5 0"/><geometry>'
        '<cylinder radius="0.0123" length="0.2"/></geometry></visual></link>'))
    _, links = data_of(capsys, urdf)
    shape, = links['a']['shapes']
    assert (shape['radius'], shape['length']) == (0.0123, 0.2)
    assert shape['xyz'] == [0.1234567, 0, 0]


def test_names_that_change_and_are_referred_to_are_said(urdf, capsys):
    Path(urdf).write_text("""<robot name="r">
      <link name="leg">
        <visual><origin xyz="0 0 1"/><geometry><box size="0.1 0.1 1"/></geometry></visual>
        <visual><geometry><box size="0.3 0.3 0.3"/></geometry></visual>
        <collision><geometry><sphere radius="2"/></geometry></collision>
        <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
        </inertial>
      </link>
      <link name="foot">
        <collision><geometry><sphere radius="0.1"/></geometry></collision>
      </link>
      <joint name="ankle" type="fixed"><parent link="leg"/><child link="foot"/></joint>
      <gazebo reference="leg"><sensor name="s" type="contact"><contact>
        <collision>leg_fixed_joint_lump__foot_collision_1</collision>
      </contact></sensor></gazebo>
    </robot>""")
    assert main(['collide', urdf, '--write']) == 1
    said = capsys.readouterr().out
    assert 'Collisions of 1 link written' in said
    assert said.count('refers to collision') == 1
    assert "Did you mean 'leg_fixed_joint_lump__foot_collision_2'?" in said


@pytest.mark.slow
def test_nothing_touches_at_zero_that_does_not_look_so(urdf, capsys):
    """In the corner of an L is a box, two joints away, so that no box around the L will do."""
    corner = [CORNERS[CUBE] * [4, 1, 0.2], CORNERS[CUBE] * [0.2, 1, 1] + [0, 0, 0.2]]
    Path('a.stl').write_bytes(binary_stl(np.concatenate(corner)))
    Path('c.stl').write_bytes(binary_stl(CORNERS[CUBE]))
    link = LINK.replace('scale="0.1 0.2 0.3"', 'scale="0.1 0.1 0.1"')
    frame, joint = '  <link name="m"/>\n', JOINT.replace('fixed', 'floating')
    place = joint.replace('{2} 0 0', '0.2 0 0.08')
    same = link.replace('"{0}"', '"d"').replace('{0}.stl', 'a.stl')
    Path(urdf).write_text(robot(
        link.format('a', ''), link.format('c', ''), frame, joint.format('a', 'm', 0),
        place.format('m', 'c'), same.format('', ''), joint.format('a', 'd', 9)))
    _, links = data_of(capsys, urdf, '--tolerance', '1')
    assert (len(links['a']['shapes']), len(links['c']['shapes'])) == (2, 1)
    assert links['d']['shapes'] == links['a']['shapes'], 'links that look the same'
    Path(urdf).write_text(Path(urdf).read_text().replace('0.2 0 0.08', '0.2 0 1'))
    _, links = data_of(capsys, urdf, '--tolerance', '1')
    assert len(links['a']['shapes']) == 1


def two_links(first, second, distance):
    """Return a robot with two links, apart by a distance in m, that are not joined."""
    link = LINK.replace('scale="0.1 0.2 0.3"', 'scale="0.1 0.1 0.1"')
    joint = JOINT.replace('fixed', 'floating')
    return robot(
        link.format(first, ''), link.format(second, ''), '  <link name="m"/>\n',
        joint.format(first, 'm', 0), joint.format('m', second, distance))


@pytest.mark.parametrize('arguments, message', [
    (['{urdf}', '--shapes', 'cone'], "Shape 'cone' does not exist"),
    (['{urdf}', '--links', 'x'], "Link 'x' does not exist"),
    (['-', '--write'], 'Cannot write to standard input')])
def test_what_cannot_be_done_is_one_sentence(urdf, capsys, arguments, message):
    assert main(['collide', *(each.format(urdf=urdf) for each in arguments)]) == 2
    assert message in capsys.readouterr().err


def test_a_mesh_that_cannot_be_read_is_a_failure(urdf, capsys):
    Path('a.stl').unlink()
    assert main(['collide', urdf]) == 1
    assert 'a: no shapes: ' in capsys.readouterr().out
    assert main(['collide', urdf, '--mesh-limits', 'triangles=3']) == 1
    assert 'limit triangles' in capsys.readouterr().out


MACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="size" value="${2 * 0.05}"/>
  <xacro:macro name="leg" params="prefix x scale">
    <link name="${prefix}leg">  <!-- ${prefix} stays -->
      <visual>
        <geometry><mesh filename="a.stl" scale="${size} 0.2 0.3"/></geometry>
      </visual>
      <collision name="${prefix}old">
        <geometry><sphere radius="${size * 3}"/></geometry>
      </collision>
    </link>
    <link name="${prefix}foot">
      <visual><geometry><mesh filename="a.stl" scale="${scale} 1 1"/></geometry></visual>
    </link>
    <joint name="${prefix}hip" type="fixed">
      <origin xyz="${x} 0 0"/><parent link="base"/><child link="${prefix}leg"/>
    </joint>
    <joint name="${prefix}ankle" type="fixed">
      <parent link="${prefix}leg"/><child link="${prefix}foot"/>
    </joint>
  </xacro:macro>
  <link name="base"/>
  <xacro:leg prefix="l_" x="1" scale="1"/>
  <xacro:leg prefix="r_" x="-1" scale="1"/>
</robot>
"""


@pytest.fixture
def xacro(urdf):
    """Return a xacro file with a macro that is called twice."""
    pytest.importorskip('xacro', reason='xacro is not installed')
    Path('robot.xacro').write_text(MACRO)
    return 'robot.xacro'


@pytest.mark.slow
def test_a_macro_is_written_once(xacro, capsys):
    assert main(['collide', xacro, '--diff']) == 1
    diff, left = capsys.readouterr()
    assert diff.count('+          <box size="0.1 0.2 0.3"/>') == 1
    assert Path(xacro).read_text() == MACRO
    assert left == (
        'robot.xacro:12: link l_foot, r_foot: not written, its visual geometry depends on the '
        "argument 'scale' at robot.xacro:13\n")
    assert main(['collide', xacro, '--write']) == 1
    assert 'Collisions of 2 links written to robot.xacro' in capsys.readouterr().out
    written = Path(xacro).read_text()
    old = '<geometry><sphere radius="${size * 3}"/></geometry>'
    assert [line for line in MACRO.splitlines() if line not in written.splitlines()] == [
        f'        {old}']
    assert '<collision name="${prefix}old">\n        <origin xyz="0.05 0.1 0.15"' in written
    links = load(xacro).links
    assert [link.collisions[0].geometry for name, link in links.items() if 'leg' in name] == [
        Box((0.1, 0.2, 0.3))] * 2
    assert links['l_foot'].collisions == ()
    main(['collide', xacro, '--write'])
    assert 'has these collisions already' in capsys.readouterr().out
    assert Path(xacro).read_text() == written


COMMENTED = """
    <collision> <!-- The old ball. -->
      <!-- Measured
           twice: -->
      <geometry><sphere radius="{0}"/></geometry>
    </collision>
    <collision>
      <!-- Gone & kept -->
      <geometry><sphere radius="2"/></geometry>
    </collision>"""
KEPT = """
    <!-- The old ball. -->
    <!-- Measured
         twice: -->
    <collision>
      <origin xyz="0.05 0.1 0.15" rpy="0 0 0"/>
      <geometry>
        <box size="0.1 0.2 0.3"/>
      </geometry>
    </collision>
    <!-- Gone & kept -->
"""


@pytest.mark.slow
@pytest.mark.parametrize('line_break', ['\n', '\r\n'])
@pytest.mark.parametrize('name', ['robot.urdf', 'robot.xacro'])
def test_comments_in_collisions_stay(urdf, name, line_break, capsys):
    size = '3'
    if name == 'robot.xacro':
        pytest.importorskip('xacro', reason='xacro is not installed')
        size = '${size}'
    text = robot('  <xacro:property name="size" value="3"/>\n' if size != '3' else '',
                 LINK.format('a', COMMENTED.format(size))).replace(
            '"r"', '"r" xmlns:xacro="http://www.ros.org/wiki/xacro"').replace('\n', line_break)
    Path(name).write_bytes(text.encode())
    assert main(['collide', name, '--write']) == 0
    written = Path(name).read_bytes().decode()
    assert written == text.replace(
        COMMENTED.format(size).replace('\n', line_break) + line_break,
        KEPT.replace('\n', line_break))
    assert main(['collide', name, '--write']) == 0
    assert 'already' in capsys.readouterr().out
    assert Path(name).read_bytes().decode() == written


def test_meshes_of_macros_have_their_expressions(xacro, capsys):
    Path(xacro).write_text(MACRO.replace('"a.stl"', '"${prefix[2:]}./a.stl"'))
    assert main(['collide', xacro, '--links', 'l_leg,r_leg', '--shapes', 'hull', '--write']) == 0
    assert '<mesh filename="${prefix[2:]}./leg_hull1.stl"/>' in Path(xacro).read_text()
    assert mesh_facts(Path('leg_hull1.stl')).faces == 12


@pytest.mark.slow
def test_meshes_of_links_named_by_an_argument_are_named_after_what_is_seen(xacro, capsys):
    Path(xacro).write_text(MACRO.replace('${prefix}leg"', '${prefix}"'))
    assert main(['collide', xacro, '--links', 'l_,r_', '--shapes', 'hull', '--write']) == 0
    assert Path(xacro).read_text().count('<mesh filename="a_hull1.stl"/>') == 1
    assert main(['collide', xacro, '--links', 'l_,r_', '--shapes', 'hull', '--write']) == 0
    assert 'already' in capsys.readouterr().out


@pytest.mark.parametrize('before, after, reason', [
    ('<collision name="${prefix}old">', '<xacro:if value="1"><collision>',
     'its collision is written at robot.xacro:8'),
    ('"a.stl" scale="${size}', '"${prefix}a.stl" scale="${size}',
     "its visual geometry depends on the argument 'prefix' at robot.xacro:6"),
    ('value="${2 * 0.05}"/>', 'value="$(arg size)"/><xacro:arg name="size" default="0.1"/>',
     "its visual geometry depends on the argument 'size' at robot.xacro:6"),
    ('"a.stl" scale="${size}', '"file://{folder}/a.stl" scale="${size}',
     'its meshes would be named by the absolute path')])
def test_what_cannot_be_written_is_said_with_its_place(xacro, capsys, before, after, reason):
    after = after.replace('{folder}', str(Path.cwd()))
    text = MACRO.replace(before, after)
    if 'xacro:if' in after:
        text = text.replace('</collision>', '</collision></xacro:if>')
    Path(xacro).write_text(text)
    for name in ('l_a.stl', 'r_a.stl'):
        Path(name).write_bytes(Path('a.stl').read_bytes())
    shapes = 'hull' if 'file:' in after else 'box'
    main(['collide', xacro, '--links', 'l_leg,r_leg', '--shapes', shapes, '--diff'])
    diff, left = capsys.readouterr()
    assert 'robot.xacro:4: link l_leg, r_leg: not written, ' + reason in left
    assert diff == ''


def test_instances_that_differ_are_not_written(xacro, capsys):
    Path(xacro).write_text(MACRO.replace('"a.stl" scale="${size}', '"${x}/a.stl" scale="${size}'))
    for folder, size in (('1', 1), ('-1', 2)):
        Path(folder).mkdir()
        Path(folder, 'a.stl').write_bytes(binary_stl(CORNERS[CUBE] * size))
    assert main(['collide', xacro, '--links', 'l_leg,r_leg', '--diff']) == 1
    assert '1 of 2 instances need other shapes than the first' in capsys.readouterr().err


@pytest.mark.slow
def test_mesh_of_a_link_with_a_long_name(urdf, tmp_path, capsys):
    names = ['n' * 254 + end for end in 'ab']
    Path(urdf).write_text(robot(*(LINK.replace('{0}.stl', 'a.stl').format(name, '')
                                  for name in names), JOINT.format(*names, 1)))
    assert main(['collide', urdf, '--write', '--shapes', 'hull']) == 0
    written = load(urdf)
    files = [written.links[name].collisions[0].geometry.filename for name in names]
    assert len({*files}) == 2 and all((tmp_path / file).is_file() for file in files)
    capsys.readouterr()
    assert main(['collide', urdf, '--write', '--shapes', 'hull']) == 0
    assert 'has these collisions already' in capsys.readouterr().out
