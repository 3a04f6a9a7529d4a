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

"""What a description that is not trusted may read."""

import glob
import json
import os
from pathlib import Path
import subprocess

import pytest
from support.mesh_files import gltf

from urdf_tools.cli import main
from urdf_tools.formats.description_files import load
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.package_lookup import is_tracked
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver

UNTRUSTED = Trust(False)
TOKEN = 'token = verysecret'

READING = {
    'an include': '<xacro:include filename="{path}"/>',
    'an optional include': '<xacro:include filename="{path}" optional="true"/>',
    'an include by wildcard': '<xacro:include filename="{path}*"/>',
    'YAML': '<link name="${{load_yaml(\'{path}\')}}"/>',
    'YAML in a property': '<xacro:property name="p" value="${{xacro.load_yaml(\'{path}\')}}"/>'
                          '<link name="${{p}}"/>',
    'YAML in an argument': '<xacro:arg name="p" default="{path}"/>'
                           '<link name="${{load_yaml(\'$(arg p)\')}}"/>'}


@pytest.fixture
def project(tmp_path):
    """Return a function that writes a xacro file of a checkout; beside it is a secret."""
    (tmp_path / 'secret').write_text(TOKEN)
    (tmp_path / 'checkout' / '.git').mkdir(parents=True)
    (tmp_path / 'checkout' / 'link').symlink_to(tmp_path / 'secret')
    (tmp_path / 'checkout' / 'away').symlink_to(tmp_path)

    def write(content, name='robot.urdf.xacro', package='checkout'):
        path = tmp_path / package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'
                        f'{content}\n</robot>\n')
        return path
    return write


def resources(path, trust=UNTRUSTED):
    """Return the files of a description."""
    return ResourceResolver(Path(path).parent, trust=trust)


@pytest.mark.parametrize('name', ['../secret', 'link', 'away/secret', '/etc/passwd'])
@pytest.mark.parametrize('content', READING.values(), ids=READING)
def test_files_elsewhere_are_not_read(project, content, name, capsys, monkeypatch):
    path = project('')
    file = path.parent / name
    path = project(content.format(path=file))
    with pytest.raises(DescriptionError, match='outside of the project') as raised:
        open_document(path, resources=resources(path))
    assert raised.value.line == 2
    monkeypatch.chdir(path.parent)
    assert main(['check', '--untrusted', path.name]) == 2
    printed = ''.join(capsys.readouterr())
    assert 'outside of the project and of the packages' in printed
    assert 'verysecret' not in printed and 'root:' not in printed


def test_files_elsewhere_are_read_for_their_own_user_but_not_quoted(project, tmp_path, capsys):
    project('<link name="a"/>', 'other.xacro', 'elsewhere')
    path = project(f'<xacro:include filename="{tmp_path}/elsewhere/other.xacro"/>')
    assert load(path).root == 'a'
    path = project(f'<xacro:include filename="{tmp_path}/secret"/>')
    main(['check', str(path), '--format', 'sarif'])
    main(['check', str(path)])
    printed = ''.join(capsys.readouterr())
    assert 'secret:1:1: error: xacro cannot expand the file: syntax error' in printed
    assert 'verysecret' not in printed


def test_files_of_the_project_and_of_packages_are_read(project, monkeypatch, tmp_path):
    project('<link name="a"/>', 'sub/a.xacro')
    project('<link name="b"/>', 'b.xacro', 'prefix/share/other/urdf')
    index = tmp_path / 'prefix/share/ament_index/resource_index/packages'
    index.mkdir(parents=True)
    (index / 'other').touch()
    project('<link name="c"/>', 'c.xacro', 'sources')
    (tmp_path / 'prefix/share/other/urdf/c.xacro').symlink_to(tmp_path / 'sources/c.xacro')
    path = project('<xacro:include filename="sub/a.xacro"/>'
                   '<xacro:include filename="$(find other)/urdf/b.xacro"/>'
                   '<xacro:include filename="$(find other)/urdf/c.xacro"/>')
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path / 'prefix'))
    document = open_document(path, resources=resources(path))
    assert [link.get('name') for link in document.root] == ['a', 'b', 'c']


