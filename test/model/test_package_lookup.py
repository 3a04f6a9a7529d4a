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

"""Packages in the sources of a workspace, before and after they are installed."""

from importlib.util import find_spec
import os

import pytest

from urdf_tools.cli import main
from urdf_tools.model import package_lookup
from urdf_tools.model.package_lookup import MAX_BYTES
from urdf_tools.model.package_lookup import package_name
from urdf_tools.model.package_lookup import PackageLookup
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')
HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
LINK = '<link name="{}"/>'


@pytest.fixture(autouse=True)
def nothing_remembered():
    package_lookup._packages_at.cache_clear()


@pytest.fixture
def workspace(tmp_path):
    """Return a function that writes a file of a workspace."""
    def write(path, text=''):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file
    for folder, name in (('arm', 'arm_description'), ('grippers/two_finger', 'gripper')):
        write(f'src/{folder}/package.xml', f'<package><name>{name}</name></package>')
    return write


def lookup(folder, **environment):
    return PackageLookup(folder, {}, environment)


def install(write, name):
    write(f'install/share/ament_index/resource_index/packages/{name}')
    return write(
        f'install/share/{name}/package.xml', f'<package><name>{name}</name></package>').parent


def test_packages_beside_the_own_one(workspace, tmp_path):
    workspace('src/arm/urdf/x')
    find = lookup(tmp_path / 'src/arm/urdf').find
    assert find('arm_description') == tmp_path / 'src/arm'
    assert find('gripper') == tmp_path / 'src/grippers/two_finger'
    assert find('arm') is None
    assert find('') is None and find('../arm') is None


def test_a_checkout_is_searched_whatever_its_name(workspace, tmp_path):
    (tmp_path / 'src').rename(tmp_path / 'repository')
    assert lookup(tmp_path / 'repository/arm').find('gripper') is None
    (tmp_path / 'repository/.git').mkdir()
    assert lookup(tmp_path / 'repository/arm').find('gripper') == (
        tmp_path / 'repository/grippers/two_finger')


def test_ignored_folders_are_left_out(workspace, tmp_path):
    workspace('src/grippers/COLCON_IGNORE')
    assert lookup(tmp_path / 'src/arm').find('gripper') is None


def test_the_own_sources_win_and_else_what_is_installed(workspace, tmp_path):
    own, other = (install(workspace, name) for name in ('arm_description', 'gripper'))
    prefix = str(tmp_path / 'install')
    in_sources = lookup(tmp_path / 'src/arm', AMENT_PREFIX_PATH=prefix)
    assert in_sources.find('arm_description') == tmp_path / 'src/arm'
    assert in_sources.find('gripper') == other
    installed = lookup(own / 'urdf', AMENT_PREFIX_PATH=prefix)
    assert installed.find('arm_description') == own
    given = PackageLookup(tmp_path / 'src/arm', {'arm_description': other}, {})
    assert given.find('arm_description') == other


def test_the_search_is_bounded(workspace, tmp_path, monkeypatch):
    monkeypatch.setattr('urdf_tools.model.package_lookup.MAX_FOLDERS', 1)
    assert lookup(tmp_path / 'src/arm').find('gripper') is None


def test_hostile_folders(workspace, tmp_path):
    """Loops of links, pipes in place of manifests and folders that cannot be read."""
    os.symlink(tmp_path / 'src', tmp_path / 'src/arm/loop')
    (tmp_path / 'src/pipe').mkdir()
    os.mkfifo(tmp_path / 'src/pipe/package.xml')
    (tmp_path / 'src/closed').mkdir(mode=0)
    workspace('src/bad/package.xml', '<package><name>gripper')
    assert lookup(tmp_path / 'src/arm').find('gripper') == tmp_path / 'src/grippers/two_finger'


@pytest.mark.parametrize('content', [
    '<!DOCTYPE package [<!ENTITY a "own">]><package><name>&a;</name></package>',
    '<!DOCTYPE package [<!ENTITY a SYSTEM "file:///etc/passwd">]><package><name>&a;</name>'
    '</package>', '<package>' + '<a>' * 10**5,
    f'<package><name>{"x" * MAX_BYTES}</name></package>',
    f'<package><!--{" " * MAX_BYTES}--><name>own</name></package>', '\0' * 100, '\udcff', ''],
    ids=['entity', 'file', 'deep', 'long', 'late', 'nul', 'bytes', 'empty'])
