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

"""A package of mesh files for generated descriptions: each format, sound and broken."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from support.mesh_files import binary_stl
from support.mesh_files import collada
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import mesh_data
from support.mesh_files import obj
from support.mesh_files import text_stl

_CUBE = CORNERS[CUBE].astype(float)

_UNITS = '<unit name="centimetre" meter="0.01"/><up_axis>Y_UP</up_axis>'


_SHORT = b'stride="3"/>'
_PARAMS = b'stride="3">%s</accessor>' % b''.join(
    b'<param name="%c" type="float"/>' % name for name in b'XYZ')
"""What COLLADA files name each coordinate with; pycollada finds no corners otherwise."""


@cache
def mesh_files() -> Mapping[str, bytes]:
    """Return the content of the files by their names."""
    return {name: data if name == 'params.dae' else data.replace(_SHORT, _PARAMS)
            for name, data in _files()}


def write_package(folder: Path) -> Path:
    """
    Write the packages ``robot`` and ``other`` with the meshes.

    :return: the folder of the package ``robot``, for descriptions beside some of the meshes.
    """
    for name in ('robot', 'other'):
        package = folder / name
        (package / 'meshes').mkdir(parents=True)
        (package / 'package.xml').write_text(f'<package format="3"><name>{name}</name></package>')
        for file, data in mesh_files().items():
            (package / 'meshes' / file).write_bytes(data)
            if name == 'robot':
                (package / file).write_bytes(data)
    return folder / 'robot'


def mesh_uri(random: Random) -> str:
    """Return the URI of a mesh beside the description, in a package, or of none."""
    sound = random.random() < 0.94
    name = random.choice(_SOUND if sound else [*mesh_files()])
    if random.random() < 0.94:
        return random.choice(_PLACES).format(name)
    return random.choice(_ODD_PLACES).format(name)


_PLACES = ('{}', '{}', '{}', 'meshes/{}', 'package://robot/meshes/{}', 'package://robot/{}')

_ODD_PLACES = (
    './{}', '../robot/{}', 'package://other/meshes/{}', 'package://absent/{}', 'absent_{}',
    'package://robot/absent/{}', 'model://robot/meshes/{}', 'file://absent/{}', 'file:///{}',
    'file://{}', '/absent/{}', 'http://localhost/{}', ' {} ', '{}?a=b', 'package:/robot/{}',
    'package://robot//meshes/{}', 'package://robot/../other/meshes/{}', 'Meshes/{}', '',
    'meshes', 'package://', 'package://robot', '{}.bak', '.{}', 'meshes\\{}')

_SOUND = ['cube.stl', 'cube.stl', 'cube.obj', 'cube.dae', 'cube.gltf', 'cube.glb', 'text.stl',
          'block.stl', 'block.obj', 'torus.stl', 'torus.obj', 'CUBE.STL', 'quads.obj', 'two.obj',
          'pair.stl', 'scene.dae', 'cube.ply', 'sphere.stl']
"""The meshes that most programs read; the others are rarer."""


def torus(rings: int = 7, sides: int = 5) -> np.ndarray:
    """Return the triangles of a torus in metres, shape (T, 3, 3)."""
    u, v = np.meshgrid(np.arange(rings + 1) % rings * 2 * np.pi / rings,
                       np.arange(sides + 1) % sides * 2 * np.pi / sides, indexing='ij')
    far = 0.5 + 0.2 * np.cos(v)
    points = np.stack([far * np.cos(u), far * np.sin(u), 0.2 * np.sin(v)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], axis=2).reshape(-1, 3, 3),
                           np.stack([a, c, d], axis=2).reshape(-1, 3, 3)])


def sphere(rings: int = 6, sides: int = 9, noise: float = 0.05) -> np.ndarray:
    """Return the triangles of a sphere with noise on its radius, shape (T, 3, 3)."""
    around = np.arange(sides + 1) % sides * 2 * np.pi / sides
    down = np.linspace(0, np.pi, rings + 1)
    theta, phi = np.meshgrid(down, around, indexing='ij')
    radius = 0.3 * (1 + noise * np.sin(7 * phi + 5 * theta) * np.sin(theta))
    points = np.stack([radius * np.sin(theta) * np.cos(phi), radius * np.sin(theta) * np.sin(phi),
                       radius * np.cos(theta)], axis=-1)
    points[0], points[-1] = points[0, 0], points[-1, 0]
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], axis=2)[:-1].reshape(-1, 3, 3),
                           np.stack([a, c, d], axis=2)[1:].reshape(-1, 3, 3)])


def _files() -> Iterator[tuple[str, bytes]]:
    block = _CUBE * (0.3, 0.02, 0.1) + (0.4, -0.1, 0.2)
    pair = np.concatenate([_CUBE, _CUBE + (2, 0, 0)])
    for suffix in ('.stl', '.obj', '.dae', '.gltf', '.glb'):
        yield f'cube{suffix}', mesh_data(suffix, _CUBE)
    yield 'params.dae', mesh_data('.dae', _CUBE)
    for name, triangles in (('block', block), ('torus', torus()), ('sphere', sphere()),
                            ('open', _CUBE[1:]), ('inward', _CUBE[:, ::-1]), ('pair', pair),
                            ('tiny', _CUBE * 2e-6), ('small', _CUBE * 1e-3), ('huge', _CUBE * 1e6),
                            ('flat', _CUBE[:2]), ('one', _CUBE[:1])):
        yield f'{name}.stl', binary_stl(triangles)
        yield f'{name}.obj', obj(triangles.reshape(-1, 3),
                                 np.arange(3 * len(triangles)).reshape(-1, 3)).encode()
    yield 'CUBE.STL', binary_stl(_CUBE)
    yield 'CUBE.Obj', obj(CORNERS, CUBE).encode()
    yield 'text.stl', text_stl(_CUBE).encode()
    yield 'merged.obj', obj(CORNERS, CUBE).encode()
    yield from _obj_files()
    yield from _collada_files()
    yield 'cube.ply', _ply(CORNERS, CUBE)
    yield from _broken_files()


def _obj_files() -> Iterator[tuple[str, bytes]]:
    corners = '\n'.join('v {} {} {}'.format(*corner) for corner in CORNERS)
    quads = ((1, 4, 3, 2), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8))
    faces = '\n'.join('f {} {} {} {}'.format(*quad) for quad in quads)
    yield 'quads.obj', f'{corners}\n{faces}\n'.encode()
    relative = '\n'.join('f ' + ' '.join(str(each - 9) for each in quad) for quad in quads)
    yield 'relative.obj', f'{corners}\n{relative}\n'.encode()
    slashes = '\n'.join('f ' + ' '.join(f'{each}//1' for each in quad) for quad in quads)
    head = f'# made\nmtllib absent.mtl\n{corners}\nvn 0 0 1\nusemtl a\n'
    yield 'normals.obj', f'{head}{slashes}\n'.encode()
    moved = '\n'.join('v {} {} {}'.format(*corner) for corner in CORNERS + (3, 0, 0))
    second = '\n'.join('f ' + ' '.join(str(each + 8) for each in quad) for quad in quads)
    yield 'two.obj', f'o a\n{corners}\n{faces}\no b\n{moved}\n{second}\n'.encode()
    yield 'groups.obj', f'{corners}\n{moved}\ng a\n{faces}\ng b\n{second}\n'.encode()


def _collada_files() -> Iterator[tuple[str, bytes]]:
    yield 'scene.dae', collada(CORNERS, CUBE, nodes=(
        '<node><translate>1 0 0</translate><rotate>0 0 1 90</rotate>'
        '<instance_geometry url="#mesh"/></node><node><scale>2 1 1</scale>'
        '<instance_geometry url="#mesh"/></node>')).encode()
    yield 'units.dae', collada(CORNERS, CUBE).replace(
        '<asset/>', f'<asset>{_UNITS}</asset>').encode()
    yield 'unused.dae', collada(CORNERS, CUBE, nodes='<node/>').encode()
    faces = ' '.join('3' for _ in CUBE)
    yield 'polylist.dae', collada(CORNERS, CUBE, primitive=(
        f'<polylist count="{len(CUBE)}"><input semantic="VERTEX" source="#vertices" offset="0"/>'
        f'<vcount>{faces}</vcount><p>{" ".join(map(str, CUBE.ravel()))}</p></polylist>')).encode()


def _ply(corners: np.ndarray, faces: np.ndarray) -> bytes:
    header = (f'ply\nformat ascii 1.0\nelement vertex {len(corners)}\nproperty float x\n'
              f'property float y\nproperty float z\nelement face {len(faces)}\n'
              'property list uchar int vertex_indices\nend_header\n')
    rows = [' '.join(map(str, corner)) for corner in corners]
    rows += ['3 ' + ' '.join(map(str, face)) for face in faces]
    return (header + '\n'.join(rows) + '\n').encode()


def _broken_files() -> Iterator[tuple[str, bytes]]:
    good = binary_stl(_CUBE)
    for suffix in ('.stl', '.obj', '.dae', '.gltf', '.glb', '.ply', '.msh', '.3ds', '.fbx', '.vtk',
                   '.usd', ''):
        yield f'empty{suffix}', b''
        yield f'garbage{suffix}', b'\x01garbage\n\xff' * 20
    yield 'cut.stl', good[:-20]
    yield 'long.stl', good + b'abcd'
    yield 'none.stl', bytes(84)
    yield 'solid.stl', b'solid' + good[5:]
    yield 'wrong.stl', mesh_data('.obj', _CUBE)
    yield 'wrong.obj', good
    yield 'wrong.dae', good
    yield 'cut.dae', mesh_data('.dae', _CUBE)[:-200]
    yield 'cut.glb', mesh_data('.glb', _CUBE)[:-50]
    yield 'points.obj', obj(CORNERS, CUBE[:0]).encode()
    yield 'index.obj', obj(CORNERS, CUBE + 100).encode()
    yield 'nan.obj', obj(CORNERS * np.nan, CUBE).encode()
    yield 'nan.stl', binary_stl(np.where(np.arange(12)[:, None, None], _CUBE, np.nan))