@pytest.mark.parametrize('name', ['$(env TOKEN)', '$(optenv TOKEN)', "${'$(env TOKEN)'}"])
def test_environment_variables_are_empty(project, monkeypatch, capsys, name):
    monkeypatch.setenv('TOKEN', 'verysecret')
    path = project(f'<link name="a{name}"/>')
    assert load(path).root == 'averysecret'
    document = open_document(path, resources=resources(path))
    assert document.root[0].get('name') == 'a'
    assert document.withheld == ('TOKEN',)
    assert main(['check', '--untrusted', str(path)]) == 0
    assert ("warning: The environment variable 'TOKEN' is empty, because the description is not "
            'trusted [xacro-variable-withheld]') in capsys.readouterr().out
    assert main(['check', '--untrusted', '--env', 'TOKEN', '--level', 'info', str(path)]) == 0
    printed = capsys.readouterr().out
    assert 'averysecret' in printed and 'xacro-variable-withheld' not in printed


@pytest.mark.parametrize('content, code', [
    ('<link name="${1}"/>', 0), ('<link name="${1 +}"/>', 2)])
def test_a_report_is_marked_as_the_word_of_untrusted_xacro(project, capsys, content, code):
    path = project(content)
    plain = path.with_name('plain.urdf')
    plain.write_text('<robot name="r"><link name="base"/></robot>')
    for options, marked in ((['--untrusted'], [True, False]), ([], [False, False])):
        assert main(['check', *options, str(path), str(plain), '--jobs', '1']) == code
        summaries = [line for line in capsys.readouterr().out.splitlines() if ' notes' in line]
        assert ['by the word of untrusted xacro' in line for line in summaries[:2]] == marked
        main(['check', *options, str(path), str(plain), '--format', 'json', '--jobs', '1'])
        reports = json.loads(capsys.readouterr().out)['reports']
        assert [report.get('untrusted', False) for report in reports] == marked


def test_a_description_that_is_a_link_is_not_read(project, capsys):
    path = project('').with_name('robot.urdf')
    path.symlink_to('../secret')
    assert main(['check', '--untrusted', str(path)]) == 2
    assert 'The file is a link out of the project' in capsys.readouterr().out


@pytest.mark.parametrize('is_of_project', [True, False])
def test_a_pipe_is_read_only_where_no_file_of_the_project_leads_to_it(
        project, capsys, is_of_project):
    reader, writer = os.pipe()
    os.write(writer, b'<robot name="r"><link name="l"/></robot>')
    os.close(writer)
    path = Path(f'/dev/fd/{reader}')
    if is_of_project:
        link = project('').with_name('robot.urdf')
        link.symlink_to(path)
        path = link
    assert main(['check', '--untrusted', str(path)]) == 2 * is_of_project
    assert ('a link out of the project' in capsys.readouterr().out) == is_of_project
    assert bool(os.read(reader, 1)) == is_of_project
    os.close(reader)


def test_settings_do_not_name_folders_elsewhere_packages(project, tmp_path, capsys):
    path = project('<xacro:include filename="$(find other)/secret"/>')
    path.with_name('urdf-tools.toml').write_text('packages = {other = ".."}')
    assert main(['check', '--untrusted', str(path)]) == 2
    assert 'outside of the project, which --untrusted does not read' in capsys.readouterr().err
    path.with_name('urdf-tools.toml').write_text('packages = {other = "away"}')
    assert main(['check', '--untrusted', str(path)]) == 2
    assert 'outside of the project, which --untrusted does not read' in capsys.readouterr().err


@pytest.mark.parametrize('settings', [
    'baseline = "away/secret"', '[[roots]]\nfile = "away/secret"',
    '[[roots]]\nfile = "robot.urdf.xacro"\nsame = "away/secret"',
    '[[roots]]\nfile = "robot.urdf.xacro"\nloops = "away/secret"'])
