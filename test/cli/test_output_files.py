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

"""What verbs write: never an input, and whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
import resource
import subprocess
import sys
import threading

import pytest

from urdf_tools.atomic_write import replace_file
from urdf_tools.cli import main

pytestmark = pytest.mark.slow

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>' \
    '</inertial>'
ROBOT = f"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="part.xacro"/>
  <xacro:property name="values" value="${{load_yaml('values.yaml')}}"/>
  <link name="${{values['link']}}">{MASS}
    <visual><geometry><mesh filename="meshes/${{'arm'}}.stl"/></geometry></visual>
  </link>
</robot>
"""
PART = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="part"/></robot>'
URDF = f'<robot name="r"><link name="a">{MASS}</link></robot>\n'
COMMAND = (sys.executable, '-m', 'urdf_tools.cli')


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return the current folder, with robots and all that they refer to."""
    (tmp_path / 'meshes').mkdir()
    for name, text in {
            'robot.urdf.xacro': ROBOT, 'part.xacro': PART, 'values.yaml': 'link: base\n',
            'meshes/arm.stl': 'solid arm\nendsolid arm\n', 'robot.urdf': URDF,
            'urdf-tools.toml': 'strict = true\n', 'known.json': '{"version": 2, "findings": []}',
            'more.urdf': URDF}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / 'linked').symlink_to('robot.urdf.xacro')
    (tmp_path / 'linked.urdf').symlink_to('robot.urdf')
    os.link(tmp_path / 'robot.urdf.xacro', tmp_path / 'other.name')
    os.link(tmp_path / 'robot.urdf', tmp_path / 'other.urdf')
    os.link(tmp_path / 'part.xacro', tmp_path / 'other.part')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the files below a folder, with their inodes."""
    return {str(path): (path.read_bytes(), path.stat().st_ino)
            for path in folder.rglob('*') if path.is_file()}


@pytest.mark.parametrize('arguments', [
    ['expand', 'robot.urdf.xacro', '-o', 'robot.urdf.xacro'],
    ['expand', 'robot.urdf.xacro', '-o', './meshes/../robot.urdf.xacro'],
    ['expand', 'robot.urdf.xacro', '-o', 'linked'],
    ['expand', 'robot.urdf.xacro', '-o', 'other.name'],
    ['expand', 'robot.urdf.xacro', '-o', 'part.xacro'],
    ['expand', 'robot.urdf.xacro', '-o', 'other.part'],
    ['sdf', 'robot.urdf', '-o', 'robot.urdf'],
    ['sdf', 'robot.urdf', '-o', 'other.urdf'],
    ['sdf', 'linked.urdf', '-o', 'robot.urdf'],
    ['sdf', 'robot.urdf.xacro', '-o', 'part.xacro'],
    ['urdf', 'robot.urdf.xacro', '-o', 'part.xacro'],
    ['urdf', 'linked.urdf', '-o', 'robot.urdf'],
    ['check', 'robot.urdf', '--output', 'json=linked.urdf'],
    ['check', '.', '--output', 'json=more.urdf'],
    ['check', 'robot.urdf', '--output', 'json=urdf-tools.toml'],
    ['check', 'robot.urdf', '--config', 'urdf-tools.toml', '--output', 'text=urdf-tools.toml'],
    ['check', 'robot.urdf', '--baseline', 'known.json', '--output', 'json=known.json'],
    ['check', 'robot.urdf', '--baseline', 'known.json', '--update-baseline', '--output',
     'json=known.json'],
    ['check', 'robot.urdf', '--output', 'json=new.json', '--output', 'sarif=new.json'],
    ['check', 'robot.urdf.xacro', '--output', 'json=other.part'],
    ['view', 'robot.urdf', '--screenshot', 'other.urdf']], ids=' '.join)
