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

"""Rules that compare a link with all of its shapes, meshes included, and those about paths."""

import base64
import os

import pytest
from support.mesh_files import binary_stl
from support.mesh_files import collada
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import gltf
from support.mesh_files import text_stl
from support.validation_cases import check
from support.validation_cases import GEOMETRY

from urdf_tools import validate
from urdf_tools.cli import main
from urdf_tools.findings.finding import Severity
from urdf_tools.meshes.facts import read_in_process
from urdf_tools.meshes.facts import set_mesh_limits
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model.resources import ResourceResolver

CUBE_TRIANGLES = CORNERS[CUBE].astype(float)

ABOUT_PARTS = {'inertia-vs-geometry', 'visual-without-collision'}
"""Rules that do not concern markers."""


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a bar along y, from 0 to 1 m, and cubes of 1 m and 1 cm."""
    data = (CUBE_TRIANGLES * [0.1, 1, 0.1]).astype('<f4').tobytes()
    uri = 'data:;base64,' + base64.b64encode(data).decode()
    (tmp_path / 'bar.gltf').write_text(gltf(36, {'uri': uri, 'byteLength': len(data)}))
    (tmp_path / 'cube.stl').write_bytes(binary_stl(CUBE_TRIANGLES))
    (tmp_path / 'small.stl').write_bytes(binary_stl(CUBE_TRIANGLES / 100))
    (tmp_path / 'speck.stl').write_bytes(binary_stl(CUBE_TRIANGLES / 1000))
    (tmp_path / 'broken.stl').write_bytes(b'solid')
    return tmp_path


def found(text, folder, *codes):
    """Return the findings of some rules on a text with the files of a folder."""
    report = check(text, ResourceResolver(folder, environment={}))
    return [finding for finding in report.findings if finding.code in codes]


def test_sources_with_the_same_id_are_those_of_their_geometry(folder):
    """Exporters repeat the IDs in every <geometry>; Gazebo takes the first."""
    one = collada(CORNERS, CUBE)
    two = collada(CORNERS * 0.1, CUBE)
    geometry = two[two.index('<geometry'):two.index('</geometry>') + len('</geometry>')]
    name = geometry.split('id="')[1].split('"')[0]
    instance = f'<instance_geometry url="#{name}"/>'
    assert instance in one
    text = one.replace('</geometry>', '</geometry>' + geometry.replace(
        f'id="{name}"', 'id="other"'), 1).replace(
            instance, instance + '<instance_geometry url="#other"/>')
    (folder / 'two.dae').write_text(text)
    (folder / 'one.dae').write_text(one)
    record = read_in_process(folder / 'two.dae', MeshLimits(), 'solid', (1, 1, 1))
    alone = read_in_process(folder / 'one.dae', MeshLimits(), 'solid', (1, 1, 1))
    assert record.volume == pytest.approx(1.001 * alone.volume)
    description = f'<robot name="r"><link name="a">{mesh("two.dae")}</link></robot>'
    finding, = found(description, folder, 'mesh-repeated-ids', 'mesh-unreadable')
    assert finding.code == 'mesh-repeated-ids'
    assert 'of numbers with the ID of another one' in finding.message
    description = description.replace('two.dae', 'one.dae')
    assert not found(description, folder, 'mesh-repeated-ids', 'mesh-unreadable')


def test_a_mesh_in_another_package_of_the_same_sources(tmp_path):
    for name in ('arm', 'hand'):
        (tmp_path / 'src' / name / 'urdf').mkdir(parents=True)
        (tmp_path / 'src' / name / 'package.xml').write_text(
            f'<package><name>{name}_description</name></package>')
    file = tmp_path / 'src/hand/m.stl'
    file.write_bytes(binary_stl(CUBE_TRIANGLES))
    description = f'<robot name="r"><link name="a">{mesh(f"file://{file}")}</link></robot>'
    assert not found(description, tmp_path / 'src/arm/urdf', 'mesh-outside-package')
    (tmp_path / 'src/hand/package.xml').unlink()
    assert found(description, tmp_path / 'src/arm/urdf', 'mesh-outside-package')


def mesh(name, tag='collision'):
    return f'<{tag}><geometry><mesh filename="{name}"/></geometry></{tag}>'


def box(size, x=0, tag='collision'):
    return (f'<{tag}><origin xyz="{x} 0 0"/><geometry><box size="{size} {size} {size}"/>'
            f'</geometry></{tag}>')


def link(shapes, com='0 0 0', mass=1, moment=0.01, joint='continuous'):
    return (
        '<robot name="r"><link name="base_link"/>'
        f'<joint name="j" type="{joint}"><parent link="base_link"/><child link="a"/></joint>'
        f'<link name="a">{shapes}<inertial><origin xyz="{com}"/><mass value="{mass}"/>'
        f'<inertia ixx="{moment}" ixy="0" ixz="0" iyy="{moment}" iyz="0" izz="{moment}"/>'
        '</inertial></link></robot>')


@pytest.mark.parametrize('shapes, com, is_outside', [
    (box(0.1), '0.5 0 0', True),
    (box(0.1, tag='visual') + box(0.1, 0.5), '0.5 0 0', False),
    (box(0.1) + box(0.1, 0.5, 'visual'), '0.5 0 0', False),
    (box(0.1) + mesh('missing.stl', 'visual'), '0.5 0 0', False),
    (box(0.1) + mesh('broken.stl', 'visual'), '0.5 0 0', False),
    (box(0.1) + '<visual><geometry><box size="1"/></geometry></visual>', '0.5 0 0', False),
    (mesh('bar.gltf'), '0 0.5 0', False),  # As RViz, Gazebo and MoveIt show it.
    (mesh('bar.gltf'), '0 0 0.5', False),  # As Drake does, which turns y up.
    (mesh('bar.gltf'), '0.5 0 0', True),
    (mesh('cube.stl'), '0.5 0.5 0.5', False),
    (mesh('cube.stl'), '3 0.5 0.5', True)])
def test_centre_of_mass_and_all_shapes(folder, shapes, com, is_outside):
    assert bool(found(link(shapes, com), folder, 'com-outside-geometry')) is is_outside


@pytest.mark.parametrize('joint, severity', [
    ('continuous', Severity.WARN), ('fixed', Severity.INFO)])
def test_centre_of_mass_of_a_placeholder(folder, joint, severity):
    finding, = found(
        link(box(0.1), '0.5 0 0', 0.001, joint=joint), folder, 'com-outside-geometry')
    assert finding.severity is severity


@pytest.mark.parametrize('shapes, moment, severity', [
    (box(0.1), 0.11, Severity.WARN),
    (box(0.1) + box(1, tag='visual'), 0.11, None),
    (box(1) + box(0.1, tag='visual'), 0.11, None),
    (box(0.1) + box(0.2, tag='visual'), 0.11, Severity.WARN),
    (box(0.1) + mesh('missing.stl', 'visual'), 0.11, None),
    (box(0.1) + mesh('cube.stl', 'visual'), 0.11, None),
    (box(0.001), 0.11, None),
    (mesh('small.stl'), 0.11, Severity.WARN),
    (box(0.1), 1e-12, None)], ids=[
        'one', 'visual agrees', 'collision agrees', 'neither', 'unread', 'read', 'marker', 'part',
        'inertia-near-zero'])
def test_inertia_and_all_shapes(folder, shapes, moment, severity):
    findings = found(link(shapes, moment=moment), folder, 'inertia-vs-geometry')
    assert [finding.severity for finding in findings] == ([] if severity is None else [severity])


@pytest.mark.parametrize('shapes, mass, expected', [
    (mesh('speck.stl', 'visual'), 0.001, set()),
    (mesh('speck.stl', 'visual'), 0.005, {'link-too-dense', *ABOUT_PARTS}),
    (mesh('small.stl', 'visual'), 0.001, ABOUT_PARTS),
    (box(0.01, tag='visual'), 0.001, set()),
    (box(0.01, tag='visual'), 0.005, ABOUT_PARTS),
    (box(0.001, tag='visual'), 5, set()),
    (box(0.01), 0.001, {'inertia-vs-geometry'}),
    (box(0.018, tag='visual'), 0.001, ABOUT_PARTS)], ids=[
        'dense mesh', 'heavy mesh', 'part', 'virtual', 'heavy', 'dense', 'touched', 'large'])
def test_markers(folder, shapes, mass, expected):
    findings = found(link(shapes, mass=mass, moment=0.01 * mass), folder, 'link-too-dense',
                     *ABOUT_PARTS)
    assert {finding.code for finding in findings} == expected


def test_inertia_of_a_placeholder_is_only_noted(folder):
    finding, = found(
        link(box(0.1), mass=0.001, moment=0.11, joint='fixed'), folder, 'inertia-vs-geometry')
    assert finding.severity is Severity.INFO


def test_inertia_that_no_body_inside_of_the_shapes_has(folder):
    """The corners of a box of 0.2 m are 0.173 m from its centre."""
    messages = [
        found(link(box(0.2), moment=moment), folder, 'inertia-vs-geometry')[0].message
        for moment in (0.0005, 0.07)]
    assert 'impossible' not in messages[0]
    assert 'impossible inside of them: its mass would be 0.324 m' in messages[1]
    assert 'no point of them is farther than 0.173 m' in messages[1]


@pytest.mark.parametrize('name, data', [
    ('m.dae', collada(CORNERS, CUBE, nodes=(
        '<node><instance_geometry url="#mesh"><bind_material><technique_common>'
        '<instance_material symbol="s" target="#nothing"/></technique_common></bind_material>'
        '</instance_geometry></node>'))),
    ('m.stl', text_stl(CUBE_TRIANGLES).replace('solid cube', 'solid Würfel').encode('latin-1'))])
def test_readable_whatever_the_materials_and_names(folder, name, data):
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)
    assert not found(GEOMETRY.format(f'<mesh filename="{name}"/>'), folder, 'mesh-unreadable')


@pytest.mark.parametrize('uri, codes, words', [
    ('file://{}/cube.stl', ['note mesh-scheme-unsupported'], 'on one machine only'),
    ('file:////{}/cube.stl', ['note mesh-scheme-unsupported'], 'on one machine only'),
    ('{}/cube.stl', ['warning mesh-scheme-unsupported'], 'on one machine only'),
    ('file:///nowhere/cube.stl', ['warning mesh-not-found', 'warning mesh-scheme-unsupported'],
     'and does not exist on this one'),
    ('/nowhere/cube.stl', ['warning mesh-not-found', 'warning mesh-scheme-unsupported'],
     "File '/nowhere/cube.stl' does not exist"),
    ('../nowhere/cube.stl', ['warning mesh-not-found', 'warning mesh-scheme-unsupported'],
     "File '../nowhere/cube.stl' does not exist"),
    ('.//cube.stl', ['note mesh-scheme-unsupported'], 'is a path relative'),
    ('C:\\cube.stl', ['warning mesh-scheme-unsupported'], 'and does not exist on other systems'),
    ('pipe.stl', ['warning mesh-not-found', 'warning mesh-scheme-unsupported'],
     "'pipe.stl' is a pipe")])
def test_unusual_paths(folder, uri, codes, words):
    os.mkfifo(folder / 'pipe.stl')
    findings = found(
        GEOMETRY.format(f'<mesh filename="{uri.format(folder)}"/>'), folder,
        'mesh-scheme-unsupported', 'mesh-not-found', 'mesh-outside-package')
    assert sorted(f'{finding.severity.label} {finding.code}' for finding in findings) == codes
    assert any(words in finding.message for finding in findings)


@pytest.mark.parametrize('uri', ['{}', 'package://{}/a.stl', 'package://r/{}', 'model://{}/a'])
def test_names_that_are_too_long_for_files(folder, uri):
    uri = uri.format('x' * 5000)
    (folder / 'r.urdf').write_text(
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{uri}"/></geometry>'
        '</visual></link></robot>')
    codes = {finding.code for finding in validate(folder / 'r.urdf').findings}
    assert 'internal-error' not in codes
    assert codes & {'mesh-not-found', 'package-not-found'}


def test_mesh_beyond_a_limit(folder):
    try:
        set_mesh_limits(MeshLimits(triangles=10))
        finding, = found(
            GEOMETRY.format('<mesh filename="cube.stl"/>'), folder, 'mesh-over-limit',
            'mesh-unreadable')
    finally:
        set_mesh_limits(MeshLimits())
    assert finding.message == (
        "'cube.stl' was not read: it has more than 10 triangles (limit triangles)")
    assert '--mesh-limits' in finding.hint


def test_each_mesh_is_read_once_for_all_rules(folder, monkeypatch):
    reads = []

    def read(path, limits, task, scale):
        reads.append((path.name, task))
        return read_in_process(path, limits, task, scale)

    monkeypatch.setattr('urdf_tools.meshes.facts.read_in_process', read)
    report = check(
        link(mesh('cube.stl') + mesh('cube.stl', 'visual') + mesh('bar.gltf'), '9 9 9'),
        ResourceResolver(folder, environment={}))
    codes = {finding.code for finding in report.findings}
    assert {'com-outside-geometry', 'collision-is-visual-mesh'} <= codes
    # MuJoCo computes volumes of its own.
    assert sorted(reads) == [
        ('bar.gltf', 'solid'), ('cube.stl', 'pyramids'), ('cube.stl', 'solid')]


def test_meshes_outside_are_one_finding_a_folder(tmp_path):
    (tmp_path / 'arm').mkdir()
    (tmp_path / 'arm/package.xml').write_text('<package><name>arm</name></package>')
    files = [tmp_path / folder / f'{n}.stl' for n, folder in enumerate('aaab')]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(binary_stl(CUBE_TRIANGLES))
    description = '<robot name="r">' + ''.join(
        f'<link name="a{n}">{mesh(f"file://{file}")}</link>'
        for n, file in enumerate(files)) + '</robot>'
    first, second = found(description, tmp_path / 'arm', 'mesh-outside-package')
    assert first.message.endswith(', first of 3 occurrences')
    assert 'occurrences' not in second.message


@pytest.mark.parametrize('written, path', [
    ('package:///cube.stl', 'cube.stl'), ('package://cube.stl', 'cube.stl'),
    ('package://meshes/cube.stl', '../meshes/cube.stl'), ('package:///no.stl', None)])
@pytest.mark.parametrize('package', ['', 'arm'])
def test_meshes_beside_the_description_are_fixed_at_once(tmp_path, capsys, written, path, package):
    """As Onshape and other CAD programs export them."""
    data = binary_stl(CUBE_TRIANGLES)
    for folder in ('urdf', 'meshes'):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / 'cube.stl').write_bytes(data)
    if package:
        (tmp_path / 'package.xml').write_text(f'<package><name>{package}</name></package>')
    file = tmp_path / 'urdf' / 'arm.urdf'
    text = GEOMETRY.format(f'<mesh filename="{written}"/>')
    text = text.replace('</robot>', '<link name="b"><visual><geometry>'
                        f'<mesh filename="{written}"/></geometry></visual></link>'
                        '<joint name="j" type="fixed"><parent link="base_link"/>'
                        '<child link="b"/></joint></robot>')
    file.write_text(text)
    codes = [finding.code for finding in validate(file).findings]
    assert codes.count('mesh-without-package') == (path is not None)
    assert main(['mjcf', str(file), '-o', str(tmp_path / 'mjcf' / 'arm.xml')]) == 0
    assert (tmp_path / 'mjcf' / 'assets' / 'cube.stl').exists() == (path is not None)
    main(['check', str(file), '--fix'])
    inside = os.path.normpath(f'urdf/{path}')
    right = written if path is None else f'package://arm/{inside}' if package else path
    assert file.read_text() == text.replace(written, right)
    assert 'mesh-without-package' not in {each.code for each in validate(file).findings}


@pytest.mark.parametrize('package, path, right', [
    ('arm', 'cube.stl', 'package://arm/urdf/cube.stl'), ('', 'cube.stl', 'cube.stl'),
    ('arm', '../meshes/cube.stl', 'package://arm/meshes/cube.stl'), ('arm', 'no.stl', 'no.stl'),
    ('arm', '..\\meshes\\cube.stl', 'package://arm/meshes/cube.stl'),
    ('arm', '../../cube.stl', '../../cube.stl')])
def test_relative_paths_in_a_package_are_fixed(tmp_path, capsys, package, path, right):
    """Exporters such as that of Onshape write them; RViz and MoveIt drop the shapes."""
    for folder in ('', 'arm/urdf', 'arm/meshes'):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / 'cube.stl').write_bytes(binary_stl(CUBE_TRIANGLES))
    if package:
        (tmp_path / 'arm' / 'package.xml').write_text('<package><name>arm</name></package>')
    file = tmp_path / 'arm' / 'urdf' / 'arm.urdf'
    text = GEOMETRY.format(f'<mesh filename="{path}"/>')
    file.write_text(text)
    main(['check', str(file), '--fix', '--diff'])
    assert (f'+<mesh filename="{right}"/>' in capsys.readouterr().out) == (right != path)
    assert file.read_text() == text
    main(['check', str(file), '--fix'])
    assert file.read_text() == text.replace(path, right)


def test_paths_of_another_machine_are_fixed(tmp_path):
    """As in public packages whose meshes are below /home/user/ws/install/NAME/share/NAME."""
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes' / 'cube.stl').write_bytes(binary_stl(CUBE_TRIANGLES))
    (tmp_path / 'package.xml').write_text('<package><name>arm</name></package>')
    path = 'file:///home/nobody/ws/install/arm/share/arm/meshes/cube.stl'
    file = tmp_path / 'arm.urdf'
    text = GEOMETRY.format(f'<mesh filename="{path}"/>')
    file.write_text(text)
    main(['check', str(file), '--fix'])
    assert file.read_text() == text.replace(path, 'package://arm/meshes/cube.stl')


@pytest.mark.parametrize(('turned', 'codes'), [
    ([], []), ([0], ['mesh-inside-out']), ([*range(12)], ['mesh-inside-out'])])
def test_triangles_that_face_inward(folder, turned, codes):
    triangles = CUBE_TRIANGLES.copy()
    triangles[turned] = triangles[turned, ::-1]
    (folder / 'cube.stl').write_bytes(binary_stl(triangles))
    told = found(GEOMETRY.format('<mesh filename="cube.stl"/>'), folder, 'mesh-inside-out',
                 'mesh-not-watertight')
    assert [each.code for each in told] == codes
    assert all(('opposite sides' in each.message) == (len(turned) == 1) for each in told)