def test_settings_name_no_files_through_links_out_of_the_project(project, capsys, settings):
    path = project('<link name="a"/>')
    path.with_name('urdf-tools.toml').write_text(settings)
    assert main(['check', '--untrusted', str(path)]) == 2
    printed = capsys.readouterr().err
    assert "'away/secret' leads out of the project through a link" in printed
    assert f'urdf-tools.toml:{settings.count(chr(10)) + 1}: ' in printed


@pytest.mark.parametrize('name', ['.env', '.git/config', 'new.urdf', 'none.urdf'])
@pytest.mark.parametrize('settings', [
    '[[roots]]\nfile = "{}"', '[[roots]]\nfile = "robot.urdf"\nsame = "{}"', 'baseline = "{}"'])
def test_settings_name_only_files_that_git_tracks(tmp_path, monkeypatch, capsys, settings, name):
    monkeypatch.chdir(tmp_path)
    subprocess.run(['git', 'init', '-q', '.'], check=True)
    Path('robot.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    Path('urdf-tools.toml').write_text(settings.format(name))
    subprocess.run(['git', 'add', '.'], check=True)
    Path('.env').write_text(TOKEN)
    Path('new.urdf').write_text(TOKEN)
    assert main(['check', '--untrusted']) == 2
    printed = ''.join(capsys.readouterr())
    assert f"'{name}' is not tracked by git, so --untrusted does not read it" in printed
    assert 'secret' not in printed


def test_settings_name_files_through_links_in_the_project(project, monkeypatch, capsys):
    path = project('<link name="a"/>', 'urdf/robot.urdf.xacro')
    monkeypatch.chdir(path.parents[1])
    Path('inside').symlink_to('urdf')
    Path('urdf-tools.toml').write_text('[[roots]]\nfile = "inside/robot.urdf.xacro"')
    assert main(['check', '--untrusted']) == 0
    assert 'inside/robot.urdf.xacro: no errors' in capsys.readouterr().out


@pytest.mark.parametrize('name', ['urdf-tools.toml', 'pyproject.toml'])
def test_settings_are_no_link_out_of_the_project(project, tmp_path, capsys, name):
    path = project('<link name="a"/>')
    (tmp_path / 'other.toml').write_text('[tool.urdf-tools]\ntoken = "verysecret"\n')
    path.with_name(name).symlink_to('../other.toml')
    for options in ([], ['--config', str(path.with_name(name))]):
        assert main(['check', '--untrusted', *options, str(path)]) == 2
        printed = capsys.readouterr().err
        assert f'{name} leads out of the project through a link' in printed
        assert 'token' not in printed and 'verysecret' not in printed
    (tmp_path / 'other.toml').write_text('')
    assert main(['check', '--untrusted', str(path)]) == 2 * (name == 'urdf-tools.toml')


def test_links_do_not_lead_out_of_packages_of_the_project(project, tmp_path):
    path = project('')
    (path.parent / 'package.xml').write_text('<package><name>own</name></package>')
    uri = 'package://own/link'
    assert os.path.samefile(ResourceResolver(path.parent).resolve(uri), tmp_path / 'secret')
    with pytest.raises(ResourceError, match='outside'):
        ResourceResolver(path.parent, trust=UNTRUSTED).resolve(uri)


@pytest.mark.parametrize('is_around', [True, False])
@pytest.mark.parametrize('name', ['.env', '.git/config', '.git/none', 'new.xacro', 'none.xacro'])
def test_only_files_that_git_tracks_are_read(tmp_path, capsys, name, is_around):
    package = tmp_path / 'robot_description'
    package.mkdir()
    (package / 'package.xml').write_text('<package><name>robot_description</name></package>')
    part = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="secret"/></robot>'
    path = f'$(find robot_description)/{name}' if is_around else name
    robot = package / 'robot.urdf.xacro'
    robot.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                     '<xacro:include filename="part.xacro"/>'
                     f'<xacro:include filename="{path}"/></robot>')
    (package / 'part.xacro').write_text(part.replace('secret', 'base'))
    git = ['git', '-C', str(package), '-c', 'user.name=a', '-c', 'user.email=a@example.org']
    for command in (['init', '-q'], ['add', '.'], ['commit', '-qm', 'First']):
        subprocess.run([*git, *command], check=True)
    for file in ('.env', 'new.xacro'):
        (package / file).write_text(part)
    assert main(['check', str(robot), '--untrusted', '--format', 'json']) == 2
    printed = capsys.readouterr().out
    assert 'does not exist, or is outside' in printed and 'secret' not in printed
    subprocess.run([*git, 'add', '-f', '.'], check=True)
    expected = 1 if name in ('.env', 'new.xacro') else 2
    assert main(['check', str(robot), '--untrusted']) == expected  # Two roots.