def test_an_input_is_not_overwritten(folder, arguments, capsys):
    before = contents(folder)
    assert main(arguments) == 2
    error, = (line for line in capsys.readouterr().err.splitlines()
              if line.startswith('urdf-tools: '))
    assert error.endswith('. Name another file')
    assert contents(folder) == before


@pytest.mark.parametrize('output', ['also.urdf', 'part.xacro', 'robot.urdf'])
def test_attach_overwrites_no_xacro_whatever_it_is_called(folder, output, capsys):
    (folder / 'also.urdf').write_text(ROBOT)
    (folder / 'robot.urdf').unlink()
    (folder / 'robot.urdf').symlink_to('also.urdf')
    before = contents(folder)
    assert main(['attach', 'also.urdf', 'more.urdf', '--link', 'base', '-o', output]) == 2
    assert 'is an input' in capsys.readouterr().err
    assert contents(folder) == before


def test_the_file_behind_standard_input_is_an_input(folder):
    before = contents(folder)
    with open('robot.urdf') as file:
        result = subprocess.run([*COMMAND, 'sdf', '-', '-o', 'linked.urdf'], stdin=file,
                                stderr=subprocess.PIPE, text=True)
    assert (result.returncode, result.stderr) == (
        2, "urdf-tools: 'linked.urdf' is an input (standard input), which would be overwritten. "
           'Name another file\n')
    assert contents(folder) == before


def test_a_file_that_is_only_called_like_an_input_is_written(folder):
    (folder / 'out' / 'meshes').mkdir(parents=True)
    for name in ('out/part.xacro', 'out/meshes/arm.stl'):
        (folder / name).touch()
        assert main(['expand', 'robot.urdf.xacro', '-o', name]) == 0
        assert b'<link name="base">' in (folder / name).read_bytes()


@pytest.mark.parametrize('arguments, output', [
    (['expand', 'robot.urdf.xacro', '-o', 'old'], 'old'),
    (['sdf', 'robot.urdf', '-o', 'old'], 'old'),
    (['check', 'robot.urdf', '--output', 'json=old'], 'old'),
    (['check', 'robot.urdf', '--baseline', 'known.json', '--update-baseline'], 'known.json'),
    (['check', 'wrong.urdf', '--fix'], 'wrong.urdf'),
    (['inertia', 'robot.urdf', '--compute', 'all', '--mass', 'a=2', '--write'], 'robot.urdf')],
    ids=lambda value: ' '.join(value) if isinstance(value, list) else value)
def test_a_full_disk_leaves_the_old_file(folder, arguments, output):
    (folder / 'old').write_text('old')
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    (folder / 'robot.urdf').write_text(URDF.replace('</link>', f'{box}</link>'))
    (folder / 'wrong.urdf').write_text(URDF.replace(
        '</robot>', '<link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
                    '<child link="b"/><axis xyz="0 0 2"/></joint></robot>'))
    before = contents(folder)
    result = subprocess.run(
        [*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16)),
        env={**os.environ, 'PYTHONDONTWRITEBYTECODE': '1'})  # Its files would be cut, too.
    assert (result.returncode, result.stderr) == (
        2, f"urdf-tools: Cannot write '{output}': File too large\n")
    assert contents(folder) == before


def test_the_old_file_is_there_until_the_new_one_is_on_the_disk(folder, monkeypatch):
    synced = []
    monkeypatch.setattr('os.fsync', lambda file: synced.append(os.fstat(file).st_ino))
    replace_file('old', b'new')
    replace_file('old', b'newer')
    assert synced[1] == os.stat('old').st_ino != synced[0]


def test_a_new_file_has_the_mode_of_new_files_and_an_old_one_keeps_its_own(folder):
    mask = os.umask(0o027)
    try:
        replace_file('new', b'1')
        assert os.stat('new').st_mode & 0o777 == 0o640
        os.chmod('new', 0o604)
        replace_file('new', b'2')
        assert os.stat('new').st_mode & 0o777 == 0o604
    finally:
        os.umask(mask)


