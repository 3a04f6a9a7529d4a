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

"""Readers of mesh files: what they read, and what they say of files that are broken or hostile."""

import base64
import json
import math
import os
import sys
import zipfile

import numpy as np
import pytest
from support.mesh_files import binary_stl
from support.mesh_files import collada
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import glb
from support.mesh_files import gltf
from support.mesh_files import msh
from support.mesh_files import nested_collada
from support.mesh_files import obj
from support.mesh_files import text_stl

from urdf_tools.meshes import formats
from urdf_tools.meshes.formats import mesh_formats
from urdf_tools.meshes.formats import MeshFile
from urdf_tools.meshes.formats.obj import read_obj
from urdf_tools.meshes.job import read_record
from urdf_tools.meshes.limits import MeshError
from urdf_tools.meshes.limits import MeshLimits

TRIANGLES = CORNERS[CUBE].astype(float)
STL = binary_stl(TRIANGLES)
TEXT_STL = text_stl(TRIANGLES).encode()
GLB_POSITIONS = TRIANGLES.astype('<f4').tobytes()
INLINE = {'uri': 'data:;base64,' + base64.b64encode(GLB_POSITIONS).decode(),
          'byteLength': len(GLB_POSITIONS)}


def read(tmp_path, name, data, limits=MeshLimits()):
    """Write a file, and return what a reader keeps of it, in this process."""
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_record(path, limits, 'solid', (1.0, 1.0, 1.0))


def test_a_format_is_one_file(tmp_path, monkeypatch):
    """Whose suffixes and reader are found without any list."""
    (tmp_path / 'points.py').write_text(
        'import numpy as np\n'
        'from urdf_tools.meshes.formats import MeshFormat, numbers\n'
        "FORMAT = MeshFormat(('.xyz',), lambda file: np.reshape("
        "numbers(file.data, 'points'), (-1, 3, 3)))\n")
    monkeypatch.setattr(formats, '__path__', [*formats.__path__, str(tmp_path)])
    mesh_formats.cache_clear()
    try:
        assert [*mesh_formats()] == ['.dae', '.glb', '.gltf', '.msh', '.obj', '.stl', '.xyz']
        assert read(tmp_path, 'm.xyz', ' '.join(map(str, TRIANGLES.ravel()))).faces == 12
    finally:
        mesh_formats.cache_clear()
        sys.modules.pop('urdf_tools.meshes.formats.points', None)


def assert_unit_cube(record):
    assert (record.faces, record.openness) == (12, '')
    assert record.volume == pytest.approx(1.0)
    np.testing.assert_allclose((record.low, record.high), [[0, 0, 0], [1, 1, 1]], atol=1e-12)