INCLUDING = {
    'robot.sdf': '<sdf version="1.9"><model name="m"><include><uri>{}</uri></include></model>'
                 '</sdf>',
    'robot.xml': '<mujoco><include file="{}"/><worldbody/></mujoco>',
    'robot.urdf': '<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/>'
                  '</geometry></visual></link></robot>'}


@pytest.mark.parametrize('name', ['secret.sdf', '.git/config', '.git/none'])
@pytest.mark.parametrize('robot', INCLUDING)
def test_only_files_that_git_tracks_are_included_in_other_formats(
        tmp_path, capsys, monkeypatch, robot, name):
    monkeypatch.chdir(tmp_path)
    subprocess.run(['git', 'init', '-q', '.'], check=True)
    Path(robot).write_text(INCLUDING[robot].format(name))
    subprocess.run(['git', 'add', '.'], check=True)
    Path('secret.sdf').write_text(
        '<sdf version="1.9"><model name="s"><link name="hidden"/></model></sdf>')
    main(['check', robot, '--untrusted'])
    printed = capsys.readouterr().out
    assert f"'{name}' does not exist" in printed and 'hidden' not in printed
    assert 'by the word' not in printed  # xacro has no part in it.


@pytest.mark.slow
def test_the_file_that_is_checked_need_not_be_tracked(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    subprocess.run(['git', 'init', '-q', '.'], check=True)
    text = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}<link name="a"/></robot>'
    Path('robot.urdf.xacro').write_text(text.format(''))
    assert main(['check', 'robot.urdf.xacro', '--untrusted']) == 0
    include = text.format('<xacro:include filename="robot.urdf.xacro"/>')
    Path('other.urdf.xacro').write_text(include)
    assert main(['check', 'other.urdf.xacro', '--untrusted']) == 2
    assert 'not tracked by git' in capsys.readouterr().out
    Path('link.urdf.xacro').symlink_to('robot.urdf.xacro')
    assert main(['check', 'link.urdf.xacro', '--untrusted']) == 2


def test_reports_are_not_written_through_links_of_an_untrusted_project(
        tmp_path, capsys, monkeypatch):
    project, outside = tmp_path / 'project', tmp_path / 'outside.json'
    (project / 'results').mkdir(parents=True)
    monkeypatch.chdir(project)
    Path('robot.urdf').write_text('<robot name="r"><link name="a"/></robot>')
    Path('report.json').symlink_to(outside)
    Path('away').symlink_to(tmp_path)
    for name in ('report.json', 'away/outside.json', str(project / 'report.json')):
        assert main(['check', 'robot.urdf', '--untrusted', '--output', f'json={name}']) == 2
        assert 'leads elsewhere through a symbolic link' in capsys.readouterr().err
        assert not outside.exists()
    main(['check', 'robot.urdf', '--untrusted', '--output', 'json=results/report.json'])
    assert json.loads(Path('results/report.json').read_text())
    main(['check', 'robot.urdf', '--output', 'json=report.json'])
    assert outside.exists()