def test_a_write_protected_file_is_not_replaced(folder, monkeypatch, capsys):
    os.chmod('more.urdf', 0o444)
    # Root may write every file.
    monkeypatch.setattr('os.access', lambda path, _: os.stat(path).st_mode & 0o222 != 0)
    assert main(['expand', 'robot.urdf.xacro', '-o', 'more.urdf']) == 2
    assert capsys.readouterr().err == "urdf-tools: Cannot write 'more.urdf': Permission denied\n"
    assert (folder / 'more.urdf').read_text() == URDF


def test_links_are_followed(folder):
    (folder / 'dangling').symlink_to('meshes/new.sdf')
    for name, target in (('linked.urdf', 'robot.urdf'), ('dangling', 'meshes/new.sdf')):
        assert main(['sdf', 'more.urdf', '-o', name]) == 0
        assert (folder / name).is_symlink()
        assert (folder / target).read_text().startswith('<?xml')


def test_a_pipe_is_written_directly(folder):
    os.mkfifo('pipe')
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path('pipe').read_bytes()))
    reader.start()
    assert main(['sdf', 'robot.urdf', '-o', 'pipe']) == 0
    reader.join()
    assert read[0].endswith(b'</sdf>\n')
    assert (folder / 'pipe').is_fifo()


@pytest.mark.parametrize('name', ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', 'link', '-'])
def test_standard_output_is_written_whatever_it_is_called(folder, name):
    (folder / 'link').symlink_to('/dev/stdout')
    arguments = [*COMMAND, 'sdf', 'robot.urdf', '-o', name]
    piped = subprocess.run(arguments, capture_output=True)
    assert piped.returncode == 0
    with open('log', 'ab') as log:
        log.write(b'before\n')
        log.flush()
        subprocess.run(arguments, stdout=log, check=True, stderr=subprocess.DEVNULL)
    assert (folder / 'log').read_bytes() == b'before\n' + piped.stdout
    assert piped.stdout.endswith(b'</sdf>\n')


def test_a_full_device_is_one_error(capsys):
    assert main(['sdf', 'robot.urdf', '-o', '/dev/full']) == 2
    assert capsys.readouterr().err == (
        "urdf-tools: Cannot write '/dev/full': No space left on device\n")


@pytest.mark.parametrize(('verb', 'suffix', 'options', 'mesh'), [
    ('mjcf', 'xml', [], 'assets/m.stl'), ('urdf', 'urdf', ['--meshes', 'meshes'], 'meshes/m.obj')])
def test_meshes_of_another_model_are_kept(tmp_path, monkeypatch, capsys, verb, suffix, options,
                                          mesh):
    monkeypatch.chdir(tmp_path)
    corners = 'v 0 0 0\nv {} 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'
    for width in (1, 2):
        folder = tmp_path / f'in{width}'
        folder.mkdir()
        (folder / 'r.urdf').write_text(
            '<robot name="r"><link name="l"><visual><geometry><mesh filename="m.obj"/></geometry>'
            '</visual></link></robot>')
        (folder / 'm.obj').write_text(corners.format(width))

    def convert(width, output):
        return main([verb, f'in{width}/r.urdf', '-o', f'{output}.{suffix}', *options])

    assert convert(1, 'out/a') == convert(1, 'out/b') == 0
    (tmp_path / 'out' / 'scene.xml').write_text('<mujoco><include file="a.xml"/></mujoco>')
    before = (tmp_path / 'out' / mesh).read_bytes()
    capsys.readouterr()
    assert convert(2, 'out/b') == 2
    assert f"'out/{mesh}' is a file of 'out/a.{suffix}', too" in capsys.readouterr().err
    assert (tmp_path / 'out' / mesh).read_bytes() == before
    (tmp_path / 'out' / f'a.{suffix}').unlink()
    assert convert(2, 'out/b') == 0
    assert (tmp_path / 'out' / mesh).read_bytes() != before
