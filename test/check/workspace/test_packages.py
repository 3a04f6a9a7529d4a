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

"""Packages without a description are checked, too, and their files with the package."""

import json
from pathlib import Path

import pytest

from urdf_tools import validate
from urdf_tools.cli import main

_MANIFEST = ('<package format="3"><name>{}</name><exec_depend>{}</exec_depend>'
             '<export><build_type>ament_python</build_type></export></package>')
_WRONG = 'amcl:\n  ros__parameters:\n    max_particles: 2000.0\n'
_NODE = '<launch><node pkg="{}" exec="x"/></launch>\n'
_ARM = '<robot name="arm"><link name="base"/></robot>'


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(**files):
    for path, text in files.items():
        file = Path(path.replace('__', '/').replace('_x', '.'))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def package(name, depend='nav2_amcl', **files):
    write(**{f'{name}__package_xxml': _MANIFEST.format(name.rpartition('__')[2], depend)}, **{
        f'{name}__{path}': text for path, text in files.items()})


def report(arguments, capsys):
    main(['check', *arguments, '--format', 'json'])
    return {each['source']: [(finding['source']['file'], finding['code'])
                             for finding in each['findings'] if 'source' in finding]
            for each in json.loads(capsys.readouterr().out)['reports']}


def test_a_package_without_a_description(capsys):
    package('nav', config__params_xyaml=_WRONG)
    assert main(['check', 'nav']) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "nav/package.xml: fails, 1 error; package 'nav' has no description of a robot")
    assert lines[1].startswith("nav/config/params.yaml:3:5: error: 'max_particles' of nav2_amcl/")
    assert lines[-1] == 'nav/package.xml: 1 error, 0 warnings, 0 notes'
    assert validate('nav/package.xml').package == 'nav'


@pytest.mark.parametrize('kind', ['sarif', 'junit', 'github'])
def test_formats(kind, capsys):
    package('nav', config__params_xyaml=_WRONG)
    assert main(['check', 'nav', '--format', kind]) == 1
    out = capsys.readouterr().out
    assert 'nav/config/params.yaml' in out
    assert ('<testcase' in out) == (kind == 'junit')


def test_a_workspace_says_nothing_of_packages_without_findings(capsys):
    package('src__arm', urdf__arm_xurdf=_ARM)
    package('src__fine', launch__a_xlaunch_xxml=_NODE.format('nav2_amcl'))
    package('src__nav', config__params_xyaml=_WRONG)
    assert main(['check', 'src']) == 1
    out = capsys.readouterr().out
    assert 'src/arm/urdf/arm.urdf: ' in out
    assert 'src/nav/package.xml: fails' in out
    assert 'fine' not in out
    assert '\n3 files: 1 error' in out
    assert main(['check', 'src/fine']) == 0
    assert capsys.readouterr().out.startswith(
        "src/fine/package.xml: passes; package 'fine' has no description of a robot\n")


def test_a_folder_of_one_package_without_findings_gets_its_counts(capsys):
    package('src__fine')
    assert main(['check', 'src']) == 0
    assert capsys.readouterr().out == '1 file: 0 errors, 0 warnings, 0 notes\n'


@pytest.mark.parametrize('manifest', [
    '<package><name>a</name><buildtool_depend>catkin</buildtool_depend></package>', None])
def test_neither_a_description_nor_a_package_for_ros_2(manifest, capsys):
    write(a__config__params_xyaml=_WRONG, **({'a__package_xxml': manifest} if manifest else {}))
    assert main(['check', 'a']) == 2
    assert capsys.readouterr().err == (
        "urdf-tools: 'a' has no description of a robot; SDF and MJCF files are only checked where "
        'they are named\n')


def test_files_are_checked_with_their_package(capsys):
    package('nav', config__params_xyaml=_WRONG, config__other_xyaml=_WRONG,
            launch__a_xlaunch_xxml=_NODE.format('absent'))
    of_launch = [('nav/launch/a.launch.xml', 'known-mistake')]
    assert report(['nav/config/params.yaml'], capsys) == {
        'nav/package.xml': [('nav/config/params.yaml', 'parameter-type')]}
    assert report(['nav/launch/a.launch.xml'], capsys) == {'nav/package.xml': of_launch}
    whole = report(['nav'], capsys)
    assert len(whole['nav/package.xml']) == 3
    assert report(['nav/package.xml'], capsys) == whole
    assert report(['nav/config/params.yaml', 'nav'], capsys) == whole


def test_a_file_of_a_package_with_a_description(capsys):
    package('arm', urdf__arm_xurdf=_ARM, config__params_xyaml=_WRONG)
    assert report(['arm/config/params.yaml'], capsys) == {
        'arm/urdf/arm.urdf': [('arm/config/params.yaml', 'parameter-type')]}


def test_a_file_of_a_package_with_an_srdf_file(capsys):
    package('arm', config__arm_xsrdf='<robot name="arm"/>', config__params_xyaml='',
            launch__a_xlaunch_xxml=_NODE.format('absent'))
    found = report(['arm'], capsys)['arm/config/arm.srdf']
    of_file = [each for each in found if each[0] == 'arm/launch/a.launch.xml']
    assert 0 < len(of_file) < len(found)
    assert report(['arm/launch/a.launch.xml'], capsys) == {'arm/config/arm.srdf': of_file}
    assert report(['arm/config/params.yaml'], capsys) == {'arm/config/arm.srdf': []}