def test_without_git_hidden_files_are_not_read(tmp_path, monkeypatch):
    (tmp_path / '.git').mkdir()
    monkeypatch.setenv('PATH', '')
    assert is_tracked(tmp_path / 'robot.xacro')
    assert not is_tracked(tmp_path / '.git' / 'config')
    assert not is_tracked(tmp_path / '.env')


NAMING = {
    'robot.urdf': '<robot name="r"><link name="a"><visual><geometry><mesh filename="{}"/>'
                  '</geometry><material name="m"><texture filename="{}"/></material></visual>'
                  '</link></robot>',
    'plugin.urdf': '<robot name="r"><link name="a"/><gazebo><plugin name="p" filename='
                   '"libgazebo_ros2_control.so"><parameters>{}</parameters></plugin></gazebo>'
                   '</robot>',
    'gltf.urdf': '<robot name="r"><link name="a"><visual><geometry><mesh filename="m.gltf"/>'
                 '</geometry></visual></link></robot>',
    'robot.sdf': '<sdf version="1.9"><model name="m"><include><uri>{}</uri></include></model>'
                 '</sdf>',
    'robot.xml': '<mujoco><asset><mesh name="m" file="{}"/></asset><worldbody><body>'
                 '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
    'robot.urdf.xacro': '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                        '<xacro:include filename="{}"/></robot>'}
LEADING_OUT = '../../named.stl', 'link.stl', 'away/named.stl', 'gone/named.stl'
PACKAGES = 'package://away/named.stl', '$(find away)/named.stl', '../meshes/named.stl'


@pytest.mark.slow
@pytest.mark.parametrize('name', NAMING)
@pytest.mark.parametrize('uri', [*LEADING_OUT, *PACKAGES])
def test_no_answer_tells_whether_a_file_elsewhere_exists(
        tmp_path, capsys, monkeypatch, name, uri):
    path = tmp_path / 'checkout' / 'robots' / name
    path.parent.mkdir(parents=True)
    (path.parents[1] / '.git').mkdir()
    for link, target in {'link.stl': 'named.stl', 'away': '.', 'gone': 'folder'}.items():
        (path.parent / link).symlink_to(tmp_path / target)
    (path.parents[1] / 'meshes').symlink_to(tmp_path)
    path.write_text(NAMING[name].replace('{}', uri))
    path.with_name('m.gltf').write_text(gltf(3, {'byteLength': 36, 'uri': uri}))
    monkeypatch.chdir(path.parent)
    answers = []
    for _ in range(2):
        code = main(['check', '--untrusted', '--level', 'info', name])
        answers.append((code, *capsys.readouterr()))
        (tmp_path / 'folder').mkdir(exist_ok=True)
        for file in ('named.stl', 'folder/named.stl'):
            (tmp_path / file).write_text('<robot name="secret"/>')
    assert answers[0] == answers[1]
    assert 'secret' not in str(answers)


@pytest.mark.parametrize('marker', ['package.xml', 'LICENSE'])
def test_a_link_is_no_project_where_its_file_exists_and_none_where_not(
        tmp_path, capsys, monkeypatch, marker):
    path = tmp_path / 'unpacked' / 'robots' / 'a.urdf'
    path.parent.mkdir(parents=True)
    path.write_text(NAMING['robot.urdf'].replace('{}', '../part.stl'))
    path.parent.with_name('part.stl').touch()
    path.parent.with_name('LICENSE').touch()
    path.with_name(marker).symlink_to(tmp_path / 'elsewhere')
    monkeypatch.chdir(path.parent)
    answers = []
    for _ in range(2):
        answers.append((main(['check', '--untrusted', 'a.urdf']), *capsys.readouterr()))
        (tmp_path / 'elsewhere').touch()
    assert answers[0] == answers[1]


def test_an_error_names_no_file_that_git_does_not_track(tmp_path):
    subprocess.run(['git', 'init', '-q', tmp_path], check=True)
    for name, tracked in (('Secret.stl', False), ('Arm.stl', True)):
        (tmp_path / name).touch()
        if tracked:
            subprocess.run(['git', '-C', tmp_path, 'add', name], check=True)
        for trust in (UNTRUSTED, Trust()):
            with pytest.raises(ResourceError, match='does not exist') as raised:
                ResourceResolver(tmp_path, trust=trust).resolve(name.lower())
            assert (name in raised.value.hint) == (trust.is_full or tracked)


@pytest.mark.slow
def test_git_runs_nothing_that_the_checkout_configures(tmp_path):
    git = ['git', '-C', str(tmp_path), '-c', 'user.name=a', '-c', 'user.email=a@example.org']
    for name in ('left/a.xacro', 'right/b.xacro'):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text('<robot/>')
    for command in (['init', '-q'], ['add', '.'], ['commit', '-qm', 'First'],
                    ['sparse-checkout', 'set', '--cone', '--sparse-index', 'left']):
        subprocess.run([*git, *command], check=True)
    # To list the files in the other folder, git fetches its tree, by a program of the remote.
    tree = subprocess.run([*git, 'rev-parse', 'HEAD:right'], check=True, capture_output=True,
                          text=True).stdout.strip()
    (tmp_path / '.git' / 'objects' / tree[:2] / tree[2:]).unlink()
    with open(tmp_path / '.git' / 'config', 'a') as config:
        config.write(f'[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = a\n'
                     f'[remote "a"]\n\turl = {tmp_path}\n\tpromisor = true\n'
                     f'\tuploadpack = touch {tmp_path}/ran\n[protocol "file"]\n\tallow = always\n')
    assert is_tracked(tmp_path / 'left' / 'a.xacro')
    assert not (tmp_path / 'ran').exists()


@pytest.mark.slow
@pytest.mark.parametrize('path', ['a/' * 100_000, 'a/' * 2040, 'a' * 300], ids=len)
def test_paths_that_are_too_long_for_the_system_are_missing(tmp_path, capsys, path):
    robot = tmp_path / 'robot.urdf.xacro'
    robot.write_text('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
                     f'<xacro:include filename="{path}"/><link name="base"/></robot>')
    model = tmp_path / 'model.sdf'
    model.write_text('<sdf version="1.9"><model name="m"><link name="a"/>'
                     f'<include><uri>{path}</uri></include></model></sdf>')
    mesh = tmp_path / 'mesh.urdf'
    mesh.write_text('<robot name="r"><link name="base"><visual><geometry>'
                    f'<mesh filename="file:///{path}"/></geometry></visual></link></robot>')
    for file, code in ((robot, 2), (model, 1), (mesh, 0)):
        assert main(['check', str(file), '--untrusted', '--no-config']) == code
        printed = capsys.readouterr().out
        assert 'internal-error' not in printed and 'enough memory' not in printed


@pytest.mark.parametrize('pattern', [
    'parts/*.xacro', 'parts/?.xacro', 'part*/[ab].xacro', '*/b.xacro', '*/b.*', 'nothing*/a.xacro',
    'robot*/a.xacro', 'parts/a*'])
@pytest.mark.parametrize('trust', [UNTRUSTED, Trust()], ids=['untrusted', 'trusted'])
def test_wildcards_match_what_glob_finds_in_the_project(project, pattern, trust):
    path = project(f'<xacro:include filename="{pattern}"/><link name="base"/>')
    for name in ('a.xacro', 'b.xacro', 'ab.xacro', '.c.xacro', 'a.txt'):
        project(f'<link name="{name}"/>', f'parts/{name}')
    expected = [Path(found).name for found in sorted(glob.glob(str(path.parent / pattern)))]
    document = open_document(path, resources=resources(path, trust))
    assert [link.get('name') for link in document.root.iterfind('link')] == [*expected, 'base']
