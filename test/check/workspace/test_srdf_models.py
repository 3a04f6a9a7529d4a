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

"""The descriptions that SRDF files are checked against."""

import json
import os
from pathlib import Path

import pytest

from urdf_tools.check.launch_files import launch_arguments
from urdf_tools.check.workspace.target_selection import model_of
from urdf_tools.cli import main
from urdf_tools.model.package_lookup import PackageLookup

URDF = """\
<robot name="arm"><link name="base"/><link name="palm"/>
<joint name="wrist" type="continuous"><parent link="base"/><child link="palm"/></joint></robot>
"""
SRDF = '<robot name="arm">\n<group name="all"><joint name="wrist"/></group>\n{}</robot>'
ASSISTANT = """\
moveit_setup_assistant_config:
  urdf:
    package: arm_description
    relative_path: urdf/model.urdf
    xacro_args: "hand:=true"
  srdf:
    relative_path: config/arm.srdf
"""
PYTHON = ("os.path.join(get_package_share_directory('arm_description'), 'urdf',\n"
          "             'model.urdf')")


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a file; there are a description and an SRDF file."""
    def write_text(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write_text('LICENSE', '')
    for name in ('arm_description', 'arm_moveit_config', 'other'):
        write_text(f'{name}/package.xml', f'<package><name>{name}</name></package>')
    write_text('arm_description/urdf/model.urdf', URDF)
    write_text('arm_moveit_config/config/arm.srdf', SRDF.format(''))
    monkeypatch.chdir(tmp_path)
    return write_text


def found(roots=()):
    lookup = PackageLookup(Path('arm_moveit_config/config').resolve(), {})
    return model_of('arm_moveit_config/config/arm.srdf', roots, lookup)


def test_srdf_files_whose_names_end_alike(write):
    """A launch file also names the SRDF file, which is no description, and one of another."""
    launch = ("PathJoinSubstitution([FindPackageShare('arm_description'), 'urdf', '{}']), "
              "PathJoinSubstitution([FindPackageShare('arm_moveit_config'), 'config', '{}'])")
    write('arm_description/urdf/two.urdf', URDF)
    for name in ('arm', 'two_arm'):
        write(f'arm_moveit_config/config/{name}.srdf.xacro', SRDF.format(''))
    write('arm_moveit_config/launch/one.launch.py', launch.format('model.urdf', 'arm.srdf.xacro'))
    write('arm_moveit_config/launch/two.launch.py',
          launch.format('two.urdf', 'two_arm.srdf.xacro'))
    lookup = PackageLookup(Path('arm_moveit_config/config').resolve(), {})
    assert [os.path.basename(model_of(
        f'arm_moveit_config/config/{name}.srdf.xacro', (), lookup).path)
        for name in ('arm', 'two_arm')] == ['model.urdf', 'two.urdf']


def test_the_macros_of_an_srdf_file_are_not_its_description(write):
    """As in panda_moveit_config: panda_arm.xacro has the groups of panda_arm.srdf.xacro."""
    srdf = 'arm_moveit_config/config/arm.srdf.xacro'
    write(srdf, SRDF.format(
        '<xacro:include filename="$(find arm_moveit_config)/config/arm.xacro"/>'))
    write('arm_moveit_config/config/arm.xacro', '<robot><xacro:macro name="arm"/></robot>')
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    lookup = PackageLookup(Path('arm_moveit_config/config').resolve(), {})
    assert model_of(srdf, (), lookup).path.endswith('model.urdf')


def test_an_srdf_file_that_only_defines_macros(write, capsys):
    write('arm_moveit_config/config/arm.srdf.xacro', '<robot><xacro:macro name="arm"/></robot>')
    code, _, err = checked(capsys, 'arm_moveit_config/config/arm.srdf.xacro')
    assert code == 2
    assert 'only defines macros: its <robot> has no name. Check the SRDF file that' in err


def test_an_argument_that_the_description_needs_before_it_declares_it(write, capsys):
    write('arm_description/urdf/model.urdf', '')
    write('arm_description/urdf/model.urdf.xacro', URDF.replace(
        '<robot name="arm">', '<robot name="$(arg kind)" xmlns:xacro="http://ros.org/wiki/xacro">'
        '<xacro:arg name="kind" default="arm"/>'))
    Path('arm_description/urdf/model.urdf').unlink()
    write('arm_moveit_config/.setup_assistant', ASSISTANT.replace('hand:=true', ''))
    assert main(['check', 'arm_moveit_config', '--level', 'info']) == 0
    assert 'There is no description to check the SRDF file against' in capsys.readouterr().out
    write('arm_moveit_config/config/arm.srdf', SRDF.format('<passive_joint name="rist"/>'))
    assert main(['check', 'arm_moveit_config', 'kind:=arm']) == 1
    assert "names the joint 'rist', which does not exist" in capsys.readouterr().out


def test_the_description_that_the_setup_assistant_names(write):
    assert found() is None
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    assert found() == ('arm_description/urdf/model.urdf', {'hand': 'true'})
    write('arm_moveit_config/.setup_assistant', ASSISTANT.replace(
        '"hand:=true"', '\n      gripper2:=robotiq_2f_85\n      dof:=7 hand:='))
    assert found().arguments == {'gripper2': 'robotiq_2f_85', 'dof': '7', 'hand': ''}


@pytest.mark.parametrize('text', [
    PYTHON, PYTHON.replace('os.path.join(', 'folder = ').replace(
        "), 'urdf'", ")\npath = os.path.join(folder, 'urdf'"),
    "<param command='xacro $(find arm_description)/urdf/model.urdf'/>",
    '$(find-pkg-share arm_description)/urdf/model.urdf'])
def test_the_description_that_a_launch_file_names(write, text):
    write('arm_moveit_config/launch/demo.launch.py', text)
    assert found() == ('arm_description/urdf/model.urdf', {})
    write('other/urdf/second.urdf', URDF)
    write('arm_moveit_config/launch/second.launch', '$(find other)/urdf/second.urdf')
    assert found() is None


def test_the_launch_file_that_names_the_srdf_file(write):
    write('other/urdf/second.urdf', URDF)
    write('arm_moveit_config/launch/arm.launch', '$(find other)/urdf/second.urdf arm.srdf')
    write('arm_moveit_config/launch/demo.launch.py', PYTHON)
    assert found() == ('other/urdf/second.urdf', {})


def test_the_description_of_its_name_in_a_package_depended_on(write, monkeypatch):
    write('arm_description/urdf/arm/arm.urdf', URDF)
    assert found() is None
    write('arm_moveit_config/package.xml', '<package><name>arm_moveit_config</name>'
          '<exec_depend>arm_description</exec_depend></package>')
    assert found() == ('arm_description/urdf/arm/arm.urdf', {})
    monkeypatch.chdir('arm_moveit_config')
    lookup = PackageLookup(Path('config').resolve(), {})
    assert model_of('config/arm.srdf', (), lookup) == (
        '../arm_description/urdf/arm/arm.urdf', {})


def test_a_description_that_needs_an_argument(write, capsys):
    write('arm_moveit_config/package.xml', '<package><name>arm_moveit_config</name>'
          '<exec_depend>arm_description</exec_depend></package>')
    write('arm_description/urdf/arm.urdf.xacro', '<robot xmlns:xacro="http://ros.org/wiki/xacro" '
          'name="$(arg model)"/>')
    _, (report,), _ = checked(capsys, 'arm_moveit_config')
    assert [each['code'] for each in report['findings']] == ['srdf-other-robot']


def test_the_description_of_another_variant(write, capsys):
    links = [f'<link name="link_{number}"/>' for number in range(10)]
    write('arm_moveit_config/config/arm.srdf', SRDF.format(
        f'<group name="more">{"".join(links)}</group>'))
    for number, codes in ((6, ['srdf-other-robot']), (8, ['srdf-unknown-name'] * 2)):
        write('other/arm.urdf', URDF.replace('<joint', ''.join(links[:number]) + '<joint'))
        report, = checked(capsys, 'arm_moveit_config', '--model', 'other/arm.urdf')[1]
        assert [each['code'] for each in report['findings']] == codes


def test_a_hostile_launch_file_takes_no_time(write):
    names = ''.join(f"FindPackageShare('p{n}') 'a{n}.urdf', " for n in range(5000))
    write('arm_moveit_config/launch/demo.launch.py', names + '"a", ' * 20_000 + '<robot ' * 9000)
    assert found() is None


def test_the_nearest_description_of_its_name(write):
    write('other/arm.urdf', URDF)
    write('other/arm.urdf.xacro', URDF)
    assert found(['other/arm.urdf.xacro', 'other/arm.urdf'])[0] == 'other/arm.urdf'
    assert found(['other/arm.urdf', 'arm_description/urdf/model.urdf']) is None
    write('arm_moveit_config/urdf/arm.urdf', URDF)
    assert found(['other/arm.urdf', 'arm_moveit_config/urdf/arm.urdf'])[0].startswith('arm_m')


def checked(capsys, *arguments):
    code = main(['check', *arguments, '--format', 'json'])
    out, err = capsys.readouterr()
    return code, json.loads(out)['reports'] if out else [], err


def test_a_package_without_a_description(write, capsys):
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    write('arm_moveit_config/config/arm.srdf', SRDF.format('<passive_joint name="rist"/>'))
    for name in ('arm_moveit_config', 'arm_moveit_config/config/arm.srdf'):
        code, (report,), _ = checked(capsys, name)
        assert code == 1
        assert report['source'] == 'arm_moveit_config/config/arm.srdf'
        finding, = report['findings']
        assert (finding['code'], finding['line']) == ('srdf-unknown-name', 3)
        assert finding['hint'] == "Did you mean 'wrist'?"
    sources = [report['source'] for report in checked(capsys, '.')[1]]
    assert sources == ['arm_description/urdf/model.urdf', 'arm_moveit_config/config/arm.srdf',
                       'other/package.xml']


def test_an_srdf_file_beside_its_description_is_checked_once(write, capsys):
    write('arm_description/urdf/model.srdf', SRDF.format(''))
    assert [report['source'] for report in checked(capsys, 'arm_description')[1]] == [
        'arm_description/urdf/model.urdf']


def test_without_a_description(write, capsys):
    code, _, err = checked(capsys, 'arm_moveit_config/config/arm.srdf')
    assert code == 2
    assert 'name it with --model FILE' in err
    code, (report, _), _ = checked(capsys, 'arm_moveit_config', 'other', '--allow-none')
    finding, = report['findings']
    assert (code, report['source']) == (0, 'arm_moveit_config/config/arm.srdf')
    assert (finding['code'], finding['severity'], finding['line']) == (
        'srdf-other-robot', 'INFO', 1)
    assert finding['message'].startswith('There is no description to check the SRDF file')
    code, (report,), _ = checked(
        capsys, 'arm_moveit_config', '--model', 'arm_description/urdf/model.urdf')
    assert (code, report['findings']) == (0, [])


@pytest.mark.parametrize('content, codes', [
    ('<xacro:macro name="all"><group name="all"><joint name="wrist"/></group></xacro:macro>', []),
    ('<group name="all"><joint name="wrist"/></group>', ['srdf-other-robot'])])
def test_xacro_srdf_files_without_a_description(write, capsys, content, codes):
    write('arm_moveit_config/config/macro.srdf.xacro', '<robot name="arm_macro" '
          f'xmlns:xacro="http://www.ros.org/wiki/xacro">{content}</robot>')
    code, (_, report), _ = checked(capsys, 'arm_moveit_config')
    assert report['source'] == 'arm_moveit_config/config/macro.srdf.xacro'
    assert (code, [finding['code'] for finding in report['findings']]) == (0, codes)


def test_the_description_of_another_robot(write, capsys):
    write('other/hand.urdf', URDF.replace('"wrist"', '"thumb"').replace('"arm"', '"hand"'))
    _, (report,), _ = checked(capsys, 'arm_moveit_config', '--model', 'other/hand.urdf')
    finding, = report['findings']
    assert finding['code'] == 'srdf-other-robot'
    assert finding['message'] == (
        "Many links and joints of the SRDF file do not exist in 'other/hand.urdf', such as "
        "'wrist'")


def test_the_description_of_a_part_of_the_robot(write, capsys):
    pairs = ''.join(f'<disable_collisions link1="palm" link2="wheel_{i}"/>' for i in range(9))
    for part, codes in (('<chain base_link="base" tip_link="palm"/>', []),
                        ('<chain base_link="palm" tip_link="base"/>', ['srdf-chain']),
                        ('<joint name="wheel"/>', [])):
        write('arm_moveit_config/config/arm.srdf', SRDF.format(
            f'<group name="a">{part}</group>{pairs}'))
        _, (report,), _ = checked(
            capsys, 'arm_moveit_config', '--model', 'arm_description/urdf/model.urdf')
        assert [each['code'] for each in report['findings']] == ['srdf-other-robot', *codes]


def test_a_file_that_only_includes_a_description(write, capsys):
    write('arm_moveit_config/config/arm.urdf.xacro', """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="$(find arm_description)/urdf/model.urdf"/></robot>""")
    code, reports, _ = checked(capsys, 'arm_moveit_config')
    assert [report['source'] for report in reports] == ['arm_moveit_config/config/arm.urdf.xacro']


def test_a_link_out_of_an_untrusted_project(write, capsys, tmp_path_factory):
    secret = tmp_path_factory.mktemp('secret') / 'arm.srdf'
    secret.write_text('secret')
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    link = Path('arm_moveit_config/config/arm.srdf')
    link.unlink()
    link.symlink_to(secret)
    _, (report,), _ = checked(capsys, 'arm_moveit_config', '--untrusted')
    finding, = report['findings']
    assert finding['code'] == 'moveit-file-unreadable'
    assert '--untrusted follows no link' in finding['message']
    assert 'secret' not in json.dumps(report)


@pytest.mark.parametrize('text', [
    'urdf:\n', '\0', '  urdf:\n    package: "\'\n', ASSISTANT.replace('hand:=true', "'"),
    ASSISTANT.replace('urdf/model', '../../../../etc/model')])
def test_hostile_settings_of_the_assistant(write, text):
    write('arm_moveit_config/.setup_assistant', text)
    assert found() in (None, ('arm_description/urdf/model.urdf', {}))


XACRO_SRDF = ('<robot name="$(arg name)" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
              '<xacro:arg name="prefix" default=""/>\n'
              '<group name="all"><joint name="$(arg prefix)wrist"/><link name="palm"/>'
              '<link name="base"/></group></robot>')

LAUNCH = """\
DeclareLaunchArgument('prefix', default_value='left_')
prefix = LaunchConfiguration('prefix')
command = Command([FindExecutable(name='xacro'), ' ', folder, '/config/arm.srdf.xacro ',
                   'prefix:=', prefix, ' ', 'unknown:=', LaunchConfiguration('nothing')])
