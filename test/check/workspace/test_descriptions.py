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

"""Descriptions in folders."""

import os

import pytest

from urdf_tools.check.workspace.descriptions import find_descriptions
from urdf_tools.cli import main

URDF = '<robot name="r"><link name="base_link"/></robot>'
XACRO = '<robot {} xmlns:xacro="http://www.ros.org/wiki/xacro">{}</robot>'


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """Return a folder with descriptions of all kinds, which is the current one."""
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write('src/robot/package.xml', '<package><name>robot_description</name></package>')
    write('src/robot/urdf/robot.urdf.xacro', XACRO.format('name="$(arg n)"', """
        <xacro:arg name="n" default="r"/><xacro:include filename="parts.xacro"/>
        <xacro:include filename="$(find robot_description)/urdf/arm.xacro"/>
        <xacro:part/>"""))
    write('src/robot/urdf/parts.xacro', XACRO.format(
        '', '<xacro:macro name="part"><link name="base_link"/></xacro:macro>'))
    write('src/robot/urdf/arm.xacro', XACRO.format('name="arm"', '<link name="arm"/>'))
    write('src/other/urdf/arm.xacro', XACRO.format('name="arm"', '<link name="base_link"/>'))
    write('src/other/broken.xacro', '<robot name="broken">')
    write('src/other/plain.urdf', URDF)
    write('src/other/model.urdf', '<sdf/>')
    write('.git/hidden.urdf', URDF)
    write('build/COLCON_IGNORE', '')
    write('build/copy.urdf', URDF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_roots_and_parts(workspace):
    found = find_descriptions('.')
    assert found.roots == (
        './src/other/broken.xacro', './src/other/plain.urdf', './src/other/urdf/arm.xacro',
        './src/robot/urdf/robot.urdf.xacro')
    assert found.parts == ('./src/robot/urdf/arm.xacro', './src/robot/urdf/parts.xacro')


def test_check_of_a_folder(workspace, capsys):
    (workspace / 'src' / 'other' / 'broken.xacro').unlink()
    assert main(['check', 'src/other', 'src/robot/urdf/arm.xacro']) == 0
    out, err = capsys.readouterr()
    assert [line.split(':')[0] for line in out.splitlines() if ' errors, ' in line] == [
        'src/other/plain.urdf', 'src/other/urdf/arm.xacro', 'src/robot/urdf/arm.xacro', '3 files']
    assert err == ''


def test_a_folder_that_is_named_is_searched_though_colcon_ignores_it(workspace, capsys):
    """As interbotix_ros_xsarms, with a package that is switched off in it."""
    (workspace / 'build' / 'off').mkdir()
    for name in ('off/COLCON_IGNORE', 'off/other.urdf'):
        (workspace / 'build' / name).write_text(URDF)
    for name in ('build', 'build/'):
        assert main(['check', name]) == 0
        assert 'build/copy.urdf: no errors' in (out := capsys.readouterr().out)
        assert 'other.urdf' not in out
    assert './build/copy.urdf' not in find_descriptions('.').roots


def test_parts_are_counted_and_named(workspace, capsys, monkeypatch):
    main(['check', 'src/robot'])
    assert capsys.readouterr().err.splitlines() == [
        'src/robot: 2 xacro files for other files to include: urdf/arm.xacro, urdf/parts.xacro']
    monkeypatch.setattr('urdf_tools.cli.check.MAX_LISTED', 1)
    main(['check', 'src/robot'])
    assert capsys.readouterr().err.splitlines() == [
        'src/robot: 2 xacro files for other files to include; --verbose lists them']
    main(['check', '--verbose', 'src/robot'])
    assert capsys.readouterr().err.splitlines() == [
        'src/robot: 2 xacro files for other files to include: urdf/arm.xacro, urdf/parts.xacro']


@pytest.mark.parametrize('content, is_root', [
    ('<link name="a"/><joint name="j"><parent link="wrist"/><child link="a"/></joint>', False),
    ('<link name="a"/><link name="b"/>'
     '<joint name="j"><parent link="bb"/><child link="a"/></joint>', True),
    ('<xacro:if value="1"><xacro:include filename="a"/></xacro:if>', False),
    ('<xacro:if value="1"><link name="a"/></xacro:if>', True),
    ('<xacro:unless value="1"><xacro:if value="1"><link name="a"/><joint name="j">'
     '<parent link="wrist"/><child link="a"/></joint></xacro:if></xacro:unless>', False),
    ('<xacro:if value="1"><link name="a"/><joint name="j"><parent link="wrist"/>'
     '<child link="a"/></joint></xacro:if><link name="wrist"/>', True),
    ('<material name="red"/>', False), ('<xacro:part/>', True)])
def test_files_that_only_define(workspace, content, is_root):
    (workspace / 'file.xacro').write_text(XACRO.format('name="r"', content))
    assert ('./file.xacro' in find_descriptions('.').roots) is is_root


@pytest.mark.parametrize('content, is_root', [
    ('<material name="red"/><gazebo/>', False), ('', True), ('<lnik name="a"/>', True)])
def test_expanded_parts_are_no_robots(workspace, content, is_root):
    (workspace / 'file.urdf').write_text(f'<robot name="r">{content}</robot>')
    assert ('./file.urdf' in find_descriptions('.').roots) is is_root


@pytest.mark.parametrize('call, is_root', [('arm', True), ('material', False)])
def test_calls_without_their_prefix(workspace, call, is_root):
    (workspace / 'macro.xacro').write_text(XACRO.format('', '<xacro:macro name="arm"/>'))
    (workspace / 'file.xacro').write_text(XACRO.format(
        'name="r"', f'<xacro:include filename="macro.xacro"/><{call}/>'))
    assert ('./file.xacro' in find_descriptions('.').roots) is is_root


@pytest.mark.parametrize('name, content, is_root', [
    ('bot.urdf.xacro', '<link name="a"/>', True), ('bot.xacro', '<link name="a"/>', False),
    ('bot.urdf.xacro', '<xacro:macro name="arm"/>', False)])
def test_robots_of_parts_without_a_name(workspace, name, content, is_root):
    (workspace / 'part.xacro').write_text(XACRO.format('', content))
    (workspace / name).write_text(XACRO.format('', '<xacro:include filename="part.xacro"/>'))
    assert (f'./{name}' in find_descriptions('.').roots) is is_root


def test_parts_of_semantic_descriptions(workspace):
    part, macro = workspace / 'src/part.xacro', workspace / 'src/macro.srdf.xacro'
    part.write_text(XACRO.format('name="$(arg id)"', '<joint name="a"/>'))
    macro.write_text(XACRO.format('name="$(arg id)"', '<group name="g"/>'))
    assert './src/part.xacro' in find_descriptions('.').roots
    (workspace / 'src/arm.srdf.xacro').write_text(XACRO.format('name="arm"', ''.join(
        f'<xacro:include filename="{name}"/>' for name in ('part.xacro', 'macro.srdf.xacro'))))
    found = find_descriptions('.')
    assert './src/part.xacro' in found.parts and './src/part.xacro' not in found.roots
    assert found.semantic == ('src/arm.srdf.xacro',)


def test_hostile_folders(workspace):
    """Loops of links, pipes, links to nothing, folders that cannot be read, and other formats."""
    before = find_descriptions('.')
    os.symlink(workspace, workspace / 'src/loop')
    os.mkfifo(workspace / 'src/pipe.urdf')
    os.mkfifo(workspace / 'src/pipe.srdf')
    (workspace / 'src/folder.urdf').mkdir()
    (workspace / 'src/closed').mkdir(mode=0)
    assert find_descriptions('.') == before
    os.symlink('missing', workspace / 'src/dangling.urdf')
    (workspace / 'src/arm.srdf.xacro').write_text(XACRO.format('name="r"', '<link name="a"/>'))
    found = find_descriptions('.')
    assert {*found.roots} - {*before.roots} == {'./src/dangling.urdf'}
    assert [*map(os.path.basename, found.semantic)] == ['arm.srdf.xacro']


def test_the_text_of_a_description_for_its_path(capsys):
    assert main(['check', f'<robot name="{"r" * 5000}"/>', '--no-config']) == 2
    assert 'This is a description, not a path' in capsys.readouterr().out


def test_folders_that_cannot_be_read_are_named(workspace, capsys, monkeypatch):
    scandir = os.scandir

    def closed(path):
        if str(path).endswith('other'):
            raise PermissionError(13, 'Permission denied', path)
        return scandir(path)
    monkeypatch.setattr(os, 'scandir', closed)
    assert main(['check', 'src', '--select', 'names']) == 2
    assert 'src/other: the folder cannot be read' in capsys.readouterr().err.splitlines()


def test_a_folder_without_descriptions(tmp_path, capsys):
    assert main(['check', str(tmp_path)]) == 2
    assert 'has no description of a robot; SDF and MJCF files are only checked where they' in (
        capsys.readouterr().err)


def test_a_package_that_loads_a_description_from_one_beside_it(tmp_path, capsys, monkeypatch):
    for name, file, text in (
            ('bringup', 'launch/a.launch.py', "get_package_share_directory('arm'), 'urdf/a.urdf'"),
            ('arm', 'urdf/a.urdf', '<robot name="a"><link name="b"/></robot>')):
        (tmp_path / name / file).parent.mkdir(parents=True)
        (tmp_path / name / file).write_text(text)
        (tmp_path / name / 'package.xml').write_text(f'<package><name>{name}</name></package>')
    monkeypatch.chdir(tmp_path)
    assert main(['check', 'bringup']) == 0
    assert capsys.readouterr().err == (
        "bringup: its launch files load 'arm/urdf/a.urdf': run urdf-tools check .\n")
    assert main(['check', '.', '--select', 'names']) == 0
    (tmp_path / 'arm/launch').mkdir()
    (tmp_path / 'bringup/launch/a.launch.py').rename(tmp_path / 'arm/launch/a.launch.py')
    # A folder of a package without a description in it is checked with the package.
    capsys.readouterr()
    assert main(['check', 'arm/launch']) == 0
    assert capsys.readouterr().out.startswith('arm/urdf/a.urdf: passes')
    (tmp_path / 'a.launch').write_text('<launch/>')
    assert main(['check', 'a.launch']) == 1
    assert '= Name the URDF or xacro file that it loads' in capsys.readouterr().out
