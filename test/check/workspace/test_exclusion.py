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

"""What a check leaves out of folders, and folders without a description."""

import pytest

from urdf_tools.check.workspace.target_selection import find_targets
from urdf_tools.cli import main

URDF = '<robot name="r"><link name="base_link"/></robot>'
MACROS = ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
          '<xacro:macro name="m"><link name="base_link"/></xacro:macro></robot>')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with descriptions in several folders, which is the current one."""
    for name in ('a.urdf', 'old/b.urdf', 'old/more/c.urdf', 'older/d.urdf'):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(URDF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys, *options):
    """Return the descriptions that ``check`` reports."""
    assert main(['check', '.', '--jobs', '1', *options]) == 0
    return [line.split(':')[0] for line in capsys.readouterr().out.splitlines()
            if '0 errors' in line and 'files' not in line]


@pytest.mark.parametrize('excluded, left', [
    ('old', ['a.urdf', 'older/d.urdf']),
    ('old/', ['a.urdf', 'older/d.urdf']),
    ('old/b.urdf', ['a.urdf', 'old/more/c.urdf', 'older/d.urdf']),
    ('*/b.urdf', ['a.urdf', 'old/more/c.urdf', 'older/d.urdf']),
    ('old*', ['a.urdf']),
    ('missing', ['a.urdf', 'old/b.urdf', 'old/more/c.urdf', 'older/d.urdf']),
])
def test_excluded_paths(folder, capsys, excluded, left):
    assert checked(capsys, '--exclude', excluded) == left
    assert checked(capsys, '--exclude', str(folder / excluded)) == left
    (folder / 'urdf-tools.toml').write_text(f'exclude = ["{excluded}"]')
    assert checked(capsys) == left


def test_the_command_line_excludes_more(folder, capsys):
    (folder / 'urdf-tools.toml').write_text('exclude = ["old"]')
    assert checked(capsys, '--exclude', 'a.urdf') == ['older/d.urdf']


def test_folders_with_the_characters_of_patterns(folder, capsys):
    (folder / 'old').rename(folder / '[x]*')
    (folder / '[x]*' / 'urdf-tools.toml').write_text('exclude = ["more"]')
    assert checked(capsys, '--exclude', 'older') == ['[x]*/b.urdf', 'a.urdf']


def test_a_named_file_is_checked(folder):
    (folder / 'urdf-tools.toml').write_text('exclude = ["a.urdf"]')
    assert [target.source for target in find_targets(['a.urdf']).targets] == ['a.urdf']


def test_a_folder_without_a_description(tmp_path, capsys):
    (tmp_path / 'macros.xacro').write_text(MACROS)
    assert main(['check', str(tmp_path)]) == 2
    assert 'has no description of a robot' in capsys.readouterr().err
    results = tmp_path / 'results.xml'
    assert main(['check', '--allow-none', '--output', f'junit={results}', str(tmp_path)]) == 0
    assert 'macros.xacro' in capsys.readouterr().err
    assert 'tests="0" failures="0"' in results.read_text()
