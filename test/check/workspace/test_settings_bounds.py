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

"""Bounds of settings files, and which of them count for a description."""

import subprocess
import sys

import pytest

from urdf_tools.check.workspace.settings import MAX_BYTES
from urdf_tools.check.workspace.settings import MAX_DEPTH
from urdf_tools.check.workspace.settings import MAX_ROOTS
from urdf_tools.check.workspace.settings import project_settings
from urdf_tools.check.workspace.settings import read_settings
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.cli import main

MEMORY = 40 * 2**20
READ = """
import resource
import sys
from pathlib import Path
from urdf_tools.check.workspace.settings import project_settings
pages = int(Path('/proc/self/statm').read_text().split()[0])
most = pages * resource.getpagesize() + {memory}
resource.setrlimit(resource.RLIMIT_AS, (most, most))
for folder in sys.argv[1:]:
    try:
        project_settings(Path(folder))
    except ValueError as error:
        print(error)
"""

HOSTILE = {
    'dots': 'a' + '.a' * 20_000 + ' = 1',
    'spaced dots': 'a' + ' . "a"' * 10_000 + ' = 1',
    'header': '[' + 'a.' * 20_000 + 'a]',
    'lists': 'a = ' + '[' * 30_000,
    'tables': 'a = ' + '{a = ' * 12_000,
    'behind a string': 'a = ["""b"""", ' + '[' * 30_000,
    'behind a literal': "a = ['''b''''', " + '[' * 30_000}
"""Settings that take more than a hundred times their size in a parser, or are close to it."""


def test_depth_is_refused_before_it_takes_memory(tmp_path):
    for name, text in HOSTILE.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / 'urdf-tools.toml').write_text(f'# first line\n{text}\n')
    done = subprocess.run(
        [sys.executable, '-c', READ.format(memory=MEMORY), *(tmp_path / name for name in HOSTILE)],
        capture_output=True, text=True)
    assert done.stderr == ''
    assert done.stdout.splitlines() == [
        f'{tmp_path / name / "urdf-tools.toml"}' + (
            f':2: A key has more than {MAX_DEPTH} parts'
            if name in ('dots', 'spaced dots', 'header') else ': Tables or lists are too deep')
        for name in HOSTILE]


@pytest.mark.parametrize('text', [
    '.'.join(f'"a.{n}"' for n in range(MAX_DEPTH)) + ' = 1  # ' + '.[' * 100,
    'a = ' + '[' * MAX_DEPTH + ']' * MAX_DEPTH,
    'a = """' + '[.' * 100 + '"""', "a = '" + '[.' * 100 + "'",
    'a = [' + ', '.join(f'{n}.5' for n in range(1000)) + ']'])
def test_what_is_not_deep_is_parsed(tmp_path, text):
    (tmp_path / 'urdf-tools.toml').write_text(text)
    with pytest.raises(SettingsError, match='Key .a.* does not exist'):
        project_settings(tmp_path)


@pytest.mark.parametrize('text, words', [
    ('#' * MAX_BYTES + '\n', f':1 is larger than {MAX_BYTES} bytes'),
    ('\n[packages]\na = 0x' + 'f' * 60_000, ':3: A number or a key is longer than 250'),
    ('[[roots]]\nfile = "a"\n' * (MAX_ROOTS + 1), f':1: There are more than {MAX_ROOTS} roots'),
    ('a = 1\nb = \udcff', ':2 is not valid TOML: it is not UTF-8')])
def test_other_bounds(tmp_path, text, words):
    path = tmp_path / 'urdf-tools.toml'
    path.write_text(text, errors='surrogateescape')
    with pytest.raises(SettingsError) as error:
        read_settings(path)
    assert f'{path}{words}' in str(error.value)


@pytest.mark.parametrize('text', [
    'nonsense', 'a = ' + '[' * 1000, '#' * 10 * MAX_BYTES, '\udcff = 1',
    '[project]\ndependencies = ["urdf-tools"', '# [tool.urdf-tools]\nnonsense'])
def test_a_file_of_other_tools_fails_no_check(tmp_path, text):
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'package.xml').touch()
    (tmp_path / 'urdf-tools.toml').write_text('level = "error"')
    (tmp_path / 'urdf' / 'pyproject.toml').write_text(text, errors='surrogateescape')
    assert project_settings(tmp_path / 'urdf').level == 'error'


@pytest.mark.parametrize('header', [
    '[tool.urdf-tools]', ' [ tool . "urdf-tools" ]', '[[tool.urdf-tools.roots]]'])
@pytest.mark.parametrize('text', ['nonsense', '#' * MAX_BYTES])
def test_a_broken_file_with_our_table_fails(tmp_path, header, text):
    (tmp_path / 'pyproject.toml').write_text(f'{text}\n{header}\n')
    with pytest.raises(SettingsError, match='pyproject.toml:1'):
        project_settings(tmp_path)


@pytest.mark.parametrize('mark, is_folder', [
    ('.git', True), ('.git', False), ('.hg', True), ('package.xml', False)])
@pytest.mark.parametrize('text', ['nonsense', 'level = "error"'])
def test_settings_above_a_project_do_not_count(tmp_path, monkeypatch, mark, is_folder, text):
    inside = tmp_path / 'project' / 'robots' / 'urdf'
    inside.mkdir(parents=True)
    path = tmp_path / 'project' / mark
    path.mkdir() if is_folder else path.touch()
    (tmp_path / 'urdf-tools.toml').write_text(text)
    (tmp_path / 'pyproject.toml').write_text('[tool.urdf-tools]\nlevel = "error"')
    monkeypatch.chdir(inside)
    assert project_settings(inside).level is None
    (tmp_path / 'project' / 'urdf-tools.toml').write_text('level = "warn"')
    assert project_settings(inside).level == 'warn'


def test_the_settings_of_a_checkout_count_for_its_packages(tmp_path):
    inside = tmp_path / 'src' / 'arm' / 'urdf'
    inside.mkdir(parents=True)
    (tmp_path / '.git').mkdir()
    (inside.parent / 'package.xml').touch()
    (tmp_path / 'urdf-tools.toml').write_text('level = "error"')
    assert project_settings(inside).level == 'error'


@pytest.mark.parametrize('mark', ['package.xml', '.git', 'nothing'])
def test_the_current_folder_counts_where_it_is_higher(tmp_path, monkeypatch, mark):
    here = tmp_path / 'here'
    inside = here / 'robots' / 'arm'
    inside.mkdir(parents=True)
    (inside / mark).touch()
    (tmp_path / 'urdf-tools.toml').write_text('level = "error"')
    monkeypatch.chdir(here)
    assert project_settings(inside).level is None
    (here / 'urdf-tools.toml').write_text('level = "warn"')
    assert project_settings(inside).level == 'warn'
    (tmp_path / 'other').mkdir()
    monkeypatch.chdir(tmp_path / 'other')
    assert project_settings(inside).level is None


def test_a_number_of_combinations_that_nobody_can_read(tmp_path, monkeypatch, capsys):
    values = ', '.join(f'a{n} = [1, 2, 3]' for n in range(3000))
    (tmp_path / 'urdf-tools.toml').write_text(
        f'[[roots]]\nfile = "r.urdf"\narguments = {{{values}}}')
    monkeypatch.chdir(tmp_path)
    assert main(['check']) == 2
    assert 'have more than 256 combinations' in capsys.readouterr().err
