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

"""Small descriptions that programs and their models have to answer alike."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha1
from pathlib import Path
import re
import shutil

from support.corpus import CORPUS
from support.generated_meshes import mesh_files
from support.mesh_files import binary_stl
from support.mesh_files import collada
from support.mesh_files import CORNERS
from support.mesh_files import CUBE
from support.mesh_files import obj
from support.mesh_files import text_stl
from support.rule_cases import CASES

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.xml.document import read_document
from urdf_tools.programs.accounts import Source

_INERTIAL = ('<inertial><origin xyz="0.1 0.2 0.3"/><mass value="{}"/>'
             '<inertia ixx="3" iyy="2" izz="2" ixy="0.1" ixz="0" iyz="0"/></inertial>')
_SHAPES = {
    'box': '<box size="1 2 3"/>', 'cylinder': '<cylinder radius="1" length="2"/>',
    'sphere': '<sphere radius="1"/>', 'capsule': '<capsule radius="1" length="2"/>',
    'stl': '<mesh filename="cube.stl"/>', 'obj': '<mesh filename="cube.obj" scale="1 1 -2"/>',
    'text': '<mesh filename="text.stl"/>', 'dae': '<mesh filename="cube.dae"/>',
    'open': '<mesh filename="open.stl"/>', 'folder': '<mesh filename="meshes/cube.stl"/>',
    'package': '<mesh filename="package://robot/cube.stl"/>',
    'absent': '<mesh filename="absent.stl"/>', 'gltf': '<mesh filename="cube.glb"/>',
    'objects': '<mesh filename="objects.obj"/>',
    'tiny': '<mesh filename="cube.stl" scale="2e-6 2e-6 2e-6"/>',
    'collada': '<mesh filename="real.dae"/>', 'empty-collada': '<mesh filename="empty.dae"/>',
    'faceless': '<mesh filename="faceless.obj"/>', 'unused': '<mesh filename="unused.obj"/>',
    'normals': '<mesh filename="normals.obj"/>', 'longer': '<mesh filename="longer.stl"/>',
    'triangle': '<mesh filename="triangle.stl"/>', 'none': '<mesh filename="none.stl"/>'}
_MESH = re.compile(r'<mesh\b[^>]*?\sfilename="([^"]+)"')
_JOINTS = ('fixed', 'floating', 'planar', 'prismatic', 'continuous')


def write_meshes(folder: Path) -> None:
    """Write the mesh files of the descriptions."""
    triangles = CORNERS[CUBE].astype(float)
    (folder / 'meshes').mkdir()
    for name in ('cube.stl', 'meshes/cube.stl'):
        (folder / name).write_bytes(binary_stl(triangles))
    (folder / 'open.stl').write_bytes(binary_stl(triangles[1:]))
    (folder / 'text.stl').write_text(text_stl(triangles))
    (folder / 'cube.obj').write_text(obj(CORNERS, CUBE))
    (folder / 'triangle.stl').write_bytes(binary_stl(triangles[:1]))
    (folder / 'longer.stl').write_bytes(binary_stl(triangles) + b'end')
    (folder / 'none.stl').write_bytes(binary_stl(triangles[:0]))
    for name, primitive in (('real.dae', ''), ('empty.dae', ' ')):
        text = collada(CORNERS, CUBE, primitive=primitive)
        (folder / name).write_text(text.replace('stride="3"/>', 'stride="3">' + ''.join(
            f'<param name="{axis}" type="float"/>' for axis in 'XYZ') + '</accessor>'))
    vertices = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'
    (folder / 'faceless.obj').write_text(vertices)
    (folder / 'unused.obj').write_text(f'{vertices}v 0 0 1\nf 1 2 3\n')
    (folder / 'normals.obj').write_text(f'{vertices}vn 0 0 1\nf 1//1 2//1 3\n')
    second = obj(2 * CORNERS + 5, CUBE + len(CORNERS))
    (folder / 'objects.obj').write_text(f'o first\n{obj(CORNERS, CUBE)}o second\n{second}')


@cache
def descriptions() -> dict[str, str]:
    """
    Return the descriptions by name; those that are no XML are left out.

    A record is of one text: the name of a case of a rule changes with it, not with cases before.
    """
    names = {text: name for name, text in reversed((*_robots(), *_rule_cases()))}
    return {name: text for text, name in reversed(names.items()) if source_of(text) is not None}


def _robot(content: str) -> str:
    return f'<robot name="r">{content}</robot>'


def _link(name: str, mass: float = 1, content: str = '') -> str:
    return f'<link name="{name}">{_INERTIAL.format(mass)}{content}</link>'


def _joint(name: str, parent: str, child: str, kind: str = 'revolute', content: str = '') -> str:
    return (f'<joint name="{name}" type="{kind}"><origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>'
            f'<parent link="{parent}"/><child link="{child}"/><axis xyz="0 0 1"/>'
            f'<limit lower="-1" upper="1" effort="1" velocity="1"/>{content}</joint>')


def _robots() -> Iterator[tuple[str, str]]:
    base = _link('base', 10) + _link('a') + _joint('j', 'base', 'a')
    yield 'two-links', _robot(base)
    yield 'world', _robot('<link name="world"/>' + base + _joint('w', 'world', 'base', 'fixed'))
    yield 'free', _robot('<link name="world"/>' + base + _joint('w', 'world', 'base', 'floating'))
    yield 'no-mass', _robot(base + '<link name="b"/>' + _joint('k', 'a', 'b'))
    yield 'mass-below', _robot(
        base + '<link name="b"/>' + _link('c') + _joint('k', 'a', 'b') + _joint('l', 'b', 'c'))
    yield 'mass-beside', _robot(
        base + '<link name="b"/>' + _link('c') + _joint('k', 'a', 'b')
        + _joint('l', 'b', 'c', 'fixed'))
    yield 'mimic', _robot(
        base + _link('b') + _joint('k', 'base', 'b', 'revolute', '<mimic joint="j"/>'))
    for name, kinds in (('two', ['revolute'] * 2), ('three', ['fixed', 'revolute', 'revolute']),
                        ('fixed', ['revolute', 'fixed'])):
        yield f'parents-{name}', _robot(
            base + _link('b') + _link('c') + _joint('l', 'b', 'c') + ''.join(
                _joint(f'k{index}', 'a', 'b', kind) for index, kind in enumerate(kinds)))
    yield 'two-inertials', _robot(base.replace('</inertial>', f'</inertial>{_INERTIAL.format(5)}'))
    for tag in ('visual', 'collision'):
        for name, content in (
                ('two-shapes', '<geometry><box size="1 1 1"/><sphere radius="1"/></geometry>'),
                ('two-geometries', '<geometry><box size="1 1 1"/></geometry>'
                                   '<geometry><sphere radius="1"/></geometry>')):
            yield f'{tag}-{name}', _robot(_link('a', 1, f'<{tag}>{content}</{tag}>'))
        yield f'{tag}-of-no-name', _robot(_link('a', 1, (
            f'<{tag} name=""><geometry><box size="1 1 1"/></geometry></{tag}>')))
    for color in ('1 0 0 2', '1 0 0 -1', '2 0 0 1'):
        yield f'color-{color}', _robot(
            f'<material name="m"><color rgba="{color}"/></material>{base}')
    for limit in ('lower="-1" upper="1"', 'lower="1" upper="-1" effort="1" velocity="1"'):
        yield f'urdf-1.2-{limit}', _robot(base).replace(' name', ' version="1.2" name', 1).replace(
            'lower="-1" upper="1" effort="1" velocity="1"', limit)
    for kind in _JOINTS:
        yield f'joint-{kind}', _robot(base + _link('b') + _joint('k', 'a', 'b', kind))
    for name, shape in _SHAPES.items():
        for tag in ('visual', 'collision'):
            content = f'<{tag}><origin xyz="0 1 0"/><geometry>{shape}</geometry></{tag}>'
            yield f'{tag}-{name}', _robot(
                base + _link('b', 1, content) + _joint('k', 'a', 'b'))
            yield f'{tag}-{name}-alone', _robot(
                base + f'<link name="b">{content}</link>' + _joint('k', 'a', 'b'))


def _rule_cases() -> Iterator[tuple[str, str]]:
    """Yield the cases of the rules, with a mass for links that have nothing."""
    for case in CASES:
        for name in ('bad', 'good'):
            text = case.template.format(getattr(case, name))
            if len(text) < 5000:
                digest = sha1(text.encode(errors='surrogatepass')).hexdigest()[:8]
                yield f'{case.code}-{name}-{digest}', re.sub(
                    r'<link name="(\w+)"/>', lambda found: _link(found[1]), text)


def source_of(text: str | bytes) -> Source | None:
    """Return a description as programs are given it, or None if it is no XML."""
    try:
        document = read_document(text)
    except DescriptionError:
        return None
    try:
        return Source.of_document(document, build_robot(document))
    except DescriptionError:
        return Source.of_document(document, None)


@cache
def corpus_files() -> dict[str, Path]:
    """Return the robots of the corpus and the bad files that are XML, by their paths."""
    paths = sorted(CORPUS.glob('bad/*.urdf'))
    if CORPUS.is_dir():
        lines = (CORPUS / 'INDEX.tsv').read_text().splitlines()[1:]
        paths = [*(CORPUS / line.split('\t')[1] for line in lines), *paths]
    return {str(path.relative_to(CORPUS)): path for path in paths
            if source_of(path.read_bytes()) is not None}


def corpus_with_meshes(folder: Path) -> dict[str, Path]:
    """
    Copy the robots of the corpus into a folder, with a simple file for each mesh that is missing.

    :return: the copies, by the path in the corpus below ``meshes/``.
    """
    found = {}
    for name in filter(re.compile('robots/').match, corpus_files()):
        path = folder / name
        packages = Path(*Path(name).parts[:2])
        if not (folder / packages).is_dir():
            shutil.copytree(CORPUS / packages, folder / packages)
        for uri in set(_MESH.findall(path.read_text())):
            _write_mesh(folder / packages, path.parent, uri)
        found[f'meshes/{name}'] = path
    return found


def _write_mesh(packages: Path, beside: Path, uri: str) -> None:
    """Write the mesh of a URI if it is missing, in a package or beside the description."""
    scheme, _, name = uri.rpartition('://')
    path = (packages if scheme == 'package' else beside) / name
    data = mesh_files().get(f'cube{path.suffix.lower()}')
    if not path.exists() and data is not None and not name.startswith('/'):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