def test_a_launch_file_that_starts_the_robot_of_another_package_is_reported_once(capsys):
    package('src__arm', urdf__arm_xurdf=_ARM)
    package('src__bringup', launch__a_xlaunch_xpy=(
        "LaunchDescription([Node(package='robot_state_publisher', exec='x',\n"
        "     parameters=[get_package_share_directory('arm') + '/urdf/arm.urdf'])])\n"))
    found = report(['src', '--select', 'launch-call-refused'], capsys)
    assert found.pop('src/bringup/package.xml') == []
    assert len(found['src/arm/urdf/arm.urdf']) > 0


def test_settings_and_baseline(capsys):
    package('nav', config__params_xyaml=_WRONG)
    assert main(['check', 'nav', '--baseline', 'known.json', '--update-baseline']) == 0
    assert main(['check', 'nav', '--baseline', 'known.json']) == 0
    assert 'known.json: hides 1 finding' in capsys.readouterr().out
    write(nav__urdf_tools_xtoml='')
    Path('nav/urdf-tools.toml').write_text('ignore = ["parameter-type"]\n')
    assert main(['check', 'nav']) == 0
    Path('urdf-tools.toml').write_text('exclude = ["nav"]\n')
    Path('nav/urdf-tools.toml').unlink()
    assert main(['check', '.']) == 2


def test_parameters_of_a_node_in_any_namespace_belong_to_those_in_one(capsys):
    package('arms', 'forward_command_controller', config__controllers_xyaml=(
        '/**/controller_manager:\n  ros__parameters:\n    update_rate: 10\n'
        '/**/arm:\n  ros__parameters:\n'
        '    type: forward_command_controller/ForwardCommandController\n'
        '    interface_name: position\n'
        '/left/arm:\n  ros__parameters:\n    joints: [shoulder]\n'))
    assert report(['arms'], capsys) == {'arms/package.xml': []}


def test_a_file_in_a_folder_for_an_older_release(capsys):
    text = 'controller_server:\n  ros__parameters:\n    progress_checker_plugin: p\n'
    package('nav', 'jazzy', param__humble__nav2_xyaml=text)
    assert report(['nav'], capsys) == {'nav/package.xml': []}
    Path('nav/param/humble').rename('nav/param/new')
    assert report(['nav'], capsys) == {
        'nav/package.xml': [('nav/param/new/nav2.yaml', 'parameter-unknown')]}


def test_a_package_inside_of_another_one_is_not_the_same(capsys):
    package('outer', 'inner_driver', inner__launch_xlaunch_xxml=_NODE.format('inner_driver'))
    write(outer__inner__package_xxml=_MANIFEST.format('inner', 'inner_driver'))
    assert report(['outer'], capsys) == {
        'outer/package.xml': [], 'outer/inner/package.xml': []}


def test_a_folder_of_a_package_is_checked_with_it(capsys, monkeypatch):
    package('arm', urdf__arm_xurdf=_ARM, config__sub__params_xyaml=_WRONG,
            config__params_xyaml=_WRONG, launch__a_xlaunch_xxml=_NODE.format('absent'))
    found = report(['arm'], capsys)['arm/urdf/arm.urdf']
    of_folder = [each for each in found if each[0].startswith('arm/config/')]
    assert len(of_folder) == 2 < len(found)
    assert report(['arm/config'], capsys) == {'arm/urdf/arm.urdf': of_folder}
    monkeypatch.chdir('arm/launch')
    assert report(['.'], capsys) == {'../urdf/arm.urdf': [('a.launch.xml', 'known-mistake')]}
    write(docs__a_xmd='')
    assert main(['check', 'docs']) == 2


_CONTROLLERS = ('controller_manager:\n  ros__parameters:\n    {0}:\n'
                '      type: joint_trajectory_controller/JointTrajectoryController\n')
_MOVEIT = ('moveit_simple_controller_manager:\n  controller_names: [{0}]\n  {0}:\n'
           '    action_ns: follow_joint_trajectory\n    joints: [turn]\n')


def test_controllers_of_another_robot_are_not_listed(capsys):
    for name in 'left', 'right':
        package('arms', **{f'config__{name}__{file}': text for file, text in {
            'ros2_controllers_xyaml': _CONTROLLERS.format(f'{name}_arm'),
            'moveit_controllers_xyaml': _MOVEIT.format('none'),
            'arm_xurdf': _ARM, 'arm_xsrdf': '<robot name="arm"/>'}.items()})
    main(['check', 'arms'])
    out = capsys.readouterr().out
    for name in 'left', 'right':
        assert f"ros2_controllers.yaml has no controller 'none', only '{name}_arm' [" in out


def test_a_missing_dependency_is_named_once_at_a_place(capsys):
    package('arm', urdf__arm_xurdf=_ARM, config__params_xyaml=_CONTROLLERS.format('trajectory'),
            launch__a_xlaunch_xxml='<launch><node pkg="controller_manager" exec="spawner" '
            'args="trajectory"/></launch>')
    found = report(['arm'], capsys)['arm/urdf/arm.urdf']
    assert found.count(('arm/config/params.yaml', 'known-mistake')) == 1


def test_a_launch_file_of_the_robot_in_the_next_folder(capsys):
    text = "spawn = Node(package='ros_gz_sim', executable='create', arguments=['-name', 'arm'])\n"
    package('arm', urdf__arm_xurdf=_ARM)
    package('other', launch__go_xlaunch_xpy=text + "LaunchDescription([Node(package='absent')])\n")
    assert ('other/launch/go.launch.py', 'launch-call-refused') in report(
        ['arm'], capsys)['arm/urdf/arm.urdf']
    write(other__urdf__robot_xurdf=_ARM)
    assert report(['arm'], capsys) == {'arm/urdf/arm.urdf': []}
