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

"""The settings of a project, for ``check``."""

import pytest

from urdf_tools.check.workspace.settings import NAMES
from urdf_tools.cli import main

TEXT = """<robot name="r">
<link name="base_link"/>
<link name="a b" group="1"/>
<joint name="j" type="fixed"><parent link="base_link"/><child link="a b"/></joint>
</robot>
"""
FOUND = {'name-bad-characters', 'unknown-attribute'}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return the folder of a project with a robot in ``urdf/robot.urdf``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'urdf' / 'robot.urdf').write_text(TEXT)
    return tmp_path


@pytest.fixture
def found(capsys):
    """Return a function that checks the robot and returns the exit code and the codes."""
    def found(*options):
        code = main(['check', 'urdf/robot.urdf', *options])
        return code, {word.strip('[]') for line in capsys.readouterr().out.splitlines()
                      for word in line.split() if word.startswith('[')}
    return found


def test_without_settings(project, found):
    code, codes = found()
    assert code == 0
    assert FOUND <= codes


@pytest.mark.parametrize('name, header', [
    ('urdf-tools.toml', ''), ('pyproject.toml', '[tool.urdf-tools]\n')])
@pytest.mark.parametrize('folder', ['.', 'urdf'])
def test_settings_above_the_file(project, found, name, header, folder):
    (project / folder / name).write_text(
        header + 'select = ["names", "unknown-attribute"]\n'
        'ignore = ["program-refuses"]\nstrict = true\n')
    assert found() == (1, {'name-bad-characters', 'unknown-attribute'})
    assert found('--ignore', 'unknown-attribute') == (1, {'name-bad-characters'})
    assert found('--select', 'unknown-attribute') == (1, {'unknown-attribute'})
    assert found('--no-config')[1] >= FOUND


def test_the_nearest_file_counts(project, found):
    (project / 'urdf-tools.toml').write_text('select = ["names"]')
    (project / 'pyproject.toml').write_text('[tool.urdf-tools]\nselect = ["unknown-attribute"]')
    assert found()[1] == {'name-bad-characters'}
    (project / 'urdf' / 'pyproject.toml').write_text('[tool.other]\nselect = 1')
    assert found()[1] == {'name-bad-characters'}
    (project / 'urdf' / 'pyproject.toml').write_text('[tool.urdf-tools]\nselect = ["joints"]')
    assert found()[1] == set()


def test_each_file_has_the_settings_of_its_project(project, capsys):
    (project / 'other').mkdir()
    (project / 'other' / 'robot.urdf').write_text(TEXT)
    (project / 'other' / 'urdf-tools.toml').write_text('level = "error"')
    assert main(['check', 'urdf/robot.urdf', 'other/robot.urdf']) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith('urdf/robot.urdf:3:') for line in lines)
    assert not any(line.startswith('other/robot.urdf:3:') for line in lines)


def test_named_file(project, found):
    (project / 'urdf-tools.toml').write_text('nonsense')
    (project / 'ci.toml').write_text(
        'select = ["names", "unknown-attribute"]\nfor = ["mujoco"]')
    assert found('--config', 'ci.toml')[1] == {'unknown-attribute'}


def test_packages_are_below_the_folder_of_the_file(project, found):
    mesh = '<collision><geometry><mesh filename="package://bolts/m.stl"/></geometry></collision>'
    (project / 'urdf' / 'robot.urdf').write_text(
        TEXT.replace('"base_link"/>', f'"base_link">{mesh}</link>', 1))
    (project / 'parts').mkdir()
    assert 'package-not-found' in found()[1]
    (project / 'urdf-tools.toml').write_text('[packages]\nbolts = "parts"')
    assert 'mesh-not-found' in found()[1]


@pytest.mark.parametrize('text, words', [
    ('ingore = ["names"]', "Key 'ingore' does not exist. Did you mean 'ignore'?"),
    ('zzz = 1', 'Known are select, ignore, for, packages, strict, level'),
    ('ignore = "names"', 'ignore is not a list of codes and categories'),
    ('ignore = [1]', 'ignore is not a list of codes and categories'),
    ('ignore = ["nmes"]', "Did you mean 'names'?"),
    ('for = ["gazbo"]', "Did you mean 'gazebo'?"),
    ('strict = 1', 'strict is not true or false'),
    ('level = "wran"', "Level 'wran' does not exist. Did you mean 'warn'?"),
    ('packages = ["a"]', 'packages is not a table of names and folders'),
    ('ignore = [', 'is not valid TOML'), ('\udcff = 1', 'is not valid TOML')])
@pytest.mark.parametrize('name', NAMES)
def test_errors_name_the_file(project, capsys, text, words, name):
    header = '[tool.urdf-tools]\n' if name == 'pyproject.toml' else ''
    (project / name).write_text(header + text, errors='surrogateescape')
    assert main(['check', 'urdf/robot.urdf']) == 2
    captured = capsys.readouterr()
    assert captured.out == ''
    assert captured.err.startswith(f'urdf-tools: {project / name}')
    assert words in captured.err
    assert captured.err.count('\n') == 1


def test_a_table_that_is_none(project, capsys):
    (project / 'pyproject.toml').write_text('[[tool.urdf-tools]]')
    assert main(['check', 'urdf/robot.urdf']) == 2
    assert 'does not exist' in capsys.readouterr().err


@pytest.mark.parametrize('name', ['missing.toml', '.'])
def test_named_file_that_cannot_be_read(project, capsys, name):
    assert main(['check', 'urdf/robot.urdf', '--config', name]) == 2
    assert 'Cannot read' in capsys.readouterr().err