_INPUT = '<input semantic="VERTEX" source="#vertices" offset="1"/><input offset="0"/>'
_QUADS = ' '.join(f'0 {corner}' for face in (
    (0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    for corner in face)
_UNDEFINED_MATERIAL = """
<library_images><image id="other"><init_from>nothing.png</init_from></image></library_images>
<library_effects><effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D">
<init_from>missing</init_from></surface></newparam><technique sid="t"><phong><diffuse>
<color>0.01.0 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m"><instance_effect url="#nowhere"/></material>
</library_materials>"""
_BOUND = """<node><instance_geometry url="#mesh"><bind_material><technique_common>
<instance_material symbol="s" target="#not_there"/></technique_common></bind_material>
</instance_geometry></node>"""
_SKIN = ('<library_controllers><controller id="skin"><skin source="#mesh"/></controller>'
         '</library_controllers>')


@pytest.mark.parametrize('name, data', [
    ('binary.stl', STL),
    ('named_solid.STL', b'solid' + STL[5:]),
    ('text.stl', TEXT_STL),
    ('latin.stl', TEXT_STL.replace(b'solid cube', 'solid Würfel'.encode('latin-1'))),
    ('upper.stl', TEXT_STL.upper()),
    ('no_end.stl', TEXT_STL[:TEXT_STL.rfind(b'endsolid')]),
    ('groups.obj', 'mtllib /etc/passwd\no a\n' + obj(CORNERS, CUBE).replace(
        'f ', 'g group\nusemtl none\nf ')),
    ('quads.obj', '\n'.join(['# cube', *('v {} {} {} 1 0 0'.format(*c) for c in CORNERS),
                             'vt 0 0', 'vn 0 0 1', 'f 1/1/1 4/1/1 3/1/1 2/1/1', 'f 5//1 6 7 8/1',
                             'f -8 -7 -3 \\\n-4', 'f 2 3 7 6 # side', 'f 3 4 8 7', 'f 4 1 5 8'])),
    ('crlf.obj', obj(CORNERS, CUBE).replace('\n', '\r\n')),
    ('plain.dae', collada(CORNERS, CUBE)),
    ('materials.dae', collada(CORNERS, CUBE, before=_UNDEFINED_MATERIAL, nodes=_BOUND)),
    ('skinned.dae', collada(
        CORNERS, CUBE, after=_SKIN, nodes='<node><instance_controller url="#skin"/></node>')),
    ('polylist.dae', collada(
        CORNERS, CUBE,
        primitive=f'<polylist count="6">{_INPUT}<vcount>4 4 4 4 4 4</vcount>'
                  f'<p>{_QUADS}</p></polylist>')),
    ('moved.dae', collada(CORNERS - 5, CUBE, nodes=(
        '<node><translate>5 5 5</translate><rotate>0 0 1 360</rotate><scale>1 1 1</scale>'
        '<matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>'
        '<instance_geometry url="#mesh"/></node>'))),
    ('mirrored.dae', collada(CORNERS * [1, -1, 1], CUBE, nodes=(
        '<node><scale>1 -1 1</scale><instance_geometry url="#mesh"/></node>'))),
    ('empty_id.dae', collada(CORNERS, CUBE).replace('id="scene"', 'id=""').replace(
        '"#scene"', '"#"').replace('<node>', '<node id="">')),
    ('inline.gltf', gltf(36, INLINE)),
    ('binary.glb', glb(gltf(36, {'byteLength': len(GLB_POSITIONS)}), GLB_POSITIONS)),
    ('mujoco.msh', msh(CORNERS, CUBE))])
def test_cube(tmp_path, name, data):
    record = read(tmp_path, name, data)
    if name == 'mirrored.dae':  # Its own faces are inside out, and the scale does not turn them.
        assert record.volume == pytest.approx(-1.0)
    else:
        assert_unit_cube(record)
    assert record.is_text is ('text' in name or name in ('latin.stl', 'upper.stl', 'no_end.stl'))


def test_unit_of_collada(tmp_path):
    data = collada(CORNERS, CUBE).replace('<asset/>', '<asset><unit meter="0.01"/></asset>')
    assert read(tmp_path, 'm.dae', data).volume == pytest.approx(1e-6)


def test_gltf_with_a_pose_and_indices(tmp_path):
    data = CORNERS.astype('<f4').tobytes() + CUBE.astype('<u2').tobytes()
    asset = json.loads(gltf(8, {'byteLength': len(data)}))
    asset['nodes'] = [{'children': [1], 'translation': [0, 0, 1]},
                      {'mesh': 0, 'scale': [2, 1, 1], 'rotation': [0, 0, 0, 1]}]
    asset['meshes'][0]['primitives'][0]['indices'] = 1
    asset['bufferViews'].append({'buffer': 0, 'byteOffset': 96, 'byteLength': 72})
    asset['accessors'].append(
        {'bufferView': 1, 'componentType': 5123, 'count': 36, 'type': 'SCALAR'})
    record = read(tmp_path, 'm.glb', glb(json.dumps(asset), data))
    assert (record.low, record.high) == ((0, 0, 1), (2, 1, 2))
    assert record.volume == pytest.approx(2)


@pytest.mark.parametrize('name, data, words', [
    ('m.stl', b'', 'it is empty'),
    ('m.stl', b'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1234567\n',
     'it is a Git LFS pointer'),
    ('m.stl', b'# a\no part\n\nv 0 0 0\nv 1 0 0\n' + bytes(99), 'a file of the format .obj'),
    ('m.obj', TEXT_STL, 'a file of the format .stl'),
    ('m.dae', b'<!DOCTYPE html><html></html>', 'a file of the format .html'),
    ('m.stl', b'<?xml version="1.0"?>\n<COLLADA></COLLADA>', 'a file of the format .dae'),
    ('m.stl', b'solid nothing\nendsolid nothing\n', 'no triangles'),
    ('m.stl', b'\0' * 50, 'neither a text STL file nor a binary one'),
    ('m.stl', STL[:-20], 'truncated: its header announces 12 triangles, and it ends in triangle '
                         '12'),
    ('m.stl', STL[:80] + (1000).to_bytes(4, 'little') + STL[84:],
     'its header announces 1,000 triangles, but its 684 bytes have space for 12'),
    ('m.stl', STL[:80] + (3).to_bytes(4, 'little') + STL[84:],
     'announces 3 triangles, but its 684 bytes have space for 12'),
    ('m.stl', TEXT_STL[:300], 'truncated: it ends inside of a facet'),
    ('m.stl', TEXT_STL.replace(b'vertex 0.0 0.0 0.0\n', b'', 1),
     'one of its facets is not a triangle'),
    ('m.stl', TEXT_STL.replace(b'vertex 0.0 0.0 0.0', b'vertex 0 x 0', 1),
     'vertices contain something that is not a number'),
    ('m.obj', 'v 0 0 0\n', 'no triangles'),
    ('m.obj', 'v 0 0 0\nf 1 2 3\n', 'a face refers to vertex 2, but there are 1'),
    ('m.obj', 'v 0 0 0\nf 1 0 1\n', 'refers to vertex 0'),
    ('m.obj', 'v 0 0 0\nf 1 -2 1\n', 'a face refers to vertex -1'),
    ('m.obj', 'v 0 0 x\nf 1 1 1\n', 'vertices contain something that is not a number'),
    ('m.obj', 'v 0 0 0\nf a b c\n', 'faces contain something that is not a number'),
    ('m.dae', '<COLLADA/>', 'no triangles'),
    ('m.dae', '<kml/>', 'it is not COLLADA'),
    ('m.dae', 'no XML', 'it is not XML'),
    ('m.dae', '<!DOCTYPE a [<!ENTITY b "c">]><COLLADA>&b;</COLLADA>', 'XML entities'),
    ('m.dae', collada(CORNERS, CUBE, nodes='<node><instance_geometry url="#a"/></node>'),
     "'#a', which does not exist"),
    ('m.dae', collada(CORNERS, CUBE, nodes='<node><instance_geometry url="b.dae#a"/></node>'),
     "'b.dae#a', which is not in the file"),
    ('m.dae', collada(CORNERS, CUBE + 8), 'refers to vertex 15, but there are 8'),
    ('m.dae', '<a>' * 100_000, 'nested deeper than'),
    ('m.glb', b'glTF' + b'\xff' * 40, 'a chunk is longer than the rest'),
    ('m.gltf', '{}', 'is not glTF 2'),
    ('m.gltf', '[' * 100_000, 'is not JSON'),
    ('m.gltf', '[]', 'is not glTF 2'),
    ('m.gltf', '{"asset": {"version": "2.0"}, "nodes": 7}', 'not that of a glTF file'),
    ('m.gltf', gltf(36, INLINE, count=37), 'accessor 0 exceeds its buffer'),
    ('m.gltf', gltf(36, INLINE, type='SCALAR'), "accessor 0 has the type 'SCALAR'"),
    ('m.gltf', gltf(36, INLINE).replace('"asset"', '"extensionsRequired": '
                                        '["KHR_draco_mesh_compression"], "asset"'),
     'compressed with KHR_draco_mesh_compression'),
    ('m.msh', msh(CORNERS, CUBE)[:-1], 'is not the one that its header announces'),
    ('m.msh', b'\xff' * 16, 'is not the one that its header announces'),
    ('m.msh', b'', 'is not the one that its header announces'),
    ('m.msh', msh(CORNERS, CUBE + 1), 'a face refers to vertex 8, but there are 8')])
def test_broken_files(tmp_path, name, data, words):
    with pytest.raises(MeshError, match=words):
        read(tmp_path, name, data)


def test_vertices_that_are_not_finite_are_left_out(tmp_path):
    triangles = np.concatenate([TRIANGLES, TRIANGLES[:2] * np.nan])
    assert_unit_cube(read(tmp_path, 'm.stl', binary_stl(triangles)))


# Attacks: small files that would take minutes or gigabytes.

def test_primitives_count_as_nodes(tmp_path):
    asset = json.loads(gltf(len(CORNERS), {
        'byteLength': CORNERS.size * 4, 'uri': 'data:;base64,' + base64.b64encode(
            CORNERS[CUBE.ravel()[:len(CORNERS)]].astype('<f4').tobytes()).decode()}))
    part, = asset['meshes'][0]['primitives']
    asset['meshes'][0]['primitives'] = [part] * 50
    assert read(tmp_path, 'few.gltf', json.dumps(asset).encode()).faces == 100
    asset['meshes'][0]['primitives'] = [part] * 20_001
    with pytest.raises(MeshError, match='more than 20,000 nodes or primitives'):
        read(tmp_path, 'many.gltf', json.dumps(asset).encode())


def test_instances_of_instances(tmp_path):
    assert read(tmp_path, 'few.dae', nested_collada(2)).faces == 1200
    with pytest.raises(MeshError, match='more than 20,000 nodes'):
        read(tmp_path, 'many.dae', nested_collada(8))
    cycle = nested_collada(2).replace(
        '<instance_geometry url="#mesh"/>', '<instance_node url="#n0"/>')
    with pytest.raises(MeshError, match='nested deeper than 100|more than 20,000 nodes'):
        read(tmp_path, 'cycle.dae', cycle)
    with pytest.raises(MeshError, match='more than 1,000 triangles') as raised:
        read(tmp_path, 'few.dae', nested_collada(2), MeshLimits(triangles=1000))
    assert raised.value.limit == 'triangles'


def test_polygon_of_a_hundred_million_corners(tmp_path):
    primitive = f'<polylist count="1">{_INPUT}<vcount>99999999</vcount><p>0 1 0 2</p></polylist>'
    with pytest.raises(MeshError, match='have 99,999,999 corners, but there are 2'):
        read(tmp_path, 'm.dae', collada(CORNERS, CUBE, primitive=primitive))


def test_accessor_without_data(tmp_path):
    asset = json.loads(gltf(400_000_000, INLINE))
    del asset['accessors'][0]['bufferView']
    with pytest.raises(MeshError, match='accessor 0 has no bufferView'):
        read(tmp_path, 'm.gltf', json.dumps(asset))


def test_archive_that_is_called_collada(tmp_path):
    with zipfile.ZipFile(tmp_path / 'm.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
        archive.writestr('m.dae', bytes(2**20))
    with pytest.raises(MeshError, match='is not XML'):
        read(tmp_path, 'm.dae', (tmp_path / 'm.zip').read_bytes())


def test_thousands_of_groups_are_read_as_one(tmp_path):
    groups = ''.join(f'g g{n}\nv {n} 0 0\nv {n} 1 0\nv {n} 0 1\nf -3 -2 -1\n' for n in range(5000))
    assert read(tmp_path, 'm.obj', groups).faces == 5000


def test_files_beside_a_mesh_obey_the_rules_for_meshes(tmp_path):
    """A pipe does not block, and neither links nor paths lead out of the folder."""
    (tmp_path / 'outside.bin').write_bytes(GLB_POSITIONS)
    folder = tmp_path / 'meshes'
    folder.mkdir()
    os.mkfifo(folder / 'pipe.bin')
    (folder / 'zero.bin').symlink_to('/dev/zero')
    (folder / 'link.bin').symlink_to(tmp_path / 'outside.bin')
    (folder / 'dangling.bin').symlink_to(tmp_path / 'nothing')
    (folder / 'inside.bin').symlink_to(folder / 'data.bin')
    (folder / 'data.bin').write_bytes(GLB_POSITIONS)

    def read_with(uri):
        return read(folder, 'm.gltf', gltf(36, {**INLINE, 'uri': uri}))

    assert_unit_cube(read_with('data.bin'))
    assert_unit_cube(read_with('inside.bin'))
    for uri, words in (
            ('pipe.bin', "'pipe.bin' is a pipe"), ('zero.bin', 'is outside'),
            ('link.bin', 'is outside'), ('dangling.bin', 'is outside'),
            ('../outside.bin', 'is outside'), ('%2e%2e/outside.bin', 'is outside'),
            (str(folder / 'data.bin'), 'not relative'), ('file:data.bin', 'not relative')):
        with pytest.raises(MeshError, match=words):
            read_with(uri)


def test_files_beside_an_installed_link(tmp_path):
    """``colcon build --symlink-install`` links every file on its own."""
    source, install = tmp_path / 'src', tmp_path / 'install'
    source.mkdir()
    install.mkdir()
    (source / 'data.bin').write_bytes(GLB_POSITIONS)
    (source / 'm.gltf').write_text(gltf(36, {**INLINE, 'uri': 'data.bin'}))
    for name in ('data.bin', 'm.gltf'):
        (install / name).symlink_to(source / name)
    assert_unit_cube(read_record(install / 'm.gltf', MeshLimits(), 'solid', (1, 1, 1)))


def test_size_of_all_files_together_is_limited(tmp_path):
    with pytest.raises(MeshError, match=r'larger than 0.0005 MB \(limit size\)') as raised:
        read(tmp_path, 'm.stl', STL, MeshLimits(size=0.0005))
    assert raised.value.limit == 'size'
    (tmp_path / 'data.bin').write_bytes(GLB_POSITIONS)
    text = gltf(36, {**INLINE, 'uri': 'data.bin'})
    with pytest.raises(MeshError, match="'data.bin' that it refers to is larger than"):
        read(tmp_path, 'm.gltf', text, MeshLimits(size=(len(text) + 100) / 2**20))


@pytest.mark.parametrize('text, limits', [
    ('', MeshLimits()), ('memory=2048', MeshLimits(memory=2048)),
    ('time=1.5,size=10', MeshLimits(time=1.5, size=10))])
def test_limits_as_text(text, limits):
    assert MeshLimits.parse(text) == limits


@pytest.mark.parametrize('text', ['memory', 'cpu=3', 'time=x', 'time=0', 'time=nan', 'size=-1'])
def test_malformed_limits(text):
    with pytest.raises(ValueError):
        MeshLimits.parse(text)


def test_mujoco_splits_polygons_in_its_own_way(tmp_path):
    def triangles(text, task='pyramids'):
        (tmp_path / 'p.obj').write_text(text)
        found = read_obj(MeshFile(tmp_path / 'p.obj', MeshLimits(), task))
        return {tuple(sorted(map(tuple, each))) for each in found.tolist()}

    quadrangle = 'v 0 0 0\nv 1 0 0\nv 3 1 0\nv 0 1 0\nf 1 2 3 4\n'
    assert ((0, 0, 0), (0, 1, 0), (1, 0, 0)) in triangles(quadrangle)
    assert ((0, 0, 0), (1, 0, 0), (3, 1, 0)) in triangles(quadrangle, 'solid')
    for count, expected in ((100, 98), (101, 0)):
        ring = ''.join(f'v {math.cos(2 * math.pi * number / count)} '
                       f'{math.sin(2 * math.pi * number / count)} 0\n' for number in range(count))
        face = 'f ' + ' '.join(map(str, range(1, count + 1)))
        assert len(triangles(ring + face)) == expected
        assert len(triangles(ring + face, 'solid')) == count - 2