config = MoveItConfigsBuilder('arm').robot_description_semantic(
    'config/arm.srdf.xacro', mappings={'name': 'arm'})
"""


@pytest.fixture
def of_xacro(write):
    """Return the function that writes a file; the SRDF file is xacro that lacks a name."""
    Path('arm_moveit_config/config/arm.srdf').unlink()
    write('arm_moveit_config/config/arm.srdf.xacro', XACRO_SRDF)
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    return write


def test_an_srdf_file_whose_arguments_have_no_value_is_a_warning(of_xacro, capsys):
    code, (report,), _ = checked(capsys, 'arm_moveit_config', '--strict')
    finding, = report['findings']
    assert (code, finding['severity'], report['source']) == (
        1, 'WARN', 'arm_moveit_config/config/arm.srdf.xacro')
    assert finding['message'].endswith('its xacro arguments have no value: name:=VALUE')


@pytest.mark.parametrize('names', [
    ('arm_moveit_config',), ('arm_moveit_config/config/arm.srdf.xacro',), ('.',)])
def test_arguments_reach_the_srdf_files_that_have_them(of_xacro, capsys, names):
    def about(*arguments):
        return {(finding['code'], finding['message']) for report in checked(
            capsys, *names, *arguments)[1] for finding in report['findings']
            if report['source'].endswith('.srdf.xacro')}

    assert about('name:=arm') == set()
    (code, message), = about('name:=arm', 'prefix:=left_')
    assert (code, "'left_wrist'" in message) == ('srdf-unknown-name', True)


def test_arguments_that_no_file_has(of_xacro, capsys):
    code, _, err = checked(capsys, 'arm_moveit_config', 'nam:=arm')
    assert (code, "No description has the xacro argument 'nam'" in err) == (2, True)


def test_arguments_of_launch_files(of_xacro, capsys):
    of_xacro('arm_moveit_config/launch/demo.launch.py', LAUNCH)
    finding, = checked(capsys, 'arm_moveit_config')[1][0]['findings']
    assert (finding['code'], "'left_wrist'" in finding['message']) == ('srdf-unknown-name', True)
    code, (report,), _ = checked(capsys, 'arm_moveit_config', 'prefix:=')
    assert (code, report['findings']) == (0, [])


@pytest.mark.parametrize('robot, is_given', [('arm', True), ('two_arm', False)])
def test_arguments_of_a_builder_that_names_the_robot(write, capsys, robot, is_given):
    """As in kinova_gen3_7dof_robotiq_2f_85_moveit_config, which leaves config/gen3.srdf out."""
    Path('arm_description/urdf/model.urdf').unlink()
    write('arm_description/urdf/model.urdf.xacro', URDF.replace(
        '<robot name="arm">', '<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">'
        '<xacro:arg name="side" default=""/>').replace('"wrist"', '"$(arg side)wrist"'))
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    write('arm_moveit_config/launch/demo.launch.py', (
        "given = {'side': 'left_'}\nMoveItConfigsBuilder('%s', package_name='arm_moveit_config')"
        '.robot_description(mappings=given)' % robot))
    main(['check', 'arm_moveit_config'])
    assert ("such as 'wrist'" in capsys.readouterr().out) == is_given


@pytest.mark.parametrize('text, given', [
    (LAUNCH, {'prefix': 'left_', 'name': 'arm'}), ('f(', {}), ('(' * 10_000, {}),
    ("Command(['xacro ', path, ' prefix:=', 'left_', ':=', 'x'])", {'prefix': 'left_', '': 'x'}),
    ("name = LaunchConfiguration('n').perform(context)\n"
     "DeclareLaunchArgument('n', default_value='\"\"')\n"
     "xacro.process_file(path, mappings={'name': name, 'other': f(), 1: '2'})", {'name': ''})])
def test_the_arguments_in_a_launch_file(text, given):
    assert launch_arguments(text) == given


def test_arguments_reach_the_srdf_file_beside_the_description(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path('arm.urdf.xacro').write_text(URDF.replace(
        'name="arm"', 'name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"'))
    Path('arm.srdf.xacro').write_text(XACRO_SRDF)
    (report,) = checked(capsys, 'arm.urdf.xacro', 'name:=arm', 'prefix:=left_')[1]
    assert 'srdf-unknown-name' in {finding['code'] for finding in report['findings']}
    (report,) = checked(capsys, 'arm.urdf.xacro', 'nam:=arm')[1]
    assert [finding['code'] for finding in report['findings']] == ['xacro-failed']


def test_arguments_reach_the_srdf_of_a_plain_urdf_in_a_folder(tmp_path, monkeypatch, capsys):
    (tmp_path / 'p').mkdir()
    (tmp_path / 'p' / 'r.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    (tmp_path / 'p' / 'r.srdf.xacro').write_text(
        '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:arg name="pre" default=""/>'
        '<disable_collisions link1="a" link2="$(arg pre)b" reason="Never"/></robot>')
    monkeypatch.chdir(tmp_path)
    for name in ('p', 'p/r.urdf'):
        main(['check', name, 'pre:=left_'])
        lines = capsys.readouterr().out
        # The file is named as the folder was.
        assert '\np/r.srdf.xacro:1:' in lines and "'left_b', which does not exist" in lines
    assert main(['check', 'p', 'other:=x']) == 2
    assert "No description has the xacro argument 'other'" in capsys.readouterr().err


def test_macros_of_an_srdf_file_are_called(write, capsys):
    write('arm_moveit_config/config/arm.srdf.xacro', SRDF.format(
        '<xacro:include filename="groups.xacro"/><xacro:groups/>').replace(
            '<robot', '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'))
    write('arm_moveit_config/config/groups.xacro', (
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
        '<xacro:macro name="groups"><group name="g"/></xacro:macro></robot>'))
    write('arm_moveit_config/.setup_assistant', ASSISTANT)
    main(['check', 'arm_moveit_config'])
    captured = capsys.readouterr()
    assert 'arm_moveit_config/config/arm.srdf' in captured.out
    assert 'nothing calls' not in captured.err