def test_hostile_manifests(tmp_path, content):
    """They name no package, and of none more is read than a limit."""
    path = tmp_path / 'package.xml'
    path.write_text(content, errors='surrogateescape')
    assert package_name(tmp_path) is None
    path.unlink()
    path.symlink_to('/dev/zero')
    assert package_name(tmp_path) is None


def test_meshes_of_packages_in_the_sources(workspace, tmp_path):
    mesh = workspace('src/grippers/two_finger/meshes/finger.stl')
    resolver = ResourceResolver(tmp_path / 'src/arm/urdf', environment={})
    assert resolver.resolve('package://gripper/meshes/finger.stl') == mesh
    with pytest.raises(ResourceError, match="Package 'two_finger' does not exist"):
        resolver.resolve('package://two_finger/meshes/finger.stl')


@NEEDS_XACRO
@pytest.mark.parametrize('verb', [
    ['check'], ['tree'], ['fk'], ['inertia'], ['account'], ['sdf'], ['expand']])
def test_every_verb_finds_the_packages(workspace, tmp_path, capsys, verb, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'install'))
    installed = install(workspace, 'arm_description')
    workspace(f'{installed}/urdf/arm.xacro', f'{HEAD}{LINK.format("old")}</robot>')
    workspace('src/arm/urdf/arm.xacro', f'{HEAD}{LINK.format("base_link")}</robot>')
    workspace('src/grippers/two_finger/urdf/finger.xacro', (
        f'{HEAD}{LINK.format("finger")}<joint name="j" type="fixed">'
        '<parent link="base_link"/><child link="finger"/></joint></robot>'))
    robot = workspace('src/arm/urdf/robot.urdf.xacro', HEAD + (
        '<xacro:include filename="$(find arm_description)/urdf/arm.xacro"/>'
        '<xacro:include filename="$(find gripper)/urdf/finger.xacro"/></robot>'))
    assert main([*verb, str(robot)]) in (0, 1)
    captured = capsys.readouterr()
    assert 'not found' not in captured.out + captured.err
    if verb[0] in ('tree', 'expand'):
        assert 'finger' in captured.out and 'old' not in captured.out


@NEEDS_XACRO
def test_packages_that_are_given_are_those_of_xacro(workspace, tmp_path, capsys):
    workspace('elsewhere/part.xacro', f'{HEAD}{LINK.format("base_link")}</robot>')
    robot = workspace('robot.urdf.xacro', (
        f'{HEAD}<xacro:include filename="$(find parts)/part.xacro"/></robot>'))
    assert main(['check', str(robot)]) == 2
    assert 'parts' in capsys.readouterr().out
    assert main(['check', str(robot), '--package', f'parts={tmp_path / "elsewhere"}']) == 0


def test_the_language_server_finds_the_same_packages(workspace, tmp_path, monkeypatch):
    pytest.importorskip('pygls')
    from support.editor import project_in
    from support.editor import put
    monkeypatch.delenv('AMENT_PREFIX_PATH', raising=False)
    part = workspace('src/grippers/two_finger/urdf/finger.xacro', f'{HEAD}</robot>')
    project = project_in()
    source = put(project, tmp_path / 'src/arm/urdf/r.urdf.xacro', (
        f'{HEAD}<xacro:include filename="$(find gripper)/urdf/finger.xacro"/></robot>'))
    assert project.includes(source) == [str(part)]
    assert {'arm_description', 'gripper'} <= {*project.resolver(source).lookup.names()}


def test_equal_entries_of_a_path_are_one(tmp_path):
    environment = {'ROS_PACKAGE_PATH': ':'.join([f'{tmp_path}/a', f'{tmp_path}/b/../a'] * 1000)}
    lookup = PackageLookup(None, {}, environment)
    assert lookup.paths('ROS_PACKAGE_PATH') == [tmp_path / 'a']
